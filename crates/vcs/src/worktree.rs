//! Reads one file of the work tree without ever leaving it: every folder on the way is opened without following
//! links, and what is opened is a regular file before a byte is read, so that a pipe cannot hang us.

use crate::error::VcsError;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// What stands at a path of the work tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Absent,
    Folder,
    File(Vec<u8>),
    /// A link, with its target as written.
    Link(String),
}

/// Reads `path`, named from `root` with `/`. A folder that is a link counts as absent, as it does for git.
pub(crate) fn read(root: &Path, path: &str, limit: u64) -> Result<Standing, VcsError> {
    let wrong = |errno: Errno| VcsError::io(root.join(path), errno);
    let Some((folder, name)) = open_folder(root, path).map_err(wrong)? else { return Ok(Standing::Absent) };
    let stat = match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(Standing::Absent),
        Err(errno) => return Err(wrong(errno)),
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Ok(Standing::Folder),
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(&folder, name, Vec::new()).map_err(wrong)?;
            let target = std::ffi::OsString::from_vec(target.into_bytes());
            Ok(Standing::Link(target.to_string_lossy().into_owned()))
        }
        FileType::RegularFile => read_regular(root, path, &folder, name, limit).map(Standing::File),
        _ => Err(VcsError::Special { path: path.to_owned() }),
    }
}

/// The top of a work tree, opened once for whoever reads many files below it.
pub(crate) fn open_root(root: &Path) -> Option<OwnedFd> {
    rustix::fs::open(root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()
}

/// Reads a regular file into `buffer` in as few calls as there can be, where the system can refuse every link on the way
/// by itself. `false` where it cannot, or where anything else stands there: [`read`] then says what.
#[cfg(target_os = "linux")]
pub(crate) fn read_plainly(root: &OwnedFd, path: &str, limit: u64, buffer: &mut Vec<u8>) -> bool {
    use rustix::fs::{ResolveFlags, openat2};
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    if is_refused(path) {
        return false;
    }
    let Ok(file) = openat2(root, path, flags, Mode::empty(), resolve) else { return false };
    let Ok(stat) = rustix::fs::fstat(&file) else { return false };
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || size > limit {
        return false;
    }
    buffer.clear();
    buffer.reserve(usize::try_from(size).unwrap_or(0) + 1);
    // One byte more than there is: a full answer is the whole file.
    let read = rustix::io::read(&file, rustix::buffer::spare_capacity(buffer));
    read.is_ok() && buffer.len() as u64 == size
}

/// See above: no other system can.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read_plainly(_root: &OwnedFd, _path: &str, _limit: u64, _buffer: &mut Vec<u8>) -> bool {
    false
}

/// A path that leaves its folder or enters git's own.
fn is_refused(path: &str) -> bool {
    path.ends_with('/') || path.split('/').any(|part| part == ".." || part.eq_ignore_ascii_case(".git"))
}

/// Whether a file or a link stands at `path`, without following anything. A folder that may not be looked into is an
/// error: what lies there is not known to be absent.
pub(crate) fn stands(root: &Path, path: &str) -> Result<bool, VcsError> {
    let wrong = |errno: Errno| VcsError::io(root.join(path), errno);
    let Some((folder, name)) = open_folder(root, path).map_err(wrong)? else { return Ok(false) };
    match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(FileType::from_raw_mode(stat.st_mode) != FileType::Directory),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(false),
        Err(errno) => Err(wrong(errno)),
    }
}

/// Whether a folder on the way to `path` is the top of a repository of its own: a submodule, or one that lies there.
pub(crate) fn is_anothers(root: &Path, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    folders.into_iter().any(|folder| root.join(folder).join(".git").symlink_metadata().is_ok())
}

/// The folder that holds `path`, and the last part of its name; `None` when there is no such folder.
fn open_folder<'p>(root: &Path, path: &'p str) -> Result<Option<(OwnedFd, &'p OsStr)>, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name.is_empty() || is_refused(path) {
        return Ok(None);
    }
    let mut at = rustix::fs::open(root, flags, Mode::empty())?;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        at = match rustix::fs::openat(&at, part, flags | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(errno) => return Err(errno),
        };
    }
    Ok(Some((at, OsStr::from_bytes(name.as_bytes()))))
}

fn read_regular(root: &Path, path: &str, folder: &OwnedFd, name: &OsStr, limit: u64) -> Result<Vec<u8>, VcsError> {
    let wrong = |errno: Errno| VcsError::io(root.join(path), errno);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::openat(folder, name, flags, Mode::empty()).map_err(wrong)?;
    let stat = rustix::fs::fstat(&file).map_err(wrong)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(VcsError::Special { path: path.to_owned() });
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    let mut bytes = Vec::new();
    if size <= limit {
        bytes.reserve(usize::try_from(size).unwrap_or(0) + 1);
        let most = limit.saturating_add(1);
        File::from(file).take(most).read_to_end(&mut bytes).map_err(|error| VcsError::io(root.join(path), error))?;
    }
    let size = size.max(bytes.len() as u64);
    if size > limit { Err(VcsError::TooLarge { path: path.to_owned(), size, limit }) } else { Ok(bytes) }
}
