//! The names of things: numbers that are dense in what holds them, and texts.

use std::sync::Arc;

/// A node of one normal tree: its index in preorder. Ids of different trees must not be mixed. To the core it is an
/// opaque number that is shown to people and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The node with this preorder index.
    pub const fn new(index: u32) -> NodeId {
        NodeId(index)
    }

    /// The preorder index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The preorder index as it is stored.
    pub fn number(self) -> u32 {
        self.0
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A function body: index into [`crate::Unit::bodies`].
    BodyId
    /// A variable: index into [`crate::Unit::vars`].
    VarId
    /// A class: index into [`crate::Unit::classes`].
    ClassId
    /// An operation: dense in its unit, in the order of making. Copies of an operation in the graph keep it.
    OpId
    /// A value: index into [`crate::Body::values`] of the body that gives it. No other body may use it.
    ValueId
    /// A variable that only the lowering knows: index into [`crate::Body::slots`]. No other body may use it.
    SlotId
    /// A target of [`crate::Exit::Break`] and [`crate::Exit::Continue`], unique in one unit.
    Label
    /// A tree beside the unit that spells a value in other words. Only the lowering's crate can look it up.
    SpellingId
    /// A unit of a [`crate::World`].
    UnitRef
}

/// A body of some unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyRef {
    /// The unit.
    pub unit: UnitRef,
    /// Its body.
    pub body: BodyId,
}

/// An operation of some unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpRef {
    /// The unit.
    pub unit: UnitRef,
    /// Its operation.
    pub op: OpId,
}

/// A name: cheap to copy, compared by its text, so that it means the same in every unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(Arc<str>);

impl Sym {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Sym {
    fn from(text: &str) -> Sym {
        Sym(text.into())
    }
}

impl From<String> for Sym {
    fn from(text: String) -> Sym {
        Sym(text.into())
    }
}

impl std::fmt::Display for Sym {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

/// A name that the unit does not declare: a global (`process`), an imported name, a name behind an import of Zig
/// (`std.mem.eql`, as far as it is a path of declarations and not of members).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub Vec<Sym>);

impl From<&str> for Path {
    /// The path that dots spell.
    fn from(text: &str) -> Path {
        Path(text.split('.').map(Sym::from).collect())
    }
}

/// A number of the program, with an equality of bits: `NaN` is itself, `0` and `-0` are two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(u64);

impl Number {
    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Number {
        Number(if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() })
    }
}

impl std::fmt::Debug for Number {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.get())
    }
}
