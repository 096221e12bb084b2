//! Runs for people: a line a run; behind one that is not as expected its counterexample, state by state, with only what
//! changed.

use crate::report::{MutantReport, RunReport};
use anstyle::{AnsiColor, Style};
use factgate_checker::{Counterexample, Ending};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The lines of a model's runs.
pub fn render(runs: &[RunReport]) -> String {
    let names = runs.iter().map(|run| run.name.chars().count()).max().unwrap_or(0);
    let outcomes = runs.iter().map(|run| run.outcome.chars().count()).max().unwrap_or(0);
    let mut text: String = runs.iter().map(|run| self::run(run, names, outcomes)).collect();
    text.push_str(&guards(runs));
    text
}

/// Which guard keeps which properties, and which guard the model does not need.
fn guards(runs: &[RunReport]) -> String {
    let mutants: Vec<&MutantReport> = runs.iter().filter_map(|run| run.mutant.as_ref()).collect();
    let width = mutants.iter().map(|mutant| mutant.guard.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut of = "";
    for mutant in mutants {
        if mutant.of != of {
            of = &mutant.of;
            text.push_str(&format!("  what the guards of {of} keep\n"));
        }
        let keeps = match (mutant.redundant, mutant.breaks.as_slice()) {
            (None, _) => "not known".to_owned(),
            (Some(true), _) => "redundant: nothing breaks without it".to_owned(),
            (Some(false), breaks) => breaks.join(", "),
        };
        text.push_str(&format!("    {:width$}   {keeps}\n", mutant.guard));
    }
    text
}

fn run(run: &RunReport, names: usize, outcomes: usize) -> String {
    let (style, word) = match (run.ok, run.outcome.as_str()) {
        (true, _) => (GOOD, "as expected"),
        (false, "error" | "timeout") => (BAD, "undecided"),
        (false, _) => (BAD, "unexpected"),
    };
    let mut text = format!("  {style}{word:<13}{style:#} {:names$}   {:outcomes$}", run.name, run.outcome);
    if let Some(states) = run.states {
        text.push_str(&format!("   {states} states"));
    }
    if let Some(depth) = run.depth {
        text.push_str(&format!(", depth {depth}"));
    }
    if run.cached {
        text.push_str("   (known)");
    }
    let mut text = text.trim_end().to_owned();
    text.push('\n');
    if run.ok {
        return text;
    }
    for line in run.detail.iter().flat_map(|detail| detail.lines()) {
        text.push_str(&format!("      {line}\n"));
    }
    if let Some(counterexample) = &run.counterexample {
        text.push_str(&steps(counterexample));
    }
    if let Some(kept) = &run.kept {
        text.push_str(&format!("      its modules and configuration are kept in {}\n", kept.display()));
    }
    text
}

fn steps(counterexample: &Counterexample) -> String {
    let mut text = String::new();
    for (index, step) in counterexample.steps.iter().enumerate() {
        let action = match (index, &step.action) {
            (0, _) => "start",
            (_, Some(action)) => action,
            (_, None) => "?",
        };
        let changes: Vec<String> = step.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text.push_str(&format!("      {index:>3}  {action:<20} {}\n", changes.join(", ")).replace(" \n", "\n"));
    }
    match &counterexample.ending {
        Ending::Finite => {}
        Ending::Stuttering => text.push_str("           and nothing ever happens again\n"),
        Ending::Loop { back_to, action } => {
            let action = action.as_deref().unwrap_or("?");
            text.push_str(&format!("           {action} leads back to {back_to}, for ever\n"));
        }
    }
    text
}
