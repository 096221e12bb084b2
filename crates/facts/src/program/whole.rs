//! A whole file's variables: what a name means where it stands, and whether the thing that it means stays what it is.
//! A scope's own tree knows only what it declares itself.

use super::Program;
use crate::graph::each;
use factgate_record::RepoPath;
use factgate_syntax::flow::Flow;
use factgate_syntax::links::{Links, Symbol};
use factgate_syntax::scope::Binding;
use factgate_syntax::{BindingId, NodeId, Scopes, Source, Span, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A file's variables.
pub(crate) struct Whole {
    source: Arc<Source>,
    file: RepoPath,
    tree: Tree,
    scopes: Scopes,
    by_span: HashMap<Span, BindingId>,
    links: OnceLock<Links>,
    members: OnceLock<Members>,
}

/// What happens to the members of a file's variables.
struct Members {
    /// Assigned: the variable and the property path.
    written: Vec<(BindingId, Vec<Option<String>>)>,
    /// All of them and those that a call changes in place, with their place; `None` stands for the object of a method.
    changed: Vec<(Option<BindingId>, Vec<Option<String>>, Span)>,
    /// Variables that are given whole to a call or another variable, through which a member may be assigned.
    handed: BTreeSet<BindingId>,
}

impl Whole {
    pub(super) fn of(file: &RepoPath, source: &Arc<Source>) -> Whole {
        let tree = source.normal(&source.file_item());
        let scopes = source.language().rules().scopes(&tree);
        let bound = |node: NodeId| scopes.binding(node).map(|id| (tree.span(node), id));
        let by_span = tree.subtree(NodeId::ROOT).filter_map(bound).collect();
        let (links, members) = (OnceLock::new(), OnceLock::new());
        Whole { source: source.clone(), file: file.clone(), tree, scopes, by_span, links, members }
    }

    /// The variable of the file that the identifier at this place means; `None` for a global's name.
    pub(crate) fn variable(&self, span: Span) -> Option<BindingId> {
        self.by_span.get(&span).copied()
    }

    /// The variables that a name means at the file's top level.
    pub(crate) fn top_level<'w>(&'w self, name: &'w str) -> impl Iterator<Item = BindingId> + 'w {
        let is_top = move |id: &BindingId| {
            let declared = self.span(*id);
            let binding = self.scopes.get(*id);
            binding.name == name && self.source.enclosing(declared).is_none_or(|item| item.name == name)
        };
        (0..self.scopes.bindings.len() as u32).map(BindingId).filter(is_top)
    }

    /// Where a variable is declared.
    pub(crate) fn span(&self, id: BindingId) -> Span {
        self.tree.span(self.scopes.get(id).declared)
    }

    /// What the file's names stand for.
    pub(crate) fn links(&self) -> &Links {
        let read = || self.source.language().links(self.file.as_str(), self.source.text(), &|_| false);
        self.links.get_or_init(read)
    }

    /// What the file's links say of a variable.
    pub(crate) fn symbol(&self, id: BindingId) -> Option<&Symbol> {
        let span = self.span(id);
        self.links().symbols.iter().find(|symbol| symbol.span == span)
    }

    /// Whether the variable of this name in the item is what the item says, for good: nothing assigns it.
    pub(crate) fn is_settled_in(&self, item: Span, name: &str) -> bool {
        let inside = |&span: &Span| item.contains(span);
        let mut all = self
            .scopes
            .bindings
            .iter()
            .filter(|binding| binding.name == name && inside(&self.tree.span(binding.declared)));
        all.all(|binding| binding.writes.is_empty())
    }

    /// Whether a dotted name at the file's top level means the same for good: neither the variable nor the member is
    /// assigned anywhere in the file, and nothing is given the whole that could assign it.
    pub(crate) fn is_settled(&self, words: &[String]) -> bool {
        let Some((name, path)) = words.split_first() else { return false };
        let mut all = self.top_level(name);
        all.all(|id| self.scopes.get(id).writes.is_empty() && (path.is_empty() || self.keeps(id, path)))
    }

    /// Whether no assignment reaches the member.
    fn keeps(&self, id: BindingId, path: &[String]) -> bool {
        let members = self.members.get_or_init(|| self.members());
        let written = members.written.iter().any(|(other, target)| *other == id && reaches(target, path));
        !written && !members.handed.contains(&id)
    }

    /// Whether the methods of this name stay what they are: no member of the name is assigned in the file, no prototype is
    /// changed, and nothing assigns any member of `this` in the class.
    pub(crate) fn keeps_methods(&self, class: Option<Span>, name: &str) -> bool {
        let members = self.members.get_or_init(|| self.members());
        let is_prototype = |step: &Option<String>| step.as_deref() == Some("prototype");
        !members.changed.iter().any(|(id, path, span)| {
            let is_any = id.is_none() && path.first().is_none_or(Option::is_none);
            let is_here = class.is_none_or(|class| class.contains(*span));
            let is_named = path.last().is_some_and(|last| last.as_deref() == Some(name));
            is_named || path.iter().any(is_prototype) || is_any && is_here
        })
    }

    /// Where the file changes the variable that an item declares, or the member `path` of it.
    pub(crate) fn change_of(&self, item: Span, name: &str, path: &[String]) -> Option<Span> {
        let declares = |binding: &Binding| binding.name == name && item.contains(self.tree.span(binding.declared));
        let at = self.scopes.bindings.iter().position(declares)?;
        if let Some(&write) = self.scopes.bindings[at].writes.first() {
            return Some(self.tree.span(write));
        }
        let members = self.members.get_or_init(|| self.members());
        let changes = |(id, target, span): &&(Option<BindingId>, Vec<Option<String>>, Span)| match id {
            Some(id) => id.0 as usize == at && reaches(target, path),
            None => item.contains(*span) && !path.is_empty() && reaches(target, path),
        };
        members.changed.iter().find(changes).map(|(.., span)| *span)
    }

    fn members(&self) -> Members {
        let rules = self.source.language().rules();
        let rooted = |node: NodeId| {
            let access = rules.access(&self.tree, node)?;
            Some((self.scopes.binding(access.root)?, access.path))
        };
        let (mut written, mut given) = (Vec::new(), Vec::new());
        each(&rules.flow(&self.tree, NodeId::ROOT), &mut |flow| {
            if let Flow::Write { target, value, .. } = flow {
                written.push(*target);
                given.extend(*value);
            }
        });
        let in_place = self.tree.subtree(NodeId::ROOT).filter_map(|node| rules.changed_in_place(&self.tree, node));
        let members = written.iter().copied().filter(|&target| self.is_member(target));
        let changed = members.chain(in_place).filter_map(|target| self.change(target)).collect();
        let written = written.into_iter().filter_map(rooted).filter(|(_, path)| !path.is_empty()).collect();
        let calls = self.tree.subtree(NodeId::ROOT).filter_map(|node| rules.call(&self.tree, node));
        given.extend(calls.flat_map(|call| call.arguments));
        let whole = given.into_iter().filter_map(rooted).filter(|(_, path)| path.is_empty());
        let handed = whole.map(|(id, _)| id).collect();
        Members { written, changed, handed }
    }

    fn is_member(&self, target: NodeId) -> bool {
        let access = self.source.language().rules().access(&self.tree, target);
        access.is_some_and(|access| !access.path.is_empty())
    }

    /// What a changed member belongs to. A word of the language (`this`) is the object of a method.
    fn change(&self, target: NodeId) -> Option<(Option<BindingId>, Vec<Option<String>>, Span)> {
        let access = self.source.language().rules().access(&self.tree, target)?;
        let span = self.tree.span(target);
        match self.scopes.binding(access.root) {
            Some(id) => Some((Some(id), access.path, span)),
            None => self.tree.text(access.root).is_empty().then_some((None, access.path, span)),
        }
    }

    fn node_of(&self, item: Span) -> Option<NodeId> {
        self.tree.subtree(NodeId::ROOT).find(|&node| item.contains(self.tree.span(node)))
    }

    /// What may stand in the place of the constant that an item is: the place, and what it is.
    pub(crate) fn replacement_of(&self, item: Span) -> Option<(Span, &'static str)> {
        let rules = self.source.language().rules();
        let own = self.node_of(item)?;
        rules.replacement(&self.tree, own).map(|(node, what)| (self.tree.span(node), what))
    }

    /// Whether something can stand in the place of the item, or there is none.
    pub(crate) fn is_replaced(&self, item: Span) -> bool {
        self.node_of(item).is_none() || self.replacement_of(item).is_some()
    }
}

/// Whether an assignment to one path may change another: it lies on the way to it, or below it.
fn reaches(target: &[Option<String>], path: &[String]) -> bool {
    let same = |(one, other): (&Option<String>, &String)| one.as_ref().is_none_or(|one| one == other);
    target.iter().zip(path).all(same)
}

impl Program<'_> {
    /// A file's variables; `None` where it cannot be read.
    pub(crate) fn whole(&self, file: &RepoPath) -> Option<Arc<Whole>> {
        let source = self.source(file).ok()?;
        let cell = {
            let mut wholes = self.wholes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            wholes.entry(file.clone()).or_default().clone()
        };
        Some(cell.get_or_init(|| Arc::new(Whole::of(file, &source))).clone())
    }
}
