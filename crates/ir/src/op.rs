//! Operations: what a program does between its tests and ways out, one thing each.

use crate::{
    BodyId, Call, ClassId, Name, NodeId, Number, OpId, Order, Place, Runs, Sameness, Step, Sym, ValueId, VarId,
};

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// Its number in the unit.
    pub id: OpId,
    /// The node that it comes from.
    pub node: NodeId,
    /// What it does.
    pub does: Does,
    /// The value that it gives. [`Does::gives`] says which operations can.
    pub gives: Option<ValueId>,
    /// Whether it can raise an error by itself. It has then done nothing, as far as is known, or all.
    pub raises: bool,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// The node has its value now, or was entered when it has none (a statement). Each node that a pattern could name
    /// has one on each way, behind its own operations. Of `a && b` as a test, whose ways part before it is all
    /// evaluated, it stands where the test is entered.
    Mark,
    /// A constant.
    Const(Const),
    /// Something of the call that runs this body.
    Given(Given),
    /// A pure function of the operands, except for what [`Prim::converts`] says.
    Compute(Prim, Vec<ValueId>),
    /// The value of a place. A member may be a getter's.
    Read(Place),
    /// A new value for a place. A member may be a setter's.
    Write {
        /// The place.
        place: Place,
        /// The value; none when nothing is known of it, or for `Delete`.
        value: Option<ValueId>,
        /// In which way.
        how: How,
    },
    /// Whether the object has the member or element, by itself or inherited: `in`.
    Has(ValueId, Step),
    /// A pointer to the place: `&x`, `|*x|`, `&mut x`.
    Address(Place),
    /// A new object, which nobody has.
    Make(Made),
    /// Every member and element of one object is written to the other, by `Init` or `Assign`.
    Copy(Copied),
    /// A function is made.
    Close {
        /// Its body.
        body: BodyId,
        /// When it may run, as far as this place says.
        runs: Runs,
    },
    /// A class is made, with the functions of its members.
    Define(ClassId),
    /// The variables become other ones, without a value, as at the start of a block or turn. Functions that were made
    /// before keep the old ones. Of variables with [`crate::Var::renewed`].
    Renew(Vec<VarId>),
    /// A call.
    Call(Call),
    /// Other code can run before this one goes on.
    Suspend {
        /// How.
        pause: Pause,
        /// What is waited for, or given out.
        value: Option<ValueId>,
    },
    /// Something is done that cannot be read.
    Forget(Forget),
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Const {
    /// `undefined`, and what a body returns that returns nothing.
    Undefined,
    /// `null`, `None`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number whose value is known.
    Number(Number),
    /// A text.
    Text(Sym),
    /// Zig's `.open`, a path to a unit variant of Rust.
    Tag(Sym),
    /// Zig's `error.Closed`.
    Error(Sym),
    /// Any other literal, known by its text alone: equal texts are equal values, and different texts need not differ.
    Other(Sym),
}

/// What a body gets from the call that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// Its `this`; in an arrow function that of the body around.
    This,
    /// `new.target`, likewise.
    NewTarget,
    /// The list of all arguments, a new one each time. That it may be another name of a parameter, the lowering says.
    Arguments,
    /// The function that runs: what the name of a function expression means in it.
    Function,
}

/// A function of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    /// `!a`
    Not,
    /// `a === b`, `a == b`. Negated is a `Not` behind it.
    Same(Sameness),
    /// `a < b`, `a <= b`. `a > b` is the same with the results of both swapped.
    Less(Order),
    /// `a + b`, of texts too.
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `-a`
    Negate,
    /// `+a`, and the old value of `a++`.
    Number,
    /// A template: the operands one after the other, as text.
    Text,
    /// The operand as the key of a member, a text or a symbol: `{ [a]: … }`.
    Key,
    /// `typeof a`
    TypeOf,
    /// `a instanceof B`. That `B` may say itself what its instances are, is a `Hook` of its own.
    InstanceOf,
    /// Whether it is `null` or `undefined`, as [`crate::Atom::Missing`].
    Missing,
    /// Whether it is an error, as [`crate::Atom::Error`].
    IsError,
    /// Nothing is known of the result but that the same operands give the same one.
    Other(Converts),
}

