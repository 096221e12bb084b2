//! What is passed in a value behind a part of it. `const r = m.ok && bad()` stores one answer, but `m.ok` was asked before
//! `bad()`: what the answer says of `m.ok` is no later than that.

use super::compile::is_ended;
use super::condition::Binds;
use super::query::{LeafFacts, Query, agree};
use super::reading::Reading;
use super::shape::Shape;
use crate::graph::{Action, PointId};
use factgate_syntax::NodeId;
use std::collections::BTreeMap;

/// A `without` or `since` node, or a suspension, of one table.
struct Passed {
    table: usize,
    node: NodeId,
    binds: Binds,
}

/// Where a leaf stands: the nodes that it is about, or the call whose function asks it.
#[derive(Clone, Debug)]
pub(super) enum Asks {
    Here(Vec<NodeId>),
    InCall(NodeId),
}

/// A leaf's nodes, and where the expression around them ends.
struct Asked {
    first: NodeId,
    end: NodeId,
    nodes: Vec<NodeId>,
}

impl LeafFacts {
    /// Whether a node of a table is passed behind the leaf, in what is asked together with it.
    pub(super) fn is_stale(&self, table: usize, bound: &Binds) -> bool {
        self.behind.iter().any(|(other, binds)| *other == table && agree(bound, binds))
    }
}

impl Query<'_> {
    /// Notes for each leaf what is passed behind it, and drops what it says of what is assigned there.
    pub(super) fn find_behind(&mut self) {
        let passed = self.passed();
        let ends = self.ends();
        for (leaf, within) in self.together() {
            let Some(asked) = self.asked_in(&self.leaves[leaf].asks_at) else { continue };
            let is_behind = |node: NodeId| self.is_behind(&asked, node, within);
            let behind: Vec<_> = passed.iter().filter(|passed| is_behind(passed.node)).collect();
            let behind: Vec<_> = behind.into_iter().map(|passed| (passed.table, passed.binds.clone())).collect();
            let ended: Vec<PointId> = ends.iter().filter(|(node, _)| is_behind(*node)).map(|(_, id)| *id).collect();
            let (reading, forms) = (self.reading, &self.forms);
            let targets = || ended.iter().flat_map(|&id| reading.ends.at(id)).map(|ended| &ended.target);
            let facts = &mut self.leaves[leaf];
            facts.hits.retain(|hit| !targets().any(|target| is_ended(forms.mentions(hit.class), target)));
            facts.behind.extend(behind);
        }
        self.find_behind_arguments(&passed, &ends);
    }

    /// The same for what a call's function asks. Where in the function the call passes a node is not known; an argument
    /// may have been read before what the others run.
    fn find_behind_arguments(&mut self, passed: &[Passed], ends: &[(NodeId, PointId)]) {
        let (reading, forms) = (self.reading, &self.forms);
        for leaf in &mut self.leaves {
            let Asks::InCall(call) = leaf.asks_at else { continue };
            let is_behind =
                |node: NodeId| reading.code.tree.is_within(node, call) && is_read_before(reading, call, node);
            let inside = passed.iter().filter(|passed| passed.node == call || is_behind(passed.node));
            leaf.behind.extend(inside.map(|passed| (passed.table, passed.binds.clone())));
            let ended: Vec<PointId> = ends.iter().filter(|(node, _)| is_behind(*node)).map(|(_, id)| *id).collect();
            let targets = || ended.iter().flat_map(|&id| reading.ends.at(id)).map(|ended| &ended.target);
            leaf.hits.retain(|hit| !targets().any(|target| is_ended(forms.mentions(hit.class), target)));
        }
    }

    fn passed(&self) -> Vec<Passed> {
        let graph = &self.reading.graph;
        let mut found = Vec::new();
        for (table, keys) in self.tables.iter().enumerate() {
            let places = keys.between.iter().chain(keys.since.iter().flatten());
            found.extend(places.map(|place| Passed { table, node: place.node, binds: place.binds.clone() }));
            if keys.suspension {
                let suspended = |id| match graph.point(id).action {
                    Action::Suspend(node) => Some(Passed { table, node, binds: Binds::new() }),
                    _ => None,
                };
                found.extend(graph.ids().filter_map(suspended));
            }
        }
        found
    }

    /// The points that end something, by their nodes.
    fn ends(&self) -> Vec<(NodeId, PointId)> {
        let reading = self.reading;
        let of = |id: PointId| match reading.graph.point(id).action {
            Action::Write { node, .. } | Action::Eval(node) | Action::Suspend(node) => Some((node, id)),
            _ => None,
        };
        reading.graph.ids().filter(|&id| !reading.ends.at(id).is_empty()).filter_map(of).collect()
    }

    /// The leaves that are asked together with others, each with the code in which that is.
    fn together(&self) -> BTreeMap<usize, NodeId> {
        let graph = &self.reading.graph;
        let tree = &self.reading.scope.tree;
        let mut found = BTreeMap::new();
        for id in graph.ids() {
            let (shape, within) = match &graph.point(id).action {
                Action::Write { node, value: Some(value), .. } => {
                    let Some(known) = self.values.get(value) else { continue };
                    // The argument of a function that is called on the spot: those behind it run before the function.
                    let within = if tree.is_within(*value, *node) { *value } else { self.call_around(*value) };
                    (&known.shape, within)
                }
                Action::Assume { condition, .. } => {
                    let Some(known) = self.conditions.get(*condition) else { continue };
                    (&known.shape, known.node)
                }
                _ => continue,
            };
            leaves(shape, &mut |leaf| {
                found.insert(leaf, within);
            });
        }
        found
    }

    fn call_around(&self, argument: NodeId) -> NodeId {
        let code = &self.reading.code;
        let mut around = code.tree.ancestors(argument);
        around.find(|&above| code.rules.call(&code.tree, above).is_some()).unwrap_or(argument)
    }

    fn asked_in(&self, leaf: &Asks) -> Option<Asked> {
        let nodes = match leaf {
            Asks::Here(nodes) => nodes.clone(),
            Asks::InCall(call) => vec![*call],
        };
        let first = *nodes.first()?;
        let end = self.reading.scope.tree.subtree_end(self.expression_around(first));
        Some(Asked { first, end, nodes })
    }

    /// Whether a node runs behind a leaf: all that the leaf is about stands before it, in the same function.
    fn is_behind(&self, asked: &Asked, node: NodeId, within: NodeId) -> bool {
        if node <= asked.first || node >= asked.end {
            return false;
        }
        let (tree, reading) = (&self.reading.scope.tree, self.reading);
        // The subject of a `switch` stands beside the `case` that asks about it.
        let is_there = |inner: NodeId| tree.is_within(node, within) || !tree.is_within(inner, within);
        let before = |&inner: &NodeId| inner < node && !tree.is_within(node, inner) && is_there(inner);
        asked.nodes.iter().all(before) && reading.owner(node) == reading.owner(asked.first)
    }

    /// The outermost expression that a node is part of.
    fn expression_around(&self, node: NodeId) -> NodeId {
        let code = &self.reading.code;
        let is_value = |above: &NodeId| code.rules.is_value(&code.tree, *above);
        let is_part = |above: &NodeId| is_value(above) || code.tree.parent(*above).is_some_and(|next| is_value(&next));
        code.tree.ancestors(node).take_while(is_part).last().unwrap_or(node)
    }
}

