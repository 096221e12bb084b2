//! What lies beyond a unit.

use crate::{BodyRef, OpRef, Unit, UnitRef};

/// What lies beyond a unit: other units, and who is called. The graph, the engine and nobody else ask it.
pub trait World {
    /// The unit.
    fn unit(&self, of: UnitRef) -> &Unit;
    /// The bodies that a [`crate::Does::Call`] may run.
    fn candidates(&self, call: OpRef) -> Candidates;
    /// The getters that a [`crate::Does::Read`], or the setters that a [`crate::Does::Write`], may run.
    fn accessors(&self, access: OpRef) -> Candidates;
}

/// Who may run at an operation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Candidates {
    /// The bodies in sight, sorted.
    pub bodies: Vec<BodyRef>,
    /// Whether one of them runs for sure. An access with no accessor at all is complete and has no bodies. One that may
    /// as well be of plain data is not complete.
    pub complete: bool,
    /// Whether the call never comes back: the written return type is `never`.
    pub never: bool,
}

/// The world of one unit, in which nobody knows who is called: for tests, and for a look at one file.
#[derive(Clone, Debug)]
pub struct Alone(pub Unit);

impl World for Alone {
    fn unit(&self, _of: UnitRef) -> &Unit {
        &self.0
    }

    fn candidates(&self, _call: OpRef) -> Candidates {
        Candidates::default()
    }

    fn accessors(&self, _access: OpRef) -> Candidates {
        Candidates::default()
    }
}

impl Alone {
    /// What a body of it is called in this world.
    pub fn body(body: crate::BodyId) -> BodyRef {
        BodyRef { unit: UnitRef(0), body }
    }
}
