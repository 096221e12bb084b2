//! Snippets: pieces of code that are no file, such as patterns; and normal trees back as text.

use crate::tree::{NodeId, Tree};

/// Canonical text of a subtree; see [`Tree::render`].
pub(crate) fn render(tree: &Tree, node: NodeId) -> String {
    let mut words: Vec<&str> = Vec::new();
    for node in tree.subtree(node).filter(|&node| tree.is_leaf(node)) {
        let text = tree.text(node);
        words.push(if text.is_empty() { tree.kind(node) } else { text });
    }
    words.join(" ")
}
