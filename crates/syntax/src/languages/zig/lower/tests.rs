//! Conditions: what decides, and what its outcome makes known.

use super::Lowering;
use super::values::inside;
use crate::languages::zig::condition::{Choice, choice, strip};
use crate::tree::NodeId;
use factgate_ir::{Atom, Code, Const, Operand, Order, Place, Sameness, Test, ValueId};

impl<'t> Lowering<'t> {
    /// A condition as a test. Inside `and`, `or` and their negations each operand is a test of its own.
    pub(super) fn test(&mut self, node: NodeId) -> Test {
        super::with_stack(|| self.test_here(node))
    }

    fn test_here(&mut self, node: NodeId) -> Test {
        let tree = self.tree;
        match self.kind(node) {
            "logical_expression" => {
                let operands = tree.children(node).filter(|&child| tree.field(child) == Some("operand"));
                let mut tests: Vec<Test> = Vec::new();
                for operand in operands.collect::<Vec<_>>() {
                    let test = self.test(operand);
                    tests.push(if tests.is_empty() { self.entered(node, test) } else { test });
                }
                if tree.has_child(node, "and") { Test::And(tests) } else { Test::Or(tests) }
            }
            "parenthesized_expression" | "comptime_expression" | "nosuspend_expression" => match inside(tree, node) {
                Some(inner) => {
                    let test = self.test(inner);
                    self.entered(node, test)
                }
                None => self.truth(node),
            },
            "unary_expression" if tree.has_child(node, "!") => match tree.child(node, "argument") {
                Some(argument) => {
                    let test = self.test(argument);
                    Test::Not(Box::new(self.entered(node, test)))
                }
                None => self.truth(node),
            },
            "if_expression" => match choice(tree, node) {
                Some(Choice { test, yes, no, .. }) => {
                    let test = self.test(test);
                    let test = self.entered(node, test);
                    Test::Choice(Box::new([test, self.test(yes), self.test(no)]))
                }
                None => self.truth(node),
            },
            "binary_expression" => self.comparison(node),
            _ => self.truth(node),
        }
    }

    /// A test whose node is marked where it is entered: its first question runs the mark first.
    fn entered(&mut self, node: NodeId, test: Test) -> Test {
        let mark = self.apart(|lower| lower.b.mark(node));
        before(mark, test)
    }

    fn truth(&mut self, node: NodeId) -> Test {
        self.b.open();
        let value = self.value(node);
        self.b.leaf(node, Atom::Truth(value))
    }

    fn comparison(&mut self, node: NodeId) -> Test {
        let tree = self.tree;
        let operator = tree.child(node, "operator").map_or("", |operator| tree.kind(operator));
        let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
            return self.truth(node);
        };
        match operator {
            "==" => self.equal(node, left, right),
            "!=" => Test::Not(Box::new(self.equal(node, left, right))),
            "<" | "<=" | ">" | ">=" => self.less(node, operator, left, right),
            _ => self.truth(node),
        }
    }

    /// `a == b`; a comparison with `true` or `false` is the other side, one with `null` asks whether it is missing.
    fn equal(&mut self, node: NodeId, left: NodeId, right: NodeId) -> Test {
        let bare = [left, right].map(|side| strip(self.tree, side));
        let [is_bool, is_null] = ["boolean", "null"].map(|kind| bare.map(|side| self.kind(side) == kind));
        self.b.open();
        let sides = [self.value(left), self.value(right)];
        self.b.mark(node);
        let (atom, negated) = match (is_null, is_bool) {
            ([false, true], _) => (Atom::Missing(sides[0]), false),
            ([true, false], _) => (Atom::Missing(sides[1]), false),
            (_, [false, true]) => (Atom::Truth(sides[0]), self.text(bare[1]) == "false"),
            (_, [true, false]) => (Atom::Truth(sides[1]), self.text(bare[0]) == "false"),
            _ => (Atom::Same(sides[0], Operand::Value(sides[1]), Sameness::Strict), false),
        };
        let test = self.b.leaf(node, atom);
        if negated { Test::Not(Box::new(test)) } else { test }
    }

    fn less(&mut self, node: NodeId, operator: &str, left: NodeId, right: NodeId) -> Test {
        self.b.open();
        let sides = [self.value(left), self.value(right)];
        self.b.mark(node);
        let [smaller, larger] = if operator.starts_with('<') { sides } else { [sides[1], sides[0]] };
        let order = if operator.len() == 1 { Order::Less } else { Order::LessOrEqual };
        self.b.leaf(node, Atom::Less(smaller, larger, order))
    }

    /// A condition as a value: each way out of its test gives the outcome.
    pub(super) fn decided(&mut self, node: NodeId) -> ValueId {
        let test = self.test(node);
        let slot = self.b.slot(node);
        let [yes, no] = [true, false].map(|outcome| {
            self.apart(|lower| {
                let value = lower.b.constant(node, Const::Bool(outcome));
                lower.set_slot(node, slot, value);
            })
        });
        self.b.branch(test, yes, no);
        self.marked = Some(node);
        self.b.read(node, Place::slot(slot))
    }
}

/// The code runs before all of the test.
pub(super) fn before(code: Code, test: Test) -> Test {
    match test {
        Test::Leaf(mut leaf) => {
            leaf.code = Box::new(Code::seq([code, *leaf.code]));
            Test::Leaf(leaf)
        }
        Test::Not(inner) => Test::Not(Box::new(before(code, *inner))),
        Test::And(tests) => Test::And(first(code, tests)),
        Test::Or(tests) => Test::Or(first(code, tests)),
        Test::Choice(parts) => {
            let [test, yes, no] = *parts;
            Test::Choice(Box::new([before(code, test), yes, no]))
        }
        Test::Unknown(runs, node) => Test::Unknown(Box::new(Code::seq([code, *runs])), node),
        Test::Always => Test::Always,
    }
}

fn first(code: Code, tests: Vec<Test>) -> Vec<Test> {
    let mut tests = tests.into_iter();
    let head = tests.next().map(|head| before(code, head));
    head.into_iter().chain(tests).collect()
}
