//! Conditions that a called function makes sure of, with `through`: behind `guard(m)`, where `guard` throws unless
//! `ok(m)`, that is known.

use super::code::Mention;
use super::compile::is_ended;
use super::helper::Helpers;
use super::passes::{Errors, returned_at};
use super::query::{Known, Query, Read};
use super::reading::Reading;
use super::spec::{GuardSpec, Through};
use crate::graph::{Action, Ending, PointId};
use factgate_syntax::NodeId;
use factgate_syntax::languages::Runs;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions of one function that are looked at.
const MOST: usize = 64;

/// A condition, and the outcome that it has behind the call.
pub(super) struct Established {
    pub(super) known: Known,
    pub(super) outcome: bool,
}

/// A condition of a called function, its outcome, and where that holds.
struct Sure {
    node: NodeId,
    outcome: bool,
    errors: Errors,
}

impl Query<'_> {
    /// What calls in the scope make sure of, by the node behind which it is known.
    pub(super) fn established(&mut self, spec: &GuardSpec) -> BTreeMap<NodeId, Vec<Established>> {
        let mut all: BTreeMap<NodeId, Vec<Established>> = BTreeMap::new();
        if spec.through != Through::Deep || self.atoms.is_empty() {
            return all;
        }
        let reading = self.reading;
        let evaluated = |id: PointId| match reading.graph.point(id).action {
            Action::Eval(node) => Some(node),
            _ => None,
        };
        let nodes: BTreeSet<NodeId> = reading.graph.ids().filter_map(evaluated).collect();
        for node in nodes {
            for (at, established) in self.by_call(spec, node).unwrap_or_default() {
                all.entry(at).or_default().push(established);
            }
        }
        all
    }

    fn by_call(&mut self, spec: &GuardSpec, node: NodeId) -> Option<Vec<(NodeId, Established)>> {
        let reading = self.reading;
        let code = &reading.code;
        let call = code.rules.call(&code.tree, node)?;
        let called = self.helpers.called(&reading.scope, code, call.callee)?;
        let callee = &called.scope;
        let runs = code.rules.runs(&callee.tree, NodeId::ROOT);
        if runs == Runs::Nothing || callee.name == reading.scope.name {
            return None;
        }
        let sure = sure_of(&self.helpers.read(callee));
        let nodes: Vec<NodeId> = sure.iter().map(|sure| sure.node).collect();
        let codes = self.helpers.seen_from(code, &call, &called, &nodes)?;
        let depth = Helpers::inside(callee);
        let mut found = Vec::new();
        for (sure, code) in sure.iter().zip(&codes) {
            let Some(at) = returned_at(reading, node, runs, sure.errors) else { continue };
            let condition = code.rules.condition(&code.tree, NodeId::ROOT);
            let read = Read { code, scope: callee, node, is_own: false };
            let shape = self.read(spec, read, &condition, &depth);
            let known = Known { shape, whole: Vec::new(), node };
            found.push((at, Established { known, outcome: sure.outcome }));
        }
        Some(found)
    }
}

/// The conditions whose last outcome is the same on every way to a function's return.
fn sure_of(inside: &Reading) -> Vec<Sure> {
    let graph = &inside.graph;
    let mut asked: BTreeMap<(NodeId, bool), ()> = BTreeMap::new();
    for id in graph.ids() {
        if let Action::Assume { condition, outcome, node } = graph.point(id).action
            && inside.code.rules.condition(&inside.code.tree, node) == graph.conditions[condition]
        {
            asked.insert((node, outcome), ());
        }
    }
    // What the function is called on or with is not what the code around the call is.
    let is_own = |node: NodeId| inside.code.tree.subtree(node).any(|node| inside.is_own_receiver(node, NodeId::ROOT));
    let sure = |(node, outcome)| {
        if is_own(node) {
            return None;
        }
        let errors = made_sure(inside, node, outcome)?;
        Some(Sure { node, outcome, errors })
    };
    asked.into_keys().take(MOST).filter_map(sure).collect()
}

/// Whether every way to the function's return has the condition with this outcome, and nothing ended it behind.
fn made_sure(inside: &Reading, asked: NodeId, wanted: bool) -> Option<Errors> {
    let (graph, code) = (&inside.graph, &inside.code);
    let (form, mentions): (String, Vec<Mention>) = (code.form(asked), code.mentions(asked));
    let mut open = vec![(graph.roots.first()?.entry, false)];
    let mut seen = BTreeSet::new();
    let (mut errors, mut returns) = (Errors::Included, false);
    while let Some((id, mut known)) = open.pop() {
        if !seen.insert((id, known)) {
            continue;
        }
        let point = graph.point(id);
        let raised = point.raise.map(|raise| (raise, false));
        known &= !inside.ends.at(id).iter().any(|ended| is_ended(&mentions, &ended.target));
        match point.action {
            Action::Assume { outcome, node, .. } if code.form(node) == form => known = outcome == wanted,
            Action::Exit(Ending::Return) if !known => return None,
            Action::Exit(Ending::Return) => returns = true,
            Action::Exit(Ending::ErrorReturn) if !known => errors = Errors::Apart,
            _ => {}
        }
        open.extend(point.next().map(|next| (next, known)).chain(raised));
    }
    returns.then_some(errors)
}
