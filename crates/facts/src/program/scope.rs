//! What a selector names: an item with its normal form.

use super::Program;
use super::error::{Candidate, Conflict, ScopeError};
use crate::pattern::{Env, Pattern, PatternText};
use factgate_record::{Evidence, Place, RepoPath, Role};
use factgate_syntax::selector::Target;
use factgate_syntax::source::Selection;
use factgate_syntax::{Item, ItemKind, NodeId, Problem, ProblemKind, Scopes, Selector, Source, Span, Tree};
use std::sync::Arc;

/// An item that was found, with its normal form.
#[derive(Clone)]
pub struct Scope {
    /// The selector that names it, as text.
    pub name: String,
    /// Its file, from the repository's root.
    pub file: RepoPath,
    /// The file's source.
    pub source: Arc<Source>,
    /// Its normal form.
    pub tree: Arc<Tree>,
    /// The variables of its normal form.
    pub scopes: Arc<Scopes>,
    /// Where it stands in the file.
    pub span: Span,
}

/// The longest text of a piece of evidence, in characters.
const SHOWN: usize = 120;

impl Scope {
    fn of(name: String, file: RepoPath, source: Arc<Source>, tree: Tree, span: Span) -> Scope {
        let scopes = Arc::new(source.language().rules().scopes(&tree));
        Scope { name, file, source, tree: Arc::new(tree), scopes, span }
    }

    /// Another item of the same file.
    pub(crate) fn of_item(&self, item: &Item) -> Scope {
        let path = self.name.split_once('#').map_or(self.name.as_str(), |(path, _)| path);
        let (name, source) = (format!("{path}#{}", item.name), self.source.clone());
        let tree = source.normal(item);
        Scope::of(name, self.file.clone(), source, tree, item.span)
    }

    /// The place of a node.
    pub fn place(&self, node: NodeId) -> Place {
        self.place_at(self.tree.span(node).start)
    }

    /// The place of a byte offset in the file.
    pub fn place_at(&self, offset: u32) -> Place {
        let at = self.source.position(offset);
        Place { file: self.file.clone(), line: at.line, column: at.column }
    }

    /// A node as evidence.
    pub fn evidence(&self, role: Role, node: NodeId) -> Evidence {
        self.evidence_at(role, self.tree.span(node))
    }

    /// A byte range of the file as evidence.
    pub fn evidence_at(&self, role: Role, span: Span) -> Evidence {
        let end = self.source.position(span.end);
        let whole = self.source.text().get(span.range()).unwrap_or("");
        let line = whole.lines().next().unwrap_or("").trim_end();
        let mut text: String = line.chars().take(SHOWN).collect();
        if text.len() < line.len() {
            text.push('…');
        }
        Evidence { role, place: self.place_at(span.start), end_line: end.line, end_column: end.column, text }
    }
}

