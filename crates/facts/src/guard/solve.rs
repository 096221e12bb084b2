//! The fixpoint: which valuations reach each point.

use super::plan::Plan;
use super::reading::Reading;
use super::state::{NOTHING, NOWHERE, States};
use factgate_ir::graph::PointId;
use std::collections::BinaryHeap;

/// The valuations that reach each point, before what happens there.
pub(super) struct Solved {
    pub(super) states: States,
    pub(super) at: Vec<u32>,
}

impl Solved {
    /// The valuations that reach a point.
    pub(super) fn valuations(&self, point: PointId) -> &[u32] {
        self.states.valuations(self.at[point.index()])
    }

    /// Whether any path leads to it.
    pub(super) fn is_reached(&self, point: PointId) -> bool {
        self.at[point.index()] != NOWHERE
    }
}

/// Runs to the fixpoint. States only grow, and a state that grew too large stays what it is: it ends.
pub(super) fn solve(reading: &Reading<'_>, plan: &Plan) -> Solved {
    let graph = reading.graph();
    let mut states = States::new(plan.cells.len());
    let mut at = vec![NOWHERE; graph.points.len()];
    let mut queued = vec![false; graph.points.len()];
    // Ids mostly fall along a path, so the highest first is near to the order of the program.
    let mut open = BinaryHeap::new();
    for root in &graph.roots {
        at[root.entry.index()] = states.join(at[root.entry.index()], NOTHING);
        open.push(root.entry);
        queued[root.entry.index()] = true;
    }
    while let Some(id) = open.pop() {
        queued[id.index()] = false;
        let out = states.move_state(at[id.index()], id.index(), &plan.ops[id.index()]);
        if out == NOWHERE {
            continue;
        }
        for next in graph.point(id).all_next() {
            let known = &mut at[next.index()];
            // A scope that is a part of a body starts where the body comes to it.
            let out = if reading.starts_at(id, next) { NOTHING } else { out };
            let joined = states.join(*known, out);
            if joined != *known {
                *known = joined;
                if !std::mem::replace(&mut queued[next.index()], true) {
                    open.push(next);
                }
            }
        }
    }
    Solved { states, at }
}
