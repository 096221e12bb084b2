//! The symbols of a Zig file, what they stand for, and what the file exports.

use super::Reader;
use crate::links::{Base, Class, Denotes, Import, Means, Symbol, WHOLE};
use crate::scope::BindingKind;
use crate::tree::NodeId;

const CONTAINERS: [&str; 4] = ["struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration"];

const CONSTANTS: [&str; 6] = ["integer", "float", "string", "multiline_string", "character", "boolean"];

impl Reader<'_, '_> {
    /// A symbol for each variable, in the order of the scopes' ids, then one for each field.
    pub(super) fn declare_symbols(&mut self) {
        for binding in &self.scopes.bindings {
            let span = self.tree.span(binding.declared);
            let whole = self.tree.parent(binding.declared).map_or(span, |parent| self.tree.span(parent));
            let symbol = Symbol { name: binding.name.clone(), span, whole, means: Means::Anything, returns: None };
            self.links.symbols.push(symbol);
        }
    }

    fn push(&mut self, name: &str, node: NodeId, means: Means) -> usize {
        let span = self.tree.span(node);
        self.links.symbols.push(Symbol { name: name.to_owned(), span, whole: span, means, returns: None });
        self.links.symbols.len() - 1
    }

    /// Gives every container its symbol: the constant that names it, the function that returns it, or one of its own.
    pub(super) fn own_containers(&mut self) {
        let file = self.push("", NodeId::ROOT, Means::Anything);
        self.owners.insert(NodeId::ROOT, file);
        for node in self.tree.subtree(NodeId::ROOT) {
            if !CONTAINERS.contains(&self.tree.kind(node)) {
                continue;
            }
            let owner = match self.named_by(node) {
                Some(symbol) => symbol,
                None => self.push("", node, Means::Anything),
            };
            self.owners.insert(node, owner);
        }
        let containers: Vec<(NodeId, usize)> = self.owners.iter().map(|(&node, &owner)| (node, owner)).collect();
        for (node, owner) in containers {
            let class = self.members(node);
            if node == NodeId::ROOT {
                self.links.exports =
                    class.members.iter().map(|(name, &index)| (name.clone(), Denotes::symbol(index))).collect();
                self.links.exports.insert(WHOLE.to_owned(), Denotes::symbol(owner));
            }
            self.links.symbols[owner].means = Means::Class(class);
        }
    }

    fn named_by(&self, container: NodeId) -> Option<usize> {
        let tree = self.tree;
        let parent = tree.parent(container)?;
        let name = match tree.kind(parent) {
            "variable_declaration" => tree.child(parent, "name")?,
            "return_expression" => {
                let function = tree.ancestors(parent).find(|&above| tree.kind(above) == "function_declaration")?;
                tree.child(function, "name")?
            }
            _ => return None,
        };
        self.scopes.binding(name).map(|id| id.0 as usize)
    }

    fn members(&mut self, container: NodeId) -> Class {
        let mut class = Class::default();
        for member in self.tree.children(container) {
            let Some(name) = self.tree.child(member, "name") else { continue };
            let text = self.tree.text(name).to_owned();
            let index = match self.tree.kind(member) {
                "function_declaration" | "variable_declaration" => match self.scopes.binding(name) {
                    Some(id) => id.0 as usize,
                    None => continue,
                },
                "container_field" => {
                    let means = self.tree.child(member, "type").map_or(Means::Anything, |kind| self.of_type(kind));
                    self.push(&text, name, means)
                }
                _ => continue,
            };
            class.members.insert(text, index);
        }
        class
    }

    /// Functions, constants, variables and parameters.
    pub(super) fn give_meanings(&mut self) {
        for number in 0..self.scopes.bindings.len() {
            if matches!(self.links.symbols[number].means, Means::Class(_)) {
                continue;
            }
            let (means, returns) = self.meaning(number);
            self.links.symbols[number].means = means;
            self.links.symbols[number].returns = returns;
        }
    }

    fn meaning(&self, number: usize) -> (Means, Option<Means>) {
        let binding = &self.scopes.bindings[number];
        let Some(parent) = self.tree.parent(binding.declared) else { return (Means::Anything, None) };
        match self.tree.kind(parent) {
            "function_declaration" => {
                (Means::Itself, self.tree.child(parent, "type").map(|returned| self.of_type(returned)))
            }
            "parameter" => (self.tree.child(parent, "type").map_or(Means::Anything, |kind| self.of_type(kind)), None),
            "variable_declaration" => (self.declared(parent, binding.kind, !binding.writes.is_empty()), None),
            _ => (Means::Anything, None),
        }
    }

    fn declared(&self, declaration: NodeId, kind: BindingKind, is_written: bool) -> Means {
        // `const A: type = B` is B by another name.
        if let Some(annotation) = self.tree.child(declaration, "type").filter(|&kind| self.tree.text(kind) != "type") {
            return self.of_type(annotation);
        }
        let Some(value) = self.tree.child(declaration, "value") else { return Means::Anything };
        match self.denote(value) {
            Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => Means::Instance(*class),
            Some(_) if CONSTANTS.contains(&self.tree.kind(value)) => Means::Foreign,
            Some(what) if what.base == Base::Foreign => Means::Itself,
            Some(what) if matches!(what.base, Base::Result(_)) => Means::Alias(what),
            Some(what) if kind == BindingKind::Constant || !is_written => Means::Alias(what),
            _ => Means::Anything,
        }
    }

    /// What a value of this type is: pointers, optionals and error unions mean what stands behind them.
    pub(super) fn of_type(&self, annotation: NodeId) -> Means {
        match self.tree.kind(annotation) {
            "pointer_type" | "nullable_type" => match self.tree.children(annotation).last() {
                Some(inner) => self.of_type(inner),
                None => Means::Anything,
            },
            "error_union_type" => match self.tree.child(annotation, "ok") {
                Some(inner) => self.of_type(inner),
                None => Means::Anything,
            },
            "builtin_type" if matches!(self.tree.text(annotation), "anytype" | "type") => Means::Anything,
            "builtin_type" => Means::Foreign,
            _ => match self.denote(annotation) {
                Some(Denotes { base: Base::Result(made), path }) if path.is_empty() => {
                    Means::Instance(Denotes::result(*made))
                }
                Some(what) => Means::Instance(what),
                None => Means::Anything,
            },
        }
    }

    /// Whether an `@import` gets a name, or is the start of one: elsewhere it goes where names are not followed.
    pub(super) fn is_named(&self, import: NodeId) -> bool {
        let Some(parent) = self.tree.parent(import) else { return false };
        match self.tree.kind(parent) {
            "variable_declaration" => self.tree.has_child(parent, "const"),
            "assignment_expression" => self.discards(parent),
            "using_namespace_declaration" | "block" => true,
            _ => self.tree.field(import) == Some("object"),
        }
    }

    /// `@import` and `usingnamespace`.
    pub(super) fn read_imports(&mut self) {
        for node in self.tree.subtree(NodeId::ROOT) {
            if let Some(from) = self.import(node) {
                let span = self.tree.span(node);
                self.links.imports.push(Import { from: Some(from.clone()), name: None, span });
                if !self.is_named(node) {
                    self.links.loose.push(from);
                }
            } else if self.tree.kind(node) == "using_namespace_declaration" {
                // Which names this brings takes an evaluation: it leads nowhere that a sweep can follow.
                let (from, span) = (self.tree.render(node), self.tree.span(node));
                self.links.imports.push(Import { from: Some(from.clone()), name: None, span });
                self.links.stars.push(from);
            }
        }
    }
}
