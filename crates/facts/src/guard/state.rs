//! What is known at a point: a set of valuations, kept as small numbers.
//!
//! A valuation says of every tracked cell (an atom of a condition, an `after` node, a local variable) whether it is
//! known, with the node that made it so. Keeping whole valuations and not a cell at a time is what makes `a || b`,
//! De Morgan and a variable that holds a condition exact.

use super::assumed::Assumed;
use super::compile::Ops;
use super::flags::Classes;
use super::hold::{Held, hold};
use super::whole::{Whole, settle};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a valuation says of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cell {
    /// Nothing is known, and why.
    Unknown(Why),
    /// Known, by this node.
    Known(bool, NodeId),
    /// Of a local variable: its value is in one of these classes.
    Among(Classes),
}

/// Why nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Why {
    /// It was never tested.
    Never,
    /// This node assigned something that it mentions.
    Reassigned(NodeId),
    /// This node came between.
    Interrupted(NodeId),
    /// This node made the check stale.
    Stale(NodeId),
    /// The check at this node came before any `since` node.
    TooEarly(NodeId),
}

pub(super) const UNKNOWN: Cell = Cell::Unknown(Why::Never);

/// A valuation: one [`Cell`] for each tracked cell.
pub(super) type Valuation = Box<[Cell]>;

/// Valuations in one state beyond which nothing is held known any more.
const MOST: usize = 192;

/// The states of one analysis. Equal states have equal numbers, and what was computed once is remembered.
pub(super) struct States {
    width: usize,
    valuations: Vec<Valuation>,
    valuation_ids: HashMap<Valuation, u32>,
    states: Vec<Vec<u32>>,
    state_ids: HashMap<Vec<u32>, u32>,
    moved: HashMap<(usize, u32), Vec<u32>>,
    joined: HashMap<(u32, u32), u32>,
    pub(super) collapsed: bool,
}

/// The state of a point that no path reaches.
pub(super) const NOWHERE: u32 = 0;
/// The state in which a root starts: nothing is known.
pub(super) const NOTHING: u32 = 1;
/// The state of a point with too many valuations: nothing is held known, whatever else arrives.
const TOO_MUCH: u32 = 2;

impl States {
    pub(super) fn new(width: usize) -> States {
        let mut states = States {
            width,
            valuations: Vec::new(),
            valuation_ids: HashMap::default(),
            states: Vec::new(),
            state_ids: HashMap::default(),
            moved: HashMap::default(),
            joined: HashMap::default(),
            collapsed: false,
        };
        states.state(Vec::new());
        let blank = states.blank();
        states.state(vec![blank]);
        states.states.push(vec![blank]);
        states
    }

    /// The number of the valuation that knows nothing.
    pub(super) fn blank(&mut self) -> u32 {
        self.valuation(vec![UNKNOWN; self.width].into())
    }

    pub(super) fn valuations(&self, state: u32) -> &[u32] {
        &self.states[state as usize]
    }

    pub(super) fn cells(&self, valuation: u32) -> &[Cell] {
        &self.valuations[valuation as usize]
    }

    fn valuation(&mut self, cells: Valuation) -> u32 {
        if let Some(&id) = self.valuation_ids.get(&cells) {
            return id;
        }
        let id = self.valuations.len() as u32;
        self.valuations.push(cells.clone());
        self.valuation_ids.insert(cells, id);
        id
    }

    fn state(&mut self, mut valuations: Vec<u32>) -> u32 {
        valuations.sort_unstable();
        valuations.dedup();
        if valuations.len() > MOST {
            self.collapsed = true;
            return TOO_MUCH;
        }
        if let Some(&id) = self.state_ids.get(&valuations) {
            return id;
        }
        let id = self.states.len() as u32;
        self.states.push(valuations.clone());
        self.state_ids.insert(valuations, id);
        id
    }

