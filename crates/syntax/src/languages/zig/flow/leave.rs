//! What leaves: `return`, `break`, `continue`, `unreachable`, and calls that never return.
//!
//! A `return` of an error literal, or of an error that a capture holds, is an error return. Any other `return` counts as
//! a normal one, also `return f()` where `f` may give an error: which of the two it is, the item alone does not say.

use super::{Lower, TargetKind};
use crate::flow::{Exit, Flow};
use crate::languages::zig::condition::{access, call, strip};
use crate::languages::zig::denote::written;
use crate::tree::NodeId;

/// Functions of the standard library whose return type is `noreturn`.
const NEVER: [&str; 10] = [
    "std.process.exit",
    "std.process.abort",
    "std.process.fatal",
    "std.posix.exit",
    "std.posix.abort",
    "std.os.exit",
    "std.os.abort",
    "std.os.linux.exit",
    "std.os.linux.exit_group",
    "std.debug.panic",
];

impl Lower<'_> {
    pub(super) fn return_expression(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        self.operands(node, out);
        self.eval(node, out);
        let value = self.tree.children(node).nth(1);
        let to = if value.is_some_and(|value| self.is_error(value)) { Exit::ErrorReturn } else { Exit::Return };
        out.push(Flow::Leave { to, node });
    }

    /// Whether an expression is an error for sure.
    fn is_error(&self, node: NodeId) -> bool {
        let node = strip(self.tree, node);
        match self.kind(node) {
            "error_type" => true,
            "identifier" => self.errors.contains(&self.tree.text(node)),
            _ => false,
        }
    }

    /// Whether a node is a name that holds an error.
    pub(super) fn names_error(&self, node: NodeId) -> bool {
        let node = strip(self.tree, node);
        self.kind(node) == "identifier" && self.is_error(node)
    }

    /// `break`, `continue`, each with a label and a value or without.
    pub(super) fn jump(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.operands(node, out);
        self.eval(node, out);
        let name = tree.child_of_kind(node, "break_label").and_then(|label| tree.child_of_kind(label, "identifier"));
        let name = name.map(|name| tree.text(name));
        let target = self.targets.iter().rev().find(|target| match name {
            Some(_) => target.name == name,
            None => target.kind == TargetKind::Loop,
        });
        // A jump whose target lies outside of what is lowered leaves it.
        let to = match (target, tree.kind(node)) {
            (None, _) => Exit::Return,
            (Some(target), "break_expression") => Exit::Break(target.label),
            (Some(target), _) => Exit::Continue(target.label),
        };
        out.push(Flow::Leave { to, node });
    }

    pub(super) fn never(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        self.eval(node, out);
        out.push(Flow::Leave { to: Exit::Never, node });
    }

    /// A call evaluates its callee, its arguments, then itself. Some builtins write
    /// through a pointer.
    pub(super) fn call(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        self.operands(node, out);
        if self.never_returns(node) {
            return self.never(node, out);
        }
        self.eval(node, out);
        if !written(self.tree, node).is_empty() {
            out.push(Flow::Write { node, target: node, value: None });
        }
    }

    fn never_returns(&self, node: NodeId) -> bool {
        let Some(call) = call(self.tree, node) else { return false };
        if self.kind(call.callee) == "builtin_identifier" {
            return matches!(self.tree.text(call.callee), "@panic" | "@trap" | "@compileError");
        }
        let Some(access) = access(self.tree, call.callee) else { return false };
        let mut path = self.tree.text(access.root).to_owned();
        for step in &access.path {
            path.push('.');
            path.push_str(step.as_deref().unwrap_or("[]"));
        }
        NEVER.contains(&path.as_str())
    }
}
