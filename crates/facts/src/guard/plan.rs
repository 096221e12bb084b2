//! From matched places to what each point of the graph does to a valuation: the cells of one analysis and their layout.

use super::atoms::Tests;
use super::classes::Classes;
use super::code::Means;
use super::flow::{Flow, Spot};
use super::forms::FormId;
use super::points;
use super::query::Query;
use super::question::Formula;
use super::reading::{Binds, Place, Seen, agree};
use super::state::{Cell, Filter, Op, UNKNOWN, Valuation};
use super::whole::{Instance, Parts, Whole};
use crate::core::ReadId;
use factgate_ir::ValueId;
use factgate_ir::graph::{Action, FrameId, PointId};
use factgate_syntax::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Variables and members followed in one analysis.
const MOST_LOCALS: usize = 6;

/// Which variables and members are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locals {
    /// Those that hold a condition, a constant, or are tested twice.
    All,
    /// Those that hold a condition which says something about the guard.
    Holding,
    /// None.
    None,
}

/// What a cell stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// What the value of a form may be; by bindings and table where these have keys of their own that end it.
    Fact { of: Option<(usize, usize)>, form: FormId },
    /// A check's formula of several parts was known.
    Whole { binds: usize, table: usize, check: usize, formula: usize },
    /// An `after` node of a table was passed.
    After { binds: usize, table: usize, after: usize },
    /// A `since` node of a table was passed.
    Since { binds: usize, table: usize },
    /// A name still has the value that stands for it.
    Stand(Means),
    /// A value that was read is what would be read now.
    Fresh(FrameId, ValueId),
    /// What a variable, slot, value or member may be.
    Spot(Spot),
}

/// A cell, and the classes for which an atom may be true, or false.
pub(super) type Said = (usize, [Classes; 2]);

/// Everything that one analysis follows.
pub(super) struct Plan {
    pub(super) binds: Vec<Binds>,
    pub(super) cells: BTreeMap<Meaning, usize>,
    pub(super) ops: Vec<Vec<Op>>,
    /// By bindings and atom: the cells that say what its outcome is, and the classes for which it may be true, or false.
    pub(super) instances: BTreeMap<(usize, usize), Vec<Said>>,
    /// The cells that outlive a search which looks at values alone.
    spots: BTreeSet<usize>,
}

/// What ends a cell.
#[derive(Default)]
pub(super) struct Ended {
    pub(super) reads: Vec<ReadId>,
    /// The nodes whose own assignment is part of what makes it known: `const x = pre()` as `after`.
    pub(super) own: BTreeSet<Seen>,
}

/// Lays out cells, and says what each point does to them.
pub(super) struct Planner<'p, 'q, 'r> {
    pub(super) query: &'p Query<'q, 'r>,
    pub(super) tests: &'p mut Tests<'r>,
    pub(super) flow: &'p Flow,
    pub(super) plan: Plan,
    pub(super) ended: Vec<Ended>,
    pub(super) by_form: BTreeMap<FormId, Vec<usize>>,
    pub(super) wholes: Vec<Rc<Whole>>,
    pub(super) followed: BTreeSet<Spot>,
}

/// Lays out the cells for these bindings and what each point does to them.
pub(super) fn plan<'r>(
    query: &Query<'_, 'r>,
    tests: &mut Tests<'r>,
    flow: &Flow,
    binds: Vec<Binds>,
    locals: Locals,
) -> Plan {
    let (cells, ops, instances, spots) = Default::default();
    let plan = Plan { binds, cells, ops, instances, spots };
    let (ended, by_form, wholes, followed) = Default::default();
    let mut planner = Planner { query, tests, flow, plan, ended, by_form, wholes, followed };
    planner.lay_out();
    planner.lay_out_wholes();
    planner.lay_out_spots(locals);
    points::fill(&mut planner);
    let spots = planner.plan.cells.iter().filter(|(meaning, _)| matches!(meaning, Meaning::Spot(_)));
    planner.plan.spots = spots.map(|(_, &cell)| cell).collect();
    planner.plan
}

