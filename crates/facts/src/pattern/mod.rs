//! Patterns: pieces of code with metavariables, matched against normal trees.
//!
//! A pattern matches no more than it says: each of its nodes corresponds to one node of the code. The few liberties
//! (type arguments, non-null marks, runs of a chain) are the language's to name, see [`Seen`].

mod env;
mod matcher;
mod near;

pub use env::{Bound, Env, Matching, MatchingError};
pub use near::Near;

use factgate_syntax::languages::Seen;
use factgate_syntax::snippet::{self, Count, Snippet, SnippetError};
use factgate_syntax::{Language, NodeId, Tree};
use matcher::Matcher;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A pattern as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternText {
    /// An expression, a statement or several statements.
    Code(String),
    /// The one node of kind `select` in `context`.
    Context {
        /// Code that holds it.
        context: String,
        /// The grammar's kind of it.
        select: String,
    },
}

impl PatternText {
    /// The code in it, as written.
    pub fn code(&self) -> &str {
        match self {
            PatternText::Code(code) => code,
            PatternText::Context { context, .. } => context,
        }
    }
}

/// A pattern that is none. The offset counts bytes in the pattern's code (in `context`, where it has one).
pub type PatternError = SnippetError;

/// A pattern, read for one language.
#[derive(Clone, Debug)]
pub struct Pattern {
    language: &'static Language,
    text: PatternText,
    snippet: Arc<Snippet>,
}

/// A place that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The matched node; of a run of statements the first.
    pub node: NodeId,
    /// The last node of the run; the same as `node` for a pattern of one node.
    pub last: NodeId,
    /// What the metavariables are bound to.
    pub env: Env,
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(language: &'static Language, text: &PatternText) -> Result<Pattern, PatternError> {
        let snippet = match text {
            PatternText::Code(code) => snippet::parse(language, code)?,
            PatternText::Context { context, select } => snippet::parse_in_context(language, context, select)?,
        };
        Ok(Pattern { language, text: text.clone(), snippet: Arc::new(snippet) })
    }

    /// Reads a pattern of a member (`terminal: true`), as `where` has it.
    pub fn parse_member(language: &'static Language, code: &str) -> Result<Pattern, PatternError> {
        let snippet = Arc::new(snippet::parse_member(language, code)?);
        Ok(Pattern { language, text: PatternText::Code(code.to_owned()), snippet })
    }

    /// What is wrong with the pattern as a condition, when no code can make it known.
    pub fn not_a_condition(&self) -> Option<&'static str> {
        let Some(root) = self.root() else {
            return Some("a run of statements is no condition: name one expression, and its alternatives in a list");
        };
        let rules = self.language.rules();
        if self.is_placeholder(root) {
            let many = !self.is_hole(root);
            return many.then_some("it stands for several nodes, and a condition is one expression");
        }
        if !rules.is_value(self.tree(), root) {
            return Some("a condition is an expression, and this is none");
        }
        let is_constant = rules.lower_test(self.tree(), root).outcome().is_some();
        is_constant.then_some("it has the same outcome everywhere")
    }

    /// The same call with a receiver where it has none (`$_.rm($$$)` for `rm($$$)`), without one where it has; and which of
    /// the two it is, in words.
    pub fn with_other_receiver(&self) -> Option<(Pattern, &'static str)> {
        let (rules, root) = (self.language.rules(), self.root()?);
        let call = rules.call(self.tree(), root)?;
        let access = rules.access(self.tree(), call.callee)?;
        let code = self.text.code().trim();
        let (code, how) = match access.path.last() {
            None => (format!("$_.{code}"), "with a receiver"),
            Some(name) => {
                let name = name.as_deref()?;
                let (_, behind) = code.split_once(&format!(".{name}("))?;
                (format!("{name}({behind}"), "without a receiver")
            }
        };
        Some((Pattern::parse(self.language, &PatternText::Code(code)).ok()?, how))
    }

    /// How it was written.
    pub fn text(&self) -> &PatternText {
        &self.text
    }

    /// The language that it was read for.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The tree that holds the pattern's nodes. A language's rules (`condition`, `call`) may be asked about it as about
    /// any tree; metavariables are identifiers in it.
    pub fn tree(&self) -> &Tree {
        &self.snippet.tree
    }

    /// The pattern's own nodes: one, or a run of siblings.
    pub fn roots(&self) -> &[NodeId] {
        &self.snippet.roots
    }

    /// The one node of a pattern that is no run of statements.
    pub fn root(&self) -> Option<NodeId> {
        match self.roots() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Whether a node of the pattern is a metavariable for one node.
    pub fn is_hole(&self, node: NodeId) -> bool {
        self.snippet.holes.get(&node).is_some_and(|hole| hole.count == Count::One)
    }

    /// Whether a node of the pattern is a metavariable of any kind.
    pub fn is_placeholder(&self, node: NodeId) -> bool {
        self.snippet.holes.contains_key(&node)
    }

    /// The names that a match binds.
    pub fn names(&self) -> BTreeSet<&str> {
        self.snippet.holes.values().filter_map(|hole| hole.name.as_deref()).collect()
    }

    /// Canonical text of a node of the pattern, metavariables as they were written.
    pub fn render(&self, node: NodeId) -> String {
        self.snippet.render(node)
    }

    /// All ways in which the pattern matches this one node. A pattern that is a run of statements matches none.
    pub fn matches(&self, tree: &Arc<Tree>, node: NodeId, env: &Env) -> Vec<Env> {
        match self.root() {
            Some(root) => Matcher::new(self, tree).root(root, node, env),
            None => Vec::new(),
        }
    }

    /// All ways in which one node of the pattern, and what is below it, matches a node of the code.
    pub fn matches_part(&self, part: NodeId, tree: &Arc<Tree>, node: NodeId, env: &Env) -> Vec<Env> {
        Matcher::new(self, tree).node(part, node, env)
    }

    /// Every place in and below `within` that the pattern matches, in source order; a place that matches in several
    /// ways is listed once for each.
    pub fn find_all(&self, tree: &Arc<Tree>, within: NodeId, env: &Env) -> Vec<Match> {
        let matcher = Matcher::new(self, tree);
        let Some(root) = self.root() else { return matcher.runs(within, env) };
        let anything = self.is_hole(root);
        let kind = self.tree().kind(root);
        let rules = self.language.rules();
        let mut found = Vec::new();
        for node in tree.subtree(within) {
            let seen = tree.kind(node);
            // What a mark is seen through to stands below it, and is found there.
            let fits = if anything { rules.kinds().seen(seen) != Seen::Through } else { seen == kind };
            if fits {
                let envs = matcher.root(root, node, env);
                found.extend(envs.into_iter().map(|env| Match { node, last: node, env }));
            }
        }
        found
    }

    /// Whether anything in and below `within` matches.
    pub fn is_found(&self, tree: &Arc<Tree>, within: NodeId, env: &Env) -> bool {
        !self.find_all(tree, within, env).is_empty()
    }

    /// The nodes in and below `within` that came closest without matching, best first, and how they differ.
    pub fn near(&self, tree: &Arc<Tree>, within: NodeId, limit: usize) -> Vec<Near> {
        near::near(self, tree, within, limit)
    }
}
