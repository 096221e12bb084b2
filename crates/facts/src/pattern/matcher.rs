//! Matching of one pattern against the nodes of one tree.
//!
//! Lists are matched as an automaton that carries a set of states (a position and the bindings made on the way to it),
//! so `$$$` costs time in proportion to the list, never a choice tried over and over.

use super::env::{Bound, Env};
use super::{Match, Pattern};
use factgate_syntax::languages::{Rules, Seen};
use factgate_syntax::snippet::{Count, Hole};
use factgate_syntax::{NodeId, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// The most states that one list may have at a time. Only several metavariables between `$$$` in long lists reach it.
const STATES: usize = 10_000;

/// How far a list pattern must reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// To the end of the list.
    Whole,
    /// Anywhere.
    Prefix,
}

/// A place in a list, and the bindings made up to it.
type State = (usize, Env);

pub(super) struct Matcher<'p> {
    pattern: &'p Pattern,
    tree: &'p Arc<Tree>,
    rules: &'static dyn Rules,
}

impl<'p> Matcher<'p> {
    pub(super) fn new(pattern: &'p Pattern, tree: &'p Arc<Tree>) -> Matcher<'p> {
        Matcher { pattern, tree, rules: pattern.language.rules() }
    }

    /// Matches the whole pattern at a node: as [`Matcher::node`], and a chain also with a run of a longer one.
    pub(super) fn root(&self, root: NodeId, node: NodeId, env: &Env) -> Vec<Env> {
        let node = if self.kind(root) == self.tree.kind(node) { node } else { self.through(node) };
        let is_chain = self.rules.kinds().seen(self.kind(root)) == Seen::Chain && self.hole(root).is_none();
        if !is_chain || self.kind(root) != self.tree.kind(node) {
            return self.node(root, node, env);
        }
        let (pattern, code) = (self.parts(root), self.tree.children(node).collect::<Vec<_>>());
        let (Some((operator, operands)), Some((code_operator, code_operands))) =
            (pattern.split_first(), code.split_first())
        else {
            return Vec::new();
        };
        if self.kind(*operator) != self.tree.kind(*code_operator) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for start in 0..code_operands.len() {
            let ends = self.list(operands, &code_operands[start..], env, Reach::Prefix);
            found.extend(ends.into_iter().map(|(_, env)| env));
        }
        distinct(found)
    }

    /// Matches a run of statements wherever siblings in and below `within` have it.
    pub(super) fn runs(&self, within: NodeId, env: &Env) -> Vec<Match> {
        let mut found = Vec::new();
        for parent in self.tree.subtree(within).filter(|&node| !self.tree.is_leaf(node)) {
            let children: Vec<NodeId> = self.tree.children(parent).collect();
            for start in 0..children.len() {
                let ends = self.list(self.pattern.roots(), &children[start..], env, Reach::Prefix);
                for (end, env) in ends {
                    let (node, last) = (children[start], children[(start + end).saturating_sub(1).max(start)]);
                    found.push(Match { node, last, env });
                }
            }
        }
        found.sort_by_key(|found| (found.node, found.last));
        found.dedup();
        found
    }

    /// Matches one node of the pattern, and all below it, with one node of the code.
    pub(super) fn node(&self, part: NodeId, node: NodeId, env: &Env) -> Vec<Env> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.node_here(part, node, env))
    }

    fn node_here(&self, part: NodeId, node: NodeId, env: &Env) -> Vec<Env> {
        if let Some(hole) = self.hole(part) {
            return if self.is_token(node) { Vec::new() } else { self.bind(hole, &[self.through(node)], env) };
        }
        let pattern = self.pattern.tree();
        if self.kind(part) != self.tree.kind(node) {
            let through = self.through(node);
            return if through == node { Vec::new() } else { self.node(part, through, env) };
        }
        let said = pattern.gone(part).filter(|said| !said.contains('$'));
        if pattern.text(part) != self.tree.text(node) || said.is_some() && said != self.tree.gone(node) {
            return Vec::new();
        }
        if pattern.is_leaf(part) && self.tree.is_leaf(node) {
            return vec![self.spelled(part, node, env)];
        }
        let parts = self.parts(part);
        let children = self.mentioned(&parts, node);
        distinct(self.list(&parts, &children, env, Reach::Whole).into_iter().map(|(_, env)| env).collect())
    }

    /// A word of the pattern that may be a variable's name: which one it met is for others to judge.
    fn spelled(&self, part: NodeId, node: NodeId, env: &Env) -> Env {
        let text = if self.tree.text(node).is_empty() { self.tree.kind(node) } else { self.tree.text(node) };
        let may_be_variable = self.rules.access(self.pattern.tree(), part).is_some();
        if may_be_variable { env.spell(text, node) } else { env.clone() }
    }

    /// The code's children without those that the pattern need not mention and does not.
    fn mentioned(&self, parts: &[NodeId], node: NodeId) -> Vec<NodeId> {
        let is_said = |kind: &str| parts.iter().any(|&part| self.kind(part) == kind);
        let stays = |&child: &NodeId| {
            let kind = self.tree.kind(child);
            self.rules.kinds().seen(kind) != Seen::Ignored || is_said(kind)
        };
        self.tree.children(node).filter(stays).collect()
    }

    /// Matches a list of pattern nodes with a list of siblings. Gives the positions that it can end at.
    fn list(&self, parts: &[NodeId], nodes: &[NodeId], env: &Env, reach: Reach) -> Vec<State> {
        let many = |part: &&NodeId| self.hole(**part).is_some_and(|hole| hole.count == Count::Many);
        let runs = parts.iter().filter(many).count();
        let needed = parts.len() - runs;
        if needed > nodes.len() || runs == 0 && reach == Reach::Whole && needed != nodes.len() {
            return Vec::new();
        }
        if !parts.iter().all(|&part| self.may_stand_in(part, nodes)) {
            return Vec::new();
        }
        let mut states: Vec<State> = vec![(0, env.clone())];
        for part in parts {
            let mut next = HashSet::new();
            let mut ordered = Vec::new();
            for (at, env) in &states {
                for state in self.advance(*part, nodes, *at, env) {
                    if ordered.len() < STATES && next.insert((state.0, state.1.key())) {
                        ordered.push(state);
                    }
                }
            }
            if ordered.is_empty() {
                return ordered;
            }
            states = ordered;
        }
        states.retain(|(at, _)| reach == Reach::Prefix || *at == nodes.len());
        states
    }

    /// Whether a plain word of a pattern is among some siblings at all; anything else may be.
    fn may_stand_in(&self, part: NodeId, nodes: &[NodeId]) -> bool {
        let pattern = self.pattern.tree();
        if !pattern.is_leaf(part) || self.hole(part).is_some() {
            return true;
        }
        let is_word = |&node: &NodeId| {
            let node = self.through(node);
            self.tree.kind(node) == pattern.kind(part) && self.tree.text(node) == pattern.text(part)
        };
        nodes.iter().any(is_word)
    }

    /// One pattern node taken from a position on.
    fn advance(&self, part: NodeId, nodes: &[NodeId], at: usize, env: &Env) -> Vec<State> {
        match self.hole(part) {
            Some(hole) if hole.count == Count::Many => {
                let free = nodes[at..].iter().take_while(|&&node| !self.is_token(node)).count();
                let bind = |end: usize| self.bind(hole, &nodes[at..end], env).into_iter().map(move |env| (end, env));
                (at..=at + free).flat_map(bind).collect()
            }
            hole => {
                let Some(&node) = nodes.get(at) else { return Vec::new() };
                if !same_role(self.pattern.tree().field(part), self.tree.field(node), hole.is_some()) {
                    return Vec::new();
                }
                self.node(part, node, env).into_iter().map(|env| (at + 1, env)).collect()
            }
        }
    }

    fn bind(&self, hole: &Hole, nodes: &[NodeId], env: &Env) -> Vec<Env> {
        match &hole.name {
            None => vec![env.clone()],
            Some(name) => {
                let bound = Bound { tree: self.tree.clone(), nodes: nodes.to_vec() };
                env.bind(name, bound).into_iter().collect()
            }
        }
    }

    /// The operand behind marks that a pattern sees through.
    fn through(&self, mut node: NodeId) -> NodeId {
        while self.rules.kinds().seen(self.tree.kind(node)) == Seen::Through {
            match self.tree.children(node).find(|&child| !self.is_token(child)) {
                Some(inner) => node = inner,
                None => return node,
            }
        }
        node
    }

    fn hole(&self, part: NodeId) -> Option<&'p Hole> {
        self.pattern.snippet.holes.get(&part)
    }

    fn kind(&self, part: NodeId) -> &'static str {
        self.pattern.tree().kind(part)
    }

    fn parts(&self, part: NodeId) -> Vec<NodeId> {
        self.pattern.tree().children(part).collect()
    }

    fn is_token(&self, node: NodeId) -> bool {
        self.tree.is_leaf(node)
            && self.tree.text(node).is_empty()
            && self.pattern.language.is_token(self.tree.kind(node))
    }
}

/// Whether two nodes have the same role in their parents. A metavariable may lack the role that the grammar gives to
/// what it stands for.
fn same_role(part: Option<&str>, node: Option<&str>, is_hole: bool) -> bool {
    part == node || is_hole && (part.is_none() || node.is_none())
}

fn distinct(envs: Vec<Env>) -> Vec<Env> {
    if envs.len() < 2 {
        return envs;
    }
    let mut known = HashSet::new();
    envs.into_iter().filter(|env| known.insert(env.key())).collect()
}
