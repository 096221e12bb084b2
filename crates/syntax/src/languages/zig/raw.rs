//! The owned tree on which the normal form is worked out: read once from the grammar's tree, reshaped bottom-up, then
//! written to the builder. Owned, because wrappers vanish, labels move and operators are grouped anew.

use super::super::Given;
use super::shape;
use crate::grammar::Node;
use crate::tree::{Span, TreeBuilder};
use std::borrow::Cow;

/// A node on its way into the normal form.
#[derive(Debug, Clone)]
pub(super) struct Raw<'s> {
    pub(super) kind: &'static str,
    pub(super) field: Option<&'static str>,
    /// Normalized text of a leaf; empty where the kind says it all.
    pub(super) text: Cow<'s, str>,
    pub(super) span: Span,
    pub(super) children: Vec<Raw<'s>>,
}

impl<'s> Raw<'s> {
    /// A leaf whose kind says it all.
    pub(super) fn token(kind: &'static str, span: Span) -> Raw<'s> {
        Raw { kind, field: None, text: Cow::Borrowed(""), span, children: Vec::new() }
    }

    /// An inner node over its children's whole span.
    pub(super) fn over(kind: &'static str, children: Vec<Raw<'s>>) -> Raw<'s> {
        let start = children.first().map_or(0, |child| child.span.start);
        let end = children.last().map_or(start, |child| child.span.end);
        Raw { kind, field: None, text: Cow::Borrowed(""), span: Span { start, end }, children }
    }

    /// The same node in another role.
    pub(super) fn with(mut self, field: Option<&'static str>) -> Raw<'s> {
        self.field = field;
        self
    }

    /// The first child of a kind.
    pub(super) fn find(&self, kind: &str) -> Option<usize> {
        self.children.iter().position(|child| child.kind == kind)
    }
}

/// Reads a grammar node and everything below it, each node already in its normal shape.
pub(super) fn read<'s>(node: Node<'_>, given: Given<'s>) -> Raw<'s> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        let kind = node.kind();
        let span = node.span();
        if let Some(text) = super::text::leaf(node, kind, given) {
            return Raw { kind, field: None, text, span, children: Vec::new() };
        }
        let mut children = Vec::with_capacity(node.children().count());
        for child in node.children() {
            let dropped = matches!(child.kind(), "comment" | ";" | ",") || super::is_empty_field(child);
            if !dropped {
                children.push(read(child, given).with(child.field()));
            }
        }
        // A statement ends before its semicolon: so does a pattern's, which may be written without one.
        let end = children.last().map_or(span.end, |last| last.span.end);
        shape::shape(Raw { kind, field: None, text: Cow::Borrowed(""), span: Span { end, ..span }, children })
    })
}

/// Writes a tree to the builder.
pub(super) fn write(node: &Raw<'_>, out: &mut TreeBuilder) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        if node.children.is_empty() {
            out.leaf(node.kind, node.field, &node.text, node.span);
            return;
        }
        out.open(node.kind, node.field, node.span);
        node.children.iter().for_each(|child| write(child, out));
        out.close();
    });
}
