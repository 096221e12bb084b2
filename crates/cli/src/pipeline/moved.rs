//! Where that stands now which selectors no longer find: items, watched definitions and scopes of facts that the record
//! knows, and the files of recorded call sites.
//!
//! A selector is followed to the same fingerprint, in a file that the model names or that is new, and to the same name in
//! the file that its own has become: git's rename since the sync commit, or the file with most of its recorded items.

use crate::config::{AnyFact, Model, WatchedBy};
use crate::pipeline::session::Session;
use crate::pipeline::view_files::ViewFiles;
use crate::pipeline::{covered, facts, hashes, recorded};
use factgate_facts::ignore::Ignore;
use factgate_facts::program::{Program, Scope, ScopeError};
use factgate_record::{CallRecord, Elsewhere, ItemRecord, Place, Record, RepoPath, inside};
use factgate_syntax::selector::Target;
use factgate_syntax::source::Selection;
use factgate_syntax::{Selector, language_for_path};
use factgate_vcs::{Renames, ViewKind};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What moved, by the names that the model has for it.
#[derive(Debug, Default)]
pub struct Moves {
    /// Selectors, with where each stands.
    pub items: BTreeMap<String, Elsewhere>,
    /// Files that are gone, with what they have become.
    pub files: BTreeMap<String, Elsewhere>,
    /// Selectors of which nothing is left but, perhaps, the name somewhere.
    names: BTreeMap<String, Option<Elsewhere>>,
    /// Selectors that named nothing at the sync commit either: somebody misspelt them since.
    strange: BTreeSet<String>,
}

impl Moves {
    /// Follows what the record knows and the code lacks. Nothing is looked for while nothing is missing.
    pub fn find(session: &Session, model: &Model, program: &Program<'_>, recorded: Option<&Record>) -> Moves {
        let Some(recorded) = recorded else { return Moves::default() };
        let lost = lost(model, program, recorded);
        let watches_nothing = model.calls.values().any(|watched| watched.within.is_empty());
        if lost.is_empty() && !watches_nothing && !lacks_a_file(program, recorded) {
            return Moves::default();
        }
        let base = recorded::info(session, model).ok().and_then(|info| recorded::commit(&info));
        let base = base.or_else(|| session.repository.head().ok().flatten());
        let limit = model.limits.bytes as u64;
        let endings: BTreeSet<&str> = lost.values().map(|selector| ending(&selector.path)).collect();
        let counts = |path: &str| language_for_path(path).is_some() || endings.contains(ending(path));
        let renames = base.and_then(|base| session.repository.renames(base, session.files.view(), limit, &counts).ok());
        let past = base.and_then(|base| session.repository.view(&ViewKind::Commit(base.to_string()), limit).ok());
        let past = past.map(ViewFiles::new);
        let past = past.as_ref().map(|files| Program::new(files, model.root.clone(), model.limits));
        let search = Search::new(model, program, past.as_ref(), recorded, &lost, renames.unwrap_or_default());
        search.follow(lost)
    }

    /// Where a selector stands now, if elsewhere.
    pub fn follow(&self, selector: &Selector) -> Selector {
        let to = self.items.get(&selector.to_string()).and_then(|to| Selector::parse(&to.item).ok());
        to.unwrap_or_else(|| selector.clone())
    }

    /// Whether a selector names something that was there when the record was made, as far as is known.
    pub fn was_there(&self, selector: &str) -> bool {
        !self.strange.contains(selector)
    }

    /// Where the name of a selector that is gone stands now.
    pub fn name(&self, selector: &str) -> Option<Elsewhere> {
        self.names.get(selector).cloned().flatten()
    }
}

