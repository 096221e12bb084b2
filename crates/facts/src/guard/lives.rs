//! Which followed values are still looked at behind a point: what is dead is forgotten at once, else states do not merge.

use super::flow::{Move, Spot};
use factgate_ir::graph::{Graph, PointId};
use std::collections::{BTreeMap, BTreeSet};

/// What is forgotten at the start of each point, and behind it.
pub(super) struct Lives {
    pub(super) before: Vec<Vec<Spot>>,
    pub(super) behind: Vec<Vec<Spot>>,
}

/// A set of spots by number.
type Set = Vec<u64>;

impl Lives {
    /// `uses` are the spots that a point looks at beside what it moves.
    pub(super) fn of(
        graph: &Graph<'_>,
        followed: &BTreeSet<Spot>,
        moves: &[Vec<Move>],
        uses: &[BTreeSet<Spot>],
        before: &[Vec<PointId>],
    ) -> Lives {
        let spots: Vec<Spot> = followed.iter().copied().filter(|spot| !matches!(spot, Spot::Form(_))).collect();
        let numbers: BTreeMap<Spot, usize> = spots.iter().enumerate().map(|(at, &spot)| (spot, at)).collect();
        let (count, words) = (graph.points.len(), spots.len().div_ceil(64));
        let mut lives = Lives { before: vec![Vec::new(); count], behind: vec![Vec::new(); count] };
        if spots.is_empty() {
            return lives;
        }
        let (mut used, mut given): (Vec<Set>, Vec<Set>) = (vec![vec![0; words]; count], vec![vec![0; words]; count]);
        for id in graph.ids() {
            let at = id.index();
            let looked = moves[at].iter().filter_map(|one| one.from).chain(uses[at].iter().copied());
            looked.filter_map(|spot| numbers.get(&spot)).for_each(|&spot| set(&mut used[at], spot));
            moves[at].iter().filter_map(|one| numbers.get(&one.to)).for_each(|&spot| set(&mut given[at], spot));
        }
        let (mut start, mut end): (Vec<Set>, Vec<Set>) = (used.clone(), vec![vec![0; words]; count]);
        let mut open: BTreeSet<PointId> = graph.ids().collect();
        while let Some(id) = open.pop_first() {
            let at = id.index();
            let mut out = vec![0; words];
            for next in graph.point(id).all_next() {
                add(&mut out, &start[next.index()]);
            }
            let mut into = used[at].clone();
            let kept: Set = out.iter().zip(&given[at]).map(|(out, given)| out & !given).collect();
            add(&mut into, &kept);
            // What is raised may leave it as it was.
            if let Some(raise) = graph.point(id).raise {
                add(&mut into, &start[raise.index()]);
            }
            end[at] = out;
            if start[at] != into {
                start[at] = into;
                open.extend(&before[at]);
            }
        }
        for id in graph.ids() {
            let at = id.index();
            let mut there = start[at].clone();
            add(&mut there, &given[at]);
            lives.behind[at] = listed(&spots, &there, &end[at]);
            let mut arrives = vec![0; words];
            before[at].iter().for_each(|previous| add(&mut arrives, &end[previous.index()]));
            lives.before[at] = listed(&spots, &arrives, &start[at]);
        }
        lives
    }
}

fn set(of: &mut Set, at: usize) {
    of[at / 64] |= 1 << (at % 64);
}

fn add(to: &mut Set, from: &Set) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

/// The spots that are in the one and not in the other.
fn listed(spots: &[Spot], one: &Set, other: &Set) -> Vec<Spot> {
    let is_in = |at: &usize| one[at / 64] & !other[at / 64] & (1 << (at % 64)) != 0;
    (0..spots.len()).filter(is_in).map(|at| spots[at]).collect()
}
