//! Which local variables an analysis follows: those that hold a condition, a constant, or are tested more than once.

use super::compile::{Compiler, Meaning};
use crate::graph::{Action, PointId};
use factgate_syntax::{BindingId, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// Local variables followed in one analysis.
const MOST_LOCALS: usize = 6;

/// Which local variables are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locals {
    /// Those that hold a condition, a constant, or are tested twice.
    All,
    /// Those that hold a condition which says something about the guard.
    Holding,
    /// None.
    None,
}

impl Compiler<'_, '_> {
    /// Variables that hold a condition which says something, then those that hold it at one remove, and so on.
    pub(super) fn lay_out_locals(&mut self, locals: Locals) {
        if locals == Locals::None {
            return;
        }
        let assignments = self.assignments();
        let mut tests: BTreeMap<BindingId, usize> = BTreeMap::new();
        for leaf in &self.query.leaves {
            if let Some((binding, _)) = leaf.asks {
                *tests.entry(binding).or_default() += 1;
            }
        }
        self.follow_holding(&assignments, &tests);
        if locals == Locals::All {
            let flags: BTreeSet<BindingId> = self.given().into_iter().collect();
            // A test stands as two leaves where its condition was read twice: once as a test, once as a value.
            let wanted = tests.iter().filter(|&(b, &count)| count > 1 || flags.contains(b)).map(|(&b, _)| b);
            for binding in wanted {
                self.follow(binding);
            }
            self.follow_holding(&assignments, &tests);
        }
    }

    fn follow_holding(&mut self, assignments: &[(BindingId, Option<NodeId>)], tests: &BTreeMap<BindingId, usize>) {
        let mut more = true;
        while std::mem::take(&mut more) {
            for &(binding, value) in assignments {
                let is_new = tests.contains_key(&binding) && !self.is_followed(binding);
                let Some(known) = value.filter(|_| is_new).and_then(|value| self.query.values.get(&value)) else {
                    continue;
                };
                more |= self.held(known.node, known).says_something() && self.follow(binding);
            }
        }
    }

    fn is_followed(&self, binding: BindingId) -> bool {
        self.plan.cells.contains_key(&Meaning::Local(binding))
    }

    /// Whether there was room for one more.
    fn follow(&mut self, binding: BindingId) -> bool {
        let followed = self.plan.cells.keys().filter(|meaning| matches!(meaning, Meaning::Local(_))).count();
        let is_new = followed < MOST_LOCALS && !self.is_followed(binding);
        if is_new {
            self.cell(Meaning::Local(binding), Vec::new());
        }
        is_new
    }

    /// Variables that are given a constant, or nothing, somewhere.
    fn given(&self) -> Vec<BindingId> {
        let reading = self.query.reading;
        let is_flag = |id: PointId| match reading.graph.point(id).action {
            Action::Write { node, target, value } => {
                let shape = value.and_then(|value| self.query.values.get(&value)).map(|known| &known.shape);
                let is_flag = self.query.is_flag(value.unwrap_or(node), shape);
                reading.assigned(target).filter(|_| is_flag)
            }
            _ => None,
        };
        reading.graph.ids().filter_map(is_flag).collect()
    }

    /// Assignments to followed variables.
    fn assignments(&self) -> Vec<(BindingId, Option<NodeId>)> {
        let reading = self.query.reading;
        let assignment = |id: PointId| match reading.graph.point(id).action {
            Action::Write { target, value, .. } => {
                let binding = reading.assigned(target).filter(|binding| reading.locals.contains(binding))?;
                Some((binding, value))
            }
            _ => None,
        };
        let mut found: Vec<_> = reading.graph.ids().filter_map(assignment).collect();
        found.sort();
        found.dedup();
        found
    }
}
