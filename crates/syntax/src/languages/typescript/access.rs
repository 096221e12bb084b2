//! Which variable and property path a node reads or writes, and which call it makes.

use super::shape;
use crate::languages::{Access, Call, CallForm};
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::access`].
pub(super) fn access(tree: &Tree, node: NodeId) -> Option<Access> {
    let mut path = Vec::new();
    let mut current = node;
    loop {
        current = shape::bare(tree, current);
        match tree.kind(current) {
            "identifier"
            | "this"
            | "super"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern" => {
                path.reverse();
                return Some(Access { root: current, path });
            }
            "member_expression" => {
                let property = tree.child(current, "property")?;
                path.push(Some(tree.text(property).to_owned()));
            }
            "subscript_expression" => path.push(tree.child(current, "index").and_then(|index| key(tree, index))),
            _ => return None,
        }
        current = tree.child(current, "object")?;
    }
}

/// The property that a literal index names.
pub(super) fn key(tree: &Tree, index: NodeId) -> Option<String> {
    let index = shape::bare(tree, index);
    matches!(tree.kind(index), "string" | "number").then(|| tree.text(index).to_owned())
}

/// See [`crate::languages::Rules::call`].
pub(super) fn call(tree: &Tree, node: NodeId) -> Option<Call> {
    let node = shape::bare(tree, node);
    let (callee, is_new) = match tree.kind(node) {
        "call_expression" => (tree.child(node, "function")?, false),
        "new_expression" => (tree.child(node, "constructor")?, true),
        _ => return None,
    };
    let arguments = shape::arguments(tree, node);
    let is_tag = tree.child(node, "arguments").is_some_and(|list| tree.kind(list) != "arguments");
    let form = match () {
        () if is_new => CallForm::New,
        () if is_tag || arguments.iter().any(|&argument| tree.kind(argument) == "spread_element") => CallForm::Spread,
        () => CallForm::Plain,
    };
    Some(Call { callee, arguments, form })
}
