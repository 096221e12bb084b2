//! What a `sync` confirms: which parts of the record, whether it may, and what the new record is.

use crate::config::{AnyFact, Model, Origin, WatchedBy};
use crate::finding::{Code, Finding};
use crate::pipeline::verdict::Gathered;
use crate::report::StaleReport;
use factgate_record::{
    Chosen, ItemRecord, Reason, Record, Rest, Stale, StaleKind, Weakened, Weakening, compare, weakened,
};
use factgate_syntax::fingerprint::SCHEME;
use std::collections::{BTreeMap, BTreeSet};

/// Everything, or parts by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// The whole record.
    All,
    /// Some of it.
    Some(Chosen),
}

impl Parts {
    fn holds_item(&self, item: &str) -> bool {
        match self {
            Parts::All => true,
            Parts::Some(chosen) => chosen.items.contains(item),
        }
    }

    fn holds_calls(&self, key: &str) -> bool {
        match self {
            Parts::All => true,
            Parts::Some(chosen) => chosen.calls.contains(key),
        }
    }

    fn holds_gate(&self, aspect: &str) -> bool {
        match self {
            Parts::All => true,
            Parts::Some(chosen) => chosen.gate.contains(aspect),
        }
    }

    fn holds_fact(&self, fact: &str) -> bool {
        match self {
            Parts::All => true,
            Parts::Some(chosen) => chosen.facts.contains(fact),
        }
    }
}

/// Why the model still describes what changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// For every item.
    pub all: Option<String>,
    /// For single items, before that.
    pub each: BTreeMap<String, String>,
}

impl Given {
    fn of(&self, item: &str) -> Option<&str> {
        let reason = self.each.get(item).or(self.all.as_ref())?.trim();
        (!reason.is_empty()).then_some(reason)
    }
}

/// A new record.
#[derive(Debug)]
pub struct Confirmed {
    /// The record.
    pub record: Record,
}

/// What of a model is named by these words; words that name nothing of it are left in `unknown`.
pub fn chosen(
    model: &Model,
    gathered: &Gathered,
    recorded: Option<&Record>,
    words: &[String],
) -> (Chosen, BTreeSet<String>) {
    let mut chosen = Chosen::default();
    let mut unknown = BTreeSet::new();
    for word in words {
        let is_item = model.cover.iter().any(|covered| covered.text == *word)
            || recorded.is_some_and(|recorded| recorded.items.contains_key(word));
        let is_recorded_fact = recorded.is_some_and(|recorded| recorded.facts.contains_key(word));
        let is_recorded_call = recorded.is_some_and(|recorded| recorded.calls.contains_key(word));
        let file = model.files.iter().find(|(name, path)| *name == word || path.as_str() == word);
        let file = file.map(|(name, _)| name.clone()).or_else(|| {
            let name = recorded.map(|recorded| recorded_file(model, recorded, word))?;
            recorded.is_some_and(|recorded| recorded.files.contains_key(&name)).then_some(name)
        });
        if is_item {
            chosen.items.insert(word.clone());
            chosen.facts.extend(facts_in(model, word));
        } else if gathered.current.facts.contains_key(word) || is_recorded_fact {
            chosen.facts.insert(word.clone());
        } else if gathered.current.calls.contains_key(word) || is_recorded_call {
            chosen.calls.insert(word.clone());
        } else if gathered.current.gate.contains_key(word)
            || recorded.is_some_and(|recorded| recorded.gate.as_ref().is_some_and(|gate| gate.contains_key(word)))
        {
            chosen.gate.insert(word.clone());
        } else if gathered.current.runs.contains_key(word)
            || recorded.is_some_and(|recorded| recorded.runs.contains_key(word))
        {
            chosen.runs.insert(word.clone());
        } else if let Some(name) = file {
            chosen.files.insert(name);
        } else {
            unknown.insert(word.clone());
        }
    }
    (chosen, unknown)
}

