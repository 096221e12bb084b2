//! The symbols of a file and what they stand for.

use super::denote::is_literal;
use super::{Reader, span};
use crate::links::{Base, Class as ClassLinks, Denotes, Import, Means, Symbol};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Expression, FormalParameter, Function, ImportDeclaration,
    ImportDeclarationSpecifier, ObjectPropertyKind, TSImportEqualsDeclaration, TSModuleReference, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolFlags, SymbolId};

impl<'a> Reader<'a, '_> {
    /// Every symbol, meaning anything until more is known.
    pub(super) fn declare_symbols(&mut self) {
        let scoping = self.semantic.scoping();
        for id in scoping.symbol_ids() {
            let declared = scoping.symbol_redeclarations(id).iter();
            let value = declared.filter(|one| one.flags.intersects(SymbolFlags::Value)).map(|one| one.span).next();
            let at = value.unwrap_or_else(|| scoping.symbol_span(id));
            let symbol = Symbol {
                name: scoping.symbol_name(id).to_owned(),
                span: crate::tree::Span { start: at.start, end: at.end },
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
            self.links.symbols.push(Symbol { name: "default".to_owned(), span, means: Means::Itself, returns: None });
        }
    }

    fn mean(&mut self, id: Option<SymbolId>, means: Means) {
        if let Some(&index) = id.and_then(|id| self.symbols.get(&id)) {
            self.links.symbols[index].means = means;
        }
    }

    /// An enum or namespace, which may be merged with a class: the class's members say more.
    fn mean_space(&mut self, id: Option<SymbolId>) {
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
                    let means = match self.of_type(&alias.type_annotation) {
                        Means::Instance(class) => Means::Alias(class),
                        _ => Means::Anything,
                    };
                    self.mean(alias.id.symbol_id.get(), means);
                }
                AstKind::VariableDeclarator(declarator) => self.read_declarator(declarator),
                AstKind::FormalParameter(parameter) => self.read_parameter(parameter, node.id()),
                _ => {}
            }
        }
        self.merge_interfaces();
    }

    fn read_function(&mut self, function: &Function<'a>) {
        let id = function.id.as_ref().and_then(|id| id.symbol_id.get());
        self.mean(id, Means::Itself);
        if let (Some(&index), Some(annotation)) = (id.and_then(|id| self.symbols.get(&id)), &function.return_type) {
            self.links.symbols[index].returns = Some(self.of_type(&annotation.type_annotation));
        }
    }

    fn read_class(&mut self, class: &Class<'a>) {
        let mut links = ClassLinks::default();
        if let Some(heritage) = &class.heritage {
            links.extends = Some(self.denote(&heritage.expression).unwrap_or_else(Denotes::anything));
        }
        for element in &class.body.body {
            if let (Some(name), false) = (member_name(element), matches!(element, ClassElement::TSIndexSignature(_))) {
                let holds = self.field_means(element);
                let (names, fields) = if element.r#static() {
                    (&mut links.statics, &mut links.static_fields)
                } else {
                    (&mut links.instance, &mut links.fields)
                };
                fields.insert(name.clone(), holds);
                names.push(name);
            }
            self.read_parameter_properties(element, &mut links);
        }
        match class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            Some(id) => self.mean(Some(id), Means::Class(links)),
            None => {
                if let Some(index) = self.anonymous(span(class)) {
                    self.links.symbols[index].means = Means::Class(links);
                }
            }
        }
    }

    /// What a field or getter gives: by its type, or by what it is initialised with.
    fn field_means(&self, element: &ClassElement<'a>) -> Means {
        let (annotation, init) = match element {
            ClassElement::PropertyDefinition(field) => (field.type_annotation.as_deref(), field.value.as_ref()),
            ClassElement::AccessorProperty(field) => (field.type_annotation.as_deref(), field.value.as_ref()),
            ClassElement::MethodDefinition(method) if method.kind.is_get() => {
                (method.value.return_type.as_deref(), None)
            }
            _ => return Means::Anything,
        };
        match (annotation, init.and_then(|init| self.denote(init))) {
            (Some(annotation), _) => self.of_type(&annotation.type_annotation),
            (None, Some(Denotes { base: Base::Instance(class), path })) if path.is_empty() => Means::Instance(*class),
            _ => Means::Anything,
        }
    }

    /// `constructor(private readonly log: Log)` declares a field.
    fn read_parameter_properties(&self, element: &ClassElement<'a>, links: &mut ClassLinks) {
        let ClassElement::MethodDefinition(method) = element else { return };
        for parameter in &method.value.params.items {
            let is_field = parameter.accessibility.is_some() || parameter.readonly || parameter.r#override;
            let Some(name) = parameter.pattern.get_identifier_name().filter(|_| is_field) else { continue };
            let means =
                parameter.type_annotation.as_ref().map_or(Means::Anything, |one| self.of_type(&one.type_annotation));
            links.fields.insert(name.to_string(), means);
            links.instance.push(name.to_string());
        }
    }

    /// An object literal, as a class with static members only.
    fn read_table(&self, init: &Expression<'a>) -> Means {
        let Expression::ObjectExpression(object) = init.get_inner_expression() else { return Means::Itself };
        let mut links = ClassLinks::default();
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    links.spreads.insert(0, self.denote(&spread.argument).unwrap_or_else(Denotes::anything));
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let Some(name) = property.key.static_name() else { continue };
                    let holds = match self.denote(&property.value) {
                        Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => {
                            Means::Instance(*class)
                        }
                        Some(what) => Means::Alias(what),
                        None if is_literal(&property.value) => Means::Itself,
                        None => Means::Anything,
                    };
                    links.static_fields.insert(name.to_string(), holds);
                    links.statics.push(name.into_owned());
                }
            }
        }
        Means::Class(links)
    }

    fn read_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let written = declarator.type_annotation.as_ref().map(|one| self.of_type(&one.type_annotation));
        let means = match (&declarator.type_annotation, &declarator.init) {
            // A written class says more than the call that gives the value.
            (Some(_), Some(init))
                if matches!(written, Some(Means::Instance(_)))
                    && self.denote(init).is_some_and(|what| matches!(what.base, Base::Result(_) | Base::Anything)) =>
            {
                written.unwrap_or(Means::Anything)
            }
            (_, Some(init)) if self.denote(init).is_some_and(|what| !matches!(what.base, Base::Foreign)) => {
                match self.denote(init) {
                    Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => Means::Instance(*class),
                    Some(what) => Means::Alias(what),
                    None => Means::Anything,
                }
            }
            (_, Some(init)) if is_literal(init) => self.read_table(init),
            (Some(annotation), _) => self.of_type(&annotation.type_annotation),
            (None, Some(Expression::ClassExpression(class))) => {
                let index = match class.id.as_ref().and_then(|id| id.symbol_id.get()) {
                    Some(id) => self.symbols.get(&id).copied(),
                    None => self.anonymous(span(&**class)),
                };
                index.map_or(Means::Itself, |index| Means::Alias(Denotes::symbol(index)))
            }
            _ => Means::Anything,
        };
        self.bind(&declarator.id, means);
    }

    /// Gives a pattern's names their part of what the whole means. A name that is assigned again means anything.
    fn bind(&mut self, pattern: &BindingPattern<'a>, means: Means) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let id = name.symbol_id.get();
                let mutated = id.is_some_and(|id| self.semantic.scoping().symbol_is_mutated(id));
                self.mean(id, if mutated { Means::Anything } else { means });
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let part = match (&means, property.key.static_name()) {
                        (Means::Alias(what), Some(name)) => Means::Alias(what.clone().then(&name)),
                        (Means::Instance(class), Some(name)) => {
                            Means::Alias(Denotes::instance(class.clone()).then(&name))
                        }
                        _ => Means::Anything,
                    };
                    self.bind(&property.value, part);
                }
            }
            BindingPattern::AssignmentPattern(with_default) => self.bind(&with_default.left, means),
            BindingPattern::ArrayPattern(_) => {}
        }
    }

    fn read_parameter(&mut self, parameter: &FormalParameter<'a>, node: NodeId) {
        let means = match (&parameter.type_annotation, &parameter.initializer) {
            (Some(annotation), _) => self.of_type(&annotation.type_annotation),
            (None, Some(init)) => match self.denote(init) {
                Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => Means::Instance(*class),
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

/// The name of a class member, `#` included.
fn member_name(element: &ClassElement<'_>) -> Option<String> {
    let key = element.property_key()?;
    match key.private_name() {
        Some(name) => Some(format!("#{name}")),
        None => key.static_name().map(|name| name.into_owned()),
    }
}
