//! Snippets: pieces of code that are no file, such as patterns; and normal trees back as text.
//!
//! A snippet becomes a normal tree by the same road as a file: its metavariables are replaced by identifiers that occur
//! nowhere in it, the text is put into a place where the grammar takes it, and the language's own `normalize` does the
//! rest. So a pattern and the code it is compared with can never disagree about the normal form.

mod holes;
mod place;
mod render;

use crate::languages::Language;
use crate::tree::{NodeId, Tree};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use render::render;

/// The normal form of a snippet.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// The tree that holds it, with the surroundings that were lent to it.
    pub tree: Tree,
    /// The snippet's own nodes: one, or a run of siblings.
    pub roots: Vec<NodeId>,
    /// The nodes that are metavariables. A metavariable that stands for a whole statement, parameter or member is named
    /// here by each node from that one down to its identifier.
    pub holes: BTreeMap<NodeId, Hole>,
    /// The identifiers that stand for metavariables in the tree, and how those were written.
    words: Vec<(String, String)>,
}

impl Snippet {
    /// The canonical text of one of its nodes, metavariables as they were written.
    pub fn render(&self, node: NodeId) -> String {
        let text = self.tree.render(node);
        self.words.iter().fold(text, |text, (word, written)| text.replace(word, written))
    }
}

/// A metavariable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hole {
    /// How much it stands for.
    pub count: Count,
    /// Its name; `None` for `$_` and `$$$`.
    pub name: Option<Arc<str>>,
}

/// How many siblings a metavariable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// Exactly one.
    One,
    /// Any number, none included.
    Many,
}

/// Why a snippet is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SnippetError {
    /// Byte offset in the snippet's text.
    pub offset: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl SnippetError {
    fn new(offset: usize, message: impl Into<String>) -> SnippetError {
        SnippetError { offset, message: message.into() }
    }
}

/// Reads a piece of code: an expression, a statement, or several statements. An expression that stands as a statement
/// (with or without its semicolon, which the normal form drops) is the expression.
pub fn parse(language: &'static Language, code: &str) -> Result<Snippet, SnippetError> {
    let places = language.grammar_rules().places();
    let mut snippet = place::read(language, code, places)?;
    // A text alone would be a directive, as at the start of a file; what is meant is the text, wherever it stands.
    let is_directive = |&root: &NodeId| snippet.tree.children(root).any(|part| snippet.tree.kind(part) == "directive");
    if snippet.roots.len() == 1 && snippet.roots.iter().any(is_directive) {
        snippet = place::read(language, code, places.get(1..).unwrap_or_default())?;
    }
    if let [only] = snippet.roots[..]
        && snippet.tree.kind(only) == "expression_statement"
        && let mut children = snippet.tree.children(only)
        && let (Some(child), None) = (children.next(), children.next())
    {
        snippet.roots = vec![child];
    }
    let definite = |root: &NodeId| snippet.holes.get(root).is_none_or(|hole| hole.count == Count::One);
    if !snippet.roots.iter().any(definite) {
        return Err(SnippetError::new(0, "`$$$` alone matches anything: put the code around it that it stands in"));
    }
    Ok(snippet)
}

/// Reads a piece of code that is no expression or statement by itself: `context` is code that holds it, `select` the
/// grammar's kind of the one node in it that is meant.
pub fn parse_in_context(language: &'static Language, context: &str, select: &str) -> Result<Snippet, SnippetError> {
    let mut snippet = place::read(language, context, language.grammar_rules().places())?;
    let below = |&root: &NodeId| snippet.tree.subtree(root);
    let found: Vec<NodeId> =
        snippet.roots.iter().flat_map(below).filter(|&node| snippet.tree.kind(node) == select).collect();
    match found[..] {
        [only] => snippet.roots = vec![only],
        [] => {
            let mut kinds: Vec<&str> =
                snippet.roots.iter().flat_map(below).map(|node| snippet.tree.kind(node)).collect();
            kinds.retain(|kind| kind.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
            kinds.sort_unstable();
            kinds.dedup();
            let message = format!("no node of kind `{select}` is in the context (it has {})", kinds.join(", "));
            return Err(SnippetError::new(0, message));
        }
        _ => {
            let message = format!("{} nodes of kind `{select}` are in the context: it must hold one", found.len());
            return Err(SnippetError::new(0, message));
        }
    }
    Ok(snippet)
}

/// Reads a member of an object, struct or enum, such as `terminal: true`: what the value of an entry must hold.
pub fn parse_member(language: &'static Language, code: &str) -> Result<Snippet, SnippetError> {
    let place = language.grammar_rules().member_place();
    place::read(language, code, std::slice::from_ref(&place))
}
