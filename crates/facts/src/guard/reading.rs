//! One scope, read: its graph, where its nodes are evaluated, its conditions as leaves, its local variables.

use super::code::{Base, Code};
use super::ends::Ends;
use super::runs::Lives;
use super::spec::Assertions;
use crate::graph::{self, Action, Graph, Hooks, PointId};
use crate::pattern::{Env, Pattern};
use crate::program::{Program, Scope};
use factgate_syntax::languages::Receiver;
use factgate_syntax::links::{self, Means};
use factgate_syntax::{BindingId, NodeId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The metavariable that stands for the condition of a listed assertion.
const CONDITION: &str = "C";

/// A scope with everything that guards ask of it.
pub(super) struct Reading {
    pub(super) scope: Scope,
    pub(super) code: Code,
    pub(super) graph: Graph,
    evals: HashMap<NodeId, Vec<PointId>>,
    /// For the evaluation of an assignment, and for each of its writes but the first: the write before it.
    writes: HashMap<PointId, PointId>,
    /// The variables whose truth can be followed: written and tested by one function only.
    pub(super) locals: BTreeSet<BindingId>,
    /// What each point ends.
    pub(super) ends: Ends,
    /// Where its functions may run.
    pub(super) lives: Lives,
}

impl Reading {
    pub(super) fn of(program: &Program<'_>, scope: &Scope, assertions: &Assertions) -> Reading {
        let rules = scope.source.language().rules();
        let tree = &scope.tree;
        let flow = rules.flow(tree, NodeId::ROOT);
        let asserted = asserted(scope, &assertions.calls);
        let ends: BTreeSet<NodeId> = found(scope, &assertions.never_returns).map(|(node, _)| node).collect();
        let hooks = Hooks {
            condition: &|node| rules.condition(tree, node),
            asserted: &|node| asserted.get(&node).cloned().unwrap_or_default(),
            ends: &|node| ends.contains(&node),
            returns: &|node| is_other(program, scope, node),
        };
        let graph = graph::build(&flow, &hooks);
        let mut evals: HashMap<NodeId, Vec<PointId>> = HashMap::default();
        let mut writes = HashMap::default();
        for id in graph.ids() {
            match graph.point(id).action {
                Action::Eval(node) => evals.entry(node).or_default().push(id),
                Action::Write { node, .. } => {
                    let of_same = |next: &PointId| match graph.point(*next).action {
                        Action::Eval(other) | Action::Write { node: other, .. } => other == node,
                        _ => false,
                    };
                    writes.extend(graph.point(id).next().filter(of_same).map(|next| (next, id)));
                }
                _ => {}
            }
        }
        let code = Code::of(tree, &scope.scopes, rules);
        let lives = Lives::of(&scope.scopes, &code, &graph);
        let ends = Ends::of(&scope.scopes, &code, &graph, &lives);
        let (scope, locals) = (scope.clone(), BTreeSet::new());
        let mut reading = Reading { scope, code, graph, evals, writes, locals, ends, lives };
        reading.locals = reading.followed();
        reading
    }

    /// The points at which a node is evaluated: several where a `finally` was copied, none in a type.
    pub(super) fn points(&self, node: NodeId) -> &[PointId] {
        self.evals.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The point at which a node's own doing begins. An assignment ends what was known of its target, and is judged by
    /// what was known before it.
    pub(super) fn before(&self, evaluated: PointId) -> PointId {
        let mut point = evaluated;
        while let Some(&write) = self.writes.get(&point) {
            point = write;
        }
        point
    }

    /// The innermost function called later that a node stands in.
    pub(super) fn owner(&self, node: NodeId) -> Option<NodeId> {
        let inside = |function: &NodeId| self.scope.tree.is_within(node, *function);
        self.graph.closures.iter().map(|closure| closure.node).filter(inside).max()
    }

    /// Variables that only the function which declares them writes, and whose place is not handed out.
    fn followed(&self) -> BTreeSet<BindingId> {
        let captured: BTreeSet<BindingId> = self
            .graph
            .closures
            .iter()
            .flat_map(|closure| closure.writes.iter().map(move |&(node, target)| (closure.node, node, target)))
            .filter_map(|(function, _, target)| {
                let binding = self.code.variable(target)?;
                let declared = self.scope.scopes.get(binding).declared;
                (!self.scope.tree.is_within(declared, function)).then_some(binding)
            })
            .collect();
        let mut written = BTreeSet::new();
        for id in self.graph.ids() {
            if let Action::Write { target, .. } = self.graph.point(id).action
                && let Some(binding) = self.code.variable(target)
            {
                written.insert(binding);
            }
        }
        written.retain(|binding| !captured.contains(binding));
        for node in self.scope.tree.subtree(NodeId::ROOT) {
            if let Some(binding) = self.code.binding(node)
                && self.code.rules.shared(&self.scope.tree, node)
            {
                written.remove(&binding);
            }
        }
        written
    }

    /// Whether a leaf is the `this` or `arguments` of a function that was looked into, and not of the code around it.
    pub(super) fn is_own_receiver(&self, node: NodeId, function: NodeId) -> bool {
        match self.code.rules.receiver_of(&self.scope.tree, node) {
            Some(Receiver::Inner(inner)) => self.scope.tree.is_within(inner, function),
            Some(Receiver::Scope) => function == NodeId::ROOT,
            None => false,
        }
    }

    /// The variable of a leaf that is a bare local, when its truth can be followed there.
    pub(super) fn local(&self, node: NodeId) -> Option<BindingId> {
        let binding = self.code.variable(node).filter(|binding| self.locals.contains(binding))?;
        let declared = self.scope.scopes.get(binding).declared;
        (self.owner(node) == self.owner(declared)).then_some(binding)
    }

    /// Whether an assignment's target is this variable itself.
    pub(super) fn assigned(&self, target: NodeId) -> Option<BindingId> {
        match self.code.target(target)? {
            super::code::Target { base: Base::Variable(binding), path } if path.is_empty() => Some(binding),
            _ => None,
        }
    }
}

/// Whether the name that a call starts with means something of the file where the language's own is meant: `process`
/// without an import from `process`.
fn is_other(program: &Program<'_>, scope: &Scope, call: NodeId) -> bool {
    let rules = scope.source.language().rules();
    let Some(call) = rules.call(&scope.tree, call) else { return false };
    let Some(access) = rules.access(&scope.tree, call.callee) else { return false };
    let Some(whole) = program.whole(&scope.file) else { return true };
    let Some(variable) = whole.variable(scope.tree.span(access.root)) else { return false };
    let name = scope.tree.text(access.root);
    let is_its_module = |denotes: &links::Denotes| match &denotes.base {
        links::Base::Module(module) => {
            let whole = denotes.path.is_empty() || denotes.path == ["default"];
            whole && (module == name || module.strip_prefix("node:") == Some(name))
        }
        _ => false,
    };
    !whole.symbol(variable).is_some_and(|symbol| matches!(&symbol.means, Means::Alias(of) if is_its_module(of)))
}

/// Every place in a scope that one of the patterns matches, with its bindings.
fn found<'p>(scope: &'p Scope, patterns: &'p [Pattern]) -> impl Iterator<Item = (NodeId, Env)> + 'p {
    let all = |pattern: &Pattern| pattern.find_all(&scope.tree, NodeId::ROOT, &Env::new());
    patterns.iter().flat_map(all).map(|found| (found.last, found.env))
}

/// What the listed assertions in a scope make known, by their node.
fn asserted(scope: &Scope, calls: &[Pattern]) -> BTreeMap<NodeId, Vec<NodeId>> {
    let mut known: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for (node, env) in found(scope, calls) {
        if let Some(bound) = env.get(CONDITION) {
            known.entry(node).or_default().extend(bound.nodes.first());
        }
    }
    known
}
