//! What a value is whose type is written out.

use super::Reader;
use super::platform::is_platform;
use crate::links::{Base, Denotes, Means};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    TSImportType, TSImportTypeQualifier, TSQualifiedName, TSType, TSTypeName, TSTypeQueryExprName, TSTypeReference,
};
use oxc_semantic::SymbolFlags;

impl<'a> Reader<'a, '_> {
    /// What a value of this type is: an instance, nothing watched, or unknown.
    pub(super) fn of_type(&self, annotation: &TSType<'a>) -> Means {
        match annotation {
            TSType::TSTypeReference(reference) => self.of_type_name(&reference.type_name, reference),
            TSType::TSParenthesizedType(inner) => self.of_type(&inner.type_annotation),
            TSType::TSUnionType(union) => {
                let mut rest = union.types.iter().filter(|member| !is_nothing(member));
                match (rest.next(), rest.next()) {
                    (Some(only), None) => self.of_type(only),
                    _ => Means::Anything,
                }
            }
            TSType::TSTypeQuery(query) => match &query.expr_name {
                TSTypeQueryExprName::IdentifierReference(name) => Means::Alias(self.denote_name(name)),
                TSTypeQueryExprName::QualifiedName(name) => {
                    self.denote_qualified(name).map_or(Means::Anything, Means::Alias)
                }
                TSTypeQueryExprName::TSImportType(import) => Means::Alias(imported(import)),
                TSTypeQueryExprName::ThisExpression(_) => Means::Anything,
            },
            TSType::TSImportType(import) => Means::Instance(imported(import)),
            TSType::TSStringKeyword(_)
            | TSType::TSNumberKeyword(_)
            | TSType::TSBooleanKeyword(_)
            | TSType::TSBigIntKeyword(_)
            | TSType::TSSymbolKeyword(_)
            | TSType::TSArrayType(_)
            | TSType::TSTupleType(_)
            | TSType::TSLiteralType(_) => Means::Foreign,
            TSType::TSFunctionType(_) => Means::Itself,
            _ => Means::Anything,
        }
    }

    fn of_type_name(&self, name: &TSTypeName<'a>, reference: &TSTypeReference<'a>) -> Means {
        if let TSTypeName::IdentifierReference(identifier) = name
            && matches!(identifier.name.as_str(), "Readonly" | "Partial" | "Required" | "NonNullable")
            && let Some(arguments) = &reference.type_arguments
            && let [only] = arguments.params.as_slice()
        {
            return self.of_type(only);
        }
        match self.denote_type_name(name) {
            Some(Denotes { base: Base::Symbol(index), path }) if path.is_empty() && self.typed.contains_key(&index) => {
                Means::Alias(self.typed[&index].clone())
            }
            Some(Denotes { base: Base::Foreign, .. }) | None => match name {
                TSTypeName::IdentifierReference(name) if is_platform(&name.name) && name.name != "Object" => {
                    Means::Instance(Denotes::foreign())
                }
                _ => Means::Anything,
            },
            Some(_) if self.is_two(name) => Means::Anything,
            Some(class) => Means::Instance(class),
        }
    }

    /// Types that are written as `typeof x`.
    pub(super) fn read_typed(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::TSTypeAliasDeclaration(alias) = node.kind() else { continue };
            let TSType::TSTypeQuery(_) = &alias.type_annotation else { continue };
            let id = alias.id.symbol_id.get().filter(|&id| !self.is_value(id));
            if let (Some(&index), Means::Alias(what)) =
                (id.and_then(|id| self.symbols.get(&id)), self.of_type(&alias.type_annotation))
            {
                self.typed.insert(index, what);
            }
        }
    }

    /// Whether a type shares its name with a value that is no class: what is known of the value says nothing of the type.
    fn is_two(&self, name: &TSTypeName<'a>) -> bool {
        let TSTypeName::IdentifierReference(identifier) = name else { return false };
        let scoping = self.semantic.scoping();
        let id = identifier.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
        id.map(|id| scoping.symbol_flags(id)).is_some_and(|flags| {
            let is_type = flags.intersects(SymbolFlags::TypeAlias | SymbolFlags::Interface);
            is_type && flags.intersects(SymbolFlags::Variable | SymbolFlags::Function)
        })
    }

    fn denote_type_name(&self, name: &TSTypeName<'a>) -> Option<Denotes> {
        match name {
            TSTypeName::IdentifierReference(identifier) => Some(self.denote_name(identifier)),
            TSTypeName::QualifiedName(qualified) => self.denote_qualified(qualified),
            TSTypeName::ThisExpression(_) => None,
        }
    }

    /// `A.B.c` in a type or in `import x = A.B.c`.
    pub(super) fn denote_qualified(&self, name: &TSQualifiedName<'a>) -> Option<Denotes> {
        Some(self.denote_type_name(&name.left)?.then(name.right.name.as_str()))
    }
}

/// `import('./q').A.B` in a type.
fn imported(import: &TSImportType<'_>) -> Denotes {
    fn path(qualifier: &TSImportTypeQualifier<'_>, what: Denotes) -> Denotes {
        match qualifier {
            TSImportTypeQualifier::Identifier(name) => what.then(&name.name),
            TSImportTypeQualifier::QualifiedName(name) => path(&name.left, what).then(&name.right.name),
        }
    }
    let module = Denotes::module(&import.source.value);
    match &import.qualifier {
        Some(qualifier) => path(qualifier, module),
        None => module,
    }
}

fn is_nothing(annotation: &TSType<'_>) -> bool {
    matches!(annotation, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_))
}
