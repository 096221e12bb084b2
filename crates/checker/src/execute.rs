//! Carries out one run: lays its modules into a scratch folder of its own, runs the engine as often as the run's
//! strategy needs, and gives the verdict.

use crate::command::{self, Coverage, FOLDERS, Setup, Size};
use crate::engine::Engine;
use crate::judge::names;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::plan::{Prepared, Strategy, Survey};
use crate::probes::{self, Probe};
use crate::process::{self, Ended};
use crate::run::Deadlock;
use crate::run::{Expectation, RunSpec};
use crate::trace::{self, Rejection, TraceVerdict};
use crate::verdict::{Finding, Verdict, finding, verdict};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a run is carried out with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) archive: Option<&'a Path>,
    pub(crate) memory_mb: u64,
}

/// How long the rest of what a mutant breaks is looked for at least: behind a violation the states may have no end.
const LEAST_SURVEY: Duration = Duration::from_secs(60);

/// One run being carried out.
#[derive(Clone, Copy)]
struct Execution<'a> {
    means: Means<'a>,
    spec: &'a RunSpec,
    prepared: &'a Prepared,
    scratch: &'a Path,
    deadline: Instant,
    probes: &'a [Probe],
    progress: &'a dyn Fn(u64),
}

/// Carries out one run in an empty folder; `progress` hears the states found so far.
pub(crate) fn execute(
    means: Means<'_>,
    spec: &RunSpec,
    prepared: &Prepared,
    scratch: &Path,
    progress: &dyn Fn(u64),
) -> io::Result<Verdict> {
    let begun = Instant::now();
    if let Some(set) = &spec.trace {
        let verdict = trace::set::check(&means, spec, prepared, set)?;
        return Ok(Verdict { seconds: Some(begun.elapsed().as_millis() as f64 / 1000.0), ..verdict });
    }
    let deadline = Instant::now() + spec.timeout;
    let execution = Execution { means, spec, prepared, scratch, deadline, probes: &[], progress };
    let mut verdict = match prepared.probed().filter(|_| passes(spec)) {
        Some((with, probes)) => {
            let asked = Execution { prepared: &with, probes: &probes, ..execution }.laid()?;
            // What the engine cannot ask of a state is no fault of the run.
            if asked.outcome == Outcome::Error { execution.laid()? } else { asked }
        }
        None => execution.laid()?,
    };
    if prepared.survey != Survey::First {
        let enough = Instant::now() + LEAST_SURVEY.max(begun.elapsed() * 10);
        Execution { deadline: deadline.min(enough), ..execution }.survey(&mut verdict)?;
    }
    verdict.strayed = execution.strayed(&verdict);
    verdict.seconds = Some(begun.elapsed().as_millis() as f64 / 1000.0);
    if verdict.outcome == Outcome::Timeout {
        verdict.detail = Some(format!("no verdict within {} s", spec.timeout.as_secs()));
    }
    Ok(verdict)
}

/// Writes the modules, and the folders that the engine wants.
fn lay(prepared: &Prepared, scratch: &Path) -> io::Result<()> {
    for folder in FOLDERS {
        std::fs::create_dir_all(scratch.join(folder))?;
    }
    for (name, text) in &prepared.modules {
        std::fs::write(scratch.join(format!("{name}.tla")), text)?;
    }
    Ok(())
}

/// Whether a run says how often actions are taken: one that passes with the model as it is.
fn passes(spec: &RunSpec) -> bool {
    spec.mutant.is_none() && spec.expect == Expectation::Exactly(Outcome::Pass)
}

/// A value's text without white space: the engine breaks long ones over lines.
fn flat(value: &str) -> String {
    value.split_whitespace().collect()
}

