//! Code that the grammar reads wrongly without an error and that the normal form does not set right: it can be judged
//! neither fresh nor STALE.

use super::breaks;
use super::casts;
use super::using::declared;
use crate::grammar::Node;
use crate::languages::{Check, Given};

/// What is asked of which kind of node.
pub(super) const CHECKS: [(&str, Check); 42] = [
    ("arrow_function", object_body),
    ("public_field_definition", split_modifier),
    ("field_definition", split_modifier),
    ("member_expression", split_type),
    ("subscript_expression", split_type),
    ("call_expression", split_type),
    ("binary_expression", split_template),
    ("expression_statement", lost_declaration),
    ("function_expression", stray_declaration),
    ("generator_function", stray_declaration),
    ("class", stray_declaration),
    ("return_statement", breaks::behind_word),
    ("throw_statement", breaks::behind_word),
    ("break_statement", breaks::behind_word),
    ("continue_statement", breaks::behind_word),
    ("yield_expression", breaks::behind_word),
    ("type_alias_declaration", breaks::behind_word),
    ("interface_declaration", breaks::behind_word),
    ("ambient_declaration", breaks::behind_word),
    ("internal_module", breaks::behind_word),
    ("module", breaks::behind_word),
    ("arrow_function", breaks::behind_async),
    ("function_expression", breaks::behind_async),
    ("function_declaration", breaks::behind_async),
    ("generator_function", breaks::behind_async),
    ("generator_function_declaration", breaks::behind_async),
    ("abstract_class_declaration", breaks::behind_abstract),
    ("assignment_expression", breaks::behind_using),
    ("using_declaration", breaks::behind_using),
    ("update_expression", breaks::before_operator),
    ("as_expression", breaks::before_operator),
    ("satisfies_expression", breaks::before_operator),
    ("non_null_expression", breaks::before_operator),
    ("array_type", breaks::before_brackets),
    ("lookup_type", breaks::before_brackets),
    ("generic_type", breaks::before_brackets),
    ("method_definition", breaks::behind_modifiers),
    ("public_field_definition", breaks::behind_modifiers),
    ("field_definition", breaks::behind_modifiers),
    ("method_signature", breaks::behind_modifiers),
    ("abstract_method_signature", breaks::behind_modifiers),
    ("property_signature", breaks::behind_modifiers),
];

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
        match node.last_child().filter(|_| operation.contains(&node.kind())) {
            Some(last) => node = last,
            None => return false,
        }
    }
}

/// No expression statement starts with `function` or `class` (ECMAScript 14.5). Where one is nothing else, the normal form
/// has the declaration; where the grammar reads more into it, nobody can tell what the rest is.
fn lost_declaration(statement: Node<'_>, _: Given<'_>) -> Option<&'static str> {
    let first = statement.child(0)?;
    (declared(first.kind()).is_none() && declared(left_edge(first).kind()).is_some())
        .then_some("a function or class that the grammar reads as part of an expression: end the statement with `;`")
}

/// A function or class behind the end of a statement is a declaration; beside a parse error the grammar sometimes reads it
/// into an expression.
fn stray_declaration(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    if !node.is_named() || node.parent()?.kind() == "expression_statement" {
        return None;
    }
    let before = std::iter::successors(Some(node), |node| node.parent()).find_map(|inner| {
        std::iter::successors(inner.prev_sibling(), |node| node.prev_sibling())
            .find(|before| before.kind() != "comment")
    });
    let behind = before.map_or("", |before| given.text[..before.end_byte()].trim_end());
    behind.ends_with(['}', ';']).then_some("a function or class that the grammar reads as part of an expression")
}

/// `() => {a: 1}` is a block with a label, but the grammar reads an object.
fn object_body(arrow: Node<'_>, _: Given<'_>) -> Option<&'static str> {
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
    let last = field.children().filter(|child| child.kind() != "comment").last()?;
    let word = &given.text[last.span().range()];
    let next = std::iter::successors(field.next_sibling(), |node| node.next_sibling())
        .find(|next| next.kind() != "comment")?;
    let goes_on = match word {
        "get" | "set" => next.kind() == "method_definition" && next.child(0).is_some_and(|first| first.kind() != "*"),
        "static" => !matches!(next.kind(), ";" | "}"),
        _ => false,
    };
    (goes_on && last.kind() != "computed_property_name").then_some(
        "a line break behind `get`, `set` or `static`: the grammar reads a field of that name; join the lines",
    )
}

/// Behind `x as A.B` the grammar reads the rest of the type as more of the expression. Members, type arguments and plain
/// indices are set right; nothing else can stand there.
fn split_type(node: Node<'_>, _: Given<'_>) -> Option<&'static str> {
    let cast = matches!(node.child(0)?.kind(), "as_expression" | "satisfies_expression");
    let mut whole = node;
    let mut readable = true;
    while let Some(above) = whole.parent().filter(|above| above.child(0) == Some(whole)) {
        let index = above.child_by_field_name("index").filter(|_| above.kind() == "subscript_expression");
        if !matches!(above.kind(), "member_expression" | "instantiation_expression") && index.is_none() {
            break;
        }
        readable &= index.is_none_or(|index| casts::is_index(index.kind()));
        whole = above;
    }
    // `x as A.B.C | D` goes on as an operator.
    let joined = whole.parent().is_some_and(|above| {
        let operator = above.child_by_field_name("operator").map(|operator| operator.kind());
        above.kind() == "binary_expression" && matches!(operator, Some("|" | "&"))
    });
    let second = node.children().filter(|child| child.kind() != "comment").nth(1);
    let dotted = node.kind() == "member_expression" && second.is_some_and(|dot| dot.kind() == ".");
    let repaired = dotted && !joined && readable;
    (cast && !repaired)
        .then_some("the type of a cast is read too short by the grammar: put parentheses around the cast")
}
