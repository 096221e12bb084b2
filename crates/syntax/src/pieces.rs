//! Which places of a text are certainly inside comments or strings, told without parsing it: a search over thousands of
//! files need not parse those that speak of a word in comments alone.
//!
//! Where anything stands that only a parser can tell (a `/` that may divide or begin a regular expression, a quote that
//! does not end), all the rest of the text counts as code.

use memchr::memmem;
use std::ops::Range;

/// The pieces of one text, asked for from its beginning to its end.
pub struct Pieces<'t> {
    text: &'t [u8],
    /// Everything before it is read.
    at: usize,
    /// Where the code begins that `at` is in.
    from: usize,
    /// What ends at `at`, and where it began.
    last: Piece,
    start: usize,
    /// Whether the code before `at` ends with a dot, so that a name follows whatever it is.
    after_dot: bool,
    /// For each template that is open around `at` how many braces are open in its `${`.
    templates: Vec<usize>,
}

/// What a place of a text is part of, seen from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Code, or what may be code.
    Code,
    /// A comment.
    Comment,
    /// A string, or a part of a template.
    Literal,
}

/// Whether the comments and strings of a language can be told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// As TypeScript has them: `//` and `/* */`, quotes, and templates.
    Apart,
    /// Other text may look like them, as JSX does.
    ByParser,
}

impl<'t> Pieces<'t> {
    pub(crate) fn of(text: &'t [u8], told: Told) -> Pieces<'t> {
        let is_known = told == Told::Apart && !text.starts_with(b"#!");
        let at = if is_known { 0 } else { usize::MAX };
        Pieces { text, at, from: at, last: Piece::Code, start: 0, after_dot: false, templates: Vec::new() }
    }

    /// What a place is part of. No place lies before the one that was asked for last.
    pub fn at(&mut self, place: usize) -> Piece {
        while self.at <= place {
            let code = self.text.get(self.at..=place).unwrap_or_default();
            let is_open = !self.templates.is_empty();
            let begins = |byte: &u8| match byte {
                b'/' | b'\'' | b'"' | b'`' => true,
                b'{' | b'}' => is_open,
                _ => false,
            };
            match code.iter().position(begins) {
                Some(length) => self.take(self.at + length),
                None => {
                    (self.at, self.last) = (place, Piece::Code);
                    return Piece::Code;
                }
            }
        }
        self.last
    }

    /// Whether it is certain what the last place is part of.
    pub fn is_sure(&self) -> bool {
        self.at != usize::MAX
    }

    /// The comment or literal that the last place is part of; of a template the part.
    pub fn around(&self) -> Option<Range<usize>> {
        (self.last != Piece::Code).then_some(self.start..self.at)
    }

    /// Whether a literal is nothing but this range, which is in it.
    pub fn is_whole_literal(&self, range: &Range<usize>) -> bool {
        self.last == Piece::Literal && self.start + 1 == range.start && self.at == range.end + 1
    }

    /// Reads the piece that begins at a place.
    fn take(&mut self, start: usize) {
        let code = &self.text[self.from..start];
        let rest = &self.text[start..];
        let (piece, length) = match rest {
            [b'/', b'/', ..] => (Piece::Comment, end_of_line(rest)),
            [b'/', b'*', inner @ ..] => (Piece::Comment, memmem::find(inner, b"*/").map(|end| end + 4)),
            [b'/', ..] => (Piece::Code, end_of_slash(code, self.after_dot, rest)),
            [quote @ (b'\'' | b'"'), inner @ ..] => (Piece::Literal, end_of_string(*quote, inner)),
            [b'`', inner @ ..] => (Piece::Literal, self.end_of_template(inner)),
            [b'}', inner @ ..] if self.templates.last() == Some(&0) => {
                self.templates.pop();
                (Piece::Literal, self.end_of_template(inner))
            }
            [brace, ..] => {
                let open = if *brace == b'{' { 1 } else { -1 };
                self.templates.last_mut().into_iter().for_each(|depth| *depth = depth.saturating_add_signed(open));
                (Piece::Code, Some(1))
            }
            [] => (Piece::Code, None),
        };
        self.after_dot = match (piece, code.trim_ascii_end()) {
            (Piece::Comment, []) => self.after_dot,
            (Piece::Comment, code) => is_dot(code),
            _ => false,
        };
        (self.last, self.start) = (piece, start);
        match length {
            Some(length) => self.at = start + length,
            None => (self.last, self.at) = (Piece::Code, usize::MAX),
        }
        self.from = self.at;
    }

    /// The length of a template's part, from behind its first sign to its last one.
    fn end_of_template(&mut self, inner: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            match inner.get(at..)? {
                [b'`', ..] => return Some(at + 2),
                [b'\\', ..] => at += 2,
                [b'$', b'{', ..] => {
                    self.templates.push(0);
                    return Some(at + 3);
                }
                [_, ..] => at += 1,
                [] => return None,
            }
        }
    }
}

