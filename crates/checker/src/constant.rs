//! Values for a model's constants: facts of the code, and what a run's `set` puts over them, with their TLA+ text.

use std::collections::BTreeMap;

/// The facts by name; `None` is a fact that could not be read: a run whose specification needs it cannot be made.
pub type Facts = BTreeMap<String, Option<Constant>>;

/// A value for a constant.
///
/// In a `set` table: `true`, `3`, `"text"`, `["a", "b"]` (a set), `{ model = "m1" }`, `{ tla = "1..3" }`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A TLA+ string, or a model value where the run's cfg has one of that name.
    Text(String),
    /// A set.
    Set(Vec<Constant>),
    /// A model value.
    Model(String),
    /// Any TLA+ expression, as written.
    Tla(String),
    /// A value that TLA+ as checked by TLC has no literal for (a fraction): its text, for the error.
    Unsupported(String),
}
