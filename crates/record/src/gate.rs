//! What the gate asks beside items, facts and runs: the classes of drift, the files that are searched, the digest of the
//! engine, the code that actions stand for, and what the specifications themselves say: the meaning of what is checked, the
//! values that bound it, the facts that are read.

use crate::compare::{Current, Stale, StaleKind, union};
use crate::record::{CallRecord, Gate, Record};
use crate::weaken::{Rest, Weakened, Weakening};
use std::collections::BTreeSet;

/// Every aspect in which less is asked than was confirmed; to ask more takes no confirmation. A record from before this was
/// kept says nothing of it.
pub(crate) fn compare(recorded: &Record, current: &Current, found: &mut Vec<Stale>) {
    let Some(before) = &recorded.gate else { return };
    let less = differences(before, &current.gate).into_iter().filter(Difference::is_weaker);
    for one in less.filter(|one| !is_told(recorded, current, one)) {
        found.push(Stale::new(StaleKind::Gate, one.aspect, one.words()));
    }
}

/// Whether the sites of a `[[calls]]` entry that is gone tell of it, or the facts that are gone.
fn is_told(recorded: &Record, current: &Current, one: &Difference<'_>) -> bool {
    if one.kind() == Kind::Facts {
        return one.less.iter().all(|name| !current.facts.contains_key(*name));
    }
    let Some(key) = call_key(one.aspect) else { return false };
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
    let is_gone = |one: &Difference<'_>| match one.kind() {
        Kind::Facts => one.less.iter().all(|name| !fresh.facts.contains_key(*name)),
        _ => call_key(one.aspect).is_some_and(|key| !fresh.calls.contains_key(key)),
    };
    for one in differences(before, after).into_iter().filter(|one| one.is_weaker() && !is_gone(one)) {
        found.push(Weakening::weaker(Weakened::Gate, one.aspect, &one.words()));
    }
}

/// One aspect that differs.
struct Difference<'a> {
    aspect: &'a str,
    less: Vec<&'a str>,
    more: Vec<&'a str>,
    rest: Rest,
}

/// What an aspect is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// What restricts: `calls KEY matching`.
    Restriction,
    /// The actions that a specification is made of: `actions of SPEC`.
    Actions,
    /// What a specification says of a name: `checked NAME in SPEC`, `bound NAME in SPEC`.
    Meaning,
    /// What a behaviour assumes: `behaviour NAME in SPEC`.
    Assumption,
    /// The facts that a specification reads: `facts of SPEC`.
    Facts,
    /// Everything else.
    Plain,
}

impl Difference<'_> {
    fn kind(&self) -> Kind {
        match self.aspect.split_once(' ').map_or(self.aspect, |(head, _)| head) {
            "calls" if self.aspect.ends_with(" matching") => Kind::Restriction,
            "checked" | "bound" => Kind::Meaning,
            "behaviour" => Kind::Assumption,
            "actions" => Kind::Actions,
            "facts" => Kind::Facts,
            _ => Kind::Plain,
        }
    }

    /// Whether less is asked, or something else, which nobody can weigh but its author.
    fn is_weaker(&self) -> bool {
        match self.kind() {
            Kind::Restriction => !self.more.is_empty(),
            // A name that is no longer checked, or bounds nothing any more, is told by the runs, and so is a specification.
            Kind::Actions => self.rest == Rest::Weaker && !self.less.is_empty(),
            Kind::Meaning => self.rest == Rest::Weaker && !self.less.is_empty() && !self.is_larger(),
            Kind::Assumption => self.rest == Rest::Weaker,
            Kind::Facts | Kind::Plain => !self.less.is_empty(),
        }
    }

    /// Whether one number took the place of a smaller one.
    fn is_larger(&self) -> bool {
        let number = |words: &[&str]| match words {
            [only] => only.replace(' ', "").parse::<i64>().ok(),
            _ => None,
        };
        number(&self.less).zip(number(&self.more)).is_some_and(|(before, after)| after > before)
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
            // New is what was nothing before: whether it is weaker is asked of what restricts alone.
            let rest = if known.is_some() && now.is_some() { Rest::Weaker } else { Rest::Gone };
            found.push(Difference { aspect, less, more, rest });
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
        // A larger number, a larger set and one more conjunct are more; another text may be anything.
        check("bound N in A.tla", &["3"], &["5"], "", &[]);
        let smaller = "no longer 3; newly 1";
        check("bound N in A.tla", &["3"], &["1"], smaller, &["gate bound N in A.tla: no longer 3; newly 1"]);
        check("bound S in A.tla", &["a"], &["a", "b"], "", &[]);
        check("bound S in A.tla", &["a", "b"], &["a"], "no longer b", &["gate bound S in A.tla: no longer b"]);
        check("checked I in A.tla", &["x < 3"], &["x < 3", "x > 0"], "", &[]);
        let other = "no longer x < 3; newly x < 9";
        check(
            "checked I in A.tla",
            &["x < 3"],
            &["x < 9"],
            other,
            &["gate checked I in A.tla: no longer x < 3; newly x < 9"],
        );
        check("actions of A.tla", &["Go", "Die"], &["Go"], "no longer Die", &["gate actions of A.tla: no longer Die"]);
        check("behaviour S in A.tla", &["Init"], &["Init", "WF"], "newly WF", &["gate behaviour S in A.tla: newly WF"]);
    }

    #[test]
    fn what_is_gone_is_told_by_runs_and_facts() {
        let record = |aspect: &str, names: &[&str]| Record { gate: Some(gate(aspect, names)), ..Record::default() };
        for (aspect, wanted) in
            [("checked I in A.tla", 0), ("behaviour S in A.tla", 0), ("engine", 1), ("facts of A.tla", 0)]
        {
            let mut found = Vec::new();
            weakened(&record(aspect, &["a"]), &record("drift", &["a"]), &mut found);
            assert_eq!(found.len(), wanted, "{aspect}");
        }
        // A fact that is still there, and that the specification no longer reads.
        let mut fresh = record("facts of A.tla", &["b"]);
        let fact = crate::FactRecord {
            because: None,
            kind: crate::FactKind::Guard,
            of: None,
            value: crate::FactValue::Bool(true),
        };
        fresh.facts.insert("a".to_owned(), fact);
        let mut found = Vec::new();
        weakened(&record("facts of A.tla", &["a", "b"]), &fresh, &mut found);
        assert_eq!(found.into_iter().map(|one| one.what).collect::<Vec<_>>(), ["gate facts of A.tla: no longer a"]);
    }

    #[test]
    fn a_record_from_before_says_nothing() {
        let mut found = Vec::new();
        let current = Current { gate: gate("drift", &["a"]), ..Current::default() };
        compare(&Record::default(), &current, &mut found);
        assert!(found.is_empty());
    }
}