    /// The union of two states.
    pub(super) fn join(&mut self, left: u32, right: u32) -> u32 {
        match (left, right) {
            (NOWHERE, other) | (other, NOWHERE) => other,
            (TOO_MUCH, _) | (_, TOO_MUCH) => TOO_MUCH,
            _ if left == right => left,
            _ => {
                let key = (left.min(right), left.max(right));
                if let Some(&known) = self.joined.get(&key) {
                    return known;
                }
                let both = [self.valuations(left), self.valuations(right)].concat();
                let joined = self.state(both);
                self.joined.insert(key, joined);
                joined
            }
        }
    }

    /// The state behind a point with these operations.
    pub(super) fn move_state(&mut self, state: u32, at: usize, ops: &Ops) -> u32 {
        if ops.is_empty() {
            return state;
        }
        let before = self.states[state as usize].clone();
        let mut after = Vec::with_capacity(before.len());
        for valuation in before {
            after.extend_from_slice(self.move_valuation(valuation, at, ops));
        }
        self.state(after)
    }

    /// What becomes of one valuation: none when it cannot pass, several when it forks.
    pub(super) fn move_valuation(&mut self, valuation: u32, at: usize, ops: &Ops) -> &[u32] {
        if !self.moved.contains_key(&(at, valuation)) {
            let mut open = vec![self.valuations[valuation as usize].clone()];
            for op in &ops.list {
                open = open.into_iter().flat_map(|cells| op.apply(cells)).collect();
                open.sort_unstable();
                open.dedup();
                if open.len() > MOST {
                    self.collapsed = true;
                    open = vec![vec![UNKNOWN; self.width].into()];
                }
            }
            let moved = open.into_iter().map(|cells| self.valuation(cells)).collect();
            self.moved.insert((at, valuation), moved);
        }
        &self.moved[&(at, valuation)]
    }
}

/// The wholes that a condition says something about, and the cells that it can set.
pub(super) type Concerned = Rc<(Vec<Whole>, BTreeSet<usize>)>;

/// One thing that a point does to a valuation.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// The cell is no longer known, for this reason.
    Kill { cell: usize, why: Why },
    /// The cell is known true.
    Pass { cell: usize, node: NodeId },
    /// A condition had an outcome.
    Assume { assumed: Rc<Assumed>, outcome: bool, concerned: Concerned, node: NodeId },
    /// A value was made, and the conditions in it asked; it is stored in a variable that is followed, or elsewhere.
    Hold { cell: Option<usize>, held: Rc<Held>, node: NodeId, concerned: Concerned },
    /// A variable holds this.
    Set { cell: usize, to: Cell },
}

impl Op {
    pub(super) fn apply(&self, mut cells: Valuation) -> Vec<Valuation> {
        match self {
            Op::Kill { cell, why } => {
                if matches!(cells[*cell], Cell::Known(..)) {
                    cells[*cell] = Cell::Unknown(*why);
                }
                vec![cells]
            }
            Op::Pass { cell, node } => {
                cells[*cell] = Cell::Known(true, *node);
                vec![cells]
            }
            Op::Assume { assumed, outcome, concerned, node } => assume(cells, assumed, *outcome, concerned, *node),
            Op::Hold { cell, held, node, concerned } => hold(cells, held, *cell, concerned, *node),
            Op::Set { cell, to } => {
                cells[*cell] = *to;
                vec![cells]
            }
        }
    }
}

/// What is left of a valuation when a condition has an outcome.
pub(super) fn assume(
    cells: Valuation,
    assumed: &Assumed,
    outcome: bool,
    concerned: &Concerned,
    node: NodeId,
) -> Vec<Valuation> {
    let (wholes, set) = &**concerned;
    if wholes.is_empty() {
        return assumed.assume(vec![cells], outcome);
    }
    let left = assumed.assume(vec![cells.clone()], outcome);
    left.into_iter().map(|after| settle(&cells, after, wholes, set, node)).collect()
}
