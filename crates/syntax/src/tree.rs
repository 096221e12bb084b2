//! The normal form: one immutable syntax tree in preorder, made in one place per language.
//!
//! Fingerprints, patterns and flow all read this tree. Node kinds and fields are the grammar's own
//! names (tree-sitter interns them for the life of the program), so a language's rules read like its
//! grammar; comments, layout and formatter's choices are already gone.

pub use factgate_ir::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

/// A half-open byte range in the source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether `other` lies wholly inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The span as a range for slicing source text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Debug)]
struct Data {
    kind: &'static str,
    field: Option<&'static str>,
    text: (u32, u32),
    span: Span,
    end: u32,
    parent: u32,
}

/// A normal-form tree. Nodes stand in preorder, so a subtree is a contiguous run of ids.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Data>,
    text: String,
    /// By node, in order.
    gone: BTreeMap<u32, Box<str>>,
}

impl Tree {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree holds no node at all (only a builder that was never fed gives that).
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The grammar's name of the node's kind; for a token, the token itself.
    pub fn kind(&self, node: NodeId) -> &'static str {
        self.nodes[node.index()].kind
    }

    /// The role that the node has in its parent, by the grammar's field name.
    pub fn field(&self, node: NodeId) -> Option<&'static str> {
        self.nodes[node.index()].field
    }

    /// The normalized text of a leaf; empty for inner nodes and for tokens whose kind says it all.
    pub fn text(&self, node: NodeId) -> &str {
        let (start, end) = self.nodes[node.index()].text;
        &self.text[start as usize..end as usize]
    }

    /// What is written there and gone when it runs: the type arguments of a call, the `readonly` of a field. It is no part of
    /// the code: only a pattern that has type arguments asks for them, and a table for what nothing assigns.
    pub fn gone(&self, node: NodeId) -> Option<&str> {
        self.gone.get(&node.number()).map(|text| &**text)
    }

    /// Where the node stands in the source file.
    pub fn span(&self, node: NodeId) -> Span {
        self.nodes[node.index()].span
    }

    /// The enclosing node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.index()].parent;
        (parent != u32::MAX).then_some(NodeId::new(parent))
    }

    /// Ancestors from the parent up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].end == node.number() + 1
    }

    /// One past the last id of the subtree.
    pub fn subtree_end(&self, node: NodeId) -> NodeId {
        NodeId::new(self.nodes[node.index()].end)
    }

    /// The node and all below it, in preorder.
    pub fn subtree(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.number()..self.nodes[node.index()].end).map(NodeId::new)
    }

    /// Whether `inner` is `outer` or lies below it.
    pub fn is_within(&self, inner: NodeId, outer: NodeId) -> bool {
        outer <= inner && inner.number() < self.nodes[outer.index()].end
    }

    /// The children in source order.
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children { tree: self, next: node.number() + 1, end: self.nodes[node.index()].end }
    }

    /// The first child with this field name.
    pub fn child(&self, node: NodeId, field: &str) -> Option<NodeId> {
        self.children(node).find(|&child| self.field(child) == Some(field))
    }

    /// The node behind parentheses, which are gone when the program runs.
    pub fn unparenthesized(&self, mut node: NodeId) -> NodeId {
        while self.kind(node) == "parenthesized_expression" {
            let Some(inner) = self.children(node).find(|&child| !matches!(self.kind(child), "(" | ")")) else { break };
            node = inner;
        }
        node
    }

    /// The first child of this kind (or this token).
    pub fn child_of_kind(&self, node: NodeId, kind: &str) -> Option<NodeId> {
        self.children(node).find(|&child| self.kind(child) == kind)
    }

    /// Whether a child of this kind (or this token) exists.
    pub fn has_child(&self, node: NodeId, kind: &str) -> bool {
        self.child_of_kind(node, kind).is_some()
    }

    /// Whether two subtrees (of two trees, or of one) are the same code: same kinds, texts and shape.
    /// The role of the two roots in their parents is not compared.
    pub fn same(&self, node: NodeId, other: &Tree, other_node: NodeId) -> bool {
        let left = &self.nodes[node.index()..self.nodes[node.index()].end as usize];
        let right = &other.nodes[other_node.index()..other.nodes[other_node.index()].end as usize];
        left.len() == right.len()
            && left.iter().zip(right).enumerate().all(|(index, (a, b))| {
                a.kind == b.kind
                    && (index == 0 || a.field == b.field)
                    && a.end - node.number() == b.end - other_node.number()
                    && self.text[a.text.0 as usize..a.text.1 as usize]
                        == other.text[b.text.0 as usize..b.text.1 as usize]
            })
    }

    /// A copy of one subtree as a tree of its own; spans stay those of the source file.
    pub fn extract(&self, node: NodeId) -> Tree {
        let mut builder = TreeBuilder::default();
        builder.copy(self, node);
        builder.finish()
    }

    /// The leaf or inner nodes of exactly this span, outermost first.
    pub fn at_span(&self, span: Span) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId::new).filter(move |&node| self.span(node) == span)
    }

    /// Canonical text of a subtree, for messages and for `matching`: the leaves with normalized spelling,
    /// a space where two words (or an operator of a binary expression) would run together, `, ` between
    /// the elements of a list. It is no source code that a parser must take back.
    pub fn render(&self, node: NodeId) -> String {
        crate::snippet::render(self, node)
    }
}

