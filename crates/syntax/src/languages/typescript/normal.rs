//! Grammar nodes to the normal form. One method a class of node; everything that no rule names is written as it stands,
//! token by token, so that nothing is left out by accident.
//!
//! Left out on purpose: comments (never meaning), `;` and `,` (the nodes say where they were; a hole in a list becomes a
//! node of its own), and parentheses, whose work the tree's shape does.

use super::class::Class;
use super::regroup::{Expr, Token};
use super::text;
use crate::languages::Given;
use crate::source::span_of;
use crate::tree::{Span, TreeBuilder};
use std::ops::Range;
use tree_sitter::{Node, TreeCursor};

pub(super) type Field = Option<&'static str>;

/// A grammar node as its parent sees it.
#[derive(Clone, Copy)]
pub(super) struct Child<'t> {
    pub(super) node: Node<'t>,
    pub(super) kind: &'static str,
    pub(super) class: Class,
    pub(super) field: Field,
}

impl Child<'_> {
    pub(super) fn span(&self) -> Span {
        span_of(self.node)
    }
}

/// What a block's first statements may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prologue {
    /// Strings at the start are directives (ECMAScript 11.2.1).
    Directives,
    /// They are only strings.
    None,
}

/// Writes one normal tree. The vectors are arenas: each method leaves them as long as it found them.
pub(super) struct Normalizer<'t, 's, 'o> {
    pub(super) given: Given<'s>,
    pub(super) out: &'o mut TreeBuilder,
    pub(super) stack: Vec<Child<'t>>,
    pub(super) tokens: Vec<Token>,
    pub(super) exprs: Vec<Expr<'t>>,
    classes: &'s [u8],
    cursor: TreeCursor<'t>,
}

/// Stack left before more of it is taken, and how much is taken.
pub(super) fn deep<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, run)
}

impl<'t, 's, 'o> Normalizer<'t, 's, 'o> {
    pub(super) fn new(given: Given<'s>, node: Node<'t>, out: &'o mut TreeBuilder) -> Self {
        let classes = given.names.classes(Class::of);
        let (stack, tokens, exprs) = (Vec::new(), Vec::new(), Vec::new());
        Normalizer { given, out, stack, tokens, exprs, classes, cursor: node.walk() }
    }

    /// A node seen by itself.
    pub(super) fn child(&self, node: Node<'t>, field: Field) -> Child<'t> {
        let class = self.classes.get(node.kind_id() as usize).map_or(Class::PLAIN, |&class| Class(class));
        Child { node, kind: self.given.names.kind(node), class, field }
    }

    pub(super) fn source(&self, span: Span) -> &'s str {
        &self.given.text[span.range()]
    }

