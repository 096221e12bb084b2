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
            Class::NEW if child.node.children().count() == 2 => {
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
                // A sign before the first member is layout (prettier sets it by width).
                let only = self.stack[end - 1];
                self.flatten(only);
            }
            Class::JOINED_TYPE => self.infix(kind, parts, binary, Side::Left),
            // `readonly A[] extends B ? C : D`, where the grammar has `readonly` outside of it all.
            Class::CONDITIONAL_TYPE => self.postfix(kind, parts, ASSIGN),
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
                        let longer =
                            matches!(kind, "member_expression" | "instantiation_expression" | "subscript_expression");
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
}
