//! Walks the work tree for files that the index does not know and git does not ignore, as
//! `git ls-files --others --exclude-standard` does: an ignored folder is not entered, nor is another repository.

use crate::backend::{IndexEntry, Listing};
use crate::error::VcsError;
use crate::object::Mode;
use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// Says whether git ignores a path of the work tree.
pub(crate) type Ignored<'w> = dyn Fn(&Path) -> Result<bool, VcsError> + 'w;

/// Every untracked file or link below `root`, named from there, and the tracked ones that were met. Names that are not
/// UTF-8 are left out.
pub(crate) fn walk(
    root: &Path,
    index: &[IndexEntry],
    rules: &mut Rules,
    ignored: &Ignored<'_>,
) -> Result<Listing, VcsError> {
    let tracked: HashMap<&str, usize> =
        index.iter().enumerate().map(|(number, entry)| (entry.path.as_str(), number)).collect();
    let mut found = Listing::default();
    let mut pending = vec![String::new()];
    while let Some(folder) = pending.pop() {
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
        // A folder's rules are known before anything in it is asked for.
        let sources = entries.iter().filter(|entry| entry.file_name() == ".gitignore");
        sources.for_each(|entry| rules.add_file(&entry.path()));
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
            if !(kind.is_dir() || kind.is_file() || kind.is_symlink())
                || !rules.are_none() && ignored(Path::new(&path))?
            {
                continue;
            }
            if kind.is_dir() { pending.push(path) } else { found.untracked.push(path) }
        }
    }
    Ok(found)
}

/// What the files say that name what git ignores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// How many of them hold a rule.
    sources: usize,
    /// How many of them hold an exception (`!kept.ts`).
    excepting: usize,
}

impl Rules {
    /// Reads one more; a file that is not there, or is none, has no rules.
    pub(crate) fn add_file(&mut self, file: &Path) {
        if file.is_file() {
            self.add(&fs::read(file).unwrap_or_default());
        }
    }

    fn add(&mut self, text: &[u8]) {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let rules: Vec<&[u8]> = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")).collect();
        self.sources += usize::from(!rules.is_empty());
        self.excepting += usize::from(rules.iter().any(|rule| rule.starts_with(b"!")));
    }

    /// Whether there is no rule at all so far, and so nothing that git would ignore.
    fn are_none(&self) -> bool {
        self.sources == 0
    }

    /// Whether an exception of one file may be meant for the rule of another: libgit2 drops an exception that has no rule
    /// before it in its own file.
    pub(crate) fn reach_over_files(&self) -> bool {
        self.sources > 1 && self.excepting > 0
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
