//! `switch`: arms in source order, entered by comparison, running on into each other.

use super::{Lowering, Out, Target, TargetKind};
use crate::condition::{Condition, Operand, Sameness, is_boolean};
use crate::flow::{Arm, Exhaustive, FallsThrough, Flow, Test};
use crate::languages::typescript::condition::{assigns, condition, constant_truth, operand};
use crate::languages::typescript::shape;
use crate::tree::NodeId;

/// What the cases of a switch are compared with.
#[derive(Clone, Copy)]
enum Subject {
    /// A value: `case v` asks `subject === v`.
    Value(NodeId),
    /// `switch (true)`, `switch (false)`: each case is a condition of its own, and taken when it is that very value.
    Truth(NodeId, bool),
    /// A value that was read before something ran which may have changed what it was read from.
    Stale,
}

impl Lowering<'_> {
    /// A whole `switch`.
    pub(super) fn switch_statement(&mut self, node: NodeId, out: &mut Out) {
        let names = std::mem::take(&mut self.pending);
        let label = self.new_label();
        self.eval(node, out);
        let (Some(value), Some(body)) = (self.tree.child(node, "value"), self.tree.child(node, "body")) else {
            return;
        };
        let cases: Vec<_> = self.tree.children(body).filter(|&case| is_case(self.kind(case))).collect();
        let entered = self.apart(|lowering, out| {
            lowering.value(value, out);
            lowering.eval(body, out);
            for &case in &cases {
                let statements = lowering.statements_of(case);
                lowering.hoisted(&statements, out);
            }
        });
        let subject = match constant_truth(self.tree, value).filter(|_| self.is_bool(value)) {
            Some(truth) => Subject::Truth(shape::bare(self.tree, value), truth),
            None => Subject::Value(shape::bare(self.tree, value)),
        };
        self.targets.push(Target { label, names, kind: TargetKind::Switch, closes: None });
        let runs = |&case: &NodeId| self.tree.child(case, "value").is_some_and(|value| self.runs(value));
        let stale = cases.iter().position(runs).filter(|_| matches!(subject, Subject::Value(_)));
        let subject_of = |at: usize| if stale.is_some_and(|stale| at >= stale) { Subject::Stale } else { subject };
        let arms = cases.iter().enumerate().map(|(at, &case)| self.arm(case, subject_of(at))).collect();
        self.targets.pop();
        out.push(Flow::Arms {
            subject: Box::new(entered),
            arms,
            falls_through: FallsThrough::Yes,
            label,
            exhaustive: Exhaustive::No,
        });
    }

    /// Whether code runs in an expression that may assign or suspend.
    fn runs(&self, value: NodeId) -> bool {
        let kinds = ["call_expression", "new_expression", "await_expression", "yield_expression"];
        assigns(self.tree, value) || self.tree.subtree(value).any(|part| kinds.contains(&self.kind(part)))
    }

    fn is_bool(&self, value: NodeId) -> bool {
        matches!(self.kind(shape::bare(self.tree, value)), "true" | "false")
    }

    fn arm(&mut self, case: NodeId, subject: Subject) -> Arm {
        let value = self.tree.child(case, "value");
        let tests = value.map(|value| self.case_test(value, subject)).into_iter().collect();
        let body = self.apart(|lowering, out| {
            lowering.eval(case, out);
            let statements = lowering.statements_of(case);
            lowering.in_order(&statements, out);
        });
        Arm { tests, default: value.is_none(), node: case, body }
    }

    fn case_test(&mut self, value: NodeId, subject: Subject) -> Test {
        match subject {
            Subject::Truth(_, true) if is_boolean(&condition(self.tree, value)) => self.test(value),
            Subject::Truth(_, false) if is_boolean(&condition(self.tree, value)) => {
                Test::Not(Box::new(self.test(value)))
            }
            Subject::Stale => Test::Unknown { flow: Box::new(self.value_apart(value)), node: value },
            Subject::Truth(subject, _) | Subject::Value(subject) => {
                let flow = Box::new(self.value_apart(value));
                if assigns(self.tree, value) {
                    return Test::Unknown { flow, node: value };
                }
                let right = operand(self.tree, value);
                let condition = Condition::Equal { left: Operand::Node(subject), right, sameness: Sameness::Strict };
                Test::Is { flow, condition, node: value }
            }
        }
    }

    fn statements_of(&self, case: NodeId) -> Vec<NodeId> {
        self.tree.children(case).filter(|&child| self.tree.field(child) == Some("body")).collect()
    }
}

fn is_case(kind: &str) -> bool {
    matches!(kind, "switch_case" | "switch_default")
}
