//! `while`, `for`, and what `defer` protects.

use super::{Lowering, Target, TargetKind};
use crate::tree::NodeId;
use factgate_ir::{Code, Const, Does, Key, Place, Prim, Root, SlotId, Step, Test, ValueId, When};

impl<'t> Lowering<'t> {
    pub(super) fn while_loop(&mut self, node: NodeId, name: Option<&'t str>, slot: Option<SlotId>) {
        let tree = self.tree;
        let Some(condition) = tree.child(node, "condition") else { return };
        let label = self.b.label();
        let kind = TargetKind::Loop;
        self.targets.push(Target { name, kind, behind: label, again: label, gives: slot, subject: None });
        let endless = self.kind(condition) == "boolean" && self.text(condition) == "true";
        let (test, union, body) = if endless {
            let body = self.apart(|lower| {
                lower.b.mark(condition);
                tree.child(node, "body").into_iter().for_each(|body| lower.statement(body));
            });
            (Test::Always, None, body)
        } else {
            match self.turn_of_while(node) {
                Some(turn) => turn,
                None => (Test::Always, None, Code::nothing()),
            }
        };
        let step = self.apart(|lower| tree.child(node, "step").into_iter().for_each(|step| lower.statement(step)));
        self.targets.pop();
        let otherwise = self.otherwise(node, union, slot);
        self.repeat(factgate_ir::Code::Loop {
            label,
            test,
            body: Box::new(body),
            step: Box::new(step),
            otherwise: Box::new(otherwise),
        });
    }

    fn repeat(&mut self, code: Code) {
        self.b.emit(code);
    }

    /// `for (list, 0..) |x, i|`: whether there is another turn, nobody knows.
    pub(super) fn for_loop(&mut self, node: NodeId, name: Option<&'t str>, slot: Option<SlotId>) {
        let tree = self.tree;
        let heads = tree.children(node).take_while(|&child| tree.kind(child) != ")");
        let lists: Vec<_> = heads.filter(|&child| !super::values::is_word(tree.kind(child))).collect();
        let at = self.b.slot(node);
        let start = self.b.constant(node, Const::Number(0.0.into()));
        self.set_slot(node, at, start);
        let heads: Vec<Place> = lists.iter().map(|&list| self.list(list)).collect();
        let label = self.b.label();
        let kind = TargetKind::Loop;
        self.targets.push(Target { name, kind, behind: label, again: label, gives: slot, subject: None });
        let body = self.apart(|lower| {
            let at = lower.b.read(node, Place::slot(at));
            let elements: Vec<Place> =
                lists.iter().zip(heads).map(|(&list, head)| lower.element(list, head, at)).collect();
            let payload = tree.child_of_kind(node, "payload");
            payload.into_iter().for_each(|payload| lower.capture(payload, &elements));
            tree.child(node, "body").into_iter().for_each(|body| lower.statement(body));
        });
        self.targets.pop();
        self.b.open();
        let test = self.b.unknown(node);
        let step = self.apart(|lower| {
            let before = lower.b.read(node, Place::slot(at));
            let one = lower.b.constant(node, Const::Number(1.0.into()));
            let next = lower.b.give(node, Does::Compute(Prim::Add, vec![before, one]));
            lower.set_slot(node, at, next);
        });
        let otherwise = self.otherwise(node, None, slot);
        self.repeat(Code::Loop {
            label,
            test,
            body: Box::new(body),
            step: Box::new(step),
            otherwise: Box::new(otherwise),
        });
    }

    /// What a `for` goes through: where its elements lie; of a range, its first number.
    fn list(&mut self, list: NodeId) -> Place {
        if self.is_range(list) {
            let bounds = self.bounds(list);
            let first = bounds.first().copied().unwrap_or_else(|| self.unknown(list));
            self.b.mark(list);
            return Place { root: Root::Value(first), steps: Vec::new() };
        }
        let of = self.type_of(list);
        let place = self.place(list);
        self.b.mark(list);
        self.behind(place, &of)
    }

    fn is_range(&self, list: NodeId) -> bool {
        self.kind(list) == "range_expression" || self.tree.has_child(list, "..")
    }

    /// The place of the element of one turn; of a range, its number.
    fn element(&mut self, list: NodeId, head: Place, at: ValueId) -> Place {
        match head.root {
            Root::Value(first) if self.is_range(list) => {
                let number = self.b.give(list, Does::Compute(Prim::Add, vec![first, at]));
                Place { root: Root::Value(number), steps: Vec::new() }
            }
            _ => head.then(Step::Element(Key::Number, at)),
        }
    }

    /// Statements of a block. What follows a `defer` is protected by it.
    pub(super) fn statements(&mut self, statements: &[NodeId]) {
        super::with_stack(|| {
            for (at, &statement) in statements.iter().enumerate() {
                let when = match self.kind(statement) {
                    "defer_statement" => When::Every,
                    "errdefer_statement" => When::Error,
                    _ => {
                        self.statement(statement);
                        continue;
                    }
                };
                self.b.mark(statement);
                let body = self.apart(|lower| lower.statements(&statements[at + 1..]));
                let leaving = self.apart(|lower| lower.deferred(statement));
                return self.b.guarded(body, None, Some((when, leaving)));
            }
        });
    }

    fn deferred(&mut self, statement: NodeId) {
        let tree = self.tree;
        let known = self.errors.len();
        if let Some(payload) = tree.child_of_kind(statement, "payload") {
            let error = self.unknown(payload);
            self.capture_value(payload, error);
            self.hold_error(payload);
        }
        let parts: Vec<_> =
            tree.children(statement).filter(|&child| !super::values::is_word(tree.kind(child))).collect();
        parts.into_iter().for_each(|part| self.statement(part));
        self.errors.truncate(known);
    }
}
