//! Findings: errors and warnings as data, with a stable code, a place and, where there is one, the source to underline.

use factgate_facts::FileError;
use factgate_record::{Place, RepoPath, coded};
use std::ops::Range;
use std::sync::Arc;

coded! {
    /// The stable codes of errors and warnings.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Code {
        /// Arguments.
        Usage = "usage",
        /// A `factgate.toml` or a pattern file.
        Config = "config",
        /// A pattern that is no code, or a metavariable that is none.
        Pattern = "pattern",
        /// A selector that selects nothing.
        Selector = "selector",
        /// A selector that fits several things.
        Ambiguous = "ambiguous",
        /// Code that could not be read.
        ParseError = "parse-error",
        /// A record that is missing or is none.
        Record = "record",
        /// Conflict markers, unmerged entries.
        MergeConflict = "merge-conflict",
        /// The repository.
        Git = "git",
        /// A file that is missing or cannot be read.
        Io = "io",
        /// Java, the model checker.
        Engine = "engine",
        /// A time limit.
        Timeout = "timeout",
        /// A size or depth limit.
        Limit = "limit",
    }
}

impl Code {
    /// The code of a word; `Io` for a word that is none.
    pub fn of(word: &str) -> Code {
        Code::ALL.into_iter().find(|code| code.code() == word).unwrap_or(Code::Io)
    }
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its stable code.
    pub code: Code,
    /// What is wrong, and what to do.
    pub message: String,
    /// Where, when it is somewhere.
    pub at: Option<Place>,
    /// What to underline, when the source is at hand.
    pub excerpt: Option<Excerpt>,
    /// What helps: the nearest key, the next command.
    pub help: Option<String>,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The whole text.
    pub text: Arc<str>,
    /// The bytes to underline.
    pub span: Range<usize>,
}

impl Excerpt {
    /// The rest of the line at a place; nothing when the text has no such line.
    pub fn at(text: &Arc<str>, place: &Place) -> Option<Excerpt> {
        let before: usize = text.split_inclusive('\n').take(place.line.checked_sub(1)? as usize).map(str::len).sum();
        let line = text.get(before..)?.lines().next()?;
        let column = line.char_indices().nth(place.column.checked_sub(1)? as usize).map_or(line.len(), |(at, _)| at);
        Some(Excerpt { text: text.clone(), span: before + column..before + line.trim_end().len().max(column) })
    }
}

impl Finding {
    /// Underlines the source at its place.
    pub fn in_source(mut self, text: &Arc<str>) -> Finding {
        self.excerpt = self.at.as_ref().and_then(|place| Excerpt::at(text, place));
        self
    }

    /// Without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Finding {
        Finding { code, message: message.into(), at: None, excerpt: None, help: None }
    }

    /// At a place.
    pub fn at(code: Code, place: Place, message: impl Into<String>) -> Finding {
        Finding { at: Some(place), ..Finding::new(code, message) }
    }

    /// About a whole file.
    pub fn of_file(code: Code, file: &RepoPath, message: impl Into<String>) -> Finding {
        Finding::at(code, Place { file: file.clone(), line: 1, column: 1 }, message)
    }

    /// With words that help.
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }
}

impl From<FileError> for Finding {
    fn from(error: FileError) -> Finding {
        Finding::of_file(Code::of(error.code), &error.path, error.to_string())
    }
}

/// Sorts findings by place, then text, and drops those said twice.
pub fn settle(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| (&a.at, a.code, &a.message).cmp(&(&b.at, b.code, &b.message)));
    findings.dedup_by(|a, b| a.at == b.at && a.code == b.code && a.message == b.message);
}
