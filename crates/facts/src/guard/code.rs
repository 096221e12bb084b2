//! Pieces of code that can be compared: the scope's own tree, and conditions taken out of called functions.

use factgate_syntax::languages::{Denoted, Receiver, Rules, Seen};
use factgate_syntax::{BindingId, NodeId, Scopes, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tree and what each of its nodes means in the scope.
#[derive(Clone)]
pub(super) struct Code {
    pub(super) tree: Arc<Tree>,
    pub(super) marks: Arc<Vec<Mark>>,
    pub(super) rules: &'static dyn Rules,
}

/// What a node means, as far as its spelling does not say it.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark {
    /// The variable of the scope.
    pub(super) binding: Option<BindingId>,
    /// Sets it apart from the same spelling in the scope: another file's variable.
    pub(super) apart: Option<Arc<str>>,
    /// The function in the scope whose `this` or `arguments` it is.
    pub(super) receiver: Option<NodeId>,
    /// Whether it came with an argument, from the code around the call.
    pub(super) is_given: bool,
}

/// A number for one form of code: equal for the same normal form over the same variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key(u32);

/// The forms met so far, and what each of them mentions.
#[derive(Default)]
pub(super) struct Keys {
    ids: HashMap<String, Key>,
    mentions: Vec<Vec<Mention>>,
    calling: BTreeSet<Key>,
}

/// Where a variable or a property path starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Base {
    /// A variable of the scope.
    Variable(BindingId),
    /// A name from outside, the scope's own `this`.
    Name(String),
    /// The `this` or `arguments` of a function in the scope.
    Receiver(NodeId, String),
    /// Nobody knows where: without a path, everything.
    Anything,
}

/// A variable or property path that code reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    base: Base,
    path: Vec<Option<String>>,
    /// Whether all of it can be read: it is handed to a call.
    whole: bool,
}

/// A variable or property path that is assigned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) base: Base,
    pub(super) path: Vec<Option<String>>,
}

impl Mention {
    /// Whether an assignment to `target` can change what is read here.
    pub(super) fn is_ended_by(&self, target: &Target) -> bool {
        let same = |(a, b): (&Option<String>, &Option<String>)| a.is_none() || b.is_none() || a == b;
        let prefix = |short: &[Option<String>], long: &[Option<String>]| {
            short.len() <= long.len() && short.iter().zip(long).all(same)
        };
        if target.is_everything() {
            return true;
        }
        if target.base == Base::Anything {
            return (0..self.path.len()).any(|start| {
                let rest = &self.path[start..];
                prefix(&target.path, rest) || self.whole && prefix(rest, &target.path)
            });
        }
        self.base == target.base && (prefix(&target.path, &self.path) || self.whole && prefix(&self.path, &target.path))
    }
}

impl Target {
    /// Whether everything may be assigned: `eval`.
    pub(super) fn is_everything(&self) -> bool {
        self.base == Base::Anything && self.path.is_empty()
    }

    /// The last named property of a path, of whatever object: `None` where no property is named.
    pub(super) fn somewhere(path: &[Option<String>]) -> Option<Target> {
        let named = path.iter().rposition(Option::is_some)?;
        Some(Target { base: Base::Anything, path: path[named..].to_vec() })
    }
}

impl Code {
    /// The scope's own tree.
    pub(super) fn of(tree: &Arc<Tree>, scopes: &Scopes, rules: &'static dyn Rules) -> Code {
        let inner = |node: NodeId| match rules.receiver_of(tree, node) {
            Some(Receiver::Inner(function)) => Some(function),
            Some(Receiver::Scope) | None => None,
        };
        let mark = |node: NodeId| {
            let binding = scopes.binding(node);
            let receiver = if tree.is_leaf(node) && binding.is_none() { inner(node) } else { None };
            Mark { binding, receiver, ..Mark::default() }
        };
        Code { tree: tree.clone(), marks: Arc::new(tree.subtree(NodeId::ROOT).map(mark).collect()), rules }
    }

