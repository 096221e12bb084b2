//! The symbols of a file and what they stand for.

use super::denote::{is_constant, is_literal};
use super::{Reader, Taken, span};
use crate::links::{Base, Denotes, Import, Means, Symbol};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, FormalParameter, Function, ImportDeclaration, ImportDeclarationSpecifier,
    TSImportEqualsDeclaration, TSModuleReference, TSType, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolFlags, SymbolId};

impl<'a> Reader<'a, '_> {
    /// Every symbol, meaning anything until more is known.
    pub(super) fn declare_symbols(&mut self) {
        let scoping = self.semantic.scoping();
        for id in scoping.symbol_ids() {
            let (at, declaration) = self.declared(id);
            let symbol = Symbol {
                name: scoping.symbol_name(id).to_owned(),
                span: crate::tree::Span { start: at.start, end: at.end },
                whole: span(&self.semantic.nodes().kind(declaration)),
                means: Means::Anything,
                returns: None,
            };
            self.symbols.insert(id, self.links.symbols.len());
            self.links.symbols.push(symbol);
        }
        let mut unnamed = Vec::new();
        for node in self.semantic.nodes().iter() {
            match node.kind() {
                AstKind::Class(class) if class.id.is_none() => unnamed.push(span(class)),
                AstKind::Function(function)
                    if function.id.is_none()
                        && matches!(
                            self.semantic.nodes().parent_kind(node.id()),
                            AstKind::ExportDefaultDeclaration(_)
                        ) =>
                {
                    unnamed.push(span(function));
                }
                _ => {}
            }
        }
        for span in unnamed {
            let name = "default".to_owned();
            self.links.symbols.push(Symbol { name, span, whole: span, means: Means::Itself, returns: None });
        }
    }

    /// Where a symbol is declared. Of several declarations that merge, the function's, class's or variable's.
    fn declared(&self, id: SymbolId) -> (oxc_span::Span, NodeId) {
        let scoping = self.semantic.scoping();
        let redeclared = scoping.symbol_redeclarations(id);
        let with = |flags: SymbolFlags| redeclared.iter().find(|one| one.flags.intersects(flags));
        let called = SymbolFlags::Function | SymbolFlags::Class | SymbolFlags::Variable;
        with(called).or_else(|| with(SymbolFlags::Value)).map_or_else(
            || (scoping.symbol_span(id), scoping.symbol_declaration(id)),
            |one| (one.span, one.declaration),
        )
    }

    fn mean(&mut self, id: Option<SymbolId>, means: Means) {
        if let Some(&index) = id.and_then(|id| self.symbols.get(&id)) {
            self.links.symbols[index].means = means;
        }
    }

    /// A function, enum or namespace, which may be merged with others of its name: members say more.
    fn mean_space(&mut self, id: Option<SymbolId>) {
        // A namespace of nothing but types beside a variable of its name.
        let is_variable = |id: SymbolId| {
            self.semantic.scoping().symbol_flags(id).intersects(SymbolFlags::Variable | SymbolFlags::Import)
        };
        let id = id.filter(|&id| !is_variable(id));
        let known = id.and_then(|id| self.symbols.get(&id)).map(|&index| &self.links.symbols[index].means);
        if !matches!(known, Some(Means::Class(_))) {
            self.mean(id, Means::Itself);
        }
    }

    /// An interface of a class's name may give its instances members that the class does not show.
    fn merge_interfaces(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::TSInterfaceDeclaration(declared) = node.kind() else { continue };
            let index = declared.id.symbol_id.get().and_then(|id| self.symbols.get(&id)).copied();
            if let Some(Means::Class(class)) = index.map(|index| &mut self.links.symbols[index].means) {
                class.extends.get_or_insert_with(Denotes::anything);
            }
        }
    }

    /// Imports: the first meanings, since others build on them.
    pub(super) fn read_imports(&mut self) {
        for node in self.semantic.nodes().iter() {
            match node.kind() {
                AstKind::ImportDeclaration(import) => self.read_import(import),
                AstKind::TSImportEqualsDeclaration(import) => self.read_import_equals(import),
                AstKind::ImportExpression(import) => {
                    let from = Some(self.specifier(&import.source));
                    self.links.imports.push(Import { from, name: None, span: span(import) });
                }
                AstKind::CallExpression(call) => {
                    if let Some(Denotes { base: Base::Module(from), .. }) = self.denote_require(call) {
                        self.links.imports.push(Import { from: Some(from), name: None, span: span(call) });
                    }
                }
                _ => {}
            }
        }
    }

    fn read_import(&mut self, import: &ImportDeclaration<'a>) {
        if import.import_kind.is_type() {
            self.read_type_import(import);
            return;
        }
        let from = import.source.value.as_str();
        for specifier in import.specifiers.iter().flatten() {
            let (local, denotes, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    let name = named.imported.name().to_string();
                    (&named.local, Denotes::export(from, &name), Some((name, named.import_kind.is_type())))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                    (&default.local, Denotes::export(from, "default"), Some(("default".to_owned(), false)))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(namespace) => {
                    (&namespace.local, Denotes::module(from), None)
                }
            };
            let is_type = name.as_ref().is_some_and(|(_, is_type)| *is_type);
            self.mean(local.symbol_id.get(), Means::Alias(denotes));
            if !is_type {
                let name = name.map(|(name, _)| name);
                self.links.imports.push(Import { from: Some(from.to_owned()), name, span: span(specifier) });
            }
        }
    }

    /// A type-only import brings no value, but a type that a receiver can be written with.
    fn read_type_import(&mut self, import: &ImportDeclaration<'a>) {
        let from = import.source.value.as_str();
        for specifier in import.specifiers.iter().flatten() {
            let (local, denotes) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    (&named.local, Denotes::export(from, named.imported.name().as_str()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                    (&default.local, Denotes::export(from, "default"))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(namespace) => {
                    (&namespace.local, Denotes::module(from))
                }
            };
            self.mean(local.symbol_id.get(), Means::Alias(denotes));
        }
    }

    fn read_import_equals(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        let denotes = match &import.module_reference {
            TSModuleReference::ExternalModuleReference(external) => {
                let from = external.expression.value.as_str();
                self.links.imports.push(Import { from: Some(from.to_owned()), name: None, span: span(import) });
                Denotes::module(from)
            }
            TSModuleReference::IdentifierReference(name) => self.denote_name(name),
            TSModuleReference::QualifiedName(name) => self.denote_qualified(name).unwrap_or_else(Denotes::anything),
        };
        self.mean(import.id.symbol_id.get(), Means::Alias(denotes));
    }

    /// Declarations, parameters and constants.
    pub(super) fn give_meanings(&mut self) {
        for node in self.semantic.nodes().iter() {
            match node.kind() {
                AstKind::Function(function) => self.read_function(function),
                AstKind::Class(class) => self.read_class(class),
                AstKind::TSEnumDeclaration(declared) => self.mean_space(declared.id.symbol_id.get()),
                AstKind::TSNamespaceDeclaration(declared) => self.mean_space(declared.id.symbol_id.get()),
                AstKind::TSTypeAliasDeclaration(alias) => {
                    let id = alias.id.symbol_id.get().filter(|&id| !self.is_value(id));
                    let means = match self.of_type(&alias.type_annotation) {
                        Means::Instance(class) => Means::Alias(class),
                        _ => Means::Anything,
                    };
                    self.mean(id, means);
                }
                AstKind::VariableDeclarator(declarator) => self.read_declarator(declarator),
                AstKind::FormalParameter(parameter) => self.read_parameter(parameter, node.id()),
                AstKind::FormalParameterRest(rest) => {
                    let means = rest.type_annotation.as_ref().map(|one| self.of_type(&one.type_annotation));
                    self.bind(&rest.rest.argument, means.unwrap_or(Means::Foreign));
                }
                AstKind::CatchParameter(caught) => self.bind(&caught.pattern, Means::Anything),
                _ => {}
            }
        }
        self.merge_interfaces();
    }

    fn read_function(&mut self, function: &Function<'a>) {
        let id = function.id.as_ref().and_then(|id| id.symbol_id.get());
        self.mean_space(id);
        if let (Some(&index), Some(annotation)) = (id.and_then(|id| self.symbols.get(&id)), &function.return_type) {
            self.links.symbols[index].returns = Some(self.of_type(&annotation.type_annotation));
        }
    }

    fn read_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let means = match (&declarator.init, &declarator.type_annotation) {
            (Some(init), _) if !self.wholes.is_empty() && self.is_whole(init) => {
                Means::Alias(Denotes::module(&self.own))
            }
            (Some(init), written) => self.initial(init, written.as_ref().map(|one| &one.type_annotation)),
            (None, Some(written)) => self.of_type(&written.type_annotation),
            (None, None) => Means::Anything,
        };
        if let (Some(annotation), Some(name)) = (&declarator.type_annotation, declarator.id.get_binding_identifier())
            && let TSType::TSTypeQuery(_) = &annotation.type_annotation
            && let Means::Alias(_) = means
        {
            // Whatever it is given, it is of that one value's type.
            self.mean(name.symbol_id.get(), means);
            return;
        }
        self.read_returns(declarator);
        self.bind(&declarator.id, means);
    }

    /// What a function in a constant is declared to return.
    fn read_returns(&mut self, declarator: &VariableDeclarator<'a>) {
        let annotation = match declarator.init.as_ref().map(|init| init.get_inner_expression()) {
            Some(Expression::ArrowFunctionExpression(arrow)) => arrow.return_type.as_ref(),
            Some(Expression::FunctionExpression(function)) => function.return_type.as_ref(),
            _ => None,
        };
        let id = declarator.id.get_binding_identifier().and_then(|name| name.symbol_id.get());
        if let (Some(&index), Some(annotation)) = (id.and_then(|id| self.symbols.get(&id)), annotation) {
            self.links.symbols[index].returns = Some(self.of_type(&annotation.type_annotation));
        }
    }

    /// What a variable is that begins as `init`, and is said to be of a type: by its declaration, or by a cast.
    fn initial(&mut self, init: &Expression<'a>, written: Option<&TSType<'a>>) -> Means {
        let init = frozen(init);
        let cast = cast_of(init);
        let said = written.or(cast).map(|kind| self.of_type(kind));
        let value = self.denote(init);
        match (value, said) {
            // `x as typeof queue` of something that nobody knows.
            (Some(what), Some(Means::Alias(said))) if self.is_unknown(&what) => Means::Alias(said),
            (None, Some(Means::Alias(said))) => Means::Alias(said),
            // Another name for something is that, whatever type it is given.
            (Some(what), _)
                if !matches!(what.base, Base::Instance(_) | Base::Result(_) | Base::Anything | Base::Foreign) =>
            {
                Means::Alias(what)
            }
            // A written class says more than the value that it is given.
            (_, Some(Means::Instance(class))) => Means::Instance(class),
            // `new X() as any`
            (Some(what), Some(_)) if cast.is_some() && matches!(what.base, Base::Instance(_)) => Means::Anything,
            (Some(Denotes { base: Base::Instance(class), path }), _) if path.is_empty() => Means::Instance(*class),
            (Some(what), _) if what.base != Base::Foreign => Means::Alias(what),
            _ if matches!(init.get_inner_expression(), Expression::ObjectExpression(_)) => self.read_table(init),
            (_, Some(_)) if cast.is_some() => Means::Anything,
            (None, _) if is_constant(init) => Means::Foreign,
            (None, _) if is_literal(init) => Means::Itself,
            (_, said) => said.unwrap_or(Means::Anything),
        }
    }

    /// Whether a variable has one value: it is not assigned again, nor declared again, as `var` may be. A type of its
    /// name is no other value.
    pub(super) fn is_settled(&self, id: SymbolId) -> bool {
        let scoping = self.semantic.scoping();
        let values = scoping.symbol_redeclarations(id).iter().filter(|one| one.flags.intersects(SymbolFlags::Value));
        !scoping.symbol_is_mutated(id) && values.count() <= 1
    }

    /// Whether a name has a value, whatever type it may also have.
    pub(super) fn is_value(&self, id: SymbolId) -> bool {
        self.semantic.scoping().symbol_flags(id).intersects(SymbolFlags::Value | SymbolFlags::Import)
    }

    /// Gives a pattern's names their part of what the whole means. A name that is assigned again means anything.
    fn bind(&mut self, pattern: &BindingPattern<'a>, means: Means) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let id = name.symbol_id.get();
                let settled = id.is_some_and(|id| self.is_settled(id));
                self.mean(id, if settled { means } else { Means::Anything });
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let part = match (&means, self.property_name(&property.key)) {
                        (Means::Alias(what), Some(name)) => Means::Alias(what.clone().then(&name)),
                        (Means::Instance(class), Some(name)) => {
                            Means::Alias(Denotes::instance(class.clone()).then(&name))
                        }
                        (Means::Anything, Some(name)) => Means::Alias(Denotes::anything().then(&name)),
                        _ => Means::Anything,
                    };
                    self.take(&property.value, &part, span(&property.key));
                    self.bind(&property.value, part);
                }
            }
            BindingPattern::AssignmentPattern(with_default) => self.bind(&with_default.left, means),
            // What elements are, nobody says.
            BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.bind(element, Means::Anything));
            }
        }
    }

    /// Remembers a member that a pattern gives to a variable: where that is no alias, or leaves the file, it is a use.
    fn take(&mut self, pattern: &BindingPattern<'a>, part: &Means, at: crate::tree::Span) {
        let Means::Alias(what) = part else { return };
        let name = match pattern {
            BindingPattern::AssignmentPattern(with_default) => with_default.left.get_binding_identifier(),
            other => other.get_binding_identifier(),
        };
        let Some(id) = name.and_then(|name| name.symbol_id.get()) else { return };
        if let Some(&symbol) = self.symbols.get(&id) {
            let settled = self.is_settled(id);
            self.taken.push(Taken { what: what.clone(), at, symbol, settled });
        }
    }

    fn read_parameter(&mut self, parameter: &FormalParameter<'a>, node: NodeId) {
        let means = match (&parameter.type_annotation, &parameter.initializer) {
            (Some(annotation), _) => self.of_type(&annotation.type_annotation),
            (None, Some(init)) => match self.denote(init) {
                Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => Means::Instance(*class),
                // TypeScript takes the parameter's type from it.
                None if self.semantic.source_type().is_typescript()
                    && matches!(init.get_inner_expression(), Expression::ArrayExpression(_)) =>
                {
                    Means::Foreign
                }
                _ => Means::Anything,
            },
            (None, None) => self.imported_then(node).unwrap_or(Means::Anything),
        };
        self.bind(&parameter.pattern, means);
    }

    /// The first parameter of the function in `import('./x').then(m => …)`.
    fn imported_then(&self, parameter: NodeId) -> Option<Means> {
        let nodes = self.semantic.nodes();
        let mut above = nodes.ancestor_kinds(parameter);
        let AstKind::FormalParameters(_) = above.next()? else { return None };
        let (AstKind::ArrowFunctionExpression(_) | AstKind::Function(_)) = above.next()? else { return None };
        let AstKind::CallExpression(call) = above.next()? else { return None };
        let Expression::StaticMemberExpression(member) = &call.callee else { return None };
        if member.property.name != "then" {
            return None;
        }
        let Expression::ImportExpression(import) = member.object.get_inner_expression() else { return None };
        Some(Means::Alias(Denotes::module(&self.specifier(&import.source))))
    }
}

/// What `Object.freeze(…)` and its like give back.
fn frozen<'e, 'a>(init: &'e Expression<'a>) -> &'e Expression<'a> {
    let Expression::CallExpression(call) = init.get_inner_expression() else { return init };
    let Expression::StaticMemberExpression(member) = &call.callee else { return init };
    let gives_back = ["freeze", "seal", "preventExtensions"].contains(&member.property.name.as_str())
        && matches!(&member.object, Expression::Identifier(name) if name.name == "Object");
    match call.arguments.first().and_then(|first| first.as_expression()) {
        Some(only) if gives_back => frozen(only),
        _ => init,
    }
}

/// The type that an expression is cast to; `as const` is none.
pub(super) fn cast_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e TSType<'a>> {
    let kind = match expression.without_parentheses() {
        Expression::TSAsExpression(cast) => &cast.type_annotation,
        Expression::TSTypeAssertion(cast) => &cast.type_annotation,
        _ => return None,
    };
    let is_const = matches!(kind, TSType::TSTypeReference(reference) if reference.type_name.is_const());
    (!is_const).then_some(kind)
}
