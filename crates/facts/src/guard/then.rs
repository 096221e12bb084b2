//! `then`: what is passed on every path from an effect to the end of its scope.

use super::plan::Plan;
use super::reading::{Binds, Place, Reading, Seen, agree};
use super::spec::ThenOn;
use super::state::Valuation;
use crate::core::ReadId;
use factgate_ir::graph::{Action, Ending, PointId, Until};
use factgate_ir::{Does, Exit, Op};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// What must be passed on every path from an effect.
pub(super) struct Wanted {
    pub(super) places: Vec<Place>,
    pub(super) on: ThenOn,
}

/// A path that leaves without the node.
#[derive(Clone, Debug)]
pub(super) struct Escape {
    /// How it ends.
    pub(super) ending: Ending,
    /// The last node that is evaluated on it.
    pub(super) last: Option<NodeId>,
    /// The assignment after which the node would mean another object.
    pub(super) reassigned: Option<NodeId>,
}

/// Where the search starts, and what variables are followed on it.
pub(super) struct Way<'w> {
    pub(super) plan: &'w Plan,
    pub(super) from: PointId,
    /// What is known of the variables at the start.
    pub(super) starts: &'w BTreeSet<Valuation>,
}

/// A point on a path, the assignment behind which the node would mean something else, and the truth of variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Step {
    at: PointId,
    reassigned: Option<NodeId>,
    locals: Valuation,
}

/// The nodes that are passed, or a path that passes none.
pub(super) fn follow(
    reading: &Reading<'_>,
    way: &Way<'_>,
    then: &Wanted,
    binds: &Binds,
    ends: &[ReadId],
) -> Result<BTreeSet<NodeId>, Escape> {
    let graph = reading.graph();
    let places: BTreeSet<Seen> = then
        .places
        .iter()
        .filter(|place: &&Place| place.is_certain && agree(binds, &place.binds))
        .map(|place| place.at)
        .collect();
    let mut passed = BTreeSet::new();
    let mut before: HashMap<Step, Option<Step>> = HashMap::default();
    let mut open: Vec<(Step, Option<Step>)> = Vec::new();
    for start in way.starts {
        for locals in way.plan.move_spots(start, way.from) {
            let next = graph.point(way.from).next();
            open.extend(next.map(|at| (Step { at, reassigned: None, locals: locals.clone() }, None)));
        }
    }
    while let Some((here, previous)) = open.pop() {
        if before.contains_key(&here) {
            continue;
        }
        before.insert(here.clone(), previous);
        let Step { at, mut reassigned, locals } = here.clone();
        let point = graph.point(at);
        match &point.action {
            // Also where the node itself raises: it was done.
            Action::Op(op) | Action::Call(op) | Action::Rest { op, .. }
                if does(op) && reassigned.is_none() && places.contains(&(point.frame, op.node)) =>
            {
                passed.insert(reading.shown_at(at));
                continue;
            }
            Action::Exit(ending) if counts(*ending, then.on) => {
                let last = last_mark(reading, &before, &here);
                return Err(Escape { ending: *ending, last, reassigned });
            }
            _ => {}
        }
        if reassigned.is_none() && reading.effects.ends_one(at, ends) {
            reassigned = Some(reading.shown_at(at));
        }
        let raised = point.raise.filter(|_| point.raises);
        let left = |next: &PointId| is_left(reading, way.from, *next);
        // A function that nobody waits for ends for itself; at a suspension it goes on.
        let ends = |ending| counts(ending, then.on);
        let own = match point.action {
            Action::Op(Op { does: Does::Suspend { .. }, .. }) => None,
            Action::Leave(Exit::Raise, _) => Some(Ending::Raise),
            _ => Some(Ending::Return),
        };
        let ended = own.filter(|&own| ends(own) && point.next().any(|next| left(&next)));
        let thrown = raised.filter(left).map(|_| Ending::Raise).filter(|&ending| ends(ending));
        if let Some(ending) = ended.or(thrown) {
            return Err(Escape { ending, last: last_mark(reading, &before, &here), reassigned });
        }
        for moved in way.plan.move_spots(&locals, at) {
            let step = |at| (Step { at, reassigned, locals: moved.clone() }, Some(here.clone()));
            open.extend(point.next().filter(|next| !left(next)).map(step));
        }
        let raised = raised.filter(|next| !left(next));
        open.extend(raised.map(|at| (Step { at, reassigned, locals: locals.clone() }, Some(here.clone()))));
    }
    Ok(passed)
}

/// Whether a point leads out of a body that nobody waits for and that the effect stands in.
fn is_left(reading: &Reading<'_>, effect: PointId, next: PointId) -> bool {
    let graph = reading.graph();
    let around = std::iter::successors(Some(graph.point(effect).frame), |&frame| {
        graph.frame(frame).caller.map(|(caller, _)| caller)
    });
    match graph.point(next).action {
        Action::Back(frame) if graph.frame(frame).until == Until::FirstWait => around.into_iter().any(|of| of == frame),
        _ => false,
    }
}

/// Whether an operation is what its node does, and not only a part of it.
fn does(op: &factgate_ir::Op) -> bool {
    matches!(op.does, Does::Mark | Does::Call(_) | Does::Write { .. })
}

/// Whether an end of the scope is one that the node must be passed before.
fn counts(ending: Ending, on: ThenOn) -> bool {
    match ending {
        Ending::Return => true,
        Ending::ErrorReturn | Ending::Raise => on == ThenOn::EveryEnd,
        Ending::Never => false,
    }
}

fn last_mark(reading: &Reading<'_>, before: &HashMap<Step, Option<Step>>, from: &Step) -> Option<NodeId> {
    let mut step = from;
    for _ in 0..=before.len() {
        let point = reading.graph().point(step.at);
        let is_last = match point.action {
            Action::Op(op) => op.does == Does::Mark || point.raises,
            Action::Leave(..) => point.node.is_some(),
            _ => false,
        };
        if is_last {
            return Some(reading.shown_at(step.at));
        }
        step = before.get(step)?.as_ref()?;
    }
    None
}