impl Planner<'_, '_, '_> {
    pub(super) fn cell(&mut self, meaning: Meaning, reads: impl FnOnce(&mut Self) -> Vec<ReadId>) -> usize {
        if let Some(&cell) = self.plan.cells.get(&meaning) {
            return cell;
        }
        let reads = reads(self);
        let cell = self.ended.len();
        if let Meaning::Fact { form, .. } | Meaning::Spot(Spot::Form(form)) = meaning {
            self.by_form.entry(form).or_default().push(cell);
        }
        if let Meaning::Spot(Spot::Var(means)) = meaning {
            let form = self.tests.forms.id(super::forms::Form::Means(means));
            self.by_form.entry(form).or_default().push(cell);
        }
        self.ended.push(Ended { reads, own: BTreeSet::new() });
        self.plan.cells.insert(meaning, cell);
        cell
    }

    pub(super) fn known(&self, meaning: &Meaning) -> Option<usize> {
        self.plan.cells.get(meaning).copied()
    }

    /// What the values of a form read.
    pub(super) fn reads_of(&self, form: FormId) -> Vec<ReadId> {
        let effects = self.query.reading.effects;
        let mut reads: Vec<ReadId> = Vec::new();
        for (frame, value, replaced) in self.tests.values.get(&form).into_iter().flatten() {
            // A name that was replaced is no longer read.
            let others: Vec<ReadId> = replaced.iter().filter_map(|&means| self.read_of_name(means)).collect();
            reads.extend(effects.reads(*frame, &[*value]).iter().filter(|read| !others.contains(read)));
        }
        for &(frame, op) in self.tests.places.get(&form).into_iter().flatten() {
            let unit = self.query.reading.graph().unit(frame);
            let op = self.query.reading.names.sight.index(unit).op(op);
            if let Some(factgate_ir::Does::Write { place, .. }) = op.map(|op| &op.does) {
                reads.extend(effects.reads_of_place(frame, place).iter());
            }
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// The bindings and table that a fact of a table belongs to, when it has keys that end it.
    pub(super) fn group(&self, binds: usize, table: usize) -> Option<(usize, usize)> {
        let (keys, places) = (&self.query.asked.tables[table], &self.query.places[table]);
        let ends = keys.suspension || places.since.is_some() || !places.between.is_empty() || !places.unseen.is_empty();
        ends.then_some((binds, table))
    }

    pub(super) fn table_of(&self, atom: usize) -> usize {
        self.query.asked.tables.iter().position(|table| table.atoms.contains(&atom)).unwrap_or(0)
    }

    fn lay_out(&mut self) {
        let query = self.query;
        for binds in 0..self.plan.binds.len() {
            for bound in &query.hits {
                if !agree(&self.plan.binds[binds], &bound.binds) {
                    continue;
                }
                let of = self.group(binds, self.table_of(bound.hit.atom));
                let form = bound.hit.form;
                let cell = self.cell(Meaning::Fact { of, form }, |planner| planner.reads_of(form));
                let known = self.plan.instances.entry((binds, bound.hit.atom)).or_default();
                if !known.contains(&(cell, bound.hit.when)) {
                    known.push((cell, bound.hit.when));
                }
            }
            for (table, places) in query.places.iter().enumerate() {
                for (after, found) in places.afters.iter().enumerate() {
                    let names = query.asked.tables[table].afters[after].iter().flat_map(|pattern| pattern.names());
                    let reads = query.about(&self.plan.binds[binds], names, found);
                    self.passed_cell(Meaning::After { binds, table, after }, reads, found);
                }
                if let Some(found) = &places.since {
                    let names = found.iter().flat_map(|place| place.binds.keys().map(String::as_str));
                    let reads = query.about(&self.plan.binds[binds], names, found);
                    self.passed_cell(Meaning::Since { binds, table }, reads, found);
                }
            }
        }
    }

    /// A cell that passing one of these places makes known.
    fn passed_cell(&mut self, meaning: Meaning, reads: Vec<ReadId>, places: &[Place]) {
        let cell = self.cell(meaning, |_| reads);
        self.ended[cell].own = places.iter().map(|place| place.at).collect();
    }

    /// A cell for each formula of several parts, ended by whatever ends one of them.
    fn lay_out_wholes(&mut self) {
        let query = self.query;
        for binds in 0..self.plan.binds.len() {
            for (table, keys) in query.asked.tables.iter().enumerate() {
                for (check, asked) in keys.checks.iter().enumerate() {
                    for (formula, asked) in asked.formulas.iter().enumerate() {
                        let parts = self.parts(binds, asked);
                        let mut cells = BTreeSet::new();
                        parts.cells(&mut cells);
                        if cells.len() > 1 && !matches!(asked, Formula::Literal { .. }) {
                            let all: BTreeSet<ReadId> =
                                cells.iter().flat_map(|&cell| self.ended[cell].reads.clone()).collect();
                            let meaning = Meaning::Whole { binds, table, check, formula };
                            let cell = self.cell(meaning, |_| all.into_iter().collect());
                            let calls = self.calling(&cells);
                            self.wholes.push(Rc::new(Whole { cell, parts, cells, calls }));
                        }
                    }
                }
            }
        }
    }

    /// Those of some cells whose conditions call something.
    fn calling(&self, cells: &BTreeSet<usize>) -> BTreeSet<usize> {
        let calls = |meaning: &Meaning| match meaning {
            Meaning::Fact { form, .. } => self.tests.forms.calls(*form),
            _ => false,
        };
        let all = self.plan.cells.iter().filter(|&(meaning, cell)| cells.contains(cell) && calls(meaning));
        all.map(|(_, &cell)| cell).collect()
    }

    fn parts(&self, binds: usize, formula: &Formula) -> Parts {
        match formula {
            Formula::Literal { atom, outcome } => {
                let known = self.plan.instances.get(&(binds, *atom)).into_iter().flatten();
                let instance = |&(cell, [yes, no]): &(usize, [Classes; 2])| match outcome {
                    true => Instance { cell, good: yes, bad: no },
                    false => Instance { cell, good: no, bad: yes },
                };
                Parts::One(known.map(instance).collect())
            }
            Formula::All(parts) => Parts::All(parts.iter().map(|part| self.parts(binds, part)).collect()),
            Formula::Any(parts) => Parts::Any(parts.iter().map(|part| self.parts(binds, part)).collect()),
            Formula::Constant(value) => Parts::Constant(*value),
        }
    }

    /// Cells for what holds a condition or a constant on its way to a test.
    fn lay_out_spots(&mut self, locals: Locals) {
        if locals == Locals::None {
            return;
        }
        let holding = self.holding(locals);
        for &spot in &holding {
            if !matches!(spot, Spot::Var(_)) {
                self.follow(spot);
            }
        }
        let mut vars: Vec<Spot> = holding.into_iter().filter(|spot| matches!(spot, Spot::Var(_))).collect();
        if locals == Locals::All {
            vars.extend(self.members());
        }
        vars.into_iter().take(MOST_LOCALS).for_each(|spot| self.follow(spot));
    }

    fn follow(&mut self, spot: Spot) {
        self.followed.insert(spot);
        self.cell(Meaning::Spot(spot), |planner| match spot {
            Spot::Form(form) => planner.reads_of(form),
            Spot::Var(means) => planner.read_of_name(means).into_iter().collect(),
            _ => Vec::new(),
        });
    }

    fn read_of_name(&self, means: Means) -> Option<ReadId> {
        let reading = self.query.reading;
        let Means::Var(unit, var, _) = means else { return None };
        let met = self.tests.forms.met(means).filter(|&frame| reading.graph().unit(frame) == unit);
        met.map(|frame| reading.effects.read_of_var(frame, var))
    }

    /// What holds something that a test of the guard's condition, or a constant, says.
    fn holding(&mut self, locals: Locals) -> BTreeSet<Spot> {
        let names = self.tests.names;
        let useful = self.query.useful.clone();
        let mut sources: BTreeSet<Spot> = BTreeSet::new();
        for &spot in &useful {
            if let Spot::Value(frame, value) = spot
                && self.says(frame, value)
            {
                sources.insert(spot);
            }
        }
        let all = self.tests.domain.all();
        for one in self.flow.moves.iter().flatten() {
            let is_constant = one.from.is_none() || one.classes & all != all;
            let is_flag = one.classes & all != all && is_constant;
            let counts = match one.to {
                Spot::Var(_) => locals == Locals::All,
                Spot::Slot(..) | Spot::Result(_) => true,
                _ => false,
            };
            if is_flag && counts {
                sources.insert(one.to);
            }
        }
        // What was tested and goes on is known to be true or false there.
        let stored = self.flow.moves.iter().flatten().filter(|one| !matches!(one.to, Spot::Var(_)));
        sources.extend(stored.filter_map(|one| one.from).filter(|from| self.query.sinks.contains(from)));
        if locals == Locals::All {
            sources.extend(self.tested_twice());
        }
        let behind = self.flow.behind(names, sources);
        useful.into_iter().filter(|spot| behind.contains(spot)).collect()
    }

    /// Whether the truth of a value says something about a fact.
    pub(super) fn says(&mut self, frame: FrameId, value: ValueId) -> bool {
        let learnt = self.tests.learnt(frame, &factgate_ir::Atom::Truth(value));
        learnt.iter().any(|learnt| self.by_form.contains_key(&learnt.form))
    }

    /// Variables that several tests ask.
    fn tested_twice(&mut self) -> Vec<Spot> {
        let asked = self.asked_forms();
        let twice = asked.into_iter().filter(|(_, nodes)| nodes.len() > 1);
        twice.filter_map(|(form, _)| self.tests.forms.as_name(form).map(Spot::Var)).collect()
    }

    /// Members that several tests ask, and that call nothing.
    fn members(&mut self) -> Vec<Spot> {
        let asked = self.asked_forms();
        let is_member = |planner: &Self, form: FormId| {
            use super::forms::Form;
            let is = matches!(planner.tests.forms.get(form), Form::Text(..) | Form::Member(..) | Form::Deref(_));
            is && !planner.tests.forms.calls(form)
        };
        let twice = asked.into_iter().filter(|(form, nodes)| nodes.len() > 1 && is_member(self, *form));
        twice.map(|(form, _)| Spot::Form(form)).collect()
    }

    /// The forms that tests ask, and where.
    fn asked_forms(&mut self) -> BTreeMap<FormId, BTreeSet<Seen>> {
        let graph = self.query.reading.graph();
        let mut found: BTreeMap<FormId, BTreeSet<Seen>> = BTreeMap::new();
        for id in graph.ids() {
            let point = graph.point(id);
            if let Action::Assume { atom, node, .. } = &point.action {
                for learnt in self.tests.learnt(point.frame, atom) {
                    found.entry(learnt.form).or_default().insert((point.frame, *node));
                }
            }
        }
        found
    }
}

impl Plan {
    /// The outcome of the test at a node that gave an atom the wanted outcome.
    pub(super) fn outcome(&self, node: NodeId, instance: Instance) -> Option<bool> {
        self.ops.iter().flatten().find_map(|op| match op {
            Op::Assume(assumed) if assumed.node == node => {
                let says = |filter: &&Filter| filter.cell == instance.cell && filter.among & instance.bad == 0;
                assumed.filters.iter().find(says).map(|_| assumed.outcome)
            }
            _ => None,
        })
    }

    /// Whether a node is a test, and not an assignment that says what its target is.
    pub(super) fn is_tested(&self, node: NodeId) -> bool {
        let is_assignment = |op: &Op| matches!(op, Op::Assume(assumed) if assumed.node == node && !assumed.is_test);
        !self.ops.iter().flatten().any(is_assignment)
    }

    /// What is left of a valuation behind a point, where only what values hold is looked at.
    pub(super) fn move_spots(&self, cells: &[Cell], at: PointId) -> Vec<Valuation> {
        let mut open: Vec<Valuation> = vec![cells.into()];
        for op in &self.ops[at.index()] {
            open = open.into_iter().flat_map(|cells| op.apply(cells)).map(|cells| self.only_spots(&cells)).collect();
            open.sort_unstable();
            open.dedup();
        }
        open
    }

    /// A valuation that says nothing but what values hold.
    pub(super) fn only_spots(&self, cells: &[Cell]) -> Valuation {
        let mut kept: Valuation = vec![UNKNOWN; cells.len()].into();
        for &cell in &self.spots {
            kept[cell] = cells[cell];
        }
        kept
    }
}
