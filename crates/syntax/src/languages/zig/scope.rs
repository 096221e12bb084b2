//! Variables of a Zig item. Zig forbids shadowing, so a name means one thing wherever it is visible; container members
//! are visible before their declaration, locals behind it.

use super::condition::{access, parameters};
use crate::scope::{Binding, BindingId, BindingKind, Scopes};
use crate::tree::{NodeId, Tree};
use rustc_hash::FxHashMap as HashMap;

/// The variables of a tree. Labels are none, and what `usingnamespace` brings in is not seen.
pub(super) fn scopes(tree: &Tree) -> Scopes {
    let mut walk = Walk { tree, scopes: Scopes::default(), frames: vec![HashMap::default()], depth: 0 };
    if !tree.is_empty() {
        walk.names_of(NodeId::ROOT);
        walk.visit(NodeId::ROOT);
    }
    walk.scopes
}

struct Walk<'t> {
    tree: &'t Tree,
    scopes: Scopes,
    frames: Vec<HashMap<&'t str, BindingId>>,
    /// How many functions and tests are around: inside one, what blocks declare is local.
    depth: usize,
}

impl<'t> Walk<'t> {
    fn visit(&mut self, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.tree.kind(node) {
            "identifier" => self.mention(node),
            "source_file" | "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration" => {
                self.frames.push(HashMap::default());
                self.tree.children(node).for_each(|member| self.names_of(member));
                self.children(node);
                self.frames.pop();
            }
            "function_declaration" | "function_signature" | "test_declaration" => self.function(node),
            "block" => {
                self.frames.push(HashMap::default());
                self.children(node);
                self.frames.pop();
            }
            "variable_declaration" => self.declaration(node),
            "assignment_expression" => {
                self.children(node);
                self.tree.child(node, "left").into_iter().for_each(|target| self.written(target));
            }
            _ if self.tree.has_child(node, "payload") => self.captures(node),
            _ => self.children(node),
        });
    }

    fn children(&mut self, node: NodeId) {
        self.tree.children(node).for_each(|child| self.visit(child));
    }

    /// Declares the name of a member of a container (or of the item itself), which nobody renames freely.
    fn names_of(&mut self, member: NodeId) {
        let (kind, name) = match self.tree.kind(member) {
            "function_declaration" => (BindingKind::Declaration, self.tree.child(member, "name")),
            "variable_declaration" => (self.declared_kind(member), self.tree.child(member, "name")),
            _ => return,
        };
        name.into_iter().for_each(|name| self.declare(name, kind, Local::No));
    }

    fn declared_kind(&self, node: NodeId) -> BindingKind {
        if self.tree.has_child(node, "var") { BindingKind::Variable } else { BindingKind::Constant }
    }

    fn function(&mut self, node: NodeId) {
        self.frames.push(HashMap::default());
        self.depth += 1;
        for name in parameters(self.tree, node) {
            self.declare(name, BindingKind::Parameter, Local::Yes);
        }
        self.children(node);
        self.depth -= 1;
        self.frames.pop();
    }

    fn declaration(&mut self, node: NodeId) {
        let mut kind = BindingKind::Constant;
        let mut names = Vec::new();
        for child in self.tree.children(node) {
            match (self.tree.kind(child), self.tree.field(child)) {
                ("const", _) => kind = BindingKind::Constant,
                ("var", _) => kind = BindingKind::Variable,
                (_, Some("name")) => names.push((child, kind)),
                (_, Some("left")) => {
                    self.visit(child);
                    self.written(child);
                }
                _ => self.visit(child),
            }
        }
        for (name, kind) in names {
            if self.scopes.binding(name).is_none() {
                self.declare(name, kind, if self.depth > 0 { Local::Yes } else { Local::No });
            }
        }
    }

    /// A node with a capture: what stands behind the capture sees it, up to an `else`.
    fn captures(&mut self, node: NodeId) {
        let mut operands = Vec::new();
        let mut open = false;
        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                "payload" => {
                    self.frames.push(HashMap::default());
                    open = true;
                    self.payload(child, &operands);
                }
                "else_clause" => {
                    if std::mem::take(&mut open) {
                        self.frames.pop();
                    }
                    self.visit(child);
                }
                _ => {
                    self.visit(child);
                    operands.push(child);
                }
            }
        }
        if open {
            self.frames.pop();
        }
    }

    fn payload(&mut self, payload: NodeId, operands: &[NodeId]) {
        let tree = self.tree;
        tree.children(payload)
            .filter(|&child| tree.kind(child) == "identifier")
            .for_each(|name| self.declare(name, BindingKind::Constant, Local::Yes));
        if tree.has_child(payload, "*") {
            operands.iter().for_each(|&operand| self.written(operand));
        }
    }

    /// An assignment to a variable, to a part of it, or a capture of it by pointer.
    fn written(&mut self, target: NodeId) {
        let target = match self.tree.kind(target) {
            "unary_expression" if self.tree.has_child(target, "&") => self.tree.child(target, "argument"),
            _ => Some(target),
        };
        let Some(access) = target.and_then(|target| access(self.tree, target)) else { return };
        let Some(id) = self.scopes.binding(access.root) else { return };
        let binding = &mut self.scopes.bindings[id.0 as usize];
        // Behind a constant or a parameter stands a pointer: what is assigned is not the variable.
        if access.path.is_empty() || binding.kind == BindingKind::Variable {
            binding.writes.push(access.root);
        }
    }

    fn declare(&mut self, name: NodeId, kind: BindingKind, local: Local) {
        let text = self.tree.text(name);
        if text == "_" || text.is_empty() {
            return;
        }
        let id = self.scopes.declare(Binding {
            name: text.to_owned(),
            declared: name,
            kind,
            writes: Vec::new(),
            local: local == Local::Yes,
        });
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(text, id);
        }
    }

    fn mention(&mut self, node: NodeId) {
        if self.scopes.binding(node).is_some() || !names_variable(self.tree, node) {
            return;
        }
        let text = self.tree.text(node);
        if let Some(&id) = self.frames.iter().rev().find_map(|frame| frame.get(text)) {
            self.scopes.mention(node, id);
        }
    }
}

/// See [`crate::languages::Rules::seen_within`].
pub(super) fn seen_within(tree: &Tree, declared: NodeId) -> NodeId {
    let mut inside = declared;
    for above in tree.ancestors(declared) {
        let is_name = tree.field(inside) == Some("name");
        match tree.kind(above) {
            "function_declaration" | "test_declaration" if !is_name => return above,
            "block" | "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration" => {
                return above;
            }
            _ if tree.kind(inside) == "payload" => return above,
            _ => inside = above,
        }
    }
    NodeId::ROOT
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Local {
    Yes,
    No,
}

/// Whether an identifier stands where a variable is meant, not a member, label, error or field.
pub(super) fn names_variable(tree: &Tree, node: NodeId) -> bool {
    let Some(parent) = tree.parent(node) else { return true };
    match (tree.kind(parent), tree.field(node)) {
        ("field_expression", Some("member")) | ("field_initializer", Some("name")) => false,
        ("block_label" | "break_label" | "error_type" | "error_set_declaration", _) => false,
        // In a tuple struct the "name" of a field is its type.
        ("container_field", Some("name")) => {
            let container = tree.parent(parent).map(|above| tree.kind(above));
            !tree.has_child(parent, ":") && container == Some("struct_declaration")
        }
        ("asm_output_item" | "asm_input_item", _) => tree.children(parent).nth(1) != Some(node),
        _ => true,
    }
}
