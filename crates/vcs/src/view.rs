//! The three places that code, configuration and record are read from: the work tree, the index, a commit. A view
//! answers for all of them from one place, never from two.

use crate::backend::{IndexEntry, State};
use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::object::Mode;
use crate::repository::Repository;
use crate::worktree::{self, Standing};
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};

/// Which view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// The files as they lie in the work tree.
    Worktree,
    /// What the next commit would hold.
    Index,
    /// What a commit holds, by any name that `git rev-parse` knows.
    Commit(String),
}

/// One view of a repository. It is read from several threads at once.
pub struct View {
    repository: Repository,
    source: Source,
    limit: u64,
    paths: OnceLock<Vec<String>>,
    /// The top of the work tree.
    root: OnceLock<Option<OwnedFd>>,
}

enum Source {
    Worktree(Vec<IndexEntry>),
    Index(Vec<IndexEntry>),
    Commit { id: CommitId, tree: ObjectId },
}

/// What a view has at one path, before links are followed.
enum Content {
    Absent,
    File(Vec<u8>),
    Link(String),
}

/// How many links one may stand for another.
const MOST_LINKS: usize = 40;

impl View {
    pub(crate) fn new(repository: &Repository, kind: &ViewKind, limit: u64) -> Result<View, VcsError> {
        let source = match kind {
            ViewKind::Worktree => Source::Worktree(repository.backend().index()?),
            ViewKind::Index => Source::Index(repository.backend().index()?),
            ViewKind::Commit(rev) => {
                let id = repository.resolve(rev)?;
                Source::Commit { id, tree: repository.commit(id)?.tree }
            }
        };
        Ok(View { repository: repository.clone(), source, limit, paths: OnceLock::new(), root: OnceLock::new() })
    }

    /// Every file and link, sorted: in the work tree the tracked ones that are there (or that a sparse checkout leaves
    /// out) and the untracked ones that git does not ignore.
    pub fn list(&self) -> Result<&[String], VcsError> {
        if let Some(paths) = self.paths.get() {
            return Ok(paths);
        }
        let mut paths = match &self.source {
            Source::Worktree(index) => self.list_worktree(index)?,
            Source::Index(index) => {
                let committed = |entry: &&IndexEntry| entry.state != State::IntentToAdd && entry.mode != Mode::Gitlink;
                index.iter().filter(committed).map(|entry| entry.path.clone()).collect()
            }
            Source::Commit { tree, .. } => self.repository.list_tree(tree)?,
        };
        paths.sort();
        Ok(self.paths.get_or_init(|| paths))
    }

    /// The bytes of a file; `None` when the view has none of this name. A link is followed while it stays in the view.
    pub fn read(&self, path: &str) -> Result<Option<Arc<[u8]>>, VcsError> {
        let mut at = path.to_owned();
        let mut written = String::new();
        for _ in 0..MOST_LINKS {
            let refused =
                |target: &str, why| Err(VcsError::Link { path: path.to_owned(), target: target.to_owned(), why });
            match self.content(&at)? {
                Content::File(bytes) => return Ok(Some(bytes.into())),
                Content::Absent if at == path => return Ok(None),
                Content::Absent => return refused(&written, "which this view does not have"),
                Content::Link(target) => {
                    let Some(next) = follow(&at, &target) else {
                        return refused(&target, "which leaves the repository");
                    };
                    if matches!(self.source, Source::Worktree(_)) && self.list()?.binary_search(&next).is_err() {
                        return refused(&target, "which this view does not have");
                    }
                    (at, written) = (next, target);
                }
            }
        }
        Err(VcsError::Link { path: path.to_owned(), target: written, why: "in a circle" })
    }

    /// The file that a symbolic link leads to within the view; `None` for what is no link, or leads nowhere.
    pub fn end_of_link(&self, path: &str) -> Option<String> {
        let mut at = follow(path, &self.link(path)?)?;
        for _ in 1..MOST_LINKS {
            match self.link(&at) {
                Some(target) => at = follow(&at, &target)?,
                None => return self.list().ok()?.binary_search(&at).is_ok().then_some(at),
            }
        }
        None
    }

    /// What a link says, as it is written.
    fn link(&self, path: &str) -> Option<String> {
        let written = |id: &ObjectId| self.repository.blob(id, path, self.limit).ok();
        let text = |target: Vec<u8>| String::from_utf8_lossy(&target).into_owned();
        match &self.source {
            Source::Worktree(_) => {
                let target = std::fs::read_link(self.repository.worktree_root().join(path)).ok()?;
                Some(target.to_string_lossy().into_owned())
            }
            Source::Index(index) => {
                let entry = find(index, path).ok()?.filter(|entry| entry.mode == Mode::Link)?;
                written(&entry.id).map(text)
            }
            Source::Commit { tree, .. } => match self.repository.find_in_tree(tree, path).ok()? {
                Some((Mode::Link, id)) => written(&id).map(text),
                _ => None,
            },
        }
    }

