//! Declarations and assignments: the target's own operands, the value, the node, then the write.

use super::Lower;
use crate::flow::Flow;
use crate::tree::NodeId;

impl Lower<'_> {
    /// `const x = v`, `var x: T = v`, `const a, b.c = v`.
    pub(super) fn declaration(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        let value = tree.child(node, "value");
        let targets: Vec<NodeId> =
            tree.children(node).filter(|&child| matches!(tree.field(child), Some("name" | "left"))).collect();
        for child in tree.children(node) {
            if tree.field(child) != Some("name") && tree.kind(child) != "extern" && !self.is_library(node, child) {
                self.value(child, out);
            }
        }
        self.eval(node, out);
        let whole = if targets.len() == 1 { value } else { None };
        targets.into_iter().for_each(|target| self.write(node, target, whole, out));
    }

    /// The `"c"` of `extern "c" var`.
    fn is_library(&self, node: NodeId, child: NodeId) -> bool {
        self.kind(child) == "string" && self.tree.field(child).is_none() && self.tree.has_child(node, "extern")
    }

    /// `x = v`, `a[i].b += v`, `_ = v`.
    pub(super) fn assignment(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.operands(node, out);
        self.eval(node, out);
        let Some(target) = tree.child(node, "left") else { return };
        let value = tree.child(node, "right").filter(|_| tree.has_child(node, "="));
        self.write(node, target, value, out);
    }

    /// `_` is nowhere.
    fn write(&mut self, node: NodeId, target: NodeId, value: Option<NodeId>, out: &mut Vec<Flow>) {
        if self.kind(target) != "identifier" || self.tree.text(target) != "_" {
            out.push(Flow::Write { node, target, value });
        }
    }

    /// The names between `|` and `|` get new values.
    pub(super) fn capture(&mut self, payload: NodeId, out: &mut Vec<Flow>) {
        let names = self.tree.children(payload).filter(|&child| self.kind(child) == "identifier");
        names.collect::<Vec<_>>().into_iter().for_each(|name| self.write(payload, name, None, out));
    }

    /// Remembers that a capture holds an error: returning it is an error return.
    pub(super) fn hold_error(&mut self, payload: NodeId) {
        let tree = self.tree;
        let names = tree.children(payload).filter(|&child| tree.kind(child) == "identifier");
        self.errors.extend(names.map(|name| tree.text(name)));
    }

    /// `[x] "=r" (target)` writes its target; `(-> T)` gives a value.
    pub(super) fn asm_output(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let target = self.tree.children(node).skip(4).find(|&child| self.kind(child) == "identifier");
        let target = target.filter(|_| !self.tree.has_child(node, "->"));
        let typed = self.tree.children(node).skip(5).filter(|_| self.tree.has_child(node, "->"));
        typed.collect::<Vec<_>>().into_iter().for_each(|part| self.value(part, out));
        self.eval(node, out);
        target.into_iter().for_each(|target| self.write(node, target, None, out));
    }
}
