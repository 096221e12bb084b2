//! `if`, `orelse`, `catch`, `try`, `a.?`, labelled blocks. As a value each way writes a slot that is read behind.

use super::values::inside;
use super::{Lowering, Target, TargetKind};
use crate::tree::NodeId;
use factgate_ir::{Atom, Code, Exit, Name, Place, SlotId, Test, ValueId};

/// What a head asks: the outcome `yes`, and the value whose payload a capture gets.
struct Head {
    test: Test,
    /// The optional or error union that is asked about, when there is a capture.
    union: Option<ValueId>,
    /// Where it lies.
    place: Option<Place>,
}

impl<'t> Lowering<'t> {
    /// The value of what branches.
    pub(super) fn chosen(&mut self, node: NodeId, lower: impl FnOnce(&mut Self, SlotId)) -> ValueId {
        let slot = self.b.slot(node);
        lower(self, slot);
        self.b.read(node, Place::slot(slot))
    }

    /// A node whose value, when one is wanted, is written to the slot.
    pub(super) fn give_slot(&mut self, node: NodeId, slot: Option<SlotId>) {
        match slot {
            Some(slot) => {
                let value = self.value(node);
                self.set_slot(node, slot, value);
            }
            None => self.statement(node),
        }
    }

    pub(super) fn labelled(&mut self, node: NodeId, slot: Option<SlotId>) {
        let tree = self.tree;
        let label = tree.child_of_kind(node, "block_label");
        let name = label.and_then(|label| tree.child_of_kind(label, "identifier")).map(|name| tree.text(name));
        let Some(inner) = tree.children(node).find(|&child| Some(child) != label && self.kind(child) != ":") else {
            return;
        };
        match self.kind(inner) {
            "while_expression" => self.while_loop(inner, name, slot),
            "for_expression" => self.for_loop(inner, name, slot),
            "switch_expression" => self.switch(inner, name, slot),
            _ => {
                let label = self.b.label();
                let kind = TargetKind::Named;
                self.targets.push(Target { name, kind, behind: label, again: label, gives: slot, subject: None });
                let body = self.apart(|lower| lower.statement(inner));
                self.targets.pop();
                self.b.block(label, body);
            }
        }
    }

    pub(super) fn if_expression(&mut self, node: NodeId, slot: Option<SlotId>) {
        let Some(head) = self.head(node) else { return };
        let yes = self.apart(|lower| {
            lower.captured_by(node, &head);
            let body = lower.tree.child(node, "body");
            body.into_iter().for_each(|body| lower.give_slot(body, slot));
        });
        let no = self.otherwise(node, head.union, slot);
        self.b.branch(head.test, yes, no);
    }

    /// The test of an `if` or `while`: a condition, or by its capture "there is a value".
    fn head(&mut self, node: NodeId) -> Option<Head> {
        let tree = self.tree;
        let condition = tree.child(node, "condition")?;
        let clause = tree.child_of_kind(node, "else_clause");
        let fails = clause.is_some_and(|clause| tree.has_child(clause, "payload"));
        if !fails && !tree.has_child(node, "payload") {
            return Some(Head { test: self.test(condition), union: None, place: None });
        }
        self.b.open();
        let place = self.place(condition);
        let union = match (&place.root, place.steps.is_empty()) {
            (factgate_ir::Root::Value(value), true) => *value,
            _ => self.b.read(condition, place.clone()),
        };
        self.b.mark(condition);
        let atom = if fails { Atom::Error(union) } else { Atom::Missing(union) };
        let test = Test::Not(Box::new(self.b.leaf(condition, atom)));
        Some(Head { test, union: Some(union), place: Some(place) })
    }

    /// The capture of an `if` or `while` gets the payload, which is spelled as the whole.
    fn captured_by(&mut self, node: NodeId, head: &Head) {
        let Some(payload) = self.tree.child_of_kind(node, "payload") else { return };
        match (&head.place, head.union) {
            (Some(place), _) if self.tree.has_child(payload, "*") => {
                let place = place.clone().then(Name::Inner);
                self.capture(payload, &[place]);
            }
            (_, Some(union)) => {
                let value = self.payload_of(payload, union);
                if let Some(condition) = self.tree.child(node, "condition") {
                    self.spelled(value, condition);
                }
                self.capture_value(payload, value);
            }
            _ => {}
        }
    }

