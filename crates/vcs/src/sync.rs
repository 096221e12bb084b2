//! The sync commit: the last commit that changed the record, exactly as `git log -1 -- RECORD` names it.
//!
//! Git's default simplification (`git-rev-list`, "History Simplification") follows, at every commit that has a parent
//! with the same record, the first such parent alone, and shows a commit that differs from all of its parents. Until
//! the first commit is shown the walk is therefore one chain, and neither dates nor ties between them matter.

use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::kept::{self, Kept};
use crate::object::Mode;
use crate::range;
use crate::repository::{CommitInfo, Repository, find_entry};
use crate::view::{View, ViewKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What git knows about a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncInfo {
    /// The last commit that changed the record.
    pub commit: Option<CommitInfo>,
    /// How many commits the view's tip reaches and the sync commit does not.
    pub commits_since: Option<u64>,
    /// Why something is not known.
    pub note: Option<Note>,
}

/// Why the sync commit is not the whole story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A shallow clone does not reach the change.
    Shallow,
    /// A partial clone lacks the objects that it takes.
    Partial,
    /// The view's record differs from HEAD's, or HEAD has none.
    Uncommitted,
    /// There is no commit yet.
    Unborn,
}

impl Note {
    /// The contract's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Note::Shallow => "shallow",
            Note::Partial => "partial",
            Note::Uncommitted => "uncommitted",
            Note::Unborn => "unborn",
        }
    }
}

/// What stands at the record's path, with the folders on the way to it: the last one is the record.
type Trail = Vec<Option<(Mode, ObjectId)>>;

/// The end of the chain.
enum Last {
    /// It changed the path; how many commits come after it, where none of them is a merge.
    Changed(CommitId, Option<u64>),
    /// No commit ever held the path.
    Never,
    /// The chain left what this clone has.
    Unknown,
}

/// After so many commits a walk is worth a second thread.
const LONG: u64 = 100;

impl Repository {
    /// What git knows about the record at `path` of a view.
    pub fn sync_commit(&self, path: &str, view: &View) -> Result<SyncInfo, VcsError> {
        let Some(tip) = view.tip()? else {
            return Ok(SyncInfo { commit: None, commits_since: None, note: Some(Note::Unborn) });
        };
        let uncommitted = self.is_uncommitted(path, view, tip)?;
        let kept = kept::read(self, path);
        let mut straight = None;
        let (last, cut) = match self.last_change(tip, path, kept.as_ref()) {
            Ok(Last::Changed(id, count)) => {
                straight = count;
                (Some(id), None)
            }
            Ok(Last::Never) => (None, None),
            Ok(Last::Unknown) => (None, Some(Note::Shallow)),
            Err(VcsError::Missing { .. }) if self.is_partial() => (None, Some(Note::Partial)),
            Err(error) => return Err(error),
        };
        let commit = last.map(|id| self.commit_info(id)).transpose()?;
        let (commits_since, cut_count) = match last {
            None => (None, None),
            Some(sync) => match self.count(path, sync, tip, kept, straight) {
                Ok(Some(count)) => (Some(count), None),
                Ok(None) => (None, Some(Note::Shallow)),
                Err(VcsError::Missing { .. }) if self.is_partial() => (None, Some(Note::Partial)),
                Err(error) => return Err(error),
            },
        };
        let note = if uncommitted { Some(Note::Uncommitted) } else { cut.or(cut_count) };
        Ok(SyncInfo { commit, commits_since, note })
    }

    /// The last commit that changed `path`, as `git log -1 COMMIT -- PATH` names it; `None` when none did, or when
    /// that is not known here.
    pub fn last_commit(&self, tip: CommitId, path: &str) -> Result<Option<CommitId>, VcsError> {
        match self.last_change(tip, path, None)? {
            Last::Changed(id, _) => Ok(Some(id)),
            Last::Never | Last::Unknown => Ok(None),
        }
    }

    /// How many commits `tip` reaches and `since` does not; `None` when a shallow clone cannot tell.
    pub fn commits_since(&self, since: CommitId, tip: CommitId) -> Result<Option<u64>, VcsError> {
        Ok(range::known(self, tip, since)?.map(|range| range.len() as u64))
    }

