//! The tables `[engine]` and `[run.NAME]`, as they are written.

use crate::config::spanned::{At, OneOrMany};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The model checker.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineTable {
    /// Which one: `tlc`.
    pub kind: At<EngineKind>,
    /// Its jar, relative to this file; otherwise `$TLA2TOOLS_JAR`.
    pub jar: Option<At<String>>,
    /// The jar's SHA-256, 64 hexadecimal digits: any other jar is refused.
    pub sha256: Option<At<String>>,
}

/// Known model checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// TLC, the checker of TLA+.
    Tlc,
}

/// One execution of the model checker with an expected outcome. Paths are relative to this file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTable {
    /// The specification.
    pub spec: At<String>,
    /// A configuration of the model checker, whose lines come first.
    pub cfg: Option<At<String>>,
    /// Further folders where modules are looked for.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub library: Vec<At<String>>,
    /// The behaviour, as one formula; default: `Spec`.
    pub specification: Option<String>,
    /// The behaviour's initial predicate.
    pub init: Option<String>,
    /// The behaviour's next-state relation.
    pub next: Option<String>,
    /// Invariants to check.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub invariants: Vec<String>,
    /// Temporal properties to check.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub properties: Vec<String>,
    /// Constants over the facts.
    #[serde(default)]
    pub set: BTreeMap<String, At<ConstantValue>>,
    /// Constants whose strings are model values.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub model_values: Vec<String>,
    /// Faults planted for this run alone.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub edit: Vec<EditTable>,
    /// The expected outcome: `pass` (default), `violated`, `violated NAME`, `deadlock`, `assumption` or `vacuous`.
    pub expect: Option<String>,
    /// Which invariant or property is violated.
    pub violates: Option<String>,
    /// The counterexample's actions, from the first step on.
    pub actions: Option<Vec<String>>,
    /// Distinct states of a passing run: a number, or `{ min, max }`.
    pub states: Option<States>,
    /// Whether a state without a successor is an error; default: as in the model checker.
    pub check_deadlock: Option<bool>,
    /// Actions of the specification that no passing run needs to take.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub unused_actions: Vec<String>,
    /// The time limit; default: `10m`.
    pub timeout: Option<At<String>>,
    /// Threads of the model checker; default: 1.
    #[schemars(range(min = 1))]
    pub workers: Option<u32>,
    /// The model checker's memory: `512m`, `2g`.
    pub memory: Option<At<String>>,
    /// `auto`: one further run for each guard fact, with that fact FALSE.
    pub mutants: Option<MutantsKind>,
    /// What each of those runs must come to, by guard: `pass`, `violated NAME`, or a list of all that it breaks.
    #[serde(default)]
    pub mutant_outcomes: BTreeMap<String, OneOrMany<String>>,
}

/// How mutants are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MutantsKind {
    /// One for each guard.
    Auto,
}

/// A fault: text that stands exactly once in the file, and what is put there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditTable {
    /// The file, relative to this one: the specification, a module that it reaches, or the run's cfg.
    pub file: At<String>,
    /// The text.
    pub find: String,
    /// What is put there.
    pub replace: String,
}

/// Distinct states of a passing run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of states, or a table with `min` and `max`")]
pub enum States {
    /// Exactly so many.
    Exactly(u64),
    /// Both ends included.
    Range(StatesRange),
}

/// Bounds of a number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatesRange {
    /// At least.
    pub min: Option<u64>,
    /// At most.
    pub max: Option<u64>,
}

/// A constant's value: a boolean, an integer, a text, a list (a set), `{ model = "m1" }` or `{ tla = "1..3" }`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a boolean, an integer, a text, a list, `{ model = … }` or `{ tla = … }`")]
pub enum ConstantValue {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A text.
    Text(String),
    /// A set.
    Set(Vec<ConstantValue>),
    /// A model value.
    Model(ModelValue),
    /// A TLA+ expression.
    Tla(TlaText),
}

/// A model value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelValue {
    /// Its name.
    pub model: String,
}

/// A TLA+ expression, as written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TlaText {
    /// The expression.
    pub tla: String,
}
