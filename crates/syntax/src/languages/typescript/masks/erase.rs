//! Erasable syntax, and the rest of what is masked in expressions, statements and JSX.

use super::buffer::Buffer;
use super::kinds::{self, Kind};
use super::modules;
use super::types::TypeText;
use crate::languages::{Reading, Shape};
use crate::tree::Span;
use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::GetSpan;

/// Masks one file.
pub(super) struct Eraser<'s> {
    pub(super) buffer: Buffer<'s>,
    /// The text of the types that are items.
    pub(super) types: Option<TypeText<'s>>,
    pub(super) words: Vec<Span>,
    /// Those of them that the grammar lacks.
    pub(super) lacking: Vec<Span>,
    pub(super) never: Vec<Span>,
    shapes: Vec<Shape>,
    /// Whether anything runs.
    pub(super) runs: bool,
    /// Statements that are erased.
    pub(super) erased: usize,
    /// Where the statement or arrow function's body began that was entered last.
    edge: u32,
}

impl<'s> Eraser<'s> {
    pub(super) fn new(buffer: Buffer<'s>) -> Eraser<'s> {
        let shapes = Vec::with_capacity(buffer.text.len() / 8);
        let (types, words, lacking, never) = (None, Vec::new(), Vec::new(), Vec::new());
        Eraser { buffer, types, words, lacking, never, shapes, runs: false, erased: 0, edge: u32::MAX }
    }

    /// The texts. A file of types alone is an item that is a type: all of it is read as it is written.
    pub(super) fn finish(mut self) -> Reading {
        for shape in &mut self.shapes {
            shape.0 = self.buffer.skip(shape.0);
            shape.1 = self.buffer.end_before(shape.1);
        }
        let mut types = self.types.map(TypeText::finish).unwrap_or_default();
        self.words.append(&mut types.words);
        self.lacking.append(&mut types.lacking);
        [&mut self.words, &mut self.lacking, &mut self.never].into_iter().for_each(|spans| spans.sort());
        Reading {
            runs: self.buffer.finish(),
            words: self.words,
            lacking: self.lacking,
            never: self.never,
            shapes: self.shapes,
            is_all_types: !self.runs && self.erased > 0,
            ..types
        }
    }

    pub(super) fn blank(&mut self, from: u32, to: u32) {
        self.buffer.blank(from, to);
    }

    /// A word that the grammar shall not see and that counts.
    pub(super) fn hide(&mut self, word: oxc_span::Span) {
        self.blank(word.start, word.end);
        self.words.push(Span { start: word.start, end: word.end });
    }

    /// The end of a statement that needs no `;`: one is put where only oxc knows that it ends.
    pub(super) fn end(&mut self, end: u32) {
        let last = end.saturating_sub(1);
        if self.buffer.at(last) == b';' || end == 0 {
            return;
        }
        if self.buffer.at(last) == b' ' {
            return self.buffer.semicolon(last);
        }
        let next = self.buffer.skip(end);
        self.buffer.plain_breaks(end, next);
        if next > end && self.buffer.at(next) != b'}' && !self.buffer.has_break(end, next) {
            self.buffer.semicolon(end);
        }
    }

    /// `?` and `!` behind a name, and its type.
    pub(super) fn name_marks(&mut self, name_end: u32, annotation: Option<&TSTypeAnnotation<'_>>) {
        let next = self.buffer.skip(name_end);
        if matches!(self.buffer.at(next), b'?' | b'!') {
            self.blank(next, next + 1);
        }
        if let Some(annotation) = annotation {
            self.blank(annotation.span.start, annotation.span.end);
        }
    }

    /// `using`, of which the grammar knows little, is another `const` to it; the normal form reads what is written.
    fn using(&mut self, declaration: &VariableDeclaration<'_>) {
        if let (true, Some(first)) = (declaration.kind.is_using(), declaration.declarations.first()) {
            self.buffer.replace(declaration.span.start, first.span.start, "const");
        }
    }

    /// An expression begins here in the place of a statement.
    pub(super) fn starts(&mut self, at: u32) {
        self.edge = at;
    }

    /// The signature of a function: type parameters, `this`, return type.
    fn signature(
        &mut self,
        parameters: Option<&TSTypeParameterDeclaration<'_>>,
        list: &FormalParameters<'_>,
        result: Option<&TSTypeAnnotation<'_>>,
    ) {
        if let Some(parameters) = parameters {
            self.blank(parameters.span.start, list.span.start.max(parameters.span.end));
        }
        if let Some(result) = result {
            self.blank(list.span.end, result.span.end);
        }
    }

    /// Notes a function whose written return type is `never`.
    pub(super) fn never(&mut self, span: oxc_span::Span, result: Option<&TSTypeAnnotation<'_>>) {
        if result.is_some_and(|result| matches!(result.type_annotation, TSType::TSNeverKeyword(_))) {
            self.never.push(Span { start: span.start, end: span.end });
        }
    }

    /// Whether an expression would begin as another thing does if nothing stood before it, where that matters.
    fn begins_as_another(&self, cast: u32, operand: u32) -> bool {
        let rest = self.buffer.source(oxc_span::Span::new(operand, self.buffer.text.len() as u32));
        let word = |word: &str| rest.starts_with(word.as_bytes());
        self.edge == cast && (word("{") || word("function") || word("class") || word("async") || word("let"))
    }
}

impl<'a> Visit<'a> for Eraser<'_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        kinds::meet(&kind, &mut self.buffer, &mut self.shapes);
    }

    fn visit_statements(&mut self, it: &oxc_allocator::Vec<'a, Statement<'a>>) {
        self.statements(it);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        walk::walk_statement(self, it);
        if modules::may_lack_its_end(it) {
            self.end(it.span().end);
        }
    }

    fn visit_directive(&mut self, it: &Directive<'a>) {
        self.runs = true;
        walk::walk_directive(self, it);
        self.end(it.span.end);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        self.edge = it.span.start;
        walk::walk_expression_statement(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.enter_node(AstKind::ArrowFunctionExpression(self.alloc(it)));
        self.never(it.span, it.return_type.as_deref());
        self.signature(it.type_parameters.as_deref(), &it.params, it.return_type.as_deref());
        self.visit_formal_parameters(&it.params);
        if it.type_parameters.is_some() || it.return_type.is_some() {
            self.buffer.join(it.span.start, it.params.span.start);
            self.buffer.join(it.params.span.end, it.body.span().start);
        }
        if let Some(body) = it.body.as_expression() {
            self.edge = body.span().start;
        }
        self.visit_arrow_function_body(&it.body);
    }

    fn visit_function(&mut self, it: &Function<'a>, _flags: ScopeFlags) {
        self.enter_node(AstKind::Function(self.alloc(it)));
        if let Some(id) = &it.id {
            self.visit_binding_identifier(id);
        }
        self.never(it.span, it.return_type.as_deref());
        self.signature(it.type_parameters.as_deref(), &it.params, it.return_type.as_deref());
        if let Some(this) = &it.this_param {
            let list = &it.params;
            let next = list.items.first().map(|first| first.span.start);
            let next = next.or(list.rest.as_ref().map(|rest| rest.span.start)).unwrap_or(list.span.end - 1);
            self.blank(this.span.start, next);
        }
        self.visit_formal_parameters(&it.params);
        if let Some(body) = &it.body {
            self.visit_function_body(body);
        }
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.enter_node(AstKind::FormalParameter(self.alloc(it)));
        self.visit_decorators(&it.decorators);
        let from = it.decorators.last().map_or(it.span.start, |last| last.span.end);
        self.parameter_property(from, it.pattern.span().start);
        self.visit_binding_pattern(&it.pattern);
        if it.optional || it.type_annotation.is_some() {
            self.name_marks(it.pattern.span().end, it.type_annotation.as_deref());
        }
        if let Some(value) = &it.initializer {
            self.visit_expression(value);
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.enter_node(AstKind::VariableDeclarator(self.alloc(it)));
        self.visit_binding_pattern(&it.id);
        if it.definite || it.type_annotation.is_some() {
            self.name_marks(it.id.span().end, it.type_annotation.as_deref());
        }
        if let Some(value) = &it.init {
            self.buffer.join(it.id.span().end, value.span().start);
            self.visit_expression(value);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.using(it);
        walk::walk_variable_declaration(self, it);
    }

    fn visit_for_statement_left(&mut self, it: &ForStatementLeft<'a>) {
        // The grammar has the word and the name as parts of the loop.
        let ForStatementLeft::VariableDeclaration(declaration) = it else {
            return walk::walk_for_statement_left(self, it);
        };
        self.using(declaration);
        for declarator in &declaration.declarations {
            self.visit_binding_pattern(&declarator.id);
            if declarator.type_annotation.is_some() {
                self.name_marks(declarator.id.span().end, declarator.type_annotation.as_deref());
            }
            if let Some(value) = &declarator.init {
                self.visit_expression(value);
            }
        }
    }

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.expression.span().end, it.span.end);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.expression.span().end, it.span.end);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.expression.span().end, it.span.end);
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.expression.span().end, it.span.end);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let operand = it.expression.span().start;
        // `() => <T>{ … }`: without the cast the grammar would read a block. The normal form leaves the cast out.
        if !self.begins_as_another(it.span.start, operand) {
            self.blank(it.span.start, operand);
            if self.edge == it.span.start {
                self.edge = operand;
            }
        }
        self.visit_expression(&it.expression);
    }

    fn visit_jsx_text(&mut self, it: &JSXText<'a>) {
        if self.buffer.source(it.span).contains(&b'&') {
            self.buffer.fill(it.span.start, it.span.end, b'x');
        }
    }

    fn visit_jsx_attribute(&mut self, it: &JSXAttribute<'a>) {
        if let Some(JSXAttributeValue::StringLiteral(value)) = &it.value {
            self.buffer.fill(value.span.start + 1, value.span.end - 1, b'x');
        }
        walk::walk_jsx_attribute(self, it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        let at = it.span.start;
        let is_bare = matches!(it.expression, Expression::ParenthesizedExpression(_));
        // `@(a) b() {}`, where the grammar reads a call of `(a) b`, becomes `@x(a) b() {}`.
        if is_bare && at > 0 && self.buffer.at(at - 1).is_ascii_whitespace() && self.buffer.at(at + 1) == b'(' {
            self.buffer.replace(at - 1, at + 1, "@x");
            self.shapes.push((at - 1, it.span.end, Kind::Decorator as u8));
            self.shapes.push((at, it.span.end, Kind::Call as u8));
            return self.visit_expression(&it.expression);
        }
        walk::walk_decorator(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it);
    }

    fn visit_class_elements(&mut self, it: &oxc_allocator::Vec<'a, ClassElement<'a>>) {
        self.elements(it);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import(it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.export(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.export_default(it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.export_specifiers(it.span, &it.specifiers);
        walk::walk_export_named_declaration(self, it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_specifiers(it.span, &it.specifiers);
        walk::walk_export_from_declaration(self, it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.buffer.join(it.span.start, it.span.end);
        walk::walk_export_all_declaration(self, it);
    }
}
