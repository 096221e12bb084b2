//! What a Zig expression stands for, as far as one file can say.

use super::Reader;
use crate::links::{Base, Denotes};
use crate::tree::NodeId;

impl Reader<'_, '_> {
    /// What an expression stands for; `None` when it is no name, member, import, call or value of a container.
    pub(super) fn denote(&self, node: NodeId) -> Option<Denotes> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.denote_inner(node))
    }

    fn denote_inner(&self, node: NodeId) -> Option<Denotes> {
        let tree = self.tree;
        match tree.kind(node) {
            "identifier" => Some(match self.scopes.binding(node) {
                Some(id) => Denotes::symbol(id.0 as usize),
                None => Denotes::foreign(),
            }),
            "field_expression" => self.denote_member(node),
            "builtin_function" => self.denote_builtin(node),
            "call_expression" => {
                let function = tree.child(node, "function")?;
                if self.reflects(function) {
                    Some(Denotes::anything())
                } else {
                    Some(Denotes::result(self.denote(function)?))
                }
            }
            "struct_initializer" => Some(Denotes::instance(self.denote(tree.children(node).next()?)?)),
            "parenthesized_expression" => self.denote(tree.children(node).nth(1)?),
            "null_coercion_expression" | "dereference_expression" => self.denote(tree.children(node).next()?),
            "try_expression" | "unary_expression" => self.denote(tree.child(node, "argument")?),
            // The grammar reads `*a.B` as `(*a).B`: a member of a type's prefix is a member of what stands behind it.
            "pointer_type" | "nullable_type" | "slice_type" | "error_union_type" => {
                self.denote(tree.children(node).last()?)
            }
            "catch_expression" => self.denote(tree.child(node, "left")?),
            "binary_expression" if tree.has_child(node, "orelse") => self.denote(tree.child(node, "left")?),
            "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration" => {
                self.owners.get(&node).map(|&owner| Denotes::symbol(owner))
            }
            "integer" | "float" | "string" | "multiline_string" | "character" | "boolean" => Some(Denotes::foreign()),
            _ => None,
        }
    }

    /// Whether a function is one of `std.meta`, whose types may be the caller's own (`Child`, `Elem`).
    fn reflects(&self, function: NodeId) -> bool {
        let tree = self.tree;
        let declared = self.scopes.binding(function).and_then(|id| tree.parent(self.scopes.get(id).declared));
        let value = declared.and_then(|declaration| tree.child(declaration, "value"));
        let of_meta = |node: NodeId| {
            let mut chain = tree.subtree(node).filter(|&part| tree.kind(part) == "identifier");
            tree.kind(node) == "field_expression" && chain.any(|part| tree.text(part) == "meta")
        };
        of_meta(function) || value.is_some_and(of_meta)
    }

    fn denote_member(&self, node: NodeId) -> Option<Denotes> {
        let member = self.tree.text(self.tree.child(node, "member")?);
        match self.tree.child(node, "object") {
            Some(object) => Some(self.denote(object).unwrap_or_else(Denotes::anything).then(member)),
            None => self.result_type(node).map(|class| class.then(member)),
        }
    }

    /// The type that a called declaration literal (`.init()`) is a member of: what its place is declared with, nobody
    /// knows what elsewhere.
    fn result_type(&self, literal: NodeId) -> Option<Denotes> {
        let tree = self.tree;
        let mut at = tree.parent(literal).filter(|&above| tree.kind(above) == "call_expression")?;
        let mut above = tree.parent(at)?;
        while matches!(tree.kind(above), "try_expression" | "catch_expression" | "parenthesized_expression") {
            at = above;
            above = tree.parent(at)?;
        }
        let declared = match tree.kind(above) {
            "variable_declaration" if tree.field(at) == Some("value") => tree.child(above, "type"),
            // The grammar gives a field's default no name.
            "container_field" if tree.field(at).is_none() => tree.child(above, "type"),
            "return_expression" => self.returned(above),
            "arguments" => self.cast_to(above, at),
            _ => None,
        };
        match declared.map(|annotation| self.of_type(annotation)) {
            // A type that a function makes, as `std.ArrayList(u8)` is.
            Some(crate::links::Means::Instance(class)) if matches!(class.base, Base::Result(_)) => {
                Some(Denotes::instance(class))
            }
            Some(crate::links::Means::Instance(class)) => Some(class),
            Some(crate::links::Means::Foreign) => Some(Denotes::foreign()),
            _ => Some(Denotes::anything()),
        }
    }

    /// The type that a function is declared to return.
    fn returned(&self, inside: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let function = tree.ancestors(inside).find(|&above| tree.kind(above) == "function_declaration")?;
        tree.child(function, "type")
    }

    /// The type in `@as(T, value)`.
    fn cast_to(&self, list: NodeId, value: NodeId) -> Option<NodeId> {
        let builtin = self.tree.parent(list).filter(|&builtin| self.builtin(builtin) == Some("@as"))?;
        let arguments = self.arguments(builtin)?;
        (arguments.get(1) == Some(&value)).then(|| arguments.first().copied())?
    }

    fn denote_builtin(&self, node: NodeId) -> Option<Denotes> {
        if let Some(from) = self.import(node) {
            return Some(Denotes::module(&from));
        }
        match self.builtin(node)? {
            "@This" => {
                let container = self.tree.ancestors(node).find(|above| self.owners.contains_key(above))?;
                Some(Denotes::symbol(self.owners[&container]))
            }
            "@field" => {
                let arguments = self.arguments(node)?;
                let (object, name) = (*arguments.first()?, *arguments.get(1)?);
                let is_literal = self.tree.kind(name) == "string";
                is_literal.then(|| Some(self.denote(object)?.then(self.tree.text(name).trim_matches('"'))))?
            }
            "@as" => {
                let kind = self.arguments(node)?.first().copied()?;
                Some(Denotes::instance(self.denote(kind)?))
            }
            _ => None,
        }
    }

    /// The name of a builtin.
    pub(super) fn builtin(&self, node: NodeId) -> Option<&str> {
        let name = self.tree.child_of_kind(node, "builtin_identifier")?;
        (self.tree.kind(node) == "builtin_function").then(|| self.tree.text(name))
    }

    /// The arguments of a builtin.
    pub(super) fn arguments(&self, builtin: NodeId) -> Option<Vec<NodeId>> {
        let list = self.tree.child_of_kind(builtin, "arguments")?;
        Some(self.tree.children(list).filter(|&one| !matches!(self.tree.kind(one), "(" | ")")).collect())
    }

    /// The literal of an `@import`.
    pub(super) fn import(&self, node: NodeId) -> Option<String> {
        if self.builtin(node)? != "@import" {
            return None;
        }
        let from = self.arguments(node)?.first().copied()?;
        (self.tree.kind(from) == "string").then(|| self.tree.text(from).trim_matches('"').to_owned())
    }
}
