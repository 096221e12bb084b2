//! `factgate verify`: the check, and the runs of the model.

use crate::args::{CheckFormat, VerifyArguments};
use crate::commands::{Ended, check};
use crate::config::Model;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::progress::Lines;
use crate::pipeline::session::{Session, Start};
use crate::pipeline::{next, recorded, runs, verdict};
use crate::report::{ModelReport, MutantReport, Report, Role, RunReport, Total};
use crate::run_groups::listed;
use factgate_checker::{
    self as checker, Engine, EngineError, Expectation, Judgement, Known, Matrix, Outcome, Planned, RunName,
    VerdictFolder,
};
use factgate_record::{Record, RunRecord};
use std::collections::{BTreeMap, BTreeSet};

/// Checks every model, runs its matrix and judges both.
pub fn run(start: &Start, arguments: &VerifyArguments) -> Ended {
    let session = match Session::open(start, &arguments.view, &arguments.models) {
        Ok(session) => session,
        Err(errors) => return failed(start, arguments, errors),
    };
    if arguments.distributed {
        return failed(start, arguments, vec![Finding::new(Code::Usage, EngineError::Distributed.to_string())]);
    }
    let plain = arguments.list || arguments.print_cfg.is_some() || arguments.actions.is_some();
    if plain && arguments.output.format != CheckFormat::Text {
        let message = "`--list`, `--print-cfg` and `--actions` print plain text: leave `--format` out";
        return failed(start, arguments, vec![Finding::new(Code::Usage, message)]);
    }
    let mut report = verdict::check(&session, &arguments.models);
    let mut plans: Vec<Vec<Planned>> = Vec::new();
    for ((model, _), model_report) in session.models.iter().zip(&report.models) {
        plans.push(runs::planned(&session, model, &model_report.facts));
    }
    if let Some(error) = unknown_run(arguments, &plans) {
        return failed(start, arguments, vec![error]);
    }
    if let Some(name) = &arguments.print_cfg {
        return print_cfg(&plans, name);
    }
    let mut plans: Vec<Vec<Planned>> = plans.into_iter().map(|plan| chosen(plan, arguments)).collect();
    if arguments.list {
        return Ended::text(list(&session, &plans));
    }
    let mut any = false;
    for (index, (model, _)) in session.models.iter().enumerate() {
        let plan = std::mem::take(&mut plans[index]);
        any |= !plan.is_empty();
        if let Some(folder) = &arguments.keep
            && let Err(error) = checker::plain::keep(&start.folder.join(folder), &model.name, &plan)
        {
            let message = format!("the runs cannot be kept in {}: {error}", folder.display());
            report.errors.push(Finding::new(Code::Io, message));
        }
        of_model(&session, model, plan, arguments, &mut report.models[index]);
        next::verified(&mut report.models[index]);
    }
    if !any && report.exit() != Exit::Undecided {
        let help = "describe one in a `[run.NAME]` table, or use `factgate check`";
        report.errors.push(Finding::new(Code::Config, "there is no run to carry out: nothing was verified").help(help));
    }
    match &arguments.actions {
        Some(name) => Ended::of(&report, actions(&report, name)),
        None => check::concluded(start, &mut report, &arguments.output),
    }
}

fn failed(start: &Start, arguments: &VerifyArguments, errors: Vec<Finding>) -> Ended {
    let mut report = Report::of_errors(arguments.view.word(), errors);
    match arguments.actions {
        Some(_) => Ended::of(&report, String::new()),
        None => check::concluded(start, &mut report, &arguments.output),
    }
}

/// A run that is named and that no model has.
fn unknown_run(arguments: &VerifyArguments, plans: &[Vec<Planned>]) -> Option<Finding> {
    let known: BTreeSet<&str> = plans.iter().flatten().map(|one| one.spec.name.as_str()).collect();
    let names_none = |name: &&String| !known.iter().any(|run| is_named(run, name));
    let named = arguments.print_cfg.iter().chain(&arguments.actions).find(|name| !known.contains(name.as_str()));
    let stranger = arguments.runs.iter().find(names_none).or(named)?;
    let help = format!("the runs are: {}", known.into_iter().collect::<Vec<_>>().join(", "));
    Some(Finding::new(Code::Usage, format!("no run is named `{stranger}`")).help(help))
}

