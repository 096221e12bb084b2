//! Where a Zig file uses names: every maximal chain of names and members, with the form of its use.

use super::Reader;
use crate::links::{Denotes, Form, Use};
use crate::tree::NodeId;

impl Reader<'_, '_> {
    /// All uses that can matter.
    pub(super) fn read_uses(&mut self) {
        let mut uses = Vec::new();
        for node in self.tree.subtree(NodeId::ROOT) {
            if let Some(from) = self.import(node).filter(|_| !self.is_named(node)) {
                uses.push(Use { what: Denotes::module(&from), form: Form::Value, span: self.tree.span(node) });
            }
            let is_field = self.builtin(node) == Some("@field");
            let is_chain = is_field || matches!(self.tree.kind(node), "identifier" | "field_expression");
            if !is_chain || self.declares(node) {
                continue;
            }
            let Some(form) = self.form(node) else { continue };
            let Some(what) = self.denote(node) else { continue };
            if self.links.matters(&what, self.is_word) {
                let shown = self.tree.child(node, "member").unwrap_or(node);
                uses.push(Use { what, form, span: self.tree.span(shown) });
            }
        }
        self.links.uses = uses;
    }

    /// Whether an identifier is the name of what is declared there, or of a member.
    fn declares(&self, node: NodeId) -> bool {
        let field = self.tree.field(node);
        matches!(field, Some("name" | "member" | "case"))
            || self.scopes.binding(node).is_some_and(|id| self.scopes.get(id).declared == node)
    }

    /// How the surroundings use a chain; `None` where they do not: as the start of a longer chain, as a type, as the
    /// value of an alias.
    fn form(&self, node: NodeId) -> Option<Form> {
        let tree = self.tree;
        let mut at = node;
        let mut parent = tree.parent(at)?;
        while tree.kind(parent) == "parenthesized_expression" {
            at = parent;
            parent = tree.parent(at)?;
        }
        match (tree.kind(parent), tree.field(at)) {
            ("field_expression", Some("object")) => None,
            ("call_expression", Some("function")) => Some(Form::Call),
            ("null_coercion_expression" | "dereference_expression", _) => None,
            ("variable_declaration", Some("value")) => {
                // A constant with a type of its own (`const p: *const fn () void = q.run`) is no other name.
                let kind = tree.child(parent, "type").map(|kind| tree.text(kind));
                let is_alias = tree.has_child(parent, "const") && kind.is_none_or(|kind| kind == "type");
                (!is_alias).then_some(Form::Value)
            }
            ("struct_initializer", None) => Some(Form::New),
            (_, Some("type" | "ok" | "error")) => None,
            ("pointer_type" | "nullable_type" | "slice_type" | "array_type" | "payload", _) => None,
            ("arguments", _) => self.argument_form(parent, at),
            ("assignment_expression", Some("right")) if self.discards(parent) => None,
            _ => Some(Form::Value),
        }
    }

    /// `_ = q;`
    pub(super) fn discards(&self, assignment: NodeId) -> bool {
        self.tree.child(assignment, "left").is_some_and(|left| self.tree.text(left) == "_")
    }

    /// The function that `@call` calls, or a value handed to another builtin or function.
    fn argument_form(&self, list: NodeId, at: NodeId) -> Option<Form> {
        let builtin = self.tree.parent(list)?;
        match self.builtin(builtin) {
            Some("@call") if self.arguments(builtin)?.get(1) == Some(&at) => Some(Form::Builtin),
            // The start of a longer chain.
            Some("@field") if self.denote(builtin).is_some() && self.arguments(builtin)?.first() == Some(&at) => None,
            Some("@TypeOf" | "@sizeOf" | "@alignOf" | "@typeName" | "@typeInfo" | "@hasDecl" | "@hasField") => None,
            _ => Some(Form::Value),
        }
    }
}