impl Program<'_> {
    /// The file that a selector names.
    pub fn file_of(&self, selector: &Selector) -> Result<RepoPath, ScopeError> {
        self.root().join(&selector.path).map_err(|error| ScopeError::Outside(error.0))
    }

    /// What a selector names.
    pub fn scope(&self, selector: &Selector) -> Result<Scope, ScopeError> {
        let file = self.file_of(selector)?;
        let source = self.source(&file).map_err(ScopeError::Load)?;
        // An item whose name holds a slash reads like a handler.
        let name = selector.name().filter(|name| !matches!(source.select(name), Selection::None(_)));
        if let Some(name) = name {
            let item = self.item(&file, &source, &name)?;
            return self.item_scope(selector, &file, &source, item);
        }
        match &selector.target {
            Target::File => self.item_scope(selector, &file, &source, &source.file_item()),
            Target::Name(name) => {
                let item = self.item(&file, &source, name)?;
                self.item_scope(selector, &file, &source, item)
            }
            Target::Handler { scope, pattern } if scope.is_empty() => {
                let whole = self.item_scope(selector, &file, &source, &source.file_item())?;
                self.handler(selector, whole, pattern)
            }
            Target::Handler { scope, pattern } => {
                let item = self.item(&file, &source, scope)?;
                let around = self.item_scope(selector, &file, &source, item)?;
                self.handler(selector, around, pattern)
            }
        }
    }

    /// What a selector names, types and namespaces aside: they may share a function's name, and it alone is called.
    pub fn callable(&self, selector: &Selector) -> Result<Scope, ScopeError> {
        let file = self.file_of(selector)?;
        let source = self.source(&file).map_err(ScopeError::Load)?;
        let Target::Name(name) = &selector.target else { return self.scope(selector) };
        let called = source.items().iter().filter(|item| item.is_called(name) && item.kind != ItemKind::Type);
        // A namespace of a function's or class's name is more of the same thing.
        let (spaces, values): (Vec<&Item>, Vec<&Item>) = called.partition(|item| item.kind == ItemKind::Namespace);
        match (&values[..], &spaces[..]) {
            ([only], _) | ([], [only]) => self.item_scope(selector, &file, &source, only),
            _ => self.scope(selector),
        }
    }

    /// The scope of an item that is at hand.
    pub fn scope_of(&self, file: &RepoPath, source: &Arc<Source>, item: &Item) -> Result<Scope, ScopeError> {
        let seen_from_root = file.below(self.root()).unwrap_or(file.as_str());
        let target = if item.name.is_empty() { Target::File } else { Target::Name(item.name.clone()) };
        self.item_scope(&Selector { path: seen_from_root.to_owned(), target }, file, source, item)
    }

    fn item<'s>(&self, file: &RepoPath, source: &'s Source, name: &str) -> Result<&'s Item, ScopeError> {
        let conflicted = |problems: Vec<&Problem>| -> Result<(), ScopeError> {
            let path = file.below(self.root()).unwrap_or(file.as_str());
            if is_conflict(&problems) {
                Err(self.broken(format!("{path}#{name}"), file, source, problems))
            } else {
                Ok(())
            }
        };
        match source.select(name) {
            Selection::One(item) => Ok(item),
            Selection::None(nearest) => {
                conflicted(source.problems().iter().collect())?;
                Err(ScopeError::NoItem {
                    file: file.clone(),
                    name: name.to_owned(),
                    nearest,
                    problems: self.places(file, source, source.problems().iter()),
                })
            }
            // Both sides of a merge conflict may define it.
            Selection::Many(items) => {
                items.iter().try_for_each(|item| conflicted(source.problems_in(item)))?;
                let candidate = |item: &&Item| Candidate {
                    name: item.name.clone(),
                    place: self.place(file, source, item.span.start),
                };
                let candidates = items.iter().map(candidate).collect();
                Err(ScopeError::Ambiguous { file: file.clone(), name: name.to_owned(), candidates })
            }
        }
    }

    fn broken(&self, item: String, file: &RepoPath, source: &Source, mut problems: Vec<&Problem>) -> ScopeError {
        problems.sort_by_key(|problem| problem.kind != ProblemKind::Conflict);
        let conflict = if is_conflict(&problems) { Conflict::Yes } else { Conflict::No };
        ScopeError::Broken { item, problems: self.places(file, source, problems.into_iter()), conflict }
    }

    fn item_scope(
        &self,
        selector: &Selector,
        file: &RepoPath,
        source: &Arc<Source>,
        item: &Item,
    ) -> Result<Scope, ScopeError> {
        let problems = source.problems_in(item);
        if problems.is_empty() {
            let tree = source.normal(item);
            return Ok(Scope::of(selector.to_string(), file.clone(), source.clone(), tree, item.span));
        }
        Err(self.broken(selector.to_string(), file, source, problems))
    }

    /// The one node of a scope that a pattern matches, as a scope of its own.
    fn handler(&self, selector: &Selector, around: Scope, pattern: &str) -> Result<Scope, ScopeError> {
        let whole = selector.to_string();
        let start = whole.len() - pattern.len();
        let text = PatternText::Code(pattern.to_owned());
        let pattern = Pattern::parse(around.source.language(), &text).map_err(|error| ScopeError::Pattern {
            selector: whole.clone(),
            start,
            error,
        })?;
        let mut nodes: Vec<NodeId> =
            pattern.find_all(&around.tree, NodeId::ROOT, &Env::new()).into_iter().map(|found| found.node).collect();
        nodes.dedup();
        let name = whole.split_once('#').map_or("", |(_, name)| name).to_owned();
        match nodes[..] {
            [node] => {
                let (tree, span) = (around.tree.extract(node), around.tree.span(node));
                Ok(Scope::of(whole, around.file, around.source, tree, span))
            }
            [] => {
                let near = pattern.near(&around.tree, NodeId::ROOT, 3);
                let nearest = near.iter().map(|near| around.tree.render(near.node)).map(shorten).collect();
                Err(ScopeError::NoItem { file: around.file, name, nearest, problems: Vec::new() })
            }
            _ => {
                let candidate =
                    |&node: &NodeId| Candidate { name: shorten(around.tree.render(node)), place: around.place(node) };
                let candidates = nodes.iter().map(candidate).collect();
                Err(ScopeError::Ambiguous { file: around.file, name, candidates })
            }
        }
    }

    fn places<'p>(
        &self,
        file: &RepoPath,
        source: &Source,
        problems: impl Iterator<Item = &'p Problem>,
    ) -> Vec<(Place, String)> {
        problems.map(|problem| (self.place(file, source, problem.span.start), problem.message.clone())).collect()
    }
}

fn is_conflict(problems: &[&Problem]) -> bool {
    problems.iter().any(|problem| problem.kind == ProblemKind::Conflict)
}

fn shorten(text: String) -> String {
    match text.char_indices().nth(SHOWN / 2) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
