//! A guard's keys against one scope: which tables there are, and every place that their patterns match.

use super::asked::{Asked, tested};
use super::behind::Asks;
use super::chains::{as_chain, as_missing, asks_for_base, unchained};
use super::code::{Code, Keys as Forms};
use super::condition::{Atom, Binds, Formula, Hit, Leaf, LeafMatcher, binds};
use super::establish::Established;
use super::flags::{Ask, Flags};
use super::helper::{Depth, Helpers};
use super::reading::Reading;
use super::shape::{Shape, number, parity, replace, shape};
use super::spec::{Between, GuardSpec, Keys, ThenOn};
use super::stands::{Stand, spelled_out, stands};
use crate::graph::Action;
use crate::pattern::{Env, Pattern};
use crate::program::{Program, Scope};
use factgate_syntax::condition::{Condition, Operand, Sameness, is_boolean};
use factgate_syntax::{BindingId, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// A place that a pattern matches.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The node whose evaluation passes it.
    pub(super) node: NodeId,
    pub(super) binds: Binds,
}

/// A condition that must be known.
pub(super) struct Check {
    /// One formula for each alternative, with the pattern's text.
    pub(super) formulas: Vec<Formula>,
    pub(super) patterns: Vec<Pattern>,
}

/// What must be passed on every path from the effect.
pub(super) struct Then {
    pub(super) places: Vec<Place>,
    pub(super) on: ThenOn,
    pub(super) patterns: Vec<Pattern>,
}

/// What must be passed on every path to the effect.
pub(super) struct After {
    pub(super) places: Vec<Place>,
    /// Those that are only passed inside a called function.
    pub(super) inside: BTreeSet<NodeId>,
    pub(super) patterns: Vec<Pattern>,
}

/// One table of keys that must hold together; its atoms are `atoms` of the query.
#[derive(Default)]
pub(super) struct Table {
    pub(super) checks: Vec<Check>,
    pub(super) afters: Vec<After>,
    pub(super) thens: Vec<Then>,
    /// `None` where the key is absent.
    pub(super) since: Option<Vec<Place>>,
    pub(super) between: Vec<Place>,
    pub(super) suspension: bool,
    pub(super) atoms: std::ops::Range<usize>,
}

/// A leaf of the code's conditions, and what it says about atoms.
pub(super) struct LeafFacts {
    /// The node to show for it.
    pub(super) node: NodeId,
    /// Whether the node's own truth is the leaf's outcome or its opposite; `None` where it has none (a `case`).
    pub(super) truth: Option<bool>,
    pub(super) hits: Vec<Hit>,
    /// The local variable that it asks about, and what.
    pub(super) asks: Option<(BindingId, Ask)>,
    pub(super) asked: Asked,
    pub(super) asks_at: Asks,
    /// What is passed behind it in what is asked together with it, by table.
    pub(super) behind: Vec<(usize, Binds)>,
}

/// A condition of the code.
pub(super) struct Known {
    pub(super) shape: Shape,
    /// Atoms that mean the condition as a whole.
    pub(super) whole: Vec<Hit>,
    pub(super) node: NodeId,
}

/// A guard's patterns, matched in one scope.
pub(super) struct Query<'q> {
    pub(super) reading: &'q Reading,
    pub(super) program: &'q Program<'q>,
    pub(super) helpers: Helpers<'q>,
    /// The variables that stand for a member.
    pub(super) stands: BTreeMap<BindingId, Stand>,
    pub(super) forms: Forms,
    pub(super) atoms: Vec<Atom>,
    pub(super) tables: Vec<Table>,
    pub(super) effects: Vec<Place>,
    pub(super) leaves: Vec<LeafFacts>,
    /// For each condition of the graph.
    pub(super) conditions: Vec<Known>,
    /// For each value that an assignment gives whole to its target.
    pub(super) values: BTreeMap<NodeId, Known>,
    /// What local variables are given.
    pub(super) flags: Flags,
    /// What calls make sure of.
    pub(super) established: BTreeMap<NodeId, Vec<Established>>,
    /// The names that the effects' patterns spell out.
    pub(super) effect_names: BTreeSet<String>,
    /// Metavariables that several patterns share.
    pub(super) shared: BTreeSet<String>,
}

