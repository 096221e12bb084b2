//! Which identifiers of a normal tree name which variables: JavaScript's scopes and TypeScript's types on top.
//!
//! Every scope first declares what it holds (ECMA-262, "Static Semantics: Scope Analysis": `var` and functions are
//! hoisted, `let`, `const` and classes belong to their block; where a name is used before its declaration runs does
//! not matter here), then its inside is walked and every identifier is looked up. A type that is an item has scopes of its
//! own, and its names are found in the same way: what runs holds no types.

mod declare;
mod extent;
mod mention;
#[cfg(test)]
mod snippets;

pub(super) use extent::{is_made_anew, seen_within};

use super::shape;
use crate::scope::{Binding, BindingKind, Scopes};
use crate::tree::{NodeId, Tree};
use rustc_hash::FxHashMap as HashMap;

/// See [`crate::languages::Rules::scopes`].
pub(super) fn scopes(tree: &Tree) -> Scopes {
    if tree.is_empty() {
        return Scopes::default();
    }
    let mut finder = Finder { tree, bindings: Vec::new(), frames: vec![Frame::default()], mentions: Vec::new() };
    finder.root();
    finder.finish()
}

/// An index into [`Finder::bindings`].
type Index = usize;

/// The names of one scope. `None`: the name is taken by something that is no variable (an enum's member).
type Frame<'t> = HashMap<&'t str, Option<Index>>;

struct Finder<'t> {
    tree: &'t Tree,
    bindings: Vec<Binding>,
    frames: Vec<Frame<'t>>,
    mentions: Vec<(NodeId, Index)>,
}

impl<'t> Finder<'t> {
    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind(node)
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    /// The item's own names are declared around it; they are no locals of it. Those of a whole file are.
    fn root(&mut self) {
        let root = NodeId::ROOT;
        let is_file = self.kind(root) == "program";
        let statements = if is_file || self.kind(root) == "parts" { self.children(root) } else { vec![root] };
        self.declare_statements(&statements);
        self.hoist_variables(root);
        if !is_file {
            self.bindings.iter_mut().for_each(|binding| binding.local = false);
        }
        for statement in statements {
            self.walk(statement);
        }
    }

    /// Runs `work` in a scope of its own.
    fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        self.frames.push(Frame::default());
        work(self);
        self.frames.pop();
    }

    /// Makes a name known in the innermost scope. A second declaration of a name means the same variable.
    fn declare(&mut self, node: NodeId, kind: BindingKind) -> Option<Index> {
        let name = self.tree.text(node);
        let known = self.frames.last()?.get(name).copied().flatten();
        let index = known.unwrap_or_else(|| {
            let binding = Binding { name: name.to_owned(), declared: node, kind, writes: Vec::new(), local: true };
            self.bindings.push(binding);
            self.bindings.len() - 1
        });
        self.frames.last_mut()?.insert(name, Some(index));
        self.mentions.push((node, index));
        Some(index)
    }

    fn look_up(&self, name: &str) -> Option<Index> {
        self.frames.iter().rev().find_map(|frame| frame.get(name).copied()).flatten()
    }

    /// An identifier that mentions a variable, when it is one of this tree.
    fn mention(&mut self, node: NodeId) -> Option<Index> {
        let index = self.look_up(self.tree.text(node))?;
        self.mentions.push((node, index));
        Some(index)
    }

    /// The variables in the order of their declaration, so that equal code gives equal numbers.
    fn finish(mut self) -> Scopes {
        let mut order: Vec<Index> = (0..self.bindings.len()).collect();
        order.sort_by_key(|&index| self.bindings[index].declared);
        let mut scopes = Scopes::default();
        let mut ids = HashMap::default();
        for index in order {
            let binding = &mut self.bindings[index];
            binding.writes.sort_unstable();
            binding.writes.dedup();
            ids.insert(index, scopes.declare(binding.clone()));
        }
        for (node, index) in self.mentions {
            if let Some(&id) = ids.get(&index) {
                scopes.mention(node, id);
            }
        }
        scopes
    }

    /// Names of labels, properties and enum members are no variables, but they can hide one.
    fn hide(&mut self, name: NodeId) {
        let text = self.tree.text(name);
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(text, None);
        }
    }
}

/// The identifiers that a pattern gives values to, with members left out.
pub(super) fn targets(tree: &Tree, pattern: NodeId, found: &mut Vec<NodeId>) {
    let pattern = shape::bare(tree, pattern);
    let mut inner = |part: Option<NodeId>| {
        if let Some(part) = part {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || targets(tree, part, found));
        }
    };
    match tree.kind(pattern) {
        "identifier" | "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => found.push(pattern),
        "pair_pattern" | "pair" => inner(tree.child(pattern, "value")),
        "assignment_pattern" | "object_assignment_pattern" | "assignment_expression" => {
            inner(tree.child(pattern, "left"));
        }
        "required_parameter" | "optional_parameter" => inner(tree.child(pattern, "pattern")),
        "object_pattern" | "array_pattern" | "object" | "array" | "rest_pattern" | "spread_element" => {
            tree.children(pattern).for_each(|part| inner(Some(part)));
        }
        _ => {}
    }
}