fn chosen(plan: Vec<Planned>, arguments: &VerifyArguments) -> Vec<Planned> {
    let name = |one: &Planned| one.spec.name.as_str().to_owned();
    let only =
        |one: &Planned| arguments.runs.is_empty() || arguments.runs.iter().any(|glob| is_named(&name(one), glob));
    let counted = |one: &Planned| arguments.actions.is_none() || arguments.actions == Some(name(one));
    plan.into_iter().filter(|one| only(one) && counted(one)).collect()
}

/// Whether a word of `--run` means a run: its name, or a glob that fits it.
fn is_named(run: &str, word: &str) -> bool {
    run == word || globset::Glob::new(word).is_ok_and(|glob| glob.compile_matcher().is_match(run))
}

fn print_cfg(plans: &[Vec<Planned>], name: &str) -> Ended {
    let mut text = String::new();
    for one in plans.iter().flatten().filter(|one| one.spec.name.as_str() == name) {
        match one.configuration() {
            Ok(configuration) => text.push_str(&configuration),
            Err(error) => return Ended::errors(&[Finding::new(Code::Config, format!("run `{name}`: {error}"))]),
        }
    }
    Ended::text(text)
}

/// The matrix, a line a run, with what is known of it.
fn list(session: &Session, plans: &[Vec<Planned>]) -> String {
    let mut text = String::new();
    for ((model, _), plan) in session.models.iter().zip(plans) {
        let digest = runs::digest(session, model);
        let known = checker::known(plan, digest.as_deref(), &BTreeMap::new(), &session.repository.cache_dir());
        let width = plan.iter().map(|one| one.spec.name.as_str().chars().count()).max().unwrap_or(0);
        text.push_str(&format!("{}\n", model.name));
        for one in plan {
            let state = match (&one.prepared, known.iter().find(|report| report.name == one.spec.name)) {
                (Err(error), _) => format!("cannot be run: {error}"),
                (Ok(_), Some(report)) => format!("known: {}", report.outcome),
                (Ok(_), None) => "to be run".to_owned(),
            };
            let expect = one.spec.expect.to_string();
            text.push_str(&format!("  {:width$}   {expect:<24} {}   {state}\n", one.spec.name, one.spec.spec));
        }
    }
    text
}

/// The actions of one run's counterexample, one a line.
fn actions(report: &Report, name: &str) -> String {
    let runs = report.models.iter().flat_map(|model| &model.runs).filter(|run| run.name == name);
    runs.flat_map(|run| &run.actions).map(|action| format!("{action}\n")).collect()
}

fn of_model(
    session: &Session,
    model: &Model,
    plan: Vec<Planned>,
    arguments: &VerifyArguments,
    report: &mut ModelReport,
) {
    let record = recorded::read(session, model).ok().flatten();
    let weights = runs::weights(record.as_ref());
    let plan = match arguments.shard {
        Some(shard) => checker::shard(plan, &weights, shard.part, shard.parts),
        None => plan,
    };
    if plan.is_empty() {
        return;
    }
    let mut said = Said::default();
    for one in &plan {
        let name = one.spec.mutant.as_ref().map_or(&one.spec.name, |mutant| &mutant.of);
        one.warnings().iter().for_each(|warning| said.add(warning, name.as_str(), name.as_str()));
    }
    let begun = std::time::Instant::now();
    let reports = outcomes(session, model, &plan, &weights, arguments, report);
    report.total = Some(Total {
        runs: reports.len(),
        carried_out: reports.iter().filter(|one| !one.cached).count(),
        states: reports.iter().filter_map(|one| one.states).sum(),
        seconds: begun.elapsed().as_millis() as f64 / 1000.0,
    });
    let all = arguments.runs.is_empty() && arguments.shard.is_none() && arguments.actions.is_none();
    if all {
        report.warnings.extend(unused(model, &plan, &reports));
        report.warnings.extend(unchecked(model, &plan));
    }
    for one in &reports {
        one.cautions.iter().for_each(|caution| said.add(caution, one.name.as_str(), written_as(one)));
        for (property, never) in &one.vacuous {
            let what = format!("`{property}` holds of nothing: no state that is reached meets {never}");
            said.add(&what, one.name.as_str(), written_as(one));
        }
        for moved in moved_rejections(model, record.as_ref(), one) {
            said.add(&moved, one.name.as_str(), written_as(one));
        }
        if one.judgement == Judgement::Unexpected {
            report.exit = report.exit.max(Exit::Unexpected);
        }
    }
    report.warnings.extend(said.findings(model, |_| Code::Config));
    report.errors.extend(undecided(model, &plan, &reports, report));
    let mut runs: Vec<RunReport> = reports.into_iter().map(|one| shown(&plan, one)).collect();
    runs.iter_mut().for_each(|run| run.tie(&report.actions));
    report.runs.append(&mut runs);
}

