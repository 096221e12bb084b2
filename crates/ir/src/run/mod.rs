//! The interpreter: runs the structured form of a unit on a heap, with the semantics of ECMA-262 where a language has
//! objects, and with values that are copied where it has structs.
//!
//! It never sees the graph, so that running programs tests the builder of the graph as well. What a program does not
//! say comes from a [`Tape`]: what opaque calls answer, and whether they raise. What it does to traced objects is told
//! as [`Event`]s.

mod act;
mod call;
mod class;
mod convert;
mod coroutine;
mod heap;
mod iterate;
mod library;
mod lists;
mod machine;
mod ops;
mod place;
mod promise;
mod queue;
mod tape;
mod value;

pub use act::View;
pub use heap::{Invoked, NativeFn};
pub use machine::{Access, Event, Limits, Machine, Observer, Stop};
pub use tape::Tape;
pub use value::{Key, ObjectId, Val};

/// Why an operation did not end as usual.
#[derive(Clone, Debug)]
pub enum Halt {
    /// An error was raised.
    Raise(Val),
    /// The run cannot go on.
    Stop(Stop),
}

/// What a step of the interpreter gives.
pub type Run<T> = Result<T, Halt>;

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}
