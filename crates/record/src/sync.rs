//! What a `sync` writes: the whole of what is there now, or a part of it over what was recorded.

use crate::compare::Current;
use crate::record::{FactRecord, ItemRecord, Record, RunRecord};
use std::collections::{BTreeMap, BTreeSet};

/// What a partial sync confirms, by name. Whatever is not named stays as it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Items by selector; one that is no longer there is dropped from the record.
    pub items: BTreeSet<String>,
    /// Facts by name.
    pub facts: BTreeSet<String>,
    /// Watched functions by key.
    pub calls: BTreeSet<String>,
    /// The model's own files.
    pub files: BTreeSet<String>,
    /// Aspects of what the gate asks.
    pub gate: BTreeSet<String>,
    /// Runs by name.
    pub runs: BTreeSet<String>,
}

impl Record {
    /// What is there now, in the way of a record: the one of which parts are kept.
    pub fn in_the_way_of(current: &Current, scheme: &str, recorded: &Record) -> Record {
        let mut fresh = Record::of(current, scheme, Some(recorded));
        if recorded.ignore != fresh.ignore {
            for (name, now) in &current.items {
                let of_item = fresh.items.get_mut(name).zip(now.as_recorded.clone());
                of_item
                    .into_iter()
                    .for_each(|(item, hashes)| *item = ItemRecord { because: item.because.take(), ..hashes });
            }
        }
        fresh
    }

    /// The record of what is there now. Reasons of what did not change are kept. Unknown facts are left out: the caller
    /// refuses before it comes to that. Verdicts of runs stay as recorded.
    pub fn of(current: &Current, scheme: &str, recorded: Option<&Record>) -> Record {
        let mut items = BTreeMap::new();
        for (name, now) in &current.items {
            let mut record = now.record.clone();
            let known = recorded.and_then(|recorded| recorded.items.get(name));
            record.because =
                known.filter(|known| now.change_from(known).is_none()).and_then(|known| known.because.clone());
            items.insert(name.clone(), record);
        }
        let mut facts = BTreeMap::new();
        for (name, fact) in &current.facts {
            if let Some(value) = fact.value.clone() {
                let of = current.definitions.get(name).cloned();
                let known = recorded.and_then(|recorded| recorded.facts.get(name));
                let because = known
                    .filter(|known| known.value == value && known.of == of)
                    .and_then(|known| known.because.clone());
                facts.insert(name.clone(), FactRecord { because, kind: fact.kind, of, value });
            }
        }
        let calls = current.calls.iter().map(|(key, calls)| (key.clone(), calls.record.clone())).collect();
        let gone = recorded.map(|recorded| recorded.gone.clone()).unwrap_or_default();
        let runs = runs(current, recorded);
        let (files, ignore) = (current.files.clone(), current.ignore.clone());
        let gate = Some(current.gate.clone());
        Record { calls, facts, files, gate, gone, ignore, items, runs, scheme: scheme.to_owned() }
    }

    /// What was recorded, with the chosen parts as they are in `fresh`.
    pub fn merged(&self, fresh: &Record, chosen: &Chosen) -> Record {
        Record {
            calls: overlay(&self.calls, &fresh.calls, &chosen.calls),
            facts: overlay(&self.facts, &fresh.facts, &chosen.facts),
            files: overlay(&self.files, &fresh.files, &chosen.files),
            gate: self.gate.as_ref().map(|gate| overlay(gate, &fresh.gate.clone().unwrap_or_default(), &chosen.gate)),
            gone: fresh.gone.clone(),
            // One list holds for all items: it changes when all of them are confirmed.
            ignore: self.ignore.clone(),
            items: overlay(&self.items, &fresh.items, &chosen.items),
            runs: overlay(&self.runs, &fresh.runs, &chosen.runs),
            scheme: fresh.scheme.clone(),
        }
    }
}

/// What each run asks now, with the verdict that was recorded. One that cannot be made stays as it was.
fn runs(current: &Current, recorded: Option<&Record>) -> BTreeMap<String, RunRecord> {
    let run = |(name, now): (&String, &crate::compare::CurrentRun)| {
        let known = recorded.and_then(|recorded| recorded.runs.get(name)).cloned();
        let mut run = known.clone().unwrap_or_default();
        if let Some(asks) = &now.asks {
            run.because = run.because.filter(|_| run.asks.as_ref() == Some(asks));
            run.asks = Some(asks.clone());
        }
        // A run that was made from another one is there for its verdict alone.
        (known.is_some() || now.asks.is_some()).then(|| (name.clone(), run))
    };
    current.runs.iter().filter_map(run).collect()
}

fn overlay<V: Clone>(
    recorded: &BTreeMap<String, V>,
    fresh: &BTreeMap<String, V>,
    chosen: &BTreeSet<String>,
) -> BTreeMap<String, V> {
    let mut merged = recorded.clone();
    for name in chosen {
        match fresh.get(name) {
            Some(value) => drop(merged.insert(name.clone(), value.clone())),
            None => drop(merged.remove(name)),
        }
    }
    merged
}
