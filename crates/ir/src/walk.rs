//! Walks over code without recursion.

use crate::{BodyId, Code, Op, Test, Unit};

/// Calls `visit` for every piece of code, the code in tests included, in the order of the source.
pub fn each_code<'c>(code: &'c Code, visit: &mut dyn FnMut(&'c Code)) {
    let mut open = vec![code];
    while let Some(code) = open.pop() {
        visit(code);
        let start = open.len();
        match code {
            Code::Do(_) | Code::Leave { .. } => {}
            Code::Seq(parts) => open.extend(parts),
            Code::Branch { test, yes, no } => {
                in_test(test, &mut open);
                open.extend([&**yes, &**no]);
            }
            Code::Arms { arms, .. } => {
                for arm in arms {
                    arm.tests.iter().for_each(|test| in_test(test, &mut open));
                    open.push(&arm.body);
                }
            }
            Code::Loop { test, body, step, otherwise, .. } => {
                in_test(test, &mut open);
                open.extend([&**body, &**step, &**otherwise]);
            }
            Code::Block { body, .. } => open.push(body),
            Code::Guarded { body, catch, leaving } => {
                open.push(body);
                open.extend(catch.iter().map(|catch| &*catch.code));
                open.extend(leaving.iter().map(|(_, code)| &**code));
            }
        }
        open[start..].reverse();
    }
}

/// The code in a test, in order.
fn in_test<'c>(test: &'c Test, into: &mut Vec<&'c Code>) {
    let mut open = vec![test];
    while let Some(test) = open.pop() {
        match test {
            Test::Leaf(leaf) => into.push(&leaf.code),
            Test::Unknown(code, _) => into.push(code),
            Test::Not(inner) => open.push(inner),
            Test::And(parts) | Test::Or(parts) => open.extend(parts.iter().rev()),
            Test::Choice(parts) => open.extend(parts.iter().rev()),
            Test::Always => {}
        }
    }
}

/// Calls `visit` for every operation of the code, in the order of the source. Bodies that it closes are not entered.
pub fn each_op<'c>(code: &'c Code, visit: &mut dyn FnMut(&'c Op)) {
    each_code(code, &mut |code| {
        if let Code::Do(op) = code {
            visit(op);
        }
    });
}

/// Every operation of the unit by its number, with the body that it stands in.
pub fn ops_of(unit: &Unit) -> Vec<Option<(BodyId, &Op)>> {
    let mut found = vec![None; unit.ops as usize];
    for id in unit.body_ids() {
        each_op(&unit.body(id).code, &mut |op| found[op.id.index()] = Some((id, op)));
    }
    found
}
