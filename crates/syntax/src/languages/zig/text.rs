//! Leaf text of the Zig normal form: numbers by value, names without needless quotes, strings as written.
//!
//! Sources: the Zig language reference (Integer Literals, Identifiers, Multiline String Literals) and `renderIdentifier`
//! in the standard library's `zig/render.zig`, which says when `zig fmt` takes the quotes off a name.

use super::super::Given;
use crate::grammar::Node;
use std::borrow::Cow;

/// The text of a node that is a leaf of the normal form; `None` for an inner node.
pub(super) fn leaf<'s>(node: Node<'_>, kind: &str, given: Given<'s>) -> Option<Cow<'s, str>> {
    let raw = &given.text[node.byte_range()];
    match kind {
        "identifier" if !raw.starts_with('@') => Some(Cow::Borrowed(raw)),
        "identifier" => Some(Cow::Owned(name(raw, quotes(node)))),
        "string" | "character" => Some(Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or(""))),
        "multiline_string" => Some(Cow::Owned(multiline(raw))),
        "integer" => Some(Cow::Owned(integer(raw))),
        "float" => Some(Cow::Owned(raw.replace('_', "").to_ascii_lowercase())),
        "builtin_type" | "boolean" | "builtin_identifier" => Some(Cow::Borrowed(raw)),
        _ if node.is_leaf() => Some(Cow::Borrowed("")),
        _ => None,
    }
}

/// What `zig fmt` does with the quotes of a name that would be a valid one without them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Takes them off: behind a dot, as a label, as a field's name.
    Needless,
    /// The same, but `@"_"` keeps them: the fields of an enum.
    NeedlessButUnderscore,
    /// Keeps them where the name would mean a primitive: variables, parameters, captures.
    AgainstPrimitives,
}

fn quotes(node: Node<'_>) -> Quotes {
    let Some(parent) = node.parent() else { return Quotes::AgainstPrimitives };
    match parent.kind() {
        "field_expression" if parent.child_by_field_name("member") == Some(node) => Quotes::Needless,
        "error_type" | "error_set_declaration" | "break_label" | "block_label" => Quotes::Needless,
        "field_initializer" if follows(node, ".") => Quotes::Needless,
        "asm_output_item" | "asm_input_item" if follows(node, "[") => Quotes::Needless,
        "container_field" if parent.child_by_field_name("name") == Some(node) => {
            match parent.parent().map(|container| container.kind()) {
                Some("enum_declaration") => Quotes::NeedlessButUnderscore,
                _ => Quotes::Needless,
            }
        }
        _ => Quotes::AgainstPrimitives,
    }
}

/// Whether a token stands right before a node, comments aside.
fn follows(node: Node<'_>, token: &str) -> bool {
    let before = std::iter::successors(node.prev_sibling(), |sibling| sibling.prev_sibling());
    before.into_iter().find(|sibling| !sibling.is_extra()).is_some_and(|sibling| sibling.kind() == token)
}

/// A name with its quotes taken off wherever they mean nothing.
pub(super) fn name(raw: &str, quotes: Quotes) -> String {
    let Some(quoted) = raw.strip_prefix('@') else { return raw.to_owned() };
    let inner = quoted.trim_start().trim_matches('"');
    let keep = || format!("@\"{inner}\"");
    let Some(bare) = unescape(inner) else { return keep() };
    let word = bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let needed = match quotes {
        Quotes::Needless => false,
        Quotes::NeedlessButUnderscore => bare == "_",
        Quotes::AgainstPrimitives => bare == "_" || is_primitive(&bare),
    };
    if bare.is_empty() || !word || bare.as_bytes()[0].is_ascii_digit() || is_keyword(&bare) || needed {
        return keep();
    }
    bare
}

