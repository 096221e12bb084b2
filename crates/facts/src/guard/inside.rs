//! Nodes inside called functions, with `through`: a call that always passes an `after` or `since` node counts as passing
//! it, and a call that may pass a `since` or `without` node counts as coming between.

use super::condition::Binds;
use super::helper::Helpers;
use super::passes::Search;
use super::query::{Place, Query};
use super::spec::{Between, GuardSpec, Keys, Through};
use crate::graph::{Action, Graph, PointId};
use crate::pattern::{Env, Matching, Pattern};
use crate::program::Scope;
use factgate_syntax::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Functions that one search looks into. Behind them lies what was not looked at, which may pass the node.
const MOST_FUNCTIONS: usize = 512;

impl Query<'_> {
    /// Calls of functions that always pass a node. What the node's metavariables are bound to in there is unknown here,
    /// so they count only where no other pattern shares them.
    pub(super) fn passed_inside(&self, spec: &GuardSpec, patterns: &[Pattern]) -> Vec<Place> {
        if spec.through != Through::Deep || is_shared(spec, patterns) {
            return Vec::new();
        }
        let (helpers, matching) = (&self.helpers, &spec.matching);
        let around = vec![self.reading.scope.name.clone()];
        let mut search = Search { helpers, patterns, matching, around, known: BTreeMap::new() };
        anywhere(search.calls(self.reading))
    }

    /// Where one of these places may be passed in a function of the scope: at its calls by its name; when it is handed
    /// on or stored, at every call where it may be around. And while a function is suspended, in what else may run.
    pub(super) fn run_by_name(&self, places: &[Place]) -> Vec<Place> {
        let reading = self.reading;
        let (graph, lives) = (&reading.graph, &reading.lives);
        let mut found = Vec::new();
        for (index, runs) in lives.all.iter().enumerate() {
            let is_run = |function: NodeId| runs.with.iter().any(|&index| graph.closures[index].node == function);
            let passed: Vec<_> = places.iter().filter(|place| reading.owner(place.node).is_some_and(is_run)).collect();
            if !passed.is_empty() {
                let calls = runs.calls.clone().unwrap_or_else(|| self.calls_around(index));
                found.extend(calls.into_iter().flat_map(|node| at(node, &passed)));
            }
            let suspensions = lives.suspensions(graph, index);
            if suspensions.is_empty() || places.is_empty() {
                continue;
            }
            let running = lives.meanwhile(&reading.code, graph, index);
            let is_running = |place: &&Place| {
                let is_there = |&id: &PointId| graph.point(id).action == Action::Eval(place.node);
                !self.is_in(place.node, index) && running.iter().any(is_there)
            };
            let passed: Vec<_> = places.iter().filter(is_running).collect();
            let nodes = suspensions.into_iter().filter_map(|id| acting(graph, id));
            found.extend(nodes.flat_map(|node| at(node, &passed)));
        }
        found
    }

    /// Whether a node stands in a function called later.
    fn is_in(&self, node: NodeId, function: usize) -> bool {
        self.reading.scope.tree.is_within(node, self.reading.graph.closures[function].node)
    }

    /// Where a function may run while it is around: the calls and suspensions of others, and of the scope.
    fn calls_around(&self, function: usize) -> BTreeSet<NodeId> {
        let reading = self.reading;
        let graph = &reading.graph;
        let around = reading.lives.around(graph, function);
        let runs = &reading.lives.all[function];
        let may_run = |id: &PointId| around[id.index()] && runs.may_run(&reading.code, graph, *id);
        let nodes = graph.ids().filter(may_run).filter_map(|id| acting(graph, id));
        nodes.filter(|&node| !self.is_in(node, function)).collect()
    }

    /// Calls of functions that may pass a node. What its metavariables are bound to in there may be anything.
    pub(super) fn may_pass_inside(&self, spec: &GuardSpec, patterns: &[Pattern]) -> Vec<Place> {
        if spec.through != Through::Deep || patterns.is_empty() {
            return Vec::new();
        }
        let (helpers, matching) = (&self.helpers, &spec.matching);
        let mut reach = Reach { helpers, patterns, matching, parts: BTreeMap::new() };
        let scope = &self.reading.scope;
        let rules = scope.source.language().rules();
        let calls = scope.tree.subtree(NodeId::ROOT).filter(|&node| rules.call(&scope.tree, node).is_some());
        anywhere(calls.filter(|&call| reach.may_pass(scope, call)).collect())
    }
}

/// These places, passed at another node.
fn at(node: NodeId, places: &[&Place]) -> Vec<Place> {
    places.iter().map(|place| Place { node, binds: place.binds.clone() }).collect()
}

/// The node that a point evaluates, or suspends at.
fn acting(graph: &Graph, id: PointId) -> Option<NodeId> {
    match graph.point(id).action {
        Action::Eval(node) | Action::Suspend(node) => Some(node),
        _ => None,
    }
}

fn anywhere(nodes: BTreeSet<NodeId>) -> Vec<Place> {
    nodes.into_iter().map(|node| Place { node, binds: Binds::new() }).collect()
}

