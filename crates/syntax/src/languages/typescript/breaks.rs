//! Line breaks that end a statement and that the grammar does not see.
//!
//! In ECMAScript (12.3, 12.10.1) a line ends at LF, CR, U+2028 and U+2029, and a comment that holds such a break counts
//! as one. The grammar knows only LF outside of comments, and reads `return /*⏎*/ a` as one statement. So the file is
//! parsed again with a plain LF in place of each such break: as long as before, so that every place stays.
//!
//! Where the grammar joins what even a plain break parts, the code is reported as damage.

use super::items::children;
use crate::languages::Given;
use std::ops::Range;
use tree_sitter::Node;

/// The text with breaks that the grammar sees, when that is another one.
pub(super) fn relined(root: Node<'_>, text: &str) -> Option<String> {
    if !suspect(text) {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut behind = 0;
    let mut splits = Vec::new();
    let mut leaves = |range: Range<usize>, comment: bool| {
        let gap = text.get(behind..range.start).filter(|gap| gap.trim().is_empty());
        if let Some(gap) = gap {
            plain(gap, &mut bytes[behind..range.start]);
        }
        if comment && text[range.clone()].contains(is_break) {
            bytes[range.clone()].fill(b' ');
            bytes[range.start] = b'\n';
        }
        behind = range.end.max(behind);
    };
    let mut cursor = root.walk();
    'walk: loop {
        let node = cursor.node();
        splits.extend(split_before(node, text));
        // No gap in these is white space.
        let whole = matches!(node.kind(), "string" | "regex" | "comment" | "jsx_text");
        if !whole && cursor.goto_first_child() {
            continue;
        }
        leaves(node.byte_range(), node.kind() == "comment" && text[node.byte_range()].starts_with("/*"));
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    leaves(text.len()..text.len(), false);
    splits.into_iter().for_each(|at| bytes[at] = b';');
    let relined = String::from_utf8(bytes).ok()?;
    (relined != text).then_some(relined)
}

/// `(a): A⏎<B>(c): D` in a type without semicolons: two signatures, which the grammar reads as one that gives `A<B>`.
/// The place behind the first one, for a semicolon.
fn split_before(node: Node<'_>, text: &str) -> Option<usize> {
    let joined = node.kind() == "type_arguments";
    let generic = node.parent().filter(|above| joined && above.kind() == "generic_type")?;
    before_brackets(generic, text)?;
    let end = generic.child(0)?.end_byte();
    text.as_bytes().get(end).filter(|byte| byte.is_ascii_whitespace()).map(|_| end)
}

/// Whether a file may hold a break that the grammar does not see. Nearly none does, and parsing is dear.
fn suspect(text: &str) -> bool {
    let rare = text.contains(['\u{2028}', '\u{2029}']) || text.replace("\r\n", "").contains('\r');
    let signature = |line: &str| line.starts_with('<') && (line.contains(">(") || !line.contains('>'));
    rare || text.lines().any(|line| signature(line.trim_start()))
        || text.match_indices("*/").any(|(end, _)| joins(text, end))
}

/// Whether the comment that ends here spans lines and has code before it and behind it on its first and last line.
fn joins(text: &str, end: usize) -> bool {
    let behind = text[end + 2..].lines().next().unwrap_or("").trim_start();
    if behind.is_empty() || behind.starts_with("//") {
        return false;
    }
    let Some(start) = text[..end].rfind("/*") else { return false };
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    text[start..end].contains('\n') && !text[first..start].trim().is_empty()
}

fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Puts LF and spaces for the rarer breaks of a gap between two leaves.
fn plain(gap: &str, bytes: &mut [u8]) {
    for (at, letter) in gap.char_indices() {
        let crlf = letter == '\r' && gap[at + 1..].starts_with('\n');
        if letter != '\n' && is_break(letter) && !crlf {
            bytes[at..at + letter.len_utf8()].fill(b' ');
            bytes[at] = b'\n';
        }
    }
}

/// A break inside of something that no break may part (ECMAScript's and TypeScript's "no LineTerminator here"): the
/// code means two statements or members, or is none.
pub(super) fn parted(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let text = given.text;
    let word = match given.names.kind(node) {
        "return_statement" | "throw_statement" | "break_statement" | "continue_statement" | "yield_expression" => {
            node.child(0)
        }
        "update_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => {
            return before_operator(node, text);
        }
        "array_type" | "lookup_type" | "generic_type" => return before_brackets(node, text),
        "arrow_function"
        | "function_expression"
        | "function_declaration"
        | "generator_function"
        | "generator_function_declaration" => node.child(0).filter(|word| word.kind() == "async"),
        "method_definition"
        | "public_field_definition"
        | "field_definition"
        | "method_signature"
        | "abstract_method_signature"
        | "property_signature" => return behind_modifiers(node, text),
        "abstract_class_declaration" => children(node).find(|child| child.kind() == "abstract"),
        "type_alias_declaration" | "interface_declaration" | "ambient_declaration" | "internal_module" | "module" => {
            node.child(0)
        }
        "assignment_expression" | "using_declaration" => children(node).find(|word| word.kind() == "using"),
        _ => None,
    };
    let word = word?;
    let next = std::iter::successors(word.next_sibling(), Node::next_sibling).find(|next| next.kind() != "comment")?;
    let ended = matches!(next.kind(), ";" | "}") || next.end_byte() == next.start_byte();
    (!ended && broken(text, word.end_byte()..next.start_byte())).then_some(
        "a line break behind this word ends it, but the grammar reads on: join the lines, or put a `;` between them",
    )
}

