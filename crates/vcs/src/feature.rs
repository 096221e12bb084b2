//! Names the feature of a repository that libgit2 does not read, for a machine without the `git` program.

use std::fs;
use std::path::{Path, PathBuf};

/// A feature in git's words, and the command that turns it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    pub(crate) remedy: &'static str,
}

const SHA256: Feature = Feature {
    name: "SHA-256 objects (extensions.objectFormat)",
    remedy: "install git, or start a repository with `git init --object-format=sha1` and import the history",
};
const REFTABLE: Feature =
    Feature { name: "reftable (extensions.refStorage)", remedy: "`git refs migrate --ref-format=files`" };
const SPLIT: Feature = Feature { name: "a split index", remedy: "`git update-index --no-split-index`" };
const SPARSE: Feature = Feature { name: "a sparse index", remedy: "`git sparse-checkout reapply --no-sparse-index`" };

/// Looks for a feature that explains why the repository at or above `start` was refused.
pub(crate) fn find(start: &Path) -> Option<Feature> {
    let git_dir = start.ancestors().find_map(git_dir)?;
    let common = fs::read_to_string(git_dir.join("commondir"))
        .map_or_else(|_| git_dir.clone(), |common| git_dir.join(common.trim_end()));
    let config = fs::read_to_string(common.join("config")).unwrap_or_default().to_lowercase();
    let says = |key: &str, value: &str| {
        config
            .lines()
            .filter_map(|line| line.split_once('='))
            .any(|(name, text)| name.trim() == key && text.trim().starts_with(value))
    };
    if says("objectformat", "sha256") {
        return Some(SHA256);
    }
    if says("refstorage", "reftable") {
        return Some(REFTABLE);
    }
    let index = fs::read(git_dir.join("index")).unwrap_or_default();
    let holds = |mark: &[u8]| index.windows(mark.len()).any(|window| window == mark);
    [(&b"sdir"[..], SPARSE), (b"link", SPLIT)].into_iter().find(|(mark, _)| holds(mark)).map(|(_, feature)| feature)
}

/// The repository's folder when `folder` is the top of a work tree.
fn git_dir(folder: &Path) -> Option<PathBuf> {
    let place = folder.join(".git");
    if place.is_dir() {
        return Some(place);
    }
    let pointer = fs::read_to_string(place).ok()?;
    Some(folder.join(pointer.strip_prefix("gitdir:")?.trim()))
}
