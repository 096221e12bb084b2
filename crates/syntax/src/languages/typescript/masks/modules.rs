//! Statements that are gone when the program runs: types, declarations, overload signatures, imports and exports of types.

use super::erase::Eraser;
use super::types::TypeText;
use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

/// What is left of an erased statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Erased {
    /// An item that is a type: it is read as written.
    Type,
    /// A signature that belongs to an implementation, an import or export of types: nothing.
    Gone,
}

impl<'a> Eraser<'_> {
    pub(super) fn statements(&mut self, it: &oxc_allocator::Vec<'a, Statement<'a>>) {
        let mut before: Option<u32> = None;
        let mut is_apart = false;
        // `{ a: {} }` is an object to the grammar here and there.
        if let Some(Statement::LabeledStatement(first)) = it.first()
            && let Some(gap) = first.span.start.checked_sub(1).filter(|&gap| self.buffer.at(gap).is_ascii_whitespace())
        {
            self.buffer.semicolon(gap);
        }
        for statement in it {
            let span = statement.span();
            if let Some(erased) = erased(statement) {
                self.erase(statement, erased);
                is_apart = true;
                continue;
            }
            self.runs = true;
            if let Some(end) = before.filter(|_| is_apart && goes_on(self.buffer.at(self.buffer.skip(span.start)))) {
                self.buffer.semicolon(end);
            }
            self.visit_statement(statement);
            let has_end = self.buffer.at(span.end - 1) == b';' || !may_lack_its_end(statement);
            before = (!has_end).then_some(span.end);
            is_apart = false;
        }
    }

    fn erase(&mut self, statement: &Statement<'a>, erased: Erased) {
        self.erased += 1;
        let span = statement.span();
        self.never_declared(statement);
        if erased == Erased::Type {
            let types = self.types.get_or_insert_with(|| TypeText::new(&self.buffer));
            types.show(&self.buffer, span);
            types.visit_statement(statement);
            types.end(span.end);
        }
        self.blank(span.start, span.end);
    }

    /// `declare function fail(): never` and its like.
    fn never_declared(&mut self, statement: &Statement<'a>) {
        let function = match statement {
            Statement::FunctionDeclaration(function) => Some(function),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::FunctionDeclaration(function) => Some(function),
                _ => None,
            },
            _ => None,
        };
        self.never(statement.span(), function.and_then(|function| function.return_type.as_deref()));
    }

    pub(super) fn import(&mut self, it: &ImportDeclaration<'a>) {
        self.buffer.join(it.span.start, it.span.end);
        if it.phase.is_some() {
            let words = self.buffer.words(it.span.start, it.source.span.start);
            if let Some(&phase) = words.get(1) {
                self.hide(phase);
                self.lacking.extend(self.words.last().copied());
            }
        }
        for specifier in it.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(specifier) = specifier
                && specifier.import_kind.is_type()
            {
                self.specifier(specifier.span);
            }
        }
        self.enter_node(AstKind::ImportDeclaration(self.alloc(it)));
        for specifier in it.specifiers.iter().flatten() {
            let is_type =
                matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_type());
            if !is_type {
                self.visit_import_declaration_specifier(specifier);
            }
        }
        self.visit_string_literal(&it.source);
        if let Some(with) = &it.with_clause {
            self.visit_with_clause(with);
        }
    }

    /// A specifier goes with its comma.
    fn specifier(&mut self, span: Span) {
        self.blank(span.start, span.end);
        let next = self.buffer.skip(span.end);
        if self.buffer.at(next) == b',' {
            self.blank(next, next + 1);
        }
    }

    pub(super) fn export_specifiers(&mut self, span: Span, specifiers: &[ExportSpecifier<'a>]) {
        self.buffer.join(span.start, span.end);
        specifiers.iter().filter(|one| one.export_kind.is_type()).for_each(|one| self.specifier(one.span));
    }

    pub(super) fn export(&mut self, it: &ExportDeclaration<'a>) {
        self.join_word(it.span.start);
        if let Declaration::TSImportEqualsDeclaration(_) = &it.declaration {
            self.hide(Span::sized(it.span.start, "export".len() as u32));
        }
        walk::walk_export_declaration(self, it);
    }

    pub(super) fn export_default(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.join_word(it.span.start);
        let default = self.buffer.skip(it.span.start + "export".len() as u32);
        self.join_word(default);
        self.starts(it.declaration.span().start);
        walk::walk_export_default_declaration(self, it);
    }

    /// What stands behind a word on another line goes with it.
    fn join_word(&mut self, at: u32) {
        if let Some(word) = self.buffer.words(at, at + 1).first().copied() {
            let mut end = word.end;
            while self.buffer.at(end).is_ascii_alphabetic() {
                end += 1;
            }
            self.buffer.join(end, self.buffer.skip(end));
        }
    }
}

