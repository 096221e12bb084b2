//! Writes the record so that whoever looks, and whenever we are ended, finds the old one or the new one, whole.
//!
//! The new text is written and synced in git's own folder and then renamed over the record. What a KILL leaves there is
//! cleared by the next writer; INT and TERM wait the few milliseconds until nothing is left.

use crate::error::VcsError;
use crate::repository::Repository;
use crate::undisturbed;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Held by the one process that reads, changes and writes records of a repository. The lock is on git's folder itself:
/// no file is made, and it ends with the process.
#[derive(Debug)]
pub struct Lock {
    _folder: File,
}

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file already held exactly this, and was not touched.
    Unchanged,
    /// The file is new, or has new content.
    Replaced,
}

impl Repository {
    /// Waits until no other factgate writes here. Take it before the record is read, so that no update is lost.
    pub fn lock(&self) -> Result<Lock, VcsError> {
        let common = self.common_dir();
        let folder = File::open(common).map_err(|error| VcsError::io(common, error))?;
        folder.lock().map_err(|error| VcsError::io(common, error))?;
        Ok(Lock { _folder: folder })
    }

    /// Clears what a killed writer left, unless another one is at work.
    pub(crate) fn clear_pending(&self) {
        let pending = self.cache_dir().join("pending");
        let idle = || File::open(self.common_dir()).ok().filter(|folder| folder.try_lock().is_ok());
        if pending.is_dir()
            && let Some(_lock) = idle()
        {
            sweep(&pending);
            unmake(&[pending]);
        }
    }

    /// Writes a file of the work tree, or leaves it alone when it already holds these bytes.
    pub fn write_atomically(&self, _: &Lock, path: &str, bytes: &[u8]) -> Result<Written, VcsError> {
        let place = destination(self.worktree_root(), path)?;
        if held(path, &place)?.is_some_and(|current| current == bytes) {
            return Ok(Written::Unchanged);
        }
        let mode = fs::metadata(&place).ok().map(|current| current.permissions());
        undisturbed::run(|| replace(&self.cache_dir().join("pending"), &place, bytes, mode.as_ref()))?;
        Ok(Written::Replaced)
    }

    /// Writes several files of the work tree, all of them or none: each waits whole beside the others before the first
    /// takes its place, and when one cannot, those before it get back what they held.
    pub fn write_all(&self, _: &Lock, files: &[(String, Vec<u8>)]) -> Result<(), VcsError> {
        let mut planned = Vec::new();
        for (path, bytes) in files {
            let place = destination(self.worktree_root(), path)?;
            let before = held(path, &place)?;
            planned.push(Planned { place, bytes, before });
        }
        let pending = self.cache_dir().join("pending");
        let done = undisturbed::run(|| replace_all(&pending, &planned));
        unmake(&[pending]);
        done
    }
}

/// One file of several that are written together.
struct Planned<'b> {
    place: PathBuf,
    bytes: &'b [u8],
    before: Option<Vec<u8>>,
}

/// Writes an executable file, such as a hook, at any place.
pub(crate) fn executable(repository: &Repository, _: &Lock, place: &Path, bytes: &[u8]) -> Result<(), VcsError> {
    let mode = Permissions::from_mode(0o755);
    undisturbed::run(|| replace(&repository.cache_dir().join("pending"), place, bytes, Some(&mode)))
}

/// What a place holds now. Only a regular file is opened: a pipe would never answer.
fn held(path: &str, place: &Path) -> Result<Option<Vec<u8>>, VcsError> {
    match fs::symlink_metadata(place) {
        Ok(found) if found.is_file() => fs::read(place).map(Some).map_err(|error| VcsError::io(place, error)),
        Ok(_) => Err(VcsError::Special { path: path.to_owned() }),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(VcsError::io(place, error)),
    }
}

/// Where a path of the work tree really lies, its links followed while they stay inside.
fn destination(root: &Path, path: &str) -> Result<PathBuf, VcsError> {
    const MOST_LINKS: usize = 40;
    let root = root.canonicalize().map_err(|error| VcsError::io(root, error))?;
    let mut place = root.join(path);
    for _ in 0..MOST_LINKS {
        let refused =
            |target: &Path, why| VcsError::Link { path: path.to_owned(), target: target.display().to_string(), why };
        let (folder, missing) = existing_folder(&place)?;
        let inside =
            folder.strip_prefix(&root).is_ok_and(|below| below.components().all(|part| part.as_os_str() != ".git"));
        if !inside || missing.components().any(|part| part.as_os_str() == ".git" || part.as_os_str() == "..") {
            return Err(refused(&folder, "which leaves the repository"));
        }
        let real = folder.join(&missing);
        match fs::read_link(&real) {
            Ok(target) => place = folder.join(target),
            Err(_) => return Ok(real),
        }
    }
    Err(VcsError::Link { path: path.to_owned(), target: place.display().to_string(), why: "in a circle" })
}

