//! Where history ends early: the boundary of a shallow clone, and the old `info/grafts`.

use crate::id::CommitId;
use crate::object::Parents;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// Commits whose parents are not what they say.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    shallow: HashSet<CommitId>,
    grafts: HashMap<CommitId, Vec<CommitId>>,
}

impl Cuts {
    /// Reads them from the folder that all worktrees share; files that are not there mean none.
    pub(crate) fn read(common: &Path) -> Cuts {
        let lines = |file: &str| fs::read_to_string(common.join(file)).unwrap_or_default();
        let ids = |line: &str| -> Vec<CommitId> { line.split_whitespace().filter_map(CommitId::from_hex).collect() };
        let shallow = lines("shallow").lines().filter_map(|line| CommitId::from_hex(line.trim())).collect();
        let grafts = lines("info/grafts")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| ids(line).split_first().map(|(id, parents)| (*id, parents.to_vec())))
            .collect();
        Cuts { shallow, grafts }
    }

    /// Whether every commit's parents are what it says.
    pub(crate) fn is_empty(&self) -> bool {
        self.shallow.is_empty() && self.grafts.is_empty()
    }

    /// Whether this clone is shallow.
    pub(crate) fn is_shallow(&self) -> bool {
        !self.shallow.is_empty()
    }

    /// Whether the parents of this commit were left out of the clone.
    pub(crate) fn ends_at(&self, id: CommitId) -> bool {
        self.shallow.contains(&id)
    }

    /// Gives a commit the parents that git's history shows.
    pub(crate) fn apply(&self, id: CommitId, parents: &mut Parents) {
        if let Some(grafted) = self.grafts.get(&id) {
            *parents = grafted.as_slice().into();
        }
        if self.ends_at(id) {
            *parents = Parents::Few(None);
        }
    }
}
