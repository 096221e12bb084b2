//! Literal tables and constants: what can be read out of source without running it.

use crate::tree::NodeId;

/// The entries of a table, enum, union or list.
#[derive(Clone, Debug)]
pub enum Entries {
    /// All of them, in source order.
    All(Vec<Entry>),
    /// Something in it is no compile-time literal: the node, and what it is ("a spread", "a computed key", "a call").
    NotLiteral(NodeId, &'static str),
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, member name, or element.
    pub name: Constant,
    /// The value beside a key or enum member, when there is one. An enum member without a value counts on from the one
    /// before it, the first from 0.
    pub value: Option<NodeId>,
    /// The entry's node.
    pub node: NodeId,
}

/// A constant expression, not yet computed. Arithmetic follows the language: JavaScript numbers are IEEE doubles
/// (`BigInt` exact), Zig's `comptime_int` is exact and `/` on integers truncates.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer, exact. Values beyond 128 bits are `NotLiteral`.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Text(String),
    /// A truth value.
    Bool(bool),
    /// A name to be looked up: a constant of the same file (or an imported one).
    Name(NodeId),
    /// `-x`, `+x`.
    Negate(Box<Constant>),
    /// `left op right`, with `op` one of `+ - * / % ** << >> | & ^`.
    Binary(Box<Constant>, &'static str, Box<Constant>),
    /// No compile-time literal: the node, and what it is.
    NotLiteral(NodeId, &'static str),
}

/// What code at one place says of its own value, as far as a test of the value at another place can tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Spelled {
    /// The missing value `null`.
    Null,
    /// JavaScript's `undefined`, also of a `let` without a value.
    Undefined,
    /// An object, made here: true, and equal to no constant.
    Object,
    /// A member of an enum, by its bare name: Zig's `.a`.
    Member(String),
    /// A constant, or the name of one.
    Constant(Constant),
    /// Nothing.
    Unknown,
}
