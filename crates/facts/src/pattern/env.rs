//! What metavariables are bound to, and what they may be bound to.

use factgate_syntax::{NodeId, Tree};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The nodes that a metavariable is bound to: one for `$NAME`, a run of siblings for `$$$NAME`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The tree that they are nodes of.
    pub tree: Arc<Tree>,
    /// The nodes, in source order.
    pub nodes: Vec<NodeId>,
}

impl Bound {
    /// Whether two runs are the same code.
    pub fn same(&self, other: &Bound) -> bool {
        let same = |(&a, &b): (&NodeId, &NodeId)| {
            self.tree.same(a, &other.tree, b) || self.tree.same(core(&self.tree, a), &other.tree, core(&other.tree, b))
        };
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }

    /// The canonical text.
    pub fn render(&self) -> String {
        let texts: Vec<String> = self.nodes.iter().map(|&node| self.tree.render(node)).collect();
        texts.join(", ")
    }
}

/// What a node holds when it holds only one thing: the name in a bare parameter, the call in a statement. It is the
/// same code in either place.
fn core(tree: &Tree, mut node: NodeId) -> NodeId {
    loop {
        let mut children = tree.children(node);
        match (children.next(), children.next()) {
            (Some(only), None) => node = only,
            _ => return node,
        }
    }
}

impl PartialEq for Bound {
    fn eq(&self, other: &Bound) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) && self.nodes == other.nodes
    }
}

impl Eq for Bound {}

/// Regular expressions that the text of some metavariables must match as a whole.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    rules: BTreeMap<String, Regex>,
}

/// A `matching` entry that is no regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the regular expression for `${name}` does not compile: {message}")]
pub struct MatchingError {
    /// The metavariable, without `$`.
    pub name: String,
    /// The engine's own words.
    pub message: String,
}

impl Matching {
    /// Compiles the expressions; the names are written without `$`.
    pub fn parse<'t>(entries: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Matching, MatchingError> {
        let mut rules = BTreeMap::new();
        for (name, text) in entries {
            // The text by itself first: what `(?:` … `)` makes of a lone bracket is not what its author wrote.
            let error = |error: regex::Error| MatchingError { name: name.to_owned(), message: error.to_string() };
            Regex::new(text).map_err(error)?;
            rules.insert(name.to_owned(), Regex::new(&format!(r"\A(?:{text})\z")).map_err(error)?);
        }
        Ok(Matching { rules })
    }

    /// The metavariables that it restricts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(String::as_str)
    }

    fn allows(&self, name: &str, bound: &Bound) -> bool {
        self.rules.get(name).is_none_or(|rule| rule.is_match(&bound.render()))
    }
}

/// The bindings of one match; cheap to clone. Two are equal when they bind the same nodes.
#[derive(Clone, Debug, Default)]
pub struct Env {
    bound: Arc<Vec<(Arc<str>, Bound)>>,
    /// The words of the pattern that may be names of variables, with the nodes that they met.
    spelled: Arc<Vec<(Arc<str>, NodeId)>>,
    matching: Arc<Matching>,
}

impl Env {
    /// No bindings, no restrictions.
    pub fn new() -> Env {
        Env::default()
    }

    /// No bindings yet; what is bound must fit.
    pub fn with(matching: Arc<Matching>) -> Env {
        Env { bound: Arc::default(), spelled: Arc::default(), matching }
    }

    /// What a metavariable is bound to (its name without `$`).
    pub fn get(&self, name: &str) -> Option<&Bound> {
        self.bound.iter().find(|(known, _)| known.as_ref() == name).map(|(_, bound)| bound)
    }

    /// All bindings, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Bound)> {
        self.bound.iter().map(|(name, bound)| (name.as_ref(), bound))
    }

    /// The words of the pattern that may be names of variables, with a node that each met.
    pub fn spelled(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.spelled.iter().map(|(name, node)| (name.as_ref(), *node))
    }

    /// The bindings, with one more word that was met.
    pub(super) fn spell(&self, name: &str, node: NodeId) -> Env {
        let mut next = self.clone();
        if !self.spelled.iter().any(|(known, _)| known.as_ref() == name) {
            Arc::make_mut(&mut next.spelled).push((name.into(), node));
        }
        next
    }

    /// What tells two sets of bindings apart: the bound nodes.
    pub(super) fn key(&self) -> Vec<(Arc<str>, Vec<NodeId>)> {
        self.bound.iter().map(|(name, bound)| (name.clone(), bound.nodes.clone())).collect()
    }

    /// The bindings with one more: `None` when the name is bound to other code or may not be bound to this.
    pub fn bind(&self, name: &Arc<str>, bound: Bound) -> Option<Env> {
        if let Some(known) = self.get(name) {
            return known.same(&bound).then(|| self.clone());
        }
        if !self.matching.allows(name, &bound) {
            return None;
        }
        let mut next = self.clone();
        let all = Arc::make_mut(&mut next.bound);
        let at = all.partition_point(|(known, _)| known < name);
        all.insert(at, (name.clone(), bound));
        Some(next)
    }
}

impl PartialEq for Env {
    fn eq(&self, other: &Env) -> bool {
        Arc::ptr_eq(&self.bound, &other.bound) || self.bound == other.bound
    }
}

impl Eq for Env {}
