//! Which commits since the sync commit touched the watched files: one walk for all of them.
//!
//! Trees are compared only down the folders that hold a watched file, and only where their names differ. A merge has
//! touched a file when it differs from every parent's, as in git's combined diff.

use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::object::{self, Commit, Mode};
use crate::range;
use crate::repository::{CommitInfo, Repository, damaged};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::num::NonZero;
use std::rc::Rc;
use std::thread;

/// A commit that touched watched files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touching {
    /// Its name, subject and date.
    pub commit: CommitInfo,
    /// What it touched, sorted by path.
    pub touched: Vec<Touched>,
}

/// A file before and after a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Which file.
    pub path: String,
    /// Its blob in the commit; `None` when it is gone.
    pub new: Option<ObjectId>,
    /// Its blob in each parent, in their order; none for a root commit.
    pub old: Vec<Option<ObjectId>>,
}

/// What stands at a watched place.
type Entry = Option<(Mode, ObjectId)>;

impl Repository {
    /// The commits that `tip` reaches and `since` does not, and that touched one of `paths`: children before parents,
    /// newest first. `None` when a shallow or partial clone cannot tell.
    pub fn history(&self, tip: CommitId, since: CommitId, paths: &[&str]) -> Result<Option<Vec<Touching>>, VcsError> {
        match self.known_history(tip, since, paths) {
            Err(VcsError::Missing { .. }) if self.is_partial() => Ok(None),
            history => history,
        }
    }

    fn known_history(&self, tip: CommitId, since: CommitId, paths: &[&str]) -> Result<Option<Vec<Touching>>, VcsError> {
        let Some(commits) = range::known(self, tip, since)? else { return Ok(None) };
        let ordered = order(&commits);
        let most = thread::available_parallelism().map_or(1, NonZero::get).min(8);
        let pieces: Vec<&[CommitId]> = ordered.chunks(ordered.len().div_ceil(most).max(256)).collect();
        let run = |piece: &[CommitId]| self.history_of(&commits, piece, paths);
        let histories: Vec<Result<Vec<Touching>, VcsError>> = thread::scope(|scope| {
            let threads: Vec<_> = pieces.iter().map(|piece| scope.spawn(|| run(piece))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
        });
        let mut history = Vec::new();
        for piece in histories {
            history.extend(piece?);
        }
        Ok(Some(history))
    }

    fn history_of(
        &self,
        commits: &HashMap<CommitId, Commit>,
        piece: &[CommitId],
        paths: &[&str],
    ) -> Result<Vec<Touching>, VcsError> {
        let mut comparison = Comparison::new(self, paths);
        let mut history = Vec::new();
        for id in piece {
            let touched = comparison.touched(commits, &commits[id])?;
            if !touched.is_empty() {
                history.push(Touching { commit: self.commit_info(*id)?, touched });
            }
        }
        Ok(history)
    }
}

fn panicked() -> VcsError {
    VcsError::Git("the history could not be read: a thread of factgate panicked".to_owned())
}

/// Children before parents; among commits that are free, the newest first, then by name.
fn order(commits: &HashMap<CommitId, Commit>) -> Vec<CommitId> {
    let mut children: HashMap<CommitId, usize> = commits.keys().map(|id| (*id, 0)).collect();
    for parent in commits.values().flat_map(|commit| commit.parents.iter()) {
        children.entry(*parent).and_modify(|count| *count += 1);
    }
    let free = children.iter().filter(|(_, count)| **count == 0);
    let mut free: BinaryHeap<(i64, Reverse<CommitId>)> = free.map(|(id, _)| (commits[id].time, Reverse(*id))).collect();
    let mut ordered = Vec::with_capacity(commits.len());
    while let Some((_, Reverse(id))) = free.pop() {
        ordered.push(id);
        for parent in commits[&id].parents.iter() {
            let Some(count) = children.get_mut(parent) else { continue };
            *count -= 1;
            if *count == 0 {
                free.push((commits[parent].time, Reverse(*parent)));
            }
        }
    }
    ordered
}

/// A place that is watched, or leads to one: only these are ever read.
#[derive(Default)]
struct Place {
    /// The watched path that ends here.
    path: Option<usize>,
    /// By name, the places below. A name can be a watched file and, in other commits, a folder.
    below: BTreeMap<Vec<u8>, usize>,
}

/// Compares trees at the watched places.
struct Comparison<'r> {
    repository: &'r Repository,
    paths: &'r [&'r str],
    /// The first is the root.
    places: Vec<Place>,
    /// Trees read lately: a parent's tree is soon a child's.
    lately: HashMap<ObjectId, Rc<Vec<u8>>>,
    /// The bytes of those.
    remembered: usize,
}

/// A watched file's blob before and after, by the path's number.
type Differences = BTreeMap<usize, (Entry, Entry)>;

