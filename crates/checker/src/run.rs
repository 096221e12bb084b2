//! What a `[run.NAME]` table says, with every path resolved and every default filled in.

use crate::constant::Constant;
use crate::files::SpecPath;
use crate::outcome::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

/// A run's name: the NAME of `[run.NAME]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct RunName(String);

impl RunName {
    /// From its text.
    pub fn new(name: impl Into<String>) -> RunName {
        RunName(name.into())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

/// One execution of the model checker with an expected outcome. The key of the `[run.NAME]` table that fills each field
/// is named with it; start from [`RunSpec::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// NAME.
    pub name: RunName,
    /// `spec = "model/Retry.tla"` (required), resolved to the view's root.
    pub spec: SpecPath,
    /// `cfg = "model/base.cfg"`, resolved to the view's root.
    pub cfg: Option<SpecPath>,
    /// `library = ["common"]`: further folders where modules are looked for, resolved to the view's root.
    pub library: Vec<SpecPath>,
    /// `specification = "…"`, or `init` and `next`.
    pub behaviour: Behaviour,
    /// `invariants = […]`.
    pub invariants: Vec<String>,
    /// `properties = […]`.
    pub properties: Vec<String>,
    /// `type_invariants = […]`: checked as well, and a violation means that the model is wrong.
    pub types: Vec<String>,
    /// `set = { NAME = value }`: constants over the facts.
    pub set: BTreeMap<String, Constant>,
    /// `model_values = ["Terminal"]`: constants whose strings are model values.
    pub model_values: BTreeSet<String>,
    /// `edit = [{ file, find, replace }]`: planted faults.
    pub edits: Vec<Edit>,
    /// `expect` and `violates`.
    pub expect: Expectation,
    /// `actions = […]`: the counterexample's actions.
    pub actions: Option<Vec<String>>,
    /// `states = 12` or `{ min, max }`: distinct states of a passing run.
    pub states: Option<StateCount>,
    /// `check_deadlock = true | false`.
    pub deadlock: Deadlock,
    /// `unused_actions = […]`: actions of the specification that no passing run needs to take.
    pub unused_actions: BTreeSet<String>,
    /// `timeout = "10m"` (see [`parse_timeout`]).
    pub timeout: Duration,
    /// `workers = 1` or `"all"`: threads of the engine. More than one is taken only where it cannot change a verdict.
    pub workers: Workers,
    /// `memory = "2g"`: the engine's heap (see [`parse_memory`]); otherwise a fair share of the machine.
    pub memory_mb: Option<u64>,
    /// `mutants = "auto"` with `mutant_outcomes = { GUARD = "violated NAME" }`.
    pub mutants: Mutants,
    /// For a `[trace.NAME]`: the recorded runs that are held against this run's specification.
    pub trace: Option<TraceSet>,
    /// For a run that `mutants` made: which. All that is broken is looked for, not only what is found first.
    pub mutant: Option<Mutant>,
}

impl RunSpec {
    /// A run that is expected to pass, with every default.
    pub fn new(name: impl Into<String>, spec: SpecPath) -> RunSpec {
        RunSpec {
            name: RunName::new(name),
            spec,
            cfg: None,
            library: Vec::new(),
            behaviour: Behaviour::Unstated,
            invariants: Vec::new(),
            properties: Vec::new(),
            types: Vec::new(),
            set: BTreeMap::new(),
            model_values: BTreeSet::new(),
            edits: Vec::new(),
            expect: Expectation::Exactly(Outcome::Pass),
            actions: None,
            states: None,
            deadlock: Deadlock::Unstated,
            unused_actions: BTreeSet::new(),
            timeout: Duration::from_secs(600),
            workers: Workers::Count(1),
            memory_mb: None,
            mutants: Mutants::None,
            trace: None,
            mutant: None,
        }
    }
}

impl RunSpec {
    /// The expected actions, when any of them names its arguments.
    pub(crate) fn actions_with_arguments(&self) -> Option<&[String]> {
        self.actions.as_deref().filter(|actions| actions.iter().any(|action| action.contains('(')))
    }
}

/// Recorded runs of the real program: a `[trace.NAME]` table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceSet {
    /// `run = "current"`: the run that says how the specification is to be read, and what is checked along the traces.
    pub run: RunName,
    /// `files = ["traces/*.ndjson"]`, resolved.
    pub files: BTreeSet<SpecPath>,
    /// `silent = ["Tick"]`: actions that may happen between two lines without being recorded.
    pub silent: Vec<String>,
}

