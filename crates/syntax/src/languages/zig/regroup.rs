//! Groups operators by Zig's own precedence.
//!
//! tree-sitter-zig 1.1.2 reads `try a + b` as `try (a + b)`, `a catch b orelse c` as `a catch (b orelse c)` and
//! `xs[a + 1 .. n - 1]` as `a + (1 .. n) - 1`, all without an error. The operators' order in the source is right, so
//! a region of operators is flattened to that order and grouped again by the language reference's table (Precedence).

use super::raw::Raw;
use crate::tree::Span;
use std::iter::Peekable;

/// Whether a node of this kind is an operator with operands, so that it belongs to a region.
pub(super) fn is_operator(kind: &str) -> bool {
    matches!(
        kind,
        "binary_expression"
            | "catch_expression"
            | "try_expression"
            | "unary_expression"
            | "range_expression"
            | "await_expression"
    )
}

/// A region in source order.
enum Piece<'s> {
    Operand(Raw<'s>),
    /// `!`, `try` …
    Prefix(Raw<'s>),
    /// The operator, and the capture of a `catch`.
    Infix(Vec<Raw<'s>>),
}

/// Regroups the region whose outermost node this is.
pub(super) fn regroup(top: Raw<'_>) -> Raw<'_> {
    let field = top.field;
    let mut pieces = Vec::new();
    flatten(top, &mut pieces);
    group(&mut pieces.into_iter().peekable(), 0).with(field)
}

fn flatten<'s>(node: Raw<'s>, pieces: &mut Vec<Piece<'s>>) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        if !is_operator(node.kind) {
            return pieces.push(Piece::Operand(node));
        }
        let prefix = matches!(node.kind, "try_expression" | "unary_expression" | "await_expression");
        let mut infix = Vec::new();
        for (at, child) in node.children.into_iter().enumerate() {
            let operator =
                matches!(child.kind, "try" | "await" | "catch" | ".." | "payload") || child.field == Some("operator");
            match (operator, prefix) {
                (true, true) if at == 0 => pieces.push(Piece::Prefix(child)),
                (true, _) => infix.push(child),
                (false, _) => {
                    if !infix.is_empty() {
                        pieces.push(Piece::Infix(std::mem::take(&mut infix)));
                    }
                    flatten(child, pieces);
                }
            }
        }
        if !infix.is_empty() {
            pieces.push(Piece::Infix(infix));
        }
    });
}

/// How tightly an infix operator binds; all group to the left.
fn strength(operator: &str) -> u8 {
    match operator {
        ".." => 0,
        "or" => 1,
        "and" => 2,
        "==" | "!=" | "<" | ">" | "<=" | ">=" => 3,
        "&" | "^" | "|" | "orelse" | "catch" => 4,
        "<<" | ">>" | "<<|" => 5,
        "+" | "-" | "++" | "+%" | "-%" | "+|" | "-|" => 6,
        _ => 7,
    }
}

fn group<'s>(pieces: &mut Peekable<impl Iterator<Item = Piece<'s>>>, weakest: u8) -> Raw<'s> {
    let mut left = operand(pieces);
    while let Some(Piece::Infix(operators)) = pieces.peek() {
        let binds = strength(operators[0].kind);
        if binds < weakest {
            break;
        }
        let Some(Piece::Infix(operators)) = pieces.next() else { break };
        let right = pieces.peek().is_some().then(|| group(pieces, binds + 1));
        left = join(left, operators, right);
    }
    left
}

fn operand<'s>(pieces: &mut Peekable<impl Iterator<Item = Piece<'s>>>) -> Raw<'s> {
    let mut prefixes = Vec::new();
    loop {
        match pieces.next() {
            Some(Piece::Prefix(operator)) => prefixes.push(operator),
            Some(Piece::Operand(node)) => {
                return prefixes.into_iter().rev().fold(node, |inner, operator| prefixed(operator, inner));
            }
            // A damaged region (it holds a parse error): nothing is lost, and nobody reads it.
            Some(Piece::Infix(operators)) => return Raw::over("ERROR", operators),
            None => return prefixes.pop().unwrap_or_else(|| Raw::over("ERROR", Vec::new())),
        }
    }
}

fn prefixed<'s>(operator: Raw<'s>, inner: Raw<'s>) -> Raw<'s> {
    let kind = match operator.kind {
        "try" => "try_expression",
        "await" => "await_expression",
        _ => "unary_expression",
    };
    Raw::over(kind, vec![operator.with(Some("operator")), inner.with(Some("argument"))])
}

fn join<'s>(left: Raw<'s>, operators: Vec<Raw<'s>>, right: Option<Raw<'s>>) -> Raw<'s> {
    let operator = operators[0].kind;
    let (kind, right) = match (operator, right) {
        ("and" | "or", Some(right)) => return chain(left, operators, right),
        ("catch", right) => ("catch_expression", right),
        ("..", right) => ("range_expression", right),
        (_, right) => ("binary_expression", right),
    };
    let mut children = vec![left.with(Some("left"))];
    children.extend(operators.into_iter().map(|part| match part.kind {
        "payload" => part,
        _ => part.with(Some("operator")),
    }));
    children.extend(right.map(|right| right.with(Some("right"))));
    Raw::over(kind, children)
}

/// `and` and `or` chains are flat: the operator, then every operand.
fn chain<'s>(left: Raw<'s>, mut operators: Vec<Raw<'s>>, right: Raw<'s>) -> Raw<'s> {
    let operator = operators.swap_remove(0);
    let span = Span { start: left.span.start, end: right.span.end };
    let same =
        left.kind == "logical_expression" && left.children.first().is_some_and(|first| first.kind == operator.kind);
    let mut children = match same {
        true => left.children,
        false => vec![operator.with(Some("operator")), left.with(Some("operand"))],
    };
    children.push(right.with(Some("operand")));
    Raw { span, ..Raw::over("logical_expression", children) }
}