/// Whether an argument of a call reads a member of something before a node in the arguments runs.
fn is_read_before(reading: &Reading, call: NodeId, node: NodeId) -> bool {
    let (code, tree) = (&reading.code, &reading.code.tree);
    let Some(found) = code.rules.call(tree, call) else { return false };
    let Some(&first) = found.arguments.first() else { return false };
    let is_callee = |member: NodeId| {
        let of = tree.parent(member).and_then(|above| code.rules.call(tree, above));
        of.is_some_and(|call| call.callee == member)
    };
    let is_read = |member: NodeId| {
        let access = code.rules.access(tree, member);
        access.is_some_and(|access| !access.path.is_empty()) && !is_callee(member) && !tree.is_within(node, member)
    };
    node > first && tree.subtree(call).skip_while(|&inner| inner < first).take_while(|&inner| inner < node).any(is_read)
}

/// Visits the numbers of a shape's leaves.
fn leaves(shape: &Shape, visit: &mut dyn FnMut(usize)) {
    match shape {
        Shape::Leaf(index) => visit(*index),
        Shape::Not(inner) => leaves(inner, visit),
        Shape::And(parts) | Shape::Or(parts) | Shape::Same(parts) => parts.iter().for_each(|part| leaves(part, visit)),
        Shape::Also(first, second) => [first, second].into_iter().for_each(|part| leaves(part, visit)),
        Shape::Choice(parts) => parts.iter().for_each(|part| leaves(part, visit)),
        Shape::Constant(_) => {}
    }
}
