//! What makes a literal member or table another value than its literal: what stands behind it in the same table.

use crate::languages::typescript::shape;
use crate::tree::{NodeId, Tree};

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
