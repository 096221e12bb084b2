//! A view of the repository as the files that configuration and facts are read from.

use factgate_facts::{FileError, Files};
use factgate_record::RepoPath;
use factgate_vcs::{VcsError, View};
use std::sync::{Arc, OnceLock};

/// The files of one view.
pub struct ViewFiles {
    view: View,
    list: OnceLock<Vec<RepoPath>>,
}

impl ViewFiles {
    /// The files of a view.
    pub fn new(view: View) -> ViewFiles {
        ViewFiles { view, list: OnceLock::new() }
    }

    /// The view itself.
    pub fn view(&self) -> &View {
        &self.view
    }
}

impl Files for ViewFiles {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        self.view.read(path.as_str()).map_err(|error| file_error(path, &error))
    }

    fn read_into(&self, path: &RepoPath, buffer: &mut Vec<u8>) -> Result<bool, FileError> {
        if self.view.read_plainly(path.as_str(), buffer) {
            return Ok(true);
        }
        buffer.clear();
        let bytes = self.read(path)?;
        buffer.extend_from_slice(bytes.as_deref().unwrap_or_default());
        Ok(bytes.is_some())
    }

    /// On a disk opening many small files takes the time, and reading a few large ones again takes less than new memory.
    fn largest_kept(&self) -> usize {
        if self.view.is_worktree() { 32 << 10 } else { usize::MAX }
    }

    fn end_of_link(&self, path: &RepoPath) -> Option<RepoPath> {
        self.view.end_of_link(path.as_str()).map(RepoPath::from_git)
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        if let Some(list) = self.list.get() {
            return Ok(list);
        }
        let paths = self.view.list().map_err(|error| file_error(&RepoPath::default(), &error))?;
        let paths = paths.iter().map(|path| RepoPath::from_git(path.clone())).collect();
        Ok(self.list.get_or_init(|| paths))
    }
}

/// The error's own sentence starts with the path, and so does ours.
fn file_error(path: &RepoPath, error: &VcsError) -> FileError {
    let message = error.to_string();
    let message = message.strip_prefix(&format!("{path} ")).unwrap_or(&message).to_owned();
    FileError { path: path.clone(), message, code: error.code() }
}