/// The facts that are read in an item or in something inside it.
fn facts_in<'m>(model: &'m Model, item: &'m str) -> impl Iterator<Item = String> + 'm {
    let inside = move |selector: &str| {
        let rest = selector.strip_prefix(item);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', '#']))
    };
    let reads = move |fact: &AnyFact| match fact {
        AnyFact::Guard(guard) => guard.within.iter().any(|scope| inside(&scope.value)),
        AnyFact::Set(set) => inside(&set.from.value),
        AnyFact::Value(value) => inside(&value.from.value),
    };
    model.facts.iter().filter(move |(_, fact)| reads(&fact.table)).map(|(name, _)| name.clone())
}

/// What was confirmed before.
#[derive(Clone, Copy)]
pub struct Known<'r> {
    /// By the record of the work tree.
    pub recorded: Option<&'r Record>,
    /// By the record of the newest commit: the one on the disk may have been edited by hand since.
    pub committed: Option<&'r Record>,
}

/// A new record, and what speaks against it already.
pub struct Proposed {
    /// The record, without the reasons of what is weaker in it.
    pub record: Record,
    refused: Vec<Finding>,
}

/// What a sync would write.
pub fn propose(
    model: &Model,
    gathered: &Gathered,
    recorded: Option<&Record>,
    parts: &Parts,
    given: &Given,
    sources: &BTreeSet<String>,
) -> Proposed {
    let mut refused = gone(model, gathered, parts);
    refused.extend(unknown_facts(model, gathered, parts));
    let stale = recorded.map(|recorded| compare(recorded, &gathered.current)).unwrap_or_default();
    let changed: Vec<&Stale> =
        stale.iter().filter(|stale| stale.kind == StaleKind::Changed && parts.holds_item(&stale.item)).collect();
    let asks = |stale: &&Stale| !model.is_note(stale) && given.of(&stale.item).is_none();
    let unexplained: Vec<&Stale> = changed.iter().copied().filter(asks).collect();
    if !unexplained.is_empty() && stands_still(model, stale.iter(), sources) {
        refused.push(ask(model, &unexplained));
    }
    let mut fresh = match (parts, recorded) {
        (Parts::Some(_), Some(recorded)) => Record::in_the_way_of(&gathered.current, SCHEME, recorded),
        _ => Record::of(&gathered.current, SCHEME, recorded),
    };
    for stale in &changed {
        if let Some(item) = fresh.items.get_mut(&stale.item) {
            item.because = given.of(&stale.item).map(str::to_owned);
        }
    }
    let record = match parts {
        Parts::All => fresh,
        Parts::Some(chosen) => {
            let recorded = recorded.cloned().unwrap_or_default();
            let mut chosen = chosen.clone();
            chosen.items.extend(regrouped(&recorded, &fresh, &stale));
            recorded.merged(&fresh, &chosen)
        }
    };
    Proposed { record, refused }
}

/// The record with the reasons of what is weaker in it, or why it may not be written. `sources` are the files that the runs
/// read.
pub fn confirm(
    model: &Model,
    gathered: &Gathered,
    known: Known<'_>,
    proposed: Proposed,
    given: &Given,
    sources: &BTreeSet<String>,
) -> Result<Confirmed, Vec<Finding>> {
    let Known { recorded, committed } = known;
    let Proposed { mut record, mut refused } = proposed;
    let mut weaker = recorded.map(|recorded| weakened(recorded, &record)).unwrap_or_default();
    if let Some(committed) = committed.filter(|committed| Some(*committed) != recorded) {
        let since = weakened(committed, &record).into_iter();
        let is_known = |one: &Weakening| weaker.iter().any(|known| known.key() == one.key());
        let is_open = |one: &Weakening| {
            is_lost(committed, recorded, &record, one) && !is_explained(&record, one) && !is_known(one)
        };
        let more: Vec<Weakening> = since.filter(is_open).collect();
        weaker.extend(more);
        refused.extend(edited_by_hand(model, gathered, committed, &record, given, sources));
    }
    refused.extend(unreasoned(model, &weaker, given));
    if !refused.is_empty() {
        return Err(refused);
    }
    reasons(&mut record, &weaker, given);
    Ok(Confirmed { record })
}

