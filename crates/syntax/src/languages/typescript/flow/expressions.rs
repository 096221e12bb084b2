//! Expressions as values, each after its operands.

use super::{Lowering, Out, branch, is_there, unknown, with_stack};
use crate::flow::{Exit, Flow};
use crate::languages::typescript::shape::{self, Logic};
use crate::tree::NodeId;

impl Lowering<'_> {
    /// Lowers an expression whose value is wanted.
    pub(super) fn value(&mut self, node: NodeId, out: &mut Out) {
        with_stack(|| self.value_here(node, out));
    }

    fn value_here(&mut self, node: NodeId, out: &mut Out) {
        let kind = self.kind(node);
        match kind {
            _ if shape::is_function(kind) => self.closure(node, out),
            "non_null_expression" | "member_expression" | "subscript_expression" | "call_expression" => {
                self.chain(node, out);
            }
            "new_expression" => self.construction(node, out),
            "await_expression" | "yield_expression" => self.suspension(node, out),
            "assignment_expression" => self.assignment(node, out),
            "augmented_assignment_expression" => self.augmented_assignment(node, out),
            "update_expression" => self.update(node, out),
            "unary_expression" if shape::operator(self.tree, node) == "delete" => self.deletion(node, out),
            "ternary_expression" => self.ternary(node, out),
            "logical_expression" | "binary_expression" => self.operands_of(node, out),
            "class" => self.class(node, out),
            "object" => self.properties(node, out),
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => self.jsx(node, out),
            _ => self.plain(node, out),
        }
    }

    /// An expression whose children are evaluated in source order: unary and binary operators, sequences, arrays,
    /// templates, wrappers; and leaves.
    pub(super) fn plain(&mut self, node: NodeId, out: &mut Out) {
        self.parts(node, out);
        self.eval(node, out);
    }

    /// The children that are evaluated, in source order, without the node itself.
    pub(super) fn parts(&mut self, node: NodeId, out: &mut Out) {
        if shape::is_wrapper(self.kind(node)) {
            if let Some(inner) = shape::operand(self.tree, node) {
                self.value(inner, out);
            }
            return;
        }
        let tree = self.tree;
        for part in tree.children(node) {
            match self.kind(part) {
                "template_substitution" => self.plain(part, out),
                kind if shape::is_expression(kind) => self.value(part, out),
                _ => {}
            }
        }
    }

    fn operands_of(&mut self, node: NodeId, out: &mut Out) {
        match shape::logical(self.tree, node) {
            Some((logic, operands)) => {
                self.short_circuit(logic, &operands, out);
                self.eval(node, out);
            }
            None => self.plain(node, out),
        }
    }

    /// `a && b && c` as a value: the rest is evaluated only when the outcome of the first asks for it.
    fn short_circuit(&mut self, logic: Logic, operands: &[NodeId], out: &mut Out) {
        let Some((&first, rest)) = operands.split_first() else {
            return;
        };
        if rest.is_empty() {
            return self.value(first, out);
        }
        let test = match logic {
            Logic::And | Logic::Or => self.test(first),
            Logic::Nullish => {
                self.value(first, out);
                is_there(shape::bare(self.tree, first))
            }
        };
        let more = with_stack(|| self.apart(|lowering, out| lowering.short_circuit(logic, rest, out)));
        out.push(match logic {
            Logic::And => branch(test, more, Flow::nothing()),
            Logic::Or | Logic::Nullish => branch(test, Flow::nothing(), more),
        });
    }

    fn ternary(&mut self, node: NodeId, out: &mut Out) {
        if let Some((condition, yes, no)) = shape::ternary(self.tree, node) {
            let test = self.test(condition);
            let yes = self.value_apart(yes);
            let no = self.value_apart(no);
            out.push(branch(test, yes, no));
        }
        self.eval(node, out);
    }

    fn construction(&mut self, node: NodeId, out: &mut Out) {
        if let Some(constructor) = self.tree.child(node, "constructor") {
            self.value(constructor, out);
        }
        self.arguments(node, out);
        self.eval_raising(node, out);
    }

    pub(super) fn arguments(&mut self, call: NodeId, out: &mut Out) {
        for argument in shape::arguments(self.tree, call) {
            self.value(argument, out);
        }
    }

    /// `await` and `yield`: the operand, then other code runs, then the value is there (or an error is raised). Who
    /// asked for the items of a generator may want no more of them: it returns at the `yield`.
    fn suspension(&mut self, node: NodeId, out: &mut Out) {
        self.parts(node, out);
        out.push(Flow::Suspend { node });
        if self.kind(node) == "yield_expression" {
            let stop = self.apart(|lowering, out| {
                lowering.close_iterators(0, out);
                out.push(Flow::Leave { to: Exit::Return, node });
            });
            out.push(branch(unknown(node), stop, Flow::nothing()));
        }
        self.eval_raising(node, out);
    }

    fn properties(&mut self, node: NodeId, out: &mut Out) {
        let tree = self.tree;
        for property in tree.children(node) {
            self.property(property, out);
        }
        self.eval(node, out);
    }

    /// One property of an object literal.
    pub(super) fn property(&mut self, property: NodeId, out: &mut Out) {
        match self.kind(property) {
            "pair" => {
                self.key(property, out);
                if let Some(value) = self.tree.child(property, "value") {
                    self.value(value, out);
                }
                self.eval(property, out);
            }
            "method_definition" => {
                self.key(property, out);
                self.closure(property, out);
            }
            "shorthand_property_identifier" => self.eval(property, out),
            kind if shape::is_expression(kind) => self.value(property, out),
            _ => {}
        }
    }

    /// A computed key of a property, method or field.
    pub(super) fn key(&mut self, property: NodeId, out: &mut Out) {
        let names = ["key", "name", "property"];
        let key = names.iter().find_map(|field| self.tree.child(property, field));
        if let Some(key) = key.filter(|&key| self.kind(key) == "computed_property_name") {
            self.plain(key, out);
        }
    }

    /// An element: the component, its attributes, its children, then the element itself.
    fn jsx(&mut self, node: NodeId, out: &mut Out) {
        let tree = self.tree;
        for child in tree.children(node) {
            match self.kind(child) {
                "jsx_opening_element" => self.jsx_tag(child, out),
                "jsx_closing_element" => {}
                kind if shape::is_expression(kind) && self.tree.field(child) != Some("name") => self.value(child, out),
                _ => {}
            }
        }
        if self.kind(node) == "jsx_self_closing_element" {
            self.jsx_tag_parts(node, out);
        }
        self.eval(node, out);
    }

    fn jsx_tag(&mut self, tag: NodeId, out: &mut Out) {
        self.jsx_tag_parts(tag, out);
        self.eval(tag, out);
    }

    fn jsx_tag_parts(&mut self, tag: NodeId, out: &mut Out) {
        if let Some(name) = self.tree.child(tag, "name").filter(|&name| shape::is_expression(self.kind(name))) {
            self.value(name, out);
        }
        let attributes: Vec<_> =
            self.tree.children(tag).filter(|&child| self.tree.field(child) != Some("name")).collect();
        for attribute in attributes {
            match self.kind(attribute) {
                "jsx_attribute" => self.plain(attribute, out),
                kind if shape::is_expression(kind) => self.value(attribute, out),
                _ => {}
            }
        }
    }
}
