//! Unary and binary operators.

use super::Lowering;
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Const, Converts, Does, Hook, Order, Prim, Sameness, Step, ValueId};

impl Lowering<'_> {
    pub(super) fn unary(&mut self, node: NodeId) -> ValueId {
        let operator = shape::operator(self.tree, node);
        let Some(operand) = shape::operand(self.tree, node).or_else(|| self.tree.child(node, "argument")) else {
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        if operator == "delete" {
            return self.deletion(node, operand);
        }
        if let Some(constant) = self.negative_number(operator, operand) {
            let value = self.constant(node, constant);
            self.mark(node);
            return value;
        }
        let inner = self.value(operand);
        let value = match operator {
            "!" => self.compute(node, Prim::Not, vec![inner]),
            "-" => self.compute(node, Prim::Negate, vec![inner]),
            "+" => self.compute(node, Prim::Number, vec![inner]),
            "typeof" => self.compute(node, Prim::TypeOf, vec![inner]),
            "void" => self.undefined(node),
            _ => self.compute(node, Prim::Other(Converts::Yes), vec![inner]),
        };
        self.mark(node);
        value
    }

    /// `-1` is a literal like `1`.
    fn negative_number(&mut self, operator: &str, operand: NodeId) -> Option<Const> {
        if operator != "-" || self.kind(operand) != "number" {
            return None;
        }
        let Const::Number(number) = self.number(operand) else { return None };
        // The literal itself is evaluated all the same: a pattern may name it.
        self.value(operand);
        Some(Const::Number((-number.get()).into()))
    }

    /// `delete a.b`; of a chain the deletion is its last link.
    fn deletion(&mut self, node: NodeId, operand: NodeId) -> ValueId {
        let target = shape::bare(self.tree, operand);
        if matches!(self.kind(target), "member_expression" | "subscript_expression") {
            let value = self.chain_to(target, super::chains::Last::Deleted(node));
            self.mark(node);
            return value;
        }
        self.value(operand);
        let value = self.constant(node, Const::Bool(true));
        self.mark(node);
        value
    }

    /// `a + b`, `a === b`, `a && b`.
    pub(super) fn binary(&mut self, node: NodeId) -> ValueId {
        if let Some((logic, operands)) = shape::logical(self.tree, node) {
            return self.short_circuit(node, logic, &operands);
        }
        let (Some(left), Some(right)) = (self.tree.child(node, "left"), self.tree.child(node, "right")) else {
            self.parts(node);
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        if self.kind(left) == "private_property_identifier" {
            return self.has_private(node, left, right);
        }
        let (a, b) = (self.value(left), self.value(right));
        let value = self.computed(node, shape::operator(self.tree, node), a, b);
        self.mark(node);
        value
    }

    /// `#x in o`
    fn has_private(&mut self, node: NodeId, name: NodeId, object: NodeId) -> ValueId {
        let object = self.value(object);
        let name = self.private(name);
        let value = self.b.give(node, Does::Has(object, Step::Member(name)));
        self.mark(node);
        value
    }

    /// The value of an operator that evaluates both operands.
    pub(super) fn computed(&mut self, node: NodeId, operator: &str, a: ValueId, b: ValueId) -> ValueId {
        match operator {
            "===" | "==" => self.compute(node, Prim::Same(sameness(operator)), vec![a, b]),
            "!==" | "!=" => {
                let same = self.compute(node, Prim::Same(sameness(operator)), vec![a, b]);
                self.compute(node, Prim::Not, vec![same])
            }
            "<" => self.compute(node, Prim::Less(Order::Less), vec![a, b]),
            "<=" => self.compute(node, Prim::Less(Order::LessOrEqual), vec![a, b]),
            ">" => self.compute(node, Prim::Less(Order::Less), vec![b, a]),
            ">=" => self.compute(node, Prim::Less(Order::LessOrEqual), vec![b, a]),
            "+" => self.compute(node, Prim::Add, vec![a, b]),
            "-" => self.compute(node, Prim::Subtract, vec![a, b]),
            "*" => self.compute(node, Prim::Multiply, vec![a, b]),
            "in" => {
                let step = self.step_of_value(node, a);
                self.b.give(node, Does::Has(b, step))
            }
            "instanceof" => {
                self.hook(node, Hook::HasInstance, b);
                self.compute(node, Prim::InstanceOf, vec![a, b])
            }
            _ => self.compute(node, Prim::Other(Converts::Yes), vec![a, b]),
        }
    }

    /// `x++`
    pub(super) fn update(&mut self, node: NodeId) -> ValueId {
        let Some(argument) = self.tree.child(node, "argument") else {
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        let target = self.target(argument);
        let read = self.read_target(argument, &target);
        let old = self.compute(node, Prim::Number, vec![read]);
        let one = self.constant(node, Const::Number(1.0.into()));
        let prim = if shape::operator(self.tree, node) == "--" { Prim::Subtract } else { Prim::Add };
        let new = self.compute(node, prim, vec![old, one]);
        self.put(node, argument, &target, Some(new));
        self.mark(node);
        let is_prefix =
            self.tree.children(node).next().is_some_and(|first| Some(first) != self.tree.child(node, "argument"));
        if is_prefix { new } else { old }
    }
}

pub(super) fn sameness(operator: &str) -> Sameness {
    if operator.len() == 3 { Sameness::Strict } else { Sameness::Loose }
}
