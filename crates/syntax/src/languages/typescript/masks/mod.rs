//! Reading in two steps: oxc tells what of a file is gone when it runs, that is masked, and the grammar reads the rest.
//!
//! A mask puts other bytes in the place of some, never more or fewer, so every place in the masked text is that place in
//! the file; the text of a leaf is always taken from the file. Masked are erasable syntax, as TypeScript's own
//! `erasableSyntaxOnly` and type stripping define it, comments, and what the grammar would misread although it means
//! something: the text of JSX, a variable called `type`, a line break that ends nothing.
//!
//! Types that are items themselves are read from a second text, which holds them and nothing else.

mod buffer;
mod compare;
mod erase;
mod kinds;
mod members;
mod modules;
mod salvage;
mod types;

pub(super) use self::compare::misread;
pub(super) use self::salvage::salvage;

use self::buffer::Buffer;
use self::erase::Eraser;
use self::types::TypeText;
use crate::languages::Reading;
use oxc_allocator::Allocator;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

/// The dialects that the parser tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::languages) enum Dialect {
    TypeScript,
    Tsx,
    JavaScript,
}

impl Dialect {
    /// How a text may have to be read, the likeliest first: as a module, as a script (where `await` and `yield` may be
    /// names), as a declaration file.
    fn kinds(self) -> Vec<SourceType> {
        let kind = match self {
            Dialect::TypeScript => SourceType::ts(),
            Dialect::Tsx => SourceType::tsx(),
            Dialect::JavaScript => SourceType::mjs().with_jsx(true),
        };
        let declarations = (self == Dialect::TypeScript).then(SourceType::d_ts);
        [kind.with_module(true), kind.with_script(true)].into_iter().chain(declarations).collect()
    }
}

/// The masked texts; the error in words where oxc refuses the text.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Reading, String> {
    on_a_stack(text, || {
        let mut first = None;
        for kind in dialect.kinds() {
            match read_as(text, kind) {
                Ok(reading) => return Ok(reading),
                Err(error) => drop(first.get_or_insert(error)),
            }
        }
        Err(first.unwrap_or_default())
    })
}

/// oxc recurses over what nests.
fn on_a_stack<R>(text: &str, read: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    match super::links::stack(text) {
        Some(stack) => stacker::maybe_grow(stack, stack, read),
        None => Err("nests too deep".to_owned()),
    }
}

fn read_as(text: &str, kind: SourceType) -> Result<Reading, String> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics.first().map_or_else(|| "a parse error".to_owned(), ToString::to_string));
    }
    let mut buffer = Buffer::of(text);
    for comment in &parsed.program.comments {
        buffer.comment(comment.span);
    }
    if kind.is_typescript_definition() {
        return TypeText::of_all(&buffer, &parsed.program);
    }
    let mut eraser = Eraser::new(buffer);
    eraser.visit_program(&parsed.program);
    Ok(eraser.finish())
}
