//! The shapes of the Zig normal form: what one grammar node becomes once its children are read.
//!
//! The grammar has two or three kinds for one construct, depending on where it stands (`if_statement`,
//! `if_expression`, `if_type_expression`; a label inside its loop or around it; an assignment as a statement or as a
//! switch prong). Here each construct has one kind, so a pattern matches it wherever it stands. Statements are their
//! expressions: there is no `expression_statement`.

use super::raw::Raw;
use super::regroup::{is_operator, regroup};
use super::sink::{negation, sink};
use std::borrow::Cow;

/// Gives a node its normal shape.
pub(super) fn shape(mut node: Raw<'_>) -> Raw<'_> {
    let kind = node.kind;
    node.children = node.children.into_iter().map(|child| placed(child, kind)).collect();
    node = sink(node);
    node = match node.kind {
        "if_statement" | "if_expression" | "if_type_expression" => branching(node, "if_expression"),
        "while_statement" | "while_expression" => branching(node, "while_expression"),
        "for_statement" | "for_expression" => branching(node, "for_expression"),
        "comptime_statement" | "comptime_type_expression" => Raw { kind: "comptime_expression", ..node },
        "nosuspend_statement" => Raw { kind: "nosuspend_expression", ..node },
        "labeled_type_expression" | "block_expression" => Raw { kind: "labeled_statement", ..node },
        "variable_declaration" => declaration(node),
        "assignment_expression" => initializer(node),
        "field_initializer" => Raw { children: initializer_parts(node.children), ..node },
        "pointer_type" | "slice_type" => modifiers(node),
        "function_declaration" => inline_convention(node),
        "enum_declaration" | "union_declaration" => member_names(node),
        "container_field" => field_name(node),
        "switch_case" => prong(node),
        "asm_expression" | "asm_output" | "asm_input" => sections(node),
        _ => node,
    };
    labels(node)
}

/// A child below a node of a kind. A return type's `!` may have become a negation while its suffix was put behind it: it
/// is asked again.
fn placed<'s>(child: Raw<'s>, kind: &str) -> Raw<'s> {
    match negation(child, kind) {
        child if is_operator(child.kind) && !is_operator(kind) => regroup(child),
        child => child,
    }
}

/// `if`, `while` and `for`: fields `body` and `step`, and one `else_clause` whatever the place.
fn branching<'s>(mut node: Raw<'s>, kind: &'static str) -> Raw<'s> {
    node.kind = kind;
    let Some(close) = node.find(")") else { return node };
    let mut at = close + 1;
    if node.children.get(at).is_some_and(|child| child.kind == "payload") {
        at += 1;
    }
    if node.children.get(at).is_some_and(|child| child.kind == ":") {
        if let Some(step) = node.children.get_mut(at + 2) {
            step.field = Some("step");
        }
        at += 4;
    }
    if let Some(body) = node.children.get_mut(at) {
        body.field = Some("body");
    }
    if node.children.get(at + 1).is_some_and(|child| child.kind == "else") {
        let mut clause = node.children.split_off(at + 1);
        if let Some(last) = clause.last_mut() {
            last.field = Some("alternative");
        }
        node.children.push(Raw::over("else_clause", clause));
    }
    node
}

