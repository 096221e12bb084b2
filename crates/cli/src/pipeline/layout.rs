//! An item on lines of its own making: comments and layout out of the way, so that two versions differ only in code.

use factgate_syntax::{NodeId, Tree};

/// Lines longer than this are broken where their node has parts.
const WIDTH: usize = 88;

/// The lines of a normal form.
pub fn lines(tree: &Tree) -> String {
    let mut lines = Vec::new();
    if !tree.is_empty() {
        node(tree, NodeId::ROOT, 0, &mut lines);
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn node(tree: &Tree, id: NodeId, level: usize, lines: &mut Vec<String>) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        let text = tree.render(id);
        let fits = text.chars().count() + 2 * level <= WIDTH && !holds_block(tree, id);
        if fits || tree.is_leaf(id) {
            lines.extend(text.lines().map(|line| format!("{}{line}", "  ".repeat(level))));
        } else {
            parts(tree, id, level, lines);
        }
    });
}

/// What stands before a block stays on one line with it as long as it fits.
fn parts(tree: &Tree, id: NodeId, level: usize, lines: &mut Vec<String>) {
    let inner = if is_block(tree, id) { level + 1 } else { level };
    let mut pending = String::new();
    let flush = |pending: &mut String, lines: &mut Vec<String>| {
        if !pending.is_empty() {
            lines.push(format!("{}{}", "  ".repeat(level), std::mem::take(pending)));
        }
    };
    for child in tree.children(id) {
        let text = tree.render(child);
        let short = text.chars().count() + pending.chars().count() + 2 * level < WIDTH;
        if short && !text.contains('\n') && !holds_block(tree, child) && !is_block(tree, id) {
            if !pending.is_empty() {
                pending.push(' ');
            }
            pending.push_str(&text);
            continue;
        }
        flush(&mut pending, lines);
        let is_brace = is_block(tree, id) && tree.is_leaf(child);
        node(tree, child, if is_brace { level } else { inner }, lines);
    }
    flush(&mut pending, lines);
}

/// A list of statements or members, by how the grammars name them.
fn is_block(tree: &Tree, id: NodeId) -> bool {
    let kind = tree.kind(id);
    ["block", "body", "_declarations", "struct_declaration", "program", "source_file"]
        .iter()
        .any(|end| kind.ends_with(end))
}

fn holds_block(tree: &Tree, id: NodeId) -> bool {
    tree.subtree(id).any(|below| is_block(tree, below) && !tree.is_leaf(below) && tree.children(below).count() > 2)
}
