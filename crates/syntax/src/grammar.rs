//! The grammar's tree as one flat array in preorder, copied from tree-sitter's once a file.
//!
//! tree-sitter finds a parent or the sibling before by walking down from the root, and every question is a call into C.
//! The items, the problems and the normal form ask for millions of both, so the tree is copied by a single walk, and
//! everything after that reads this array. Kinds and fields are numbers here; their names live in [`Names`].

use crate::languages::Check;
use crate::tree::Span;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

/// No node: the parent of the root, the sibling before a first child.
const NONE: u32 = u32::MAX;

/// The kind id of what the parser could not read.
const ERROR: u16 = u16::MAX;

const NAMED: u8 = 1;
const MISSING: u8 = 2;
const EXTRA: u8 = 4;

#[derive(Clone, Copy, Debug)]
struct Data {
    start: u32,
    end: u32,
    /// One past the last node below this one.
    next: u32,
    parent: u32,
    before: u32,
    kind: u16,
    field: u8,
    flags: u8,
}

/// A file's grammar tree.
pub(crate) struct GrammarTree {
    names: &'static Names,
    nodes: Vec<Data>,
}

/// A place deeper than the limit: its byte offset.
pub(crate) struct TooDeep(pub(crate) u32);

impl GrammarTree {
    /// Copies a parse, down to `limit` levels below the root.
    pub(crate) fn copy(
        parsed: &tree_sitter::Tree,
        names: &'static Names,
        limit: usize,
    ) -> Result<GrammarTree, TooDeep> {
        let mut cursor = parsed.walk();
        let mut nodes: Vec<Data> = Vec::with_capacity(parsed.root_node().end_byte() / 3 + 8);
        // The open nodes, and the child that each had last.
        let mut open: Vec<(u32, u32)> = Vec::with_capacity(64);
        'walk: loop {
            let id = nodes.len() as u32;
            let (parent, before) = match open.last_mut() {
                Some((parent, last)) => (*parent, std::mem::replace(last, id)),
                None => (NONE, NONE),
            };
            let data = data(&cursor, names, parent, before);
            nodes.push(data);
            if cursor.goto_first_child() {
                if open.len() >= limit {
                    return Err(TooDeep(cursor.node().start_byte() as u32));
                }
                open.push((id, NONE));
                continue;
            }
            nodes[id as usize].next = id + 1;
            while !cursor.goto_next_sibling() {
                let Some((above, _)) = open.pop() else { break 'walk };
                nodes[above as usize].next = nodes.len() as u32;
                cursor.goto_parent();
            }
        }
        Ok(GrammarTree { names, nodes })
    }

    /// The node of the whole file.
    pub(crate) fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// A node by its [`Node::index`].
    pub(crate) fn node(&self, index: u32) -> Node<'_> {
        Node { tree: self, id: index }
    }

    /// The number that a language gives to a node's kind, computed once a grammar.
    pub(crate) fn shape_of(&self, node: Node<'_>, number: fn(&str, bool) -> u8) -> u8 {
        self.names.shapes(number).get(node.kind_id() as usize).copied().unwrap_or(0)
    }

    /// Every node, in preorder.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|id| Node { tree: self, id })
    }
}

fn data(cursor: &tree_sitter::TreeCursor<'_>, names: &Names, parent: u32, before: u32) -> Data {
    let node = cursor.node();
    let (start, end, kind) = (node.start_byte() as u32, node.end_byte() as u32, node.kind_id());
    let field = cursor.field_id().map_or(0, |id| id.get() as u8);
    let mut flags = if names.is_named(kind) { NAMED } else { 0 };
    if start == end && node.is_missing() {
        flags |= MISSING;
    }
    if node.is_extra() {
        flags |= EXTRA;
    }
    Data { start, end, next: 0, parent, before, kind, field, flags }
}