/// The selectors that the record knows and the code certainly lacks.
fn lost(model: &Model, program: &Program<'_>, recorded: &Record) -> BTreeMap<String, Selector> {
    let covered = model.cover.iter().filter(|covered| recorded.items.contains_key(&covered.text));
    let mut known: BTreeMap<String, Selector> =
        covered.map(|covered| (covered.text.clone(), covered.selector.clone())).collect();
    for watched in model.calls.iter().filter(|(key, _)| recorded.calls.contains_key(*key)).map(|(_, watched)| watched) {
        if let WatchedBy::Definition(of) = &watched.by {
            known.insert(of.text.clone(), of.selector.clone());
        }
    }
    for fact in model.facts.iter().filter(|(name, _)| recorded.facts.contains_key(*name)).map(|(_, fact)| fact) {
        let parsed =
            scopes(&fact.table).into_iter().filter_map(|scope| Some((scope.to_owned(), Selector::parse(scope).ok()?)));
        known.extend(parsed);
    }
    known.into_par_iter().filter(|(_, selector)| is_missing(program, selector)).collect()
}

/// The selectors that a fact names.
pub fn scopes(fact: &AnyFact) -> Vec<&str> {
    facts::selectors(fact).into_iter().map(|scope| scope.value.as_str()).collect()
}

/// A name that is found is not looked at any further: what it names may be large.
fn is_missing(program: &Program<'_>, selector: &Selector) -> bool {
    let source = program.file_of(selector).ok().and_then(|file| program.source(&file).ok());
    let is_there =
        |name: &String| source.as_ref().is_some_and(|source| !matches!(source.select(name), Selection::None(_)));
    !selector.name().as_ref().is_some_and(is_there)
        && covered::read(program, selector).err().as_ref().is_some_and(ScopeError::is_missing)
}

/// Whether a file with a recorded call site is gone.
fn lacks_a_file(program: &Program<'_>, recorded: &Record) -> bool {
    let listed = program.files().list().unwrap_or_default();
    let sites = recorded.calls.values().flat_map(CallRecord::sites);
    let paths: BTreeSet<String> = sites.filter_map(|site| Some(Selector::parse(site).ok()?.path)).collect();
    let is_gone = |path: &String| program.root().join(path).is_ok_and(|file| listed.binary_search(&file).is_err());
    paths.iter().any(is_gone)
}

/// What a search has at hand.
struct Search<'a> {
    model: &'a Model,
    program: &'a Program<'a>,
    /// The sources at the sync commit.
    past: Option<&'a Program<'a>>,
    recorded: &'a Record,
    /// What did not count when the record was made.
    ignore: Ignore,
    /// What files have become: gone ones, and ones that lost most of their items.
    files: BTreeMap<String, String>,
    /// The files that may hold what is looked for.
    candidates: Vec<RepoPath>,
}

/// An item that may be the one that is looked for.
struct Found {
    to: Elsewhere,
    /// Whether it has the recorded fingerprint.
    same: bool,
}

