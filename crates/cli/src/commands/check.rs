//! `factgate check`: what is STALE?

use crate::args::{CheckArguments, CheckFormat, VerdictArguments};
use crate::commands::Ended;
use crate::finding::{Code, Finding};
use crate::output::text::Detail;
use crate::output::{github, json, junit, markdown, sarif, text};
use crate::pipeline::session::{Session, Start};
use crate::pipeline::verdict;
use crate::report::Report;
use std::fs::OpenOptions;
use std::io::Write;

/// Compares every model with its record.
pub fn run(start: &Start, arguments: &CheckArguments) -> Ended {
    let mut report = match Session::open(start, &arguments.view, &arguments.models) {
        Ok(session) => verdict::check(&session, &arguments.models),
        Err(errors) => Report::of_errors(arguments.view.word(), errors),
    };
    concluded(start, &mut report, &arguments.output)
}

/// The report in the format that was asked for; appended to the summary as well, where one is.
pub fn concluded(start: &Start, report: &mut Report, output: &VerdictArguments) -> Ended {
    if let Some(file) = &output.summary {
        let path = start.folder.join(file);
        let page = format!("{}\n", markdown::render(report));
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        if let Err(error) = opened.and_then(|mut summary| summary.write_all(page.as_bytes())) {
            let message = format!("the summary {} cannot be written: {error}", file.display());
            report.errors.push(Finding::new(Code::Io, message));
        }
    }
    let stdout = render(report, output);
    Ended::of(report, stdout)
}

/// The report in one of the formats of a verdict.
pub fn render(report: &Report, output: &VerdictArguments) -> String {
    let detail = match (output.quiet, output.verbose) {
        (true, _) => Detail::Brief,
        (_, true) => Detail::Full,
        _ => Detail::Usual,
    };
    match output.format {
        CheckFormat::Text => text::render(report, detail),
        CheckFormat::Json => json::render(report, json::Keys::Verdict),
        CheckFormat::Github => github::render(report),
        CheckFormat::Sarif => sarif::render(report),
        CheckFormat::Junit => junit::render(report),
        CheckFormat::Markdown => markdown::render(report),
    }
}
