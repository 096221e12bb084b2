//! A guard's keys against one scope: every place that their patterns match, what atoms are asked of, and which bindings
//! may show the guard.

use super::atoms::{Hit, Matcher, Tests};
use super::code::{Key, Keys, Means};
use super::flow::{Flow, Spot};
use super::forms::FormId;
use super::question::Asked;
use super::reading::{Binds, End, Place, Reading, Seen, Where, agree, as_spelled, spelled};
use super::spec::{GuardSpec, Through};
use crate::core::ReadId;
use factgate_ir::graph::{Action, PointId};
use factgate_ir::{Atom as Test, BodyRef, UnitRef};
use factgate_syntax::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// Candidate bindings beyond which the others are left out: fewer can only read FALSE.
const MOST_CANDIDATES: usize = 48;

/// The places of one table's keys.
#[derive(Default)]
pub(super) struct Places {
    pub(super) afters: Vec<Vec<Place>>,
    pub(super) thens: Vec<Vec<Place>>,
    /// `None` where the key is absent.
    pub(super) since: Option<Vec<Place>>,
    pub(super) between: Vec<Place>,
    /// Where a body may run that is not in the graph there and holds a `since` or `without` node.
    pub(super) unseen: BTreeMap<PointId, Vec<Binds>>,
}

impl Places {
    /// Those that end what was known.
    pub(super) fn interrupting(&self) -> impl Iterator<Item = &Place> {
        self.between.iter().chain(self.since.iter().flatten())
    }
}

/// A hit with its bindings.
pub(super) struct Bound {
    pub(super) hit: Hit,
    pub(super) binds: Binds,
}

/// A guard's patterns, matched in one scope.
pub(super) struct Query<'q, 'r> {
    pub(super) reading: &'q Reading<'r>,
    pub(super) asked: &'q Asked,
    pub(super) through: Through,
    pub(super) places: Vec<Places>,
    pub(super) effects: Vec<Place>,
    pub(super) hits: Vec<Bound>,
    /// The values that may be asked, with what reaches them.
    pub(super) useful: BTreeSet<Spot>,
    /// The values that tests ask.
    pub(super) sinks: BTreeSet<Spot>,
    /// Metavariables and names that several patterns share.
    pub(super) shared: BTreeSet<String>,
    /// The names that the effects' patterns spell out.
    effect_names: BTreeSet<String>,
    /// The forms that tests ask of, and where.
    pub(super) tested: BTreeSet<(FormId, Seen)>,
    /// What the code of each form reads.
    reads: BTreeMap<Key, BTreeSet<ReadId>>,
}

impl<'q, 'r> Query<'q, 'r> {
    pub(super) fn new(
        spec: &GuardSpec,
        reading: &'q Reading<'r>,
        asked: &'q Asked,
        tests: &mut Tests<'r>,
        flow: &Flow,
    ) -> Query<'q, 'r> {
        let mut keys = Keys::default();
        let whence = if spec.through == Through::Deep { Where::Called } else { Where::Scope };
        let mut find = |patterns: &[_], whence, end| reading.places(&mut keys, patterns, &spec.matching, whence, end);
        let effects: Vec<Place> = find(&spec.effect, Where::Scope, End::First);
        let mut places = Vec::new();
        for table in &asked.tables {
            let since = find(&table.since, whence, End::Last);
            let own = Places {
                afters: table.afters.iter().map(|after| find(after, whence, End::Last)).collect(),
                thens: table.thens.iter().map(|then| find(&then.patterns, whence, End::Last)).collect(),
                between: find(&table.between, whence, End::Last),
                since: (!table.since.is_empty()).then_some(since),
                unseen: BTreeMap::new(),
            };
            places.push(own);
        }
        let effect_names = effects.iter().flat_map(|effect| effect.binds.keys());
        let effect_names = effect_names.filter(|name| as_spelled(name).is_some()).cloned().collect();
        let Matched { hits, useful, sinks, tested } = hits(reading, asked, spec, tests, flow, &mut keys);
        let mut query = Query {
            reading,
            asked,
            through: spec.through,
            places,
            effects,
            hits,
            useful,
            sinks,
            shared: asked.shared.clone(),
            effect_names,
            tested,
            reads: BTreeMap::new(),
        };
        query.find_unseen(spec, &mut keys);
        query.settle_names(&mut keys);
        query.reads = keys.reads();
        query
    }

