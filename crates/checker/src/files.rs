//! Where specifications are read from. A run reads the view that is judged (worktree, index or commit), never the disk
//! behind its back, so the reader is handed in.

use std::collections::BTreeMap;
use std::fmt;

/// Reads files of the judged view.
pub trait SpecFiles: Sync {
    /// The bytes of a file; `None` when the view has no such file; an error in words when it could not be read.
    fn read(&self, path: &SpecPath) -> Result<Option<Vec<u8>>, String>;
}

/// Files held in memory: for tests, and for a command that was handed its files.
impl SpecFiles for BTreeMap<SpecPath, Vec<u8>> {
    fn read(&self, path: &SpecPath) -> Result<Option<Vec<u8>>, String> {
        Ok(self.get(path).cloned())
    }
}

/// A path of the view, from its root, with `/`, without `.` and `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct SpecPath(String);

impl SpecPath {
    /// From a path that is already in its one form.
    pub fn new(path: impl Into<String>) -> SpecPath {
        SpecPath(path.into())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part: `Retry.tla`.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The module that a file of this name holds: `Retry`.
    pub fn module(&self) -> &str {
        self.file_name().strip_suffix(".tla").unwrap_or(self.file_name())
    }

    /// A file in this folder.
    pub fn inside(&self, name: &str) -> SpecPath {
        SpecPath(if self.0.is_empty() { name.to_owned() } else { format!("{}/{name}", self.0) })
    }

    /// The file of another module in the same folder.
    pub fn sibling(&self, module: &str) -> SpecPath {
        match self.0.rsplit_once('/') {
            Some((folder, _)) => SpecPath(format!("{folder}/{module}.tla")),
            None => SpecPath(format!("{module}.tla")),
        }
    }
}

impl fmt::Display for SpecPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
