//! Expressions and types whose parts may stand in parentheses: which parentheses stay, and flat chains.

use super::class::Class;
use super::normal::{Child, Field, Normalizer, deep};
use crate::tree::{NodeId, Span};
use std::ops::Range;

impl<'t> Normalizer<'t, '_, '_> {
    /// Writes an operator with its operands, without the parentheses that only group.
    pub(super) fn operation(&mut self, child: Child<'t>, field: Field) {
        match child.class {
            Class::PAREN | Class::CAST => {
                let inner = self.unwrap(child);
                if inner.node == child.node { self.plain(child, field) } else { self.emit(inner, field) }
            }
            Class::BINARY => self.binary(child, field),
            Class::JOINED_TYPE => self.joined(child, field),
            Class::POSTFIX => self.based(child, field, Normalizer::is_chain),
            Class::ASSIGNMENT => self.assignment(child, field),
            Class::ARROW => self.arrow(child, field),
            _ => self.plain(child, field),
        }
    }

    /// A node whose base keeps its parentheses where `keeps` says so of what is in them.
    fn based(&mut self, child: Child<'t>, field: Field, keeps: fn(&mut Self, Child<'t>) -> bool) {
        let parts = self.children(child.node);
        let start = parts.start;
        let node = self.out.open(child.kind, field, child.span());
        self.type_arguments(node, parts.clone());
        for at in parts {
            let part = self.stack[at];
            let inner = if at == start { self.unwrap(part) } else { part };
            if inner.node != part.node && keeps(self, inner) {
                self.parenthesized(part, inner);
            } else {
                self.emit(inner, part.field);
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Notes the type arguments between a callee and its arguments.
    pub(super) fn type_arguments(&mut self, node: NodeId, parts: Range<usize>) {
        let [.., before, last] = self.stack[parts] else { return };
        if last.field != Some("arguments") {
            return;
        }
        let gap = self.source(Span { start: before.span().end, end: last.span().start });
        if let Some(at) = gap.find('<') {
            self.out.write_gone(node, gap[at..].split_whitespace().collect());
        }
    }

    fn parenthesized(&mut self, paren: Child<'t>, inner: Child<'t>) {
        let span = paren.span();
        self.out.open("parenthesized_expression", paren.field, span);
        self.token("(", Span { start: span.start, end: span.start + 1 });
        self.emit(inner, None);
        self.token(")", Span { start: span.end - 1, end: span.end });
        self.out.close();
    }

    /// Whether an expression is a chain of member accesses and calls with a `?.` in it, which ends with its parentheses:
    /// `(a?.b).c` (ECMAScript 13.3.9).
    fn is_chain(&mut self, mut child: Child<'t>) -> bool {
        while child.class == Class::POSTFIX {
            let parts = self.children(child.node);
            let is_optional = self.stack[parts.clone()].iter().any(|part| part.class == Class::OPTIONAL);
            let base = self.stack.get(parts.start).copied();
            self.stack.truncate(parts.start);
            match base {
                _ if is_optional => return true,
                Some(base) => child = base,
                None => break,
            }
        }
        false
    }

    /// An assignment. The parentheses stay round a variable that is assigned a function, which takes its name from a bare
    /// one (ECMAScript 13.15.2).
    fn assignment(&mut self, child: Child<'t>, field: Field) {
        let right = child.node.child_by_field_name("right").map(|right| self.child(right, None));
        let right = right.map(|right| self.unwrap(right));
        let is_nameless = right.is_some_and(|right| match right.class {
            Class::FUNCTION | Class::CLASS => right.node.child_by_field_name("name").is_none(),
            class => class == Class::ARROW,
        });
        if is_nameless {
            self.based(child, field, |_, inner| inner.kind == "identifier");
        } else {
            self.plain(child, field);
        }
    }

    /// An arrow function. A lone parameter gets its parentheses (ECMAScript 15.3; prettier's `arrowParens`).
    fn arrow(&mut self, child: Child<'t>, field: Field) {
        self.out.open(child.kind, field, child.span());
        let parts = self.children(child.node);
        let (start, body) = (parts.start, parts.end - 1);
        for at in start..body {
            let part = self.stack[at];
            if part.field != Some("parameter") {
                self.emit(part, part.field);
                continue;
            }
            let span = part.span();
            self.out.open("formal_parameters", Some("parameters"), span);
            self.token("(", Span { start: span.start, end: span.start });
            self.parameter(Child { field: None, ..part });
            self.token(")", Span { start: span.end, end: span.end });
            self.out.close();
        }
        self.function_parts(body..parts.end);
        self.stack.truncate(start);
        self.out.close();
    }

    /// `a && b && c` in one row: the operators are associative, so how they are grouped means nothing.
    fn binary(&mut self, child: Child<'t>, field: Field) {
        let Some(operator) = logical(child) else { return self.plain(child, field) };
        self.out.open("logical_expression", field, child.span());
        self.out.leaf(operator.kind(), Some("operator"), "", operator.span());
        self.operands(child, operator.kind());
        self.out.close();
    }

    fn operands(&mut self, child: Child<'t>, operator: &'static str) {
        for side in ["left", "right"] {
            let Some(node) = child.node.child_by_field_name(side) else { continue };
            let side = self.child(node, Some("operand"));
            let inner = self.unwrap(side);
            if logical(inner).is_some_and(|inner| inner.kind() == operator) {
                deep(|| self.operands(inner, operator));
            } else {
                self.emit(inner, Some("operand"));
            }
        }
    }

    /// A union or intersection: how its members are grouped means nothing, and a sign before the first one is layout
    /// (prettier sets it by width).
    fn joined(&mut self, child: Child<'t>, field: Field) {
        let members = child.node.named_children().filter(|member| member.kind() != "comment").count();
        if members == 1 {
            let parts = self.children(child.node);
            let only = self.stack[parts.end - 1];
            self.stack.truncate(parts.start);
            return self.emit(only, field);
        }
        self.out.open(child.kind, field, child.span());
        self.members(child, child.kind);
        self.out.close();
    }

    fn members(&mut self, child: Child<'t>, kind: &'static str) {
        let parts = self.children(child.node);
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::TOKEN && matches!(part.kind, "|" | "&") {
                continue;
            }
            let inner = self.unwrap(part);
            if inner.kind == kind { deep(|| self.members(inner, kind)) } else { self.emit(inner, None) }
        }
        self.stack.truncate(start);
    }
}

/// The operator of `&&`, `||` and `??`.
fn logical(child: Child<'_>) -> Option<crate::grammar::Node<'_>> {
    let operator = child.node.child_by_field_name("operator").filter(|_| child.class == Class::BINARY)?;
    matches!(operator.kind(), "&&" | "||" | "??").then_some(operator)
}
