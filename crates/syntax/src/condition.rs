//! Conditions: what the outcome of an expression makes known, without the language's spelling of it.

use crate::tree::NodeId;

/// A condition over nodes of one normal tree. Negated comparisons are `Not(Equal …)`; `!`, `not`, `&&`,
/// `and`, `||`, `or` are seen through. Everything else is an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The truth of a node.
    Atom(NodeId),
    /// Two values are equal.
    Equal {
        /// One operand.
        left: Operand,
        /// The other; their order means nothing.
        right: Operand,
        /// How strictly.
        sameness: Sameness,
    },
    /// The opposite.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// At least one of them.
    Or(Vec<Condition>),
    /// `test ? yes : no`; of `a ?? b` the test is whether `a` is there.
    Choice {
        /// What chooses.
        test: Box<Condition>,
        /// What counts when the test is true.
        yes: Box<Condition>,
        /// What counts when it is false.
        no: Box<Condition>,
    },
    /// Always true or always false.
    Constant(bool),
}

/// One side of an equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A node of the tree.
    Node(NodeId),
    /// Zig's `null`, JavaScript's `null`: the missing value, also where no node spells it.
    Null,
    /// JavaScript's `undefined`.
    Undefined,
    /// An error, in a Zig error union: `catch`, `if (x) |v| … else |err|`.
    Error,
}

/// How equal two operands are when an equality is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sameness {
    /// `===`, and Zig's `==`.
    Strict,
    /// JavaScript's `==`: `x == null` is also true for `undefined`.
    Loose,
}

/// Whether a condition's value is certainly `true` or `false`: a comparison or a negation, or made of such.
pub fn is_boolean(condition: &Condition) -> bool {
    let mut open = vec![condition];
    while let Some(condition) = open.pop() {
        match condition {
            Condition::Not(_) | Condition::Equal { .. } => {}
            Condition::And(parts) | Condition::Or(parts) => open.extend(parts),
            Condition::Choice { yes, no, .. } => open.extend([&**yes, &**no]),
            Condition::Atom(_) | Condition::Constant(_) => return false,
        }
    }
    true
}
