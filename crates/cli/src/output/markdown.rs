//! The verdict as Markdown, for the summary of a job or a comment of a pull request: verdict, what breaks, causes, counts.
//!
//! Names, source and the engine's words may hold any letter. They stand in code spans and fences that are longer than any
//! row of backticks inside, without line breaks and invisible letters, so that nothing in them is Markdown or HTML.

use crate::cause::Cause;
use crate::exit::Exit;
use crate::finding::Finding;
use crate::output::text::since;
use crate::report::{ModelReport, Report, Role, RunReport};
use crate::run_groups::Group;
use factgate_checker::{Counterexample, Ending};
use factgate_syntax::is_hidden;

/// All of it, in bytes: a page has less than 4 kB.
const LONGEST: usize = 3900;
/// One text, in characters.
const SPAN: usize = 160;
/// The steps that are shown of a counterexample: the first and the last ones.
const STEPS: usize = 16;
/// Of a list.
const SHOWN: usize = 12;

/// A heading a model, and below it what there is to see.
pub fn render(report: &Report) -> String {
    let mut page = Page::default();
    page.add(&format!("## factgate: {}\n", verdict(report.exit())));
    for model in &report.models {
        page.add(&format!("\n### {}: {}\n", code(&model.name), headline(model)));
        let failing = Group::failing(model);
        let base = |group: &&Group<'_>| group.head.role == Role::Base;
        failing.iter().filter(base).for_each(|group| violation(&mut page, group));
        causes(&mut page, model);
        let others: Vec<String> = failing.iter().filter(|group| !base(group)).map(told).collect();
        list(&mut page, &others, "runs");
        list(&mut page, &findings(&model.errors), "errors");
        counts(&mut page, model);
    }
    list(&mut page, &findings(&report.errors), "errors");
    page.text()
}

/// Blocks, as far as they fit.
#[derive(Default)]
struct Page {
    text: String,
    left_out: usize,
}

impl Page {
    fn add(&mut self, block: &str) {
        if self.text.len() + block.len() <= LONGEST - 100 {
            self.text.push_str(block);
        } else {
            self.left_out += 1;
        }
    }

    fn text(self) -> String {
        match self.left_out {
            0 => self.text,
            _ => format!(
                "{}\nThere is more than fits here: the job's log, or `factgate check`, has all of it.\n",
                self.text
            ),
        }
    }
}

fn verdict(exit: Exit) -> &'static str {
    match exit {
        Exit::Fine => "in sync",
        Exit::Drift => "STALE",
        Exit::Unexpected => "a run came out otherwise than expected",
        Exit::Undecided => "undecided",
    }
}

fn headline(model: &ModelReport) -> String {
    let sync = model.sync.clone().unwrap_or_default();
    let count = Cause::all(model.stale.as_deref().unwrap_or_default()).len();
    match (count, model.exit()) {
        (0, Exit::Undecided) => "undecided".to_owned(),
        (0, _) => format!("in sync with {}", code(&since(&sync))),
        (count, _) => format!("{count} STALE since {}", code(&since(&sync))),
    }
}

/// What breaks in the model as the code is, with its counterexample.
fn violation(page: &mut Page, group: &Group<'_>) {
    page.add(&format!("\n{}\n", told(group)));
    if let Some(counterexample) = &group.head.counterexample {
        page.add(&fenced(&steps(group.head, counterexample)));
    }
}

/// `run current: violated Safe`, what is said of it, and the runs that fail for the same reason.
fn told(group: &Group<'_>) -> String {
    let run = group.head;
    let why = run.detail.as_deref().and_then(|detail| detail.lines().next()).map(|why| format!(": {}", code(why)));
    let others = group.names().map(|names| format!("; the same in {}", code(&names))).unwrap_or_default();
    format!("run {} came to {}{}{others}", code(&run.name), code(&run.outcome), why.unwrap_or_default())
}

fn steps(run: &RunReport, counterexample: &Counterexample) -> Vec<String> {
    let all = counterexample.steps.iter().enumerate().map(|(index, step)| {
        let action = step.action.as_deref().unwrap_or(if index == 0 { "start" } else { "?" });
        let changes: Vec<String> = step.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let code = index.checked_sub(1).and_then(|at| run.lines_of(at)).map(|lines| format!("   {lines}"));
        format!("{index:>3}  {action:<16} {}{}", changes.join(", "), code.unwrap_or_default())
    });
    let mut lines: Vec<String> = all.collect();
    match &counterexample.ending {
        Ending::Finite => {}
        Ending::Stuttering => lines.push("     and nothing ever happens again".to_owned()),
        Ending::Loop { back_to, action } => {
            lines.push(format!("     {} leads back to {back_to}, for ever", action.as_deref().unwrap_or("?")));
        }
    }
    if lines.len() > STEPS {
        let hidden = lines.len() - STEPS;
        let note = format!("     … {hidden} more; `factgate verify --run {}` has all", run.name);
        lines.splice(STEPS / 2..STEPS / 2 + hidden, [note]);
    }
    lines
}

