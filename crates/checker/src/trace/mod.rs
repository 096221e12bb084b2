//! Checks a recorded run of the real program against a specification.
//!
//! A generated data module holds the recorded lines; a generated wrapper walks the specification with a cursor over
//! them. The run is accepted when the cursor can reach the last line, which the engine reports as the violation of the
//! wrapper's own invariant. Lines may leave out the action and any variable: what is left out is free.

mod data;
pub(crate) mod set;
mod shown;
pub(crate) mod value;
mod wrapper;

use crate::cfg::{Assignment, Cfg};
use crate::command::{self, Coverage, FOLDERS, Setup, Size};
use crate::counterexample::{Counterexample, Ending, State};
use crate::engine::Engine;
use crate::execute::Means;
use crate::modules::PlanError;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::plan::{Planned, Prepared};
use crate::process;
use crate::run::{Deadlock, RunSpec};
use crate::verdict::{Finding, finding, verdict};
use data::Line;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::time::Instant;

/// What became of a recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceVerdict {
    /// The specification allows all of it.
    Accepted(Accepted),
    /// It does not.
    Rejected(Rejection),
    /// It does, and an invariant breaks on the way.
    Broken(Broken),
}

/// A recorded run that the specification allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// How many steps it has after the initial state.
    pub steps: usize,
    /// How often it took each action of the specification, as far as that can be told; 0 of those that it did not take.
    pub taken: BTreeMap<String, u64>,
}

/// A recorded run that the specification allows, and that breaks an invariant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The invariant.
    pub invariant: String,
    /// The step behind which it is broken: 0 is the initial state.
    pub step: usize,
    /// The state that breaks it.
    pub state: Vec<(String, String)>,
}

/// How much is told of a recorded run that is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The step alone.
    Step,
    /// The state before it, and what is allowed there.
    Why,
}

/// Whether the run's invariants are checked along a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// They are.
    Invariants,
    /// The behaviour alone is.
    Behaviour,
}

/// Where a recorded run leaves the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// The step that is not allowed: 0 is the initial state, N the step from line N to line N + 1.
    pub step: usize,
    /// The state before it, as the specification has it; empty when the initial state is refused.
    pub before: Vec<(String, String)>,
    /// What the specification would have allowed instead: an action and the variables that it changes.
    pub allowed: Vec<Allowed>,
}

/// A step that a specification allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Allowed {
    /// The action.
    pub action: String,
    /// What it changes.
    pub changes: Vec<(String, String)>,
}

/// Why a recorded run could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A line that is no step.
    #[error("line {line} of the trace: {why}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A first line that names a step.
    #[error("the first line is the initial state, before any step: `{0}` would go unchecked there")]
    First(String),
    /// There is no line.
    #[error("the trace is empty: its first line is the initial state")]
    Empty,
    /// The specification cannot be run.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The specification's behaviour cannot be told.
    #[error("`{0}` has not the form `Init /\\ [][Next]_vars`: name the predicates with `init` and `next`")]
    Behaviour(String),
    /// An action that the specification does not have.
    #[error(
        "the action `{0}` is not one of the specification: `action` names a definition that its next-state relation reaches"
    )]
    Action(String),
    /// An action whose arguments cannot be bound.
    #[error(
        "the arguments of the action `{0}` cannot be told: the next-state relation has to apply it to constants, or to \
         what `\\E … \\in … :` binds around it. Leave `action` out of these lines, so that the state alone decides"
    )]
    Arguments(String),
    /// An action that is written in a way that means nothing.
    #[error("the action `{0}`: {1}")]
    Written(String, String),
    /// The engine came to no verdict.
    #[error("{0}")]
    Engine(String),
    /// The time limit.
    #[error("no verdict within {0} s")]
    Timeout(u64),
    /// Files.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The engine's words with the step at which it could not go on.
fn located(words: &str, printed: &[String]) -> String {
    let reached = printed.iter().filter_map(|line| wrapper::cursor(line)).max();
    let place = match reached {
        Some(step) => format!("step {step} of the trace could not be evaluated"),
        None => "the first line of the trace could not be evaluated".to_owned(),
    };
    let kinds = ["Attempted to", "fingerprint"].iter().any(|word| words.contains(word));
    let hint = if kinds {
        ". Is a value of another kind than the specification's? Arrays are sequences, `{\"set\": […]}` is a set, \
         `{\"fun\": [[k, v], …]}` a function"
    } else {
        ""
    };
    format!("{place}{hint}: {words}")
}

/// One check in a scratch folder.
struct Check<'a> {
    means: &'a Means<'a>,
    scratch: &'a Path,
    deadline: Instant,
    memory_mb: u64,
    prepared: &'a Prepared,
    models: &'a BTreeSet<String>,
    told: Told,
}

/// What one execution said.
struct Said {
    outcome: Outcome,
    states: Vec<State>,
    printed: Vec<String>,
}

