//! The masked text while it is made.

use oxc_span::Span;

/// Names that the grammar takes for keywords here and there where they are none.
const WORDS: [&str; 25] = [
    "abstract",
    "accessor",
    "any",
    "as",
    "asserts",
    "async",
    "await",
    "declare",
    "from",
    "get",
    "global",
    "infer",
    "is",
    "keyof",
    "let",
    "module",
    "namespace",
    "of",
    "override",
    "readonly",
    "satisfies",
    "set",
    "static",
    "type",
    "using",
];

/// A text with some of its bytes masked.
pub(super) struct Buffer<'s> {
    pub(super) text: &'s [u8],
    out: Vec<u8>,
}

impl<'s> Buffer<'s> {
    pub(super) fn of(text: &'s str) -> Buffer<'s> {
        Buffer { text: text.as_bytes(), out: text.as_bytes().to_vec() }
    }

    /// The same text with everything masked.
    pub(super) fn all_masked(&self) -> Buffer<'s> {
        Buffer { text: self.text, out: vec![b' '; self.text.len()] }
    }

    /// The same text with the same masks.
    pub(super) fn copy(&self) -> Buffer<'s> {
        Buffer { text: self.text, out: self.out.clone() }
    }

    pub(super) fn finish(self) -> String {
        // Whole characters are masked and letters put for them, so nothing is lost here.
        String::from_utf8(self.out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Shows again what another buffer shows of a range.
    pub(super) fn show(&mut self, from: &Buffer<'_>, span: Span) {
        let range = span.start as usize..span.end as usize;
        self.out[range.clone()].copy_from_slice(&from.out[range]);
    }

    /// Spaces for everything in a range, line breaks included.
    pub(super) fn blank(&mut self, from: u32, to: u32) {
        self.fill(from, to, b' ');
    }

    /// A comment goes; its line breaks end statements as others do (ECMAScript 12.4).
    pub(super) fn comment(&mut self, span: Span) {
        let mut at = span.start as usize;
        let end = (span.end as usize).min(self.out.len());
        while at < end {
            let is_masked = self.out[at] == b'\n';
            let breaks = break_at(&self.text[at..end]);
            let width = breaks.unwrap_or(1);
            self.out[at..at + width].fill(b' ');
            if breaks.is_some() || is_masked {
                self.out[at] = b'\n';
            }
            at += width;
        }
    }

    /// White space whose line breaks the grammar shall see.
    pub(super) fn plain_breaks(&mut self, from: u32, to: u32) {
        let is_plain = |byte: &u8| byte.is_ascii() && *byte != b'\r';
        if !self.out.get(from as usize..to as usize).is_some_and(|gap| gap.iter().all(is_plain)) {
            self.comment(Span::new(from, to));
        }
    }

    /// Line breaks in a range that end nothing become spaces.
    pub(super) fn join(&mut self, from: u32, to: u32) {
        let (from, to) = (from as usize, (to as usize).min(self.out.len()));
        for byte in self.out.get_mut(from..to).into_iter().flatten() {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    /// One letter over and over: text, or a name, that the grammar shall not look into.
    pub(super) fn fill(&mut self, from: u32, to: u32, letter: u8) {
        let to = (to as usize).min(self.out.len());
        if let Some(range) = self.out.get_mut(from as usize..to) {
            range.fill(letter);
        }
    }

    /// A name; one that the grammar could take for a keyword becomes another one.
    pub(super) fn name(&mut self, span: Span) {
        let text = self.source(span);
        if (2..=9).contains(&text.len()) && WORDS.iter().any(|word| word.as_bytes() == text) {
            self.fill(span.start, span.end, b'x');
        }
    }

    /// Other letters for the first of a range, and spaces for its rest.
    pub(super) fn replace(&mut self, from: u32, to: u32, with: &str) {
        self.blank(from, to);
        self.out[from as usize..from as usize + with.len()].copy_from_slice(with.as_bytes());
    }

    /// Puts a `;` at a place that holds white space or is masked.
    pub(super) fn semicolon(&mut self, at: u32) {
        let at = at as usize;
        let Some(rest) = self.out.get(at..) else { return };
        let width = space_at(rest).unwrap_or(1).max(break_at(rest).unwrap_or(1)).min(rest.len());
        if width > 0 {
            self.out[at..at + width].fill(b' ');
            // A node that ends with it ends with the character.
            self.out[at + width - 1] = b';';
        }
    }

    /// What is shown at a place; a space behind the end.
    pub(super) fn at(&self, at: u32) -> u8 {
        self.out.get(at as usize).copied().unwrap_or(b' ')
    }

    /// The first place from here on that is no white space.
    pub(super) fn skip(&self, from: u32) -> u32 {
        let mut at = from as usize;
        while let Some(width) = self.out.get(at..).and_then(space_at) {
            at += width;
        }
        at as u32
    }

    /// Where what is shown ends, before this place.
    pub(super) fn end_before(&self, end: u32) -> u32 {
        let mut at = (end as usize).min(self.out.len());
        while at > 0 && (self.out[at - 1].is_ascii_whitespace() || matches!(self.out[at - 1], b';' | b',')) {
            at -= 1;
        }
        at as u32
    }

    /// Whether there is a line break that the grammar sees between two places.
    pub(super) fn has_break(&self, from: u32, to: u32) -> bool {
        self.out.get(from as usize..to as usize).is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// The words of a range, up to the first thing that is none.
    pub(super) fn words(&self, from: u32, to: u32) -> Vec<Span> {
        let mut words = Vec::new();
        let mut at = self.skip(from);
        while at < to {
            let start = at;
            while at < to && self.at(at).is_ascii_alphabetic() {
                at += 1;
            }
            if start == at {
                break;
            }
            words.push(Span::new(start, at));
            at = self.skip(at);
        }
        words
    }

    /// The bytes of the file at a place.
    pub(super) fn source(&self, span: Span) -> &'s [u8] {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// The width of the line break that a text begins with (ECMAScript 12.3), when that is none that the grammar sees.
fn break_at(text: &[u8]) -> Option<usize> {
    match text {
        [b'\n' | b'\r', ..] => Some(1),
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => Some(3),
        _ => None,
    }
}

/// The width of the white space that a text begins with (ECMAScript 12.2, 12.3).
fn space_at(text: &[u8]) -> Option<usize> {
    match text {
        [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => Some(1),
        [0xc2, 0xa0, ..] => Some(2),
        [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] | [0xe2, 0x81, 0x9f, ..] => Some(3),
        [0xe1, 0x9a, 0x80, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => Some(3),
        _ => None,
    }
}
