//! What makes the gate weaker between two records: it is never confirmed without a reason, whatever else changed.

use crate::fact::{FactKind, FactValue};
use crate::record::{Asks, FactRecord, Record, RunRecord};
use crate::runs::{Difference, differences, is_made};
use std::collections::{BTreeMap, BTreeSet};

/// One thing that is weaker than it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weakening {
    /// What kind of thing.
    pub kind: Weakened,
    /// Its name: an item's selector, a fact's, a call rule's or a run's name.
    pub name: String,
    /// What is weaker, in words.
    pub what: String,
    /// Whether the new record still has it.
    pub rest: Rest,
}

/// Kinds of things that can become weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weakened {
    /// A covered item.
    Item,
    /// A watched function or shape.
    Calls,
    /// A fact.
    Fact,
    /// What the configuration asks beside the rest.
    Gate,
    /// A run.
    Run,
}

/// What is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// Something weaker.
    Weaker,
    /// Nothing.
    Gone,
}

impl Weakened {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Weakened::Item => "item",
            Weakened::Calls => "calls",
            Weakened::Fact => "fact",
            Weakened::Gate => "gate",
            Weakened::Run => "run",
        }
    }
}

impl Weakening {
    fn gone(kind: Weakened, name: &str) -> Weakening {
        let what = format!("{} {name} is no longer there", kind.word());
        Weakening { kind, name: name.to_owned(), what, rest: Rest::Gone }
    }

    pub(crate) fn weaker(kind: Weakened, name: &str, how: &str) -> Weakening {
        let what = format!("{} {name}: {how}", kind.word());
        Weakening { kind, name: name.to_owned(), what, rest: Rest::Weaker }
    }

    /// The name under which a record keeps the reason for something that is gone.
    pub fn key(&self) -> String {
        format!("{} {}", self.kind.word(), self.name)
    }
}

/// Everything that is weaker in the new record, in a stable order.
pub fn weakened(recorded: &Record, fresh: &Record) -> Vec<Weakening> {
    let mut found = Vec::new();
    let stands_elsewhere = |fingerprint: &str| {
        let new = fresh.items.iter().filter(|(name, _)| !recorded.items.contains_key(*name));
        new.into_iter().any(|(_, item)| item.fingerprint == fingerprint)
    };
    for (name, item) in &recorded.items {
        if !fresh.items.contains_key(name) && !stands_elsewhere(&item.fingerprint) {
            found.push(Weakening::gone(Weakened::Item, name));
        }
    }
    let calls = recorded.calls.keys().filter(|key| !fresh.calls.contains_key(*key));
    found.extend(calls.map(|key| Weakening::gone(Weakened::Calls, key)));
    for (name, fact) in &recorded.facts {
        found.extend(self::fact(name, fact, fresh.facts.get(name)));
    }
    for (name, run) in &recorded.runs {
        match fresh.runs.get(name) {
            None if is_made(recorded, name, run) => {}
            None => found.push(Weakening::gone(Weakened::Run, name)),
            Some(now) => found.extend(self::run(recorded, name, run, now)),
        }
    }
    crate::gate::weakened(recorded, fresh, &mut found);
    found.sort();
    found
}

/// A guard that held and does not, or that means something else, and a fact that is gone.
fn fact(name: &str, recorded: &FactRecord, fresh: Option<&FactRecord>) -> Option<Weakening> {
    let Some(now) = fresh else { return Some(Weakening::gone(Weakened::Fact, name)) };
    let held = recorded.value == FactValue::Bool(true);
    let lost = held && (now.value != FactValue::Bool(true) || now.kind != recorded.kind);
    // A guard that is FALSE keeps nothing; a set or a value is what the author says that it is.
    let counts = held || recorded.kind != FactKind::Guard;
    let redefined = counts && recorded.of.as_ref().zip(now.of.as_ref()).is_some_and(|(before, after)| before != after);
    let how = match (lost, redefined) {
        (true, _) => format!("{} -> {}", recorded.value, now.value),
        // Nobody can weigh two definitions but their author.
        (false, true) => "its definition changed".to_owned(),
        (false, false) => return None,
    };
    Some(Weakening::weaker(Weakened::Fact, name, &how))
}