impl RunSpec {
    /// The traces of a `[trace.NAME]` table as a part of the matrix, named `trace.NAME`: this run's specification, constants
    /// and invariants, and an expectation of their own.
    pub fn traced(&self, name: &str, set: TraceSet, expect: Outcome) -> RunSpec {
        RunSpec {
            name: RunName::new(format!("{TRACE}{name}")),
            expect: Expectation::Exactly(expect),
            actions: None,
            states: None,
            mutants: Mutants::None,
            mutant: None,
            trace: Some(set),
            ..self.clone()
        }
    }
}

/// What the name of a set of traces begins with, in the matrix and in the record.
pub const TRACE: &str = "trace.";

/// Which behaviours are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    /// The cfg's; without a cfg `SPECIFICATION Spec`.
    #[default]
    Unstated,
    /// `specification`: a temporal formula's name.
    Specification(String),
    /// `init` and `next`: names of predicates.
    InitNext {
        /// The initial predicate.
        init: String,
        /// The next-state relation.
        next: String,
    },
}

impl Behaviour {
    /// From the three keys.
    pub fn new(spec: Option<String>, init: Option<String>, next: Option<String>) -> Result<Behaviour, RunError> {
        match (spec, init, next) {
            (None, None, None) => Ok(Behaviour::Unstated),
            (Some(name), None, None) => Ok(Behaviour::Specification(name)),
            (None, Some(init), Some(next)) => Ok(Behaviour::InitNext { init, next }),
            _ => Err(RunError("give either `specification`, or `init` and `next`".to_owned())),
        }
    }
}

/// How many threads the engine may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workers {
    /// So many.
    Count(u32),
    /// As many as the machine has cores.
    All,
}

impl Workers {
    /// The number on this machine.
    pub(crate) fn count(self) -> u32 {
        match self {
            Workers::Count(count) => count.max(1),
            Workers::All => {
                std::thread::available_parallelism().ok().and_then(|cores| u32::try_from(cores.get()).ok()).unwrap_or(1)
            }
        }
    }
}

/// Whether a state without a successor counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deadlock {
    /// The cfg's `CHECK_DEADLOCK`; without one it counts.
    #[default]
    Unstated,
    /// It counts.
    Checked,
    /// It does not.
    Ignored,
}

/// A fault planted for one run: text that must stand exactly once in the file, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, resolved to the view's root: the specification, a module that it reaches, or the run's cfg.
    pub file: SpecPath,
    /// The text.
    pub find: String,
    /// What is put there.
    pub replace: String,
}

/// What a run must come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// This and nothing else.
    Exactly(Outcome),
    /// For a mutant: all of these, each once everything that was found before it is no longer asked for.
    Together(BTreeSet<Outcome>),
    /// A violation of any of the invariants and properties that the run names (of the cfg's, when it names none).
    Violated,
    /// Nothing was said (a mutant that was made by `mutants = "auto"`): no outcome is right until one is.
    Unstated,
}

impl Expectation {
    /// From the keys `expect` (default: pass) and `violates`. `expect` takes `pass`, `violated`, `violated NAME`,
    /// `deadlock`, `assumption` and `vacuous`; `violates` goes with a violation only.
    pub fn new(expect: Option<&str>, violates: Option<&str>) -> Result<Expectation, RunError> {
        match (expect.unwrap_or("pass"), violates) {
            ("violated", None) => Ok(Expectation::Violated),
            ("violated", Some(name)) => Ok(Expectation::Exactly(Outcome::Violated(name.to_owned()))),
            (other, Some(_)) => Err(RunError(format!("`violates` needs `expect = \"violated\"`, not `{other}`"))),
            (text, None) => match Outcome::parse(text) {
                Some(outcome) if outcome.is_verdict() && !outcome.is_of_trace() => Ok(Expectation::Exactly(outcome)),
                _ => Err(RunError(format!(
                    "`{text}` cannot be expected: use pass, violated, deadlock, assumption or vacuous"
                ))),
            },
        }
    }
}

