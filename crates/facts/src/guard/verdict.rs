//! Whether each effect is guarded; and if not, which key fails, and how.

use super::atoms::Tests;
use super::classes::Classes;
use super::flow::Flow;
use super::plan::{Locals, Meaning, Plan, plan};
use super::query::Query;
use super::question::{Check, Formula};
use super::reading::{Binds, Place, agree};
use super::solve::{Solved, solve};
use super::state::{Cell, Why};
use super::then::Escape;
use super::thens::{Failing, Thens};
use super::whole::Instance;
use factgate_ir::graph::PointId;
use factgate_syntax::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// What was found about one effect.
pub(super) enum Verdict {
    /// No path leads to it.
    Unreachable,
    /// It is guarded, by these nodes.
    Guarded(BTreeSet<Shown>),
    /// It is not.
    Failed(Box<Failure>),
}

/// A node that shows a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shown {
    pub(super) node: NodeId,
    pub(super) by: By,
}

/// In which way a node shows a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// A check; its node had this truth, where it has one of its own.
    Check(Option<bool>),
    /// Passed before.
    After,
    /// Passed afterwards.
    Then,
}

/// The key that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    Check(usize),
    After(usize),
    Then(usize),
}

/// How a guard fails at one effect.
pub(super) struct Failure {
    pub(super) table: usize,
    pub(super) binds: Binds,
    pub(super) demand: Demand,
    pub(super) how: How,
    /// A point of the effect, and a valuation that reaches it unguarded.
    pub(super) point: PointId,
    pub(super) valuation: u32,
}

/// In which way a key fails.
#[derive(Clone, Debug)]
pub(super) enum How {
    /// Every path has the check with the other outcome.
    WrongOutcome(NodeId),
    /// Something was assigned.
    Reassigned(NodeId),
    /// The `without` node came between.
    Interrupted(NodeId),
    /// The `since` node came after the check.
    Stale(NodeId),
    /// The check came before any `since` node.
    TooEarly(NodeId),
    /// A path has no check, or no `after` node.
    Missing,
    /// A path leaves without the `then` node.
    Escapes(Escape),
    /// A path leaves without a `then` node of any table.
    EscapesAll(Escape),
}

impl How {
    /// How far the code is from what was asked for.
    fn distance(&self) -> usize {
        match self {
            How::Interrupted(_) | How::WrongOutcome(_) | How::Escapes(_) | How::EscapesAll(_) => 0,
            How::Stale(_) | How::TooEarly(_) => 1,
            How::Reassigned(_) => 2,
            How::Missing => 3,
        }
    }
}

/// An analysis of the effects that share their bindings.
pub(super) struct Analysis<'a, 'q, 'r> {
    pub(super) query: &'a Query<'q, 'r>,
    pub(super) plan: Plan,
    pub(super) solved: Solved,
}

impl<'a, 'q, 'r> Analysis<'a, 'q, 'r> {
    fn new(
        query: &'a Query<'q, 'r>,
        (tests, flow): (&mut Tests<'r>, &Flow),
        binds: Vec<Binds>,
        locals: Locals,
    ) -> Analysis<'a, 'q, 'r> {
        let plan = plan(query, tests, flow, binds, locals);
        let solved = solve(query.reading, &plan);
        Analysis { query, plan, solved }
    }

