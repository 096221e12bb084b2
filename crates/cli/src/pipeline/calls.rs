//! The call sites of a model's watched functions.

use crate::config::{Model, Watched, WatchedBy};
use crate::finding::{Code, Finding};
use crate::pipeline::facts::Compiled;
use crate::pipeline::items::{self, Found};
use crate::pipeline::patterns::text;
use factgate_facts::calls::{self, SiteKind, Watch};
use factgate_facts::pattern::{Matching, Pattern};
use factgate_facts::program::Program;
use factgate_record::{Current, CurrentCalls, CurrentSite};
use factgate_syntax::LANGUAGES;
use std::sync::Arc;

/// The patterns of a call shape, each for every language that it is code of; none is an error.
pub fn shapes(watched: &Watched, wrong: &mut Vec<Finding>) -> Vec<Pattern> {
    let WatchedBy::Shape(shapes) = &watched.by else { return Vec::new() };
    let mut patterns: Vec<Pattern> = Vec::new();
    for shape in shapes {
        let code = text(&shape.value);
        let read: Vec<_> = LANGUAGES.iter().map(|language| Pattern::parse(language, &code)).collect();
        if let Some(Err(error)) = read.first()
            && read.iter().all(Result::is_err)
        {
            let document = &shape.origin.document;
            let part = document.inside_string(code.code(), &shape.origin.span, error.offset..code.code().len());
            let message = format!("`{}` is no pattern: {}", code.code(), error.message);
            wrong.push(document.finding(Code::Pattern, message, part));
        }
        patterns.extend(read.into_iter().flatten());
    }
    for (name, regex) in &watched.matching {
        if !patterns.iter().any(|pattern| pattern.names().contains(name.as_str())) {
            let message = format!("`matching` restricts `${name}`, and no pattern here has it");
            wrong.push(regex.origin.finding(Code::Pattern, message));
        }
    }
    patterns
}

/// Finds the sites of every `[[calls]]` entry.
pub fn gather(model: &Model, compiled: &Compiled, program: &Program<'_>, current: &mut Current, out: &mut Found) {
    let watches: Vec<Watch> = model.calls.iter().map(|(key, watched)| watch(key, watched, compiled)).collect();
    if watches.is_empty() {
        return;
    }
    let swept = calls::sweep(program, &watches);
    for (key, sites) in &swept.calls {
        let found = sites.sites.iter().map(told).collect();
        let of_key = CurrentCalls { record: sites.record.clone(), places: sites.places(), sites: found };
        current.calls.insert(key.clone(), of_key);
    }
    for problem in swept.problems {
        let code = Code::of(problem.code);
        current.unswept.extend(problem.key.clone());
        let of = problem.key.as_ref().and_then(|key| model.calls.get(key)).map(|watched| &watched.by);
        out.errors.push(match (problem.at, of) {
            (Some(place), _) => Finding::at(code, place, problem.message),
            (None, Some(WatchedBy::Definition(of))) => {
                items::suggested(of.origin.finding(code, problem.message), &problem.file, program)
            }
            (None, _) => Finding::of_file(code, &problem.file, problem.message),
        });
    }
}

fn told(site: &calls::Site) -> CurrentSite {
    let kind = match site.kind {
        SiteKind::Call => "calls",
        SiteKind::Value => "values",
        SiteKind::Possible => "possible",
    };
    let (name, place, text) = (site.name.clone(), site.place.clone(), site.text.clone());
    CurrentSite { name, kind, form: site.form, place, text }
}

fn watch(key: &str, watched: &Watched, compiled: &Compiled) -> Watch {
    let of = match &watched.by {
        WatchedBy::Definition(of) => calls::Watched::Definition(of.selector.clone()),
        WatchedBy::Shape(_) => {
            let pairs = watched.matching.iter().map(|(name, regex)| (name.as_str(), regex.value.as_str()));
            let matching = Matching::parse(pairs).map(Arc::new).unwrap_or_default();
            calls::Watched::Shape { patterns: compiled.shapes.get(key).cloned().unwrap_or_default(), matching }
        }
    };
    Watch { key: key.to_owned(), of, within: watched.globs.clone() }
}
