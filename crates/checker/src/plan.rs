//! A run made concrete: the modules, the constants, the configuration and the key of all that its verdict depends on.
//! No engine is needed for it, so a record's verdicts can be held against the sources on any machine.

use crate::applications::split;
use crate::cfg::{Assignment, Cfg};
use crate::comments::without_comments;
use crate::constant::{Facts, Given, Models};
use crate::definitions::{Definitions, text as text_of};
use crate::files::{SpecFiles, SpecPath};
use crate::modules::{Modules, PlanError, plant, read_file};
use crate::outcome::Outcome;
use crate::run::{Behaviour, Deadlock, Edit, Expectation, Mutants, RunSpec};
use mutants::{mutants, strangers};
use standard::STANDARD;
use std::collections::{BTreeMap, BTreeSet};

/// The generated root module of a run.
pub(crate) const ROOT: &str = "FactgateRun";
/// The generated module that holds the constants' values.
const VALUES: &str = "FactgateValues";
/// What a constant's generated definition is named by.
const PREFIX: &str = "factgate_const_";
/// Changes whenever the same inputs could give another verdict because of what factgate itself does.
const SCHEME: &str = "factgate run 2";
/// The same for recorded runs alone.
const TRACED: &str = "traces 2";

/// One run of the matrix, ready to be carried out, or why it cannot be.
#[derive(Clone, Debug)]
pub struct Planned {
    /// What was asked.
    pub spec: RunSpec,
    /// What is handed to the engine.
    pub prepared: Result<Prepared, PlanError>,
}

/// What is handed to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Module texts by name, the generated ones included.
    pub(crate) modules: BTreeMap<String, String>,
    /// The module that is run.
    pub(crate) root: String,
    /// The specification's variables.
    pub(crate) variables: Vec<String>,
    /// The configuration.
    pub(crate) cfg: Cfg,
    /// The properties of each execution of the engine, in order; see [`Strategy`].
    pub(crate) strategy: Strategy,
    /// Whether a deadlock counts.
    pub(crate) deadlock: Deadlock,
    /// Whether all that is broken is looked for.
    pub(crate) survey: Survey,
    /// Constants that no fact gives, with their values in words.
    pub(crate) fixed: BTreeMap<String, String>,
    /// The files of the view that it was made from.
    pub(crate) sources: BTreeSet<SpecPath>,
    /// Type invariants among the invariants.
    pub(crate) types: BTreeSet<String>,
    /// What a violation may be of, for an expectation that names none.
    pub(crate) named: BTreeSet<String>,
    /// For recorded runs: their texts by path.
    pub(crate) traces: BTreeMap<SpecPath, String>,
    /// What the author should know.
    pub(crate) warnings: Vec<String>,
}

/// How the properties are checked. The older engine does not say which temporal property is violated, so one whose
/// name matters is checked alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// All at once; one by one only to learn the name of a violated one.
    Together,
    /// Each alone, in this order, until one does not hold; the rest together.
    Alone(Vec<String>),
}

/// How much is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Survey {
    /// What is violated first.
    First,
    /// All of these, and nothing behind the last of them.
    These(BTreeSet<Outcome>),
    /// All that is violated.
    All,
}

impl Survey {
    /// A mutant ends at the first violation that is expected of it, or at the last of several; where nothing is expected
    /// yet, all that it breaks is found.
    fn of(run: &RunSpec) -> Survey {
        match (&run.mutant, &run.expect) {
            (Some(_), Expectation::Together(all)) => Survey::These(all.clone()),
            (Some(_), Expectation::Unstated) => Survey::All,
            _ => Survey::First,
        }
    }

    /// Whether more is looked for after this.
    pub(crate) fn goes_on(&self, found: &BTreeSet<Outcome>) -> bool {
        match self {
            Survey::First => false,
            Survey::These(all) => !all.is_subset(found),
            Survey::All => true,
        }
    }
}

