//! The code of an item as it stands in its file: real lines with their numbers, and the tokens that count in them.

use crate::pipeline::covered::Read;
use factgate_facts::program::Scope;
use factgate_facts::steps::{Step, steps};
use factgate_syntax::NodeId;
use std::collections::BTreeMap;

/// One side of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The lines that hold a token, by their numbers.
    pub lines: BTreeMap<u32, String>,
    /// What counts, in order: comments and layout are none of it.
    pub tokens: Vec<Token>,
    /// What the code does, where it is a function.
    pub steps: Vec<Step>,
    /// Its text, from its first to its last byte.
    pub text: String,
}

/// One token, or one line of a token that has several.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its line.
    pub line: u32,
    /// Its columns there, in characters from 1; the end is behind it.
    pub columns: (u32, u32),
    /// Its kind, and what it says.
    pub says: (&'static str, String),
}

impl Token {
    /// Whether it counts and stands nowhere: a brace that only a formatter would write.
    pub fn is_nowhere(&self) -> bool {
        self.columns.0 == self.columns.1
    }
}

impl Listing {
    /// What a selector read.
    pub fn of(read: &Read) -> Listing {
        match read {
            Read::Code(scope) => Listing::of_scope(scope),
            Read::Bytes { bytes, .. } => Listing::of_text(&String::from_utf8_lossy(bytes)),
        }
    }

    /// A text of which every line is a token.
    pub fn of_text(text: &str) -> Listing {
        let mut code = Listing { text: text.to_owned(), ..Listing::default() };
        for (number, line) in (1..).zip(text.lines()) {
            code.lines.insert(number, line.to_owned());
            let columns = (1, line.chars().count() as u32 + 1);
            code.tokens.push(Token { line: number, columns, says: ("line", line.to_owned()) });
        }
        code
    }

    fn of_scope(scope: &Scope) -> Listing {
        let source = scope.source.text();
        let text = source.get(scope.span.range()).unwrap_or_default().to_owned();
        let mut code = Listing { text, steps: steps(scope), ..Listing::default() };
        let all: Vec<&str> = source.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        for leaf in scope.tree.subtree(NodeId::ROOT).filter(|&node| scope.tree.is_leaf(node)) {
            let span = scope.tree.span(leaf);
            let (start, end) = (scope.source.position(span.start), scope.source.position(span.end));
            // Some tokens of the normal form stand nowhere, braces around a single statement for one: they count, and show
            // nothing.
            let whole = source.get(span.range()).unwrap_or_default();
            for (number, part) in (start.line..=end.line).zip(whole.split('\n')) {
                let line = all.get(number as usize - 1).copied().unwrap_or_default();
                let first = if number == start.line { start.column } else { 1 };
                let says = if start.line == end.line { scope.tree.text(leaf) } else { part };
                let columns = (first, first + part.chars().count() as u32);
                code.tokens.push(Token { line: number, columns, says: (scope.tree.kind(leaf), says.to_owned()) });
                code.lines.entry(number).or_insert_with(|| line.to_owned());
            }
        }
        code.tokens.sort_by_key(|token| (token.line, token.columns));
        code
    }
}
