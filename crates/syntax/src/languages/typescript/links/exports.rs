//! What a file exports.

use super::denote::{is_constant, is_literal, static_key};
use super::spaces::declared_names;
use super::{Reader, span};
use crate::links::{Base, Denotes, Import, Means, Symbol, WHOLE};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionBody, AssignmentExpression, AssignmentTarget, CallExpression, Declaration, ExportAllDeclaration,
    ExportDefaultDeclaration, ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, Expression,
    IdentifierReference, ModuleExportName, ObjectExpression, ObjectPropertyKind, PropertyKind, Statement,
    StaticMemberExpression,
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

    /// Variables that are `exports` or `module.exports` under another name, whatever those are given in the same breath.
    pub(super) fn read_wholes(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::VariableDeclarator(declarator) = node.kind() else { continue };
            let Some(init) = &declarator.init else { continue };
            let id = declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
            let Some(id) = id.filter(|&id| self.is_settled(id) && self.is_whole(init)) else { continue };
            self.wholes.extend(self.symbols.get(&id));
        }
    }

    /// `exports`, `module.exports`, and an assignment to one of them.
    pub(super) fn is_whole(&self, init: &Expression<'a>) -> bool {
        let mut value = init.get_inner_expression();
        while let Expression::AssignmentExpression(assignment) = value {
            let path = self.target_path(&assignment.left);
            if path.is_some_and(|path| path == ["module", "exports"]) {
                return true;
            }
            value = assignment.right.get_inner_expression();
        }
        self.is_exports(value)
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
        if let ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) = &export.declaration {
            // A type beside what is exported as the default value.
            self.links.exports.entry("default".to_owned()).or_insert_with(Denotes::anything);
            return;
        }
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
        let means = match self.denote(expression) {
            Some(what) if matches!(what.base, Base::Symbol(_) | Base::Module(_)) => return what,
            // What a call gives, or nobody knows: the export is a thing that can be watched all the same.
            Some(what) => Means::Alias(what),
            None if is_literal(expression) => self.read_table(expression),
            None => Means::Anything,
        };
        let whole = span(expression);
        self.links.symbols.push(Symbol { name: name.to_owned(), span: whole, whole, means, returns: None });
        Denotes::symbol(self.links.symbols.len() - 1)
    }

    /// `export =` and `module.exports =`. An object's properties are exports of their own.
    fn export_whole(&mut self, expression: &Expression<'a>) {
        match expression.get_inner_expression() {
            Expression::ObjectExpression(object) => self.export_properties(object),
            Expression::CallExpression(call) if is_object_assign(call) => self.export_assigned(call),
            _ => {
                let what = self.denote_or_new(expression, WHOLE);
                self.export(WHOLE, what);
            }
        }
    }

    fn export_properties(&mut self, object: &ObjectExpression<'a>) {
        for property in &object.properties {
            let property = match property {
                ObjectPropertyKind::ObjectProperty(property) => property,
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.export_all_of(&spread.argument);
                    continue;
                }
            };
            let Some(name) = property.key.static_name() else { continue };
            let given = if property.kind == PropertyKind::Get { returned(&property.value) } else { None };
            let what = self.denote_or_new(given.unwrap_or(&property.value), &name);
            self.export(&name, what);
        }
    }

    /// `module.exports = Object.assign({}, require('./q'), { f })`.
    fn export_assigned(&mut self, call: &CallExpression<'a>) {
        for argument in call.arguments.iter().filter_map(|one| one.as_expression()) {
            match argument.get_inner_expression() {
                Expression::ObjectExpression(object) => self.export_properties(object),
                own if self.is_exports(own) => {}
                other if is_literal(other) => {
                    let what = self.denote_or_new(other, WHOLE);
                    self.export(WHOLE, what);
                }
                other => self.export_all_of(other),
            }
        }
    }

    /// `Object.assign(exports, require('./q'))`, `Object.defineProperty(exports, 'f', …)`, and what compilers write for
    /// `export *`.
    fn export_copied(&mut self, call: &CallExpression<'a>) {
        if !self.copies_exports(call) {
            return;
        }
        if let Some((name, value)) = defined_property(call) {
            let what = value.map_or_else(Denotes::anything, |value| self.denote_or_new(value, &name));
            self.export(&name, what);
            return;
        }
        let arguments = call.arguments.iter().filter_map(|one| one.as_expression());
        arguments.filter(|one| !self.is_exports(one)).collect::<Vec<_>>().into_iter().for_each(|one| {
            match one.get_inner_expression() {
                Expression::ObjectExpression(object) if is_object_assign(call) => self.export_properties(object),
                one => self.export_all_of(one),
            }
        });
    }

    /// Whether a call is given `exports`, and so may give it what else it is given; or gives it by its result.
    pub(super) fn copies_exports(&self, call: &CallExpression<'a>) -> bool {
        let arguments = call.arguments.iter().filter_map(|one| one.as_expression());
        arguments.into_iter().any(|one| self.is_exports(one))
            || is_object_assign(call)
                && match self.semantic.nodes().parent_kind(call.node_id.get()) {
                    AstKind::AssignmentExpression(assignment) => {
                        self.target_path(&assignment.left).is_some_and(|path| path == ["module", "exports"])
                            && !self.is_choice(&assignment.left)
                    }
                    AstKind::TSExportAssignment(_) => true,
                    _ => false,
                }
    }

    /// `exports` or `module.exports`, where they are CommonJS's.
    pub(super) fn is_exports(&self, expression: &Expression<'a>) -> bool {
        let is_free = |name: &IdentifierReference<'a>, text| {
            name.name == text && matches!(self.denote_name(name).base, Base::Foreign)
        };
        match expression {
            Expression::Identifier(name) if self.is_whole_name(name) => true,
            Expression::Identifier(name) => is_free(name, "exports"),
            Expression::StaticMemberExpression(member) => self.is_exports_member(member),
            _ => false,
        }
    }

    /// `module.exports`.
    pub(super) fn is_exports_member(&self, member: &StaticMemberExpression<'a>) -> bool {
        let is_free = |name: &IdentifierReference<'a>| matches!(self.denote_name(name).base, Base::Foreign);
        member.property.name == "exports"
            && matches!(&member.object, Expression::Identifier(name) if name.name == "module" && is_free(name))
    }

    /// A variable that is CommonJS's `exports`.
    pub(super) fn is_whole_name(&self, name: &IdentifierReference<'a>) -> bool {
        !self.wholes.is_empty()
            && matches!(self.denote_name(name).base, Base::Symbol(index) if self.wholes.contains(&index))
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

fn is_object_assign(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else { return false };
    member.property.name == "assign" && matches!(&member.object, Expression::Identifier(name) if name.name == "Object")
}

/// The property that `Object.defineProperty(…, 'f', { get() { return f } })` defines, and its value where one is
/// written: a module's `__esModule` is none.
fn defined_property<'e, 'a>(call: &'e CallExpression<'a>) -> Option<(String, Option<&'e Expression<'a>>)> {
    let Expression::StaticMemberExpression(member) = &call.callee else { return None };
    let [_, name, as_what] = call.arguments.as_slice() else { return None };
    let (name, as_what) = (static_key(name.as_expression()?)?, as_what.as_expression()?.get_inner_expression());
    let Expression::ObjectExpression(as_what) = as_what else { return None };
    let is_property = |wanted: &str| {
        as_what.properties.iter().find_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) if property.key.static_name()? == wanted => {
                Some(&property.value)
            }
            _ => None,
        })
    };
    let value = is_property("value").or_else(|| is_property("get").and_then(returned));
    (member.property.name == "defineProperty").then_some((name, value))
}

/// What a function of one `return` returns.
fn returned<'e, 'a>(function: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    let body = match function.get_inner_expression() {
        Expression::FunctionExpression(function) => function.body.as_ref()?,
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => body,
            other => return other.as_expression(),
        },
        _ => return None,
    };
    match body.statements.as_slice() {
        [Statement::ReturnStatement(only)] => only.argument.as_ref(),
        _ => None,
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
pub(super) fn is_export_path(path: &[String]) -> bool {
    match path {
        [exports, _] if exports == "exports" => true,
        [module, exports, ..] => module == "module" && exports == "exports" && path.len() <= 3,
        _ => false,
    }
}
