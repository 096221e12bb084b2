//! Zig.

use super::{Access, Call, Given, GrammarRules, Place, Rules};
use crate::condition::Condition;
use crate::flow::Flow;
use crate::item::Item;
use crate::scope::Scopes;
use crate::source::{Problem, span_of};
use crate::tree::{NodeId, Tree, TreeBuilder};
use crate::value::{Constant, Entries};

pub(super) struct Zig;

impl GrammarRules for Zig {
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

impl Rules for Zig {
    fn scopes(&self, _tree: &Tree) -> Scopes {
        Scopes::default()
    }

    fn is_literal(&self, _kind: &str) -> bool {
        false
    }

    fn flow(&self, _tree: &Tree, _scope: NodeId) -> Flow {
        Flow::nothing()
    }

    fn condition(&self, _tree: &Tree, node: NodeId) -> Condition {
        Condition::Atom(node)
    }

    fn access(&self, _tree: &Tree, _node: NodeId) -> Option<Access> {
        None
    }

    fn call(&self, _tree: &Tree, _node: NodeId) -> Option<Call> {
        None
    }

    fn only_returns(&self, _tree: &Tree, _function: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
        None
    }

    fn entries(&self, _tree: &Tree, node: NodeId) -> Entries {
        Entries::NotLiteral(node, "not read yet")
    }

    fn constant(&self, _tree: &Tree, node: NodeId) -> Constant {
        Constant::NotLiteral(node, "not read yet")
    }
}

/// Reads a file's links.
pub(super) fn links(_path: &str, _text: &str, _is_word: &dyn Fn(&str) -> bool) -> crate::links::Links {
    crate::links::Links::default()
}
