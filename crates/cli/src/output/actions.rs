//! The map between actions and code, for people and as data.

use crate::output::json;
use crate::report::{ModelReport, Report, Tied};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A line a place, with where it stands now.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for model in report.models.iter().filter(|model| !model.actions.is_empty()) {
        text.push_str(&format!("{}\n", model.name));
        let width = model.actions.keys().chain(&model.untied).map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, places) in &model.actions {
            for (index, tied) in places.iter().enumerate() {
                let name = if index == 0 { name.as_str() } else { "" };
                let at = tied.at.as_ref().map_or("not found".to_owned(), |at| format!("{}:{}", at.file, at.line));
                text.push_str(&format!("  {name:width$}   {at}   {}\n", tied.code));
            }
        }
        for name in &model.untied {
            text.push_str(&format!("  {name:width$}   tied to no code\n"));
        }
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
    actions: &'r BTreeMap<String, Vec<Tied>>,
    /// Actions of the specifications that are tied to no code.
    untied: &'r BTreeSet<String>,
}

/// One object.
pub fn json(report: &Report) -> String {
    let model = |model: &'_ ModelReport| (model.name.clone(), model.actions.clone(), model.untied.clone());
    let models: Vec<_> = report.models.iter().map(model).collect();
    let models = models.iter().map(|(name, actions, untied)| Model { name, actions, untied }).collect();
    json::enveloped(report, Output { models })
}
