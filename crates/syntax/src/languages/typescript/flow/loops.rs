//! Loops of every kind.

use super::{Lowering, Out, Target, TargetKind, branch};
use crate::flow::{Exit, FinallyOn, Flow, Test};
use crate::languages::typescript::condition::constant_truth;
use crate::languages::typescript::shape;
use crate::tree::NodeId;

impl<'t> Lowering<'t> {
    /// Any loop, with the labels that stand in front of it.
    pub(super) fn loop_statement(&mut self, node: NodeId, out: &mut Out) {
        let names = std::mem::take(&mut self.pending);
        let label = self.new_label();
        self.eval(node, out);
        let target = Target { label, names, kind: TargetKind::Loop, closes: None };
        match self.kind(node) {
            "for_statement" => self.counting(node, target, out),
            "for_in_statement" => self.iterating(node, target, out),
            "while_statement" => self.while_loop(node, target, out),
            _ => self.do_loop(node, target, out),
        }
    }

    fn counting(&mut self, node: NodeId, target: Target<'t>, out: &mut Out) {
        if let Some(start) = self.tree.child(node, "initializer") {
            self.anything(start, out);
        }
        let label = target.label;
        let condition = self.tree.child(node, "condition").map(|condition| self.expression_in(condition));
        let test = self.loop_test(condition.flatten(), out);
        let body = self.turn(target, |lowering, out| lowering.body_of(node, out));
        let step = self.apart(|lowering, out| {
            if let Some(step) = lowering.tree.child(node, "increment") {
                lowering.value(step, out);
            }
        });
        out.push(repeat(label, test, body, step));
    }

    /// The expression of a `for` condition; `None` for an empty one.
    fn expression_in(&self, condition: NodeId) -> Option<NodeId> {
        match self.kind(condition) {
            "expression_statement" => shape::operand(self.tree, condition),
            kind => shape::is_expression(kind).then_some(condition),
        }
    }

    fn while_loop(&mut self, node: NodeId, target: Target<'t>, out: &mut Out) {
        let label = target.label;
        let test = self.loop_test(self.tree.child(node, "condition"), out);
        let body = self.turn(target, |lowering, out| lowering.body_of(node, out));
        out.push(repeat(label, test, body, Flow::nothing()));
    }

    fn do_loop(&mut self, node: NodeId, target: Target<'t>, out: &mut Out) {
        let label = target.label;
        let body = self.turn(target, |lowering, out| lowering.body_of(node, out));
        let condition = self.tree.child(node, "condition");
        let step = self.apart(|lowering, out| {
            let leave = Flow::Leave { to: Exit::Break(label), node: condition.unwrap_or(node) };
            let never = |&condition: &NodeId| constant_truth(lowering.tree, condition) == Some(false);
            if let Some(condition) = condition.filter(never) {
                lowering.value(condition, out);
                out.push(leave);
            } else {
                let test = lowering.loop_test(condition, out);
                out.push(branch(test, Flow::nothing(), leave));
            }
        });
        out.push(repeat(label, Test::Always, body, step));
    }

    /// `for … of`, `for … in` and `for await`: every turn binds the head anew.
    fn iterating(&mut self, node: NodeId, mut target: Target<'t>, out: &mut Out) {
        let label = target.label;
        if let Some(over) = self.tree.child(node, "right") {
            self.value(over, out);
        }
        let waits = self.tree.has_child(node, "await");
        let word = self.tree.child_of_kind(node, "of");
        target.closes = if waits { Some(node) } else { word };
        let mut body = self.turn(target, |lowering, out| {
            if let Some(left) = lowering.tree.child(node, "left") {
                lowering.bind(node, left, None, out);
            }
            lowering.body_of(node, out);
        });
        let mut asked = Flow::nothing();
        if waits {
            asked = Flow::Suspend { node };
            body = closing(body, node);
        } else if let Some(word) = word {
            asked = Flow::Eval { node: word, raises: false };
        }
        let test = Test::Unknown { flow: Box::new(asked), node };
        out.push(repeat(label, test, body, Flow::nothing()));
        if waits {
            // A `break` waits for the iterator to close; without one, the last turn's wait has just been.
            out.push(Flow::Suspend { node });
        } else if let Some(word) = word {
            self.eval(word, out);
        }
    }

    /// One turn, inside which `break` and `continue` reach the loop.
    fn turn(&mut self, target: Target<'t>, lower: impl FnOnce(&mut Self, &mut Out)) -> Flow {
        self.targets.push(target);
        let body = self.apart(lower);
        self.targets.pop();
        body
    }

    fn body_of(&mut self, node: NodeId, out: &mut Out) {
        if let Some(body) = self.tree.child(node, "body") {
            self.statement(body, out);
        }
    }

    /// The test of a loop; a condition that is always true has no other outcome.
    fn loop_test(&mut self, condition: Option<NodeId>, out: &mut Out) -> Test {
        match condition {
            None => Test::Always,
            Some(condition) if constant_truth(self.tree, condition) == Some(true) => {
                self.value(condition, out);
                Test::Always
            }
            Some(condition) => self.test(condition),
        }
    }
}

fn repeat(label: crate::flow::Label, test: Test, body: Flow, step: Flow) -> Flow {
    Flow::Loop { label, test, body: Box::new(body), step: Box::new(step), otherwise: Box::new(Flow::nothing()) }
}

/// An error out of a turn of `for await` waits for the iterator to close before it goes on.
fn closing(body: Flow, node: NodeId) -> Flow {
    let rethrow = Flow::Seq(vec![Flow::Suspend { node }, Flow::Leave { to: Exit::Throw, node }]);
    Flow::Protected { body: Box::new(body), catch: Some(Box::new(rethrow)), finally: None, on: FinallyOn::Every }
}
