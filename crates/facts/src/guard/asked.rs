//! Which answers a value asks for, and which the way to it has given: of `a && b` the flow tested `a`.

use super::condition::Leaf;
use super::query::{LeafFacts, Query};
use super::reading::Reading;
use super::shape::shape;
use factgate_syntax::condition::Condition;
use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeSet;

/// Whether a leaf's answer is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// It is asked here, and may have any answer.
    Anew,
    /// It was asked a moment ago, on the way to this value.
    JustNow,
}

/// The leaves that a test asks.
pub(super) fn tested(reading: &Reading) -> HashSet<Leaf> {
    let mut leaves = Vec::new();
    reading.graph.conditions.iter().for_each(|condition| drop(shape(condition, &mut leaves)));
    leaves.into_iter().collect()
}

impl Query<'_> {
    /// Marks the leaves of a value that the flow tested on the way to it: their answers are there. Where several leaves
    /// ask the same, whose answer it is cannot be told.
    pub(super) fn just_asked(&mut self, condition: &Condition, first: usize, tested: &HashSet<Leaf>) {
        let mut leaves = Vec::new();
        shape(condition, &mut leaves);
        let instances =
            |facts: &LeafFacts| -> BTreeSet<_> { facts.hits.iter().map(|hit| (hit.atom, hit.class)).collect() };
        let own: Vec<_> = self.leaves[first..].iter().map(instances).collect();
        for (at, _) in leaves.iter().enumerate().filter(|(_, leaf)| tested.contains(leaf)) {
            let is_other = |(other, them): (usize, &BTreeSet<_>)| other != at && !them.is_disjoint(&own[at]);
            if !own.iter().enumerate().any(is_other) {
                self.leaves[first + at].asked = Asked::JustNow;
            }
        }
    }
}
