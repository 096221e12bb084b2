//! The control-flow graph: points with what happens there, and edges to what can come next.
//!
//! Code that leaves crosses what runs on the way out, so a `finally` or `defer` stands once for each way: a path through
//! the graph is a path of the program. Every point of a protected body has a second edge to where a raised error goes:
//! what a `catch` knows is what was known before its `try`. Bodies that a [`Plan`] names are put in at their calls, each
//! in a [`Frame`] of its own.

mod build;
mod plan;
mod print;
mod put;
mod reach;

use crate::{Atom, BodyRef, Exit, NodeId, Op, OpId, UnitRef, ValueId, VarId, World};
use std::collections::BTreeSet;

pub use build::build;
pub use plan::{Callback, Errors, Known, Limits, Plan, PutIn, Site, Ways};
pub use reach::{reachable, reaches};

/// A point of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub(crate) u32);

/// A frame of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(pub(crate) u32);

impl PointId {
    /// Its index in [`Graph::points`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FrameId {
    /// Its index in [`Graph::frames`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<'w> {
    /// Nothing: a fork or a place where ways meet.
    Pass,
    /// An operation that runs no body.
    Op(&'w Op),
    /// An operation that runs bodies which are put in behind: nothing has happened yet. Its ways are an [`Action::Enter`]
    /// for each body and perhaps an [`Action::Rest`].
    Call(&'w Op),
    /// The same operation as far as no body of it was put in: what it does by itself (a plain read or write, an unread
    /// call), and these bodies.
    Rest {
        /// The operation.
        op: &'w Op,
        /// The bodies that may run here and are not put in.
        left: Vec<BodyRef>,
        /// Whether something that nobody can see may run instead, or for an access, nobody.
        unread: bool,
    },
    /// The body of this frame starts: its parameters get the arguments.
    Enter(FrameId),
    /// The body of this frame has ended: the operation gives what its last `Return` (or `ErrorReturn`) said.
    Back(FrameId),
    /// The test had this outcome.
    Assume {
        /// What was asked.
        atom: Atom,
        /// Its outcome.
        outcome: bool,
        /// The node to show for the test.
        node: NodeId,
    },
    /// A raised error is caught, and is this value.
    Caught(Option<ValueId>),
    /// The code leaves, with this value. What runs on the way out comes behind. The end of a body is a `Return` of no
    /// value.
    Leave(Exit, Option<ValueId>),
    /// The end of a path.
    Exit(Ending),
}

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// The body of the root returns.
    Return,
    /// It returns an error value.
    ErrorReturn,
    /// An error is raised out of it.
    Raise,
    /// The program ends, or the place cannot be reached.
    Never,
}

/// One point.
#[derive(Clone, Debug)]
pub struct Point<'w> {
    /// What happens.
    pub action: Action<'w>,
    /// The frame whose values and variables it speaks of. For `Enter` and `Back` that of the caller.
    pub frame: FrameId,
    /// The node that it comes from, in the unit of its frame; none for points that only join.
    pub node: Option<NodeId>,
    /// Whether it can raise by itself. Points of a protected body that cannot still have a [`Point::raise`].
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

impl<'w> Point<'w> {
    /// What can come next when nothing is raised. Of a `Yield` that is also the way out, when it is left there.
    pub fn next(&self) -> impl Iterator<Item = PointId> + '_ {
        self.next.first.iter().flatten().copied().chain(self.next.more.iter().copied())
    }

    /// Every successor, raised errors included.
    pub fn all_next(&self) -> impl Iterator<Item = PointId> + '_ {
        self.next().chain(self.raise)
    }

    /// The operation that happens here: of `Op` and `Rest`, and the one that starts at a `Call`.
    pub fn op(&self) -> Option<&'w Op> {
        match self.action {
            Action::Op(op) | Action::Call(op) | Action::Rest { op, .. } => Some(op),
            _ => None,
        }
    }
}

/// One run of a body: of a root, or put in at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The body.
    pub body: BodyRef,
    /// What it was put in for.
    pub role: Role,
    /// The frame and operation that run it; none for a root.
    pub caller: Option<(FrameId, OpId)>,
    /// The frame of the body around it, whose variables it means by their names. None when that is no frame of the
    /// graph, or nobody knows which run of it.
    pub outer: Option<FrameId>,
    /// How many frames are below it.
    pub depth: usize,
    /// How long the operation that runs it waits for it.
    pub until: Until,
}

/// How long an operation waits for the body that it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until it ends.
    End,
    /// Until it first waits, or ends before: an async function whose promise nobody awaits there. From each suspension
    /// in it one way leads back to the operation, and one on in the body, while the code behind the operation runs.
    FirstWait,
}

/// What a body was put in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A root.
    Root,
    /// It is called, with the arguments of the operation.
    Callee,
    /// It is called by something that cannot be read, with arguments that nobody knows.
    Callback,
    /// It reads a member.
    Getter,
    /// It writes a member.
    Setter,
}

/// Where knowledge starts from nothing.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Its frame.
    pub frame: FrameId,
    /// Its first point, an `Enter`.
    pub entry: PointId,
}

/// The graph of some bodies of a world.
#[derive(Clone, Debug, Default)]
pub struct Graph<'w> {
    /// The points. Code that stands later mostly has the smaller id: the graph is built from its end.
    pub points: Vec<Point<'w>>,
    /// The frames.
    pub frames: Vec<Frame>,
    /// Where paths start, in the order of asking.
    pub roots: Vec<Root>,
    /// Bodies that the plan wanted to put in and that were left out somewhere: they run already, or the graph is full.
    pub left_out: BTreeSet<BodyRef>,
}

impl<'w> Graph<'w> {
    /// The point behind an id.
    pub fn point(&self, id: PointId) -> &Point<'w> {
        &self.points[id.index()]
    }

    /// The frame behind an id.
    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.index()]
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.points.len() as u32).map(PointId)
    }

    /// The unit of a frame.
    pub fn unit(&self, frame: FrameId) -> UnitRef {
        self.frame(frame).body.unit
    }

    /// The frame whose variable this is, as the frame at hand names it. None when it is a variable of a run that is no
    /// frame of the graph: of the file itself, or of some run of a body around.
    pub fn owner(&self, world: &dyn World, frame: FrameId, var: VarId) -> Option<FrameId> {
        let owner = world.unit(self.unit(frame)).var(var).owner;
        let mut here = Some(frame);
        while let Some(frame) = here {
            let known = self.frame(frame);
            if known.body.body == owner {
                return here;
            }
            here = known.outer;
        }
        None
    }

    /// The innermost frame, of those that run while this one does, whose caller goes on at a suspension.
    pub fn apart(&self, frame: FrameId) -> Option<FrameId> {
        let caller = |&frame: &FrameId| self.frame(frame).caller.map(|(caller, _)| caller);
        std::iter::successors(Some(frame), caller).find(|&frame| self.frame(frame).until == Until::FirstWait)
    }

    /// The bodies that run while the frame does: its own and those of its callers.
    pub fn stack(&self, frame: FrameId) -> impl Iterator<Item = BodyRef> + '_ {
        let mut here = Some(frame);
        std::iter::from_fn(move || {
            let known = self.frame(here?);
            here = known.caller.map(|(caller, _)| caller);
            Some(known.body)
        })
    }
}
