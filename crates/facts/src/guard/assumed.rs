//! Conditions of the code over the cells of an analysis, and what their outcome does to a valuation.

use super::asked::Asked;
use super::flags::Classes;
use super::state::{Cell, Valuation, Why};
use factgate_syntax::NodeId;
use std::collections::BTreeSet;

/// A condition over cells.
#[derive(Clone, Debug)]
pub(super) enum Assumed {
    Leaf {
        filter: Option<Filter>,
        learns: Vec<Learn>,
        node: NodeId,
        asked: Asked,
    },
    Not(Box<Assumed>),
    All(Vec<Assumed>),
    Any(Vec<Assumed>),
    Same(Vec<Assumed>),
    /// The first; and where it is true, the second is true too.
    Also(Box<Assumed>, Box<Assumed>),
    /// The second where the first is true, else the third.
    Choice(Box<[Assumed; 3]>),
    Constant(bool),
}

/// What a leaf's outcome says about a local variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) cell: usize,
    /// The classes that the variable may be in when the leaf is true, and when it is false.
    pub(super) when: [Classes; 2],
}

/// What a leaf's outcome says about a cell.
#[derive(Clone, Debug)]
pub(super) struct Learn {
    pub(super) cell: usize,
    /// The cell's value when the leaf is true, and when it is false.
    pub(super) on: [Option<bool>; 2],
    /// The cell of the `since` node that must have been passed.
    pub(super) since: Option<usize>,
    /// The cells of the variables that must still stand for what they were spelled out as.
    pub(super) needs: Vec<usize>,
}

impl Assumed {
    /// The valuations that are left, and what they know, when the condition has this outcome.
    pub(super) fn assume(&self, valuations: Vec<Valuation>, outcome: bool) -> Vec<Valuation> {
        match self {
            Assumed::Constant(value) => {
                if *value == outcome {
                    valuations
                } else {
                    Vec::new()
                }
            }
            Assumed::Not(inner) => inner.assume(valuations, !outcome),
            Assumed::Same(parts) => parts.iter().fold(valuations, |left, part| part.assume(left, outcome)),
            Assumed::Also(first, second) => {
                let left = first.assume(valuations, outcome);
                if outcome {
                    return second.assume(left, true);
                }
                // It was asked, and may have any outcome.
                let mut all = second.assume(left.clone(), true);
                all.extend(second.assume(left, false));
                all
            }
            Assumed::Choice(parts) => {
                let [test, yes, no] = &**parts;
                let mut all = yes.assume(test.assume(valuations.clone(), true), outcome);
                all.extend(no.assume(test.assume(valuations, false), outcome));
                all
            }
            Assumed::All(parts) if outcome => parts.iter().fold(valuations, |left, part| part.assume(left, true)),
            Assumed::Any(parts) if !outcome => parts.iter().fold(valuations, |left, part| part.assume(left, false)),
            Assumed::All(parts) | Assumed::Any(parts) => {
                // The first part that decides; those before it had the other outcome.
                let mut before = valuations;
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.assume(before.clone(), outcome));
                    before = part.assume(before, !outcome);
                }
                all
            }
            Assumed::Leaf { filter, learns, node, asked } => {
                let fits = |cells: &Valuation| *asked == Asked::Anew || is_answer(cells, learns, outcome);
                let valuations = valuations.into_iter().filter(fits);
                let one = |cells: Valuation| learn(cells, *filter, learns, *node, outcome);
                valuations.filter_map(one).collect()
            }
        }
    }

    /// Adds the cells that it can set.
    pub(super) fn sets(&self, found: &mut BTreeSet<usize>) {
        match self {
            Assumed::Leaf { learns, .. } => found.extend(learns.iter().map(|learn| learn.cell)),
            Assumed::Not(inner) => inner.sets(found),
            Assumed::All(parts) | Assumed::Any(parts) | Assumed::Same(parts) => {
                parts.iter().for_each(|part| part.sets(found));
            }
            Assumed::Also(first, second) => [first, second].iter().for_each(|part| part.sets(found)),
            Assumed::Choice(parts) => parts.iter().for_each(|part| part.sets(found)),
            Assumed::Constant(_) => {}
        }
    }

    /// Whether it says anything about an atom.
    pub(super) fn learns_something(&self) -> bool {
        match self {
            Assumed::Leaf { learns, .. } => !learns.is_empty(),
            Assumed::Not(inner) => inner.learns_something(),
            Assumed::All(parts) | Assumed::Any(parts) | Assumed::Same(parts) => {
                parts.iter().any(Assumed::learns_something)
            }
            Assumed::Also(first, second) => first.learns_something() || second.learns_something(),
            Assumed::Choice(parts) => parts.iter().any(Assumed::learns_something),
            Assumed::Constant(_) => false,
        }
    }

    /// Whether it says anything about a cell.
    pub(super) fn says_something(&self) -> bool {
        match self {
            Assumed::Leaf { filter, learns, .. } => filter.is_some() || !learns.is_empty(),
            Assumed::Not(inner) => inner.says_something(),
            Assumed::All(parts) | Assumed::Any(parts) | Assumed::Same(parts) => {
                parts.iter().any(Assumed::says_something)
            }
            Assumed::Also(first, second) => first.says_something() || second.says_something(),
            Assumed::Choice(parts) => parts.iter().any(Assumed::says_something),
            Assumed::Constant(_) => true,
        }
    }
}

/// Whether an answer is the one that is there.
fn is_answer(cells: &[Cell], learns: &[Learn], outcome: bool) -> bool {
    learns.iter().all(|learn| match (learn.on[usize::from(!outcome)], cells[learn.cell]) {
        (Some(value), Cell::Known(known, _)) => value == known,
        _ => true,
    })
}

fn learn(
    mut cells: Valuation,
    filter: Option<Filter>,
    learns: &[Learn],
    node: NodeId,
    outcome: bool,
) -> Option<Valuation> {
    if let Some(Filter { cell, when }) = filter {
        let left = match cells[cell] {
            Cell::Among(classes) => classes & when[usize::from(!outcome)],
            _ => when[usize::from(!outcome)],
        };
        if left == 0 {
            return None;
        }
        cells[cell] = Cell::Among(left);
    }
    for learn in learns {
        let stand = learn.needs.iter().all(|&need| matches!(cells[need], Cell::Known(true, _)));
        let gone = learn.needs.iter().find_map(|&need| match cells[need] {
            Cell::Unknown(why) if why != Why::Never => Some(why),
            _ => None,
        });
        if let (Some(why), Cell::Unknown(Why::Never)) = (gone, cells[learn.cell]) {
            cells[learn.cell] = Cell::Unknown(why);
        }
        if let Some(value) = learn.on[usize::from(!outcome)].filter(|_| stand) {
            let fresh = learn.since.is_none_or(|since| matches!(cells[since], Cell::Known(true, _)));
            let is_known = matches!(cells[learn.cell], Cell::Known(known, _) if known == value);
            cells[learn.cell] = match fresh {
                // What was known already is shown by the first check.
                true if is_known => cells[learn.cell],
                true => Cell::Known(value, node),
                false => Cell::Unknown(Why::TooEarly(node)),
            };
        }
    }
    Some(cells)
}
