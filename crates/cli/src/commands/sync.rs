//! `factgate sync`: somebody has looked; write the record.

use crate::args::{SyncArguments, ViewArguments};
use crate::commands::{Ended, diff};
use crate::config::Model;
use crate::finding::{Code, Finding, settle};
use crate::output::terminal::Terminal;
use crate::output::{diagnostics, diff_text};
use crate::pipeline::confirm::{self, Confirmed, Given, Known, Parts};
use crate::pipeline::facts::Compiled;
use crate::pipeline::recorded::{self, Raw};
use crate::pipeline::review::{self, Question};
use crate::pipeline::runs::{self, Verdicts};
use crate::pipeline::session::{Session, Start, git};
use crate::pipeline::store::store;
use crate::pipeline::verdict::{self, Differences, Gathered};
use crate::report::StaleReport;
use factgate_facts::program::Program;
use factgate_record::{Chosen, Record, RepoPath, Stale, StaleKind};
use factgate_vcs::{Lock, Written};
use std::collections::BTreeSet;
use std::io::IsTerminal;

/// Confirms every model, or the parts that are named. Nothing is written while anything is refused.
pub fn run(start: &Start, arguments: &SyncArguments) -> Ended {
    let mut planning = Planning::default();
    let done = locked(start, arguments, &mut planning);
    if let Err(errors) = &done {
        planning.refused.extend(errors.iter().cloned());
    }
    settle(&mut planning.refused);
    settle(&mut planning.warnings);
    let mut ended = if planning.refused.is_empty() {
        Ended::text(done.unwrap_or_default())
    } else {
        Ended::errors(&planning.refused)
    };
    ended.printed.stderr = diagnostics::render(&planning.refused, &planning.warnings);
    ended
}

/// What was found out before anything is written.
#[derive(Default)]
struct Planning<'s> {
    refused: Vec<Finding>,
    warnings: Vec<Finding>,
    planned: Vec<Candidate<'s>>,
    /// Words that name nothing of any model so far.
    strangers: Option<BTreeSet<String>>,
    ended: review::Ended,
}

/// One model on its way into its record.
struct Candidate<'s> {
    model: &'s Model,
    gathered: Gathered,
    raw: Raw,
    confirmed: Confirmed,
    /// What it confirms.
    differences: Vec<Stale>,
}

/// The lock is taken before the record is read, so that no confirmation of another process is lost.
fn locked(start: &Start, arguments: &SyncArguments, out: &mut Planning<'_>) -> Result<String, Vec<Finding>> {
    if arguments.review && !std::io::stdin().is_terminal() {
        let message = "`--review` asks questions, and there is no terminal to answer on";
        return Err(vec![Finding::new(Code::Usage, message).help("name what you confirm: `factgate sync ITEM…`")]);
    }
    let lock = start.repository().and_then(|repository| repository.lock().map_err(|error| git(&error)));
    let lock = lock.map_err(|error| vec![error])?;
    let session = Session::open(start, &ViewArguments::default(), &[])?;
    let mut planning = Planning::default();
    for (model, compiled) in &session.models {
        if planning.ended == review::Ended::Through {
            plan(&session, model, compiled, arguments, &mut planning);
        }
    }
    for word in planning.strangers.iter().flatten() {
        let message = format!("`{word}` is no covered item, fact, call key, run or model file");
        planning.refused.push(Finding::new(Code::Usage, message).help("`factgate check` names what can be confirmed"));
    }
    out.warnings.append(&mut planning.warnings);
    if planning.refused.is_empty() { write(&session, &lock, planning.planned) } else { Err(planning.refused) }
}

