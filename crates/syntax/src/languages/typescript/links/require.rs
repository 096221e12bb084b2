//! Calls that give a module: `require`, under any name that Node.js or a test runner gives it.

use super::Reader;
use crate::asked::REQUIRE_LIKE;
use crate::links::{Base, Denotes};
use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, IdentifierReference};
use oxc_span::GetSpan;

impl<'a> Reader<'a, '_> {
    /// Variables that are another `require`: `const load = createRequire(import.meta.url)`.
    pub(super) fn read_requires(&mut self) {
        self.read_makers();
        for node in self.semantic.nodes().iter() {
            let AstKind::VariableDeclarator(declarator) = node.kind() else { continue };
            let is_require = match &declarator.init {
                Some(Expression::Identifier(name)) => self.is_free_require(name),
                Some(Expression::CallExpression(call)) => self.makes_require(call),
                _ => false,
            };
            let id = declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
            if let Some(&index) = id.and_then(|id| self.symbols.get(&id)).filter(|_| is_require) {
                self.requires.insert(index);
            }
        }
    }

    /// The module that a call gives.
    pub(super) fn denote_require(&self, call: &CallExpression<'a>) -> Option<Denotes> {
        let [from] = call.arguments.as_slice() else { return None };
        let is_require = match last_of(&call.callee) {
            Expression::Identifier(name) => self.is_free_require(name) || self.is_made_require(name),
            Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
                "require" => matches!(&member.object, Expression::Identifier(name) if name.name == "module"),
                name => REQUIRE_LIKE.contains(&name),
            },
            Expression::CallExpression(inner) => self.makes_require(inner),
            _ => false,
        };
        is_require.then(|| from.as_expression().map(|from| Denotes::module(&self.specifier(from))))?
    }

    /// Other names that an import gives `createRequire`.
    fn read_makers(&mut self) {
        for node in self.semantic.nodes().iter() {
            let AstKind::ImportSpecifier(named) = node.kind() else { continue };
            if named.imported.name() == "createRequire" {
                let id = named.local.symbol_id.get();
                self.makers.extend(id.and_then(|id| self.symbols.get(&id)));
            }
        }
    }

    /// `createRequire(import.meta.url)`.
    fn makes_require(&self, call: &CallExpression<'a>) -> bool {
        match &call.callee {
            Expression::Identifier(name) => {
                name.name == "createRequire"
                    || matches!(self.denote_name(name).base, Base::Symbol(index) if self.makers.contains(&index))
            }
            Expression::StaticMemberExpression(member) => member.property.name == "createRequire",
            _ => false,
        }
    }

    fn is_free_require(&self, name: &IdentifierReference<'a>) -> bool {
        name.name == "require" && matches!(self.denote_name(name).base, Base::Foreign)
    }

    fn is_made_require(&self, name: &IdentifierReference<'a>) -> bool {
        matches!(self.denote_name(name).base, Base::Symbol(index) if self.requires.contains(&index))
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
}

/// What `(0, f)` is.
fn last_of<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match expression.get_inner_expression() {
        Expression::SequenceExpression(sequence) => sequence.expressions.last().unwrap_or(expression),
        other => other,
    }
}

/// Whether a call gives a promise of a module.
pub(super) fn is_promise(call: &CallExpression<'_>) -> bool {
    matches!(&call.callee, Expression::StaticMemberExpression(member) if member.property.name.starts_with("import"))
}