impl Execution<'_> {
    fn laid(&self) -> io::Result<Verdict> {
        lay(self.prepared, self.scratch)?;
        self.by_strategy()
    }

    fn by_strategy(&self) -> io::Result<Verdict> {
        let all = &self.prepared.cfg.properties;
        if self.may_end_early() {
            let verdict = self.together(&[])?;
            if verdict.outcome != Outcome::Pass {
                return Ok(verdict);
            }
        }
        let Strategy::Alone(order) = &self.prepared.strategy else { return self.together(all) };
        let mut last = None;
        for name in order {
            let verdict = self.together(std::slice::from_ref(name))?;
            if verdict.outcome != Outcome::Pass {
                return Ok(verdict);
            }
            last = Some(verdict);
        }
        let rest: Vec<String> = all.iter().filter(|name| !order.contains(name)).cloned().collect();
        match last {
            Some(verdict) if rest.is_empty() => Ok(verdict),
            _ => self.together(&rest),
        }
    }

    /// Whether an invariant, or a deadlock, is expected to break before any temporal property is looked at: liveness takes
    /// the whole state graph, and a mutant ends at its first violation.
    fn may_end_early(&self) -> bool {
        let wanted = |outcome: &Outcome| match outcome {
            Outcome::Violated(name) => self.prepared.cfg.invariants.contains(name),
            other => *other == Outcome::Deadlock,
        };
        let expected = match &self.spec.expect {
            Expectation::Exactly(outcome) => wanted(outcome),
            Expectation::Together(all) => all.iter().any(wanted),
            _ => false,
        };
        expected && self.spec.mutant.is_some() && !self.prepared.cfg.properties.is_empty()
    }

    /// Holds the steps of the counterexample against the arguments that the run's `actions` name. The engine does not print
    /// them, so the counterexample is walked once more, as a recorded run is.
    fn strayed(&self, verdict: &Verdict) -> Option<String> {
        let (actions, counterexample) = (self.spec.actions_with_arguments()?, verdict.counterexample.as_ref()?);
        if names(actions) != names(&counterexample.actions()) {
            return None;
        }
        match trace::walk(&self.means, self.spec, self.prepared, counterexample, actions) {
            Ok(TraceVerdict::Accepted(_) | TraceVerdict::Broken(_)) => None,
            Ok(TraceVerdict::Rejected(Rejection { step, allowed, .. })) => {
                let wanted = step.checked_sub(1).and_then(|at| actions.get(at)).map_or("?", String::as_str);
                let to = counterexample.steps.get(step).map(|step| &step.changes);
                let taken = allowed.iter().find(|one| {
                    let changes: BTreeMap<&String, String> =
                        one.changes.iter().map(|(name, value)| (name, flat(value))).collect();
                    to.is_some_and(|to| to.iter().map(|(name, value)| (name, flat(value))).eq(changes))
                });
                let taken = taken.map(|one| format!(": it is {}", one.action)).unwrap_or_default();
                Some(format!("expected step {step} to be {wanted}, which it is not{taken}"))
            }
            Err(error) => Some(format!("the arguments of the steps could not be told: {error}")),
        }
    }

    /// Looks for all that is broken: what was found is no longer asked for, until nothing more is found.
    fn survey(&self, verdict: &mut Verdict) -> io::Result<()> {
        let mut rest = self.prepared.clone();
        let mut found = verdict.outcome.clone();
        loop {
            match &found {
                // A model that is wrong says nothing about what else breaks.
                Outcome::Violated(name) if self.prepared.types.contains(name) => {
                    verdict.broken.insert(found);
                    return Ok(());
                }
                Outcome::Violated(name) => {
                    rest.cfg.invariants.retain(|other| other != name);
                    rest.cfg.properties.retain(|other| other != name);
                }
                Outcome::Deadlock => rest.deadlock = Deadlock::Ignored,
                _ => return Ok(()),
            }
            if !verdict.broken.insert(found) || !self.prepared.survey.goes_on(&verdict.broken) {
                return Ok(());
            }
            if rest.checks_nothing() && rest.deadlock == Deadlock::Ignored {
                return Ok(());
            }
            let next = Execution { prepared: &rest, ..*self }.by_strategy()?;
            if !next.outcome.is_verdict() {
                let why = next.detail.unwrap_or_else(|| "it takes too long to tell".to_owned());
                verdict.detail = Some(format!("what else breaks is not known: {why}"));
            }
            found = next.outcome;
        }
    }

    /// Checks properties at once; one by one when one is violated and the engine does not say which.
    fn together(&self, properties: &[String]) -> io::Result<Verdict> {
        let (found, verdict) = self.once(properties)?;
        if let Finding::Known(_) = found {
            return Ok(verdict);
        }
        for name in properties {
            let (found, verdict) = self.once(std::slice::from_ref(name))?;
            if found != Finding::Known(Outcome::Pass) {
                return Ok(verdict);
            }
        }
        let detail = Some("a property is violated among several, and none of them alone".to_owned());
        Ok(Verdict { outcome: Outcome::Error, detail, counterexample: None, ..verdict })
    }

    fn once(&self, properties: &[String]) -> io::Result<(Finding, Verdict)> {
        let cfg = format!("{}.cfg", self.prepared.root);
        std::fs::write(self.scratch.join(&cfg), self.prepared.cfg.render(properties))?;
        let states = self.spec.states.and_then(|count| count.max.or(count.min)).unwrap_or(0);
        let setup = Setup {
            engine: self.means.engine,
            archive: self.means.archive,
            scratch: self.scratch,
            root: &self.prepared.root,
            deadlock: self.prepared.deadlock,
            workers: self.workers(properties),
            memory_mb: self.spec.memory_mb.unwrap_or(self.means.memory_mb),
            size: if states > 1_000_000 { Size::Large } else { Size::Small },
            coverage: if passes(self.spec) { Coverage::Counted } else { Coverage::Left },
        };
        let mut output = Output::default();
        output.viewed = self.prepared.cfg.has("VIEW");
        let arguments = command::arguments(&setup, &cfg);
        let ended = process::run(&self.means.engine.java, &arguments, self.scratch, self.deadline, |line| {
            if let Some(states) = output.line(line) {
                (self.progress)(states);
            }
        })?;
        let found = finding(ended, &output, &self.prepared.cfg.invariants, properties);
        Ok((found.clone(), self.verdict(found, ended, &output)))
    }

    /// More than one worker together with a property gives false passes, and makes counterexamples differ from time
    /// to time.
    fn workers(&self, properties: &[String]) -> u32 {
        let passes = self.spec.expect == Expectation::Exactly(Outcome::Pass);
        if passes && properties.is_empty() { self.spec.workers.count() } else { 1 }
    }

    fn vacuous(&self, outcome: &Outcome, output: &Output) -> BTreeMap<String, String> {
        let passes = *outcome == Outcome::Pass;
        if passes { probes::never(self.probes, &output.seen) } else { BTreeMap::new() }
    }

    fn verdict(&self, found: Finding, ended: Ended, output: &Output) -> Verdict {
        let outcome = match found {
            Finding::Known(outcome) => outcome,
            Finding::Unnamed => Outcome::Error,
        };
        let why = match outcome {
            Outcome::Pass if self.prepared.checks_nothing() => Some("no invariant and no property is checked"),
            Outcome::Pass if output.initial.unwrap_or(0) == 0 => Some("there is no initial state"),
            _ => None,
        };
        let scratch = format!("{}/", self.scratch.display());
        match why {
            Some(why) => Verdict { detail: Some(why.to_owned()), ..verdict(Outcome::Vacuous, ended, output, &scratch) },
            None => Verdict { vacuous: self.vacuous(&outcome, output), ..verdict(outcome, ended, output, &scratch) },
        }
    }
}
