//! `factgate match`: tries a pattern on code, and shows what it matches, what it binds, and what comes close.

use crate::args::{MatchArguments, PlainFormat};
use crate::commands::Ended;
use crate::commands::items::inside;
use crate::commands::steps;
use crate::config;
use crate::finding::{Code, Finding};
use crate::output::json;
use crate::output::matches::{self as output, Found};
use crate::pipeline::session::{Opened, Start};
use crate::report::Report;
use factgate_facts::Files;
use factgate_facts::pattern::{Env, Pattern, PatternText};
use factgate_facts::program::{Program, Scope};
use factgate_record::{RepoPath, Role};
use factgate_syntax::selector::Target;
use factgate_syntax::{LANGUAGES, Language, Limits, NodeId, Selector, language_for_path};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Read as _;

/// How much code that comes close is shown.
const NEAR: usize = 5;

/// Tries the pattern. That nothing matches is an answer, and no failure.
pub fn run(start: &Start, arguments: &MatchArguments) -> Ended {
    let mut report = Report { view: arguments.view.word(), ..Report::default() };
    let found = find(start, arguments, &mut report).unwrap_or_else(|error| {
        report.errors.push(error);
        Found::default()
    });
    let stdout = match arguments.format {
        PlainFormat::Text if report.errors.is_empty() => output::text(&found),
        PlainFormat::Text => String::new(),
        PlainFormat::Json => json::enveloped(&report, found),
    };
    Ended::of(&report, stdout)
}

fn find(start: &Start, arguments: &MatchArguments, report: &mut Report) -> Result<Found, Finding> {
    let (pattern, paths) = pattern_of(arguments)?;
    let opened = Opened::new(start, &arguments.view)?;
    let selectors = asked(start, &opened, arguments, paths)?;
    let languages: BTreeMap<&str, &'static Language> =
        selectors.iter().filter_map(|one| language_for_path(&one.path)).map(|one| (one.name, one)).collect();
    let patterns = patterns(&pattern, arguments.lang.as_deref(), &languages)?;
    let program = Program::new(&opened.files, RepoPath::default(), Limits::default());
    let each: Vec<(Found, Option<Finding>)> =
        selectors.par_iter().map(|one| in_scope(&program, one, &patterns)).collect();
    let mut found = Found::default();
    for (more, unread) in each {
        found.matches.extend(more.matches);
        found.near.extend(more.near);
        report.warnings.extend(unread);
    }
    found.near.sort_by_key(|near| std::cmp::Reverse(near.likeness));
    found.near.truncate(NEAR);
    Ok(found)
}

/// The pattern's code, and what is to be searched: the first argument is the pattern unless a file holds it.
fn pattern_of(arguments: &MatchArguments) -> Result<(String, &[String]), Finding> {
    let wrong = |what: &str, why: String| Finding::new(Code::Io, format!("{what} cannot be read: {why}"));
    if let Some(file) = &arguments.file {
        let text =
            std::fs::read_to_string(file).map_err(|error| wrong(&file.display().to_string(), error.to_string()))?;
        return Ok((text, &arguments.words));
    }
    let Some((first, paths)) = arguments.words.split_first() else {
        let finding = Finding::new(Code::Usage, "there is no pattern");
        return Err(finding
            .help("write it as one argument, as in `factgate match 'rm($$$)' src`, or name a file with `--file`"));
    };
    if first != "-" {
        return Ok((first.clone(), paths));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| wrong("stdin", error.to_string()))?;
    Ok((text, paths))
}

/// The files and items to search: what `--in` names, files and folders from the current folder, or all code of the view.
fn asked(
    start: &Start,
    opened: &Opened,
    arguments: &MatchArguments,
    paths: &[String],
) -> Result<Vec<Selector>, Finding> {
    let models = config::load(&opened.files, &[]).unwrap_or_default();
    let mut asked = Vec::new();
    for within in &arguments.within {
        let selector = steps::covered(within, &models)?;
        asked.push(Selector::parse(&selector).map_err(|error| Finding::new(Code::Selector, error.to_string()))?);
    }
    let is_whole = paths.is_empty() && asked.is_empty();
    let folders = if is_whole { vec![RepoPath::default()] } else { Vec::new() };
    let named = paths.iter().map(|path| inside(&opened.repository, start, path));
    let named: Vec<RepoPath> = named.chain(folders.into_iter().map(Ok)).collect::<Result<_, _>>()?;
    for (number, path) in named.iter().enumerate() {
        let is_below = |file: &&RepoPath| *file == path || path.as_str().is_empty() || file.below(path).is_some();
        let files = opened.files.list().map_err(|error| Finding::new(Code::Io, error.to_string()))?;
        let mut files: Vec<RepoPath> = files.iter().filter(is_below).cloned().collect();
        if files.is_empty() && opened.files.read(path).is_ok_and(|found| found.is_some()) {
            files.push(path.clone());
        }
        let code: Vec<&RepoPath> = files.iter().filter(|file| language_for_path(file.as_str()).is_some()).collect();
        if code.is_empty() {
            let said = paths.get(number).map_or("this view", String::as_str);
            return Err(Finding::new(Code::Usage, format!("{said} holds no code of a language that is read")));
        }
        let whole = |file: &RepoPath| Selector { path: file.to_string(), target: Target::File };
        asked.extend(code.into_iter().map(whole));
    }
    Ok(asked)
}

