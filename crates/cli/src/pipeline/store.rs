//! Writing the record: whole or not at all, and never over an equal one.

use crate::finding::{Code, Finding};
use crate::pipeline::session::git;
use factgate_record::{Record, RepoPath};
use factgate_vcs::{Lock, Repository, Written};

/// Writes a record into the work tree. `on_disk` is what the file holds now, when it holds a record: one of the same
/// content is left alone, whatever its layout.
pub fn store(
    repository: &Repository,
    lock: &Lock,
    path: &RepoPath,
    record: &Record,
    on_disk: Option<&Record>,
) -> Result<Written, Finding> {
    if on_disk == Some(record) {
        return Ok(Written::Unchanged);
    }
    let text = record.to_text().map_err(|error| Finding::of_file(Code::Io, path, error.to_string()))?;
    repository.write_atomically(lock, path.as_str(), text.as_bytes()).map_err(|error| Finding {
        at: Some(factgate_record::Place { file: path.clone(), line: 1, column: 1 }),
        ..git(&error)
    })
}