/// Whether nothing of a statement is left when the program runs.
fn erased(statement: &Statement<'_>) -> Option<Erased> {
    let gone = |is_type: bool| is_type.then_some(Erased::Gone);
    match statement {
        Statement::ImportDeclaration(it) => gone(it.import_kind.is_type()),
        Statement::ExportNamedDeclaration(it) => gone(it.export_kind.is_type()),
        Statement::ExportFromDeclaration(it) => gone(it.export_kind.is_type()),
        Statement::ExportAllDeclaration(it) => gone(it.export_kind.is_type()),
        Statement::TSNamespaceExportDeclaration(_) => Some(Erased::Gone),
        Statement::ExportDeclaration(it) => erased_declaration(&it.declaration),
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => Some(Erased::Type),
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => gone(function.body.is_none()),
            _ => None,
        },
        _ => statement.as_declaration().and_then(erased_declaration),
    }
}

fn erased_declaration(declaration: &Declaration<'_>) -> Option<Erased> {
    let kept = |is_type: bool| is_type.then_some(Erased::Type);
    match declaration {
        Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_) => Some(Erased::Type),
        Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => Some(Erased::Type),
        Declaration::VariableDeclaration(it) => kept(it.declare),
        Declaration::ClassDeclaration(it) => kept(it.declare),
        Declaration::TSEnumDeclaration(it) => kept(it.declare),
        Declaration::TSNamespaceDeclaration(it) => kept(it.declare || !has_values(it)),
        Declaration::FunctionDeclaration(it) if it.declare => Some(Erased::Type),
        Declaration::FunctionDeclaration(it) => it.body.is_none().then_some(Erased::Gone),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type().then_some(Erased::Gone),
    }
}

/// Whether a namespace makes an object when the program runs (TypeScript's `getModuleInstanceState`).
fn has_values(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => has_values(inner),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().any(|statement| match statement {
            Statement::TSImportEqualsDeclaration(_) => false,
            Statement::ExportNamedDeclaration(it) => !it.specifiers.is_empty() && !it.export_kind.is_type(),
            _ => erased(statement).is_none(),
        }),
    }
}

/// Whether a statement ends at a line break as well as at a `;`.
pub(super) fn may_lack_its_end(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExportDeclaration(it) => {
            matches!(it.declaration, Declaration::VariableDeclaration(_) | Declaration::TSImportEqualsDeclaration(_))
        }
        Statement::ExportDefaultDeclaration(it) => it.declaration.is_expression(),
        Statement::ExpressionStatement(_)
        | Statement::VariableDeclaration(_)
        | Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::BreakStatement(_)
        | Statement::ContinueStatement(_)
        | Statement::DebuggerStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::ImportDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::TSExportAssignment(_)
        | Statement::TSImportEqualsDeclaration(_) => true,
        _ => false,
    }
}

/// Whether what begins so goes on with the statement in the line above.
fn goes_on(first: u8) -> bool {
    first.is_ascii_punctuation() && !matches!(first, b'"' | b'\'' | b'{' | b'}' | b'@' | b'#' | b';' | b'_' | b'$')
}
