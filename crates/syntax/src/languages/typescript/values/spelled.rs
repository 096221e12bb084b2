//! What an expression says of its own value, for tests of it elsewhere: `null`, a literal, an object made on the spot.

use super::constants::constant;
use super::shape;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Spelled};

/// See [`crate::languages::Rules::spelled`].
pub(in crate::languages::typescript) fn spelled(tree: &Tree, node: NodeId) -> Spelled {
    if tree.kind(node) == "variable_declarator" {
        let is_name = tree.child(node, "name").is_some_and(|name| tree.kind(name) == "identifier");
        return if is_name && tree.child(node, "value").is_none() { Spelled::Undefined } else { Spelled::Unknown };
    }
    let node = shape::bare(tree, node);
    let node = assigned(tree, node).unwrap_or(node);
    match tree.kind(node) {
        "null" => Spelled::Null,
        _ if shape::is_undefined(tree, node) => Spelled::Undefined,
        "unary_expression" if shape::operator(tree, node) == "void" && is_pure_void(tree, node) => Spelled::Undefined,
        _ => of_value(tree, node),
    }
}

/// `void 0` and its like.
fn is_pure_void(tree: &Tree, node: NodeId) -> bool {
    shape::operand(tree, node).is_some_and(|operand| matches!(tree.kind(operand), "number" | "null" | "undefined"))
}

/// The variable `x` of `x = v`: behind it, its value is the value of the whole.
fn assigned(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let left = tree.child(node, "left").filter(|_| tree.kind(node) == "assignment_expression")?;
    let left = shape::bare(tree, left);
    (tree.kind(left) == "identifier").then_some(left)
}

fn of_value(tree: &Tree, node: NodeId) -> Spelled {
    let kind = tree.kind(node);
    let is_made = shape::is_function_expression(kind)
        || matches!(kind, "object" | "array" | "class" | "regex" | "new_expression");
    if is_made {
        return Spelled::Object;
    }
    let is_plain = matches!(kind, "string" | "number" | "true" | "false" | "template_string" | "unary_expression");
    let is_named = matches!(kind, "identifier" | "member_expression");
    // A `BigInt` equals no number of the same digits.
    let is_big = tree.subtree(node).any(|part| tree.kind(part) == "number" && tree.text(part).ends_with('n'));
    if !is_plain && !is_named || is_big {
        return Spelled::Unknown;
    }
    match constant(tree, node) {
        Constant::NotLiteral(..) => Spelled::Unknown,
        constant => Spelled::Constant(constant),
    }
}
