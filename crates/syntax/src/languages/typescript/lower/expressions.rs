//! Expressions as values, each after its operands.

use super::{Lowering, with_stack};
use crate::languages::typescript::shape::{self, Logic};
use crate::languages::typescript::values;
use crate::tree::NodeId;
use crate::value::Constant;
use factgate_ir::{
    Arg, Atom, Call, Callee, Const, Does, Forget, Form, Given, Hook, Made, Number, Operand, Pause, Prim, Sameness,
    SlotId, Sym, Test, ValueId, Waits,
};

impl Lowering<'_> {
    /// Lowers an expression whose value is wanted.
    pub(super) fn value(&mut self, node: NodeId) -> ValueId {
        with_stack(|| self.value_here(node))
    }

    fn value_here(&mut self, node: NodeId) -> ValueId {
        let kind = self.kind(node);
        match kind {
            "identifier" | "shorthand_property_identifier" => self.name(node),
            _ if shape::is_function(kind) => self.closure(node),
            "member_expression" | "subscript_expression" | "call_expression" => self.chain(node),
            "non_null_expression" => self.marked_value(node),
            _ if shape::is_wrapper(kind) => self.marked_value(node),
            "new_expression" => self.construction(node),
            "assignment_expression" => self.assignment(node),
            "augmented_assignment_expression" => self.augmented_assignment(node),
            "update_expression" => self.update(node),
            "await_expression" => self.waiting(node),
            "yield_expression" => self.yielding(node),
            "ternary_expression" => self.ternary(node),
            "logical_expression" | "binary_expression" => self.binary(node),
            "unary_expression" => self.unary(node),
            "sequence_expression" => self.sequence(node),
            "class" => self.class(node),
            "object" => self.object(node),
            "array" => self.array(node),
            "template_string" => self.template(node),
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => self.jsx(node),
            _ => self.leaf_value(node),
        }
    }

    /// An expression without parts, and whatever is not known.
    fn leaf_value(&mut self, node: NodeId) -> ValueId {
        let value = match self.kind(node) {
            "undefined" => return self.name(node),
            "this" => self.b.give(node, Does::Given(Given::This)),
            "null" => self.constant(node, Const::Null),
            "true" => self.constant(node, Const::Bool(true)),
            "false" => self.constant(node, Const::Bool(false)),
            "string" => self.constant(node, Const::Text(Sym::from(self.text(node)))),
            "number" => {
                let constant = self.number(node);
                self.constant(node, constant)
            }
            "regex" => self.b.give(node, Does::Make(Made::Other)),
            "meta_property" if self.tree.subtree(node).any(|part| self.kind(part) == "new") => {
                self.b.give(node, Does::Given(Given::NewTarget))
            }
            "meta_property" | "import" => self.unknown(node),
            _ => return self.unread(node),
        };
        self.mark(node);
        value
    }

    /// A form that is not known: its parts are evaluated, and then anything may be another.
    fn unread(&mut self, node: NodeId) -> ValueId {
        self.parts(node);
        self.b.act_or_raise(node, Does::Forget(Forget::Everything));
        let value = self.unknown(node);
        self.mark(node);
        value
    }

    /// The children that are evaluated, in source order.
    pub(super) fn parts(&mut self, node: NodeId) {
        for part in shape::expressions(self.tree, node).collect::<Vec<_>>() {
            if self.kind(part) == "spread_element" {
                self.parts(part);
                self.mark(part);
            } else {
                self.value(part);
            }
        }
    }

    pub(super) fn number(&self, node: NodeId) -> Const {
        let text = self.text(node);
        let is_big = text.ends_with('n') && !text.starts_with("0x");
        let number = match values::constant(self.tree, node) {
            Constant::Integer(integer) if !is_big => Some(integer as f64),
            Constant::Float(float) => Some(float),
            _ => None,
        };
        number.map_or_else(|| Const::Other(Sym::from(text)), |number| Const::Number(Number::from(number)))
    }

    /// Parentheses and marks of types: the value of what is in them.
    fn marked_value(&mut self, node: NodeId) -> ValueId {
        let value = match shape::operand(self.tree, node) {
            Some(inner) => self.value(inner),
            None => return self.unread(node),
        };
        self.mark(node);
        value
    }

    fn sequence(&mut self, node: NodeId) -> ValueId {
        let mut last = None;
        for part in shape::expressions(self.tree, node).collect::<Vec<_>>() {
            last = Some(self.value(part));
        }
        let Some(value) = last else { return self.unread(node) };
        self.mark(node);
        value
    }

    fn ternary(&mut self, node: NodeId) -> ValueId {
        let Some((condition, yes, no)) = shape::ternary(self.tree, node) else { return self.unread(node) };
        let slot = self.b.slot(node);
        let test = self.test(condition);
        let yes = self.apart(|lowering| lowering.value_into(slot, yes));
        let no = self.apart(|lowering| lowering.value_into(slot, no));
        self.b.branch(test, yes, no);
        let value = self.read_slot(node, slot);
        self.mark(node);
        value
    }

    /// Lowers an expression whose value goes into a slot.
    pub(super) fn value_into(&mut self, slot: SlotId, node: NodeId) {
        let value = self.value(node);
        self.set_slot(node, slot, value);
    }

    /// `a && b && c` as a value.
    pub(super) fn short_circuit(&mut self, node: NodeId, logic: Logic, operands: &[NodeId]) -> ValueId {
        let slot = self.b.slot(node);
        self.short_circuit_into(slot, logic, operands);
        let value = self.read_slot(node, slot);
        self.mark(node);
        value
    }

    fn short_circuit_into(&mut self, slot: SlotId, logic: Logic, operands: &[NodeId]) {
        let Some((&first, rest)) = operands.split_first() else { return };
        if rest.is_empty() {
            return self.value_into(slot, first);
        }
        let (test, taken) = self.decided(logic, first);
        let stays = self.apart(|lowering| {
            let value = match taken {
                Taken::Value(value) => value,
                Taken::Bool => lowering.constant(first, Const::Bool(logic == Logic::Or)),
            };
            lowering.set_slot(first, slot, value);
        });
        let goes_on = with_stack(|| self.apart(|lowering| lowering.short_circuit_into(slot, logic, rest)));
        let (yes, no) = if logic == Logic::And { (goes_on, stays) } else { (stays, goes_on) };
        self.b.branch(test, yes, no);
    }

    /// The test of the first operand (true: it is true, or there), and what the whole is when it decides.
    fn decided(&mut self, logic: Logic, first: NodeId) -> (Test, Taken) {
        let bare = shape::bare(self.tree, first);
        if logic != Logic::Nullish && self.is_bool(bare) {
            return (self.test(first), Taken::Bool);
        }
        self.b.open();
        let value = self.value(first);
        let atom = if logic == Logic::Nullish { Atom::Missing(value) } else { Atom::Truth(value) };
        let test = self.b.leaf(first, atom);
        let test = if logic == Logic::Nullish { Test::Not(Box::new(test)) } else { test };
        (test, Taken::Value(value))
    }

    /// Whether the value of an expression is `true` or `false`: a comparison, a negation, or one of those.
    pub(super) fn is_bool(&self, node: NodeId) -> bool {
        let node = shape::bare(self.tree, node);
        if let Some((Logic::And | Logic::Or, operands)) = shape::logical(self.tree, node) {
            return operands.into_iter().all(|operand| self.is_bool(operand));
        }
        match self.kind(node) {
            "binary_expression" => matches!(
                shape::operator(self.tree, node),
                "===" | "!==" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "instanceof"
            ),
            "unary_expression" => shape::operator(self.tree, node) == "!",
            _ => false,
        }
    }

    /// `await v`
    fn waiting(&mut self, node: NodeId) -> ValueId {
        let Some(operand) = shape::operand(self.tree, node) else { return self.unread(node) };
        let value = self.value(operand);
        let value = self.b.give_or_raise(node, Does::Suspend { pause: Pause::Await, value: Some(value) });
        self.mark(node);
        value
    }

    /// `yield v`, `yield* v`
    fn yielding(&mut self, node: NodeId) -> ValueId {
        let mut value = match shape::operand(self.tree, node) {
            Some(operand) => self.value(operand),
            None => self.undefined(node),
        };
        let waits = self.frame().is_async;
        let pause = if self.tree.has_child(node, "*") {
            let hook = if waits { Hook::IterateAsync } else { Hook::Iterate };
            value = self.hook(node, hook, value);
            Pause::Delegate
        } else {
            if waits {
                value = self.b.give_or_raise(node, Does::Suspend { pause: Pause::Await, value: Some(value) });
            }
            Pause::Yield
        };
        let value = self.b.give_or_raise(node, Does::Suspend { pause, value: Some(value) });
        self.mark(node);
        value
    }

    /// What the language calls by itself on an object.
    pub(super) fn hook(&mut self, node: NodeId, hook: Hook, object: ValueId) -> ValueId {
        self.quiet_call(node, Callee::Hook(hook), Some(object), Vec::new())
    }

    /// A call that is no call in the source. It raises what the bodies raise that it runs, and nothing by itself: a
    /// `for … of` is no way out of a function.
    pub(super) fn quiet_call(
        &mut self,
        node: NodeId,
        callee: Callee,
        this: Option<ValueId>,
        args: Vec<Arg>,
    ) -> ValueId {
        self.b.give(node, Does::Call(Call { callee, this, args, form: Form::Plain, waits: Waits::Not }))
    }

    /// A function of values, without side effects but for conversions.
    pub(super) fn compute(&mut self, node: NodeId, prim: Prim, operands: Vec<ValueId>) -> ValueId {
        self.b.give(node, Does::Compute(prim, operands))
    }

    /// Whether a value is `undefined`, so that its default is taken.
    pub(super) fn is_undefined(&mut self, node: NodeId, value: ValueId) -> Test {
        self.b.open();
        self.b.leaf(node, Atom::Same(value, Operand::Const(Const::Undefined), Sameness::Strict))
    }
}

/// What an operand that decides gives.
enum Taken {
    Value(ValueId),
    Bool,
}
