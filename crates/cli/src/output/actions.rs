//! The map between actions and code, for people and as data.

use crate::output::json;
use crate::report::{Report, Tied};
use serde::Serialize;
use std::collections::BTreeMap;

/// A line a place, with where it stands now.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for model in report.models.iter().filter(|model| !model.actions.is_empty()) {
        text.push_str(&format!("{}\n", model.name));
        let width = model.actions.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, places) in &model.actions {
            for (index, tied) in places.iter().enumerate() {
                let name = if index == 0 { name.as_str() } else { "" };
                let at = tied.at.as_ref().map_or("not found".to_owned(), |at| format!("{}:{}", at.file, at.line));
                text.push_str(&format!("  {name:width$}   {at}   {}\n", tied.code));
            }
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
}

/// One object.
pub fn json(report: &Report) -> String {
    let model = |model: &'_ crate::report::ModelReport| -> (String, BTreeMap<String, Vec<Tied>>) {
        (model.name.clone(), model.actions.clone())
    };
    let models: Vec<_> = report.models.iter().map(model).collect();
    let models = models.iter().map(|(name, actions)| Model { name, actions }).collect();
    json::enveloped(report, Output { models })
}
