//! What a scope declares before anything in it is looked up.

use super::{Finder, shape, targets};
use crate::scope::BindingKind;
use crate::tree::NodeId;

impl Finder<'_> {
    /// Declares what stands directly in a block: everything but `var`.
    pub(super) fn declare_statements(&mut self, statements: &[NodeId]) {
        for &statement in statements {
            self.declare_statement(statement);
        }
    }

    fn declare_statement(&mut self, node: NodeId) {
        let kind = self.kind(node);
        match kind {
            "lexical_declaration" | "using_declaration" => {
                let constant = kind == "using_declaration" || self.tree.has_child(node, "const");
                let kind = if constant { BindingKind::Constant } else { BindingKind::Variable };
                self.declare_declarators(node, kind);
            }
            "function_declaration"
            | "generator_function_declaration"
            | "function_signature"
            | "class_declaration"
            | "abstract_class_declaration"
            | "enum_declaration"
            | "interface_declaration"
            | "type_alias_declaration" => {
                self.declare_named(node);
            }
            "module" | "internal_module" => self.declare_namespace(node),
            "import_statement" | "import_alias" => self.declare_imports(node),
            "export_statement" => self.declare_exported(node),
            "ambient_declaration" | "expression_statement" => {
                for child in self.children(node) {
                    if self.kind(child).ends_with("_declaration") || self.kind(child).ends_with("module") {
                        self.declare_statement(child);
                    }
                }
            }
            _ => {}
        }
    }

    fn declare_named(&mut self, node: NodeId) {
        let Some(name) = self.tree.child(node, "name") else { return };
        let before = self.bindings.len();
        let declared = self.declare(name, BindingKind::Declaration);
        // A second function of one name takes the first one's place; signatures and merged declarations do not.
        if let Some(index) = declared.filter(|&index| index < before && shape::is_function_declaration(self.kind(node)))
        {
            let has_body = |finder: &Self, name| {
                finder.tree.parent(name).is_some_and(|p| shape::is_function_declaration(finder.kind(p)))
            };
            if has_body(self, self.bindings[index].declared) {
                self.bindings[index].writes.push(name);
            }
        }
    }

    fn declare_namespace(&mut self, node: NodeId) {
        if let Some(name) = self.tree.child(node, "name").filter(|&name| self.kind(name) == "identifier") {
            self.declare(name, BindingKind::Declaration);
        }
    }

    /// What is exported belongs to others too.
    fn declare_exported(&mut self, node: NodeId) {
        let first = self.bindings.len();
        for child in self.children(node) {
            self.declare_statement(child);
            if self.kind(child) == "variable_declaration" {
                self.declare_declarators(child, BindingKind::Variable);
            }
        }
        self.bindings[first..].iter_mut().for_each(|binding| binding.local = false);
    }

    fn declare_declarators(&mut self, node: NodeId, kind: BindingKind) {
        for declarator in self.children(node) {
            if let Some(name) = self.tree.child(declarator, "name") {
                self.declare_pattern(name, kind);
            }
        }
    }

    /// Declares every identifier of a pattern.
    pub(super) fn declare_pattern(&mut self, pattern: NodeId, kind: BindingKind) {
        let mut names = Vec::new();
        targets(self.tree, pattern, &mut names);
        for name in names {
            self.declare(name, kind);
        }
    }

    fn declare_imports(&mut self, node: NodeId) {
        let tree = self.tree;
        if self.kind(node) == "import_alias" {
            if let Some(name) = tree.child_of_kind(node, "identifier") {
                self.declare(name, BindingKind::Constant);
            }
            return;
        }
        let holds_names =
            |node: NodeId| matches!(tree.kind(node), "import_clause" | "namespace_import" | "import_require_clause");
        for node in tree.subtree(node) {
            let parent = tree.parent(node);
            match tree.kind(node) {
                "identifier" if parent.is_some_and(holds_names) => {
                    self.declare(node, BindingKind::Constant);
                }
                "import_specifier" => self.declare_import(node),
                _ => {}
            }
        }
    }

    /// `{ name }` cannot be renamed without importing something else; `{ name as alias }` can.
    fn declare_import(&mut self, specifier: NodeId) {
        let alias = self.tree.child(specifier, "alias");
        let Some(name) = alias.or_else(|| self.tree.child(specifier, "name")) else { return };
        if let Some(index) = self.declare(name, BindingKind::Constant) {
            self.bindings[index].local &= alias.is_some();
        }
    }

    /// Declares the `var`s of a function, file or namespace, however deep they stand in its blocks. A `var` of a
    /// parameter's name is the parameter.
    pub(super) fn hoist_variables(&mut self, node: NodeId) {
        let end = self.tree.subtree_end(node);
        let mut next = node;
        while next < end {
            let inner = next;
            let kind = self.kind(inner);
            let opaque =
                shape::is_function(kind) || matches!(kind, "class_static_block" | "module" | "internal_module");
            next = if opaque && inner != node { self.tree.subtree_end(inner) } else { NodeId::new(inner.number() + 1) };
            match kind {
                "variable_declaration" => self.hoist_declarators(inner),
                "for_in_statement" if self.tree.child(inner, "kind").is_some_and(|k| self.kind(k) == "var") => {
                    if let Some(left) = self.tree.child(inner, "left") {
                        self.hoist_pattern(left);
                    }
                }
                _ => {}
            }
        }
    }

    fn hoist_declarators(&mut self, node: NodeId) {
        for declarator in self.children(node) {
            if let Some(name) = self.tree.child(declarator, "name") {
                self.hoist_pattern(name);
            }
        }
    }

    fn hoist_pattern(&mut self, pattern: NodeId) {
        let mut names = Vec::new();
        targets(self.tree, pattern, &mut names);
        for name in names {
            if !self.is_parameter(self.tree.text(name)) {
                self.declare(name, BindingKind::Variable);
            }
        }
    }

    /// Whether the scope around the innermost one holds a parameter of this name.
    fn is_parameter(&self, name: &str) -> bool {
        let around = self.frames.len().checked_sub(2).and_then(|index| self.frames.get(index));
        let found = around.and_then(|frame| frame.get(name).copied().flatten());
        found.is_some_and(|index| self.bindings[index].kind == BindingKind::Parameter)
    }

    /// Declares the type parameters of a function, class or type.
    pub(super) fn declare_type_parameters(&mut self, node: NodeId) {
        let Some(list) = self.tree.child(node, "type_parameters") else { return };
        for parameter in self.children(list) {
            if let Some(name) = self.tree.child(parameter, "name") {
                self.declare(name, BindingKind::Declaration);
            }
        }
    }
}
