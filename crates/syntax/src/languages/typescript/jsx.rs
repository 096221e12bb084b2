//! JSX: elements with and without a closing tag are one shape, attributes are by value, and white space is what React
//! makes of it.

use super::class::Class;
use super::normal::{Child, Field, Normalizer, inside};
use super::text;
use crate::tree::Span;
use std::ops::Range;

impl<'t> Normalizer<'t, '_, '_> {
    /// `<A />` and `<A></A>` are both `jsx_element` with an opening element and no children.
    pub(super) fn jsx_element(&mut self, child: Child<'t>, field: Field) {
        self.out.open("jsx_element", field, child.span());
        let parts = self.children(child.node);
        if child.kind == "jsx_self_closing_element" {
            self.opening(parts, child.span());
        } else {
            let open = self.stack[parts.start];
            let below = self.children(open.node);
            self.opening(below, open.span());
            self.jsx_children(parts);
        }
        self.out.close();
    }

    fn opening(&mut self, parts: Range<usize>, span: Span) {
        let start = parts.start;
        self.out.open("jsx_opening_element", Some("open_tag"), span);
        for at in parts {
            let part = self.stack[at];
            if !matches!(part.kind, "<" | ">" | "/>" | "/") || part.class != Class::TOKEN {
                self.emit(part, part.field);
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// Everything between the tags. What the grammar calls text leaves out white space here and there, so text is taken
    /// from the source between the nodes that are none.
    fn jsx_children(&mut self, parts: Range<usize>) {
        let start = parts.start;
        let mut from = self.stack[start].span().end;
        let mut run = String::new();
        let mut run_start = from;
        for at in start + 1..parts.end {
            let part = self.stack[at];
            if part.class == Class::JSX_TEXT {
                continue;
            }
            let span = part.span();
            run.extend(text::jsx_text(self.source(Span { start: from, end: span.start })));
            from = span.end;
            match self.jsx_space(part) {
                Some(space) => run.push_str(space),
                None => {
                    self.jsx_run(&mut run, Span { start: run_start, end: span.start });
                    run_start = span.end;
                    if part.kind != "jsx_closing_element" {
                        self.emit(part, None);
                    }
                }
            }
        }
        self.stack.truncate(start);
    }

    fn jsx_run(&mut self, run: &mut String, span: Span) {
        if !run.is_empty() {
            self.out.leaf("jsx_text", None, run, span);
            run.clear();
        }
    }

    /// What a `{…}` adds to the text around it: `{" "}` is how a formatter keeps a space at a line's end, and `{}` (with
    /// or without a comment) is nothing.
    fn jsx_space(&mut self, part: Child<'t>) -> Option<&'static str> {
        if part.class != Class::JSX_EXPRESSION {
            return None;
        }
        let parts = self.children(part.node);
        let inner = self.stack[parts.clone()].get(1).copied();
        self.stack.truncate(parts.start);
        match inner {
            Some(inner) if inner.class == Class::STRING && inside(self.source(inner.span())) == " " => Some(" "),
            Some(inner) if inner.class == Class::TOKEN && inner.kind == "}" => Some(""),
            _ => None,
        }
    }

    /// A string attribute by value: character references read, quotes gone; `a={"x"}` is `a="x"`.
    pub(super) fn jsx_attribute(&mut self, child: Child<'t>, field: Field) {
        let parts = self.children(child.node);
        let start = parts.start;
        self.out.open("jsx_attribute", field, child.span());
        for at in parts {
            let part = self.stack[at];
            let span = part.span();
            match part.class {
                Class::STRING => {
                    let raw = text::template(inside(self.source(span)));
                    self.out.leaf("string", None, &text::unescape_jsx(&raw), span);
                }
                Class::JSX_EXPRESSION => match self.jsx_plain_value(part) {
                    Some(inner) => self.emit(inner, None),
                    None => self.emit(part, part.field),
                },
                _ => self.emit(part, part.field),
            }
        }
        self.stack.truncate(start);
        self.out.close();
    }

    /// The string or element that is all of an attribute's `{…}`.
    fn jsx_plain_value(&mut self, part: Child<'t>) -> Option<Child<'t>> {
        let parts = self.children(part.node);
        let inner = (parts.len() == 3).then(|| self.stack[parts.start + 1]);
        self.stack.truncate(parts.start);
        let inner = self.unwrap(inner?);
        matches!(inner.class, Class::STRING | Class::JSX_ELEMENT).then_some(inner)
    }
}
