//! What the truth of an expression means.

use super::chains;
use super::shape::{self, Logic};
use crate::condition::{Condition, Operand, Sameness};
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::condition`].
pub(super) fn condition(tree: &Tree, node: NodeId) -> Condition {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || condition_here(tree, node))
}

fn condition_here(tree: &Tree, node: NodeId) -> Condition {
    let node = shape::bare(tree, node);
    if let Some(truth) = constant_truth(tree, node) {
        return Condition::Constant(truth);
    }
    let decides = shape::logical(tree, node).is_some() || shape::ternary(tree, node).is_some();
    // What one operand says of a variable is gone when another one assigns it.
    if decides && assigns(tree, node) {
        return Condition::Atom(node);
    }
    if let Some((logic @ (Logic::And | Logic::Or), operands)) = shape::logical(tree, node) {
        let operands = operands.into_iter().map(|operand| condition(tree, operand)).collect();
        return if logic == Logic::And { Condition::And(operands) } else { Condition::Or(operands) };
    }
    if let Some(choice) = choice(tree, node) {
        return choice;
    }
    match tree.kind(node) {
        "binary_expression" => equality(tree, node).unwrap_or(Condition::Atom(node)),
        "unary_expression" if shape::operator(tree, node) == "!" => match shape::operand(tree, node) {
            Some(operand) => not(condition(tree, operand)),
            None => Condition::Atom(node),
        },
        "statement_block" => returned(tree, node).unwrap_or(Condition::Atom(node)),
        "sequence_expression" => match shape::expressions(tree, node).last() {
            Some(last) => condition(tree, last),
            None => Condition::Atom(node),
        },
        _ => match boolean_of(tree, node).or_else(|| assigned(tree, node)) {
            Some(operand) => condition(tree, operand),
            None => optional(tree, node),
        },
    }
}

/// `a?.b` is true only where `a` is there.
fn optional(tree: &Tree, node: NodeId) -> Condition {
    present(tree, node, Condition::Atom(node))
}

/// What holds only where everything on the way to a value is there.
fn present(tree: &Tree, value: NodeId, condition: Condition) -> Condition {
    let bases = chains::bases(tree, value);
    if bases.is_empty() || assigns(tree, value) {
        return condition;
    }
    let is_there =
        |object| not(Condition::Equal { left: Operand::Node(object), right: Operand::Null, sameness: Sameness::Loose });
    let mut all: Vec<_> = bases.into_iter().map(is_there).collect();
    all.push(condition);
    Condition::And(all)
}

/// `a ? b : c`, and `a ?? b`, which is `a` where that is there.
fn choice(tree: &Tree, node: NodeId) -> Option<Condition> {
    let choose = |test, yes, no| Condition::Choice { test: Box::new(test), yes: Box::new(yes), no: Box::new(no) };
    if let Some((test, yes, no)) = shape::ternary(tree, node) {
        return Some(choose(condition(tree, test), condition(tree, yes), condition(tree, no)));
    }
    let (_, operands) = shape::logical(tree, node).filter(|(logic, _)| *logic == Logic::Nullish)?;
    let (&last, before) = operands.split_last()?;
    let is_there = |first: NodeId| {
        let left = Operand::Node(shape::bare(tree, first));
        not(Condition::Equal { left, right: Operand::Null, sameness: Sameness::Loose })
    };
    let choose = |no, &first: &NodeId| choose(is_there(first), condition(tree, first), no);
    Some(before.iter().rev().fold(condition(tree, last), choose))
}

/// What the value of a function's body means, when it does nothing but test and return.
pub(super) fn returned(tree: &Tree, body: NodeId) -> Option<Condition> {
    let statements: Vec<_> = shape::statements(tree, body).collect();
    returned_by(tree, &statements)
}

fn returned_by(tree: &Tree, statements: &[NodeId]) -> Option<Condition> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        let (&first, rest) = statements.split_first()?;
        match tree.kind(first) {
            "return_statement" => shape::operand(tree, first).map(|value| condition(tree, value)),
            "if_statement" => {
                let test = Box::new(condition(tree, tree.child(first, "condition")?));
                let yes = Box::new(returned(tree, tree.child(first, "consequence")?)?);
                let no = match tree.child(first, "alternative") {
                    Some(clause) => returned(tree, tree.child_of_kind(clause, "statement_block")?),
                    None => returned_by(tree, rest),
                };
                Some(Condition::Choice { test, yes, no: Box::new(no?) })
            }
            _ => None,
        }
    })
}

fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Not(inner) => *inner,
        Condition::Constant(truth) => Condition::Constant(!truth),
        other => Condition::Not(Box::new(other)),
    }
}

fn equality(tree: &Tree, node: NodeId) -> Option<Condition> {
    let (sameness, negated) = match shape::operator(tree, node) {
        "===" => (Sameness::Strict, false),
        "!==" => (Sameness::Strict, true),
        "==" => (Sameness::Loose, false),
        "!=" => (Sameness::Loose, true),
        _ => return None,
    };
    let (left, right) = (tree.child(node, "left")?, tree.child(node, "right")?);
    let equal = match type_of_undefined(tree, left, right).or_else(|| type_of_undefined(tree, right, left)) {
        Some(subject) => Condition::Equal {
            left: Operand::Node(shape::bare(tree, subject)),
            right: Operand::Undefined,
            sameness: Sameness::Strict,
        },
        None => compared(tree, left, right, sameness),
    };
    Some(if negated { not(equal) } else { equal })
}

/// An equality; what equals a literal is there.
fn compared(tree: &Tree, left: NodeId, right: NodeId, sameness: Sameness) -> Condition {
    let equal = Condition::Equal { left: operand(tree, left), right: operand(tree, right), sameness };
    let is_literal = |node| matches!(tree.kind(shape::bare(tree, node)), "string" | "number" | "true" | "false");
    let value = if is_literal(right) { left } else { right };
    if is_literal(left) == is_literal(right) { equal } else { present(tree, shape::bare(tree, value), equal) }
}

/// `x` in `typeof x === 'undefined'`.
fn type_of_undefined(tree: &Tree, left: NodeId, right: NodeId) -> Option<NodeId> {
    let (left, right) = (shape::bare(tree, left), shape::bare(tree, right));
    let asks = tree.kind(left) == "unary_expression" && shape::operator(tree, left) == "typeof";
    let undefined = tree.kind(right) == "string" && tree.text(right) == "undefined";
    if asks && undefined { shape::operand(tree, left) } else { None }
}

/// One side of an equality.
pub(super) fn operand(tree: &Tree, node: NodeId) -> Operand {
    let node = shape::bare(tree, node);
    let node = assigned(tree, node).unwrap_or(node);
    match tree.kind(node) {
        "null" => Operand::Null,
        _ if shape::is_undefined(tree, node) => Operand::Undefined,
        "unary_expression" if shape::operator(tree, node) == "void" && is_pure_void(tree, node) => Operand::Undefined,
        _ => Operand::Node(node),
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

/// The `x` of `Boolean(x)`.
pub(super) fn boolean_of(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let callee = tree.child(node, "function").filter(|_| tree.kind(node) == "call_expression")?;
    let is_boolean = tree.kind(callee) == "identifier" && tree.text(callee) == "Boolean";
    if !is_boolean || shape::is_optional(tree, node) {
        return None;
    }
    let list = tree.child(node, "arguments").filter(|&list| tree.kind(list) == "arguments")?;
    let mut arguments = shape::expressions(tree, list);
    let only = arguments.next().filter(|&only| tree.kind(only) != "spread_element")?;
    arguments.next().is_none().then_some(only)
}

/// The truth of a literal: `true`, `false`, `1`, `0`, `null`.
pub(super) fn constant_truth(tree: &Tree, node: NodeId) -> Option<bool> {
    let node = shape::bare(tree, node);
    match tree.kind(node) {
        "true" => Some(true),
        "false" | "null" => Some(false),
        "number" => match tree.text(node) {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        },
        "unary_expression" if shape::operator(tree, node) == "!" => {
            shape::operand(tree, node).and_then(|inner| constant_truth(tree, inner)).map(|truth| !truth)
        }
        _ => None,
    }
}

/// See [`crate::languages::Rules::negated`].
pub(super) fn negated(tree: &Tree, node: NodeId) -> Option<(NodeId, &'static str)> {
    let assignment = tree.parent(node).filter(|_| tree.field(node) == Some("left"))?;
    let operator = tree.child(assignment, "operator")?;
    match tree.kind(operator) {
        "&&=" => Some((operator, "||=")),
        "||=" => Some((operator, "&&=")),
        _ => None,
    }
}

/// Whether evaluating the node assigns something, outside the functions in it.
pub(super) fn assigns(tree: &Tree, node: NodeId) -> bool {
    let is_write =
        |kind: &str| matches!(kind, "assignment_expression" | "augmented_assignment_expression" | "update_expression");
    tree.subtree(node).any(|inner| is_write(tree.kind(inner)))
}