/// The value of a string's text; `None` for an escape that Zig does not know.
pub(super) fn unescape(text: &str) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match letters.next()? {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            plain @ ('\\' | '\'' | '"') => bytes.push(plain as u8),
            'x' => {
                let digits: String = letters.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).ok()?);
            }
            'u' => {
                let digits: String = letters.by_ref().skip(1).take_while(|&letter| letter != '}').collect();
                let letter = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

/// The lines' text behind `\\`. Taken from the raw source: a comment between two lines leaves the grammar's node
/// without the text of its lines.
fn multiline(raw: &str) -> String {
    let lines = raw.split('\n').filter_map(|line| line.trim_start().strip_prefix("\\\\"));
    lines.map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join("\n")
}

/// An integer in decimal; one that needs more than 128 bits keeps its base, without separators and leading zeros.
fn integer(raw: &str) -> String {
    let plain = raw.replace('_', "").to_ascii_lowercase();
    let (base, digits) = match plain.get(..2) {
        Some("0x") => (16, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        Some("0b") => (2, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    match u128::from_str_radix(digits, base) {
        Ok(value) => value.to_string(),
        Err(_) => format!("{}{}", &plain[..plain.len() - digits.len()], digits.trim_start_matches('0')),
    }
}

const KEYWORDS: [&str; 49] = [
    "addrspace",
    "align",
    "allowzero",
    "and",
    "anyframe",
    "anytype",
    "asm",
    "async",
    "await",
    "break",
    "callconv",
    "catch",
    "comptime",
    "const",
    "continue",
    "defer",
    "else",
    "enum",
    "errdefer",
    "error",
    "export",
    "extern",
    "fn",
    "for",
    "if",
    "inline",
    "linksection",
    "noalias",
    "noinline",
    "nosuspend",
    "opaque",
    "or",
    "orelse",
    "packed",
    "pub",
    "resume",
    "return",
    "struct",
    "suspend",
    "switch",
    "test",
    "threadlocal",
    "try",
    "union",
    "unreachable",
    "usingnamespace",
    "var",
    "volatile",
    "while",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

const PRIMITIVES: [&str; 32] = [
    "anyerror",
    "anyframe",
    "anyopaque",
    "bool",
    "c_char",
    "c_int",
    "c_long",
    "c_longdouble",
    "c_longlong",
    "c_short",
    "c_uint",
    "c_ulong",
    "c_ulonglong",
    "c_ushort",
    "comptime_float",
    "comptime_int",
    "f128",
    "f16",
    "f32",
    "f64",
    "f80",
    "false",
    "isize",
    "noreturn",
    "null",
    "true",
    "type",
    "undefined",
    "usize",
    "void",
    "anytype",
    "c_void",
];

fn is_primitive(word: &str) -> bool {
    let numbered = word.strip_prefix(['i', 'u']).is_some_and(|digits| {
        !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'))
    });
    numbered || PRIMITIVES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_compared_by_value() {
        for (raw, text) in [
            ("0xFACE", "64206"),
            ("1_024", "1024"),
            ("0o17", "15"),
            ("0b1010", "10"),
            ("0xF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF", "0xfffffffffffffffffffffffffffffffff"),
        ] {
            assert_eq!(integer(raw), text, "{raw}");
        }
    }

    #[test]
    fn quotes_of_names_go_where_the_formatter_takes_them() {
        for (raw, quotes, text) in [
            ("@\"foo\"", Quotes::AgainstPrimitives, "foo"),
            ("@\"f\\x6fo\"", Quotes::AgainstPrimitives, "foo"),
            ("@\"u8\"", Quotes::AgainstPrimitives, "@\"u8\""),
            ("@\"u8\"", Quotes::Needless, "u8"),
            ("@\"while\"", Quotes::Needless, "@\"while\""),
            ("@\"_\"", Quotes::NeedlessButUnderscore, "@\"_\""),
            ("@\"1a\"", Quotes::Needless, "@\"1a\""),
            ("@\"\"", Quotes::Needless, "@\"\""),
            ("plain", Quotes::Needless, "plain"),
        ] {
            assert_eq!(name(raw, quotes), text, "{raw}");
        }
    }

    #[test]
    fn a_comment_between_string_lines_is_no_text() {
        assert_eq!(multiline("\\\\a // b\r\n    // no\n\n  \\\\ c "), "a // b\n c ");
    }
}
