//! Conditions of several parts, as wholes. Once `a && b` was tested it stays known until something that it reads is
//! assigned, or until all of it is tested again with the other outcome: a later test of `a` alone does not undo it, unless
//! `a` is a call that now gave another answer.

use super::classes::Classes;
use super::state::{Cell, Filter, Heard, UNKNOWN, Valuation};
use factgate_syntax::NodeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A formula over cells.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    /// One of these says so.
    One(Vec<Instance>),
    All(Vec<Parts>),
    Any(Vec<Parts>),
    Constant(bool),
}

/// A cell, and what its classes say of an atom's wanted outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) cell: usize,
    /// The classes for which the atom may have the wanted outcome.
    pub(super) good: Classes,
    /// Those for which it may have the other one.
    pub(super) bad: Classes,
}

/// A formula of several parts, and the cell that says that it was known.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) cell: usize,
    pub(super) parts: Parts,
    /// Its cells.
    pub(super) cells: BTreeSet<usize>,
    /// Those of its cells whose conditions call something, which may answer otherwise the next time.
    pub(super) calls: BTreeSet<usize>,
}

impl Instance {
    /// The atom's outcome, where that is known: whether it is the wanted one.
    pub(super) fn truth(&self, cells: &[Cell]) -> Option<bool> {
        match cells[self.cell] {
            Cell::Among(classes, _, _) if classes & self.bad == 0 => Some(true),
            Cell::Among(classes, _, _) if classes & self.good == 0 => Some(false),
            _ => None,
        }
    }
}

impl Parts {
    /// Its cells.
    pub(super) fn cells(&self, found: &mut BTreeSet<usize>) {
        match self {
            Parts::One(instances) => found.extend(instances.iter().map(|instance| instance.cell)),
            Parts::All(parts) | Parts::Any(parts) => parts.iter().for_each(|part| part.cells(found)),
            Parts::Constant(_) => {}
        }
    }

    /// Whether it holds, where that is known.
    pub(super) fn truth(&self, cells: &[Cell]) -> Option<bool> {
        match self {
            Parts::One(instances) => {
                let truths: Vec<_> = instances.iter().filter_map(|instance| instance.truth(cells)).collect();
                if truths.contains(&true) { Some(true) } else { truths.first().copied() }
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

/// A whole that was known, and of which nothing was tested since.
const FRESH: Classes = 1;
/// One of which a part was.
const OLDER: Classes = 2;

/// Brings the wholes of a valuation in line with what a test made known.
pub(super) fn settle(
    before: &[Cell],
    mut after: Valuation,
    wholes: &[Rc<Whole>],
    filters: &[Filter],
    node: NodeId,
) -> Valuation {
    let set: BTreeSet<usize> = filters.iter().map(|filter| filter.cell).collect();
    for whole in wholes {
        let is_fresh = match after[whole.cell] {
            Cell::Among(fresh, _, _) => Some(fresh == FRESH),
            Cell::Unknown(_) | Cell::Known(_) => None,
        };
        // A cell that no class is left of both ways: another answer than before.
        let turned = |cell: &&usize| match (before[**cell], after[**cell]) {
            (Cell::Among(old, _, _), Cell::Among(new, _, _)) => old & new == 0,
            _ => false,
        };
        let turned: BTreeSet<usize> = whole.cells.iter().filter(turned).copied().collect();
        if is_fresh == Some(true) && !turned.is_subset(&whole.calls) {
            // No path at all, as far as the code says; what it shows is not put together with answers from before.
            whole.cells.iter().filter(|cell| !set.contains(cell)).for_each(|&cell| after[cell] = UNKNOWN);
        }
        match whole.parts.truth(&after) {
            Some(false) => after[whole.cell] = UNKNOWN,
            Some(true) if is_fresh.is_none() => after[whole.cell] = Cell::Among(FRESH, node, Heard::Now),
            // A call gave another answer than before: what the old one showed is gone.
            None if !turned.is_disjoint(&whole.calls) => after[whole.cell] = UNKNOWN,
            Some(true) | None if is_fresh == Some(true) && !whole.cells.is_disjoint(&set) => {
                if let Cell::Among(_, since, _) = after[whole.cell] {
                    after[whole.cell] = Cell::Among(OLDER, since, Heard::Now);
                }
            }
            Some(true) | None => {}
        }
    }
    after
}
