//! The skeleton of an item: what it does and when, without what it hands along.
//!
//! Kept: conditions, with everything in them; loops; what is called, in its order; suspensions; writes to members and to
//! variables from outside, with the value; ways out, with what they give; functions; and each local variable whose value
//! reaches one of these, with every value that it is given. Aside: the arguments of calls, the values of other local
//! variables, and values that nobody uses. What is done inside of these (a call, a wait, a function) is kept; what
//! chooses between values there is kept where one of them does something.
//!
//! The rule is that all is kept which a language does not list as a call, as an assignment or as a mere value: see
//! [`Kinds`].

use super::feed::{Feed, Numbers};
use super::{Apart, Fingerprint};
use crate::languages::{Kinds, Language};
use crate::scope::{BindingId, Scopes};
use crate::tree::{NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// The hash of a tree's skeleton.
pub(super) fn skeleton(tree: &Tree, scopes: &Scopes, language: &'static Language, apart: &Apart) -> Fingerprint {
    let kinds = language.rules().kinds();
    let mut reader = Reader {
        tree,
        scopes,
        language,
        kinds,
        apart,
        kept: FxHashSet::default(),
        waiting: FxHashMap::default(),
        due: Vec::new(),
        feed: Feed::default(),
        numbers: Numbers::default(),
    };
    // Which variables are kept is known once all that keeps one was met: the first reading only finds them.
    reader.node(NodeId::ROOT, How::Kept, Role::None);
    while let Some(assignment) = reader.due.pop() {
        reader.node(assignment, How::Kept, Role::None);
    }
    reader.feed = Feed::default();
    reader.numbers = Numbers::default();
    reader.node(NodeId::ROOT, How::Kept, Role::None);
    reader.feed.finish()
}

/// How much of a node is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// All of it: a condition.
    Whole,
    /// All but what is aside in it.
    Kept,
    /// Only what is done in it.
    Aside,
}

/// Whether a node's role in the node around it is kept too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Own,
    None,
}

struct Reader<'t> {
    tree: &'t Tree,
    scopes: &'t Scopes,
    language: &'static Language,
    kinds: &'static Kinds,
    apart: &'t Apart,
    /// Local variables that something kept mentions.
    kept: FxHashSet<BindingId>,
    /// Assignments to variables that nothing kept mentions so far.
    waiting: FxHashMap<BindingId, Vec<NodeId>>,
    /// Assignments to variables that are kept since.
    due: Vec<NodeId>,
    feed: Feed,
    numbers: Numbers<'t>,
}

impl<'t> Reader<'t> {
    fn node(&mut self, node: NodeId, how: How, role: Role) {
        if self.apart.gone.contains(&node) {
            return;
        }
        if let Some(name) = self.apart.inner.get(&node) {
            return self.feed.item(name);
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match how {
            How::Whole => self.all(node, How::Whole, role),
            How::Kept => self.kept(node, role),
            How::Aside if self.kinds.is_beside(self.language, self.tree, node) => self.done_in(node),
            How::Aside => self.kept(node, Role::None),
        });
    }

    fn kept(&mut self, node: NodeId, role: Role) {
        let tree = self.tree;
        if let Some(value) = self.unused(node) {
            value.into_iter().for_each(|value| self.node(value, How::Aside, Role::None));
        } else if let Some(callee) = self.kinds.callee(tree, node) {
            let is_argument = |&child: &NodeId| child != callee && self.kinds.is_argument(tree, node, child);
            let (arguments, others): (Vec<_>, Vec<_>) = tree.children(node).partition(is_argument);
            arguments.into_iter().for_each(|argument| self.node(argument, How::Aside, Role::None));
            self.feed.open(tree.kind(node), self.field(node, role));
            others.into_iter().for_each(|other| self.node(other, How::Kept, Role::Own));
            self.feed.close();
        } else if self.kinds.statements.contains(&tree.kind(node)) {
            self.done_in(node);
        } else {
            self.all(node, How::Kept, role);
        }
    }

    /// The value in an assignment to local variables that nothing kept mentions; they wait until something does.
    fn unused(&mut self, node: NodeId) -> Option<Option<NodeId>> {
        let (target, value) = self.kinds.assignment(self.tree, node)?;
        let assigned = self.kinds.assigned(self.tree, self.scopes, target)?;
        if assigned.iter().any(|id| self.kept.contains(id)) {
            return None;
        }
        assigned.into_iter().for_each(|id| self.waiting.entry(id).or_default().push(node));
        Some(value)
    }

    /// A node with its role, and what is below it.
    fn all(&mut self, node: NodeId, how: How, role: Role) {
        let (tree, field) = (self.tree, self.field(node, role));
        if tree.is_leaf(node) {
            return self.leaf(node, field);
        }
        self.feed.open(tree.kind(node), field);
        let mut before = None;
        for child in tree.children(node) {
            let decides = self.kinds.decides(tree, node, before, child);
            self.node(child, if decides { How::Whole } else { how }, Role::Own);
            before = Some(child);
        }
        self.feed.close();
    }

    fn leaf(&mut self, node: NodeId, field: Option<&'static str>) {
        if let Some(id) = self.scopes.binding(node)
            && self.kept.insert(id)
        {
            self.due.extend(self.waiting.remove(&id).unwrap_or_default());
        }
        let (kind, text) = (self.tree.kind(node), self.tree.text(node));
        let variable = self.scopes.binding(node);
        match variable.filter(|&id| self.kinds.is_of_a_function(self.tree, self.scopes, id)) {
            Some(id) => self.feed.numbered(kind, field, self.numbers.variable(id)),
            None => match self.apart.meant.get(&node) {
                Some(said) => return self.feed.leaf("", field, said),
                None => return self.feed.leaf(kind, field, text),
            },
        }
        if self.kinds.twofold.contains(&kind) {
            self.feed.leaf(kind, None, text);
        }
    }

    /// Only what is done below a node, one after the other.
    fn done_in(&mut self, node: NodeId) {
        self.tree.children(node).for_each(|child| self.node(child, How::Aside, Role::None));
    }

    fn field(&self, node: NodeId, role: Role) -> Option<&'static str> {
        self.tree.field(node).filter(|_| role == Role::Own)
    }
}