/// Makes every run concrete, mutants included, in the order of the names.
pub fn plan(runs: &[RunSpec], facts: &Facts, files: &dyn SpecFiles) -> Vec<Planned> {
    let mut planned = Vec::new();
    for run in runs {
        let mut prepared = prepare(run, facts, files);
        if let (Mutants::Auto(expected), Ok((whole, modules))) = (&run.mutants, &mut prepared) {
            let unread = |guard: &str| asks::is_unread(guard, whole);
            let mutants = mutants(run, expected, facts, modules, &unread);
            for mutant in mutants.iter().filter(|mutant| !mutant.set.contains_key(guard_of(mutant))) {
                let what = format!(
                    "nothing that a run reaches reads the guard `{}`: no run can tell whether it holds",
                    guard_of(mutant)
                );
                whole.warnings.push(what);
            }
            if mutants.is_empty() {
                whole.warnings.push("no guard that holds is a constant, so it has no mutant".to_owned());
            }
            for mutant in mutants {
                let prepared = prepare(&mutant, facts, files).map(|(prepared, _)| prepared);
                planned.push(Planned { spec: mutant, prepared });
            }
        }
        let prepared = prepared.and_then(|(whole, modules)| strangers(run, facts, &modules).map(|()| whole));
        planned.push(Planned { spec: run.clone(), prepared });
    }
    planned.sort_by(|a, b| a.spec.name.cmp(&b.spec.name));
    planned
}

fn guard_of(mutant: &RunSpec) -> &str {
    mutant.mutant.as_ref().map_or("", |mutant| mutant.guard.as_str())
}

impl Planned {
    /// The key of all that the verdict depends on: a hash of the run's inputs, and the engine's digest. When the digest
    /// is not known on this machine, the recorded key's is taken: nothing says that the engine changed.
    pub fn key(&self, digest: Option<&str>, recorded: Option<&str>) -> Option<String> {
        let mut inputs = self.prepared.as_ref().ok()?.inputs();
        if let Some(set) = &self.spec.trace {
            inputs = blake3::hash(format!("{inputs} {TRACED} {:?}", set.silent).as_bytes()).to_hex().to_string();
        }
        if let Some(actions) = self.spec.actions_with_arguments() {
            // Whether the steps take these arguments is part of what the engine is asked.
            inputs = blake3::hash(format!("{inputs} {actions:?}").as_bytes()).to_hex().to_string();
        }
        let recorded = recorded.and_then(|key| key.split_once("+tlc:")).map(|(_, rest)| rest);
        let recorded = recorded.map(|rest| rest.split_once('+').map_or(rest, |(digest, _)| digest));
        Some(format!("{inputs}+tlc:{}", digest.or(recorded).unwrap_or("unknown")))
    }

    /// The key under which a record confirms a verdict: the verdict's key, and what was expected of it. A run that is
    /// expected to come out otherwise is not confirmed by an old verdict.
    pub fn confirmed_key(&self, digest: Option<&str>, recorded: Option<&str>) -> Option<String> {
        let RunSpec { expect, actions, states, .. } = &self.spec;
        let expected = blake3::hash(format!("{expect:?} {actions:?} {states:?}").as_bytes()).to_hex();
        Some(format!("{}+expect:{}", self.key(digest, recorded)?, &expected[..16]))
    }

    /// The configuration that the engine is given (with all properties at once), and the generated module.
    pub fn configuration(&self) -> Result<String, PlanError> {
        let prepared = self.prepared.as_ref().map_err(Clone::clone)?;
        let mut text = prepared.cfg.render(&prepared.cfg.properties);
        for name in [VALUES, ROOT] {
            if let Some(module) = prepared.modules.get(name) {
                text.push_str(&format!("\n\\* {name}.tla\n"));
                text.extend(module.lines().map(|line| format!("\\* {line}\n")));
            }
        }
        Ok(text)
    }

    /// The files of the view that the run reads: the specification, its modules and its configuration. Of a run that cannot
    /// be made, those that it names itself.
    pub fn sources(&self) -> BTreeSet<SpecPath> {
        match &self.prepared {
            Ok(prepared) => prepared.sources.clone(),
            Err(_) => std::iter::once(&self.spec.spec).chain(&self.spec.cfg).cloned().collect(),
        }
    }

