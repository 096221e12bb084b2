//! Where a function that is made in a scope may run: anywhere, once it is handed on; at its own calls, when it has a
//! name that is only ever called. And what else of the scope may run while it is suspended.

use super::code::Code;
use super::reading::Reading;
use crate::graph::{Action, Closure, Graph, PointId, reachable};
use factgate_syntax::languages::Waits;
use factgate_syntax::{BindingId, NodeId, Scopes};
use std::collections::BTreeSet;

/// Where one function may run.
pub(super) struct Runs {
    /// Its calls; `None` for anywhere.
    pub(super) calls: Option<BTreeSet<NodeId>>,
    /// The functions that run when it does: itself, and those that it calls by their names.
    pub(super) with: BTreeSet<usize>,
    /// Where it is called by its name, when it is only ever called; else where it is made.
    starts: Vec<PointId>,
    /// Where it may run without a call.
    unasked: Unasked,
}

/// Where a function may run without a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unasked {
    Nowhere,
    /// Where something is iterated.
    Iterated,
    /// Anywhere: accessors and conversions.
    Anywhere,
}

impl Runs {
    /// Whether the function may run at a point.
    pub(super) fn may_run(&self, code: &Code, graph: &Graph, id: PointId) -> bool {
        let point = graph.point(id);
        match (&point.action, &self.calls) {
            _ if self.unasked == Unasked::Anywhere => true,
            (Action::Suspend(_), None) => true,
            (Action::Eval(node), None) => {
                let is_iterated = self.unasked == Unasked::Iterated && code.rules.iterates(&code.tree, *node);
                point.raises || is_iterated || code.rules.call(&code.tree, *node).is_some()
            }
            (Action::Eval(node), Some(calls)) => calls.contains(node),
            _ => false,
        }
    }
}

/// Where the functions of one scope may run.
pub(super) struct Lives {
    /// For each of the graph's functions called later.
    pub(super) all: Vec<Runs>,
    /// For each point, the function called later that it belongs to.
    owner: Vec<Option<usize>>,
}

impl Lives {
    pub(super) fn of(scopes: &Scopes, code: &Code, graph: &Graph) -> Lives {
        let mut lives = Lives { all: Vec::new(), owner: vec![None; graph.points.len()] };
        for (index, closure) in graph.closures.iter().enumerate() {
            for id in reachable_ids(graph, entry(graph, closure)) {
                lives.owner[id.index()] = Some(index);
            }
        }
        lives.all = graph.closures.iter().map(|closure| lives.runs(scopes, code, graph, closure)).collect();
        lives.join(code, graph);
        lives
    }

    /// What a function's name and body say of where it runs; `with` is not told yet.
    fn runs(&self, scopes: &Scopes, code: &Code, graph: &Graph, closure: &Closure) -> Runs {
        let called = calls(scopes, code, graph, closure);
        let is_start = |id: &PointId| match (&graph.point(*id).action, &called) {
            (Action::Eval(node), Some(calls)) => calls.contains(node),
            (Action::Make(index), None) => graph.closures[*index].node == closure.node,
            _ => false,
        };
        let starts = graph.ids().filter(is_start).collect();
        let index = graph.closures.iter().position(|other| other.node == closure.node);
        let suspends = index.is_some_and(|index| !self.suspensions(graph, index).is_empty());
        let (rules, tree) = (code.rules, &code.tree);
        let unasked = match () {
            () if rules.runs_unasked(tree, closure.node) => Unasked::Anywhere,
            () if rules.runs_iterated(tree, closure.node) => Unasked::Iterated,
            () => Unasked::Nowhere,
        };
        let is_there = suspends || unasked == Unasked::Iterated;
        Runs { calls: called.filter(|_| !is_there), with: BTreeSet::new(), starts, unasked }
    }

    /// Says of each function which others run when it does.
    fn join(&mut self, code: &Code, graph: &Graph) {
        let all = &mut self.all;
        all.iter_mut().enumerate().for_each(|(index, runs)| runs.with = BTreeSet::from([index]));
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
    }

    /// The function called later that a point belongs to.
    pub(super) fn owner(&self, id: PointId) -> Option<usize> {
        self.owner[id.index()]
    }

    /// The points at which a function may be around: behind its start, behind that of the function which starts it, and
    /// so on; in every other function called later it may have been made long since.
    pub(super) fn around(&self, graph: &Graph, function: usize) -> Vec<bool> {
        let mut starts = Vec::new();
        let (mut open, mut seen) = (vec![function], BTreeSet::from([function]));
        while let Some(function) = open.pop() {
            starts.extend(&self.all[function].starts);
            let owners = self.all[function].starts.iter().filter_map(|&start| self.owner(start));
            open.extend(owners.filter(|&owner| seen.insert(owner)));
        }
        let mut around = reachable(graph, starts);
        around.iter_mut().zip(&self.owner).for_each(|(around, owner)| *around |= owner.is_some());
        around
    }

