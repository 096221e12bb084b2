//! Proofs, for people and as data.

use crate::output::json;
use crate::report::Report;
use anstyle::{AnsiColor, Style};
use factgate_facts::prove::{Outcome, Proof, Tried};
use factgate_record::{Fact, Place};
use serde::Serialize;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// The guards of one model.
#[derive(Debug)]
pub struct ModelProof {
    /// Its name.
    pub model: String,
    /// The guards, by name.
    pub guards: Vec<GuardProof>,
}

/// One guard.
#[derive(Debug)]
pub struct GuardProof {
    /// Its name.
    pub name: String,
    /// What the edits came to; `None` when it does not read TRUE.
    pub proof: Option<Proof>,
    /// What it reads.
    pub fact: Option<Fact>,
}

/// A line a guard; below it every edit that it survived.
pub fn text(proofs: &[ModelProof]) -> String {
    let mut text = String::new();
    for model in proofs {
        if proofs.len() > 1 {
            text.push_str(&format!("{}\n", model.model));
        }
        let width = model.guards.iter().map(|guard| guard.name.chars().count()).max().unwrap_or(0);
        model.guards.iter().for_each(|guard| text.push_str(&line(guard, width)));
    }
    text
}

fn line(guard: &GuardProof, width: usize) -> String {
    let name = format!("{:width$}", guard.name);
    let Some(proof) = &guard.proof else {
        let value = guard.fact.as_ref().and_then(|fact| fact.value.as_ref());
        let value = value.map_or("unknown".to_owned(), ToString::to_string);
        return format!("{name}   {FAINT}{value}: nothing to prove{FAINT:#}\n");
    };
    if proof.tried.is_empty() {
        return format!("{name}   {FAINT}TRUE: no edit applies{FAINT:#}\n");
    }
    if proof.holds() {
        let edits = match proof.tried.len() {
            1 => "1 edit turns it FALSE".to_owned(),
            edits => format!("{edits} edits, each turns it FALSE"),
        };
        return format!("{name}   {GOOD}proved{GOOD:#}   {edits}\n");
    }
    let survived: Vec<&Tried> = proof.survived().collect();
    let of = proof.tried.len();
    let mut text = format!("{name}   {BAD}survives{BAD:#} {} of {of} edits\n", survived.len());
    for tried in survived {
        let place = &tried.place;
        text.push_str(&format!("  {} at {}:{}:{}\n", tried.edit, place.file, place.line, place.column));
    }
    text
}

#[derive(Serialize)]
struct Output<'r> {
    models: Vec<Model<'r>>,
}

#[derive(Serialize)]
struct Model<'r> {
    name: &'r str,
    guards: Vec<Guard<'r>>,
}

#[derive(Serialize)]
struct Guard<'r> {
    name: &'r str,
    proved: Option<bool>,
    edits: Vec<Edit<'r>>,
}

#[derive(Serialize)]
struct Edit<'r> {
    edit: &'r str,
    at: &'r Place,
    survived: bool,
    reason: Option<&'static str>,
}

/// One object; `proved` is null for a guard that does not read TRUE.
pub fn json(report: &Report, proofs: &[ModelProof]) -> String {
    let body = Output { models: proofs.iter().map(model).collect() };
    json::enveloped(report, body)
}

fn model(model: &ModelProof) -> Model<'_> {
    Model { name: &model.model, guards: model.guards.iter().map(guard).collect() }
}

fn guard(guard: &GuardProof) -> Guard<'_> {
    let proof = guard.proof.as_ref().filter(|proof| !proof.tried.is_empty());
    Guard {
        name: &guard.name,
        proved: proof.map(Proof::holds),
        edits: proof.iter().flat_map(|proof| &proof.tried).map(edit).collect(),
    }
}

fn edit(tried: &Tried) -> Edit<'_> {
    let reason = match tried.outcome {
        Outcome::Caught(reason) => Some(reason.code()),
        Outcome::Survived => None,
    };
    Edit { edit: &tried.edit, at: &tried.place, survived: reason.is_none(), reason }
}
