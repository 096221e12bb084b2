//! What branches: `if`, loops, `and`, `or`, `orelse`, `catch`, `try`, labelled blocks.

use super::{Lower, Target, TargetKind};
use crate::condition::{Condition, Operand, Sameness};
use crate::flow::{Exit, Flow, Label, Test};
use crate::languages::zig::condition::{Choice, choice, inner, negate, operand};
use crate::tree::NodeId;

impl<'t> Lower<'t> {
    pub(super) fn labelled(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.eval(node, out);
        let label = tree.child_of_kind(node, "block_label");
        let name = label.and_then(|label| tree.child_of_kind(label, "identifier")).map(|name| tree.text(name));
        let Some(inside) = tree.children(node).find(|&child| Some(child) != label) else { return };
        match self.kind(inside) {
            "while_expression" => self.while_loop(inside, name, out),
            "for_expression" => self.for_loop(inside, name, out),
            "switch_expression" => self.switch(inside, name, out),
            _ => {
                let label = self.label();
                self.targets.push(Target { label, name, kind: TargetKind::Named });
                let body = Box::new(self.flow_of(inside));
                self.targets.pop();
                out.push(Flow::Block { label, body });
            }
        }
    }

    pub(super) fn if_expression(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.eval(node, out);
        let Some(test) = self.head(node) else { return };
        let mut yes = Vec::new();
        tree.child_of_kind(node, "payload").into_iter().for_each(|payload| self.capture(payload, &mut yes));
        tree.child(node, "body").into_iter().for_each(|body| self.value(body, &mut yes));
        let no = Box::new(self.otherwise(node));
        out.push(Flow::Branch { test, yes: Box::new(Flow::Seq(yes)), no });
    }

    /// The test of an `if` or `while`: a condition, or by its capture "there is a value".
    fn head(&mut self, node: NodeId) -> Option<Test> {
        let tree = self.tree;
        let condition = tree.child(node, "condition")?;
        let clause = tree.child_of_kind(node, "else_clause");
        let fails = clause.is_some_and(|clause| tree.has_child(clause, "payload"));
        if !fails && !tree.has_child(node, "payload") {
            return Some(self.test(condition));
        }
        let missing = if fails { Operand::Error } else { Operand::Null };
        let flow = Box::new(self.flow_of(condition));
        Some(Test::Is { flow, condition: negate(self.is(condition, missing)), node: condition })
    }

    fn is(&self, node: NodeId, right: Operand) -> Condition {
        Condition::Equal { left: operand(self.tree, node), right, sameness: Sameness::Strict }
    }

    /// The `else` of an `if` or a loop.
    fn otherwise(&mut self, node: NodeId) -> Flow {
        let tree = self.tree;
        let mut out = Vec::new();
        let Some(clause) = tree.child_of_kind(node, "else_clause") else { return Flow::nothing() };
        self.eval(clause, &mut out);
        let known = self.errors.len();
        if let Some(payload) = tree.child_of_kind(clause, "payload") {
            self.capture(payload, &mut out);
            self.hold_error(payload);
        }
        tree.child(clause, "alternative").into_iter().for_each(|alternative| self.value(alternative, &mut out));
        self.errors.truncate(known);
        Flow::Seq(out)
    }

    pub(super) fn while_loop(&mut self, node: NodeId, name: Option<&'t str>, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.eval(node, out);
        let Some(condition) = tree.child(node, "condition") else { return };
        let endless = tree.kind(condition) == "boolean" && tree.text(condition) == "true";
        let test = if endless {
            self.eval(condition, out);
            Test::Always
        } else {
            let Some(test) = self.head(node) else { return };
            test
        };
        let label = self.label();
        self.targets.push(Target { label, name, kind: TargetKind::Loop });
        let body = self.turn(node);
        let step = tree.child(node, "step").map_or_else(Flow::nothing, |step| self.flow_of(step));
        self.targets.pop();
        self.looping(node, label, test, body, step, out);
    }

    pub(super) fn for_loop(&mut self, node: NodeId, name: Option<&'t str>, out: &mut Vec<Flow>) {
        let tree = self.tree;
        self.eval(node, out);
        let lists = tree.children(node).take_while(|&child| tree.kind(child) != ")");
        lists.for_each(|list| self.value(list, out));
        let label = self.label();
        self.targets.push(Target { label, name, kind: TargetKind::Loop });
        let body = self.turn(node);
        self.targets.pop();
        let test = Test::Unknown { flow: Box::new(Flow::nothing()), node };
        self.looping(node, label, test, body, Flow::nothing(), out);
    }

    /// One turn of a loop: its captures, then its body.
    fn turn(&mut self, node: NodeId) -> Flow {
        let mut body = Vec::new();
        self.tree.child_of_kind(node, "payload").into_iter().for_each(|payload| self.capture(payload, &mut body));
        self.tree.child(node, "body").into_iter().for_each(|inside| self.value(inside, &mut body));
        Flow::Seq(body)
    }

    fn looping(&mut self, node: NodeId, label: Label, test: Test, body: Flow, step: Flow, out: &mut Vec<Flow>) {
        let otherwise = Box::new(self.otherwise(node));
        out.push(Flow::Loop { label, test, body: Box::new(body), step: Box::new(step), otherwise });
    }

    /// `and`, `or` as a value: decided operand by operand, then evaluated itself.
    pub(super) fn logical(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let test = self.chain(node);
        let nothing = || Box::new(Flow::nothing());
        out.push(Flow::Branch { test, yes: nothing(), no: nothing() });
        self.eval(node, out);
    }

