//! Fingerprints: BLAKE3 over the normal form, and the coarser hashes that tell in which way a thing changed.

mod feed;
mod skeleton;
#[cfg(test)]
mod tests;

use crate::languages::Language;
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};
use feed::{Feed, Numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The number of the normal form's rules. A record names it; a new rule that moves fingerprints raises it.
pub const SCHEME: &str = "2";

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

/// What of a tree does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Statements that are as good as not there.
    pub gone: BTreeSet<NodeId>,
    /// Nodes that are items of their own, with their names.
    pub inner: BTreeMap<NodeId, String>,
    /// Names from outside that the file gives to something that no text can change, with what that is.
    pub meant: BTreeMap<NodeId, &'static str>,
}

/// The hashes of one item. `exact` is its fingerprint; the others tell what of two items is the same although that
/// differs, and see nothing of the items inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Everything in the normal form.
    pub exact: Fingerprint,
    /// The same without the items inside.
    pub own: Fingerprint,
    /// With local variables numbered in the order in which they are met, and with what names from outside
    /// stand for where that is known.
    pub locals: Fingerprint,
    /// The same without the text of literals.
    pub literals: Fingerprint,
    /// With all names numbered.
    pub names: Fingerprint,
    /// Only the skeleton, as `docs/fingerprint.md` defines it.
    pub detail: Fingerprint,
    /// The names that are no local variables, in the order in which they are met.
    pub words: Vec<String>,
}

/// Hashes a tree.
pub fn fingerprints(tree: &Tree, scopes: &Scopes, language: &'static Language, apart: &Apart) -> Fingerprints {
    let rules = language.rules();
    let whole = Apart { gone: apart.gone.clone(), ..Apart::default() };
    let mut fed = [Feed::default(), Feed::default(), Feed::default(), Feed::default()];
    let [own, locals, literals, names] = &mut fed;
    let mut numbers = Numbers::default();
    walk(tree, apart, |step| match step {
        Step::Open(node) => {
            let (kind, field) = (tree.kind(node), field(tree, node));
            [&mut *own, locals, literals, names].into_iter().for_each(|feed| feed.open(kind, field));
        }
        Step::Close => [&mut *own, locals, literals, names].into_iter().for_each(Feed::close),
        Step::Item(name) => [&mut *own, locals, literals, names].into_iter().for_each(|feed| feed.item(name)),
        Step::Leaf(node) => {
            let (kind, field, text) = (tree.kind(node), field(tree, node), tree.text(node));
            own.leaf(kind, field, text);
            if let Some(number) = numbers.local(scopes, node) {
                [&mut *locals, literals, names].into_iter().for_each(|feed| feed.numbered(kind, field, number));
                return;
            }
            if let Some(&said) = apart.meant.get(&node) {
                [&mut *locals, literals, names].into_iter().for_each(|feed| feed.leaf("", field, said));
                return;
            }
            locals.leaf(kind, field, text);
            literals.leaf(masked_kind(kind), field, if rules.kinds().is_literal(kind) { "" } else { text });
            if rules.kinds().names.contains(&kind) {
                names.numbered(kind, field, numbers.name(tree, node));
            } else {
                names.leaf(kind, field, text);
            }
        }
    });
    let [own, locals, literals, names] = fed.map(Feed::finish);
    Fingerprints {
        exact: if apart.inner.is_empty() { own } else { plain(tree, &whole) },
        own,
        locals,
        literals,
        names,
        detail: skeleton::skeleton(tree, scopes, language, apart),
        words: numbers.words,
    }
}

/// Truth values are literals whose text is their kind.
fn masked_kind(kind: &str) -> &str {
    match kind {
        "true" | "false" => "boolean",
        kind => kind,
    }
}

/// The root's role in what was around it does not count.
fn field(tree: &Tree, node: NodeId) -> Option<&'static str> {
    if node == NodeId::ROOT { None } else { tree.field(node) }
}

/// Only the fingerprint, without scopes.
pub fn exact(tree: &Tree) -> Fingerprint {
    plain(tree, &Apart::default())
}

fn plain(tree: &Tree, apart: &Apart) -> Fingerprint {
    let mut feed = Feed::default();
    walk(tree, apart, |step| match step {
        Step::Open(node) => feed.open(tree.kind(node), field(tree, node)),
        Step::Leaf(node) => feed.leaf(tree.kind(node), field(tree, node), tree.text(node)),
        Step::Close => feed.close(),
        Step::Item(name) => feed.item(name),
    });
    feed.finish()
}

/// What is met on a walk through a tree.
enum Step<'a> {
    Open(NodeId),
    Leaf(NodeId),
    Close,
    Item(&'a str),
}

/// Every node in order, without what is apart.
fn walk<'a>(tree: &Tree, apart: &'a Apart, mut meet: impl FnMut(Step<'a>)) {
    let mut ends: Vec<NodeId> = Vec::new();
    let mut skipped = NodeId::ROOT;
    for node in tree.subtree(NodeId::ROOT) {
        if node < skipped {
            continue;
        }
        while ends.last().is_some_and(|&end| end <= node) {
            ends.pop();
            meet(Step::Close);
        }
        if apart.gone.contains(&node) {
            skipped = tree.subtree_end(node);
        } else if let Some(name) = apart.inner.get(&node) {
            skipped = tree.subtree_end(node);
            meet(Step::Item(name));
        } else if tree.is_leaf(node) {
            meet(Step::Leaf(node));
        } else {
            ends.push(tree.subtree_end(node));
            meet(Step::Open(node));
        }
    }
    ends.iter().for_each(|_| meet(Step::Close));
}