    /// What says that an atom has an outcome.
    pub(super) fn instances(&self, binds: usize, atom: usize, outcome: bool) -> impl Iterator<Item = Instance> + '_ {
        let known = self.plan.instances.get(&(binds, atom)).into_iter().flatten();
        known.map(move |&(cell, [yes, no]): &(usize, [Classes; 2])| match outcome {
            true => Instance { cell, good: yes, bad: no },
            false => Instance { cell, good: no, bad: yes },
        })
    }

    fn known(&self, cells: &[Cell], binds: usize, formula: &Formula) -> bool {
        formula.holds(&mut |atom, outcome| {
            self.instances(binds, atom, outcome).any(|instance| instance.truth(cells) == Some(true))
        })
    }

    /// The node by which a formula of several parts was known as a whole.
    fn whole(&self, binds: usize, table: usize, check: usize, formula: usize, cells: &[Cell]) -> Option<NodeId> {
        let cell = *self.plan.cells.get(&Meaning::Whole { binds, table, check, formula })?;
        match cells[cell] {
            Cell::Among(_, node, _) => Some(node),
            Cell::Unknown(_) | Cell::Known(_) => None,
        }
    }

    fn after_cell(&self, binds: usize, table: usize, after: usize) -> Option<usize> {
        self.plan.cells.get(&Meaning::After { binds, table, after }).copied()
    }

    /// The keys of a table that fail for one valuation.
    fn failing(&self, binds: usize, table: usize, cells: &[Cell], thens: &Thens) -> Vec<Demand> {
        let keys = &self.query.asked.tables[table];
        let fails = |index: &usize| {
            let formulas = keys.checks[*index].formulas.iter().enumerate();
            let was_known = |formula| self.whole(binds, table, *index, formula, cells).is_some();
            !formulas.into_iter().any(|(at, formula)| self.known(cells, binds, formula) || was_known(at))
        };
        let passed = |after: usize| {
            self.after_cell(binds, table, after).is_some_and(|cell| matches!(cells[cell], Cell::Known(_)))
        };
        let checks = (0..keys.checks.len()).filter(fails).map(Demand::Check);
        let afters = (0..keys.afters.len()).filter(|&index| !passed(index)).map(Demand::After);
        let escapes = |index: &usize| thens[&(binds, table, *index)].is_err();
        checks.chain(afters).chain((0..keys.thens.len()).filter(escapes).map(Demand::Then)).collect()
    }

    fn verdict(&self, effect: &Place) -> Verdict {
        let reading = self.query.reading;
        let reached = |mark: &&PointId| self.solved.is_reached(reading.start(**mark));
        let points: Vec<PointId> = reading.points(effect.at).iter().filter(reached).copied().collect();
        if points.is_empty() {
            return Verdict::Unreachable;
        }
        let fits = |&binds: &usize| agree(&self.plan.binds[binds], &effect.binds);
        let binds: Vec<usize> = (0..self.plan.binds.len()).filter(fits).collect();
        let mut shown = BTreeSet::new();
        let mut failures = Vec::new();
        let (mut held, mut escape) = (false, None);
        for point in points {
            let (at, thens) = (point, self.thens(point, &binds));
            let point = reading.start(point);
            for &valuation in self.solved.valuations(point) {
                let cells = self.solved.states.cells(valuation);
                let mut guarded = false;
                let mut failing = Vec::new();
                for &bound in &binds {
                    for table in 0..self.query.places.len() {
                        let demands = self.failing(bound, table, cells, &thens);
                        if demands.is_empty() {
                            guarded = true;
                            self.show(bound, table, cells, &thens, &mut shown);
                        }
                        failing.push((bound, table, demands));
                    }
                }
                if !guarded {
                    match self.one_of_thens(at, cells, &failing) {
                        Ok(passed) => {
                            guarded = true;
                            shown.extend(passed);
                        }
                        Err(found) => escape = escape.or(found),
                    }
                }
                held |= guarded;
                if !guarded {
                    failures.push((point, valuation, failing));
                }
            }
        }
        if failures.is_empty() {
            return Verdict::Guarded(shown);
        }
        match (self.failure(&failures, held, &effect.binds), escape) {
            (Verdict::Failed(failure), Some(escape)) if matches!(failure.how, How::Escapes(_)) => {
                Verdict::Failed(Box::new(Failure { how: How::EscapesAll(escape), ..*failure }))
            }
            (verdict, _) => verdict,
        }
    }

    /// Whether the failing key fails for a valuation.
    pub(super) fn fails_with(&self, failure: &Failure, cells: &[Cell]) -> bool {
        let fits = |&binds: &usize| agree(&self.plan.binds[binds], &failure.binds);
        let binds: Vec<usize> = (0..self.plan.binds.len()).filter(fits).collect();
        let thens = self.thens(failure.point, &binds);
        binds.iter().all(|&bound| self.failing(bound, failure.table, cells, &thens).contains(&failure.demand))
    }

    /// The nodes that make a table hold.
    fn show(&self, binds: usize, table: usize, cells: &[Cell], thens: &Thens, shown: &mut BTreeSet<Shown>) {
        let keys = &self.query.asked.tables[table];
        let of_check = |(check, keys): (usize, &'q Check)| {
            keys.formulas.iter().enumerate().map(move |(at, formula)| (check, at, formula))
        };
        for (check, at, formula) in keys.checks.iter().enumerate().flat_map(of_check) {
            let mut literals = Vec::new();
            let whole = self.whole(binds, table, check, at, cells);
            if self.known(cells, binds, formula) {
                formula.literals(&mut literals);
            } else if let Some(node) = whole {
                shown.insert(Shown { node, by: By::Check(None) });
            }
            // What was tested again, once all of it was known, shows nothing more.
            let shows = |node: NodeId| whole.is_none_or(|since| node <= since);
            for (atom, outcome) in literals {
                for instance in self.instances(binds, atom, outcome) {
                    if let Cell::Among(_, node, _) = cells[instance.cell]
                        && instance.truth(cells) == Some(true)
                        && shows(node)
                    {
                        shown.insert(Shown { node, by: By::Check(self.truth(node, instance)) });
                    }
                }
            }
        }
        for after in 0..keys.afters.len() {
            if let Some(cell) = self.after_cell(binds, table, after)
                && let Cell::Known(node) = cells[cell]
            {
                shown.insert(Shown { node, by: By::After });
            }
        }
        for then in 0..keys.thens.len() {
            if let Ok(nodes) = &thens[&(binds, table, then)] {
                shown.extend(nodes.iter().map(|&node| Shown { node, by: By::Then }));
            }
        }
    }

    /// The truth that a check's node had when it gave an atom this outcome, where it has one of its own.
    fn truth(&self, node: NodeId, instance: Instance) -> Option<bool> {
        let outcome = self.plan.outcome(node, instance)?;
        let own = self.query.reading.own_truth(node)?;
        Some(outcome == own)
    }

    /// The most telling way in which the effect fails.
    fn failure(&self, failures: &[Fail], held: bool, effect: &Binds) -> Verdict {
        // The candidate and table that come closest: fewest failing keys, most that is known about them.
        let mut scores: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
        for (_, valuation, failing) in failures {
            let cells = self.solved.states.cells(*valuation);
            for (binds, table, demands) in failing {
                let score = scores.entry((*binds, *table)).or_default();
                score.0 += demands.len();
                score.1 += demands.iter().filter(|&&demand| !self.is_blank(*binds, *table, demand, cells)).count();
            }
        }
        let closest = scores.iter().min_by_key(|(_, (failing, known))| (*failing, usize::MAX - known));
        let Some((&(binds, table), _)) = closest else {
            return Verdict::Unreachable;
        };
        let of_closest = |fail: &Fail| {
            let demands = fail.2.iter().find(|(b, t, _)| (*b, *t) == (binds, table)).map(|(_, _, demands)| demands);
            demands.and_then(|demands| demands.first().copied()).map(|demand| (fail.0, fail.1, demand))
        };
        let all: Vec<_> = failures.iter().filter_map(of_closest).collect();
        let mut best: Option<(usize, Failure)> = None;
        for &(point, valuation, demand) in &all {
            let (rank, how) =
                self.how(binds, table, demand, point, valuation, held || !self.all_wrong(binds, table, &all));
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                let candidate = &self.plan.binds[binds];
                let mut bound = candidate.clone();
                bound.extend(effect.iter().map(|(name, key)| (name.clone(), *key)));
                best = Some((rank, Failure { table, binds: bound, demand, how, point, valuation }));
            }
        }
        best.map_or(Verdict::Unreachable, |(_, failure)| Verdict::Failed(Box::new(failure)))
    }

    fn is_blank(&self, binds: usize, table: usize, demand: Demand, cells: &[Cell]) -> bool {
        self.cells_of(binds, table, demand).iter().all(|&(cell, _)| cells[cell] == Cell::Unknown(Why::Never))
    }

    /// The cells that a key looks at, with what it wants of each.
    fn cells_of(&self, binds: usize, table: usize, demand: Demand) -> Vec<(usize, Option<Instance>)> {
        let keys = &self.query.asked.tables[table];
        match demand {
            Demand::Check(index) => {
                let mut literals = Vec::new();
                keys.checks[index].formulas.iter().for_each(|formula| formula.literals(&mut literals));
                let cells = |(atom, outcome)| self.instances(binds, atom, outcome);
                literals.into_iter().flat_map(cells).map(|instance| (instance.cell, Some(instance))).collect()
            }
            Demand::After(index) => self.after_cell(binds, table, index).map(|cell| (cell, None)).into_iter().collect(),
            Demand::Then(_) => Vec::new(),
        }
    }

    /// Whether every path that reaches the effect has the check, with the other outcome.
    fn all_wrong(&self, binds: usize, table: usize, all: &[(PointId, u32, Demand)]) -> bool {
        all.iter().all(|&(_, valuation, demand)| {
            let cells = self.solved.states.cells(valuation);
            let wrong = |(_, wanted): &(usize, Option<Instance>)| {
                wanted.is_some_and(|wanted| wanted.truth(cells) == Some(false))
            };
            self.cells_of(binds, table, demand).iter().any(wrong)
        })
    }

    fn how(
        &self,
        binds: usize,
        table: usize,
        demand: Demand,
        point: PointId,
        valuation: u32,
        mixed: bool,
    ) -> (usize, How) {
        if let Demand::Then(index) = demand {
            let candidates = [binds];
            let thens = self.thens(point, &candidates);
            return match &thens[&(binds, table, index)] {
                Err(escape) => (0, How::Escapes(escape.clone())),
                Ok(_) => (9, How::Missing),
            };
        }
        let cells = self.solved.states.cells(valuation);
        let ranked = |&(cell, wanted): &(usize, Option<Instance>)| match cells[cell] {
            Cell::Among(_, node, _) => {
                let is_wrong = wanted.is_some_and(|wanted| wanted.truth(cells) == Some(false));
                match self.plan.is_tested(node) {
                    _ if !is_wrong => None,
                    false => Some((1, How::Reassigned(node))),
                    true => (!mixed).then_some((0, How::WrongOutcome(node))),
                }
            }
            Cell::Known(_) => None,
            Cell::Unknown(Why::Reassigned(node)) => Some((1, How::Reassigned(node))),
            Cell::Unknown(Why::Interrupted(node)) => Some((2, How::Interrupted(node))),
            Cell::Unknown(Why::Stale(node)) => Some((3, How::Stale(node))),
            Cell::Unknown(Why::TooEarly(node)) => Some((4, How::TooEarly(node))),
            Cell::Unknown(Why::Never) => None,
        };
        let all = self.cells_of(binds, table, demand);
        all.iter().filter_map(ranked).min_by_key(|(rank, _)| *rank).unwrap_or((5, How::Missing))
    }
}