/// So many bytes of trees are remembered at once.
const REMEMBERED: usize = 8 << 20;

impl<'r> Comparison<'r> {
    fn new(repository: &'r Repository, paths: &'r [&'r str]) -> Comparison<'r> {
        let mut places = vec![Place::default()];
        for (number, path) in paths.iter().enumerate() {
            let mut at = 0;
            for part in path.split('/') {
                let next = places.len();
                at = *places[at].below.entry(part.as_bytes().to_vec()).or_insert(next);
                if at == next {
                    places.push(Place::default());
                }
            }
            places[at].path = Some(number);
        }
        Comparison { repository, paths, places, lately: HashMap::new(), remembered: 0 }
    }

    /// The watched files in which a commit differs from each of its parents.
    fn touched(&mut self, commits: &HashMap<CommitId, Commit>, commit: &Commit) -> Result<Vec<Touched>, VcsError> {
        let new = Some(commit.tree);
        let mut found: BTreeMap<usize, (Entry, Vec<Entry>)> = BTreeMap::new();
        if commit.parents.is_empty() {
            let differences = self.compare(new, None)?;
            found.extend(differences.into_iter().map(|(path, (new, _))| (path, (new, Vec::new()))));
        }
        for (number, parent) in commit.parents.iter().enumerate() {
            let tree = match commits.get(parent) {
                Some(parent) => parent.tree,
                None => self.repository.commit(*parent)?.tree,
            };
            let differences = self.compare(new, Some(tree))?;
            if number == 0 {
                found.extend(differences.iter().map(|(path, (new, _))| (*path, (*new, Vec::new()))));
            }
            found.retain(|path, (_, old)| differences.get(path).map(|(_, before)| old.push(*before)).is_some());
        }
        let blob = |entry: Entry| entry.map(|(_, id)| id);
        let touched = found.into_iter().map(|(path, (new, old))| Touched {
            path: self.paths[path].to_owned(),
            new: blob(new),
            old: old.into_iter().map(blob).collect(),
        });
        let mut touched: Vec<Touched> = touched.collect();
        touched.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(touched)
    }

    fn compare(&mut self, new: Option<ObjectId>, old: Option<ObjectId>) -> Result<Differences, VcsError> {
        let mut differences = Differences::new();
        let mut pending = vec![(0, new, old)];
        while let Some((place, new, old)) = pending.pop() {
            if new == old {
                continue;
            }
            let (after, before) = (self.raw(new)?, self.raw(old)?);
            let mut below: BTreeMap<usize, (Entry, Entry)> = BTreeMap::new();
            let (news, olds) =
                object::differing(&after, &before, width(new, old)).ok_or_else(|| damaged_of(new, old))?;
            for entry in news {
                let Some(at) = self.places[place].below.get(entry.name) else { continue };
                below.entry(*at).or_default().0 = Some((entry.mode, entry.id));
            }
            for entry in olds {
                let Some(at) = self.places[place].below.get(entry.name) else { continue };
                below.entry(*at).or_default().1 = Some((entry.mode, entry.id));
            }
            for (place, (new, old)) in below {
                let (new_file, old_file) = (file(new), file(old));
                if let Some(path) = self.places[place].path.filter(|_| new_file != old_file) {
                    differences.insert(path, (new_file, old_file));
                }
                if !self.places[place].below.is_empty() {
                    pending.push((place, folder(new), folder(old)));
                }
            }
        }
        Ok(differences)
    }

    /// The bytes of a tree; one that is not there is empty.
    fn raw(&mut self, tree: Option<ObjectId>) -> Result<Rc<Vec<u8>>, VcsError> {
        let Some(tree) = tree else { return Ok(Rc::default()) };
        if let Some(raw) = self.lately.get(&tree) {
            return Ok(Rc::clone(raw));
        }
        let raw = Rc::new(self.repository.tree(&tree)?);
        if self.remembered > REMEMBERED {
            self.lately.clear();
            self.remembered = 0;
        }
        self.remembered += raw.len();
        self.lately.insert(tree, Rc::clone(&raw));
        Ok(raw)
    }
}

/// How many bytes the names of objects have in these trees.
fn width(new: Option<ObjectId>, old: Option<ObjectId>) -> usize {
    new.or(old).map_or(0, |tree| tree.as_bytes().len())
}

fn damaged_of(new: Option<ObjectId>, old: Option<ObjectId>) -> VcsError {
    new.or(old).map_or_else(|| VcsError::Git("a tree is damaged: run `git fsck`".to_owned()), |tree| damaged(&tree))
}

fn file(entry: Entry) -> Entry {
    entry.filter(|(mode, _)| matches!(mode, Mode::File | Mode::Executable)).map(|(_, id)| (Mode::File, id))
}

fn folder(entry: Entry) -> Option<ObjectId> {
    entry.filter(|(mode, _)| *mode == Mode::Folder).map(|(_, id)| id)
}