    /// The `else` of an `if` or a loop.
    pub(super) fn otherwise(&mut self, node: NodeId, union: Option<ValueId>, slot: Option<SlotId>) -> Code {
        let tree = self.tree;
        let Some(clause) = tree.child_of_kind(node, "else_clause") else { return Code::nothing() };
        self.apart(|lower| {
            lower.b.mark(clause);
            let known = lower.errors.len();
            if let (Some(payload), Some(union)) = (tree.child_of_kind(clause, "payload"), union) {
                let error = lower.error_of(payload, union);
                lower.capture_value(payload, error);
                lower.hold_error(payload);
            }
            let alternative = tree.child(clause, "alternative");
            alternative.into_iter().for_each(|alternative| lower.give_slot(alternative, slot));
            lower.errors.truncate(known);
        })
    }

    /// The head of a `while` and one turn of it: its capture, then its body.
    pub(super) fn turn_of_while(&mut self, node: NodeId) -> Option<(Test, Option<ValueId>, Code)> {
        let head = self.head(node)?;
        let body = self.apart(|lower| {
            lower.captured_by(node, &head);
            let body = lower.tree.child(node, "body");
            body.into_iter().for_each(|body| lower.statement(body));
        });
        Some((head.test, head.union, body))
    }

    /// `a orelse b`: `b` runs when `a` is null.
    pub(super) fn orelse(&mut self, node: NodeId) -> ValueId {
        self.or_else(node, Atom::Missing, |_, _| {})
    }

    /// `a catch |e| b`: `b` runs when `a` is an error.
    pub(super) fn catch(&mut self, node: NodeId) -> ValueId {
        let payload = self.tree.child_of_kind(node, "payload");
        self.or_else(node, Atom::Error, |lower, union| {
            if let Some(payload) = payload {
                let error = lower.error_of(payload, union);
                lower.capture_value(payload, error);
                lower.hold_error(payload);
            }
        })
    }

    fn or_else(
        &mut self,
        node: NodeId,
        asks: fn(ValueId) -> Atom,
        capture: impl FnOnce(&mut Self, ValueId),
    ) -> ValueId {
        let tree = self.tree;
        let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
            return self.unknown(node);
        };
        let slot = self.b.slot(node);
        self.b.open();
        let union = self.value(left);
        let test = self.b.leaf(left, asks(union));
        let known = self.errors.len();
        let fails = self.apart(|lower| {
            capture(lower, union);
            lower.give_slot(right, Some(slot));
        });
        self.errors.truncate(known);
        let holds = self.apart(|lower| {
            let value = lower.payload_of(left, union);
            lower.set_slot(left, slot, value);
        });
        self.b.branch(test, fails, holds);
        let value = self.b.read(node, Place::slot(slot));
        if leaves(self, right) {
            self.spelled(value, left);
        }
        value
    }

    /// `try a`: leaves with an error, or goes on with the payload.
    pub(super) fn try_expression(&mut self, node: NodeId) -> ValueId {
        let Some(argument) = self.tree.child(node, "argument") else { return self.unknown(node) };
        self.b.open();
        let union = self.value(argument);
        let test = self.b.leaf(node, Atom::Error(union));
        let fails = self.apart(|lower| {
            let error = lower.error_of(node, union);
            lower.b.exit(node, Exit::ErrorReturn, error);
        });
        self.b.branch(test, fails, Code::nothing());
        let value = self.payload_of(node, union);
        self.spelled(value, argument);
        value
    }
}

/// Whether code never goes on behind itself, as far as its last statement says so.
fn leaves(lowering: &Lowering<'_>, node: NodeId) -> bool {
    let tree = lowering.tree;
    match tree.kind(node) {
        "return_expression" | "break_expression" | "continue_expression" | "unreachable" => true,
        "parenthesized_expression" | "expression_statement" => {
            inside(tree, node).is_some_and(|inner| leaves(lowering, inner))
        }
        "block" => {
            let last = tree.children(node).filter(|&child| !matches!(tree.kind(child), "{" | "}")).last();
            last.is_some_and(|last| leaves(lowering, last))
        }
        _ => false,
    }
}
