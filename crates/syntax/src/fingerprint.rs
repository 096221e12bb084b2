//! Fingerprints: BLAKE3 over the normal form, and the two coarser hashes that tell how a thing changed.

use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};
use std::fmt;

/// The number of the normal form's rules. A record names it; a new rule that moves fingerprints raises it.
pub const SCHEME: &str = "1";

/// BLAKE3 over a normal form: 32 bytes, printed as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// The three hashes of one item. `exact` is its fingerprint; when it differs and `literals` agrees, only literal text
/// changed; when `literals` differs and `locals` agrees, the rest is a consistent renaming of local variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Everything in the normal form.
    pub exact: Fingerprint,
    /// Without the text of literals.
    pub literals: Fingerprint,
    /// Without the text of literals, and with local variables numbered in the order of their declaration.
    pub locals: Fingerprint,
}

/// Hashes a tree. `is_literal` says which leaf kinds carry literal text.
pub fn fingerprints(tree: &Tree, scopes: &Scopes, is_literal: impl Fn(&str) -> bool) -> Fingerprints {
    let mut exact = Feed::default();
    let mut literals = Feed::default();
    let mut locals = Feed::default();
    for node in tree.subtree(NodeId::ROOT) {
        let text = tree.text(node);
        let masked = if is_literal(tree.kind(node)) { "" } else { text };
        let kind = masked_kind(tree.kind(node));
        exact.node(tree, node, (tree.kind(node), text), None);
        literals.node(tree, node, (kind, masked), None);
        match scopes.binding(node).filter(|&id| scopes.get(id).local) {
            Some(id) => locals.node(tree, node, (kind, ""), Some(id.0)),
            None => locals.node(tree, node, (kind, masked), None),
        }
    }
    Fingerprints { exact: exact.finish(), literals: literals.finish(), locals: locals.finish() }
}

/// Truth values are literals whose text is their kind.
fn masked_kind(kind: &str) -> &str {
    match kind {
        "true" | "false" => "boolean",
        kind => kind,
    }
}

/// Only the fingerprint, without scopes.
pub fn exact(tree: &Tree) -> Fingerprint {
    let mut feed = Feed::default();
    for node in tree.subtree(NodeId::ROOT) {
        feed.node(tree, node, (tree.kind(node), tree.text(node)), None);
    }
    feed.finish()
}

/// Collects the bytes of a tree; every part carries its length, so no two trees give the same bytes.
#[derive(Default)]
struct Feed {
    bytes: Vec<u8>,
    hasher: blake3::Hasher,
}

impl Feed {
    fn node(&mut self, tree: &Tree, node: NodeId, (kind, text): (&str, &str), local: Option<u32>) {
        let size = tree.subtree_end(node).index() - node.index();
        self.word(kind);
        self.word(if node == NodeId::ROOT { "" } else { tree.field(node).unwrap_or("") });
        self.word(text);
        self.bytes.extend_from_slice(&(size as u32).to_le_bytes());
        if let Some(number) = local {
            self.bytes.push(1);
            self.bytes.extend_from_slice(&number.to_le_bytes());
        } else {
            self.bytes.push(0);
        }
        if self.bytes.len() > 1 << 14 {
            self.hasher.update(&self.bytes);
            self.bytes.clear();
        }
    }

    fn word(&mut self, text: &str) {
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn finish(mut self) -> Fingerprint {
        self.hasher.update(&self.bytes);
        Fingerprint(*self.hasher.finalize().as_bytes())
    }
}
