//! What TypeScript knows about its own normal trees: scopes, flow, conditions, values.

use super::{TypeScript, access, kinds, lower, receiver, scope, shape, values};
use crate::languages::{Access, Call, Kinds, Receiver, Rules};
use crate::lowered::{Lowered, LoweredTest};
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Entries, Spelled};

impl Rules for TypeScript {
    fn scopes(&self, tree: &Tree) -> Scopes {
        scope::scopes(tree)
    }

    fn kinds(&self) -> &'static Kinds {
        &kinds::KINDS
    }

    fn lower(&self, tree: &Tree) -> Lowered {
        lower::lower(tree)
    }

    fn lower_test(&self, tree: &Tree, node: NodeId) -> LoweredTest {
        lower::lower_test(tree, node)
    }

    fn is_value(&self, tree: &Tree, node: NodeId) -> bool {
        let kind = tree.kind(node);
        shape::is_expression(kind) && kind != "spread_element"
    }

    fn access(&self, tree: &Tree, node: NodeId) -> Option<Access> {
        access::access(tree, node)
    }

    fn seen_within(&self, tree: &Tree, declared: NodeId) -> NodeId {
        scope::seen_within(tree, declared)
    }

    fn call(&self, tree: &Tree, node: NodeId) -> Option<Call> {
        access::call(tree, node)
    }

    fn receiver_of(&self, tree: &Tree, node: NodeId) -> Option<Receiver> {
        receiver::receiver_of(tree, node)
    }

    fn receiver_at(&self, tree: &Tree, name: &str, at: NodeId) -> Option<Receiver> {
        receiver::receiver_at(tree, name, at)
    }

    fn replacement(&self, tree: &Tree, member: NodeId) -> Option<(NodeId, &'static str)> {
        values::replacement(tree, member)
    }

    fn entries(&self, tree: &Tree, node: NodeId) -> Entries {
        values::entries(tree, node)
    }

    fn objects(&self, tree: &Tree, scopes: &Scopes, argument: NodeId) -> Vec<Tree> {
        values::objects(tree, scopes, argument)
    }

    fn constant(&self, tree: &Tree, node: NodeId) -> Constant {
        values::constant(tree, node)
    }

    fn spelled(&self, tree: &Tree, node: NodeId) -> Spelled {
        values::spelled(tree, node)
    }
}
