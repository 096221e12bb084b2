//! The record: what somebody confirmed, in one stable form.

use crate::fact::{FactKind, FactValue};
use crate::parse::unique;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The committed file. Keys are sorted, an entry stands on a line, the file ends in one newline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Watched functions, by key.
    #[serde(default, deserialize_with = "unique")]
    pub calls: BTreeMap<String, CallRecord>,
    /// Facts, by name.
    #[serde(default, deserialize_with = "unique")]
    pub facts: BTreeMap<String, FactRecord>,
    /// The model's own files, by path from the model's folder: BLAKE3 of the bytes with line endings as `\n`.
    #[serde(default, deserialize_with = "unique")]
    pub files: BTreeMap<String, String>,
    /// What the gate asks beside the rest. Absent in a record from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "gate")]
    pub gate: Option<Gate>,
    /// Patterns of calls that did not count, beside the language's own logging.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Items, by selector.
    #[serde(default, deserialize_with = "unique")]
    pub items: BTreeMap<String, ItemRecord>,
    /// What was given up, and why: `run NAME`, `guard NAME`, … by the reason that somebody gave.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique")]
    pub gone: BTreeMap<String, String>,
    /// Runs, by name: what each asks, and its verdict once a `sync` found every run as expected.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique")]
    pub runs: BTreeMap<String, RunRecord>,
    /// The fingerprint scheme.
    pub scheme: String,
}

/// What the gate asks beside items, facts and runs, by aspect: `drift`, `calls KEY in`, `action NAME`, … each a list of words.
pub type Gate = BTreeMap<String, BTreeSet<String>>;

/// One covered item. Of the hashes only `fingerprint` sees the items in `inner`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemRecord {
    /// Why the model still describes it, when it changed and the model's files did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The hash of the skeleton: 32 hexadecimal digits, as all but `fingerprint` have.
    #[serde(default)]
    pub detail: String,
    /// 64 hexadecimal digits.
    pub fingerprint: String,
    /// The items inside that were covered by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inner: Vec<String>,
    /// The hash with local variables numbered and without literal text.
    pub literals: String,
    /// The hash with local variables numbered.
    pub locals: String,
    /// The hash with all names numbered.
    #[serde(default)]
    pub names: String,
    /// The hash of everything but `inner`, where there is some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// The names that are no local variables, in the order in which they are met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// The sites of one watched function, each map from `file#item` (or `file`) to a count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallRecord {
    /// Calls.
    #[serde(default, deserialize_with = "unique")]
    pub calls: BTreeMap<String, u32>,
    /// Calls whose receiver's type is not known.
    #[serde(default, deserialize_with = "unique")]
    pub possible: BTreeMap<String, u32>,
    /// Imports that could hide a site and cannot be resolved: `file: specifier`.
    #[serde(default)]
    pub unresolved: Vec<String>,
    /// Places that hand the function on as a value.
    #[serde(default, deserialize_with = "unique")]
    pub values: BTreeMap<String, u32>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactRecord {
    /// Why a guard that was TRUE may be FALSE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Its kind.
    pub kind: FactKind,
    /// The hash of its definition, 64 hexadecimal digits; a record from before there was one has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Its value. A record never holds an unknown.
    pub value: FactValue,
}

/// What a run asks, by aspect: `expect`, `checks`, `set N`, … each in words that can be compared.
pub type Asks = BTreeMap<String, String>;

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// What it asks. A run that was made from another one (a mutant) asks nothing of its own, and neither does one in a
    /// record from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asks")]
    pub asks: Option<Asks>,
    /// Why it may ask less than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// BLAKE3 over everything that the verdict depends on; absent without a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The outcome: `pass`, `violated NAME`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Of recorded runs that are rejected: the step at which each one leaves the specification, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique")]
    pub rejected: BTreeMap<String, u64>,
    /// Distinct states, where the engine gave them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
}

fn gate<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Gate>, D::Error> {
    unique(deserializer).map(Some)
}

fn asks<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Asks>, D::Error> {
    unique(deserializer).map(Some)
}

impl Record {
    /// Whether any run has a verdict.
    pub fn has_verdicts(&self) -> bool {
        self.runs.values().any(|run| run.key.is_some())
    }
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not the JSON of a record.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// A merge conflict's marker.
    #[error("holds a merge conflict's marker: resolve it, then run `factgate sync`")]
    Conflict {
        /// The marker's line, from 1.
        line: u32,
    },
    /// Made by a newer program.
    #[error("is of fingerprint scheme `{scheme}`, which this factgate does not know: use a newer one")]
    NewerScheme {
        /// The scheme that the record names.
        scheme: String,
        /// The line that names it, from 1.
        line: u32,
    },
}

impl RecordError {
    /// Where in the record: line and column, from 1.
    pub fn position(&self) -> (u32, u32) {
        match self {
            RecordError::Syntax { line, column, .. } => (*line, *column),
            RecordError::Conflict { line } | RecordError::NewerScheme { line, .. } => (*line, 1),
        }
    }
}