fn plan<'s>(
    session: &'s Session,
    model: &'s Model,
    compiled: &Compiled,
    arguments: &SyncArguments,
    planning: &mut Planning<'s>,
) {
    let mut raw = match recorded::read_raw(session, model) {
        Ok(raw) => raw,
        Err(error) => return planning.refused.push(error),
    };
    let committed = recorded::committed(session, model);
    // A record that was deleted has confirmed what it held.
    raw.record = raw.record.or_else(|| committed.clone());
    let program = session.program(model);
    let gathered = verdict::gather(session, model, compiled, &program, raw.record.as_ref());
    let Some((parts, given)) = asked(session, model, &gathered, &raw, arguments, planning) else { return };
    let found = gathered.found();
    // What follows from a misspelt name is told once that is mended.
    let is_misspelt = found.errors.iter().any(|error| error.code == Code::Selector);
    planning.refused.extend(found.errors);
    // What `check` can judge is confirmed. A file in a merge is nobody's code yet, wherever its markers stand.
    let is_merged = |warning: &Finding| warning.code == Code::MergeConflict;
    let (merged, harmless): (Vec<_>, Vec<_>) = found.warnings.into_iter().partition(is_merged);
    planning.refused.extend(merged);
    planning.warnings.extend(harmless);
    let sources = runs::sources(session, model, &gathered.current);
    let mut proposed = confirm::propose(model, &gathered, raw.record.as_ref(), &parts, &given, &sources);
    // The verdicts first: a run that explores less than it did needs a reason.
    let missing = parts == Parts::All
        && !model.runs.is_empty()
        && runs::confirmed(session, model, &gathered.current, &mut proposed.record) == Verdicts::Missing;
    if let Some(path) = raw.record.is_none().then(|| recorded::predecessor(session, &gathered.current)).flatten() {
        match given.all.clone() {
            Some(reason) => drop(proposed.record.gone.insert(format!("record {path}"), reason)),
            None => planning.refused.push(replaced(model, &path)),
        }
    }
    let known = Known { recorded: raw.record.as_ref(), committed: committed.as_ref() };
    match confirm::confirm(model, &gathered, known, proposed, &given, &sources) {
        Ok(confirmed) => {
            if missing {
                planning.warnings.push(unverified(model));
            }
            planning.warnings.extend(recorded::ignored(session, model));
            planning.warnings.extend(lacking(&program, &gathered));
            let differences = confirmed.differences(&gathered, raw.record.as_ref());
            planning.warnings.extend(confirm::blind_guards(model, &gathered, &differences));
            planning.planned.push(Candidate { model, gathered, raw, confirmed, differences });
        }
        Err(_) if is_misspelt => {}
        Err(findings) => planning.refused.extend(findings),
    }
}

/// Files of covered items with words that one parser alone could read: somebody may confirm them, and should know.
fn lacking(program: &Program<'_>, gathered: &Gathered) -> Vec<Finding> {
    let files: BTreeSet<&RepoPath> = gathered.current.items.values().map(|item| &item.at.file).collect();
    let warning = |file: &RepoPath| {
        let source = program.source(file).ok()?;
        let first = *source.lacking().first()?;
        let word = source.text().get(first.range()).unwrap_or_default();
        let message = format!(
            "{file}: the grammar has no word for this `{word}`: it counts as it is written, and no second reading confirms it"
        );
        Some(Finding::at(Code::ParseError, program.place(file, &source, first.start), message).in_source(source.text()))
    };
    files.into_iter().filter_map(warning).collect()
}

/// That a new record would hold nothing against the one that it replaces.
fn replaced(model: &Model, path: &RepoPath) -> Finding {
    let record = &model.record;
    let message =
        format!("{path} holds what {} holds, and no factgate.toml names it: {record} would forget it", model.name);
    Finding::of_file(Code::Record, &model.config, message)
        .help(format!("`git mv {path} {record}`, or say why it is given up: `factgate sync --because \"…\"`"))
}

fn unverified(model: &Model) -> Finding {
    let message = "the verdicts of the runs are not recorded: not each is known, and as expected";
    Finding::of_file(Code::Record, &model.config, message).help("`factgate verify`, then `factgate sync` again")
}

