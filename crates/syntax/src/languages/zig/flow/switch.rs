//! `switch`: one test for each value of a prong. A range is entered by its ends, and by values that nothing is said of.

use super::{Lower, Target, TargetKind};
use crate::flow::{Arm, Exhaustive, FallsThrough, Flow, Test};
use crate::languages::zig::condition::equality;
use crate::tree::NodeId;

impl<'t> Lower<'t> {
    pub(super) fn switch(&mut self, node: NodeId, name: Option<&'t str>, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.eval(node, out);
        let Some(subject) = tree.children(node).find(|&child| !matches!(tree.kind(child), "switch" | "(")) else {
            return;
        };
        let evaluated = Box::new(self.flow_of(subject));
        let fails = self.names_error(subject);
        let label = self.label();
        self.targets.push(Target { label, name, kind: TargetKind::Named });
        let cases = tree.children(node).filter(|&child| tree.kind(child) == "switch_case");
        let arms = cases.map(|case| self.arm(case, subject, fails)).collect();
        self.targets.pop();
        out.push(Flow::Arms {
            subject: evaluated,
            arms,
            falls_through: FallsThrough::No,
            label,
            exhaustive: Exhaustive::Yes,
        });
    }

    fn arm(&mut self, case: NodeId, subject: NodeId, fails: bool) -> Arm {
        let tree = self.tree;
        let mut tests = Vec::new();
        let mut parts = tree.children(case).take_while(|&child| tree.kind(child) != "=>").peekable();
        while let Some(part) = parts.next() {
            if tree.field(part) != Some("case") {
                continue;
            }
            let is =
                |flow, part| Test::Is { flow: Box::new(flow), condition: equality(tree, subject, part), node: part };
            tests.push(is(self.flow_of(part), part));
            if parts.peek().is_some_and(|&next| tree.kind(next) == "...") {
                parts.next();
                if let Some(end) = parts.next() {
                    tests.push(is(self.flow_of(end), end));
                }
                tests.push(Test::Unknown { flow: Box::new(Flow::nothing()), node: part });
            }
        }
        let mut body = Vec::new();
        self.eval(case, &mut body);
        let known = self.errors.len();
        if let Some(payload) = tree.child_of_kind(case, "payload") {
            self.capture(payload, &mut body);
            if fails {
                self.hold_error(payload);
            }
        }
        tree.child(case, "body").into_iter().for_each(|inside| self.value(inside, &mut body));
        self.errors.truncate(known);
        Arm { default: tests.is_empty(), tests, node: case, body: Flow::Seq(body) }
    }
}
