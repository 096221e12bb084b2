//! Where a variable can be seen.

use super::shape;
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::seen_within`]. A `var` is seen in all of its function.
pub(in crate::languages::typescript) fn seen_within(tree: &Tree, declared: NodeId) -> NodeId {
    let mut inside = declared;
    let mut hoisted = false;
    for above in tree.ancestors(declared) {
        let kind = tree.kind(above);
        let is_name = tree.field(inside) == Some("name");
        let names_itself = shape::is_function_declaration(kind) || kind.ends_with("class_declaration");
        let is_inside_only = match kind {
            _ if shape::is_function(kind) || shape::is_class(kind) => !(is_name && names_itself),
            "program" | "parts" | "class_static_block" => true,
            "for_in_statement" if tree.child(above, "kind").is_some_and(|word| tree.kind(word) == "var") => false,
            "statement_block" | "switch_body" | "for_statement" | "for_in_statement" | "catch_clause" => !hoisted,
            _ => false,
        };
        if is_inside_only {
            return above;
        }
        hoisted |= matches!(kind, "variable_declaration" | "for_in_statement");
        inside = above;
    }
    NodeId::ROOT
}

/// See [`crate::languages::Rules::is_made_anew`]. A `var` is one variable in all of its function.
pub(in crate::languages::typescript) fn is_made_anew(tree: &Tree, declared: NodeId) -> bool {
    for above in tree.ancestors(declared) {
        match tree.kind(above) {
            "variable_declaration" => return false,
            "for_in_statement" => {
                let word = tree.child(above, "kind").map(|word| tree.kind(word));
                return word.is_some_and(|word| word != "var");
            }
            kind if kind == "lexical_declaration" || shape::is_function(kind) || shape::is_class(kind) => return true,
            _ => {}
        }
    }
    true
}
