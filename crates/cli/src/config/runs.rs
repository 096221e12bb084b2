//! Runs of the model checker, as the checker takes them.

use crate::config::build::Builder;
use crate::config::run_tables::{
    ConstantValue, MutantsKind, RunTable, States, StatesRange, TraceExpect, TraceTable, WorkersValue,
};
use crate::config::spanned::At;
use crate::config::tables::ConfigFile;
use factgate_checker::{
    Behaviour, Constant, Deadlock, Edit, Expectation, Mutants, Outcome, RunError, RunSpec, SpecPath, StateCount,
    TraceSet, Workers,
    run::{TRACE, parse_memory, parse_timeout},
};
use factgate_record::RepoPath;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Every `[run.NAME]`.
pub(super) fn load(builder: &mut Builder<'_>, folder: &RepoPath, tables: &ConfigFile) -> Vec<RunSpec> {
    let (engine, runs) = (&tables.engine, &tables.run);
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(digest) = engine.as_ref().and_then(|engine| engine.value.sha256.as_ref())
        && !is_digest(&digest.value)
    {
        builder.say("`sha256` is 64 hexadecimal digits", digest.span.clone());
    }
    if let (None, Some((name, run))) = (engine, runs.first_key_value()) {
        builder.say(format!("`[run.{name}]` needs an `[engine]` table with `kind = \"tlc\"`"), run.span.clone());
    }
    let none = RunTable::default();
    let defaults = tables.defaults.as_ref().map_or(&none, |defaults| &defaults.value);
    if let (Some(key), Some(at)) = (defaults.emptied().first(), &tables.defaults) {
        builder.say(format!("`{key}` is empty: name at least one"), at.span.clone());
    }
    for (name, run) in runs.iter().filter(|(name, _)| name.starts_with(TRACE)) {
        builder.say(format!("`{name}` is the name of a `[trace.NAME]`: name the run otherwise"), run.span.clone());
    }
    let mut made: Vec<RunSpec> =
        runs.iter().filter_map(|(name, run)| self::run(builder, folder, name, run, defaults)).collect();
    let traces: Vec<RunSpec> =
        tables.trace.iter().filter_map(|(name, trace)| self::trace(builder, folder, name, trace, &made)).collect();
    made.extend(traces);
    made
}

/// Recorded runs, held against a run that stands beside them.
fn trace(
    builder: &mut Builder<'_>,
    folder: &RepoPath,
    name: &str,
    trace: &At<TraceTable>,
    runs: &[RunSpec],
) -> Option<RunSpec> {
    let table = &trace.value;
    let mut reader = Reader { builder, folder, whole: trace.span.clone() };
    let spec = table.spec.as_ref().map(|spec| reader.path(spec));
    if table.files.is_empty() {
        reader.builder.say("`files` is empty: name at least one", trace.span.clone());
    }
    reader.once(&table.silent);
    let mut files = BTreeSet::new();
    for glob in &table.files {
        let before = reader.builder.found.len();
        let named = reader.builder.globs(folder, std::slice::from_ref(glob));
        if named.is_empty() && reader.builder.found.len() == before {
            reader.builder.say(format!("`{}` names no file of this view", glob.value), glob.span.clone());
        }
        files.extend(named.iter().map(|path| SpecPath::new(path.as_str())));
    }
    let Some(run) = runs.iter().find(|run| run.name.as_str() == table.run.value) else {
        let known: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let message = format!("no run is named `{}`: the runs are {}", table.run.value, known.join(", "));
        reader.builder.say(message, table.run.span.clone());
        return None;
    };
    if let Some(spec) = spec.flatten().filter(|spec| *spec != run.spec) {
        let message = format!("the run `{}` has the specification {}, not {spec}", run.name, run.spec);
        reader.builder.say(message, trace.span.clone());
    }
    let expect = match table.expect {
        TraceExpect::Accepted => Outcome::Accepted,
        TraceExpect::Rejected => Outcome::Rejected,
    };
    let set = TraceSet { run: run.name.clone(), files, silent: table.silent.clone() };
    Some(run.traced(name, set, expect))
}

