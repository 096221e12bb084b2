//! Places: where a value can be read from and written to.

use crate::{ClassId, Path, SlotId, Sym, ValueId, VarId};

/// A place. In JavaScript there is at most one step, always through a reference: `a.b.c` is a read of `a.b`, whose
/// value is the root of `.c`. In Zig and Rust what lies in place is one place: `a.b.c` has two steps on `a` as long as
/// no pointer is followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// How it goes on.
    pub steps: Vec<Step>,
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// A variable of the unit, of this body or of one around it.
    Var(VarId),
    /// What a value refers to.
    Value(ValueId),
    /// A name that the unit does not declare. Without steps: a live binding, which other code may assign.
    Global(Path),
    /// A variable that only the lowering knows: the value of `a ? b : c`, which each way writes.
    Slot(SlotId),
    /// `super.x`: looked up behind the class around the body, read and written on this body's `this`.
    Super,
}

/// One step of a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A member that is known by name.
    Member(Name),
    /// A member or element by a computed key: what is known of it, and its value.
    Element(Key, ValueId),
    /// Some member or element, nobody knows which: a write through a slice.
    Any,
    /// What a pointer points to: `p.*`.
    Deref,
    /// The same when it is a pointer, else the thing itself: `m.ok`, where `m` may be `T` or `*T`.
    MaybeDeref,
}

/// The name of a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// A text. A symbol that the language knows is its text in the specification: `@@iterator`.
    Text(Sym),
    /// `#x` of a class.
    Private(ClassId, Sym),
    /// The symbol that this variable, written once, holds. Names of two such variables are two names.
    Symbol(VarId),
    /// The length of a list.
    Length,
    /// What lies in a cell, in an optional, in an error union without error, in what [`crate::Hook::Next`] gave.
    Inner,
    /// The error of an error union.
    Error,
}

/// What is known of a computed key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A number, so it names an element and no member.
    Number,
    /// One of these texts, none of them a number.
    Texts(Vec<Sym>),
    /// The symbol that this variable, written once, holds.
    Symbol(VarId),
    /// Nothing.
    Unknown,
}

impl Place {
    /// The variable itself.
    pub fn var(var: VarId) -> Place {
        Place { root: Root::Var(var), steps: Vec::new() }
    }

    /// The slot itself.
    pub fn slot(slot: SlotId) -> Place {
        Place { root: Root::Slot(slot), steps: Vec::new() }
    }

    /// The name that the unit does not declare.
    pub fn global(path: impl Into<Path>) -> Place {
        Place { root: Root::Global(path.into()), steps: Vec::new() }
    }

    /// What is one step from the value: `Place::of(m, Name::text("ok"))`.
    pub fn of(value: ValueId, step: impl Into<Step>) -> Place {
        Place { root: Root::Value(value), steps: vec![step.into()] }
    }

    /// The same place and one step more.
    pub fn then(mut self, step: impl Into<Step>) -> Place {
        self.steps.push(step.into());
        self
    }

    /// The values that it is computed from: its root and its keys.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let root = if let Root::Value(value) = self.root { Some(value) } else { None };
        let keys =
            self.steps.iter().filter_map(|step| if let Step::Element(_, key) = step { Some(*key) } else { None });
        root.into_iter().chain(keys)
    }
}

impl Name {
    /// The member with this text.
    pub fn text(text: &str) -> Name {
        Name::Text(text.into())
    }
}

impl From<Name> for Step {
    fn from(name: Name) -> Step {
        Step::Member(name)
    }
}

impl Step {
    /// The value of its key.
    pub fn key(&self) -> Option<ValueId> {
        if let Step::Element(_, key) = self { Some(*key) } else { None }
    }

    /// The element by this key.
    pub fn at(key: Key, value: ValueId) -> Step {
        Step::Element(key, value)
    }
}
