//! One TOML file: its text, its places, and its tables held against the schema of what may stand there.

use crate::config::shape;
use crate::finding::{Code, Excerpt, Finding};
use factgate_record::{Place, RepoPath};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::sync::Arc;

/// A TOML file of the view.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it is.
    pub path: RepoPath,
    /// What is in it.
    pub text: Arc<str>,
}

impl Document {
    /// From bytes; a byte-order mark is dropped.
    pub fn new(path: &RepoPath, bytes: &[u8]) -> Result<Document, Finding> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Finding::of_file(Code::Config, path, format!("{path} is not UTF-8")))?;
        Ok(Document { path: path.clone(), text: text.strip_prefix('\u{feff}').unwrap_or(text).into() })
    }

    /// Reads the whole file as a `T`, or says everything that is wrong with it.
    pub fn read<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Vec<Finding>> {
        let (tables, errors) = toml::de::DeTable::parse_recoverable(&self.text);
        if !errors.is_empty() {
            return Err(errors.iter().map(|error| self.toml_error(error)).collect());
        }
        let wrong = shape::check(self, &tables, &schemars::schema_for!(T));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        T::deserialize(toml::de::Deserializer::from(tables)).map_err(|error| vec![self.toml_error(&error)])
    }

    fn toml_error(&self, error: &toml::de::Error) -> Finding {
        self.finding(Code::Config, error.message(), error.span().unwrap_or(0..0))
    }

    /// An error that underlines a span.
    pub fn finding(&self, code: Code, message: impl Into<String>, span: Range<usize>) -> Finding {
        let excerpt = Some(Excerpt { text: self.text.clone(), span: self.first_line(span.clone()) });
        Finding { excerpt, ..Finding::at(code, self.place(span.start), message) }
    }

    /// The place of a byte.
    pub fn place(&self, offset: usize) -> Place {
        let before = self.text.get(..offset.min(self.text.len())).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() as u32 + 1;
        Place { file: self.path.clone(), line, column: before[start..].chars().count() as u32 + 1 }
    }

    /// The span of a part of a string value: exact where the string has no escapes, else the whole string.
    pub fn inside_string(&self, value: &str, span: &Range<usize>, part: Range<usize>) -> Range<usize> {
        let raw = self.text.get(span.clone()).unwrap_or("");
        let Some(quote) = raw.find(value).filter(|_| !value.is_empty() && part.start <= value.len()) else {
            return span.clone();
        };
        let start = span.start + quote;
        start + part.start..(start + part.end.min(value.len())).max(start + part.start)
    }

    /// Tables and multi-line strings are underlined by their first line only.
    fn first_line(&self, span: Range<usize>) -> Range<usize> {
        let text = self.text.get(span.clone()).unwrap_or("");
        span.start..span.start + text.find('\n').unwrap_or(text.len())
    }
}