/// What is said of runs: each text once, with the names of all that it is said of.
#[derive(Default)]
struct Said(Vec<(String, Vec<String>, String)>);

impl Said {
    /// `table` is the run whose table is shown.
    fn add(&mut self, text: &str, run: &str, table: &str) {
        let (run, table) = (run.to_owned(), table.to_owned());
        match self.0.iter_mut().find(|(known, ..)| known == text) {
            Some((_, names, _)) if names.contains(&run) => {}
            Some((_, names, _)) => names.push(run),
            None => self.0.push((text.to_owned(), vec![run], table)),
        }
    }

    fn findings(self, model: &Model, code: impl Fn(&str) -> Code) -> Vec<Finding> {
        let finding = |(text, names, table): (String, Vec<String>, String)| {
            let message = match names.as_slice() {
                [only] => format!("run `{only}`: {text}"),
                several => {
                    let names: Vec<&str> = several.iter().map(String::as_str).collect();
                    format!("{} runs ({}): {text}", several.len(), listed(&names))
                }
            };
            model.of_run(&table, code(&names[0]), message)
        };
        self.0.into_iter().map(finding).collect()
    }
}

/// What the runs came to. Without an engine none of them came to anything, and that is said once.
fn outcomes(
    session: &Session,
    model: &Model,
    plan: &[Planned],
    weights: &BTreeMap<RunName, u64>,
    arguments: &VerifyArguments,
    report: &mut ModelReport,
) -> Vec<checker::Report> {
    let mut none = |code: Code, why: String| {
        let reports = checker::undecided(plan, &why);
        report.errors.push(Finding::of_file(code, &model.config, why));
        reports
    };
    if !arguments.merge.is_empty() {
        let folders: Vec<VerdictFolder> = arguments.merge.iter().map(VerdictFolder::new).collect();
        let (digest, cache) = (runs::digest(session, model), session.repository.cache_dir());
        let joined = checker::merge(plan, digest.as_deref(), &folders, &cache);
        return joined.unwrap_or_else(|error| none(Code::Io, format!("the verdicts cannot be read: {error}")));
    }
    let spec = model.engine_spec(session.repository.worktree_root());
    let engine: Engine = match spec.find(|name| std::env::var_os(name)) {
        Ok(engine) => engine,
        Err(error) => return none(Code::Engine, error.to_string()),
    };
    let lines = Lines::default();
    let matrix = Matrix {
        engine: &engine,
        cache: Some(session.repository.cache_dir()),
        known: if arguments.fresh { Known::Ignored } else { Known::Used },
        jobs: arguments.jobs.map_or_else(checker::default_jobs, usize::from),
        model: &model.name,
        verdicts: arguments.verdicts.as_ref().map(VerdictFolder::new),
        progress: &lines,
    };
    matrix.verify(plan, weights)
}

/// Why runs came to no verdict, each reason once; nothing where all did for one that is said already.
fn undecided(model: &Model, plan: &[Planned], reports: &[checker::Report], report: &ModelReport) -> Vec<Finding> {
    let mut said = Said::default();
    for one in reports.iter().filter(|one| one.judgement == Judgement::Undecided) {
        let detail = one.detail.clone().unwrap_or_default();
        if !report.errors.iter().any(|error| error.message == detail) {
            // All of it stands with the run; here is enough to know what went wrong.
            let words: Vec<&str> = detail.lines().map(str::trim).take(4).collect();
            said.add(&words.join(" "), one.name.as_str(), written_as(one));
        }
    }
    said.findings(model, |name| {
        let unmade = plan.iter().any(|planned| planned.spec.name.as_str() == name && planned.prepared.is_err());
        match reports.iter().find(|one| one.name.as_str() == name).map(|one| &one.outcome) {
            Some(Outcome::Timeout) => Code::Timeout,
            // A broken type invariant: the model is wrong.
            Some(Outcome::Violated(_)) => Code::Config,
            _ if unmade => Code::Config,
            _ => Code::Engine,
        }
    })
}

