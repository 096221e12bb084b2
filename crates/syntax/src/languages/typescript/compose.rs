//! Regrouped expressions into the normal tree: roles, flat chains, and the parentheses that stay.

use super::class::Class;
use super::normal::{Child, Field, Normalizer, deep};
use super::regroup::{CAST_MEMBER, Chain, Expr, ExprId};
use crate::tree::Span;
use std::ops::Range;

impl<'t> Normalizer<'t, '_, '_> {
    pub(super) fn write(&mut self, id: ExprId, field: Field) {
        deep(|| match self.exprs[id].clone() {
            Expr::Leaf(child) => self.write_leaf(child, field),
            Expr::Group(inner, _) => self.write(inner, field),
            Expr::Node { kind, left, parts, right, tail, span, .. } => {
                if kind == "binary_expression" && self.logical(&parts).is_some() {
                    return self.write_logical(id, field);
                }
                if matches!(kind, "union_type" | "intersection_type") {
                    self.out.open(kind, field, span);
                    self.write_members(id, kind);
                    return self.out.close();
                }
                if kind == CAST_MEMBER {
                    return self.write_cast(id, field);
                }
                let (first, last) = fields(kind);
                self.out.open(kind, field, span);
                if let Some(left) = left {
                    self.write_base(kind, left, first, right);
                }
                if kind == "arrow_function" {
                    self.arrow_head(parts);
                } else {
                    self.write_parts(parts);
                }
                if let Some(right) = right {
                    self.write(right, last);
                }
                if kind == "new_expression" && tail.is_empty() {
                    self.no_arguments(span);
                }
                self.write_parts(tail);
                self.out.close();
            }
        });
    }

    /// A whole node; one of an operator's class has its operators inside (a block-bodied arrow) and is written here.
    fn write_leaf(&mut self, child: Child<'t>, field: Field) {
        match child.class {
            Class::ARROW => {
                self.out.open(child.kind, field, child.span());
                let parts = self.children(child.node);
                let body = parts.end - 1;
                self.arrow_head(parts.start..body);
                let start = parts.start;
                self.function_parts(body..parts.end);
                self.stack.truncate(start);
                self.out.close();
            }
            class if class.is_operation() || matches!(class, Class::PAREN | Class::PAREN_TYPE) => {
                self.plain(child, field)
            }
            _ => self.emit(child, field),
        }
    }

    /// Everything of an arrow function before its body. A lone parameter gets its parentheses (ECMAScript 15.3; prettier's
    /// `arrowParens`).
    fn arrow_head(&mut self, parts: Range<usize>) {
        for at in parts {
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
    }

    fn write_parts(&mut self, parts: Range<usize>) {
        for at in parts {
            let part = self.stack[at];
            self.emit(part, part.field);
        }
    }

    /// The left operand. Its parentheses stay round an optional chain that would else go on (`(a?.b).c`, ECMAScript
    /// 13.3.9), and round a variable that is assigned a function, which takes its name from a bare one (13.15.2).
    fn write_base(&mut self, kind: &'static str, left: ExprId, field: Field, right: Option<ExprId>) {
        let Expr::Group(inner, paren) = self.exprs[left].clone() else { return self.write(left, field) };
        let mut innermost = inner;
        while let Expr::Group(inner, _) = self.exprs[innermost] {
            innermost = inner;
        }
        let chain = matches!(self.exprs[innermost], Expr::Node { chain: Chain::Optional, .. });
        let keeps = match kind {
            "member_expression"
            | "subscript_expression"
            | "call_expression"
            | "non_null_expression"
            | "instantiation_expression" => chain,
            "assignment_expression" | "augmented_assignment_expression" => {
                matches!(self.exprs[innermost], Expr::Leaf(leaf) if leaf.kind == "identifier")
                    && right.is_some_and(|right| self.is_nameless(right))
            }
            _ => false,
        };
        if keeps {
            let span = paren.span();
            self.out.open("parenthesized_expression", field, span);
            self.token("(", Span { start: span.start, end: span.start + 1 });
            self.write(innermost, None);
            self.token(")", Span { start: span.end - 1, end: span.end });
            self.out.close();
        } else {
            self.write(innermost, field);
        }
    }

    /// Whether an expression is a function or class without a name of its own.
    fn is_nameless(&self, mut id: ExprId) -> bool {
        while let Expr::Group(inner, _) = self.exprs[id] {
            id = inner;
        }
        match &self.exprs[id] {
            Expr::Leaf(leaf) => match leaf.class {
                Class::FUNCTION | Class::CLASS => leaf.node.child_by_field_name("name").is_none(),
                class => class == Class::ARROW,
            },
            Expr::Node { kind, .. } => *kind == "arrow_function",
            Expr::Group(..) => false,
        }
    }

    /// The members of a union or intersection in one row: how they are grouped means nothing.
    fn write_members(&mut self, id: ExprId, joined: &'static str) {
        let mut inner = id;
        while let Expr::Group(below, _) = self.exprs[inner] {
            inner = below;
        }
        if let Expr::Node { kind, left: Some(left), right: Some(right), .. } = self.exprs[inner].clone()
            && kind == joined
        {
            deep(|| self.write_members(left, joined));
            deep(|| self.write_members(right, joined));
            return;
        }
        self.write(inner, None);
    }

    fn logical(&self, parts: &Range<usize>) -> Option<&'static str> {
        self.stack[parts.clone()]
            .first()
            .map(|operator| operator.kind)
            .filter(|kind| matches!(*kind, "&&" | "||" | "??"))
    }

    /// `a && b && c` in one row: the operators are associative, so how they are grouped means nothing.
    fn write_logical(&mut self, id: ExprId, field: Field) {
        let Expr::Node { parts, span, .. } = self.exprs[id].clone() else { return };
        let Some(operator) = self.logical(&parts) else { return };
        self.out.open("logical_expression", field, span);
        let at = self.stack[parts.start].span();
        self.out.leaf(operator, Some("operator"), "", at);
        self.write_operands(id, operator);
        self.out.close();
    }

    fn write_operands(&mut self, id: ExprId, operator: &'static str) {
        let mut inner = id;
        while let Expr::Group(below, _) = self.exprs[inner] {
            inner = below;
        }
        if let Expr::Node { kind: "binary_expression", left: Some(left), parts, right: Some(right), .. } =
            self.exprs[inner].clone()
            && self.logical(&parts) == Some(operator)
        {
            deep(|| self.write_operands(left, operator));
            deep(|| self.write_operands(right, operator));
            return;
        }
        self.write(inner, Some("operand"));
    }
}

/// The roles of the operands of a kind of expression, as the grammar names them.
fn fields(kind: &str) -> (Field, Field) {
    match kind {
        "binary_expression" | "assignment_expression" | "augmented_assignment_expression" => {
            (Some("left"), Some("right"))
        }
        "unary_expression" | "update_expression" => (Some("argument"), Some("argument")),
        "ternary_expression" => (Some("condition"), Some("alternative")),
        "member_expression" | "subscript_expression" => (Some("object"), None),
        "call_expression" => (Some("function"), None),
        "conditional_type" => (Some("left"), None),
        "new_expression" => (None, Some("constructor")),
        "function_type" => (None, Some("return_type")),
        "constructor_type" => (None, Some("type")),
        "arrow_function" => (None, Some("body")),
        _ => (None, None),
    }
}
