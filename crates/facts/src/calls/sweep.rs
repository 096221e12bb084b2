//! The sweep: from the watched definitions to the files that can matter, to the sites in them.

use super::join::{Join, Meaning, Thing};
use super::resolve::{Found as Led, Resolver};
use super::sites::{Found, count};
use super::target::Target;
use super::{SiteKind, SweepProblem, Swept, Watch, Watched, shape};
use crate::program::Program;
use aho_corasick::AhoCorasick;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::links::{Denotes, Form, Links, Use, WHOLE};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Finds the sites of every watch.
pub fn sweep(program: &Program<'_>, watches: &[Watch]) -> Swept {
    let mut swept = Swept::default();
    let resolver = match Resolver::new(program.files()) {
        Ok(resolver) => resolver,
        Err(error) => {
            let (file, message) = (error.path.clone(), error.to_string());
            swept.problems.push(SweepProblem { code: error.code, message, file, at: None });
            return swept;
        }
    };
    let mut defined = Vec::new();
    for watch in watches {
        match &watch.of {
            Watched::Definition(selector) => match Target::find(program, watch, selector) {
                Ok(target) => defined.push((watch, target)),
                Err(problem) => swept.problems.push(problem),
            },
            Watched::Shape { patterns, matching } => {
                let (found, problems) = shape::find(program, watch, patterns, matching);
                swept.problems.extend(problems);
                finish(program, watch, found, Vec::new(), &mut swept);
            }
        }
    }
    sweep_defined(program, resolver, &defined, &mut swept);
    swept.problems.sort_by(|a, b| (&a.file, &a.message).cmp(&(&b.file, &b.message)));
    swept.problems.dedup();
    swept
}

fn finish(program: &Program<'_>, watch: &Watch, found: Vec<Found>, unresolved: Vec<String>, swept: &mut Swept) {
    let (mut sites, problems) = count(program, found);
    sites.record.unresolved = unresolved;
    swept.problems.extend(problems);
    swept.calls.insert(watch.key.clone(), sites);
}

/// Definitions are swept together: each file is read and parsed once, whatever the number of watched functions.
fn sweep_defined(program: &Program<'_>, resolver: Resolver, defined: &[(&Watch, Target)], swept: &mut Swept) {
    if defined.is_empty() {
        return;
    }
    let mut search = Search::new(program, defined);
    let mut resolver = Some(resolver);
    let (join, files) = loop {
        let fresh = match resolver.take().map_or_else(|| Resolver::new(program.files()), Ok) {
            Ok(fresh) => fresh,
            Err(error) => {
                let (file, message) = (error.path.clone(), error.to_string());
                swept.problems.push(SweepProblem { code: error.code, message, file, at: None });
                return;
            }
        };
        let join = Join::new(program.files(), fresh, search.words.clone());
        let files = search.files(&join, &mut swept.problems);
        if !search.learn(&join, &files) {
            break (join, files);
        }
    };
    for (number, (watch, target)) in defined.iter().enumerate() {
        let things = target.things(&join);
        let member = target.member(&join, &things);
        let judge = Judge { join: &join, things: &things, member: member.as_deref(), names: &search.names[number] };
        let within: Vec<&RepoPath> = files.iter().filter(|path| is_within(program, watch, path)).collect();
        let parts: Vec<(Vec<Found>, Vec<String>)> = within.par_iter().map(|path| judge.file(program, path)).collect();
        let (mut found, mut unresolved) = (Vec::new(), Vec::new());
        for (sites, hidden) in parts {
            found.extend(sites);
            unresolved.extend(hidden);
        }
        unresolved.sort();
        unresolved.dedup();
        finish(program, watch, found, unresolved, swept);
    }
}

pub(super) fn is_within(program: &Program<'_>, watch: &Watch, path: &RepoPath) -> bool {
    path.below(program.root()).is_some_and(|below| watch.within.is_match(below))
}

/// The words that files are chosen by. They grow: an export under another name is another word.
struct Search<'s, 'f> {
    program: &'s Program<'f>,
    defined: &'s [(&'s Watch, Target)],
    words: BTreeSet<String>,
    /// The names under which each target is exported somewhere.
    names: Vec<BTreeSet<String>>,
    /// Whether a target is a default export or a whole module: an importer need not say any word of it.
    every_importer: Importers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Importers {
    WithWord,
    All,
}

