//! What an expression says of its own value, for tests of it elsewhere: `null`, a literal, an object made on the spot.

use super::super::condition::operand;
use super::constants::constant;
use super::shape;
use crate::condition::Operand;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Spelled};

/// See [`crate::languages::Rules::spelled`].
pub(in crate::languages::typescript) fn spelled(tree: &Tree, node: NodeId) -> Spelled {
    if tree.kind(node) == "variable_declarator" {
        let is_name = tree.child(node, "name").is_some_and(|name| tree.kind(name) == "identifier");
        return if is_name && tree.child(node, "value").is_none() { Spelled::Undefined } else { Spelled::Unknown };
    }
    match operand(tree, node) {
        Operand::Null => Spelled::Null,
        Operand::Undefined => Spelled::Undefined,
        Operand::Node(node) => of_value(tree, node),
        Operand::Error => Spelled::Unknown,
    }
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
