//! What the language's own library does with what it is given, by the names of its functions (ECMA-262, 20 to 28). One
//! table: whatever is not in it may keep its arguments and runs nothing here.

use super::super::shape;
use crate::tree::{NodeId, Tree};
use factgate_ir::{Times, Used};

/// Global objects whose functions are known by their path.
const NAMESPACES: [&str; 13] = [
    "Array", "Atomics", "BigInt", "Date", "JSON", "Math", "Number", "Object", "Promise", "Reflect", "String", "Symbol",
    "console",
];

/// Methods of lists, maps and sets that run the function they are handed before they come back.
const RUNNING: [&str; 17] = [
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "map",
    "reduce",
    "reduceRight",
    "replace",
    "replaceAll",
    "some",
    "sort",
    "toSorted",
    "from",
];

/// Methods of lists, sets and maps that change their elements (ECMA-262, 23.1.3, 24.1.3, 24.2.3).
const CHANGING: [&str; 13] = [
    "add",
    "clear",
    "copyWithin",
    "delete",
    "fill",
    "pop",
    "push",
    "reverse",
    "set",
    "shift",
    "sort",
    "splice",
    "unshift",
];

/// Functions that look at their arguments and keep nothing of them.
const LOOKING: [(&str, &str); 13] = [
    ("Array", "isArray"),
    ("JSON", "stringify"),
    ("Number", "isFinite"),
    ("Number", "isInteger"),
    ("Number", "isNaN"),
    ("Number", "isSafeInteger"),
    ("Object", "getOwnPropertyNames"),
    ("Object", "hasOwn"),
    ("Object", "is"),
    ("Object", "isFrozen"),
    ("Object", "keys"),
    ("Reflect", "has"),
    ("Reflect", "ownKeys"),
];

/// What a function of `Object` or `Reflect` does to its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changes {
    /// The members of all others are assigned to it.
    Assign,
    /// The member that the second names becomes what the third describes.
    Define,
    /// Any members become what the second describes.
    DefineAll,
    /// The member that the second names becomes the third.
    Set,
    /// The member that the second names is removed.
    Delete,
    /// What it inherits becomes another.
    Prototype,
}

impl Changes {
    /// Whether the functions in what it is given become accessors.
    pub(super) fn describes(self) -> bool {
        matches!(self, Changes::Define | Changes::DefineAll)
    }
}

/// What a call names, as far as the table is concerned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named<'t> {
    /// `….name(…)`
    Method(&'t str),
    /// `Object.name(…)`, of a global `Object`.
    Path(&'t str, &'t str),
    /// `new Name(…)`, of a global.
    New(&'t str),
    /// Anything else.
    Other,
}

impl Named<'_> {
    /// What happens to an argument.
    pub(super) fn used(self, index: usize) -> Used {
        match self {
            Named::Method("replace" | "replaceAll") if index == 1 => Used::Runs(Times::Any),
            Named::Method("replace" | "replaceAll" | "from") => Used::Unknown,
            Named::Method(name) if index == 0 && RUNNING.contains(&name) => Used::Runs(Times::Any),
            Named::Path("Array", "from") if index == 1 => Used::Runs(Times::Any),
            Named::New("Promise") if index == 0 => Used::Runs(Times::Once),
            Named::New("Proxy") if index == 1 => Used::Proxied,
            Named::Path("console" | "Math", _) | Named::Path("Object", "assign") => Used::NotKept,
            Named::Path(object, name) if LOOKING.contains(&(object, name)) => Used::NotKept,
            _ => Used::Unknown,
        }
    }

    /// Whether the elements of the receiver change.
    pub(super) fn changes_receiver(self) -> bool {
        matches!(self, Named::Method(name) if CHANGING.contains(&name))
    }

    /// What happens to the first argument.
    pub(super) fn changes(self) -> Option<Changes> {
        let Named::Path("Object" | "Reflect", name) = self else { return None };
        Some(match name {
            "assign" => Changes::Assign,
            "defineProperty" => Changes::Define,
            "defineProperties" => Changes::DefineAll,
            "set" => Changes::Set,
            "deleteProperty" => Changes::Delete,
            "setPrototypeOf" => Changes::Prototype,
            _ => return None,
        })
    }
}

/// Whether a global object has functions that are known by their path.
pub(super) fn is_namespace(name: &str) -> bool {
    NAMESPACES.contains(&name)
}

/// Whether a member is a function of the library's, when the object's name means the global.
pub(super) fn names_function(tree: &Tree, member: NodeId) -> bool {
    let object = tree.child(member, "object").filter(|_| tree.kind(member) == "member_expression");
    let is_plain = tree.child(member, "property").is_some() && !shape::is_optional(tree, member);
    is_plain && object.is_some_and(|object| is_namespace(tree.text(object)))
}

/// Whether a call never comes back, by the path of its callee: `process.exit()`, `Deno.exit()`.
pub(super) fn ends_program(path: &[&str]) -> bool {
    let path = path.strip_prefix(&["globalThis"]).unwrap_or(path);
    matches!(path, ["process", "exit" | "abort"] | ["Deno", "exit"])
}