impl<'s, 'f> Search<'s, 'f> {
    fn new(program: &'s Program<'f>, defined: &'s [(&'s Watch, Target)]) -> Search<'s, 'f> {
        let words: BTreeSet<String> = defined.iter().map(|(_, target)| target.word.clone()).collect();
        let names = defined.iter().map(|(_, target)| BTreeSet::from([target.word.clone()])).collect();
        let all = words.contains("default");
        let every_importer = if all { Importers::All } else { Importers::WithWord };
        Search { program, defined, words, names, every_importer }
    }

    /// The files that can hold a site, with their links read.
    fn files(&self, join: &Join<'_>, problems: &mut Vec<SweepProblem>) -> Vec<RepoPath> {
        let listed = match self.program.files().list() {
            Ok(listed) => listed,
            Err(error) => {
                let (file, message) = (error.path.clone(), error.to_string());
                problems.push(SweepProblem { code: error.code, message, file, at: None });
                return Vec::new();
            }
        };
        let mut needles: Vec<&str> = self.words.iter().map(String::as_str).collect();
        if self.every_importer == Importers::All {
            needles.extend(["import", "require", "from"]);
        }
        let Ok(finder) = AhoCorasick::new(&needles) else { return Vec::new() };
        let wanted = |path: &&RepoPath| {
            language_for_path(path.as_str()).is_some()
                && !path.as_str().ends_with(".d.ts")
                && self.defined.iter().any(|(watch, _)| is_within(self.program, watch, path))
        };
        let candidates: Vec<&RepoPath> = listed.iter().filter(wanted).collect();
        let results: Vec<Result<Option<RepoPath>, SweepProblem>> =
            candidates.par_iter().map(|path| self.candidate(join, &finder, path)).collect();
        let mut files = Vec::new();
        for result in results {
            match result {
                Ok(file) => files.extend(file),
                Err(problem) => problems.push(problem),
            }
        }
        files
    }

    /// One file: whether it mentions a word, and whether it could be read.
    fn candidate(
        &self,
        join: &Join<'_>,
        finder: &AhoCorasick,
        path: &RepoPath,
    ) -> Result<Option<RepoPath>, SweepProblem> {
        let problem = |code, message: String| SweepProblem { code, message, file: path.clone(), at: None };
        let bytes = match self.program.files().read(path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(error) => return Err(problem(error.code, error.message)),
        };
        if !finder.is_match(&bytes[..]) {
            return Ok(None);
        }
        if let Err(error) = std::str::from_utf8(&bytes) {
            let at = error.valid_up_to();
            return Err(problem(
                "io",
                format!("{path} is not UTF-8 (the first bad byte is at offset {at}), and mentions a watched name"),
            ));
        }
        match join.links(path).as_deref() {
            Some(Links { broken: Some((message, _)), .. }) => {
                Err(problem("parse-error", format!("{path} does not parse, and may hide a site: {message}")))
            }
            _ => Ok(Some(path.clone())),
        }
    }

    /// Learns the names under which files export a target. True when there was a new one: the search starts over.
    fn learn(&mut self, join: &Join<'_>, files: &[RepoPath]) -> bool {
        let before = (self.words.len(), self.every_importer);
        for (number, (_, target)) in self.defined.iter().enumerate() {
            let things = target.things(join);
            for path in files.iter().chain([&target.file]) {
                for name in exported_as(join, path, &things) {
                    if name == "default" || name == WHOLE {
                        self.every_importer = Importers::All;
                    }
                    self.names[number].insert(name.clone());
                    self.words.insert(name);
                }
            }
        }
        before != (self.words.len(), self.every_importer)
    }
}

/// The names under which a file exports one of these things.
fn exported_as(join: &Join<'_>, path: &RepoPath, things: &BTreeSet<Thing>) -> Vec<String> {
    let Some(links) = join.links(path) else { return Vec::new() };
    let is_one = |what: &Denotes| matches!(join.meaning(path, what), Meaning::Thing(thing) if things.contains(&thing));
    links.exports.iter().filter(|(_, what)| is_one(what)).map(|(name, _)| name.clone()).collect()
}

