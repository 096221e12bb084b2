//! Classes and object literals: their members, and what their fields hold.

use super::denote::{is_constant, is_literal};
use super::{Reader, span};
use crate::links::{Base, Class as ClassLinks, Denotes, Holder, Means};
use oxc_ast::ast::{Class, ClassElement, Expression, ObjectPropertyKind};

impl<'a> Reader<'a, '_> {
    pub(super) fn read_class(&mut self, class: &Class<'a>) {
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
                if matches!(element, ClassElement::MethodDefinition(method) if method.kind.is_accessor()) {
                    links.accessors.push(name.clone());
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
    fn field_means(&self, element: &ClassElement<'a>) -> Means {
        let (annotation, init) = match element {
            ClassElement::PropertyDefinition(field) => (field.type_annotation.as_deref(), field.value.as_ref()),
            ClassElement::AccessorProperty(field) => (field.type_annotation.as_deref(), field.value.as_ref()),
            ClassElement::MethodDefinition(method) if method.kind.is_get() => {
                (method.value.return_type.as_deref(), None)
            }
            _ => return Means::Anything,
        };
        if annotation.is_none() && init.is_some_and(is_constant) {
            return Means::Foreign;
        }
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
                    let holds = match self.denote(&property.value) {
                        Some(Denotes { base: Base::Instance(class), path }) if path.is_empty() => {
                            Means::Instance(*class)
                        }
                        Some(what) => Means::Alias(what),
                        None if is_constant(&property.value) => Means::Foreign,
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
