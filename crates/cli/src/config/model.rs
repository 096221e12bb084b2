//! One model, read and checked: every path joined to the repository's root, every glob resolved in the view.

use crate::config::At;
use crate::config::document::Document;
use crate::config::fact_tables::{GuardTable, SetTable, ValueTable};
use crate::config::globs;
use crate::config::tables::PatternText;
use crate::finding::{Code, Finding};
use factgate_checker::{EngineSpec, RunSpec};
use factgate_facts::calls::Outside;
use factgate_facts::ignore::Ignore;
use factgate_record::{Change, RepoPath, Stale, StaleKind};
use factgate_syntax::{Limits, Selector};
use globset::GlobSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// One `factgate.toml`.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its configuration.
    pub config: RepoPath,
    /// The configuration's folder.
    pub folder: RepoPath,
    /// Where selectors and `in` globs start.
    pub root: RepoPath,
    /// Its record.
    pub record: RepoPath,
    /// Whether it names `files` at all: a `sync` asks differently then.
    pub names_files: bool,
    /// The model's own files in the view: the path as the record has it, and the path in the repository.
    pub files: BTreeMap<String, RepoPath>,
    /// The globs that name them, as they are written.
    pub written_files: Vec<String>,
    /// The covered items, in the order of the file.
    pub cover: Vec<Covered>,
    /// The classes of change that are drift.
    pub drift: BTreeSet<Change>,
    /// Calls that do not count, beside the language's own logging.
    pub ignore: Ignore,
    /// Watched functions and call shapes, by key.
    pub calls: BTreeMap<String, Watched>,
    /// Facts, by name.
    pub facts: BTreeMap<String, FactTable>,
    /// Calls that make their condition known.
    pub assertions: Vec<Sourced<PatternText>>,
    /// Calls that never return.
    pub never_returns: Vec<Sourced<PatternText>>,
    /// How much source is read before giving up.
    pub limits: Limits,
    /// The model checker.
    pub engine: Option<Engine>,
    /// The code that actions stand for, by the action's name.
    pub actions: BTreeMap<String, Action>,
    /// Its runs, in the order of their names.
    pub runs: Vec<RunSpec>,
    /// Where each of them is written.
    pub run_origins: BTreeMap<String, Origin>,
    /// What could be said about the configuration without being wrong.
    pub warnings: Vec<Finding>,
}

/// A place in a configuration file: what errors about its content underline.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file.
    pub document: Document,
    /// The bytes.
    pub span: Range<usize>,
}

impl Model {
    /// Whether a difference is shown and no drift.
    pub fn is_note(&self, stale: &Stale) -> bool {
        stale.kind == StaleKind::Calls || stale.change.is_some_and(|change| !self.drift.contains(&change))
    }

    /// What there is to say of a run, at its table.
    pub fn of_run(&self, run: &str, code: Code, message: impl Into<String>) -> Finding {
        match self.run_origins.get(run) {
            Some(origin) => origin.finding(code, message),
            None => Finding::of_file(code, &self.config, message),
        }
    }
}

impl Origin {
    /// An error that underlines it.
    pub fn finding(&self, code: Code, message: impl Into<String>) -> Finding {
        self.document.finding(code, message, self.span.clone())
    }
}

/// A value with its origin.
#[derive(Clone, Debug)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it is written.
    pub origin: Origin,
}

/// A selector of `cover`.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The selector as written: the item's name everywhere.
    pub text: String,
    /// What it says.
    pub selector: Selector,
    /// Where it is written.
    pub origin: Origin,
}

/// An `[action.NAME]` table.
#[derive(Clone, Debug)]
pub struct Action {
    /// The places, in the order of the file.
    pub code: Vec<Covered>,
    /// The table.
    pub origin: Origin,
}

/// A `[[calls]]` entry.
#[derive(Clone, Debug)]
pub struct Watched {
    /// By definition or by shape.
    pub by: WatchedBy,
    /// The files of the view that are searched.
    pub within: Arc<[RepoPath]>,
    /// The same as globs over paths from the model's root.
    pub globs: GlobSet,
    /// Its `name`, where it says one.
    pub written_name: Option<String>,
    /// The globs as they are written.
    pub written: Vec<At<String>>,
    /// What there is to say where they name nothing that could be searched.
    pub nothing: Vec<Finding>,
    /// Regular expressions over metavariables.
    pub matching: BTreeMap<String, Sourced<String>>,
    /// The entry.
    pub origin: Origin,
}

impl Watched {
    /// Whether it watches the definition of this selector.
    pub fn is_of(&self, selector: &str) -> bool {
        matches!(&self.by, WatchedBy::Definition(of) if of.text == selector)
    }

    /// The globs, and some files besides; `None` where that is more than globs can be.
    pub fn with_files(&self, files: &[String]) -> Option<GlobSet> {
        let more = files.iter().map(|file| At { value: globset::escape(file), span: self.origin.span.clone() });
        let all: Vec<At<String>> = self.written.iter().cloned().chain(more).collect();
        self.set(&all)
    }

    /// Globs as `in` may have them; `None` where that is more than globs can be.
    pub fn set(&self, written: &[At<String>]) -> Option<GlobSet> {
        globs::compile(&self.origin.document, &RepoPath::default(), written).ok()
    }
}

/// What a `[[calls]]` entry watches.
#[derive(Clone, Debug)]
pub enum WatchedBy {
    /// The calls of one function.
    Definition(Covered),
    /// The calls of a function outside of the repository.
    Outside(Sourced<Outside>),
    /// Every call of a shape.
    Shape(Vec<Sourced<PatternText>>),
}

/// One fact's table, and where it is written.
#[derive(Clone, Debug)]
pub struct FactTable {
    /// The table.
    pub table: AnyFact,
    /// Where its header is.
    pub origin: Origin,
}

/// The kinds of fact tables.
#[derive(Clone, Debug)]
pub enum AnyFact {
    /// `[guard.NAME]`.
    Guard(Box<GuardTable>),
    /// `[set.NAME]`.
    Set(SetTable),
    /// `[value.NAME]`.
    Value(ValueTable),
}

impl AnyFact {
    /// The word of its table: `guard`, `set`, `value`.
    pub fn word(&self) -> &'static str {
        match self {
            AnyFact::Guard(_) => "guard",
            AnyFact::Set(_) => "set",
            AnyFact::Value(_) => "value",
        }
    }
}

/// The `[engine]` table.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    /// The jar as written.
    pub jar: Option<String>,
    /// Its digest.
    pub sha256: Option<String>,
}

impl Model {
    /// The engine, with its jar looked for from the configuration's folder in this work tree.
    pub fn engine_spec(&self, work_tree: &Path) -> EngineSpec {
        let engine = self.engine.clone().unwrap_or_default();
        let folder = work_tree.join(self.folder.as_str());
        EngineSpec { jar: engine.jar.map(|jar| folder.join(jar)), sha256: engine.sha256 }
    }

    /// The path in the repository of a path from the model's root.
    pub fn source(&self, path: &str) -> RepoPath {
        // A selector's path holds no `..`, so joining it cannot leave the repository.
        self.root.join(path).unwrap_or_else(|_| RepoPath::from_git(path))
    }
}
