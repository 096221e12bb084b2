//! Paths inside a repository.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A path from the repository's root, with `/` on every system, without `.`, `..` or empty parts. The root itself is
/// the empty path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RepoPath(String);

/// A path that leaves the repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` leaves the repository")]
pub struct LeavesRoot(pub String);

impl RepoPath {
    /// Joins a relative path with `.` and `..` to a folder of the repository.
    pub fn join(&self, relative: &str) -> Result<RepoPath, LeavesRoot> {
        let refused = || LeavesRoot(relative.to_owned());
        if relative.starts_with('/') || relative.contains('\\') || relative.contains('\0') {
            return Err(refused());
        }
        let mut parts: Vec<&str> = self.0.split('/').filter(|part| !part.is_empty()).collect();
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or_else(refused)?),
                part => parts.push(part),
            }
        }
        Ok(RepoPath(parts.join("/")))
    }

    /// From text that git gave: taken as it is.
    pub fn from_git(path: impl Into<String>) -> RepoPath {
        RepoPath(path.into())
    }

    /// The folder that holds it; the root's folder is the root.
    pub fn parent(&self) -> RepoPath {
        RepoPath(self.0.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned()))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path seen from a folder that holds it; `None` when it does not.
    pub fn below(&self, folder: &RepoPath) -> Option<&str> {
        if folder.0.is_empty() {
            return Some(&self.0);
        }
        self.0.strip_prefix(folder.0.as_str())?.strip_prefix('/')
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
