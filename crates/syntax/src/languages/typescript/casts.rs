//! The type of a cast that the grammar ends too early: of `x as A.B.C` it reads `(x as A.B).C`. Nothing can stand directly
//! behind a type, so what does belongs to it.

use super::class::Class;
use super::normal::{Child, Field, Normalizer};
use super::regroup::{CAST_MEMBER, Expr, ExprId};
use crate::tree::Span;
use std::ops::Range;

/// The grammar's names of built-in types.
const PREDEFINED: [&str; 9] = ["any", "boolean", "never", "number", "object", "string", "symbol", "unknown", "void"];

/// Whether an index that the grammar read as an expression can be written as the type that it is.
pub(super) fn is_index(kind: &str) -> bool {
    matches!(kind, "string" | "number" | "true" | "false" | "null" | "undefined" | "identifier")
}

impl<'t> Normalizer<'t, '_, '_> {
    /// Writes a cast and the rest of its type.
    pub(super) fn write_cast(&mut self, id: ExprId, field: Field) {
        let mut rest = Vec::new();
        let mut cast = id;
        while let Expr::Node { kind: CAST_MEMBER, left: Some(left), parts, .. } = self.exprs[cast].clone() {
            rest.push(parts);
            cast = left;
        }
        rest.reverse();
        let end = self.span(id).end;
        let Expr::Node { kind, left: Some(left), parts, span, .. } = self.exprs[cast].clone() else { return };
        self.out.open(kind, field, Span { end, ..span });
        self.write(left, None);
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::TOKEN { self.emit(part, part.field) } else { self.longer_type(part, &rest, None) }
        }
        self.out.close();
    }

    /// A type name with more of it behind: members, type arguments.
    fn longer_type(&mut self, first: Child<'t>, rest: &[Range<usize>], field: Field) {
        let Some((last, before)) = rest.split_last() else { return self.emit(first, field) };
        let parts: Vec<Child<'t>> = self.stack[last.clone()].to_vec();
        let span =
            Span { start: first.span().start, end: parts.last().map_or(first.span().end, |part| part.span().end) };
        match parts[..] {
            [dot, name] if dot.kind == "." => {
                self.out.open("nested_type_identifier", field, span);
                self.module(first, before, "nested_identifier", Some("module"));
                self.emit(dot, None);
                self.emit(Child { kind: "type_identifier", ..name }, Some("name"));
                self.out.close();
            }
            [open, index, close] if open.kind == "[" => {
                self.out.open("lookup_type", field, span);
                self.longer_type(first, before, None);
                self.emit(open, None);
                self.index_type(index);
                self.emit(close, None);
                self.out.close();
            }
            _ => {
                self.out.open("generic_type", field, span);
                self.longer_type(first, before, Some("name"));
                parts.iter().for_each(|&part| self.emit(part, part.field));
                self.out.close();
            }
        }
    }

    /// The type between brackets, which the grammar read as an expression.
    fn index_type(&mut self, index: Child<'t>) {
        if index.kind == "identifier" {
            let built_in = PREDEFINED.contains(&self.source(index.span()));
            let kind = if built_in { "predefined_type" } else { "type_identifier" };
            return self.emit(Child { kind, field: None, ..index }, None);
        }
        self.out.open("literal_type", None, index.span());
        self.emit(Child { field: None, ..index }, None);
        self.out.close();
    }

    /// The same as the module that a name stands in.
    fn module(&mut self, first: Child<'t>, rest: &[Range<usize>], kind: &'static str, field: Field) {
        let span = Span { start: first.span().start, ..first.span() };
        let Some((last, before)) = rest.split_last() else {
            if first.kind != "nested_type_identifier" {
                return self.emit(Child { kind: "identifier", ..first }, field);
            }
            let parts = self.children(first.node);
            self.out.open(kind, field, span);
            for at in parts.clone() {
                let part = self.stack[at];
                match part.field {
                    Some("module") if part.kind == "nested_identifier" => {
                        self.emit(Child { kind: "member_expression", class: Class::PLAIN, ..part }, Some("object"));
                    }
                    Some("module") => self.emit(part, Some("object")),
                    Some("name") => self.emit(Child { kind: "property_identifier", ..part }, Some("property")),
                    _ => self.emit(part, None),
                }
            }
            self.stack.truncate(parts.start);
            return self.out.close();
        };
        let parts: Vec<Child<'t>> = self.stack[last.clone()].to_vec();
        self.out.open(kind, field, span);
        self.module(first, before, "member_expression", Some("object"));
        parts.iter().for_each(|&part| self.emit(part, part.field));
        self.out.close();
    }
}
