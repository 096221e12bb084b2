//! Runs against what was recorded of them: what each asks, and whether its verdict still applies.

use crate::compare::{CurrentRun, Stale, StaleKind, union};
use crate::record::{Asks, Record, RunRecord};
use std::collections::BTreeMap;

/// Every difference of the runs. A record without any verdict is the caller's warning.
pub(crate) fn compare(recorded: &Record, current: &BTreeMap<String, CurrentRun>, found: &mut Vec<Stale>) {
    if !recorded.has_verdicts() {
        return;
    }
    for name in union(&recorded.runs, current) {
        let stale = match (recorded.runs.get(name), current.get(name)) {
            // The run that it was made from, or the guard that it is without, says why.
            (Some(known), None) if is_made(recorded, name, known) => None,
            (Some(_), None) => {
                Some((StaleKind::Run, "is in the record, and the configuration has no such run".to_owned()))
            }
            (None, Some(now)) if now.asks.is_some() => {
                Some((StaleKind::Run, "is new, and not in the record".to_owned()))
            }
            (known, Some(now)) => asked(known, now).or_else(|| unverified(known, now)),
            (None, None) => None,
        };
        found.extend(stale.map(|(kind, detail)| Stale::new(kind, name, detail)));
    }
}

/// Whether a run was made from another one that the record has.
pub(crate) fn is_made(recorded: &Record, name: &str, run: &RunRecord) -> bool {
    let of = name.split_once(".mutant-").map(|(of, _)| of);
    run.asks.is_none() && of.is_some_and(|of| recorded.runs.contains_key(of))
}

fn asked(known: Option<&RunRecord>, now: &CurrentRun) -> Option<(StaleKind, String)> {
    let (before, after) = (known?.asks.as_ref()?, now.asks.as_ref()?);
    let different = differences(before, after);
    (!different.is_empty())
        .then(|| (StaleKind::Run, different.into_iter().map(|one| one.words()).collect::<Vec<_>>().join("; ")))
}

fn unverified(known: Option<&RunRecord>, now: &CurrentRun) -> Option<(StaleKind, String)> {
    let detail = match (known.and_then(|known| known.key.as_ref()), &now.key) {
        (Some(before), Some(after)) if before == after => return None,
        (Some(_), Some(_)) => {
            let outcome = known.and_then(|known| known.outcome.as_deref()).unwrap_or("a verdict");
            format!("`{outcome}` was found for other inputs, or is not what is expected now: run `factgate verify`")
        }
        (None, _) => "has no verdict in the record: run `factgate verify`".to_owned(),
        (Some(_), None) => "can no longer be made: `factgate verify` says why".to_owned(),
    };
    Some((StaleKind::Unverified, detail))
}

/// One aspect of a run that differs.
pub(crate) struct Difference<'a> {
    pub(crate) aspect: &'a str,
    pub(crate) before: Option<&'a str>,
    pub(crate) after: Option<&'a str>,
}

impl Difference<'_> {
    /// `checks: A, B -> A`.
    pub(crate) fn words(&self) -> String {
        let value = |value: Option<&str>| match value {
            None => "nothing".to_owned(),
            Some(text) => text.to_owned(),
        };
        format!("{}: {} -> {}", self.aspect, value(self.before), value(self.after))
    }
}

/// The aspects that differ, by name.
pub(crate) fn differences<'a>(before: &'a Asks, after: &'a Asks) -> Vec<Difference<'a>> {
    let both = |aspect: &'a str| Difference {
        aspect,
        before: before.get(aspect).map(String::as_str),
        after: after.get(aspect).map(String::as_str),
    };
    // A record from before these were kept, or were kept as a sum, says nothing of them.
    let is_kept = |one: &Difference<'_>| match one.before {
        _ if one.aspect.starts_with("named ") => one.before.is_some_and(|text| text.parse::<u64>().is_err()),
        Some(_) => true,
        None => one.aspect != "model values",
    };
    let all = union(before, after).into_iter().map(both);
    all.filter(|one| one.before != one.after && is_kept(one)).collect()
}
