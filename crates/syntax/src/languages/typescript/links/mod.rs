//! Links of a TypeScript or JavaScript file, read with oxc: scopes and references are resolved there, fifteen times
//! faster than with the grammar, and a sweep reads thousands of files. Nothing of a fingerprint or a guard comes from
//! here.

mod class;
mod deep;
mod denote;
mod exports;
mod platform;
mod require;
mod spaces;
mod symbols;
mod types;
mod uses;

#[cfg(test)]
mod tests;

use crate::links::{Denotes, Links, Reading};
use crate::tree::Span;
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Semantic, SemanticBuilder};
use oxc_span::{GetSpan, SourceType};
use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) use deep::stack;

/// Reads a file's links. `path` only tells the dialect by its ending.
pub(in crate::languages) fn links(path: &str, text: &str, is_word: &dyn Fn(&str) -> bool) -> Links {
    match deep::stack(text) {
        Some(stack) => stacker::maybe_grow(stack, stack, || links_on(path, text, is_word)),
        None => {
            let broken = Some(("nests too deep".to_owned(), Span::default()));
            Links { reading: Reading::Apart, broken, ..Links::default() }
        }
    }
}

fn links_on(path: &str, text: &str, is_word: &dyn Fn(&str) -> bool) -> Links {
    let allocator = Allocator::default();
    let kind = SourceType::from_path(path).unwrap_or_else(|_| SourceType::ts());
    let kind = if kind.is_javascript() { kind.with_jsx(true) } else { kind };
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let own = format!("./{}", path.rsplit('/').next().unwrap_or(path));
    let mut reader = Reader::new(&semantic, own, is_word);
    reader.links.reading = Reading::Apart;
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        let first = parsed.diagnostics.first();
        let message = first.map_or_else(|| "a parse error".to_owned(), ToString::to_string);
        let at = first.and_then(|first| first.labels.first()).map(|label| label.offset()).unwrap_or_default();
        reader.links.broken = Some((message, Span { start: at, end: at }));
    }
    reader.declare_symbols();
    reader.read_requires();
    reader.read_wholes();
    reader.read_texts();
    reader.read_imports();
    reader.read_spaces();
    reader.read_typed();
    reader.read_assigned();
    reader.give_meanings();
    reader.complete_tables();
    reader.read_exports();
    reader.read_uses();
    reader.read_loose();
    reader.links
}

/// One file being read.
struct Reader<'a, 'w> {
    semantic: &'w Semantic<'a>,
    symbols: HashMap<oxc_semantic::SymbolId, usize>,
    /// Names of properties that are assigned somewhere.
    assigned: HashSet<String>,
    /// Constants that are texts: `const k = 'run'` of `q[k]`.
    texts: HashMap<usize, String>,
    /// CommonJS exports that are given one of several values.
    choices: BTreeSet<String>,
    /// Symbols that are a `require`.
    requires: HashSet<usize>,
    /// Symbols that are `createRequire`.
    makers: HashSet<usize>,
    /// Symbols that are CommonJS's `exports`: `var S = module.exports = {}`.
    wholes: HashSet<usize>,
    /// How many namespaces the file declares.
    spaces: usize,
    /// Symbols that the file exports.
    exported: HashSet<usize>,
    /// Members that patterns give to variables.
    taken: Vec<Taken>,
    /// What types that are written as `typeof x` are the types of.
    typed: HashMap<usize, Denotes>,
    /// The specifier by which the file would import itself.
    own: String,
    links: Links,
    is_word: &'w dyn Fn(&str) -> bool,
}

impl<'a, 'w> Reader<'a, 'w> {
    fn new(semantic: &'w Semantic<'a>, own: String, is_word: &'w dyn Fn(&str) -> bool) -> Reader<'a, 'w> {
        Reader {
            semantic,
            symbols: HashMap::new(),
            requires: HashSet::new(),
            makers: HashSet::new(),
            wholes: HashSet::new(),
            assigned: HashSet::new(),
            texts: HashMap::new(),
            choices: BTreeSet::new(),
            spaces: 0,
            exported: HashSet::new(),
            taken: Vec::new(),
            typed: HashMap::new(),
            own,
            links: Links::default(),
            is_word,
        }
    }
}

/// A member that a pattern gives to a variable: `run` of `const { run } = queue`.
struct Taken {
    what: Denotes,
    at: Span,
    symbol: usize,
    /// Whether the variable keeps it.
    settled: bool,
}

/// oxc's span as ours.
fn span(of: &impl GetSpan) -> Span {
    let span = of.span();
    Span { start: span.start, end: span.end }
}
