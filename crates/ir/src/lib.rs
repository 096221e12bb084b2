//! The core: a small language that every language's code is lowered to, and that guards are decided on.
//!
//! A lowering writes down every read, write, call, test and way out where it happens, once. Nothing here knows a
//! language, a tree or a file: a [`NodeId`] says where an operation comes from, and only its maker can look it up.
//! [`build::Builder`] is how lowerings and tests write a [`Unit`].

pub mod build;
pub mod call;
pub mod check;
pub mod code;
pub mod graph;
pub mod ids;
pub mod op;
pub mod place;
pub mod print;
pub mod run;
pub mod test;
pub mod unit;
pub mod walk;
pub mod world;

pub use build::Builder;
pub use call::{Arg, Call, Callee, Form, Hook, Runs, Times, Used, Waits};
pub use code::{Arm, Catch, Code, Exit, Falls, Missed, When};
pub use ids::{
    BodyId, BodyRef, ClassId, Label, NodeId, Number, OpId, OpRef, Path, SlotId, SpellingId, Sym, UnitRef, ValueId,
    VarId,
};
pub use op::{Const, Converts, Copied, Does, Forget, Given, How, Made, Op, Pause, Prim};
pub use place::{Key, Name, Place, Root, Step};
pub use test::{Atom, Leaf, Operand, Order, Sameness, Test};
pub use unit::{Asked, Base, Body, BodyKind, Class, Holds, Is, Member, On, Slot, This, Unit, Value, Var};
pub use world::{Alone, Candidates, World};
