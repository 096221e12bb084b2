//! What [`super::Rules`] answers with: paths, calls, comparisons, as plain data.

use crate::tree::NodeId;

/// See [`super::Rules::ordering`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// The side that is smaller when the comparison is true.
    pub smaller: NodeId,
    /// The other side.
    pub larger: NodeId,
    /// Whether equal sides make it false.
    pub strict: Strict,
}

/// Whether a comparison excludes equal sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strict {
    /// `<`
    Yes,
    /// `<=`
    No,
}

/// See [`super::Rules::access`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The identifier (or `this`, `self`) at the start.
    pub root: NodeId,
    /// The properties, outermost last. `None` is a computed or dereferenced one: any property.
    pub path: Vec<Option<String>>,
}

/// See [`super::Rules::receiver_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The tree's own function's.
    Scope,
    /// That of a function, field or static block in it.
    Inner(NodeId),
}

/// See [`super::Rules::own_object`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnObject {
    /// An object of the method's own class or container.
    Itself,
    /// A parameter whose written type has this name.
    Typed(String),
}

/// See [`super::Rules::denotes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denoted {
    /// The identifier at the start of the path; `None` for a thing without a path.
    pub root: Option<NodeId>,
    /// The properties, as in [`Access::path`].
    pub path: Vec<Option<String>>,
    /// Whether it is what stands there or where it stands.
    pub by: By,
}

/// Whether a value is what stands at a path, or points to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// What stands there.
    Value,
    /// Its address.
    Address,
}

/// See [`super::Rules::held`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Where in the value.
    pub path: Vec<Option<String>>,
    /// What stands there.
    pub denoted: Denoted,
}

impl Held {
    /// The same in a value that holds this one.
    pub(crate) fn within(mut self, step: Option<String>) -> Held {
        self.path.insert(0, step);
        self
    }
}

impl From<Denoted> for Held {
    fn from(denoted: Denoted) -> Held {
        Held { path: Vec::new(), denoted }
    }
}

impl Denoted {
    /// One more step of the path. Following an address is no step.
    pub(crate) fn step(mut self, step: Option<String>) -> Denoted {
        if self.by == By::Value || step.is_some() {
            self.path.push(step);
        }
        self.by = By::Value;
        self
    }
}

impl From<Access> for Denoted {
    fn from(access: Access) -> Denoted {
        Denoted { root: Some(access.root), path: access.path, by: By::Value }
    }
}

/// See [`super::Rules::call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is called.
    pub callee: NodeId,
    /// The arguments in order.
    pub arguments: Vec<NodeId>,
    /// How they are given.
    pub form: CallForm,
}

/// How a call runs its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// Each argument is the parameter of its place, and the call's value is the function's.
    Plain,
    /// An argument may be several parameters, or another thing than is written: a spread, a tagged template.
    Spread,
    /// `new`: the call's value is the object that it makes.
    New,
}

/// What a call of a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All of it, before the call has its value.
    Whole,
    /// Its start; the rest when it is waited for.
    Awaited,
    /// Nothing for certain: a generator, no function at all.
    Nothing,
}

/// See [`super::Rules::waits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// It goes on behind this node only when what was started has ended.
    At(NodeId),
    /// The same, unless something else that is waited for with it raises an error.
    UnlessAnother(NodeId),
    /// The function around has no value before.
    Returned,
    /// It goes on at once.
    Not,
}

/// See [`super::Rules::elements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Objects that others may name as well.
    Shared,
    /// Values of their own.
    Own,
}

/// See [`super::Rules::replaces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Of what a pointer leads to.
    Pointed,
    /// Of an element of a list.
    Element,
    /// Of nothing that has some, or it is not known.
    Nothing,
}