impl<'a> Search<'a> {
    fn new(
        model: &'a Model,
        program: &'a Program<'a>,
        past: Option<&'a Program<'a>>,
        recorded: &'a Record,
        lost: &BTreeMap<String, Selector>,
        renames: Renames,
    ) -> Search<'a> {
        let mut candidates = named(model);
        candidates.extend(renames.added.into_iter().map(RepoPath::from_git));
        let below = |path: String| Some(RepoPath::from_git(path).below(program.root())?.to_owned());
        let files = renames.pairs.into_iter().filter_map(|(old, new)| Some((below(old)?, below(new)?))).collect();
        let candidates = candidates.into_iter().collect();
        let ignore = hashes::ignored(model, Some(recorded));
        let mut search = Search { model, program, past, recorded, ignore, files, candidates };
        let paths: BTreeSet<&str> = lost.values().map(|selector| selector.path.as_str()).collect();
        for path in paths {
            if !search.files.contains_key(path)
                && let Some(to) = search.heir(path)
            {
                search.files.insert(path.to_owned(), to);
            }
        }
        search
    }

    fn follow(&self, lost: BTreeMap<String, Selector>) -> Moves {
        let mut moves = Moves::default();
        let mut taken = BTreeSet::new();
        for (text, selector) in lost {
            let was = self.past.map(|past| past.scope(&selector));
            let never = was.is_some_and(|was| was.err().as_ref().is_some_and(ScopeError::is_missing));
            if never && !self.recorded.items.contains_key(&text) {
                moves.strange.insert(text);
                continue;
            }
            let around =
                moves.items.iter().rev().find_map(|(old, to)| Some(format!("{}{}", to.item, inside(&text, old)?)));
            let (to, name) = self.place(&text, &selector, around, &taken);
            match to {
                Some(to) => {
                    taken.insert(to.item.clone());
                    moves.items.insert(text, to);
                }
                None => drop(moves.names.insert(text, name)),
            }
        }
        let listed = self.program.files().list().unwrap_or_default();
        let is_gone = |path: &str| listed.binary_search(&self.model.source(path)).is_err();
        for (old, new) in self.files.iter().filter(|(old, _)| is_gone(old)) {
            let at = Place { file: self.model.source(new), line: 1, column: 1 };
            moves.files.insert(old.clone(), Elsewhere { item: new.clone(), at });
        }
        moves
    }

    /// Where a selector stands now; else where its name does.
    fn place(
        &self,
        text: &str,
        selector: &Selector,
        around: Option<String>,
        taken: &BTreeSet<String>,
    ) -> (Option<Elsewhere>, Option<Elsewhere>) {
        let known = self.fingerprint(text, selector);
        let is_free = |item: &str| item != text && !taken.contains(item) && !self.recorded.items.contains_key(item);
        let renamed = self.files.get(&selector.path).map(|path| Selector { path: path.clone(), ..selector.clone() });
        let inner = around.and_then(|around| Selector::parse(&around).ok());
        let free = renamed.into_iter().chain(inner).filter(|to| is_free(&to.to_string()));
        let direct = free.into_iter().find_map(|to| self.at(&to, known.as_deref()));
        if direct.as_ref().is_some_and(|direct| direct.same) {
            return (direct.map(|direct| direct.to), None);
        }
        let mut others = self.others(selector, known.as_deref());
        others.retain(|other| is_free(&other.to.item));
        let whole = |other: &&Found| Selector::parse(&other.to.item).is_ok_and(|to| to.target == selector.target);
        let same: Vec<&Found> = others.iter().filter(|other| other.same).collect();
        let found = same.iter().copied().find(whole).or(same.first().copied()).or(direct.as_ref());
        match found {
            Some(found) => (Some(found.to.clone()), None),
            None => (None, others.iter().find(whole).or(others.first()).map(|other| other.to.clone())),
        }
    }

    /// The recorded fingerprint, or that of the source which was confirmed.
    fn fingerprint(&self, text: &str, selector: &Selector) -> Option<String> {
        let recorded = self.recorded.items.get(text).map(|item| item.fingerprint.clone());
        recorded.or_else(|| Some(hashes::fingerprint(&self.past?.scope(selector).ok()?, &self.ignore)))
    }

    /// What stands at a selector, readable or not.
    fn at(&self, selector: &Selector, known: Option<&str>) -> Option<Found> {
        match covered::read(self.program, selector) {
            Ok(read) => {
                let to = Elsewhere { item: selector.to_string(), at: read.at() };
                Some(Found { to, same: known.is_some_and(|known| read.record(&self.ignore).fingerprint == known) })
            }
            Err(error) if error.is_missing() => None,
            Err(error) => {
                let whole = Place { file: self.model.source(&selector.path), line: 1, column: 1 };
                let at = error.place().cloned().unwrap_or(whole);
                Some(Found { to: Elsewhere { item: selector.to_string(), at }, same: false })
            }
        }
    }

    /// Everything of the same last name in the files that may hold it; a handler is found by its pattern.
    fn others(&self, gone: &Selector, known: Option<&str>) -> Vec<Found> {
        self.candidates
            .par_iter()
            .flat_map_iter(|file| self.scopes(file, gone))
            .map(|scope| self.found(scope, known))
            .collect()
    }

    fn scopes(&self, file: &RepoPath, gone: &Selector) -> Vec<Scope> {
        let Some(below) = file.below(self.program.root()) else { return Vec::new() };
        match &gone.target {
            Target::File => Vec::new(),
            Target::Handler { .. } => {
                let there = Selector { path: below.to_owned(), target: gone.target.clone() };
                self.program.scope(&there).into_iter().collect()
            }
            Target::Name(name) => {
                let last = last(name);
                // Most files do not even say the word.
                let bytes = self.program.files().read(file).ok().flatten();
                let says = bytes.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(last.trim_matches('"')));
                let Some(source) = says.then(|| self.program.source(file).ok()).flatten() else { return Vec::new() };
                let named = source.items().iter().filter(|item| self::last(&item.name) == last);
                named.filter_map(|item| self.program.scope_of(file, &source, item).ok()).collect()
            }
        }
    }

    /// The file that holds more than half of another's recorded items as they were recorded.
    fn heir(&self, path: &str) -> Option<String> {
        let of_file = |(name, item): (&'a String, &'a ItemRecord)| {
            let selector = Selector::parse(name).ok()?;
            (selector.path == path && selector.target != Target::File).then_some((selector, item))
        };
        let items: Vec<_> = self.recorded.items.iter().filter_map(of_file).collect();
        let heirs = self.candidates.par_iter().filter_map(|file| {
            let below = file.below(self.program.root()).filter(|below| *below != path)?;
            let stands = |(selector, item): &&(Selector, &ItemRecord)| {
                let there = Selector { path: below.to_owned(), target: selector.target.clone() };
                let is_known = self.recorded.items.contains_key(&there.to_string());
                !is_known
                    && self
                        .program
                        .scope(&there)
                        .is_ok_and(|scope| hashes::fingerprint(&scope, &self.ignore) == item.fingerprint)
            };
            // Most files do not even say the words.
            let bytes = self.program.files().read(file).ok().flatten()?;
            let code = String::from_utf8_lossy(&bytes);
            let says = items.iter().filter(|(selector, _)| code.contains(word(selector))).count();
            let count = if says * 2 > items.len() { items.iter().filter(stands).count() } else { 0 };
            (count * 2 > items.len()).then(|| (count, below.to_owned()))
        });
        heirs.max_by(|a, b| (a.0, &b.1).cmp(&(b.0, &a.1))).map(|(_, file)| file)
    }

    fn found(&self, scope: Scope, known: Option<&str>) -> Found {
        let at = scope.place_at(scope.span.start);
        let same = known.is_some_and(|known| hashes::fingerprint(&scope, &self.ignore) == known);
        Found { to: Elsewhere { item: scope.name, at }, same }
    }
}

