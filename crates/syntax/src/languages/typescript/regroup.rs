//! Expressions by the language's own precedence.
//!
//! tree-sitter-typescript groups `await x as T`, `a || b as T`, `q + a!.b`, `await f<T>(x)` and more of that kind wrongly,
//! without an error. So an expression is taken apart into its operands and operators, in source order, and put together
//! again by the precedence of ECMAScript 13 (TypeScript's `as` and `satisfies` bind like `<`).

use super::class::Class;
use super::normal::{Child, Field, Normalizer, deep};
use crate::tree::Span;
use std::ops::Range;

/// An expression's index in the arena.
pub(super) type ExprId = usize;

/// What stands in the flattened expression.
#[derive(Clone)]
pub(super) enum Token {
    /// A whole expression.
    Operand(ExprId),
    /// Stands before its operand: its node kind, its own children, how strongly it binds.
    Prefix { kind: &'static str, parts: Range<usize>, binds: u8 },
    /// `new` and its constructor, whose arguments (if it has any) are still to come.
    New(usize),
    /// Stands behind its operand.
    Postfix { kind: &'static str, parts: Range<usize>, binds: u8 },
    /// Stands between two operands.
    Infix { kind: &'static str, parts: Range<usize>, binds: u8, side: Side },
}

/// Which of two equal operators takes the operand between them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// An expression put together.
#[derive(Clone)]
pub(super) enum Expr<'t> {
    /// A node that holds no operator at its edges.
    Leaf(Child<'t>),
    /// An expression in parentheses.
    Group(ExprId, Child<'t>),
    /// An operator with its own tokens and one or two operands. Only `new` has tokens behind its operand, its arguments.
    Node {
        tail: Range<usize>,
        kind: &'static str,
        left: Option<ExprId>,
        parts: Range<usize>,
        right: Option<ExprId>,
        chain: Chain,
        span: Span,
    },
}

/// Whether an expression is a chain of member accesses and calls with a `?.` in it, which ends with its parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    Optional,
    Plain,
}

/// What stands behind `x as A.B` without parentheses: more of the type, which the grammar reads too short.
pub(super) const CAST_MEMBER: &str = "cast_member";

const ASSIGN: u8 = 1;
const TERNARY: u8 = 2;
const RELATION: u8 = 10;
const UNARY: u8 = 15;
const UPDATE: u8 = 16;
const MEMBER: u8 = 18;

/// How strongly a binary operator binds (ECMAScript 13.6 to 13.14).
fn binary(operator: &str) -> u8 {
    match operator {
        "??" => 3,
        "||" => 4,
        "&&" => 5,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" | "===" | "!==" => 9,
        "<<" | ">>" | ">>>" => 11,
        "+" | "-" => 12,
        "*" | "/" | "%" => 13,
        "**" => 14,
        _ => RELATION,
    }
}

impl<'t> Normalizer<'t, '_, '_> {
    /// Writes an expression whose root is an operator or a parenthesis.
    pub(super) fn operation(&mut self, child: Child<'t>, field: Field) {
        let (stack, tokens, exprs) = (self.stack.len(), self.tokens.len(), self.exprs.len());
        let root = self.build(child);
        self.write(root, field);
        self.stack.truncate(stack);
        self.tokens.truncate(tokens);
        self.exprs.truncate(exprs);
    }

    fn add(&mut self, expr: Expr<'t>) -> ExprId {
        self.exprs.push(expr);
        self.exprs.len() - 1
    }

    /// Takes the expression apart and puts it together.
    fn build(&mut self, child: Child<'t>) -> ExprId {
        deep(|| {
            let start = self.tokens.len();
            self.flatten(child);
            let mut at = start;
            let mut root = self.parse(&mut at, 0);
            // Nothing is left over in code that means anything; were it so, it must not be lost.
            while at < self.tokens.len() {
                let rest = self.parse(&mut at, 0);
                let span = self.extent(Some(root), &(0..0), Some(rest));
                let (left, right) = (Some(root), Some(rest));
                root = self.add(Expr::Node {
                    kind: "ERROR",
                    left,
                    parts: 0..0,
                    right,
                    tail: 0..0,
                    chain: Chain::Plain,
                    span,
                });
            }
            self.tokens.truncate(start);
            root
        })
    }

    /// Appends the tokens of an expression in source order.
    fn flatten(&mut self, child: Child<'t>) {
        match child.class {
            class if class.is_operation() => deep(|| self.flatten_operation(child)),
            Class::PAREN | Class::PAREN_TYPE => {
                let operand = self.group(child);
                self.tokens.push(Token::Operand(operand));
            }
            Class::NEW if child.node.child_count() == 2 => {
                let parts = self.children(child.node);
                let constructor = self.stack[parts.end - 1];
                self.tokens.push(Token::New(parts.start));
                self.flatten(constructor);
            }
            _ => {
                let operand = self.add(Expr::Leaf(child));
                self.tokens.push(Token::Operand(operand));
            }
        }
    }

    /// A parenthesis: its inside is an expression of its own. One with a type in it (`(x: T)`) is a leaf.
    fn group(&mut self, child: Child<'t>) -> ExprId {
        let parts = self.children(child.node);
        let inner = self.stack[parts.clone()].get(1).copied();
        let plain = parts.len() == 3;
        self.stack.truncate(parts.start);
        match inner {
            Some(inner) if plain => {
                let inner = self.build(inner);
                self.add(Expr::Group(inner, child))
            }
            _ => self.add(Expr::Leaf(child)),
        }
    }

    fn flatten_operation(&mut self, child: Child<'t>) {
        let parts = self.children(child.node);
        let (start, end) = (parts.start, parts.end);
        let kind = child.kind;
        if parts.len() < 2 && child.class != Class::YIELD {
            let operand = self.add(Expr::Leaf(child));
            self.tokens.push(Token::Operand(operand));
            return;
        }
        match child.class {
            Class::BINARY => self.infix(kind, parts, binary, Side::Left),
            Class::CAST => self.postfix(kind, parts, RELATION),
            Class::POSTFIX if self.is_awaited_list(&parts) => self.awaited_list(parts),
            Class::POSTFIX => self.postfix(kind, parts, MEMBER),
            Class::UPDATE if self.stack[start].class != Class::TOKEN => self.postfix(kind, parts, UPDATE),
            Class::UPDATE | Class::UNARY => self.prefix(kind, start..end - 1, end - 1, UNARY),
            Class::TERNARY => self.infix(kind, parts, |_| TERNARY, Side::Right),
            Class::ASSIGNMENT if self.stack[start].class != Class::TOKEN => {
                self.infix(kind, parts, |_| ASSIGN, Side::Right);
            }
            Class::JOINED_TYPE if self.stack[start].class == Class::TOKEN && parts.len() == 2 => {
                // A sign before the first member is layout.
                let only = self.stack[end - 1];
                self.flatten(only);
            }
            Class::JOINED_TYPE => self.infix(kind, parts, binary, Side::Left),
            Class::PREFIX_TYPE => {
                let binds = if kind == "readonly_type" { UNARY } else { ASSIGN };
                self.prefix(kind, start..end - 1, end - 1, binds);
            }
            Class::YIELD if self.stack[end - 1].class != Class::TOKEN => {
                self.prefix(kind, start..end - 1, end - 1, ASSIGN);
            }
            Class::ARROW if self.stack[end - 1].class != Class::BLOCK => {
                self.prefix(kind, start..end - 1, end - 1, ASSIGN);
            }
            _ => {
                let operand = self.add(Expr::Leaf(child));
                self.tokens.push(Token::Operand(operand));
            }
        }
    }

    /// `await (a, b)`, which the JavaScript grammar reads as a call of something named `await`. Only old scripts can have
    /// such a name, and where they do, one shape for both is still one shape.
    fn is_awaited_list(&self, parts: &Range<usize>) -> bool {
        let (first, last) = (self.stack[parts.start], self.stack[parts.end - 1]);
        parts.len() == 2
            && first.kind == "identifier"
            && last.kind == "arguments"
            && self.source(first.span()) == "await"
    }

    fn awaited_list(&mut self, parts: Range<usize>) {
        let word = &mut self.stack[parts.start];
        *word = Child { kind: "await", class: Class::TOKEN, ..*word };
        let list = &mut self.stack[parts.end - 1];
        *list = Child { kind: "sequence_expression", class: Class::SEQUENCE, ..*list };
        self.prefix("await_expression", parts.start..parts.start + 1, parts.end - 1, UNARY);
    }

    fn prefix(&mut self, kind: &'static str, parts: Range<usize>, operand: usize, binds: u8) {
        self.tokens.push(Token::Prefix { kind, parts, binds });
        let operand = self.stack[operand];
        self.flatten(operand);
    }

    fn postfix(&mut self, kind: &'static str, parts: Range<usize>, binds: u8) {
        let operand = self.stack[parts.start];
        self.flatten(operand);
        self.tokens.push(Token::Postfix { kind, parts: parts.start + 1..parts.end, binds });
    }

    fn infix(&mut self, kind: &'static str, parts: Range<usize>, binds: fn(&str) -> u8, side: Side) {
        let (first, last) = (self.stack[parts.start], self.stack[parts.end - 1]);
        let between = parts.start + 1..parts.end - 1;
        let operator = self.stack[between.start].kind;
        let side = if operator == "**" { Side::Right } else { side };
        self.flatten(first);
        self.tokens.push(Token::Infix { kind, parts: between, binds: binds(operator), side });
        self.flatten(last);
    }

    /// Precedence climbing over the tokens from `at` on.
    fn parse(&mut self, at: &mut usize, least: u8) -> ExprId {
        deep(|| {
            let mut left = self.parse_operand(at);
            while *at < self.tokens.len() {
                match self.tokens[*at].clone() {
                    Token::Postfix { kind, parts, binds } if binds >= least => {
                        *at += 1;
                        let longer = matches!(kind, "member_expression" | "instantiation_expression");
                        let kind = if longer && self.is_cast(left) { CAST_MEMBER } else { kind };
                        left = self.node(kind, Some(left), parts, None);
                    }
                    Token::Infix { kind, parts, binds, side } if binds >= least || self.is_target(left, binds) => {
                        *at += 1;
                        let right = self.parse(at, if side == Side::Left { binds + 1 } else { binds });
                        left = self.node(kind, Some(left), parts, Some(right));
                    }
                    _ => break,
                }
            }
            left
        })
    }

    fn is_cast(&self, id: ExprId) -> bool {
        matches!(self.exprs[id], Expr::Node { kind: "as_expression" | "satisfies_expression" | CAST_MEMBER, .. })
    }

    /// An assignment's left side is a variable or member, so the operator in front of it cannot take it away:
    /// `a ? b : c = d`.
    fn is_target(&self, left: ExprId, binds: u8) -> bool {
        binds == ASSIGN
            && match &self.exprs[left] {
                Expr::Leaf(_) | Expr::Group(..) => true,
                Expr::Node { kind, .. } => {
                    matches!(*kind, "member_expression" | "subscript_expression" | "non_null_expression")
                }
            }
    }

    fn parse_operand(&mut self, at: &mut usize) -> ExprId {
        let token = self.tokens[*at].clone();
        *at += 1;
        match token {
            Token::Operand(operand) => operand,
            Token::Prefix { kind, parts, binds } => {
                let right = self.parse(at, binds);
                self.node(kind, None, parts, Some(right))
            }
            Token::New(word) => self.parse_new(at, word),
            Token::Postfix { kind, parts, .. } | Token::Infix { kind, parts, .. } => self.node(kind, None, parts, None),
        }
    }

    /// `new` takes members and `!` up to the first arguments, which are its own (ECMAScript 13.3.5); the grammar reads
    /// `new A!(b)` as a call of `(new A)!`.
    fn parse_new(&mut self, at: &mut usize, word: usize) -> ExprId {
        let mut constructor = self.parse_operand(at);
        let mut tail = 0..0;
        while let Some(Token::Postfix { kind, parts, binds: MEMBER }) = self.tokens.get(*at).cloned() {
            let chained = self.stack[parts.clone()].iter().any(|part| part.class == Class::OPTIONAL);
            if chained {
                break;
            }
            *at += 1;
            if self.stack[parts.clone()].last().is_some_and(|last| last.kind == "arguments") {
                tail = parts;
                break;
            }
            constructor = self.node(kind, Some(constructor), parts, None);
        }
        let mut span = self.extent(None, &(word..word + 1), Some(constructor));
        if let Some(last) = self.stack[tail.clone()].last() {
            span.end = last.span().end;
        }
        let (parts, right) = (word..word + 1, Some(constructor));
        self.add(Expr::Node { kind: "new_expression", left: None, parts, right, tail, chain: Chain::Plain, span })
    }

    fn node(&mut self, kind: &'static str, left: Option<ExprId>, parts: Range<usize>, right: Option<ExprId>) -> ExprId {
        let own = self.stack[parts.clone()].iter().any(|part| part.class == Class::OPTIONAL);
        let below = left.is_some_and(|left| matches!(self.exprs[left], Expr::Node { chain: Chain::Optional, .. }));
        let postfix = right.is_none() && kind != "as_expression" && kind != "satisfies_expression";
        let chain = if postfix && (own || below) { Chain::Optional } else { Chain::Plain };
        let span = self.extent(left, &parts, right);
        self.add(Expr::Node { kind, left, parts, right, tail: 0..0, chain, span })
    }

    fn extent(&self, left: Option<ExprId>, parts: &Range<usize>, right: Option<ExprId>) -> Span {
        let first = self.stack[parts.clone()].first().map(Child::span);
        let last = self.stack[parts.clone()].last().map(Child::span);
        let left = left.map(|id| self.span(id));
        let right = right.map(|id| self.span(id));
        let start = left.or(first).or(right).map_or(0, |span| span.start);
        let end = right.or(last).or(left).map_or(0, |span| span.end);
        Span { start, end }
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        match &self.exprs[id] {
            Expr::Leaf(child) | Expr::Group(_, child) => child.span(),
            Expr::Node { span, .. } => *span,
        }
    }

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

    /// Everything of an arrow function before its body. A lone parameter gets its parentheses.
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
        "new_expression" => (None, Some("constructor")),
        "function_type" => (None, Some("return_type")),
        "constructor_type" => (None, Some("type")),
        "arrow_function" => (None, Some("body")),
        _ => (None, None),
    }
}
