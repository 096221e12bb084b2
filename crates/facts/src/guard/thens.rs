//! The `then` keys of all tables at one effect: each by itself, and, with `any`, one of them on each path.

use super::reading::agree;
use super::spec::ThenOn;
use super::state::{Cell, Valuation};
use super::then::{Escape, Wanted, Way, follow};
use super::verdict::{Analysis, By, Demand, Shown};
use factgate_ir::graph::PointId;
use factgate_syntax::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// What following the `then` nodes came to, by candidate bindings, table and key.
pub(super) type Thens = BTreeMap<(usize, usize, usize), Result<BTreeSet<NodeId>, Escape>>;
/// Candidate bindings, a table, and its keys that fail.
pub(super) type Failing = (usize, usize, Vec<Demand>);

/// Ways of choosing one key of each table beyond which the effect counts as unguarded.
const MOST: usize = 32;

impl Analysis<'_, '_, '_> {
    /// Follows the `then` nodes from one point, for each candidate.
    pub(super) fn thens(&self, point: PointId, binds: &[usize]) -> Thens {
        let mut found = Thens::new();
        let valuations = self.solved.valuations(point).iter();
        let starts: BTreeSet<_> = valuations.map(|&id| self.plan.only_spots(self.solved.states.cells(id))).collect();
        for &bound in binds {
            for (table, keys) in self.query.asked.tables.iter().enumerate() {
                for index in 0..keys.thens.len() {
                    let wanted = self.united(bound, &[(table, index)]);
                    found.insert((bound, table, index), self.followed(point, &starts, bound, &wanted));
                }
            }
        }
        found
    }

    fn followed(
        &self,
        from: PointId,
        starts: &BTreeSet<Valuation>,
        bound: usize,
        wanted: &Wanted,
    ) -> Result<BTreeSet<NodeId>, Escape> {
        let candidate = &self.plan.binds[bound];
        let names = wanted.places.iter().flat_map(|place| place.binds.keys().map(String::as_str));
        let ends = self.query.about(candidate, names, &wanted.places);
        follow(self.query.reading, &Way { plan: &self.plan, from, starts }, wanted, candidate, &ends)
    }

    /// Whether each path from an effect passes all `then` nodes of one table or another, where those tables ask for
    /// nothing else that fails: then, whichever of its keys is taken of each, every path passes one that was taken.
    /// Otherwise a path that passes none, where there are such tables.
    pub(super) fn one_of_thens(
        &self,
        point: PointId,
        cells: &[Cell],
        failing: &[Failing],
    ) -> Result<BTreeSet<Shown>, Option<Escape>> {
        let starts = BTreeSet::from([self.plan.only_spots(cells)]);
        let candidates: BTreeSet<usize> = failing.iter().map(|(bound, ..)| *bound).collect();
        let mut escape = None;
        for bound in candidates {
            let own = failing.iter().filter(|(other, ..)| *other == bound);
            let tables: Vec<(usize, Vec<usize>)> =
                own.filter_map(|(_, table, of)| Some((*table, thens(of)?))).collect();
            if tables.len() < 2 || tables.iter().map(|(_, keys)| keys.len()).product::<usize>() > MOST {
                continue;
            }
            let each = choices(&tables);
            let each = each.iter().map(|chosen| self.followed(point, &starts, bound, &self.united(bound, chosen)));
            match each.collect::<Result<Vec<_>, _>>() {
                Ok(passed) => {
                    return Ok(passed.into_iter().flatten().map(|node| Shown { node, by: By::Then }).collect());
                }
                Err(found) => escape = Some(found),
            }
        }
        Err(escape)
    }

    /// Several keys as one.
    fn united(&self, bound: usize, chosen: &[(usize, usize)]) -> Wanted {
        let mut united = Wanted { places: Vec::new(), on: ThenOn::EveryEnd };
        for &(table, key) in chosen {
            let places = &self.query.places[table].thens[key];
            let agreeing = places.iter().filter(|place| agree(&self.plan.binds[bound], &place.binds));
            united.places.extend(agreeing.cloned());
            // A path that one of them does not ask about keeps what that one asks.
            if self.query.asked.tables[table].thens[key].on != ThenOn::EveryEnd {
                united.on = ThenOn::Return;
            }
        }
        united
    }
}

/// The `then` keys among failing keys, when there are no others.
fn thens(failing: &[Demand]) -> Option<Vec<usize>> {
    let then = |demand: &Demand| if let Demand::Then(key) = demand { Some(*key) } else { None };
    failing.iter().map(then).collect()
}

/// Every way of taking one key of each table.
fn choices(tables: &[(usize, Vec<usize>)]) -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new()];
    for (table, keys) in tables {
        let with = |chosen: &Vec<(usize, usize)>| {
            let chosen = chosen.clone();
            keys.iter().map(move |&key| [&chosen[..], &[(*table, key)]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}
