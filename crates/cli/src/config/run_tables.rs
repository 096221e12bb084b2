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

/// One execution of the model checker with an expected outcome. Paths are relative to this file. Under `[defaults]` the
/// same keys, for the runs that do not say otherwise.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTable {
    /// The specification. Every run needs one, here or in `[defaults]`.
    pub spec: Option<At<String>>,
    /// A configuration of the model checker, whose lines come first.
    pub cfg: Option<At<String>>,
    /// Further folders where modules are looked for.
    pub library: Option<Vec<At<String>>>,
    /// The behaviour, as one formula; default: `Spec`.
    pub specification: Option<String>,
    /// The behaviour's initial predicate.
    pub init: Option<String>,
    /// The behaviour's next-state relation.
    pub next: Option<String>,
    /// Invariants to check.
    pub invariants: Option<Vec<String>>,
    /// Temporal properties to check.
    pub properties: Option<Vec<String>>,
    /// Invariants that are checked as well, and whose violation means that the model is wrong.
    pub type_invariants: Option<Vec<String>>,
    /// Constants over the facts.
    #[serde(default)]
    pub set: BTreeMap<String, At<ConstantValue>>,
    /// Constants whose strings are model values.
    pub model_values: Option<Vec<String>>,
    /// Faults planted for this run alone.
    pub edit: Option<Vec<EditTable>>,
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
    pub unused_actions: Option<Vec<String>>,
    /// The time limit; default: `10m`.
    pub timeout: Option<At<String>>,
    /// Threads of the model checker: a number, or `all`; default: 1.
    pub workers: Option<WorkersValue>,
    /// The model checker's memory: `512m`, `2g`.
    pub memory: Option<At<String>>,
    /// `auto`: one further run for each guard fact, with that fact FALSE; `none`: none, whatever `[defaults]` say.
    pub mutants: Option<MutantsKind>,
    /// What each of those runs must come to, by guard: `pass`, `violated NAME`, or a list of all that it breaks.
    #[serde(default)]
    pub mutant_outcomes: BTreeMap<String, OneOrMany<String>>,
}

/// Recorded runs of the real program that are held against a specification.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceTable {
    /// The specification; default: that of the run.
    pub spec: Option<At<String>>,
    /// The run whose cfg, constants and behaviour are taken, and whose invariants are checked along each trace.
    pub run: At<String>,
    /// Globs of the recorded runs, relative to this file. Each must name a file.
    #[schemars(length(min = 1))]
    pub files: Vec<At<String>>,
    /// What each must come to: `accepted` (default) or `rejected`.
    #[serde(default)]
    pub expect: TraceExpect,
    /// Actions that may happen between two lines without being recorded.
    #[serde(default)]
    pub silent: Vec<String>,
}

/// What a recorded run must come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceExpect {
    /// The specification allows it.
    #[default]
    Accepted,
    /// It does not.
    Rejected,
}

/// How mutants are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MutantsKind {
    /// One for each guard.
    Auto,
    /// None.
    None,
}

/// Threads of the model checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of threads, or `all`")]
pub enum WorkersValue {
    /// So many.
    Count(#[schemars(range(min = 1))] u32),
    /// As many as the machine has cores.
    All(AllWord),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AllWord {
    /// All.
    All,
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

/// The run's own list; without one that of `[defaults]`. An empty list takes away what `[defaults]` give.
fn list<T: Clone>(own: &Option<Vec<T>>, given: &Option<Vec<T>>) -> Option<Vec<T>> {
    own.clone().or_else(|| given.clone())
}

impl RunTable {
    /// The run with what `[defaults]` give where it says nothing itself. What belongs together is taken together.
    pub fn over(&self, defaults: &RunTable) -> RunTable {
        let own_behaviour = self.specification.is_some() || self.init.is_some() || self.next.is_some();
        let behaviour = if own_behaviour { self } else { defaults };
        let mut set = defaults.set.clone();
        set.extend(self.set.clone());
        let outcomes = if self.mutant_outcomes.is_empty() { defaults } else { self };
        let makes_none = self.mutants == Some(MutantsKind::None);
        RunTable {
            spec: self.spec.clone().or_else(|| defaults.spec.clone()),
            cfg: self.cfg.clone().or_else(|| defaults.cfg.clone()),
            library: list(&self.library, &defaults.library),
            specification: behaviour.specification.clone(),
            init: behaviour.init.clone(),
            next: behaviour.next.clone(),
            invariants: list(&self.invariants, &defaults.invariants),
            properties: list(&self.properties, &defaults.properties),
            type_invariants: list(&self.type_invariants, &defaults.type_invariants),
            set,
            model_values: list(&self.model_values, &defaults.model_values),
            edit: list(&self.edit, &defaults.edit),
            expect: self.expect.clone().or_else(|| defaults.expect.clone()),
            violates: self.violates.clone().or_else(|| defaults.violates.clone().filter(|_| self.expect.is_none())),
            actions: list(&self.actions, &defaults.actions),
            states: self.states.or(defaults.states),
            check_deadlock: self.check_deadlock.or(defaults.check_deadlock),
            unused_actions: list(&self.unused_actions, &defaults.unused_actions),
            timeout: self.timeout.clone().or_else(|| defaults.timeout.clone()),
            workers: self.workers.or(defaults.workers),
            memory: self.memory.clone().or_else(|| defaults.memory.clone()),
            mutants: self.mutants.or(defaults.mutants),
            mutant_outcomes: if makes_none { self.mutant_outcomes.clone() } else { outcomes.mutant_outcomes.clone() },
        }
    }

    /// Keys whose list is empty here.
    pub fn emptied(&self) -> Vec<&'static str> {
        let lists = [
            ("library", self.library.as_ref().map(Vec::is_empty)),
            ("invariants", self.invariants.as_ref().map(Vec::is_empty)),
            ("properties", self.properties.as_ref().map(Vec::is_empty)),
            ("type_invariants", self.type_invariants.as_ref().map(Vec::is_empty)),
            ("model_values", self.model_values.as_ref().map(Vec::is_empty)),
            ("edit", self.edit.as_ref().map(Vec::is_empty)),
            ("unused_actions", self.unused_actions.as_ref().map(Vec::is_empty)),
        ];
        lists.into_iter().filter(|(_, empty)| *empty == Some(true)).map(|(key, _)| key).collect()
    }
}
