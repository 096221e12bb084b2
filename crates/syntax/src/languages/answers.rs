//! What [`super::Rules`] answers with: paths and calls, as plain data.

use crate::tree::NodeId;

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
