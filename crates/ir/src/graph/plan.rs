//! What the builder of the graph is told: who is put in where, and what is known at a mark.

use super::{FrameId, Graph, Role, Until};
use crate::{BodyRef, NodeId, Op, Times, ValueId};

/// What the builder asks. A plan that answers nothing gives the graph of the bodies alone, in which every operation is
/// an [`super::Action::Op`].
pub trait Plan {
    /// Who runs at the operation. None when it is to stand as [`super::Action::Op`].
    fn ways(&self, _site: &Site<'_, '_>) -> Option<Ways> {
        None
    }

    /// What is known behind the mark of this node.
    fn known(&self, _graph: &Graph<'_>, _frame: FrameId, _node: NodeId) -> Known {
        Known::Nothing
    }

    /// Whether this node, which the lowering takes for the end of the program, comes back: what it names is another
    /// thing there.
    fn comes_back(&self, _graph: &Graph<'_>, _frame: FrameId, _node: NodeId) -> bool {
        false
    }

    /// Whether a body that was left out somewhere is to be a root as well.
    fn also_root(&self, _body: BodyRef) -> bool {
        false
    }
}

impl Plan for () {}

/// An operation in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Site<'g, 'w> {
    /// What is built so far. Its frames are complete as far as this operation is concerned.
    pub graph: &'g Graph<'w>,
    /// The frame.
    pub frame: FrameId,
    /// The operation.
    pub op: &'w Op,
}

/// Who runs at an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Bodies to put in. What cannot be put in is left to [`super::Action::Rest`].
    pub put_in: Vec<PutIn>,
    /// Bodies that run here and are not to be put in.
    pub left: Vec<BodyRef>,
    /// Whether something that nobody can see may run, or for an access, nobody.
    pub unread: bool,
    /// Functions that the operation calls, when none of `put_in` does it.
    pub callbacks: Vec<Callback>,
    /// Whether the operation never comes back.
    pub never: bool,
}

/// A body to put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutIn {
    /// The body.
    pub body: BodyRef,
    /// What for.
    pub role: Role,
    /// The frame of the body around it, when it is known which run of that body made the function.
    pub outer: Option<FrameId>,
    /// How long the operation waits for it.
    pub until: Until,
}

/// A function that an unread call runs before it comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// Which one: each is a way.
    pub put_in: Vec<PutIn>,
    /// How often.
    pub times: Times,
    /// Where its errors go.
    pub errors: Errors,
}

/// Where errors of a callback go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Through the call.
    Through,
    /// The call comes back all the same.
    Caught,
}

/// What is known behind a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// The program does not go on.
    Never,
    /// The value counts as true, or else it raised.
    Truth(ValueId),
}

/// How large a graph may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Points beyond which no body is put in.
    pub points: usize,
    /// Frames below one root.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { points: 40_000, depth: 8 }
    }
}
