//! The search: which files can matter. A file is read when it says a watched word, or names a module that has what is
//! watched. What a file exports a watched thing as is another word, the file that does so another module, and the search
//! goes on until there is none left.

use super::join::{Join, Meaning, Of, Thing};
use super::mentions::{Mention, Mentions};
use super::resolve::Found;
use super::shelf::{Shelf, decoded};
use super::target::Target;
use super::{SweepProblem, Watch};
use crate::files::FileError;
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::links::{Holder, Links, Means, Typing, WHOLE};
use factgate_syntax::source::ProblemKind;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A watch and what its selector names.
pub(super) type Defined<'w> = (&'w Watch, Target);

/// What the watched definitions are among the things of the program, each with the numbers of its targets.
#[derive(Default)]
pub(super) struct Owners {
    /// The definitions themselves.
    pub(super) targets: HashMap<Thing, Vec<usize>>,
    /// What has a definition: a module, a namespace, an object literal. Who hands it on hands on the definition.
    pub(super) holders: HashMap<Thing, BTreeSet<usize>>,
    /// The classes of methods that are targets.
    classes: HashMap<Thing, BTreeSet<usize>>,
}

/// How many files a thread looks into at least.
const BATCH: usize = 64;

/// The growing knowledge of a search.
pub(super) struct Search<'s, 'f> {
    program: &'s Program<'f>,
    shelf: &'s Shelf<'f>,
    defined: &'s [Defined<'s>],
    words: BTreeSet<String>,
    /// For each target, the names under which it is exported somewhere.
    pub(super) names: Vec<BTreeSet<String>>,
    /// Files that say a word, or that import a module which has a target.
    pub(super) files: BTreeSet<RepoPath>,
    /// Files outside of every `in` that hand on what a file exports that cannot be read, with that file.
    tainted: BTreeMap<RepoPath, RepoPath>,
    /// Modules that export the class of a method that is a target: who imports one may ask an instance for any member.
    pub(super) classes: BTreeMap<RepoPath, BTreeSet<usize>>,
    /// Modules that export a target, by themselves or from others.
    modules: BTreeMap<RepoPath, BTreeSet<usize>>,
}

/// What the next round looks for.
#[derive(Default)]
struct Fresh {
    words: BTreeSet<String>,
    modules: BTreeSet<RepoPath>,
}

/// What a file exports of what is watched.
#[derive(Default)]
struct Exported {
    names: Vec<(usize, String)>,
    numbers: BTreeSet<usize>,
    /// The targets that are methods of a class that it exports.
    classes: BTreeSet<usize>,
    /// The file that cannot be read and that it hands on something of.
    taint: Option<RepoPath>,
}

