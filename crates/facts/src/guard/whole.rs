//! Conditions of several parts, as wholes. Once `a && b` was tested it stays known until something that it mentions is
//! assigned, or until all of it is tested again with the other outcome: a later test of `a` alone does not undo it, unless
//! `a` is a call that now gave another answer.

use super::state::{Cell, UNKNOWN, Valuation};
use factgate_syntax::NodeId;
use std::collections::BTreeSet;

/// A formula over cells.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    /// One of the cells has this value.
    One {
        cells: Vec<usize>,
        value: bool,
    },
    All(Vec<Parts>),
    Any(Vec<Parts>),
    Constant(bool),
}

/// A formula of several parts, and the cell that says that it was known.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) cell: usize,
    pub(super) parts: Parts,
    /// Those of its cells whose conditions call something, which may answer otherwise the next time.
    pub(super) calls: BTreeSet<usize>,
}

impl Parts {
    /// Its cells.
    pub(super) fn cells(&self, found: &mut BTreeSet<usize>) {
        match self {
            Parts::One { cells, .. } => found.extend(cells),
            Parts::All(parts) | Parts::Any(parts) => parts.iter().for_each(|part| part.cells(found)),
            Parts::Constant(_) => {}
        }
    }

    /// Whether it holds, where that is known.
    fn truth(&self, cells: &[Cell]) -> Option<bool> {
        match self {
            Parts::One { cells: own, value } => {
                let is = |wanted: bool| own.iter().any(|&cell| matches!(cells[cell], Cell::Known(v, _) if v == wanted));
                if is(*value) { Some(true) } else { is(!*value).then_some(false) }
            }
            Parts::All(parts) => decided(parts, cells, false),
            Parts::Any(parts) => decided(parts, cells, true),
            Parts::Constant(value) => Some(*value),
        }
    }
}

/// The truth of parts of which one with the truth `deciding` is enough.
fn decided(parts: &[Parts], cells: &[Cell], deciding: bool) -> Option<bool> {
    let truths: Vec<_> = parts.iter().map(|part| part.truth(cells)).collect();
    if truths.contains(&Some(deciding)) {
        return Some(deciding);
    }
    truths.iter().all(Option::is_some).then_some(!deciding)
}

/// Those of `wholes` that have to do with the cells that a condition can set, with these.
pub(super) fn concerned(wholes: &[Whole], set: BTreeSet<usize>) -> (Vec<Whole>, BTreeSet<usize>) {
    let is_concerned = |whole: &&Whole| {
        let mut cells = BTreeSet::new();
        whole.parts.cells(&mut cells);
        !cells.is_disjoint(&set)
    };
    (wholes.iter().filter(is_concerned).cloned().collect(), set)
}

/// Brings the wholes of a valuation in line with what a condition made known; `set` are the cells that it can set.
pub(super) fn settle(
    before: &[Cell],
    mut after: Valuation,
    wholes: &[Whole],
    set: &BTreeSet<usize>,
    node: NodeId,
) -> Valuation {
    for whole in wholes {
        // Known true: none of its parts was tested since it became known; known false: it is still known, and one was.
        let fresh = match after[whole.cell] {
            Cell::Known(fresh, _) => Some(fresh),
            Cell::Unknown(_) | Cell::Among(_) => None,
        };
        let mut cells = BTreeSet::new();
        whole.parts.cells(&mut cells);
        let turned = |cell: &&usize| match (before[**cell], after[**cell]) {
            (Cell::Known(old, _), Cell::Known(new, _)) => old != new,
            _ => false,
        };
        let turned: BTreeSet<usize> = cells.iter().filter(turned).copied().collect();
        if fresh == Some(true) && !turned.is_subset(&whole.calls) {
            // No path at all, as far as the code says; what it shows is not put together with answers from before.
            cells.iter().filter(|cell| !set.contains(cell)).for_each(|&cell| after[cell] = UNKNOWN);
        }
        match whole.parts.truth(&after) {
            Some(false) => after[whole.cell] = UNKNOWN,
            Some(true) if fresh.is_none() => after[whole.cell] = Cell::Known(true, node),
            // A call gave another answer than before: what the old one showed is gone.
            None if !turned.is_disjoint(&whole.calls) => after[whole.cell] = UNKNOWN,
            Some(true) | None if fresh == Some(true) && !cells.is_disjoint(set) => {
                if let Cell::Known(_, since) = after[whole.cell] {
                    after[whole.cell] = Cell::Known(false, since);
                }
            }
            Some(true) => {}
            None => {}
        }
    }
    after
}