    /// Reads a tracked file of the work tree into `buffer`: for whoever looks at thousands of files and keeps none.
    /// `false` where that takes more than reading it, and [`View::read`] has to say what the view has.
    pub fn read_plainly(&self, path: &str, buffer: &mut Vec<u8>) -> bool {
        let Source::Worktree(index) = &self.source else { return false };
        let is_file = |entry: &IndexEntry| matches!(entry.mode, Mode::File | Mode::Executable);
        let is_plain = find(index, path).is_ok_and(|entry| entry.is_some_and(is_file));
        let root = self.root.get_or_init(|| worktree::open_root(self.repository.worktree_root()));
        is_plain && root.as_ref().is_some_and(|root| worktree::read_plainly(root, path, self.limit, buffer))
    }

    /// The commit that the view shows, or HEAD for the others; `None` before the first commit.
    pub fn tip(&self) -> Result<Option<CommitId>, VcsError> {
        match &self.source {
            Source::Commit { id, .. } => Ok(Some(*id)),
            _ => self.repository.head(),
        }
    }

    /// Whether files are read as they lie in the work tree.
    pub fn is_worktree(&self) -> bool {
        matches!(self.source, Source::Worktree(_))
    }

    /// The contract's word for it: `worktree`, `index` or `commit`.
    pub fn name(&self) -> &'static str {
        match &self.source {
            Source::Worktree(_) => "worktree",
            Source::Index(_) => "index",
            Source::Commit { .. } => "commit",
        }
    }

    fn list_worktree(&self, index: &[IndexEntry]) -> Result<Vec<String>, VcsError> {
        let root = self.repository.worktree_root();
        let listing = self.repository.backend().listing(index)?;
        let mut paths = listing.untracked;
        for (number, entry) in index.iter().enumerate().filter(|(_, entry)| entry.mode != Mode::Gitlink) {
            let met = entry.state == State::SkipWorktree || listing.standing.contains(&number);
            if met || worktree::stands(root, &entry.path)? {
                paths.push(entry.path.clone());
            }
        }
        Ok(paths)
    }

    fn content(&self, path: &str) -> Result<Content, VcsError> {
        match &self.source {
            Source::Worktree(index) => self.content_of_worktree(index, path),
            Source::Index(index) => match find(index, path)? {
                Some(entry) if entry.state != State::IntentToAdd => self.content_of(entry.mode, &entry.id, path),
                _ => Ok(Content::Absent),
            },
            Source::Commit { tree, .. } => match self.repository.find_in_tree(tree, path)? {
                Some((mode, id)) => self.content_of(mode, &id, path),
                None => Ok(Content::Absent),
            },
        }
    }

    fn content_of_worktree(&self, index: &[IndexEntry], path: &str) -> Result<Content, VcsError> {
        let entry = find(index, path)?;
        if entry.is_some_and(|entry| entry.mode == Mode::Gitlink) {
            return Ok(Content::Absent);
        }
        if entry.is_none() && worktree::is_anothers(self.repository.worktree_root(), path) {
            return Ok(Content::Absent);
        }
        match (worktree::read(self.repository.worktree_root(), path, self.limit)?, entry) {
            (Standing::File(bytes), _) => Ok(Content::File(bytes)),
            (Standing::Link(target), _) => Ok(Content::Link(target)),
            (Standing::Absent, Some(entry)) if entry.state == State::SkipWorktree => {
                self.content_of(entry.mode, &entry.id, path)
            }
            (Standing::Absent | Standing::Folder, _) => Ok(Content::Absent),
        }
    }

    fn content_of(&self, mode: Mode, id: &ObjectId, path: &str) -> Result<Content, VcsError> {
        match mode {
            Mode::Folder | Mode::Gitlink => Ok(Content::Absent),
            Mode::Link => {
                let target = self.repository.blob(id, path, self.limit)?;
                Ok(Content::Link(String::from_utf8_lossy(&target).into_owned()))
            }
            Mode::File | Mode::Executable => Ok(Content::File(self.repository.blob(id, path, self.limit)?)),
        }
    }
}

/// The index entry of a path; an unmerged one is an error, whatever the work tree holds, until `git add` settles it.
fn find<'i>(index: &'i [IndexEntry], path: &str) -> Result<Option<&'i IndexEntry>, VcsError> {
    let entry = index.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok().map(|at| &index[at]);
    match entry {
        Some(entry) if entry.state == State::Unmerged => Err(VcsError::MergeConflict { path: path.to_owned() }),
        entry => Ok(entry),
    }
}

/// Where a link leads, named from the root; `None` when that is outside.
fn follow(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.is_empty() {
        return None;
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
