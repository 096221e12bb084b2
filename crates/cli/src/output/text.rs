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

/// The verdict of `check`.
pub fn render(report: &Report) -> String {
    let width = report.models.iter().map(|model| model.name.chars().count()).max().unwrap_or(0);
    let mut text: String = report.models.iter().map(|model| self::model(model, width)).collect();
    let mut said = BTreeSet::new();
    for step in report.models.iter().flat_map(|model| &model.next).filter(|step| said.insert(*step)) {
        text.push_str(&format!("{step}\n"));
    }
    text
}

fn model(model: &ModelReport, width: usize) -> String {
    let name = format!("{:width$}", model.name);
    let sync = model.sync.clone().unwrap_or_default();
    let causes = Cause::all(model.stale.as_deref().unwrap_or_default());
    let mut text = match (causes.len(), model.exit()) {
        (0, Exit::Undecided) => format!("{name}   {UNKNOWN}undecided{UNKNOWN:#}: see the errors\n"),
        (0, _) => format!("{name}   {GOOD}in sync{GOOD:#} with {}\n", since(&sync)),
        (count, _) => format!("{name}   {BAD}{count} STALE{BAD:#} since {}\n", since(&sync)),
    };
    causes.iter().for_each(|cause| text.push_str(&self::cause(cause)));
    model.notes.iter().for_each(|note| text.push_str(&self::note(note)));
    text.push_str(&runs_text::render(&model.runs));
    text.push_str(&model.total.as_ref().map(runs_text::total).unwrap_or_default());
    text
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
