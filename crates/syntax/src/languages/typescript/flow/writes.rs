//! What gives variables and properties new values: declarations, assignments, updates, parameters, loop heads.

use super::{Lowering, Out, branch, is_there, is_undefined, unknown};
use crate::flow::{Flow, Test};
use crate::languages::typescript::shape::{self, Logic};
use crate::tree::NodeId;

impl Lowering<'_> {
    /// `left = right`: the target's base, the value, then the write. A pattern is taken apart after the value is there.
    pub(super) fn assignment(&mut self, node: NodeId, out: &mut Out) {
        let (left, right) = (self.tree.child(node, "left"), self.tree.child(node, "right"));
        if let Some(left) = left {
            self.target_base(left, out);
        }
        if let Some(right) = right {
            self.value(right, out);
        }
        if let Some(left) = left {
            self.store(node, left, right, out);
        }
        self.eval(node, out);
    }

    /// `left += right` and its like; `left ??= right` and its like evaluate and write only when they must.
    pub(super) fn augmented_assignment(&mut self, node: NodeId, out: &mut Out) {
        let (Some(left), Some(right)) = (self.tree.child(node, "left"), self.tree.child(node, "right")) else {
            return self.plain(node, out);
        };
        let target = shape::bare(self.tree, left);
        self.value(left, out);
        let Some(logic) = shape::logic_of(shape::operator(self.tree, node)) else {
            self.value(right, out);
            self.write(node, target, None, out);
            return self.eval(node, out);
        };
        let assigns = self.apart(|lowering, out| {
            lowering.value(right, out);
            lowering.write(node, target, Some(right), out);
        });
        let asked = Test::Node { node: left, flow: Box::new(Flow::nothing()) };
        out.push(match logic {
            Logic::And => branch(asked, assigns, Flow::nothing()),
            Logic::Or => branch(asked, Flow::nothing(), assigns),
            Logic::Nullish => branch(is_there(left), Flow::nothing(), assigns),
        });
        self.eval(node, out);
    }

    /// `x++`.
    pub(super) fn update(&mut self, node: NodeId, out: &mut Out) {
        if let Some(argument) = self.tree.child(node, "argument") {
            self.value(argument, out);
            self.write(node, shape::bare(self.tree, argument), None, out);
        }
        self.eval(node, out);
    }

    /// `delete a.b`: the property has no value any more.
    pub(super) fn deletion(&mut self, node: NodeId, out: &mut Out) {
        if let Some(argument) = shape::operand(self.tree, node) {
            self.value(argument, out);
            self.write(node, shape::bare(self.tree, argument), None, out);
        }
        self.eval(node, out);
    }

    /// The base of a member target: what is evaluated before the value is.
    fn target_base(&mut self, target: NodeId, out: &mut Out) {
        let target = shape::bare(self.tree, target);
        match self.kind(target) {
            "member_expression" | "subscript_expression" => {
                for field in ["object", "index"] {
                    if let Some(part) = self.tree.child(target, field).filter(|&p| self.is_value(p)) {
                        self.value(part, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_value(&self, node: NodeId) -> bool {
        shape::is_expression(self.kind(node))
    }

    /// Writes a target whose base was evaluated.
    fn store(&mut self, node: NodeId, target: NodeId, value: Option<NodeId>, out: &mut Out) {
        let kind = self.kind(target);
        if shape::is_wrapper(kind) {
            if let Some(inner) = shape::operand(self.tree, target) {
                self.store(node, inner, value, out);
            }
            return self.eval(target, out);
        }
        if matches!(kind, "member_expression" | "subscript_expression") {
            self.eval(target, out);
            return self.write(node, target, value, out);
        }
        self.bind(node, target, value, out);
    }

    /// Gives every target of a pattern its value.
    pub(super) fn bind(&mut self, node: NodeId, pattern: NodeId, value: Option<NodeId>, out: &mut Out) {
        super::with_stack(|| self.bind_here(node, pattern, value, out));
    }

    fn bind_here(&mut self, node: NodeId, pattern: NodeId, value: Option<NodeId>, out: &mut Out) {
        match self.kind(pattern) {
            "identifier" | "undefined" | "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
                self.eval(pattern, out);
                self.write(node, pattern, value, out);
            }
            "object_pattern" | "array_pattern" | "object" | "array" => {
                let tree = self.tree;
                for element in tree.children(pattern) {
                    self.bind(node, element, None, out);
                }
                self.eval(pattern, out);
            }
            "pair_pattern" | "pair" => {
                self.key(pattern, out);
                if let Some(inner) = self.tree.child(pattern, "value") {
                    self.bind(node, inner, None, out);
                }
                self.eval(pattern, out);
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                self.bind_or_default(node, pattern, None, out);
                self.eval(pattern, out);
            }
            "rest_pattern" | "spread_element" => {
                let inner = self.tree.children(pattern).find(|&child| self.kind(child) != "...");
                if let Some(inner) = inner {
                    self.bind(node, inner, None, out);
                }
                self.eval(pattern, out);
            }
            kind if shape::is_wrapper(kind) || matches!(kind, "member_expression" | "subscript_expression") => {
                self.target_base(pattern, out);
                self.store(node, pattern, value, out);
            }
            _ => {}
        }
    }

    /// Gives a target with a default (a parameter, an element of a pattern) its value, or its default instead of
    /// `undefined`.
    pub(super) fn bind_or_default(&mut self, node: NodeId, element: NodeId, value: Option<NodeId>, out: &mut Out) {
        let (target, default) = shape::target_and_default(self.tree, element);
        let Some(target) = target else { return };
        let Some(default) = default else {
            return self.bind(node, target, value, out);
        };
        if matches!(self.kind(target), "identifier" | "shorthand_property_identifier_pattern") {
            self.bind(node, target, value, out);
            let taken = self.apart(|lowering, out| {
                lowering.value(default, out);
                lowering.write(node, target, Some(default), out);
            });
            out.push(branch(is_undefined(target), taken, Flow::nothing()));
        } else {
            let taken = self.value_apart(default);
            out.push(branch(unknown(element), taken, Flow::nothing()));
            self.bind(node, target, None, out);
        }
    }

    /// The parameters that an assignment to `arguments[i]` may assign, as it does outside strict code.
    pub(super) fn parameters_behind(&self, target: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let is_member = matches!(self.kind(target), "member_expression" | "subscript_expression");
        let object = tree.child(target, "object").filter(|_| is_member).map(|object| shape::bare(tree, object));
        if object.is_none_or(|object| self.kind(object) != "identifier" || tree.text(object) != "arguments") {
            return Vec::new();
        }
        let is_own = |&above: &NodeId| shape::is_function(self.kind(above)) && self.kind(above) != "arrow_function";
        let function = tree.ancestors(target).find(is_own);
        let parameters = function.map_or_else(Vec::new, |function| shape::parameters(tree, function));
        let names = parameters.into_iter().filter_map(|parameter| shape::target_and_default(tree, parameter).0);
        names.filter(|&name| self.kind(name) == "identifier").collect()
    }

    /// One declarator of a declaration.
    pub(super) fn declarator(&mut self, declarator: NodeId, keyword: &str, out: &mut Out) {
        let (name, value) = (self.tree.child(declarator, "name"), self.tree.child(declarator, "value"));
        if let Some(value) = value {
            self.value(value, out);
        }
        // `var x;` leaves an `x` that already has a value alone; `let x;` makes it `undefined`.
        if let Some(name) = name.filter(|_| value.is_some() || keyword != "var") {
            self.bind(declarator, name, value, out);
        }
        self.eval(declarator, out);
    }
}
