//! For each STALE item, the commits since the sync commit that changed its fingerprint, not merely its file.
//!
//! Git says which commits touched the files, with the blobs before and after; each blob is parsed once, however many
//! commits and items it stands in.

use crate::config::Model;
use crate::finding::Finding;
use crate::pipeline::covered;
use crate::pipeline::session::{Session, git};
use crate::report::{CommitReport, StaleReport};
use factgate_facts::ignore::Ignore;
use factgate_facts::program::{Program, ScopeError};
use factgate_facts::{FileError, Files};
use factgate_record::{RepoPath, StaleKind};
use factgate_syntax::Selector;
use factgate_vcs::{CommitId, ObjectId, Touched, VcsError};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What an item was in one blob: its fingerprint, that it was not there, that it could not be read, or that this clone
/// lacks the blob.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Was {
    Item(String),
    Absent,
    Unreadable,
    Missing,
}

/// Whether the commits of every item are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// They are.
    Known,
    /// A partial clone lacks blobs that it takes.
    Partial,
}

type Known = BTreeMap<(ObjectId, String), Was>;

/// Adds the commits to the items that are STALE. In a shallow or partial clone there are none: unknown is never a guess.
pub fn add(
    session: &Session,
    model: &Model,
    since: Option<CommitId>,
    mut stale: Vec<&mut StaleReport>,
) -> Result<Completeness, Finding> {
    let items = items(&stale);
    let tip = session.files.view().tip().map_err(|error| git(&error))?;
    let (Some(tip), Some(since), false) = (tip, since, items.is_empty()) else {
        return Ok(Completeness::Known);
    };
    let files: BTreeMap<RepoPath, Vec<(String, Selector)>> = by_file(model, items);
    let paths: Vec<&str> = files.keys().map(RepoPath::as_str).collect();
    let Some(history) = session.repository.history(tip, since, &paths).map_err(|error| git(&error))? else {
        return Ok(Completeness::Known);
    };
    let known = fingerprints(session, model, &files, history.iter().flat_map(|commit| &commit.touched));
    if known.values().any(|was| *was == Was::Missing) {
        return Ok(Completeness::Partial);
    }
    for touching in &history {
        let commit = CommitReport { id: touching.commit.id.to_string(), subject: touching.commit.subject.clone() };
        for touched in &touching.touched {
            let Some(selectors) = files.get(&RepoPath::from_git(touched.path.clone())) else { continue };
            for (name, _) in selectors.iter().filter(|(name, _)| changed(&known, touched, name)) {
                let mut same = stale.iter_mut().filter(|report| subject(report) == name);
                same.by_ref().for_each(|report| report.commits.push(commit.clone()));
            }
        }
    }
    Ok(Completeness::Known)
}

/// Only items have a fingerprint whose history can be read.
fn items(stale: &[&mut StaleReport]) -> BTreeSet<String> {
    use StaleKind::{Changed, Moved, Removed, Uncovered, Unrecorded};
    let is_item = |kind| matches!(kind, Changed | Removed | Moved | Uncovered | Unrecorded);
    stale.iter().filter(|report| is_item(report.stale.kind)).map(|report| subject(report).to_owned()).collect()
}

/// Whose history tells of a difference: what moved and changed has changed at its new place.
fn subject(report: &StaleReport) -> &str {
    match (report.stale.kind, &report.stale.to) {
        (StaleKind::Changed, Some(to)) => to,
        _ => &report.stale.item,
    }
}

fn by_file(model: &Model, items: BTreeSet<String>) -> BTreeMap<RepoPath, Vec<(String, Selector)>> {
    let mut files: BTreeMap<RepoPath, Vec<(String, Selector)>> = BTreeMap::new();
    for name in items {
        if let Ok(selector) = Selector::parse(&name) {
            files.entry(model.source(&selector.path)).or_default().push((name, selector));
        }
    }
    files
}

/// A commit changed an item when it differs from the item in every parent.
fn changed(known: &Known, touched: &Touched, name: &str) -> bool {
    let was = |blob: &Option<ObjectId>| match blob {
        Some(id) => known.get(&(*id, name.to_owned())).cloned().unwrap_or(Was::Unreadable),
        None => Was::Absent,
    };
    let new = was(&touched.new);
    let olds: Vec<Was> = touched.old.iter().map(was).collect();
    if olds.is_empty() { new != Was::Absent } else { olds.iter().all(|old| *old != new) }
}

/// What each item was in each blob.
fn fingerprints<'h>(
    session: &Session,
    model: &Model,
    files: &BTreeMap<RepoPath, Vec<(String, Selector)>>,
    touched: impl Iterator<Item = &'h Touched>,
) -> Known {
    let mut blobs: BTreeSet<(RepoPath, ObjectId)> = BTreeSet::new();
    for touched in touched {
        let path = RepoPath::from_git(touched.path.clone());
        blobs.extend(touched.old.iter().chain([&touched.new]).flatten().map(|id| (path.clone(), *id)));
    }
    let blobs: Vec<_> = blobs.into_iter().collect();
    let read = |(path, id): &(RepoPath, ObjectId)| -> Vec<((ObjectId, String), Was)> {
        let file = Blob { session, path: path.clone(), id: *id, limit: model.limits.bytes as u64 };
        let program = Program::new(&file, model.root.clone(), model.limits);
        let selectors = files.get(path).map(Vec::as_slice).unwrap_or_default();
        if let Err(VcsError::Missing { .. }) = session.repository.read_blob(id, path.as_str(), file.limit) {
            return selectors.iter().map(|(name, _)| ((*id, name.clone()), Was::Missing)).collect();
        }
        selectors.iter().map(|(name, selector)| ((*id, name.clone()), was(&program, selector, &model.ignore))).collect()
    };
    blobs.par_iter().flat_map(read).collect()
}

fn was(program: &Program<'_>, selector: &Selector, ignore: &Ignore) -> Was {
    match covered::read(program, selector) {
        Ok(read) => Was::Item(read.record(ignore).fingerprint),
        Err(error) if ScopeError::is_missing(&error) => Was::Absent,
        Err(_) => Was::Unreadable,
    }
}

/// One blob as the only file there is.
struct Blob<'s> {
    session: &'s Session,
    path: RepoPath,
    id: ObjectId,
    limit: u64,
}

impl Files for Blob<'_> {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        if *path != self.path {
            return Ok(None);
        }
        self.session.repository.read_blob(&self.id, path.as_str(), self.limit).map(Some).map_err(|error| FileError {
            path: path.clone(),
            message: error.to_string(),
            code: error.code(),
        })
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(std::slice::from_ref(&self.path))
    }
}