impl Expectation {
    /// What a mutant must come to: `pass`, or all that it breaks.
    pub fn of_mutant(outcomes: &[&str]) -> Result<Expectation, RunError> {
        let exactly = |text: &&str| match Expectation::new(Some(text), None)? {
            Expectation::Exactly(outcome) => Ok(outcome),
            other => Err(RunError(format!("`{other}` of a mutant says too little: write `violated NAME`"))),
        };
        let mut all = outcomes.iter().map(exactly).collect::<Result<BTreeSet<_>, _>>()?;
        match (all.len(), all.pop_first()) {
            (1, Some(only)) => Ok(Expectation::Exactly(only)),
            (_, Some(Outcome::Pass)) => Err(RunError("a mutant that is to pass breaks nothing else".to_owned())),
            (_, Some(first)) => Ok(Expectation::Together(all.into_iter().chain([first]).collect())),
            _ => Err(RunError("an empty list expects nothing".to_owned())),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Exactly(outcome) => outcome.fmt(out),
            Expectation::Together(all) => {
                out.write_str(&all.iter().map(Outcome::to_string).collect::<Vec<_>>().join(", "))
            }
            Expectation::Violated => out.write_str("violated"),
            Expectation::Unstated => out.write_str("unstated"),
        }
    }
}

/// How many distinct states a passing run must have; both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateCount {
    /// At least.
    pub min: Option<u64>,
    /// At most.
    pub max: Option<u64>,
}

impl StateCount {
    /// Exactly this many.
    pub fn exactly(count: u64) -> StateCount {
        StateCount { min: Some(count), max: Some(count) }
    }

    /// Whether a count is within.
    pub fn holds(&self, count: u64) -> bool {
        self.min.is_none_or(|min| count >= min) && self.max.is_none_or(|max| count <= max)
    }
}

impl fmt::Display for StateCount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => write!(out, "{min}"),
            (Some(min), Some(max)) => write!(out, "{min} to {max}"),
            (Some(min), None) => write!(out, "at least {min}"),
            (None, Some(max)) => write!(out, "at most {max}"),
            (None, None) => out.write_str("any number"),
        }
    }
}

/// Whether further runs are made from this one, each with one guard fact FALSE.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mutants {
    /// None.
    #[default]
    None,
    /// One for each guard fact that is TRUE and that the specification declares as a constant, named
    /// `RUN.mutant-GUARD`; what each is expected to come to, by guard (`mutant_outcomes`).
    Auto(BTreeMap<String, Expectation>),
}

/// What a run that `mutants = "auto"` made is without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Mutant {
    /// The run that it is made from.
    pub of: RunName,
    /// The guard that is FALSE in it.
    pub guard: String,
}

/// A key of a run's table that says nothing sensible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RunError(pub String);

/// A time limit: `90s`, `10m`, `2h`, `1h30m`.
pub fn parse_timeout(text: &str) -> Result<Duration, RunError> {
    let wrong = || RunError(format!("`{text}` is no time limit: write it as `90s`, `10m` or `1h30m`"));
    let mut seconds: u64 = 0;
    let mut digits = String::new();
    for letter in text.trim().chars() {
        let unit = match letter {
            '0'..='9' => {
                digits.push(letter);
                continue;
            }
            's' => 1,
            'm' => 60,
            'h' => 3600,
            _ => return Err(wrong()),
        };
        let count: u64 = digits.parse().map_err(|_| wrong())?;
        digits.clear();
        seconds = count.checked_mul(unit).and_then(|more| seconds.checked_add(more)).ok_or_else(wrong)?;
    }
    if seconds == 0 || !digits.is_empty() { Err(wrong()) } else { Ok(Duration::from_secs(seconds)) }
}

/// An amount of memory in MiB: `512m`, `2g`.
pub fn parse_memory(text: &str) -> Result<u64, RunError> {
    let wrong = || RunError(format!("`{text}` is no amount of memory: write it as `512m` or `2g`"));
    let text = text.trim().to_ascii_lowercase();
    let (digits, unit) = match text.strip_suffix('g') {
        Some(digits) => (digits, 1024),
        None => (text.strip_suffix('m').ok_or_else(wrong)?, 1),
    };
    let count: u64 = digits.parse().map_err(|_| wrong())?;
    count.checked_mul(unit).filter(|mb| *mb >= 16).ok_or_else(wrong)
}