    /// Definitions of the specification, and of modules that it instantiates, that say something of the next state. `None`
    /// for a run that cannot be made.
    pub fn actions(&self) -> Option<BTreeSet<String>> {
        let prepared = self.prepared.as_ref().ok()?;
        let definitions = Definitions::read(&prepared.root, &prepared.modules);
        let names = definitions.all().map(|(name, _)| name).filter(|name| definitions.is_action(name));
        Some(names.map(str::to_owned).collect())
    }

    /// The actions that the next-state relation is made of, down to those that say something of the next state themselves, or
    /// that `is_known`. `None` where the run cannot be made, or the relation cannot be told.
    pub fn steps(&self, is_known: impl Fn(&str) -> bool) -> Option<BTreeSet<String>> {
        let prepared = self.prepared.as_ref().ok()?;
        let definitions = Definitions::read(&prepared.root, &prepared.modules);
        let behaviour = &prepared.cfg.behaviour;
        let next = behaviour.iter().find(|(key, _)| key == "NEXT").map(|(_, name)| name.clone());
        let formula = behaviour.iter().find(|(key, _)| key == "SPECIFICATION");
        let next = next.or_else(|| definitions.behaviour(&formula?.1).map(|(_, next)| next))?;
        Some(definitions.steps(&next, is_known))
    }

    /// What the author should know before anything runs.
    pub fn warnings(&self) -> &[String] {
        self.prepared.as_ref().map_or(&[], |prepared| &prepared.warnings)
    }
}

