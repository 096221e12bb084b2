//! The text of types that are items themselves: what they hold counts as it is written.

use super::buffer::Buffer;
use super::kinds;
use crate::languages::{Reading, Shape};
use crate::tree;
use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;

/// A text that holds types and nothing else.
pub(super) struct TypeText<'s> {
    buffer: Buffer<'s>,
    shapes: Vec<Shape>,
    words: Vec<tree::Span>,
    lacking: Vec<tree::Span>,
}

impl<'s> TypeText<'s> {
    pub(super) fn new(buffer: &Buffer<'s>) -> TypeText<'s> {
        TypeText::of(buffer.all_masked())
    }

    fn of(buffer: Buffer<'s>) -> TypeText<'s> {
        TypeText { buffer, shapes: Vec::new(), words: Vec::new(), lacking: Vec::new() }
    }

    /// A declaration file, all of which is one type. One that holds code is none.
    pub(super) fn of_all(buffer: &Buffer<'s>, program: &Program<'_>) -> Result<Reading, String> {
        let mut types = TypeText::of(buffer.copy());
        types.visit_program(program);
        if types.shapes.iter().any(|shape| shape.2 == kinds::Kind::Block as u8) {
            return Err("code in a declaration file".to_owned());
        }
        Ok(Reading { runs: buffer.all_masked().finish(), is_all_types: true, ..types.finish() })
    }

    /// The part of a reading that is about types.
    pub(super) fn finish(mut self) -> Reading {
        for shape in &mut self.shapes {
            shape.0 = self.buffer.skip(shape.0);
            shape.1 = self.buffer.end_before(shape.1);
        }
        let types = Some(self.buffer.finish());
        Reading { types, type_shapes: self.shapes, words: self.words, lacking: self.lacking, ..Reading::default() }
    }

    pub(super) fn show(&mut self, from: &Buffer<'_>, span: Span) {
        self.buffer.show(from, span);
    }

    /// A class of which only some members are shown.
    pub(super) fn class(&mut self, body: Span) {
        self.shapes.push((body.start, body.end, kinds::Kind::ClassBody as u8));
        self.end(body.end);
    }

    /// What is shown ends here.
    pub(super) fn end(&mut self, end: u32) {
        if !matches!(self.buffer.at(end.saturating_sub(1)), b';' | b'}') && self.buffer.at(end) == b' ' {
            self.buffer.semicolon(end);
        } else if self.buffer.at(end) == b' ' {
            self.buffer.fill(end, end + 1, b'\n');
        }
    }

    fn hide(&mut self, word: Span) {
        self.buffer.blank(word.start, word.end);
        self.words.push(tree::Span { start: word.start, end: word.end });
    }

    /// A member of a type ends where oxc says so: `(a): A⏎(b): B` are two.
    fn member_end(&mut self, span: Span) {
        let end = self.buffer.end_before(span.end);
        let next = self.buffer.skip(end);
        if next > end && !matches!(self.buffer.at(next), b';' | b',' | b'}') {
            self.buffer.semicolon(end);
        }
    }
}

impl<'a> Visit<'a> for TypeText<'_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        kinds::meet(&kind, &mut self.buffer, &mut self.shapes);
    }

    /// `readonly A[] | B` and `in out T`, which the grammar groups wrongly or does not know. The words count.
    fn visit_ts_type_operator(&mut self, it: &TSTypeOperator<'a>) {
        if it.operator == TSTypeOperatorOperator::Readonly {
            self.hide(Span::sized(it.span.start, "readonly".len() as u32));
        }
        walk::walk_ts_type_operator(self, it);
    }

    fn visit_ts_type_parameter(&mut self, it: &TSTypeParameter<'a>) {
        for word in self.buffer.words(it.span.start, it.name.span.start) {
            if matches!(self.buffer.source(word), b"in" | b"out" | b"const") {
                self.hide(word);
            }
            if matches!(self.buffer.source(word), b"in" | b"out") {
                self.lacking.push(tree::Span { start: word.start, end: word.end });
            }
        }
        walk::walk_ts_type_parameter(self, it);
    }

    /// `import('x').A<B>`: the grammar has a call there, and no type arguments behind it. It becomes one long name.
    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        let last = it.options.as_ref().map_or(it.source.span.end, |options| options.span.end);
        let mut end = self.buffer.skip(last);
        if self.buffer.at(end) == b',' {
            end = self.buffer.skip(end + 1);
        }
        self.buffer.fill(it.span.start, end + 1, b'x');
        if let Some(qualifier) = &it.qualifier {
            self.visit_ts_import_type_qualifier(qualifier);
        }
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    fn visit_ts_signature(&mut self, it: &TSSignature<'a>) {
        walk::walk_ts_signature(self, it);
        self.member_end(oxc_span::GetSpan::span(it));
    }
}