/// What a path has behind its last dot.
fn ending(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A word that a file with an item of this selector has in it.
fn word(selector: &Selector) -> &str {
    match &selector.target {
        Target::File => "",
        Target::Name(name) | Target::Handler { scope: name, .. } => last(name).trim_matches('"'),
    }
}

/// The last part of a dotted name; a quoted part may hold dots.
fn last(name: &str) -> &str {
    match name.strip_suffix('"').and_then(|rest| rest.rfind('"')) {
        Some(quote) => &name[quote..],
        None => name.rsplit(['.', ' ']).next().unwrap_or(name),
    }
}

/// The files of known languages that the model names.
pub fn named(model: &Model) -> BTreeSet<RepoPath> {
    let mut paths: BTreeSet<String> = model.cover.iter().map(|covered| covered.selector.path.clone()).collect();
    let mut files: BTreeSet<RepoPath> = BTreeSet::new();
    for watched in model.calls.values() {
        files.extend(watched.within.iter().cloned());
        if let WatchedBy::Definition(of) = &watched.by {
            paths.insert(of.selector.path.clone());
        }
    }
    let scopes = model.facts.values().flat_map(|fact| scopes(&fact.table));
    paths.extend(scopes.filter_map(|scope| Some(Selector::parse(scope).ok()?.path)));
    files.extend(paths.iter().map(|path| model.source(path)));
    files.retain(|file| language_for_path(file.as_str()).is_some());
    files
}
