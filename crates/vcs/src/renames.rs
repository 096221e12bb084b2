//! Which files a view has under another name than a commit: what git calls renames ("Detecting renames" in `gitdiffcore`).
//!
//! A file that is gone and one that is new are one when they are alike by half or more: as in git, by the bytes of the
//! lines that stand in both, against the larger of the two. Equal files first, then the most alike, a file once.

use crate::error::VcsError;
use crate::id::CommitId;
use crate::repository::Repository;
use crate::view::{View, ViewKind};
use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::DefaultHasher};
use std::hash::Hasher;

/// What moved between a commit and a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    /// The new name of each file that is gone, where it has one.
    pub pairs: BTreeMap<String, String>,
    /// Every file that the commit did not have, sorted.
    pub added: Vec<String>,
}

/// Files of so few bytes in common are no rename: an empty one is like every other.
const LEAST: usize = 1;
/// Beyond so many pairs only files of the same name are compared.
const MOST_PAIRS: usize = 250_000;
/// A piece of a longer line counts for itself.
const LONGEST: usize = 64;

/// A file's lines as hashes, each with the bytes that it takes.
struct Sketch {
    lines: HashMap<u64, usize>,
    size: usize,
}

impl Repository {
    /// The renames from a commit to a view, among the files that `counts` picks. Files of more than `limit` bytes are no
    /// part of any.
    pub fn renames(
        &self,
        since: CommitId,
        view: &View,
        limit: u64,
        counts: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Renames, VcsError> {
        let before = self.view(&ViewKind::Commit(since.to_string()), limit)?;
        let picked = |view: &View| -> Result<BTreeSet<String>, VcsError> {
            Ok(view.list()?.iter().filter(|path| counts(path)).cloned().collect())
        };
        let (old, new) = (picked(&before)?, picked(view)?);
        let read = |view: &View, path: &str| view.read(path).ok().flatten().map(|bytes| Sketch::of(&bytes));
        let sketches = |view: &View, paths: &BTreeSet<String>, others: &BTreeSet<String>| -> Vec<(String, Sketch)> {
            let only = paths.difference(others).filter_map(|path| Some((path.clone(), read(view, path)?)));
            only.filter(|(_, sketch)| sketch.size >= LEAST).collect()
        };
        let added = new.difference(&old).cloned().collect();
        let pairs = pairs(&sketches(&before, &old, &new), &sketches(view, &new, &old));
        Ok(Renames { pairs, added })
    }
}

impl Sketch {
    /// Line ends do not count: a checkout converts them.
    fn of(bytes: &[u8]) -> Sketch {
        let mut sketch = Sketch { lines: HashMap::new(), size: 0 };
        for line in bytes.split(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            for piece in line.chunks(LONGEST) {
                let mut hasher = DefaultHasher::new();
                hasher.write(piece);
                // With the end of its line, as git counts it.
                *sketch.lines.entry(hasher.finish()).or_default() += piece.len() + 1;
                sketch.size += piece.len() + 1;
            }
        }
        sketch
    }

    /// How alike two files are, in thousandths.
    fn likeness(&self, other: &Sketch) -> usize {
        let common: usize =
            self.lines.iter().map(|(line, size)| other.lines.get(line).map_or(0, |there| *size.min(there))).sum();
        common * 1000 / self.size.max(other.size).max(1)
    }
}

/// A gone file's new name each, the likest first.
fn pairs(gone: &[(String, Sketch)], new: &[(String, Sketch)]) -> BTreeMap<String, String> {
    const HALF: usize = 500;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let many = gone.len().saturating_mul(new.len()) > MOST_PAIRS;
    let mut candidates: Vec<(usize, bool, &str, &str)> = Vec::new();
    for (from, old) in gone {
        for (to, sketch) in new {
            let same_name = name(from) == name(to);
            let alike_in_size = old.size.min(sketch.size) * 2 >= old.size.max(sketch.size);
            if alike_in_size && (same_name || !many) {
                let likeness = old.likeness(sketch);
                candidates.extend((likeness >= HALF).then_some((likeness, same_name, from.as_str(), to.as_str())));
            }
        }
    }
    candidates.sort_by(|a, b| (b.0, b.1, a.2, a.3).cmp(&(a.0, a.1, b.2, b.3)));
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (_, _, from, to) in candidates {
        if !pairs.contains_key(from) && taken.insert(to) {
            pairs.insert(from.to_owned(), to.to_owned());
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(gone: &[(&str, &str)], new: &[(&str, &str)], wanted: &[(&str, &str)]) {
        let sketches = |files: &[(&str, &str)]| -> Vec<(String, Sketch)> {
            files.iter().map(|(path, text)| ((*path).to_owned(), Sketch::of(text.as_bytes()))).collect()
        };
        let found = pairs(&sketches(gone), &sketches(new));
        let found: Vec<(&str, &str)> = found.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn the_likest_file_is_the_renamed_one() {
        let text = "one line\nanother line\na third line\nand a fourth\n";
        check(&[("a.ts", text)], &[("b.ts", text)], &[("a.ts", "b.ts")]);
        check(&[("a.ts", text)], &[("b.ts", &text.replace('\n', "\r\n"))], &[("a.ts", "b.ts")]);
        check(&[("a.ts", text)], &[("b.ts", "nothing\nof\nit\n")], &[]);
        check(&[("a.ts", text)], &[("b.ts", &text.replace("third", "fifth")), ("c.ts", text)], &[("a.ts", "c.ts")]);
        check(&[("x/a.ts", text)], &[("y/b.ts", text), ("z/a.ts", text)], &[("x/a.ts", "z/a.ts")]);
        check(&[("a.ts", text), ("b.ts", text)], &[("c.ts", text)], &[("a.ts", "c.ts")]);
        check(&[("a.ts", text)], &[("b.ts", &text.repeat(3))], &[]);
    }
}
