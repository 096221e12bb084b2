//! Puts what follows a type or a `!` behind its operand.
//!
//! tree-sitter-zig 1.1.2 reads `!a.b()` as `(!a).b()`, `?a.b` as `(?a).b`, `*a.b`, `[]a.b`, `E!a.b` and `fn () a.b` alike,
//! `0..(n)` as a call, and takes every `!` of an expression for the `!` of an error union, all without an error. In Zig a suffix binds
//! tighter than any prefix (language reference, Precedence), and `!T` without an error set is only a return type.

use super::raw::Raw;

/// Moves a suffix below the prefix that the grammar put into it.
pub(super) fn sink(mut node: Raw<'_>) -> Raw<'_> {
    let first = node.children.first();
    let suffix = match node.kind {
        "field_expression" => first.is_some_and(|child| child.field == Some("object")),
        "call_expression" | "index_expression" | "dereference_expression" | "null_coercion_expression" => true,
        "struct_initializer" => first.is_some_and(|child| child.kind == "unary_expression"),
        _ => false,
    };
    if !suffix {
        return node;
    }
    if let Some(range) = open_range(&mut node) {
        return range;
    }
    if !node.children.first().is_some_and(|child| is_prefix(child) && !child.children.is_empty()) {
        return node;
    }
    let role = node.children[0].field;
    let mut prefix = std::mem::replace(&mut node.children[0], Raw::token("", node.span));
    let Some(operand) = prefix.children.pop() else { return node };
    let inner = operand.field;
    node.span.start = operand.span.start;
    prefix.span.end = node.span.end;
    node.children[0] = operand.with(role);
    let below = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || sink(node));
    prefix.children.push(below.with(inner));
    prefix.with(None)
}

/// `0..(n)` is read as a call of `0..`.
fn open_range<'s>(node: &mut Raw<'s>) -> Option<Raw<'s>> {
    let base = node.children.first().filter(|base| base.kind == "range_expression")?;
    let open = base.children.last().is_some_and(|last| last.kind == "..");
    if !open || node.kind != "call_expression" || node.children.len() != 4 {
        return None;
    }
    let mut range = node.children.remove(0);
    range.span.end = node.span.end;
    range.children.push(Raw::over("parenthesized_expression", std::mem::take(&mut node.children)).with(Some("right")));
    Some(range.with(None))
}

fn is_prefix(node: &Raw<'_>) -> bool {
    matches!(
        node.kind,
        "nullable_type"
            | "anyframe_type"
            | "slice_type"
            | "pointer_type"
            | "array_type"
            | "error_union_type"
            | "function_signature"
            | "comptime_expression"
            | "if_expression"
            | "else_clause"
            | "unary_expression"
            | "range_expression"
    ) && node.children.last().is_some_and(|last| last.kind != "..")
}

/// `!x` without an error set is a negation, but for a function's return type.
pub(super) fn negation<'s>(child: Raw<'s>, parent: &str) -> Raw<'s> {
    let returned = matches!(parent, "function_declaration" | "function_signature") && child.field == Some("type");
    let marked = child.children.len() == 2 && child.children[0].kind == "!";
    let (kind, fields) = match (child.kind, returned) {
        ("error_union_type", false) if marked => ("unary_expression", [Some("operator"), Some("argument")]),
        ("unary_expression", true) if marked => ("error_union_type", [None, Some("ok")]),
        _ => return child,
    };
    let mut child = Raw { kind, ..child };
    for (part, field) in child.children.iter_mut().zip(fields) {
        part.field = field;
    }
    child
}
