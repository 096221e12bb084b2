//! Lists, parameters and members in the normal form: holes, property names, decorators.

use super::class::Class;
use super::normal::{Child, Field, Normalizer, inside};
use super::text;
use crate::tree::Span;
use std::ops::Range;

impl<'t> Normalizer<'t, '_, '_> {
    /// A member, with the decorators that the class body holds before it.
    pub(super) fn member(&mut self, child: Child<'t>, field: Field, decorators: Range<usize>) {
        if child.class == Class::METHOD {
            self.method(child, field, decorators);
        } else {
            self.keyed(child, field, decorators);
        }
    }

    /// A method, with the decorators that the class body holds before it.
    pub(super) fn method(&mut self, child: Child<'t>, field: Field, decorators: Range<usize>) {
        let from = decorators.clone().next().map_or(child.span().start, |first| self.stack[first].span().start);
        self.out.open(child.kind, field, Span { start: from, end: child.span().end });
        for at in decorators {
            let decorator = self.stack[at];
            self.emit(decorator, Some("decorator"));
        }
        let parts = self.children(child.node);
        self.function_parts(parts);
        self.out.close();
    }

    pub(super) fn class_body(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open("class_body", field, child.span());
        let mut decorators = start..start;
        for at in parts {
            let part = self.stack[at];
            match part.class {
                Class::DECORATOR if decorators.is_empty() => decorators = at..at + 1,
                Class::DECORATOR => decorators.end = at + 1,
                Class::METHOD | Class::KEYED => {
                    self.member(part, None, decorators.clone());
                    decorators = start..start;
                }
                _ => self.emit(part, None),
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Something with a property's name. JavaScript's `field_definition` is TypeScript's `public_field_definition`.
    pub(super) fn keyed(&mut self, child: Child<'t>, field: Field, decorators: Range<usize>) {
        let from = decorators.clone().next().map_or(child.span().start, |first| self.stack[first].span().start);
        let kind = if child.kind == "field_definition" { "public_field_definition" } else { child.kind };
        let node = self.out.open(kind, field, Span { start: from, end: child.span().end });
        if let Some(name) = child.node.child_by_field_name("name").or(child.node.child_by_field_name("property"))
            && self.given.text[..name.start_byte()].trim_end().ends_with("readonly")
        {
            self.out.write_gone(node, "readonly".to_owned());
        }
        for at in decorators {
            let decorator = self.stack[at];
            self.emit(decorator, Some("decorator"));
        }
        let parts = self.children(child.node);
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            match part.field {
                Some("name" | "property") => self.key(part, Some("name")),
                Some("key") => self.key(part, Some("key")),
                _ => self.emit(part, part.field),
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// A property's name: `a`, `'a'` and `"a"` are one (ECMAScript 13.2.5.5), and a number is what it prints as.
    pub(super) fn key(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let raw = self.source(span);
        match child.class {
            Class::STRING => {
                self.out.leaf("property_identifier", field, &text::cook(inside(raw)), span);
            }
            Class::NUMBER => {
                self.out.leaf("property_identifier", field, &text::numeric_key(raw), span);
            }
            _ => self.emit(child, field),
        }
    }

    /// A list. Two commas with nothing between them are a hole (ECMAScript 13.2.4), which makes the array longer.
    pub(super) fn list(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open(child.kind, field, child.span());
        let mut empty = true;
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::COMMA {
                if empty {
                    self.token("hole", Span { start: part.span().start, end: part.span().start });
                }
                empty = true;
            } else {
                empty = at == start;
                self.emit(part, part.field);
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// A decorator. `@(a)` was `@x(a)` to the grammar, with its sign on the place before.
    pub(super) fn decorator(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        if self.source(span).starts_with('@') {
            return self.plain(child, field);
        }
        self.out.open(child.kind, field, Span { start: span.start + 1, ..span });
        self.token("@", Span { start: span.start + 1, end: span.start + 2 });
        let call = child.node.named_children().last();
        if let Some(list) = call.and_then(|call| call.child_by_field_name("arguments")) {
            let parts = self.children(list);
            let inner = self.stack[parts.clone()].iter().rfind(|part| part.class != Class::TOKEN).copied();
            self.stack.truncate(parts.start);
            if let Some(inner) = inner {
                let inner = self.unwrap(inner);
                self.emit(inner, None);
            }
        }
        self.out.close();
    }

    /// Parameters have TypeScript's shape in JavaScript too.
    pub(super) fn parameters(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open("formal_parameters", field, child.span());
        for at in parts {
            let part = self.stack[at];
            let done = matches!(part.class, Class::TOKEN | Class::COMMA)
                || matches!(part.kind, "required_parameter" | "optional_parameter");
            if done { self.emit(part, part.field) } else { self.parameter(part) }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// One parameter that is only a pattern, with or without its default.
    pub(super) fn parameter(&mut self, child: Child<'t>) {
        self.out.open("required_parameter", None, child.span());
        if child.kind == "assignment_pattern" {
            let parts = self.children(child.node);
            let start = parts.start;
            for at in parts {
                let part = self.stack[at];
                let field = match part.field {
                    Some("left") => Some("pattern"),
                    Some("right") => Some("value"),
                    other => other,
                };
                self.emit(part, field);
            }
            self.stack.truncate(start);
        } else {
            self.emit(child, Some("pattern"));
        }
        self.out.close();
    }
}
