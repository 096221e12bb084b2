//! The call sites of a model's watched functions.

use crate::config::{Model, Watched, WatchedBy};
use crate::finding::{Code, Finding};
use crate::pipeline::facts::Compiled;
use crate::pipeline::items::{self, Found};
use crate::pipeline::moved::Moves;
use crate::pipeline::patterns::text;
use factgate_facts::calls::{self, SiteKind, UnreadPart, Watch};
use factgate_facts::pattern::{Matching, Pattern};
use factgate_facts::program::Program;
use factgate_record::{CallRecord, Current, CurrentCalls, CurrentSite, Record, RepoPath, is_inside};
use factgate_syntax::{LANGUAGES, Selector, language_for_path};
use globset::GlobSet;
use std::sync::Arc;

/// The patterns of a call shape, each for every language that it is code of; none is an error.
pub fn shapes(watched: &Watched, wrong: &mut Vec<Finding>) -> Vec<Pattern> {
    let WatchedBy::Shape(shapes) = &watched.by else { return Vec::new() };
    let mut patterns: Vec<Pattern> = Vec::new();
    for shape in shapes {
        let code = text(&shape.value);
        let read: Vec<_> = LANGUAGES.iter().map(|language| Pattern::parse(language, &code)).collect();
        if let Some(Err(error)) = read.first()
            && read.iter().all(Result::is_err)
        {
            let document = &shape.origin.document;
            let part = document.inside_string(code.code(), &shape.origin.span, error.offset..code.code().len());
            let message = format!("`{}` is no pattern: {}", code.code(), error.message);
            wrong.push(document.finding(Code::Pattern, message, part));
        }
        patterns.extend(read.into_iter().flatten());
    }
    for (name, regex) in &watched.matching {
        if !patterns.iter().any(|pattern| pattern.names().contains(name.as_str())) {
            let message = format!("`matching` restricts `${name}`, and no pattern here has it");
            wrong.push(regex.origin.finding(Code::Pattern, message));
        }
    }
    patterns
}

/// Finds the sites of every `[[calls]]` entry.
pub fn gather(
    model: &Model,
    compiled: &Compiled,
    program: &Program<'_>,
    recorded: Option<&Record>,
    moves: &Moves,
    current: &mut Current,
    out: &mut Found,
) {
    let mut watches: Vec<Watch> = Vec::new();
    for (key, watched) in &model.calls {
        let known = recorded.and_then(|recorded| recorded.calls.get(key));
        let searched = files(watched, known, moves);
        let gone = gone(watched, program, moves).filter(|of| known.is_some() && moves.was_there(of));
        if searched.is_none() || gone.is_some() {
            current.unswept.insert(key.clone());
            out.errors.extend(watched.nothing.iter().filter(|_| searched.is_none()).cloned());
            current.removed.extend(gone.map(|of| (of.to_owned(), moves.name(of))));
        } else if let Some(within) = searched {
            watches.push(watch(key, watched, within, compiled, moves));
        }
    }
    if watches.is_empty() {
        return;
    }
    let swept = calls::sweep(program, &watches);
    for (key, sites) in &swept.calls {
        let found = sites.sites.iter().map(told).collect();
        let of_key = CurrentCalls { record: sites.record.clone(), places: sites.places(), sites: found };
        current.calls.insert(key.clone(), of_key);
    }
    for unread in swept.unread {
        let (file, word, keys) = (&unread.at.file, &unread.word, unread.keys.join("`, `"));
        let message = match unread.part {
            UnreadPart::Whole => {
                format!("{file} is not read, and says `{word}`: a call of `{keys}` may stand there unseen")
            }
            UnreadPart::Markup => {
                format!(
                    "the markup of {file} is not read, and says `{word}`: a call of `{keys}` may stand there unseen"
                )
            }
            UnreadPart::Rest => {
                format!("only the scripts of {file} are read: what they make of `{word}` may be called in its markup")
            }
        };
        out.warnings.push(Finding::at(Code::Limit, unread.at, message));
    }
    for problem in swept.problems {
        let code = Code::of(problem.code);
        current.unswept.extend(problem.key.clone());
        let of = problem.key.as_ref().and_then(|key| model.calls.get(key)).map(|watched| &watched.by);
        out.errors.push(match (problem.at, of) {
            (Some(place), _) => Finding::at(code, place, problem.message),
            (None, Some(WatchedBy::Definition(of))) => {
                items::suggested(of.origin.finding(code, problem.message), &problem.file, program)
            }
            (None, Some(WatchedBy::Outside(of))) => of.origin.finding(code, problem.message),
            (None, _) => Finding::of_file(code, &problem.file, problem.message),
        });
    }
}

fn told(site: &calls::Site) -> CurrentSite {
    let kind = match site.kind {
        SiteKind::Call => "calls",
        SiteKind::Value => "values",
        SiteKind::Possible => "possible",
    };
    let (name, place, text) = (site.name.clone(), site.place.clone(), site.text.clone());
    CurrentSite { name, kind, form: site.form, place, text }
}

/// The selector of a watched definition that is certainly gone. One that stands elsewhere is followed.
fn gone<'w>(watched: &'w Watched, program: &Program<'_>, moves: &Moves) -> Option<&'w str> {
    let WatchedBy::Definition(of) = &watched.by else { return None };
    let error = program.scope(&moves.follow(&of.selector)).err()?;
    error.is_missing().then_some(of.text.as_str())
}

/// The globs of an entry, and the files that stand elsewhere now, or hold what does: of those that the globs named, and of
/// items with recorded sites. `None` for no file at all.
fn files(watched: &Watched, known: Option<&CallRecord>, moves: &Moves) -> Option<GlobSet> {
    let is_match = |path: &str| watched.globs.is_match(path);
    let files = moves.files.iter().filter(|(old, _)| is_match(old)).map(|(_, to)| to.item.clone());
    let sites = || known.into_iter().flat_map(CallRecord::sites);
    let items = moves.items.iter().filter(|(old, _)| sites().any(|site| is_inside(site, old)));
    let holders = items.filter_map(|(_, to)| Some(Selector::parse(&to.item).ok()?.path));
    let moved: Vec<String> = files.chain(holders).filter(|path| !is_match(path)).collect();
    if moved.is_empty() {
        let is_code = |path: &RepoPath| language_for_path(path.as_str()).is_some();
        return watched.within.iter().any(is_code).then(|| watched.globs.clone());
    }
    watched.with_files(&moved)
}

fn watch(key: &str, watched: &Watched, within: GlobSet, compiled: &Compiled, moves: &Moves) -> Watch {
    let of = match &watched.by {
        WatchedBy::Definition(of) => calls::Watched::Definition(moves.follow(&of.selector)),
        WatchedBy::Outside(of) => calls::Watched::Outside(of.value.clone()),
        WatchedBy::Shape(_) => {
            let pairs = watched.matching.iter().map(|(name, regex)| (name.as_str(), regex.value.as_str()));
            let matching = Matching::parse(pairs).map(Arc::new).unwrap_or_default();
            calls::Watched::Shape { patterns: compiled.shapes.get(key).cloned().unwrap_or_default(), matching }
        }
    };
    Watch { key: key.to_owned(), of, within }
}
