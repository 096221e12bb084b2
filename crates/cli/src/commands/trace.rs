//! `factgate trace`: a recorded run of the real program against a specification.

use crate::args::{PlainFormat, TraceArguments};
use crate::commands::{Ended, items};
use crate::config::Model;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::{diagnostics, json, stream::Printed};
use crate::pipeline::runs;
use crate::pipeline::session::{Session, Start};
use crate::pipeline::verdict;
use factgate_checker::{
    Checked, Expectation, Outcome, Planned, RunSpec, SpecPath, TraceError, TraceVerdict, check_trace,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

#[derive(Serialize)]
struct Output {
    version: u32,
    exit: u8,
    verdict: Option<&'static str>,
    steps: Option<usize>,
    step: Option<usize>,
    before: Option<BTreeMap<String, String>>,
    allowed: Vec<Step>,
    invariant: Option<String>,
    actions_taken: BTreeMap<String, u64>,
    errors: Vec<json::Message>,
}

#[derive(Serialize)]
struct Step {
    action: String,
    changes: BTreeMap<String, String>,
}

/// Checks the trace.
pub fn run(start: &Start, arguments: &TraceArguments) -> Ended {
    let verdict = check(start, arguments);
    let exit = match &verdict {
        Ok(TraceVerdict::Accepted(_)) => Exit::Fine,
        Ok(TraceVerdict::Rejected(_) | TraceVerdict::Broken(_)) => Exit::Unexpected,
        Err(_) => Exit::Undecided,
    };
    let errors = verdict.as_ref().err().cloned().unwrap_or_default();
    let stdout = match (arguments.format, &verdict) {
        (PlainFormat::Text, Ok(verdict)) => verdict.to_string(),
        (PlainFormat::Text, Err(_)) => String::new(),
        (PlainFormat::Json, verdict) => json::line(&output(verdict.as_ref().ok(), &errors, exit)),
    };
    Ended { printed: Printed { stdout, stderr: diagnostics::render(&errors, &[]) }, exit }
}

fn check(start: &Start, arguments: &TraceArguments) -> Result<TraceVerdict, Vec<Finding>> {
    let one = |finding: Finding| vec![finding];
    let session = Session::open(start, &arguments.view, &[])?;
    let path = items::inside(&session.repository, start, &arguments.spec).map_err(one)?;
    let spec = SpecPath::new(path.as_str());
    let trace = read(start, &arguments.trace).map_err(one)?;
    let (model, planned) = chosen(&session, &spec, arguments).map_err(one)?;
    let engine = model.engine_spec(session.repository.worktree_root());
    let engine = engine
        .find(|name| std::env::var_os(name))
        .map_err(|error| one(Finding::of_file(Code::Engine, &model.config, error.to_string())))?;
    // A run that is named says what is checked; one that was only found says how to read the specification.
    let checked = if arguments.run.is_some() { Checked::Invariants } else { Checked::Behaviour };
    check_trace(&engine, &planned, &trace, &arguments.silent, checked).map_err(|error| {
        let code = match error {
            TraceError::Timeout(_) => Code::Timeout,
            TraceError::Engine(_) | TraceError::Io(_) => Code::Engine,
            TraceError::Plan(_) => Code::Config,
            _ => Code::Usage,
        };
        one(Finding::new(code, error.to_string()))
    })
}

fn read(start: &Start, path: &Path) -> Result<String, Finding> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(start.folder.join(path)).map(|read| text = read)
    };
    match read {
        Ok(()) => Ok(text),
        Err(error) => Err(Finding::new(Code::Io, format!("{} cannot be read: {error}", path.display()))),
    }
}

/// The run that says how the specification is to be read: the named one, the first that must pass, or the first.
fn chosen<'s>(
    session: &'s Session,
    spec: &SpecPath,
    arguments: &TraceArguments,
) -> Result<(&'s Model, Planned), Finding> {
    let mut found = Vec::new();
    for (model, compiled) in &session.models {
        let fits = |run: &RunSpec| {
            run.spec == *spec
                && run.trace.is_none()
                && arguments.run.as_ref().is_none_or(|name| run.name.as_str() == name)
        };
        if model.runs.iter().any(fits) {
            let program = session.program(model);
            let gathered = verdict::gather(session, model, compiled, &program, None);
            let planned = runs::planned(session, model, &gathered.current.facts);
            found.extend(planned.into_iter().filter(|one| fits(&one.spec)).map(|one| (model, one)));
        }
    }
    let passes = |one: &Planned| one.spec.expect == Expectation::Exactly(Outcome::Pass);
    let index = found.iter().position(|(_, one)| passes(one)).unwrap_or(0);
    if found.is_empty() {
        let named = arguments.run.as_ref().map(|name| format!(" named `{name}`")).unwrap_or_default();
        let message = format!("no run{named} has the specification {spec}");
        return Err(Finding::new(Code::Usage, message).help("its run says which cfg, constants and behaviour it has"));
    }
    Ok(found.swap_remove(index))
}

fn output(verdict: Option<&TraceVerdict>, errors: &[Finding], exit: Exit) -> Output {
    let rejection = match verdict {
        Some(TraceVerdict::Rejected(rejection)) => Some(rejection),
        _ => None,
    };
    let broken = match verdict {
        Some(TraceVerdict::Broken(broken)) => Some(broken),
        _ => None,
    };
    let step = |step: &factgate_checker::Allowed| Step {
        action: step.action.clone(),
        changes: step.changes.iter().cloned().collect(),
    };
    Output {
        version: 1,
        exit: exit.code(),
        verdict: verdict.map(|verdict| match verdict {
            TraceVerdict::Accepted(_) => "accepted",
            TraceVerdict::Rejected(_) => "rejected",
            TraceVerdict::Broken(_) => "broken",
        }),
        steps: match verdict {
            Some(TraceVerdict::Accepted(accepted)) => Some(accepted.steps),
            _ => None,
        },
        step: rejection.map(|rejection| rejection.step).or(broken.map(|broken| broken.step)),
        before: rejection.map(|rejection| rejection.before.iter().cloned().collect()),
        invariant: broken.map(|broken| broken.invariant.clone()),
        actions_taken: match verdict {
            Some(TraceVerdict::Accepted(accepted)) => accepted.taken.clone(),
            _ => BTreeMap::new(),
        },
        allowed: rejection.iter().flat_map(|rejection| rejection.allowed.iter().map(step)).collect(),
        errors: json::messages(errors),
    }
}
