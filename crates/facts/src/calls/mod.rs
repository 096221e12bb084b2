//! Call sites: every place that calls a watched function, or hands it on as a value, followed as the language follows
//! names.
//!
//! Only files that can matter are parsed: a file matters when it mentions a watched word, or lies between such a file
//! and the definition. The links of each file are joined, and what each use stands for is compared with what is
//! watched. A use counts in the innermost function, method or container around it; at a module's top level, in the file.

mod conditions;
mod disk;
mod exported;
mod extends;
mod inline;
mod join;
mod judge;
mod lead;
mod manifests;
mod mentions;
mod outside;
mod resolve;
mod search;
mod shape;
mod shelf;
mod sites;
mod spellings;
mod sweep;
mod target;
mod unread;
mod zig_packages;

#[cfg(test)]
mod tests;

pub use outside::Outside;
pub use sweep::sweep;

use crate::pattern::Matching;
use crate::pattern::Pattern;
use factgate_record::{CallRecord, Place, RepoPath};
use factgate_syntax::Selector;
use globset::GlobSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One `[[calls]]` entry.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Its key in record and JSON.
    pub key: String,
    /// What is watched.
    pub of: Watched,
    /// Where: globs over paths from the model's root.
    pub within: GlobSet,
}

/// What a [`Watch`] looks for.
#[derive(Clone, Debug)]
pub enum Watched {
    /// The uses of a definition.
    Definition(Selector),
    /// The uses of a function outside of the repository.
    Outside(Outside),
    /// Code of a shape: any one of these patterns, each parsed for every language it is code of.
    Shape {
        /// The alternatives.
        patterns: Vec<Pattern>,
        /// What their metavariables may be.
        matching: Arc<Matching>,
    },
}

/// The sites of one watch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sites {
    /// The counts, as a record holds them.
    pub record: CallRecord,
    /// Every site in source order.
    pub sites: Vec<Site>,
}

/// One site.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// `file#item`, or `file` at a module's top level.
    pub name: String,
    /// Which of the three counts it is in.
    pub kind: SiteKind,
    /// The form of the use: `call`, `new`, `JSX element`, `value`, …
    pub form: &'static str,
    /// Where it is.
    pub place: Place,
    /// The source line.
    pub text: String,
}

/// The counts of a [`CallRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteKind {
    /// Called.
    Call,
    /// Handed on.
    Value,
    /// Called on a receiver that is not known.
    Possible,
}

/// The result of a sweep.
#[derive(Debug, Default)]
pub struct Swept {
    /// The sites by key; a watch with a problem of its own has none.
    pub calls: BTreeMap<String, Sites>,
    /// What could not be read, and so might hide a site.
    pub problems: Vec<SweepProblem>,
    /// Files that are not read and say a watched name.
    pub unread: Vec<Unread>,
}

/// A file, or a part of one, that is not read, and says a watched name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where the name stands.
    pub at: Place,
    /// The name.
    pub word: String,
    /// The keys of the watches that it may be about.
    pub keys: Vec<String>,
    /// What of the file is not read.
    pub part: UnreadPart,
}

/// See [`Unread::part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadPart {
    /// All of it.
    Whole,
    /// The markup around its scripts, where the name stands.
    Markup,
    /// The same; the name stands in the scripts alone, and what these make of it may be used in the markup.
    Rest,
}

/// Something that keeps a sweep from being complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepProblem {
    /// The stable code of the contract.
    pub code: &'static str,
    /// In words.
    pub message: String,
    /// The file.
    pub file: RepoPath,
    /// The key of the watch whose definition could not be found; nothing where a file could not be searched.
    pub key: Option<String>,
    /// Line and column, where they are known.
    pub at: Option<Place>,
}

impl Sites {
    /// The first place of each site, by its name.
    pub fn places(&self) -> BTreeMap<String, Place> {
        let mut places = BTreeMap::new();
        for site in &self.sites {
            places.entry(site.name.clone()).or_insert_with(|| site.place.clone());
        }
        places
    }
}