fn run(
    builder: &mut Builder<'_>,
    folder: &RepoPath,
    name: &str,
    run: &At<RunTable>,
    defaults: &RunTable,
) -> Option<RunSpec> {
    let table = &run.value.over(defaults);
    let mut reader = Reader { builder, folder, whole: run.span.clone() };
    reader.emptied(&run.value, defaults);
    let Some(spec) = &table.spec else {
        reader.builder.say(format!("`{name}` lacks the key `spec`, and `[defaults]` give none"), run.span.clone());
        return None;
    };
    let spec = reader.path(spec);
    let library: Vec<SpecPath> = table.library.iter().flatten().filter_map(|path| reader.path(path)).collect();
    let cfg = table.cfg.as_ref().and_then(|path| reader.path(path));
    let edits = table.edit.iter().flatten().filter_map(|edit| {
        let file = reader.path(&edit.file)?;
        Some(Edit { file, find: edit.find.clone(), replace: edit.replace.clone() })
    });
    let edits = edits.collect();
    let behaviour = Behaviour::new(table.specification.clone(), table.init.clone(), table.next.clone());
    let behaviour = reader.taken(behaviour, None);
    let expect = Expectation::new(table.expect.as_deref(), table.violates.as_deref());
    let expect = reader.taken(expect, None);
    let timeout = table.timeout.as_ref().map(|text| reader.taken(parse_timeout(&text.value), Some(&text.span)));
    let memory = table.memory.as_ref().map(|text| reader.taken(parse_memory(&text.value), Some(&text.span)));
    let mutants = reader.mutants(table);
    let states = table.states.map(|states| reader.taken(states_of(states), None));
    for names in [&table.invariants, &table.properties, &table.type_invariants].into_iter().flatten() {
        reader.once(names);
    }
    let mut made = RunSpec::new(name, spec?);
    made.cfg = cfg;
    made.library = library;
    made.behaviour = behaviour?;
    made.invariants = table.invariants.clone().unwrap_or_default();
    made.properties = table.properties.clone().unwrap_or_default();
    made.types = table.type_invariants.clone().unwrap_or_default();
    made.set = table.set.iter().map(|(name, value)| (name.clone(), constant(&value.value))).collect();
    made.model_values = table.model_values.iter().flatten().cloned().collect();
    made.edits = edits;
    made.expect = expect?;
    made.actions = table.actions.clone().filter(|actions| !actions.is_empty() || defaults.actions.is_none());
    made.states = states.flatten();
    made.deadlock = deadlock(table.check_deadlock);
    made.unused_actions = table.unused_actions.iter().flatten().cloned().collect();
    if let Some(timeout) = timeout {
        made.timeout = timeout?;
    }
    made.workers = match table.workers {
        Some(WorkersValue::Count(count)) => Workers::Count(count),
        Some(WorkersValue::All(_)) => Workers::All,
        None => made.workers,
    };
    made.memory_mb = memory.flatten();
    made.mutants = mutants;
    Some(made)
}

struct Reader<'r, 'b> {
    builder: &'r mut Builder<'b>,
    folder: &'r RepoPath,
    whole: Range<usize>,
}

impl Reader<'_, '_> {
    fn path(&mut self, path: &At<String>) -> Option<SpecPath> {
        self.builder.joined(self.folder, path).map(|path| SpecPath::new(path.as_str()))
    }

    fn taken<T>(&mut self, value: Result<T, RunError>, span: Option<&Range<usize>>) -> Option<T> {
        let span = span.unwrap_or(&self.whole).clone();
        value.map_err(|error| self.builder.say(error.to_string(), span)).ok()
    }

    /// An empty list takes away what `[defaults]` give; where they give nothing, it says nothing.
    fn emptied(&mut self, own: &RunTable, defaults: &RunTable) {
        let without = RunTable::default().over(defaults);
        let given = |key: &str| match key {
            "library" => without.library.is_some(),
            "invariants" => without.invariants.is_some(),
            "properties" => without.properties.is_some(),
            "type_invariants" => without.type_invariants.is_some(),
            "model_values" => without.model_values.is_some(),
            "edit" => without.edit.is_some(),
            _ => without.unused_actions.is_some(),
        };
        for key in own.emptied().into_iter().filter(|key| !given(key)) {
            self.builder.say(format!("`{key}` is empty: name at least one"), self.whole.clone());
        }
    }

    /// Each name once.
    fn once(&mut self, names: &[String]) {
        let mut seen = BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            self.builder.say(format!("`{name}` is named twice"), self.whole.clone());
        }
    }

    fn mutants(&mut self, table: &RunTable) -> Mutants {
        let Some(MutantsKind::Auto) = table.mutants else {
            if !table.mutant_outcomes.is_empty() {
                self.builder.say("`mutant_outcomes` goes with `mutants = \"auto\"`", self.whole.clone());
            }
            return Mutants::None;
        };
        let mut outcomes = BTreeMap::new();
        for (guard, outcome) in &table.mutant_outcomes {
            let texts: Vec<&str> = outcome.0.iter().map(|text| text.value.as_str()).collect();
            let span = outcome.0.first().map_or(self.whole.clone(), |first| first.span.clone());
            let expected = self.taken(Expectation::of_mutant(&texts), Some(&span));
            outcomes.extend(expected.map(|expected| (guard.clone(), expected)));
        }
        Mutants::Auto(outcomes)
    }
}

fn constant(value: &ConstantValue) -> Constant {
    match value {
        ConstantValue::Bool(truth) => Constant::Bool(*truth),
        ConstantValue::Integer(number) => Constant::Integer(*number),
        ConstantValue::Text(text) => Constant::Text(text.clone()),
        ConstantValue::Set(elements) => Constant::Set(elements.iter().map(constant).collect()),
        ConstantValue::Model(value) => Constant::Model(value.model.clone()),
        ConstantValue::Tla(text) => Constant::Tla(text.tla.clone()),
    }
}

fn states_of(states: States) -> Result<StateCount, RunError> {
    let wrong = |why: &str| Err(RunError(format!("`states` {why}")));
    match states {
        States::Exactly(count) => Ok(StateCount::exactly(count)),
        States::Range(StatesRange { min: None, max: None }) => wrong("asks for nothing: give `min`, `max` or both"),
        States::Range(StatesRange { min: Some(min), max: Some(max) }) if min > max => {
            wrong(&format!("from {min} to {max} fits no number"))
        }
        States::Range(StatesRange { min, max }) => Ok(StateCount { min, max }),
    }
}

fn deadlock(check: Option<bool>) -> Deadlock {
    match check {
        None => Deadlock::Unstated,
        Some(true) => Deadlock::Checked,
        Some(false) => Deadlock::Ignored,
    }
}