    pub(super) fn binding(&self, node: NodeId) -> Option<BindingId> {
        self.marks.get(node.index()).and_then(|mark| mark.binding)
    }

    /// What the node means.
    pub(super) fn mark(&self, node: NodeId) -> Mark {
        self.marks.get(node.index()).cloned().unwrap_or_default()
    }

    /// Whether a leaf names a variable, of the scope or from outside, and no member.
    pub(super) fn is_name(&self, node: NodeId) -> bool {
        let starts = |above| self.rules.access(&self.tree, above).is_none_or(|access| access.root == node);
        self.binding(node).is_some() || self.tree.parent(node).is_none_or(starts)
    }

    /// The variable that a bare identifier means.
    pub(super) fn variable(&self, node: NodeId) -> Option<BindingId> {
        let access = self.rules.access(&self.tree, node)?;
        if access.path.is_empty() { self.binding(access.root) } else { None }
    }

    /// What an assignment to `node` assigns.
    pub(super) fn target(&self, node: NodeId) -> Option<Target> {
        let access = self.rules.access(&self.tree, node)?;
        Some(Target { base: self.base(access.root), path: access.path })
    }

    /// What an assignment to `node` may assign, also where `node` is no plain path.
    pub(super) fn targets(&self, node: NodeId) -> Vec<Target> {
        if let Some(target) = self.target(node) {
            return vec![target];
        }
        let denoted = self.rules.denotes(&self.tree, node).into_iter();
        let everything = |path: &[_]| path.is_empty().then(|| Target { base: Base::Anything, path: Vec::new() });
        let somewhere = |path: &[_]| Target::somewhere(path).or_else(|| everything(path));
        denoted.filter_map(|denoted| self.denoted(&denoted).or_else(|| somewhere(&denoted.path))).collect()
    }

    /// The path that a value may be, when it has one.
    pub(super) fn denoted(&self, denoted: &Denoted) -> Option<Target> {
        Some(Target { base: self.base(denoted.root?), path: denoted.path.clone() })
    }

    /// What the functions in the scope are called on or with, which may be any object; what a constructor makes is none,
    /// but may hold any.
    pub(super) fn receivers(&self) -> BTreeSet<Target> {
        let is_one = |node: &NodeId| self.marks.get(node.index()).is_some_and(|mark| mark.receiver.is_some());
        let found = self.tree.subtree(NodeId::ROOT).filter(is_one).map(|node| self.base(node));
        let target = |base: Base| {
            let Base::Receiver(function, _) = &base else { return None };
            let is_made = self.rules.makes_its_receiver(&self.tree, *function);
            Some(Target { path: if is_made { vec![None] } else { Vec::new() }, base })
        };
        found.filter_map(target).collect()
    }

    fn base(&self, root: NodeId) -> Base {
        let receiver = self.marks.get(root.index()).and_then(|mark| mark.receiver);
        let name = || {
            let text = self.tree.text(root);
            let name = if text.is_empty() { self.tree.kind(root) } else { text }.to_owned();
            match receiver {
                Some(function) => Base::Receiver(function, name),
                None => Base::Name(name),
            }
        };
        self.binding(root).map_or_else(name, Base::Variable)
    }

