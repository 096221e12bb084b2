//! Runs for people: a line a run; behind one that is not as expected its counterexample, state by state, with only what
//! changed.

use crate::report::{MutantReport, RunReport, Total};
use crate::run_groups::Group;
use anstyle::{AnsiColor, Style};
use factgate_checker::{Counterexample, Ending, Judgement};
use std::collections::{BTreeMap, BTreeSet};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// What the runs took together: `12 runs, 4031 distinct states, 3.2 s`.
pub fn total(total: &Total) -> String {
    let known = match total.runs - total.carried_out {
        0 => String::new(),
        known => format!(" ({known} known)"),
    };
    let noun = if total.runs == 1 { "run" } else { "runs" };
    format!("  {} {noun}{known}, {} distinct states, {:.1} s\n", total.runs, total.states, total.seconds)
}

/// The lines of a model's runs.
pub fn render(runs: &[RunReport]) -> String {
    let names = runs.iter().map(|run| run.name.chars().count()).max().unwrap_or(0);
    let outcomes = runs.iter().map(|run| run.outcome.chars().count()).max().unwrap_or(0);
    let group = |group: Group<'_>| {
        let others = group.names().map(|names| format!("      the same in {names}\n")).unwrap_or_default();
        format!("{}{others}", run(group.head, names, outcomes))
    };
    let mut text: String = Group::all(runs).into_iter().map(group).collect();
    text.push_str(&traced(runs));
    text.push_str(&guards(runs));
    text.push_str(&to_paste(runs));
    text
}

/// Which actions the recorded runs took, and which of the run's actions none took.
fn traced(runs: &[RunReport]) -> String {
    let mut of: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.ok) {
        let taken = run.actions_taken.iter().flatten();
        for (action, count) in taken {
            let name = run.traces_of.as_deref().unwrap_or_default();
            *of.entry(name).or_default().entry(action).or_default() += count;
        }
    }
    let mut text = String::new();
    for (name, actions) in of {
        let took: Vec<String> = actions
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(action, count)| format!("{action} {count}"))
            .collect();
        let none: Vec<&str> = actions.iter().filter(|(_, count)| **count == 0).map(|(action, _)| *action).collect();
        let took = if took.is_empty() { "nothing".to_owned() } else { took.join(", ") };
        let none = if none.is_empty() { String::new() } else { format!("; none took {}", none.join(", ")) };
        text.push_str(&format!("  the traces of {name} took {took}{none}\n"));
    }
    text
}

/// Which guard keeps which properties, and which guard the model does not need.
fn guards(runs: &[RunReport]) -> String {
    // Where the base run breaks, a mutant says nothing of its guard.
    let stands = |of: &str| runs.iter().all(|run| run.name != of || run.ok);
    let mutants: Vec<&MutantReport> =
        runs.iter().filter_map(|run| run.mutant.as_ref()).filter(|mutant| stands(&mutant.of)).collect();
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

/// What mutants came to that nothing was expected of, as lines of the configuration.
fn to_paste(runs: &[RunReport]) -> String {
    let mutant = |run: &RunReport| run.mutant.clone().filter(|mutant| mutant.redundant.is_some());
    let open: BTreeSet<String> = runs
        .iter()
        .filter(|run| run.expect == "unstated")
        .filter_map(|run| mutant(run).map(|mutant| mutant.of))
        .collect();
    let mut text = String::new();
    for of in open {
        text.push_str(&format!("  nothing is expected yet of mutants of {of}; if this is right, say\n"));
        text.push_str(&format!("    [run.{}.mutant_outcomes]\n", key(&of)));
        for mutant in runs.iter().filter_map(mutant).filter(|mutant| mutant.of == of) {
            text.push_str(&format!("    {} = {}\n", mutant.guard, mutant.to_paste));
        }
    }
    text
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { name.to_owned() } else { format!("{name:?}") }
}

fn run(run: &RunReport, names: usize, outcomes: usize) -> String {
    let (style, word) = match run.judgement {
        Judgement::Met => (GOOD, "as expected"),
        Judgement::Undecided => (BAD, "undecided"),
        Judgement::Unexpected => (BAD, "unexpected"),
    };
    let mut text = format!("  {style}{word:<13}{style:#} {:names$}   {:outcomes$}", run.name, run.outcome);
    if let Some(states) = run.states {
        text.push_str(&format!("   {states} states"));
    }
    if let Some(depth) = run.depth {
        text.push_str(&format!(", depth {depth}"));
    }
    match run.seconds {
        _ if run.cached => text.push_str("   (known)"),
        Some(seconds) => text.push_str(&format!("   {seconds:.1} s")),
        None => {}
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
        text.push_str(&steps(run, counterexample));
    }
    if let Some(kept) = &run.kept {
        text.push_str(&format!("      its modules and configuration are kept in {}\n", kept.display()));
    }
    text
}

fn steps(run: &RunReport, counterexample: &Counterexample) -> String {
    let mut text = String::new();
    for (index, step) in counterexample.steps.iter().enumerate() {
        let action = match (index, &step.action) {
            (0, _) => "start",
            (_, Some(action)) => action,
            (_, None) => "?",
        };
        let changes: Vec<String> = step.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let code = index.checked_sub(1).and_then(|at| run.lines_of(at)).map(|lines| format!("   {lines}"));
        let line = format!("      {index:>3}  {action:<20} {}", changes.join(", "));
        text.push_str(&format!("{}{}\n", line.trim_end(), code.unwrap_or_default()));
    }
    match &counterexample.ending {
        Ending::Finite => {}
        Ending::Stuttering => text.push_str("           and nothing ever happens again\n"),
        Ending::Loop { back_to, action } => {
            let action = action.as_deref().unwrap_or("?");
            let code = run.lines_of(counterexample.steps.len().saturating_sub(1)).map(|lines| format!("   {lines}"));
            text.push_str(&format!(
                "           {action} leads back to {back_to}, for ever{}\n",
                code.unwrap_or_default()
            ));
        }
    }
    text
}
