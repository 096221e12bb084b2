//! Expressions as tests: each operand of `&&`, `||` and `!` with its own code, and each comparison as what it asks.

use super::{Lowering, with_stack};
use crate::languages::typescript::shape::{self, Logic};
use crate::tree::{NodeId, Tree};
use factgate_ir::{Atom, Code, Const, Operand, Order, Sameness, Test};

impl Lowering<'_> {
    /// Lowers an expression whose truth decides.
    pub(super) fn test(&mut self, node: NodeId) -> Test {
        with_stack(|| self.test_here(node))
    }

    fn test_here(&mut self, node: NodeId) -> Test {
        let kind = self.kind(node);
        if shape::is_wrapper(kind)
            && let Some(inner) = shape::operand(self.tree, node)
        {
            let test = self.test(inner);
            return self.evaluated(test, node);
        }
        if let Some((logic @ (Logic::And | Logic::Or), operands)) = shape::logical(self.tree, node) {
            let tests = operands.into_iter().map(|operand| self.test(operand)).collect();
            let test = if logic == Logic::And { Test::And(tests) } else { Test::Or(tests) };
            return self.evaluated(test, node);
        }
        if let Some(choice) = self.choice(node) {
            return self.evaluated(choice, node);
        }
        if kind == "unary_expression"
            && shape::operator(self.tree, node) == "!"
            && let Some(operand) = shape::operand(self.tree, node)
        {
            let test = self.test(operand);
            return Test::Not(Box::new(self.evaluated(test, node)));
        }
        if kind == "sequence_expression" {
            return self.last_of_sequence(node);
        }
        if let Some(operand) = boolean_of(self.tree, node).filter(|_| self.calls_global(node)) {
            let before = self.apart(|lowering| {
                if let Some(callee) = lowering.tree.child(node, "function") {
                    lowering.mark(callee);
                }
            });
            let test = self.test(operand);
            let test = self.evaluated(test, node);
            return after(before, test);
        }
        if kind == "binary_expression"
            && let Some(test) = self.comparison(node)
        {
            return test;
        }
        if self.is_optional_chain(node) {
            return self.chain_test(node, false, |lowering, value| lowering.b.leaf(node, Atom::Truth(value)));
        }
        self.leaf_test(node)
    }

    fn calls_global(&self, call: NodeId) -> bool {
        self.tree.child(call, "function").is_some_and(|callee| self.is_global(callee))
    }

    fn leaf_test(&mut self, node: NodeId) -> Test {
        self.b.open();
        let value = self.value(node);
        self.b.leaf(node, Atom::Truth(value))
    }

    /// `a ? b : c` and `a ?? b`: what is chosen decides.
    fn choice(&mut self, node: NodeId) -> Option<Test> {
        if let Some((test, yes, no)) = shape::ternary(self.tree, node) {
            let parts = [test, yes, no].map(|part| self.test(part));
            return Some(Test::Choice(Box::new(parts)));
        }
        let (_, operands) = shape::logical(self.tree, node).filter(|(logic, _)| *logic == Logic::Nullish)?;
        let (&last, before) = operands.split_last()?;
        let mut asked = Vec::new();
        for &operand in before {
            self.b.open();
            let value = self.value(operand);
            let test = self.b.leaf(operand, Atom::Missing(value));
            asked.push((operand, test, value));
        }
        let mut otherwise = self.test(last);
        for (operand, test, value) in asked.into_iter().rev() {
            self.b.open();
            let there = self.b.leaf(operand, Atom::Truth(value));
            otherwise = Test::Choice(Box::new([test, otherwise, there]));
        }
        Some(otherwise)
    }

    /// `a, b`: the last one decides.
    fn last_of_sequence(&mut self, node: NodeId) -> Test {
        let parts: Vec<_> = shape::expressions(self.tree, node).collect();
        let Some((&last, before)) = parts.split_last() else { return self.leaf_test(node) };
        let first = self.apart(|lowering| {
            for &part in before {
                lowering.value(part);
            }
        });
        let test = self.test(last);
        let test = self.evaluated(test, node);
        after(first, test)
    }

    /// `a === b`, `a < b`
    fn comparison(&mut self, node: NodeId) -> Option<Test> {
        let (left, right) = (self.tree.child(node, "left")?, self.tree.child(node, "right")?);
        let operator = shape::operator(self.tree, node);
        match operator {
            "===" | "==" => Some(self.equality(node, left, right, super::operators::sameness(operator))),
            "!==" | "!=" => {
                let test = self.equality(node, left, right, super::operators::sameness(operator));
                Some(Test::Not(Box::new(test)))
            }
            "<" | "<=" | ">" | ">=" => {
                self.b.open();
                let (a, b) = (self.value(left), self.value(right));
                self.mark(node);
                let order = if operator.len() == 1 { Order::Less } else { Order::LessOrEqual };
                let atom = if operator.starts_with('<') { Atom::Less(a, b, order) } else { Atom::Less(b, a, order) };
                Some(self.b.leaf(node, atom))
            }
            _ => None,
        }
    }

    fn equality(&mut self, node: NodeId, left: NodeId, right: NodeId, sameness: Sameness) -> Test {
        // `a?.b === "x"` is false where `a` is not there, `a?.b == null` is true.
        let (chain, other) =
            if self.is_optional_chain(shape::bare(self.tree, left)) { (left, right) } else { (right, left) };
        let bare = shape::bare(self.tree, chain);
        if self.is_optional_chain(bare)
            && let Some(missing) = self.equals_undefined(other, sameness)
        {
            return self.chain_equality(node, (chain, bare), other, sameness, missing);
        }
        self.b.open();
        if let Some(test) = self.asked_type(node, left, right) {
            return test;
        }
        let (a, b) = (self.value(left), self.value(right));
        self.mark(node);
        let atom = match sameness {
            Sameness::Loose if self.is_nothing(right) => Atom::Missing(a),
            Sameness::Loose if self.is_nothing(left) => Atom::Missing(b),
            _ => Atom::Same(a, Operand::Value(b), sameness),
        };
        self.b.leaf(node, atom)
    }

    fn chain_equality(
        &mut self,
        node: NodeId,
        (chain, bare): (NodeId, NodeId),
        other: NodeId,
        sameness: Sameness,
        missing: bool,
    ) -> Test {
        let is_nothing = sameness == Sameness::Loose && self.is_nothing(other);
        self.chain_test(bare, missing, |lowering, value| {
            if chain != bare {
                lowering.mark(chain);
            }
            let with = lowering.value(other);
            lowering.mark(node);
            let atom =
                if is_nothing { Atom::Missing(value) } else { Atom::Same(value, Operand::Value(with), sameness) };
            lowering.b.leaf(node, atom)
        })
    }

    /// Whether `undefined` equals a literal; `None` for what is none.
    fn equals_undefined(&self, literal: NodeId, sameness: Sameness) -> Option<bool> {
        let literal = shape::bare(self.tree, literal);
        match self.kind(literal) {
            "string" | "number" | "true" | "false" => Some(false),
            "null" => Some(sameness == Sameness::Loose),
            _ => shape::is_undefined(self.tree, literal).then_some(true),
        }
    }

    /// `null` or `undefined`
    fn is_nothing(&self, node: NodeId) -> bool {
        let node = shape::bare(self.tree, node);
        self.kind(node) == "null" || shape::is_undefined(self.tree, node)
    }

    /// `typeof x === "undefined"` asks whether `x` is `undefined`. The sequence is open.
    fn asked_type(&mut self, node: NodeId, left: NodeId, right: NodeId) -> Option<Test> {
        let (asks, text) =
            if self.kind(shape::bare(self.tree, left)) == "string" { (right, left) } else { (left, right) };
        let (asks, text) = (shape::bare(self.tree, asks), shape::bare(self.tree, text));
        let is_typeof = self.kind(asks) == "unary_expression" && shape::operator(self.tree, asks) == "typeof";
        if !is_typeof || self.kind(text) != "string" || self.text(text) != "undefined" {
            return None;
        }
        let subject = shape::operand(self.tree, asks)?;
        let value = self.value(subject);
        self.mark(asks);
        self.mark(text);
        self.mark(node);
        Some(self.b.leaf(node, Atom::Same(value, Operand::Const(Const::Undefined), Sameness::Strict)))
    }

    /// The test with one more node evaluated: after a single operand; where it is entered for `&&`, `||` and choices,
    /// whose outcomes part before all of it has been evaluated.
    fn evaluated(&mut self, mut test: Test, node: NodeId) -> Test {
        let mark = self.apart(|lowering| lowering.mark(node));
        match &mut test {
            Test::Leaf(leaf) => append(&mut leaf.code, mark),
            Test::Unknown(code, _) => append(code, mark),
            Test::Not(inner) => {
                let inside = std::mem::replace(&mut **inner, Test::Always);
                **inner = evaluated_with(inside, mark);
            }
            _ => return after(mark, test),
        }
        test
    }
}

