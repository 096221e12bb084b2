//! One model's verdict: what is there now against what was recorded, with what git knows about the difference.

use crate::config::{Model, stray, strays};
use crate::finding::{Code, Finding};
use crate::pipeline::facts::{self, Compiled};
use crate::pipeline::history::{self, Completeness};
use crate::pipeline::items::{self, Found};
use crate::pipeline::moved::Moves;
use crate::pipeline::session::Session;
use crate::pipeline::{actions, calls, causes, follow, gate, model_files, next, recorded, runs, suspensions};
use crate::report::{ItemReport, ModelReport, Report, StaleReport, Tied};
use factgate_facts::program::Program;
use factgate_record::{Current, Place, Record, RepoPath, StaleKind, compare};
use factgate_vcs::{Note, SyncInfo};
use std::collections::BTreeMap;

/// A model as it is now.
pub struct Gathered {
    /// The state of the code.
    pub current: Current,
    /// What could not be read of the facts, and what is worth a word.
    pub facts: Found,
    /// The same of items, call sites and files.
    pub code: Found,
    /// Where the code of each action stands.
    pub actions: BTreeMap<String, Vec<Tied>>,
}

impl Gathered {
    /// Everything that was found on the way.
    pub fn found(&self) -> Found {
        let both = |one: &[Finding], other: &[Finding]| [one, other].concat();
        Found {
            errors: both(&self.code.errors, &self.facts.errors),
            warnings: both(&self.code.warnings, &self.facts.warnings),
        }
    }
}

/// Reads items, facts, call sites and files of a model.
pub fn gather(
    session: &Session,
    model: &Model,
    compiled: &Compiled,
    program: &Program<'_>,
    record: Option<&Record>,
) -> Gathered {
    let mut current = Current::default();
    let mut code = Found { errors: Vec::new(), warnings: model.warnings.clone() };
    let mut facts = Found::default();
    code.warnings.extend(record.and_then(|record| recorded::ignores_otherwise(model, record)));
    let moves = Moves::find(session, model, program, record);
    items::gather(model, program, record, &moves, &mut current, &mut code);
    facts::gather(model, compiled, program, record, &moves, &mut current, &mut facts);
    calls::gather(model, compiled, program, record, &moves, &mut current, &mut code);
    let actions = actions::gather(session, model, program, record, &moves, &mut current, &mut code);
    current.gate = gate::of(model);
    (current.moved, current.moved_files) = (moves.items, moves.files);
    current.files = model_files::gather(model, &session.files, record, &mut code.errors);
    runs::gather(session, model, record, &mut current);
    Gathered { current, facts, code, actions }
}

/// The verdict over every model of the session, which `names` picked.
pub fn check(session: &Session, names: &[String]) -> Report {
    let models: Vec<ModelReport> =
        session.models.iter().map(|(model, compiled)| of_model(session, model, compiled)).collect();
    let named: Vec<&RepoPath> = session.models.iter().map(|(model, _)| &model.record).collect();
    let strays = if names.is_empty() { strays(&session.files, &named) } else { Vec::new() };
    Report { view: session.view(), models, warnings: strays.iter().map(stray).collect(), ..Report::default() }
}

/// The verdict over one model.
pub fn of_model(session: &Session, model: &Model, compiled: &Compiled) -> ModelReport {
    let program = session.program(model);
    let (record, record_error) = match recorded::read(session, model) {
        Ok(Some(record)) => (Some(record), None),
        Ok(None) => (None, Some(recorded::missing(session, model))),
        Err(error) => (None, Some(error)),
    };
    // Git walks its history while the code is read.
    let (info, gathered) =
        rayon::join(|| recorded::info(session, model), || gather(session, model, compiled, &program, record.as_ref()));
    let mut report = begin(model, &gathered.current, gathered.found());
    report.actions.clone_from(&gathered.actions);
    match record_error {
        Some(error) => report.errors.push(error),
        // A record that is not there says so itself.
        None => report.warnings.extend(recorded::ignored(session, model)),
    }
    match (&record, info) {
        (Some(record), info) => judge(session, model, &program, record, info, &gathered.current, &mut report),
        (None, Ok(info)) => report.sync = Some(recorded::report(&info)),
        // That there is no record says enough.
        (None, Err(_)) => {}
    }
    report
}

