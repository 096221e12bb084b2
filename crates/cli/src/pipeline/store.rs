//! Writing the record: whole or not at all, and never over an equal one.

use crate::finding::{Code, Finding};
use factgate_record::{Record, RepoPath};
use factgate_vcs::{Lock, Repository, Written};

/// Whether the file was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It was.
    Written,
    /// It held the same already.
    Untouched,
}

/// Writes a record into the work tree. `on_disk` is what the file holds now, when it holds a record.
pub fn store(
    repository: &Repository,
    lock: &Lock,
    path: &RepoPath,
    record: &Record,
    on_disk: Option<&Record>,
) -> Result<Stored, Finding> {
    if on_disk == Some(record) {
        return Ok(Stored::Untouched);
    }
    let failed = |code: Code, why: String| Finding::of_file(code, path, format!("{path} could not be written: {why}"));
    let text = record.to_text().map_err(|error| failed(Code::Io, error.to_string()))?;
    let written = repository.write_atomically(lock, path.as_str(), text.as_bytes());
    match written.map_err(|error| failed(Code::of(error.code()), error.to_string()))? {
        Written::Replaced => Ok(Stored::Written),
        Written::Unchanged => Ok(Stored::Untouched),
    }
}
