//! Comparison of what was recorded with what is there now.

use crate::change::{Change, Renaming};
use crate::fact::{Fact, Place, Reason, Role};
use crate::moved::moves;
use crate::record::{Asks, CallRecord, FactRecord, Gate, ItemRecord, Record};
use crate::{gate, runs};
use std::collections::{BTreeMap, BTreeSet};

/// The state of the code in one view, as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// Items that could be read, by selector.
    pub items: BTreeMap<String, CurrentItem>,
    /// Where each of them ends.
    pub ends: BTreeMap<String, Place>,
    /// The patterns of calls that do not count, as the configuration has them.
    pub ignore: Vec<String>,
    /// Items that are covered, and definitions that are watched, and certainly not there, with where the name stands now,
    /// if anywhere.
    pub removed: BTreeMap<String, Option<Elsewhere>>,
    /// Items, watched definitions and scopes of facts that stand elsewhere now. Such an item is among `items` by its
    /// recorded selector, as it is there.
    pub moved: BTreeMap<String, Elsewhere>,
    /// Files that stand elsewhere now, by their path as selectors name it.
    pub moved_files: BTreeMap<String, Elsewhere>,
    /// Items that are covered and could not be read: an error stands elsewhere, and nothing is said of them here.
    pub unread: Vec<String>,
    /// Facts, by name.
    pub facts: BTreeMap<String, Fact>,
    /// The hash of each fact's definition, by the fact's name.
    pub definitions: BTreeMap<String, String>,
    /// Watched functions, by key, with the places of their sites.
    pub calls: BTreeMap<String, CurrentCalls>,
    /// Watched functions, by key, whose calls could not be looked for: an error stands elsewhere.
    pub unswept: BTreeSet<String>,
    /// The model's own files, by path from the model's folder.
    pub files: BTreeMap<String, String>,
    /// What the configuration asks beside the rest.
    pub gate: Gate,
    /// The model's runs, by name.
    pub runs: BTreeMap<String, CurrentRun>,
}

/// One run as it is now.
#[derive(Clone, Debug, Default)]
pub struct CurrentRun {
    /// The key of all that its verdict depends on; `None` when the run cannot be made.
    pub key: Option<String>,
    /// What it asks; `None` for a run made from another one, and for one that cannot be made.
    pub asks: Option<Asks>,
}

/// One item as it is now.
#[derive(Clone, Debug)]
pub struct CurrentItem {
    /// The hashes as they would be recorded; `because` is not used.
    pub record: ItemRecord,
    /// The hashes made in the way of the record, where that is another one.
    pub as_recorded: Option<ItemRecord>,
    /// The functions of the model's files that it calls and nothing covers.
    pub callees: Vec<Uncovered>,
    /// Whether the names in which it differs from the record are a renaming.
    pub renaming: Renaming,
    /// Where it stands.
    pub at: Place,
}

impl CurrentItem {
    /// An item that is read as the record would have it.
    pub fn new(record: ItemRecord, at: Place) -> CurrentItem {
        CurrentItem { record, as_recorded: None, callees: Vec::new(), renaming: Renaming::default(), at }
    }

    /// The hashes to compare with the record's.
    pub fn hashes(&self) -> &ItemRecord {
        self.as_recorded.as_ref().unwrap_or(&self.record)
    }

    /// In which way it differs from what was recorded.
    pub fn change_from(&self, recorded: &ItemRecord) -> Option<Change> {
        Change::between(recorded, self.hashes(), self.renaming)
    }
}

/// A function that is called and that nothing covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The word that calls it.
    pub word: String,
    /// Its selector.
    pub item: String,
    /// Where it is called first.
    pub at: Place,
}

/// Where an item that is gone stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Its selector there.
    pub item: String,
    /// Its place there.
    pub at: Place,
}

/// The sites of one watched function as they are now.
#[derive(Clone, Debug, Default)]
pub struct CurrentCalls {
    /// The counts.
    pub record: CallRecord,
    /// The first place of each site, by `file#item`.
    pub places: BTreeMap<String, Place>,
    /// Every site, in source order, for explanations.
    pub sites: Vec<CurrentSite>,
}