    /// What the code at `node` reads.
    pub(super) fn mentions(&self, node: NodeId) -> Vec<Mention> {
        let mut found = Vec::new();
        // (node, handed to a call, inside a path that was noted already)
        let mut open = vec![(node, false, false)];
        while let Some((node, handed, inside)) = open.pop() {
            let access = self.rules.access(&self.tree, node);
            let call = self.rules.call(&self.tree, node);
            if let Some(call) = &call
                && let Some(mut access) = self.rules.access(&self.tree, call.callee)
                && access.path.pop().is_some()
            {
                // The receiver is handed on too.
                found.push(Mention { base: self.base(access.root), path: access.path, whole: true });
            }
            let (root, callee) = (access.as_ref().map(|access| access.root), call.as_ref().map(|call| call.callee));
            for child in self.tree.children(node) {
                let inside = root.is_some_and(|root| self.tree.is_within(root, child));
                open.push((child, (handed || call.is_some()) && Some(child) != callee, inside));
            }
            if let Some(access) = access.filter(|_| !inside) {
                found.push(Mention { base: self.base(access.root), path: access.path, whole: handed });
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Whether the code at `node` calls something.
    pub(super) fn calls(&self, node: NodeId) -> bool {
        self.tree.subtree(node).any(|inner| self.rules.call(&self.tree, inner).is_some())
    }

    /// The form of the code at `node`.
    pub(super) fn form(&self, node: NodeId) -> String {
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
            match self.rules.seen(self.tree.kind(inner)) {
                Seen::Ignored => next = self.tree.subtree_end(inner).index(),
                Seen::Through => {}
                // The mark itself (`!`) is no operand.
                _ if self.is_mark(inner) => {}
                _ => {
                    self.push_form(inner, open.len(), &mut form);
                    open.push(self.tree.subtree_end(inner).index().min(end));
                }
            }
        }
        form
    }

    fn is_mark(&self, node: NodeId) -> bool {
        let above = self.tree.parent(node).map(|above| self.rules.seen(self.tree.kind(above)));
        self.tree.is_leaf(node) && self.tree.text(node).is_empty() && above == Some(Seen::Through)
    }

    fn push_form(&self, node: NodeId, depth: usize, form: &mut String) {
        form.push_str(self.tree.kind(node));
        form.push('\u{1}');
        form.push_str(self.tree.text(node));
        if let Some(binding) = self.binding(node) {
            form.push('\u{2}');
            form.push_str(&binding.0.to_string());
        }
        if let Some(apart) = self.marks.get(node.index()).and_then(|mark| mark.apart.as_deref()) {
            form.push('\u{6}');
            form.push_str(apart);
        }
        if let Some(function) = self.marks.get(node.index()).and_then(|mark| mark.receiver) {
            form.push('\u{7}');
            form.push_str(&function.index().to_string());
        }
        form.push('\u{3}');
        form.push_str(&depth.to_string());
    }
}

impl Keys {
    /// The number of a run of nodes.
    pub(super) fn key(&mut self, code: &Code, nodes: &[NodeId]) -> Key {
        let forms: Vec<String> = nodes.iter().map(|&node| code.form(node)).collect();
        let mentions = || nodes.iter().flat_map(|&node| code.mentions(node)).collect();
        self.intern(forms.join("\u{4}"), mentions)
    }

    /// The number of what a name means.
    pub(super) fn meaning(&mut self, name: &str, mark: &Mark) -> Key {
        let (variable, apart) = (mark.binding.map(|id| id.0), mark.apart.as_deref());
        let receiver = mark.receiver.map(|function| function.index());
        let mention = |id| Mention { base: Base::Variable(id), path: Vec::new(), whole: false };
        let mentions = || mark.binding.map(mention).into_iter().collect();
        self.intern(format!("name\u{5}{name}\u{2}{variable:?}\u{6}{apart:?}\u{7}{receiver:?}"), mentions)
    }

    /// The number of a form made elsewhere.
    pub(super) fn intern(&mut self, form: String, mentions: impl FnOnce() -> Vec<Mention>) -> Key {
        if let Some(&key) = self.ids.get(&form) {
            return key;
        }
        let key = Key(self.mentions.len() as u32);
        self.mentions.push(mentions());
        self.ids.insert(form, key);
        key
    }

    /// Notes that code of this form calls something.
    pub(super) fn calls_something(&mut self, key: Key) {
        self.calling.insert(key);
    }

    /// Whether code of this form calls something.
    pub(super) fn is_calling(&self, key: Key) -> bool {
        self.calling.contains(&key)
    }

    pub(super) fn mentions(&self, key: Key) -> &[Mention] {
        &self.mentions[key.0 as usize]
    }
}
