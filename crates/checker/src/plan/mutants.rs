//! The further runs of `mutants = "auto"`: one for each guard that holds, without it.

use crate::constant::{Constant, Facts};
use crate::modules::{Modules, PlanError};
use crate::run::{Expectation, Mutant, Mutants, RunName, RunSpec};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses an outcome of a mutant that cannot be: its name is no guard's, or no constant's. A guard that is FALSE in the
/// code has no mutant, and keeps its outcome for when it holds again.
pub(super) fn strangers(run: &RunSpec, facts: &Facts, modules: &Modules) -> Result<(), PlanError> {
    let Mutants::Auto(expected) = &run.mutants else { return Ok(()) };
    let guard = |name: &&String| {
        matches!(facts.get(*name), Some(None | Some(Constant::Bool(_))))
            && modules.constants.contains_key(*name)
            && !run.set.contains_key(*name)
    };
    match expected.keys().find(|name| !guard(name)) {
        Some(name) => Err(PlanError::UnknownMutant(name.clone())),
        None => Ok(()),
    }
}

/// The runs that `mutants = "auto"` asks for.
pub(super) fn mutants(
    run: &RunSpec,
    expected: &BTreeMap<String, Expectation>,
    facts: &Facts,
    modules: &Modules,
    unread: &dyn Fn(&str) -> bool,
) -> Vec<RunSpec> {
    let holds = |name: &&String| facts.get(*name) == Some(&Some(Constant::Bool(true))) && !run.set.contains_key(*name);
    let guards: BTreeSet<&String> = modules.constants.keys().filter(holds).collect();
    let mutant = |guard: &String| RunSpec {
        name: RunName::new(format!("{}.mutant-{guard}", run.name)),
        set: run
            .set
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            // What nothing reads makes no difference: the mutant is the run itself, and not explored anew.
            .chain((!unread(guard)).then(|| (guard.clone(), Constant::Bool(false))))
            .collect(),
        expect: expected.get(guard).cloned().unwrap_or(Expectation::Unstated),
        actions: None,
        states: None,
        mutants: Mutants::None,
        mutant: Some(Mutant { of: run.name.clone(), guard: guard.clone() }),
        ..run.clone()
    };
    guards.into_iter().map(mutant).collect()
}