    /// Where `since` and `without` nodes may be passed in bodies that are not in the graph there.
    fn find_unseen(&mut self, spec: &GuardSpec, keys: &mut Keys) {
        let reading = self.reading;
        for (table, places) in self.asked.tables.iter().zip(&mut self.places) {
            let patterns: Vec<_> = table.between.iter().chain(&table.since).cloned().collect();
            if patterns.is_empty() {
                continue;
            }
            let mut known: BTreeMap<BodyRef, Vec<Binds>> = BTreeMap::new();
            for id in reading.graph().ids() {
                let runs = reading.effects.runs(id);
                let mut found: Vec<Binds> = Vec::new();
                for body in runs {
                    let binds = known.entry(body).or_insert_with(|| reading.held_by(keys, &patterns, spec, body));
                    found.extend(binds.iter().cloned());
                }
                for &other in reading.effects.meanwhile_at(id) {
                    let point = reading.graph().point(other);
                    let at = point.node.map(|node| (point.frame, node));
                    let is_mark = |place: &&Place| Some(place.at) == at && reading.points(place.at).contains(&other);
                    found.extend(places.interrupting().filter(is_mark).map(|place| place.binds.clone()));
                }
                found.sort();
                found.dedup();
                if !found.is_empty() {
                    places.unseen.insert(id, found);
                }
            }
        }
    }

    /// Binds the names that the patterns spell out to what they mean at each effect, and has the patterns share them.
    /// Names that mean one thing wherever they were met are left alone.
    fn settle_names(&mut self, keys: &mut Keys) {
        let mut met: BTreeMap<String, BTreeSet<Key>> = BTreeMap::new();
        let of_tables = self.places.iter().flat_map(|places| {
            let passed = places.afters.iter().chain(&places.thens).flatten();
            passed.chain(places.since.iter().flatten()).chain(&places.between)
        });
        let all =
            of_tables.chain(&self.effects).map(|place| &place.binds).chain(self.hits.iter().map(|hit| &hit.binds));
        for (name, key) in all.flatten() {
            if as_spelled(name).is_some() {
                met.entry(name.clone()).or_default().insert(*key);
            }
        }
        for effect in &mut self.effects {
            for name in met.keys().filter_map(|name| as_spelled(name)).map(str::to_owned).collect::<Vec<_>>() {
                let full = spelled(&name);
                if effect.binds.contains_key(&full) {
                    continue;
                }
                if let Some(means) = self.reading.meaning(&name, effect.at) {
                    let key = keys.meaning(&name, means);
                    met.entry(full.clone()).or_default().insert(key);
                    effect.binds.insert(full, key);
                }
            }
        }
        self.shared.extend(met.into_iter().filter(|(_, keys)| keys.len() > 1).map(|(name, _)| name));
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

    fn values_of(&self, name: &str) -> BTreeSet<Key> {
        let of_tables = self.places.iter().flat_map(|places| {
            let passed = places.afters.iter().chain(&places.thens).flatten();
            passed.chain(places.since.iter().flatten()).map(|place| &place.binds)
        });
        let all = self.hits.iter().map(|hit| &hit.binds).chain(of_tables);
        all.filter_map(|binds| binds.get(name).copied()).collect()
    }

    /// What is read by what these metavariables are bound to, and by names that places share with the effects.
    pub(super) fn about<'n>(
        &self,
        binds: &Binds,
        names: impl Iterator<Item = &'n str>,
        places: &[Place],
    ) -> Vec<ReadId> {
        let bound = names.filter_map(|name| binds.get(name));
        let spelled =
            places.iter().flat_map(|place| &place.binds).filter(|(name, _)| self.effect_names.contains(*name));
        let keys = bound.chain(spelled.map(|(_, key)| key));
        let all: BTreeSet<ReadId> = keys.filter_map(|key| self.reads.get(key)).flatten().copied().collect();
        all.into_iter().collect()
    }

    /// The candidate bindings of each effect that share what is bound.
    pub(super) fn groups(&self) -> BTreeMap<Binds, Vec<&Place>> {
        let mut groups: BTreeMap<Binds, Vec<&Place>> = BTreeMap::new();
        for effect in &self.effects {
            let mut shared = effect.binds.clone();
            shared.retain(|name, _| self.shared.contains(name));
            groups.entry(shared).or_default().push(effect);
        }
        groups
    }
}

/// What the atoms are about.
struct Matched {
    hits: Vec<Bound>,
    useful: BTreeSet<Spot>,
    sinks: BTreeSet<Spot>,
    tested: BTreeSet<(FormId, Seen)>,
}

