//! Remembers a sync commit that took a long walk, so that the next walk ends where the last one began. What is kept
//! follows from commit names alone, which never change their meaning; where history can be cut or replaced nothing is
//! kept.

use crate::id::CommitId;
use crate::repository::Repository;
use crate::{undisturbed, write};
use std::fs;
use std::path::PathBuf;

/// The answer of an earlier walk for one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Where the walk began.
    pub(crate) tip: CommitId,
    /// The sync commit that it found.
    pub(crate) sync: CommitId,
    /// How many commits the tip reaches and the sync commit does not.
    pub(crate) count: u64,
}

/// A walk over fewer commits is done again sooner than it is looked up.
const LONG: u64 = 1000;

/// What is kept for a path; anything odd in the file counts as nothing.
pub(crate) fn read(repository: &Repository, path: &str) -> Option<Kept> {
    let place = place(repository, path)?;
    // A pipe in its place must not hang us.
    let text = place.is_file().then(|| fs::read_to_string(place).ok()).flatten()?;
    let (head, named) = text.strip_suffix('\n')?.split_once('\t')?;
    let fields: Vec<&str> = head.split(' ').collect();
    let [tip, sync, count] = fields[..] else { return None };
    let kept = Kept { tip: CommitId::from_hex(tip)?, sync: CommitId::from_hex(sync)?, count: count.parse().ok()? };
    // History can have been rewritten and cleared away since.
    let there = |id| repository.commit(id).is_ok();
    (named == path && there(kept.sync) && there(kept.tip)).then_some(kept)
}

/// Keeps an answer when the next one is worth it. Where nothing can be written, nothing is kept.
pub(crate) fn write(repository: &Repository, path: &str, kept: &Kept, walked: u64) {
    let Some(place) = place(repository, path).filter(|_| walked >= LONG && !path.contains('\n')) else { return };
    let text = format!("{} {} {}\t{path}\n", kept.tip, kept.sync, kept.count);
    let folder = repository.cache_dir().join("sync");
    // The verdict does not depend on it.
    let _ = undisturbed::run(|| write::through(&folder, &place, text.as_bytes(), None));
}

fn place(repository: &Repository, path: &str) -> Option<PathBuf> {
    if !repository.backend().history_is_fixed() || !repository.cuts().is_empty() {
        return None;
    }
    // FNV-1a: two paths with one name only overwrite each other, since the file says whose it is.
    let hash = path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Some(repository.cache_dir().join("sync").join(format!("{hash:016x}")))
}
