//! `factgate facts`: the named values that the code shows.

use crate::args::{FactsArguments, FactsFormat};
use crate::commands::Ended;
use crate::config::{Model, nearest};
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::{constants, facts_text, json};
use crate::pipeline::facts::{Compiled, all_known};
use crate::pipeline::recorded;
use crate::pipeline::session::{Session, Start};
use crate::pipeline::verdict::{self, Gathered};
use crate::report::{ModelReport, Report};
use factgate_facts::Files;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads every fact; exit 2 when one is unknown, or something that is covered or watched cannot be read.
pub fn run(start: &Start, arguments: &FactsArguments) -> Ended {
    if let Some(selector) = &arguments.steps {
        return super::steps::run(start, arguments, selector);
    }
    let opened = Session::open(start, &arguments.view, &[]).and_then(|session| picked(session, &arguments.names));
    let session = match opened {
        Ok(session) => session,
        Err(errors) => return end(&Report::of_errors(arguments.view.word(), errors), arguments, None),
    };
    let models = session.models.iter().map(|(model, compiled)| of_model(&session, model, compiled)).collect();
    let mut report = Report { view: session.view(), models, ..Report::default() };
    // What could not be found is said already.
    let asks_nothing = |(model, _): &(Model, _)| model.facts.is_empty() && model.calls.is_empty();
    if session.models.iter().all(asks_nothing) && report.all_errors().is_empty() {
        let nothing = Finding::new(Code::Config, "no model has a fact: there was nothing to read");
        report.errors.push(nothing.help(
            "write a `[guard.NAME]`, `[set.NAME]` or `[value.NAME]` into patterns/*.toml, or `[[calls]]` into factgate.toml",
        ));
    }
    end(&report, arguments, Some(&session))
}

/// Keeps what is asked for: the models that are named whole, and the facts that are named in whatever model.
fn picked(mut session: Session, names: &[String]) -> Result<Session, Vec<Finding>> {
    let known: BTreeSet<&str> = session.models.iter().flat_map(|(model, _)| names_of(model)).collect();
    let strange: Vec<Finding> =
        names.iter().filter(|name| !known.contains(name.as_str())).map(|name| unknown(name, &known)).collect();
    if !strange.is_empty() {
        return Err(strange);
    }
    let is_asked = |name: &str| names.iter().any(|asked| asked == name);
    session.models.retain_mut(|(model, compiled)| {
        let is_whole = names.is_empty() || is_asked(&model.name);
        if !is_whole {
            compiled.facts.retain(|name, _| is_asked(name));
            model.facts.retain(|name, _| is_asked(name));
            // The call rules of a model are no fact of it.
            model.calls.clear();
            compiled.shapes.clear();
        }
        is_whole || !model.facts.is_empty()
    });
    Ok(session)
}

fn names_of(model: &Model) -> impl Iterator<Item = &str> {
    std::iter::once(model.name.as_str()).chain(model.facts.keys().map(String::as_str))
}

fn unknown(name: &str, known: &BTreeSet<&str>) -> Finding {
    let finding = Finding::new(Code::Usage, format!("there is no fact and no model `{name}`"));
    match nearest(name, &known.iter().copied().collect::<Vec<_>>()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("`factgate facts` lists all of them"),
    }
}

fn of_model(session: &Session, model: &Model, compiled: &Compiled) -> ModelReport {
    let program = session.program(model);
    // Without a record everything is new, which only makes more of what is missing an error.
    let record = recorded::read(session, model).ok().flatten();
    let gathered = verdict::gather(session, model, compiled, &program, record.as_ref());
    let Gathered { current, facts: mut found, code, .. } = gathered;
    found.warnings.extend(code.warnings);
    // That something is covered and not there is `check`'s to judge: no fact can hide in it.
    let (missing, unread): (Vec<_>, Vec<_>) = code.errors.into_iter().partition(|error| error.code == Code::Selector);
    found.warnings.extend(missing);
    found.errors.extend(unread);
    let mut report = verdict::begin(model, &current, found);
    report.exit = if all_known(&current.facts) { Exit::Fine } else { Exit::Undecided };
    report
}

fn end(report: &Report, arguments: &FactsArguments, session: Option<&Session>) -> Ended {
    let stdout = match arguments.format {
        FactsFormat::Text if arguments.explain => facts_text::explain(report, &sources(report, session)),
        FactsFormat::Text => facts_text::render(report),
        FactsFormat::Json => json::render(report, json::Keys::Facts),
        FactsFormat::Cfg => constants::cfg(report),
        FactsFormat::Tla => constants::tla(report),
    };
    Ended::of(report, stdout)
}

/// The text of every file with evidence, as positions count it: without a byte-order mark.
fn sources(report: &Report, session: Option<&Session>) -> facts_text::Sources {
    let mut sources = facts_text::Sources::new();
    let facts = report.models.iter().flat_map(|model| model.facts.values());
    for evidence in facts.flat_map(|fact| &fact.evidence) {
        let file = &evidence.place.file;
        if sources.contains_key(file) {
            continue;
        }
        let bytes = session.and_then(|session| session.files.read(file).ok().flatten());
        let text = bytes.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        sources.extend(text.map(|text| (file.clone(), Arc::from(text.strip_prefix('\u{feff}').unwrap_or(&text)))));
    }
    sources
}
