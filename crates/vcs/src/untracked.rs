//! Walks the work tree for files that the index does not know and git does not ignore, as
//! `git ls-files --others --exclude-standard` does: an ignored folder is not entered, nor is another repository.

use crate::backend::IndexEntry;
use crate::error::VcsError;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Says whether git ignores a path of the work tree.
pub(crate) type Ignored<'w> = dyn Fn(&Path) -> Result<bool, VcsError> + 'w;

/// Every untracked file or link below `root`, named from there. Names that are not UTF-8 are left out.
pub(crate) fn walk(root: &Path, index: &[IndexEntry], ignored: &Ignored<'_>) -> Result<Vec<String>, VcsError> {
    let tracked: HashSet<&str> = index.iter().map(|entry| entry.path.as_str()).collect();
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(folder) = pending.pop() {
        let place = root.join(&folder);
        let listing = match fs::read_dir(&place) {
            Ok(listing) => listing,
            // Gone between two steps, or not ours to read: git warns and goes on.
            Err(_) if !folder.is_empty() => continue,
            Err(error) => return Err(VcsError::io(place, error)),
        };
        for entry in listing {
            let entry = entry.map_err(|error| VcsError::io(&place, error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if name.eq_ignore_ascii_case(".git") || tracked.contains(path.as_str()) {
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            if !(kind.is_dir() || kind.is_file() || kind.is_symlink()) || ignored(Path::new(&path))? {
                continue;
            }
            match kind.is_dir() {
                true if entry.path().join(".git").symlink_metadata().is_ok() => {}
                true => pending.push(path),
                false => found.push(path),
            }
        }
    }
    Ok(found)
}