/// One call site as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentSite {
    /// `file#item`.
    pub name: String,
    /// `calls`, `values` or `possible`.
    pub kind: &'static str,
    /// The form of the use: `call`, `.apply`, `new`, `JSX element`, `value`, …
    pub form: &'static str,
    /// Where it is.
    pub place: Place,
    /// The source line.
    pub text: String,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// What kind.
    pub kind: StaleKind,
    /// The item's selector, the site's `file#item`, the fact's name, the file's path or the run's name.
    pub item: String,
    /// For `changed`: in which way.
    pub change: Option<Change>,
    /// Where it is now, when it is somewhere.
    pub at: Option<Place>,
    /// Where it stands now, when that is elsewhere than recorded: a selector, or a path.
    pub to: Option<String>,
    /// For `call-added` and `call-removed`: the key of the watched function.
    pub callee: Option<String>,
    /// What differs, in words.
    pub detail: String,
}

coded! {
    /// Kinds of STALE.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum StaleKind {
        /// The fingerprint differs.
        Changed = "changed",
        /// It newly calls a function of the model's files that nothing covers; never drift.
        Calls = "calls",
        /// The item is gone.
        Removed = "removed",
        /// The item is gone and its fingerprint stands elsewhere.
        Moved = "moved",
        /// In the record, no longer covered.
        Uncovered = "uncovered",
        /// Covered, not in the record.
        Unrecorded = "unrecorded",
        /// A site, or one more call in a known site.
        CallAdded = "call-added",
        /// A site, or a call of one, is gone.
        CallRemoved = "call-removed",
        /// A fact's value differs.
        Fact = "fact",
        /// One of the model's own files differs.
        File = "file",
        /// The configuration asks something else than items, facts and runs say.
        Gate = "gate",
        /// A run is new, gone, or asks something else.
        Run = "run",
        /// A run's verdict no longer applies.
        Unverified = "unverified",
    }
}

impl StaleKind {
    /// The word for people: `call added`.
    pub fn word(self) -> String {
        self.code().replace('-', " ")
    }
}

impl Stale {
    pub(crate) fn new(kind: StaleKind, item: &str, detail: impl Into<String>) -> Stale {
        let item = item.to_owned();
        Stale { kind, item, change: None, at: None, to: None, callee: None, detail: detail.into() }
    }

    pub(crate) fn at(mut self, place: Option<&Place>) -> Stale {
        self.at = place.cloned();
        self
    }
}

/// Everything that differs, in a stable order: by kind, then by item. What could not be read (`unread` items, facts
/// whose scope has a parse error) is no difference: the caller has an error for it.
pub fn compare(recorded: &Record, current: &Current) -> Vec<Stale> {
    let mut found = Vec::new();
    items(recorded, current, &mut found);
    moves(recorded, current, &mut found);
    // An entry that cannot be followed and has a new key may be a known one, misspelt: its error says enough.
    let misspelt = current.unswept.iter().any(|key| !recorded.calls.contains_key(key));
    let is_told = |key: &str| current.unswept.contains(key) || misspelt && !current.calls.contains_key(key);
    for key in union(&recorded.calls, &current.calls).into_iter().filter(|key| !is_told(key)) {
        calls(key, recorded.calls.get(key), current.calls.get(key), current, &mut found);
    }
    for name in union(&recorded.facts, &current.facts) {
        let definition = current.definitions.get(name);
        found.extend(fact(name, recorded.facts.get(name), current.facts.get(name), definition));
    }
    for path in union(&recorded.files, &current.files) {
        found.extend(file(path, recorded.files.get(path), current.files.get(path)));
    }
    gate::compare(recorded, current, &mut found);
    runs::compare(recorded, &current.runs, &mut found);
    found.sort_by(|a, b| (a.kind, &a.item, &a.detail).cmp(&(b.kind, &b.item, &b.detail)));
    found
}