/// Judges the uses of one file for one target.
struct Judge<'s, 'f> {
    join: &'s Join<'f>,
    things: &'s BTreeSet<Thing>,
    member: Option<&'s str>,
    names: &'s BTreeSet<String>,
}

impl Judge<'_, '_> {
    fn file(&self, program: &Program<'_>, path: &RepoPath) -> (Vec<Found>, Vec<String>) {
        let Some(links) = self.join.links(path) else { return (Vec::new(), Vec::new()) };
        let found = links
            .uses
            .iter()
            .filter_map(|one| {
                let (kind, form) = self.judge(path, one)?;
                Some(Found { file: path.clone(), start: one.span.start, end: one.span.end, kind, form })
            })
            .collect();
        (found, self.unresolved(program, path, &links))
    }

    fn judge(&self, path: &RepoPath, one: &Use) -> Option<(SiteKind, &'static str)> {
        let counted = |kind| if one.form == Form::Value { SiteKind::Value } else { kind };
        match self.join.meaning(path, &one.what) {
            Meaning::Thing(thing) if self.things.contains(&thing) => Some((counted(SiteKind::Call), one.form.word())),
            Meaning::Unknown(last)
                if Some(last.as_str()) == self.member && one.form != Form::Value && !one.what.path.is_empty() =>
            {
                Some((SiteKind::Possible, one.form.word()))
            }
            Meaning::Thing(_) | Meaning::Unknown(_) | Meaning::Nothing => self.judge_through(path, one),
        }
    }

    /// `f.call(o)`, `f.apply(o)`, `f.bind(o)` and `f.bind(o)()`.
    fn judge_through(&self, path: &RepoPath, one: &Use) -> Option<(SiteKind, &'static str)> {
        let (last, rest) = one.what.path.split_last()?;
        let shorter = Denotes { base: one.what.base.clone(), path: rest.to_vec() };
        let kind = match (last.as_str(), one.form) {
            ("call" | "apply", Form::Call | Form::CallOfResult) => SiteKind::Call,
            ("bind", Form::CallOfResult) => SiteKind::Call,
            ("bind", Form::Call) => SiteKind::Value,
            _ => return None,
        };
        let form = match last.as_str() {
            "call" => ".call",
            "apply" => ".apply",
            _ => ".bind",
        };
        match self.join.meaning(path, &shorter) {
            Meaning::Thing(thing) if self.things.contains(&thing) => Some((kind, form)),
            Meaning::Unknown(name) if Some(name.as_str()) == self.member => Some((SiteKind::Possible, form)),
            _ => None,
        }
    }

    /// Imports that lead nowhere and say a name of the target: a site may hide behind each.
    fn unresolved(&self, program: &Program<'_>, path: &RepoPath, links: &Arc<Links>) -> Vec<String> {
        let file = path.below(program.root()).unwrap_or(path.as_str());
        let mut used: BTreeMap<&str, bool> = BTreeMap::new();
        for import in &links.imports {
            let Some(from) = import.from.as_deref() else { continue };
            let says = match &import.name {
                Some(name) => self.names.contains(name),
                None => self.uses_through(links, from),
            };
            *used.entry(from).or_insert(false) |= says;
        }
        used.into_iter()
            .filter(|&(from, says)| says && self.join.resolve(path, from) == Led::Unresolved)
            .map(|(from, _)| format!("{file}: {from}"))
            .collect()
    }

    /// Whether a whole module that is imported is used with a name of the target, or handed on by `export *`.
    fn uses_through(&self, links: &Links, from: &str) -> bool {
        let through =
            |what: &Denotes| what.path.iter().any(|name| self.names.contains(name)) && leads_to(links, what, from, 16);
        links.stars.iter().any(|star| star == from) || links.uses.iter().any(|one| through(&one.what))
    }
}

/// Whether an expression starts, through aliases, at this module.
fn leads_to(links: &Links, what: &Denotes, from: &str, steps: u32) -> bool {
    use factgate_syntax::links::{Base, Means};
    match &what.base {
        Base::Module(module) => module == from,
        Base::Symbol(index) if steps > 0 => match &links.symbols[*index].means {
            Means::Alias(other) => leads_to(links, other, from, steps - 1),
            _ => false,
        },
        _ => false,
    }
}