/// The length of a division or of a regular expression, where what stands around it says which: the code before it, whether
/// that comes behind a dot, and the rest of the text from the slash on.
fn end_of_slash(code: &[u8], after_dot: bool, rest: &[u8]) -> Option<usize> {
    let before = code.trim_ascii_end();
    let is_same_line = !code[before.len()..].contains(&b'\n');
    match slash(before, is_same_line, after_dot) {
        Slash::Divides => Some(1),
        Slash::Begins => end_of_regex(rest),
        Slash::Either => cannot_begin(rest).then_some(1),
    }
}

/// What a slash is, which begins no comment.
enum Slash {
    Divides,
    /// Begins a regular expression.
    Begins,
    Either,
}

/// Told from the code before a slash, as far as it is known to be code.
fn slash(before: &[u8], is_same_line: bool, after_dot: bool) -> Slash {
    match before {
        [.., b'(' | b',' | b'=' | b':' | b'[' | b'&' | b'|' | b'{' | b';'] | [.., b'=', b'>'] => Slash::Begins,
        [.., b']'] if is_same_line => Slash::Divides,
        [inner @ .., b')'] if is_same_line && closes_a_value(inner) => Slash::Divides,
        // Negates what follows, or says that what stands before is not null.
        [inner @ .., b'!'] => {
            let value = inner.trim_ascii_end();
            slash(value, is_same_line && !inner[value.len()..].contains(&b'\n'), after_dot)
        }
        [.., last] if is_same_line && is_letter(last) => after_word(before, after_dot),
        _ => Slash::Either,
    }
}

/// What a slash is behind a word on its line.
fn after_word(before: &[u8], after_dot: bool) -> Slash {
    // Words that an expression follows, and those that are names in some places and ask for one in others.
    const ASKING: [&[u8]; 9] =
        [b"return", b"typeof", b"case", b"throw", b"void", b"delete", b"in", b"instanceof", b"new"];
    const EITHER: [&[u8]; 7] = [b"await", b"yield", b"of", b"else", b"do", b"default", b"extends"];
    let Some(at) = before.iter().rposition(|byte| !is_letter(byte)) else { return Slash::Either };
    let (rest, word) = (&before[..=at], &before[at + 1..]);
    let is_member = match rest.trim_ascii_end() {
        [] => after_dot,
        rest => is_dot(rest),
    };
    match word {
        // A letter of another alphabet may come before.
        _ if !before[at].is_ascii() || before[at] == b'\\' => Slash::Either,
        _ if EITHER.contains(&word) => Slash::Either,
        _ if !ASKING.contains(&word) => Slash::Divides,
        _ if is_member => Slash::Either,
        _ => Slash::Begins,
    }
}

/// Whether a parenthesis that is closed behind this code is one of a call or an expression, and none of an `if`.
fn closes_a_value(inner: &[u8]) -> bool {
    const HEADS: [&[u8]; 5] = [b"if", b"while", b"for", b"with", b"await"];
    let mut depth = 0_usize;
    let open = inner.iter().rposition(|byte| {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 0 => return true,
            b'(' => depth -= 1,
            _ => {}
        }
        false
    });
    let Some(open) = open else { return false };
    let before = inner[..open].trim_ascii_end();
    let Some(at) = before.iter().rposition(|byte| !is_letter(byte)) else { return false };
    before[at].is_ascii() && before[at] != b'\\' && !HEADS.contains(&&before[at + 1..])
}

/// Whether a slash cannot begin a regular expression, since none ends on its line; nor does anything else begin there
/// that goes on behind it.
fn cannot_begin(text: &[u8]) -> bool {
    let line = &text[..end_of_line(text).unwrap_or(text.len())];
    !line[1..].iter().any(|byte| matches!(byte, b'/' | b'`' | b'{' | b'}'))
}

/// Whether a name follows this code, even where it is a word of the language.
fn is_dot(code: &[u8]) -> bool {
    matches!(code, [.., b'.' | b'#'])
}

