//! Which local variables an analysis follows: those that hold a condition, a constant, or are tested more than once.

use super::assumed::Assumed;
use super::compile::{Compiler, Meaning};
use super::query::Known;
use super::reading::Shape;
use crate::graph::{Action, PointId};
use factgate_syntax::{BindingId, NodeId};
use std::collections::BTreeMap;

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
            if let Some(binding) = leaf.local {
                *tests.entry(binding).or_default() += 1;
            }
        }
        let mut chosen = 0;
        let mut more = true;
        while std::mem::take(&mut more) && chosen < MOST_LOCALS {
            for &(binding, value) in &assignments {
                let is_new = tests.contains_key(&binding) && !self.plan.cells.contains_key(&Meaning::Local(binding));
                let Some(known) = value.and_then(|value| self.query.values.get(&value)) else { continue };
                let assumed = self.assumed(known);
                let says = assumed.says_something() && !matches!(assumed, Assumed::Constant(_));
                if is_new && says && chosen < MOST_LOCALS {
                    self.cell(Meaning::Local(binding), Vec::new());
                    (chosen, more) = (chosen + 1, true);
                }
            }
        }
        if locals == Locals::All {
            let constant = |binding: BindingId| {
                let is_constant = |known: &Known| matches!(known.shape, Shape::Constant(_));
                assignments.iter().any(|&(other, value)| {
                    other == binding && value.and_then(|value| self.query.values.get(&value)).is_some_and(is_constant)
                })
            };
            // A test stands as two leaves where its condition was read twice: once as a test, once as a value.
            let wanted: Vec<_> =
                tests.iter().filter(|&(&b, &count)| count > 1 || constant(b)).map(|(&b, _)| b).collect();
            for binding in wanted.into_iter().take(MOST_LOCALS.saturating_sub(chosen)) {
                self.cell(Meaning::Local(binding), Vec::new());
            }
        }
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
