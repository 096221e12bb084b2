//! `factgate sync`: somebody has looked; write the record.

use crate::args::{SyncArguments, ViewArguments};
use crate::commands::Ended;
use crate::config::Model;
use crate::finding::{Code, Finding};
use crate::output::diagnostics;
use crate::pipeline::confirm::{self, Confirmed, Parts};
use crate::pipeline::recorded::{self, Raw};
use crate::pipeline::runs;
use crate::pipeline::session::{Session, Start, git};
use crate::pipeline::store::{Stored, store};
use crate::pipeline::verdict::{self, Gathered};
use factgate_record::Record;
use factgate_vcs::Lock;
use std::collections::BTreeSet;

/// One model on its way into its record.
struct Candidate<'s> {
    model: &'s Model,
    gathered: Gathered,
    recorded: Option<Record>,
    raw: Option<Record>,
}

/// Confirms every model, or the parts that are named. Nothing is written while anything is refused.
pub fn run(start: &Start, arguments: &SyncArguments) -> Ended {
    // Taken before the record is read: of two at once, the second builds on what the first wrote.
    let lock = match start.repository().and_then(|repository| repository.lock().map_err(|error| git(&error))) {
        Ok(lock) => lock,
        Err(error) => return Ended::errors(&[error]),
    };
    let session = match Session::open(start, &ViewArguments::default(), &[]) {
        Ok(session) => session,
        Err(errors) => return Ended::errors(&errors),
    };
    let mut warnings = Vec::new();
    let ended = candidates(&session, arguments, &mut warnings).and_then(|planned| write(&session, &lock, planned));
    let errors = ended.as_ref().err().cloned().unwrap_or_default();
    let mut ended = ended.map_or_else(|errors| Ended::errors(&errors), Ended::text);
    ended.printed.stderr = diagnostics::render(&errors, &warnings);
    ended
}

type Planned<'s> = Vec<(Candidate<'s>, Confirmed)>;

fn candidates<'s>(
    session: &'s Session,
    arguments: &SyncArguments,
    warnings: &mut Vec<Finding>,
) -> Result<Planned<'s>, Vec<Finding>> {
    let mut refused = Vec::new();
    let mut unknown: Option<BTreeSet<String>> = None;
    let mut planned = Vec::new();
    for (model, compiled) in &session.models {
        let Raw { record: recorded, on_disk: raw } = match recorded::read_raw(session, model) {
            Ok(read) => read,
            Err(error) => {
                refused.push(error);
                continue;
            }
        };
        let program = session.program(model);
        let gathered = verdict::gather(session, model, compiled, &program, recorded.as_ref());
        let parts = if arguments.items.is_empty() {
            Parts::All
        } else {
            let (chosen, strangers) = confirm::chosen(model, &gathered, recorded.as_ref(), &arguments.items);
            let nothing = chosen == factgate_record::Chosen::default();
            unknown = Some(unknown.map_or(strangers.clone(), |known| &known & &strangers));
            if nothing {
                continue;
            }
            Parts::Some(chosen)
        };
        let found = gathered.found();
        refused.extend(found.errors);
        // A covered file that does not parse is only a warning to `check`, and a reason not to confirm anything.
        let (broken, harmless): (Vec<_>, Vec<_>) =
            found.warnings.into_iter().partition(|warning| warning.code == Code::ParseError);
        refused.extend(broken);
        warnings.extend(harmless);
        let because = arguments.because.as_deref();
        match confirm::confirm(model, &gathered, recorded.as_ref(), &parts, because) {
            Ok(mut confirmed) => {
                let runs = runs::confirmed(session, model, &gathered.current, recorded.as_ref());
                if let (Parts::All, Some(runs)) = (&parts, runs) {
                    confirmed.record.runs = runs;
                }
                planned.push((Candidate { model, gathered, recorded, raw }, confirmed));
            }
            Err(findings) => refused.extend(findings),
        }
    }
    for word in unknown.into_iter().flatten() {
        let message = format!("`{word}` is no covered item, fact, call key or model file");
        refused.push(Finding::new(Code::Usage, message).help("`factgate check` names what can be confirmed"));
    }
    if refused.is_empty() {
        return Ok(planned);
    }
    crate::finding::settle(&mut refused);
    Err(refused)
}

fn write(session: &Session, lock: &Lock, planned: Planned<'_>) -> Result<String, Vec<Finding>> {
    let mut text = String::new();
    for (candidate, confirmed) in planned {
        let Candidate { model, gathered, recorded, raw } = candidate;
        let stored = store(&session.repository, lock, &model.record, &confirmed.record, raw.as_ref());
        let stored = stored.map_err(|error| vec![error])?;
        let what = match (stored, recorded) {
            (Stored::Untouched, _) => "in sync already".to_owned(),
            (Stored::Written, None) => {
                let current = &gathered.current;
                format!("recorded {} and {}", count(current.items.len(), "item"), count(current.facts.len(), "fact"))
            }
            (Stored::Written, Some(_)) => format!("confirmed {}", count(confirmed.confirmed.len(), "difference")),
        };
        text.push_str(&format!("{}   {what}   {}\n", model.name, model.record));
        for stale in confirmed.confirmed {
            let stale = crate::report::StaleReport::new(stale);
            text.push_str(&format!("  {:<13} {}\n", stale.stale.kind.word(), stale.line()));
        }
    }
    Ok(text)
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
