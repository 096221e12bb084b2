//! Source snippets as normal trees, for tests.

use crate::languages::language_for_path;
use crate::source::{Limits, Source};
use crate::tree::{NodeId, Tree};

/// The normal tree of a whole file.
pub(super) fn file(path: &str, code: &str) -> Tree {
    let language = language_for_path(path).expect("a known ending");
    let source = Source::parse(language, code.as_bytes(), &Limits::default()).expect("source that parses");
    assert!(source.problems().is_empty(), "{code}: {:?}", source.problems());
    source.normal(&source.file_item())
}

/// A node's leaves, joined.
pub(super) fn source(tree: &Tree, node: NodeId) -> String {
    let leaves = tree.subtree(node).filter(|&leaf| tree.is_leaf(leaf));
    let words = leaves.map(|leaf| match (tree.kind(leaf), tree.text(leaf)) {
        ("optional_chain", "") => "?.",
        (kind, "") => kind,
        (_, text) => text,
    });
    words.collect::<Vec<_>>().concat()
}
