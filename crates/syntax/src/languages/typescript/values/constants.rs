//! One constant: a literal, or arithmetic over literals and names.

use super::{held, plain, word};
use crate::languages::typescript::shape;
use crate::tree::{NodeId, Tree};
use crate::value::Constant;

/// See [`crate::languages::Rules::constant`].
pub(in crate::languages::typescript) fn constant(tree: &Tree, node: NodeId) -> Constant {
    match held(tree, node) {
        Ok(value) => literal(tree, value),
        Err((node, word)) => Constant::NotLiteral(node, word),
    }
}

/// The constant that an expression, property name or literal type spells.
pub(super) fn literal(tree: &Tree, node: NodeId) -> Constant {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || literal_here(tree, node))
}

fn literal_here(tree: &Tree, node: NodeId) -> Constant {
    let node = plain(tree, node);
    let text = tree.text(node);
    match tree.kind(node) {
        "number" => number(text).unwrap_or(Constant::NotLiteral(node, "a number out of range")),
        "string" | "property_identifier" | "private_property_identifier" => Constant::Text(text.to_owned()),
        "true" => Constant::Bool(true),
        "false" => Constant::Bool(false),
        "template_string" | "template_literal_type" => template(tree, node),
        "identifier" | "type_identifier" => Constant::Name(node),
        "member_expression" if is_path(tree, node) => Constant::Name(node),
        "unary_expression" => unary(tree, node),
        "binary_expression" => binary(tree, node),
        "computed_property_name" => match shape::operand(tree, node).map(|inner| plain(tree, inner)) {
            Some(inner) if matches!(tree.kind(inner), "string" | "number") => literal(tree, inner),
            _ => Constant::NotLiteral(node, "a computed key"),
        },
        "literal_type" => match tree.children(node).next() {
            Some(inner) => literal(tree, inner),
            None => Constant::NotLiteral(node, "no literal"),
        },
        _ => Constant::NotLiteral(node, word(tree, node)),
    }
}

/// Whether a member access is names only: `LIMITS.grace`, `Mode.Leader`.
fn is_path(tree: &Tree, node: NodeId) -> bool {
    let is_link = |inner| matches!(tree.kind(inner), "member_expression" | "identifier" | "property_identifier" | ".");
    tree.subtree(node).all(is_link)
}

/// The text of a template without substitutions; it is kept raw, so one with escapes is left alone.
fn template(tree: &Tree, node: NodeId) -> Constant {
    let mut text = String::new();
    for part in tree.children(node) {
        match tree.kind(part) {
            "string_fragment" if !tree.text(part).contains('\\') => text.push_str(tree.text(part)),
            "`" => {}
            "template_substitution" | "template_type" => {
                return Constant::NotLiteral(node, "a template with substitutions");
            }
            _ => return Constant::NotLiteral(node, "a template with escapes"),
        }
    }
    Constant::Text(text)
}

/// A number's canonical text; `n` marks a `BigInt`.
fn number(text: &str) -> Option<Constant> {
    let digits = text.strip_suffix('n').unwrap_or(text).replace('_', "");
    // A legacy octal (`0100`, ECMAScript 12.9.3), which `08` is not: neither belongs into a model.
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let radix = |prefix: &str| digits.to_ascii_lowercase().strip_prefix(prefix).map(str::to_owned);
    for (prefix, radix_of) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = radix(prefix) {
            return i128::from_str_radix(&digits, radix_of).ok().map(Constant::Integer);
        }
    }
    if let Ok(integer) = digits.parse::<i128>() {
        return Some(Constant::Integer(integer));
    }
    if text.ends_with('n') {
        return None;
    }
    let float = digits.parse::<f64>().ok().filter(|float| float.is_finite())?;
    // Up to 2^53 every integer is a double of its own.
    let whole = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    Some(if whole { Constant::Integer(float as i128) } else { Constant::Float(float) })
}

fn unary(tree: &Tree, node: NodeId) -> Constant {
    let Some(operand) = shape::operand(tree, node).or_else(|| tree.child(node, "argument")) else {
        return Constant::NotLiteral(node, "no literal");
    };
    let inner = literal(tree, operand);
    if let Constant::NotLiteral(..) = inner {
        return inner;
    }
    match shape::operator(tree, node) {
        "-" => Constant::Negate(Box::new(inner)),
        "+" => match inner {
            Constant::Integer(_) | Constant::Float(_) => inner,
            _ => Constant::NotLiteral(node, "a conversion"),
        },
        // Flipping every bit is the same as `x ^ -1`, for numbers and for BigInt.
        "~" => Constant::Binary(Box::new(inner), "^", Box::new(Constant::Integer(-1))),
        _ => Constant::NotLiteral(node, "no arithmetic"),
    }
}

fn binary(tree: &Tree, node: NodeId) -> Constant {
    let operator = match shape::operator(tree, node) {
        operator @ ("+" | "-" | "*" | "/" | "%" | "**" | "<<" | ">>" | "|" | "&" | "^") => operator,
        _ => return Constant::NotLiteral(node, "no arithmetic"),
    };
    let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
        return Constant::NotLiteral(node, "no arithmetic");
    };
    let differs = matches!(operator, "/" | "<<" | ">>" | "|" | "&" | "^");
    if differs && (holds_bigint(tree, left) || holds_bigint(tree, right)) {
        return Constant::NotLiteral(node, "a computation with BigInts");
    }
    match (literal(tree, left), literal(tree, right)) {
        (unknown @ Constant::NotLiteral(..), _) | (_, unknown @ Constant::NotLiteral(..)) => unknown,
        (left, right) => Constant::Binary(Box::new(left), operator, Box::new(right)),
    }
}

/// Division of BigInts drops the fraction, and their bits are not cut to 32: numbers differ in both.
fn holds_bigint(tree: &Tree, node: NodeId) -> bool {
    tree.subtree(node).any(|inner| {
        tree.kind(inner) == "number" && tree.text(inner).ends_with('n') && !tree.text(inner).starts_with("0x")
    })
}
