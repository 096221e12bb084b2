//! Line breaks that end a statement and that the grammar does not see.
//!
//! In ECMAScript (12.3, 12.10.1) a line ends at LF, CR, U+2028 and U+2029, and a comment that holds such a break counts
//! as one. The grammar knows only LF outside of comments, and reads `return /*⏎*/ a` as one statement. So the file is
//! parsed again with a plain LF in place of each such break: as long as before, so that every place stays.
//!
//! Where the grammar joins what even a plain break parts, the code is reported as damage.

use crate::grammar::Node;
use crate::languages::Given;
use std::ops::Range;

/// The text with breaks that the grammar sees, when that is another one.
pub(super) fn relined(root: Node<'_>, given: Given<'_>) -> Option<String> {
    let text = given.text;
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
    let mut next = Some(root);
    while let Some(node) = next {
        splits.extend(split_before(node, given));
        // No gap in these is white space.
        let whole = matches!(node.kind(), "string" | "regex" | "comment" | "jsx_text");
        if whole || node.is_leaf() {
            leaves(node.byte_range(), node.kind() == "comment" && text[node.byte_range()].starts_with("/*"));
            next = node.behind();
        } else {
            next = node.child(0);
        }
    }
    leaves(text.len()..text.len(), false);
    splits.into_iter().for_each(|at| bytes[at] = b';');
    let relined = String::from_utf8(bytes).ok()?;
    (relined != text).then_some(relined)
}

/// `(a): A⏎<B>(c): D` in a type without semicolons: two signatures, which the grammar reads as one that gives `A<B>`.
/// The place behind the first one, for a semicolon.
fn split_before(node: Node<'_>, given: Given<'_>) -> Option<usize> {
    let joined = node.kind() == "type_arguments";
    let generic = node.parent().filter(|above| joined && above.kind() == "generic_type")?;
    before_brackets(generic, given)?;
    let end = generic.child(0)?.end_byte();
    given.text.as_bytes().get(end).filter(|byte| byte.is_ascii_whitespace()).map(|_| end)
}

/// Whether a file may hold a break that the grammar does not see. Nearly none does, and parsing is dear.
fn suspect(text: &str) -> bool {
    // U+2028 and U+2029 begin with this byte.
    let rare = |line: &str| line.bytes().any(|byte| byte == b'\r' || byte == 0xe2) && line.contains(is_break);
    let signature = |line: &str| line.starts_with('<') && (line.contains(">(") || !line.contains('>'));
    let odd = |line: &str| {
        let bare = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        rare(bare) || signature(bare.trim_start())
    };
    text.split_inclusive('\n').any(odd) || text.match_indices("*/").any(|(end, _)| joins(text, end))
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
pub(super) fn behind_word(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    parted(node.child(0), given)
}

pub(super) fn behind_async(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    parted(node.child(0).filter(|word| word.kind() == "async"), given)
}

pub(super) fn behind_abstract(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    parted(node.children().find(|child| child.kind() == "abstract"), given)
}

pub(super) fn behind_using(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    parted(node.children().find(|child| child.kind() == "using"), given)
}

fn parted(word: Option<Node<'_>>, given: Given<'_>) -> Option<&'static str> {
    let word = word?;
    let next = following(word)?;
    let ended = matches!(next.kind(), ";" | "}") || next.end_byte() == next.start_byte();
    (!ended && broken(given.text, word.end_byte()..next.start_byte())).then_some(
        "a line break behind this word ends it, but the grammar reads on: join the lines, or put a `;` between them",
    )
}

/// The next sibling that is no comment.
fn following(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.next_sibling(), |node| node.next_sibling()).find(|next| next.kind() != "comment")
}

fn broken(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_some_and(|gap| gap.contains(is_break))
}

/// `a⏎++`, `a⏎as B`, `a⏎!`: none of these goes with what stands in the line above.
pub(super) fn before_operator(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let words = ["++", "--", "as", "satisfies", "!"];
    let operator = node.children().find(|child| words.contains(&child.kind()))?;
    let operand = std::iter::successors(operator.prev_sibling(), |node| node.prev_sibling())
        .find(|before| before.kind() != "comment")?;
    broken(given.text, operand.end_byte()..operator.start_byte()).then_some(
        "a line break before this operator parts it from its operand, but the grammar reads on: join the lines",
    )
}

/// `let a: A⏎[b]`, `let a: A⏎<B>`: a type ends with its line there.
pub(super) fn before_brackets(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let heritage = ["implements_clause", "extends_type_clause"];
    if node.parent().is_some_and(|above| heritage.contains(&above.kind())) {
        return None;
    }
    let base = node.child(0)?;
    let next = following(base)?;
    broken(given.text, base.end_byte()..next.start_byte())
        .then_some("a line break ends this type, but the grammar reads on: join the lines")
}

/// `async⏎b() {}`, `readonly⏎b`: a modifier with a break behind it is a member of that name. `static`, `get` and `set`
/// are none of these words.
pub(super) fn behind_modifiers(node: Node<'_>, given: Given<'_>) -> Option<&'static str> {
    let words = ["async", "accessor", "abstract", "declare", "readonly", "accessibility_modifier", "override_modifier"];
    let mut before: Option<Node<'_>> = None;
    for child in node.children().filter(|child| child.kind() != "comment") {
        if before.is_some_and(|word| broken(given.text, word.end_byte()..child.start_byte())) {
            return Some("a line break behind this modifier makes it a member: join the lines, or put a `;` there");
        }
        before = Some(child).filter(|child| words.contains(&child.kind()));
        if before.is_none() && !matches!(child.kind(), "decorator" | "static" | "get" | "set" | "*") {
            return None;
        }
    }
    None
}
