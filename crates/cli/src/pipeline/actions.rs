//! The code that the actions of a specification stand for: where each place stands now, and which differences are about
//! which action.

use crate::config::{Covered, Model, nearest};
use crate::finding::{Code, Finding};
use crate::pipeline::items::{self, Found};
use crate::pipeline::moved::{Moves, scopes};
use crate::pipeline::session::Session;
use crate::pipeline::{covered, runs};
use crate::report::{StaleReport, Tied};
use factgate_facts::program::Program;
use factgate_record::{Current, Record, StaleKind, inside, is_inside};
use factgate_syntax::Selector;
use std::collections::{BTreeMap, BTreeSet};

/// Finds every place. One that the record knows and the code lacks is removed; any other that is not found is an error.
pub fn gather(
    session: &Session,
    model: &Model,
    program: &Program<'_>,
    recorded: Option<&Record>,
    moves: &Moves,
    current: &mut Current,
    out: &mut Found,
) -> BTreeMap<String, Vec<Tied>> {
    let mut tied = BTreeMap::new();
    let gate = recorded.and_then(|recorded| recorded.gate.as_ref());
    for (name, action) in &model.actions {
        let known = gate.and_then(|gate| gate.get(&format!("action {name}")));
        let mut places = Vec::new();
        for code in &action.code {
            let at = match covered::read(program, &follow(moves, code)) {
                Ok(read) => Some(read.at()),
                Err(error) if error.is_missing() && known.is_some_and(|known| known.contains(&code.text)) => {
                    current.removed.entry(code.text.clone()).or_insert_with(|| moves.name(&code.text));
                    None
                }
                Err(error) => {
                    // What is covered has told of itself.
                    if !current.unread.contains(&code.text) {
                        out.errors.push(items::failure(&error, code, program));
                    }
                    None
                }
            };
            places.push(Tied { code: code.text.clone(), at });
        }
        tied.insert(name.clone(), places);
    }
    out.errors.extend(strangers(session, model, current));
    tied
}

/// The selector of a place where it stands now: by the innermost item around it that moved, else by its file.
fn follow(moves: &Moves, code: &Covered) -> Selector {
    let around = moves.items.iter().filter(|(item, _)| is_inside(&code.text, item)).max_by_key(|(item, _)| item.len());
    let file = || moves.files.iter().find(|(file, _)| is_inside(&code.text, file));
    let moved = around.or_else(file).and_then(|(old, to)| {
        Selector::parse(&format!("{}{}", to.item, inside(&code.text, old).unwrap_or_default())).ok()
    });
    moved.unwrap_or_else(|| code.selector.clone())
}

/// Actions that no specification of the model has. One that cannot be read may have any.
fn strangers(session: &Session, model: &Model, current: &Current) -> Vec<Finding> {
    if model.actions.is_empty() || model.runs.is_empty() {
        return Vec::new();
    }
    let planned = runs::planned(session, model, &current.facts);
    let of_runs: Option<Vec<BTreeSet<String>>> = planned.iter().map(|one| one.actions()).collect();
    let Some(known) = of_runs.map(|all| all.into_iter().flatten().collect::<BTreeSet<String>>()) else {
        return Vec::new();
    };
    let plain = |name: &str| name.rsplit('!').next().unwrap_or(name).to_owned();
    let unknown = model.actions.iter().filter(|(name, _)| !known.contains(&plain(name)));
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let finding = |(name, action): (&String, &crate::config::Action)| {
        let finding = action.origin.finding(Code::Config, format!("no run's specification has an action `{name}`"));
        match nearest(name, &names) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        }
    };
    unknown.map(finding).collect()
}

/// Actions of the specifications that no table ties to code, where one ties any. What cannot be told is left out.
pub fn untied(session: &Session, model: &Model, current: &Current) -> BTreeSet<String> {
    if model.actions.is_empty() {
        return BTreeSet::new();
    }
    let plain = |name: &str| name.rsplit('!').next().unwrap_or(name).to_owned();
    let is_tied = |action: &str| model.actions.keys().any(|name| name == action || *name == plain(action));
    let planned = runs::planned(session, model, &current.facts);
    let steps = planned.iter().filter_map(|one| one.steps(is_tied)).flatten();
    steps.filter(|action| !is_tied(action)).collect()
}

/// Says of each difference which actions it is about: those with a place in the item, or around what differs.
pub fn attribute(model: &Model, stale: &mut [StaleReport]) {
    for report in stale {
        let scopes: Vec<String> = match report.stale.kind {
            StaleKind::Fact => {
                let table = model.facts.get(&report.stale.item).map(|fact| &fact.table);
                table.into_iter().flat_map(scopes).map(str::to_owned).collect()
            }
            StaleKind::File | StaleKind::Run | StaleKind::Unverified | StaleKind::Gate => Vec::new(),
            _ => vec![report.stale.item.clone()],
        };
        let is_about =
            |code: &Covered| scopes.iter().any(|scope| is_inside(&code.text, scope) || is_inside(scope, &code.text));
        let about = model.actions.iter().filter(|(_, action)| action.code.iter().any(is_about));
        report.actions = about.map(|(name, _)| name.clone()).collect();
    }
}
