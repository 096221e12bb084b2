//! Facts: what was read from the code, with the reason and the evidence.

use crate::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A named value that was read from the code.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What kind of fact.
    pub kind: FactKind,
    /// Its value; `None` is unknown.
    pub value: Option<FactValue>,
    /// Why it is FALSE or unknown: a stable code.
    pub reason: Option<Reason>,
    /// The reason in words, with places.
    pub detail: Option<String>,
    /// The places that show it.
    pub evidence: Vec<Evidence>,
}

/// Kinds of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// A boolean: decided on every path.
    Guard,
    /// A set of names or values.
    Set,
    /// One constant.
    Value,
}

/// A fact's value, as JSON shows it: `true`, `5000`, `"idle"`, `["exited", "failed"]` (sorted).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FactValue {
    /// A guard's truth, or a boolean constant.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A number that is no integer.
    Float(f64),
    /// Text.
    Text(String),
    /// A set's elements, sorted, each once.
    Set(Vec<FactValue>),
}

coded! {
    /// Stable codes for FALSE and unknown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reason {
        /// The effect matches nothing.
        NoEffect = "no-effect",
        /// A path reaches the effect without the check.
        Unguarded = "unguarded",
        /// The check is there, with the other outcome.
        WrongOutcome = "wrong-outcome",
        /// The check stands after the effect.
        Late = "late",
        /// Something the condition mentions is assigned between the check and the effect.
        Reassigned = "reassigned",
        /// The `without` node lies between.
        Interrupted = "interrupted",
        /// A path reaches the effect without passing the `after` node.
        NotPassed = "not-passed",
        /// A path from the effect leaves without the `then` node.
        NotFollowed = "not-followed",
        /// A `never` node is there.
        Present = "present",
        /// A `has` node is not there.
        Absent = "absent",
        /// The check is older than the last `since` node.
        StaleCheck = "stale-check",
        /// The scope is missing (unknown).
        NoScope = "no-scope",
        /// The scope does not parse (unknown).
        ParseError = "parse-error",
        /// Not a compile-time literal (unknown).
        NotLiteral = "not-literal",
    }
}

/// A place that shows a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// What the place is for the fact.
    pub role: Role,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// The end of it: line and column, from 1, the column one past the last character.
    pub end_line: u32,
    /// See `end_line`.
    pub end_column: u32,
    /// The source there (its first line, shortened where it is long).
    pub text: String,
}

/// What a piece of evidence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The scope that was read.
    Scope,
    /// The protected node.
    Effect,
    /// A check that makes the condition known.
    Check,
    /// The node of `after`, `then`, `since` or `has`.
    Passed,
    /// What breaks the guard: an assignment, the `without` node, the `never` node, the way around.
    Breach,
    /// A condition that came close.
    NearMiss,
    /// The table, enum or constant of a set or value.
    Source,
}

/// A place in a file: line and column from 1, the column in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file, from the repository's root.
    pub file: RepoPath,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl FactKind {
    /// The stable word: `guard`, `set`, `value`.
    pub fn word(self) -> &'static str {
        match self {
            FactKind::Guard => "guard",
            FactKind::Set => "set",
            FactKind::Value => "value",
        }
    }
}

/// As people read it and as TLA+ spells it: `TRUE`, `5000`, `"idle"`, `{"exited", "failed"}`.
impl fmt::Display for FactValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactValue::Bool(true) => out.write_str("TRUE"),
            FactValue::Bool(false) => out.write_str("FALSE"),
            FactValue::Integer(number) => write!(out, "{number}"),
            FactValue::Float(number) => write!(out, "{number}"),
            FactValue::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                write!(out, "\"{}\"", escaped.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r"))
            }
            FactValue::Set(elements) => {
                let words: Vec<String> = elements.iter().map(ToString::to_string).collect();
                write!(out, "{{{}}}", words.join(", "))
            }
        }
    }
}
