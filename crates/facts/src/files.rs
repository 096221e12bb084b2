//! Where sources come from: a view of the repository, seen from here as paths and bytes.

use factgate_record::RepoPath;
use std::sync::Arc;

/// A view's files. Implementations are read from several threads at once.
pub trait Files: Sync {
    /// The bytes of a file; `None` when the view has none of this name.
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError>;

    /// Reads a file into a buffer; `false` when the view has none of this name. For whoever reads thousands of files, where
    /// a view can do that at less cost.
    fn read_into(&self, path: &RepoPath, buffer: &mut Vec<u8>) -> Result<bool, FileError> {
        buffer.clear();
        let bytes = self.read(path)?;
        buffer.extend_from_slice(bytes.as_deref().unwrap_or_default());
        Ok(bytes.is_some())
    }

    /// How large a file may be for its text to be kept; what is larger is as well read again.
    fn largest_kept(&self) -> usize {
        usize::MAX
    }

    /// The file that a symbolic link leads to; `None` for what is no link, or leads nowhere in the view.
    fn end_of_link(&self, _path: &RepoPath) -> Option<RepoPath> {
        None
    }

    /// Every file of the view, sorted.
    fn list(&self) -> Result<&[RepoPath], FileError>;
}

/// A file that is there and cannot be read: a symlink out of the repository, an I/O error, an unmerged entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct FileError {
    /// Which file.
    pub path: RepoPath,
    /// What is wrong, and what to do.
    pub message: String,
    /// The stable error code of the contract: `io`, `git`, `merge-conflict`, `limit`.
    pub code: &'static str,
}
