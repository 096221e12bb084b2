//! `m?.ok` as a check of `m.ok`: where it is true, so is the plain access; where it is not, `m.ok` is not true, but it may
//! have no value at all.

use super::code::{Code, Mark};
use super::condition::{Atom, Hit, Leaf};
use factgate_syntax::condition::{Operand, Sameness};
use factgate_syntax::tree::TreeBuilder;
use factgate_syntax::value::{Constant, Spelled};
use factgate_syntax::{NodeId, Tree};
use std::sync::Arc;

/// A leaf with its optional chain as a plain access.
pub(super) fn unchained(code: &Code, leaf: &Leaf) -> Option<(Code, Leaf)> {
    match *leaf {
        Leaf::Truth(node) => {
            let (tree, marks) = plain(code, node)?;
            Some((with(code, tree, marks), Leaf::Truth(NodeId::ROOT)))
        }
        Leaf::Equal { left: Operand::Node(left), right: Operand::Node(right), sameness } => {
            let (chain, literal) = if is_present(code, right) { (left, right) } else { (right, left) };
            if !is_present(code, literal) {
                return None;
            }
            let (tree, marks) = plain(code, chain)?;
            let mut both = TreeBuilder::default();
            both.open("parts", None, code.tree.span(chain));
            both.copy(&tree, NodeId::ROOT);
            both.copy(&code.tree, literal);
            let own = code.tree.subtree(literal).map(|node| code.mark(node));
            let marks = std::iter::once(Mark::default()).chain(marks).chain(own).collect();
            let both = both.finish();
            let mut parts = both.children(NodeId::ROOT).map(Operand::Node);
            let leaf = Leaf::Equal { left: parts.next()?, right: parts.next()?, sameness };
            Some((with(code, both, marks), leaf))
        }
        Leaf::Equal { .. } => None,
    }
}

fn plain(code: &Code, node: NodeId) -> Option<(Tree, Vec<Mark>)> {
    let (tree, origins) = code.rules.unchained(&code.tree, node)?;
    Some((tree, origins.into_iter().map(|origin| code.mark(origin)).collect()))
}

fn with(code: &Code, tree: Tree, marks: Vec<Mark>) -> Code {
    Code { tree: Arc::new(tree), marks: Arc::new(marks), rules: code.rules }
}

/// Whether a node is a literal of a value that is there.
fn is_present(code: &Code, node: NodeId) -> bool {
    matches!(
        code.rules.spelled(&code.tree, node),
        Spelled::Constant(Constant::Integer(_) | Constant::Float(_) | Constant::Text(_) | Constant::Bool(_))
    )
}

/// Whether a leaf of the same condition asks if a part of this one is missing.
pub(super) fn asks_for_base(code: &Code, of: &Leaf, leaf: &Leaf) -> bool {
    match *leaf {
        Leaf::Equal { left: Operand::Node(base), right: Operand::Null, sameness: Sameness::Loose } => {
            of.nodes().iter().any(|&node| node != base && code.tree.is_within(base, node))
        }
        _ => false,
    }
}

/// What it says of an atom that this is missing, where that is enough: `m.ok` is not true.
pub(super) fn as_missing(hit: &Hit) -> Option<Hit> {
    (hit.on[1] == Some(false)).then(|| Hit { on: [Some(false), None], ..hit.clone() })
}

/// What the plain access says of an atom, as the chain says it.
pub(super) fn as_chain(atom: &Atom, hit: Hit) -> Option<Hit> {
    let [yes, no] = hit.on;
    let on = [yes, no.filter(|&truth| !truth && atom.or_missing)];
    (on != [None, None]).then_some(Hit { on, ..hit })
}
