//! Loops of every kind.

use super::{Lowering, Target, TargetKind};
use crate::languages::typescript::{scope, shape};
use crate::tree::NodeId;
use factgate_ir::{
    Atom, Code, Const, Does, Exit, Hook, How, Label, Name, Operand, Pause, Place, Sameness, Test, ValueId, When,
};

/// What a loop goes over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// `for … of`
    Values,
    /// `for await … of`
    Awaited,
    /// `for … in`
    Keys,
}

impl Lowering<'_> {
    /// Any loop, with the labels that stand in front of it.
    pub(super) fn loop_statement(&mut self, node: NodeId) {
        let names = std::mem::take(&mut self.frame().pending);
        let label = self.b.label();
        self.mark(node);
        self.frame().targets.push(Target { label, names, kind: TargetKind::Loop });
        match self.kind(node) {
            "for_statement" => self.counting(node, label),
            "for_in_statement" => self.iterating(node, label),
            "while_statement" => self.while_loop(node, label),
            _ => self.do_loop(node, label),
        }
        self.frame().targets.pop();
    }

    fn counting(&mut self, node: NodeId, label: Label) {
        let names = self.head_names(node, "initializer");
        self.renew(node, &names);
        if let Some(start) = self.tree.child(node, "initializer") {
            self.anything(start);
        }
        self.next_turn(node, &names);
        let condition = self.tree.child(node, "condition").and_then(|condition| self.expression_in(condition));
        let test = self.loop_test(condition);
        let body = self.body_of(node);
        let step = self.apart(|lowering| {
            lowering.next_turn(node, &names);
            if let Some(step) = lowering.tree.child(node, "increment") {
                lowering.value(step);
            }
        });
        self.b.repeat(label, test, body, step);
    }

    /// Each turn has variables of its own, which start as those of the turn before ended.
    fn next_turn(&mut self, node: NodeId, names: &[NodeId]) {
        for &name in names {
            let Some(var) = self.var_of(name).filter(|&var| self.b.unit().var(var).renewed) else { continue };
            let value = self.b.read(name, Place::var(var));
            self.renew(node, &[name]);
            self.b.write(node, Place::var(var), value, How::Declare);
        }
    }

    /// The names that the head of a loop declares.
    fn head_names(&self, node: NodeId, field: &str) -> Vec<NodeId> {
        let mut names = Vec::new();
        let Some(head) = self.tree.child(node, field) else { return names };
        match self.kind(head) {
            "lexical_declaration" => {
                for declarator in self.tree.children(head) {
                    if let Some(name) = self.tree.child(declarator, "name") {
                        scope::targets(self.tree, name, &mut names);
                    }
                }
            }
            _ if field == "left" && self.tree.child(node, "kind").is_some() => {
                scope::targets(self.tree, head, &mut names);
            }
            _ => {}
        }
        names
    }

    /// The expression of a `for` condition; `None` for an empty one.
    fn expression_in(&self, condition: NodeId) -> Option<NodeId> {
        match self.kind(condition) {
            "expression_statement" => shape::operand(self.tree, condition),
            kind => shape::is_expression(kind).then_some(condition),
        }
    }

    fn while_loop(&mut self, node: NodeId, label: Label) {
        let test = self.loop_test(self.tree.child(node, "condition"));
        let body = self.body_of(node);
        self.b.repeat(label, test, body, Code::nothing());
    }

    fn do_loop(&mut self, node: NodeId, label: Label) {
        let body = self.body_of(node);
        let condition = self.tree.child(node, "condition");
        let step = self.apart(|lowering| {
            let at = condition.unwrap_or(node);
            let test = lowering.loop_test(condition);
            let leave = Code::Leave { to: Exit::Break(label), value: None, node: at };
            lowering.b.branch(test, Code::nothing(), leave);
        });
        self.b.repeat(label, Test::Always, body, step);
    }

    /// The test of a loop; a literal that is always true has no other outcome.
    fn loop_test(&mut self, condition: Option<NodeId>) -> Test {
        let Some(condition) = condition else { return Test::Always };
        let bare = shape::bare(self.tree, condition);
        let always = self.kind(bare) == "true" || self.kind(bare) == "number" && self.text(bare) == "1";
        if always { self.always(condition) } else { self.test(condition) }
    }

    /// `true`, which is evaluated and has one outcome.
    fn always(&mut self, condition: NodeId) -> Test {
        let inner: Vec<_> =
            self.tree.subtree(condition).filter(|&part| shape::is_expression(self.kind(part))).collect();
        self.b.open();
        for part in inner.into_iter().rev() {
            self.mark(part);
        }
        let code = self.b.done();
        self.b.emit(code);
        Test::Always
    }

    fn body_of(&mut self, node: NodeId) -> Code {
        self.optional_statement(self.tree.child(node, "body"))
    }

    /// `for … of`, `for … in` and `for await`: every turn binds the head anew.
    fn iterating(&mut self, node: NodeId, label: Label) {
        let over = match () {
            () if self.tree.has_child(node, "await") => Over::Awaited,
            () if self.tree.has_child(node, "of") => Over::Values,
            () => Over::Keys,
        };
        let Some(right) = self.tree.child(node, "right") else { return };
        let value = self.value(right);
        let hook = match over {
            Over::Values => Hook::Iterate,
            Over::Awaited => Hook::IterateAsync,
            Over::Keys => Hook::Keys,
        };
        let state = self.hook(node, hook, value);
        let whole = self.apart(|lowering| lowering.turns(node, label, over, state));
        if over == Over::Keys {
            return self.b.emit(whole);
        }
        // Every way out closes the iteration; one that has ended is left alone.
        let close = self.apart(|lowering| lowering.close(node, over, state));
        self.b.guarded(whole, None, Some((When::Every, close)));
    }

    fn turns(&mut self, node: NodeId, label: Label, over: Over, state: ValueId) {
        self.b.open();
        let mut next = self.hook(node, Hook::Next, state);
        if over == Over::Awaited {
            next = self.b.give_or_raise(node, Does::Suspend { pause: Pause::Turn, value: Some(next) });
        }
        let test = self.has_next(node, next);
        let names = self.head_names(node, "left");
        let is_declared = self.tree.child(node, "kind").is_some();
        let body = self.apart(|lowering| {
            lowering.renew(node, &names);
            if let Some(left) = lowering.tree.child(node, "left") {
                lowering.bind_head(node, left, next, is_declared);
            }
            if let Some(body) = lowering.tree.child(node, "body") {
                lowering.statement(body);
            }
        });
        self.b.repeat(label, test, body, Code::nothing());
    }

    fn bind_head(&mut self, node: NodeId, left: NodeId, next: ValueId, is_declared: bool) {
        let how = if is_declared { How::Declare } else { How::Assign };
        let value = self.b.read(left, Place::of(next, Name::Inner));
        self.bind(node, left, value, None, how);
    }

    fn close(&mut self, node: NodeId, over: Over, state: ValueId) {
        let closed = self.hook(node, Hook::Close, state);
        if over != Over::Awaited {
            return;
        }
        // Nothing is waited for when there was nothing to close.
        self.b.open();
        let operand = Operand::Const(Const::Undefined);
        let test = self.b.leaf(node, Atom::Same(closed, operand, Sameness::Strict));
        let wait = self.apart(|lowering| {
            let pause = Does::Suspend { pause: Pause::Turn, value: Some(closed) };
            lowering.b.give_or_raise(node, pause);
        });
        self.b.branch(test, Code::nothing(), wait);
    }
}