fn run(recorded: &Record, name: &str, run: &RunRecord, now: &RunRecord) -> Option<Weakening> {
    let asks: Option<(&Asks, &Asks)> = run.asks.as_ref().zip(now.asks.as_ref());
    let different = asks.into_iter().flat_map(|(before, after)| differences(before, after));
    let weaker: Vec<String> = different
        .filter(|one| is_weaker(recorded, one))
        .map(|one| one.words())
        .chain(fewer_states(run, now))
        .chain(moved_rejections(run, now))
        .collect();
    (!weaker.is_empty()).then(|| Weakening::weaker(Weakened::Run, name, &weaker.join("; ")))
}

/// That a run which passes looks at fewer states than it did, for whatever reason: a bound that is smaller, an action that is
/// gone. The same inputs give the same states, but for a view, of which any may stand for the others.
fn fewer_states(run: &RunRecord, now: &RunRecord) -> Option<String> {
    let passes = |run: &RunRecord| run.outcome.as_deref() == Some("pass");
    let (before, after) = run.states.zip(now.states)?;
    let is_fewer = passes(run) && passes(now) && run.key != now.key && after < before;
    is_fewer.then(|| format!("it explores fewer states: {before} -> {after}"))
}

/// Recorded runs that are rejected for another reason than they were, as their steps show: what they were kept to show may be
/// allowed now.
pub fn moved_rejections(run: &RunRecord, now: &RunRecord) -> Vec<String> {
    let step = |step: &u64| if *step == 0 { "the first line".to_owned() } else { format!("step {step}") };
    let both = run.rejected.iter().filter_map(|(path, before)| Some((path, before, now.rejected.get(path)?)));
    both.filter(|(_, before, after)| before != after)
        .map(|(path, before, after)| format!("{path} is rejected at {}, and was at {}", step(after), step(before)))
        .collect()
}

/// Whether a run asks less by this difference, or something else, which nobody can weigh but its author.
fn is_weaker(recorded: &Record, one: &Difference<'_>) -> bool {
    let list = |text: Option<&str>| -> BTreeSet<String> {
        text.unwrap_or_default().split(", ").filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    match (one.aspect.split_once(' ').map_or(one.aspect, |(head, _)| head), one.before, one.after) {
        // What is asked more of is stronger.
        ("checks" | "types", before, after) => !list(before).is_subset(&list(after)),
        ("constant", before, after) => !list(after).is_subset(&list(before)),
        ("expect", Some("violated"), Some(after)) => !after.starts_with("violated "),
        ("actions" | "states" | "mutants" | "mutant", None, _) => false,
        ("deadlock", _, Some("checked")) => false,
        // Recorded runs: a new one, or more lines of one, is more; to forgive fewer silent steps is stricter.
        ("lines" | "named", None, _) => false,
        ("lines", Some(before), Some(after)) => match (before.parse::<u64>(), after.parse::<u64>()) {
            (Ok(before), Ok(after)) => after < before,
            _ => true,
        },
        ("named", Some(before), Some(after)) => names_less(before, after),
        ("silent", before, after) => !list(after).is_subset(&list(before)),
        // A bound that is gone leaves more to look at; a larger number does as well.
        ("bound", _, None) => false,
        ("set", Some(before), Some(after)) => match (before.parse::<i64>(), after.parse::<i64>()) {
            (Ok(before), Ok(after)) => after < before,
            _ => true,
        },
        // A new constant is none of the gate's, unless the code gave it before.
        ("set", None, _) => {
            let name = one.aspect.trim_start_matches("set ");
            recorded.facts.contains_key(name)
        }
        _ => true,
    }
}

/// Whether lines of a recorded run name something less often: `action 1, owner 3`.
fn names_less(before: &str, after: &str) -> bool {
    let counts = |text: &str| -> Option<BTreeMap<String, u64>> {
        let one = |part: &str| {
            let (name, count) = part.rsplit_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        text.split(", ").filter(|part| !part.is_empty()).map(one).collect()
    };
    let (Some(before), Some(after)) = (counts(before), counts(after)) else { return true };
    before.iter().any(|(name, count)| after.get(name).is_none_or(|now| now < count))
}
