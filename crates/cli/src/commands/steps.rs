//! `factgate facts --steps`: one function cut into its indivisible steps, from one suspension point to the next.

use crate::args::{FactsArguments, FactsFormat};
use crate::commands::Ended;
use crate::config::{self, Model, nearest};
use crate::finding::{Code, Finding};
use crate::output::steps as output;
use crate::pipeline::session::{Opened, Start};
use crate::report::Report;
use factgate_facts::program::{Program, ScopeError};
use factgate_facts::steps::{Step, steps};
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector, language_for_path};
use std::collections::BTreeSet;

/// Prints the steps of what a selector names.
pub fn run(start: &Start, arguments: &FactsArguments, selector: &str) -> Ended {
    let mut report = Report { view: arguments.view.word(), ..Report::default() };
    let (selector, steps) = read(start, arguments, selector).unwrap_or_else(|error| {
        report.errors.push(error);
        (selector.to_owned(), Vec::new())
    });
    let stdout = match arguments.format {
        FactsFormat::Text if report.errors.is_empty() => output::text(&selector, &steps),
        FactsFormat::Text => String::new(),
        FactsFormat::Json => output::json(&report, &selector, &steps),
        FactsFormat::Cfg | FactsFormat::Tla => {
            report.errors.push(Finding::new(Code::Usage, "`--steps` prints as `text` or `json`"));
            String::new()
        }
    };
    Ended::of(&report, stdout)
}

fn read(start: &Start, arguments: &FactsArguments, selector: &str) -> Result<(String, Vec<Step>), Finding> {
    let opened = Opened::new(start, &arguments.view)?;
    let models = models(&opened, arguments);
    let selector = covered(selector, &models)?;
    let parsed = Selector::parse(&selector).map_err(|error| Finding::new(Code::Selector, error.to_string()))?;
    let mut failed: Option<ScopeError> = None;
    for (root, limits) in roots(&models) {
        let program = Program::new(&opened.files, root, limits);
        match program.scope(&parsed) {
            Ok(scope) => return Ok((selector, steps(&scope))),
            Err(error) => failed = Some(failed.filter(|known| !known.is_missing()).unwrap_or(error)),
        }
    }
    Err(failed.map_or_else(|| Finding::new(Code::Selector, format!("{selector} names nothing")), finding))
}

fn finding(error: ScopeError) -> Finding {
    let code = Code::of(error.code());
    match error.place() {
        Some(place) => Finding::at(code, place.clone(), error.to_string()),
        None => Finding::new(code, error.to_string()),
    }
}

/// The models that are named, or all. Steps need none: where they cannot be read, a selector starts at the root.
fn models(opened: &Opened, arguments: &FactsArguments) -> Vec<Model> {
    config::load(&opened.files, &arguments.names).unwrap_or_default()
}

/// The selector that is meant: as it is written, or the covered item of that bare name.
pub(super) fn covered(text: &str, models: &[Model]) -> Result<String, Finding> {
    if text.contains('#') || language_for_path(text).is_some() {
        return Ok(text.to_owned());
    }
    let all: BTreeSet<&str> =
        models.iter().flat_map(|model| &model.cover).map(|covered| covered.text.as_str()).collect();
    let name = |item: &str| item.split_once('#').map_or("", |(_, name)| name).to_owned();
    let is_exact = |item: &&&str| name(item) == text;
    let is_last = |item: &&&str| name(item).ends_with(&format!(".{text}"));
    let exact: Vec<&&str> = all.iter().filter(is_exact).collect();
    let fitting = if exact.is_empty() { all.iter().filter(is_last).collect() } else { exact };
    match fitting[..] {
        [only] => Ok((*only).to_owned()),
        [] => {
            let finding = Finding::new(Code::Selector, format!("`{text}` is the name of no covered item"));
            let names: Vec<String> = all.iter().map(|item| name(item)).collect();
            let near = nearest(text, &names.iter().map(String::as_str).collect::<Vec<_>>()).map(str::to_owned);
            Err(finding.help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write PATH#NAME; `factgate items PATH` lists the names of a file".to_owned(),
            }))
        }
        _ => {
            let several: Vec<&str> = fitting.into_iter().copied().collect();
            let finding = Finding::new(Code::Ambiguous, format!("`{text}` is the name of several covered items"));
            Err(finding.help(format!("write one of them: {}", several.join(", "))))
        }
    }
}

/// Where a selector may start: at the repository's root, and at the root of each model.
fn roots(models: &[Model]) -> Vec<(RepoPath, Limits)> {
    let mut roots: Vec<(RepoPath, Limits)> = models.iter().map(|model| (model.root.clone(), model.limits)).collect();
    roots.push((RepoPath::default(), Limits::default()));
    roots.dedup_by(|a, b| a.0 == b.0);
    roots
}
