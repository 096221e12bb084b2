//! Conditions of patterns against conditions of code: what the outcome of a test says about an atom of a pattern.

use super::code::{Code, Key, Keys, Mention};
use super::names;
use crate::pattern::{Env, Matching, Pattern};
use factgate_syntax::condition::{Condition, Operand, Sameness};
use factgate_syntax::languages::Rules;
use factgate_syntax::{BindingId, NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What metavariables are bound to, as forms.
pub(super) type Binds = BTreeMap<String, Key>;

/// An atom of a pattern's condition.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) pattern: Pattern,
    kind: AtomKind,
    /// Whether it is enough that it is not true, though what it asks about may be missing: `skip_if = "m.ok"`.
    pub(super) or_missing: bool,
}

#[derive(Clone, Debug)]
enum AtomKind {
    Truth(NodeId),
    Equal { left: Operand, right: Operand, sameness: Sameness },
}

/// When a pattern's condition has the wanted outcome.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// An atom has this outcome.
    Literal { atom: usize, outcome: bool },
    /// All of them.
    All(Vec<Formula>),
    /// One of them.
    Any(Vec<Formula>),
    /// Always or never.
    Constant(bool),
}

impl Formula {
    /// The formula for a pattern to be known to have `outcome`; its atoms are added to `atoms`.
    pub(super) fn of(pattern: &Pattern, outcome: bool, rules: &dyn Rules, atoms: &mut Vec<Atom>) -> Formula {
        // A run of statements is no condition.
        let Some(root) = pattern.root() else { return Formula::Constant(false) };
        let formula = Formula::from(pattern, &rules.condition(pattern.tree(), root), outcome, atoms);
        let mut literals = Vec::new();
        formula.literals(&mut literals);
        for (atom, wanted) in literals {
            atoms[atom].or_missing = !outcome && !wanted;
        }
        formula
    }

    fn from(pattern: &Pattern, condition: &Condition, outcome: bool, atoms: &mut Vec<Atom>) -> Formula {
        let mut literal = |kind| {
            atoms.push(Atom { pattern: pattern.clone(), kind, or_missing: false });
            Formula::Literal { atom: atoms.len() - 1, outcome }
        };
        match condition {
            Condition::Atom(node) => literal(AtomKind::Truth(*node)),
            Condition::Equal { left, right, sameness } => {
                let (left, right) = (*left, *right);
                let whole = literal(AtomKind::Equal { left, right, sameness: *sameness });
                if missing_side(left, right, *sameness).is_none_or(|(_, missing)| !missing.null || !missing.undefined) {
                    return whole;
                }
                // `x == null` is `x === null || x === undefined`, and may be tested so.
                let is_missing = |operand| matches!(operand, Operand::Null | Operand::Undefined);
                let node = if is_missing(left) { right } else { left };
                let mut one =
                    |missing| literal(AtomKind::Equal { left: node, right: missing, sameness: Sameness::Strict });
                let parts = vec![one(Operand::Null), one(Operand::Undefined)];
                let apart = if outcome { Formula::Any(parts) } else { Formula::All(parts) };
                Formula::Any(vec![whole, apart])
            }
            Condition::Not(inner) => Formula::from(pattern, inner, !outcome, atoms),
            Condition::Constant(value) => Formula::Constant(*value == outcome),
            Condition::Choice { test, yes, no } => {
                let mut way = |chooses, part| {
                    let chosen = Formula::from(pattern, test, chooses, atoms);
                    Formula::All(vec![chosen, Formula::from(pattern, part, outcome, atoms)])
                };
                Formula::Any(vec![way(true, yes), way(false, no)])
            }
            Condition::And(parts) | Condition::Or(parts) => {
                let parts = parts.iter().map(|part| Formula::from(pattern, part, outcome, atoms)).collect();
                let all = matches!(condition, Condition::And(_)) == outcome;
                if all { Formula::All(parts) } else { Formula::Any(parts) }
            }
        }
    }

    /// Whether it holds, when `known` says which atoms have which outcome.
    pub(super) fn holds(&self, known: &mut dyn FnMut(usize, bool) -> bool) -> bool {
        match self {
            Formula::Literal { atom, outcome } => known(*atom, *outcome),
            Formula::All(parts) => parts.iter().all(|part| part.holds(known)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(known)),
            Formula::Constant(value) => *value,
        }
    }