/// Recorded runs that are rejected at another step than the record says.
fn moved_rejections(model: &Model, record: Option<&Record>, one: &checker::Report) -> Vec<String> {
    let known = record.and_then(|record| record.runs.get(one.name.as_str()));
    let now = RunRecord { rejected: runs::rejected(model, one.rejected.clone()), ..RunRecord::default() };
    known.map(|known| factgate_record::moved_rejections(known, &now)).unwrap_or_default()
}

/// The run whose table says so: a mutant's is that of the run that it is made from.
fn written_as(one: &checker::Report) -> &str {
    one.mutant.as_ref().map_or(one.name.as_str(), |mutant| mutant.of.as_str())
}

/// Actions of a specification that no passing run takes: a part of the model that says nothing.
fn unused(model: &Model, plan: &[Planned], reports: &[checker::Report]) -> Vec<Finding> {
    let unused = checker::unused_actions(plan, reports);
    let finding = |(spec, actions): (String, Vec<String>)| {
        let names: Vec<String> = actions.iter().map(|action| format!("\"{action}\"")).collect();
        let message = format!("{spec}: no passing run ever takes {}", actions.join(", "));
        let help = format!("if that is meant, say `unused_actions = [{}]` in a run of it", names.join(", "));
        Finding::of_file(Code::Config, &model.config, message).help(help)
    };
    unused.into_iter().map(finding).collect()
}

/// Predicates of a specification that no run checks: an invariant that somebody wrote and nobody asks for.
fn unchecked(model: &Model, plan: &[Planned]) -> Vec<Finding> {
    let finding = |(spec, names): (String, Vec<String>)| {
        let message = format!("{spec}: no run checks {}", names.join(", "));
        let help = "name it in `invariants` or `properties` of a run, or let another definition use it";
        Finding::of_file(Code::Config, &model.config, message).help(help)
    };
    checker::unchecked(plan).into_iter().map(finding).collect()
}

fn shown(plan: &[Planned], one: checker::Report) -> RunReport {
    let spec = plan.iter().map(|planned| &planned.spec).find(|spec| spec.name == one.name);
    let passes = |spec: &&checker::RunSpec| spec.expect == Expectation::Exactly(Outcome::Pass);
    let is_base = spec.filter(passes).is_some_and(|spec| spec.mutant.is_none() && spec.edits.is_empty());
    let mutant = one.mutant.as_ref().map(|mutant| MutantReport {
        of: mutant.of.as_str().to_owned(),
        guard: mutant.guard.clone(),
        breaks: one.broken_or_outcome().iter().filter(|one| one.is_broken()).map(broken).collect(),
        redundant: one.outcome.is_verdict().then_some(one.outcome == Outcome::Pass),
        to_paste: checker::expectation_in_toml(&one.broken_or_outcome()),
    });
    let set = spec.and_then(|spec| spec.trace.as_ref());
    RunReport {
        mutant,
        actions_taken: set.map(|_| one.actions_taken.clone()),
        rejected_at: set.map(|_| one.rejected.clone()).filter(|rejected| !rejected.is_empty()),
        traces_of: set.map(|set| set.run.as_str().to_owned()),
        name: one.name.as_str().to_owned(),
        expect: one.expect,
        outcome: one.outcome.to_string(),
        ok: one.judgement == Judgement::Met,
        states: one.states,
        depth: one.depth,
        actions: one.actions,
        code: Vec::new(),
        seconds: one.seconds,
        cached: one.cached,
        judgement: one.judgement,
        role: if is_base { Role::Base } else { Role::Other },
        detail: one.detail,
        counterexample: one.counterexample,
        kept: one.kept,
    }
}

/// What a mutant breaks: a property's name, or `deadlock`.
fn broken(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(name) => name.clone(),
        other => other.to_string(),
    }
}
