//! What can go wrong between us and a repository: each error says what, where, and what to do next.

use crate::id::ObjectId;
use std::path::PathBuf;

/// A failure to read or write through git. Never taken for "the file is not there".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VcsError {
    /// No repository at or above the folder.
    #[error("{} is in no git repository: run `git init` there, or name another folder with -C", .start.display())]
    NoRepository {
        /// Where the search began.
        start: PathBuf,
    },
    /// The repository has no work tree.
    #[error("{} is a bare repository: run factgate in a work tree of it (`git worktree add ../checkout`)", .path.display())]
    Bare {
        /// The repository's folder.
        path: PathBuf,
    },
    /// The repository belongs to somebody else and git would not trust it either.
    #[error("{} belongs to another user and git does not trust it; if you do: {remedy}", .path.display())]
    Ownership {
        /// The folder that git names.
        path: PathBuf,
        /// The exact command.
        remedy: String,
    },
    /// A format that neither the library nor an installed `git` could read.
    #[error("this repository uses {feature}, which needs the `git` program: {detail}; to do without: {remedy}")]
    Feature {
        /// Its name in git's own words.
        feature: &'static str,
        /// Why git could not be asked.
        detail: String,
        /// The command that turns it off.
        remedy: &'static str,
    },
    /// A revision that names no commit.
    #[error("`{rev}` names no commit: {message}")]
    Revision {
        /// As it was given.
        rev: String,
        /// In git's words.
        message: String,
    },
    /// An unmerged path.
    #[error("{path} has a merge conflict: resolve it, then `git add -- {path}`")]
    MergeConflict {
        /// Which file.
        path: String,
    },
    /// A symbolic link that is not followed.
    #[error("{path} is a symbolic link to `{target}`, {why}: it is not followed")]
    Link {
        /// The link.
        path: String,
        /// What it points to.
        target: String,
        /// Why that is refused.
        why: &'static str,
    },
    /// A pipe, socket or device where a file should be.
    #[error("{path} is no regular file (a pipe, socket or device): replace it, or leave it out")]
    Special {
        /// Which path.
        path: String,
    },
    /// A file over the limit.
    #[error("{path} has {size} bytes, over the limit of {limit}: raise the limit, or leave the file out")]
    TooLarge {
        /// Which file.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// An object that is not here: a partial clone, or a damaged repository.
    #[error(
        "object {id} is missing: in a partial clone fetch it (`git fetch --refetch --no-filter`), else run `git fsck`"
    )]
    Missing {
        /// Which object.
        id: ObjectId,
    },
    /// A folder of the work tree whose files are not known.
    #[error("the folder {} cannot be looked into ({why}): make it readable, or let git ignore it", .path.display())]
    Closed {
        /// Which folder.
        path: PathBuf,
        /// In the system's or git's words.
        why: String,
    },
    /// The file system said no.
    #[error("{}: {source}", .path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// In the system's words.
        source: std::io::Error,
    },
    /// Git, or its library, said no.
    #[error("git: {0}")]
    Git(String),
}

impl VcsError {
    /// The stable error code of the contract: `git`, `io`, `merge-conflict` or `limit`.
    pub fn code(&self) -> &'static str {
        match self {
            VcsError::MergeConflict { .. } => "merge-conflict",
            VcsError::TooLarge { .. } => "limit",
            VcsError::Io { .. } | VcsError::Closed { .. } | VcsError::Link { .. } | VcsError::Special { .. } => "io",
            _ => "git",
        }
    }

    /// An I/O error with its file.
    pub(crate) fn io(path: impl Into<PathBuf>, source: impl Into<std::io::Error>) -> VcsError {
        VcsError::Io { path: path.into(), source: source.into() }
    }
}

impl From<git2::Error> for VcsError {
    fn from(error: git2::Error) -> VcsError {
        VcsError::Git(error.message().to_owned())
    }
}
