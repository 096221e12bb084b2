//! What a run asks, in words that two versions of it can be compared by: what it expects, what it checks, what bounds it.
//! The facts are left out: they are recorded by themselves.

use super::{Planned, Prepared};
use crate::definitions::{Definitions, names, text};
use crate::files::SpecPath;
use crate::run::{Deadlock, Expectation, Mutants, RunSpec, TraceSet};
use crate::scan::{Token, scan, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The longest text of an aspect; a longer one is cut, and told apart by a hash.
const LONGEST: usize = 100;

impl Planned {
    /// What the run asks, by aspect, its files named from a folder. `None` for a mutant, whose parent says it, and for a
    /// run that cannot be made.
    pub fn asks(&self, folder: &str) -> Option<BTreeMap<String, String>> {
        let below = |path: &SpecPath| path.below(folder);
        let prepared = self.prepared.as_ref().ok().filter(|_| self.spec.mutant.is_none())?;
        let spec = &self.spec;
        if let Some(set) = &spec.trace {
            return Some(asks_of(set, prepared, &spec.expect, below));
        }
        let mut asks = BTreeMap::new();
        let mut add = |aspect: &str, words: String| drop(asks.insert(aspect.to_owned(), short(words)));
        add("spec", below(&spec.spec));
        add("behaviour", prepared.cfg.behaviour.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "));
        add("expect", spec.expect.to_string());
        add("deadlock", if prepared.deadlock == Deadlock::Ignored { "ignored" } else { "checked" }.to_owned());
        list(&mut add, "checks", prepared.cfg.invariants.iter().chain(&prepared.cfg.properties));
        list(&mut add, "types", prepared.types.iter());
        list(&mut add, "model values", spec.model_values.iter());
        list(&mut add, "constant", hollow(prepared).iter());
        if let Some(actions) = &spec.actions {
            add("actions", format!("[{}]", actions.join(", ")));
        }
        if let Some(states) = spec.states {
            add("states", states.to_string());
        }
        bounds(prepared, &mut add);
        for (name, value) in &prepared.fixed {
            add(&format!("set {name}"), value.clone());
        }
        for edit in &spec.edits {
            let pair = format!("{} -> {}", one_line(&edit.find), one_line(&edit.replace));
            add(&format!("edit {} {}", below(&edit.file), hash(&pair)), pair);
        }
        mutants(spec, &mut add);
        Some(asks)
    }
}

/// What recorded runs are held against, and how many there are. What the named run asks is told by itself.
fn asks_of(
    set: &TraceSet,
    prepared: &Prepared,
    expect: &Expectation,
    below: impl Fn(&SpecPath) -> String,
) -> BTreeMap<String, String> {
    let mut asks = BTreeMap::from([("run".to_owned(), set.run.to_string()), ("expect".to_owned(), expect.to_string())]);
    for (path, text) in &prepared.traces {
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        asks.insert(format!("lines {}", below(path)), lines.to_string());
        asks.insert(format!("named {}", below(path)), named(text));
    }
    list(&mut |aspect, words| drop(asks.insert(aspect.to_owned(), short(words))), "silent", set.silent.iter());
    asks
}

/// How often the lines of a recorded run name an action and each variable: what they leave out is free.
fn named(text: &str) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let state = value.get("state").and_then(serde_json::Value::as_object);
        let variables = state.into_iter().flat_map(|state| state.keys().cloned());
        for name in variables.chain(value.get("action").map(|_| "action".to_owned())) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts.into_iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

/// Names in order, where there are any.
fn list<'a>(add: &mut impl FnMut(&str, String), aspect: &str, names: impl Iterator<Item = &'a String>) {
    let names: BTreeSet<&str> = names.map(String::as_str).collect();
    if !names.is_empty() {
        add(aspect, names.into_iter().collect::<Vec<_>>().join(", "));
    }
}

/// Constraints, views and symmetry, each with the text of its definition: a bound may be moved there too.
fn bounds(prepared: &Prepared, add: &mut impl FnMut(&str, String)) {
    let definitions = Definitions::read(&prepared.root, &prepared.modules);
    for line in &prepared.cfg.others {
        let (key, names) = line.split_once(' ').unwrap_or((line, ""));
        for name in names.split_whitespace() {
            add(&format!("bound {key} {name}"), whole(name, &definitions));
        }
    }
}

/// A definition with all that it leads to: a bound is moved there as well.
pub(super) fn whole(name: &str, definitions: &Definitions<'_>) -> String {
    definitions.get(name).map(|definition| with_all(&definition.body, name, definitions)).unwrap_or_default()
}

/// A text of a definition with all that it leads to.
pub(super) fn with_all(body: &[Token<'_>], name: &str, definitions: &Definitions<'_>) -> String {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut queue = names(body);
    while let Some(other) = queue.pop() {
        if let Some(found) = definitions.get(other).filter(|_| other != name && !parts.contains_key(other)) {
            parts.insert(other.to_owned(), format!("; {other} == {}", text(&found.body)));
            queue.extend(names(&found.body));
        }
    }
    text(body) + &parts.into_values().collect::<String>()
}

fn mutants(spec: &RunSpec, add: &mut impl FnMut(&str, String)) {
    let Mutants::Auto(outcomes) = &spec.mutants else { return };
    add("mutants", "auto".to_owned());
    for (guard, outcome) in outcomes.iter().filter(|(_, outcome)| **outcome != Expectation::Unstated) {
        add(&format!("mutant {guard}"), outcome.to_string());
    }
}

/// Checked names whose definitions mention no variable: no state and no step can violate them.
pub(super) fn hollow(prepared: &Prepared) -> BTreeSet<String> {
    let definitions = Definitions::read(&prepared.root, &prepared.modules);
    // What an inner module declares is not looked into here.
    if prepared.modules.values().any(|text| !scan(text).inner.is_empty()) {
        return BTreeSet::new();
    }
    let variables = variables(prepared);
    let checked = prepared.cfg.invariants.iter().chain(&prepared.cfg.properties);
    checked.filter(|name| is_constant(name, &definitions, &variables)).cloned().collect()
}

/// The variables of all modules.
pub(super) fn variables(prepared: &Prepared) -> BTreeSet<String> {
    prepared.modules.values().flat_map(|text| scan(text).variables).collect()
}

/// Every definition that a run reads, by what its configuration names.
pub(super) fn reached(prepared: &Prepared, definitions: &Definitions<'_>) -> BTreeSet<String> {
    let cfg = &prepared.cfg;
    let mut queue: Vec<String> = cfg.behaviour.iter().map(|(_, name)| name.clone()).collect();
    queue.extend(cfg.invariants.iter().chain(&cfg.properties).cloned());
    queue.extend(cfg.others.iter().flat_map(|line| line.split_whitespace().map(str::to_owned)));
    queue.extend(cfg.constants.iter().flat_map(|one| one.rest.split_whitespace().map(str::to_owned)));
    let mut reached: BTreeSet<String> = BTreeSet::new();
    while let Some(name) = queue.pop() {
        let Some(definition) = definitions.get(&name).filter(|_| reached.insert(name.clone())) else { continue };
        queue.extend(names(&definition.body).into_iter().map(str::to_owned));
    }
    reached
}

/// Whether nothing that the run reaches reads a constant: it stands in its declaration and in definitions that neither the
/// behaviour nor anything that is checked leads to. An `ASSUME` reads what it mentions.
pub(super) fn is_unread(constant: &str, prepared: &Prepared) -> bool {
    let definitions = Definitions::read(&prepared.root, &prepared.modules);
    let reached = reached(prepared, &definitions);
    let own = [super::ROOT, super::VALUES];
    let count = |tokens: &[Token<'_>]| tokens.iter().filter(|token| **token == Token::Name(constant)).count();
    let modules = prepared.modules.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    let (mut written, mut declared) = (0, 0);
    for (_, text) in modules {
        written += count(&tokens(text));
        let module = scan(text);
        if !module.inner.is_empty() {
            return false;
        }
        declared += usize::from(module.constants.contains_key(constant));
    }
    let unreached: usize = definitions
        .all()
        .filter(|(name, _)| !reached.contains(*name))
        .map(|(_, definition)| count(&definition.body))
        .sum();
    written == declared + unreached
}

/// Operators of the engine whose value changes from state to state.
const CHANGING: [&str; 4] = ["TLCGet", "RandomElement", "JavaTime", "Trace"];

pub(super) fn is_constant(name: &str, definitions: &Definitions<'_>, variables: &BTreeSet<String>) -> bool {
    if definitions.get(name).is_none() {
        return false;
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut queue = vec![name.to_owned()];
    while let Some(name) = queue.pop() {
        let Some(definition) = definitions.get(&name).filter(|_| seen.insert(name.clone())) else { continue };
        for token in &definition.body {
            match token {
                Token::Name(name) if variables.contains(*name) || CHANGING.contains(name) => return false,
                Token::Name("INSTANCE") => return false,
                Token::Name(name) => queue.push((*name).to_owned()),
                _ => {}
            }
        }
    }
    true
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..8].to_owned()
}

pub(super) fn short(words: String) -> String {
    if words.chars().count() <= LONGEST {
        return words;
    }
    let head: String = words.chars().take(LONGEST - 12).collect();
    format!("{head}… #{}", hash(&words))
}
