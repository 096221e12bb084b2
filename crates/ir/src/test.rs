//! Tests: what decides which way a program goes, and what its outcome makes known.

use crate::{Code, Const, NodeId, ValueId};

/// How a branch is decided. The order of parts is the order of evaluation, and what a part short-circuits is not run.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// One question.
    Leaf(Leaf),
    /// The opposite.
    Not(Box<Test>),
    /// All of them; stops at the first that is false.
    And(Vec<Test>),
    /// One of them; stops at the first that is true.
    Or(Vec<Test>),
    /// `[test, yes, no]`: `test ? yes : no`, whichever is chosen decides.
    Choice(Box<[Test; 3]>),
    /// Either way, and nothing is learnt. The code runs first; the node is shown for it.
    Unknown(Box<Code>, NodeId),
    /// Always true: `while (true)`.
    Always,
}

/// One question of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Evaluates the operands, each with its `Mark`, and nothing of the outcome.
    pub code: Box<Code>,
    /// Decides.
    pub atom: Atom,
    /// The node to show for it, and that patterns meet: the condition, or the case of a `switch`.
    pub node: NodeId,
}

/// What a leaf asks of values that its code, or code before, has given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// The value counts as true.
    Truth(ValueId),
    /// The two are equal.
    Same(ValueId, Operand, Sameness),
    /// The first is less than the second (or equal). `!(a < b)` is not `b <= a`.
    Less(ValueId, ValueId, Order),
    /// The value is `null` or `undefined`, Zig's `null`, Rust's `None`.
    Missing(ValueId),
    /// The value is an error: of Zig's error unions, Rust's `Err`.
    Error(ValueId),
    /// What [`crate::Hook::Next`] gave says that there is nothing more. Otherwise its `Inner` is the element.
    Done(ValueId),
}

/// The other side of an equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A value, which has a node that a pattern can meet. A literal that is written is such a value.
    Value(ValueId),
    /// A constant that no node spells: the `undefined` of a default.
    Const(Const),
}

/// How equal two values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sameness {
    /// `===`, and `==` of Zig and Rust.
    Strict,
    /// `==` of JavaScript: `null` and `undefined` are the same, and operands are converted.
    Loose,
}

/// How two values are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

impl Atom {
    /// The values that it asks of.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + use<> {
        let (first, second) = match self {
            Atom::Same(left, Operand::Value(right), _) | Atom::Less(left, right, _) => (*left, Some(*right)),
            Atom::Truth(value)
            | Atom::Same(value, Operand::Const(_), _)
            | Atom::Missing(value)
            | Atom::Error(value)
            | Atom::Done(value) => (*value, None),
        };
        [first].into_iter().chain(second)
    }
}
