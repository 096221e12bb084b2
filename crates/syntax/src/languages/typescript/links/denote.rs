//! What an expression stands for, as far as one file can say.

use super::Reader;
use crate::links::{Base, Denotes};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, CallExpression, Class, Expression, IdentifierReference, JSXMemberExpressionObject,
    TSQualifiedName, TSType, TSTypeName, TSTypeQueryExprName,
};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

impl<'a> Reader<'a, '_> {
    /// What an expression stands for; `None` when it is no name, member or import.
    pub(super) fn denote(&self, expression: &Expression<'a>) -> Option<Denotes> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.denote_inner(expression))
    }

    fn denote_inner(&self, expression: &Expression<'a>) -> Option<Denotes> {
        match expression {
            Expression::Identifier(name) => Some(self.denote_name(name)).map(|what| match what.base {
                // A global that nobody in this file declares: a value of any type, unless the platform made it.
                Base::Foreign if !is_platform(&name.name) => Denotes::anything(),
                _ => what,
            }),
            Expression::StaticMemberExpression(member) => {
                Some(self.denote_object(&member.object).then(member.property.name.as_str()))
            }
            Expression::PrivateFieldExpression(member) => {
                Some(self.denote_object(&member.object).then(&format!("#{}", member.field.name)))
            }
            Expression::ComputedMemberExpression(member) => {
                Some(self.denote_object(&member.object).then(&static_key(&member.expression)?))
            }
            Expression::ThisExpression(this) => Some(self.denote_this(this.node_id.get())),
            Expression::Super(this) => self.denote_super(this.node_id.get()),
            Expression::ParenthesizedExpression(inner) => self.denote(&inner.expression),
            Expression::TSAsExpression(inner) => self.denote(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.denote(&inner.expression),
            Expression::TSTypeAssertion(inner) => self.denote(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.denote(&inner.expression),
            Expression::TSInstantiationExpression(inner) => self.denote(&inner.expression),
            Expression::SequenceExpression(sequence) => self.denote(sequence.expressions.last()?),
            Expression::ChainExpression(chain) => match chain.expression.as_member_expression() {
                Some(member) => Some(self.denote_object(member.object()).then(member.static_property_name()?)),
                None => None,
            },
            Expression::AwaitExpression(awaited) => match awaited.argument.get_inner_expression() {
                Expression::ImportExpression(import) => Some(Denotes::module(&self.specifier(&import.source))),
                _ => None,
            },
            Expression::CallExpression(call) => {
                self.denote_require(call).or_else(|| Some(Denotes::result(self.denote(&call.callee)?)))
            }
            Expression::NewExpression(new) => Some(Denotes::instance(self.denote(&new.callee)?)),
            _ => None,
        }
    }

    /// The start of a member access: unknown where it is no name.
    fn denote_object(&self, object: &Expression<'a>) -> Denotes {
        self.denote(object).unwrap_or_else(|| {
            let base = if is_literal(object) { Base::Foreign } else { Base::Anything };
            Denotes { base, path: Vec::new() }
        })
    }

    /// A name: its symbol, or something from outside the file.
    pub(super) fn denote_name(&self, name: &IdentifierReference<'a>) -> Denotes {
        let symbol = name
            .reference_id
            .get()
            .and_then(|id| self.semantic.scoping().get_reference(id).symbol_id())
            .and_then(|id| self.symbols.get(&id));
        symbol.map_or(Denotes { base: Base::Foreign, path: Vec::new() }, |&index| Denotes::symbol(index))
    }

    pub(super) fn denote_require(&self, call: &CallExpression<'a>) -> Option<Denotes> {
        let Expression::Identifier(name) = &call.callee else { return None };
        let [from] = call.arguments.as_slice() else { return None };
        let free = name.name == "require" && matches!(self.denote_name(name).base, Base::Foreign);
        free.then(|| from.as_expression().map(|from| Denotes::module(&self.specifier(from))))?
    }

    /// What an `import()` or `require()` asks for: a literal's text, or the code in words that lead nowhere.
    pub(super) fn specifier(&self, from: &Expression<'a>) -> String {
        match from.get_inner_expression() {
            Expression::StringLiteral(from) => from.value.to_string(),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                template.quasis.first().map_or_else(String::new, |part| part.value.raw.to_string())
            }
            other => format!("import({})", other.span().source_text(self.semantic.source_text())),
        }
    }

    /// `A.B.c` in a type or in `import x = A.B.c`.
    pub(super) fn denote_qualified(&self, name: &TSQualifiedName<'a>) -> Option<Denotes> {
        Some(self.denote_type_name(&name.left)?.then(name.right.name.as_str()))
    }

    /// `this`: an instance of the enclosing class, the class itself in a static member, unknown elsewhere.
    pub(super) fn denote_this(&self, node: NodeId) -> Denotes {
        match self.enclosing_class(node) {
            Some((class, is_static)) => match self.denote_class(class) {
                Some(class) if is_static => class,
                Some(class) => Denotes::instance(class),
                None => Denotes::anything(),
            },
            None => Denotes::anything(),
        }
    }

    fn denote_super(&self, node: NodeId) -> Option<Denotes> {
        let (class, is_static) = self.enclosing_class(node)?;
        let base = self.denote(&class.heritage.as_ref()?.expression)?;
        Some(if is_static { base } else { Denotes::instance(base) })
    }

    /// The class whose member holds a node, through arrow functions only, and whether the member is static.
    fn enclosing_class(&self, node: NodeId) -> Option<(&'a Class<'a>, bool)> {
        let nodes = self.semantic.nodes();
        let mut is_static = false;
        let mut functions = 0;
        for kind in nodes.ancestor_kinds(node) {
            match kind {
                AstKind::Function(_) => functions += 1,
                AstKind::StaticBlock(_) => is_static = true,
                AstKind::MethodDefinition(method) => {
                    is_static = method.r#static;
                    functions = if functions <= 1 { 0 } else { 2 };
                }
                AstKind::PropertyDefinition(property) => is_static = property.r#static,
                AstKind::Class(class) => return (functions == 0).then_some((class, is_static)),
                _ => {}
            }
        }
        None
    }

    fn denote_class(&self, class: &Class<'a>) -> Option<Denotes> {
        let index = match &class.id {
            Some(id) => *self.symbols.get(&id.symbol_id.get()?)?,
            None => self.anonymous(super::span(class))?,
        };
        Some(Denotes::symbol(index))
    }

    /// The symbol made for an anonymous class or function: by its place.
    pub(super) fn anonymous(&self, span: crate::tree::Span) -> Option<usize> {
        self.links.symbols.iter().position(|symbol| symbol.span == span)
    }

    /// What a value of this type is: an instance, nothing watched, or unknown.
    pub(super) fn of_type(&self, annotation: &TSType<'a>) -> crate::links::Means {
        use crate::links::Means;
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
                _ => Means::Anything,
            },
            TSType::TSStringKeyword(_)
            | TSType::TSNumberKeyword(_)
            | TSType::TSBooleanKeyword(_)
            | TSType::TSBigIntKeyword(_)
            | TSType::TSSymbolKeyword(_)
            | TSType::TSArrayType(_)
            | TSType::TSTupleType(_)
            | TSType::TSLiteralType(_)
            | TSType::TSFunctionType(_) => Means::Foreign,
            _ => Means::Anything,
        }
    }

    fn of_type_name(
        &self,
        name: &TSTypeName<'a>,
        reference: &oxc_ast::ast::TSTypeReference<'a>,
    ) -> crate::links::Means {
        use crate::links::Means;
        if let TSTypeName::IdentifierReference(identifier) = name
            && matches!(identifier.name.as_str(), "Readonly" | "Partial" | "Required" | "NonNullable")
            && let Some(arguments) = &reference.type_arguments
            && let [only] = arguments.params.as_slice()
        {
            return self.of_type(only);
        }
        match self.denote_type_name(name) {
            Some(Denotes { base: Base::Foreign, .. }) | None => Means::Anything,
            Some(class) => Means::Instance(class),
        }
    }

    fn denote_type_name(&self, name: &TSTypeName<'a>) -> Option<Denotes> {
        match name {
            TSTypeName::IdentifierReference(identifier) => Some(self.denote_name(identifier)),
            TSTypeName::QualifiedName(qualified) => self.denote_qualified(qualified),
            TSTypeName::ThisExpression(_) => None,
        }
    }

    pub(super) fn denote_element(&self, object: &JSXMemberExpressionObject<'a>) -> Denotes {
        match object {
            JSXMemberExpressionObject::IdentifierReference(name) => self.denote_name(name),
            JSXMemberExpressionObject::MemberExpression(member) => {
                self.denote_element(&member.object).then(member.property.name.as_str())
            }
            JSXMemberExpressionObject::ThisExpression(this) => self.denote_this(this.node_id.get()),
        }
    }

    /// The property path of an assignment's target, for `exports.x = …` and `module.exports = …`.
    pub(super) fn target_path(&self, target: &AssignmentTarget<'a>) -> Option<Vec<String>> {
        let member = target.as_member_expression()?;
        let mut path = vec![member.static_property_name()?.to_owned()];
        let mut object = member.object();
        while let Expression::StaticMemberExpression(inner) = object {
            path.push(inner.property.name.to_string());
            object = &inner.object;
        }
        let Expression::Identifier(root) = object else { return None };
        if !matches!(self.denote_name(root).base, Base::Foreign) {
            return None;
        }
        path.push(root.name.to_string());
        path.reverse();
        Some(path)
    }
}