    fn chain(&mut self, node: NodeId) -> Test {
        let tree = self.tree;
        let operands = tree.children(node).filter(|&child| tree.field(child) == Some("operand"));
        let tests = operands.map(|operand| self.test(operand)).collect();
        if tree.has_child(node, "and") { Test::And(tests) } else { Test::Or(tests) }
    }

    /// A condition as a test. Inside `and`, `or` and their negations each operand is a test of its own.
    pub(super) fn test(&mut self, node: NodeId) -> Test {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.kind(node) {
            "logical_expression" => entered(node, self.chain(node)),
            "parenthesized_expression" if self.branches(node) => match inner(self.tree, node) {
                Some(inside) => entered(node, self.test(inside)),
                None => self.plain(node),
            },
            "unary_expression" if self.tree.has_child(node, "!") && self.branches(node) => {
                match self.tree.child(node, "argument") {
                    Some(argument) => Test::Not(Box::new(entered(node, self.test(argument)))),
                    None => self.plain(node),
                }
            }
            "if_expression" => match choice(self.tree, node) {
                Some(Choice { test, yes, clause, no }) => {
                    let [test, yes, no] = [test, yes, no].map(|part| self.test(part));
                    let no = Box::new(entered(clause, no));
                    Test::Choice { test: Box::new(entered(node, test)), yes: Box::new(yes), no }
                }
                None => self.plain(node),
            },
            _ => self.plain(node),
        })
    }

    fn plain(&mut self, node: NodeId) -> Test {
        Test::Node { node, flow: Box::new(self.flow_of(node)) }
    }

    /// Whether an `and` or `or` stands right below parentheses and negations.
    fn branches(&self, node: NodeId) -> bool {
        let mut node = node;
        loop {
            let next = match self.kind(node) {
                "logical_expression" => return true,
                "parenthesized_expression" => inner(self.tree, node),
                "unary_expression" if self.tree.has_child(node, "!") => self.tree.child(node, "argument"),
                _ => return false,
            };
            let Some(next) = next else { return false };
            node = next;
        }
    }

    /// `a orelse b`: `b` runs when `a` is null; when `b` leaves, `a` is known to be a value behind it.
    pub(super) fn orelse(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let (Some(left), Some(right)) = (self.tree.child(node, "left"), self.tree.child(node, "right")) else { return };
        let flow = Box::new(self.flow_of(left));
        let test = Test::Is { flow, condition: negate(self.is(left, Operand::Null)), node: left };
        let no = Box::new(self.flow_of(right));
        out.push(Flow::Branch { test, yes: Box::new(Flow::nothing()), no });
        self.eval(node, out);
    }

    /// `a catch |e| b`: `b` runs when `a` is an error.
    pub(super) fn catch(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else { return };
        let flow = Box::new(self.flow_of(left));
        let test = Test::Is { flow, condition: negate(self.is(left, Operand::Error)), node: left };
        let mut no = Vec::new();
        let known = self.errors.len();
        if let Some(payload) = tree.child_of_kind(node, "payload") {
            self.capture(payload, &mut no);
            self.hold_error(payload);
        }
        self.value(right, &mut no);
        self.errors.truncate(known);
        out.push(Flow::Branch { test, yes: Box::new(Flow::nothing()), no: Box::new(Flow::Seq(no)) });
        self.eval(node, out);
    }

    /// `a.?`: goes on only where `a` is a value.
    pub(super) fn unwrapped(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        if let Some(operand) = inner(self.tree, node) {
            let flow = Box::new(self.flow_of(operand));
            let test = Test::Is { flow, condition: negate(self.is(operand, Operand::Null)), node: operand };
            let no = Box::new(Flow::Leave { to: Exit::Never, node });
            out.push(Flow::Branch { test, yes: Box::new(Flow::nothing()), no });
        }
        self.eval(node, out);
    }

    /// `try a`: leaves with an error, or goes on with the value.
    pub(super) fn try_expression(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let Some(argument) = self.tree.child(node, "argument") else { return };
        let test = Test::Unknown { flow: Box::new(self.flow_of(argument)), node };
        let leave = Box::new(Flow::Leave { to: Exit::ErrorReturn, node });
        out.push(Flow::Branch { test, yes: leave, no: Box::new(Flow::nothing()) });
        self.eval(node, out);
    }
}

/// A test that first enters a node: a chain of `and` or `or`, parentheses, a negation, a choice.
fn entered(node: NodeId, test: Test) -> Test {
    let before = |flow: Flow| Flow::Seq(vec![Flow::Eval { node, raises: false }, flow]);
    match test {
        Test::Node { node, flow } => Test::Node { node, flow: Box::new(before(*flow)) },
        Test::Is { flow, condition, node } => Test::Is { flow: Box::new(before(*flow)), condition, node },
        Test::Unknown { flow, node } => Test::Unknown { flow: Box::new(before(*flow)), node },
        Test::Not(inner) => Test::Not(Box::new(entered(node, *inner))),
        Test::And(tests) => Test::And(first_entered(node, tests)),
        Test::Or(tests) => Test::Or(first_entered(node, tests)),
        Test::Choice { test, yes, no } => Test::Choice { test: Box::new(entered(node, *test)), yes, no },
        Test::Always => Test::Always,
    }
}

fn first_entered(node: NodeId, tests: Vec<Test>) -> Vec<Test> {
    let mut tests = tests.into_iter();
    let first = tests.next().map(|first| entered(node, first));
    first.into_iter().chain(tests).collect()
}
