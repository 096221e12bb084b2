//! What the gate asks beside items, facts and runs: the classes of drift, the files that are searched, the digest of the
//! engine, the code that actions stand for.

use crate::compare::{Current, Stale, StaleKind, union};
use crate::record::{CallRecord, Gate, Record};
use crate::weaken::{Weakened, Weakening};
use std::collections::BTreeSet;

/// Every aspect in which less is asked than was confirmed; to ask more takes no confirmation. A record from before this was
/// kept says nothing of it.
pub(crate) fn compare(recorded: &Record, current: &Current, found: &mut Vec<Stale>) {
    let Some(before) = &recorded.gate else { return };
    let less = differences(before, &current.gate).into_iter().filter(Difference::is_weaker);
    for one in less.filter(|one| !is_told(recorded, current, one.aspect)) {
        found.push(Stale::new(StaleKind::Gate, one.aspect, one.words()));
    }
}

/// Whether the sites of a `[[calls]]` entry that is gone tell of it.
fn is_told(recorded: &Record, current: &Current, aspect: &str) -> bool {
    let Some(key) = call_key(aspect) else { return false };
    let has_sites = |calls: &CallRecord| calls.sites().next().is_some();
    !current.calls.contains_key(key) && recorded.calls.get(key).is_some_and(has_sites)
}

/// The entry that an aspect is of: `calls KEY in`.
fn call_key(aspect: &str) -> Option<&str> {
    aspect.strip_prefix("calls ")?.rsplit_once(' ').map(|(key, _)| key)
}

/// What is weaker of it. An entry that is gone is told by itself.
pub(crate) fn weakened(recorded: &Record, fresh: &Record, found: &mut Vec<Weakening>) {
    let more: Vec<&str> =
        fresh.ignore.iter().filter(|text| !recorded.ignore.contains(text)).map(String::as_str).collect();
    if !more.is_empty() {
        found.push(Weakening::weaker(Weakened::Gate, "ignore", &format!("newly {}", more.join(", "))));
    }
    let (Some(before), Some(after)) = (&recorded.gate, &fresh.gate) else { return };
    let is_gone = |aspect: &str| call_key(aspect).is_some_and(|key| !fresh.calls.contains_key(key));
    for one in differences(before, after).into_iter().filter(|one| one.is_weaker() && !is_gone(one.aspect)) {
        found.push(Weakening::weaker(Weakened::Gate, one.aspect, &one.words()));
    }
}

/// One aspect that differs.
struct Difference<'a> {
    aspect: &'a str,
    less: Vec<&'a str>,
    more: Vec<&'a str>,
}

impl Difference<'_> {
    /// What restricts is weaker where there is more of it, everything else where there is less.
    fn is_weaker(&self) -> bool {
        let restricts = self.aspect.starts_with("calls ") && self.aspect.ends_with(" matching");
        if restricts { !self.more.is_empty() } else { !self.less.is_empty() }
    }

    fn words(&self) -> String {
        let part = |word: &str, names: &[&str]| (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")));
        let parts = [part("no longer", &self.less), part("newly", &self.more)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

fn differences<'a>(before: &'a Gate, after: &'a Gate) -> Vec<Difference<'a>> {
    let nothing = BTreeSet::new();
    let names = |from: &'a BTreeSet<String>, without: &BTreeSet<String>| -> Vec<&'a str> {
        from.iter().filter(|name| !without.contains(*name)).map(String::as_str).collect()
    };
    let mut found = Vec::new();
    for aspect in union(before, after) {
        let (known, now) = (before.get(aspect), after.get(aspect));
        let less = known.map(|known| names(known, now.unwrap_or(&nothing))).unwrap_or_default();
        let more = now.map(|now| names(now, known.unwrap_or(&nothing))).unwrap_or_default();
        if !(less.is_empty() && more.is_empty()) {
            found.push(Difference { aspect, less, more });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(aspect: &str, names: &[&str]) -> Gate {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Gate::from([(aspect.to_owned(), names)])
    }

    #[track_caller]
    fn check(aspect: &str, before: &[&str], after: &[&str], said: &str, weaker: &[&str]) {
        let record = |names| Record { gate: Some(gate(aspect, names)), ..Record::default() };
        let mut found = Vec::new();
        compare(&record(before), &Current { gate: gate(aspect, after), ..Current::default() }, &mut found);
        assert_eq!(found.iter().map(|stale| stale.detail.as_str()).collect::<Vec<_>>().join("|"), said);
        let keys = |mut fresh: Record| {
            fresh.calls.insert("rm".to_owned(), CallRecord::default());
            let mut found = Vec::new();
            weakened(&record(before), &fresh, &mut found);
            found.into_iter().map(|one| one.what).collect::<Vec<_>>()
        };
        assert_eq!(keys(record(after)), weaker);
    }

    #[test]
    fn less_is_weaker_but_for_what_restricts() {
        check("drift", &["a", "b"], &["a"], "no longer b", &["gate drift: no longer b"]);
        check("drift", &["a"], &["a", "b"], "", &[]);
        check("calls rm in", &["x"], &["y"], "no longer x; newly y", &["gate calls rm in: no longer x; newly y"]);
        check("calls rm matching", &[], &["F = a"], "newly F = a", &["gate calls rm matching: newly F = a"]);
        check("calls rm matching", &["F = a"], &[], "", &[]);
        check("action Go", &["a.ts#f"], &["a.ts#f"], "", &[]);
    }

    #[test]
    fn a_record_from_before_says_nothing() {
        let mut found = Vec::new();
        let current = Current { gate: gate("drift", &["a"]), ..Current::default() };
        compare(&Record::default(), &current, &mut found);
        assert!(found.is_empty());
    }
}
