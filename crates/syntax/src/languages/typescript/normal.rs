//! Grammar nodes to the normal form. One method a class of node; everything that no rule names is written as it stands,
//! token by token, so that nothing is left out by accident.
//!
//! Left out on purpose: comments (never meaning; ECMAScript 12.4), `;` (12.10 puts it where the tree ends a statement;
//! prettier's `semi`) and `,` (`trailingComma`; a hole in a list becomes a node of its own), and parentheses, whose work
//! the tree's shape does (13.2.9).

use super::class::Class;
use super::statements::Prologue;
use super::text;
use crate::grammar::Node;
use crate::item::Text;
use crate::languages::Given;
use crate::tree::{Span, TreeBuilder};
use std::ops::Range;

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
        self.node.span()
    }
}

/// Writes one normal tree. The vectors are arenas: each method leaves them as long as it found them.
pub(super) struct Normalizer<'t, 's, 'o> {
    pub(super) given: Given<'s>,
    pub(super) out: &'o mut TreeBuilder,
    pub(super) stack: Vec<Child<'t>>,
    /// Words that the grammar did not see, from here on.
    words: &'s [Span],
    classes: &'s [u8],
}

/// Stack left before more of it is taken, and how much is taken.
pub(super) fn deep<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, run)
}

impl<'t, 's, 'o> Normalizer<'t, 's, 'o> {
    /// For what begins with a node.
    pub(super) fn new(given: Given<'s>, first: Node<'t>, out: &'o mut TreeBuilder) -> Self {
        let classes = given.names.classes(Class::of);
        let from = first.parent().map_or(0, |_| first.span().start);
        let words = &given.words[given.words.partition_point(|word| word.start < from)..];
        Normalizer { given, out, stack: Vec::new(), words, classes }
    }

    /// A node seen by itself.
    pub(super) fn child(&self, node: Node<'t>, field: Field) -> Child<'t> {
        let class = self.classes.get(node.kind_id() as usize).map_or(Class::PLAIN, |&class| Class(class));
        Child { node, kind: node.kind(), class, field }
    }

    pub(super) fn source(&self, span: Span) -> &'s str {
        &self.given.text[span.range()]
    }

