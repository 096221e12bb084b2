//! The covered items of a model as they are now, and what could not be read.

use crate::config::{Covered, Model, nearest};
use crate::finding::{Code, Finding};
use crate::pipeline::covered::{self, Read};
use crate::pipeline::moved::Moves;
use crate::pipeline::{hashes, renaming};
use factgate_facts::callees::callees;
use factgate_facts::ignore::Ignore;
use factgate_facts::program::{LoadError, Program, Scope, ScopeError};
use factgate_record::{Current, CurrentItem, ItemRecord, Place, Record, Renaming, RepoPath, Uncovered};
use factgate_syntax::{Problem, ProblemKind, Span, language_for_path};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What the errors and warnings of one gathering are put into.
#[derive(Debug, Default)]
pub struct Found {
    /// What could not be decided.
    pub errors: Vec<Finding>,
    /// What is worth a word.
    pub warnings: Vec<Finding>,
}

/// Reads every covered item. What the record knows and the code certainly lacks is removed; what the record does not
/// know and the code lacks is an error.
pub fn gather(
    model: &Model,
    program: &Program<'_>,
    recorded: Option<&Record>,
    moves: &Moves,
    current: &mut Current,
    out: &mut Found,
) {
    let read = |covered: &Covered| covered::read(program, &moves.follow(&covered.selector));
    let scopes: Vec<(&Covered, Result<Read, ScopeError>)> =
        model.cover.par_iter().map(|covered| (covered, read(covered))).collect();
    let mut seen = Seen::default();
    let mut told = BTreeSet::new();
    current.ignore = model.ignore.texts().to_vec();
    let reading = Reading::new(model, program, recorded, &scopes);
    let items: Vec<Option<CurrentItem>> =
        scopes.par_iter().map(|(covered, read)| Some(reading.item(&covered.text, read.as_ref().ok()?))).collect();
    for ((covered, read), item) in scopes.iter().zip(items) {
        current.items.extend(item.map(|item| (covered.text.clone(), item)));
        match read {
            Ok(Read::Bytes { .. }) => {}
            Ok(Read::Code(scope)) => {
                current.ends.insert(covered.text.clone(), scope.place_at(scope.span.end));
                seen.read(scope);
            }
            Err(error) => {
                let is_known = recorded.is_some_and(|recorded| recorded.items.contains_key(&covered.text));
                if is_known && error.is_missing() {
                    current.removed.insert(covered.text.clone(), moves.name(&covered.text));
                } else {
                    current.unread.push(covered.text.clone());
                    // A file that is not there is told once, however many of its items are covered.
                    if missing_file(error).is_none_or(|file| told.insert(file.clone())) {
                        out.errors.push(failure(error, covered, program));
                    }
                    seen.failed(error);
                }
            }
        }
    }
    seen.warnings(program, &mut out.warnings);
}

/// What it takes to hash the items as they are now, and as the record has them.
struct Reading<'a> {
    model: &'a Model,
    program: &'a Program<'a>,
    recorded: Option<&'a Record>,
    /// The covered items that could be read, by name.
    scopes: BTreeMap<&'a str, &'a Scope>,
    /// Their files.
    files: Vec<RepoPath>,
    /// What did not count when the record was made, where that is something else now.
    ignored: Option<Ignore>,
}

impl<'a> Reading<'a> {
    fn new(
        model: &'a Model,
        program: &'a Program<'a>,
        recorded: Option<&'a Record>,
        read: &'a [(&'a Covered, Result<Read, ScopeError>)],
    ) -> Reading<'a> {
        let code = |(covered, read): &'a (&'a Covered, Result<Read, ScopeError>)| match read {
            Ok(Read::Code(scope)) => Some((covered.text.as_str(), &**scope)),
            _ => None,
        };
        let differs = recorded.filter(|recorded| recorded.ignore != model.ignore.texts());
        // A pattern that this version cannot read ignores nothing, and what it made go away is seen.
        let ignored = differs.map(|recorded| Ignore::of(&recorded.ignore).unwrap_or_default());
        let scopes: BTreeMap<&str, &Scope> = read.iter().filter_map(code).collect();
        let files: BTreeSet<&RepoPath> = scopes.values().map(|scope| &scope.file).collect();
        let files = files.into_iter().cloned().collect();
        Reading { model, program, recorded, scopes, files, ignored }
    }

    fn item(&self, name: &str, read: &Read) -> CurrentItem {
        let Read::Code(scope) = read else { return CurrentItem::new(read.record(&self.model.ignore), read.at()) };
        let inside = |other: &(&&str, &&Scope)| hashes::is_inside(other.1, scope);
        let inner: BTreeMap<&str, &Scope> =
            self.scopes.iter().filter(inside).map(|(name, scope)| (*name, *scope)).collect();
        let record = hashes::of(scope, &self.model.ignore, &inner);
        let known = self.recorded.and_then(|recorded| recorded.items.get(name));
        let is_other = |known: &&ItemRecord| self.ignored.is_some() || known.inner != record.inner;
        let ignore = self.ignored.as_ref().unwrap_or(&self.model.ignore);
        let as_recorded =
            known.filter(is_other).map(|known| hashes::with_inner(scope, ignore, &known.inner, self.program));
        let now = as_recorded.as_ref().unwrap_or(&record);
        let renaming = match (known, self.recorded) {
            (Some(known), Some(recorded)) => renaming::judge(self.model, self.program, recorded, known, now),
            _ => Renaming::Unknown,
        };
        let callees = self.callees(scope, &inner);
        CurrentItem { record, as_recorded, callees, renaming, at: scope.place_at(scope.span.start) }
    }
}

