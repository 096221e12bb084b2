//! Which commits one commit reaches and another does not (`git rev-list SINCE..TIP`).

use crate::error::VcsError;
use crate::id::CommitId;
use crate::object::{Commit, Parents};
use crate::repository::Repository;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// After the last undecided commit this many more are read, newest first, in case dates run backwards. Git itself
/// reads five.
const SLOP: usize = 1000;

/// The commits of a range, each with what history needs of it.
pub(crate) type Range = HashMap<CommitId, Commit>;

/// The commits that `tip` reaches and `since` does not; `None` when a shallow clone cannot tell.
pub(crate) fn known(repository: &Repository, tip: CommitId, since: CommitId) -> Result<Option<Range>, VcsError> {
    let range = read(repository, tip, since)?;
    let known = !repository.cuts().is_shallow() || descend(&range, since);
    Ok(known.then_some(range))
}

/// Whether every commit of the range descends from `since`: then nothing that a shallow clone left out changes it.
fn descend(range: &Range, since: CommitId) -> bool {
    let mut children: HashMap<CommitId, Vec<CommitId>> = HashMap::new();
    for (id, commit) in range {
        commit.parents.iter().for_each(|parent| children.entry(*parent).or_default().push(*id));
    }
    let mut reached = HashSet::new();
    let mut pending = vec![since];
    while let Some(at) = pending.pop() {
        let next = children.get(&at).into_iter().flatten();
        pending.extend(next.filter(|child| reached.insert(**child)));
    }
    reached.len() == range.len()
}

/// The state of a walk that goes back from both ends at once, newest first.
struct Walk<'r> {
    repository: &'r Repository,
    /// By committer's time, then first come first: git's own order.
    queue: BinaryHeap<(i64, std::cmp::Reverse<usize>, CommitId)>,
    /// Every commit that was queued; the ones taken from the queue keep their parents.
    seen: HashMap<CommitId, Seen>,
    /// Queued commits that `since` is not yet known to reach.
    undecided: usize,
}

struct Seen {
    commit: Commit,
    side: Side,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Inside,
    Outside,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Queued,
    Taken,
}

fn read(repository: &Repository, tip: CommitId, since: CommitId) -> Result<Range, VcsError> {
    let mut walk = Walk { repository, queue: BinaryHeap::new(), seen: HashMap::new(), undecided: 0 };
    walk.reach(since, Side::Outside)?;
    walk.reach(tip, Side::Inside)?;
    let mut slop = SLOP;
    let mut oldest_inside = i64::MAX;
    while let Some((time, _, id)) = walk.queue.pop() {
        let (commit, side) = walk.take(id);
        if side == Side::Inside {
            oldest_inside = oldest_inside.min(time);
            slop = SLOP;
        } else if walk.undecided == 0 && time < oldest_inside {
            slop -= 1;
            if slop == 0 {
                break;
            }
        }
        for parent in commit.parents.iter() {
            walk.reach(*parent, side)?;
        }
    }
    let inside = walk.seen.into_iter().filter(|(_, seen)| seen.side == Side::Inside && seen.stage == Stage::Taken);
    Ok(inside.map(|(id, seen)| (id, seen.commit)).collect())
}

impl Walk<'_> {
    fn take(&mut self, id: CommitId) -> (Commit, Side) {
        let seen = self.seen.get_mut(&id);
        let empty = || (Commit { tree: id.0, parents: Parents::Few(None), time: 0 }, Side::Outside);
        seen.map_or_else(empty, |seen| {
            seen.stage = Stage::Taken;
            self.undecided -= usize::from(seen.side == Side::Inside);
            (seen.commit.clone(), seen.side)
        })
    }

    /// Queues a commit, or carries the news that it is outside down to what was already taken.
    fn reach(&mut self, id: CommitId, side: Side) -> Result<(), VcsError> {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.seen.get_mut(&id) {
                None => {
                    let commit = self.repository.commit(id)?;
                    self.queue.push((commit.time, std::cmp::Reverse(self.seen.len()), id));
                    self.undecided += usize::from(side == Side::Inside);
                    self.seen.insert(id, Seen { commit, side, stage: Stage::Queued });
                }
                Some(seen) if side == Side::Outside && seen.side == Side::Inside => {
                    seen.side = Side::Outside;
                    match seen.stage {
                        Stage::Queued => self.undecided -= 1,
                        Stage::Taken => pending.extend(seen.commit.parents.iter().copied()),
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