/// Checks the lines of a trace (`.ndjson`) against a run's specification, with the run's constants. Actions named in
/// `silent` may happen between two lines without being recorded.
pub fn check_trace(
    engine: &Engine,
    planned: &Planned,
    trace: &str,
    silent: &[String],
    checked: Checked,
) -> Result<TraceVerdict, TraceError> {
    let prepared = planned.prepared.as_ref().map_err(Clone::clone)?;
    recorded(
        &Means { engine, archive: None, memory_mb: 2048 },
        &planned.spec,
        prepared,
        trace,
        silent,
        (checked, Told::Why),
    )
}

/// The same for a run that is being carried out.
pub(crate) fn recorded(
    means: &Means<'_>,
    spec: &RunSpec,
    prepared: &Prepared,
    trace: &str,
    silent: &[String],
    (checked, told): (Checked, Told),
) -> Result<TraceVerdict, TraceError> {
    let lines = data::read(trace, &prepared.variables, &prepared.cfg.model_values())?;
    let bare = Prepared { cfg: Cfg { invariants: Vec::new(), ..prepared.cfg.clone() }, ..prepared.clone() };
    let prepared = if checked == Checked::Invariants { prepared } else { &bare };
    check_lines(means, spec, prepared, &lines, (silent, told))
}

/// Walks a counterexample along these actions, one for each step after the initial state.
pub(crate) fn walk(
    means: &Means<'_>,
    spec: &RunSpec,
    prepared: &Prepared,
    counterexample: &Counterexample,
    actions: &[String],
) -> Result<TraceVerdict, TraceError> {
    let models = prepared.cfg.model_values();
    let mut states: Vec<BTreeMap<String, String>> = Vec::new();
    for step in &counterexample.steps {
        let mut state = states.last().cloned().unwrap_or_default();
        for (name, value) in step.changes.iter().filter(|(name, _)| prepared.variables.contains(name)) {
            let value = value::module_text(value, &models).map_err(|why| TraceError::Written(name.clone(), why))?;
            state.insert(name.clone(), value);
        }
        states.push(state);
    }
    if let Ending::Loop { back_to, .. } = &counterexample.ending {
        states.extend(states.get(*back_to).cloned());
    }
    let action = |at: usize| at.checked_sub(1).and_then(|at| actions.get(at)).cloned();
    let lines: Vec<Line> =
        states.into_iter().enumerate().map(|(at, state)| Line { action: action(at), state }).collect();
    let bare = Prepared { cfg: Cfg { invariants: Vec::new(), ..prepared.cfg.clone() }, ..prepared.clone() };
    check_lines(means, spec, &bare, &lines, (&[], Told::Why))
}

fn check_lines(
    means: &Means<'_>,
    spec: &RunSpec,
    prepared: &Prepared,
    lines: &[Line],
    (silent, told): (&[String], Told),
) -> Result<TraceVerdict, TraceError> {
    let models = prepared.cfg.model_values();
    let wrapper = wrapper::Wrapper::new(prepared, lines, silent)?;
    let scratch = tempfile::Builder::new().prefix("factgate-trace-").tempdir()?;
    let folder = scratch.path().canonicalize()?;
    for name in FOLDERS {
        std::fs::create_dir_all(folder.join(name))?;
    }
    for (name, text) in &prepared.modules {
        std::fs::write(folder.join(format!("{name}.tla")), text)?;
    }
    std::fs::write(folder.join(format!("{}.tla", data::MODULE)), data::module(lines, &models))?;
    let check = Check {
        means,
        scratch: &folder,
        deadline: Instant::now() + spec.timeout,
        memory_mb: spec.memory_mb.unwrap_or(means.memory_mb),
        prepared,
        models: &models,
        told,
    };
    check.run(&wrapper, lines.len()).map_err(|error| match error {
        TraceError::Timeout(_) => TraceError::Timeout(spec.timeout.as_secs()),
        other => other,
    })
}

