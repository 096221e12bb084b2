//! Counterexamples: what the engine walked through to a violation, and how its text is read.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A behaviour that shows a violation: a prefix, and for a temporal property what repeats for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// The states, the initial one first.
    pub steps: Vec<Step>,
    /// How it ends.
    pub ending: Ending,
}

/// One state, and the action that led to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The action's name, without arguments; `None` for the initial state.
    pub action: Option<String>,
    /// The variables that differ from the state before, with their values as TLA+ text; all of them in the first state.
    pub changes: BTreeMap<String, String>,
}

/// How a counterexample ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Ending {
    /// In a state that violates what was asked.
    #[default]
    Finite,
    /// In a state that is never left.
    Stuttering,
    /// By one more action back to a state that was there before.
    Loop {
        /// That state's index in `steps`.
        back_to: usize,
        /// The action.
        action: Option<String>,
    },
}

impl Counterexample {
    /// The names of the actions, from the first step after the initial state; a loop's closing step included.
    pub fn actions(&self) -> Vec<String> {
        let name = |action: &Option<String>| action.clone().unwrap_or_else(|| "?".to_owned());
        let mut actions: Vec<String> = self.steps.iter().skip(1).map(|step| name(&step.action)).collect();
        if let Ending::Loop { action, .. } = &self.ending {
            actions.push(name(action));
        }
        actions
    }
}

/// A state as the engine prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) action: Option<String>,
    pub(crate) variables: Vec<(String, String)>,
}

/// Leaves only what changed from state to state.
pub(crate) fn changes(states: Vec<State>, ending: Ending) -> Counterexample {
    let mut steps: Vec<Step> = Vec::new();
    let mut before: Vec<(String, String)> = Vec::new();
    for state in states {
        let changes = state.variables.iter().filter(|pair| !before.contains(pair)).cloned().collect();
        steps.push(Step { action: state.action, changes });
        before = state.variables;
    }
    Counterexample { steps, ending }
}

/// The text of one state: `N: <Action line …>` and the variables below.
pub(crate) fn state(text: &str) -> State {
    let (head, body) = text.split_once('\n').unwrap_or((text, ""));
    State { action: action(head), variables: variables(body) }
}

/// The name of the action in `N: <Name line 5, col 8 to …>` or `N: <Name(1, "a") line …>`.
pub(crate) fn action(text: &str) -> Option<String> {
    let inner = text.split_once('<')?.1;
    if inner.starts_with("Initial predicate") {
        return None;
    }
    let end =
        inner.find(|letter: char| letter == '(' || letter == '>' || letter.is_whitespace()).unwrap_or(inner.len());
    Some(inner[..end].to_owned()).filter(|name| !name.is_empty())
}

/// The variables of a state: `/\ x = 1` each, or `x = 1` when there is only one; a value may run over several lines.
pub(crate) fn variables(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let start = line.strip_prefix("/\\ ").or(if found.is_empty() { Some(line) } else { None });
        match start.and_then(|line| line.split_once(" =")) {
            Some((name, value)) => found.push((name.trim().to_owned(), value.trim().to_owned())),
            None => {
                if let Some((_, value)) = found.last_mut() {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(line.trim());
                }
            }
        }
    }
    found
}
