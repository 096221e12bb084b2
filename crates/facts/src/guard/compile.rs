//! From matched places to what each point of the graph does to a valuation.

use super::asked::Asked;
use super::assumed::{Assumed, Filter, Learn};
use super::code::{Mention, Target};
use super::condition::{Binds, Formula, Hit};
use super::ends::Ended;
use super::establish::Established;
use super::locals::Locals;
use super::query::{Known, LeafFacts, Query, Table, agree};
use super::shape::Shape;
use super::state::{Cell, Concerned, Op, UNKNOWN, Valuation, Why};
use super::whole::{Parts, Whole, concerned};
use crate::graph::{Action, PointId};
use factgate_syntax::{BindingId, NodeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What one point does.
#[derive(Clone, Debug, Default)]
pub(super) struct Ops {
    pub(super) list: Vec<Op>,
}

impl Ops {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// What a cell stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// An instance of an atom, under candidate bindings.
    Atom { binds: usize, atom: usize, class: super::code::Key },
    /// An `after` node of a table was passed.
    After { binds: usize, table: usize, after: usize },
    /// A `since` node of a table was passed.
    Since { binds: usize, table: usize },
    /// A check's formula of several parts was known.
    Whole { binds: usize, table: usize, check: usize, formula: usize },
    /// What a local variable holds.
    Local(BindingId),
    /// A local variable still stands for the member that it was declared as.
    Stand(BindingId),
}

/// Everything that one analysis follows.
pub(super) struct Plan {
    pub(super) binds: Vec<Binds>,
    pub(super) cells: BTreeMap<Meaning, usize>,
    pub(super) ops: Vec<Ops>,
}

pub(super) struct Compiler<'c, 'q> {
    pub(super) query: &'c Query<'q>,
    pub(super) plan: Plan,
    /// For each cell, what ends it when it is assigned.
    mentions: Vec<Vec<Mention>>,
    /// For each cell, the nodes whose own assignment is part of what makes it known: `const x = pre()` as `after`.
    own: Vec<Vec<NodeId>>,
    wholes: Vec<Whole>,
}

/// Lays out the cells for these bindings and what each point does to them.
pub(super) fn plan(query: &Query<'_>, binds: Vec<Binds>, locals: Locals) -> Plan {
    let plan = Plan { binds, cells: BTreeMap::new(), ops: Vec::new() };
    let mut compiler = Compiler { query, plan, mentions: Vec::new(), own: Vec::new(), wholes: Vec::new() };
    compiler.lay_out();
    compiler.lay_out_wholes();
    compiler.lay_out_locals(locals);
    compiler.plan.ops = query.reading.graph.ids().map(|id| compiler.ops(id)).collect();
    compiler.plan
}

impl Compiler<'_, '_> {
    pub(super) fn cell(&mut self, meaning: Meaning, mentions: Vec<Mention>) -> usize {
        let next = self.plan.cells.len();
        let cell = *self.plan.cells.entry(meaning).or_insert(next);
        if cell == next {
            self.mentions.push(mentions);
            self.own.push(Vec::new());
        }
        cell
    }

    /// A cell that passing one of these places makes known.
    fn passed_cell(&mut self, meaning: Meaning, mentions: Vec<Mention>, places: &[super::query::Place]) {
        let cell = self.cell(meaning, mentions);
        self.own[cell] = places.iter().map(|place| place.node).collect();
    }

    fn lay_out(&mut self) {
        let query = self.query;
        let needed = query.leaves.iter().flat_map(|leaf| &leaf.hits).flat_map(|hit| &hit.needs);
        for &binding in needed.collect::<BTreeSet<_>>() {
            let mentions = query.stands.get(&binding).map_or_else(Vec::new, |stand| stand.mentions.clone());
            self.cell(Meaning::Stand(binding), mentions);
        }
        for binds in 0..self.plan.binds.len() {
            let leaves = query.leaves.iter().flat_map(|leaf| &leaf.hits);
            let whole = query.conditions.iter().chain(query.values.values()).flat_map(|known| &known.whole);
            for hit in leaves.chain(whole) {
                if agree(&self.plan.binds[binds], &hit.binds) {
                    let meaning = Meaning::Atom { binds, atom: hit.atom, class: hit.class };
                    let mentions = query.forms.mentions(hit.class).to_vec();
                    self.cell(meaning, mentions);
                }
            }
            for (table, keys) in query.tables.iter().enumerate() {
                for (after, node) in keys.afters.iter().enumerate() {
                    let names = node.patterns.iter().flat_map(|pattern| pattern.names());
                    let mut mentions = self.shared_mentions(binds, names);
                    mentions.extend(query.spelled_mentions(&node.places));
                    self.passed_cell(Meaning::After { binds, table, after }, mentions, &node.places);
                }
                if let Some(places) = &keys.since {
                    let names = places.iter().flat_map(|place| place.binds.keys().map(String::as_str));
                    let mut mentions = self.shared_mentions(binds, names);
                    mentions.extend(query.spelled_mentions(places));
                    self.passed_cell(Meaning::Since { binds, table }, mentions, places);
                }
            }
        }
    }

    /// A cell for each formula of several parts, ended by whatever ends one of them.
    fn lay_out_wholes(&mut self) {
        let query = self.query;
        for binds in 0..self.plan.binds.len() {
            for (table, keys) in query.tables.iter().enumerate() {
                for (check, asked) in keys.checks.iter().enumerate() {
                    for (formula, asked) in asked.formulas.iter().enumerate() {
                        let mut cells = BTreeSet::new();
                        let parts = self.parts(binds, asked);
                        parts.cells(&mut cells);
                        if cells.len() > 1 && !matches!(asked, Formula::Literal { .. }) {
                            let mentions = cells.iter().flat_map(|&cell| self.mentions[cell].clone()).collect();
                            let cell = self.cell(Meaning::Whole { binds, table, check, formula }, mentions);
                            let calls = self.calling(&cells);
                            self.wholes.push(Whole { cell, parts, calls });
                        }
                    }
                }
            }
        }
    }

    /// Those of some cells whose conditions call something.
    fn calling(&self, cells: &BTreeSet<usize>) -> BTreeSet<usize> {
        let calls = |meaning: &Meaning| match meaning {
            Meaning::Atom { class, .. } => self.query.forms.is_calling(*class),
            _ => false,
        };
        let all = self.plan.cells.iter().filter(|&(meaning, cell)| cells.contains(cell) && calls(meaning));
        all.map(|(_, &cell)| cell).collect()
    }

    fn parts(&self, bound: usize, formula: &Formula) -> Parts {
        match formula {
            Formula::Literal { atom: wanted, outcome } => {
                let is_instance = |meaning: &Meaning| matches!(meaning, Meaning::Atom { binds, atom, .. } if (binds, atom) == (&bound, wanted));
                let cells = self.plan.cells.iter().filter(|(meaning, _)| is_instance(meaning));
                Parts::One { cells: cells.map(|(_, &cell)| cell).collect(), value: *outcome }
            }
            Formula::All(parts) => Parts::All(parts.iter().map(|part| self.parts(bound, part)).collect()),
            Formula::Any(parts) => Parts::Any(parts.iter().map(|part| self.parts(bound, part)).collect()),
            Formula::Constant(value) => Parts::Constant(*value),
        }
    }

    /// What the bindings say of those of these metavariables that several patterns share.
    fn shared_mentions<'n>(&self, binds: usize, names: impl Iterator<Item = &'n str>) -> Vec<Mention> {
        let keys: BTreeSet<_> = names.filter_map(|name| self.plan.binds[binds].get(name)).collect();
        keys.into_iter().flat_map(|&key| self.query.forms.mentions(key)).cloned().collect()
    }

    pub(super) fn assumed(&self, known: &Known) -> Assumed {
        let shape = self.shape(&known.shape);
        if known.whole.is_empty() {
            return shape;
        }
        let (learns, asked) = (self.learns(&known.whole, None), Asked::Anew);
        let whole = Assumed::Leaf { filter: None, learns, node: known.node, asked };
        Assumed::Same(vec![whole, shape])
    }

    pub(super) fn shape(&self, shape: &Shape) -> Assumed {
        match shape {
            Shape::Leaf(index) => {
                let leaf = &self.query.leaves[*index];
                let filter = leaf.asks.and_then(|(binding, ask)| {
                    let cell = *self.plan.cells.get(&Meaning::Local(binding))?;
                    Some(Filter { cell, when: self.query.flags.answers(ask) })
                });
                let learns = self.learns(&leaf.hits, Some(leaf));
                Assumed::Leaf { filter, learns, node: leaf.node, asked: leaf.asked }
            }
            Shape::Not(inner) => Assumed::Not(Box::new(self.shape(inner))),
            Shape::And(parts) => Assumed::All(parts.iter().map(|part| self.shape(part)).collect()),
            Shape::Or(parts) => Assumed::Any(parts.iter().map(|part| self.shape(part)).collect()),
            Shape::Same(parts) => Assumed::Same(parts.iter().map(|part| self.shape(part)).collect()),
            Shape::Also(first, second) => Assumed::Also(Box::new(self.shape(first)), Box::new(self.shape(second))),
            Shape::Choice(parts) => Assumed::Choice(Box::new(parts.each_ref().map(|part| self.shape(part)))),
            Shape::Constant(value) => Assumed::Constant(*value),
        }
    }

    fn learns(&self, hits: &[Hit], leaf: Option<&LeafFacts>) -> Vec<Learn> {
        let mut found = Vec::new();
        for hit in hits {
            let table = self.table_of(hit.atom);
            let is_stale = |bound: &Binds| leaf.is_some_and(|leaf| leaf.is_stale(table, bound));
            let fits = |bound: &Binds| agree(bound, &hit.binds) && !is_stale(bound);
            for binds in (0..self.plan.binds.len()).filter(|&binds| fits(&self.plan.binds[binds])) {
                let meaning = Meaning::Atom { binds, atom: hit.atom, class: hit.class };
                let since = self.plan.cells.get(&Meaning::Since { binds, table }).copied();
                if let Some(&cell) = self.plan.cells.get(&meaning) {
                    let need = |binding: &BindingId| self.plan.cells.get(&Meaning::Stand(*binding)).copied();
                    let needs = hit.needs.iter().filter_map(need).collect();
                    found.push(Learn { cell, on: hit.on, since, needs });
                }
            }
        }
        found
    }

    fn table_of(&self, atom: usize) -> usize {
        self.query.tables.iter().position(|table| table.atoms.contains(&atom)).unwrap_or(0)
    }

    /// The cells of a table's checks and `after` nodes, under these bindings; and those of variables that stand for a
    /// member: what they hold was read before.
    fn cells_of(&self, binds: usize, table: usize) -> Vec<usize> {
        let atoms = &self.query.tables[table].atoms;
        let belongs = |meaning: &Meaning| match meaning {
            Meaning::Atom { binds: b, atom, .. } => *b == binds && atoms.contains(atom),
            Meaning::After { binds: b, table: t, .. } | Meaning::Whole { binds: b, table: t, .. } => {
                (*b, *t) == (binds, table)
            }
            Meaning::Stand(_) => true,
            Meaning::Since { .. } | Meaning::Local(_) => false,
        };
        self.plan.cells.iter().filter(|(meaning, _)| belongs(meaning)).map(|(_, &cell)| cell).collect()
    }

    fn ops(&self, id: PointId) -> Ops {
        let mut list = Vec::new();
        let reading = self.query.reading;
        self.end(reading.ends.at(id), &mut list);
        match &reading.graph.point(id).action {
            Action::Eval(node) => {
                self.at_return(*node, &mut list);
                self.at_eval(*node, &mut list);
            }
            Action::Suspend(node) => self.at_suspension(*node, &mut list),
            Action::Write { node, target, value } => self.at_write(*node, *target, *value, &mut list),
            Action::Assume { condition, outcome, .. } => {
                if let Some(known) = self.query.conditions.get(*condition) {
                    let assumed = self.assumed(known);
                    if assumed.says_something() {
                        let concerned = self.concerned(&assumed);
                        let node = known.node;
                        list.push(Op::Assume { assumed: Rc::new(assumed), outcome: *outcome, concerned, node });
                    }
                }
            }
            Action::Make(_) | Action::Pass | Action::Exit(_) => {}
        }
        // What one part of it said may be gone by a call in another part.
        self.end(reading.ends.behind(id), &mut list);
        Ops { list }
    }

    fn concerned(&self, assumed: &Assumed) -> Concerned {
        let mut set = BTreeSet::new();
        assumed.sets(&mut set);
        Rc::new(concerned(&self.wholes, set))
    }

    fn each_table(&self, mut visit: impl FnMut(usize, usize, &Table, &Binds)) {
        for (binds, bound) in self.plan.binds.iter().enumerate() {
            for (table, keys) in self.query.tables.iter().enumerate() {
                visit(binds, table, keys, bound);
            }
        }
    }

    fn at_eval(&self, node: NodeId, list: &mut Vec<Op>) {
        self.each_table(|binds, table, keys, bound| {
            let hits = |places: &[super::query::Place]| {
                places.iter().any(|place| place.node == node && agree(bound, &place.binds))
            };
            if hits(&keys.between) {
                self.kill_table(binds, table, Why::Interrupted(node), list);
            }
            if hits(keys.since.as_deref().unwrap_or_default()) {
                self.kill_table(binds, table, Why::Stale(node), list);
                let cell = self.plan.cells.get(&Meaning::Since { binds, table });
                list.extend(cell.map(|&cell| Op::Pass { cell, node }));
            }
            let of = keys;
            for (after, keys) in keys.afters.iter().enumerate() {
                let is_inside = keys.inside.contains(&node);
                if hits(&keys.places) && !(is_inside && self.may_pass_behind(node, of, bound)) {
                    let cell = self.plan.cells.get(&Meaning::After { binds, table, after });
                    list.extend(cell.map(|&cell| Op::Pass { cell, node }));
                }
            }
        });
    }

    /// Whether what a call runs may pass a node of `without` as well: it may come behind the `after` node.
    fn may_pass_behind(&self, node: NodeId, table: &Table, bound: &Binds) -> bool {
        let parent = |place: NodeId| self.query.reading.scope.tree.parent(place);
        let is_it = |place: NodeId| place == node || parent(place) == Some(node);
        table.between.iter().any(|place| is_it(place.node) && agree(bound, &place.binds))
    }

    /// What is passed in a call that is waited for ends what was known before it was over.
    fn interrupted_by_call(&self, call: NodeId, list: &mut Vec<Op>) {
        self.each_table(|binds, table, keys, bound| {
            let passed = |place: &super::query::Place| place.node == call && agree(bound, &place.binds);
            if keys.between.iter().any(passed) {
                self.kill_table(binds, table, Why::Interrupted(call), list);
            }
        });
    }

    /// What a called function made sure of before it came back.
    fn at_return(&self, node: NodeId, list: &mut Vec<Op>) {
        for Established { known, outcome } in self.query.established.get(&node).into_iter().flatten() {
            let assumed = self.assumed(known);
            if assumed.says_something() {
                let concerned = self.concerned(&assumed);
                list.push(Op::Assume { assumed: Rc::new(assumed), outcome: *outcome, concerned, node: known.node });
            }
            // Waiting for the function came behind its check, and so may what it passes.
            if known.node != node {
                self.at_suspension(node, list);
                self.interrupted_by_call(known.node, list);
            }
        }
    }

    fn kill_table(&self, binds: usize, table: usize, why: Why, list: &mut Vec<Op>) {
        list.extend(self.cells_of(binds, table).into_iter().map(|cell| Op::Kill { cell, why }));
    }

    fn at_suspension(&self, node: NodeId, list: &mut Vec<Op>) {
        self.each_table(|binds, table, keys, bound| {
            let passed = |place: &super::query::Place| place.node == node && agree(bound, &place.binds);
            if keys.between.iter().any(passed) {
                self.kill_table(binds, table, Why::Interrupted(node), list);
            }
            if !keys.suspension {
                return;
            }
            self.kill_table(binds, table, Why::Interrupted(node), list);
            for (after, keys) in keys.afters.iter().enumerate() {
                // Waiting for the `after` node itself is part of it.
                let own = |place: &&super::query::Place| {
                    self.query.reading.scope.tree.parent(place.node) == Some(node) && agree(bound, &place.binds)
                };
                if let Some(place) = keys.places.iter().find(own) {
                    let cell = self.plan.cells.get(&Meaning::After { binds, table, after });
                    list.extend(cell.map(|&cell| Op::Pass { cell, node: place.node }));
                }
            }
        });
    }

    fn at_write(&self, node: NodeId, target: NodeId, value: Option<NodeId>, list: &mut Vec<Op>) {
        let binding = self.query.reading.assigned(target);
        let stand = binding.and_then(|binding| self.plan.cells.get(&Meaning::Stand(binding)).copied());
        list.extend(stand.map(|cell| Op::Pass { cell, node }));
        let cell = binding.and_then(|binding| self.plan.cells.get(&Meaning::Local(binding)).copied());
        let held = value.and_then(|value| Some(self.held(value, self.query.values.get(&value)?)));
        match (held, cell) {
            (Some(held), cell) if cell.is_some() || held.learns_something() => {
                // Also where nobody follows the variable: the condition was asked, and may have any outcome.
                let mut set = BTreeSet::new();
                held.sets(&mut set);
                let concerned = Rc::new(concerned(&self.wholes, set));
                list.push(Op::Hold { cell, held: Rc::new(held), node, concerned });
            }
            (_, Some(cell)) => list.push(Op::Set { cell, to: self.without_value(node) }),
            _ => {}
        }
    }

    /// What assignments end.
    fn end(&self, ended: &[Ended], list: &mut Vec<Op>) {
        for Ended { node, target } in ended {
            if target.is_everything() {
                let locals = self.plan.cells.iter().filter(|(meaning, _)| matches!(meaning, Meaning::Local(_)));
                list.extend(locals.map(|(_, &cell)| Op::Set { cell, to: UNKNOWN }));
            }
            for (cell, mentions) in self.mentions.iter().enumerate() {
                if is_ended(mentions, target) && !self.own[cell].contains(node) {
                    list.push(Op::Kill { cell, why: Why::Reassigned(*node) });
                }
            }
        }
    }
}

impl Plan {
    /// What is left of a valuation behind a point, where only what variables hold is looked at.
    pub(super) fn move_locals(&self, cells: &[Cell], at: PointId) -> Vec<Valuation> {
        let mut open: Vec<Valuation> = vec![cells.into()];
        for op in &self.ops[at.index()].list {
            open = open.into_iter().flat_map(|cells| op.apply(cells)).map(|cells| self.only_locals(&cells)).collect();
            open.sort_unstable();
            open.dedup();
        }
        open
    }

    /// A valuation that says nothing but what variables hold.
    pub(super) fn only_locals(&self, cells: &[Cell]) -> Valuation {
        let mut kept: Valuation = vec![UNKNOWN; cells.len()].into();
        for (meaning, &cell) in &self.cells {
            if matches!(meaning, Meaning::Local(_)) {
                kept[cell] = cells[cell];
            }
        }
        kept
    }
}

pub(super) fn is_ended(mentions: &[Mention], target: &Target) -> bool {
    mentions.iter().any(|mention| mention.is_ended_by(target))
}