impl Confirmed {
    /// What differed from the old record and does not from this one.
    pub fn differences(&self, gathered: &Gathered, recorded: Option<&Record>) -> Vec<Stale> {
        let stale = recorded.map(|recorded| compare(recorded, &gathered.current)).unwrap_or_default();
        let left = compare(&self.record, &gathered.current);
        stale.into_iter().filter(|stale| !left.contains(stale)).collect()
    }
}

/// Items that are as they were confirmed, but for which items inside are told by themselves.
fn regrouped(recorded: &Record, fresh: &Record, stale: &[Stale]) -> Vec<String> {
    let is_stale = |name: &String| stale.iter().any(|stale| stale.item == *name);
    let other = |(name, known): &(&String, &ItemRecord)| {
        fresh.items.get(*name).is_some_and(|now| now.inner != known.inner) && !is_stale(name)
    };
    recorded.items.iter().filter(other).map(|(name, _)| name.clone()).collect()
}

/// Names of what would be weaker if all that differs were confirmed.
pub fn weaker(gathered: &Gathered, recorded: &Record) -> BTreeSet<String> {
    let fresh = Record::of(&gathered.current, SCHEME, Some(recorded));
    weakened(recorded, &fresh).into_iter().map(|one| one.name).collect()
}

/// What makes the gate weaker needs a reason, whatever else changed.
fn unreasoned(model: &Model, weaker: &[Weakening], given: &Given) -> Option<Finding> {
    let open: Vec<&str> =
        weaker.iter().filter(|one| given.of(&one.name).is_none()).map(|one| one.what.as_str()).collect();
    let message = format!("{}: the gate becomes weaker: {}", model.name, open.join("; "));
    (!open.is_empty()).then(|| {
        Finding::of_file(Code::Record, &model.record, message)
            .help("say why that is right: `factgate sync --because \"…\"`; otherwise mend it")
    })
}

/// Whether something that was committed is given up, and not only called otherwise by `factgate mv`.
fn is_lost(committed: &Record, recorded: Option<&Record>, record: &Record, one: &Weakening) -> bool {
    let facts = || committed.facts.get(&one.name).zip(record.facts.get(&one.name));
    match one.kind {
        Weakened::Gate => is_given_up(committed, record, &one.name),
        Weakened::Calls => record.calls.keys().all(|key| committed.calls.contains_key(key)),
        Weakened::Fact => facts().is_none_or(|(before, now)| {
            let on_disk = recorded.and_then(|recorded| recorded.facts.get(&one.name));
            let is_unsaid = before.of.is_some() && on_disk.is_some_and(|known| known.of.is_none());
            before.value != now.value || is_unsaid
        }),
        Weakened::Item | Weakened::Run => true,
    }
}

/// Whether an aspect of the gate says less. One of paths may name the same ones by other names.
fn is_given_up(committed: &Record, record: &Record, aspect: &str) -> bool {
    let of = |record: &Record| record.gate.as_ref().and_then(|gate| gate.get(aspect)).map_or(0, BTreeSet::len);
    let names_paths = ["calls ", "action ", "files", "root"].iter().any(|head| aspect.starts_with(head));
    !names_paths || of(record) < of(committed)
}

/// Whether a record says why it is weaker.
fn is_explained(record: &Record, one: &Weakening) -> bool {
    let fact = record.facts.get(&one.name).and_then(|fact| fact.because.as_ref());
    let run = record.runs.get(&one.name).and_then(|run| run.because.as_ref());
    match one.kind {
        _ if record.gone.contains_key(&one.key()) => true,
        Weakened::Fact => fact.is_some(),
        Weakened::Run => run.is_some(),
        _ => false,
    }
}

