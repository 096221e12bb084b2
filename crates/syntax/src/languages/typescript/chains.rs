//! Optional chains: `a?.b` without its mark.

use super::shape;
use crate::tree::{NodeId, Tree, TreeBuilder};

/// The links of a chain, from the outermost on.
fn links(tree: &Tree, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(node), |&link| shape::object_of(tree, link))
}

/// A chain without its marks, with the node of each of its nodes; nothing for what has none.
pub(super) fn unchained(tree: &Tree, node: NodeId) -> Option<(Tree, Vec<NodeId>)> {
    let is_mark = |child: &NodeId| matches!(tree.kind(*child), "optional_chain" | "?.");
    let marks: Vec<_> = links(tree, node).filter_map(|link| tree.children(link).find(is_mark)).collect();
    if marks.is_empty() {
        return None;
    }
    let (mut out, mut origins) = (TreeBuilder::default(), Vec::new());
    let mut ends: Vec<NodeId> = Vec::new();
    for inner in tree.subtree(node) {
        while ends.last().is_some_and(|&end| end <= inner) {
            ends.pop();
            out.close();
        }
        let (kind, span) = (tree.kind(inner), tree.span(inner));
        if marks.contains(&inner) {
            // Only a member has a dot without the mark.
            if tree.parent(inner).is_some_and(|link| tree.kind(link) == "member_expression") {
                out.leaf(".", None, "", span);
                origins.push(inner);
            }
        } else if tree.is_leaf(inner) {
            out.leaf(kind, tree.field(inner), tree.text(inner), span);
            origins.push(inner);
        } else {
            out.open(kind, tree.field(inner), span);
            ends.push(tree.subtree_end(inner));
            origins.push(inner);
        }
    }
    Some((out.finish(), origins))
}

#[cfg(test)]
mod tests {
    use super::super::testing::file;
    use super::*;

    #[test]
    fn a_chain_without_its_marks_is_the_plain_access() {
        for (chain, plain) in [
            ("a?.b", "a.b"),
            ("a?.b.c?.d", "a.b.c.d"),
            ("a?.[0]?.b", "a[0].b"),
            ("a?.b?.(c?.d)", "a.b(c?.d)"),
            ("a!?.b", "a!.b"),
        ] {
            let value = |code: &str| {
                let tree = file("a.ts", &format!("const x = {code};"));
                let value = tree.subtree(NodeId::ROOT).find(|&node| tree.field(node) == Some("value"));
                (tree, value.expect("a value"))
            };
            let (tree, node) = value(chain);
            let (copy, origins) = unchained(&tree, node).expect("a chain");
            let (wanted, other) = value(plain);
            assert!(copy.same(NodeId::ROOT, &wanted, other), "{chain}: {}", copy.render(NodeId::ROOT));
            assert_eq!(origins.len(), copy.subtree(NodeId::ROOT).count());
        }
        let tree = file("a.ts", "const x = a.b(c?.d);");
        let value = tree.subtree(NodeId::ROOT).find(|&node| tree.field(node) == Some("value")).expect("a value");
        assert!(unchained(&tree, value).is_none());
    }
}
