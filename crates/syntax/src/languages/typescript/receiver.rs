//! Whose `this`, `super`, `arguments` or `new.target` stands at a place: what a function was called with or on means
//! another thing in another function.

use super::shape;
use crate::languages::Receiver;
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::receiver_of`].
pub(super) fn receiver_of(tree: &Tree, node: NodeId) -> Option<Receiver> {
    if !is_receiver(tree, node) {
        return None;
    }
    let word = if tree.kind(node) == "identifier" { tree.text(node) } else { tree.kind(node) };
    Some(owner(tree, word, node))
}

/// See [`crate::languages::Rules::receiver_at`].
pub(super) fn receiver_at(tree: &Tree, name: &str, at: NodeId) -> Option<Receiver> {
    matches!(name, "this" | "super" | "arguments").then(|| owner(tree, name, at))
}

/// Whether a leaf means what its function was called with or on.
pub(super) fn is_receiver(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        "this" | "super" | "meta_property" => true,
        "identifier" => tree.text(node) == "arguments",
        _ => false,
    }
}

/// The function, field or static block whose word it is. Arrow functions have none of their own.
fn owner(tree: &Tree, word: &str, at: NodeId) -> Receiver {
    let mut owners = Vec::new();
    let mut below = at;
    for above in tree.ancestors(at) {
        if has_its_own(tree, word, above, below) {
            owners.push(above);
        }
        below = above;
    }
    match owners[..] {
        [] => Receiver::Scope,
        // The outermost function is the item itself, unless the item is a declaration that holds it.
        [only] if shape::function_of(tree, NodeId::ROOT) == Some(only) => Receiver::Scope,
        [inner, ..] => Receiver::Inner(inner),
    }
}

/// Whether what stands in a part of a node has this word from the node. The names and decorators of members are
/// evaluated around their class.
fn has_its_own(tree: &Tree, word: &str, node: NodeId, part: NodeId) -> bool {
    let kind = tree.kind(node);
    match kind {
        "public_field_definition" | "field_definition" => tree.field(part) == Some("value"),
        "class_static_block" => true,
        "arrow_function" => false,
        _ if matches!(tree.kind(part), "computed_property_name" | "decorator") => false,
        _ => shape::is_function(kind) && !(word == "this" && is_called_on_this(tree, node)),
    }
}

/// Whether a function is only ever called on the `this` of the code around it: `(function () { … }).call(this)`.
fn is_called_on_this(tree: &Tree, function: NodeId) -> bool {
    let Some(member) = shape::wrapped_by(tree, function).filter(|&above| tree.kind(above) == "member_expression")
    else {
        return false;
    };
    let property = tree.child(member, "property").map(|property| tree.text(property));
    let call = tree.parent(member).filter(|&call| tree.child(call, "function") == Some(member));
    let first = call.and_then(|call| shape::arguments(tree, call).into_iter().next());
    matches!(property, Some("call" | "apply" | "bind"))
        && first.is_some_and(|first| tree.kind(shape::bare(tree, first)) == "this")
}
