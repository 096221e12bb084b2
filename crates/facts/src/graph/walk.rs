//! Walks over flow shapes without recursion.

use factgate_syntax::NodeId;
use factgate_syntax::flow::{Flow, Test};

/// Calls `visit` for every shape in `flow`, closures and tests included, in no particular order.
pub fn each<'f>(flow: &'f Flow, visit: &mut dyn FnMut(&'f Flow)) {
    let mut flows = vec![flow];
    while let Some(flow) = flows.pop() {
        visit(flow);
        match flow {
            Flow::Seq(parts) => flows.extend(parts),
            Flow::Eval { .. } | Flow::Suspend { .. } | Flow::Write { .. } | Flow::Leave { .. } => {}
            Flow::Branch { test, yes, no } => {
                push_test(test, &mut flows);
                flows.extend([&**yes, &**no]);
            }
            Flow::Arms { subject, arms, .. } => {
                flows.push(subject);
                for arm in arms {
                    arm.tests.iter().for_each(|test| push_test(test, &mut flows));
                    flows.push(&arm.body);
                }
            }
            Flow::Loop { test, body, step, otherwise, .. } => {
                push_test(test, &mut flows);
                flows.extend([&**body, &**step, &**otherwise]);
            }
            Flow::Block { body, .. } | Flow::Closure { body, .. } => flows.push(body),
            Flow::Protected { body, catch, finally, .. } => {
                flows.push(body);
                flows.extend(catch.iter().chain(finally).map(|flow| &**flow));
            }
        }
    }
}

fn push_test<'f>(test: &'f Test, flows: &mut Vec<&'f Flow>) {
    let mut tests = vec![test];
    while let Some(test) = tests.pop() {
        match test {
            Test::Node { flow, .. } | Test::Is { flow, .. } | Test::Unknown { flow, .. } => flows.push(flow),
            Test::Not(inner) => tests.push(inner),
            Test::And(parts) | Test::Or(parts) => tests.extend(parts),
            Test::Choice { test, yes, no } => tests.extend([&**test, &**yes, &**no]),
            Test::Always => {}
        }
    }
}

/// The assignments anywhere in `flow`: the assigning node and its target, in source order.
pub fn writes_of(flow: &Flow) -> Vec<(NodeId, NodeId)> {
    let mut found = Vec::new();
    each(flow, &mut |flow| {
        if let Flow::Write { node, target, .. } = flow {
            found.push((*node, *target));
        }
    });
    found.sort();
    found.dedup();
    found
}
