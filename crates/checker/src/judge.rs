//! Holds a verdict against what was expected of its run.

use crate::counterexample::Counterexample;
use crate::outcome::Outcome;
use crate::plan::Planned;
use crate::run::{Expectation, Mutant, RunName, RunSpec};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// One run's line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The run.
    pub name: RunName,
    /// What was expected: `pass`, `violated NAME`, …
    pub expect: String,
    /// What came out.
    pub outcome: Outcome,
    /// Whether that is right.
    pub judgement: Judgement,
    /// Distinct states, where the engine gave them.
    pub states: Option<u64>,
    /// Depth of the search, where the engine gave it.
    pub depth: Option<u64>,
    /// The counterexample's actions, from the first step after the initial state.
    pub actions: Vec<String>,
    /// The counterexample.
    pub counterexample: Option<Counterexample>,
    /// Whether the verdict was known from before.
    pub cached: bool,
    /// Why it is not right, or the engine's own words.
    pub detail: Option<String>,
    /// The key of all that the verdict depends on; absent when the run could not be made.
    pub key: Option<String>,
    /// How often each action of the specification was taken.
    pub actions_taken: BTreeMap<String, u64>,
    /// Where the run's modules and configuration were kept, because it was not as expected.
    pub kept: Option<PathBuf>,
    /// For a mutant: which.
    pub mutant: Option<Mutant>,
    /// For a mutant: all that it breaks.
    pub broken: BTreeSet<Outcome>,
    /// How long the verdict took to find, in seconds.
    pub seconds: Option<f64>,
    /// Where the steps do not take the arguments that were expected.
    pub strayed: Option<String>,
    /// Properties that hold of nothing, each with what never holds.
    pub vacuous: BTreeMap<String, String>,
    /// Why the outcome says less than it seems to.
    pub cautions: Vec<String>,
    /// Of recorded runs: the step at which each one that is rejected leaves the specification, by path.
    pub rejected: BTreeMap<String, u64>,
}

/// Whether a run came out as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As expected.
    Met,
    /// Otherwise: exit 1.
    Unexpected,
    /// There is no verdict: exit 2.
    Undecided,
}

impl Report {
    /// All that is broken; where nothing more was looked for, the outcome.
    pub fn broken_or_outcome(&self) -> BTreeSet<Outcome> {
        if self.broken.is_empty() { BTreeSet::from([self.outcome.clone()]) } else { self.broken.clone() }
    }

    /// The report of a run that could not be carried out.
    pub(crate) fn undecided(spec: &RunSpec, detail: String) -> Report {
        Report {
            name: spec.name.clone(),
            expect: spec.expect.to_string(),
            outcome: Outcome::Error,
            judgement: Judgement::Undecided,
            states: None,
            depth: None,
            actions: Vec::new(),
            counterexample: None,
            cached: false,
            detail: Some(detail),
            key: None,
            actions_taken: BTreeMap::new(),
            kept: None,
            mutant: spec.mutant.clone(),
            broken: BTreeSet::new(),
            seconds: None,
            strayed: None,
            vacuous: BTreeMap::new(),
            cautions: Vec::new(),
            rejected: BTreeMap::new(),
        }
    }
}

/// Judges a verdict.
pub(crate) fn judge(planned: &Planned, key: Option<String>, verdict: Verdict, cached: bool) -> Report {
    let verdict =
        if verdict.outcome == Outcome::Pass && verdict.states == Some(0) { without_states(verdict) } else { verdict };
    let empty = BTreeSet::new();
    let named = planned.prepared.as_ref().map_or(&empty, |prepared| &prepared.named);
    let actions = verdict.counterexample.as_ref().map(Counterexample::actions).unwrap_or_default();
    let ill = ill_typed(planned, &verdict);
    let judged = ill.is_none() && verdict.outcome.is_verdict();
    let wrong = ill.or_else(|| complaint(&planned.spec, named, &verdict, &actions));
    let judgement = match (&wrong, judged) {
        (_, false) => Judgement::Undecided,
        (Some(_), true) => Judgement::Unexpected,
        (None, true) => Judgement::Met,
    };
    Report {
        name: planned.spec.name.clone(),
        expect: planned.spec.expect.to_string(),
        judgement,
        states: verdict.states,
        depth: verdict.depth,
        actions,
        counterexample: verdict.counterexample,
        cached,
        detail: match (wrong, verdict.detail) {
            (Some(wrong), Some(detail)) => Some(format!("{wrong}: {detail}")),
            (wrong, detail) => wrong.or(detail),
        },
        key,
        actions_taken: verdict.actions_taken,
        kept: None,
        mutant: planned.spec.mutant.clone(),
        broken: verdict.broken,
        seconds: verdict.seconds,
        strayed: verdict.strayed,
        vacuous: verdict.vacuous,
        cautions: verdict.cautions,
        rejected: verdict.rejected,
        outcome: verdict.outcome,
    }
}

/// A type invariant that breaks says that the model is wrong, whatever was expected of the run.
fn ill_typed(planned: &Planned, verdict: &Verdict) -> Option<String> {
    let types = planned.prepared.as_ref().map(|prepared| &prepared.types).ok()?;
    let broken = std::iter::once(&verdict.outcome).chain(&verdict.broken);
    let mut names = broken.filter_map(|outcome| match outcome {
        Outcome::Violated(name) => types.get(name),
        _ => None,
    });
    names.next().map(|name| format!("the type invariant `{name}` breaks: the model is wrong, and the run says nothing"))
}

