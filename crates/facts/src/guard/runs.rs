//! Where a function that is made in a scope may run: anywhere, once it is handed on; at its own calls, when it has a
//! name that is only ever called.

use super::code::Code;
use crate::graph::{Action, Closure, Graph, reachable};
use factgate_syntax::{BindingId, NodeId, Scopes};
use std::collections::BTreeSet;

/// Where one function may run.
pub(super) struct Runs {
    /// Its calls; `None` for anywhere.
    pub(super) calls: Option<BTreeSet<NodeId>>,
    /// The functions that run when it does: itself, and those that it calls by their names.
    pub(super) with: BTreeSet<usize>,
}

impl Runs {
    /// For each of a graph's functions called later.
    pub(super) fn of_all(scopes: &Scopes, code: &Code, graph: &Graph) -> Vec<Runs> {
        let calls = |closure: &Closure| calls(scopes, code, graph, closure);
        let calls: Vec<_> = graph.closures.iter().map(calls).collect();
        let mut all: Vec<Runs> =
            calls.into_iter().enumerate().map(|(index, calls)| Runs { calls, with: BTreeSet::from([index]) }).collect();
        let mut more = true;
        while std::mem::take(&mut more) {
            for outer in 0..all.len() {
                let node = graph.closures[outer].node;
                let inside = |call: &NodeId| code.tree.is_within(*call, node);
                let called = |runs: &&Runs| runs.calls.iter().flatten().any(inside);
                let with: BTreeSet<usize> = all.iter().filter(called).flat_map(|runs| runs.with.clone()).collect();
                let before = all[outer].with.len();
                all[outer].with.extend(with);
                more |= all[outer].with.len() > before;
            }
        }
        all
    }
}

/// The calls of a function that is never anything but called, from its start to its end.
fn calls(scopes: &Scopes, code: &Code, graph: &Graph, closure: &Closure) -> Option<BTreeSet<NodeId>> {
    let binding = name(scopes, code, graph, closure.node)?;
    let entry = graph.roots.iter().find(|root| root.node == Some(closure.node))?.entry;
    let inside = reachable(graph, [entry]);
    let suspends = |id| matches!(graph.point(id).action, Action::Suspend(_));
    if !scopes.get(binding).writes.is_empty() || graph.ids().any(|id| inside[id.index()] && suspends(id)) {
        return None;
    }
    let tree = &code.tree;
    let uses = tree.subtree(NodeId::ROOT).filter(|&node| code.binding(node) == Some(binding));
    let uses = uses.filter(|&node| node != scopes.get(binding).declared);
    uses.map(|node| {
        let above = tree.parent(node)?;
        code.rules.call(tree, above).filter(|call| call.callee == node).map(|_| above)
    })
    .collect()
}

/// The variable that a function is declared as, or the one that it is given to.
fn name(scopes: &Scopes, code: &Code, graph: &Graph, function: NodeId) -> Option<BindingId> {
    let is_declaration = code.rules.is_function_declaration(&code.tree, function);
    let names = code.tree.children(function).filter(|_| is_declaration);
    let declared = names.filter_map(|child| code.binding(child)).next();
    let given = || {
        graph.ids().find_map(|id| match graph.point(id).action {
            Action::Write { target, value: Some(value), .. } if value == function => code.variable(target),
            _ => None,
        })
    };
    let is_named = |binding: &BindingId| scopes.get(*binding).local;
    given().or(declared).filter(is_named)
}
