//! Pieces of code that can be compared: what a pattern matches, with what each name in it means.
//!
//! A piece is a tree of its own or a part of a file's tree, seen from one frame: in a body that was put into the graph
//! twice, one name means two variables.

use crate::core::ReadId;
use factgate_ir::{BodyId, UnitRef, VarId};
use factgate_syntax::languages::{Rules, Seen};
use factgate_syntax::{BindingId, NodeId, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// What a name means, as far as its spelling does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Means {
    /// A variable, and the frame that it belongs to where there may be several.
    Var(UnitRef, VarId, Option<u32>),
    /// A name of a file that is no variable of its code: an import, a type.
    Name(UnitRef, BindingId),
    /// The `this` or `arguments` of a body.
    Given(UnitRef, BodyId, Option<u32>),
}

/// A piece of code.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) tree: Arc<Tree>,
    pub(super) root: NodeId,
    /// What its names mean, by node; of nodes that are not there, their spelling is all.
    pub(super) marks: Arc<HashMap<NodeId, Means>>,
}

/// A number for one form of code: equal for the same normal form over the same variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key(pub(super) u32);

/// The forms of code met so far.
#[derive(Default)]
pub(super) struct Keys {
    ids: HashMap<String, Key>,
    /// What the code of each form reads.
    reads: BTreeMap<Key, BTreeSet<ReadId>>,
}

impl Keys {
    /// The number of a run of code.
    pub(super) fn key_of(&mut self, codes: &[Code], rules: &dyn Rules) -> Key {
        let forms: Vec<String> = codes.iter().map(|code| code.form(rules, code.root)).collect();
        self.intern(forms.join("\u{4}"))
    }

    /// Notes what the code of a form reads.
    pub(super) fn add_reads(&mut self, key: Key, reads: impl IntoIterator<Item = ReadId>) {
        self.reads.entry(key).or_default().extend(reads);
    }

    /// The number of what a name means.
    pub(super) fn meaning(&mut self, name: &str, means: Option<Means>) -> Key {
        self.intern(format!("name\u{5}{name}\u{2}{means:?}"))
    }

    /// What the code of each form reads.
    pub(super) fn reads(self) -> BTreeMap<Key, BTreeSet<ReadId>> {
        self.reads
    }

    fn intern(&mut self, form: String) -> Key {
        let next = Key(self.ids.len() as u32);
        *self.ids.entry(form).or_insert(next)
    }
}

impl Code {
    pub(super) fn means(&self, node: NodeId) -> Option<Means> {
        self.marks.get(&node).copied()
    }

    /// The form of the code at `node`.
    fn form(&self, rules: &dyn Rules, node: NodeId) -> String {
        let mut form = String::new();
        let (mut next, end) = (node.index(), self.tree.subtree_end(node).index());
        let mut open: Vec<usize> = Vec::new();
        for inner in self.tree.subtree(node) {
            if inner.index() < next {
                continue;
            }
            while open.last().is_some_and(|&end| end <= inner.index()) {
                open.pop();
            }
            next = inner.index() + 1;
            match rules.kinds().seen(self.tree.kind(inner)) {
                Seen::Ignored => next = self.tree.subtree_end(inner).index(),
                Seen::Through => {}
                // The mark itself (`!`) is no operand.
                _ if self.is_mark(rules, inner) => {}
                _ => {
                    self.push_form(inner, open.len(), &mut form);
                    open.push(self.tree.subtree_end(inner).index().min(end));
                }
            }
        }
        form
    }

    fn is_mark(&self, rules: &dyn Rules, node: NodeId) -> bool {
        let above = self.tree.parent(node).map(|above| rules.kinds().seen(self.tree.kind(above)));
        self.tree.is_leaf(node) && self.tree.text(node).is_empty() && above == Some(Seen::Through)
    }

    fn push_form(&self, node: NodeId, depth: usize, form: &mut String) {
        let (kind, text) = (self.tree.kind(node), self.tree.text(node));
        let means = self.means(node);
        // A shorthand property names the variable as the identifier does.
        let written = match means {
            Some(means) => write!(form, "{kind}\u{1}{text}\u{2}{means:?}\u{3}{depth}"),
            None => write!(form, "{kind}\u{1}{text}\u{3}{depth}"),
        };
        debug_assert!(written.is_ok());
    }
}
