//! What a file exports.

use super::{Reader, span};
use crate::links::{Base, Denotes, Import, Means, WHOLE};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, CallExpression, Declaration, ExportAllDeclaration, ExportDefaultDeclaration,
    ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, Expression, IdentifierReference,
    ModuleExportName, ObjectPropertyKind,
};

impl<'a> Reader<'a, '_> {
    /// All exports, ECMAScript's and CommonJS's.
    pub(super) fn read_exports(&mut self) {
        for node in self.semantic.nodes().iter() {
            match node.kind() {
                AstKind::ExportDeclaration(export) if self.is_top(node.id()) => {
                    self.export_declaration(&export.declaration);
                }
                AstKind::ExportNamedDeclaration(export) => self.export_names(export),
                AstKind::ExportFromDeclaration(export) => self.export_from(export),
                AstKind::ExportAllDeclaration(export) => self.export_all(export),
                AstKind::ExportDefaultDeclaration(export) => self.export_default(export),
                AstKind::TSExportAssignment(export) => self.export_whole(&export.expression),
                AstKind::AssignmentExpression(assignment) => self.export_common(assignment),
                AstKind::CallExpression(call) => self.export_copied(call),
                _ => {}
            }
        }
    }

    /// An `export` inside a namespace exports from it, not from the file.
    fn is_top(&self, node: oxc_semantic::NodeId) -> bool {
        matches!(self.semantic.nodes().parent_kind(node), AstKind::Program(_))
    }

    fn export(&mut self, name: &str, what: Denotes) {
        self.links.exports.insert(name.to_owned(), what);
    }

    fn export_declaration(&mut self, declaration: &Declaration<'a>) {
        let mut names = Vec::new();
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                for declarator in &variables.declarations {
                    names.extend(declarator.id.get_binding_identifiers().into_iter().cloned());
                }
            }
            other => names.extend(other.id().cloned()),
        }
        for name in names {
            if let Some(&index) = name.symbol_id.get().and_then(|id| self.symbols.get(&id)) {
                self.export(name.name.as_str(), Denotes::symbol(index));
            }
        }
    }

    fn export_names(&mut self, export: &ExportNamedDeclaration<'a>) {
        for specifier in &export.specifiers {
            if let ModuleExportName::IdentifierReference(local) = &specifier.local {
                let what = self.denote_name(local);
                self.export(&specifier.exported.name(), what);
            }
        }
    }

    fn export_from(&mut self, export: &ExportFromDeclaration<'a>) {
        let from = export.source.value.as_str();
        for specifier in &export.specifiers {
            let name = specifier.local.name();
            self.export(&specifier.exported.name(), Denotes::export(from, &name));
            if !export.export_kind.is_type() && !specifier.export_kind.is_type() {
                let name = Some(name.to_string());
                self.links.imports.push(Import { from: Some(from.to_owned()), name, span: span(specifier) });
            }
        }
    }

    fn export_all(&mut self, export: &ExportAllDeclaration<'a>) {
        let from = export.source.value.as_str();
        match &export.exported {
            Some(name) => self.export(&name.name(), Denotes::module(from)),
            None => self.links.stars.push(from.to_owned()),
        }
        if !export.export_kind.is_type() {
            self.links.imports.push(Import { from: Some(from.to_owned()), name: None, span: span(export) });
        }
    }

    fn export_default(&mut self, export: &ExportDefaultDeclaration<'a>) {
        let what = match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => match &function.id {
                Some(id) => id.symbol_id.get().and_then(|id| self.symbols.get(&id)).copied(),
                None => self.anonymous(span(&**function)),
            }
            .map(Denotes::symbol),
            ExportDefaultDeclarationKind::ClassDeclaration(class) => match &class.id {
                Some(id) => id.symbol_id.get().and_then(|id| self.symbols.get(&id)).copied(),
                None => self.anonymous(span(&**class)),
            }
            .map(Denotes::symbol),
            other => other.as_expression().and_then(|expression| self.denote_or_new(expression)),
        };
        self.export("default", what.unwrap_or_else(Denotes::anything));
    }

    /// A default export that is an expression without a name is a thing of its own.
    fn denote_or_new(&mut self, expression: &Expression<'a>) -> Option<Denotes> {
        if let Some(what) = self.denote(expression) {
            return Some(what);
        }
        let index = self.links.symbols.len();
        self.links.symbols.push(crate::links::Symbol {
            name: "default".to_owned(),
            span: span(expression),
            means: crate::links::Means::Itself,
            returns: None,
        });
        Some(Denotes::symbol(index))
    }

    fn export_whole(&mut self, expression: &Expression<'a>) {
        if let Some(what) = self.denote(expression) {
            self.export(WHOLE, what);
        }
        let Expression::ObjectExpression(object) = expression.get_inner_expression() else { return };
        for property in &object.properties {
            let property = match property {
                ObjectPropertyKind::ObjectProperty(property) => property,
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.export_all_of(&spread.argument);
                    continue;
                }
            };
            if let (Some(name), Some(what)) = (property.key.static_name(), self.denote(&property.value)) {
                self.export(&name, what);
            }
        }
    }

    /// `Object.assign(exports, require('./q'))`, and what compilers write for `export *`.
    fn export_copied(&mut self, call: &CallExpression<'a>) {
        let arguments: Vec<&Expression<'a>> = call.arguments.iter().filter_map(|one| one.as_expression()).collect();
        if arguments.iter().any(|one| self.is_exports(one)) {
            arguments.into_iter().for_each(|one| self.export_all_of(one));
        }
    }

    fn is_exports(&self, expression: &Expression<'a>) -> bool {
        let is_free = |name: &IdentifierReference<'a>, text| {
            name.name == text && matches!(self.denote_name(name).base, Base::Foreign)
        };
        match expression {
            Expression::Identifier(name) => is_free(name, "exports"),
            Expression::StaticMemberExpression(member) if member.property.name == "exports" => {
                matches!(&member.object, Expression::Identifier(name) if is_free(name, "module"))
            }
            _ => false,
        }
    }

    /// All that a module exports is exported again.
    fn export_all_of(&mut self, expression: &Expression<'a>) {
        let mut what = self.denote(expression);
        if let Some(Denotes { base: Base::Symbol(index), path }) = &what
            && let (Means::Alias(other), true) = (&self.links.symbols[*index].means, path.is_empty())
        {
            what = Some(other.clone());
        }
        if let Some(Denotes { base: Base::Module(from), path }) = what
            && path.is_empty()
        {
            self.links.stars.push(from);
        }
    }

    /// `module.exports = …`, `exports.x = …`, `module.exports.x = …`.
    fn export_common(&mut self, assignment: &AssignmentExpression<'a>) {
        let Some(path) = self.target_path(&assignment.left) else { return };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["module", "exports"] => self.export_whole(&assignment.right),
            ["exports", name] | ["module", "exports", name] => {
                if let Some(what) = self.denote_or_new(&assignment.right) {
                    self.export(name, what);
                }
            }
            _ => {}
        }
    }
}
