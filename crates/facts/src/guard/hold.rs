//! What a value says when it is stored: the conditions in it are asked, and the variable that gets it holds the truth of
//! a condition, a constant, or what another variable holds.

use super::assumed::Assumed;
use super::compile::{Compiler, Meaning};
use super::flags::Classes;
use super::query::Known;
use super::shape::Shape;
use super::state::{Cell, Concerned, UNKNOWN, Valuation, assume};
use factgate_syntax::NodeId;
use std::collections::BTreeSet;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// One that is in a class of the first set when its condition is true, else of the second.
    Value { classes: [Classes; 2], copied: Option<usize>, assumed: Assumed },
    /// The first way where the test is true, else the second.
    Choice(Assumed, Box<[Held; 2]>),
}

impl Held {
    fn conditions(&self) -> Vec<&Assumed> {
        match self {
            Held::Value { assumed, .. } => vec![assumed],
            Held::Choice(test, ways) => {
                let below = ways.iter().flat_map(Held::conditions);
                std::iter::once(test).chain(below).collect()
            }
        }
    }

    /// Whether a condition in it says anything about an atom.
    pub(super) fn learns_something(&self) -> bool {
        self.conditions().iter().any(|condition| condition.learns_something())
    }

    /// Whether a condition in it says anything about a cell.
    pub(super) fn says_something(&self) -> bool {
        let says = |condition: &&Assumed| condition.says_something() && !matches!(condition, Assumed::Constant(_));
        self.conditions().iter().any(says)
    }

    /// Adds the cells that it can set.
    pub(super) fn sets(&self, found: &mut BTreeSet<usize>) {
        self.conditions().iter().for_each(|condition| condition.sets(found));
    }
}

/// The valuations behind a value that was stored.
pub(super) fn hold(
    cells: Valuation,
    held: &Held,
    cell: Option<usize>,
    concerned: &Concerned,
    node: NodeId,
) -> Vec<Valuation> {
    let mut all = Vec::new();
    for (at, outcome) in [true, false].into_iter().enumerate() {
        match held {
            Held::Choice(test, ways) => {
                let chosen = assume(cells.clone(), test, outcome, concerned, node).into_iter();
                all.extend(chosen.flat_map(|cells| hold(cells, &ways[at], cell, concerned, node)));
            }
            Held::Value { classes, copied, assumed } if classes[at] != 0 => {
                let mut values = assume(cells.clone(), assumed, outcome, concerned, node);
                if let Some(cell) = cell {
                    let of_copied = |cells: &Valuation| match copied.map(|copied| cells[copied]) {
                        Some(Cell::Among(copied)) => copied & classes[at],
                        _ => classes[at],
                    };
                    values.iter_mut().for_each(|cells| cells[cell] = Cell::Among(of_copied(cells)));
                    values.retain(|cells| cells[cell] != Cell::Among(0));
                }
                all.extend(values);
            }
            Held::Value { .. } => {}
        }
    }
    all
}

impl Compiler<'_, '_> {
    /// What a value says.
    pub(super) fn held(&self, value: NodeId, known: &Known) -> Held {
        if known.whole.is_empty() {
            return self.held_as(value, &known.shape);
        }
        self.one(value, self.assumed(known))
    }

    fn held_as(&self, value: NodeId, shape: &Shape) -> Held {
        let code = &self.query.reading.code;
        match (code.rules.choice(&code.tree, value), shape) {
            (Some([_, yes, no]), Shape::Choice(parts)) => {
                let [test, if_yes, if_no] = &**parts;
                let ways = [self.held_as(yes, if_yes), self.held_as(no, if_no)];
                Held::Choice(self.shape(test), Box::new(ways))
            }
            _ => self.one(value, self.shape(shape)),
        }
    }

    fn one(&self, value: NodeId, assumed: Assumed) -> Held {
        let flags = &self.query.flags;
        let classes = [true, false].map(|truth| flags.with_truth(truth) & flags.given(value));
        let copied = self.query.reading.local(value);
        let copied = copied.and_then(|binding| self.plan.cells.get(&Meaning::Local(binding)).copied());
        Held::Value { classes, copied, assumed }
    }

    /// The cell's content for a variable that is given this without a value.
    pub(super) fn without_value(&self, declaration: NodeId) -> Cell {
        let flags = &self.query.flags;
        if flags.is_given(declaration) { Cell::Among(flags.given(declaration)) } else { UNKNOWN }
    }
}
