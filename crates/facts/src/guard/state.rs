//! What is known at a point: a set of valuations, kept as small numbers.
//!
//! A valuation says of every tracked cell (what a value may be, whether a node was passed) what is known, with the node
//! that made it so. Keeping whole valuations and not a cell at a time is what makes `a || b`, De Morgan and a variable
//! that holds a condition exact.

use super::classes::Classes;
use super::whole::{Whole, settle};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// What a valuation says of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cell {
    /// Nothing is known, and why.
    Unknown(Why),
    /// It was passed, or still stands, by this node.
    Known(NodeId),
    /// The value is in one of these classes; the test that said so last, and whether it would still be heard.
    Among(Classes, NodeId, Heard),
}

/// Whether an answer that contradicts one may come behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Heard {
    /// Only code that is followed ran since.
    Now,
    /// Code out of sight ran since. It is taken to have changed nothing, but who asks again is answered.
    Before,
}

/// Why nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Why {
    /// It was never tested.
    Never,
    /// This node assigned something that it reads.
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
    moved: HashMap<(usize, u32), Rc<[u32]>>,
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

    pub(super) fn valuation(&mut self, cells: Valuation) -> u32 {
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
    pub(super) fn move_state(&mut self, state: u32, at: usize, ops: &[Op]) -> u32 {
        if ops.is_empty() {
            return state;
        }
        let before = self.states[state as usize].clone();
        let mut after = Vec::with_capacity(before.len());
        for valuation in before {
            after.extend_from_slice(&self.move_valuation(valuation, at, ops));
        }
        self.state(after)
    }

    /// What becomes of one valuation: none when it cannot pass, several when it forks.
    pub(super) fn move_valuation(&mut self, valuation: u32, at: usize, ops: &[Op]) -> Rc<[u32]> {
        if let Some(moved) = self.moved.get(&(at, valuation)) {
            return moved.clone();
        }
        let mut open = vec![self.valuations[valuation as usize].clone()];
        for op in ops {
            open = open.into_iter().flat_map(|cells| op.apply(cells)).collect();
            open.sort_unstable();
            open.dedup();
            if open.len() > MOST {
                self.collapsed = true;
                open = vec![vec![UNKNOWN; self.width].into()];
            }
        }
        let moved: Rc<[u32]> = open.into_iter().map(|cells| self.valuation(cells)).collect();
        self.moved.insert((at, valuation), moved.clone());
        moved
    }
}

/// One thing that a point does to a valuation.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// The cell is no longer known, for this reason.
    Kill { cell: usize, why: Why },
    /// The cell is known.
    Pass { cell: usize, node: NodeId },
    /// A value gets another cell's classes, as far as they are among these; without another one, these.
    Set { cell: usize, from: Option<usize>, classes: Classes, node: NodeId },
    /// Nobody looks at the cell any more, or nothing is known of it without a reason.
    Forget { cell: usize },
    /// Code out of sight ran.
    Reopen { cell: usize },
    /// A test had an outcome.
    Assume(Rc<Assumed>),
    /// One of these happens, each with a valuation of its own.
    Fork(Rc<[Vec<Op>]>),
}

/// What the outcome of one test says.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) filters: Vec<Filter>,
    /// The formulas of several parts that it has to do with.
    pub(super) wholes: Vec<Rc<Whole>>,
    pub(super) node: NodeId,
    /// Which outcome it is.
    pub(super) outcome: bool,
    /// Whether it is a test, and not an assignment.
    pub(super) is_test: bool,
}

/// What an outcome says about one cell.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    pub(super) cell: usize,
    /// The classes that the value may be in.
    pub(super) among: Classes,
    /// The cell of the `since` node that must have been passed.
    pub(super) since: Option<usize>,
    /// The cells that say that the value is still what is asked about.
    pub(super) needs: Vec<usize>,
    /// What an answer means that contradicts the one before.
    pub(super) last: Last,
}

/// What an answer means that contradicts the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// No path comes here: the value is the very same.
    Contradicts,
    /// It is another answer, and takes the place of the one before.
    Counts,
}

impl Op {
    pub(super) fn apply(&self, mut cells: Valuation) -> Vec<Valuation> {
        match self {
            Op::Kill { cell, why } => {
                if !matches!(cells[*cell], Cell::Unknown(_)) {
                    cells[*cell] = Cell::Unknown(*why);
                }
                vec![cells]
            }
            Op::Pass { cell, node } => {
                cells[*cell] = Cell::Known(*node);
                vec![cells]
            }
            Op::Set { cell, from, classes, node } => {
                let (among, node) = match from.map(|from| cells[from]) {
                    Some(Cell::Among(known, node, _)) => (known & classes, node),
                    _ => (*classes, *node),
                };
                cells[*cell] = Cell::Among(among, node, Heard::Now);
                if among == 0 { Vec::new() } else { vec![cells] }
            }
            Op::Forget { cell } => {
                cells[*cell] = UNKNOWN;
                vec![cells]
            }
            Op::Reopen { cell } => {
                if let Cell::Among(_, _, heard) = &mut cells[*cell] {
                    *heard = Heard::Before;
                }
                vec![cells]
            }
            Op::Assume(assumed) => assumed.apply(cells).into_iter().collect(),
            Op::Fork(ways) => ways.iter().flat_map(|way| run(way, cells.clone())).collect(),
        }
    }
}

fn run(ops: &[Op], cells: Valuation) -> Vec<Valuation> {
    let mut open = vec![cells];
    for op in ops {
        open = open.into_iter().flat_map(|cells| op.apply(cells)).collect();
    }
    open
}

impl Assumed {
    /// What is left of a valuation.
    fn apply(&self, mut cells: Valuation) -> Option<Valuation> {
        let before = if self.wholes.is_empty() { None } else { Some(cells.clone()) };
        for filter in &self.filters {
            filter.apply(&mut cells, self.node)?;
        }
        match before {
            Some(before) => Some(settle(&before, cells, &self.wholes, &self.filters, self.node)),
            None => Some(cells),
        }
    }
}

impl Filter {
    fn apply(&self, cells: &mut [Cell], node: NodeId) -> Option<()> {
        let unmet = self.needs.iter().find(|&&need| !matches!(cells[need], Cell::Known(_)));
        if let Some(&need) = unmet {
            if let (Cell::Unknown(why), Cell::Unknown(Why::Never)) = (cells[need], cells[self.cell])
                && why != Why::Never
            {
                cells[self.cell] = Cell::Unknown(why);
            }
            return Some(());
        }
        let left = match cells[self.cell] {
            // The last answer counts: what was tested before and says the opposite is forgotten.
            Cell::Among(known, _, heard)
                if known & self.among == 0 && (self.last == Last::Counts || heard == Heard::Before) =>
            {
                self.among
            }
            Cell::Among(known, ..) => known & self.among,
            _ => self.among,
        };
        if left == 0 {
            return None;
        }
        let is_fresh = self.since.is_none_or(|since| matches!(cells[since], Cell::Known(_)));
        match is_fresh {
            // The nearest check shows it.
            true => cells[self.cell] = Cell::Among(left, node, Heard::Now),
            false => cells[self.cell] = Cell::Unknown(Why::TooEarly(node)),
        }
        Some(())
    }
}