/// A model with nothing but the code of its actions.
pub fn tied(session: &Session, model: &Model, compiled: &Compiled) -> ModelReport {
    let program = session.program(model);
    let record = recorded::read(session, model).ok().flatten();
    let gathered = gather(session, model, compiled, &program, record.as_ref());
    let (name, config) = (model.name.clone(), model.config.clone());
    let errors = gathered.found().errors;
    let untied = actions::untied(session, model, &gathered.current);
    ModelReport {
        untied,
        name,
        config,
        record: model.record.clone(),
        stale: Some(Vec::new()),
        actions: gathered.actions,
        errors,
        ..ModelReport::default()
    }
}

/// A report with everything that needs no record.
pub fn begin(model: &Model, current: &Current, found: Found) -> ModelReport {
    let item = |item: &factgate_record::CurrentItem| ItemReport {
        fingerprint: item.record.fingerprint.clone(),
        at: item.at.clone(),
    };
    ModelReport {
        name: model.name.clone(),
        config: model.config.clone(),
        record: model.record.clone(),
        facts: current.facts.clone(),
        items: current.items.iter().map(|(name, current)| (name.clone(), item(current))).collect(),
        sites: current.calls.iter().map(|(key, calls)| (key.clone(), calls.sites.clone())).collect(),
        calls: current.calls.iter().map(|(key, calls)| (key.clone(), calls.record.clone())).collect(),
        errors: found.errors,
        warnings: found.warnings,
        ..ModelReport::default()
    }
}

/// What differs.
#[derive(Debug, Default)]
pub struct Differences {
    /// What is drift.
    pub stale: Vec<StaleReport>,
    /// What is not: changes of a class that `drift` does not name.
    pub notes: Vec<StaleReport>,
}

/// What differs, with the model's files named from the repository's root.
pub fn differences(model: &Model, program: &Program<'_>, record: &Record, current: &Current) -> Differences {
    let (notes, mut stale): (Vec<StaleReport>, Vec<StaleReport>) =
        compare(record, current).into_iter().map(StaleReport::new).partition(|report| model.is_note(&report.stale));
    stale.iter_mut().filter(|report| report.stale.kind == StaleKind::File).for_each(|report| placed(model, report));
    causes::attribute(model, program, record, current, &mut stale);
    follow::add(model, program.files().list().unwrap_or_default(), record, current, &mut stale);
    actions::attribute(model, &mut stale);
    Differences { stale, notes }
}

fn judge(
    session: &Session,
    model: &Model,
    program: &Program<'_>,
    record: &Record,
    info: Result<SyncInfo, Finding>,
    current: &Current,
    report: &mut ModelReport,
) {
    let Differences { mut stale, mut notes } = differences(model, program, record, current);
    if !model.runs.is_empty() && !record.has_verdicts() {
        let message = format!("{} holds no verdicts of the model's runs", model.record);
        let warning = Finding::of_file(Code::Record, &model.record, message);
        report.warnings.push(warning.help(next::NO_VERDICTS));
    }
    match info {
        Ok(mut info) => {
            suspensions::add(session, model, program, recorded::commit(&info), &mut stale);
            let changed = stale.iter_mut().chain(&mut notes).collect();
            match history::add(session, model, recorded::commit(&info), changed) {
                Ok(Completeness::Known) => {}
                Ok(Completeness::Partial) => info.note = info.note.or(Some(Note::Partial)),
                Err(error) => report.errors.push(error),
            }
            report.sync = Some(recorded::report(&info));
        }
        Err(error) => report.errors.push(error),
    }
    report.next = next::steps(session, model, record, current, &stale);
    report.stale = Some(stale);
    report.notes = notes;
}

/// Names a model's file from the repository's root; the record has it relative to the configuration.
pub fn placed(model: &Model, report: &mut StaleReport) {
    let path = model.folder.join(&report.stale.item).unwrap_or_default();
    if model.files.contains_key(&report.stale.item) {
        report.stale.at = Some(Place { file: path.clone(), line: 1, column: 1 });
    }
    report.stale.item = path.to_string();
}
