//! What tree-sitter-zig reads wrongly without an `ERROR` or a missing node, and the normal form cannot mend.

use super::super::{Check, Given};
use super::regroup::is_operator;
use crate::grammar::Node;

/// What is asked of which kind of node.
pub(super) const CHECKS: [(&str, Check); 2] = [("identifier", nameless), ("range_expression", joined)];

/// The parser makes up a name where one is missing, and only an empty container may lack it.
fn nameless(node: Node<'_>, _: Given<'_>) -> Option<&'static str> {
    let empty =
        |field: Node<'_>| super::is_empty_field(field) && field.parent().is_some_and(|above| is_empty_container(above));
    (node.start_byte() == node.end_byte() && !node.parent().is_some_and(empty)).then_some("a name is missing")
}

fn is_empty_container(node: Node<'_>) -> bool {
    let fields = node.children().filter(|child| child.kind() == "container_field").count();
    let others = node.children().any(|child| {
        matches!(
            child.kind(),
            "function_declaration" | "variable_declaration" | "test_declaration" | "comptime_declaration"
        )
    });
    matches!(node.kind(), "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration")
        && fields == 1
        && !others
}

fn joined(range: Node<'_>, _: Given<'_>) -> Option<&'static str> {
    if range.children().any(|child| child.is_missing()) {
        // `f: error{A}`, `*if (c) A else B`
        return Some("a type that the grammar does not read here: give it a name by a `const`, and use that");
    }
    (!stands_alone(range)).then_some("a range inside an expression that is no index and no `for`")
}

/// A range is the outermost operator of an index or of a `for`'s list; anywhere else the operators around it were not
/// meant to be its operands.
fn stands_alone(range: Node<'_>) -> bool {
    let mut node = range;
    while let Some(above) = node.parent() {
        // A suffix of a range is put behind its end.
        let suffix = matches!(
            above.kind(),
            "call_expression"
                | "field_expression"
                | "dereference_expression"
                | "null_coercion_expression"
                | "index_expression"
        );
        let suffixed = suffix && above.child(0) == Some(node);
        if !is_operator(above.kind()) && !suffixed {
            return match above.kind() {
                "index_expression" => above.child_by_field_name("index") == Some(node),
                "for_statement" | "for_expression" => true,
                _ => false,
            };
        }
        node = above;
    }
    // A snippet's own root.
    true
}
