//! Facts for people: a line a fact; explained, with the source that decides it.

use crate::report::Report;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use factgate_record::{CurrentSite, Evidence, Fact, FactValue, Reason, RepoPath, Role};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

const TRUE: Style = AnsiColor::Green.on_default().bold();
const FALSE: Style = AnsiColor::Red.on_default().bold();
const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();

/// The sources that evidence lies in, by path.
pub type Sources = BTreeMap<RepoPath, Arc<str>>;

/// One line a fact.
pub fn render(report: &Report) -> String {
    lines(report, |_| String::new())
}

/// One line a fact, and below it the source with the deciding places marked; then the call sites, a line a site, with
/// the form of the use.
pub fn explain(report: &Report, sources: &Sources) -> String {
    let mut text = lines(report, |fact| self::evidence(fact, sources));
    for model in &report.models {
        for (key, sites) in &model.sites {
            text.push_str(&format!("calls of {key}\n"));
            sites.iter().for_each(|site| text.push_str(&self::site(site)));
            let unresolved = model.calls.get(key).map(|calls| calls.unresolved.as_slice()).unwrap_or_default();
            unresolved.iter().for_each(|import| text.push_str(&format!("  unresolved import   {import}\n")));
        }
    }
    text
}

fn site(site: &CurrentSite) -> String {
    let CurrentSite { name, kind, form, place, text } = site;
    let kind = if *kind == "possible" { "possible " } else { "" };
    format!("  {kind}{form}   {name}   {}:{}: {text}\n", place.file, place.line)
}

fn lines(report: &Report, below: impl Fn(&Fact) -> String) -> String {
    let mut text = String::new();
    for model in &report.models {
        if report.models.len() > 1 {
            text.push_str(&format!("{}\n", model.name));
        }
        let width = model.facts.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, fact) in &model.facts {
            text.push_str(&format!("{name:width$}   {}\n", line(fact)));
            text.push_str(&below(fact));
        }
    }
    text
}

fn line(fact: &Fact) -> String {
    let style = match &fact.value {
        None => UNKNOWN,
        Some(FactValue::Bool(true)) => TRUE,
        Some(FactValue::Bool(false)) => FALSE,
        Some(_) => Style::new(),
    };
    let value = fact.value.as_ref().map_or("unknown".to_owned(), ToString::to_string);
    let mut text = format!("{style}{value}{style:#}");
    if let Some(reason) = fact.reason {
        text.push_str(&format!("   {}", reason.code()));
        text.extend(fact.detail.as_ref().map(|detail| format!(": {detail}")));
    }
    text
}

fn evidence(fact: &Fact, sources: &Sources) -> String {
    let renderer = Renderer::styled();
    let mut files: BTreeMap<&RepoPath, Vec<&Evidence>> = BTreeMap::new();
    for evidence in fact.evidence.iter().filter(|evidence| evidence.role != Role::Scope) {
        files.entry(&evidence.place.file).or_default().push(evidence);
    }
    let mut text = String::new();
    for (file, evidence) in files {
        let Some(source) = sources.get(file) else { continue };
        let mut snippet = Snippet::source(source.as_ref()).path(file.as_str());
        for evidence in evidence {
            let kind = match evidence.role {
                Role::Breach | Role::Effect => AnnotationKind::Primary,
                _ => AnnotationKind::Context,
            };
            snippet = snippet.annotation(kind.span(span(source, evidence)).label(label(fact, evidence.role)));
        }
        let group = Level::NOTE.primary_title("read here").element(snippet);
        text.push_str(&format!("{}\n", renderer.render(&[group])));
    }
    text
}

/// What a place has to do with the fact.
fn label(fact: &Fact, role: Role) -> &'static str {
    match (role, fact.reason) {
        (Role::Breach, Some(Reason::Unguarded)) => "this way is unchecked",
        (Role::Breach, Some(Reason::NotPassed)) => "this way does not pass it",
        (Role::Breach, Some(Reason::NotFollowed)) => "leaves without it",
        (Role::Breach, Some(Reason::WrongOutcome)) => "check, with the other outcome",
        (Role::Breach, Some(Reason::Reassigned)) => "assigned in between",
        (Role::Breach, Some(Reason::Interrupted)) => "comes in between",
        (Role::Breach, Some(Reason::StaleCheck)) => "makes the check an old one",
        (Role::Breach, Some(Reason::Present)) => "must not be there",
        (role, _) => self::role(role),
    }
}

/// The word for what a piece of evidence is.
fn role(role: Role) -> &'static str {
    match role {
        Role::Scope => "scope",
        Role::Effect => "effect",
        Role::Check => "check",
        Role::Passed => "passed",
        Role::Breach => "breaks it",
        Role::NearMiss => "came close",
        Role::Source => "source",
    }
}

/// The bytes of a piece of evidence, its first line only where it spans many.
fn span(source: &str, evidence: &Evidence) -> Range<usize> {
    let start = offset(source, evidence.place.line, evidence.place.column);
    let end = offset(source, evidence.end_line, evidence.end_column).max(start);
    let first = source[start..end].find('\n').map_or(end, |at| start + at);
    start..if first > start { first } else { end }
}

fn offset(source: &str, line: u32, column: u32) -> usize {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = source.get(start..).unwrap_or("");
    start + rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at)
}
