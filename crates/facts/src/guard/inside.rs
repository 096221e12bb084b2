//! Nodes inside called functions, with `through`: a call that always passes an `after` or `since` node counts as passing
//! it, and a call that may pass a `since` or `without` node counts as coming between.

use super::condition::Binds;
use super::helper::Helpers;
use super::passes::Search;
use super::query::{Place, Query};
use super::runs::Runs;
use super::spec::{Between, GuardSpec, Keys, Through};
use crate::graph::{Action, PointId, reachable};
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
        let mut search = Search { helpers, patterns, matching, around: vec![self.reading.scope.name.clone()] };
        anywhere(search.calls(self.reading))
    }

    /// Calls that may pass one of these places in a function of the scope: those by its name; of a function that is
    /// handed on or stored, every call behind the place where it is made.
    pub(super) fn run_by_name(&self, places: &[Place]) -> Vec<Place> {
        let reading = self.reading;
        let inside: Vec<_> = places.iter().filter_map(|place| Some((place, reading.owner(place.node)?))).collect();
        if inside.is_empty() {
            return Vec::new();
        }
        let closures = &reading.graph.closures;
        let mut found = Vec::new();
        let all = Runs::of_all(&reading.scope.scopes, &reading.code, &reading.graph);
        for (index, runs) in all.iter().enumerate() {
            let is_run = |function: &NodeId| runs.with.iter().any(|&index| closures[index].node == *function);
            let passed: Vec<_> = inside.iter().filter(|(_, function)| is_run(function)).collect();
            if passed.is_empty() {
                continue;
            }
            let calls = runs.calls.clone().unwrap_or_else(|| self.calls_behind(index));
            let places = |node| passed.iter().map(move |(place, _)| Place { node, binds: place.binds.clone() });
            found.extend(calls.into_iter().flat_map(places));
        }
        found
    }

    /// The calls, and what waits for one, behind the place where a function is made.
    fn calls_behind(&self, function: usize) -> BTreeSet<NodeId> {
        let graph = &self.reading.graph;
        let made = graph.ids().filter(|&id| graph.point(id).action == Action::Make(function));
        let behind = reachable(graph, made);
        let call = |id: PointId| match graph.point(id).action {
            Action::Eval(node) if graph.point(id).raises && behind[id.index()] => Some(node),
            _ => None,
        };
        graph.ids().filter_map(call).collect()
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
        let calls = scope.tree.subtree(root).flat_map(|node| self.called(scope, node)).collect();
        (is_there, calls)
    }

    /// What the call at a node may run.
    fn called(&self, scope: &Scope, node: NodeId) -> Vec<Part> {
        let rules = scope.source.language().rules();
        let Some(call) = rules.call(&scope.tree, node) else { return Vec::new() };
        // What is handed on may be called, too.
        let handed = call.arguments.iter().filter_map(|&argument| self.helpers.likely(scope, argument));
        let mut parts: Vec<Part> = handed.map(|function| (function, NodeId::ROOT)).collect();
        let callee = self.helpers.likely(scope, call.callee).or_else(|| self.helpers.sibling(scope, call.callee));
        if let Some(callee) = callee {
            parts.push((callee, NodeId::ROOT));
            return parts;
        }
        // A variable of the scope: whatever it is given.
        let variable = rules.access(&scope.tree, call.callee).and_then(|access| scope.scopes.binding(access.root));
        let Some(binding) = variable.map(|id| scope.scopes.get(id)) else { return parts };
        let given = std::iter::once(&binding.declared).chain(&binding.writes);
        parts.extend(given.filter_map(|&name| scope.tree.parent(name)).map(|part| (scope.clone(), part)));
        parts
    }
}
