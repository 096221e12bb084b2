//! What makes a literal member or table another value than its literal: what stands behind it in the same table, and
//! the methods of JavaScript's own collections.

use crate::languages::typescript::{access, shape};
use crate::tree::{NodeId, Tree};

/// Methods of arrays, sets and maps that change them (ECMAScript 23.1.3, 24.1.3, 24.2.3).
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

/// Functions of `Object` and `Reflect` that change their first argument (ECMAScript 20.1.2, 28.1).
const OF_OBJECT: [&str; 6] =
    ["assign", "defineProperties", "defineProperty", "deleteProperty", "set", "setPrototypeOf"];

/// See [`crate::languages::Rules::replacement`]. The later of two members with one key counts, and what a spread or a
/// computed key holds is not known.
pub(in crate::languages::typescript) fn replacement(tree: &Tree, member: NodeId) -> Option<(NodeId, &'static str)> {
    let mut below = member;
    let fixed = tree.gone(member) == Some("readonly") || tree.has_child(member, "static");
    if tree.kind(member) == "public_field_definition" && !fixed {
        return Some((member, "a field of each instance that is not `readonly`"));
    }
    if tree.kind(member) == "method_definition" && !fixed && in_class(tree, member) {
        return Some((member, "a method of each instance, which the name of the class does not reach"));
    }
    for above in tree.ancestors(member) {
        if shape::is_function(tree.kind(above)) {
            return None;
        }
        if tree.kind(above) == "object" {
            let key = key_text(tree, below);
            let behind = tree.children(above).filter(|&child| child > below);
            if let Some(found) = behind.filter_map(|child| replaces(tree, child, key)).next() {
                return Some(found);
            }
        }
        below = above;
    }
    None
}

fn in_class(tree: &Tree, member: NodeId) -> bool {
    tree.parent(member).is_some_and(|above| tree.kind(above) == "class_body")
}

fn replaces(tree: &Tree, member: NodeId, key: Option<&str>) -> Option<(NodeId, &'static str)> {
    if tree.kind(member) == "spread_element" {
        return Some((member, "a spread behind it, which may replace it"));
    }
    let name = tree.child(member, "key").or_else(|| tree.child(member, "name"));
    let computed = name.filter(|&name| tree.kind(name) == "computed_property_name");
    match computed {
        Some(name) => {
            let literal = shape::operand(tree, name).filter(|&inner| matches!(tree.kind(inner), "string" | "number"));
            let other = literal.is_some_and(|inner| key.is_some_and(|key| key != tree.text(inner)));
            (!other).then_some((member, "a computed key behind it, which may replace it"))
        }
        None => (key.is_some() && key_text(tree, member) == key).then_some((member, "the same key again")),
    }
}

/// A member's key, when it is written out.
pub(in crate::languages::typescript) fn key_text(tree: &Tree, member: NodeId) -> Option<&str> {
    let key = match tree.kind(member) {
        "shorthand_property_identifier" => member,
        _ => tree.child(member, "key").or_else(|| tree.child(member, "name"))?,
    };
    if tree.kind(key) == "computed_property_name" {
        let inner = shape::operand(tree, key)?;
        return matches!(tree.kind(inner), "string" | "number").then(|| tree.text(inner));
    }
    Some(tree.text(key))
}

/// See [`crate::languages::Rules::changed_in_place`].
pub(in crate::languages::typescript) fn changed_in_place(tree: &Tree, call: NodeId) -> Option<NodeId> {
    let (receiver, method) = method_of(tree, call)?;
    assigned_by(tree, call).or_else(|| CHANGING.contains(&method).then_some(receiver))
}

/// The object whose properties a call of `Object` or `Reflect` assigns.
pub(in crate::languages::typescript) fn assigned_by(tree: &Tree, call: NodeId) -> Option<NodeId> {
    assigning(tree, call)?.first().copied()
}

/// The arguments of a call of `Object.assign` or its like: the object that is assigned to, and the others. Also through
/// `Object.assign.call(null, …)`.
pub(in crate::languages::typescript) fn assigning(tree: &Tree, call: NodeId) -> Option<Vec<NodeId>> {
    let callee = shape::bare(tree, access::call(tree, call)?.callee);
    let arguments = shape::arguments(tree, call);
    if is_assigning(tree, callee) {
        return Some(arguments);
    }
    let (inner, method) = member(tree, callee)?;
    let through = method == "call" && is_assigning(tree, shape::bare(tree, inner));
    through.then(|| arguments.into_iter().skip(1).collect())
}

fn is_assigning(tree: &Tree, callee: NodeId) -> bool {
    member(tree, callee).is_some_and(|(of, method)| OF_OBJECT.contains(&method) && is_namespace(tree, of))
}

/// `Object`, `Reflect`, also as members of the global object.
fn is_namespace(tree: &Tree, node: NodeId) -> bool {
    let node = shape::bare(tree, node);
    let is_global =
        |of: NodeId| matches!(tree.text(shape::bare(tree, of)), "globalThis" | "window" | "self" | "global");
    let name = match member(tree, node) {
        Some((of, name)) if is_global(of) => name,
        Some(_) => return false,
        None => tree.text(node),
    };
    matches!(name, "Object" | "Reflect")
}

/// What a member is a member of, and its name: `o.a` and `o["a"]`.
fn member(tree: &Tree, node: NodeId) -> Option<(NodeId, &str)> {
    let name = match tree.kind(node) {
        "member_expression" => tree.child(node, "property")?,
        "subscript_expression" => tree.child(node, "index").filter(|&index| tree.kind(index) == "string")?,
        _ => return None,
    };
    Some((tree.child(node, "object")?, tree.text(name)))
}

fn method_of(tree: &Tree, call: NodeId) -> Option<(NodeId, &str)> {
    let callee = access::call(tree, call)?.callee;
    let receiver = tree.child(callee, "object").filter(|_| tree.kind(callee) == "member_expression")?;
    Some((receiver, tree.text(tree.child(callee, "property")?)))
}
