//! Verdicts that are kept: one JSON file for each key, in a folder of git's own directory, or in a folder that one
//! machine of several hands to the one that joins them.

use crate::run::RunName;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A stored verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    version: u32,
    run: String,
    key: String,
    verdict: Verdict,
}

const VERSION: u32 = 1;

/// A folder of verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictFolder(PathBuf);

impl VerdictFolder {
    /// A folder, which is made when something is put into it.
    pub fn new(path: impl Into<PathBuf>) -> VerdictFolder {
        VerdictFolder(path.into())
    }

    /// The verdict under a key. A file that cannot be read is as good as none.
    pub(crate) fn get(&self, key: &str) -> Option<Verdict> {
        read(&self.0.join(file_name(key))).filter(|stored| stored.key == key).map(|stored| stored.verdict)
    }

    /// Keeps a verdict, whole or not at all.
    pub(crate) fn put(&self, run: &RunName, key: &str, verdict: &Verdict) -> io::Result<()> {
        std::fs::create_dir_all(&self.0)?;
        let stored =
            Stored { version: VERSION, run: run.as_str().to_owned(), key: key.to_owned(), verdict: verdict.clone() };
        let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
        serde_json::to_writer_pretty(&mut file, &stored)?;
        file.write_all(b"\n")?;
        file.persist(self.0.join(file_name(key))).map_err(|error| error.error)?;
        Ok(())
    }

    /// The verdicts in this folder and the folders below, by key. Where a key has several, those that are none give way.
    pub(crate) fn all(&self) -> io::Result<BTreeMap<String, Vec<Verdict>>> {
        let mut found: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            let mut paths: Vec<PathBuf> =
                std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
            paths.sort();
            for path in paths {
                if path.is_dir() {
                    folders.push(path);
                } else if let Some(stored) = read(&path) {
                    found.entry(stored.key).or_default().push(stored.verdict);
                }
            }
        }
        Ok(found)
    }
}

fn read(path: &Path) -> Option<Stored> {
    if path.extension().is_none_or(|extension| extension != "json") {
        return None;
    }
    let stored: Stored = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    (stored.version == VERSION).then_some(stored)
}

fn file_name(key: &str) -> String {
    format!("{}.json", &blake3::hash(key.as_bytes()).to_hex()[..32])
}
