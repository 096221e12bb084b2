//! What a repository has to answer, whoever reads it: the library (`library.rs`) or the `git` program (`program.rs`).
//! Everything above this line (views, sync commit, history) is written once.

use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::ignored::IgnoreRule;
use crate::object::{Kind, Mode};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Where a repository lives.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The top of the work tree.
    pub(crate) root: PathBuf,
    /// The folder that all linked worktrees share.
    pub(crate) common: PathBuf,
}

/// An object's kind and content.
pub(crate) struct Object {
    pub(crate) kind: Kind,
    pub(crate) bytes: Vec<u8>,
}

/// What reading an object gave.
pub(crate) enum Found {
    Object(Object),
    /// Its size is over the limit.
    TooLarge(u64),
    Missing,
}

/// How an index entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Normal,
    /// Only stages 1 to 3: a merge conflict.
    Unmerged,
    /// `git add -N`: announced, and in no commit made from this index.
    IntentToAdd,
    /// Left out of a sparse checkout.
    SkipWorktree,
}

/// One path of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexEntry {
    pub(crate) path: String,
    pub(crate) mode: Mode,
    pub(crate) id: ObjectId,
    pub(crate) state: State,
}

/// What a walk over the work tree met.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Files and links that the index does not know and git does not ignore, in any order.
    pub(crate) untracked: Vec<String>,
    /// The numbers of index entries that are there. Others may be too: ignored folders are not entered.
    pub(crate) standing: HashSet<usize>,
}

/// A reader of one repository, used from several threads at once.
pub(crate) trait Backend: Send + Sync {
    /// Where it lives.
    fn places(&self) -> &Places;

    /// An object, unless it has more than `limit` bytes.
    fn object(&self, id: &ObjectId, limit: u64) -> Result<Found, VcsError>;

    /// The commit that HEAD names; `None` before the first one.
    fn head(&self) -> Result<Option<CommitId>, VcsError>;

    /// The commit that a revision names.
    fn resolve(&self, rev: &str) -> Result<CommitId, VcsError>;

    /// The index, sorted by path, one entry a path. Names that are not UTF-8 cannot be asked for and are left out.
    fn index(&self) -> Result<Vec<IndexEntry>, VcsError>;

    /// What the work tree holds beside the index.
    fn listing(&self, index: &[IndexEntry]) -> Result<Listing, VcsError>;

    /// The rule by which git ignores an untracked path; `None` where it does not.
    fn ignoring(&self, path: &str) -> Result<Option<IgnoreRule>, VcsError>;

    /// Whether a commit's name fixes its history: not where objects can be replaced.
    fn history_is_fixed(&self) -> bool;

    /// Where git looks for hooks (`core.hooksPath`).
    fn hooks_folder(&self) -> Result<PathBuf, VcsError>;
}

/// The folder of the hooks that `core.hooksPath` names, from the top of the work tree, where git runs them. An empty name
/// makes git look for `/pre-commit`: people write it to switch hooks off.
pub(crate) fn hooks_below(places: &Places, told: Option<&Path>) -> Result<PathBuf, VcsError> {
    match told {
        None => Ok(places.common.join("hooks")),
        Some(folder) if folder.as_os_str().is_empty() => Err(VcsError::Git(
            "core.hooksPath is empty, so git runs no hook here: see `git config --show-origin core.hooksPath`".into(),
        )),
        Some(folder) => Ok(places.root.join(folder)),
    }
}

/// Makes the list of index entries out of one a stage: sorted, one a path.
pub(crate) fn merge_stages(mut entries: Vec<IndexEntry>) -> Vec<IndexEntry> {
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    entries.dedup_by(|later, kept| later.path == kept.path);
    entries
}
