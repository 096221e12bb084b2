//! Expression statements, and the declarations that the grammar takes for them: `using a = f()`, and now and then a
//! function behind a statement without `;`.

use super::class::Class;
use super::normal::{Child, Field, Normalizer};
use crate::tree::Span;

impl<'t> Normalizer<'t, '_, '_> {
    /// A statement that is an expression. None can start with `function` or `class` (ECMAScript 14.5), so what does is a
    /// declaration.
    pub(super) fn expression_statement(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let only = (parts.len() == 1).then(|| self.stack[parts.start]);
        self.stack.truncate(parts.start);
        let Some(only) = only else { return self.plain(child, field) };
        if let Some(kind) = declared(only.kind) {
            return self.emit(Child { kind, ..only }, field);
        }
        if !self.using(child, only, field) {
            self.plain(child, field);
        }
    }

    /// `using a = f(), b = g()` and `await using a = f()`, in the shape that the JavaScript grammar gives them. The
    /// TypeScript grammar reads assignments, the first with a word in front.
    fn using(&mut self, statement: Child<'t>, expression: Child<'t>, field: Field) -> bool {
        let text = self.source(statement.span());
        if !text.starts_with("using") && !text.starts_with("await") {
            return false;
        }
        let members = if expression.class == Class::SEQUENCE { self.taken(expression) } else { vec![expression] };
        let Some(&first) = members.first() else { return false };
        let (mut words, mut declaration) = (Vec::new(), first);
        if first.kind == "await_expression" {
            let [word, awaited] = self.taken(first)[..] else { return false };
            words.push(word);
            declaration = awaited;
        }
        let parts = self.taken(declaration);
        let Some((word, parts)) = parts.split_first() else { return false };
        if declaration.class != Class::ASSIGNMENT || word.kind != "using" {
            return false;
        }
        words.push(*word);
        self.out.open("using_declaration", field, statement.span());
        words.iter().for_each(|&word| self.emit(word, Some("kind")));
        self.using_declarator(parts);
        for &member in &members[1..] {
            let parts = self.taken(member);
            self.using_declarator(&parts);
        }
        self.out.close();
        true
    }

    fn using_declarator(&mut self, parts: &[Child<'t>]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let span = Span { start: first.span().start, end: last.span().end };
        self.out.open("variable_declarator", None, span);
        for &part in parts {
            let field = match part.field {
                Some("left") => Some("name"),
                Some("right") => Some("value"),
                other => other,
            };
            self.emit(part, field);
        }
        self.out.close();
    }

    /// The children of a node but for its commas.
    fn taken(&mut self, child: Child<'t>) -> Vec<Child<'t>> {
        let parts = self.children(child.node);
        self.stack.drain(parts).filter(|part| part.class != Class::COMMA).collect()
    }
}

/// The declaration that a function or class is where it stands as a statement.
pub(super) fn declared(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "function_expression" => "function_declaration",
        "generator_function" => "generator_function_declaration",
        "class" => "class_declaration",
        _ => return None,
    })
}
