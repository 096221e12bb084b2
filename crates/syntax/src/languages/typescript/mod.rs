//! TypeScript, TSX and JavaScript: three grammars of one family, read by one set of rules.
//!
//! The grammar side (items, normal form, damage) works on tree-sitter's nodes; the tree side in [`rules`] works on
//! normal trees only.

mod rules;

use super::{Given, GrammarRules, Place};
use crate::item::Item;
use crate::source::{Problem, span_of};
use crate::tree::TreeBuilder;

pub(super) struct TypeScript;

impl GrammarRules for TypeScript {
    fn items(&self, _root: tree_sitter::Node<'_>, _given: Given<'_>) -> Vec<Item> {
        Vec::new()
    }

    fn normalize(&self, parts: &[tree_sitter::Node<'_>], given: Given<'_>, out: &mut TreeBuilder) {
        for part in parts {
            out.leaf(given.names.kind(*part), None, "", span_of(*part));
        }
    }

    fn harmless(&self, _node: tree_sitter::Node<'_>, _given: Given<'_>) -> bool {
        false
    }

    fn damage(&self, _root: tree_sitter::Node<'_>, _given: Given<'_>) -> Vec<Problem> {
        Vec::new()
    }

    fn places(&self) -> &'static [Place] {
        &[Place { before: "", after: "" }]
    }
}
