//! Walks the work tree for files that the index does not know and git does not ignore, as
//! `git ls-files --others --exclude-standard` does: an ignored folder is not entered, nor is another repository.

use crate::backend::{IndexEntry, Listing};
use crate::error::VcsError;
use crate::excludes::{Excludes, OfFolder, PathKind};
use crate::object::Mode;
use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// Every untracked file or link below `root`, named from there, and the tracked ones that were met. Names that are not
/// UTF-8 are left out.
pub(crate) fn walk(root: &Path, index: &[IndexEntry], excludes: &Excludes<'_>) -> Result<Listing, VcsError> {
    let tracked: HashMap<&str, usize> =
        index.iter().enumerate().map(|(number, entry)| (entry.path.as_str(), number)).collect();
    let mut found = Listing::default();
    let mut pending = vec![(String::new(), OfFolder::default())];
    while let Some((folder, around)) = pending.pop() {
        let place = root.join(&folder);
        let listing = match fs::read_dir(&place) {
            Ok(listing) => listing,
            // Gone between two steps.
            Err(error) if !folder.is_empty() && is_gone(&error) => continue,
            Err(_) if !folder.is_empty() && place.join(".git").symlink_metadata().is_ok() => continue,
            // Git warns and goes on; but what lies there may be what we look for.
            Err(error) => return Err(VcsError::Closed { path: folder.into(), why: error.to_string() }),
        };
        let entries: Vec<DirEntry> = listing.collect::<Result<_, _>>().map_err(|error| VcsError::io(&place, error))?;
        if !folder.is_empty() && entries.iter().any(|entry| entry.file_name() == ".git") {
            continue;
        }
        let rules = excludes.enter(&folder, around)?;
        for entry in entries {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            let known = tracked.get(path.as_str()).copied();
            if let Some(number) = known.filter(|_| !kind.is_dir()) {
                found.standing.insert(number);
                continue;
            }
            let is_module = known.is_some_and(|number| index[number].mode == Mode::Gitlink);
            if is_module || name.eq_ignore_ascii_case(".git") {
                continue;
            }
            let path_kind = if kind.is_dir() { PathKind::Folder } else { PathKind::Other };
            if !(kind.is_dir() || kind.is_file() || kind.is_symlink()) || excludes.ignores(&rules, &path, path_kind) {
                continue;
            }
            if kind.is_dir() { pending.push((path, rules.clone())) } else { found.untracked.push(path) }
        }
    }
    Ok(found)
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