/// A declaration, an assignment or a destructuring: the grammar has one kind for the three.
fn declaration(mut node: Raw<'_>) -> Raw<'_> {
    let declares = node.children.iter().any(|child| matches!(child.kind, "const" | "var"));
    if !declares && node.children.len() == 3 {
        for (child, field) in node.children.iter_mut().zip(["left", "operator", "right"]) {
            child.field = Some(field);
        }
        return initializer(Raw { kind: "assignment_expression", ..node });
    }
    let equals = node.find("=").unwrap_or(node.children.len());
    for at in 0..node.children.len() {
        let behind = at.checked_sub(1).map(|before| node.children[before].kind);
        let child = &mut node.children[at];
        let header = matches!(
            child.kind,
            "pub"
                | "export"
                | "extern"
                | "threadlocal"
                | "const"
                | "var"
                | ":"
                | "="
                | "byte_alignment"
                | "address_space"
                | "link_section"
        );
        child.field = match () {
            () if child.field.is_some() || header => child.field,
            () if matches!(behind, Some("const" | "var")) => Some("name"),
            () if at > equals => Some("value"),
            () if behind == Some("extern") => None,
            () => Some("left"),
        };
    }
    node
}

/// `.a = 1` is a field's initializer wherever it stands: nothing can be assigned to an enum literal.
fn initializer(mut node: Raw<'_>) -> Raw<'_> {
    let is_field = node.children.len() == 3
        && node.children[0].kind == "field_expression"
        && node.children[0].children.len() == 2
        && node.children[1].kind == "=";
    if !is_field {
        return node;
    }
    let mut parts = std::mem::take(&mut node.children[0].children);
    parts.extend(node.children.drain(1..));
    Raw { kind: "field_initializer", children: initializer_parts(parts), ..node }
}

fn initializer_parts(mut parts: Vec<Raw<'_>>) -> Vec<Raw<'_>> {
    for (part, field) in parts.iter_mut().zip([None, Some("name"), None, Some("value")]) {
        part.field = field;
    }
    parts
}

/// The modifiers of a pointer in the one order in which `zig fmt` writes them (`renderPtrType`).
fn modifiers(mut node: Raw<'_>) -> Raw<'_> {
    let rank = |kind: &str| match kind {
        "allowzero" => 1,
        "byte_alignment" => 2,
        "address_space" => 3,
        "const" => 4,
        "volatile" => 5,
        _ => 0,
    };
    let mut grouped: Vec<Raw<'_>> = Vec::new();
    let mut aligning: Option<Vec<Raw<'_>>> = None;
    for child in node.children {
        let (starts, ends) = (child.kind == "align", child.kind == ")");
        match (&mut aligning, starts) {
            (None, true) => aligning = Some(vec![child]),
            (None, false) => grouped.push(child),
            (Some(parts), _) => parts.push(child),
        }
        if ends {
            grouped.extend(aligning.take().map(|parts| Raw::over("byte_alignment", parts)));
        }
    }
    let first = grouped.iter().position(|child| rank(child.kind) > 0).unwrap_or(grouped.len());
    let end = grouped.iter().rposition(|child| rank(child.kind) > 0).map_or(first, |last| last + 1);
    grouped[first..end].sort_by_key(|child| rank(child.kind));
    node.children = grouped;
    node
}

/// `fn f() callconv(.@"inline")` is what `zig fmt` writes `inline fn f()`.
fn inline_convention(mut node: Raw<'_>) -> Raw<'_> {
    let convention = node.children.iter().position(|child| {
        child.kind == "calling_convention"
            && child.children.get(2).is_some_and(|value| {
                value.kind == "field_expression"
                    && value.children.len() == 2
                    && matches!(value.children[1].text.as_ref(), "@\"inline\"" | "Inline")
            })
    });
    if let (Some(at), Some(word)) = (convention, node.find("fn")) {
        let removed = node.children.remove(at);
        node.children.insert(word, Raw::token("inline", removed.span));
    }
    node
}

/// A member that is named like a type (`enum { u8, type }`) is a name all the same.
fn member_names(mut node: Raw<'_>) -> Raw<'_> {
    for field in node.children.iter_mut().filter(|child| child.kind == "container_field") {
        field.children.iter_mut().filter(|part| part.field == Some("name")).for_each(as_name);
    }
    node
}

fn field_name(mut node: Raw<'_>) -> Raw<'_> {
    if node.find(":").is_some() {
        node.children.iter_mut().filter(|part| part.field == Some("name")).for_each(as_name);
    }
    node
}

fn as_name(part: &mut Raw<'_>) {
    if matches!(part.kind, "builtin_type" | "boolean" | "null" | "undefined") {
        if part.text.is_empty() {
            part.text = Cow::Borrowed(part.kind);
        }
        part.kind = "identifier";
    }
}

/// A prong's values have the field `case`, its code `body`.
fn prong(mut node: Raw<'_>) -> Raw<'_> {
    let arrow = node.find("=>").unwrap_or(0);
    let last = node.children.len() - 1;
    for (at, child) in node.children.iter_mut().enumerate() {
        if at < arrow && !matches!(child.kind, "inline" | "else" | "...") {
            child.field = Some("case");
        } else if at == last {
            child.field = Some("body");
        }
    }
    node
}

/// Empty sections at the end of an `asm` say nothing.
fn sections(mut node: Raw<'_>) -> Raw<'_> {
    node.children.retain(|child| {
        let section = matches!(child.kind, "asm_output" | "asm_input" | "asm_clobbers");
        !(section && child.children.len() == 1)
    });
    node
}

/// A label stands around what it names: `labeled_statement` of the label and the block, loop or switch.
fn labels(mut node: Raw<'_>) -> Raw<'_> {
    if node.kind == "expression_statement" || (node.kind == "labeled_statement" && node.children.len() == 1) {
        return node.children.pop().unwrap_or(node);
    }
    if node.kind == "labeled_statement" {
        return node;
    }
    let Some(at) = node.find("block_label") else { return node };
    let field = node.children.get(at + 1).and_then(|child| child.field);
    if matches!(node.kind, "while_expression" | "for_expression" | "switch_expression") {
        let label = node.children.remove(at);
        node.span.start = node.children.first().map_or(node.span.start, |first| first.span.start);
        return Raw::over("labeled_statement", vec![label, node]);
    }
    let rest = node.children.split_off(at);
    let mut rest = rest.into_iter();
    let pair: Vec<Raw<'_>> = rest.by_ref().take(2).collect();
    node.children.push(Raw::over("labeled_statement", pair).with(field));
    node.children.extend(rest);
    node
}
