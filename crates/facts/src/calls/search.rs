//! The search: which files can matter. A file is read when it says a watched word; what it exports a watched thing as
//! is another word, and the search goes on until there is none left.

use super::join::{Join, Meaning, Thing};
use super::target::Target;
use super::{SweepProblem, Watch};
use crate::program::Program;
use aho_corasick::AhoCorasick;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::links::{Links, WHOLE};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A watch and what its selector names.
pub(super) type Defined<'w> = (&'w Watch, Target);

/// What the watched definitions are: the targets, by number, that a thing is.
pub(super) type Owners = HashMap<Thing, Vec<usize>>;

/// Texts are kept between two rounds up to this many bytes; what lies beyond is read again.
const KEPT: usize = 128 << 20;

/// The growing knowledge of a search.
pub(super) struct Search<'s, 'f> {
    program: &'s Program<'f>,
    defined: &'s [Defined<'s>],
    words: BTreeSet<String>,
    /// For each target, the names under which it is exported somewhere.
    pub(super) names: Vec<BTreeSet<String>>,
    /// Files that say a word.
    pub(super) files: BTreeSet<RepoPath>,
    texts: BTreeMap<RepoPath, Arc<[u8]>>,
}

/// A file that the search looked into.
struct Looked {
    path: RepoPath,
    text: Option<Arc<[u8]>>,
    says_word: bool,
}

impl<'s, 'f> Search<'s, 'f> {
    pub(super) fn new(program: &'s Program<'f>, defined: &'s [Defined<'s>]) -> Search<'s, 'f> {
        let names = defined.iter().map(|(_, target)| BTreeSet::from([target.word.clone()])).collect();
        Search { program, defined, words: BTreeSet::new(), names, files: BTreeSet::new(), texts: BTreeMap::new() }
    }

    /// Searches until no new word turns up, and says what is watched.
    pub(super) fn run(&mut self, join: &mut Join<'_>, problems: &mut Vec<SweepProblem>) -> Owners {
        let mut fresh: BTreeSet<String> = self.defined.iter().map(|(_, target)| target.word.clone()).collect();
        loop {
            let said_in = self.look(&fresh, problems);
            join.learn(&fresh, &said_in);
            self.words.append(&mut fresh);
            self.files.extend(said_in);
            self.files.extend(self.defined.iter().map(|(_, target)| target.file.clone()));
            let owners = self.owners(join);
            self.files.par_iter().for_each(|path| drop(join.links(path)));
            fresh = self.exported(join, &owners);
            if fresh.is_empty() {
                return owners;
            }
        }
    }

    /// Everything in the program that is a target.
    fn owners(&self, join: &Join<'_>) -> Owners {
        let mut owners = Owners::new();
        for (number, (_, target)) in self.defined.iter().enumerate() {
            for thing in target.things(join) {
                owners.entry(thing).or_default().push(number);
            }
        }
        owners
    }

    /// The files that say one of these words. Files outside of `in` are looked at, too: a name may be changed there.
    fn look(&mut self, words: &BTreeSet<String>, problems: &mut Vec<SweepProblem>) -> Vec<RepoPath> {
        let listed = match self.program.files().list() {
            Ok(listed) => listed,
            Err(error) => {
                let (file, message) = (error.path.clone(), error.to_string());
                problems.push(SweepProblem { code: error.code, message, file, key: None, at: None });
                return Vec::new();
            }
        };
        let Ok(finder) = AhoCorasick::new(needles(words)) else { return Vec::new() };
        let candidates: Vec<&RepoPath> = listed.iter().filter(|path| is_code(path)).collect();
        let looked: Vec<Result<Looked, SweepProblem>> =
            candidates.par_iter().map(|path| self.look_into(&finder, path)).collect();
        let mut said_in = Vec::new();
        let mut kept: usize = self.texts.values().map(|text| text.len()).sum();
        for result in looked {
            match result {
                Ok(Looked { path, text, says_word }) => {
                    if let Some(text) = text.filter(|text| kept + text.len() <= KEPT) {
                        kept += text.len();
                        self.texts.insert(path.clone(), text);
                    }
                    said_in.extend(says_word.then_some(path));
                }
                Err(problem) => problems.extend(self.is_within_any(&problem.file).then_some(problem)),
            }
        }
        said_in
    }

    fn look_into(&self, finder: &AhoCorasick, path: &RepoPath) -> Result<Looked, SweepProblem> {
        let problem = |code, message: String| SweepProblem { code, message, file: path.clone(), key: None, at: None };
        if let Some(text) = self.texts.get(path) {
            return Ok(Looked { path: path.clone(), text: None, says_word: finder.is_match(&text[..]) });
        }
        let Some(text) = self.program.files().read(path).map_err(|error| problem(error.code, error.message))? else {
            return Ok(Looked { path: path.clone(), text: None, says_word: false });
        };
        let says_word = finder.is_match(&text[..]);
        if says_word && let Err(error) = std::str::from_utf8(&text) {
            let at = error.valid_up_to();
            let message =
                format!("{path} is not UTF-8 (the first bad byte is at offset {at}), and mentions a watched name");
            return Err(problem("io", message));
        }
        Ok(Looked { path: path.clone(), text: Some(text), says_word })
    }

    pub(super) fn is_within_any(&self, path: &RepoPath) -> bool {
        self.defined.iter().any(|(watch, _)| super::sweep::is_within(self.program, watch, path))
    }

    /// The names under which files export a target, learned into `names`; those that are new words are returned.
    fn exported(&mut self, join: &Join<'_>, owners: &Owners) -> BTreeSet<String> {
        let files: Vec<&RepoPath> = self.files.iter().collect();
        let found: Vec<Vec<(usize, String)>> = files.par_iter().map(|path| exported_as(join, path, owners)).collect();
        let mut fresh = BTreeSet::new();
        for (number, name) in found.into_iter().flatten() {
            if !self.words.contains(&name) {
                fresh.insert(name.clone());
            }
            self.names[number].insert(name);
        }
        fresh
    }
}

/// What to look for: the words; for a default export or a whole module, whatever imports anything.
fn needles(words: &BTreeSet<String>) -> Vec<&str> {
    let mut needles: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.contains("default") || words.contains(WHOLE) {
        needles.extend(["import", "require", "from"]);
    }
    needles
}

fn is_code(path: &RepoPath) -> bool {
    let path = path.as_str();
    language_for_path(path).is_some() && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// The targets that a file exports, with the names that it exports them under.
fn exported_as(join: &Join<'_>, path: &RepoPath, owners: &Owners) -> Vec<(usize, String)> {
    let Some(links) = join.links(path) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, what) in &links.exports {
        if let Meaning::Thing(thing) = join.meaning(path, what) {
            found.extend(owners.get(&thing).into_iter().flatten().map(|&number| (number, name.clone())));
        }
    }
    found
}

/// What keeps a file's links from being complete.
pub(super) fn broken(links: &Links, path: &RepoPath) -> Option<SweepProblem> {
    let (message, _) = links.broken.as_ref()?;
    let message = format!("{path} does not parse, and may hide a site: {message}");
    Some(SweepProblem { code: "parse-error", message, file: path.clone(), key: None, at: None })
}
