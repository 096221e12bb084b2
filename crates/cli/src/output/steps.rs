//! The steps of a function, for people and as data.

use crate::output::json;
use crate::report::Report;
use anstyle::Style;
use factgate_facts::steps::{Happening, Step};
use factgate_record::Place;
use serde::Serialize;

const HEAD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// A numbered block a step: where it starts, and what happens in it.
pub fn text(selector: &str, steps: &[Step]) -> String {
    let mut text = format!("{selector}\n");
    for (index, step) in steps.iter().enumerate() {
        let place = &step.at;
        let within = if step.within.is_empty() { String::new() } else { format!(" ({})", step.within.join(", ")) };
        text.push_str(&format!("{HEAD}{}. from{HEAD:#} {}{within}", index + 1, step.from));
        text.push_str(&format!("   {FAINT}{}:{}{FAINT:#}\n", place.file, place.line));
        for does in &step.does {
            let indent = "  ".repeat(does.depth + 2);
            let line = format!("{indent}{:<8} {}", does.kind.word(), does.text);
            text.push_str(&format!("{}   {FAINT}{}{FAINT:#}\n", line.trim_end(), does.at.line));
        }
    }
    text
}

#[derive(Serialize)]
struct Output<'r> {
    scope: &'r str,
    steps: Vec<StepOutput<'r>>,
}

#[derive(Serialize)]
struct StepOutput<'r> {
    from: &'r str,
    at: &'r Place,
    within: &'r [String],
    does: Vec<DoesOutput<'r>>,
}

#[derive(Serialize)]
struct DoesOutput<'r> {
    kind: &'static str,
    text: &'r str,
    at: &'r Place,
    depth: usize,
}

/// One object.
pub fn json(report: &Report, selector: &str, steps: &[Step]) -> String {
    let body = Output { scope: selector, steps: steps.iter().map(step).collect() };
    json::enveloped(report, body)
}

fn step(step: &Step) -> StepOutput<'_> {
    StepOutput { from: &step.from, at: &step.at, within: &step.within, does: step.does.iter().map(does).collect() }
}

fn does(does: &Happening) -> DoesOutput<'_> {
    DoesOutput { kind: does.kind.word(), text: &does.text, at: &does.at, depth: does.depth }
}