/// A letter, digit, `_` or `$` of ASCII.
pub(crate) fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// A line ends with any of the four line terminators of ECMAScript.
fn end_of_line(text: &[u8]) -> Option<usize> {
    let ends = |&at: &usize| matches!(text[at], b'\n' | b'\r') || matches!(text[at..], [0xe2, 0x80, 0xa8 | 0xa9, ..]);
    Some((0..text.len()).find(ends).unwrap_or(text.len()))
}

/// How long a string is, with both quotes.
fn end_of_string(quote: u8, inner: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match *inner.get(at)? {
            b'\\' => at += 2,
            b'\n' | b'\r' => return None,
            byte if byte == quote => return Some(at + 2),
            _ => at += 1,
        }
    }
}

/// How long a regular expression is, without its flags.
fn end_of_regex(text: &[u8]) -> Option<usize> {
    let (mut at, mut in_class) = (1, false);
    loop {
        match *text.get(at)? {
            b'\\' => at += 1,
            b'\n' | b'\r' => return None,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Pieces, Told};

    /// What each `@` of a text is part of: `c`omment, `l`iteral, or code.
    fn check(text: &str, expected: &str) {
        let mut pieces = Pieces::of(text.as_bytes(), Told::Apart);
        let places = text.bytes().enumerate().filter(|(_, byte)| *byte == b'@');
        let sign = |piece| match piece {
            Piece::Comment => 'c',
            Piece::Literal => 'l',
            Piece::Code => '-',
        };
        let found: String = places.map(|(place, _)| sign(pieces.at(place))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comments_and_literals_are_told_from_code_and_what_is_not_sure_is_code() {
        for (text, expected) in [
            ("@ // @\n@", "-c-"),
            ("/* @ */ @ /** @\n * @ */@", "c-cc-"),
            ("/*@*//*@*/@//@", "cc-c"),
            ("// @\r@ // @\u{2028}@ // don’t @\n@", "c-c-c-"),
            ("'// @' @ \"/* @\" @ // @", "l-l-c"),
            (r"'\'// @' // @", "lc"),
            ("`// @\n/* @` // @", "llc"),
            ("`@${@ /* @ */ + `@${{ a: @ }}@` + '}@'}@` @ // @", "l-cl-lll-c"),
            ("'it\n// @", "-"),
            ("/* @", "-"),
            ("/*/ @ */ @", "c-"),
            ("// it's \"@\n'@' // @", "clc"),
            ("#!/usr/bin/env it's\n// @", "-"),
            ("", ""),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_slash_divides_or_begins_a_regular_expression_or_nobody_knows() {
        for (text, expected) in [
            ("x = /[/*]/; @ /* @ */ @", "-c-"),
            ("f(/'/, /\\//g) // @", "c"),
            ("() => /`/ // @", "c"),
            ("x = 12 / 5; y = a[0] / b / c2; // @", "c"),
            ("const half = size1 / 2 // @", "c"),
            ("f((a + 1) / 2) // @", "c"),
            ("x = a! / b // @", "c"),
            ("if (x) y() / 2 // @", "c"),
            ("f(); return /'/ // @", "c"),
            ("f(); return !/'/ // @", "c"),
            ("f(/* a */); // b\n return /'/ // @", "c"),
            ("x = y && !/'/ // @", "c"),
            // Where no second slash stands on the line, it can only divide.
            ("if (x) / 2\n// @", "c"),
            ("} / 2\n// @", "c"),
            // What may be a name or begin an expression, or may stand before a line of its own.
            ("x.return /'/ // @", "-"),
            // `any?` may be a type.
            ("x as any? /'/ // @", "-"),
            ("x. // a\n return /'/ // @", "-"),
            ("x = await /'/ // @", "-"),
            ("return /'/ // @", "-"),
            ("size / 2 // @", "-"),
            ("while (x) /'/.test(y) // @", "-"),
            ("} / `2\n// @", "-"),
            ("let a: B[]\n/'/.test(x) // @", "-"),
            ("if (x) /'/.test(y) // @", "-"),
            ("a++ / b // '\n@", "-"),
            ("} /'/ // @", "-"),
            ("a\n! / b // @", "-"),
            ("x = // why\n /'/ // @", "-"),
            ("x = /* 1 */ / 2 // @", "-"),
            ("x = /a\n/ // @", "-"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn where_only_a_parser_can_tell_all_is_code() {
        assert_eq!(Pieces::of(b"// @", Told::ByParser).at(3), Piece::Code);
    }
}
