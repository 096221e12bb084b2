//! The record of a view, and what git knows about it.

use crate::config::{Model, strays};
use crate::finding::{Code, Finding};
use crate::pipeline::session::{Session, git};
use crate::pipeline::view_files::ViewFiles;
use crate::pipeline::{gate, scheme};
use crate::report::{CommitReport, SyncReport};
use factgate_facts::Files;
use factgate_facts::program::Program;
use factgate_record::{Current, Place, Record, RecordError, RepoPath};
use factgate_syntax::fingerprint::SCHEME;
use factgate_vcs::{CommitId, IgnoreRule, Note, SyncInfo, ViewKind};

/// A record in today's scheme, and as the view holds it.
#[derive(Debug, Default)]
pub struct Raw {
    /// To compare with.
    pub record: Option<Record>,
    /// What is stored.
    pub on_disk: Option<Record>,
}

/// Reads the record of a model; `None` when the view has none.
pub fn read(session: &Session, model: &Model) -> Result<Option<Record>, Finding> {
    read_raw(session, model).map(|raw| raw.record)
}

/// Reads the record of a model, and keeps what is stored.
pub fn read_raw(session: &Session, model: &Model) -> Result<Raw, Finding> {
    let Some(bytes) = session.files.read(&model.record)? else { return Ok(Raw::default()) };
    let record = Record::parse(&bytes, SCHEME).map_err(|error| {
        let (line, column) = error.position();
        let is_conflict = matches!(error, RecordError::Conflict { .. });
        let code = if is_conflict { Code::MergeConflict } else { Code::Record };
        Finding::at(code, Place { file: model.record.clone(), line, column }, format!("{} {error}", model.record))
    })?;
    let on_disk = Some(record.clone());
    let mut record = if record.scheme == SCHEME { record } else { lifted(session, model, record)? };
    if let Some(gate) = &mut record.gate {
        gate::settle(model, session.files.list()?, gate);
    }
    Ok(Raw { record: Some(record), on_disk })
}

/// A record of an older scheme in today's.
fn lifted(session: &Session, model: &Model, record: Record) -> Result<Record, Finding> {
    let info = info(session, model)?;
    let at = info.commit.as_ref().map(|commit| commit.id.to_string());
    let view = at.map(|id| session.repository.view(&ViewKind::Commit(id), model.limits.bytes as u64));
    let files = view.transpose().map_err(|error| git(&error))?.map(ViewFiles::new);
    let program = files.as_ref().map(|files| Program::new(files, model.root.clone(), model.limits));
    // A record that nobody committed says nothing of the source in the commit before.
    let is_held = !matches!(info.note, Some(Note::Uncommitted | Note::Unborn));
    let then = program.as_ref().filter(|_| is_held).ok_or(info.note);
    scheme::lift(record, model, then).map_err(|error| {
        Finding::of_file(Code::Record, &model.record, format!("{} {error}", model.record)).help(error.help)
    })
}

/// That there is no record in the view, and what helps: the work tree may have one that git was not told of.
pub fn missing(session: &Session, model: &Model) -> Finding {
    let record = &model.record;
    let here = session.files.view().is_worktree();
    let elsewhere = (!here).then(|| in_work_tree(session, model)).flatten();
    let help = match (ignored(session, model), elsewhere, here) {
        (Some(rule), ..) => rule.help.unwrap_or_default(),
        (None, Some(_), _) => format!("the work tree has it: `git add {record}`"),
        (None, None, true) => "read the model against the code, then confirm it with `factgate sync`".to_owned(),
        (None, None, false) => {
            format!("read the model against the code, then `factgate sync` and `git add {record}`")
        }
    };
    Finding::of_file(Code::Record, record, format!("{record} does not exist: nothing can be compared")).help(help)
}

/// The record of the work tree, whatever the view, where it can be read as it is.
pub fn in_work_tree(session: &Session, model: &Model) -> Option<Record> {
    let view = session.repository.view(&ViewKind::Worktree, model.limits.bytes as u64).ok()?;
    let bytes = view.read(model.record.as_str()).ok()??;
    Record::parse(&bytes, SCHEME).ok().filter(|record| record.scheme == SCHEME)
}

