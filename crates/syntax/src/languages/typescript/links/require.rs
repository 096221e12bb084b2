//! Calls that give a module: `require`, under any name that Node.js or a test runner gives it.

use super::Reader;
use super::denote::written;
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
            let is_require = declarator.init.as_ref().is_some_and(|init| self.gives_require(init));
            let id = declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
            if let Some(&index) = id.and_then(|id| self.symbols.get(&id)).filter(|_| is_require) {
                self.requires.insert(index);
            }
        }
    }

    /// The module that a call gives.
    pub(super) fn denote_require(&self, call: &CallExpression<'a>) -> Option<Denotes> {
        // What else is handed over does not matter to it.
        let from = call.arguments.first()?.as_expression()?;
        let is_require = match last_of(&call.callee) {
            Expression::Identifier(name) => {
                self.is_free_require(name) || self.is_made_require(name) || REQUIRE_LIKE.contains(&name.name.as_str())
            }
            Expression::CallExpression(inner) => self.makes_require(inner),
            callee => self.is_member_require(callee),
        };
        is_require.then(|| Denotes::module(&self.specifier(from)))
    }

    /// `module.require`, and what test runners have.
    fn is_member_require(&self, callee: &Expression<'a>) -> bool {
        let member = match callee {
            Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
            callee => callee.as_member_expression(),
        };
        let Some(member) = member else { return false };
        match member.static_property_name() {
            Some("require") => matches!(member.object(), Expression::Identifier(name) if name.name == "module"),
            Some(name) => REQUIRE_LIKE.contains(&name),
            None => false,
        }
    }

    /// Whether a value may be `require`: `typeof require === 'function' ? require : null`.
    fn gives_require(&self, value: &Expression<'a>) -> bool {
        match last_of(value) {
            Expression::Identifier(name) => self.is_free_require(name),
            Expression::CallExpression(call) => self.makes_require(call),
            Expression::ConditionalExpression(choice) => {
                self.gives_require(&choice.consequent) || self.gives_require(&choice.alternate)
            }
            Expression::LogicalExpression(either) => {
                self.gives_require(&either.left) || self.gives_require(&either.right)
            }
            value => self.is_member_require(value),
        }
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
                written(template).unwrap_or_default()
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
