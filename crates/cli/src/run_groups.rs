//! Runs for people: the base run first, and runs that fail for one reason together.
//!
//! A base run is the model as the code is: no mutant, no planted fault, expected to pass. Where it breaks, its mutants and
//! witnesses break with it, and say nothing of their own.

use crate::report::{ModelReport, Role, RunReport};
use factgate_checker::Judgement;
use factgate_record::{Place, StaleKind};

/// Runs that are told together: one that is as expected, or those that fail for one reason, the one that shows it first.
#[derive(Debug)]
pub struct Group<'r> {
    /// The run that is told.
    pub head: &'r RunReport,
    /// Those that fail for the same reason.
    pub others: Vec<&'r RunReport>,
}

/// So many names stand in a line.
const SHOWN: usize = 6;

impl<'r> Group<'r> {
    /// All runs in groups: base runs that fail first, the rest in their order.
    pub fn all(runs: &'r [RunReport]) -> Vec<Group<'r>> {
        let (first, rest): (Vec<_>, Vec<_>) = runs.iter().partition(|run| run.role == Role::Base && !run.ok);
        let mut groups: Vec<Group<'r>> = Vec::new();
        for run in first.into_iter().chain(rest) {
            match groups.iter_mut().find(|group| is_same(group.head, run)) {
                Some(group) => group.others.push(run),
                None => groups.push(Group { head: run, others: Vec::new() }),
            }
        }
        groups
    }

    /// The groups of a model that are not as expected.
    pub fn failing(model: &'r ModelReport) -> Vec<Group<'r>> {
        Group::all(&model.runs).into_iter().filter(|group| group.head.judgement == Judgement::Unexpected).collect()
    }

    /// The names of the others: `a, b and 3 more`; nothing when there are none.
    pub fn names(&self) -> Option<String> {
        let names: Vec<&str> = self.others.iter().map(|run| run.name.as_str()).collect();
        (!names.is_empty()).then(|| listed(&names))
    }

    /// The violation in words: the verdict, the actions that lead to it, the other runs that it is in.
    pub fn message(&self) -> Option<String> {
        let mut text = self.head.complaint()?;
        let actions = self.head.actions.iter().enumerate();
        for (index, action) in actions {
            let code = self.head.lines_of(index).map(|lines| format!("   {lines}")).unwrap_or_default();
            text.push_str(&format!("\n{:>3}  {action}{code}", index + 1));
        }
        if let Some(names) = self.names() {
            text.push_str(&format!("\nthe same in {names}"));
        }
        Some(text)
    }

    /// Where a violation is shown: at the code that changed when the base run breaks, else at the configuration.
    pub fn place(&self, model: &ModelReport) -> Place {
        let whole = || Place { file: model.config.clone(), line: 1, column: 1 };
        if self.head.role != Role::Base {
            return whole();
        }
        let of_kind = |kind: StaleKind| {
            model.stale.iter().flatten().filter(|one| one.stale.kind == kind).find_map(|one| one.stale.at.clone())
        };
        of_kind(StaleKind::Fact).or_else(|| of_kind(StaleKind::Changed)).unwrap_or_else(whole)
    }
}

/// Whether a run fails for the reason of another one that is told.
fn is_same(head: &RunReport, run: &RunReport) -> bool {
    let fails = !head.ok && !run.ok && head.judgement == run.judgement;
    let breaks_too = head.role == Role::Base && head.outcome == run.outcome && run.judgement == Judgement::Unexpected;
    fails && (breaks_too || head.outcome == run.outcome && head.detail == run.detail)
}

/// Names in a line: all of a few, the first of many.
pub fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}
