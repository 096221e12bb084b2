//! Proof that a guard can fail: the code is edited in memory, and each edit must turn the guard FALSE.
//!
//! A guard that survives an edit rests on less than its author thinks: its pattern is so loose that something else
//! satisfies it, or the check is there twice. Edits that do not parse, or that take the effect itself away, prove
//! nothing and are left out.

mod edits;
mod overlay;

use crate::guard::{Assertions, Decision, Examined, GuardSpec, examine};
use crate::program::Program;
use edits::{Edit, deletion, edits, twins};
use factgate_record::{FactValue, Place, Reason};
use factgate_syntax::{Limits, NodeId};
use overlay::Overlay;
use std::collections::BTreeSet;

/// What the edits of one guard came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Every edit that could be made, in the order of the scopes and the source.
    pub tried: Vec<Tried>,
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The edit in words: "deleting the check `isTerminal(m.status)`".
    pub edit: String,
    /// Where it was made.
    pub place: Place,
    /// What the guard read then.
    pub outcome: Outcome,
}

/// What a guard read after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// FALSE, for this reason: as it must.
    Caught(Reason),
    /// TRUE all the same.
    Survived,
}

impl Proof {
    /// The edits that the guard survived.
    pub fn survived(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| tried.outcome == Outcome::Survived)
    }

    /// Whether the guard was shown to fail: at least one edit was made, and none was survived.
    pub fn holds(&self) -> bool {
        !self.tried.is_empty() && self.survived().next().is_none()
    }
}

/// Proves a guard. `None` when it does not read TRUE: there is nothing to prove then.
pub fn prove(program: &Program<'_>, spec: &GuardSpec, assertions: &Assertions) -> Option<Proof> {
    let decision = examine(program, spec, assertions);
    if decision.fact.value != Some(FactValue::Bool(true)) {
        return None;
    }
    let mut tried = Vec::new();
    for mut examined in decision.scopes {
        for node in twins(&examined) {
            if is_needless(program, spec, assertions, &examined, node) {
                examined.checks.remove(&node);
            }
        }
        let examined = &examined;
        for edit in edits(examined, spec) {
            let make = |edit: &Edit| attempt(program, spec, assertions, examined, edit);
            tried.extend(make(&edit).or_else(|| make(&edit.otherwise()?)));
        }
    }
    Some(Proof { tried })
}

/// Whether a check shows the guard only because it came first on some path: without it, the guard holds by what showed
/// it as well, and another check of the same code is among that.
fn is_needless(
    program: &Program<'_>,
    spec: &GuardSpec,
    assertions: &Assertions,
    examined: &Examined,
    node: NodeId,
) -> bool {
    let edit = deletion(examined, node);
    let starts = |examined: &Examined| -> BTreeSet<u32> {
        examined.checks.keys().map(|&check| examined.scope.tree.span(check).start).collect()
    };
    let Some(decision) = read(program, spec, assertions, examined, &edit) else { return false };
    let before: BTreeSet<u32> = starts(examined).into_iter().map(|start| edit.moved(start)).collect();
    let same = |scope: &&Examined| scope.scope.name == examined.scope.name;
    let after = decision.scopes.iter().find(same).map(starts).unwrap_or_default();
    let text = |check: NodeId| examined.scope.source.text().get(examined.scope.tree.span(check).range());
    let twins = examined.checks.keys().filter(|&&check| check != node && text(check) == text(node));
    let mut twins = twins.map(|&check| edit.moved(examined.scope.tree.span(check).start));
    let is_true = decision.fact.value == Some(FactValue::Bool(true));
    is_true && after.is_subset(&before) && twins.any(|twin| after.contains(&twin))
}

/// Reads the guard in the edited text; `None` when there is none.
fn read(
    program: &Program<'_>,
    spec: &GuardSpec,
    assertions: &Assertions,
    examined: &Examined,
    edit: &Edit,
) -> Option<Decision> {
    let scope = &examined.scope;
    let text = edit.apply(scope.source.text())?;
    let files = Overlay::new(program.files(), &scope.file, &text);
    let edited = Program::new(&files, program.root().clone(), Limits::default());
    Some(examine(&edited, spec, assertions))
}

/// Makes one edit and reads the guard again; `None` when the edit is no code, or leaves no effect.
fn attempt(
    program: &Program<'_>,
    spec: &GuardSpec,
    assertions: &Assertions,
    examined: &Examined,
    edit: &Edit,
) -> Option<Tried> {
    let fact = read(program, spec, assertions, examined, edit)?.fact;
    let outcome = match (fact.value, fact.reason) {
        (Some(FactValue::Bool(true)), _) => Outcome::Survived,
        (Some(_), Some(reason)) if reason != Reason::NoEffect => Outcome::Caught(reason),
        _ => return None,
    };
    Some(Tried { edit: edit.words.clone(), place: examined.scope.place_at(edit.at), outcome })
}

#[cfg(test)]
mod tests;
