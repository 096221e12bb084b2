//! Near misses: what almost matches a pattern, and what differs, in words.

use super::Pattern;
use factgate_syntax::languages::Seen;
use factgate_syntax::value::Spelled;
use factgate_syntax::{NodeId, Tree};

/// A node that came close to a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The node that would have had to match.
    pub node: NodeId,
    /// Where in it the first difference is.
    pub at: NodeId,
    /// What differs: "`?.` instead of `.`", "argument 2 is `x`".
    pub difference: String,
    /// How many words of the pattern agree, doubled; a name that is nearly one counts by half.
    pub words: usize,
    /// Whether a constant differs: another text, number or tag, which somebody asks for on purpose.
    pub is_other_value: bool,
}

/// The longest piece of code that a difference quotes, in characters.
const QUOTED: usize = 48;
/// How like two names are that count as one misspelled, from 0 to 1.
const SIMILAR: f64 = 0.93;

/// See [`Pattern::near`].
pub(super) fn near(pattern: &Pattern, tree: &Tree, within: NodeId, limit: usize) -> Vec<Near> {
    let Some(root) = pattern.root().filter(|&root| !pattern.snippet.holes.contains_key(&root)) else {
        return Vec::new();
    };
    let kind = pattern.tree().kind(root);
    let mut scored: Vec<(usize, Near)> = Vec::new();
    for node in tree.subtree(within).filter(|&node| tree.kind(node) == kind && !tree.is_leaf(node)) {
        let mut compared = Compared { pattern, tree, words: 0, is_other_value: false, first: None };
        compared.node(root, node);
        if let (Some(first), true) = (compared.first, compared.words > 0) {
            let (at, difference, is_other_value) = (first.at, first.words, compared.is_other_value);
            scored.push((compared.words, Near { node, at, difference, words: compared.words, is_other_value }));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.node.cmp(&b.1.node)));
    scored.into_iter().take(limit).map(|(_, near)| near).collect()
}

/// A comparison that goes on behind a difference, to tell how close two pieces of code are.
struct Compared<'p> {
    pattern: &'p Pattern,
    tree: &'p Tree,
    /// How many identifiers and literals agree, those that nearly do by half.
    words: usize,
    /// Whether a constant stands where the pattern has another.
    is_other_value: bool,
    first: Option<Difference>,
}

/// A difference in words.
struct Difference {
    at: NodeId,
    words: String,
    shape: Shape,
}

/// What kind of difference it is.
#[derive(PartialEq, Eq)]
enum Shape {
    /// Something else stands in this place.
    Replaced,
    /// Something is missing in it, or too much.
    Counted,
}

