//! Reads the patterns of a model for the language of their scope, before anything is evaluated.

use crate::config::{At, Document, OneOrMany, tables};
use crate::finding::{Code, Finding};
use factgate_facts::pattern::{Matching, Pattern, PatternText};
use factgate_syntax::{Language, Selector, language_for_path};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads patterns and collects what is wrong with them.
pub struct Reader<'d> {
    document: &'d Document,
    language: &'static Language,
    /// Errors so far.
    pub wrong: Vec<Finding>,
}

impl<'d> Reader<'d> {
    /// For the patterns of one document and the language of a scope; `None` for a scope without a language, which the
    /// configuration has refused already.
    pub fn new(document: &'d Document, scope: &str) -> Option<Reader<'d>> {
        let selector = Selector::parse(scope).ok()?;
        language_for_path(&selector.path).map(|language| Reader { document, language, wrong: Vec::new() })
    }

    /// The alternatives of a key; none where the key is absent.
    pub fn all(&mut self, patterns: Option<&OneOrMany<tables::PatternText>>) -> Vec<Pattern> {
        patterns.iter().flat_map(|patterns| patterns.iter()).filter_map(|pattern| self.one(pattern)).collect()
    }

    /// The alternatives of a key that names conditions.
    pub fn conditions(&mut self, patterns: Option<&OneOrMany<tables::PatternText>>) -> Vec<Pattern> {
        patterns.iter().flat_map(|patterns| patterns.iter()).filter_map(|pattern| self.condition(pattern)).collect()
    }

    fn condition(&mut self, pattern: &At<tables::PatternText>) -> Option<Pattern> {
        let read = self.one(pattern)?;
        match read.not_a_condition() {
            None => Some(read),
            Some(why) => {
                let code = text(&pattern.value);
                let span = self.document.inside_string(code.code(), &pattern.span, 0..code.code().len());
                let message = format!("`{}` can never be a known condition: {why}", code.code());
                self.wrong.push(self.document.finding(Code::Pattern, message, span));
                None
            }
        }
    }

    /// One pattern.
    pub fn one(&mut self, pattern: &At<tables::PatternText>) -> Option<Pattern> {
        if text(&pattern.value).code().trim() == "await" {
            // It would match a variable of that name, and nothing that its author means.
            self.refuse(pattern, 0, "alone it stands for a suspension point, in `without` only; write `await $X`");
            return None;
        }
        match Pattern::parse(self.language, &text(&pattern.value)) {
            Ok(read) => Some(read),
            Err(error) => {
                self.refuse(pattern, error.offset, &error.message);
                None
            }
        }
    }

    /// A pattern of a member, as `where` has it.
    pub fn member(&mut self, pattern: &At<tables::PatternText>) -> Option<Pattern> {
        let tables::PatternText::Code(code) = &pattern.value else { return self.one(pattern) };
        match Pattern::parse_member(self.language, code) {
            Ok(read) => Some(read),
            Err(error) => {
                self.refuse(pattern, error.offset, &error.message);
                None
            }
        }
    }

    fn refuse(&mut self, pattern: &At<tables::PatternText>, offset: usize, message: &str) {
        let code = text(&pattern.value);
        let part = offset..code.code().len();
        let span = self.document.inside_string(code.code(), &pattern.span, part);
        let message = format!("`{}` is no pattern: {message}", code.code());
        self.wrong.push(self.document.finding(Code::Pattern, message, span));
    }

    /// The regular expressions of `matching`. The configuration has compiled each once.
    pub fn matching(&mut self, entries: &BTreeMap<String, At<String>>, names: &[&Pattern]) -> Arc<Matching> {
        for (name, entry) in entries {
            if !names.iter().any(|pattern| pattern.names().contains(name.as_str())) {
                let message = format!("`matching` restricts `${name}`, and no pattern here has it");
                self.wrong.push(self.document.finding(Code::Pattern, message, entry.span.clone()));
            }
        }
        let pairs = entries.iter().map(|(name, entry)| (name.as_str(), entry.value.as_str()));
        match Matching::parse(pairs) {
            Ok(matching) => Arc::new(matching),
            Err(error) => {
                self.wrong.push(Finding::of_file(Code::Config, &self.document.path, error.to_string()));
                Arc::default()
            }
        }
    }
}

/// A pattern as the facts take it.
pub fn text(pattern: &tables::PatternText) -> PatternText {
    match pattern.clone() {
        tables::PatternText::Code(code) => PatternText::Code(code),
        tables::PatternText::Inside { context, select } => PatternText::Context { context, select },
    }
}
