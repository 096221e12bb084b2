//! `factgate diff`: each STALE thing as it was confirmed and as it is now, in the lines of its files.

use crate::args::{DiffArguments, PlainFormat};
use crate::commands::Ended;
use crate::config::Model;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::diff_rows::{Row, rows};
use crate::output::diff_text;
use crate::pipeline::listing::Listing;
use crate::pipeline::session::{Session, Start, git};
use crate::pipeline::view_files::ViewFiles;
use crate::pipeline::{covered, verdict};
use crate::report::{ModelReport, Report, StaleReport};
use factgate_facts::program::Program;
use factgate_facts::steps::change;
use factgate_record::{Change, RepoPath, StaleKind};
use factgate_syntax::{Selector, language_for_path};
use factgate_vcs::ViewKind;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Both sides of one STALE thing.
#[derive(Debug)]
pub struct Sides {
    /// The model.
    pub model: String,
    /// The difference.
    pub stale: StaleReport,
    /// Whether the source at the sync commit is at hand.
    pub past: Past,
    /// As it was at the sync commit, when that is known and it was there.
    pub recorded: Option<Listing>,
    /// As it is now, when it is there.
    pub current: Option<Listing>,
}

impl Sides {
    /// What the change did to the steps of the code, in one sentence.
    pub fn change(&self) -> Option<String> {
        // Another name is another step to the eye alone.
        if matches!(self.stale.stale.change, Some(Change::Locals | Change::Names)) {
            return None;
        }
        change(&self.recorded.as_ref()?.steps, &self.current.as_ref()?.steps)
    }

    /// The lines that differ; nothing where the code that was confirmed is not known.
    pub fn rows(&self) -> Option<Vec<Row>> {
        let kind = self.stale.stale.kind;
        let may_be_new = matches!(kind, StaleKind::CallAdded | StaleKind::File) && self.past == Past::Known;
        let none = Listing::default();
        let is_known = self.recorded.is_some() || self.current.is_none() || may_be_new || kind == StaleKind::Unrecorded;
        is_known.then(|| rows(self.recorded.as_ref().unwrap_or(&none), self.current.as_ref().unwrap_or(&none)))
    }
}

/// Whether git knows the sync commit, and so the source that was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// It does.
    Known,
    /// It does not: no commit holds the record, or a clone lacks it.
    Unknown,
}

/// Shows what is STALE: all of it, or the items that are named. That something is STALE is no failure here.
pub fn run(start: &Start, arguments: &DiffArguments) -> Ended {
    let session = match Session::open(start, &arguments.view, &[]) {
        Ok(session) => session,
        Err(errors) => return end(&Report::of_errors(arguments.view.word(), errors), &[], arguments),
    };
    let mut report = Report { view: session.view(), ..Report::default() };
    let mut shown = Vec::new();
    let mut strangers: BTreeSet<&str> = arguments.items.iter().map(String::as_str).collect();
    for (model, compiled) in &session.models {
        let mut found = verdict::of_model(&session, model, compiled);
        strangers.retain(|name| !found.items.contains_key(*name));
        let mut stale = found.stale.take().unwrap_or_default();
        stale.append(&mut found.notes);
        strangers.retain(|name| !stale.iter().any(|stale| is_called(stale, name)));
        stale.retain(|stale| arguments.items.is_empty() || arguments.items.iter().any(|name| is_called(stale, name)));
        let sync = found.sync.as_ref().and_then(|sync| sync.commit.as_ref()).map(|commit| commit.id.clone());
        match sides(&session, model, sync, stale) {
            Ok(sides) => {
                found.errors.extend(unshown(model, &found, &sides));
                shown.extend(sides);
            }
            Err(error) => found.errors.push(error),
        }
        report.models.push(found);
    }
    for name in strangers {
        report.errors.push(Finding::new(Code::Usage, format!("`{name}` is neither covered nor STALE")));
    }
    end(&report, &shown, arguments)
}

/// Whether a name of the command line means a difference: its item, or the key of its `[[calls]]` entry.
pub fn is_called(stale: &StaleReport, name: &str) -> bool {
    stale.stale.item == name || stale.stale.callee.as_deref() == Some(name)
}