pub(crate) fn union<'a, A, B>(
    recorded: &'a BTreeMap<String, A>,
    current: &'a BTreeMap<String, B>,
) -> BTreeSet<&'a str> {
    recorded.keys().chain(current.keys()).map(String::as_str).collect()
}

fn items(recorded: &Record, current: &Current, found: &mut Vec<Stale>) {
    for (name, known) in &recorded.items {
        if let Some(now) = current.items.get(name) {
            found.extend(calls_uncovered(name, known, now));
            let Some(change) = now.change_from(known) else { continue };
            let stale = Stale::new(StaleKind::Changed, name, change.sentence(known, now.hashes())).at(Some(&now.at));
            let to = current.moved.get(name).map(|to| to.item.clone());
            found.push(Stale { change: Some(change), to, ..stale });
        } else if !current.removed.contains_key(name)
            && !current.moved.contains_key(name)
            && !current.unread.contains(name)
            && !is_misspelt(name, recorded, current)
        {
            found.push(Stale::new(StaleKind::Uncovered, name, "is in the record, and no longer in `cover`"));
        }
    }
    for (name, elsewhere) in &current.removed {
        let is_tied = || {
            recorded.gate.iter().flatten().any(|(aspect, names)| aspect.starts_with("action ") && names.contains(name))
        };
        let what = match recorded.items.contains_key(name) {
            true => "covered",
            false if is_tied() => "tied to an action",
            false => "watched",
        };
        let mut detail = format!("is {what} and no longer there");
        if let Some(to) = elsewhere {
            detail.push_str(&format!("; the name stands at {} now", to.item));
        }
        found.push(Stale::new(StaleKind::Removed, name, detail).at(elsewhere.as_ref().map(|to| &to.at)));
    }
    for (name, now) in &current.items {
        if !recorded.items.contains_key(name) {
            let detail = "is in `cover`, and not in the record";
            found.push(Stale::new(StaleKind::Unrecorded, name, detail).at(Some(&now.at)));
        }
    }
}

/// Whether `cover` names an item of this file, or of this name, that neither the code nor the record has: that is told
/// once, as an error, and what is known under the right name is no second finding.
fn is_misspelt(known: &str, recorded: &Record, current: &Current) -> bool {
    let parts = |selector: &str| selector.split_once('#').map(|(path, name)| (path.to_owned(), name.to_owned()));
    let Some((path, name)) = parts(known) else { return false };
    let unknown = current.unread.iter().filter(|unread| !recorded.items.contains_key(*unread));
    unknown.filter_map(|unread| parts(unread)).any(|(other_path, other)| path == other_path || name == other)
}

/// What an item says that it did not say, and that calls a function which nothing covers. What is only called otherwise
/// now was called before.
fn calls_uncovered(name: &str, known: &ItemRecord, now: &CurrentItem) -> Vec<Stale> {
    if now.change_from(known) == Some(Change::Names) {
        return Vec::new();
    }
    let is_new = |callee: &&Uncovered| !known.words.contains(&callee.word);
    let said = |callee: &Uncovered| {
        let detail = format!("calls {}, which nothing covers", callee.word);
        Stale::new(StaleKind::Calls, name, detail).at(Some(&callee.at))
    };
    now.callees.iter().filter(is_new).map(said).collect()
}

/// A key without a record counts as one without sites, and the other way round.
fn calls(
    key: &str,
    recorded: Option<&CallRecord>,
    current: Option<&CurrentCalls>,
    view: &Current,
    found: &mut Vec<Stale>,
) {
    let nothing = (CallRecord::default(), CurrentCalls::default());
    let known = recorded.unwrap_or(&nothing.0);
    let now = current.unwrap_or(&nothing.1);
    let known = &*view.here(known, &now.record);
    let maps = [
        ("", &known.calls, &now.record.calls),
        ("as a value", &known.values, &now.record.values),
        ("possible", &known.possible, &now.record.possible),
    ];
    for (form, before, after) in maps {
        for site in union(before, after) {
            let counts = (before.get(site).copied().unwrap_or(0), after.get(site).copied().unwrap_or(0));
            found.extend(site_difference(key, site, form, counts, now.places.get(site)));
        }
    }
    let before: BTreeSet<&String> = known.unresolved.iter().collect();
    let after: BTreeSet<&String> = now.record.unresolved.iter().collect();
    for import in before.symmetric_difference(&after) {
        let kind = if after.contains(*import) { StaleKind::CallAdded } else { StaleKind::CallRemoved };
        let (file, specifier) = import.split_once(": ").unwrap_or((import, ""));
        let detail = format!("{key}: the import of `{specifier}` cannot be resolved and could hide a call");
        found.push(Stale { callee: Some(key.to_owned()), ..Stale::new(kind, file, detail) });
    }
}

