//! The search: which files can matter. A file is read when it says a watched word, or names a module that has what is
//! watched. What a file exports a watched thing as is another word, the file that does so another module, and the search
//! goes on until there is none left.

use super::join::{Join, Meaning, Of, Thing};
use super::mentions::{Mention, Mentions};
use super::resolve::{Found, Resolver};
use super::target::Target;
use super::{SweepProblem, Watch};
use crate::files::Peeked;
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::links::{Holder, Links, Means, WHOLE};
use factgate_syntax::source::ProblemKind;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A watch and what its selector names.
pub(super) type Defined<'w> = (&'w Watch, Target);

/// What the watched definitions are among the things of the program, each with the numbers of its targets.
#[derive(Default)]
pub(super) struct Owners {
    /// The definitions themselves.
    pub(super) targets: HashMap<Thing, Vec<usize>>,
    /// What has a definition: a module, a namespace, an object literal. Who hands it on hands on the definition.
    pub(super) holders: HashMap<Thing, BTreeSet<usize>>,
}

/// Texts that are dear to read are kept between two rounds up to this many bytes.
const KEPT: usize = 128 << 20;

/// The growing knowledge of a search.
pub(super) struct Search<'s, 'f> {
    program: &'s Program<'f>,
    defined: &'s [Defined<'s>],
    words: BTreeSet<String>,
    /// For each target, the names under which it is exported somewhere.
    pub(super) names: Vec<BTreeSet<String>>,
    /// Files that say a word, or that import a module which has a target.
    pub(super) files: BTreeSet<RepoPath>,
    /// Modules that export a target, by themselves or from others.
    modules: BTreeMap<RepoPath, BTreeSet<usize>>,
    texts: BTreeMap<RepoPath, Arc<[u8]>>,
}

/// What the next round looks for.
#[derive(Default)]
struct Fresh {
    words: BTreeSet<String>,
    modules: BTreeSet<RepoPath>,
}

/// A file that the search looked into.
struct Looked {
    path: RepoPath,
    text: Option<Arc<[u8]>>,
    mention: Mention,
}

/// What a file exports of what is watched.
#[derive(Default)]
struct Exported {
    names: Vec<(usize, String)>,
    numbers: BTreeSet<usize>,
}