    /// The points at which a function is suspended.
    pub(super) fn suspensions(&self, graph: &Graph, function: usize) -> Vec<PointId> {
        let node = graph.closures[function].node;
        let own = |id: &PointId| self.owner(*id).is_some_and(|owner| graph.closures[owner].node == node);
        graph.ids().filter(own).filter(|&id| matches!(graph.point(id).action, Action::Suspend(_))).collect()
    }

    /// The points that may run while a function is suspended: what goes on behind its start, unless that waits for it,
    /// and the functions that are called there by their names. (Those that are handed on may run at any suspension.)
    pub(super) fn meanwhile(&self, code: &Code, graph: &Graph, function: usize) -> BTreeSet<PointId> {
        let mut running = BTreeSet::new();
        let mut open = vec![(function, Tied::Yes)];
        let mut seen = BTreeSet::new();
        while let Some((function, tied)) = open.pop() {
            if !seen.insert((function, tied)) {
                continue;
            }
            for &start in &self.all[function].starts {
                let waits = match (tied, &graph.point(start).action) {
                    (Tied::No, _) => Waits::Not,
                    (_, Action::Eval(node)) => code.rules.waits(&code.tree, *node),
                    (_, Action::Make(index)) => code.rules.waits(&code.tree, graph.closures[*index].node),
                    _ => Waits::Not,
                };
                behind(graph, start, waits, &mut running);
                // The function around goes on while this one is waited for.
                let tied = if waits == Waits::Not { Tied::No } else { Tied::Yes };
                open.extend(self.owner(start).map(|owner| (owner, tied)));
            }
        }
        self.with_called(graph, &mut running);
        running
    }

    /// Adds the bodies of the functions that are called by their names.
    fn with_called(&self, graph: &Graph, running: &mut BTreeSet<PointId>) {
        let mut left: Vec<usize> = (0..self.all.len()).collect();
        let mut more = true;
        while std::mem::take(&mut more) {
            left.retain(|&function| {
                let is_called = self.all[function].starts.iter().any(|start| running.contains(start));
                if is_called {
                    running.extend(reachable_ids(graph, entry(graph, &graph.closures[function])));
                    more = true;
                }
                !is_called
            });
        }
    }
}

/// Whether the end of a function is the end of what it started.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tied {
    Yes,
    No,
}

fn entry(graph: &Graph, closure: &Closure) -> Option<PointId> {
    graph.roots.iter().find(|root| root.node == Some(closure.node)).map(|root| root.entry)
}

fn reachable_ids(graph: &Graph, from: Option<PointId>) -> impl Iterator<Item = PointId> + use<> {
    let reached = reachable(graph, from);
    (0..reached.len()).filter(move |&at| reached[at]).map(|at| PointId(at as u32))
}

/// Adds what can come behind a start, up to where it is waited for.
fn behind(graph: &Graph, start: PointId, waits: Waits, running: &mut BTreeSet<PointId>) {
    let mut seen = BTreeSet::from([start]);
    let mut open: Vec<PointId> = graph.point(start).all_next().collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let point = graph.point(id);
        match (&point.action, waits) {
            (Action::Suspend(node), Waits::At(wait)) if *node == wait => {}
            // An error of something else that is waited for as well comes sooner.
            (Action::Suspend(node), Waits::UnlessAnother(wait)) if *node == wait => {
                let values = point.next().filter(|&next| graph.point(next).action == Action::Eval(wait));
                open.extend(values.filter_map(|next| graph.point(next).raise));
            }
            _ => open.extend(point.all_next()),
        }
    }
    seen.remove(&start);
    running.extend(seen);
}

/// The calls of a function that is never anything but called.
fn calls(scopes: &Scopes, code: &Code, graph: &Graph, closure: &Closure) -> Option<BTreeSet<NodeId>> {
    let binding = name(scopes, code, graph, closure.node)?;
    entry(graph, closure)?;
    if !scopes.get(binding).writes.is_empty() {
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

/// The function made in a scope that a name means for good.
pub(super) fn function_named(reading: &Reading, callee: NodeId) -> Option<NodeId> {
    let (scopes, code, graph) = (&reading.scope.scopes, &reading.code, &reading.graph);
    let binding = code.variable(callee).filter(|&binding| scopes.get(binding).writes.is_empty())?;
    let functions = graph.closures.iter().map(|closure| closure.node);
    functions.into_iter().find(|&function| name(scopes, code, graph, function) == Some(binding))
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
