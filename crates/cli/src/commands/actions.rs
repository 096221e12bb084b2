//! `factgate actions`: the map between the actions of a specification and the code, with today's lines.

use crate::args::{ActionsArguments, PlainFormat};
use crate::commands::Ended;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::actions as output;
use crate::pipeline::session::{Session, Start};
use crate::pipeline::verdict;
use crate::report::Report;

/// Prints the map; a place that is gone is drift, one that cannot be found is an error.
pub fn run(start: &Start, arguments: &ActionsArguments) -> Ended {
    let mut report = match Session::open(start, &arguments.view, &arguments.models) {
        Ok(session) => {
            let models = session.models.iter().map(|(model, compiled)| verdict::tied(&session, model, compiled));
            Report { view: session.view(), models: models.collect(), ..Report::default() }
        }
        Err(errors) => Report::of_errors(arguments.view.word(), errors),
    };
    for model in &mut report.models {
        if model.actions.values().flatten().any(|tied| tied.at.is_none()) {
            model.exit = model.exit.max(Exit::Drift);
        }
    }
    if report.models.iter().all(|model| model.actions.is_empty()) && report.all_errors().is_empty() {
        let nothing = Finding::new(Code::Config, "no model ties an action to code: there is nothing to print");
        report.errors.push(nothing.help("write an `[action.NAME]` with `code = [\"PATH#NAME\"]` into factgate.toml"));
    }
    let stdout = match arguments.format {
        PlainFormat::Text => output::text(&report),
        PlainFormat::Json => output::json(&report),
    };
    Ended::of(&report, stdout)
}
