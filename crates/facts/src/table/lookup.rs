//! What a name in a constant means: an item of the same file, or of one that it is imported from by a relative path.

use crate::program::{Program, Scope, Whole};
use factgate_record::RepoPath;
use factgate_syntax::links::{Base, Denotes, Links, Means};
use factgate_syntax::source::Selection;
use factgate_syntax::{Item, ItemKind, NodeId, Source};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An item of some file that a name means.
pub(crate) struct Found {
    pub(crate) scope: Scope,
    pub(crate) kind: ItemKind,
    /// What is left of the dotted name inside the item.
    pub(crate) rest: Vec<String>,
    /// The names on the way to the item, with their files.
    pub(crate) names: BTreeSet<(RepoPath, Vec<String>)>,
}

/// A name's words: `LIMITS.grace` has two. None for what is no plain name.
pub(super) fn dotted(scope: &Scope, name: NodeId) -> Vec<String> {
    match scope.source.language().rules().access(&scope.tree, name) {
        Some(access) if access.path.iter().all(Option::is_some) => {
            let root = scope.tree.text(access.root).to_owned();
            std::iter::once(root).chain(access.path.into_iter().flatten()).collect()
        }
        Some(_) => Vec::new(),
        None => vec![scope.tree.text(name).to_owned()],
    }
}

/// The item that a name means.
pub(crate) fn find(program: &Program<'_>, scope: &Scope, name: NodeId) -> Option<Found> {
    let words = dotted(scope, name);
    if is_hidden(program, scope, words.first()?) {
        return None;
    }
    let mut search = Search { program, seen: BTreeSet::new() };
    let mut found = search.named(&scope.file, &scope.source, words)?;
    found.names = search.seen;
    Some(found)
}

/// Whether a scope inside a function may see another thing of this name than the file's top level does.
fn is_hidden(program: &Program<'_>, scope: &Scope, name: &str) -> bool {
    let nested = scope.name.split_once('#').is_some_and(|(_, item)| item.contains('.'));
    let symbols = |whole: Arc<Whole>| whole.links().symbols.iter().filter(|symbol| symbol.name == name).count();
    nested && program.whole(&scope.file).is_none_or(|whole| symbols(whole) > 1)
}

struct Search<'p, 'f> {
    program: &'p Program<'f>,
    /// The names that were looked for, so that imports in a ring end.
    seen: BTreeSet<(RepoPath, Vec<String>)>,
}

impl Search<'_, '_> {
    /// A name as the code of a file says it.
    fn named(&mut self, file: &RepoPath, source: &Arc<Source>, words: Vec<String>) -> Option<Found> {
        if words.is_empty() || !self.seen.insert((file.clone(), words.clone())) {
            return None;
        }
        let whole = self.program.whole(file)?;
        let links = whole.links();
        // Only what stands at the file's top level, or is itself the item, is what the name means outside functions.
        let is_top = |span| source.enclosing(span).is_none_or(|item| item.name == words[0]);
        let top = links.symbols.iter().find(|symbol| symbol.name == words[0] && is_top(symbol.span));
        if let Some(Means::Alias(denotes)) = top.map(|symbol| &symbol.means) {
            return self.denoted(file, source, links, denotes, &words[1..]);
        }
        self.own(file, source, &words).or_else(|| self.exported(file, source, links, &words))
    }

    /// An item of the file, by the longest part of the name that is one.
    fn own(&self, file: &RepoPath, source: &Arc<Source>, words: &[String]) -> Option<Found> {
        let item = |length: &usize| match source.select(&words[..*length].join(".")) {
            Selection::One(item) => Some((item.clone(), words[*length..].to_vec())),
            _ => None,
        };
        let lengths: Vec<usize> = (1..=words.len()).rev().collect();
        let (item, rest): (Item, Vec<String>) = lengths.iter().find_map(item)?;
        let scope = self.program.scope_of(file, source, &item).ok()?;
        Some(Found { scope, kind: item.kind, rest, names: BTreeSet::new() })
    }

    /// A name that the file only hands on.
    fn exported(&mut self, file: &RepoPath, source: &Arc<Source>, links: &Links, words: &[String]) -> Option<Found> {
        if let Some(denotes) = links.exports.get(&words[0]) {
            return self.denoted(file, source, links, denotes, &words[1..]);
        }
        let behind = |search: &mut Self, star: &String| search.module(file, star, words.to_vec());
        links.stars.iter().find_map(|star| behind(self, star))
    }

    fn denoted(
        &mut self,
        file: &RepoPath,
        source: &Arc<Source>,
        links: &Links,
        denotes: &Denotes,
        rest: &[String],
    ) -> Option<Found> {
        let with = |path: &[String]| path.iter().chain(rest).cloned().collect::<Vec<_>>();
        match &denotes.base {
            Base::Module(specifier) => self.module(file, specifier, with(&denotes.path)),
            Base::Symbol(index) => {
                let mut words = vec![links.symbols.get(*index)?.name.clone()];
                words.extend(with(&denotes.path));
                self.named(file, source, words)
            }
            _ => None,
        }
    }

    fn module(&mut self, file: &RepoPath, specifier: &str, words: Vec<String>) -> Option<Found> {
        let target = self.program.relative(file, specifier)?;
        let source = self.program.source(&target).ok()?;
        self.named(&target, &source, words)
    }
}
