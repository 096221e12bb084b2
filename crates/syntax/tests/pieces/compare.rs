//! Compares what is told without a parser with what oxc's parser finds: every place that is certain must be part of the
//! same comment, literal or code, and every specifier must be asked for. Texts are read as TypeScript.

use factgate_syntax::asked::Asked;
use factgate_syntax::language_for_path;
use factgate_syntax::pieces::Piece;
use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Program};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Semantic, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

/// What was compared.
#[derive(Default)]
pub(crate) struct Compared {
    /// Texts that the parser takes.
    pub(crate) texts: usize,
    pub(crate) bytes: usize,
    /// Bytes that were certain.
    pub(crate) certain: usize,
    pub(crate) specifiers: usize,
    /// Places that are told wrong: the text, its line, and what it is.
    pub(crate) wrong: Vec<String>,
}

impl Compared {
    /// Compares one text; `name` is for what is wrong with it.
    pub(crate) fn add(&mut self, name: &str, text: &str) {
        let allocator = Allocator::default();
        let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, text, SourceType::ts()).with_options(options).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            return;
        }
        let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let read = compare(text, &kinds(text, &parsed.program, &semantic));
        self.wrong.extend(read.wrong.map(|at| format!("{name}:{}: {at} is something else", line(at))));
        let asked = Asked::of(text.as_bytes());
        for one in asking(&semantic) {
            let at = one.start as usize;
            self.specifiers += 1;
            if !asked.for_a_module(at) {
                self.wrong.push(format!("{name}:{}: {at} is asked for", line(at)));
            }
        }
        self.texts += 1;
        self.bytes += text.len();
        self.certain += read.certain;
    }
}

/// What each byte is part of: a `c`omment, a `l`iteral, or code.
fn kinds(text: &str, program: &Program<'_>, semantic: &Semantic<'_>) -> Vec<u8> {
    let mut kinds = vec![b'-'; text.len()];
    let mut mark = |span: Span, kind: u8| kinds[span.start as usize..span.end as usize].fill(kind);
    for node in semantic.nodes().iter() {
        match node.kind() {
            AstKind::StringLiteral(string) => mark(string.span, b'l'),
            AstKind::TemplateElement(part) => mark(part.span, b'l'),
            AstKind::Directive(directive) => mark(directive.expression.span, b'l'),
            _ => {}
        }
    }
    program.comments.iter().for_each(|comment| mark(comment.span, b'c'));
    kinds
}

/// How many bytes were certain, and the first one that was wrong.
struct Read {
    certain: usize,
    wrong: Option<usize>,
}

fn compare(text: &str, kinds: &[u8]) -> Read {
    let Some(language) = language_for_path("a.ts") else { return Read { certain: 0, wrong: None } };
    let mut pieces = language.pieces(text.as_bytes());
    for (at, &kind) in kinds.iter().enumerate() {
        let piece = pieces.at(at);
        if !pieces.is_sure() {
            return Read { certain: at, wrong: None };
        }
        let is_border = "`${}".as_bytes().contains(&text.as_bytes()[at]);
        let is_right = match piece {
            Piece::Comment => kind == b'c',
            Piece::Code => kind == b'-',
            Piece::Literal => kind == b'l' || kind == b'-' && is_border,
        };
        if !is_right {
            return Read { certain: at, wrong: Some(at) };
        }
    }
    Read { certain: kinds.len(), wrong: None }
}

/// The strings that modules are asked for with.
fn asking(semantic: &Semantic<'_>) -> Vec<Span> {
    let mut found = Vec::new();
    for node in semantic.nodes().iter() {
        match node.kind() {
            AstKind::ImportDeclaration(import) => found.push(import.source.span),
            AstKind::ExportAllDeclaration(export) => found.push(export.source.span),
            AstKind::ExportFromDeclaration(export) => found.push(export.source.span),
            AstKind::TSExternalModuleReference(reference) => found.push(reference.expression.span),
            AstKind::TSImportType(import) => found.push(import.source.span),
            AstKind::ImportExpression(import) => found.extend(literal(&import.source)),
            AstKind::CallExpression(call) => {
                let is_require = match call.callee.get_inner_expression() {
                    Expression::Identifier(name) => name.name == "require",
                    Expression::StaticMemberExpression(member) => {
                        matches!(member.property.name.as_str(), "require" | "importActual" | "requireActual")
                    }
                    _ => false,
                };
                let first = call.arguments.first().and_then(|first| first.as_expression());
                found.extend(first.filter(|_| is_require).and_then(literal));
            }
            _ => {}
        }
    }
    found
}

fn literal(from: &Expression<'_>) -> Option<Span> {
    match from.get_inner_expression() {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Some(from.get_inner_expression().span()),
        _ => None,
    }
}
