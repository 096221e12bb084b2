//! `factgate prove`: breaks each guard in memory, and sees it turn FALSE.

use crate::args::{PlainFormat, ProveArguments};
use crate::commands::Ended;
use crate::config::Model;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::proof::{self, GuardProof, ModelProof};
use crate::pipeline::facts::{self, Compiled, Reading};
use crate::pipeline::items::Found;
use crate::pipeline::moved::Moves;
use crate::pipeline::session::{Session, Start};
use crate::report::{ModelReport, Report};
use factgate_facts::prove::{self, Proof};
use factgate_record::Current;
use rayon::prelude::*;

/// Proves every guard that reads TRUE: exit 1 when one survives an edit, exit 2 when there is none.
pub fn run(start: &Start, arguments: &ProveArguments) -> Ended {
    let mut report = Report { view: arguments.view.word(), ..Report::default() };
    let mut proofs = Vec::new();
    match Session::open(start, &arguments.view, &arguments.models) {
        Ok(session) => {
            for (model, compiled) in &session.models {
                let (proof, model) = of_model(&session, model, compiled);
                proofs.push(proof);
                report.models.push(model);
            }
            let is_empty = |proof: &Proof| proof.tried.is_empty();
            let guards = || proofs.iter().flat_map(|proof| &proof.guards);
            if guards().all(|guard| guard.proof.as_ref().is_none_or(is_empty)) {
                let nothing = Finding::new(Code::Config, "no guard reads TRUE: nothing was proved");
                report.errors.push(nothing.help("`factgate facts` says why each is not TRUE"));
            }
        }
        Err(errors) => report.errors = errors,
    }
    let stdout = match arguments.format {
        PlainFormat::Text => proof::text(&proofs),
        PlainFormat::Json => proof::json(&report, &proofs),
    };
    Ended::of(&report, stdout)
}

fn of_model(session: &Session, model: &Model, compiled: &Compiled) -> (ModelProof, ModelReport) {
    let program = session.program(model);
    let mut current = Current::default();
    let mut found = Found::default();
    facts::gather(model, compiled, &program, None, &Moves::default(), &mut current, &mut found);
    let guards: Vec<GuardProof> = compiled
        .facts
        .par_iter()
        .filter_map(|(name, reading)| match reading {
            Reading::Guard(spec, assertions) => Some(GuardProof {
                name: name.clone(),
                proof: prove::prove(&program, spec, assertions),
                fact: current.facts.get(name).cloned(),
            }),
            _ => None,
        })
        .collect();
    let mut report = ModelReport { name: model.name.clone(), config: model.config.clone(), ..ModelReport::default() };
    report.errors = found.errors;
    if guards.iter().filter_map(|guard| guard.proof.as_ref()).any(|proof| proof.survived().next().is_some()) {
        report.exit = Exit::Unexpected;
    }
    (ModelProof { model: model.name.clone(), guards }, report)
}