/// A node of a [`GrammarTree`]. It answers to the same names as tree-sitter's own.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t GrammarTree,
    id: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.tree.nodes[self.id as usize]
    }

    fn at(self, id: u32) -> Option<Node<'t>> {
        (id != NONE).then_some(Node { id, ..self })
    }

    /// Its number in preorder.
    pub(crate) fn index(self) -> u32 {
        self.id
    }

    /// The grammar's name of its kind; for a token, the token itself.
    pub(crate) fn kind(self) -> &'static str {
        self.tree.names.kind(self.data().kind)
    }

    pub(crate) fn kind_id(self) -> u16 {
        self.data().kind
    }

    /// The role that it has in its parent.
    pub(crate) fn field(self) -> Option<&'static str> {
        self.tree.names.field(self.data().field)
    }

    pub(crate) fn span(self) -> Span {
        let data = self.data();
        Span { start: data.start, end: data.end }
    }

    pub(crate) fn start_byte(self) -> usize {
        self.data().start as usize
    }

    pub(crate) fn end_byte(self) -> usize {
        self.data().end as usize
    }

    pub(crate) fn byte_range(self) -> Range<usize> {
        self.span().range()
    }

    pub(crate) fn is_named(self) -> bool {
        self.data().flags & NAMED != 0
    }

    /// Whether the parser made it up where something is missing.
    pub(crate) fn is_missing(self) -> bool {
        self.data().flags & MISSING != 0
    }

    /// Whether it can stand anywhere, as a comment can.
    pub(crate) fn is_extra(self) -> bool {
        self.data().flags & EXTRA != 0
    }

    pub(crate) fn is_error(self) -> bool {
        self.data().kind == ERROR
    }

    pub(crate) fn is_leaf(self) -> bool {
        self.data().next == self.id + 1
    }

    pub(crate) fn parent(self) -> Option<Node<'t>> {
        self.at(self.data().parent)
    }

    pub(crate) fn prev_sibling(self) -> Option<Node<'t>> {
        self.at(self.data().before)
    }

    /// The next node in preorder that does not lie in this one.
    pub(crate) fn behind(self) -> Option<Node<'t>> {
        let next = self.data().next;
        ((next as usize) < self.tree.nodes.len()).then_some(Node { id: next, ..self })
    }

    /// The children in source order.
    pub(crate) fn children(self) -> Children<'t> {
        Children { tree: self.tree, next: self.id + 1, end: self.data().next }
    }

    /// The children that are no tokens.
    pub(crate) fn named_children(self) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(|child| child.is_named())
    }

    pub(crate) fn child(self, index: usize) -> Option<Node<'t>> {
        self.children().nth(index)
    }

    /// The first child in this role.
    pub(crate) fn child_by_field_name(self, field: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.field() == Some(field))
    }

    /// The smallest node around a range.
    pub(crate) fn descendant_for_byte_range(self, start: usize, end: usize) -> Node<'t> {
        let mut node = self;
        loop {
            let spans = |child: &Node<'t>| {
                let touches = if child.start_byte() == child.end_byte() {
                    child.end_byte() >= start
                } else {
                    child.end_byte() > start
                };
                child.end_byte() >= end && touches
            };
            match node.children().find(spans).filter(|child| child.start_byte() <= start) {
                Some(child) => node = child,
                None => return node,
            }
        }
    }
}

/// The children of a node.
pub(crate) struct Children<'t> {
    tree: &'t GrammarTree,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        let node = Node { tree: self.tree, id: self.next };
        self.next = node.data().next;
        Some(node)
    }
}

/// The names of a grammar's kinds and fields, kept for the life of the program: tree-sitter lends them only as long as
/// a node lives, and a normal tree outlives its grammar tree.
pub(crate) struct Names {
    kinds: Vec<&'static str>,
    fields: Vec<&'static str>,
    named: HashSet<&'static str>,
    is_named: Vec<bool>,
    classes: OnceLock<Vec<u8>>,
    shapes: OnceLock<Vec<u8>>,
    checks: OnceLock<Vec<Vec<Check>>>,
}

impl Names {
    pub(crate) fn of(grammar: &tree_sitter::Language) -> Names {
        let keep = |name: Option<&str>| -> &'static str { Box::leak(name.unwrap_or("").to_owned().into_boxed_str()) };
        let kinds: Vec<_> =
            (0..grammar.node_kind_count() as u16).map(|id| keep(grammar.node_kind_for_id(id))).collect();
        let is_named = |id: &usize| grammar.node_kind_is_named(*id as u16);
        Names {
            named: (0..kinds.len()).filter(is_named).map(|id| kinds[id]).collect(),
            is_named: (0..kinds.len()).map(|id| is_named(&id)).collect(),
            classes: OnceLock::new(),
            shapes: OnceLock::new(),
            checks: OnceLock::new(),
            kinds,
            fields: (0..=grammar.field_count() as u16).map(|id| keep(grammar.field_name_for_id(id))).collect(),
        }
    }