/// Iterator over the children of a node.
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId::new(self.next);
        self.next = self.tree.nodes[node.index()].end;
        Some(node)
    }
}

/// Where a node of [`TreeBuilder::copy_replacing`] came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A node of the copied tree.
    Copied(NodeId),
    /// A node of the tree that a replacement was taken from.
    Replacement(NodeId),
}

/// Builds a [`Tree`] in preorder: `open`, children, `close`; or `leaf`.
#[derive(Default)]
pub struct TreeBuilder {
    tree: Tree,
    open: Vec<u32>,
}

impl TreeBuilder {
    fn push(&mut self, kind: &'static str, field: Option<&'static str>, text: &str, span: Span) -> u32 {
        let id = self.tree.nodes.len() as u32;
        let start = self.tree.text.len() as u32;
        self.tree.text.push_str(text);
        self.tree.nodes.push(Data {
            kind,
            field,
            text: (start, start + text.len() as u32),
            span,
            end: id + 1,
            parent: self.open.last().copied().unwrap_or(u32::MAX),
        });
        id
    }

    /// Starts an inner node; everything until the matching [`TreeBuilder::close`] is below it.
    pub fn open(&mut self, kind: &'static str, field: Option<&'static str>, span: Span) -> NodeId {
        let id = self.push(kind, field, "", span);
        self.open.push(id);
        NodeId::new(id)
    }

    /// Ends the innermost open node.
    pub fn close(&mut self) {
        let end = self.tree.nodes.len() as u32;
        if let Some(id) = self.open.pop() {
            self.tree.nodes[id as usize].end = end;
        }
    }

    /// Adds a leaf. `text` is its normalized text: empty for a keyword or operator, whose kind says it all.
    pub fn leaf(&mut self, kind: &'static str, field: Option<&'static str>, text: &str, span: Span) -> NodeId {
        NodeId::new(self.push(kind, field, text, span))
    }

    /// Copies a subtree of another tree to here, keeping spans and the root's field.
    pub fn copy(&mut self, from: &Tree, node: NodeId) {
        let end = from.nodes[node.index()].end;
        for id in node.number()..end {
            let data = &from.nodes[id as usize];
            let text = &from.text[data.text.0 as usize..data.text.1 as usize];
            let copied = self.push(data.kind, data.field, text, data.span);
            self.copy_gone(from, id, copied);
            if data.end > id + 1 {
                self.open.push(copied);
            }
            // Close every node whose source subtree ends here.
            let mut ancestor = id;
            while from.nodes[ancestor as usize].end == id + 1 {
                if from.nodes[ancestor as usize].end > ancestor + 1 {
                    self.close();
                }
                if ancestor == node.number() {
                    break;
                }
                ancestor = from.nodes[ancestor as usize].parent;
            }
        }
    }

    /// Says of a node what is written there and gone when it runs ([`Tree::gone`]).
    pub fn write_gone(&mut self, node: NodeId, text: String) {
        self.tree.gone.insert(node.number(), text.into_boxed_str());
    }

    fn copy_gone(&mut self, from: &Tree, id: u32, copied: u32) {
        if let Some(text) = from.gone.get(&id) {
            self.tree.gone.insert(copied, text.clone());
        }
    }

    /// Copies a subtree of another tree to here, in another role.
    pub fn copy_as(&mut self, from: &Tree, node: NodeId, field: Option<&'static str>) {
        let root = self.tree.nodes.len();
        self.copy(from, node);
        self.tree.nodes[root].field = field;
    }

    /// Copies a subtree, putting other code where `replace` names some. Gives for each new node the one it came from,
    /// and from which of the two.
    pub fn copy_replacing<'t>(
        &mut self,
        from: &'t Tree,
        node: NodeId,
        replace: &dyn Fn(NodeId) -> Option<(&'t Tree, NodeId)>,
    ) -> Vec<Origin> {
        let (mut id, end) = (node.number(), from.nodes[node.index()].end);
        let mut origins = Vec::new();
        let mut ends: Vec<u32> = Vec::new();
        while id < end {
            while ends.last().is_some_and(|&end| end <= id) {
                ends.pop();
                self.close();
            }
            let data = &from.nodes[id as usize];
            if let Some((other, with)) = replace(NodeId::new(id)) {
                let root = self.tree.nodes.len();
                self.copy(other, with);
                self.tree.nodes[root].field = data.field;
                origins.extend(other.subtree(with).map(Origin::Replacement));
                id = data.end;
                continue;
            }
            let copied = self.push(data.kind, data.field, from.text(NodeId::new(id)), data.span);
            self.copy_gone(from, id, copied);
            origins.push(Origin::Copied(NodeId::new(id)));
            if data.end > id + 1 {
                self.open.push(copied);
                ends.push(data.end);
            }
            id += 1;
        }
        ends.iter().for_each(|_| self.close());
        origins
    }

    /// How many nodes were added so far: the id of the next one.
    pub fn next_id(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Ends every open node and gives the tree.
    pub fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        self.tree
    }
}
