//! Writing the record: whole or not at all, and never over an equal one.

use crate::finding::{Code, Finding};
use factgate_record::{Record, RepoPath};
use factgate_vcs::Repository;
use std::path::Path;

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
    path: &RepoPath,
    record: &Record,
    on_disk: Option<&Record>,
) -> Result<Stored, Finding> {
    if on_disk == Some(record) {
        return Ok(Stored::Untouched);
    }
    let failed = |why: String| Finding::of_file(Code::Io, path, format!("{path} could not be written: {why}"));
    let text = record.to_text().map_err(|error| failed(error.to_string()))?;
    let target = repository.worktree_root().join(path.as_str());
    write(&target, text.as_bytes(), &repository.cache_dir()).map_err(|error| failed(error.to_string()))?;
    Ok(Stored::Written)
}

/// The temporary file lies in git's own folder, so that an interruption leaves nothing in the work tree; where that is
/// another file system, beside the target.
fn write(target: &Path, bytes: &[u8], scratch: &Path) -> std::io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let place = std::fs::create_dir_all(scratch).is_ok().then_some(scratch);
    if let Some(place) = place
        && put(target, bytes, place).is_ok()
    {
        return Ok(());
    }
    put(target, bytes, folder)
}

fn put(target: &Path, bytes: &[u8], place: &Path) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix("record-").tempfile_in(place)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.as_file().sync_all()?;
    if let Ok(known) = std::fs::metadata(target) {
        file.as_file().set_permissions(known.permissions())?;
    } else {
        readable(file.as_file())?;
    }
    file.persist(target).map(drop).map_err(|error| error.error)
}

/// A temporary file is its owner's alone; a record is a file like any other.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
