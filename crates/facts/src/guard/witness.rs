//! One real path: a shortest one from a start to an effect at which the guard is not shown, and what is on it.

use super::explain::quote;
use super::reading::Reading;
use super::state::{Op as Move, States};
use super::verdict::{Analysis, Failure};
use factgate_ir::graph::{self, Action, FrameId, PointId};
use factgate_ir::{BodyRef, Call, Does, Op};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeSet, VecDeque};

/// Steps of the search for a path beyond which there is none to show.
const MOST_STEPS: usize = 200_000;

/// A path, from the entry of a root to an effect.
pub(super) struct Witness<'w, 'r> {
    reading: &'w Reading<'r>,
    points: Vec<PointId>,
}

/// A test on a path.
#[derive(Clone, Copy)]
pub(super) struct Tested {
    pub(super) point: PointId,
    /// The node to show for it.
    pub(super) node: NodeId,
    pub(super) outcome: bool,
}

/// An error on a path.
pub(super) struct Raised {
    /// What raises it; none where anything of what is protected may.
    pub(super) by: Option<NodeId>,
    /// What comes first where it is caught; none where it only passes a `finally`.
    pub(super) caught: Option<NodeId>,
}

/// Where errors are taken to be raised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raises {
    ByItself,
    Anywhere,
}

/// A point, and the valuation that reaches it.
type Visit = (PointId, u32);

impl<'w, 'r> Witness<'w, 'r> {
    /// A shortest path on which the failing valuation reaches the effect. Errors are raised where something raises; where
    /// no such path is found, anywhere that is protected.
    pub(super) fn of(analysis: &'w Analysis<'_, '_, 'r>, failure: &Failure) -> Option<Witness<'w, 'r>> {
        let search = |raises| Witness::search(analysis, failure, raises);
        search(Raises::ByItself).or_else(|| search(Raises::Anywhere))
    }

    fn search(analysis: &'w Analysis<'_, '_, 'r>, failure: &Failure, raises: Raises) -> Option<Witness<'w, 'r>> {
        let reading = analysis.query.reading;
        let (graph, plan) = (reading.graph(), &analysis.plan);
        let goal = (failure.point, failure.valuation);
        let mut states = States::new(plan.cells.len());
        let wanted = analysis.solved.states.cells(goal.1).to_vec();
        let blank = states.blank();
        let mut before: HashMap<Visit, Option<Visit>> = HashMap::default();
        let mut open: VecDeque<(Visit, Option<Visit>)> =
            graph.roots.iter().map(|root| ((root.entry, blank), None)).collect();
        while let Some((here, previous)) = open.pop_front() {
            if before.contains_key(&here) {
                continue;
            }
            before.insert(here, previous);
            if here.0 == goal.0 && states.cells(here.1) == wanted {
                let steps = std::iter::successors(Some(here), |step| before.get(step).copied().flatten());
                let mut points: Vec<PointId> = steps.map(|(id, _)| id).collect();
                points.reverse();
                return Some(Witness { reading, points });
            }
            if before.len() > MOST_STEPS {
                return None;
            }
            let after = step(&mut states, here, &plan.ops[here.0.index()]);
            let point = graph.point(here.0);
            let raised = point.raise.filter(|_| point.raises || raises == Raises::Anywhere);
            for next in point.next().chain(raised) {
                // A scope that is a part of a body starts where the body comes to it.
                let starts = reading.starts_at(here.0, next);
                let known = |valuation| if starts { blank } else { valuation };
                open.extend(after.iter().map(|&valuation| ((next, known(valuation)), Some(here))));
            }
        }
        None
    }