impl Reading<'_> {
    /// What the item calls and nothing covers. What a covered item inside calls is told by that one.
    fn callees(&self, scope: &Scope, inner: &BTreeMap<&str, &Scope>) -> Vec<Uncovered> {
        let mut uncovered: Vec<Uncovered> = Vec::new();
        let is_inside =
            |at: &Place, scope: &Scope| scope.place_at(scope.span.start) <= *at && *at < scope.place_at(scope.span.end);
        let all = callees(self.program, scope, &self.files).into_iter();
        for callee in all.filter(|callee| !inner.values().any(|scope| is_inside(&callee.at, scope))) {
            let place = callee.file.below(self.program.root()).unwrap_or(callee.file.as_str());
            let item = format!("{place}#{}", callee.item);
            let is_covered =
                self.scopes.values().any(|scope| scope.file == callee.file && scope.span.contains(callee.span));
            if !is_covered && !uncovered.iter().any(|known| known.item == item) {
                uncovered.push(Uncovered { word: callee.word, item, at: callee.at });
            }
        }
        uncovered
    }
}

/// An error of a selector: in the code where it is one of the code, else where the selector is written.
pub fn failure(error: &ScopeError, covered: &Covered, program: &Program<'_>) -> Finding {
    let code = Code::of(error.code());
    match error {
        ScopeError::Broken { problems, .. } => at_first(code, problems, error.to_string(), covered, program),
        ScopeError::NoItem { problems, file, name, .. } if !problems.is_empty() => {
            let message = format!("{file} does not parse, so that `{name}` is missing proves nothing");
            at_first(Code::ParseError, problems, message, covered, program)
        }
        ScopeError::Load(load @ (LoadError::Source { .. } | LoadError::File(_))) => {
            Finding::of_file(code, load.file(), error.to_string())
        }
        ScopeError::Pattern { start, error: pattern, .. } => {
            let part = start + pattern.offset..covered.text.len();
            let span = covered.origin.document.inside_string(&covered.text, &covered.origin.span, part);
            covered.origin.document.finding(code, error.to_string(), span)
        }
        ScopeError::Load(LoadError::Missing { file }) => {
            suggested(covered.origin.finding(code, error.to_string()), file, program)
        }
        _ => covered.origin.finding(code, error.to_string()),
    }
}

/// The file that a selector names and that is not there.
pub fn missing_file(error: &ScopeError) -> Option<&RepoPath> {
    match error {
        ScopeError::Load(LoadError::Missing { file }) => Some(file),
        _ => None,
    }
}

/// With the code whose path is nearest to one that is not there, as selectors name it.
pub fn suggested(finding: Finding, missing: &RepoPath, program: &Program<'_>) -> Finding {
    let listed = program.files().list().unwrap_or_default();
    let code = listed.iter().filter(|path| language_for_path(path.as_str()).is_some());
    let below: Vec<&str> = code.filter_map(|path| path.below(program.root())).collect();
    // A file of the same name elsewhere is likelier than one of a like name here.
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let same: Vec<&str> = below.iter().copied().filter(|path| name(path) == name(missing.as_str())).collect();
    let known = if same.is_empty() { &below } else { &same };
    match missing.below(program.root()).and_then(|missing| nearest(missing, known)) {
        Some(near) if !listed.contains(missing) => finding.help(format!("did you mean `{near}`?")),
        _ => finding,
    }
}

fn at_first(
    code: Code,
    problems: &[(Place, String)],
    message: String,
    covered: &Covered,
    program: &Program<'_>,
) -> Finding {
    let Some((place, _)) = problems.first() else { return covered.origin.finding(code, message) };
    let finding = Finding::at(code, place.clone(), message);
    match program.source(&place.file) {
        Ok(source) => finding.in_source(source.text()),
        Err(_) => finding,
    }
}

/// The files that were read, and which of their places an item or an error already speaks for.
#[derive(Default)]
struct Seen {
    files: BTreeSet<RepoPath>,
    said: BTreeSet<Place>,
}

impl Seen {
    fn read(&mut self, scope: &Scope) {
        self.files.insert(scope.file.clone());
    }

    fn failed(&mut self, error: &ScopeError) {
        if let ScopeError::Broken { problems, .. } | ScopeError::NoItem { problems, .. } = error {
            self.said.extend(problems.iter().map(|(place, _)| place.clone()));
        }
    }

    /// A word on each file that has a problem which no covered item holds.
    fn warnings(&self, program: &Program<'_>, warnings: &mut Vec<Finding>) {
        for file in &self.files {
            let Ok(source) = program.source(file) else { continue };
            let place = |span: Span| program.place(file, &source, span.start);
            let is_other = |problem: &&Problem| !self.said.contains(&place(problem.span));
            let (conflicts, errors): (Vec<_>, Vec<_>) =
                source.problems().iter().filter(is_other).partition(is_conflict);
            for (code, others) in [(Code::MergeConflict, conflicts), (Code::ParseError, errors)] {
                let Some(first) = others.first() else { continue };
                let more = if others.len() == 1 { String::new() } else { format!(" (and {} more)", others.len() - 1) };
                let message = format!("{file}: {}, outside of what is covered{more}", first.message);
                warnings.push(Finding::at(code, place(first.span), message).in_source(source.text()));
            }
        }
    }
}

fn is_conflict(problem: &&Problem) -> bool {
    problem.kind == ProblemKind::Conflict
}
