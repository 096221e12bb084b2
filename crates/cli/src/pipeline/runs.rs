//! A model's runs between configuration, facts, record and checker.

use crate::config::Model;
use crate::pipeline::session::Session;
use crate::pipeline::view_files::ViewFiles;
use factgate_checker::{Constant, Facts, Judgement, Planned, RunName, SpecFiles, SpecPath, known, plan};
use factgate_facts::Files;
use factgate_record::{Current, Fact, FactValue, Record, RepoPath, RunRecord};
use std::collections::BTreeMap;

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

/// Adds the keys of the runs to what is there now, where the record holds any to compare with.
pub fn gather(session: &Session, model: &Model, record: Option<&Record>, current: &mut Current) {
    let Some(record) = record.filter(|record| !record.runs.is_empty()) else { return };
    let digest = digest(session, model);
    let key = |one: &Planned| {
        let name = one.spec.name.as_str();
        let recorded = record.runs.get(name).map(|run| run.key.as_str());
        Some((name.to_owned(), one.confirmed_key(digest.as_deref(), recorded)?))
    };
    current.runs = Some(planned(session, model, &current.facts).iter().filter_map(key).collect());
}

/// What a `sync` stores: the verdicts of all runs, when each is known and as expected.
pub fn confirmed(
    session: &Session,
    model: &Model,
    current: &Current,
    recorded: Option<&Record>,
) -> Option<BTreeMap<String, RunRecord>> {
    let planned = planned(session, model, &current.facts);
    let keys: BTreeMap<String, String> = recorded
        .map(|recorded| recorded.runs.iter().map(|(name, run)| (name.clone(), run.key.clone())).collect())
        .unwrap_or_default();
    let digest = digest(session, model);
    let reports = known(&planned, digest.as_deref(), &keys, &session.repository.cache_dir());
    let met = reports.iter().all(|report| report.judgement == Judgement::Met);
    if !met || reports.len() != planned.len() {
        return None;
    }
    let record = |(one, report): (&Planned, factgate_checker::Report)| {
        let name = report.name.as_str().to_owned();
        let key = one.confirmed_key(digest.as_deref(), report.key.as_deref())?;
        Some((name, RunRecord { key, outcome: report.outcome.to_string(), states: report.states }))
    };
    Some(planned.iter().zip(reports).filter_map(record).collect())
}

/// What each run weighs: its recorded count of states.
pub fn weights(record: Option<&Record>) -> BTreeMap<RunName, u64> {
    let runs = record.iter().flat_map(|record| &record.runs);
    runs.filter_map(|(name, run)| Some((RunName::new(name.as_str()), run.states?))).collect()
}