    /// Its literals.
    pub(super) fn literals(&self, found: &mut Vec<(usize, bool)>) {
        match self {
            Formula::Literal { atom, outcome } => found.push((*atom, *outcome)),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| part.literals(found)),
            Formula::Constant(_) => {}
        }
    }
}

/// A leaf of the code's condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    Truth(NodeId),
    Equal { left: Operand, right: Operand, sameness: Sameness },
}

impl Leaf {
    /// The nodes that it is about.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        let of = |operand: &Operand| if let Operand::Node(node) = *operand { Some(node) } else { None };
        match self {
            Leaf::Truth(node) => vec![*node],
            Leaf::Equal { left, right, .. } => [left, right].into_iter().filter_map(of).collect(),
        }
    }

    /// The same leaf over other nodes.
    pub(super) fn over(&self, other: &dyn Fn(NodeId) -> NodeId) -> Leaf {
        let over = |operand| if let Operand::Node(node) = operand { Operand::Node(other(node)) } else { operand };
        match *self {
            Leaf::Truth(node) => Leaf::Truth(other(node)),
            Leaf::Equal { left, right, sameness } => Leaf::Equal { left: over(left), right: over(right), sameness },
        }
    }
}

/// What a leaf's outcome says about an atom, under bindings.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) atom: usize,
    /// Which instance of the atom: the same for code of one form.
    pub(super) class: Key,
    pub(super) binds: Binds,
    /// The atom's outcome when the leaf is true, and when it is false; `None` where that says nothing.
    pub(super) on: [Option<bool>; 2],
    /// The variables that must still stand for what they were spelled out as.
    pub(super) needs: BTreeSet<BindingId>,
}

/// The missing values that an equality can be about.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Missing {
    null: bool,
    undefined: bool,
}

/// Matches leaves of one piece of code with atoms.
pub(super) struct LeafMatcher<'m> {
    pub(super) code: &'m Code,
    pub(super) keys: &'m mut Keys,
    pub(super) matching: &'m Arc<Matching>,
}