impl Check<'_> {
    fn run(&self, wrapper: &wrapper::Wrapper, lines: usize) -> Result<TraceVerdict, TraceError> {
        let whole = wrapper.text(lines, wrapper::Free::No);
        let said = self.once(&whole, wrapper::UNFINISHED)?;
        if said.outcome == Outcome::Violated(wrapper::UNFINISHED.to_owned()) {
            return self.along(&whole, wrapper, &said, lines);
        }
        let reached = said.printed.iter().filter_map(|line| wrapper::cursor(line)).max().unwrap_or(0);
        if reached == 0 {
            return Ok(TraceVerdict::Rejected(Rejection::default()));
        }
        if self.told == Told::Step {
            return Ok(TraceVerdict::Rejected(Rejection { step: reached, ..Rejection::default() }));
        }
        // The state before: the invariant is violated as soon as the cursor stands where it was last seen.
        let before = self.once(&wrapper.text(reached, wrapper::Free::No), wrapper::UNFINISHED)?.states;
        let free = self.once(&wrapper.text(reached, wrapper::Free::Step), wrapper::UNFINISHED)?;
        let before = before.last().map(specified).unwrap_or_default();
        Ok(TraceVerdict::Rejected(Rejection { step: reached, before, allowed: wrapper::allowed(&free.printed) }))
    }

    /// Of a run that the specification allows: which actions it took, and whether the invariants hold in every way in
    /// which the specification allows it.
    fn along(
        &self,
        whole: &str,
        wrapper: &wrapper::Wrapper,
        said: &Said,
        lines: usize,
    ) -> Result<TraceVerdict, TraceError> {
        if !self.prepared.cfg.invariants.is_empty() {
            let said = self.once(whole, wrapper::KEPT)?;
            if said.outcome != Outcome::Pass {
                return Ok(TraceVerdict::Broken(broken(&said.states)));
            }
        }
        let mut taken: BTreeMap<String, u64> = wrapper.names().into_iter().map(|name| (name, 0)).collect();
        for state in &said.states {
            if let Some(name) = own(state, wrapper::TAKEN).filter(|name| !name.is_empty()) {
                // `Inc` may stand for `I!Inc`.
                let known = taken.keys().find(|known| **known == name);
                let known = known.or_else(|| taken.keys().find(|known| known.ends_with(&format!("!{name}"))));
                *taken.entry(known.cloned().unwrap_or(name)).or_default() += 1;
            }
        }
        Ok(TraceVerdict::Accepted(Accepted { steps: lines - 1, taken }))
    }

    fn once(&self, module: &str, asked: &str) -> Result<Said, TraceError> {
        std::fs::write(self.scratch.join(format!("{}.tla", wrapper::MODULE)), module)?;
        let mut cfg = Cfg { constants: self.prepared.cfg.constants.clone(), ..Cfg::default() };
        cfg.behaviour =
            vec![("INIT".to_owned(), wrapper::INIT.to_owned()), ("NEXT".to_owned(), wrapper::NEXT.to_owned())];
        cfg.invariants = vec![wrapper::SEEN.to_owned(), asked.to_owned()];
        for model in self.models {
            let rest = format!("= {model}");
            cfg.constants.push(Assignment { name: data::model_name(model), rest, model_values: BTreeSet::new() });
        }
        let file = format!("{}.cfg", wrapper::MODULE);
        std::fs::write(self.scratch.join(&file), cfg.render(&[]))?;
        let setup = Setup {
            engine: self.means.engine,
            archive: self.means.archive,
            scratch: self.scratch,
            root: wrapper::MODULE,
            deadlock: Deadlock::Ignored,
            workers: 1,
            memory_mb: self.memory_mb,
            size: Size::Small,
            coverage: Coverage::Left,
        };
        // The engine names its own folder in there by the time, and refuses one that another execution left.
        let states = self.scratch.join(command::FOLDERS[0]);
        std::fs::remove_dir_all(&states)?;
        std::fs::create_dir(&states)?;
        let mut output = Output::default();
        let mut printed = Vec::new();
        let arguments = command::arguments(&setup, &file);
        let ended = process::run(&self.means.engine.java, &arguments, self.scratch, self.deadline, |line| {
            output.line(line);
            printed.push(line.trim_end().to_owned());
        })?;
        let outcome = match finding(ended, &output, &cfg.invariants, &[]) {
            Finding::Known(Outcome::Timeout) => return Err(TraceError::Timeout(0)),
            Finding::Known(Outcome::Error) | Finding::Unnamed => {
                let scratch = format!("{}/", self.scratch.display());
                let verdict = verdict(Outcome::Error, ended, &output, &scratch);
                return Err(TraceError::Engine(located(&verdict.detail.unwrap_or_default(), &printed)));
            }
            Finding::Known(outcome) => outcome,
        };
        Ok(Said { outcome, states: output.states().to_vec(), printed })
    }
}

/// The specification's variables in a state.
fn specified(state: &State) -> Vec<(String, String)> {
    state.variables.iter().filter(|(name, _)| !wrapper::OWN.contains(&name.as_str())).cloned().collect()
}

/// One of the wrapper's own variables, without quotes.
fn own(state: &State, wanted: &str) -> Option<String> {
    let (_, value) = state.variables.iter().find(|(name, _)| name == wanted)?;
    Some(value.trim_matches('"').to_owned())
}

/// Where the first invariant breaks in a behaviour.
fn broken(states: &[State]) -> Broken {
    let name = |state: &State| own(state, wrapper::BROKEN).filter(|name| !name.is_empty());
    let Some((state, invariant)) = states.iter().find_map(|state| Some((state, name(state)?))) else {
        return Broken::default();
    };
    let cursor = own(state, wrapper::CURSOR).and_then(|text| text.parse::<usize>().ok()).unwrap_or(1);
    Broken { invariant, step: cursor.saturating_sub(1), state: specified(state) }
}
