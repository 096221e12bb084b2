//! A scope, read: its graph, where its nodes have their values, and where patterns match.

use super::code::{Code, Key, Keys, Means};
use super::names::Names;
use super::spelling::Which;
use crate::core::Objects;
use crate::core::{Effects, ReadId};
use crate::pattern::{Env, Matching, Pattern};
use crate::program::Scope;
use factgate_ir::graph::{Action, FrameId, Graph, PointId};
use factgate_ir::{Atom, BodyRef, Does, Op, OpRef, Test, UnitRef, ValueId};
use factgate_syntax::languages::Rules;
use factgate_syntax::{NodeId, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What metavariables are bound to, and what names that a pattern spells out mean, as forms.
pub(super) type Binds = BTreeMap<String, Key>;

/// A node as a frame evaluates it.
pub(super) type Seen = (FrameId, NodeId);

/// A place that a pattern matches.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) at: Seen,
    pub(super) binds: Binds,
    /// Whether the names that the pattern spells out are no variables of a called function.
    pub(super) is_certain: bool,
}

/// A scope with everything that guards ask of it.
pub(super) struct Reading<'r> {
    pub(super) scope: &'r Scope,
    /// The nodes of the file's tree that the scope is.
    pub(super) within: Vec<NodeId>,
    pub(super) names: Names<'r>,
    pub(super) effects: &'r Effects<'r, 'r>,
    pub(super) objects: &'r Objects<'r>,
    pub(super) rules: &'static dyn Rules,
    /// Where nodes have their values.
    marks: HashMap<Seen, Vec<PointId>>,
    /// The points before each point.
    pub(super) before: Vec<Vec<PointId>>,
    /// The frames of each body.
    frames: BTreeMap<BodyRef, BTreeSet<FrameId>>,
    /// The values of each node.
    values: HashMap<(BodyRef, NodeId), Vec<ValueId>>,
    /// Of roots that the scope is only a part of: whether a point belongs to it.
    part: HashMap<PointId, bool>,
}

/// Where patterns are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// In the scope.
    Scope,
    /// In called functions as well.
    Called,
}

