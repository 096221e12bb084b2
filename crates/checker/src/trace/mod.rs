//! Checks a recorded run of the real program against a specification.
//!
//! A generated data module holds the recorded lines; a generated wrapper walks the specification with a cursor over
//! them. The run is accepted when the cursor can reach the last line, which the engine reports as the violation of the
//! wrapper's own invariant. Lines may leave out the action and any variable: what is left out is free.

mod data;
pub(crate) mod value;
mod wrapper;

use crate::cfg::{Assignment, Cfg};
use crate::command::{self, Coverage, FOLDERS, Setup, Size};
use crate::counterexample::{Counterexample, Ending, State};
use crate::engine::Engine;
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
    /// The specification allows all of it; how many steps it has after the initial state.
    Accepted(usize),
    /// It does not.
    Rejected(Rejection),
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
    engine: &'a Engine,
    scratch: &'a Path,
    deadline: Instant,
    memory_mb: u64,
    prepared: &'a Prepared,
    models: &'a BTreeSet<String>,
}

/// What one execution said.
struct Said {
    outcome: Outcome,
    last: Vec<(String, String)>,
    printed: Vec<String>,
}

/// Checks the lines of a trace (`.ndjson`) against a run's specification, with the run's constants. Actions named in
/// `silent` may happen between two lines without being recorded.
pub fn check_trace(
    engine: &Engine,
    planned: &Planned,
    trace: &str,
    silent: &[String],
) -> Result<TraceVerdict, TraceError> {
    let prepared = planned.prepared.as_ref().map_err(Clone::clone)?;
    let lines = data::read(trace, &prepared.variables, &prepared.cfg.model_values())?;
    check_lines(engine, &planned.spec, prepared, &lines, silent)
}

/// Walks a counterexample along these actions, one for each step after the initial state.
pub(crate) fn walk(
    engine: &Engine,
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
    check_lines(engine, spec, prepared, &lines, &[])
}

fn check_lines(
    engine: &Engine,
    spec: &RunSpec,
    prepared: &Prepared,
    lines: &[Line],
    silent: &[String],
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
        engine,
        scratch: &folder,
        deadline: Instant::now() + spec.timeout,
        memory_mb: spec.memory_mb.unwrap_or(2048),
        prepared,
        models: &models,
    };
    check.run(&wrapper, lines.len()).map_err(|error| match error {
        TraceError::Timeout(_) => TraceError::Timeout(spec.timeout.as_secs()),
        other => other,
    })
}

impl Check<'_> {
    fn run(&self, wrapper: &wrapper::Wrapper, lines: usize) -> Result<TraceVerdict, TraceError> {
        let said = self.once(&wrapper.text(lines, wrapper::Free::No))?;
        if said.outcome == Outcome::Violated(wrapper::UNFINISHED.to_owned()) {
            return Ok(TraceVerdict::Accepted(lines - 1));
        }
        let reached = said.printed.iter().filter_map(|line| wrapper::cursor(line)).max().unwrap_or(0);
        if reached == 0 {
            return Ok(TraceVerdict::Rejected(Rejection::default()));
        }
        // The state before: the invariant is violated as soon as the cursor stands where it was last seen.
        let before = self.once(&wrapper.text(reached, wrapper::Free::No))?.last;
        let allowed = wrapper::allowed(&self.once(&wrapper.text(reached, wrapper::Free::Step))?.printed);
        let before = before.into_iter().filter(|(name, _)| name != wrapper::CURSOR).collect();
        Ok(TraceVerdict::Rejected(Rejection { step: reached, before, allowed }))
    }

    fn once(&self, module: &str) -> Result<Said, TraceError> {
        std::fs::write(self.scratch.join(format!("{}.tla", wrapper::MODULE)), module)?;
        let mut cfg = Cfg { constants: self.prepared.cfg.constants.clone(), ..Cfg::default() };
        cfg.behaviour =
            vec![("INIT".to_owned(), wrapper::INIT.to_owned()), ("NEXT".to_owned(), wrapper::NEXT.to_owned())];
        cfg.invariants = vec![wrapper::SEEN.to_owned(), wrapper::UNFINISHED.to_owned()];
        for model in self.models {
            let rest = format!("= {model}");
            cfg.constants.push(Assignment { name: data::model_name(model), rest, model_values: BTreeSet::new() });
        }
        let file = format!("{}.cfg", wrapper::MODULE);
        std::fs::write(self.scratch.join(&file), cfg.render(&[]))?;
        let setup = Setup {
            engine: self.engine,
            archive: None,
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
        let ended = process::run(&self.engine.java, &arguments, self.scratch, self.deadline, |line| {
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
        let last = output.last_state().map(|State { variables, .. }| variables.clone()).unwrap_or_default();
        Ok(Said { outcome, last, printed })
    }
}