impl LeafMatcher<'_> {
    pub(super) fn hits(&mut self, index: usize, atom: &Atom, leaf: &Leaf) -> Vec<Hit> {
        match (&atom.kind, leaf) {
            (AtomKind::Truth(part), Leaf::Truth(node)) => {
                if let Some(hits) = self.ordered(index, &atom.pattern, *part, *node) {
                    return hits;
                }
                let found = self.matches(&atom.pattern, *part, *node, &self.start());
                self.made(index, found, &[*node], None, [Some(true), Some(false)])
            }
            (AtomKind::Truth(part), Leaf::Equal { left, right, sameness }) => {
                // `x == null` makes `x` known false.
                let Some((node, _)) = missing_side(*left, *right, *sameness) else { return Vec::new() };
                let found = self.matches(&atom.pattern, *part, node, &self.start());
                self.made(index, found, &[node], None, [Some(false), None])
            }
            (AtomKind::Equal { left, right, sameness }, Leaf::Truth(node)) => {
                // What is true is neither `null` nor `undefined`, nor another literal that is false.
                if let Some((part, _)) = missing_side(*left, *right, *sameness) {
                    let found = self.matches(&atom.pattern, part, *node, &self.start());
                    return self.made(index, found, &[*node], Some("missing"), [Some(false), None]);
                }
                let side = false_side(&atom.pattern, self.code.rules, *left, *right);
                // `'0' == false`, and `'0'` is true.
                let side = side.filter(|_| *sameness == Sameness::Strict);
                let Some((part, literal)) = side else { return Vec::new() };
                let found = self.matches(&atom.pattern, part, *node, &self.start());
                let form = literal_form(atom.pattern.tree(), literal);
                self.made(index, found, &[*node], Some(&form), [Some(false), None])
            }
            (AtomKind::Equal { left, right, sameness }, Leaf::Equal { left: l, right: r, sameness: s }) => {
                let mut found = self.equal(index, &atom.pattern, (*left, *right, *sameness), (*l, *r, *s));
                if found.is_empty() {
                    found = self.equal(index, &atom.pattern, (*left, *right, *sameness), (*r, *l, *s));
                }
                found
            }
        }
    }

    /// `a < b` and `b > a` are one condition.
    fn ordered(&mut self, index: usize, pattern: &Pattern, part: NodeId, node: NodeId) -> Option<Vec<Hit>> {
        let rules = self.code.rules;
        let asked = rules.ordering(pattern.tree(), part)?;
        let tested = rules.ordering(&self.code.tree, node).filter(|tested| tested.strict == asked.strict)?;
        let firsts = self.matches(pattern, asked.smaller, tested.smaller, &self.start());
        let both = firsts.iter().flat_map(|env| self.matches(pattern, asked.larger, tested.larger, env)).collect();
        let form = format!("{:?}\u{5}{}", tested.strict, self.code.form(tested.smaller));
        Some(self.made(index, both, &[tested.larger, tested.smaller], Some(&form), [Some(true), Some(false)]))
    }

    /// A metavariable that stands alone as a condition also means a comparison as a whole.
    pub(super) fn whole(&mut self, index: usize, atom: &Atom, node: NodeId) -> Vec<Hit> {
        match atom.kind {
            AtomKind::Truth(part) if atom.pattern.is_hole(part) => {
                let found = self.matches(&atom.pattern, part, node, &self.start());
                self.made(index, found, &[node], None, [Some(true), Some(false)])
            }
            _ => Vec::new(),
        }
    }

    fn start(&self) -> Env {
        Env::with(self.matching.clone())
    }

    fn matches(&self, pattern: &Pattern, part: NodeId, node: NodeId, env: &Env) -> Vec<Env> {
        pattern.matches_part(part, &self.code.tree, node, env)
    }

    fn equal(
        &mut self,
        index: usize,
        pattern: &Pattern,
        atom: (Operand, Operand, Sameness),
        leaf: (Operand, Operand, Sameness),
    ) -> Vec<Hit> {
        let (atom_missing, leaf_missing) = (missing_side(atom.0, atom.1, atom.2), missing_side(leaf.0, leaf.1, leaf.2));
        if let (Some((part, wanted)), Some((node, tested))) = (atom_missing, leaf_missing) {
            let found = self.matches(pattern, part, node, &self.start());
            return self.made(index, found, &[node], Some("missing"), missing_outcomes(wanted, tested));
        }
        match (atom.0, atom.1, leaf.0, leaf.1) {
            (Operand::Node(part), Operand::Error, Operand::Node(node), Operand::Error)
            | (Operand::Error, Operand::Node(part), Operand::Error, Operand::Node(node)) => {
                let found = self.matches(pattern, part, node, &self.start());
                self.made(index, found, &[node], Some("error"), [Some(true), Some(false)])
            }
            (Operand::Node(a), Operand::Node(b), Operand::Node(x), Operand::Node(y)) => {
                self.two_nodes(index, pattern, (a, b, atom.2), (x, y, leaf.2))
            }
            _ => Vec::new(),
        }
    }

    fn two_nodes(
        &mut self,
        index: usize,
        pattern: &Pattern,
        (a, b, wanted): (NodeId, NodeId, Sameness),
        (x, y, tested): (NodeId, NodeId, Sameness),
    ) -> Vec<Hit> {
        let firsts = self.matches(pattern, a, x, &self.start());
        let both: Vec<Env> = firsts.iter().flat_map(|env| self.matches(pattern, b, y, env)).collect();
        if !both.is_empty() {
            let on = match (wanted, tested) {
                (Sameness::Strict, Sameness::Loose) => [None, Some(false)],
                (Sameness::Loose, Sameness::Strict) => [Some(true), None],
                _ => [Some(true), Some(false)],
            };
            return self.made(index, both, &[x, y], None, on);
        }
        // What equals one literal equals no other.
        let pairs = [(a, b, x, y), (b, a, y, x)];
        for (part, literal, node, other) in pairs {
            if (wanted, tested) == (Sameness::Strict, Sameness::Strict)
                && differ(pattern.tree(), literal, &self.code.tree, other, self.code.rules)
            {
                let found = self.matches(pattern, part, node, &self.start());
                if !found.is_empty() {
                    let form = literal_form(pattern.tree(), literal);
                    return self.made(index, found, &[node], Some(&form), [Some(false), None]);
                }
            }
        }
        Vec::new()
    }

    fn made(
        &mut self,
        atom: usize,
        found: Vec<Env>,
        nodes: &[NodeId],
        extra: Option<&str>,
        on: [Option<bool>; 2],
    ) -> Vec<Hit> {
        if found.is_empty() || on == [None, None] {
            return Vec::new();
        }
        let mut forms: Vec<String> = nodes.iter().map(|&node| self.code.form(node)).collect();
        forms.extend(extra.map(str::to_owned));
        forms.sort();
        let code = self.code;
        let mentions = || -> Vec<Mention> { nodes.iter().flat_map(|&node| code.mentions(node)).collect() };
        let class = self.keys.intern(format!("atom\u{5}{}", forms.join("\u{4}")), mentions);
        if nodes.iter().any(|&node| code.calls(node)) {
            self.keys.calls_something(class);
        }
        let hit = |env: &Env| Hit { atom, class, binds: binds(env, code, self.keys), on, needs: BTreeSet::new() };
        found.iter().map(hit).collect()
    }
}