    /// Puts the node's children, but for comments and `;`, on the stack.
    pub(super) fn children(&mut self, node: Node<'t>) -> Range<usize> {
        let start = self.stack.len();
        for node in node.children() {
            let child = self.child(node, node.field());
            if child.class != Class::COMMENT && child.class != Class::SEMICOLON {
                self.stack.push(child);
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
        while let Some(word) = self.words.first().filter(|word| word.start < span.start) {
            // `readonly` belongs to the whole list, whatever begins with it.
            if self.source(*word) == "readonly" && !matches!(child.kind, "array_type" | "tuple_type") {
                break;
            }
            self.out.leaf("word", None, self.source(*word), *word);
            self.words = &self.words[1..];
        }
        match child.class {
            Class::TOKEN => self.keyword(child, field),
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

    /// A word or sign. `using` was `const` to the grammar.
    fn keyword(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let written = if child.kind == "const" { self.source(span) } else { "" };
        if written == "await" {
            self.out.leaf("await", field, "", span);
        }
        let kind = if matches!(written, "await" | "using") { "using" } else { child.kind };
        if kind != "accessibility_modifier" {
            self.out.leaf(kind, field, "", span);
        } else if self.given.reads == Text::Types {
            self.out.leaf(kind, field, self.source(span), span);
        } else {
            // That it makes a member is all that it does: which word says so means nothing, and is only shown.
            let node = self.out.leaf(kind, field, "", span);
            self.out.write_gone(node, modifiers(&self.given.text[span.start as usize..]));
        }
    }

    fn text(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let raw = self.source(span);
        // `unique symbol` is one token that may hold any white space.
        let text = if raw.starts_with("unique") && child.kind == "predefined_type" {
            "unique symbol".into()
        } else if raw.starts_with("import") && raw.ends_with(')') {
            text::import_type(raw).into()
        } else {
            // Of the leaves only a hashbang line reaches to the line's end.
            text::name(raw.trim_end_matches('\r'))
        };
        self.out.leaf(child.kind, field, &text, span);
    }

    fn inner(&mut self, child: Child<'t>, field: Field) {
        match child.class {
            class if class.is_operation() => self.operation(child, field),
            Class::TEMPLATE => self.template(child, field),
            Class::SEQUENCE => self.sequence(child, field),
            Class::NEW => self.new_expression(child, field),
            Class::BODIED => self.bodied(child, field),
            Class::BLOCK => self.block(child, field, Prologue::Strings),
            Class::PROGRAM => self.block(child, field, Prologue::Directives),
            Class::FUNCTION => self.function(child, field),
            Class::METHOD => self.method(child, field, 0..0),
            Class::CLASS_BODY => self.class_body(child, field),
            Class::KEYED => self.keyed(child, field, 0..0),
            Class::LIST => self.list(child, field),
            Class::PARAMETERS => self.parameters(child, field),
            Class::JSX_ELEMENT => self.jsx_element(child, field),
            Class::JSX_ATTRIBUTE => self.jsx_attribute(child, field),
            Class::EXPORT => self.export(child, field),
            Class::DECORATOR => self.decorator(child, field),
            Class::VARIABLES => self.variables(child, field),
            _ => self.plain(child, field),
        }
    }

    /// A node as it stands.
    pub(super) fn plain(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        if parts.is_empty() {
            let span = child.span();
            let text = if child.node.is_leaf() { self.source(span) } else { "" };
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
        let mut span = child.span();
        if child.node.kind() == "arguments" {
            span = Span { start: span.start + 1, end: span.end - 1 };
        }
        self.out.open("sequence_expression", field, span);
        self.sequence_operands(child);
        self.out.close();
    }

    fn sequence_operands(&mut self, child: Child<'t>) {
        let parts = self.children(child.node);
        let start = parts.start;
        for at in parts {
            let part = self.stack[at];
            if part.class == Class::TOKEN && matches!(part.kind, "(" | ")") {
                continue;
            }
            let inner = self.unwrap(part);
            if inner.class == Class::SEQUENCE { deep(|| self.sequence_operands(inner)) } else { self.emit(part, None) }
        }
        self.stack.truncate(start);
    }

    /// What is inside any number of parentheses and casts.
    pub(super) fn unwrap(&mut self, mut child: Child<'t>) -> Child<'t> {
        while matches!(child.class, Class::PAREN | Class::CAST) {
            let parts = self.children(child.node);
            let inner = match child.class {
                Class::PAREN if parts.len() == 3 => Some(self.stack[parts.start + 1]),
                Class::CAST => self.stack[parts.clone()].last().copied(),
                _ => None,
            };
            self.stack.truncate(parts.start);
            match inner {
                Some(inner) => child = Child { field: child.field, ..inner },
                None => break,
            }
        }
        child
    }

    /// A declaration of variables, one of `using` if its word is that.
    fn variables(&mut self, child: Child<'t>, field: Field) {
        let kind = declared(child.kind, self.source(child.span()));
        self.plain(Child { kind, ..child }, field);
    }

    /// `new A` is `new A()` (ECMAScript 13.3.5.1).
    fn new_expression(&mut self, child: Child<'t>, field: Field) {
        let span = child.span();
        let parts = self.children(child.node);
        let complete = self.stack[parts.clone()].iter().any(|part| part.field == Some("arguments"));
        let node = self.out.open("new_expression", field, span);
        self.type_arguments(node, parts.clone());
        self.emit_all(parts);
        if !complete {
            self.no_arguments(span);
        }
        self.out.close();
    }

    pub(super) fn no_arguments(&mut self, behind: Span) {
        let at = Span { start: behind.end, end: behind.end };
        self.out.open("arguments", Some("arguments"), at);
        self.token("(", at);
        self.token(")", at);
        self.out.close();
    }
}

/// The modifiers that a parameter begins with, as they are written.
fn modifiers(parameter: &str) -> String {
    let is_modifier = |word: &str| matches!(word, "public" | "private" | "protected" | "override" | "readonly");
    let mut words = parameter.split_inclusive(char::is_whitespace).map(str::trim).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next().filter(|word| is_modifier(word)) {
        found.push(word);
    }
    found.join(" ")
}

/// The kind of a declaration of variables, by how it is written.
pub(super) fn declared(kind: &'static str, written: &str) -> &'static str {
    if written.starts_with("using") || written.starts_with("await") { "using_declaration" } else { kind }
}

/// The text between a literal's quotes.
pub(super) fn inside(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or("")
}
