//! The walk: scopes are entered, identifiers looked up, assignments noted.

use super::{Finder, shape, targets};
use crate::scope::BindingKind;
use crate::tree::NodeId;

impl Finder<'_> {
    pub(super) fn walk(&mut self, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.walk_here(node));
    }

    fn walk_children(&mut self, node: NodeId) {
        for child in self.children(node) {
            self.walk(child);
        }
    }

    fn walk_here(&mut self, node: NodeId) {
        let kind = self.kind(node);
        match kind {
            "identifier" | "type_identifier" => drop(self.mention(node)),
            "shorthand_property_identifier" | "shorthand_property_identifier_pattern" => self.shorthand(node),
            "nested_type_identifier" => {
                self.tree.child(node, "module").into_iter().for_each(|module| self.walk(module))
            }
            _ if shape::is_function(kind) => self.function(node),
            _ if shape::is_class(kind) => self.class(node),
            _ if is_signature(kind) => self.signature(node),
            "statement_block" | "switch_body" | "program" => self.block(node),
            "class_static_block" | "module" | "internal_module" => self.body_scope(node),
            "for_statement" | "for_in_statement" => self.for_loop(node),
            "catch_clause" => self.catch(node),
            "enum_declaration" => self.enumeration(node),
            "conditional_type" => self.conditional_type(node),
            "index_signature" => self.index_signature(node),
            "import_statement" | "import_alias" => self.import(node),
            "export_statement" => self.export(node),
            "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element" => self.jsx(node),
            "variable_declaration" => self.variables(node),
            "required_parameter" | "optional_parameter" => self.parameter(node),
            _ => self.plain(node),
        }
    }

    fn plain(&mut self, node: NodeId) {
        let written = match self.kind(node) {
            "assignment_expression" | "augmented_assignment_expression" => self.tree.child(node, "left"),
            "update_expression" => self.tree.child(node, "argument"),
            _ => None,
        };
        if let Some(target) = written {
            self.written(target);
        }
        self.walk_children(node);
    }

    /// Notes the assignments that a pattern makes.
    fn written(&mut self, pattern: NodeId) {
        let mut names = Vec::new();
        targets(self.tree, pattern, &mut names);
        for name in names {
            if let Some(index) = self.look_up(self.tree.text(name)) {
                self.bindings[index].writes.push(name);
            }
        }
    }

    /// `{ name }` spells a property and a variable at once, so the variable is not renamed freely.
    fn shorthand(&mut self, node: NodeId) {
        if let Some(index) = self.mention(node) {
            self.bindings[index].local = false;
        }
    }

    /// A function: its own name around it, then type parameters and parameters, then the body.
    fn function(&mut self, node: NodeId) {
        self.scoped(|finder| {
            let name = finder.tree.child(node, "name");
            if let Some(name) = name {
                match finder.kind(node) {
                    "function_expression" | "generator_function" => {
                        finder.declare(name, BindingKind::Declaration);
                    }
                    "method_definition" => finder.walk(name),
                    _ => {}
                }
            }
            finder.scoped(|finder| {
                finder.declare_type_parameters(node);
                for parameter in shape::parameters(finder.tree, node) {
                    finder.declare_pattern(parameter, BindingKind::Parameter);
                }
                let body = finder.tree.child(node, "body");
                for part in finder.children(node) {
                    if Some(part) != body && Some(part) != name {
                        finder.walk(part);
                    }
                }
                if let Some(body) = body {
                    finder.function_body(body);
                }
            });
        });
    }

    fn function_body(&mut self, body: NodeId) {
        self.scoped(|finder| {
            if finder.kind(body) != "statement_block" {
                return finder.walk(body);
            }
            let statements = finder.children(body);
            finder.declare_statements(&statements);
            finder.hoist_variables(body);
            finder.walk_children(body);
        });
    }

    /// A static block or a namespace's body: `var` stays in it.
    fn body_scope(&mut self, node: NodeId) {
        if let Some(name) = self.tree.child(node, "name") {
            self.walk(name);
        }
        if let Some(body) = self.tree.child(node, "body") {
            self.function_body(body);
        }
    }

    fn class(&mut self, node: NodeId) {
        self.scoped(|finder| {
            let name = finder.tree.child(node, "name");
            if let Some(name) = name.filter(|_| finder.kind(node) == "class") {
                finder.declare(name, BindingKind::Declaration);
            }
            finder.declare_type_parameters(node);
            for part in finder.children(node) {
                if Some(part) != name {
                    finder.walk(part);
                }
            }
        });
    }

    /// A type with parameters of its own: signatures, function types, aliases, interfaces.
    fn signature(&mut self, node: NodeId) {
        self.scoped(|finder| {
            finder.declare_type_parameters(node);
            for parameter in shape::parameters(finder.tree, node) {
                finder.declare_pattern(parameter, BindingKind::Parameter);
            }
            let name = finder.tree.child(node, "name");
            for part in finder.children(node) {
                if Some(part) != name || finder.kind(part) == "computed_property_name" {
                    finder.walk(part);
                }
            }
        });
    }

    fn block(&mut self, node: NodeId) {
        self.scoped(|finder| {
            let mut statements = finder.children(node);
            if finder.kind(node) == "switch_body" {
                statements = statements.into_iter().flat_map(|case| finder.children(case)).collect();
            }
            finder.declare_statements(&statements);
            finder.walk_children(node);
        });
    }

    fn for_loop(&mut self, node: NodeId) {
        self.scoped(|finder| {
            if let Some(start) = finder.tree.child(node, "initializer") {
                finder.declare_statements(&[start]);
            }
            if let Some(left) = finder.tree.child(node, "left") {
                match finder.tree.child(node, "kind").map(|kind| finder.kind(kind)) {
                    None => finder.written(left),
                    Some("var") => {}
                    Some("let") => finder.declare_pattern(left, BindingKind::Variable),
                    Some(_) => finder.declare_pattern(left, BindingKind::Constant),
                }
            }
            finder.walk_children(node);
        });
    }

    fn catch(&mut self, node: NodeId) {
        self.scoped(|finder| {
            if let Some(parameter) = finder.tree.child(node, "parameter") {
                finder.declare_pattern(parameter, BindingKind::Variable);
            }
            finder.walk_children(node);
        });
    }

    /// The members of an enum can be named in its own values.
    fn enumeration(&mut self, node: NodeId) {
        let Some(body) = self.tree.child(node, "body") else { return };
        self.scoped(|finder| {
            for member in finder.children(body) {
                let name = if finder.kind(member) == "enum_assignment" {
                    finder.tree.child(member, "name")
                } else {
                    Some(member)
                };
                if let Some(name) = name.filter(|&name| finder.kind(name) == "property_identifier") {
                    finder.hide(name);
                }
            }
            finder.walk_children(body);
        });
    }

    /// What `infer T` names is known in the branch that is taken when it fits.
    fn conditional_type(&mut self, node: NodeId) {
        let part = |field| self.tree.child(node, field);
        let (left, alternative) = (part("left"), part("alternative"));
        let inferring = [part("right"), part("consequence")];
        if let Some(left) = left {
            self.walk(left);
        }
        self.scoped(|finder| {
            let tree = finder.tree;
            for infer in inferring[0].into_iter().flat_map(|right| tree.subtree(right)) {
                if tree.kind(infer) == "infer_type"
                    && let Some(name) = tree.child_of_kind(infer, "type_identifier")
                {
                    finder.declare(name, BindingKind::Declaration);
                }
            }
            inferring.into_iter().flatten().for_each(|part| finder.walk(part));
        });
        if let Some(alternative) = alternative {
            self.walk(alternative);
        }
    }

    /// `[key: string]: T` names nothing; `[K in Keys]: T` does.
    fn index_signature(&mut self, node: NodeId) {
        self.scoped(|finder| {
            let mapped = finder.tree.child_of_kind(node, "mapped_type_clause");
            if let Some(name) = mapped.and_then(|clause| finder.tree.child(clause, "name")) {
                finder.declare(name, BindingKind::Declaration);
            }
            for part in finder.children(node) {
                if finder.tree.field(part) != Some("name") {
                    finder.walk(part);
                }
            }
        });
    }

    /// Imported names were declared; `import a = b.c` mentions `b`.
    fn import(&mut self, node: NodeId) {
        if self.kind(node) == "import_alias"
            && let Some(from) = self.children(node).last().copied()
        {
            self.walk(from);
        }
    }

    fn export(&mut self, node: NodeId) {
        let from_elsewhere = self.tree.child(node, "source").is_some();
        let Some(clause) = self.tree.child_of_kind(node, "export_clause") else {
            return self.walk_children(node);
        };
        for specifier in self.children(clause) {
            let name = self.tree.child(specifier, "name").filter(|&name| self.kind(name) == "identifier");
            let Some(name) = name.filter(|_| !from_elsewhere) else { continue };
            let renamed = self.tree.child(specifier, "alias").is_some();
            if let Some(index) = self.mention(name) {
                self.bindings[index].local &= renamed;
            }
        }
    }

    /// `<div>` is an element of the page, `<Status>` and `<status.Badge>` are variables.
    fn jsx(&mut self, node: NodeId) {
        for part in self.children(node) {
            let intrinsic = self.tree.field(part) == Some("name")
                && self.kind(part) == "identifier"
                && self.tree.text(part).starts_with(|c: char| c.is_lowercase());
            if !intrinsic && self.kind(part) != "jsx_namespace_name" {
                self.walk(part);
            }
        }
    }

    /// `var x = 1` for a second time assigns.
    fn variables(&mut self, node: NodeId) {
        for declarator in self.children(node) {
            let value = self.tree.child(declarator, "value");
            if let Some(name) = self.tree.child(declarator, "name").filter(|_| value.is_some()) {
                let mut names = Vec::new();
                targets(self.tree, name, &mut names);
                for name in names {
                    let index = self.look_up(self.tree.text(name));
                    if let Some(index) = index.filter(|&index| self.bindings[index].declared != name) {
                        self.bindings[index].writes.push(name);
                    }
                }
            }
            self.walk(declarator);
        }
    }

    /// A parameter was declared by its function; in a tuple type its name is only a word. `private x` in a constructor
    /// is a member of its class too, which is not renamed freely.
    fn parameter(&mut self, node: NodeId) {
        let modifiers = ["accessibility_modifier", "override_modifier", "readonly"];
        let member = modifiers.iter().any(|word| self.tree.has_child(node, word));
        let name = self.tree.child(node, "pattern").filter(|_| member);
        if let Some(index) = name.and_then(|name| self.look_up(self.tree.text(name))) {
            self.bindings[index].local = false;
        }
        for part in self.children(node) {
            if self.tree.field(part) != Some("name") {
                self.walk(part);
            }
        }
    }
}

fn is_signature(kind: &str) -> bool {
    matches!(
        kind,
        "function_signature"
            | "method_signature"
            | "abstract_method_signature"
            | "call_signature"
            | "construct_signature"
            | "function_type"
            | "constructor_type"
            | "type_alias_declaration"
            | "interface_declaration"
    )
}