/// The pattern for each language of what is searched, or for the one that is asked for. It must be code of one of them.
fn patterns(
    code: &str,
    lang: Option<&str>,
    languages: &BTreeMap<&str, &'static Language>,
) -> Result<BTreeMap<&'static str, Pattern>, Finding> {
    let is_asked = |language: &Language| {
        lang.is_none_or(|lang| language.name.eq_ignore_ascii_case(lang) || language.extensions.contains(&lang))
    };
    if !LANGUAGES.iter().any(is_asked) {
        let known: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect();
        let finding = Finding::new(Code::Usage, format!("`{}` is no language", lang.unwrap_or_default()));
        return Err(finding.help(format!("name one by its ending: {}", known.join(", "))));
    }
    let text = PatternText::Code(code.to_owned());
    let (mut patterns, mut failed) = (BTreeMap::new(), None);
    for language in languages.values().filter(|language| is_asked(language)) {
        match Pattern::parse(language, &text) {
            Ok(pattern) => drop(patterns.insert(language.name, pattern)),
            Err(error) => drop(failed.get_or_insert(error)),
        }
    }
    match failed {
        Some(error) if patterns.is_empty() => {
            let offset = error.offset.min(code.len());
            let mark = format!("{}^", " ".repeat(code[..offset].chars().count()));
            let message = format!("`{code}` is no pattern: {}", error.message);
            let finding = Finding::new(Code::Pattern, message);
            Err(if code.contains('\n') { finding } else { finding.help(format!("here:\n  {code}\n  {mark}")) })
        }
        None if patterns.is_empty() => {
            let said = lang.unwrap_or("a language that is read");
            Err(Finding::new(Code::Usage, format!("nothing that is searched is code of `{said}`")))
        }
        _ => Ok(patterns),
    }
}

/// What one file or item holds; what is in the way of reading it besides.
fn in_scope(
    program: &Program<'_>,
    selector: &Selector,
    patterns: &BTreeMap<&'static str, Pattern>,
) -> (Found, Option<Finding>) {
    let Some(pattern) = language_for_path(&selector.path).and_then(|language| patterns.get(language.name)) else {
        return (Found::default(), None);
    };
    match program.scope(selector) {
        Ok(scope) => (of_scope(&scope, pattern), None),
        Err(error) => {
            let code = Code::of(error.code());
            let finding = error.place().cloned().map(|place| Finding::at(code, place, error.to_string()));
            let file = program.file_of(selector).unwrap_or_default();
            let finding = finding.unwrap_or_else(|| Finding::of_file(code, &file, error.to_string()));
            (Found::default(), Some(finding))
        }
    }
}

fn of_scope(scope: &Scope, pattern: &Pattern) -> Found {
    let mut found = Found::default();
    let all = pattern.find_all(&scope.tree, NodeId::ROOT, &Env::new());
    for one in &all {
        let bindings = one.env.iter().map(|(name, bound)| (name.to_owned(), bound.render())).collect();
        let span = factgate_syntax::Span { end: scope.tree.span(one.last).end, ..scope.tree.span(one.node) };
        found.matches.push(output::Match { at: scope.evidence_at(Role::Effect, span), bindings });
    }
    let received = pattern.with_other_receiver().into_iter().flat_map(|(other, how)| {
        let all = other.find_all(&scope.tree, NodeId::ROOT, &Env::new());
        all.into_iter().map(move |one| (one.node, format!("fits {how}: `{}`", other.text().code())))
    });
    for (node, difference) in received {
        let at = scope.evidence(Role::Effect, node);
        found.near.push(output::Near { at, difference, likeness: usize::MAX });
    }
    for near in pattern.near(&scope.tree, NodeId::ROOT, NEAR) {
        let is_told = |node: NodeId| found.near.iter().any(|known| known.at == scope.evidence(Role::Effect, node));
        if all.iter().all(|one| one.node != near.node) && !is_told(near.node) {
            let at = scope.evidence(Role::Effect, near.node);
            found.near.push(output::Near { at, difference: near.difference, likeness: near.words });
        }
    }
    found
}