impl<'s, 'f> Search<'s, 'f> {
    pub(super) fn new(program: &'s Program<'f>, shelf: &'s Shelf<'f>, defined: &'s [Defined<'s>]) -> Search<'s, 'f> {
        let names = defined.iter().map(|(_, target)| BTreeSet::from([target.word.clone()])).collect();
        let (words, files, tainted, classes, modules) = Default::default();
        Search { program, shelf, defined, words, names, files, tainted, classes, modules }
    }

    /// The file of each target.
    pub(super) fn homes(&self) -> Vec<&RepoPath> {
        self.defined.iter().map(|(_, target)| &target.file).collect()
    }

    /// Whether an object of unknown origin may have a target as a member.
    pub(super) fn is_of_objects(&self, number: usize) -> bool {
        self.defined[number].1.is_of_objects()
    }

    /// Searches until nothing new turns up, and says what is watched.
    pub(super) fn run(&mut self, join: &mut Join<'_>, problems: &mut Vec<SweepProblem>) -> Owners {
        let words = self.defined.iter().map(|(_, target)| target.word.clone()).collect();
        let mut fresh = Fresh { words, modules: BTreeSet::new() };
        self.files.extend(self.defined.iter().map(|(_, target)| target.file.clone()));
        self.files.extend(self.indexes());
        self.files.extend(join.resolver().stand.files().cloned());
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
            let (said_in, importing) = self.look(join, &fresh, problems);
            join.learn(&fresh.words, &said_in);
            self.words.append(&mut fresh.words);
            fresh.modules.clear();
            self.files.extend(said_in);
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
                for holder in join.holders(&thing) {
                    owners.holders.entry(holder).or_default().insert(number);
                }
                if thing.of == Of::Instances {
                    let class = Thing::symbol(&thing.file, thing.symbol);
                    owners.classes.entry(class).or_default().insert(number);
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

    /// The files that say one of these words, and those that import one of these modules. Files outside of `in` are
    /// looked at, too: a name may be changed there.
    fn look(&self, join: &Join<'_>, fresh: &Fresh, problems: &mut Vec<SweepProblem>) -> (Vec<RepoPath>, Vec<RepoPath>) {
        let spellings = join.resolver().spellings(&fresh.modules);
        let mentions = Mentions::of(&spoken(&fresh.words), spellings, self.words.is_empty());
        let code = self.shelf.code();
        let looked: Vec<(usize, Result<Look, FileError>)> = (0..code.len())
            .into_par_iter()
            .with_min_len(BATCH)
            .map(|number| (number, self.look_into(&mentions, number)))
            .filter(|(_, look)| !matches!(look, Ok(Look { mention: Mention::Nothing, .. })))
            .collect();
        let (mut said_in, mut importing) = (Vec::new(), Vec::new());
        for (number, look) in looked {
            let path = code[number];
            let says = matches!(look, Err(_) | Ok(Look { mention: Mention::Word, .. }));
            if !says && (self.files.contains(path) || !self.may_import(join, path, &look)) {
                continue;
            }
            match look.map_or_else(Some, |look| look.unread(path)) {
                Some(FileError { code, message, .. }) if self.is_within_any(path) => {
                    problems.push(SweepProblem { code, message, file: path.clone(), key: None, at: None });
                }
                // Of a file outside nobody asks more than who imports it.
                Some(_) => said_in.push(path.clone()),
                None if says => said_in.push(path.clone()),
                None => importing.push(path.clone()),
            }
        }
        (said_in, importing)
    }

    fn look_into(&self, mentions: &Mentions, number: usize) -> Result<Look, FileError> {
        let path = self.shelf.code()[number];
        let looked = self.shelf.look(number, |text| {
            let mention = mentions.of_text(path, &decoded(text));
            let wrong = (mention != Mention::Nothing).then(|| std::str::from_utf8(text).err()).flatten();
            Look { mention, wrong: wrong.map(|error| error.valid_up_to()) }
        })?;
        Ok(looked.unwrap_or(Look { mention: Mention::Nothing, wrong: None }))
    }

    /// Whether a file that says no word imports what is looked for; one that cannot be read may.
    fn may_import(&self, join: &Join<'_>, path: &RepoPath, look: &Result<Look, FileError>) -> bool {
        match look {
            Ok(Look { mention: Mention::Perhaps, wrong: None }) => self.imports(join, path),
            Ok(Look { mention: Mention::Specifiers(specifiers), .. }) => {
                specifiers.iter().any(|specifier| self.leads(join, path, specifier))
            }
            _ => true,
        }
    }

    pub(super) fn is_within_any(&self, path: &RepoPath) -> bool {
        self.defined.iter().any(|(watch, _)| super::sweep::is_within(self.program, watch, path))
    }

    /// Files outside of every `in` that files inside import, that say a watched name, and that cannot be read.
    pub(super) fn broken_imports(&self, join: &Join<'_>) -> BTreeSet<RepoPath> {
        let mut found = BTreeSet::new();
        for path in self.files.iter().filter(|path| !self.tainted.is_empty() && self.is_within_any(path)) {
            let Some(links) = join.links(path) else { continue };
            let imported = links.imports.iter().filter_map(|import| import.from.as_deref());
            found.extend(imported.filter_map(|from| self.taint(join, path, from)));
        }
        found
    }

    /// The file that cannot be read behind a module outside of every `in`.
    fn taint(&self, join: &Join<'_>, path: &RepoPath, from: &str) -> Option<RepoPath> {
        match join.resolve(path, from) {
            Found::File(file) => self.tainted.get(&file).cloned(),
            Found::Platform | Found::Unresolved => None,
        }
    }

    /// The names that a file's namespaces and containers give a target: `namespace A { export const zq = run }`.
    fn members_of(&self, join: &Join<'_>, path: &RepoPath, links: &Links, owners: &Owners) -> Vec<(usize, String)> {
        let mut names = Vec::new();
        for symbol in &links.symbols {
            let Means::Class(class) = &symbol.means else { continue };
            for (name, &index) in &class.members {
                let Means::Alias(what) = &links.symbols[index].means else { continue };
                let Meaning::Thing(thing) = join.leading(&self.files, path, what) else { continue };
                let numbers = owners.targets.get(&thing).into_iter().flatten();
                names.extend(numbers.map(|&number| (number, name.clone())));
            }
        }
        names
    }

    /// Whether a file may import a module that has a target: a type may name it, too.
    fn imports(&self, join: &Join<'_>, path: &RepoPath) -> bool {
        let Some(links) = join.links(path) else { return false };
        if links.broken.is_none() {
            return true;
        }
        let imported = links.imports.iter().filter_map(|import| import.from.as_deref());
        imported.chain(links.stars.iter().map(String::as_str)).any(|from| self.leads(join, path, from))
    }

    /// Whether a specifier in a file is one of a module that has a target.
    fn leads(&self, join: &Join<'_>, path: &RepoPath, specifier: &str) -> bool {
        let leads = match join.resolve(path, specifier) {
            Found::File(file) => self.modules.contains_key(&file) || self.classes.contains_key(&file),
            // An alias that only another tool knows.
            Found::Unresolved => self.modules.keys().any(|module| join.resolver().may_mean(module, path, specifier)),
            Found::Platform => false,
        };
        leads || join.under_conditions(path, specifier).iter().any(|file| self.modules.contains_key(file))
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
            let classes = self.classes.get(path);
            if classes.is_none_or(|known| !exported.classes.is_subset(known)) && !exported.classes.is_empty() {
                self.classes.entry(path.clone()).or_default().extend(&exported.classes);
                fresh.modules.insert(path.clone());
            }
            if let Some(root) = exported.taint {
                self.tainted.insert(path.clone(), root);
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
        let links = join.links(path);
        if !self.is_within_any(path) {
            // It says a watched name, and nobody knows what it exports: whoever imports it is looked at.
            exported.taint = match &links {
                Some(links) if links.broken.is_none() => {
                    let hands_on = links.exports.values().filter_map(|what| links.module_of(what));
                    let all = hands_on.chain(links.stars.iter().map(String::as_str));
                    all.into_iter().find_map(|from| self.taint(join, path, from))
                }
                _ => Some(path.clone()),
            };
            exported.numbers.extend(exported.taint.iter().flat_map(|_| 0..self.defined.len()));
        }
        let Some(links) = links else { return exported };
        for (name, what) in &links.exports {
            let Meaning::Thing(thing) = join.leading(&self.files, path, what) else { continue };
            exported.classes.extend(owners.classes.get(&thing).into_iter().flatten());
            let numbers: BTreeSet<usize> = owners.of(&thing).collect();
            exported.names.extend(numbers.iter().map(|&number| (number, name.clone())));
            exported.numbers.extend(numbers);
        }
        exported.names.extend(self.members_of(join, path, &links, owners));
        for star in &links.stars {
            if let Found::File(from) = join.resolve(path, star) {
                exported.numbers.extend(self.modules.get(&from).into_iter().flatten());
                exported.classes.extend(self.classes.get(&from).into_iter().flatten());
            }
        }
        exported
    }
}

impl Owners {
    /// The targets that a thing is, or has.
    fn of(&self, thing: &Thing) -> impl Iterator<Item = usize> {
        let targets = self.targets.get(thing).into_iter().flatten();
        targets.chain(self.holders.get(thing).into_iter().flatten()).copied()
    }
}

/// What a look into a file has found.
struct Look {
    mention: Mention,
    /// The first byte that is not UTF-8, where it matters.
    wrong: Option<usize>,
}

impl Look {
    /// Why a file that matters cannot be read.
    fn unread(&self, path: &RepoPath) -> Option<FileError> {
        let at = self.wrong?;
        let message = format!(
            "{path} is not UTF-8 (the first bad byte is at offset {at}), and mentions a watched name or module"
        );
        Some(FileError { path: path.clone(), message, code: "io" })
    }
}

/// The words that a file must say to use them; a default export and a whole module are found by their specifiers.
fn spoken(words: &BTreeSet<String>) -> BTreeSet<String> {
    words.iter().filter(|word| *word != "default" && *word != WHOLE).cloned().collect()
}

impl Join<'_> {
    /// The object literals and namespaces that a thing is a member of, the innermost first.
    fn holders(&self, thing: &Thing) -> Vec<Thing> {
        let links = self.links(&thing.file);
        let means = links.as_ref().and_then(|links| links.symbols.get(thing.symbol)).map(|symbol| &symbol.means);
        let prototype = || Thing { path: vec!["prototype".to_owned()], ..Thing::symbol(&thing.file, thing.symbol) };
        let is_structural = links.as_ref().is_some_and(|links| links.typing == Typing::Structural);
        match means {
            Some(Means::Class(_)) if is_structural && (thing.of == Of::Instances || thing.path.is_empty()) => {
                vec![prototype()]
            }
            Some(Means::Class(class)) if class.holder == Holder::Table => (0..thing.path.len())
                .rev()
                .map(|length| Thing { path: thing.path[..length].to_vec(), ..thing.clone() })
                .collect(),
            // Whoever has a function, or an object that nobody knows, has what is hung on it.
            Some(Means::Itself | Means::Alias(_) | Means::Anything)
                if thing.of == Of::Itself && !thing.path.is_empty() && is_structural =>
            {
                vec![Thing::symbol(&thing.file, thing.symbol)]
            }
            // Whoever has a class has its static methods.
            Some(Means::Class(_)) if thing.path.len() == 1 && is_structural => {
                vec![Thing::symbol(&thing.file, thing.symbol)]
            }
            _ => Vec::new(),
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