/// Bindings as forms.
pub(super) fn binds(env: &Env, code: &Code, keys: &mut Keys) -> Binds {
    let bound = env.iter().map(|(name, bound)| (name.to_owned(), keys.key(code, &bound.nodes)));
    let mut binds: Binds = bound.collect();
    let names = env.spelled().filter(|&(_, node)| code.is_name(node));
    binds.extend(names.map(|(name, node)| (names::spelled(name), keys.meaning(name, &code.mark(node)))));
    binds
}

/// A literal as [`Code::form`] has it.
fn literal_form(tree: &Tree, literal: NodeId) -> String {
    format!("{}\u{1}{}\u{3}0", tree.kind(literal), tree.text(literal))
}

/// An equality with a literal that is false: the other side, and the literal.
fn false_side(pattern: &Pattern, rules: &dyn Rules, left: Operand, right: Operand) -> Option<(NodeId, NodeId)> {
    let (Operand::Node(left), Operand::Node(right)) = (left, right) else { return None };
    let is_false = |node: NodeId| {
        pattern.tree().is_leaf(node) && rules.condition(pattern.tree(), node) == Condition::Constant(false)
    };
    is_false(right).then_some((left, right)).or_else(|| is_false(left).then_some((right, left)))
}

/// An equality with `null` or `undefined`: the other side, and which missing values make it true.
fn missing_side(left: Operand, right: Operand, sameness: Sameness) -> Option<(NodeId, Missing)> {
    let loose = sameness == Sameness::Loose;
    match (left, right) {
        (Operand::Node(node), Operand::Null) | (Operand::Null, Operand::Node(node)) => {
            Some((node, Missing { null: true, undefined: loose }))
        }
        (Operand::Node(node), Operand::Undefined) | (Operand::Undefined, Operand::Node(node)) => {
            Some((node, Missing { null: loose, undefined: true }))
        }
        _ => None,
    }
}

/// What a test for some missing values says about a test for others.
fn missing_outcomes(wanted: Missing, tested: Missing) -> [Option<bool>; 2] {
    let within = |inner: Missing, outer: Missing| inner.null <= outer.null && inner.undefined <= outer.undefined;
    let apart = !(wanted.null && tested.null || wanted.undefined && tested.undefined);
    let when_true = if within(tested, wanted) { Some(true) } else { apart.then_some(false) };
    [when_true, within(wanted, tested).then_some(false)]
}

/// Whether two nodes are literals of one kind with different values.
fn differ(tree: &Tree, node: NodeId, other_tree: &Tree, other: NodeId, rules: &dyn Rules) -> bool {
    let kind = tree.kind(node);
    tree.is_leaf(node)
        && other_tree.is_leaf(other)
        && kind == other_tree.kind(other)
        && rules.is_literal(kind)
        && tree.text(node) != other_tree.text(other)
}