type Fail = (PointId, u32, Vec<Failing>);

/// Decides every effect; `visit` is called with each verdict and the analysis that it comes from.
pub(super) fn decide_effects<'q, 'r>(
    query: &Query<'q, 'r>,
    tests: &mut Tests<'r>,
    flow: &Flow,
    visit: &mut dyn FnMut(&Place, Verdict, &Analysis<'_, 'q, 'r>),
) {
    for (shared, effects) in query.groups() {
        let candidates = query.candidates(&shared);
        // Following fewer variables gives smaller states; what any of the analyses shows is shown.
        let mut left = effects;
        for locals in [Locals::All, Locals::Holding, Locals::None] {
            let analysis = Analysis::new(query, (&mut *tests, flow), candidates.clone(), locals);
            let last = !analysis.solved.states.collapsed || locals == Locals::None && candidates.len() < 2;
            left = undecided(&analysis, left, last, visit);
            if last {
                break;
            }
        }
        one_by_one(query, (&mut *tests, flow), &candidates, left, visit);
    }
}

/// Visits the effects that an analysis decides: all of them when it is the `last`, else those that it shows guarded.
fn undecided<'e, 'q, 'r>(
    analysis: &Analysis<'_, 'q, 'r>,
    effects: Vec<&'e Place>,
    last: bool,
    visit: &mut dyn FnMut(&Place, Verdict, &Analysis<'_, 'q, 'r>),
) -> Vec<&'e Place> {
    let mut left = Vec::new();
    for effect in effects {
        match analysis.verdict(effect) {
            Verdict::Failed(_) if !last => left.push(effect),
            verdict => visit(effect, verdict, analysis),
        }
    }
    left
}

/// Where all bindings together are too much to follow, one binding may show the guard by itself.
fn one_by_one<'q, 'r>(
    query: &Query<'q, 'r>,
    (tests, flow): (&mut Tests<'r>, &Flow),
    candidates: &[Binds],
    mut left: Vec<&Place>,
    visit: &mut dyn FnMut(&Place, Verdict, &Analysis<'_, 'q, 'r>),
) {
    let mut analyses = Vec::new();
    for binds in candidates {
        if left.is_empty() {
            return;
        }
        let analysis = Analysis::new(query, (&mut *tests, flow), vec![binds.clone()], Locals::Holding);
        left = undecided(&analysis, left, false, visit);
        analyses.push(analysis);
    }
    for effect in left {
        let failed = analyses.iter().filter_map(|analysis| match analysis.verdict(effect) {
            Verdict::Failed(failure) => Some((analysis, failure)),
            _ => None,
        });
        // What came between a check and the effect tells more than that there is no check.
        let closest = failed.min_by_key(|(_, failure)| failure.how.distance());
        if let Some((analysis, failure)) = closest {
            visit(effect, Verdict::Failed(failure), analysis);
        }
    }
}
