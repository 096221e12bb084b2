//! `factgate explain`: what a code means, its usual causes, an example, and what to do.

use crate::args::{ExplainArguments, ExplainFormat};
use crate::commands::Ended;
use crate::config::nearest;
use crate::explain::{Entry, Family, all};
use crate::finding::{Code, Finding};
use crate::output::json;
use crate::report::Report;
use anstyle::Style;
use serde::Serialize;

const HEAD: Style = Style::new().bold();

#[derive(Serialize)]
struct Output {
    codes: Vec<OutputEntry>,
}

#[derive(Serialize)]
struct OutputEntry {
    code: &'static str,
    family: &'static str,
    means: &'static str,
    causes: &'static str,
    example: &'static str,
    then: &'static str,
}

/// Explains the codes that are named, or lists all.
pub fn run(arguments: &ExplainArguments) -> Ended {
    let asked = |entry: &Entry| arguments.codes.is_empty() || arguments.codes.iter().any(|code| is_called(entry, code));
    let found: Vec<(Family, &Entry)> = all().filter(|(_, entry)| asked(entry)).collect();
    let strange = arguments.codes.iter().filter(|code| !found.iter().any(|(_, entry)| is_called(entry, code)));
    let report = Report::of_errors("worktree", strange.map(|code| unknown(code)).collect());
    let stdout = match arguments.format {
        ExplainFormat::Text if arguments.codes.is_empty() => list(),
        ExplainFormat::Text => found.iter().map(|(family, entry)| text(*family, entry)).collect::<Vec<_>>().join("\n"),
        ExplainFormat::Json => json::enveloped(&report, Output { codes: found.into_iter().map(output).collect() }),
        ExplainFormat::Markdown => page(&found),
    };
    Ended::of(&report, stdout)
}

/// Whether somebody means this code: as it is written, with a blank for the hyphen, or as JSON and messages have it.
fn is_called(entry: &Entry, code: &str) -> bool {
    entry.code == code.trim().to_lowercase().replace([' ', '_'], "-")
}

fn unknown(code: &str) -> Finding {
    let known: Vec<&str> = all().map(|(_, entry)| entry.code).collect();
    let near = nearest(code, &known).map(|near| format!("did you mean `{near}`?"));
    let finding = Finding::new(Code::Usage, format!("there is no code `{code}`"));
    finding.help(near.unwrap_or_else(|| "`factgate explain` lists all codes".to_owned()))
}

fn list() -> String {
    let width = all().map(|(_, entry)| entry.code.len()).max().unwrap_or(0);
    let one = |entry: &Entry| format!("  {HEAD}{:width$}{HEAD:#}   {}\n", entry.code, entry.means);
    let family =
        |family: Family| format!("{}\n{}", family.heading(), family.entries().iter().map(one).collect::<String>());
    Family::ALL.map(family).join("\n")
}

fn text(family: Family, entry: &Entry) -> String {
    let Entry { code, means, causes, example, then } = entry;
    let example: String = example.lines().map(|line| format!("      {line}\n")).collect();
    format!(
        "{HEAD}{code}{HEAD:#}   {}\n  {means}\n  {HEAD}usual causes{HEAD:#}   {causes}\n  {HEAD}example{HEAD:#}\n{example}  {HEAD}what to do{HEAD:#}   {then}\n",
        family.word()
    )
}

fn output((family, entry): (Family, &Entry)) -> OutputEntry {
    let Entry { code, means, causes, example, then } = *entry;
    OutputEntry { code, family: family.word(), means, causes, example, then }
}

/// The page of the documentation: everything is made from the table.
fn page(found: &[(Family, &Entry)]) -> String {
    let mut page = "# Codes\n\nWhat every code in the output means. `factgate explain CODE` prints the same; this page is made with\n\
        `factgate explain --format markdown > docs/reasons.md`.\n"
        .to_owned();
    for family in Family::ALL {
        let mut entries = found.iter().filter(|(of, _)| *of == family).peekable();
        if entries.peek().is_none() {
            continue;
        }
        page.push_str(&format!("\n## {}\n", family.heading()));
        for (_, Entry { code, means, causes, example, then }) in entries {
            let example: String = example.lines().map(|line| format!("    {line}\n")).collect();
            page.push_str(&format!(
                "\n### `{code}`\n\n{means}\n\n- Usual causes: {causes}\n- What to do: {then}\n\n{example}"
            ));
        }
    }
    page
}
