//! Workflow annotations of GitHub (docs.github.com, "Workflow commands for GitHub Actions").

use crate::cause::Cause;
use crate::finding::Finding;
use crate::report::{ModelReport, Report, Role};
use crate::run_groups::Group;
use factgate_record::Place;

/// An annotation a cause, an error, a warning; the verdict's line a model.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for model in &report.models {
        let (base, others): (Vec<_>, Vec<_>) =
            Group::failing(model).into_iter().partition(|group| group.head.role == Role::Base);
        text.extend(base.iter().map(|group| violation(model, group)));
        for cause in Cause::all(model.stale.as_deref().unwrap_or_default()) {
            let title = format!("factgate: {} {}", model.name, cause.first().stale.kind.word());
            text.push_str(&annotation("error", &cause.place(&model.config), &title, &cause.message()));
        }
        for note in &model.notes {
            let whole = || Place { file: model.config.clone(), line: 1, column: 1 };
            let place = note.stale.at.clone().unwrap_or_else(whole);
            text.push_str(&annotation("notice", &place, &format!("factgate: {} note", model.name), &note.line()));
        }
        text.extend(others.iter().map(|group| violation(model, group)));
    }
    for finding in report.all_errors() {
        text.push_str(&of_finding("error", &finding));
    }
    for finding in report.all_warnings() {
        text.push_str(&of_finding("warning", &finding));
    }
    text
}

/// What breaks, with the actions that lead there. That of the base run stands at the code that changed.
fn violation(model: &ModelReport, group: &Group<'_>) -> String {
    let title = format!("factgate: {} run", model.name);
    annotation("error", &group.place(model), &title, &group.message().unwrap_or_default())
}

fn of_finding(level: &str, finding: &Finding) -> String {
    let title = format!("factgate: {}", finding.code.code());
    let help = finding.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let message = format!("{}{help}", finding.message);
    match &finding.at {
        Some(place) => annotation(level, place, &title, &message),
        None => format!("::{level} title={}::{}\n", property(&title), data(&message)),
    }
}

fn annotation(level: &str, place: &Place, title: &str, message: &str) -> String {
    let file = property(place.file.as_str());
    let (line, column) = (place.line, place.column);
    format!("::{level} file={file},line={line},col={column},title={}::{}\n", property(title), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