fn site_difference(key: &str, site: &str, form: &str, counts: (u32, u32), place: Option<&Place>) -> Option<Stale> {
    let (before, after) = counts;
    let kind = match before.cmp(&after) {
        std::cmp::Ordering::Less => StaleKind::CallAdded,
        std::cmp::Ordering::Greater => StaleKind::CallRemoved,
        std::cmp::Ordering::Equal => return None,
    };
    let mut detail = key.to_owned();
    if !form.is_empty() {
        detail.push_str(&format!(" ({form})"));
    }
    if before > 0 && after > 0 {
        detail.push_str(&format!(": {before} -> {after} times"));
    }
    Some(Stale { callee: Some(key.to_owned()), ..Stale::new(kind, site, detail).at(place) })
}

/// What is said of a fact whose value was read by another definition.
const REDEFINED: &str = "its definition changed";

/// A fact whose definition changed is another fact, whatever it reads.
fn fact(
    name: &str,
    recorded: Option<&FactRecord>,
    current: Option<&Fact>,
    definition: Option<&String>,
) -> Option<Stale> {
    let before = recorded.map_or("unrecorded".to_owned(), |fact| fact.value.to_string());
    let Some(now) = current else {
        return Some(Stale::new(StaleKind::Fact, name, format!("{before} -> no longer defined")));
    };
    let known = recorded.and_then(|known| known.of.as_ref()).zip(definition);
    let redefined = known.is_some_and(|(before, after)| before != after);
    // One that is told to be read where nothing is, and was not so before, is the caller's error: nothing was removed.
    let misspelt = redefined && now.reason == Some(Reason::NoScope);
    let unreadable = now.value.is_none() && (misspelt || now.reason == Some(Reason::ParseError));
    let same = recorded.is_some_and(|known| known.kind == now.kind && Some(&known.value) == now.value.as_ref());
    if unreadable || same && !redefined {
        return None;
    }
    let shown = |role| now.evidence.iter().find(|evidence| evidence.role == role);
    let place = shown(Role::Effect).or(now.evidence.first()).map(|evidence| &evidence.place);
    if same {
        return Some(Stale::new(StaleKind::Fact, name, REDEFINED).at(place));
    }
    let after = now.value.as_ref().map_or("unknown".to_owned(), ToString::to_string);
    let mut detail = format!("{before} -> {after}");
    if let Some(known) = recorded.filter(|known| known.kind != now.kind) {
        detail = format!("{} {before} -> {} {after}", known.kind.word(), now.kind.word());
    }
    if let Some(reason) = now.reason {
        detail.push_str(&format!("   {}", reason.code()));
        if let Some(words) = now.detail.as_ref().filter(|words| !words.is_empty()) {
            detail.push_str(&format!(": {words}"));
        }
    }
    if redefined {
        detail.push_str(&format!("; {REDEFINED}"));
    }
    Some(Stale::new(StaleKind::Fact, name, detail).at(place))
}

fn file(path: &str, recorded: Option<&String>, current: Option<&String>) -> Option<Stale> {
    let detail = match (recorded, current) {
        (Some(before), Some(after)) if before == after => return None,
        (Some(_), Some(_)) => "the model's file differs",
        (Some(_), None) => "the model's file is gone",
        (None, _) => "the model's file is not in the record",
    };
    Some(Stale::new(StaleKind::File, path, detail))
}