/// What of the model is to be confirmed, and why; `None` for nothing of it.
fn asked(
    session: &Session,
    model: &Model,
    gathered: &Gathered,
    raw: &Raw,
    arguments: &SyncArguments,
    planning: &mut Planning<'_>,
) -> Option<(Parts, Given)> {
    let recorded = raw.record.as_ref();
    let mut given = Given { all: arguments.because.clone(), each: Default::default() };
    let named = (!arguments.items.is_empty()).then(|| confirm::chosen(model, gathered, recorded, &arguments.items));
    if let Some((_, strangers)) = &named {
        let known = planning.strangers.take();
        planning.strangers = Some(known.map_or(strangers.clone(), |known| &known & strangers));
    }
    if let (true, Some(recorded)) = (arguments.review, recorded) {
        let review = match review(session, model, gathered, recorded, &given, &arguments.items) {
            Ok(review) => review,
            Err(error) => {
                planning.refused.push(error);
                return None;
            }
        };
        planning.ended = review.ended;
        given.each = review.reasons;
        return (review.chosen != Chosen::default()).then_some((Parts::Some(review.chosen), given));
    }
    let Some((chosen, _)) = named else { return Some((Parts::All, given)) };
    (chosen != Chosen::default()).then_some((Parts::Some(chosen), given))
}

fn review(
    session: &Session,
    model: &Model,
    gathered: &Gathered,
    recorded: &Record,
    given: &Given,
    named: &[String],
) -> Result<review::Review, Finding> {
    let Differences { mut stale, notes } =
        verdict::differences(model, &session.program(model), recorded, &gathered.current);
    stale.extend(notes);
    stale.retain(|report| named.is_empty() || named.iter().any(|name| diff::is_called(report, name)));
    let info = recorded::info(session, model)?;
    let sync = recorded::commit(&info).map(|commit| commit.to_string());
    let sides = diff::sides(session, model, sync, stale)?;
    let shown: Vec<(StaleReport, String)> =
        sides.into_iter().map(|sides| (sides.stale.clone(), diff_text::render(&sides))).collect();
    let sources = runs::sources(session, model, &gathered.current);
    let asked = confirm::asks(model, &shown, given, &sources);
    let weaker = confirm::weaker(gathered, recorded);
    let needs_reason = |question: &Question| {
        let by_change = asked && question.report.stale.kind == StaleKind::Changed;
        let mut all = std::iter::once(&question.report).chain(&question.follows);
        given.all.is_none() && (by_change || all.any(|report| weaker.contains(&report.stale.item)))
    };
    let file = |path: &str| {
        let named = model.files.iter().find(|(_, file)| file.as_str() == path).map(|(name, _)| name.clone());
        named.unwrap_or_else(|| confirm::recorded_file(model, recorded, path))
    };
    review::walk(&review::questions(shown), needs_reason, file, &mut Terminal::new())
        .map_err(|error| Finding::new(Code::Io, format!("the terminal: {error}")))
}

fn write(session: &Session, lock: &Lock, planned: Vec<Candidate<'_>>) -> Result<String, Vec<Finding>> {
    let mut text = String::new();
    for Candidate { model, gathered, raw, confirmed, differences } in planned {
        let on_disk = raw.on_disk.as_ref();
        let written = store(&session.repository, lock, &model.record, &confirmed.record, on_disk);
        let what = match (written.map_err(|error| vec![error])?, raw.record) {
            (Written::Unchanged, _) => "in sync already".to_owned(),
            (Written::Replaced, None) => {
                let current = &gathered.current;
                format!("recorded {} and {}", count(current.items.len(), "item"), count(current.facts.len(), "fact"))
            }
            (Written::Replaced, Some(_)) => format!("confirmed {}", count(differences.len(), "difference")),
        };
        text.push_str(&format!("{}   {what}   {}\n", model.name, model.record));
        for stale in differences {
            let mut report = StaleReport::new(stale);
            if report.stale.kind == StaleKind::File {
                verdict::placed(model, &mut report);
            }
            text.push_str(&format!("  {:<13} {}\n", report.stale.kind.word(), report.line()));
        }
    }
    Ok(text)
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