fn end(report: &Report, shown: &[Sides], arguments: &DiffArguments) -> Ended {
    let stdout = match arguments.format {
        PlainFormat::Text if shown.is_empty() && report.exit() == Exit::Fine => "nothing is STALE\n".to_owned(),
        PlainFormat::Text => shown.iter().map(diff_text::render).collect(),
        PlainFormat::Json => diff_text::json(report, shown),
    };
    Ended::of(report, stdout)
}

/// An error when there was code to show, and none of it at the sync commit could be.
fn unshown(model: &Model, found: &ModelReport, sides: &[Sides]) -> Option<Finding> {
    let had_code = |sides: &&Sides| {
        use StaleKind::{Changed, Moved, Removed, Uncovered};
        matches!(sides.stale.stale.kind, Changed | Moved | Removed | Uncovered)
    };
    let mut expected = sides.iter().filter(had_code).peekable();
    expected.peek()?;
    if expected.any(|sides| sides.recorded.is_some()) {
        return None;
    }
    let note = found.sync.as_ref().and_then(|sync| sync.note);
    let known = note.map_or(String::new(), |note| format!(" ({note})"));
    let message =
        format!("{}: the source at the sync commit is not known{known}: only the code of now is shown", model.name);
    Some(Finding::of_file(Code::Git, &model.record, message).help(match note {
        Some("shallow") => "`git fetch --unshallow`, then `factgate diff` again",
        Some("partial") => "fetch the missing objects, then `factgate diff` again",
        _ => "commit the record together with the code that it describes",
    }))
}

/// Both sides of each difference of a model.
pub fn sides(
    session: &Session,
    model: &Model,
    sync: Option<String>,
    stale: Vec<StaleReport>,
) -> Result<Vec<Sides>, Finding> {
    let now = session.program(model);
    let view = sync.map(|id| session.repository.view(&ViewKind::Commit(id), model.limits.bytes as u64));
    let files = view.transpose().map_err(|error| git(&error))?.map(ViewFiles::new);
    let then = files.as_ref().map(|files| Program::new(files, model.root.clone(), model.limits));
    let past = if then.is_some() { Past::Known } else { Past::Unknown };
    let before = OnceCell::new();
    let both = |stale: StaleReport| {
        let moved_to = stale.stale.to.clone();
        let item = stale.stale.item.clone();
        let named = if stale.stale.kind == StaleKind::File { Named::File } else { Named::Selector };
        let recorded = then.as_ref().and_then(|program| {
            let old_path = || before.get_or_init(|| renamed(session, files.as_ref(), model)).get(&path(&item)?);
            let renamed = || Some(format!("{}{}", old_path()?, &item[path(&item)?.len()..]));
            code(program, &item, named).or_else(|| code(program, &renamed()?, named))
        });
        let current = code(&now, moved_to.as_deref().unwrap_or(&item), named);
        Sides { model: model.name.clone(), stale, past, recorded, current }
    };
    Ok(stale.into_iter().map(both).collect())
}

/// The path of a selector.
fn path(selector: &str) -> Option<String> {
    Selector::parse(selector).ok().map(|selector| selector.path)
}

/// The old name of each file that moved since the sync commit, from the model's root: where `factgate mv` gave a record its
/// new names, the code that was confirmed has the old ones.
fn renamed(session: &Session, then: Option<&ViewFiles>, model: &Model) -> BTreeMap<String, String> {
    let base = then.and_then(|files| files.view().tip().ok().flatten());
    let is_code = |path: &str| language_for_path(path).is_some();
    let (view, limit) = (session.files.view(), model.limits.bytes as u64);
    let renames =
        base.and_then(|base| session.repository.renames(base, view, limit, &is_code).ok()).unwrap_or_default();
    let below = |path: String| Some(RepoPath::from_git(path).below(&model.root)?.to_owned());
    renames.pairs.into_iter().filter_map(|(old, new)| Some((below(new)?, below(old)?))).collect()
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Selector,
    File,
}

/// The code of an item, or a model's file line by line.
fn code(program: &Program<'_>, name: &str, named: Named) -> Option<Listing> {
    match named {
        Named::File => {
            let bytes = program.files().read(&RepoPath::from_git(name)).ok()??;
            Some(Listing::of_text(&String::from_utf8_lossy(&bytes)))
        }
        Named::Selector => Some(Listing::of(&covered::read(program, &Selector::parse(name).ok()?).ok()?)),
    }
}
