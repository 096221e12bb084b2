//! `after` nodes inside called functions: a call passes the node when every way through its function does.

use super::helper::Helpers;
use super::reading::Reading;
use super::runs::function_named;
use crate::graph::{Action, Ending, PointId};
use crate::pattern::{Env, Matching, Pattern};
use factgate_syntax::NodeId;
use factgate_syntax::languages::Runs;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Functions inside functions that are looked into.
const DEEPEST: usize = 8;

/// What is looked for, and where the search is.
pub(super) struct Search<'s, 'p> {
    pub(super) helpers: &'s Helpers<'p>,
    pub(super) patterns: &'s [Pattern],
    pub(super) matching: &'s Arc<Matching>,
    /// The functions around: a function that needs itself to pass the node does not pass it.
    pub(super) around: Vec<String>,
    /// What was found of the functions that were looked into.
    pub(super) known: BTreeMap<String, Passes>,
}

/// The node at which a called function has returned for certain; with `errors` apart, it gave no error value.
pub(super) fn returned_at(reading: &Reading, call: NodeId, runs: Runs, errors: Errors) -> Option<NodeId> {
    let tree = &reading.scope.tree;
    if errors == Errors::Apart {
        return reading.code.rules.success_of(tree, call).filter(|_| runs == Runs::Whole);
    }
    if runs == Runs::Whole {
        return Some(call);
    }
    // Not waited for, only its start runs, and an error in it stays there.
    let above = tree.parent(call)?;
    let waits = |id: PointId| reading.graph.point(id).action == Action::Suspend(above);
    reading.graph.ids().any(waits).then_some(above)
}

/// Whether a function may return an error value behind which something does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Errors {
    /// It holds behind every return.
    Included,
    /// It holds only where no error value came back.
    Apart,
}

/// When a function passes the node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passes {
    /// On every way out.
    Always,
    /// On every way out but those that give an error value.
    WithoutError,
    /// Not for certain.
    Not,
}

impl Search<'_, '_> {
    /// The nodes of a scope whose evaluation passes the node inside a function that they call.
    pub(super) fn calls(&mut self, reading: &Reading) -> BTreeSet<NodeId> {
        self.calls_in(reading, NodeId::ROOT)
    }

    fn calls_in(&mut self, reading: &Reading, part: NodeId) -> BTreeSet<NodeId> {
        let graph = &reading.graph;
        let evaluated = |id: PointId| match graph.point(id).action {
            Action::Eval(node) if reading.scope.tree.is_within(node, part) => Some(node),
            _ => None,
        };
        let nodes: BTreeSet<NodeId> = graph.ids().filter_map(evaluated).collect();
        nodes.into_iter().filter_map(|node| self.passed_by(reading, node)).collect()
    }

    /// The node at which a call's function has passed it: the call, or the suspension that waits for it.
    fn passed_by(&mut self, reading: &Reading, node: NodeId) -> Option<NodeId> {
        let (tree, code) = (&reading.scope.tree, &reading.code);
        let call = code.rules.call(tree, node)?;
        let (passes, runs) = match function_named(reading, call.callee) {
            Some(function) => {
                let runs = code.rules.runs(tree, function);
                let name = format!("{}:{}", reading.scope.name, function.index());
                (self.inside(name, runs, |search| search.always(reading, function))?, runs)
            }
            None => {
                let callee = self.helpers.called(&reading.scope, code, call.callee)?.scope;
                let runs = code.rules.runs(&callee.tree, NodeId::ROOT);
                let read = |search: &mut Self| search.always(&search.helpers.read(&callee), NodeId::ROOT);
                (self.inside(callee.name.clone(), runs, read)?, runs)
            }
        };
        let errors = match passes {
            Passes::Always => Errors::Included,
            Passes::WithoutError => Errors::Apart,
            Passes::Not => return None,
        };
        returned_at(reading, node, runs, errors)
    }

    /// Looks into a function, unless the search came from there or is deep enough.
    fn inside(&mut self, name: String, runs: Runs, look: impl FnOnce(&mut Self) -> Passes) -> Option<Passes> {
        if let Some(&known) = self.known.get(&name) {
            return Some(known);
        }
        if runs == Runs::Nothing || self.around.len() >= DEEPEST || self.around.contains(&name) {
            return None;
        }
        self.around.push(name.clone());
        let passes = look(self);
        self.around.pop();
        self.known.insert(name, passes);
        Some(passes)
    }

    /// Whether every way from a function's start to its return passes the node: a function of its own, or one that is
    /// made in a scope.
    fn always(&mut self, inside: &Reading, function: NodeId) -> Passes {
        let mut places = self.calls_in(inside, function);
        for pattern in self.patterns {
            let env = Env::with(self.matching.clone());
            let found = pattern.find_all(&inside.scope.tree, NodeId::ROOT, &env);
            // A name that the pattern spells out means nothing that the called function declares, or is called on.
            let own = |node| {
                let declared = inside.scope.scopes.binding(node).is_some_and(|id| inside.scope.scopes.get(id).local);
                declared || inside.is_own_receiver(node, function)
            };
            let found = found.into_iter().filter(|found| !found.env.spelled().any(|(_, node)| own(node)));
            places.extend(found.map(|found| found.last));
        }
        let graph = &inside.graph;
        let mut passes = Passes::Always;
        let is_made = (function != NodeId::ROOT).then_some(function);
        let entry = graph.roots.iter().find(|root| root.node == is_made).map(|root| root.entry);
        let mut open: Vec<PointId> = entry.into_iter().collect();
        let mut seen = vec![false; graph.points.len()];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let point = graph.point(id);
            match &point.action {
                Action::Eval(node) if places.contains(node) => {
                    // Where the node itself raises, it was not passed.
                    open.extend(point.raise);
                }
                Action::Exit(Ending::Return) => return Passes::Not,
                Action::Exit(Ending::ErrorReturn) => passes = Passes::WithoutError,
                _ => open.extend(point.all_next()),
            }
        }
        if places.is_empty() { Passes::Not } else { passes }
    }
}
