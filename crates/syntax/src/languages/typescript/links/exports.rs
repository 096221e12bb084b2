//! What a file exports.

use super::denote::{is_constant, is_literal};
use super::spaces::declared_names;
use super::{Reader, span};
use crate::links::{Base, Denotes, Import, Means, Symbol, WHOLE};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, CallExpression, Declaration, ExportAllDeclaration,
    ExportDefaultDeclaration, ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, Expression,
    IdentifierReference, ModuleExportName, ObjectPropertyKind,
};
use std::collections::BTreeMap;

impl<'a> Reader<'a, '_> {
    /// All exports, ECMAScript's and CommonJS's.
    pub(super) fn read_exports(&mut self) {
        self.read_choices();
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

    /// What CommonJS code gives one export more than once, each time another value (`if (x) module.exports = …; else …`):
    /// which one it is, nobody can say here.
    fn read_choices(&mut self) {
        let mut given: BTreeMap<String, usize> = BTreeMap::new();
        for node in self.semantic.nodes().iter() {
            let AstKind::AssignmentExpression(assignment) = node.kind() else { continue };
            let Some(path) = self.target_path(&assignment.left).filter(|path| is_export_path(path)) else { continue };
            let value = assigned_value(&assignment.right);
            let is_nothing =
                is_constant(value) || matches!(value, Expression::UnaryExpression(_)) || value.is_undefined();
            if !is_nothing {
                *given.entry(path.join(".")).or_default() += 1;
            }
        }
        self.choices = given.into_iter().filter(|(_, times)| *times > 1).map(|(path, _)| path).collect();
    }

    /// Whether an assignment gives an export one of several values.
    pub(super) fn is_choice(&self, target: &AssignmentTarget<'a>) -> bool {
        self.target_path(target).is_some_and(|path| self.choices.contains(&path.join(".")))
    }

    /// An `export` inside a namespace exports from it, not from the file.
    fn is_top(&self, node: oxc_semantic::NodeId) -> bool {
        matches!(self.semantic.nodes().parent_kind(node), AstKind::Program(_))
    }

    fn export(&mut self, name: &str, what: Denotes) {
        self.links.exports.insert(name.to_owned(), what);
    }

    fn export_declaration(&mut self, declaration: &Declaration<'a>) {
        for name in declared_names(declaration) {
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
            other => other.as_expression().map(|expression| self.denote_or_new(expression, "default")),
        };
        self.export("default", what.unwrap_or_else(Denotes::anything));
    }

    /// What an export is; an expression without a name is a thing of its own.
    fn denote_or_new(&mut self, expression: &Expression<'a>, name: &str) -> Denotes {
        if let Some(what) = self.denote(expression) {
            return what;
        }
        if let Expression::FunctionExpression(function) = expression.get_inner_expression()
            && let Some(id) = function.id.as_ref().and_then(|id| id.symbol_id.get())
            && let Some(&index) = self.symbols.get(&id)
        {
            return Denotes::symbol(index);
        }
        let whole = span(expression);
        let means = if is_literal(expression) { self.read_table(expression) } else { Means::Anything };
        self.links.symbols.push(Symbol { name: name.to_owned(), span: whole, whole, means, returns: None });
        Denotes::symbol(self.links.symbols.len() - 1)
    }

    /// `export =` and `module.exports =`. An object's properties are exports of their own.
    fn export_whole(&mut self, expression: &Expression<'a>) {
        let Expression::ObjectExpression(object) = expression.get_inner_expression() else {
            let what = self.denote_or_new(expression, WHOLE);
            self.export(WHOLE, what);
            return;
        };
        for property in &object.properties {
            let property = match property {
                ObjectPropertyKind::ObjectProperty(property) => property,
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.export_all_of(&spread.argument);
                    continue;
                }
            };
            if let Some(name) = property.key.static_name() {
                let what = self.denote_or_new(&property.value, &name);
                self.export(&name, what);
            }
        }
    }

    /// `Object.assign(exports, require('./q'))`, and what compilers write for `export *`.
    fn export_copied(&mut self, call: &CallExpression<'a>) {
        if self.copies_exports(call) {
            let arguments = call.arguments.iter().filter_map(|one| one.as_expression());
            arguments
                .filter(|one| !self.is_exports(one))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|one| self.export_all_of(one));
        }
    }

    /// Whether a call is given `exports`, and so may give it what else it is given.
    pub(super) fn copies_exports(&self, call: &CallExpression<'a>) -> bool {
        call.arguments.iter().filter_map(|one| one.as_expression()).any(|one| self.is_exports(one))
    }

    /// `exports` or `module.exports`, where they are CommonJS's.
    pub(super) fn is_exports(&self, expression: &Expression<'a>) -> bool {
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
        let value = assigned_value(&assignment.right);
        if self.is_choice(&assignment.left) {
            match path.as_slice() {
                ["module", "exports"] => self.export(WHOLE, Denotes::anything()),
                ["exports", name] | ["module", "exports", name] => self.export(name, Denotes::anything()),
                _ => {}
            }
            return;
        }
        match path.as_slice() {
            ["module", "exports"] => self.export_whole(value),
            ["exports", name] | ["module", "exports", name] => {
                let what = self.denote_or_new(value, name);
                self.export(name, what);
            }
            _ => {}
        }
    }
}

/// What is assigned in the end: `f` of `exports.a = exports.b = f`, `exports = module.exports = f`.
fn assigned_value<'e, 'a>(value: &'e Expression<'a>) -> &'e Expression<'a> {
    let mut value = value.get_inner_expression();
    while let Expression::AssignmentExpression(inner) = value {
        value = inner.right.get_inner_expression();
    }
    value
}

/// `exports.f`, `module.exports`, `module.exports.f`.
fn is_export_path(path: &[String]) -> bool {
    match path {
        [exports, _] if exports == "exports" => true,
        [module, exports, ..] => module == "module" && exports == "exports" && path.len() <= 3,
        _ => false,
    }
}
