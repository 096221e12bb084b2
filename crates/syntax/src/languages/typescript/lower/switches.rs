//! `switch`: arms in source order, entered by comparison, running on into each other.

use super::{Lowering, Target, TargetKind};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Arm, Atom, Code, Falls, Missed, Operand, Sameness, Test, ValueId};

/// What the cases of a switch are compared with.
#[derive(Clone, Copy)]
enum Subject {
    /// A value: `case v` asks `subject === v`.
    Value(ValueId),
    /// `switch (true)`, `switch (false)`: a case that is a condition is that condition.
    Truth(ValueId, bool),
}

impl Lowering<'_> {
    /// A whole `switch`.
    pub(super) fn switch_statement(&mut self, node: NodeId) {
        let names = std::mem::take(&mut self.frame().pending);
        let label = self.b.label();
        self.mark(node);
        let (Some(value), Some(body)) = (self.tree.child(node, "value"), self.tree.child(node, "body")) else {
            return;
        };
        let cases: Vec<_> = self.tree.children(body).filter(|&case| is_case(self.kind(case))).collect();
        let subject = self.value(value);
        let subject = match self.kind(shape::bare(self.tree, value)) {
            "true" => Subject::Truth(subject, true),
            "false" => Subject::Truth(subject, false),
            _ => Subject::Value(subject),
        };
        self.mark(body);
        let statements: Vec<_> = cases.iter().flat_map(|&case| self.statements_of(case)).collect();
        self.declare(body, &statements);
        self.frame().targets.push(Target { label, names, kind: TargetKind::Switch });
        let arms = cases.into_iter().map(|case| self.arm(case, subject)).collect();
        self.frame().targets.pop();
        self.b.emit(Code::Arms { arms, falls: Falls::Through, missed: Missed::Behind, label });
    }

    fn arm(&mut self, case: NodeId, subject: Subject) -> Arm {
        let value = self.tree.child(case, "value");
        let tests = value.map(|value| self.case_test(value, subject)).into_iter().collect();
        let body = self.apart(|lowering| {
            lowering.mark(case);
            let statements = lowering.statements_of(case);
            lowering.in_order(&statements);
        });
        Arm { tests, default: value.is_none(), node: case, body }
    }

    fn case_test(&mut self, value: NodeId, subject: Subject) -> Test {
        let subject = match subject {
            Subject::Truth(_, truth) if self.is_bool(value) => {
                let test = self.test(value);
                return if truth { test } else { Test::Not(Box::new(test)) };
            }
            Subject::Truth(subject, _) | Subject::Value(subject) => subject,
        };
        self.b.open();
        let case = self.value(value);
        self.b.leaf(value, Atom::Same(subject, Operand::Value(case), Sameness::Strict))
    }

    fn statements_of(&self, case: NodeId) -> Vec<NodeId> {
        self.tree.children(case).filter(|&child| self.tree.field(child) == Some("body")).collect()
    }
}

fn is_case(kind: &str) -> bool {
    matches!(kind, "switch_case" | "switch_default")
}
