//! Files in the core: lowered whole, at most once, and shared; and what their imported names lead to.

use super::Program;
use crate::core::index::Index;
use factgate_ir::{BodyId, NodeId, VarId};
use factgate_record::RepoPath;
use factgate_syntax::links::{Base, Denotes, Links, Means};
use factgate_syntax::{Lowered, Scopes, Source, Span, Tree, language_for_path};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Files that imports lead to, the first ones beyond which no more are read.
const MOST: usize = 48;
/// Re-exports of re-exports beyond which nobody knows where a name leads.
const LONGEST: usize = 16;

/// What is kept by file, made by whoever asks first.
pub(super) type Shelf<T> = Mutex<HashMap<RepoPath, Arc<OnceLock<Option<Arc<T>>>>>>;

/// A file in the core.
pub(crate) struct CoreFile {
    pub(crate) tree: Arc<Tree>,
    pub(crate) scopes: Arc<Scopes>,
    pub(crate) lowered: Arc<Lowered>,
    pub(crate) index: Arc<Index>,
    /// The functions whose written return type is `never`.
    pub(crate) never: BTreeSet<NodeId>,
    /// The variables of the top level, by where they are declared.
    top: FxHashMap<Span, VarId>,
}

/// What a file says of names, without a look at any other.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) text: Arc<str>,
    pub(crate) links: Links,
}

/// Where a name of a file leads: to a name of another file's top level, or to all that a file exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Led {
    pub(crate) file: RepoPath,
    /// Where it is declared, and what is left of the path; none for the whole module.
    pub(crate) declared: Option<Span>,
    pub(crate) rest: Vec<String>,
}

impl CoreFile {
    fn of(source: &Arc<Source>) -> CoreFile {
        let tree = source.normal(&source.file_item());
        let rules = source.language().rules();
        let (scopes, lowered) = (rules.scopes(&tree), rules.lower(&tree));
        let index = Index::of(&lowered.unit);
        let unit = &lowered.unit;
        let is_top = |at: &usize| unit.vars[*at].owner == unit.top;
        let never = |&body: &BodyId| source.never_return().contains(&tree.span(unit.body(body).node));
        let never = unit.body_ids().filter(never).map(|body| unit.body(body).node).collect();
        let top = (0..unit.vars.len()).filter(is_top);
        let top = top.map(|at| (tree.span(unit.vars[at].node), VarId(at as u32))).collect();
        CoreFile {
            top,
            never,
            scopes: Arc::new(scopes),
            index: Arc::new(index),
            lowered: Arc::new(lowered),
            tree: Arc::new(tree),
        }
    }

    /// The function that stands here.
    pub(crate) fn function(&self, declared: Span) -> Option<BodyId> {
        let unit = &self.lowered.unit;
        unit.body_ids().find(|&body| body != unit.top && self.tree.span(unit.body(body).node) == declared)
    }

    /// The variable of the top level that is declared here.
    pub(crate) fn variable(&self, declared: Span) -> Option<VarId> {
        self.top.get(&declared).copied()
    }
}