    /// The tests on it, the nearest to the effect first.
    pub(super) fn tests(&self) -> impl Iterator<Item = Tested> + '_ {
        self.points.iter().rev().filter_map(|&point| match self.reading.graph().point(point).action {
            Action::Assume { outcome, .. } => Some(Tested { point, node: self.reading.shown_at(point), outcome }),
            _ => None,
        })
    }

    /// The nearest test whose other outcome leads to one of these points.
    pub(super) fn fork(&self, to: Vec<PointId>) -> Option<Tested> {
        let graph = self.reading.graph();
        let leads = graph::reaches(graph, to);
        let sibling_leads = |tested: &Tested| {
            let forks = &self.reading.before[tested.point.index()];
            let siblings = forks.iter().flat_map(|&fork| graph.point(fork).next());
            siblings.into_iter().any(|sibling| sibling != tested.point && leads[sibling.index()])
        };
        self.tests().find(sibling_leads)
    }

    /// The last raised error on it, when it comes behind a test.
    pub(super) fn raised(&self, behind: Option<Tested>) -> Option<Raised> {
        let graph = self.reading.graph();
        let is_raised = |at: &usize| {
            let (from, to) = (graph.point(self.points[*at]), self.points[*at + 1]);
            from.raise == Some(to) && from.next().all(|next| next != to)
        };
        let at = (0..self.points.len().saturating_sub(1)).rev().find(is_raised)?;
        let tested = behind.and_then(|test| self.points.iter().rposition(|&point| point == test.point));
        if tested.is_some_and(|tested| tested > at) {
            return None;
        }
        let shown = |point: &PointId| graph.point(*point).node.map(|_| self.reading.shown_at(*point));
        let mut rest = self.points[at + 1..].iter();
        let is_caught = rest.any(|&point| matches!(graph.point(point).action, Action::Caught(_)));
        let by = Some(self.points[at]).filter(|&point| graph.point(point).raises).and_then(|point| shown(&point));
        Some(Raised { by, caught: rest.find_map(shown).filter(|_| is_caught) })
    }

    /// The calls on it that the scope itself makes, the nearest to the effect first.
    pub(super) fn calls(&self) -> impl Iterator<Item = (FrameId, &'r Op, &'r Call)> + '_ {
        let graph = self.reading.graph();
        self.points.iter().rev().filter_map(move |&id| {
            let point = graph.point(id);
            let node = point.node?;
            match &point.op()?.does {
                Does::Call(call) if self.reading.is_inside((point.frame, node)) => {
                    Some((point.frame, point.op()?, call))
                }
                _ => None,
            }
        })
    }

    /// The function in the scope that the path starts in, when it is not the scope itself: "the function handed to
    /// `setTimeout` at 12".
    pub(super) fn start(&self) -> Option<(NodeId, String)> {
        let graph = self.reading.graph();
        let frame = self.reading.names.root(graph.point(*self.points.first()?).frame);
        let body = graph.frame(frame).body;
        let unit = self.reading.names.sight.unit(body.unit);
        let outer = BodyRef { unit: body.unit, body: unit.body(body.body).outer? };
        let is_inside = |body: BodyRef| self.reading.is_inside((frame, unit.body(body.body).node));
        if body.body == unit.top || !is_inside(body) || !is_inside(outer) {
            return None;
        }
        let node = unit.body(body.body).node;
        let line = |node| self.reading.scope.place(node).line;
        Some(match self.taker(body, outer) {
            Some(callee) => {
                (node, format!("the function handed to {} at {}", quote(self.reading.scope, callee), line(node)))
            }
            None => (node, format!("the function at {}", line(node))),
        })
    }

    /// What a function is handed to where it is made.
    fn taker(&self, body: BodyRef, outer: BodyRef) -> Option<NodeId> {
        let (sight, tree) = (self.reading.names.sight, &self.reading.scope.tree);
        let index = sight.index(body.unit);
        let made = index.op(index.bodies[body.body.index()].made?)?.gives?;
        let takes = |op: &&Op| match &op.does {
            Does::Call(call) => call.args.iter().any(|arg| arg.value == made),
            _ => false,
        };
        let taker = index.ops_of(outer.body).find(takes)?;
        Some(self.reading.rules.call(tree, taker.node)?.callee)
    }

    /// Whether it is a path of the graph from an entry to the effect at whose end the guard is not shown.
    pub(super) fn is_real(&self, analysis: &Analysis<'_, '_, 'r>, failure: &Failure) -> bool {
        let (graph, plan) = (self.reading.graph(), &analysis.plan);
        let starts = graph.roots.iter().any(|root| Some(&root.entry) == self.points.first());
        let follows = |pair: &[PointId]| graph.point(pair[0]).all_next().any(|next| next == pair[1]);
        let mut states = States::new(plan.cells.len());
        let mut here = BTreeSet::from([states.blank()]);
        for pair in self.points.windows(2) {
            let moved = here.iter().flat_map(|&one| step(&mut states, (pair[0], one), &plan.ops[pair[0].index()]));
            here = moved.collect();
            if self.reading.starts_at(pair[0], pair[1]) {
                here = BTreeSet::from([states.blank()]);
            }
        }
        starts
            && self.points.windows(2).all(follows)
            && self.points.last() == Some(&failure.point)
            && here.iter().any(|&one| analysis.fails_with(failure, states.cells(one)))
    }
}

fn step(states: &mut States, (id, valuation): Visit, ops: &[Move]) -> Vec<u32> {
    if ops.is_empty() { vec![valuation] } else { states.move_valuation(valuation, id.index(), ops).to_vec() }
}