/// A line a cause; what follows from it is counted.
fn causes(page: &mut Page, model: &ModelReport) {
    let cause = |cause: &Cause<'_>| {
        let lines = cause.lines();
        let commit = cause.first().commits.first().map(|commit| format!(", {}", code(&commit.subject)));
        let below = match lines.below.len() {
            0 => String::new(),
            count => format!("; {count} more follow from it"),
        };
        format!("**{}** {}{}{below}", lines.head.kind, code(&lines.head.text), commit.unwrap_or_default())
    };
    let causes: Vec<String> = Cause::all(model.stale.as_deref().unwrap_or_default()).iter().map(cause).collect();
    list(page, &causes, "causes");
}

fn findings(findings: &[Finding]) -> Vec<String> {
    let finding = |finding: &Finding| {
        let place = finding.at.as_ref().map(|at| format!(" at {}", code(&format!("{}:{}", at.file, at.line))));
        format!("error {}{}", code(&finding.message), place.unwrap_or_default())
    };
    findings.iter().map(finding).collect()
}

fn list(page: &mut Page, lines: &[String], what: &str) {
    if lines.is_empty() {
        return;
    }
    page.add("\n");
    lines.iter().take(SHOWN).for_each(|line| page.add(&format!("- {line}\n")));
    if let Some(more @ 1..) = lines.len().checked_sub(SHOWN) {
        page.add(&format!("- {more} more {what}\n"));
    }
}

/// Facts, items and runs in numbers.
fn counts(page: &mut Page, model: &ModelReport) {
    let mut parts = vec![format!("{} items", model.items.len()), format!("{} facts", model.facts.len())];
    if !model.runs.is_empty() {
        let met = model.runs.iter().filter(|run| run.ok).count();
        parts.push(format!("{met} of {} runs as expected", model.runs.len()));
    }
    if let Some(total) = &model.total {
        parts.push(format!("{} distinct states", total.states));
        parts.push(format!("{:.1} s", total.seconds));
    }
    if !model.notes.is_empty() {
        parts.push(format!("{} notes", model.notes.len()));
    }
    if !model.warnings.is_empty() {
        parts.push(format!("{} warnings", model.warnings.len()));
    }
    page.add(&format!("\n{}\n", parts.join(", ")));
}

/// A code span, delimited by one backtick more than any row inside (CommonMark, "Code spans").
fn code(text: &str) -> String {
    let text = plain(text);
    let shown: String = match text.char_indices().nth(SPAN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.trim().is_empty() => "-".to_owned(),
        None => text,
    };
    let fence = "`".repeat(longest_row(&shown) + 1);
    // A space on both sides is taken away again; without it a backtick at the end would join the fence.
    let space = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{space}{shown}{space}{fence}")
}

fn fenced(lines: &[String]) -> String {
    let cut = |line: &String| {
        let line = plain(line);
        line.char_indices().nth(SPAN).map_or(line.clone(), |(end, _)| format!("{}…", &line[..end]))
    };
    let lines: Vec<String> = lines.iter().map(cut).collect();
    let longest = lines.iter().map(|line| longest_row(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}text\n{}\n{fence}\n", lines.join("\n"))
}

fn longest_row(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// Line breaks as spaces; letters that nobody sees, or that turn the direction of others, by their numbers.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => out.push(' '),
            letter if is_hidden(letter) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_code_span() {
        let table = [
            ("a", "`a`"),
            ("", "`-`"),
            (" \n", "`-`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            ("a|b <script>", "`a|b <script>`"),
            ("a\n\n# b\r", "` a  # b  `"),
            ("\u{202e}a\u{7}", "`\\u{202e}a\\u{7}`"),
        ];
        for (text, wanted) in table {
            assert_eq!(code(text), wanted, "{text:?}");
        }
        assert!(code(&"é".repeat(500)).chars().count() < SPAN + 4);
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let text = fenced(&["a".to_owned(), "````".to_owned(), "b\n```".to_owned()]);
        assert_eq!(text, "\n`````text\na\n````\nb ```\n`````\n");
    }
}
