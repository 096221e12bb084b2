//! Classes: modifiers, members that are gone when the class runs, and the text of those that are items all the same.

use super::erase::Eraser;
use super::types::TypeText;
use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

/// Modifiers of members that are gone when the program runs.
const ERASABLE: [&[u8]; 7] = [b"public", b"private", b"protected", b"override", b"readonly", b"abstract", b"declare"];

impl<'a> Eraser<'_> {
    pub(super) fn class(&mut self, it: &Class<'a>) {
        self.enter_node(AstKind::Class(self.alloc(it)));
        self.visit_decorators(&it.decorators);
        let inner = it.decorators.iter().map(|one| one.span.end).filter(|&end| end <= it.body.span.start);
        let from = inner.max().unwrap_or(it.span.start).max(it.span.start);
        for word in self.buffer.words(from, it.body.span.start) {
            match self.buffer.source(word) {
                b"abstract" => self.blank(word.start, word.end),
                b"class" => break,
                _ => {}
            }
        }
        if let Some(id) = &it.id {
            self.visit_binding_identifier(id);
        }
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_class_heritage(heritage);
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let word = self.buffer.end_before(first.span.start).saturating_sub("implements".len() as u32);
            self.blank(word, last.span.end);
        }
        self.written_members(it);
        self.visit_class_body(&it.body);
    }

    /// Abstract and declared members have names and say something, if only about types: they are read as written, in a
    /// class of their own.
    fn written_members(&mut self, it: &Class<'a>) {
        let written = |element: &&ClassElement<'a>| match element {
            ClassElement::MethodDefinition(method) => method.r#type.is_abstract(),
            ClassElement::PropertyDefinition(field) => field.declare || field.r#type.is_abstract(),
            ClassElement::AccessorProperty(field) => field.r#type.is_abstract(),
            _ => false,
        };
        let mut members = it.body.body.iter().filter(written).peekable();
        let (Some(id), Some(_)) = (&it.id, members.peek()) else { return };
        let types = self.types.get_or_insert_with(|| TypeText::new(&self.buffer));
        let brace = it.body.span;
        let word = self.buffer.end_before(id.span.start).saturating_sub("class".len() as u32);
        for span in [Span::new(word, id.span.end), Span::sized(brace.start, 1), Span::new(brace.end - 1, brace.end)] {
            types.show(&self.buffer, span);
        }
        for member in members {
            types.show(&self.buffer, member.span());
            types.visit_class_element(member);
            types.end(member.span().end);
        }
        types.class(brace);
    }

    pub(super) fn elements(&mut self, it: &oxc_allocator::Vec<'a, ClassElement<'a>>) {
        for element in it {
            match element {
                _ if is_erased(element) => self.blank(element.span().start, element.span().end),
                ClassElement::MethodDefinition(method) => {
                    self.enter_node(AstKind::MethodDefinition(self.alloc(method)));
                    self.never(method.span, method.value.return_type.as_deref());
                    self.member(&method.decorators, &method.key, method.span, method.optional);
                    // A name at the end of a line is a field to the grammar.
                    self.buffer.join(method.key.span().end, method.value.params.span.start);
                    self.visit_function(&method.value, oxc_semantic::ScopeFlags::Function);
                }
                ClassElement::PropertyDefinition(field) => {
                    self.enter_node(AstKind::PropertyDefinition(self.alloc(field)));
                    let marked = field.optional || field.definite || field.type_annotation.is_some();
                    self.member(&field.decorators, &field.key, field.span, marked);
                    self.field(&field.key, field.type_annotation.as_deref(), field.value.as_ref(), field.span);
                }
                ClassElement::AccessorProperty(field) => {
                    self.enter_node(AstKind::AccessorProperty(self.alloc(field)));
                    let marked = field.definite || field.type_annotation.is_some();
                    self.member(&field.decorators, &field.key, field.span, marked);
                    self.field(&field.key, field.type_annotation.as_deref(), field.value.as_ref(), field.span);
                }
                _ => walk::walk_class_element(self, element),
            }
        }
    }

    /// The decorators, modifiers and name of a member.
    fn member(&mut self, decorators: &[Decorator<'a>], key: &PropertyKey<'a>, span: Span, is_marked: bool) {
        decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        let name = key.span();
        let from = decorators.last().map_or(span.start, |last| last.span.end);
        let words = self.buffer.words(from, name.start);
        let mut is_static = false;
        for &word in &words {
            match self.buffer.source(word) {
                b"accessor" if is_static => self.hide(word),
                b"static" => is_static = true,
                text if ERASABLE.contains(&text) => self.blank(word.start, word.end),
                _ => {}
            }
        }
        if let (Some(first), true) = (words.first(), name.start > from) {
            self.buffer.join(first.start, name.start);
        }
        self.visit_property_key(key);
        if is_marked {
            let next = self.buffer.skip(name.end);
            let end = if self.buffer.at(next) == b']' { next + 1 } else { name.end };
            self.name_marks(end, None);
        }
    }

    fn field(
        &mut self,
        key: &PropertyKey<'a>,
        annotation: Option<&TSTypeAnnotation<'a>>,
        value: Option<&Expression<'a>>,
        span: Span,
    ) {
        if let Some(annotation) = annotation {
            self.visit_ts_type_annotation(annotation);
        }
        if let Some(value) = value {
            self.buffer.join(key.span().end, value.span().start);
            self.visit_expression(value);
        }
        let (last, next) = (span.end - 1, self.buffer.skip(span.end));
        match self.buffer.at(last) {
            b';' => {}
            b' ' => self.buffer.semicolon(last),
            // The next member goes on with this one here and there: `a⏎[b]`, `get⏎c() {}`.
            _ if next > span.end && self.buffer.at(next) != b'}' => self.buffer.semicolon(span.end),
            _ => {}
        }
    }

    /// `private readonly a` of a constructor makes a member; which of these words say so means nothing.
    pub(super) fn parameter_property(&mut self, from: u32, to: u32) {
        for (number, word) in self.buffer.words(from, to).into_iter().enumerate() {
            if number == 0 {
                self.buffer.replace(word.start, word.end, "public");
            } else {
                self.blank(word.start, word.end);
            }
        }
        self.buffer.join(from, to);
    }
}

/// Whether nothing of a member is left when the class runs.
fn is_erased(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(method) => method.r#type.is_abstract() || method.value.body.is_none(),
        ClassElement::PropertyDefinition(field) => field.declare || field.r#type.is_abstract(),
        ClassElement::AccessorProperty(field) => field.r#type.is_abstract(),
        ClassElement::TSIndexSignature(_) => true,
        ClassElement::StaticBlock(_) => false,
    }
}
