//! Why a file could not be read or a selector names nothing.

use crate::files::FileError;
use crate::pattern::PatternError;
use factgate_record::{Place, Reason, RepoPath};
use factgate_syntax::SourceError;

/// A file that gives no source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The view has no such file.
    #[error("{file} does not exist")]
    Missing {
        /// Which.
        file: RepoPath,
    },
    /// The path is a folder's.
    #[error("{file} is a folder, and a selector names a file in it")]
    Folder {
        /// Which.
        file: RepoPath,
    },
    /// No language has this ending.
    #[error("{file}: no language is known for this ending")]
    UnknownLanguage {
        /// Which.
        file: RepoPath,
    },
    /// It is there and cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no source text, or too much of it.
    #[error("{file} {error}")]
    Source {
        /// Which.
        file: RepoPath,
        /// Why.
        error: SourceError,
    },
}

impl LoadError {
    /// The stable error code of the contract.
    pub fn code(&self) -> &'static str {
        match self {
            LoadError::Missing { .. } | LoadError::Folder { .. } | LoadError::UnknownLanguage { .. } => "selector",
            LoadError::File(error) => error.code,
            LoadError::Source { error, .. } => match error {
                SourceError::TooLarge { .. } | SourceError::TooDeep { .. } => "limit",
                SourceError::NotUtf8(_) | SourceError::Grammar(_) => "parse-error",
            },
        }
    }

    /// The file.
    pub fn file(&self) -> &RepoPath {
        match self {
            LoadError::Missing { file }
            | LoadError::Folder { file }
            | LoadError::UnknownLanguage { file }
            | LoadError::Source { file, .. } => file,
            LoadError::File(error) => &error.path,
        }
    }
}

/// One of several things that a selector fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name that would select it.
    pub name: String,
    /// Where it stands.
    pub place: Place,
}

/// A selector that gives no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// Its path leaves the repository.
    #[error("{0} leaves the repository")]
    Outside(String),
    /// Its file gives no source.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file has no such item.
    #[error("{file} has no `{name}`{}", or_nearest(.nearest))]
    NoItem {
        /// The file.
        file: RepoPath,
        /// The name behind `#`.
        name: String,
        /// The nearest names of the file, best first.
        nearest: Vec<String>,
        /// The file's own problems, where it has some: it then cannot prove that the item is gone.
        problems: Vec<(Place, String)>,
    },
    /// Several things fit.
    #[error("`{name}` in {file} fits {} things: {}", .candidates.len(), listed(.candidates))]
    Ambiguous {
        /// The file.
        file: RepoPath,
        /// The name behind `#`.
        name: String,
        /// What fits.
        candidates: Vec<Candidate>,
    },
    /// The item does not parse, or holds a merge conflict.
    #[error("{item} cannot be read: {}", first(.problems))]
    Broken {
        /// The selector.
        item: String,
        /// What is wrong, in source order.
        problems: Vec<(Place, String)>,
        /// Whether a merge conflict is among it.
        conflict: Conflict,
    },
    /// The pattern of `SCOPE/PATTERN` is none.
    #[error("the pattern of {selector} is none: {error}")]
    Pattern {
        /// The selector.
        selector: String,
        /// Byte offset of the pattern in the selector's text.
        start: usize,
        /// What is wrong with it.
        error: PatternError,
    },
}

/// Whether a merge conflict's markers are among the problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// They are.
    Yes,
    /// Only parse errors.
    No,
}

impl ScopeError {
    /// The stable error code of the contract.
    pub fn code(&self) -> &'static str {
        match self {
            ScopeError::Outside(_) | ScopeError::NoItem { .. } => "selector",
            ScopeError::Load(error) => error.code(),
            ScopeError::Ambiguous { .. } => "ambiguous",
            ScopeError::Broken { conflict: Conflict::Yes, .. } => "merge-conflict",
            ScopeError::Broken { .. } => "parse-error",
            ScopeError::Pattern { .. } => "pattern",
        }
    }

    /// Why a fact that is read in such a scope is unknown.
    pub fn reason(&self) -> Reason {
        match self {
            ScopeError::Broken { .. } => Reason::ParseError,
            ScopeError::NoItem { problems, .. } if !problems.is_empty() => Reason::ParseError,
            ScopeError::Load(LoadError::Source { .. }) => Reason::ParseError,
            _ => Reason::NoScope,
        }
    }

    /// The place to show, when it is one in the code.
    pub fn place(&self) -> Option<&Place> {
        match self {
            ScopeError::Broken { problems, .. } => problems.first().map(|(place, _)| place),
            ScopeError::Ambiguous { candidates, .. } => candidates.first().map(|candidate| &candidate.place),
            _ => None,
        }
    }

    /// Whether the selector names nothing that is there, in a file that shows it: what a record may call `removed`.
    pub fn is_missing(&self) -> bool {
        match self {
            ScopeError::NoItem { problems, .. } => problems.is_empty(),
            ScopeError::Load(LoadError::Missing { .. } | LoadError::Folder { .. }) => true,
            _ => false,
        }
    }
}

fn or_nearest(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("; the nearest: {}", quoted.join(", "))
        }
    }
}

fn listed(candidates: &[Candidate]) -> String {
    let shown =
        |candidate: &Candidate| format!("{} ({}:{})", candidate.name, candidate.place.line, candidate.place.column);
    candidates.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn first(problems: &[(Place, String)]) -> String {
    problems.first().map_or_else(String::new, |(place, message)| {
        format!("{}:{}:{}: {message}", place.file, place.line, place.column)
    })
}