fn evaluated_with(mut test: Test, mark: Code) -> Test {
    match &mut test {
        Test::Leaf(leaf) => append(&mut leaf.code, mark),
        Test::Unknown(code, _) => append(code, mark),
        Test::Not(inner) => {
            let inside = std::mem::replace(&mut **inner, Test::Always);
            **inner = evaluated_with(inside, mark);
        }
        _ => return after(mark, test),
    }
    test
}

/// The test after something else.
fn after(before: Code, mut test: Test) -> Test {
    match &mut test {
        Test::Leaf(leaf) => prepend(&mut leaf.code, before),
        Test::Unknown(code, _) => prepend(code, before),
        Test::Not(inner) => {
            let inside = std::mem::replace(&mut **inner, Test::Always);
            **inner = after(before, inside);
        }
        Test::And(tests) | Test::Or(tests) => {
            if let Some(first) = tests.first_mut() {
                let inside = std::mem::replace(first, Test::Always);
                *first = after(before, inside);
            }
        }
        Test::Choice(parts) => {
            let inside = std::mem::replace(&mut parts[0], Test::Always);
            parts[0] = after(before, inside);
        }
        Test::Always => {}
    }
    test
}

fn append(code: &mut Code, more: Code) {
    let first = std::mem::replace(code, Code::nothing());
    *code = joined(first, more);
}

fn prepend(code: &mut Code, before: Code) {
    let last = std::mem::replace(code, Code::nothing());
    *code = joined(before, last);
}

/// One piece of code behind the other.
fn joined(first: Code, last: Code) -> Code {
    let parts = |code| match code {
        Code::Seq(parts) => parts,
        other => vec![other],
    };
    Code::Seq(parts(first).into_iter().chain(parts(last)).collect())
}

/// The `x` of `Boolean(x)`.
fn boolean_of(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let callee = tree.child(node, "function").filter(|_| tree.kind(node) == "call_expression")?;
    let is_boolean = tree.kind(callee) == "identifier" && tree.text(callee) == "Boolean";
    if !is_boolean || shape::is_optional(tree, node) {
        return None;
    }
    let list = tree.child(node, "arguments").filter(|&list| tree.kind(list) == "arguments")?;
    let mut arguments = shape::expressions(tree, list);
    let only = arguments.next().filter(|&only| tree.kind(only) != "spread_element")?;
    arguments.next().is_none().then_some(only)
}