    /// Puts the node's children, but for comments and `;`, on the stack.
    pub(super) fn children(&mut self, node: Node<'t>) -> Range<usize> {
        let start = self.stack.len();
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let child = self.child(self.cursor.node(), None);
                if child.class != Class::COMMENT && child.class != Class::SEMICOLON {
                    let field = self.given.names.field(self.cursor.field_id());
                    self.stack.push(Child { field, ..child });
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        start..self.stack.len()
    }

    pub(super) fn token(&mut self, kind: &'static str, span: Span) {
        self.out.leaf(kind, None, "", span);
    }

    /// Writes a node in the given role.
    pub(super) fn emit(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        match child.class {
            Class::TOKEN => {
                self.out.leaf(child.kind, field, "", span);
            }
            Class::TEXT => self.text(child, field),
            Class::COMMENT | Class::COMMA | Class::SEMICOLON | Class::EMPTY => {}
            Class::OPTIONAL => {
                self.out.leaf("optional_chain", Some("optional_chain"), "", span);
            }
            Class::STRING => {
                let raw = self.source(span);
                self.out.leaf("string", field, &text::cook(inside(raw)), span);
            }
            Class::NUMBER => {
                self.out.leaf("number", field, &text::number(self.source(span)), span);
            }
            Class::REGEX => {
                self.out.leaf("regex", field, &text::regex(self.source(span)), span);
            }
            _ => deep(|| self.inner(child, field)),
        }
    }

    fn text(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let raw = self.source(span);
        // `unique symbol` is one token that may hold any white space.
        let text = if raw.starts_with("unique") && child.kind == "predefined_type" {
            "unique symbol".into()
        } else {
            text::name(raw)
        };
        self.out.leaf(child.kind, field, &text, span);
    }

    fn inner(&mut self, child: Child<'t>, field: Field) {
        match child.class {
            class if class.is_operation() => self.operation(child, field),
            Class::PAREN => self.operation(child, field),
            Class::PAREN_TYPE => self.paren_type(child, field),
            Class::TEMPLATE => self.template(child, field),
            Class::SEQUENCE => self.sequence(child, field),
            Class::NEW => self.new_expression(child, field),
            Class::JOINED_TYPE => self.joined_type(child, field),
            Class::BODIED => self.bodied(child, field),
            Class::BLOCK => self.block(child, field, Prologue::None),
            Class::PROGRAM => self.block(child, field, Prologue::Directives),
            Class::FUNCTION => self.function(child, field),
            Class::METHOD => self.method(child, field, 0..0),
            Class::CLASS_BODY => self.class_body(child, field),
            Class::KEYED => self.keyed(child, field),
            Class::LIST => self.list(child, field),
            Class::PARAMETERS => self.parameters(child, field),
            Class::JSX_ELEMENT => self.jsx_element(child, field),
            Class::JSX_ATTRIBUTE => self.jsx_attribute(child, field),
            Class::EXPORT => self.export(child, field),
            _ => self.plain(child, field),
        }
    }

    /// A node as it stands.
    pub(super) fn plain(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        if parts.is_empty() {
            let span = child.span();
            let text = if child.node.child_count() == 0 { self.source(span) } else { "" };
            self.out.leaf(child.kind, field, text, span);
            return;
        }
        self.out.open(child.kind, field, child.span());
        self.emit_all(parts);
        self.out.close();
    }

    /// Writes children from the stack, each in its own role, and takes them off.
    pub(super) fn emit_all(&mut self, parts: Range<usize>) {
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            self.emit(part, part.field);
        }
        self.stack.truncate(start);
    }

    /// Text between the substitutions is one leaf, raw: `String.raw` and tagged templates see the escapes.
    fn template(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        self.out.open(child.kind, field, span);
        let parts = self.children(child.node);
        let start = parts.start;
        let mut from = span.start + 1;
        for at in parts {
            let part = self.stack[at];
            if part.kind == "template_substitution" || part.kind == "template_type" {
                self.fragment(Span { start: from, end: part.span().start });
                self.emit(part, None);
                from = part.span().end;
            }
        }
        self.stack.truncate(start);
        self.fragment(Span { start: from, end: span.end - 1 });
        self.out.close();
    }

    fn fragment(&mut self, span: Span) {
        if span.start < span.end {
            let text = text::template(self.source(span));
            self.out.leaf("string_fragment", None, &text, span);
        }
    }

    /// The comma operator is associative (ECMAScript 13.16): its operands stand in one row.
    fn sequence(&mut self, child: Child<'t>, field: Field) {
        self.out.open("sequence_expression", field, child.span());
        self.sequence_operands(child);
        self.out.close();
    }

