//! Expressions as tests: each operand of `&&`, `||` and `!` with its own flow, so that what is known of one operand
//! ends where evaluating the next one assigns its variable.

use super::{Lowering, Out, is_there, with_stack};
use crate::flow::{Flow, Test};
use crate::languages::typescript::condition::boolean_of;
use crate::languages::typescript::shape::{self, Logic};
use crate::tree::NodeId;
use std::collections::HashSet;

impl Lowering<'_> {
    /// Lowers an expression whose truth decides.
    pub(super) fn test(&mut self, node: NodeId) -> Test {
        with_stack(|| self.test_here(node))
    }

    fn test_here(&mut self, node: NodeId) -> Test {
        let kind = self.kind(node);
        if shape::is_wrapper(kind)
            && kind != "instantiation_expression"
            && let Some(inner) = shape::operand(self.tree, node)
        {
            return evaluated(self.test(inner), node);
        }
        if let Some((logic @ (Logic::And | Logic::Or), operands)) = shape::logical(self.tree, node) {
            let tests = operands.into_iter().map(|operand| self.test(operand)).collect();
            let test = if logic == Logic::And { Test::And(tests) } else { Test::Or(tests) };
            return evaluated(test, node);
        }
        if let Some(choice) = self.choice(node) {
            return evaluated(choice, node);
        }
        if kind == "unary_expression"
            && shape::operator(self.tree, node) == "!"
            && let Some(operand) = shape::operand(self.tree, node)
        {
            return Test::Not(Box::new(evaluated(self.test(operand), node)));
        }
        if kind == "sequence_expression" {
            return self.last_of_sequence(node);
        }
        if let Some(operand) = boolean_of(self.tree, node) {
            let mut before = Out::new();
            if let Some(callee) = self.tree.child(node, "function") {
                self.value(callee, &mut before);
            }
            return after(before, evaluated(self.test(operand), node));
        }
        self.leaf_test(node)
    }

    /// `a ? b : c` and `a ?? b`: what is chosen decides.
    fn choice(&mut self, node: NodeId) -> Option<Test> {
        if let Some((test, yes, no)) = shape::ternary(self.tree, node) {
            let [test, yes, no] = [test, yes, no].map(|part| Box::new(self.test(part)));
            return Some(Test::Choice { test, yes, no });
        }
        let (_, operands) = shape::logical(self.tree, node).filter(|(logic, _)| *logic == Logic::Nullish)?;
        let (&last, before) = operands.split_last()?;
        let otherwise = self.test(last);
        let choose = |lowering: &mut Self, no: Test, first: NodeId| {
            let test = after(vec![lowering.value_apart(first)], is_there(shape::bare(lowering.tree, first)));
            let yes = Test::Node { node: first, flow: Box::new(Flow::nothing()) };
            Test::Choice { test: Box::new(test), yes: Box::new(yes), no: Box::new(no) }
        };
        Some(before.iter().rev().fold(otherwise, |no, &first| choose(self, no, first)))
    }

    fn leaf_test(&mut self, node: NodeId) -> Test {
        let stale = self.reads_before_writing(node);
        let flow = Box::new(self.value_apart(node));
        if stale { Test::Unknown { flow, node } } else { Test::Node { node, flow } }
    }

    /// `a, b`: the last one decides.
    fn last_of_sequence(&mut self, node: NodeId) -> Test {
        let parts: Vec<_> = shape::expressions(self.tree, node).collect();
        let Some((&last, before)) = parts.split_last() else {
            return self.leaf_test(node);
        };
        let mut first = Out::new();
        for &part in before {
            self.value(part, &mut first);
        }
        after(first, evaluated(self.test(last), node))
    }

    /// Whether a condition without short-circuits reads a variable and assigns it afterwards
    /// (`isDone(job.status, job = next())`): its outcome says nothing about the variable as it is then.
    fn reads_before_writing(&self, node: NodeId) -> bool {
        let written = |id: NodeId| match self.kind(id) {
            "assignment_expression" | "augmented_assignment_expression" => self.tree.child(id, "left"),
            "update_expression" => self.tree.child(id, "argument"),
            _ => None,
        };
        let mut seen = HashSet::new();
        self.tree.subtree(node).any(|id| {
            if self.is_name(id) {
                seen.insert(self.tree.text(id));
            }
            let is_seen = |name: NodeId| self.is_name(name) && seen.contains(self.tree.text(name));
            written(id).is_some_and(|target| self.tree.subtree(target).any(is_seen))
        })
    }

    fn is_name(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            "identifier" | "shorthand_property_identifier" | "shorthand_property_identifier_pattern" | "this"
        )
    }
}

/// The test with one more node evaluated: after a single operand; where it is entered for `&&`, `||` and choices, whose
/// outcomes part before all of it has been evaluated.
fn evaluated(mut test: Test, node: NodeId) -> Test {
    let eval = Flow::Eval { node, raises: false };
    match &mut test {
        Test::Node { flow, .. } | Test::Is { flow, .. } | Test::Unknown { flow, .. } => append(flow, eval),
        Test::Not(inner) => {
            let test = std::mem::replace(&mut **inner, Test::Always);
            **inner = evaluated(test, node);
        }
        Test::And(_) | Test::Or(_) | Test::Choice { .. } | Test::Always => return after(vec![eval], test),
    }
    test
}

/// The test after something else.
fn after(mut before: Out, mut test: Test) -> Test {
    match &mut test {
        Test::Node { flow, .. } | Test::Is { flow, .. } | Test::Unknown { flow, .. } => {
            before.push(std::mem::replace(&mut **flow, Flow::nothing()));
            **flow = Flow::Seq(before);
        }
        Test::Not(inner) => {
            let test = std::mem::replace(&mut **inner, Test::Always);
            **inner = after(before, test);
        }
        Test::And(tests) | Test::Or(tests) => {
            if let Some(first) = tests.first_mut() {
                let test = std::mem::replace(first, Test::Always);
                *first = after(before, test);
            }
        }
        Test::Choice { test, .. } => {
            let first = std::mem::replace(&mut **test, Test::Always);
            **test = after(before, first);
        }
        Test::Always => {}
    }
    test
}

fn append(flow: &mut Flow, more: Flow) {
    match flow {
        Flow::Seq(flows) => flows.push(more),
        _ => {
            let first = std::mem::replace(flow, Flow::nothing());
            *flow = Flow::Seq(vec![first, more]);
        }
    }
}