/// The record of the newest commit, where it can be read as it is: what was confirmed by people, whatever lies on the disk.
pub fn committed(session: &Session, model: &Model) -> Option<Record> {
    let head = session.repository.head().ok().flatten()?;
    let view = session.repository.view(&ViewKind::Commit(head.to_string()), model.limits.bytes as u64).ok()?;
    let bytes = view.read(model.record.as_str()).ok()??;
    Record::parse(&bytes, SCHEME).ok().filter(|record| record.scheme == SCHEME)
}

/// A record of the newest commit that no configuration names any more, and that holds what this model holds: the model was
/// renamed, or its record is kept elsewhere now.
pub fn predecessor(session: &Session, current: &Current) -> Option<RepoPath> {
    let head = session.repository.head().ok().flatten()?;
    let (model, _) = session.models.first()?;
    let view = session.repository.view(&ViewKind::Commit(head.to_string()), model.limits.bytes as u64).ok()?;
    let files = ViewFiles::new(view);
    let named: Vec<&RepoPath> = session.models.iter().map(|(model, _)| &model.record).collect();
    let holds_the_same = |path: &RepoPath| {
        let bytes = files.read(path).ok().flatten()?;
        let record = Record::parse(&bytes, SCHEME).ok()?;
        // Every other model has a run named `current`: only where nothing else is recorded do runs tell.
        let has_code = !record.items.is_empty() || !record.facts.is_empty();
        let shared = record.items.keys().any(|name| current.items.contains_key(name))
            || record.facts.keys().any(|name| current.facts.contains_key(name))
            || !has_code && record.runs.keys().any(|name| current.runs.contains_key(name));
        shared.then_some(())
    };
    strays(&files, &named).into_iter().find(|path| holds_the_same(path).is_some())
}

/// That git ignores the record: whoever clones the repository has none, and nothing is judged there.
pub fn ignored(session: &Session, model: &Model) -> Option<Finding> {
    let record = &model.record;
    let rule = session.repository.ignored_by(record.as_str()).ok()??;
    let message = format!("git ignores {record}: it is in no commit, and nothing is compared in a clone");
    let IgnoreRule { file, line, pattern } = rule;
    let help = format!(
        "{file}:{line} says `{pattern}`: `git add -f {record}` (git ignores no file that it tracks), or name another `record`"
    );
    Some(Finding::of_file(Code::Record, record, message).help(help))
}

/// That calls do not count now which counted when the record was made, or the other way round.
pub fn ignores_otherwise(model: &Model, record: &Record) -> Option<Finding> {
    let (before, now) = (&record.ignore, model.ignore.texts());
    let less: Vec<String> =
        before.iter().filter(|text| !now.contains(text)).map(|text| format!("`{text}` is gone")).collect();
    let more = now.iter().filter(|text| !before.contains(text)).map(|text| format!("`{text}` is new"));
    let said: Vec<String> = more.chain(less).collect();
    let message = format!(
        "{}: in `ignore` {}: until the next `factgate sync` the record is compared by the patterns that it was made with",
        model.name,
        said.join(", ")
    );
    (!said.is_empty()).then(|| Finding::of_file(Code::Record, &model.config, message))
}

/// The sync commit.
pub fn info(session: &Session, model: &Model) -> Result<SyncInfo, Finding> {
    session.repository.sync_commit(model.record.as_str(), session.files.view()).map_err(|error| git(&error))
}

/// The sync commit as it is reported.
pub fn report(info: &SyncInfo) -> SyncReport {
    SyncReport {
        commit: info
            .commit
            .as_ref()
            .map(|commit| CommitReport { id: commit.id.to_string(), subject: commit.subject.clone() }),
        date: info.commit.as_ref().map(|commit| commit.date.clone()),
        commits_since: info.commits_since,
        note: info.note.map(factgate_vcs::Note::as_str),
    }
}

/// The name of the sync commit.
pub fn commit(info: &SyncInfo) -> Option<CommitId> {
    info.commit.as_ref().map(|commit| commit.id)
}
