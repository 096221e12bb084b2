//! The control-flow graph of one scope, built from the flow shapes of `factgate-syntax`.
//!
//! Points carry what happens there; edges say what can come next. A `finally` (or `defer`) stands once for each way
//! out of its block, so that a path through the graph is a path of the program. Every point of a protected body has a
//! second edge to where a raised error goes: what a `catch` knows is what was known before its `try`.

mod build;
mod reach;
mod walk;

use factgate_syntax::NodeId;
use factgate_syntax::condition::Condition;

pub use build::build;
pub use reach::{reachable, reaches};
pub use walk::{each, writes_of};

/// A point of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub(crate) u32);

impl PointId {
    /// Its index in [`Graph::points`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing: a fork or a place where ways meet.
    Pass,
    /// The node is evaluated; its operands were.
    Eval(NodeId),
    /// The function is suspended and resumed.
    Suspend(NodeId),
    /// A variable or property gets a new value.
    Write {
        /// The assigning node.
        node: NodeId,
        /// The target's node.
        target: NodeId,
        /// The node whose value it gets whole.
        value: Option<NodeId>,
    },
    /// From here on the condition had this outcome.
    Assume {
        /// Index into [`Graph::conditions`].
        condition: usize,
        /// Its outcome.
        outcome: bool,
        /// The node to show for the test.
        node: NodeId,
    },
    /// A function is made that may run from here on: index into [`Graph::closures`].
    Make(usize),
    /// The end of a path.
    Exit(Ending),
}

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The function returns.
    Return,
    /// It returns an error value.
    ErrorReturn,
    /// An error is raised out of it.
    Throw,
    /// The program ends, or the place cannot be reached.
    Never,
}

/// One point.
#[derive(Clone, Debug)]
pub struct Point {
    /// What happens.
    pub action: Action,
    /// Whether evaluating it can raise by itself (a call). Points of a protected body that cannot still have a
    /// [`Point::raise`], since nothing of a `try` is known behind it.
    pub raises: bool,
    /// Where a raised error goes.
    pub raise: Option<PointId>,
    next: Next,
}

/// Successors, without an allocation for the usual one or two.
#[derive(Clone, Debug, Default)]
struct Next {
    first: [Option<PointId>; 2],
    more: Vec<PointId>,
}

impl Next {
    fn push(&mut self, point: PointId) {
        if self.first.contains(&Some(point)) || self.more.contains(&point) {
            return;
        }
        match self.first.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(point),
            None => self.more.push(point),
        }
    }
}

impl Point {
    /// What can come next when nothing is raised.
    pub fn next(&self) -> impl Iterator<Item = PointId> + '_ {
        self.next.first.iter().flatten().copied().chain(self.next.more.iter().copied())
    }

    /// Every successor, raised errors included.
    pub fn all_next(&self) -> impl Iterator<Item = PointId> + '_ {
        self.next().chain(self.raise)
    }
}

/// Where knowledge starts from nothing: the scope itself, and each function made in it that is called later.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The function's node; `None` for the scope.
    pub node: Option<NodeId>,
    /// Its first point.
    pub entry: PointId,
}

/// A function that is made in the scope and called later.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Its node.
    pub node: NodeId,
    /// The targets that it (or a function inside it) assigns, with the assigning nodes.
    pub writes: Vec<(NodeId, NodeId)>,
}

/// The graph of one scope.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The points. Code that stands later mostly has the smaller id: the graph is built from its end.
    pub points: Vec<Point>,
    /// The conditions that [`Action::Assume`] points name.
    pub conditions: Vec<Condition>,
    /// Where paths start; the scope itself first.
    pub roots: Vec<Root>,
    /// Functions called later.
    pub closures: Vec<Closure>,
}

impl Graph {
    /// The point behind an id.
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.points.len() as u32).map(PointId)
    }
}

/// What the graph's builder is told beside the flow.
pub struct Hooks<'h> {
    /// What a test's node makes known.
    pub condition: &'h dyn Fn(NodeId) -> Condition,
    /// The nodes that are known true once this node was evaluated (listed assertions).
    pub asserted: &'h dyn Fn(NodeId) -> Vec<NodeId>,
    /// Whether evaluating this node never comes back (listed calls).
    pub ends: &'h dyn Fn(NodeId) -> bool,
    /// Whether this node comes back after all, though it looks like a call that never does: what it names is another
    /// thing there.
    pub returns: &'h dyn Fn(NodeId) -> bool,
}

#[cfg(test)]
mod tests;
