//! From what the engine printed and how it ended to an outcome. Neither is trusted alone: a message without its exit
//! status, or a status without its message, is an error.

use crate::counterexample::Counterexample;
use crate::outcome::Outcome;
use crate::output::{Output, code};
use crate::process::Ended;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the engine came to, not yet held against what was expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// Distinct states.
    pub states: Option<u64>,
    /// Depth of the search.
    pub depth: Option<u64>,
    /// The behaviour that shows a violation or a deadlock.
    pub counterexample: Option<Counterexample>,
    /// How often each action of the specification was taken.
    pub actions_taken: BTreeMap<String, u64>,
    /// The engine's own words, or what else there is to say.
    pub detail: Option<String>,
    /// For a mutant: all that is broken, the first included.
    pub broken: BTreeSet<Outcome>,
    /// How long it took to find, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Where the counterexample's steps do not take the arguments that the run's `actions` name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strayed: Option<String>,
    /// Of a run that passes: properties that hold of nothing, each with what never holds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub vacuous: BTreeMap<String, String>,
    /// Why the outcome says less than it seems to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cautions: Vec<String>,
    /// Of recorded runs: the step at which each one that is rejected leaves the specification, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected: BTreeMap<String, u64>,
}

/// The kinds of ends of one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The outcome is known.
    Known(Outcome),
    /// One of the properties is violated, and the engine does not say which.
    Unnamed,
}

/// Judges one execution that checked these invariants and properties.
pub(crate) fn finding(ended: Ended, output: &Output, invariants: &[String], properties: &[String]) -> Finding {
    let Ended::Exit(status) = ended else { return Finding::Known(Outcome::Timeout) };
    if is_unsound(output) {
        return Finding::Known(Outcome::Error);
    }
    let violations: Vec<u32> = VIOLATIONS.into_iter().filter(|code| output.codes.contains(code)).collect();
    let named = |name: Option<String>| name.map_or(Finding::Unnamed, |name| Finding::Known(Outcome::Violated(name)));
    match (status, violations.as_slice()) {
        (Some(0), []) if output.codes.contains(&code::SUCCESS) && output.errors.is_empty() => {
            Finding::Known(Outcome::Pass)
        }
        (Some(10), [code::ASSUMPTION_FALSE]) => Finding::Known(Outcome::Assumption),
        (Some(11), [code::DEADLOCK]) => Finding::Known(Outcome::Deadlock),
        (Some(12), [code::INVARIANT | code::INVARIANT_INITIAL]) | (Some(151), [code::CONSTANT_FALSE]) => {
            match (&output.violated, properties) {
                (Some(name), _) if invariants.contains(name) || properties.contains(name) => named(Some(name.clone())),
                // TLC checks the `[]I` inside a property as an invariant, and names it by its place or by `I`.
                (Some(_), [only]) => named(Some(only.clone())),
                (Some(_), [_, ..]) => Finding::Unnamed,
                _ => Finding::Known(Outcome::Error),
            }
        }
        (Some(12 | 13), [code::PROPERTY_INITIAL | code::ACTION_PROPERTY | code::TEMPORAL]) => match properties {
            [] => Finding::Known(Outcome::Error),
            [only] => named(Some(only.clone())),
            several => named(output.violated.clone().filter(|name| several.contains(name))),
        },
        _ => Finding::Known(Outcome::Error),
    }
}

/// With symmetry or a view TLC looks for lassos among states of which one stands for several: it misses some, and finds
/// others that are none. What it says of a single state or step holds all the same.
fn is_unsound(output: &Output) -> bool {
    let safety = VIOLATIONS.into_iter().filter(|code| *code != code::TEMPORAL);
    let merged =
        output.codes.contains(&code::SYMMETRY_WITH_LIVENESS) || output.viewed && output.codes.contains(&code::LIVENESS);
    merged && !safety.into_iter().any(|code| output.codes.contains(&code))
}

const UNSOUND: &str = "TLC's verdict on a temporal property under SYMMETRY or a VIEW can be wrong, either way: check the \
     property in a run whose cfg has neither";
const CONSTRAINED: &str = "a temporal property is checked under a CONSTRAINT: TLC sees no behaviour that leaves it, so \
     the property can pass although such a behaviour breaks it";

/// A verdict that came from an execution.
pub(crate) fn verdict(outcome: Outcome, ended: Ended, output: &Output, scratch: &str) -> Verdict {
    let detail = match (&outcome, ended) {
        (Outcome::Error, Ended::Exit(Some(0 | 13))) if is_unsound(output) => Some(UNSOUND.to_owned()),
        (Outcome::Error, Ended::Exit(status)) => Some(words(output, status)),
        (Outcome::Assumption, _) => Some(output.errors.join("\n")),
        _ => None,
    };
    Verdict {
        // Of an error too: the states that led to a failed `Assert` are what one wants to see.
        counterexample: if outcome == Outcome::Timeout { None } else { output.counterexample() },
        states: output.distinct,
        depth: output.depth,
        actions_taken: output.actions_taken(),
        detail: detail.map(|text| text.replace(scratch, "").trim().to_owned()),
        broken: BTreeSet::new(),
        seconds: None,
        strayed: None,
        vacuous: BTreeMap::new(),
        cautions: cautions(output),
        rejected: BTreeMap::new(),
        outcome,
    }
}

fn cautions(output: &Output) -> Vec<String> {
    let constrained = output.codes.contains(&code::CONSTRAINT_WITH_LIVENESS);
    // What the outcome or a word of our own says already.
    let said = |text: &&String| constrained && text.contains("onstraint") || text.contains("symmetry during liveness");
    let others: BTreeSet<&String> = output.warnings.iter().filter(|text| !said(text)).collect();
    let others = others.into_iter().map(|text| match text.contains("PlusCal") && text.contains("changed") {
        true => format!("the PlusCal algorithm changed since its translation: translate it again ({text})"),
        false => format!("the engine warns: {text}"),
    });
    constrained.then(|| CONSTRAINED.to_owned()).into_iter().chain(others).collect()
}

fn words(output: &Output, status: Option<i32>) -> String {
    let status = status.map_or("was ended by a signal".to_owned(), |status| format!("ended with status {status}"));
    match output.words() {
        words if words.is_empty() => format!("the engine {status} and said nothing"),
        words => format!("the engine {status}: {words}"),
    }
}

const VIOLATIONS: [u32; 8] = [
    code::CONSTANT_FALSE,
    code::ASSUMPTION_FALSE,
    code::INVARIANT_INITIAL,
    code::PROPERTY_INITIAL,
    code::INVARIANT,
    code::ACTION_PROPERTY,
    code::DEADLOCK,
    code::TEMPORAL,
];
