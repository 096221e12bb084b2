//! A whole file's variables: what a name means where it stands, and whether the thing that it means stays what it is.
//! A scope's own tree knows only what it declares itself.

use super::Program;
use crate::core::{Change, changes};
use factgate_record::RepoPath;
use factgate_syntax::links::{Links, Symbol};
use factgate_syntax::scope::Binding;
use factgate_syntax::{BindingId, NodeId, Scopes, Source, Span, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::sync::{Arc, OnceLock};

/// A file's variables.
pub(crate) struct Whole {
    source: Arc<Source>,
    file: RepoPath,
    tree: Tree,
    scopes: Scopes,
    by_span: HashMap<Span, BindingId>,
    links: OnceLock<Links>,
    changes: OnceLock<Vec<Change>>,
}

impl Whole {
    pub(super) fn of(file: &RepoPath, source: &Arc<Source>) -> Whole {
        let tree = source.normal(&source.file_item());
        let scopes = source.language().rules().scopes(&tree);
        let bound = |node: NodeId| scopes.binding(node).map(|id| (tree.span(node), id));
        let by_span = tree.subtree(NodeId::ROOT).filter_map(bound).collect();
        let (links, changes) = (OnceLock::new(), OnceLock::new());
        Whole { source: source.clone(), file: file.clone(), tree, scopes, by_span, links, changes }
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

    /// Where the file changes the variable that an item declares, or the member `path` of it.
    pub(crate) fn change_of(&self, program: &Program<'_>, item: Span, name: &str, path: &[String]) -> Option<Span> {
        let declares = |binding: &&Binding| binding.name == name && item.contains(self.tree.span(binding.declared));
        let declared = self.scopes.bindings.iter().find(declares);
        if let Some(&write) = declared.and_then(|binding| binding.writes.first()) {
            return Some(self.tree.span(write));
        }
        let all = self.changes.get_or_init(|| changes(program, &self.file));
        let is_it = |change: &&Change| {
            let is_whole = path.is_empty() || !change.is_part;
            item.contains(change.of) && is_whole && reaches(&change.way, path)
        };
        all.iter().find(is_it).map(|change| change.at)
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
