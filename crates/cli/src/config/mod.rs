//! Configuration: every `factgate.toml` of a view with its pattern files, read through that view and checked whole.
//!
//! Everything that is wrong is collected; nothing is evaluated while something is.

mod build;
mod document;
mod edit;
pub mod fact_tables;
mod facts;
mod globs;
mod model;
mod reserved;
pub mod run_tables;
mod runs;
mod shape;
mod spanned;
mod strays;
pub mod tables;

pub use document::Document;
pub use edit::{Edit, append, apply, replace};
pub use model::{Action, AnyFact, Covered, FactTable, Model, Origin, Sourced, Watched, WatchedBy};
pub use shape::nearest;
pub use spanned::{At, OneOrMany};
pub use strays::{stray, strays};

use crate::finding::{Code, Finding, settle};
use factgate_facts::Files;
use factgate_record::RepoPath;
use std::collections::BTreeMap;

/// The file's name.
pub const FILE_NAME: &str = "factgate.toml";

/// Reads every model of the view. `names` picks some of them; none picks all.
pub fn load(files: &dyn Files, names: &[String]) -> Result<Vec<Model>, Vec<Finding>> {
    let all = files.list().map_err(|error| vec![error.into()])?;
    let is_config = |path: &&RepoPath| path.as_str().rsplit('/').next() == Some(FILE_NAME);
    let mut models = Vec::new();
    let mut wrong = Vec::new();
    for path in all.iter().filter(is_config) {
        match build::model(files, all, path) {
            Ok(Some(model)) => models.push(model),
            Ok(None) => {}
            Err(findings) => wrong.extend(findings),
        }
    }
    wrong.extend(doubled(&models));
    if !wrong.is_empty() {
        settle(&mut wrong);
        return Err(wrong);
    }
    if models.is_empty() {
        let help =
            "write one with a `[model]` table that has `name` and `cover`; `factgate schema` says what it can hold";
        let left = strays(files, &[]);
        let help = match left.first() {
            Some(record) => format!("{record} is the record of one that is gone: put it back, or remove the record"),
            None => help.to_owned(),
        };
        return Err(vec![Finding::new(Code::Config, format!("there is no {FILE_NAME} here")).help(help)]);
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    picked(models, names)
}

fn doubled(models: &[Model]) -> Vec<Finding> {
    let mut names: BTreeMap<&str, &Model> = BTreeMap::new();
    let mut records: BTreeMap<&RepoPath, &Model> = BTreeMap::new();
    let mut wrong = Vec::new();
    for model in models {
        if let Some(first) = names.insert(&model.name, model) {
            let message = format!("two models are named `{}`: here and in {}", model.name, first.config);
            wrong.push(Finding::of_file(Code::Config, &model.config, message));
        } else if let Some(first) = records.insert(&model.record, model) {
            let message = format!("{} is also the record of {}", model.record, first.config);
            wrong.push(Finding::of_file(Code::Config, &model.config, message));
        }
    }
    wrong
}

fn picked(models: Vec<Model>, names: &[String]) -> Result<Vec<Model>, Vec<Finding>> {
    let known: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    let mut wrong = Vec::new();
    for name in names.iter().filter(|name| !known.contains(&name.as_str())) {
        let near = nearest(name, &known).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| format!("models: {}", known.join(", ")));
        wrong.push(Finding::new(Code::Usage, format!("there is no model `{name}`")).help(help));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(models.into_iter().filter(|model| names.is_empty() || names.contains(&model.name)).collect())
}