impl<'s, 'f> Search<'s, 'f> {
    pub(super) fn new(program: &'s Program<'f>, defined: &'s [Defined<'s>]) -> Search<'s, 'f> {
        let names = defined.iter().map(|(_, target)| BTreeSet::from([target.word.clone()])).collect();
        let (words, files, modules, texts) = Default::default();
        Search { program, defined, words, names, files, modules, texts }
    }

    /// Searches until nothing new turns up, and says what is watched.
    pub(super) fn run(&mut self, join: &mut Join<'_>, problems: &mut Vec<SweepProblem>) -> Owners {
        let words = self.defined.iter().map(|(_, target)| target.word.clone()).collect();
        let mut fresh = Fresh { words, modules: BTreeSet::new() };
        self.files.extend(self.defined.iter().map(|(_, target)| target.file.clone()));
        self.files.extend(self.indexes());
        join.learn(&fresh.words, &[]);
        self.files.par_iter().for_each(|path| drop(join.links(path)));
        for (_, target) in self.defined {
            target.settle(join);
        }
        loop {
            self.files.par_iter().for_each(|path| drop(join.links(path)));
            let owners = self.owners(join);
            self.export(join, &owners, &mut fresh);
            if fresh.words.is_empty() && fresh.modules.is_empty() {
                return owners;
            }
            let (said_in, near) = self.look(join.resolver(), &fresh, problems);
            join.learn(&fresh.words, &said_in);
            self.words.append(&mut fresh.words);
            fresh.modules.clear();
            self.files.extend(said_in);
            let importing: Vec<RepoPath> = near.into_par_iter().filter(|path| self.imports(join, path)).collect();
            self.files.extend(importing);
        }
    }

    /// The index files of the folders that the definitions stand in: they often export them, and are asked at once.
    fn indexes(&self) -> Vec<RepoPath> {
        let mut found = Vec::new();
        let listed = self.program.files().list().unwrap_or_default();
        for (_, target) in self.defined {
            let mut folder = target.file.parent();
            loop {
                for ending in ["ts", "tsx", "js", "mts"] {
                    let index = folder.join(&format!("index.{ending}"));
                    found.extend(index.ok().filter(|index| listed.binary_search(index).is_ok()));
                }
                if folder.as_str().is_empty() {
                    break;
                }
                folder = folder.parent();
            }
        }
        found
    }

    /// Everything in the program that is a target, or has one.
    fn owners(&self, join: &Join<'_>) -> Owners {
        let mut owners = Owners::default();
        for (number, (_, target)) in self.defined.iter().enumerate() {
            for thing in target.things(join) {
                if let Some(holder) = join.holder(&thing) {
                    owners.holders.entry(holder).or_default().insert(number);
                }
                owners.targets.entry(thing).or_default().push(number);
            }
        }
        for (file, numbers) in &self.modules {
            if let Some(whole) = join.whole(file) {
                owners.holders.entry(whole).or_default().extend(numbers);
            }
        }
        owners
    }

    /// The files that say one of these words, and those that may import one of these modules. Files outside of `in` are
    /// looked at, too: a name may be changed there.
    fn look(
        &mut self,
        resolver: &Resolver,
        fresh: &Fresh,
        problems: &mut Vec<SweepProblem>,
    ) -> (Vec<RepoPath>, Vec<RepoPath>) {
        let listed = match self.program.files().list() {
            Ok(listed) => listed,
            Err(error) => {
                let (file, message) = (error.path.clone(), error.to_string());
                problems.push(SweepProblem { code: error.code, message, file, key: None, at: None });
                return Default::default();
            }
        };
        let mentions = Mentions::of(&spoken(&fresh.words), resolver.spellings(&fresh.modules));
        let candidates: Vec<&RepoPath> = listed.iter().filter(|path| is_code(path)).collect();
        let looked: Vec<Result<Looked, SweepProblem>> = candidates
            .par_iter()
            .map_init(Vec::new, |buffer, path| self.look_into(&mentions, path, buffer))
            .filter(|looked| !matches!(looked, Ok(Looked { text: None, mention: Mention::Nothing, .. })))
            .collect();
        let (mut said_in, mut near) = (Vec::new(), Vec::new());
        let mut kept: usize = self.texts.values().map(|text| text.len()).sum();
        for result in looked {
            match result {
                Ok(Looked { path, text, mention }) => {
                    if let Some(text) = text.filter(|text| kept + text.len() <= KEPT) {
                        kept += text.len();
                        self.texts.insert(path.clone(), text);
                    }
                    match mention {
                        Mention::Word => said_in.push(path),
                        Mention::Specifier if !self.files.contains(&path) => near.push(path),
                        Mention::Specifier | Mention::Nothing => {}
                    }
                }
                Err(problem) => problems.extend(self.is_within_any(&problem.file).then_some(problem)),
            }
        }
        (said_in, near)
    }

    fn look_into(&self, mentions: &Mentions, path: &RepoPath, buffer: &mut Vec<u8>) -> Result<Looked, SweepProblem> {
        let problem = |code, message: String| SweepProblem { code, message, file: path.clone(), key: None, at: None };
        if let Some(text) = self.texts.get(path) {
            return Ok(Looked { path: path.clone(), text: None, mention: mentions.of_text(&path.parent(), text) });
        }
        let kept = match self.program.files().peek(path, buffer) {
            Ok(Peeked::InBuffer) => None,
            Ok(Peeked::Kept(text)) => Some(text),
            Ok(Peeked::Absent) => return Ok(Looked { path: path.clone(), text: None, mention: Mention::Nothing }),
            Err(error) => return Err(problem(error.code, error.message)),
        };
        let text = kept.as_deref().unwrap_or(buffer);
        let mention = mentions.of_text(&path.parent(), text);
        if mention == Mention::Word
            && let Err(error) = std::str::from_utf8(text)
        {
            let at = error.valid_up_to();
            let message =
                format!("{path} is not UTF-8 (the first bad byte is at offset {at}), and mentions a watched name");
            return Err(problem("io", message));
        }
        Ok(Looked { path: path.clone(), text: kept, mention })
    }

    pub(super) fn is_within_any(&self, path: &RepoPath) -> bool {
        self.defined.iter().any(|(watch, _)| super::sweep::is_within(self.program, watch, path))
    }

    /// The names that a file's namespaces and containers give a target: `namespace A { export const zq = run }`.
    fn members_of(&self, join: &Join<'_>, path: &RepoPath, links: &Links, owners: &Owners) -> Vec<(usize, String)> {
        let mut names = Vec::new();
        for symbol in &links.symbols {
            let Means::Class(class) = &symbol.means else { continue };
            for (name, &index) in &class.members {
                let Means::Alias(what) = &links.symbols[index].means else { continue };
                let Meaning::Thing(thing) = join.meaning(path, what) else { continue };
                let numbers = owners.targets.get(&thing).into_iter().flatten();
                names.extend(numbers.map(|&number| (number, name.clone())));
            }
        }
        names
    }

    /// Whether a file imports a module that has a target.
    fn imports(&self, join: &Join<'_>, path: &RepoPath) -> bool {
        let Some(links) = join.links(path) else { return false };
        let leads = |from: &str| {
            matches!(join.resolve(path, from), Found::File(file) if self.modules.contains_key(&file))
                || join.under_conditions(path, from).iter().any(|file| self.modules.contains_key(file))
        };
        let imported = links.imports.iter().filter_map(|import| import.from.as_deref());
        imported.chain(links.stars.iter().map(String::as_str)).any(leads)
    }

    /// Learns the names under which files export a target, and the modules that do; adds what is new to `fresh`.
    fn export(&mut self, join: &Join<'_>, owners: &Owners, fresh: &mut Fresh) {
        let files: Vec<&RepoPath> = self.files.iter().collect();
        let found: Vec<Exported> = files.par_iter().map(|path| self.exported_by(join, path, owners)).collect();
        let mut modules = Vec::new();
        for (path, exported) in files.into_iter().zip(found) {
            for (number, name) in exported.names {
                if !self.words.contains(&name) {
                    fresh.words.insert(name.clone());
                }
                self.names[number].insert(name);
            }
            let known = self.modules.get(path);
            if known.is_none_or(|known| !exported.numbers.is_subset(known)) && !exported.numbers.is_empty() {
                modules.push((path.clone(), exported.numbers));
            }
        }
        for (path, numbers) in modules {
            self.modules.entry(path.clone()).or_default().extend(numbers);
            fresh.modules.insert(path);
        }
    }

    fn exported_by(&self, join: &Join<'_>, path: &RepoPath, owners: &Owners) -> Exported {
        let mut exported = Exported::default();
        let Some(links) = join.links(path) else { return exported };
        for (name, what) in &links.exports {
            let Meaning::Thing(thing) = join.meaning(path, what) else { continue };
            let targets = owners.targets.get(&thing).into_iter().flatten();
            let numbers: BTreeSet<usize> =
                targets.chain(owners.holders.get(&thing).into_iter().flatten()).copied().collect();
            exported.names.extend(numbers.iter().map(|&number| (number, name.clone())));
            exported.numbers.extend(numbers);
        }
        exported.names.extend(self.members_of(join, path, &links, owners));
        for star in &links.stars {
            if let Found::File(from) = join.resolve(path, star) {
                exported.numbers.extend(self.modules.get(&from).into_iter().flatten());
            }
        }
        exported
    }
}