/// The name in `o['name']`, when it is written out.
pub(super) fn static_key(key: &Expression<'_>) -> Option<String> {
    match key {
        Expression::StringLiteral(name) => Some(name.value.to_string()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first().map(|part| part.value.raw.to_string())
        }
        _ => None,
    }
}

/// A value that is written out here, and so no watched function, class or module.
pub(super) fn is_literal(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    inner.is_literal()
        || inner.is_function()
        || matches!(
            inner,
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_) | Expression::TemplateLiteral(_)
        )
}

fn is_platform(name: &str) -> bool {
    const NAMES: [&str; 34] = [
        "AbortController",
        "Array",
        "ArrayBuffer",
        "Atomics",
        "BigInt",
        "Boolean",
        "Buffer",
        "Date",
        "Error",
        "Infinity",
        "Intl",
        "JSON",
        "Map",
        "Math",
        "NaN",
        "Number",
        "Object",
        "Promise",
        "Proxy",
        "Reflect",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "URL",
        "WeakMap",
        "WeakSet",
        "console",
        "crypto",
        "document",
        "module",
        "performance",
        "process",
        "undefined",
    ];
    NAMES.binary_search(&name).is_ok()
}

fn is_nothing(annotation: &TSType<'_>) -> bool {
    matches!(annotation, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_))
}