    /// The commits since; an earlier walk's count holds for the part of history that it walked. Where the chain holds
    /// no merge it was all that there is.
    fn count(
        &self,
        path: &str,
        sync: CommitId,
        tip: CommitId,
        kept: Option<Kept>,
        straight: Option<u64>,
    ) -> Result<Option<u64>, VcsError> {
        if let Some(count) = straight {
            let known = kept.filter(|kept| kept.sync == sync).map_or(0, |kept| kept.count);
            kept::write(self, path, &Kept { tip, sync, count }, count.saturating_sub(known));
            return Ok(Some(count));
        }
        let kept = kept.filter(|kept| kept.sync == sync);
        // `kept.tip` must be reached from here: then what it reaches and the sync commit does not is part of the count.
        let (from, before) = match kept {
            Some(kept) if self.reaches(tip, path, kept.tip)? => (kept.tip, kept.count),
            _ => (sync, 0),
        };
        let Some(walked) = self.commits_since(from, tip)? else { return Ok(None) };
        let count = before + walked;
        kept::write(self, path, &Kept { tip, sync, count }, walked);
        Ok(Some(count))
    }

    /// Whether the record's chain leads from one commit to another.
    fn reaches(&self, tip: CommitId, path: &str, other: CommitId) -> Result<bool, VcsError> {
        let marked = Kept { tip: other, sync: other, count: 0 };
        Ok(matches!(self.last_change(tip, path, Some(&marked))?, Last::Changed(id, _) if id == other))
    }

    /// Whether the view's record differs from the tip's, line endings that a checkout converts aside.
    fn is_uncommitted(&self, path: &str, view: &View, tip: CommitId) -> Result<bool, VcsError> {
        let committed = match self.view(&ViewKind::Commit(tip.to_string()), u64::MAX)?.read(path) {
            Ok(committed) => committed,
            Err(VcsError::Missing { .. }) if self.is_partial() => return Ok(false),
            Err(error) => return Err(error),
        };
        let (Some(committed), Some(current)) = (committed, view.read(path)?) else { return Ok(true) };
        let plain = |bytes: &[u8]| -> Vec<u8> { bytes.iter().copied().filter(|byte| *byte != b'\r').collect() };
        Ok(committed != current && plain(&committed) != plain(&current))
    }

    /// Walks the chain; on a long one another thread reads the commits while this one compares trees.
    fn last_change(&self, tip: CommitId, path: &str, kept: Option<&Kept>) -> Result<Last, VcsError> {
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let ahead = |from| {
                drop(scope.spawn({
                    let ended = &ended;
                    move || self.read_ahead(from, ended)
                }))
            };
            let last = self.walk(tip, path, kept, &ahead);
            ended.store(true, Ordering::Relaxed);
            last
        })
    }

    fn walk(&self, tip: CommitId, path: &str, kept: Option<&Kept>, ahead: &dyn Fn(CommitId)) -> Result<Last, VcsError> {
        let mut at = tip;
        let mut commit = self.commit(at)?;
        let mut here = self.trail(&commit.tree, path, None)?;
        let (mut steps, mut merges) = (0_u64, 0_u64);
        loop {
            if steps == LONG {
                ahead(at);
            }
            let straight = |more: u64| (merges == 0).then_some(steps + more);
            if let Some(kept) = kept.filter(|kept| kept.tip == at) {
                return Ok(Last::Changed(kept.sync, straight(kept.count)));
            }
            let held = here.last().is_some_and(Option::is_some);
            if commit.parents.is_empty() {
                return Ok(match (held, self.cuts().ends_at(at)) {
                    (true, true) => Last::Unknown,
                    (true, false) => Last::Changed(at, straight(0)),
                    (false, _) => Last::Never,
                });
            }
            let mut same = None;
            for parent in commit.parents.iter() {
                let candidate = self.commit(*parent)?;
                let there = self.trail(&candidate.tree, path, Some((&commit.tree, &here)))?;
                if there.last() == here.last() {
                    same = Some((*parent, candidate, there));
                    break;
                }
            }
            match same {
                Some(next) => {
                    steps += 1;
                    merges += u64::from(commit.parents.len() > 1);
                    (at, commit, here) = next;
                }
                None => return Ok(Last::Changed(at, straight(0))),
            }
        }
    }

    /// Descends to `path`, and no further than where the known trail of a neighbour has the same folder.
    fn trail(&self, tree: &ObjectId, path: &str, known: Option<(&ObjectId, &Trail)>) -> Result<Trail, VcsError> {
        if let Some((_, trail)) = known.filter(|(known, _)| *known == tree) {
            return Ok(trail.clone());
        }
        let parts: Vec<&str> = path.split('/').collect();
        let mut trail = Trail::with_capacity(parts.len());
        let mut at = Some((Mode::Folder, *tree));
        for (depth, part) in parts.iter().enumerate() {
            at = match at {
                Some((Mode::Folder, id)) => find_entry(&id, &self.tree(&id)?, part.as_bytes())?,
                _ => None,
            };
            trail.push(at);
            if let Some((_, known)) = known.filter(|(_, known)| known[depth] == at) {
                trail.extend_from_slice(&known[depth + 1..]);
                break;
            }
        }
        Ok(trail)
    }
}
