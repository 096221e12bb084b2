//! One repository: where it is, how to get a view of it, and the objects that sync commit and history are read from.

use crate::backend::{Backend, Found};
use crate::cuts::Cuts;
use crate::environment::Environment;
use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::object::{self, Commit, Kind, Mode};
use crate::open;
use crate::pack::Packs;
use crate::time;
use crate::view::{View, ViewKind};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A repository with a work tree. Cheap to clone, and used from several threads at once.
#[derive(Clone)]
pub struct Repository {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Box<dyn Backend>,
    cuts: OnceLock<Cuts>,
    /// Commits read so far: sync commit, count and history walk the same ones.
    commits: Mutex<HashMap<CommitId, Commit>>,
}

/// So many commits are remembered at once, some 150 bytes each.
const REMEMBERED: usize = 1 << 18;

/// A commit as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its name.
    pub id: CommitId,
    /// The first paragraph of its message, as one line.
    pub subject: String,
    /// When it was committed: RFC 3339, in UTC.
    pub date: String,
}

impl Repository {
    /// Finds the repository that git would find from `start`, in an environment that names another index or
    /// repository ([`Environment::inherited`]) or not ([`Environment::ignored`]).
    pub fn discover(start: &Path, environment: &Environment) -> Result<Repository, VcsError> {
        // A relative start would change its meaning with the current folder.
        let start = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
        let backend = open::open(&start, environment)?;
        let inner = Inner { backend, cuts: OnceLock::new(), commits: Mutex::default() };
        let repository = Repository { inner: Arc::new(inner) };
        repository.clear_pending();
        Ok(repository)
    }

    /// The top of the work tree.
    pub fn worktree_root(&self) -> &Path {
        &self.backend().places().root
    }

    /// Git's own folder for what factgate keeps between runs; shared by linked worktrees, made when first written.
    pub fn cache_dir(&self) -> PathBuf {
        self.backend().places().common.join("factgate")
    }

    /// Git's folder that all linked worktrees share.
    pub fn common_dir(&self) -> &Path {
        &self.backend().places().common
    }

    /// A view; files of more than `limit` bytes are refused.
    pub fn view(&self, kind: &ViewKind, limit: u64) -> Result<View, VcsError> {
        View::new(self, kind, limit)
    }

    /// The commit that HEAD names; `None` before the first one.
    pub fn head(&self) -> Result<Option<CommitId>, VcsError> {
        self.backend().head()
    }

    /// The commit that a revision names.
    pub fn resolve(&self, rev: &str) -> Result<CommitId, VcsError> {
        self.backend().resolve(rev)
    }

    /// A commit's name, subject and date.
    pub fn commit_info(&self, id: CommitId) -> Result<CommitInfo, VcsError> {
        let raw = self.object(&id.0, Kind::Commit)?;
        let date = time::rfc3339(Commit::parse(id, &raw)?.time);
        Ok(CommitInfo { id, subject: object::subject(&raw), date })
    }

    /// The bytes of a file in a commit, links not followed; `None` when the commit has no file of this name.
    pub fn read_at(&self, commit: CommitId, path: &str, limit: u64) -> Result<Option<Arc<[u8]>>, VcsError> {
        match self.find_in_tree(&self.commit(commit)?.tree, path)? {
            Some((Mode::File | Mode::Executable, id)) => Ok(Some(self.blob(&id, path, limit)?.into())),
            _ => Ok(None),
        }
    }

    /// The bytes of a blob that the history named.
    pub fn read_blob(&self, id: &ObjectId, path: &str, limit: u64) -> Result<Arc<[u8]>, VcsError> {
        Ok(self.blob(id, path, limit)?.into())
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        self.inner.backend.as_ref()
    }

    /// Where history ends early or was rewritten by hand.
    pub(crate) fn cuts(&self) -> &Cuts {
        self.inner.cuts.get_or_init(|| Cuts::read(&self.backend().places().common))
    }

    /// Whether this clone left objects out on purpose.
    pub(crate) fn is_partial(&self) -> bool {
        let packs = fs::read_dir(self.backend().places().common.join("objects/pack"));
        packs.is_ok_and(|packs| {
            packs.flatten().any(|pack| pack.path().extension().is_some_and(|ending| ending == "promisor"))
        })
    }

    /// A commit, with its parents as git's own history shows them.
    pub(crate) fn commit(&self, id: CommitId) -> Result<Commit, VcsError> {
        if let Some(commit) = self.commits().get(&id) {
            return Ok(commit.clone());
        }
        let commit = self.parse(id, &self.object(&id.0, Kind::Commit)?)?;
        self.remember([(id, commit.clone())]);
        Ok(commit)
    }