/// Matches the atoms with all that is asked, and with what reaches it.
fn hits<'r>(
    reading: &Reading<'r>,
    asked: &Asked,
    spec: &GuardSpec,
    tests: &mut Tests<'r>,
    flow: &Flow,
    keys: &mut Keys,
) -> Matched {
    let graph = reading.graph();
    let mut sinks = BTreeSet::new();
    let mut all: BTreeSet<(factgate_ir::graph::FrameId, Test, NodeId)> = BTreeSet::new();
    for id in graph.ids() {
        let point = graph.point(id);
        if let Action::Assume { atom, node, .. } = &point.action {
            sinks.extend(atom.values().map(|value| Spot::Value(point.frame, value)));
            all.insert((point.frame, atom.clone(), *node));
        }
    }
    let useful = flow.before(&reading.names, sinks.clone());
    let mut matcher = Matcher::new(asked, &spec.matching);
    for (frame, atom, node) in &all {
        matcher.test(tests, *frame, atom, *node);
    }
    for spot in &useful {
        if let Spot::Value(frame, value) = spot {
            matcher.value(tests, *frame, *value);
        }
    }
    for id in graph.ids() {
        let point = graph.point(id);
        if let Action::Op(op) = point.action {
            matcher.written(tests, point.frame, op);
        }
    }
    let bind = |hit: Hit| {
        let binds = reading.binds_in(keys, &hit.codes, hit.frame, &hit.env);
        Bound { hit, binds }
    };
    let mut hits: Vec<Bound> = Vec::new();
    for bound in matcher.hits.into_iter().map(bind) {
        let is_known = |known: &Bound| {
            (known.hit.atom, known.hit.form, known.hit.when, &known.binds)
                == (bound.hit.atom, bound.hit.form, bound.hit.when, &bound.binds)
        };
        if !hits.iter().any(is_known) {
            hits.push(bound);
        }
    }
    let mut tested = BTreeSet::new();
    for (frame, atom, node) in &all {
        tested.extend(tests.learnt(*frame, atom).into_iter().map(|learnt| (learnt.form, (*frame, *node))));
    }
    Matched { hits, useful, sinks, tested }
}

impl Reading<'_> {
    /// The bindings of what a body holds of some patterns. What a name in it means is not known here.
    fn held_by(
        &self,
        keys: &mut Keys,
        patterns: &[crate::pattern::Pattern],
        spec: &GuardSpec,
        body: BodyRef,
    ) -> Vec<Binds> {
        let tree = &self.names.files.get(body.unit).tree;
        let unit = self.names.sight.unit(body.unit);
        let node = unit.body(body.body).node;
        let inner: Vec<NodeId> = unit
            .bodies
            .iter()
            .map(|body| body.node)
            .filter(|&other| other > node && tree.is_within(other, node))
            .collect();
        let env = crate::pattern::Env::with(spec.matching.clone());
        let inside = body.unit == UnitRef(0) && self.within.iter().any(|&root| tree.is_within(node, root));
        if !inside && spec.through != Through::Deep {
            return Vec::new();
        }
        let found = patterns.iter().flat_map(|pattern| pattern.find_all(tree, node, &env));
        let own = found.filter(|found| !inner.iter().any(|&other| tree.is_within(found.last, other)));
        let mut all = Vec::new();
        for found in own {
            // In the scope a name means one variable; elsewhere it may be any.
            let binds = if inside { self.binds_of_unit(keys, &found.env) } else { Binds::new() };
            all.push(binds);
        }
        all
    }

    /// Bindings as seen from the scope's root.
    fn binds_of_unit(&self, keys: &mut Keys, env: &crate::pattern::Env) -> Binds {
        let root = self.graph().roots.first().map(|root| root.frame);
        root.map_or_else(Binds::new, |root| self.binds(keys, root, env))
    }

    /// What a name means at a node: `None` where it means nothing there.
    fn meaning(&self, name: &str, (frame, node): Seen) -> Option<Option<Means>> {
        let tree = &self.scope.tree;
        let scopes = &self.scope.scopes;
        let is_own = |id: factgate_syntax::BindingId| scopes.binding(scopes.get(id).declared) == Some(id);
        let named = (0..scopes.bindings.len() as u32).map(factgate_syntax::BindingId);
        let named = named.filter(|&id| scopes.get(id).name == name && is_own(id));
        let around = named.filter_map(|id| {
            let within = self.rules.seen_within(tree, scopes.get(id).declared);
            tree.is_within(node, within).then_some((within, id))
        });
        if let Some((_, id)) = around.max() {
            return Some(self.names.means(frame, scopes.get(id).declared));
        }
        if self.rules.receiver_at(tree, name, node).is_some() {
            return Some(Some(self.names.word_at(frame, name)));
        }
        // A name from outside that the scope mentions.
        let is_it = |inner: NodeId| {
            let is_word = tree.is_leaf(inner) && tree.text(inner) == name;
            is_word && self.names.means(frame, inner).is_none() && self.rules.access(tree, inner).is_some()
        };
        let mentioned = self.within.iter().any(|&root| tree.subtree(root).any(is_it));
        mentioned.then_some(None)
    }
}

/// The places of one list that agree with bindings, at a node.
pub(super) fn hits_at(places: &[Place], at: Seen, bound: &Binds) -> bool {
    places.iter().any(|place| place.at == at && agree(bound, &place.binds))
}

/// The same, where it is certain that the place is what the pattern means.
pub(super) fn passes_at(places: &[Place], at: Seen, bound: &Binds) -> bool {
    places.iter().any(|place| place.is_certain && place.at == at && agree(bound, &place.binds))
}
