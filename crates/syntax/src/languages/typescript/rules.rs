//! What TypeScript knows about its own normal trees: scopes, flow, conditions, values.

use super::{TypeScript, access, chains, condition, denote, flow, kinds, lower, receiver, scope, shape, values, waits};
use crate::condition::Condition;
use crate::flow::Flow;
use crate::languages::{Access, Call, Denoted, Held, Kinds, Receiver, Rules, Runs, Waits};
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

    fn is_literal(&self, kind: &str) -> bool {
        matches!(kind, "string" | "number" | "string_fragment" | "regex" | "jsx_text")
    }

    fn flow(&self, tree: &Tree, scope: NodeId) -> Flow {
        flow::lower(tree, scope)
    }

    fn lower(&self, tree: &Tree) -> Lowered {
        lower::lower(tree)
    }

    fn lower_test(&self, tree: &Tree, node: NodeId) -> LoweredTest {
        lower::lower_test(tree, node)
    }

    fn condition(&self, tree: &Tree, node: NodeId) -> Condition {
        condition::condition(tree, node)
    }

    fn is_value(&self, tree: &Tree, node: NodeId) -> bool {
        let kind = tree.kind(node);
        shape::is_expression(kind) && kind != "spread_element"
    }

    fn access(&self, tree: &Tree, node: NodeId) -> Option<Access> {
        access::access(tree, node)
    }

    fn denotes(&self, tree: &Tree, node: NodeId) -> Vec<Denoted> {
        denote::denotes(tree, node)
    }

    fn held(&self, tree: &Tree, node: NodeId) -> Vec<Held> {
        denote::held(tree, node)
    }

    fn sources(&self, tree: &Tree, target: NodeId) -> Vec<Denoted> {
        denote::sources(tree, target)
    }

    fn runs_unasked(&self, tree: &Tree, function: NodeId) -> bool {
        shape::runs_unasked(tree, function)
    }

    fn runs_iterated(&self, tree: &Tree, function: NodeId) -> bool {
        shape::runs_iterated(tree, function)
    }

    fn iterates(&self, tree: &Tree, node: NodeId) -> bool {
        shape::iterates(tree, node)
    }

    fn seen_within(&self, tree: &Tree, declared: NodeId) -> NodeId {
        scope::seen_within(tree, declared)
    }

    fn is_function_declaration(&self, tree: &Tree, function: NodeId) -> bool {
        shape::is_function_declaration(tree.kind(function))
    }

    fn call(&self, tree: &Tree, node: NodeId) -> Option<Call> {
        access::call(tree, node)
    }

    fn member_of(&self, tree: &Tree, target: NodeId) -> Option<(Tree, NodeId, NodeId)> {
        access::member_of(tree, target)
    }

    fn runs(&self, tree: &Tree, item: NodeId) -> Runs {
        access::runs(tree, item)
    }

    fn waits(&self, tree: &Tree, node: NodeId) -> Waits {
        waits::waits(tree, node)
    }

    fn is_made_anew(&self, tree: &Tree, declared: NodeId) -> bool {
        scope::is_made_anew(tree, declared)
    }

    fn receiver_of(&self, tree: &Tree, node: NodeId) -> Option<Receiver> {
        receiver::receiver_of(tree, node)
    }

    fn receiver_at(&self, tree: &Tree, name: &str, at: NodeId) -> Option<Receiver> {
        receiver::receiver_at(tree, name, at)
    }

    fn makes_its_receiver(&self, tree: &Tree, function: NodeId) -> bool {
        receiver::makes_its_receiver(tree, function)
    }

    fn replacement(&self, tree: &Tree, member: NodeId) -> Option<(NodeId, &'static str)> {
        values::replacement(tree, member)
    }

    fn changed_in_place(&self, tree: &Tree, call: NodeId) -> Option<NodeId> {
        values::changed_in_place(tree, call)
    }

    fn parameters(&self, tree: &Tree, function: NodeId) -> Option<Vec<NodeId>> {
        access::parameters(tree, shape::function_of(tree, function)?)
    }

    fn only_returns(&self, tree: &Tree, function: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
        access::only_returns(tree, function)
    }

    fn method_returns(&self, tree: &Tree, method: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
        access::method_returns(tree, method)
    }

    fn is_method(&self, tree: &Tree) -> bool {
        receiver::is_method(tree)
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

    fn choice(&self, tree: &Tree, node: NodeId) -> Option<[NodeId; 3]> {
        shape::ternary(tree, shape::bare(tree, node)).map(<[NodeId; 3]>::from)
    }

    fn unchained(&self, tree: &Tree, node: NodeId) -> Option<(Tree, Vec<NodeId>)> {
        chains::unchained(tree, node)
    }

    fn negated(&self, tree: &Tree, condition: NodeId) -> Option<(NodeId, &'static str)> {
        condition::negated(tree, condition)
    }

    fn unmarked(&self, tree: &Tree, value: NodeId) -> NodeId {
        shape::bare(tree, value)
    }
}