    fn kind(&self, id: u16) -> &'static str {
        self.kinds.get(id as usize).copied().unwrap_or("ERROR")
    }

    fn is_named(&self, id: u16) -> bool {
        self.is_named.get(id as usize).copied().unwrap_or(true)
    }

    /// Whether nodes of a kind of this name have a meaning of their own, or are mere tokens.
    pub(crate) fn is_named_kind(&self, kind: &str) -> bool {
        self.named.contains(kind)
    }

    fn field(&self, id: u8) -> Option<&'static str> {
        if id == 0 { None } else { self.fields.get(id as usize).copied() }
    }

    /// A number for each kind id, computed once a grammar from the kind's name and whether it is a named kind: rules
    /// that branch on it need no string comparison for each node.
    pub(crate) fn classes(&self, class: fn(&str, bool) -> u8) -> &[u8] {
        self.classes
            .get_or_init(|| self.kinds.iter().zip(&self.is_named).map(|(kind, &named)| class(kind, named)).collect())
    }

    /// The same for the kinds that another parser knows as well.
    fn shapes(&self, number: fn(&str, bool) -> u8) -> &[u8] {
        self.shapes
            .get_or_init(|| self.kinds.iter().zip(&self.is_named).map(|(kind, &named)| number(kind, named)).collect())
    }

    /// For each kind id, the checks that name its kind.
    pub(crate) fn checks(&self, checks: &[(&str, Check)]) -> &[Vec<Check>] {
        let of = |kind: &&str| checks.iter().filter(|(name, _)| name == kind).map(|&(_, check)| check).collect();
        self.checks.get_or_init(|| self.kinds.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{LANGUAGES, Language};

    const CODE: [(&str, &str); 6] = [
        ("TypeScript", include_str!("../../../fixtures/ts/grouping-lease.ts")),
        ("TypeScript", "export const a = ; function f( { return } @x class A { get b(): C[] {} } /* d */ let e: F<G"),
        ("TSX", include_str!("../../../fixtures/ts/grouping-panel.tsx")),
        ("JavaScript", include_str!("../../../fixtures/ts/grouping-queue.cjs")),
        ("Zig", include_str!("../../../fixtures/zig/properties-pump.zig")),
        ("Zig", "const a = struct {}; fn f(x: error{A}) !void { const b = *if (c) d else e; // f\n g( }"),
    ];

    fn language(name: &str) -> &'static Language {
        LANGUAGES.iter().find(|language| language.name == name).unwrap()
    }

    #[test]
    fn a_field_id_fits_into_a_byte() {
        for language in &LANGUAGES {
            assert!(language.names().fields.len() <= 256, "{}", language.name);
        }
    }

    /// Everything that is asked of a node, as tree-sitter itself answers it.
    #[test]
    fn the_copy_answers_as_the_grammar_does() {
        for (name, text) in CODE {
            let language = language(name);
            let parsed = language.parse(text).unwrap();
            let Ok(copy) = GrammarTree::copy(&parsed, language.names(), 1_000) else { panic!("{name} is too deep") };
            let mut pairs = vec![(copy.root(), parsed.root_node())];
            let mut seen = 0;
            while let Some((ours, theirs)) = pairs.pop() {
                seen += 1;
                check(ours, theirs, language.names());
                let below: Vec<_> = theirs.children(&mut theirs.walk()).collect();
                assert_eq!(ours.children().count(), below.len());
                pairs.extend(ours.children().zip(below));
            }
            assert_eq!(copy.iter().count(), seen);
        }
    }

    fn check(ours: Node<'_>, theirs: tree_sitter::Node<'_>, names: &Names) {
        let place = |node: Node<'_>| (node.kind(), node.byte_range());
        let known = |node: tree_sitter::Node<'_>| (names.kind(node.kind_id()), node.byte_range());
        assert_eq!(place(ours), known(theirs));
        assert_eq!(ours.kind(), theirs.kind());
        let flags = (ours.is_named(), ours.is_missing(), ours.is_extra(), ours.is_error());
        assert_eq!(flags, (theirs.is_named(), theirs.is_missing(), theirs.is_extra(), theirs.is_error()), "{theirs}");
        assert_eq!(ours.parent().map(place), theirs.parent().map(known));
        // tree-sitter's own answer skips what is empty.
        let full = |node: Node<'_>| node.start_byte() < node.end_byte();
        if full(ours) && ours.prev_sibling().is_none_or(full) {
            assert_eq!(ours.prev_sibling().map(place), theirs.prev_sibling().map(known));
        }
        // What stands in an error has roles for the cursor alone.
        for field in names.fields.iter().filter(|field| !field.is_empty() && !ours.is_error()) {
            let found = (ours.child_by_field_name(field).map(place), theirs.child_by_field_name(field).map(known));
            assert_eq!(found.0, found.1, "{field} of {theirs}");
        }
    }

    #[test]
    fn what_nests_too_deep_is_not_copied() {
        let language = language("TypeScript");
        let parsed = language.parse(&format!("{}a{}", "(".repeat(50), ")".repeat(50))).unwrap();
        let depth = |limit| GrammarTree::copy(&parsed, language.names(), limit).map_err(|TooDeep(at)| at).err();
        assert_eq!(depth(60), None);
        assert_eq!(depth(20), Some(18));
    }
}
