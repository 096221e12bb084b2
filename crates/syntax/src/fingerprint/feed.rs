//! What a hash is fed with: the nodes of a tree as they are met, with a mark at each end, so that no two trees give the
//! same bytes whatever is left out of them.

use super::Fingerprint;
use crate::scope::{BindingId, Scopes};
use crate::tree::{NodeId, Tree};
use rustc_hash::FxHashMap;

const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const LEAF: u8 = 3;
const NUMBERED: u8 = 4;
const ITEM: u8 = 5;

/// Collects the bytes of a tree.
#[derive(Default)]
pub(super) struct Feed {
    bytes: Vec<u8>,
    hasher: blake3::Hasher,
}

impl Feed {
    /// A node begins that others are in.
    pub(super) fn open(&mut self, kind: &str, field: Option<&str>) {
        self.mark(OPEN);
        self.word(kind);
        self.word(field.unwrap_or_default());
    }

    /// The innermost node ends.
    pub(super) fn close(&mut self) {
        self.mark(CLOSE);
    }

    /// A node without others in it.
    pub(super) fn leaf(&mut self, kind: &str, field: Option<&str>, text: &str) {
        self.mark(LEAF);
        self.word(kind);
        self.word(field.unwrap_or_default());
        self.word(text);
    }

    /// A name of which only counts where it stands again.
    pub(super) fn numbered(&mut self, kind: &str, field: Option<&str>, number: Number) {
        self.mark(NUMBERED);
        self.word(kind);
        self.word(field.unwrap_or_default());
        self.word(number.of);
        self.bytes.extend_from_slice(&number.at.to_le_bytes());
    }

    /// An item of its own that stands here.
    pub(super) fn item(&mut self, name: &str) {
        self.mark(ITEM);
        self.word(name);
    }

    fn mark(&mut self, mark: u8) {
        if self.bytes.len() > 1 << 14 {
            self.hasher.update(&self.bytes);
            self.bytes.clear();
        }
        self.bytes.push(mark);
    }

    fn word(&mut self, text: &str) {
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn finish(mut self) -> Fingerprint {
        self.hasher.update(&self.bytes);
        Fingerprint(*self.hasher.finalize().as_bytes())
    }
}

/// The place of a name among those that were met before it.
#[derive(Clone, Copy)]
pub(super) struct Number {
    of: &'static str,
    at: u32,
}

/// Names numbered in the order in which they are met: two texts get the same numbers when one is a consistent renaming
/// of the other.
#[derive(Default)]
pub(super) struct Numbers<'t> {
    locals: FxHashMap<BindingId, u32>,
    names: FxHashMap<&'t str, u32>,
    /// The names that are no local variables, each once.
    pub(super) words: Vec<String>,
}

impl<'t> Numbers<'t> {
    /// The number of a local variable; `None` for any other node.
    pub(super) fn local(&mut self, scopes: &Scopes, node: NodeId) -> Option<Number> {
        let id = scopes.binding(node).filter(|&id| scopes.get(id).local)?;
        Some(self.variable(id))
    }

    /// The number of a variable.
    pub(super) fn variable(&mut self, id: BindingId) -> Number {
        let next = self.locals.len() as u32;
        Number { of: "local", at: *self.locals.entry(id).or_insert(next) }
    }

    /// The number of a name.
    pub(super) fn name(&mut self, tree: &'t Tree, node: NodeId) -> Number {
        let text = tree.text(node);
        let next = self.names.len() as u32;
        let at = *self.names.entry(text).or_insert_with(|| {
            self.words.push(text.to_owned());
            next
        });
        Number { of: "name", at }
    }
}
