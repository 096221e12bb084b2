//! Differences line by line, for people and as data.

use crate::commands::diff::Sides;
use crate::output::diff_rows::{Row, Side};
use crate::output::json;
use crate::report::Report;
use anstyle::{AnsiColor, Style};
use factgate_record::StaleKind;
use factgate_syntax::is_hidden;
use serde::Serialize;

const HEAD: Style = Style::new().bold();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const FAINT: Style = Style::new().dimmed();

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
    let (Some(rows), true) = (sides.rows(), sides.recorded.is_some() || sides.current.is_some()) else {
        let now = sides.current.iter().flat_map(|code| code.text.lines());
        let now: String = now.map(|line| format!("  {}\n", shown(line))).collect();
        let why = "  its source at the sync commit is not known; this is the code of now:";
        return if now.is_empty() { now } else { format!("{FAINT}{why}{FAINT:#}\n{now}") };
    };
    if rows.is_empty() && sides.stale.stale.kind == StaleKind::Changed {
        return "  equal to its source at the sync commit: it was confirmed from other code\n".to_owned();
    }
    let mut text = sides.change().map_or_else(String::new, |change| format!("  {change}\n"));
    let width = rows.iter().map(|row| row.line.to_string().len()).max().unwrap_or(1);
    text.extend(rows.iter().map(|row| line(row, width)));
    text
}

/// One row: its side, its number, its text; what differs in it stands out.
fn line(row: &Row, width: usize) -> String {
    let (mark, style) = match row.side {
        Side::Gap => return format!("{FAINT}  …{FAINT:#}\n"),
        Side::Both => (' ', Style::new()),
        Side::Recorded => ('-', OLD),
        Side::Current => ('+', NEW),
    };
    let strong = style.bold().underline();
    let mut text = format!("{style}{mark} {:>width$}  {style:#}", row.line);
    let letters: Vec<char> = row.text.chars().collect();
    let mut from = 0;
    for &(start, end) in &row.changed {
        let [start, end] = [start, end].map(|column| (column as usize - 1).clamp(from, letters.len()));
        let [before, changed] =
            [from..start, start..end].map(|range| shown(&letters[range].iter().collect::<String>()));
        text.push_str(&format!("{style}{before}{style:#}{strong}{changed}{strong:#}"));
        from = end;
    }
    let rest = shown(&letters[from..].iter().collect::<String>());
    format!("{}\n", format!("{text}{style}{rest}{style:#}").trim_end())
}

/// Code as a terminal can show it: nothing in it turns the direction of other text, or tells the terminal anything.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        match letter {
            '\t' => shown.push_str("    "),
            letter if is_hidden(letter) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(letter))),
            letter => shown.push(letter),
        }
    }
    shown
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
    /// What the change did, in one sentence.
    did: Option<String>,
    recorded: Option<&'r str>,
    current: Option<&'r str>,
    /// The lines that differ, and a little around.
    lines: Vec<Row>,
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
        did: sides.change(),
        recorded: sides.recorded.as_ref().map(|code| code.text.as_str()),
        current: sides.current.as_ref().map(|code| code.text.as_str()),
        lines: sides.rows().unwrap_or_default(),
    }
}
