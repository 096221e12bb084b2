//! Functions of the model's own files that an item calls by name: what a split-off helper is, as long as nothing covers it.

use crate::program::{Program, Scope};
use factgate_record::{Place, RepoPath};
use factgate_syntax::{Item, ItemKind, NodeId, Span};

/// A call of a function in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    /// The word that calls it.
    pub word: String,
    /// Where the function stands.
    pub file: RepoPath,
    /// Its name there.
    pub item: String,
    /// Its place there.
    pub span: Span,
    /// Where it is called.
    pub at: Place,
}

/// The functions of `files` that a scope calls, in source order. Only what the name says where it stands: a function around
/// it or of its file, a method of its own object, and what its file imports from one of the others.
pub fn callees(program: &Program<'_>, scope: &Scope, files: &[RepoPath]) -> Vec<Callee> {
    let around = around(scope);
    let kinds = scope.source.language().rules().kinds();
    let tree = &scope.tree;
    let found = tree.subtree(NodeId::ROOT).filter_map(|call| {
        let (word, of) = named(scope, kinds.callee(tree, call)?)?;
        let (file, item, span) = match of {
            Of::Own => own(scope, &around, word)?,
            Of::Name => inside(scope, &around, word).or_else(|| imported(program, scope, word, word, files))?,
            Of::Space(space) => imported(program, scope, space, word, files)?,
        };
        Some(Callee { word: word.to_owned(), file, item, span, at: scope.place(call) })
    });
    found.collect()
}

/// A function's file, its name there and its place.
type Found = (RepoPath, String, Span);

/// Whose name a callee is.
enum Of<'t> {
    /// A variable's.
    Name,
    /// A member's, of the object that the code belongs to.
    Own,
    /// A member's, of what this name from outside means.
    Space(&'t str),
}

fn named(scope: &Scope, callee: NodeId) -> Option<(&str, Of<'_>)> {
    let (tree, rules) = (&scope.tree, scope.source.language().rules());
    let is_name = |node: NodeId| rules.kinds().names.contains(&tree.kind(node));
    if tree.is_leaf(callee) {
        let is_free = is_name(callee) && scope.scopes.binding(callee).is_none();
        return is_free.then(|| (tree.text(callee), Of::Name));
    }
    let parts: Vec<NodeId> = tree.children(callee).collect();
    let (&object, &member) = (parts.first()?, parts.last()?);
    if !tree.is_leaf(object) || !is_name(member) {
        return None;
    }
    let is_own = rules.receiver_of(tree, object).is_some() || rules.own_object(tree, &scope.scopes, object).is_some();
    let is_free = is_name(object) && scope.scopes.binding(object).is_none();
    match (is_own, is_free) {
        (true, _) => Some((tree.text(member), Of::Own)),
        (_, true) => Some((tree.text(member), Of::Space(tree.text(object)))),
        _ => None,
    }
}

/// The items around a scope, the innermost first.
pub(crate) fn around(scope: &Scope) -> Vec<&Item> {
    let mut around: Vec<&Item> =
        scope.source.items().iter().filter(|item| item.span.contains(scope.span) && item.span != scope.span).collect();
    around.sort_by_key(|item| std::cmp::Reverse(item.span.start));
    around
}

/// The function of this name in the file; the scope itself is none that it calls.
pub(crate) fn function(scope: &Scope, name: &str) -> Option<Found> {
    let is_it =
        |item: &&Item| item.kind == ItemKind::Function && item.is_called(name) && !scope.span.contains(item.span);
    scope.source.items().iter().find(is_it).map(|item| (scope.file.clone(), item.name.clone(), item.span))
}

/// A method beside the scope.
fn own(scope: &Scope, around: &[&Item], word: &str) -> Option<Found> {
    let holder = around.iter().find(|item| item.kind == ItemKind::Container).map(|item| item.name.as_str());
    // `Gate.prototype.open = function () {}` stands in nothing.
    let selected = scope.name.split_once('#').map_or("", |(_, name)| name);
    let beside = selected.rsplit_once('.').map(|(holder, _)| holder);
    function(scope, &format!("{}.{word}", holder.or(beside)?))
}

/// A function around the scope, or of its file.
pub(crate) fn inside(scope: &Scope, around: &[&Item], word: &str) -> Option<Found> {
    let sees_members = scope.source.language().rules().kinds().sees_members;
    let seen = around.iter().filter(|item| sees_members || item.kind != ItemKind::Container);
    let names = seen.map(|item| format!("{}.{word}", item.name)).chain([word.to_owned()]);
    names.into_iter().find_map(|name| function(scope, &name))
}

/// A function that the file imports: `name` is a variable of the file that is no function of it, and just one of the other
/// files, which the text names, has the function.
fn imported(program: &Program<'_>, scope: &Scope, name: &str, word: &str, files: &[RepoPath]) -> Option<Found> {
    let whole = program.whole(&scope.file)?;
    whole.top_level(name).next()?;
    let mut found = files.iter().filter(|file| **file != scope.file).filter_map(|file| {
        let stem = file.as_str().rsplit('/').next()?.split('.').next()?;
        let source = program.source(file).ok().filter(|_| scope.source.text().contains(stem))?;
        let item = source.items().iter().find(|item| item.kind == ItemKind::Function && item.is_called(word))?;
        Some((file.clone(), item.name.clone(), item.span))
    });
    let first = found.next();
    first.filter(|_| found.next().is_none())
}