/// The nearest folder above a place that is there, without links in its name, and what follows.
fn existing_folder(place: &Path) -> Result<(PathBuf, PathBuf), VcsError> {
    for above in place.ancestors().skip(1) {
        match above.canonicalize() {
            Ok(folder) => {
                let missing = place.strip_prefix(above).unwrap_or(place).to_path_buf();
                return Ok((folder, missing));
            }
            Err(error) if error.kind() == ErrorKind::NotFound && above.symlink_metadata().is_err() => {}
            Err(error) => return Err(VcsError::io(above, error)),
        }
    }
    Err(VcsError::io(place, std::io::Error::from(ErrorKind::NotFound)))
}

fn replace(pending: &Path, place: &Path, bytes: &[u8], mode: Option<&Permissions>) -> Result<(), VcsError> {
    let done = through(pending, place, bytes, mode);
    // The folder of caches stays, the empty waiting room goes.
    unmake(&[pending.to_path_buf()]);
    match done {
        // Git's folder is on another file system (a submodule, a linked worktree): then the file waits beside its place.
        Err(VcsError::Io { source, .. }) if source.kind() == ErrorKind::CrossesDevices => {
            let beside = place.parent().unwrap_or(place);
            through(beside, place, bytes, mode)
        }
        result => result,
    }
}

fn replace_all(pending: &Path, planned: &[Planned<'_>]) -> Result<(), VcsError> {
    let made = make_folders(pending)?;
    sweep(pending);
    let waiting = |number: usize| pending.join(format!("{WAITING}{}-{number}", std::process::id()));
    let mode = |place: &Path| fs::metadata(place).ok().map(|current| current.permissions());
    let staged = planned
        .iter()
        .enumerate()
        .try_for_each(|(number, one)| write_whole(&waiting(number), one.bytes, mode(&one.place).as_ref()));
    let mut taken = 0;
    let done = staged.and_then(|()| {
        planned.iter().enumerate().try_for_each(|(number, one)| {
            settle(&waiting(number), one, mode(&one.place).as_ref())?;
            taken = number + 1;
            Ok(())
        })
    });
    if done.is_err() {
        for one in &planned[..taken] {
            // What failed is said; a second failure could only be said over it.
            let _ = match &one.before {
                Some(before) => through(pending, &one.place, before, mode(&one.place).as_ref()),
                None => fs::remove_file(&one.place).map_err(|error| VcsError::io(&one.place, error)),
            };
        }
        sweep(pending);
    }
    unmake(&made);
    done
}

/// Puts a file that waits into its place; from another file system it is written there.
fn settle(waiting: &Path, one: &Planned<'_>, mode: Option<&Permissions>) -> Result<(), VcsError> {
    let parent = one.place.parent().unwrap_or(&one.place);
    make_folders(parent)?;
    match fs::rename(waiting, &one.place) {
        Ok(()) => {
            let _ = File::open(parent).and_then(|folder| folder.sync_all());
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            through(parent, &one.place, one.bytes, mode)?;
            fs::remove_file(waiting).map_err(|error| VcsError::io(waiting, error))
        }
        Err(error) => Err(VcsError::io(&one.place, error)),
    }
}

/// What a waiting file's name begins with, wherever it waits.
const WAITING: &str = ".factgate-pending-";

/// Writes in `waiting`, then renames over `place`.
pub(crate) fn through(waiting: &Path, place: &Path, bytes: &[u8], mode: Option<&Permissions>) -> Result<(), VcsError> {
    let made = make_folders(waiting)?;
    sweep(waiting);
    let temporary = waiting.join(format!("{WAITING}{}", std::process::id()));
    let done = write_whole(&temporary, bytes, mode).and_then(|()| {
        let parent = place.parent().unwrap_or(place);
        let made = make_folders(parent)?;
        fs::rename(&temporary, place).map_err(|error| {
            unmake(&made);
            VcsError::io(place, error)
        })?;
        // Without this the rename itself may be lost with the power; some file systems cannot, and need not.
        let _ = File::open(parent).and_then(|folder| folder.sync_all());
        Ok(())
    });
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
        unmake(&made);
    }
    done
}

fn write_whole(temporary: &Path, bytes: &[u8], mode: Option<&Permissions>) -> Result<(), VcsError> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).open(temporary)?;
        if let Some(mode) = mode {
            file.set_permissions(mode.clone())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|error| VcsError::io(temporary, error))
}

/// Removes what a killed writer left; the lock is held, so none of it is in use.
fn sweep(waiting: &Path) {
    let left = fs::read_dir(waiting).into_iter().flatten().flatten();
    for entry in left.filter(|entry| entry.file_name().to_string_lossy().starts_with(WAITING)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Makes a folder and those above it; gives the ones that were not there, innermost first.
fn make_folders(folder: &Path) -> Result<Vec<PathBuf>, VcsError> {
    let made: Vec<PathBuf> = folder.ancestors().take_while(|above| !above.exists()).map(Path::to_path_buf).collect();
    fs::create_dir_all(folder).map_err(|error| {
        unmake(&made);
        VcsError::io(folder, error)
    })?;
    Ok(made)
}

/// Takes back folders that were made for nothing; one that is in use stays.
fn unmake(made: &[PathBuf]) {
    for folder in made {
        let _ = fs::remove_dir(folder);
    }
}
