//! What an expression stands for, as far as one file can say.

use super::Reader;
use super::deep::is_long;
use super::platform::is_platform;
use crate::links::{Base, Denotes, Means};
use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, ChainElement, Class, Expression, IdentifierReference, JSXMemberExpressionObject, PropertyKey,
    TemplateLiteral,
};
use oxc_semantic::NodeId;

impl<'a> Reader<'a, '_> {
    /// What an expression stands for; `None` when it is no name, member or import.
    pub(super) fn denote(&self, expression: &Expression<'a>) -> Option<Denotes> {
        if is_long(expression) {
            return Some(Denotes::anything());
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.denote_inner(expression))
    }

    fn denote_inner(&self, expression: &Expression<'a>) -> Option<Denotes> {
        match expression {
            own if self.is_exports(own) => Some(Denotes::module(&self.own)),
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
                Some(self.denote_object(&member.object).then(&self.key(&member.expression)?))
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
            Expression::ChainExpression(chain) => match (&chain.expression, chain.expression.as_member_expression()) {
                (_, Some(member)) => Some(self.denote_object(member.object()).then(member.static_property_name()?)),
                (ChainElement::CallExpression(call), _) => self.denote_require(call),
                _ => None,
            },
            Expression::AwaitExpression(awaited) => match awaited.argument.get_inner_expression() {
                Expression::ImportExpression(import) => Some(Denotes::module(&self.specifier(&import.source))),
                Expression::CallExpression(call) => self.denote_require(call),
                _ => None,
            },
            Expression::CallExpression(call) => {
                self.denote_require(call).or_else(|| Some(Denotes::result(self.denote(&call.callee)?)))
            }
            Expression::NewExpression(new) => Some(Denotes::instance(self.denote(&new.callee)?)),
            Expression::ClassExpression(class) => self.denote_class(class),
            Expression::FunctionExpression(function) => {
                let id = function.id.as_ref()?.symbol_id.get()?;
                self.symbols.get(&id).map(|&index| Denotes::symbol(index))
            }
            _ => None,
        }
    }

    /// Constants whose value is a text that is written out.
    pub(super) fn read_texts(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::VariableDeclarator(declarator) = node.kind() else { continue };
            let text = declarator.init.as_ref().and_then(|init| static_key(init.get_inner_expression()));
            let id = declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
            let Some((text, id)) = text.zip(id.filter(|&id| self.is_settled(id))) else { continue };
            if let Some(&index) = self.symbols.get(&id) {
                self.texts.insert(index, text);
            }
        }
    }

    /// The name in `o['name']` and in `o[k]`, when it is written out there or as the value of `k`.
    pub(super) fn key(&self, key: &Expression<'a>) -> Option<String> {
        match key.get_inner_expression() {
            Expression::Identifier(name) if !self.texts.is_empty() => match self.denote_name(name).base {
                Base::Symbol(index) => self.texts.get(&index).cloned(),
                _ => None,
            },
            other => static_key(other),
        }
    }

    /// The name of a property, in a pattern or a literal.
    pub(super) fn property_name(&self, key: &PropertyKey<'a>) -> Option<String> {
        match key.static_name() {
            Some(name) => Some(name.into_owned()),
            None => self.key(key.as_expression()?),
        }
    }

    /// Whether nobody in this file can say what something is.
    pub(super) fn is_unknown(&self, what: &Denotes) -> bool {
        let mut what = what;
        for _ in 0..16 {
            match &what.base {
                Base::Anything | Base::Result(_) | Base::Instance(_) => return true,
                // An `import()` of what is no literal.
                Base::Module(from) => return from.starts_with("import("),
                Base::Foreign => return false,
                Base::Symbol(index) => match &self.links.symbols[*index].means {
                    Means::Alias(other) => what = other,
                    means => return matches!(means, Means::Anything | Means::Instance(_)),
                },
            }
        }
        true
    }

    /// The start of a member access: unknown where it is no name.
    pub(super) fn denote_object(&self, object: &Expression<'a>) -> Denotes {
        self.denote(object).unwrap_or_else(|| {
            // A member of an object that is written in place may be anything that was put into it.
            let holds = matches!(object.get_inner_expression(), Expression::ObjectExpression(table) if !table.properties.is_empty());
            let base = if is_literal(object) && !holds { Base::Foreign } else { Base::Anything };
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
        match symbol {
            Some(&index) => Denotes::symbol(index),
            None => self.denote_merged(name).unwrap_or_else(Denotes::foreign),
        }
    }

    /// A name that another block of the same namespace exports.
    fn denote_merged(&self, name: &IdentifierReference<'a>) -> Option<Denotes> {
        if self.spaces == 0 {
            return None;
        }
        let spaces = self.semantic.nodes().ancestor_kinds(name.node_id.get()).filter_map(|kind| match kind {
            AstKind::TSNamespaceDeclaration(space) => self.symbols.get(&space.id.symbol_id.get()?).copied(),
            _ => None,
        });
        let exports = |&index: &usize| match &self.links.symbols[index].means {
            crate::links::Means::Class(class) => class.members.contains_key(name.name.as_str()),
            _ => false,
        };
        spaces.into_iter().find(exports).map(|index| Denotes::symbol(index).then(&name.name))
    }

    /// `this`: an instance of the enclosing class, the class itself in a static member, unknown elsewhere.
    pub(super) fn denote_this(&self, node: NodeId) -> Denotes {
        match self.enclosing_class(node) {
            Some((class, is_static)) => match self.denote_class(class) {
                Some(class) if is_static => class,
                Some(class) => Denotes::instance(class),
                None => Denotes::anything(),
            },
            None if self.is_in_exports(node) => Denotes::module(&self.own),
            None => Denotes::anything(),
        }
    }

    /// Whether the function around a node is one that CommonJS's `exports` is given: its `this` is `exports`.
    fn is_in_exports(&self, node: NodeId) -> bool {
        let mut above =
            self.semantic.nodes().ancestor_kinds(node).skip_while(|kind| !matches!(kind, AstKind::Function(_))).skip(1);
        let mut next = above.next();
        if let Some(AstKind::ObjectProperty(_)) = next {
            let Some(AstKind::ObjectExpression(_)) = above.next() else { return false };
            next = above.next();
        }
        match next {
            Some(AstKind::AssignmentExpression(assignment)) => {
                self.target_path(&assignment.left).is_some_and(|path| super::exports::is_export_path(&path))
            }
            Some(AstKind::TSExportAssignment(_)) => true,
            Some(AstKind::CallExpression(call)) => self.copies_exports(call),
            _ => false,
        }
    }

    pub(super) fn denote_super(&self, node: NodeId) -> Option<Denotes> {
        let (class, is_static) = self.enclosing_class(node)?;
        let base = self.denote(&class.heritage.as_ref()?.expression)?;
        // What the platform's own class has is certainly not the class that extends it.
        Some(if is_static || base == Denotes::foreign() { base } else { Denotes::instance(base) })
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

    pub(super) fn denote_class(&self, class: &Class<'a>) -> Option<Denotes> {
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
        if self.is_whole_name(root) {
            path.push("exports".to_owned());
            path.reverse();
            return Some(path);
        }
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
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => written(template),
        _ => None,
    }
}

/// The text of a template without expressions.
pub(super) fn written(template: &TemplateLiteral<'_>) -> Option<String> {
    let text = &template.quasis.first()?.value;
    Some(text.cooked.as_ref().unwrap_or(&text.raw).to_string())
}

/// A value that is written out here, and so no watched function, class or module.
pub(super) fn is_literal(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    is_constant(inner)
        || inner.is_function()
        || matches!(inner, Expression::ArrayExpression(_) | Expression::ObjectExpression(_))
}

/// A literal that can never be called: a number, a string, a regular expression.
pub(super) fn is_constant(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    inner.is_literal()
        || matches!(inner, Expression::TemplateLiteral(_))
        || matches!(inner, Expression::Identifier(name) if ["undefined", "NaN", "Infinity"].contains(&name.name.as_str()))
}
