//! Differences line by line, for people and as data.

use crate::commands::diff::{Past, Sides};
use crate::output::json;
use crate::report::Report;
use anstyle::{AnsiColor, Style};
use factgate_record::StaleKind;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

const HEAD: Style = Style::new().bold();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const FAINT: Style = Style::new().dimmed();

/// Unchanged lines around a changed one.
const CONTEXT: usize = 3;

/// One STALE thing: what and how, the commits, the lines.
pub fn render(sides: &Sides) -> String {
    let stale = &sides.stale;
    let mut text = format!("{HEAD}{} {}{HEAD:#}\n", stale.stale.kind.word(), stale.line());
    for commit in &stale.commits {
        let short: String = commit.id.chars().take(7).collect();
        text.push_str(&format!("{FAINT}  {short} {}{FAINT:#}\n", commit.subject));
    }
    text.push_str(&lines(sides));
    text.push('\n');
    text
}

fn lines(sides: &Sides) -> String {
    let kind = sides.stale.stale.kind;
    let may_be_new = matches!(kind, StaleKind::CallAdded | StaleKind::File) && sides.past == Past::Known;
    let (old, new) = match (&sides.recorded, &sides.current) {
        (None, None) => return String::new(),
        (Some(old), None) => (old.as_str(), ""),
        (Some(old), Some(new)) => (old.as_str(), new.as_str()),
        (None, Some(new)) if may_be_new || kind == StaleKind::Unrecorded => ("", new.as_str()),
        (None, Some(new)) => {
            let now: String = new.lines().map(|line| format!("  {line}\n")).collect();
            return format!(
                "{FAINT}  its source at the sync commit is not known; this is the code of now:{FAINT:#}\n{now}"
            );
        }
    };
    if old == new {
        return match kind {
            StaleKind::Changed => "  equal to its source at the sync commit: it was confirmed from other code\n".into(),
            _ => String::new(),
        };
    }
    let diff = TextDiff::from_lines(old, new);
    let mut text = String::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            text.push_str(&format!("{FAINT}  …{FAINT:#}\n"));
        }
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let line = change.value().trim_end_matches('\n');
            text.push_str(&match change.tag() {
                ChangeTag::Delete => format!("{OLD}- {line}{OLD:#}\n"),
                ChangeTag::Insert => format!("{NEW}+ {line}{NEW:#}\n"),
                ChangeTag::Equal => format!("  {line}\n"),
            });
        }
    }
    text
}

#[derive(Serialize)]
struct Output<'r> {
    differences: Vec<Difference<'r>>,
}

#[derive(Serialize)]
struct Difference<'r> {
    model: &'r str,
    #[serde(flatten)]
    stale: json::Stale<'r>,
    recorded: Option<&'r str>,
    current: Option<&'r str>,
}

/// Everything as one object; both sides whole.
pub fn json(report: &Report, shown: &[Sides]) -> String {
    let body = Output { differences: shown.iter().map(difference).collect() };
    json::enveloped(report, body)
}

fn difference(sides: &Sides) -> Difference<'_> {
    Difference {
        model: &sides.model,
        stale: json::stale(&sides.stale),
        recorded: sides.recorded.as_deref(),
        current: sides.current.as_deref(),
    }
}