/// Items that changed since the newest commit and that the record of the work tree confirms without a reason.
fn edited_by_hand(
    model: &Model,
    gathered: &Gathered,
    committed: &Record,
    record: &Record,
    given: &Given,
    sources: &BTreeSet<String>,
) -> Option<Finding> {
    if committed.ignore != record.ignore {
        return None;
    }
    let stale = compare(committed, &gathered.current);
    let is_confirmed = |item: &str| {
        let now = gathered.current.items.get(item).zip(record.items.get(item));
        now.is_some_and(|(now, known)| now.change_from(known).is_none() && known.because.is_none())
    };
    let is_open = |stale: &&Stale| {
        let changed = stale.kind == StaleKind::Changed && !model.is_note(stale);
        changed && is_confirmed(&stale.item) && given.of(&stale.item).is_none()
    };
    let open: Vec<&Stale> = stale.iter().filter(is_open).collect();
    (!open.is_empty() && stands_still(model, stale.iter(), sources)).then(|| ask(model, &open))
}

/// Puts each reason where it belongs: beside what is weaker, or in the list of what is gone.
fn reasons(record: &mut Record, weaker: &[Weakening], given: &Given) {
    for one in weaker {
        let reason = given.of(&one.name).map(str::to_owned);
        match (one.rest, one.kind) {
            (Rest::Gone, _) | (_, Weakened::Gate) => drop(record.gone.insert(one.key(), reason.unwrap_or_default())),
            (_, Weakened::Fact) => {
                record.facts.get_mut(&one.name).into_iter().for_each(|fact| fact.because = reason.clone())
            }
            (_, Weakened::Run) => {
                record.runs.get_mut(&one.name).into_iter().for_each(|run| run.because = reason.clone())
            }
            _ => {}
        }
    }
    let Record { calls, facts, items, runs, gone, .. } = record;
    gone.retain(|key, _| {
        let (kind, name) = key.split_once(' ').unwrap_or((key, ""));
        match kind {
            "item" => !items.contains_key(name),
            "calls" => !calls.contains_key(name),
            "fact" => !facts.contains_key(name),
            // Why it was given up once.
            "gate" => true,
            _ => !runs.contains_key(name),
        }
    });
}

/// Guards that this `sync` confirms although they have no effect any more: they can never fire again.
pub fn blind_guards(model: &Model, gathered: &Gathered, confirmed: &[Stale]) -> Vec<Finding> {
    let is_blind = |stale: &&Stale| {
        let fact = gathered.current.facts.get(&stale.item).filter(|_| stale.kind == StaleKind::Fact);
        fact.is_some_and(|fact| fact.reason == Some(Reason::NoEffect))
    };
    let finding = |stale: &Stale| {
        let message = format!("the guard {} has no effect to protect (no-effect): it can no longer fire", stale.item);
        let finding = match model.facts.get(&stale.item) {
            Some(table) => table.origin.finding(Code::Record, message),
            None => Finding::of_file(Code::Record, &model.config, message),
        };
        finding.help("name the effect as the code has it now, or take the guard out")
    };
    confirmed.iter().filter(is_blind).map(finding).collect()
}

/// Whether the model itself is as it was, or it names no files: then an item that changed needs a reason. Only what the
/// runs read is the model here; without runs, specifications and configurations.
fn stands_still<'s>(model: &Model, mut stale: impl Iterator<Item = &'s Stale>, sources: &BTreeSet<String>) -> bool {
    let is_model = |name: &str| {
        let path = model.folder.join(name).unwrap_or_default();
        let is_text = name.ends_with(".tla") || name.ends_with(".cfg");
        if model.runs.is_empty() { is_text } else { sources.contains(path.as_str()) || sources.contains(name) }
    };
    !model.names_files || !stale.any(|stale| stale.kind == StaleKind::File && is_model(&stale.item))
}

