//! Classes: what their making evaluates (heritage, decorators, computed names, static parts), and the scopes in them.

use super::{Lowering, Out};
use crate::flow::{Called, Flow};
use crate::languages::typescript::shape;
use crate::tree::NodeId;

impl Lowering<'_> {
    /// A class, declared or as an expression.
    pub(super) fn class(&mut self, node: NodeId, out: &mut Out) {
        let tree = self.tree;
        for part in tree.children(node) {
            match self.kind(part) {
                "decorator" => self.plain(part, out),
                "class_heritage" => self.heritage(part, out),
                "class_body" => self.class_body(part, out),
                _ => {}
            }
        }
        self.eval(node, out);
    }

    fn heritage(&mut self, node: NodeId, out: &mut Out) {
        let tree = self.tree;
        for part in tree.children(node) {
            match self.kind(part) {
                "extends_clause" => self.plain(part, out),
                kind if shape::is_expression(kind) => self.value(part, out),
                _ => {}
            }
        }
        self.eval(node, out);
    }

    /// Computed names first, static parts afterwards, each in source order (ECMA-262, ClassDefinitionEvaluation).
    fn class_body(&mut self, body: NodeId, out: &mut Out) {
        let members: Vec<_> = self.tree.children(body).collect();
        for &member in &members {
            match self.kind(member) {
                "decorator" => self.plain(member, out),
                "method_definition" | "public_field_definition" | "field_definition" => {
                    self.decorators(member, out);
                    self.key(member, out);
                }
                _ => {}
            }
        }
        for member in members {
            self.member_value(member, out);
        }
        self.eval(body, out);
    }

    /// A member that is an item of its own.
    pub(super) fn member(&mut self, member: NodeId, out: &mut Out) {
        self.decorators(member, out);
        self.key(member, out);
        self.member_value(member, out);
    }

    fn decorators(&mut self, member: NodeId, out: &mut Out) {
        let tree = self.tree;
        for child in tree.children(member).filter(|&child| tree.kind(child) == "decorator") {
            self.plain(child, out);
        }
    }

    /// A method or an instance field runs later, a static field or block with the class.
    fn member_value(&mut self, member: NodeId, out: &mut Out) {
        match self.kind(member) {
            "method_definition" => self.closure(member, out),
            "public_field_definition" | "field_definition" => {
                let Some(value) = self.tree.child(member, "value") else {
                    return self.eval(member, out);
                };
                if self.tree.has_child(member, "static") {
                    self.value(value, out);
                } else {
                    let body = Box::new(self.scope_apart(|lowering, out| lowering.value(value, out)));
                    out.push(Flow::Closure { node: member, body, called: Called::Later });
                }
                self.eval(member, out);
            }
            "class_static_block" => {
                if let Some(block) = self.tree.child(member, "body") {
                    let body = Box::new(self.scope_apart(|lowering, out| lowering.block(block, out)));
                    out.push(Flow::Closure { node: member, body, called: Called::OnTheSpot });
                }
                self.eval(member, out);
            }
            _ => {}
        }
    }
}