    /// A commit's raw bytes with the parents that git's own history shows.
    fn parse(&self, id: CommitId, raw: &[u8]) -> Result<Commit, VcsError> {
        let mut commit = Commit::parse(id, raw)?;
        self.cuts().apply(id, &mut commit.parents);
        Ok(commit)
    }

    fn remember(&self, read: impl IntoIterator<Item = (CommitId, Commit)>) {
        let mut commits = self.commits();
        if commits.len() >= REMEMBERED {
            commits.clear();
        }
        commits.extend(read);
    }

    /// Brings the commits before one into memory, first parents only, until told to end. What goes wrong is the walk's
    /// own to meet.
    pub(crate) fn read_ahead(&self, from: CommitId, ended: &AtomicBool) {
        // So many at a time, not to stand in the walk's way.
        const BATCH: usize = 32;
        let mut packs = self.backend().history_is_fixed().then(|| Packs::open(&self.backend().places().common));
        let mut batch = Vec::with_capacity(BATCH);
        let mut at = Some(from);
        while let Some(id) = at.filter(|_| !ended.load(Ordering::Relaxed)) {
            let packed = packs.as_mut().and_then(|packs| self.parse(id, packs.commit(id)?).ok());
            let Some(commit) = packed.or_else(|| self.commit(id).ok()) else { break };
            at = commit.parents.first().copied();
            batch.push((id, commit));
            if batch.len() == BATCH {
                self.remember(batch.drain(..));
            }
        }
        self.remember(batch);
    }

    /// A thread that panicked with the lock held left a whole map behind: each entry is put in at once.
    fn commits(&self) -> MutexGuard<'_, HashMap<CommitId, Commit>> {
        self.inner.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tree(&self, id: &ObjectId) -> Result<Vec<u8>, VcsError> {
        self.object(id, Kind::Tree)
    }

    pub(crate) fn blob(&self, id: &ObjectId, path: &str, limit: u64) -> Result<Vec<u8>, VcsError> {
        match self.backend().object(id, limit)? {
            Found::Object(object) if object.kind == Kind::Blob => Ok(object.bytes),
            Found::TooLarge(size) => Err(VcsError::TooLarge { path: path.to_owned(), size, limit }),
            _ => Err(VcsError::Missing { id: *id }),
        }
    }

    /// The entry at a path below a tree.
    pub(crate) fn find_in_tree(&self, tree: &ObjectId, path: &str) -> Result<Option<(Mode, ObjectId)>, VcsError> {
        let mut at = (Mode::Folder, *tree);
        for part in path.split('/') {
            if at.0 != Mode::Folder {
                return Ok(None);
            }
            let raw = self.tree(&at.1)?;
            match find_entry(&at.1, &raw, part.as_bytes())? {
                Some(entry) => at = entry,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// Every file and link below a tree.
    pub(crate) fn list_tree(&self, tree: &ObjectId) -> Result<Vec<String>, VcsError> {
        let mut paths = Vec::new();
        let mut pending = vec![(String::new(), *tree)];
        while let Some((folder, id)) = pending.pop() {
            let raw = self.tree(&id)?;
            for entry in object::entries(&raw, id.as_bytes().len()) {
                let entry = entry.ok_or_else(|| damaged(&id))?;
                let Ok(name) = std::str::from_utf8(entry.name) else { continue };
                match entry.mode {
                    Mode::Folder => pending.push((format!("{folder}{name}/"), entry.id)),
                    Mode::Gitlink => {}
                    _ => paths.push(format!("{folder}{name}")),
                }
            }
        }
        Ok(paths)
    }

    fn object(&self, id: &ObjectId, kind: Kind) -> Result<Vec<u8>, VcsError> {
        match self.backend().object(id, u64::MAX)? {
            Found::Object(object) if object.kind == kind => Ok(object.bytes),
            Found::Object(_) => Err(damaged(id)),
            _ => Err(VcsError::Missing { id: *id }),
        }
    }
}

/// The entry of one name in a raw tree.
pub(crate) fn find_entry(id: &ObjectId, raw: &[u8], name: &[u8]) -> Result<Option<(Mode, ObjectId)>, VcsError> {
    for entry in object::entries(raw, id.as_bytes().len()) {
        let entry = entry.ok_or_else(|| damaged(id))?;
        if entry.name == name {
            return Ok(Some((entry.mode, entry.id)));
        }
    }
    Ok(None)
}

pub(crate) fn damaged(id: &ObjectId) -> VcsError {
    VcsError::Git(format!("object {id} is damaged: run `git fsck`"))
}
