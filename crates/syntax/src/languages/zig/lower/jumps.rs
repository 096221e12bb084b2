//! `return`, `break`, `continue`.

use super::{Lowering, TargetKind};
use crate::languages::zig::condition::strip;
use crate::tree::NodeId;
use factgate_ir::Exit;

impl<'t> Lowering<'t> {
    pub(super) fn return_expression(&mut self, node: NodeId) {
        let Some(given) = self.tree.children(node).nth(1) else {
            self.b.mark(node);
            return self.return_nothing(node);
        };
        let value = self.value(given);
        self.b.mark(node);
        let to = if self.is_error(given) { Exit::ErrorReturn } else { Exit::Return };
        self.b.exit(node, to, value);
    }

    /// Whether an expression is an error for sure.
    pub(super) fn is_error(&self, node: NodeId) -> bool {
        let node = strip(self.tree, node);
        match self.kind(node) {
            "error_type" => true,
            "identifier" => {
                let declared = self.scopes.binding(node).map(|id| self.scopes.get(id).declared);
                declared.is_some_and(|declared| self.errors.contains(&declared))
            }
            _ => false,
        }
    }

    /// `break`, `continue`, each with a label and a value or without.
    pub(super) fn jump(&mut self, node: NodeId) {
        let tree = self.tree;
        let label = tree.child_of_kind(node, "break_label");
        let name = label.and_then(|label| tree.child_of_kind(label, "identifier")).map(|name| tree.text(name));
        let value = tree.children(node).skip(1).find(|&child| !super::values::is_word(tree.kind(child)));
        let found = self.targets.iter().rev().find(|target| match name {
            Some(_) => target.name == name,
            None => target.kind == TargetKind::Loop,
        });
        let breaks = self.kind(node) == "break_expression";
        let found = found.map(|target| match breaks {
            true => (Exit::Break(target.behind), target.gives),
            false => (Exit::Continue(target.again), target.subject),
        });
        let given = value.map(|value| (value, self.value(value)));
        if let (Some((value, given)), Some((_, Some(slot)))) = (given, found) {
            self.set_slot(value, slot, given);
        }
        self.b.mark(node);
        // A jump whose target lies outside of what is lowered leaves it.
        let to = found.map_or(Exit::Return, |(to, _)| to);
        let given = given.map(|(_, given)| given).filter(|_| found.is_none());
        self.b.exit(node, to, given);
    }
}