/// The words that a file must say to use them; a default export and a whole module are found by their specifiers.
fn spoken(words: &BTreeSet<String>) -> BTreeSet<String> {
    words.iter().filter(|word| *word != "default" && *word != WHOLE).cloned().collect()
}

fn is_code(path: &RepoPath) -> bool {
    let path = path.as_str();
    language_for_path(path).is_some() && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

impl Join<'_> {
    /// The object literal or namespace that a thing is a member of.
    fn holder(&self, thing: &Thing) -> Option<Thing> {
        let (_, above) = thing.path.split_last().filter(|_| thing.of == Of::Itself)?;
        let links = self.links(&thing.file)?;
        match &links.symbols.get(thing.symbol)?.means {
            Means::Class(class) if class.holder == Holder::Table => {
                Some(Thing { path: above.to_vec(), ..thing.clone() })
            }
            _ => None,
        }
    }
}

/// What keeps a file's links from being complete.
pub(super) fn broken(program: &Program<'_>, links: &Links, path: &RepoPath) -> Option<SweepProblem> {
    let (message, span) = links.broken.as_ref()?;
    let (mut code, mut what, mut at) = ("parse-error", format!("does not parse, and may hide a site: {message}"), None);
    if let Ok(source) = program.source(path) {
        let conflict = source.problems().iter().find(|problem| problem.kind == ProblemKind::Conflict);
        if let Some(conflict) = conflict {
            (code, what) = ("merge-conflict", format!("holds a merge conflict: {}", conflict.message));
        }
        at = Some(program.place(path, &source, conflict.map_or(span.start, |conflict| conflict.span.start)));
    }
    Some(SweepProblem { code, message: format!("{path} {what}"), file: path.clone(), key: None, at })
}
