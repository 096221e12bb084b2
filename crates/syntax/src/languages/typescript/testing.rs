//! Source snippets as normal trees, for tests.

use crate::condition::{Condition, Operand, Sameness};
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

/// A condition as text.
pub(super) fn condition_text(tree: &Tree, condition: &Condition) -> String {
    let many = |conditions: &[Condition], word: &str| {
        conditions.iter().map(|inner| condition_text(tree, inner)).collect::<Vec<_>>().join(word)
    };
    let operand = |operand: &Operand| match operand {
        Operand::Node(node) => source(tree, *node),
        Operand::Null => "null".to_owned(),
        Operand::Undefined => "undefined".to_owned(),
        Operand::Error => "error".to_owned(),
    };
    match condition {
        Condition::Atom(node) => source(tree, *node),
        Condition::Equal { left, right, sameness } => {
            let sign = if *sameness == Sameness::Strict { "===" } else { "==" };
            format!("{}{sign}{}", operand(left), operand(right))
        }
        Condition::Not(inner) => format!("!({})", condition_text(tree, inner)),
        Condition::And(all) => format!("({})", many(all, " && ")),
        Condition::Or(any) => format!("({})", many(any, " || ")),
        Condition::Choice { test, yes, no } => {
            let [test, yes, no] = [test, yes, no].map(|part| condition_text(tree, part));
            format!("({test} ? {yes} : {no})")
        }
        Condition::Constant(truth) => truth.to_string(),
    }
}
