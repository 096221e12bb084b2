//! `then`: what is passed on every path from an effect to the end of its scope.

use super::code::Mention;
use super::compile::{Plan, is_ended};
use super::condition::Binds;
use super::query::{Place, Then, agree};
use super::reading::Reading;
use super::spec::ThenOn;
use super::state::Valuation;
use crate::graph::{Action, Ending, Graph, PointId};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

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
    reading: &Reading,
    way: &Way<'_>,
    then: &Then,
    binds: &Binds,
    ends: &[Mention],
) -> Result<BTreeSet<NodeId>, Escape> {
    let graph = &reading.graph;
    let places: BTreeSet<NodeId> =
        then.places.iter().filter(|place: &&Place| agree(binds, &place.binds)).map(|place| place.node).collect();
    let mut passed = BTreeSet::new();
    let mut before: HashMap<Step, Option<Step>> = HashMap::default();
    let mut open: Vec<(Step, Option<Step>)> = Vec::new();
    for start in way.starts {
        for locals in way.plan.move_locals(start, way.from) {
            let next = graph.point(way.from).next();
            open.extend(next.map(|at| (Step { at, reassigned: None, locals: locals.clone() }, None)));
        }
    }
    if then.on == ThenOn::EveryEnd
        && let Some(at) = fails_to(graph, way.from)
    {
        open.extend(way.starts.iter().map(|locals| (Step { at, reassigned: None, locals: locals.clone() }, None)));
    }
    while let Some((here, previous)) = open.pop() {
        if before.contains_key(&here) {
            continue;
        }
        before.insert(here.clone(), previous);
        let Step { at, mut reassigned, locals } = here.clone();
        let point = graph.point(at);
        match &point.action {
            Action::Eval(node) if reassigned.is_none() && places.contains(node) => {
                passed.insert(*node);
                continue;
            }
            Action::Exit(ending) if counts(*ending, then.on) => {
                let last = last_eval(reading, &before, &here);
                return Err(Escape { ending: *ending, last, reassigned });
            }
            _ => {}
        }
        if reassigned.is_none() {
            let ended = reading.ends.at(at).iter().find(|ended| is_ended(ends, &ended.target));
            reassigned = ended.map(|ended| ended.node);
        }
        for moved in way.plan.move_locals(&locals, at) {
            let step = |at| (Step { at, reassigned, locals: moved.clone() }, Some(here.clone()));
            open.extend(point.next().map(step));
        }
        let raised = point.raise.filter(|_| point.raises);
        open.extend(raised.map(|at| (Step { at, reassigned, locals: locals.clone() }, Some(here.clone()))));
    }
    Ok(passed)
}

/// Where an error of the effect itself leads, when it counts: what was waited for had begun, and what stands in a `try` is
/// left for its `catch` or `finally`. Anywhere else, what failed has not happened.
fn fails_to(graph: &Graph, from: PointId) -> Option<PointId> {
    let point = graph.point(from);
    let to = point.raise.filter(|_| point.raises)?;
    let waits = |node: NodeId| graph.ids().any(|id| graph.point(id).action == Action::Suspend(node));
    let is_awaited = matches!(point.action, Action::Eval(node) if waits(node));
    let is_caught = graph.point(to).action != Action::Exit(Ending::Throw);
    (is_awaited || is_caught).then_some(to)
}

/// Whether an end of the scope is one that the node must be passed before.
fn counts(ending: Ending, on: ThenOn) -> bool {
    match ending {
        Ending::Return => true,
        Ending::ErrorReturn | Ending::Throw => on == ThenOn::EveryEnd,
        Ending::Never => false,
    }
}

fn last_eval(reading: &Reading, before: &HashMap<Step, Option<Step>>, from: &Step) -> Option<NodeId> {
    let mut step = from;
    for _ in 0..=before.len() {
        if let Action::Eval(node) = reading.graph.point(step.at).action {
            return Some(node);
        }
        step = before.get(step)?.as_ref()?;
    }
    None
}
