//! The verdict for people: a line a model, a line a STALE thing, and what to do next.

use crate::cause::Cause;
use crate::exit::Exit;
use crate::output::runs_text;
use crate::report::{ModelReport, Report, StaleReport, SyncReport};
use anstyle::{AnsiColor, Style};
use std::collections::BTreeSet;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A line a model that is not in sync.
    Brief,
    /// What is STALE, too, and what to do.
    Usual,
    /// What is in sync, too.
    Full,
}

/// The verdict of `check`.
pub fn render(report: &Report, detail: Detail) -> String {
    let width = report.models.iter().map(|model| model.name.chars().count()).max().unwrap_or(0);
    if detail == Detail::Brief {
        let shown = report.models.iter().filter(|model| model.exit() != Exit::Fine);
        return shown
            .map(|model| verdict(model, width, &Cause::all(model.stale.as_deref().unwrap_or_default())))
            .collect();
    }
    let mut text: String = report.models.iter().map(|model| self::model(model, width, detail)).collect();
    let mut said = BTreeSet::new();
    for step in report.models.iter().flat_map(|model| &model.next).filter(|step| said.insert(*step)) {
        text.push_str(&format!("{step}\n"));
    }
    text
}

/// The line of a model.
fn verdict(model: &ModelReport, width: usize, causes: &[Cause<'_>]) -> String {
    let name = format!("{:width$}", model.name);
    let sync = model.sync.clone().unwrap_or_default();
    match (causes.len(), model.exit()) {
        (0, Exit::Undecided) => format!("{name}   {UNKNOWN}undecided{UNKNOWN:#}: see the errors\n"),
        (0, _) => format!("{name}   {GOOD}in sync{GOOD:#} with {}\n", since(&sync)),
        (count, _) => format!("{name}   {BAD}{count} STALE{BAD:#} since {}\n", since(&sync)),
    }
}

fn model(model: &ModelReport, width: usize, detail: Detail) -> String {
    let causes = Cause::all(model.stale.as_deref().unwrap_or_default());
    let mut text = verdict(model, width, &causes);
    causes.iter().for_each(|cause| text.push_str(&self::cause(cause)));
    model.notes.iter().for_each(|note| text.push_str(&self::note(note)));
    if detail == Detail::Full && model.stale.is_some() {
        text.push_str(&fresh(model));
    }
    text.push_str(&runs_text::render(&model.runs));
    text.push_str(&model.total.as_ref().map(runs_text::total).unwrap_or_default());
    text
}

/// What is as it was confirmed.
fn fresh(model: &ModelReport) -> String {
    let stale = model.stale.iter().flatten().chain(&model.notes);
    let told: BTreeSet<&str> =
        stale.flat_map(|one| one.stale.callee.as_deref().into_iter().chain([one.stale.item.as_str()])).collect();
    let line = |kind: &str, name: &str, what: String| format!("  {GOOD}{kind:<13}{GOOD:#} {name}   {what}\n");
    let is_fresh = |name: &&String| !told.contains(name.as_str());
    let items = model.items.keys().filter(is_fresh).map(|name| {
        let at = &model.items[name].at;
        line("in sync", name, format!("{}:{}:{}", at.file, at.line, at.column))
    });
    let known = model.facts.iter().filter_map(|(name, fact)| Some((name, fact.value.as_ref()?)));
    let facts = known.filter(|(name, _)| is_fresh(name)).map(|(name, value)| line("fact", name, value.to_string()));
    let calls = model.calls.keys().filter(is_fresh).map(|key| {
        let count = model.calls[key].sites().count();
        line("calls", key, if count == 1 { "1 site".to_owned() } else { format!("{count} sites") })
    });
    items.chain(facts).chain(calls).collect()
}

/// What differs and is no drift.
fn note(note: &StaleReport) -> String {
    let commits = note.commits.iter().map(|commit| {
        let short: String = commit.id.chars().take(7).collect();
        format!("   {short} {}", commit.subject)
    });
    format!("  {:<13} {}{FAINT}{}{FAINT:#}\n", "note", note.line(), commits.collect::<String>())
}

fn cause(cause: &Cause<'_>) -> String {
    let lines = cause.lines();
    let mut text = format!("  {BAD}{:<13}{BAD:#} {}", lines.head.kind, lines.head.text);
    let mut commits = cause.first().commits.iter().map(|commit| {
        let short: String = commit.id.chars().take(7).collect();
        format!("{FAINT}{short} {}{FAINT:#}", commit.subject)
    });
    if let Some(first) = commits.next() {
        text.push_str(&format!("   {first}"));
    }
    text.push('\n');
    commits.for_each(|commit| text.push_str(&format!("{:16} {commit}\n", "")));
    for line in lines.below {
        text.push_str(&format!("    {BAD}{:<13}{BAD:#} {}\n", line.kind, line.text));
    }
    text
}

/// `3a32edf (2026-10-25, 12 commits ago)`, or why that is not known.
pub fn since(sync: &SyncReport) -> String {
    let Some(commit) = &sync.commit else {
        return match sync.note {
            Some("unborn") => "a record that no commit holds yet (there is no commit)".to_owned(),
            Some("uncommitted") => "a record that no commit holds yet".to_owned(),
            Some(note) => format!("a commit that is unknown ({note})"),
            None => "a commit that is unknown".to_owned(),
        };
    };
    let short: String = commit.id.chars().take(7).collect();
    let mut parts = Vec::new();
    parts.extend(sync.date.as_ref().map(|date| date.chars().take(10).collect::<String>()));
    parts.extend(sync.commits_since.map(|count| match count {
        0 => "the newest commit".to_owned(),
        1 => "1 commit ago".to_owned(),
        count => format!("{count} commits ago"),
    }));
    parts.extend(sync.note.map(|note| match note {
        "uncommitted" => "with uncommitted changes to the record".to_owned(),
        note => format!("history unknown ({note})"),
    }));
    format!("{short} ({})", parts.join(", "))
}
