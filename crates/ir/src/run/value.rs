//! Values of a run.

use super::place::Spot;
use crate::{Const, Sym};
use std::rc::Rc;

/// An object of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub(super) u32);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(Sym),
    /// A symbol: its number.
    Symbol(u32),
    /// An enum literal, a unit variant.
    Tag(Sym),
    /// An error value of Zig or Rust.
    Error(Sym),
    /// A literal that is known by its text alone.
    Other(Sym),
    /// A reference to an object.
    Object(ObjectId),
    /// A struct, which is copied.
    Struct(Rc<Vec<(Key, Val)>>),
    /// A pointer to a place.
    Pointer(Rc<Spot>),
    /// The state of an iteration: index into the machine's.
    Iteration(usize),
    /// What `Next` of a `for await` gave: a promise, and of which iteration.
    Turn(Rc<Val>, usize),
    /// What `Next` gave: an element, or that there is none.
    Step(Option<Rc<Val>>),
}

/// The key of a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A text.
    Text(Sym),
    /// A symbol.
    Symbol(u32),
    /// A private name of one evaluation of a class.
    Private(u32, Sym),
}

impl Key {
    /// The key that this text is.
    pub fn text(text: &str) -> Key {
        Key::Text(text.into())
    }

    /// The element that it names.
    pub(super) fn index(&self) -> Option<usize> {
        let Key::Text(text) = self else { return None };
        let text = text.as_str();
        let plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
        if plain && !text.is_empty() { text.parse().ok() } else { None }
    }

    /// How it is shown in a trace.
    pub fn shown(&self) -> String {
        match self {
            Key::Text(text) => text.to_string(),
            Key::Symbol(number) => format!("symbol {number}"),
            Key::Private(_, text) => format!("#{text}"),
        }
    }
}

impl From<&Const> for Val {
    fn from(constant: &Const) -> Val {
        match constant {
            Const::Undefined => Val::Undefined,
            Const::Null => Val::Null,
            Const::Bool(value) => Val::Bool(*value),
            Const::Number(number) => Val::Number(number.get()),
            Const::Text(text) => Val::Text(text.clone()),
            Const::Tag(text) => Val::Tag(text.clone()),
            Const::Error(text) => Val::Error(text.clone()),
            Const::Other(text) => Val::Other(text.clone()),
        }
    }
}

impl Val {
    /// A text.
    pub fn text(text: &str) -> Val {
        Val::Text(text.into())
    }

    /// Whether it counts as true.
    pub fn truth(&self) -> bool {
        match self {
            Val::Undefined | Val::Null | Val::Error(_) => false,
            Val::Bool(value) => *value,
            Val::Number(number) => !(*number == 0.0 || number.is_nan()),
            Val::Text(text) => !text.as_str().is_empty(),
            Val::Other(text) => !matches!(text.as_str(), "0n" | "0x0n" | "0b0n" | "0o0n"),
            Val::Symbol(_) | Val::Tag(_) | Val::Object(_) | Val::Struct(_) | Val::Pointer(_) => true,
            Val::Iteration(_) | Val::Step(_) | Val::Turn(..) => true,
        }
    }

    /// Whether it is `null` or `undefined`.
    pub fn is_missing(&self) -> bool {
        matches!(self, Val::Undefined | Val::Null)
    }

    /// `===`: as the equality of the values, except that `NaN` is unlike itself (which `==` of numbers says as well).
    pub fn same(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Number(left), Val::Number(right)) => left == right,
            _ => self == other,
        }
    }

    /// The object that it refers to.
    pub fn object(&self) -> Option<ObjectId> {
        if let Val::Object(object) = self { Some(*object) } else { None }
    }
}