impl Program<'_> {
    /// A file in the core; `None` where it cannot be read.
    pub(crate) fn core(&self, file: &RepoPath) -> Option<Arc<CoreFile>> {
        shelved(&self.cores, file, || self.source(file).ok().map(|source| CoreFile::of(&source)))
    }

    /// What a file says of names; `None` where it cannot be read.
    pub(crate) fn linked(&self, file: &RepoPath) -> Option<Arc<Linked>> {
        shelved(&self.linked, file, || {
            let language = language_for_path(file.as_str())?;
            let bytes = self.files().read(file).ok()??;
            let text = std::str::from_utf8(&bytes).ok()?;
            let text: Arc<str> = text.strip_prefix('\u{feff}').unwrap_or(text).into();
            let links = language.links(file.as_str(), &text, &|_| false);
            Some(Linked { text, links })
        })
    }

    /// The files that a file's imports lead to, nearest first, itself in front; and how many of them it names itself.
    pub(crate) fn in_sight(&self, file: &RepoPath) -> (Vec<RepoPath>, usize) {
        let mut files = vec![file.clone()];
        let mut seen: BTreeSet<RepoPath> = files.iter().cloned().collect();
        let (mut at, mut near) = (0, 1);
        while at < files.len() && files.len() < MOST {
            for specifier in self.specifiers(&files[at]) {
                let found = self.relative(&files[at], &specifier);
                files.extend(found.filter(|found| seen.insert(found.clone())));
            }
            at += 1;
            if at == 1 {
                near = files.len();
            }
        }
        files.truncate(MOST);
        (files, near.min(MOST))
    }

    /// What a file imports and re-exports, in the order of the links.
    fn specifiers(&self, file: &RepoPath) -> Vec<String> {
        let Some(linked) = self.linked(file) else { return Vec::new() };
        let links = &linked.links;
        let of = |what: &Denotes| if let Base::Module(from) = &what.base { Some(from.clone()) } else { None };
        let alias = |means: &Means| if let Means::Alias(what) = means { of(what) } else { None };
        let mut all: Vec<String> = links.symbols.iter().filter_map(|symbol| alias(&symbol.means)).collect();
        all.extend(links.exports.values().filter_map(of));
        all.extend(links.stars.iter().cloned());
        all
    }

    /// Where an imported name of a file leads.
    pub(crate) fn led(&self, file: &RepoPath, name: &str) -> Option<Led> {
        let linked = self.linked(file)?;
        let imported = |means: &Means| match means {
            Means::Alias(what) if matches!(what.base, Base::Module(_)) => Some(what.clone()),
            _ => None,
        };
        let mut named = linked.links.symbols.iter().filter(|symbol| symbol.name == name);
        let what = named.find_map(|symbol| imported(&symbol.means))?;
        self.denoted(file, &what, Vec::new(), LONGEST)
    }

    /// Whether a name of a file comes from another file of the view.
    pub(crate) fn imports(&self, file: &RepoPath, name: &str) -> bool {
        let Some(linked) = self.linked(file) else { return false };
        let mut named = linked.links.symbols.iter().filter(|symbol| symbol.name == name);
        named.any(|symbol| match &symbol.means {
            Means::Alias(Denotes { base: Base::Module(from), .. }) => self.relative(file, from).is_some(),
            _ => false,
        })
    }

    /// Where an exported name of a file leads.
    pub(crate) fn exported(&self, file: &RepoPath, name: &str) -> Option<Led> {
        self.leads(file, &[name.to_owned()], LONGEST)
    }

    fn denoted(&self, file: &RepoPath, what: &Denotes, rest: Vec<String>, steps: usize) -> Option<Led> {
        let steps = steps.checked_sub(1)?;
        let path: Vec<String> = what.path.iter().cloned().chain(rest).collect();
        match &what.base {
            Base::Module(specifier) => {
                let target = self.relative(file, specifier)?;
                self.leads(&target, &path, steps)
            }
            Base::Symbol(index) => {
                let linked = self.linked(file)?;
                let symbol = linked.links.symbols.get(*index)?;
                match &symbol.means {
                    Means::Alias(other) if matches!(other.base, Base::Module(_)) => {
                        self.denoted(file, other, path, steps)
                    }
                    _ => Some(Led { file: file.clone(), declared: Some(symbol.span), rest: path }),
                }
            }
            _ => None,
        }
    }

    fn leads(&self, file: &RepoPath, path: &[String], steps: usize) -> Option<Led> {
        let steps = steps.checked_sub(1)?;
        let Some((name, rest)) = path.split_first() else {
            return Some(Led { file: file.clone(), declared: None, rest: Vec::new() });
        };
        let linked = self.linked(file)?;
        if let Some(what) = linked.links.exports.get(name) {
            return self.denoted(file, what, rest.to_vec(), steps);
        }
        let star = |specifier: &String| self.leads(&self.relative(file, specifier)?, path, steps);
        linked.links.stars.iter().find_map(star)
    }

    /// The file of a relative import: as written, with another ending of the language, or an index file.
    pub(crate) fn relative(&self, file: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let endings = language_for_path(file.as_str())?.extensions;
        let relative = specifier.starts_with("./") || specifier.starts_with("../");
        if !relative && !endings.iter().any(|ending| specifier.ends_with(&format!(".{ending}"))) {
            return None;
        }
        let base = file.parent().join(specifier).ok()?;
        let with = |stem: &str| endings.iter().map(|ending| format!("{stem}.{ending}")).collect::<Vec<_>>();
        let mut tried = vec![base.as_str().to_owned()];
        tried.extend(with(base.as_str()));
        if let Some((stem, "js" | "jsx" | "mjs" | "cjs")) = base.as_str().rsplit_once('.') {
            tried.extend(with(stem));
        }
        tried.extend(with(&format!("{base}/index")));
        let is_there = |path: &RepoPath| language_for_path(path.as_str()).is_some() && self.linked(path).is_some();
        tried.into_iter().map(RepoPath::from_git).find(is_there)
    }
}

fn shelved<T>(shelf: &Shelf<T>, file: &RepoPath, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
    let cell = {
        let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.entry(file.clone()).or_default().clone()
    };
    cell.get_or_init(|| make().map(Arc::new)).clone()
}