impl Prepared {
    /// A hash of everything but the engine.
    fn inputs(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(SCHEME);
        add(&self.root);
        add(&self.cfg.render(&self.cfg.properties));
        add(&format!("{:?} {:?} {:?}", self.deadlock, self.strategy, self.survey));
        if !self.types.is_empty() {
            add(&format!("{:?}", self.types));
        }
        if self.cfg.is_reduced() && !self.cfg.properties.is_empty() {
            // Verdicts on these said less than they seemed to, before factgate noticed.
            add("reduced");
        }
        for (name, text) in &self.modules {
            add(name);
            add(&without_comments(text));
        }
        for (path, text) in &self.traces {
            add(path.as_str());
            add(text);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// A hash of the state space that is explored: all inputs but what is asked of the states. `None` where asking more at
    /// once could change an answer.
    pub(crate) fn space(&self) -> Option<String> {
        if self.checks_nothing() || self.cfg.is_reduced() || self.survey != Survey::First {
            return None;
        }
        let cfg = Cfg { invariants: Vec::new(), properties: Vec::new(), ..self.cfg.clone() };
        let bare = Prepared { cfg, strategy: Strategy::Together, types: BTreeSet::new(), ..self.clone() };
        Some(bare.inputs())
    }

    /// This with what another run over the same state space asks as well.
    pub(crate) fn joined(&self, other: &Prepared) -> Prepared {
        let mut joined = Prepared { strategy: Strategy::Together, ..self.clone() };
        let add = |into: &mut Vec<String>, names: &[String]| {
            let new: Vec<String> = names.iter().filter(|name| !into.contains(name)).cloned().collect();
            into.extend(new);
        };
        add(&mut joined.cfg.invariants, &other.cfg.invariants);
        add(&mut joined.cfg.properties, &other.cfg.properties);
        joined
    }

    /// Whether nothing would be checked but deadlock.
    pub(crate) fn checks_nothing(&self) -> bool {
        self.cfg.invariants.is_empty() && self.cfg.properties.is_empty()
    }
}

fn prepare(run: &RunSpec, facts: &Facts, files: &dyn SpecFiles) -> Result<(Prepared, Modules), PlanError> {
    let mut cfg = match &run.cfg {
        Some(path) => {
            let bytes = read_file(files, path)?.ok_or_else(|| PlanError::Missing(path.clone()))?;
            Cfg::parse(&plant(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"), path, &run.edits)?)
        }
        None => Cfg::default(),
    };
    let edits: Vec<Edit> = run.edits.iter().filter(|edit| run.cfg.as_ref() != Some(&edit.file)).cloned().collect();
    let modules = Modules::load(&run.spec, &run.library, &edits, files)?;
    let mut texts = modules.texts.clone();
    let mut root = run.spec.module().to_owned();
    let generated = constants(run, facts, &modules, &mut cfg)?;
    let fixed = fixed(run, facts, &modules, &cfg);
    if let Some((values, main)) = generated {
        texts.insert(VALUES.to_owned(), values);
        texts.insert(ROOT.to_owned(), main);
        ROOT.clone_into(&mut root);
    }
    behaviour(run, &modules, &mut cfg);
    let deadlock = match (run.deadlock, cfg.deadlock) {
        (Deadlock::Unstated, Some(false)) | (Deadlock::Ignored, _) => Deadlock::Ignored,
        _ => Deadlock::Checked,
    };
    let named = merge(run, &mut cfg);
    let strategy = strategy(run, &cfg, &named)?;
    let mut prepared = Prepared {
        modules: texts,
        root,
        variables: modules.variables.clone(),
        cfg,
        strategy,
        deadlock,
        survey: Survey::of(run),
        fixed,
        sources: modules.files.iter().chain(&run.cfg).cloned().collect(),
        types: run.types.iter().cloned().collect(),
        named,
        traces: traces(run, files)?,
        warnings: Vec::new(),
    };
    for name in asks::hollow(&prepared).into_iter().filter(|_| run.trace.is_none()) {
        let what = format!("`{name}` mentions no variable, so no state can violate it");
        prepared.warnings.push(what);
    }
    Ok((prepared, modules))
}

/// The texts of the recorded runs.
fn traces(run: &RunSpec, files: &dyn SpecFiles) -> Result<BTreeMap<SpecPath, String>, PlanError> {
    let paths = run.trace.iter().flat_map(|set| &set.files);
    let read = |path: &SpecPath| {
        let bytes = read_file(files, path)?.ok_or_else(|| PlanError::Missing(path.clone()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| PlanError::Unreadable { path: path.clone(), why: "it is no UTF-8".to_owned() })?;
        Ok((path.clone(), text))
    };
    paths.map(read).collect()
}

/// What `set` and the cfg give: the constants that are no facts.
fn fixed(run: &RunSpec, facts: &Facts, modules: &Modules, cfg: &Cfg) -> BTreeMap<String, String> {
    let by_fact = |name: &String| modules.constants.contains_key(name) && matches!(facts.get(name), Some(Some(_)));
    let in_cfg = cfg.constants.iter().filter(|one| !run.set.contains_key(&one.name) && !by_fact(&one.name));
    let in_cfg = in_cfg.map(|one| (one.name.clone(), one.rest.trim_start_matches("= ").to_owned()));
    in_cfg.chain(run.set.iter().map(|(name, value)| (name.clone(), value.words()))).collect()
}

/// Puts the run's behaviour in the place of the cfg's.
fn behaviour(run: &RunSpec, modules: &Modules, cfg: &mut Cfg) {
    let line = |key: &str, name: &str| (key.to_owned(), name.to_owned());
    match &run.behaviour {
        Behaviour::Specification(name) => cfg.behaviour = vec![line("SPECIFICATION", name)],
        Behaviour::InitNext { init, next } => cfg.behaviour = vec![line("INIT", init), line("NEXT", next)],
        Behaviour::Unstated => {
            if cfg.behaviour.is_empty() && (run.cfg.is_none() || modules.defined.contains("Spec")) {
                cfg.behaviour = vec![line("SPECIFICATION", "Spec")];
            }
        }
    }
}

/// Adds the run's invariants and properties behind the cfg's; gives what a violation may be of.
fn merge(run: &RunSpec, cfg: &mut Cfg) -> BTreeSet<String> {
    let add = |into: &mut Vec<String>, names: &[String]| {
        for name in names {
            if !into.contains(name) {
                into.push(name.clone());
            }
        }
    };
    // In front: of several that one state breaks the engine names the first.
    let others = std::mem::replace(&mut cfg.invariants, run.types.clone());
    add(&mut cfg.invariants, &others);
    add(&mut cfg.invariants, &run.invariants);
    add(&mut cfg.properties, &run.properties);
    let own: BTreeSet<String> = run.invariants.iter().chain(&run.properties).cloned().collect();
    let all = if own.is_empty() { cfg.invariants.iter().chain(&cfg.properties).cloned().collect() } else { own };
    all.into_iter().filter(|name| !run.types.contains(name)).collect()
}

fn strategy(run: &RunSpec, cfg: &Cfg, named: &BTreeSet<String>) -> Result<Strategy, PlanError> {
    let alone = match &run.expect {
        Expectation::Exactly(Outcome::Violated(name)) if run.types.contains(name) => {
            return Err(PlanError::TypeExpected(name.clone()));
        }
        Expectation::Exactly(Outcome::Violated(name)) if cfg.properties.contains(name) => vec![name.clone()],
        Expectation::Exactly(Outcome::Violated(name)) if !cfg.invariants.contains(name) => {
            return Err(PlanError::NotChecked(name.clone()));
        }
        Expectation::Violated => cfg.properties.iter().filter(|name| named.contains(*name)).cloned().collect(),
        _ => Vec::new(),
    };
    Ok(if alone.is_empty() || cfg.properties.len() == 1 { Strategy::Together } else { Strategy::Alone(alone) })
}

/// Settles who gives each constant: `set` before facts before the cfg. Gives the texts of the generated modules, when
/// there is anything to put into them.
fn constants(
    run: &RunSpec,
    facts: &Facts,
    modules: &Modules,
    cfg: &mut Cfg,
) -> Result<Option<(String, String)>, PlanError> {
    refuse_unknown(run, modules, cfg)?;
    let models = cfg.model_values();
    let same = |one: &Assignment, form: &Given| match form {
        Given::Definition(text) | Given::Literal(text) => {
            one.rest.strip_prefix("= ").is_some_and(|rest| equal(rest, text))
        }
        Given::Expression(_) => false,
    };
    let mut given: Vec<(String, Given, bool)> = Vec::new();
    for (name, arguments) in &modules.constants {
        let in_cfg = cfg.constants.iter().find(|one| one.name == *name);
        let (value, by_fact) = match (run.set.get(name), facts.get(name)) {
            (Some(value), _) => (value, None),
            (None, Some(Some(value))) => (value, in_cfg),
            (None, Some(None)) if in_cfg.is_none() => return Err(value_error(name, "the fact's value: it is unknown")),
            (None, None) if in_cfg.is_none() => return Err(PlanError::MissingConstant(name.clone())),
            (None, _) => continue,
        };
        if *arguments > 0 {
            return Err(value_error(name, "a value: it is an operator, which only a cfg can give (`<-`)"));
        }
        let models = if run.model_values.contains(name) { Models::All } else { Models::Named(&models) };
        let form = value.give(&models).map_err(|why| value_error(name, &why))?;
        // A cfg that says what the code says may stay as it is; one that says something else hides the code.
        if let Some(other) = by_fact.filter(|one| !same(one, &form)) {
            return Err(PlanError::Contradicted {
                name: name.clone(),
                fact: value.words(),
                cfg: other.rest.clone(),
                set: value_in_toml(&other.rest, name),
            });
        }
        given.push((name.clone(), form, value.lowest().is_some_and(|number| number < 0)));
    }
    cfg.constants.retain(|one| !given.iter().any(|(name, _, _)| *name == one.name));
    Ok(generate(&modules.root.name, run.spec.module(), given, cfg))
}

/// Whether two texts of a constant are the same value: the elements of a set come in any order, each as often as it likes.
fn equal(one: &str, other: &str) -> bool {
    one == other || canonical(one).is_some_and(|text| Some(text) == canonical(other))
}

fn canonical(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text).trim();
    let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    };
    let tokens = crate::scan::tokens(inner);
    let parts = if tokens.is_empty() { Vec::new() } else { split(&tokens) };
    let parts = parts.iter().map(|part| canonical(&text_of(part)));
    let elements: BTreeSet<String> = parts.collect::<Option<_>>()?;
    Some(format!("{{{}}}", elements.into_iter().collect::<Vec<_>>().join(", ")))
}

/// What would say in a run that the cfg's value is meant.
fn value_in_toml(rest: &str, name: &str) -> String {
    let value = match rest.trim_start_matches("= ") {
        "TRUE" => "true".to_owned(),
        "FALSE" => "false".to_owned(),
        text if text.parse::<i64>().is_ok() || text.starts_with('"') => text.to_owned(),
        text => format!("{{ tla = {:?} }}", text.trim_start_matches("<- ")),
    };
    format!("set = {{ {name} = {value} }}")
}

fn value_error(name: &str, why: &str) -> PlanError {
    PlanError::Value { name: name.to_owned(), why: why.to_owned() }
}

/// A constant that the specification does not have is a mistake that the engine passes over in silence.
fn refuse_unknown(run: &RunSpec, modules: &Modules, cfg: &Cfg) -> Result<(), PlanError> {
    let unknown = |name: &String, by: &str| {
        let near = nearest(name, modules.constants.keys());
        let near = near.map(|near| format!(" (near: `{near}`)")).unwrap_or_default();
        PlanError::UnknownConstant { name: name.clone(), by: by.to_owned(), near }
    };
    if let Some(name) = run.set.keys().chain(&run.model_values).find(|name| !modules.constants.contains_key(*name)) {
        return Err(unknown(name, "the run's `set`"));
    }
    let known = |name: &str| {
        modules.constants.contains_key(name)
            || modules.defined.contains(name)
            || STANDARD.iter().any(|(module, names)| modules.outside.contains(*module) && names.contains(&name))
    };
    // `r1 = r1` only makes a model value: nothing was meant to change by it.
    let inert = |one: &Assignment| one.rest == format!("= {}", one.name);
    match cfg.constants.iter().find(|one| !known(&one.name) && !inert(one)) {
        // A module that is not there may define anything, so only a specification read in full is judged.
        Some(one) if modules.outside.iter().all(|name| STANDARD.iter().any(|(module, _)| module == name)) => {
            Err(unknown(&one.name, "the cfg"))
        }
        _ => Ok(()),
    }
}

/// The nearest of some names, when one is near at all.
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let distance = |other: &str| {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in name.bytes().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], i + 1);
            for (j, b) in other.bytes().enumerate() {
                let next = (corner + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
                corner = std::mem::replace(&mut row[j + 1], next);
            }
        }
        row[other.len()]
    };
    names.map(|other| (distance(other), other)).filter(|(d, _)| *d * 3 <= name.len()).min().map(|(_, other)| other)
}

