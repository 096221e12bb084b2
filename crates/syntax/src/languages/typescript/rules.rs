//! What TypeScript knows about its own normal trees: scopes, flow, conditions, values.

use super::TypeScript;
use crate::condition::Condition;
use crate::flow::Flow;
use crate::languages::{Access, Call, Rules};
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Entries};

impl Rules for TypeScript {
    fn scopes(&self, _tree: &Tree) -> Scopes {
        Scopes::default()
    }

    fn is_literal(&self, kind: &str) -> bool {
        matches!(kind, "string" | "number" | "string_fragment" | "regex" | "jsx_text")
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
