//! Classes and object literals: their members, and what their fields hold.

use super::denote::{is_constant, is_literal};
use super::symbols::cast_of;
use super::{Reader, span};
use crate::links::{Base, Class as ClassLinks, Denotes, Holder, Means};
use oxc_ast::AstKind;
use oxc_ast::ast::{Class, ClassElement, Expression, ObjectPropertyKind};

impl<'a> Reader<'a, '_> {
    pub(super) fn read_class(&mut self, class: &Class<'a>) {
        let mut links = ClassLinks::default();
        if let Some(heritage) = &class.heritage {
            links.extends = Some(self.denote(&heritage.expression).unwrap_or_else(Denotes::anything));
        }
        for element in &class.body.body {
            if let (Some(name), false) = (member_name(element), matches!(element, ClassElement::TSIndexSignature(_))) {
                let holds = self.field_means(element, &name);
                let (names, fields) = if element.r#static() {
                    (&mut links.statics, &mut links.static_fields)
                } else {
                    (&mut links.instance, &mut links.fields)
                };
                fields.insert(name.clone(), holds);
                if is_uncalled(element) {
                    links.uncalled.push(name.clone());
                }
                names.push(name);
            }
            self.read_parameter_properties(element, &mut links);
        }
        let index = match class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            Some(id) => self.symbols.get(&id).copied(),
            None => self.anonymous(span(class)),
        };
        let Some(symbol) = index.map(|index| &mut self.links.symbols[index]) else { return };
        if let Means::Class(space) = &symbol.means {
            // A namespace of the class's name.
            links.members.clone_from(&space.members);
        }
        symbol.means = Means::Class(links);
    }

    /// What a field or getter gives: by its type, or by what it is initialised with.
    fn field_means(&self, element: &ClassElement<'a>, name: &str) -> Means {
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
            (None, Some(Denotes { base: Base::Instance(class), path }))
                if path.is_empty() && init.and_then(cast_of).is_none() && !self.is_given(name) =>
            {
                Means::Instance(*class)
            }
            _ => Means::Anything,
        }
    }

    /// Whether a field without a type may be given another value than its first: in JavaScript, where one is assigned.
    fn is_given(&self, name: &str) -> bool {
        self.semantic.source_type().is_javascript() && self.assigned.contains(name)
    }

    /// The names of properties that are assigned; those that an object literal's variable is given are the object's.
    pub(super) fn read_assigned(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::AssignmentExpression(assignment) = node.kind() else { continue };
            let Some(member) = assignment.left.as_member_expression() else { continue };
            let Some(name) = member.static_property_name() else { continue };
            self.assigned.insert(name.to_owned());
        }
    }

    /// Members that an object literal is given after it is written.
    pub(super) fn complete_tables(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::AssignmentExpression(assignment) = node.kind() else { continue };
            let Some(member) = assignment.left.as_member_expression() else { continue };
            let (Some(name), Expression::Identifier(object)) = (member.static_property_name(), member.object()) else {
                continue;
            };
            let Base::Symbol(index) = self.denote_name(object).base else { continue };
            let Means::Class(table) = &mut self.links.symbols[index].means else { continue };
            if table.holder == Holder::Table {
                table.statics.push(name.to_owned());
                // Whatever it held before.
                table.static_fields.insert(name.to_owned(), Means::Anything);
            }
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
    pub(super) fn read_table(&self, init: &Expression<'a>) -> Means {
        let Expression::ObjectExpression(object) = init.get_inner_expression() else { return Means::Itself };
        let mut links = ClassLinks { holder: Holder::Table, ..ClassLinks::default() };
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    links.spreads.insert(0, self.denote(&spread.argument).unwrap_or_else(Denotes::anything));
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let Some(name) = property.key.static_name() else { continue };
                    if is_constant(&property.value) && !property.value.get_inner_expression().is_null_or_undefined() {
                        links.uncalled.push(name.to_string());
                    }
                    let holds = match self.denote(&property.value) {
                        _ if cast_of(&property.value).is_some() || is_constant(&property.value) => Means::Anything,
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
}

/// The name of a class member, `#` included.
fn member_name(element: &ClassElement<'_>) -> Option<String> {
    let key = element.property_key()?;
    match key.private_name() {
        Some(name) => Some(format!("#{name}")),
        None => key.static_name().map(|name| name.into_owned()),
    }
}

/// A member that is read or written, and never called: an accessor, a constant.
fn is_uncalled(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(method) => method.kind.is_accessor(),
        ClassElement::PropertyDefinition(field) => {
            field.value.as_ref().is_some_and(|value| is_constant(value) && !value.is_null_or_undefined())
        }
        _ => false,
    }
}
