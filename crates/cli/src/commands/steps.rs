//! `factgate facts --steps`: one function cut into its indivisible steps, from one suspension point to the next.

use crate::args::{FactsArguments, FactsFormat};
use crate::commands::Ended;
use crate::config;
use crate::finding::{Code, Finding};
use crate::output::steps as output;
use crate::pipeline::session::{Opened, Start};
use crate::report::Report;
use factgate_facts::program::{Program, ScopeError};
use factgate_facts::steps::{Step, steps};
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector};

/// Prints the steps of what a selector names.
pub fn run(start: &Start, arguments: &FactsArguments, selector: &str) -> Ended {
    let mut report = Report { view: arguments.view.word(), ..Report::default() };
    let steps = read(start, arguments, selector).unwrap_or_else(|error| {
        report.errors.push(error);
        Vec::new()
    });
    let stdout = match arguments.format {
        FactsFormat::Text if report.errors.is_empty() => output::text(selector, &steps),
        FactsFormat::Text => String::new(),
        FactsFormat::Json => output::json(&report, selector, &steps),
        FactsFormat::Cfg | FactsFormat::Tla => {
            report.errors.push(Finding::new(Code::Usage, "`--steps` prints as `text` or `json`"));
            String::new()
        }
    };
    Ended::of(&report, stdout)
}

fn read(start: &Start, arguments: &FactsArguments, selector: &str) -> Result<Vec<Step>, Finding> {
    let opened = Opened::new(start, &arguments.view)?;
    let parsed = Selector::parse(selector).map_err(|error| Finding::new(Code::Selector, error.to_string()))?;
    let mut failed: Option<ScopeError> = None;
    for (root, limits) in roots(&opened, arguments) {
        let program = Program::new(&opened.files, root, limits);
        match program.scope(&parsed) {
            Ok(scope) => return Ok(steps(&scope)),
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

/// Where a selector may start: at the repository's root, and at the root of each model.
fn roots(opened: &Opened, arguments: &FactsArguments) -> Vec<(RepoPath, Limits)> {
    let models = config::load(&opened.files, &arguments.models).unwrap_or_default();
    let mut roots: Vec<(RepoPath, Limits)> = models.into_iter().map(|model| (model.root, model.limits)).collect();
    roots.push((RepoPath::default(), Limits::default()));
    roots.dedup_by(|a, b| a.0 == b.0);
    roots
}