fn broken(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_some_and(|gap| gap.contains(is_break))
}

/// `a⏎++`, `a⏎as B`, `a⏎!`: none of these goes with what stands in the line above.
fn before_operator(node: Node<'_>, text: &str) -> Option<&'static str> {
    let words = ["++", "--", "as", "satisfies", "!"];
    let operator = children(node).find(|child| words.contains(&child.kind()))?;
    let operand =
        std::iter::successors(operator.prev_sibling(), Node::prev_sibling).find(|before| before.kind() != "comment")?;
    broken(text, operand.end_byte()..operator.start_byte()).then_some(
        "a line break before this operator parts it from its operand, but the grammar reads on: join the lines",
    )
}

/// `let a: A⏎[b]`, `let a: A⏎<B>`: a type ends with its line there.
fn before_brackets(node: Node<'_>, text: &str) -> Option<&'static str> {
    let heritage = ["implements_clause", "extends_type_clause"];
    if node.parent().is_some_and(|above| heritage.contains(&above.kind())) {
        return None;
    }
    let base = node.child(0)?;
    let next = std::iter::successors(base.next_sibling(), Node::next_sibling).find(|next| next.kind() != "comment")?;
    broken(text, base.end_byte()..next.start_byte())
        .then_some("a line break ends this type, but the grammar reads on: join the lines")
}

/// `async⏎b() {}`, `readonly⏎b`: a modifier with a break behind it is a member of that name. `static`, `get` and `set`
/// are none of these words.
fn behind_modifiers(node: Node<'_>, text: &str) -> Option<&'static str> {
    let words = ["async", "accessor", "abstract", "declare", "readonly", "accessibility_modifier", "override_modifier"];
    let mut before: Option<Node<'_>> = None;
    for child in children(node).filter(|child| child.kind() != "comment") {
        if before.is_some_and(|word| broken(text, word.end_byte()..child.start_byte())) {
            return Some("a line break behind this modifier makes it a member: join the lines, or put a `;` there");
        }
        before = Some(child).filter(|child| words.contains(&child.kind()));
        if before.is_none() && !matches!(child.kind(), "decorator" | "static" | "get" | "set" | "*") {
            return None;
        }
    }
    None
}