/// Writes the generated modules, and the cfg's lines that point to them.
fn generate(root: &str, file: &str, given: Vec<(String, Given, bool)>, cfg: &mut Cfg) -> Option<(String, String)> {
    let (mut values, mut main) = (String::new(), String::new());
    let negative = given.iter().any(|(_, _, negative)| *negative);
    for (name, form, _) in given {
        let rest = match form {
            Given::Literal(text) => format!("= {text}"),
            Given::Definition(text) => {
                values.push_str(&format!("{PREFIX}{name} == {text}\n"));
                format!("<- {PREFIX}{name}")
            }
            Given::Expression(text) => {
                main.push_str(&format!("{PREFIX}{name} == {text}\n"));
                format!("<- {PREFIX}{name}")
            }
        };
        cfg.constants.push(Assignment::new(name, rest));
    }
    cfg.constants.sort_by(|a, b| a.name.cmp(&b.name));
    if values.is_empty() && main.is_empty() {
        return None;
    }
    // Local, so that the numbers' operators cannot meet operators of the specification.
    let integers = if negative { "LOCAL INSTANCE Integers\n" } else { "" };
    let root = if root.is_empty() { file } else { root };
    Some((
        format!("---- MODULE {VALUES} ----\n{integers}{values}====\n"),
        format!("---- MODULE {ROOT} ----\nEXTENDS {root}, {VALUES}\n{main}====\n"),
    ))
}

mod asks;
pub mod meaning;
mod mutants;
mod standard;

#[cfg(test)]
mod tests;
