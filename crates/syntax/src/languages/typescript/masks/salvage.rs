//! A file that oxc refuses: what stands beside the error is read by itself, in two steps as always, so that a broken
//! function changes nothing of its neighbours.

use super::{Dialect, read};
use crate::grammar::Node;
use crate::item::Text;
use crate::languages::{Reading, Shape};
use crate::source::{Problem, ProblemKind};
use crate::tree::Span;

/// The masked text of a file, piece by piece, and the pieces that oxc alone refuses. `root` is the tree of the text as it
/// stands.
pub(in crate::languages::typescript) fn salvage(
    root: Node<'_>,
    text: &str,
    dialect: Dialect,
) -> (Reading, Vec<Problem>) {
    let blank = " ".repeat(text.len());
    let reading = Reading { runs: text.to_owned(), types: None, pieces: Some(Vec::new()), ..Reading::default() };
    let mut salvage = Salvage { text, dialect, reading, types: blank, has_types: false, problems: Vec::new() };
    salvage.children(root);
    if salvage.has_types {
        salvage.reading.types = Some(salvage.types);
    }
    salvage.reading.words.sort();
    salvage.reading.never.sort();
    (salvage.reading, salvage.problems)
}

struct Salvage<'t> {
    text: &'t str,
    dialect: Dialect,
    reading: Reading,
    types: String,
    has_types: bool,
    problems: Vec<Problem>,
}

/// Code around a piece in which oxc takes it.
const PLACES: [(&str, &str); 3] = [("", ""), ("async function* f() {", "}"), ("class A {", "}")];

impl Salvage<'_> {
    fn children(&mut self, node: Node<'_>) {
        for child in node.named_children().filter(|child| child.kind() != "comment") {
            self.piece(child);
        }
    }

    /// Reads a statement or member by itself; where that fails, what it holds.
    fn piece(&mut self, node: Node<'_>) {
        let is_whole = is_piece(node.kind()) && !holds_error(node);
        if is_whole && self.take(node) {
            return;
        }
        let before = self.problems.len();
        if node.is_error() || node.is_leaf() {
            return;
        }
        super::super::normal::deep(|| self.children(node));
        // What the grammar takes and oxc refuses is not understood.
        if is_whole && self.problems.len() == before {
            let message = "a parse error that the grammar does not see".to_owned();
            self.problems.push(Problem { kind: ProblemKind::Parse, span: node.span(), message, text: Text::Runs });
        }
    }

    fn take(&mut self, node: Node<'_>) -> bool {
        let span = node.span();
        let places = if is_member(node.kind()) { &PLACES[2..] } else { &PLACES[..2] };
        places.iter().any(|(before, after)| {
            let text = format!("{before}{}{after}", &self.text[span.range()]);
            let Ok(reading) = read(&text, self.dialect) else { return false };
            self.put(span, &reading, before.len());
            true
        })
    }

    fn put(&mut self, span: Span, reading: &Reading, lead: usize) {
        let (start, length) = (span.start as usize, (span.end - span.start) as usize);
        let range = lead..lead + length;
        self.reading.runs.replace_range(start..start + length, &reading.runs[range.clone()]);
        if let Some(types) = reading.types.as_ref().filter(|_| lead == 0) {
            self.types.replace_range(start..start + length, &types[range]);
            self.has_types = true;
        }
        let moved = |inner: &Span| {
            let at = |offset: u32| (offset as usize + start - lead) as u32;
            Span { start: at(inner.start), end: at(inner.end) }
        };
        self.reading.words.extend(reading.words.iter().map(moved));
        self.reading.lacking.extend(reading.lacking.iter().map(moved));
        self.reading.pieces.get_or_insert_default().push(span);
        let shifted = |shape: &Shape| {
            let inside = shape.0 as usize >= lead && shape.1 as usize <= lead + length;
            let at = |offset: u32| (offset as usize + start - lead) as u32;
            inside.then(|| (at(shape.0), at(shape.1), shape.2))
        };
        self.reading.shapes.extend(reading.shapes.iter().filter_map(shifted));
        self.reading.type_shapes.extend(reading.type_shapes.iter().filter_map(shifted));
        self.reading.never.extend(reading.never.iter().map(moved));
    }
}

fn is_member(kind: &str) -> bool {
    matches!(kind, "method_definition" | "public_field_definition" | "field_definition" | "method_signature")
        || matches!(kind, "abstract_method_signature" | "index_signature" | "class_static_block")
}

/// Whether a node can be read by itself.
fn is_piece(kind: &str) -> bool {
    is_member(kind)
        || kind.ends_with("_statement")
        || kind.ends_with("_declaration")
        || matches!(kind, "function_signature" | "module" | "internal_module")
}

fn holds_error(node: Node<'_>) -> bool {
    let mut next = Some(node);
    while let Some(inner) = next.filter(|inner| inner.index() == node.index() || inner.end_byte() <= node.end_byte()) {
        if inner.is_error() || inner.is_missing() {
            return true;
        }
        next = inner.child(0).or_else(|| inner.behind());
        if next.is_some_and(|next| next.start_byte() >= node.end_byte()) {
            break;
        }
    }
    false
}