impl<'q> Query<'q> {
    pub(super) fn new(spec: &GuardSpec, reading: &'q Reading, program: &'q Program<'q>) -> Query<'q> {
        let mut query = Query {
            reading,
            program,
            helpers: Helpers::new(program, &reading.scope.file, spec.through),
            stands: stands(reading),
            forms: Forms::default(),
            atoms: Vec::new(),
            tables: Vec::new(),
            effects: Vec::new(),
            leaves: Vec::new(),
            conditions: Vec::new(),
            values: BTreeMap::new(),
            flags: Flags::default(),
            established: BTreeMap::new(),
            effect_names: BTreeSet::new(),
            shared: BTreeSet::new(),
        };
        query.effects = query.places(spec, &spec.effect, End::First);
        query.effects.sort_by_key(|place| place.node);
        query.effect_names = query.names_of_effects();
        let alone = [Keys::default()];
        let any = if spec.any.is_empty() { &alone[..] } else { &spec.any[..] };
        for table in any {
            let table = query.table(spec, &spec.keys, table);
            query.tables.push(table);
        }
        query.shared = query.shared_names(spec);
        query.read_conditions(spec);
        query.read_given();
        query.find_behind();
        query.established = query.established(spec);
        query.settle_names(program);
        query
    }

    fn table(&mut self, spec: &GuardSpec, outer: &Keys, inner: &Keys) -> Table {
        let mut table = Table { atoms: self.atoms.len()..0, ..Table::default() };
        for keys in [outer, inner] {
            for (patterns, wanted) in [(&keys.only_if, true), (&keys.skip_if, false)] {
                if !patterns.is_empty() {
                    let check = self.check(patterns, wanted);
                    table.checks.push(check);
                }
            }
            if !keys.after.is_empty() {
                let mut places = self.places(spec, &keys.after, End::Last);
                let direct: BTreeSet<NodeId> = places.iter().map(|place| place.node).collect();
                places.extend(self.passed_inside(spec, &keys.after));
                let inside = places.iter().map(|place| place.node).filter(|node| !direct.contains(node)).collect();
                table.afters.push(After { places, inside, patterns: keys.after.clone() });
            }
            if !keys.then.is_empty() {
                let places = self.places(spec, &keys.then, End::Last);
                table.thens.push(Then { places, on: keys.then_on, patterns: keys.then.clone() });
            }
            if !keys.since.is_empty() {
                let mut places = self.places(spec, &keys.since, End::Last);
                places.extend(self.passed_inside(spec, &keys.since));
                let may = self.may_pass_inside(spec, &keys.since);
                table.between.extend(self.run_by_name(&[places.clone(), may.clone()].concat()));
                table.between.extend(may);
                table.since.get_or_insert_default().extend(places);
            }
            for between in &keys.without {
                match between {
                    Between::Suspension => table.suspension = true,
                    Between::Pattern(pattern) => {
                        let mut places = self.places(spec, std::slice::from_ref(pattern), End::Last);
                        places.extend(self.may_pass_inside(spec, std::slice::from_ref(pattern)));
                        table.between.extend(self.run_by_name(&places));
                        table.between.extend(places);
                    }
                }
            }
        }
        table.atoms.end = self.atoms.len();
        table
    }

    fn check(&mut self, patterns: &[Pattern], wanted: bool) -> Check {
        let rules = self.reading.code.rules;
        let formulas = patterns.iter().map(|pattern| Formula::of(pattern, wanted, rules, &mut self.atoms)).collect();
        Check { formulas, patterns: patterns.to_vec() }
    }

    fn places(&mut self, spec: &GuardSpec, patterns: &[Pattern], end: End) -> Vec<Place> {
        let (code, forms) = (&self.reading.code, &mut self.forms);
        let mut found = Vec::new();
        for pattern in patterns {
            for hit in pattern.find_all(&code.tree, NodeId::ROOT, &Env::with(spec.matching.clone())) {
                let node = if end == End::First { hit.node } else { hit.last };
                found.push(Place { node, binds: binds(&hit.env, code, forms) });
            }
        }
        found
    }

    /// Names that occur in several patterns, or in a condition of several atoms.
    fn shared_names(&self, spec: &GuardSpec) -> BTreeSet<String> {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        let effect: BTreeSet<&str> = spec.effect.iter().flat_map(|pattern| pattern.names()).collect();
        effect.into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
        for atom in &self.atoms {
            atom.pattern.names().into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
        }
        for keys in std::iter::once(&spec.keys).chain(&spec.any) {
            let between = keys.without.iter().filter_map(|between| match between {
                Between::Pattern(pattern) => Some(pattern),
                Between::Suspension => None,
            });
            for pattern in keys.since.iter().chain(&keys.after).chain(&keys.then).chain(between) {
                pattern.names().into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
            }
        }
        uses.into_iter().filter(|&(_, count)| count > 1).map(|(name, _)| name.to_owned()).collect()
    }

    fn read_conditions(&mut self, spec: &GuardSpec) {
        let reading = self.reading;
        let tested = tested(reading);
        let mut nodes = vec![NodeId::ROOT; reading.graph.conditions.len()];
        for id in reading.graph.ids() {
            match &reading.graph.point(id).action {
                Action::Assume { condition, node, .. } => nodes[*condition] = *node,
                Action::Write { value: Some(value), .. } if !self.values.contains_key(value) => {
                    let condition = reading.code.rules.condition(&reading.code.tree, *value);
                    let first = self.leaves.len();
                    let known = self.known(spec, &condition, *value);
                    self.just_asked(&condition, first, &tested);
                    self.values.insert(*value, known);
                }
                _ => {}
            }
        }
        for (condition, node) in reading.graph.conditions.iter().zip(nodes) {
            let known = self.known(spec, condition, node);
            self.conditions.push(known);
        }
    }

    fn known(&mut self, spec: &GuardSpec, condition: &Condition, node: NodeId) -> Known {
        let reading = self.reading;
        let code = &reading.code;
        let mut whole = Vec::new();
        if *condition != Condition::Atom(node) {
            let mut matcher = LeafMatcher { code, keys: &mut self.forms, matching: &spec.matching };
            let hits = self.atoms.iter().enumerate().map(|(index, atom)| matcher.whole(index, atom, node));
            whole = hits.flatten().collect();
        }
        // A condition without a node of its own (a `case`) is not what its node means.
        let is_own = code.rules.condition(&code.tree, node) == *condition;
        let shape = self.read(spec, Read { code, scope: &reading.scope, node, is_own }, condition, &Depth::default());
        Known { shape, whole, node }
    }

    /// Reads a condition's leaves; a call of a helper is read through.
    pub(super) fn read(&mut self, spec: &GuardSpec, read: Read<'_>, condition: &Condition, depth: &Depth) -> Shape {
        let mut leaves = Vec::new();
        let mut shape = shape(condition, &mut leaves);
        let own_truth = if read.is_own { parity(&shape) } else { None };
        let first = self.leaves.len();
        let is_scope = depth.is_outside();
        for leaf in &leaves {
            let mut matcher = LeafMatcher { code: read.code, keys: &mut self.forms, matching: &spec.matching };
            let hits =
                self.atoms.iter().enumerate().flat_map(|(index, atom)| matcher.hits(index, atom, leaf)).collect();
            let (node, truth) = match leaf {
                Leaf::Truth(inner) if is_scope => (*inner, Some(true)),
                _ => (read.node, own_truth),
            };
            let asks = if is_scope { self.asks(leaf) } else { None };
            let asks_at = if is_scope { Asks::Here(leaf.nodes()) } else { Asks::InCall(read.node) };
            self.leaves.push(LeafFacts { node, truth, hits, asks, asked: Asked::Anew, asks_at, behind: Vec::new() });
        }
        number(&mut shape, first);
        for (offset, leaf) in leaves.iter().enumerate() {
            let hits = self.unchained_hits(spec, read.code, leaf, &BTreeSet::new());
            for (other, _) in leaves.iter().enumerate().filter(|(_, other)| asks_for_base(read.code, leaf, other)) {
                self.leaves[first + other].hits.extend(hits.iter().filter_map(as_missing));
            }
            self.leaves[first + offset].hits.extend(hits);
            if is_scope {
                self.spell_out(spec, read.code, leaf, first + offset);
            }
        }
        self.expand(spec, read, &leaves, first, &mut shape, depth);
        shape
    }

    /// Reads a leaf once more, with each variable that stands for a member spelled out.
    fn spell_out(&mut self, spec: &GuardSpec, code: &Code, leaf: &Leaf, at: usize) {
        let Some((code, leaf, used)) = spelled_out(code, leaf, &self.stands) else { return };
        let mut matcher = LeafMatcher { code: &code, keys: &mut self.forms, matching: &spec.matching };
        for (index, atom) in self.atoms.iter().enumerate() {
            let hits = matcher.hits(index, atom, &leaf).into_iter().map(|hit| Hit { needs: used.clone(), ..hit });
            self.leaves[at].hits.extend(hits);
        }
        let hits = self.unchained_hits(spec, &code, &leaf, &used);
        self.leaves[at].hits.extend(hits);
    }

    /// What a leaf says with its optional chain as a plain access.
    fn unchained_hits(&mut self, spec: &GuardSpec, code: &Code, leaf: &Leaf, needs: &BTreeSet<BindingId>) -> Vec<Hit> {
        let Some((code, leaf)) = unchained(code, leaf) else { return Vec::new() };
        let mut matcher = LeafMatcher { code: &code, keys: &mut self.forms, matching: &spec.matching };
        let mut of_atom = |(index, atom)| -> Vec<Hit> {
            let hits = matcher.hits(index, atom, &leaf).into_iter().filter_map(|hit| as_chain(atom, hit));
            hits.map(|hit| Hit { needs: needs.clone(), ..hit }).collect()
        };
        self.atoms.iter().enumerate().flat_map(&mut of_atom).collect()
    }

    /// Puts what a helper's call stands for beside the call.
    fn expand(
        &mut self,
        spec: &GuardSpec,
        read: Read<'_>,
        leaves: &[Leaf],
        first: usize,
        shape: &mut Shape,
        depth: &Depth,
    ) {
        for (offset, leaf) in leaves.iter().enumerate() {
            if let Some((node, truth)) = compared(read.code, leaf) {
                let condition = read.code.rules.condition(&read.code.tree, node);
                let known = self.read(spec, Read { is_own: false, ..read }, &condition, depth);
                let known = if truth { known } else { Shape::Not(Box::new(known)) };
                let own = first + offset;
                let beside = match is_boolean(&condition) {
                    true => Shape::Same(vec![Shape::Leaf(own), known]),
                    false => Shape::Also(Box::new(Shape::Leaf(own)), Box::new(known)),
                };
                replace(shape, own, &beside);
            }
            let Leaf::Truth(inner) = leaf else { continue };
            let mut inside = depth.clone();
            let Some(expanded) = self.helpers.expand(read.scope, read.code, *inner, &mut inside) else { continue };
            let node = if depth.is_outside() { *inner } else { read.node };
            let code = &expanded.code;
            let condition = code.rules.condition(&code.tree, NodeId::ROOT);
            let deeper = Read { code, scope: &expanded.scope, node, is_own: true };
            let stands_for = self.read(spec, deeper, &condition, &inside);
            let own = first + offset;
            replace(shape, own, &Shape::Same(vec![Shape::Leaf(own), stands_for]));
        }
    }

    /// All bindings that the places and conditions give, for the names in `shared`, that go with `start`.
    pub(super) fn candidates(&self, start: &Binds) -> Vec<Binds> {
        let mut all = vec![start.clone()];
        for name in self.shared.iter().filter(|name| !start.contains_key(*name)) {
            let values = self.values_of(name);
            if values.is_empty() {
                continue;
            }
            let with = |binds: &Binds| {
                let binds = binds.clone();
                values.iter().map(move |&key| {
                    let mut binds = binds.clone();
                    binds.insert(name.clone(), key);
                    binds
                })
            };
            all = all.iter().flat_map(|binds| with(binds).collect::<Vec<_>>()).take(MOST_CANDIDATES).collect();
        }
        all
    }

    fn values_of(&self, name: &str) -> BTreeSet<super::code::Key> {
        let of_leaves = self.leaves.iter().flat_map(|leaf| &leaf.hits).map(|hit| &hit.binds);
        let of_whole = self.conditions.iter().chain(self.values.values()).flat_map(|known| &known.whole);
        let of_tables = self.tables.iter().flat_map(|table| {
            let afters = table.afters.iter().flat_map(|after| &after.places);
            let thens = table.thens.iter().flat_map(|then| &then.places);
            afters.chain(thens).chain(table.since.iter().flatten()).map(|place| &place.binds)
        });
        let all = of_leaves.chain(of_whole.map(|hit| &hit.binds)).chain(of_tables);
        all.filter_map(|binds| binds.get(name).copied()).collect()
    }
}

/// Candidate bindings beyond which the others are left out: fewer can only read FALSE.
const MOST_CANDIDATES: usize = 48;

/// Which end of a run of statements counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Whether two bindings agree on every name that both have.
pub(super) fn agree(one: &Binds, other: &Binds) -> bool {
    other.iter().all(|(name, key)| one.get(name).is_none_or(|known| known == key))
}

/// Whether a comparison with a literal that is true or false: `x === true` makes `x` known true when it is true itself.
fn compared(code: &Code, leaf: &Leaf) -> Option<(NodeId, bool)> {
    let Leaf::Equal { left: Operand::Node(left), right: Operand::Node(right), sameness } = leaf else { return None };
    let literal = |node: NodeId| match code.rules.condition(&code.tree, node) {
        Condition::Constant(truth) => Some(truth),
        _ => None,
    };
    let known = literal(*right).map(|truth| (*left, truth)).or_else(|| literal(*left).map(|truth| (*right, truth)));
    // `'0' == false`, and `'0'` is true.
    known.filter(|&(_, truth)| truth || *sameness == Sameness::Strict)
}

/// A condition that is being read.
#[derive(Clone, Copy)]
pub(super) struct Read<'r> {
    pub(super) code: &'r Code,
    /// Where its calls are looked up.
    pub(super) scope: &'r Scope,
    /// The node of the guard's scope to show for it.
    pub(super) node: NodeId,
    /// Whether the condition is what that node means.
    pub(super) is_own: bool,
}
