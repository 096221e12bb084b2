//! A model's runs between configuration, facts, record and checker.

use crate::config::Model;
use crate::pipeline::session::Session;
use crate::pipeline::view_files::ViewFiles;
use factgate_checker::{
    Constant, Facts, Judgement, Meaning, Planned, RunName, SpecFiles, SpecPath, known, meaning, plan,
};
use factgate_facts::Files;
use factgate_record::{Current, CurrentRun, Fact, FactValue, Record, RepoPath};
use std::collections::{BTreeMap, BTreeSet};

impl SpecFiles for ViewFiles {
    fn read(&self, path: &SpecPath) -> Result<Option<Vec<u8>>, String> {
        let bytes = Files::read(self, &RepoPath::from_git(path.as_str())).map_err(|error| error.to_string())?;
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }
}

/// The model's runs, made concrete with these facts.
pub fn planned(session: &Session, model: &Model, facts: &BTreeMap<String, Fact>) -> Vec<Planned> {
    plan(&model.runs, &constants(facts), &session.files)
}

fn constants(facts: &BTreeMap<String, Fact>) -> Facts {
    facts.iter().map(|(name, fact)| (name.clone(), fact.value.as_ref().map(constant))).collect()
}

fn constant(value: &FactValue) -> Constant {
    match value {
        FactValue::Bool(truth) => Constant::Bool(*truth),
        FactValue::Integer(number) => Constant::Integer(*number),
        FactValue::Float(number) => Constant::Unsupported(number.to_string()),
        FactValue::Text(text) => Constant::Text(text.clone()),
        FactValue::Set(elements) => Constant::Set(elements.iter().map(constant).collect()),
    }
}

/// The digest of the model's engine, as far as it is known without running anything.
pub fn digest(session: &Session, model: &Model) -> Option<String> {
    model.engine_spec(session.repository.worktree_root()).digest(|name| std::env::var_os(name))
}

/// Adds the runs to what is there now: what each asks, and the key of its verdict.
pub fn gather(session: &Session, model: &Model, record: Option<&Record>, current: &mut Current) {
    let digest = record.filter(|record| record.has_verdicts()).and_then(|_| digest(session, model));
    let run = |one: &Planned| {
        let name = one.spec.name.as_str();
        let recorded = record.and_then(|record| record.runs.get(name)).and_then(|run| run.key.as_deref());
        let key = one.confirmed_key(digest.as_deref(), recorded);
        (name.to_owned(), CurrentRun { key, asks: one.asks(model.folder.as_str()) })
    };
    let planned = planned(session, model, &current.facts);
    current.runs = planned.iter().map(run).collect();
    let Meaning { aspects, unknown } = meaning(&planned, &constants(&current.facts), model.folder.as_str());
    // What cannot be read now is not gone.
    let is_unknown = |aspect: &str| unknown.iter().any(|spec| aspect.ends_with(&format!(" {spec}")));
    let recorded = record.and_then(|record| record.gate.as_ref()).into_iter().flatten();
    let kept = recorded.filter(|(aspect, _)| is_unknown(aspect)).map(|(aspect, words)| (aspect.clone(), words.clone()));
    current.gate.extend(aspects);
    for (aspect, words) in kept {
        current.gate.insert(aspect, words);
    }
}

/// The files of the view that the runs read, by path from the repository's root.
pub fn sources(session: &Session, model: &Model, current: &Current) -> BTreeSet<String> {
    let planned = planned(session, model, &current.facts);
    planned.iter().flat_map(Planned::sources).map(|path| path.as_str().to_owned()).collect()
}

/// Puts the verdicts of all runs into a record, when each is known and as expected; whether they were.
pub fn confirmed(session: &Session, model: &Model, current: &Current, recorded: &mut Record) -> Verdicts {
    let planned = planned(session, model, &current.facts);
    let keys: BTreeMap<String, String> =
        recorded.runs.iter().filter_map(|(name, run)| Some((name.clone(), run.key.clone()?))).collect();
    let digest = digest(session, model);
    let reports = known(&planned, digest.as_deref(), &keys, &session.repository.cache_dir());
    let met = reports.iter().all(|report| report.judgement == Judgement::Met);
    if !met || reports.len() != planned.len() {
        return Verdicts::Missing;
    }
    let mut runs = BTreeMap::new();
    for (one, report) in planned.iter().zip(reports) {
        let name = report.name.as_str().to_owned();
        let mut run = recorded.runs.remove(&name).unwrap_or_default();
        run.key = one.confirmed_key(digest.as_deref(), report.key.as_deref());
        run.outcome = Some(report.outcome.to_string());
        run.states = report.states;
        run.rejected = rejected(model, report.rejected);
        runs.insert(name, run);
    }
    recorded.runs = runs;
    Verdicts::Recorded
}

/// Steps of rejections, their files named from the model's folder.
pub fn rejected(model: &Model, by_path: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let below = |path: String| RepoPath::from_git(&path).below(&model.folder).map(str::to_owned).unwrap_or(path);
    by_path.into_iter().map(|(path, step)| (below(path), step)).collect()
}

/// Whether a record got its verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdicts {
    /// All of them.
    Recorded,
    /// Not each is known and as expected: those that were recorded stay.
    Missing,
}

/// What each run weighs: its recorded count of states.
pub fn weights(record: Option<&Record>) -> BTreeMap<RunName, u64> {
    let runs = record.iter().flat_map(|record| &record.runs);
    runs.filter_map(|(name, run)| Some((RunName::new(name.as_str()), run.states?))).collect()
}