    fn sequence_operands(&mut self, child: Child<'t>) {
        let parts = self.children(child.node);
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            let inner = self.unwrap(part);
            if inner.class == Class::SEQUENCE { deep(|| self.sequence_operands(inner)) } else { self.emit(part, None) }
        }
        self.stack.truncate(start);
    }

    /// The expression inside any number of parentheses.
    pub(super) fn unwrap(&mut self, mut child: Child<'t>) -> Child<'t> {
        while child.class == Class::PAREN {
            let parts = self.children(child.node);
            let inner = self.stack[parts.clone()].get(1).copied();
            let plain = parts.len() == 3;
            self.stack.truncate(parts.start);
            match inner {
                Some(inner) if plain => child = Child { field: child.field, ..inner },
                _ => break,
            }
        }
        child
    }

    /// `new A` is `new A()` (ECMAScript 13.3.5.1).
    fn new_expression(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let parts = self.children(child.node);
        let complete = self.stack[parts.clone()].iter().any(|part| part.field == Some("arguments"));
        self.out.open("new_expression", field, span);
        self.emit_all(parts);
        if !complete {
            let at = Span { start: span.end, end: span.end };
            self.out.open("arguments", Some("arguments"), at);
            self.token("(", at);
            self.token(")", at);
            self.out.close();
        }
        self.out.close();
    }

    /// Parentheses around a type only group, and the tree does that.
    fn paren_type(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let inner = self.stack[parts.clone()].get(1).copied();
        self.stack.truncate(parts.start);
        if let Some(inner) = inner {
            self.emit(inner, field);
        }
    }

    /// Unions and intersections are flat lists of members; a sign before the first is layout.
    fn joined_type(&mut self, child: Child<'t>, field: Field) {
        let start = self.stack.len();
        self.members(child, child.kind);
        let members = start..self.stack.len();
        if members.len() == 1 {
            let only = self.stack[start];
            self.emit(only, field);
            self.stack.truncate(start);
            return;
        }
        self.out.open(child.kind, field, child.span());
        for at in members {
            let member = self.stack[at];
            self.emit(member, None);
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Puts the members of a union or intersection on the stack.
    fn members(&mut self, child: Child<'t>, kind: &'static str) {
        let parts = self.children(child.node);
        let (start, found) = (parts.start, self.stack.len());
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::TOKEN && matches!(part.kind, "|" | "&" | "(" | ")") {
                continue;
            }
            let mut inner = part;
            while inner.class == Class::PAREN_TYPE {
                let parts = self.children(inner.node);
                inner = self.stack[parts.start + 1];
                self.stack.truncate(parts.start);
            }
            if inner.kind == kind { deep(|| self.members(inner, kind)) } else { self.stack.push(part) }
        }
        let members = self.stack.len() - found;
        self.stack.copy_within(found.., start);
        self.stack.truncate(start + members);
    }

    /// Statements that hold a statement: formatters put braces around a single one, so there are always braces.
    fn bodied(&mut self, child: Child<'t>, field: Field) {
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

    fn braced(&mut self, child: Child<'t>) {
        if child.class == Class::BLOCK {
            return self.emit(child, child.field);
        }
        let span = child.span();
        self.out.open("statement_block", child.field, span);
        self.token("{", Span { start: span.start, end: span.start });
        self.emit(child, None);
        self.token("}", Span { start: span.end, end: span.end });
        self.out.close();
    }

    fn block(&mut self, child: Child<'t>, field: Field, prologue: Prologue) {
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
    fn directive(&mut self, statement: Child<'t>) -> bool {
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

    fn function(&mut self, child: Child<'t>, field: Field) {
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

    fn class_body(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open("class_body", field, child.span());
        let mut decorators = start..start;
        for at in parts {
            let part = self.stack[at];
            match part.class {
                Class::DECORATOR if decorators.is_empty() => decorators = at..at + 1,
                Class::DECORATOR => decorators.end = at + 1,
                Class::METHOD => {
                    self.method(part, None, decorators.clone());
                    decorators = start..start;
                }
                _ => self.emit(part, None),
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Something with a property's name. JavaScript's `field_definition` is TypeScript's `public_field_definition`.
    fn keyed(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        let kind = if child.kind == "field_definition" { "public_field_definition" } else { child.kind };
        self.out.open(kind, field, child.span());
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
    fn key(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let raw = self.source(span);
        match child.class {
            Class::STRING => self.out.leaf("property_identifier", field, &text::cook(inside(raw)), span),
            Class::NUMBER => self.out.leaf("property_identifier", field, &text::numeric_key(raw), span),
            _ => return self.emit(child, field),
        };
    }

    /// A list. Two commas with nothing between them are a hole (ECMAScript 13.2.4), which makes the array longer.
    fn list(&mut self, child: Child<'t>, field: Field) {
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

    /// Parameters have TypeScript's shape in JavaScript too.
    fn parameters(&mut self, child: Child<'t>, field: Field) {
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

    /// `export default function () {}` is a declaration, `export default (function () {})` an expression (ECMAScript
    /// 16.2.3): there the parentheses stay.
    fn export(&mut self, child: Child<'t>, field: Field) {
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

/// The text between a literal's quotes.
pub(super) fn inside(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or("")
}

/// Items: what belongs to one beside its own node.
impl<'t> Normalizer<'t, '_, '_> {
    /// Writes an item's node. One declarator stands in its declaration alone, and a method has its decorators.
    pub(super) fn item(&mut self, node: Node<'t>, field: Field) {
        let child = self.child(node, field);
        match child.kind {
            "variable_declarator" => self.declarator(child, node.parent()),
            "method_definition" => {
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
                self.method(child, field, start..self.stack.len());
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
        self.out.open(child.kind, field, child.span());
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
