//! Literal tables and constants: objects, arrays, enums, unions, and arithmetic over literals.
//!
//! Whatever is no compile-time literal makes the whole table or value unknown, with its place and a word for it:
//! a set that is silently too small would be a wrong fact.

mod changes;
mod constants;
mod options;
#[cfg(test)]
mod snippets;
mod spelled;
mod tables;

pub(super) use changes::replacement;
pub(super) use constants::constant;
pub(in crate::languages::typescript) use options::objects;
pub(super) use spelled::spelled;
pub(super) use tables::entries;

use super::shape;
use crate::tree::{NodeId, Tree};

/// What a declaration, property or field holds: the value, or the node and why there is none.
fn held(tree: &Tree, node: NodeId) -> Result<NodeId, (NodeId, &'static str)> {
    if let Some(variable) = declaration(tree, node).filter(|&inner| is_reassignable(tree, inner)) {
        return Err((variable, "a variable that is no `const`"));
    }
    shape::initializer(tree, node).ok_or((node, "a declaration without a value"))
}

/// The declaration behind `export` and `declare`.
fn declaration(tree: &Tree, node: NodeId) -> Option<NodeId> {
    match tree.kind(node) {
        "export_statement" => tree.child(node, "declaration").and_then(|inner| declaration(tree, inner)),
        "ambient_declaration" => {
            let inner = tree.children(node).find(|&child| tree.kind(child).ends_with("_declaration"));
            inner.and_then(|inner| declaration(tree, inner))
        }
        _ => Some(node),
    }
}

fn is_reassignable(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        "variable_declaration" => true,
        "lexical_declaration" => !tree.has_child(node, "const"),
        _ => false,
    }
}

/// The value without wrappers and without `Object.freeze(…)`, which change no entry.
fn plain(tree: &Tree, mut node: NodeId) -> NodeId {
    loop {
        node = shape::bare(tree, node);
        match frozen(tree, node) {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// The `x` of `Object.freeze(x)`.
fn frozen(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let callee = tree.child(node, "function").filter(|_| tree.kind(node) == "call_expression")?;
    let callee = super::access::access(tree, callee)?;
    let freezes = tree.text(callee.root) == "Object" && callee.path == [Some("freeze".to_owned())];
    match shape::arguments(tree, node)[..] {
        [only] if freezes && tree.kind(only) != "spread_element" => Some(only),
        _ => None,
    }
}

/// The word for a value that is no literal.
fn word(tree: &Tree, node: NodeId) -> &'static str {
    match tree.kind(node) {
        "call_expression" => "a call",
        "new_expression" => "a new object",
        "spread_element" => "a spread",
        "hole" => "a hole",
        "identifier" | "type_identifier" | "nested_type_identifier" => "a name",
        "member_expression" | "subscript_expression" => "a property",
        "template_string" | "template_literal_type" => "a template with substitutions",
        "ternary_expression" => "a choice",
        "await_expression" => "an awaited value",
        "object" => "an object",
        "array" => "an array",
        "null" => "`null`",
        "undefined" => "`undefined`",
        "regex" => "a regular expression",
        "arrow_function" | "function_expression" | "generator_function" => "a function",
        "class" => "a class",
        "generic_type" => "a generic type",
        _ => "no literal",
    }
}