impl Compared<'_> {
    fn node(&mut self, part: NodeId, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.node_here(part, node));
    }

    fn node_here(&mut self, part: NodeId, node: NodeId) {
        let pattern = self.pattern.tree();
        if self.pattern.snippet.holes.contains_key(&part) {
            return;
        }
        let node = self.through(part, node);
        if pattern.kind(part) != self.tree.kind(node) || pattern.text(part) != self.tree.text(node) {
            let words = format!("{} instead of `{}`", self.quote(node), self.pattern.render(part));
            let is_name =
                pattern.is_leaf(part) && self.tree.is_leaf(node) && pattern.kind(part) == self.tree.kind(node);
            if is_name && strsim::jaro_winkler(pattern.text(part), self.tree.text(node)) >= SIMILAR {
                self.words += 1;
            }
            self.is_other_value |= self.is_constant(pattern, part) && self.is_constant(self.tree, node);
            return self.differs(node, Shape::Replaced, words);
        }
        if pattern.is_leaf(part) {
            self.words += if pattern.text(part).is_empty() { 0 } else { 2 };
            return;
        }
        self.children(part, node);
    }

    fn children(&mut self, part: NodeId, node: NodeId) {
        let parts: Vec<NodeId> = self.pattern.tree().children(part).collect();
        let ignored = |kind: &str| self.pattern.language.rules().kinds().seen(kind) == Seen::Ignored;
        let children: Vec<NodeId> = self.tree.children(node).filter(|&child| !ignored(self.tree.kind(child))).collect();
        let is_many =
            |part: &NodeId| self.pattern.snippet.holes.get(part).is_some_and(|_| !self.pattern.is_hole(*part));
        let listed = self.tree.kind(node).ends_with("arguments");
        if parts.iter().any(is_many) {
            // With `$$$` in it a list has no positions to compare; its fixed ends are compared from both sides.
            let front = parts.iter().take_while(|part| !is_many(part)).count();
            let back = parts.iter().rev().take_while(|part| !is_many(part)).count();
            for index in 0..front.min(children.len()) {
                self.element(parts[index], children[index], listed.then_some(index));
            }
            for index in 1..=back.min(children.len()) {
                self.element(parts[parts.len() - index], children[children.len() - index], None);
            }
            return self.differs_unless_found(&parts, &children, node);
        }
        for (index, (&part, &child)) in parts.iter().zip(&children).enumerate() {
            if parts.len() != children.len() && index + 1 == parts.len().min(children.len()) && listed {
                break;
            }
            self.element(part, child, listed.then_some(index));
        }
        if children.len() > parts.len() {
            let extra = if listed { children[parts.len() - 1] } else { children[parts.len()] };
            let word = if listed { "an extra argument" } else { "it also has" };
            self.differs(extra, Shape::Counted, format!("{word} {}", self.quote(extra)));
        } else if parts.len() > children.len() {
            let index = if listed { children.len().saturating_sub(1) } else { children.len() };
            self.differs(node, Shape::Counted, format!("`{}` is missing", self.pattern.render(parts[index])));
        }
    }

    /// Every fixed element between `$$$` must be somewhere in the list.
    fn differs_unless_found(&mut self, parts: &[NodeId], children: &[NodeId], node: NodeId) {
        for &part in parts.iter().filter(|part| !self.pattern.snippet.holes.contains_key(part)) {
            let close = |child: &&NodeId| self.pattern.tree().kind(part) == self.tree.kind(**child);
            let fits = |child: &NodeId| {
                let mut inner =
                    Compared { pattern: self.pattern, tree: self.tree, words: 0, is_other_value: false, first: None };
                inner.node(part, *child);
                inner.first.is_none()
            };
            if !children.iter().filter(close).any(fits) {
                self.differs(node, Shape::Counted, format!("no `{}` in it", self.pattern.render(part)));
            }
        }
    }

    fn element(&mut self, part: NodeId, child: NodeId, argument: Option<usize>) {
        let Some(index) = argument else { return self.node(part, child) };
        let mut inner =
            Compared { pattern: self.pattern, tree: self.tree, words: 0, is_other_value: false, first: None };
        inner.node(part, child);
        self.words += inner.words;
        self.is_other_value |= inner.is_other_value;
        if let Some(first) = inner.first {
            // The list starts with its bracket, so the index of a child is the number of its argument.
            let whole = first.shape == Shape::Replaced && first.at == self.through(part, child);
            let words = if whole { format!("argument {index} is {}", self.quote(child)) } else { first.words };
            self.differs(first.at, first.shape, words);
        }
    }

    /// Whether it is a text, a number or a tag: `.open`, `State.Open`.
    fn is_constant(&self, tree: &Tree, node: NodeId) -> bool {
        let rules = self.pattern.language.rules();
        let above = tree.parent(node).and_then(|above| rules.access(tree, above));
        // A member of what is written with a capital is one of an enum.
        let is_tag = above.is_some_and(|access| {
            access.root != node && tree.text(access.root).starts_with(|first: char| first.is_uppercase())
        });
        let is_literal = match rules.spelled(tree, node) {
            Spelled::Member(_) => true,
            Spelled::Constant(_) => rules.access(tree, node).is_none(),
            _ => false,
        };
        is_tag || is_literal
    }

    fn through(&self, part: NodeId, mut node: NodeId) -> NodeId {
        let rules = self.pattern.language.rules();
        while rules.kinds().seen(self.tree.kind(node)) == Seen::Through
            && self.pattern.tree().kind(part) != self.tree.kind(node)
        {
            match self.tree.children(node).next() {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    fn differs(&mut self, at: NodeId, shape: Shape, words: String) {
        self.first.get_or_insert(Difference { at, words, shape });
    }

    fn quote(&self, node: NodeId) -> String {
        let text = self.tree.render(node);
        if text.chars().count() <= QUOTED {
            return format!("`{text}`");
        }
        let start: String = text.chars().take(QUOTED).collect();
        format!("`{start}…`")
    }
}
