//! Variables that stand for a member: `const { status } = m` and `const status = m.status`, while neither is written.

use super::code::{Code, Mark, Mention};
use super::condition::Leaf;
use super::reading::Reading;
use crate::graph::Action;
use factgate_syntax::tree::{Origin, TreeBuilder};
use factgate_syntax::{BindingId, NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a variable stands for.
pub(super) struct Stand {
    code: Code,
    /// What ends it when it is assigned.
    pub(super) mentions: Vec<Mention>,
}

/// The variables of a scope that stand for a member; each is assigned once, where it is declared.
pub(super) fn stands(reading: &Reading) -> BTreeMap<BindingId, Stand> {
    let mut writes: BTreeMap<BindingId, BTreeSet<(NodeId, Option<NodeId>)>> = BTreeMap::new();
    for id in reading.graph.ids() {
        if let Action::Write { target, value, .. } = reading.graph.point(id).action
            && let Some(binding) = reading.assigned(target).filter(|binding| reading.locals.contains(binding))
        {
            writes.entry(binding).or_default().insert((target, value));
        }
    }
    let single = |(binding, all): (BindingId, BTreeSet<(NodeId, Option<NodeId>)>)| match all.first() {
        Some(&(target, value)) if all.len() == 1 => Some((binding, stand(reading, target, value)?)),
        _ => None,
    };
    writes.into_iter().filter_map(single).collect()
}

fn stand(reading: &Reading, target: NodeId, value: Option<NodeId>) -> Option<Stand> {
    let code = &reading.code;
    if let Some(value) = value {
        let access = code.rules.access(&code.tree, value).filter(|access| !access.path.is_empty())?;
        let named = access.path.iter().all(Option::is_some);
        let nothing = |_: NodeId| None;
        return named.then(|| Stand { code: replaced(code, &[value], &nothing).0, mentions: code.mentions(value) });
    }
    let (tree, source, inner) = code.rules.member_of(&code.tree, target)?;
    let shift = inner.index();
    let length = code.tree.subtree(source).count();
    let mark = |node: NodeId| {
        let at = node.index().checked_sub(shift).filter(|at| *at < length);
        let original = at.and_then(|at| code.tree.subtree(source).nth(at));
        original.map(|original| code.mark(original)).unwrap_or_default()
    };
    let marks = tree.subtree(NodeId::ROOT).map(mark).collect();
    let code = Code { tree: Arc::new(tree), marks: Arc::new(marks), rules: code.rules };
    let mentions = code.mentions(NodeId::ROOT);
    Some(Stand { code, mentions })
}

/// A leaf of the scope's code with each such variable replaced; and which were.
pub(super) fn spelled_out(
    code: &Code,
    leaf: &Leaf,
    stands: &BTreeMap<BindingId, Stand>,
) -> Option<(Code, Leaf, BTreeSet<BindingId>)> {
    let variable = |inner: NodeId| if code.tree.is_leaf(inner) { code.variable(inner) } else { None };
    let nodes = leaf.nodes();
    let all = nodes.iter().flat_map(|&node| code.tree.subtree(node));
    let used: BTreeSet<BindingId> = all.filter_map(variable).filter(|binding| stands.contains_key(binding)).collect();
    if used.is_empty() {
        return None;
    }
    let replace = |inner: NodeId| variable(inner).and_then(|binding| stands.get(&binding)).map(|stand| &stand.code);
    let (code, copies) = replaced(code, &nodes, &replace);
    let copy = |node: NodeId| nodes.iter().position(|&other| other == node).map_or(node, |at| copies[at]);
    Some((code, leaf.over(&copy), used))
}

/// A copy of the code at some nodes with other code for some of its leaves, and where each node is in it.
fn replaced<'c>(code: &'c Code, nodes: &[NodeId], replace: &dyn Fn(NodeId) -> Option<&'c Code>) -> (Code, Vec<NodeId>) {
    let mut builder = TreeBuilder::default();
    let with = |inner: NodeId| -> Option<(&'c Tree, NodeId)> { replace(inner).map(|code| (&*code.tree, NodeId::ROOT)) };
    let mut marks = Vec::new();
    if nodes.len() > 1 {
        builder.open("parts", None, code.tree.span(nodes[0]));
        marks.push(Mark::default());
    }
    for &node in nodes {
        let origins = builder.copy_replacing(&code.tree, node, &with);
        // The replacements in the order in which they were put in.
        let mut others = code.tree.subtree(node).filter_map(replace);
        let mut other = None;
        marks.extend(origins.into_iter().map(|origin| match origin {
            Origin::Copied(copied) => code.mark(copied),
            Origin::Replacement(there) => {
                if there == NodeId::ROOT {
                    other = others.next();
                }
                other.map(|code: &Code| code.mark(there)).unwrap_or_default()
            }
        }));
    }
    let tree = builder.finish();
    let copies = if nodes.len() > 1 { tree.children(NodeId::ROOT).collect() } else { vec![NodeId::ROOT] };
    (Code { tree: Arc::new(tree), marks: Arc::new(marks), rules: code.rules }, copies)
}