/// A pass over nothing is none: a CONSTRAINT that no initial state meets leaves no state to check.
fn without_states(verdict: Verdict) -> Verdict {
    let detail = Some("no state was checked: no initial state meets the CONSTRAINT".to_owned());
    Verdict { outcome: Outcome::Vacuous, detail, ..verdict }
}

/// What is not as expected.
fn complaint(spec: &RunSpec, named: &BTreeSet<String>, verdict: &Verdict, actions: &[String]) -> Option<String> {
    if !verdict.outcome.is_verdict() {
        return None;
    }
    let came = if verdict.broken.is_empty() { &BTreeSet::from([verdict.outcome.clone()]) } else { &verdict.broken };
    let met = match &spec.expect {
        Expectation::Exactly(wanted) => came.len() == 1 && came.contains(wanted),
        Expectation::Together(wanted) => wanted == came,
        Expectation::Violated => matches!(&verdict.outcome, Outcome::Violated(name) if named.contains(name)),
        Expectation::Unstated => {
            let guard = spec.mutant.as_ref().map_or("?", |mutant| mutant.guard.as_str());
            let words = expectation_in_toml(came);
            return Some(format!("nothing is expected of it yet: say `{guard} = {words}` under `mutant_outcomes`"));
        }
    };
    if !met {
        let nothing = BTreeSet::new();
        let wanted = match &spec.expect {
            Expectation::Exactly(outcome) => &BTreeSet::from([outcome.clone()]),
            Expectation::Together(all) => all,
            _ => &nothing,
        };
        let surplus: Vec<String> = came.difference(wanted).map(Outcome::to_string).collect();
        let more = if came.is_superset(wanted) && !wanted.is_empty() {
            format!(" and nothing else, not {} too", surplus.join(", "))
        } else {
            String::new()
        };
        let of = match &spec.expect {
            Expectation::Violated if matches!(verdict.outcome, Outcome::Violated(_)) => {
                format!(" of one that the run asks for: {}", named.iter().cloned().collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        let hint = match verdict.outcome {
            Outcome::Deadlock => ". A state has no successor: where that is meant, say `check_deadlock = false`",
            _ => "",
        };
        return Some(format!("expected {}{of}{more}{hint}", spec.expect));
    }
    if let Some(wanted) = spec.actions.as_ref().filter(|wanted| names(wanted) != names(actions)) {
        return Some(format!("expected the actions [{}], not [{}]", wanted.join(", "), actions.join(", ")));
    }
    if let Some(strayed) = verdict.strayed.as_ref().filter(|_| spec.actions_with_arguments().is_some()) {
        return Some(strayed.clone());
    }
    match (spec.states, verdict.states) {
        (Some(wanted), Some(states)) if verdict.outcome == Outcome::Pass && !wanted.holds(states) => {
            Some(format!("expected {wanted} distinct states, not {states}"))
        }
        (Some(wanted), None) if verdict.outcome == Outcome::Pass => {
            Some(format!("expected {wanted} distinct states, and the engine gave no count"))
        }
        _ => None,
    }
}

/// What a mutant came to, as `mutant_outcomes` takes it.
pub fn expectation_in_toml(came: &BTreeSet<Outcome>) -> String {
    let came: Vec<String> = came.iter().map(|one| format!("\"{one}\"")).collect();
    if came.len() == 1 { came.concat() } else { format!("[{}]", came.join(", ")) }
}

/// Action names without arguments, however they were written.
pub(crate) fn names(actions: &[String]) -> Vec<&str> {
    actions.iter().map(|action| action.split('(').next().unwrap_or(action).trim()).collect()
}

/// Actions that no passing run of their specification takes, by specification; those that a run allows are left out.
/// Only specifications with a run that is expected to pass, and does, are looked at.
pub fn unused_actions(planned: &[Planned], reports: &[Report]) -> BTreeMap<String, Vec<String>> {
    let mut taken: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut allowed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in planned {
        let spec = one.spec.spec.as_str();
        allowed.entry(spec).or_default().extend(one.spec.unused_actions.iter().map(String::as_str));
        let passed = |report: &&Report| report.name == one.spec.name && report.outcome == Outcome::Pass;
        if let Some(report) = reports.iter().find(passed) {
            for (action, count) in &report.actions_taken {
                *taken.entry(spec).or_default().entry(action).or_default() += count;
            }
        }
    }
    let unused = |(spec, actions): (&&str, BTreeMap<&str, u64>)| {
        let allowed = allowed.get(*spec);
        let never =
            actions.into_iter().filter(|(name, count)| *count == 0 && !allowed.is_some_and(|set| set.contains(name)));
        ((*spec).to_owned(), never.map(|(name, _)| name.to_owned()).collect::<Vec<_>>())
    };
    let found: BTreeMap<String, Vec<String>> =
        taken.iter().map(|(spec, actions)| unused((spec, actions.clone()))).collect();
    found.into_iter().filter(|(_, actions)| !actions.is_empty()).collect()
}