/// Whether a changed item of these needs a reason that was not given for all.
pub fn asks(model: &Model, shown: &[(StaleReport, String)], given: &Given, sources: &BTreeSet<String>) -> bool {
    given.all.is_none() && stands_still(model, shown.iter().map(|(report, _)| &report.stale), sources)
}

/// The name in the record of a model's file that is gone.
pub fn recorded_file(model: &Model, recorded: &Record, path: &str) -> String {
    let is_it = |name: &&String| model.folder.join(name).is_ok_and(|file| file.as_str() == path);
    recorded.files.keys().find(is_it).cloned().unwrap_or_else(|| path.to_owned())
}

fn ask(model: &Model, changed: &[&Stale]) -> Finding {
    let items: Vec<&str> = changed.iter().map(|stale| stale.item.as_str()).collect();
    let why = if model.names_files { "the model's own files did not" } else { "the model names no `files` of its own" };
    let message = format!("{}: {} changed, and {why}", model.name, items.join(", "));
    Finding::of_file(Code::Record, &model.record, message)
        .help("say why the model still describes it: `factgate sync --because \"…\"`")
}

/// Covered items that are not there: the record could only lie about them.
fn gone(model: &Model, gathered: &Gathered, parts: &Parts) -> Vec<Finding> {
    let named = named(model);
    let is_asked = |name: &str| {
        let watched = model.calls.iter().filter(|(_, watched)| watched.is_of(name));
        let tied = model.actions.iter().filter(|(_, action)| action.code.iter().any(|code| code.text == *name));
        let is_tied = tied.into_iter().any(|(action, _)| parts.holds_gate(&format!("action {action}")));
        is_tied || parts.holds_item(name) || watched.into_iter().any(|(key, _)| parts.holds_calls(key))
    };
    let say = |name: &str, message: String| match named.get(name) {
        Some(origin) => origin.finding(Code::Selector, message),
        None => Finding::of_file(Code::Selector, &model.config, message),
    };
    let removed = gathered.current.removed.iter().filter(|(name, _)| is_asked(name)).map(|(name, elsewhere)| {
        let finding = say(name, format!("{name} is named here and no longer there"));
        finding.help(match elsewhere {
            Some(to) => format!("the name stands at `{}` now: name that, or take it out", to.item),
            None => "take it out, or name what took its place".to_owned(),
        })
    });
    let moved = gathered.current.moved.iter().filter(|(name, _)| is_asked(name)).map(|(name, to)| {
        let finding = say(name, format!("{name} stands at {} now", to.item));
        finding.help("`factgate mv OLD NEW` follows it, as `factgate check` says; then `factgate sync`")
    });
    removed.chain(moved).collect()
}

/// Where the model names items and watched definitions.
fn named(model: &Model) -> BTreeMap<&str, &Origin> {
    let watched = model.calls.values().filter_map(|watched| match &watched.by {
        WatchedBy::Definition(of) => Some(of),
        WatchedBy::Outside(_) | WatchedBy::Shape(_) => None,
    });
    let tied = model.actions.values().flat_map(|action| &action.code);
    tied.chain(&model.cover).chain(watched).map(|covered| (covered.text.as_str(), &covered.origin)).collect()
}

fn unknown_facts(model: &Model, gathered: &Gathered, parts: &Parts) -> Vec<Finding> {
    let unknown = gathered.current.facts.iter().filter(|(name, fact)| fact.value.is_none() && parts.holds_fact(name));
    let finding = |(name, fact): (&String, &factgate_record::Fact)| {
        let reason = fact.reason.map_or("unknown", |reason| reason.code());
        let detail = fact.detail.as_deref().unwrap_or_default();
        let message = format!("the fact {name} is unknown and cannot be confirmed ({reason}: {detail})");
        match model.facts.get(name) {
            Some(table) => table.origin.finding(Code::Record, message),
            None => Finding::of_file(Code::Record, &model.config, message),
        }
    };
    unknown.map(finding).collect()
}
