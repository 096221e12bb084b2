//! Code that the grammar reads wrongly without an error and that the normal form does not set right: it can be judged
//! neither fresh nor STALE.

use super::breaks;
use super::items::children;
use super::using::declared;
use crate::languages::Given;
use crate::source::span_of;
use tree_sitter::Node;

/// What is wrong with a node, in words, when something is.
pub(super) fn damage(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    misread(node, given).or_else(|| breaks::parted(node, given))
}

fn misread(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    match given.names.kind(node) {
        "arrow_function" => object_body(node),
        "public_field_definition" | "field_definition" => split_modifier(node, given),
        "member_expression" | "subscript_expression" | "call_expression" => split_type(node),
        "binary_expression" => split_template(node, given),
        "expression_statement" => lost_declaration(node),
        "function_expression" | "generator_function" | "class" if node.is_named() => stray_declaration(node, given),
        _ => None,
    }
}

/// ``tag<A & B>`…` `` and `<any>await f<'a'>(b)`: here and there the grammar reads the `<` and `>` of type arguments as
/// comparisons. Behind `a < b >`, a template or a parenthesis always makes them type arguments (TypeScript's
/// `canFollowTypeArgumentsInExpression`).
fn split_template(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let operator = node.child_by_field_name("operator").filter(|operator| operator.kind() == ">")?;
    let right = left_edge(node.child_by_field_name("right")?);
    let mut whole = node;
    while let Some(parent) = whole.parent().filter(|parent| parent.kind() == "binary_expression") {
        whole = parent;
    }
    let before = &given.text[whole.start_byte()..operator.start_byte()];
    let called = right.kind() == "parenthesized_expression" && ends_in_less(node.child_by_field_name("left")?);
    (called || (right.kind() == "template_string" && before.contains('<')))
        .then_some("type arguments are read as comparisons by the grammar: put parentheses around the call")
}

/// Whether the last operator of an expression is `<`.
fn ends_in_less(mut node: Node<'_>) -> bool {
    loop {
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
        if node.kind() == "binary_expression" && operator == Some("<") {
            return true;
        }
        let operation = ["binary_expression", "unary_expression", "await_expression", "type_assertion"];
        match node.child(node.child_count().saturating_sub(1)).filter(|_| operation.contains(&node.kind())) {
            Some(last) => node = last,
            None => return false,
        }
    }
}

/// No expression statement starts with `function` or `class` (ECMAScript 14.5). Where one is nothing else, the normal form
/// has the declaration; where the grammar reads more into it, nobody can tell what the rest is.
fn lost_declaration(statement: Node<'_>) -> Option<&'static str> {
    let first = statement.child(0)?;
    (declared(first.kind()).is_none() && declared(left_edge(first).kind()).is_some())
        .then_some("a function or class that the grammar reads as part of an expression: end the statement with `;`")
}

/// A function or class behind the end of a statement is a declaration; beside a parse error the grammar sometimes reads it
/// into an expression.
fn stray_declaration(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    if node.parent()?.kind() == "expression_statement" {
        return None;
    }
    let before = std::iter::successors(Some(node), Node::parent).find_map(|inner| {
        std::iter::successors(inner.prev_sibling(), Node::prev_sibling).find(|before| before.kind() != "comment")
    });
    let behind = before.map_or("", |before| given.text[..before.end_byte()].trim_end());
    behind.ends_with(['}', ';']).then_some("a function or class that the grammar reads as part of an expression")
}

/// `() => {a: 1}` is a block with a label, but the grammar reads an object.
fn object_body(arrow: Node<'_>) -> Option<&'static str> {
    let body = arrow.child_by_field_name("body")?;
    (left_edge(body).kind() == "object")
        .then_some("an arrow function's `{ … }` is a block, but the grammar reads an object: put parentheses around it")
}

/// The leftmost operand of an expression without parentheses.
fn left_edge(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind(),
        "as_expression"
            | "satisfies_expression"
            | "binary_expression"
            | "member_expression"
            | "subscript_expression"
            | "call_expression"
            | "non_null_expression"
            | "ternary_expression"
    ) {
        let Some(first) = node.child(0) else { break };
        node = first;
    }
    node
}

/// `get⏎b() {}` is a getter and `static⏎a() {}` a static method (ECMAScript 12.10.1: no semicolon is put where the text
/// goes on well), but the grammar reads a field called `get` or `static` and a method.
fn split_modifier(field: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let last = children(field).filter(|child| child.kind() != "comment").last()?;
    let word = &given.text[span_of(last).range()];
    let next = std::iter::successors(field.next_sibling(), Node::next_sibling).find(|next| next.kind() != "comment")?;
    let goes_on = match word {
        "get" | "set" => next.kind() == "method_definition" && next.child(0).is_some_and(|first| first.kind() != "*"),
        "static" => !matches!(next.kind(), ";" | "}"),
        _ => false,
    };
    (goes_on && last.kind() != "computed_property_name").then_some(
        "a line break behind `get`, `set` or `static`: the grammar reads a field of that name; join the lines",
    )
}

/// Behind `x as A.B` the grammar reads the rest of the type as more of the expression. Members and type arguments are
/// set right; nothing else can stand there.
fn split_type(node: Node<'_>) -> Option<&'static str> {
    let cast = matches!(node.child(0)?.kind(), "as_expression" | "satisfies_expression");
    let mut whole = node;
    while let Some(above) = whole.parent().filter(|above| above.child(0) == Some(whole)) {
        if !matches!(above.kind(), "member_expression" | "instantiation_expression") {
            break;
        }
        whole = above;
    }
    // `x as A.B.C | D` goes on as an operator.
    let joined = whole.parent().is_some_and(|above| {
        let operator = above.child_by_field_name("operator").map(|operator| operator.kind());
        above.kind() == "binary_expression" && matches!(operator, Some("|" | "&"))
    });
    let second = children(node).filter(|child| child.kind() != "comment").nth(1);
    let dotted = node.kind() == "member_expression" && second.is_some_and(|dot| dot.kind() == ".");
    let repaired = dotted && !joined;
    (cast && !repaired)
        .then_some("the type of a cast is read too short by the grammar: put parentheses around the cast")
}
