//! `factgate check`: what is STALE?

use crate::args::{CheckArguments, CheckFormat};
use crate::commands::Ended;
use crate::output::{github, json, junit, sarif, text};
use crate::pipeline::session::{Session, Start};
use crate::pipeline::verdict;
use crate::report::Report;

/// Compares every model with its record.
pub fn run(start: &Start, arguments: &CheckArguments) -> Ended {
    let report = match Session::open(start, &arguments.view, &arguments.models) {
        Ok(session) => verdict::check(&session, &arguments.models),
        Err(errors) => Report::of_errors(arguments.view.word(), errors),
    };
    let stdout = render(&report, arguments.format);
    Ended::of(&report, stdout)
}

/// The report in one of the formats of a verdict.
pub fn render(report: &Report, format: CheckFormat) -> String {
    match format {
        CheckFormat::Text => text::render(report),
        CheckFormat::Json => json::render(report, json::Keys::Verdict),
        CheckFormat::Github => github::render(report),
        CheckFormat::Sarif => sarif::render(report),
        CheckFormat::Junit => junit::render(report),
    }
}