/// Which end of a run of statements counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl<'r> Reading<'r> {
    pub(super) fn new(
        scope: &'r Scope,
        within: Vec<NodeId>,
        names: Names<'r>,
        effects: &'r Effects<'r, 'r>,
        objects: &'r Objects<'r>,
    ) -> Reading<'r> {
        let graph = names.graph;
        let mut marks: HashMap<Seen, Vec<PointId>> = HashMap::default();
        let mut before = vec![Vec::new(); graph.points.len()];
        let mut frames: BTreeMap<BodyRef, BTreeSet<FrameId>> = BTreeMap::new();
        for id in graph.ids() {
            let point = graph.point(id);
            point.all_next().for_each(|next| before[next.index()].push(id));
            frames.entry(graph.frame(point.frame).body).or_default().insert(point.frame);
            if let Action::Op(Op { does: Does::Mark, node, .. }) = point.action {
                marks.entry((point.frame, *node)).or_default().push(id);
            }
        }
        let rules = scope.source.language().rules();
        let mut values: HashMap<(BodyRef, NodeId), Vec<ValueId>> = HashMap::default();
        for &body in frames.keys() {
            for (at, value) in names.sight.unit(body.unit).body(body.body).values.iter().enumerate() {
                values.entry((body, value.node)).or_default().push(ValueId(at as u32));
            }
        }
        let part = HashMap::default();
        let mut reading =
            Reading { scope, within, names, effects, objects, rules, marks, before, frames, values, part };
        reading.part = reading.parts();
        reading
    }

    /// Which points of a root belong to the scope, where it is only a part of the root's body.
    fn parts(&self) -> HashMap<PointId, bool> {
        let graph = self.graph();
        let body_node = |frame: FrameId| {
            let body = graph.frame(frame).body;
            self.names.sight.unit(body.unit).body(body.body).node
        };
        let mut partial: BTreeSet<FrameId> = graph.roots.iter().map(|root| root.frame).collect();
        partial.retain(|&frame| !self.is_inside((frame, body_node(frame))));
        let mut part: HashMap<PointId, bool> = HashMap::default();
        if partial.is_empty() {
            return part;
        }
        let own: Vec<PointId> =
            graph.ids().filter(|id| partial.contains(&self.names.root(graph.point(*id).frame))).collect();
        for &id in &own {
            if let Some(node) = self.root_node(id) {
                part.insert(id, self.within.iter().any(|&root| self.scope.tree.is_within(node, root)));
            }
        }
        // A point without a node belongs to what comes before it.
        let mut more = true;
        while std::mem::take(&mut more) {
            for &id in own.iter().filter(|id| self.root_node(**id).is_none()) {
                let inside = self.before[id.index()].iter().any(|previous| part.get(previous) == Some(&true));
                more |= part.insert(id, inside) != Some(inside);
            }
        }
        part
    }

    /// The node of the root's body in which a point happens.
    fn root_node(&self, id: PointId) -> Option<NodeId> {
        let point = self.graph().point(id);
        let (mut frame, mut node) = (point.frame, point.node);
        while let Some((caller, op)) = self.names.caller(frame) {
            (frame, node) = (caller, Some(op.node));
        }
        node
    }

    pub(super) fn graph(&self) -> &'r Graph<'r> {
        self.names.graph
    }

    /// The points at which a node has its value: several where code on the way out was copied, none in a type.
    pub(super) fn points(&self, at: Seen) -> &[PointId] {
        self.marks.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Whether a frame's node belongs to the scope.
    pub(super) fn is_inside(&self, (frame, node): Seen) -> bool {
        let tree = &self.scope.tree;
        self.names.graph.unit(frame) == UnitRef(0) && self.within.iter().any(|&root| tree.is_within(node, root))
    }

    /// The node of the scope to show for what a frame does at a node: that itself, or the call that it happens in.
    pub(super) fn shown(&self, at: Seen) -> NodeId {
        let (mut frame, mut node) = at;
        while !self.is_inside((frame, node)) {
            let Some((caller, op)) = self.names.caller(frame) else { return node };
            (frame, node) = (caller, op.node);
        }
        node
    }

    /// Whether a node's own truth is the outcome of the test that it is, or the opposite; `None` where it has none of its
    /// own, as a `case`.
    pub(super) fn own_truth(&self, node: NodeId) -> Option<bool> {
        let tested = |atom: &Atom| {
            self.graph().points.iter().any(|point| match &point.action {
                Action::Assume { atom: other, node: shown, .. } => {
                    *shown == node && std::mem::discriminant(atom) == std::mem::discriminant(other)
                }
                _ => false,
            })
        };
        match self.as_test(node) {
            Test::Leaf(leaf) => tested(&leaf.atom).then_some(true),
            Test::Not(inner) => match *inner {
                Test::Leaf(leaf) => tested(&leaf.atom).then_some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// A node as a test. It is read by itself: what its names mean makes no difference to its shape.
    pub(super) fn as_test(&self, node: NodeId) -> Test {
        self.rules.lower_test(&self.scope.tree.extract(node), NodeId::ROOT).asked.test
    }

    /// Whether a path enters here a scope that is a part of a body.
    pub(super) fn starts_at(&self, from: PointId, to: PointId) -> bool {
        self.part.get(&to).is_some_and(|inside| *inside) && self.part.get(&from).is_some_and(|inside| !*inside)
    }

    /// The node of a value.
    pub(super) fn node_of(&self, frame: FrameId, value: ValueId) -> NodeId {
        let body = self.graph().frame(frame).body;
        self.names.sight.unit(body.unit).body(body.body).value(value).node
    }

    /// Whether a setter in sight may run at an assignment, so that it need not show what is read then.
    pub(super) fn may_be_set(&self, frame: FrameId, op: &Op) -> bool {
        let unit = self.graph().unit(frame);
        !self.objects.accessors_of(OpRef { unit, op: op.id }).bodies.is_empty()
    }

    /// The node of the scope to show for a point.
    pub(super) fn shown_at(&self, id: PointId) -> NodeId {
        let point = self.graph().point(id);
        self.shown((point.frame, point.node.unwrap_or(NodeId::ROOT)))
    }

    /// The point at which a node's own doing begins: behind it stand its operations and the bodies that it runs.
    pub(super) fn start(&self, mark: PointId) -> PointId {
        let graph = self.graph();
        let (frame, node) = (graph.point(mark).frame, graph.point(mark).node);
        let mut here = mark;
        loop {
            let own = |id: &PointId| {
                let point = graph.point(*id);
                // Behind the marks of its operands stands what the node itself does.
                let is_doing = matches!(point.action, Action::Op(op) if op.does != Does::Mark);
                let is_part = || {
                    node.zip(point.node).is_some_and(|(node, part)| self.names.file(frame).tree.is_within(part, node))
                };
                point.frame == frame && (point.node == node || is_doing && is_part())
            };
            let previous = &self.before[here.index()];
            let next = match previous[..] {
                [only] if own(&only) && !matches!(graph.point(only).action, Action::Assume { .. }) => Some(only),
                _ => None,
            };
            // Back from the bodies that a call ran, to the call.
            let call = || {
                let is_back =
                    |id: &PointId| matches!(graph.point(*id).action, Action::Back(_) | Action::Rest { .. }) && own(id);
                let all_back = !previous.is_empty() && previous.iter().all(is_back);
                let is_back_here = matches!(graph.point(here).action, Action::Back(_));
                if all_back || is_back_here { self.call_before(here, frame, node) } else { None }
            };
            match next.or_else(call) {
                Some(next) if next != here => here = next,
                _ => return here,
            }
        }
    }

    /// The call point of a node that leads here.
    fn call_before(&self, from: PointId, frame: FrameId, node: Option<NodeId>) -> Option<PointId> {
        let graph = self.graph();
        let mut open = self.before[from.index()].clone();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let point = graph.point(id);
            if point.frame == frame && point.node == node && matches!(point.action, Action::Call(_)) {
                return Some(id);
            }
            open.extend(&self.before[id.index()]);
        }
        None
    }

    /// Every place that one of the patterns matches.
    pub(super) fn places(
        &self,
        keys: &mut Keys,
        patterns: &[Pattern],
        matching: &Arc<Matching>,
        whence: Where,
        end: End,
    ) -> Vec<Place> {
        let mut found = Vec::new();
        for pattern in patterns {
            for (unit, tree, roots) in self.searched(whence) {
                let env = Env::with(matching.clone());
                for hit in roots.iter().flat_map(|&root| pattern.find_all(tree, root, &env)) {
                    let node = if end == End::First { hit.node } else { hit.last };
                    for frame in self.frames_of(unit, node) {
                        let binds = self.binds(keys, frame, &hit.env);
                        let is_certain = self.is_certain(frame, &hit.env);
                        found.push(Place { at: (frame, node), binds, is_certain });
                    }
                }
            }
        }
        found.sort_by_key(|place| (place.at.1, place.at.0));
        found
    }

    /// Whether no name that a pattern spells out is a variable of a body that was put in, which the pattern cannot mean.
    fn is_certain(&self, frame: FrameId, env: &Env) -> bool {
        let own =
            |node| matches!(self.names.means(frame, node), Some(Means::Var(.., Some(_)) | Means::Given(.., Some(_))));
        !env.spelled().any(|(_, node)| own(node))
    }

    /// The trees to search, with the nodes to search below.
    fn searched(&self, whence: Where) -> Vec<(UnitRef, &Arc<Tree>, Vec<NodeId>)> {
        let mut all = vec![(UnitRef(0), &self.scope.tree, self.within.clone())];
        if whence == Where::Called {
            let mut bodies: BTreeMap<UnitRef, BTreeSet<NodeId>> = BTreeMap::new();
            for body in self.frames.keys() {
                let node = self.names.sight.unit(body.unit).body(body.body).node;
                let tree = &self.names.files.get(body.unit).tree;
                let inside = body.unit == UnitRef(0) && self.within.iter().any(|&root| tree.is_within(node, root));
                if !inside && body.body != self.names.sight.unit(body.unit).top {
                    bodies.entry(body.unit).or_default().insert(node);
                }
            }
            for (unit, nodes) in bodies {
                let tree = &self.names.files.get(unit).tree;
                let outer =
                    |node: &&NodeId| !nodes.iter().any(|&other| other != **node && tree.is_within(**node, other));
                all.push((unit, tree, nodes.iter().filter(outer).copied().collect()));
            }
        }
        all
    }

    /// The frames that evaluate a node.
    fn frames_of(&self, unit: UnitRef, node: NodeId) -> impl Iterator<Item = FrameId> + '_ {
        let of_unit = self.frames.iter().filter(move |(body, _)| body.unit == unit);
        of_unit.flat_map(|(_, frames)| frames).copied().filter(move |&frame| self.marks.contains_key(&(frame, node)))
    }

    /// Bindings as forms, in the words of the scope.
    pub(super) fn binds(&self, keys: &mut Keys, frame: FrameId, env: &Env) -> Binds {
        let mut binds = Binds::new();
        for (name, bound) in env.iter() {
            let codes: Vec<Code> = bound.nodes.iter().map(|&node| self.seen_from_root(frame, node)).collect();
            let key = keys.key_of(&codes, self.rules);
            keys.add_reads(key, bound.nodes.iter().flat_map(|&node| self.reads(frame, node)));
            binds.insert(name.to_owned(), key);
        }
        for (name, node) in env.spelled() {
            let tree = &self.names.file(frame).tree;
            if self.is_name(tree, node, self.names.means(frame, node)) {
                let key = keys.meaning(name, self.names.means(frame, node));
                keys.add_reads(key, self.reads_of_name(frame, node));
                binds.insert(spelled(name), key);
            }
        }
        binds
    }

    /// What the code at a node reads.
    fn reads(&self, frame: FrameId, node: NodeId) -> Vec<ReadId> {
        let body = self.graph().frame(frame).body;
        let values = self.values.get(&(body, node)).map_or(&[][..], Vec::as_slice);
        if !values.is_empty() {
            return self.effects.reads(frame, values).to_vec();
        }
        let tree = &self.names.file(frame).tree;
        tree.subtree(node).flat_map(|inner| self.reads_of_name(frame, inner)).collect()
    }

    fn reads_of_name(&self, frame: FrameId, node: NodeId) -> Option<ReadId> {
        match self.names.means(frame, node)? {
            Means::Var(unit, var, _) if unit == self.graph().unit(frame) => Some(self.effects.read_of_var(frame, var)),
            _ => None,
        }
    }

    fn seen_from_root(&self, frame: FrameId, node: NodeId) -> Code {
        let code = self.names.code(frame, node);
        self.names.replaced(frame, &code, Which::PutIn, 0).unwrap_or(code)
    }

    /// Bindings of a match with the words of values, as forms.
    pub(super) fn binds_in(&self, keys: &mut Keys, codes: &[Code], frame: FrameId, env: &Env) -> Binds {
        let code_of = |tree: &Arc<Tree>, node: NodeId| {
            codes.iter().find(|code| Arc::ptr_eq(&code.tree, tree) && code.tree.is_within(node, code.root))
        };
        let mut binds = Binds::new();
        for (name, bound) in env.iter() {
            let part = |&node: &NodeId| {
                let code = code_of(&bound.tree, node)?;
                let part = Code { root: node, ..code.clone() };
                Some(self.names.replaced(frame, &part, Which::PutIn, 0).unwrap_or(part))
            };
            let parts: Vec<Code> = bound.nodes.iter().filter_map(part).collect();
            binds.insert(name.to_owned(), keys.key_of(&parts, self.rules));
        }
        for (name, node) in env.spelled() {
            let text = |code: &Code| {
                let text = code.tree.text(node);
                if text.is_empty() { code.tree.kind(node).to_owned() } else { text.to_owned() }
            };
            let code = codes.iter().find(|code| {
                node.index() < code.tree.len() && code.tree.is_within(node, code.root) && text(code) == name
            });
            if let Some(code) = code.filter(|code| self.is_name(&code.tree, node, code.means(node))) {
                binds.insert(spelled(name), keys.meaning(name, code.means(node)));
            }
        }
        binds
    }

    /// Whether a leaf names a variable, of the code or from outside, and no member.
    fn is_name(&self, tree: &Tree, node: NodeId, means: Option<Means>) -> bool {
        let starts = |above| self.rules.access(tree, above).is_none_or(|access| access.root == node);
        means.is_some() || tree.parent(node).is_none_or(starts)
    }
}

/// Sets spelled names apart from metavariables, whose names start with letters.
const SPELLED: char = '=';

/// A spelled name among bindings.
pub(super) fn spelled(name: &str) -> String {
    format!("{SPELLED}{name}")
}

/// The name that bindings have for it, when it is a spelled one.
pub(super) fn as_spelled(name: &str) -> Option<&str> {
    name.strip_prefix(SPELLED)
}

/// Whether two bindings agree on every name that both have.
pub(super) fn agree(one: &Binds, other: &Binds) -> bool {
    other.iter().all(|(name, key)| one.get(name).is_none_or(|known| known == key))
}