/// Whether another pattern of the guard names a metavariable of these.
fn is_shared(spec: &GuardSpec, patterns: &[Pattern]) -> bool {
    let names: BTreeSet<&str> = patterns.iter().flat_map(|pattern| pattern.names()).collect();
    let of_keys = |keys: &Keys| {
        let between = keys.without.iter().filter_map(|between| match between {
            Between::Pattern(pattern) => Some(pattern),
            Between::Suspension => None,
        });
        let lists = [&keys.only_if, &keys.skip_if, &keys.since, &keys.after, &keys.then];
        lists.into_iter().flatten().chain(between).cloned().collect::<Vec<_>>()
    };
    let all = std::iter::once(&spec.keys).chain(&spec.any).flat_map(of_keys).chain(spec.effect.iter().cloned());
    let own = |pattern: &Pattern| patterns.iter().any(|one| one.text() == pattern.text());
    all.filter(|pattern| !own(pattern)).any(|pattern| pattern.names().iter().any(|name| names.contains(name)))
}

/// A piece of code that a call may run: a function of a file, or what a variable of a scope is given.
type Part = (Scope, NodeId);

/// Finds what calls may reach.
struct Reach<'s, 'p> {
    helpers: &'s Helpers<'p>,
    patterns: &'s [Pattern],
    matching: &'s Arc<Matching>,
    /// For each piece of code that was looked at: whether a node stands in it, and what it calls.
    parts: BTreeMap<(String, NodeId), (bool, Vec<Part>)>,
}

impl Reach<'_, '_> {
    fn may_pass(&mut self, scope: &Scope, call: NodeId) -> bool {
        let mut open = self.called(scope, call);
        let mut seen = BTreeSet::new();
        while let Some((scope, root)) = open.pop() {
            let key = (scope.name.clone(), root);
            if !seen.insert(key.clone()) {
                continue;
            }
            if seen.len() > MOST_FUNCTIONS {
                return true;
            }
            if !self.parts.contains_key(&key) {
                let part = self.part(&scope, root);
                self.parts.insert(key.clone(), part);
            }
            let (is_there, calls) = &self.parts[&key];
            if *is_there {
                return true;
            }
            open.extend(calls.iter().cloned());
        }
        false
    }

    fn part(&self, scope: &Scope, root: NodeId) -> (bool, Vec<Part>) {
        let env = Env::with(self.matching.clone());
        let is_there = self.patterns.iter().any(|pattern| !pattern.find_all(&scope.tree, root, &env).is_empty());
        let called = scope.tree.subtree(root).flat_map(|node| self.called(scope, node));
        let parts = called.chain(self.mentioned(scope, root)).collect();
        (is_there, parts)
    }

    /// What the call at a node may run.
    fn called(&self, scope: &Scope, node: NodeId) -> Vec<Part> {
        let rules = scope.source.language().rules();
        let Some(call) = rules.call(&scope.tree, node) else { return Vec::new() };
        // What is handed on may be called, too.
        let mut parts: Vec<Part> =
            call.arguments.iter().flat_map(|&argument| self.mentioned(scope, argument)).collect();
        let mut callees = self.helpers.likely(scope, call.callee);
        if callees.is_empty() {
            callees.extend(self.helpers.sibling(scope, call.callee));
        }
        if callees.is_empty() {
            // A variable of the scope, one of several functions, a function through `call`.
            parts.extend(self.mentioned(scope, call.callee));
        }
        parts.extend(callees.into_iter().map(|callee| (callee, NodeId::ROOT)));
        parts
    }

    /// What the names in a piece of code may run: functions, and whatever a variable of the scope is given.
    fn mentioned(&self, scope: &Scope, root: NodeId) -> Vec<Part> {
        let (tree, rules) = (&scope.tree, scope.source.language().rules());
        let is_start = |node: NodeId, above: NodeId| rules.access(tree, above).is_none_or(|access| access.root == node);
        let is_name = |&node: &NodeId| {
            let access = rules.access(tree, node).filter(|access| access.root == node && access.path.is_empty());
            tree.is_leaf(node) && access.is_some() && tree.parent(node).is_none_or(|above| is_start(node, above))
        };
        let of_name = |node: NodeId| -> Vec<Part> {
            if let Some(id) = scope.scopes.binding(node) {
                let binding = scope.scopes.get(id);
                let given = std::iter::once(&binding.declared).chain(&binding.writes);
                let parts = given.filter_map(|&name| tree.parent(name)).filter(|&part| !tree.is_within(node, part));
                return parts.map(|part| (scope.clone(), part)).collect();
            }
            let mut functions = self.helpers.handed(scope, node);
            if functions.is_empty() {
                functions.extend(self.helpers.sibling(scope, node));
            }
            functions.into_iter().map(|function| (function, NodeId::ROOT)).collect()
        };
        // `this.s`, `K.s`: a method that is handed on, or called by `call` or a choice.
        let of_member = |node: NodeId| -> Vec<Scope> {
            let access = rules.access(tree, node).filter(|access| !access.path.is_empty() && access.root != node);
            let Some(access) = access else { return Vec::new() };
            let on_this = rules.receiver_of(tree, access.root).is_some() && access.path.len() == 1;
            let mut methods = self.helpers.handed(scope, node);
            methods.extend(self.helpers.sibling(scope, node).filter(|_| on_this));
            methods
        };
        let members = tree.subtree(root).flat_map(of_member).map(|method| (method, NodeId::ROOT));
        tree.subtree(root).filter(is_name).flat_map(of_name).chain(members).collect()
    }
}
