//! Statements and functions in the normal form: braces around single statements, directives, `export`.

use super::class::Class;
use super::normal::{Child, Field, Normalizer, declared, deep, inside};
use crate::grammar::Node;
use crate::tree::Span;
use std::ops::Range;

/// What a block's first statements may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prologue {
    /// Strings at the start are directives (ECMAScript 11.2.1).
    Directives,
    /// They are only strings.
    Strings,
}

impl<'t> Normalizer<'t, '_, '_> {
    /// Statements that hold a statement: formatters put braces around a single one (dprint's `useBraces`), so there are
    /// always braces. No declaration can stand there (ECMAScript 14.6), so no scope is lost or made.
    pub(super) fn bodied(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open(child.kind, field, child.span());
        for at in parts {
            let part = self.stack[at];
            let body = matches!(part.field, Some("body" | "consequence"))
                || (child.kind == "else_clause" && part.class != Class::TOKEN);
            if body { self.braced(part) } else { self.emit(part, part.field) }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    pub(super) fn braced(&mut self, child: Child<'t>) {
        if child.class == Class::BLOCK {
            return self.emit(child, child.field);
        }
        let span = child.span();
        let is_empty = is_empty_block(child.node);
        self.out.open("statement_block", child.field, span);
        self.token("{", Span { start: span.start, end: span.start });
        if !is_empty {
            self.emit(child, None);
        }
        self.token("}", Span { start: span.end, end: span.end });
        self.out.close();
    }

    pub(super) fn block(&mut self, child: Child<'t>, field: Field, prologue: Prologue) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open(child.kind, field, child.span());
        let mut directives = prologue == Prologue::Directives;
        for at in parts {
            let part = self.stack[at];
            let statement = !matches!(part.class, Class::TOKEN | Class::TEXT);
            if directives && statement {
                directives = self.directive(part);
                if directives {
                    continue;
                }
            }
            self.emit(part, part.field);
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Writes a directive, whose raw text decides what it means (ECMAScript 11.2.1); a string in parentheses is none.
    pub(super) fn directive(&mut self, statement: Child<'t>) -> bool {
        if statement.kind != "expression_statement" {
            return false;
        }
        let parts = self.children(statement.node);
        let only = (parts.len() == 1).then(|| self.stack[parts.start]);
        self.stack.truncate(parts.start);
        let Some(string) = only.filter(|only| only.class == Class::STRING) else { return false };
        self.out.open("expression_statement", statement.field, statement.span());
        self.out.leaf("directive", None, inside(self.source(string.span())), string.span());
        self.out.close();
        true
    }

    pub(super) fn function(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        self.out.open(child.kind, field, child.span());
        self.function_parts(parts);
        self.out.close();
    }

    /// The parts of a function: its body may start with directives.
    pub(super) fn function_parts(&mut self, parts: Range<usize>) {
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            match (part.class, part.field) {
                (Class::BLOCK, Some("body")) => deep(|| self.block(part, part.field, Prologue::Directives)),
                (_, Some("name")) if part.class != Class::PLAIN => self.key(part, Some("name")),
                _ => self.emit(part, part.field),
            }
        }
        self.stack.truncate(start);
    }

    /// `export default function () {}` is a declaration, `export default (function () {})` an expression (ECMAScript
    /// 16.2.3): there the parentheses stay.
    pub(super) fn export(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open(child.kind, field, child.span());
        for at in parts {
            let part = self.stack[at];
            let inner = self.unwrap(part);
            if part.class == Class::PAREN && matches!(inner.class, Class::FUNCTION | Class::CLASS) {
                self.out.open("parenthesized_expression", part.field, part.span());
                self.emit(inner, None);
                self.out.close();
            } else {
                self.emit(part, part.field);
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }
}

/// Whether a statement is `{}`, which the grammar takes for an object behind a label.
pub(super) fn is_empty_block(statement: Node<'_>) -> bool {
    let only = statement.child(0).filter(|_| statement.kind() == "expression_statement");
    only.is_some_and(|only| only.kind() == "object" && only.named_children().next().is_none())
}

/// Items: what belongs to one beside its own node.
impl<'t> Normalizer<'t, '_, '_> {
    /// Writes an item's node. One declarator stands in its declaration alone, and a method has its decorators.
    pub(super) fn item(&mut self, node: Node<'t>, field: Field) {
        let child = self.child(node, field);
        match child.kind {
            "variable_declarator" => self.declarator(child, node.parent()),
            "method_definition" | "public_field_definition" | "field_definition" => {
                let start = self.stack.len();
                let mut before = node.prev_sibling();
                while let Some(sibling) = before {
                    let sibling = self.child(sibling, Some("decorator"));
                    match sibling.class {
                        Class::DECORATOR => self.stack.push(sibling),
                        Class::COMMENT => {}
                        _ => break,
                    }
                    before = sibling.node.prev_sibling();
                }
                self.stack[start..].reverse();
                self.member(child, field, start..self.stack.len());
                self.stack.truncate(start);
            }
            _ => self.emit(child, field),
        }
    }

    /// `const a = 1, b = 2`: the wrappers of the declaration, their keywords, and this declarator.
    fn declarator(&mut self, declarator: Child<'t>, around: Option<Node<'t>>) {
        let wraps = |kind: &str| kind.ends_with("_declaration") || kind == "export_statement";
        let around = around.map(|node| self.child(node, None)).filter(|child| wraps(child.kind));
        let Some(around) = around else { return self.emit(declarator, declarator.field) };
        let depth = self.wrapper(around);
        self.emit(declarator, None);
        for _ in 0..depth {
            self.out.close();
        }
    }

    /// Opens the wrappers from the outside in; gives how many.
    fn wrapper(&mut self, child: Child<'t>) -> usize {
        let above = child.node.parent().map(|node| self.child(node, None));
        let above = above.filter(|above| matches!(above.kind, "export_statement" | "ambient_declaration"));
        let depth = above.map_or(0, |above| self.wrapper(above));
        let field = above.filter(|above| above.kind == "export_statement").map(|_| "declaration");
        let kind =
            if child.class == Class::VARIABLES { declared(child.kind, self.source(child.span())) } else { child.kind };
        self.out.open(kind, field, child.span());
        let parts = self.children(child.node);
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::TOKEN {
                self.emit(part, part.field);
            }
        }
        self.stack.truncate(start);
        depth + 1
    }
}
