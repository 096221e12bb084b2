//! A unit: one file, lowered whole and at most once.

use crate::{BodyId, ClassId, Code, Name, NodeId, OpId, SlotId, SpellingId, Step, Sym, Test, ValueId, VarId};

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The body of the file itself, which runs when it is loaded.
    pub top: BodyId,
    /// All bodies; a body stands behind the one around it.
    pub bodies: Vec<Body>,
    /// The variables of all bodies.
    pub vars: Vec<Var>,
    /// The classes.
    pub classes: Vec<Class>,
    /// How many operations there are: each [`OpId`] is less.
    pub ops: u32,
    /// How many labels there are.
    pub labels: u32,
}

/// A condition on its own: a condition of a pattern, lowered as a test by the lowering of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What the test speaks of. The test stands in its top body, which has no code.
    pub unit: Unit,
    /// The test.
    pub test: Test,
}

/// A function: its parameters and what it does.
///
/// When it is called its variables are made, the arguments are written to the parameters, and its code runs. What the
/// language does with parameters (defaults, taking apart) is code.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The function's node.
    pub node: NodeId,
    /// How its code runs when it is called.
    pub kind: BodyKind,
    /// The body that it stands in; none for the top.
    pub outer: Option<BodyId>,
    /// Where its `this` comes from.
    pub this: This,
    /// The class that it is a member, the constructor or the initialiser of. An arrow function in it has none.
    pub class: Option<ClassId>,
    /// The variables that get the arguments, in order. A parameter that is taken apart has a variable without a name.
    pub params: Vec<VarId>,
    /// The variable that gets a new list of all further arguments.
    pub rest: Option<VarId>,
    /// What it does. Running off its end returns nothing.
    pub code: Code,
    /// The values that its operations give.
    pub values: Vec<Value>,
    /// Its slots.
    pub slots: Vec<Slot>,
}

/// How a body runs when it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyKind {
    /// At once, to its end.
    Plain,
    /// At once to its first suspension; the call gives what can be awaited. A `Return` settles it.
    Async,
    /// Nothing runs: the call gives an iterator, whose `Next` runs the code to its next `Yield`.
    Generator,
    /// The same with `Await`s between.
    AsyncGenerator,
}

/// Where the `this` of a body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum This {
    /// There is none.
    None,
    /// It is that of the body around: an arrow function.
    Outer,
    /// The call gives it.
    Given,
    /// The new object: a constructor, field initialisers. In a class with a base there is none before `super(…)`.
    Made,
}

/// A variable that the program names.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name; empty for a parameter that is taken apart.
    pub name: Sym,
    /// Where it is declared.
    pub node: NodeId,
    /// The body whose calls make it.
    pub owner: BodyId,
    /// Whether [`crate::Does::Renew`] makes another variable of it, as each turn of a loop does with its `let`.
    pub renewed: bool,
    /// What it holds.
    pub holds: Holds,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Holds {
    /// A reference, or something that has no parts: all of JavaScript; pointers.
    Reference,
    /// The thing itself: a struct of Zig or Rust, which nobody else has as long as no address of it was taken.
    Own,
    /// One or the other: a parameter of no known type.
    Either,
}

/// A value: what one operation gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The expression whose value it is.
    pub node: NodeId,
    /// The same value in other words: `m?.ok` as `m.ok`, the `s` of `{ s } = m` as `m.s`, an implicit drop as `drop(g)`.
    pub spelled: Vec<SpellingId>,
}

/// A slot: written on each of several ways, read where they have met.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The expression whose value it carries.
    pub node: NodeId,
}

/// A class. [`crate::Does::Define`] makes it, with the functions of all its members.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its node.
    pub node: NodeId,
    /// What it extends.
    pub base: Base,
    /// Its members, in source order; of a language with accessors, both of a pair.
    pub members: Vec<Member>,
    /// The constructor. A class that writes none has one all the same: it does nothing, or calls [`crate::Callee::Make`]
    /// with all arguments. It calls [`crate::Callee::Fields`] itself: first of all, or behind `Make`.
    pub make: BodyId,
    /// The field initialisers of an instance as one body: `Init` writes on `this`, in order. None when there are none.
    pub fields: Option<BodyId>,
}

/// What a class extends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing.
    None,
    /// The value, of the body that the `Define` stands in.
    Value(ValueId),
    /// Something that the lowering cannot read.
    Unread,
}

/// A member of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its node.
    pub node: NodeId,
    /// Its name, as a step from the object: `Member`, or `Element` with the key's value in the body of the `Define`.
    pub at: Step,
    /// Who has it.
    pub on: On,
    /// What it is.
    pub is: Is,
}

/// Who has a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum On {
    /// The instances.
    Instance,
    /// The class itself.
    Class,
}

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Is {
    /// A method.
    Method(BodyId),
    /// A getter.
    Getter(BodyId),
    /// A setter.
    Setter(BodyId),
    /// A field, which code elsewhere writes: [`Class::fields`], or behind the `Define` for a static one.
    Field,
    /// What a decorator made of the member of that name before it, which nobody sees.
    Replaced,
}

impl Unit {
    /// The body behind an id.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.index()]
    }

    /// The variable behind an id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    /// The class behind an id.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// All body ids, outer ones first.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// The body whose `this` (and `super`, and class) a body sees: itself, or the first one around that is no arrow
    /// function.
    pub fn home(&self, of: BodyId) -> BodyId {
        let mut home = of;
        while let (This::Outer, Some(outer)) = (self.body(home).this, self.body(home).outer) {
            home = outer;
        }
        home
    }
}

impl Body {
    /// The value behind an id.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// The slot behind an id.
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }
}

impl Member {
    /// The function that it is.
    pub fn body(&self) -> Option<BodyId> {
        match self.is {
            Is::Method(body) | Is::Getter(body) | Is::Setter(body) => Some(body),
            Is::Field | Is::Replaced => None,
        }
    }

    /// Its name when it is written.
    pub fn name(&self) -> Option<&Name> {
        if let Step::Member(name) = &self.at { Some(name) } else { None }
    }
}

/// An operation's number, for tables by operation.
impl From<OpId> for usize {
    fn from(id: OpId) -> usize {
        id.index()
    }
}