/// Whether a function converts objects among its operands, which runs `valueOf`, `toString` and their like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Converts {
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// In which way a place is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// The first value of a variable: declarations, parameters, what a `catch` binds.
    Declare,
    /// An assignment. A setter may run.
    Assign,
    /// A member of the object itself gets its value: literals, fields. No setter runs.
    Init,
    /// The member is removed.
    Delete,
    /// The thing behind a pointer gets another value, of which the code lists these members.
    Whole(Vec<Name>),
    /// The member becomes an accessor, whose getter is the value.
    Getter,
    /// The member becomes an accessor, whose setter is the value.
    Setter,
}

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Made {
    /// An object.
    Object,
    /// A list, whose elements are numbered.
    List,
    /// A struct that is copied wherever it is written: of Zig and Rust.
    Struct,
    /// Something else that has members: a regular expression, a new symbol.
    Other,
}

/// A copy of members and elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Whose.
    pub from: ValueId,
    /// To whom.
    pub into: ValueId,
    /// Those that are not copied: what stands before the rest of a pattern.
    pub but: Vec<Step>,
    /// `Init` (spread, rest) or `Assign` (`Object.assign`).
    pub how: How,
}

/// How a body is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pause {
    /// `await`: gives what the value is settled with, raises what it is rejected with.
    Await,
    /// `yield`: gives what it is resumed with. It can also be left there as by a `Return`, or an error raised: both are
    /// part of it. In an async generator the value was awaited before.
    Yield,
    /// `yield*` over what `Iterate` gave: a loop of `Next` and `Yield`, gives what the iteration returns.
    Delegate,
    /// The turn of a `for await`: as `Await`, of what `Next` or `Close` gave.
    Turn,
    /// The end of a block with `await using`: as `Await`.
    Dispose,
}

/// What is not known any longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forget {
    /// Everything: `eval`, clobbered memory.
    Everything,
    /// These variables, and what they refer to: an unread macro.
    Vars(Vec<VarId>),
}

impl Does {
    /// Whether the operation can give a value.
    pub fn gives(&self) -> bool {
        !matches!(self, Does::Mark | Does::Write { .. } | Does::Copy(_) | Does::Renew(_) | Does::Forget(_))
    }

    /// The values that it uses, in the order of its parts.
    pub fn uses(&self) -> Vec<ValueId> {
        match self {
            Does::Mark | Does::Const(_) | Does::Given(_) | Does::Make(_) | Does::Close { .. } => Vec::new(),
            Does::Define(_) | Does::Renew(_) | Does::Forget(_) => Vec::new(),
            Does::Compute(_, operands) => operands.clone(),
            Does::Read(place) | Does::Address(place) => place.values().collect(),
            Does::Write { place, value, .. } => place.values().chain(*value).collect(),
            Does::Has(object, step) => [*object].into_iter().chain(step.key()).collect(),
            Does::Copy(copied) => {
                [copied.from, copied.into].into_iter().chain(copied.but.iter().filter_map(Step::key)).collect()
            }
            Does::Call(call) => call.uses(),
            Does::Suspend { value, .. } => value.iter().copied().collect(),
        }
    }
}

impl Prim {
    /// Whether it runs conversions of the objects among its operands.
    pub fn converts(self) -> bool {
        match self {
            Prim::Same(sameness) => sameness == Sameness::Loose,
            Prim::Other(converts) => converts == Converts::Yes,
            Prim::Less(_) | Prim::Add | Prim::Subtract | Prim::Multiply | Prim::Negate => true,
            Prim::Number | Prim::Text | Prim::Key => true,
            Prim::Not | Prim::TypeOf | Prim::InstanceOf | Prim::Missing | Prim::IsError => false,
        }
    }
}
