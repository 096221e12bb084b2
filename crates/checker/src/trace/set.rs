//! The recorded runs of one `[trace.NAME]`, as a part of the matrix: each must come to what is expected of all.

use super::{Accepted, Checked, Told, TraceError, TraceVerdict, recorded};
use crate::execute::Means;
use crate::outcome::Outcome;
use crate::plan::Prepared;
use crate::run::{Expectation, RunSpec, TraceSet};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// How many traces that are not as expected are told in full.
const TOLD: usize = 3;

/// Holds every recorded run against the specification.
pub(crate) fn check(means: &Means<'_>, spec: &RunSpec, prepared: &Prepared, set: &TraceSet) -> io::Result<Verdict> {
    let mut verdict = empty();
    let mut others: Vec<String> = Vec::new();
    let told = if spec.expect == Expectation::Exactly(Outcome::Rejected) { Told::Step } else { Told::Why };
    for (path, text) in &prepared.traces {
        let found = recorded(means, spec, prepared, text, &set.silent, (Checked::Invariants, told));
        let (outcome, words) = match found {
            Ok(found) => {
                if let TraceVerdict::Rejected(rejection) = &found {
                    verdict.rejected.insert(path.to_string(), rejection.step as u64);
                }
                (outcome(&found, &mut verdict), found.to_string())
            }
            Err(TraceError::Io(error)) => return Err(error),
            Err(TraceError::Timeout(_)) => (Outcome::Timeout, String::new()),
            Err(error) => (Outcome::Error, error.to_string()),
        };
        if spec.expect == Expectation::Exactly(outcome.clone()) {
            continue;
        }
        others.push(format!("{path}: {}", words.trim_end()));
        // What could not be decided goes before what is wrong, and the first of a kind stands for all.
        if verdict.outcome.is_of_trace() || verdict.outcome.is_verdict() && !outcome.is_verdict() {
            verdict.outcome = outcome;
        }
    }
    if others.is_empty() {
        verdict.outcome = match &spec.expect {
            Expectation::Exactly(Outcome::Rejected) => Outcome::Rejected,
            _ => Outcome::Accepted,
        };
        return Ok(verdict);
    }
    let more = others.len().saturating_sub(TOLD);
    let mut detail = others.into_iter().take(TOLD).collect::<Vec<_>>().join("\n");
    if more > 0 {
        detail.push_str(&format!("\nand {more} more"));
    }
    verdict.detail = Some(detail);
    Ok(verdict)
}

/// What one recorded run came to; the actions that it took are added to those of the others.
fn outcome(found: &TraceVerdict, verdict: &mut Verdict) -> Outcome {
    match found {
        TraceVerdict::Accepted(Accepted { taken, .. }) => {
            for (name, count) in taken {
                *verdict.actions_taken.entry(name.clone()).or_default() += count;
            }
            Outcome::Accepted
        }
        TraceVerdict::Rejected(_) => Outcome::Rejected,
        TraceVerdict::Broken(broken) => Outcome::Violated(broken.invariant.clone()),
    }
}

fn empty() -> Verdict {
    Verdict {
        outcome: Outcome::Accepted,
        states: None,
        depth: None,
        counterexample: None,
        actions_taken: BTreeMap::new(),
        detail: None,
        broken: BTreeSet::new(),
        seconds: None,
        strayed: None,
        vacuous: BTreeMap::new(),
        cautions: Vec::new(),
        rejected: BTreeMap::new(),
    }
}
