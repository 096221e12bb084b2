//! Literal text by value: strings without their escapes, numbers without their spelling, regular expressions with their
//! flags in order, templates with one kind of line end.

use std::borrow::Cow;

/// Stands before a code unit that is no character: a lone surrogate, or this mark itself.
const MARK: char = '\u{ffff}';

/// The value of a string literal, given what stands between its quotes (ECMAScript 12.9.4.2, SV). A lone surrogate is
/// no character, so it becomes a mark and its four hexadecimal digits.
pub(super) fn cook(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\\', MARK]) {
        return Cow::Borrowed(raw);
    }
    let mut units = Units::default();
    let mut rest = raw;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        if letter == '\\' { rest = escape(rest, &mut units) } else { units.push(letter as u32) }
    }
    Cow::Owned(units.finish())
}

/// Reads one escape; gives what is left behind it.
fn escape<'r>(rest: &'r str, out: &mut Units) -> &'r str {
    let Some(letter) = rest.chars().next() else { return rest };
    let behind = &rest[letter.len_utf8()..];
    let simple = |out: &mut Units, code: u32| {
        out.push(code);
        behind
    };
    match letter {
        'n' => simple(out, 10),
        't' => simple(out, 9),
        'r' => simple(out, 13),
        'b' => simple(out, 8),
        'f' => simple(out, 12),
        'v' => simple(out, 11),
        '\r' => behind.strip_prefix('\n').unwrap_or(behind),
        '\n' | '\u{2028}' | '\u{2029}' => behind,
        'x' => hexadecimal(behind, 2, letter, out),
        'u' => match behind.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((digits, behind)) => {
                out.push(u32::from_str_radix(digits, 16).unwrap_or(0xfffd));
                behind
            }
            None => hexadecimal(behind, 4, letter, out),
        },
        '0'..='7' => octal(rest, out),
        other => simple(out, other as u32),
    }
}

fn hexadecimal<'r>(rest: &'r str, length: usize, letter: char, out: &mut Units) -> &'r str {
    match rest.get(..length).and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        Some(code) => {
            out.push(code);
            &rest[length..]
        }
        None => {
            out.push(letter as u32);
            rest
        }
    }
}

/// Legacy octal escapes (ECMAScript 12.9.4.1): up to three digits, up to 255.
fn octal<'r>(rest: &'r str, out: &mut Units) -> &'r str {
    let longest = if rest.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let length = rest.bytes().take(longest).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    out.push(u32::from_str_radix(&rest[..length], 8).unwrap_or(0));
    &rest[length..]
}

/// Collects code points and UTF-16 code units, joining surrogate pairs.
#[derive(Default)]
struct Units {
    text: String,
    high: Option<u32>,
}

impl Units {
    fn push(&mut self, code: u32) {
        if let Some(high) = self.high.take() {
            if (0xdc00..0xe000).contains(&code) {
                let joined = 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00);
                self.text.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
                return;
            }
            self.lone(high);
        }
        match char::from_u32(code) {
            Some(MARK) => self.lone(code),
            Some(letter) => self.text.push(letter),
            None if (0xd800..0xdc00).contains(&code) => self.high = Some(code),
            None => self.lone(code),
        }
    }

    fn lone(&mut self, code: u32) {
        self.text.push(MARK);
        self.text.push_str(&format!("{code:04x}"));
    }

    fn finish(mut self) -> String {
        if let Some(high) = self.high.take() {
            self.lone(high);
        }
        self.text
    }
}

/// `import('x')` as a type, which is one name: without white space between its words, its strings by value.
pub(super) fn import_type(raw: &str) -> String {
    let mut text = String::new();
    let mut rest = raw;
    while let Some(first) = rest.chars().next() {
        let width = match first {
            '"' | '\'' => {
                let closed = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
                text.push_str(&format!("{:?}", cook(super::normal::inside(&rest[..closed]))));
                closed
            }
            _ => {
                text.extend(Some(first).filter(|letter| !letter.is_whitespace()));
                first.len_utf8()
            }
        };
        rest = &rest[width..];
    }
    text
}

/// An identifier with its Unicode escapes read (ECMAScript 12.7.1): `\u0061` names the same variable as `a`.
pub(super) fn name(raw: &str) -> Cow<'_, str> {
    if raw.contains('\\') { cook(raw) } else { Cow::Borrowed(raw) }
}

/// A number by its value (ECMAScript 12.9.3): no separators, no leading zeros, no letter case, no hexadecimal. Legacy
/// octal (`017`) is kept as written: strict code refuses it. A `BigInt` keeps its `n` and every digit.
pub(super) fn number(raw: &str) -> String {
    let plain: String = raw.chars().filter(|&letter| letter != '_').collect::<String>().to_ascii_lowercase();
    if plain.len() > 1 && plain.starts_with('0') && plain.as_bytes()[1].is_ascii_digit() {
        return plain;
    }
    let (digits, big) = match plain.strip_suffix('n') {
        Some(digits) => (digits, true),
        None => (plain.as_str(), false),
    };
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let digits = if radix == 10 { digits } else { &digits[2..] };
    match (big, u128::from_str_radix(digits, radix)) {
        (true, Ok(value)) => format!("{value}n"),
        (true, Err(_)) if radix == 10 => format!("{}n", digits.trim_start_matches('0')),
        (true, Err(_)) => plain,
        (false, _) if radix == 10 => digits.parse::<f64>().map_or_else(|_| plain.clone(), float),
        (false, Ok(value)) => float(value as f64),
        (false, Err(_)) => float(
            digits
                .chars()
                .fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit.to_digit(radix).unwrap_or(0))),
        ),
    }
}

fn float(value: f64) -> String {
    if value.abs() < 1e21 { format!("{value}") } else { format!("{value:e}") }
}

/// The property that a numeric key names (ECMAScript 13.2.5.5): `{ 0x10: a }` has the property `16`.
pub(super) fn numeric_key(raw: &str) -> String {
    let value = number(raw);
    value.strip_suffix('n').unwrap_or(&value).to_owned()
}

/// A regular expression with its flags sorted, as formatters sort them; their order means nothing (ECMAScript 22.2.4).
pub(super) fn regex(raw: &str) -> String {
    let Some(slash) = raw.rfind('/') else { return raw.to_owned() };
    let mut flags: Vec<char> = raw[slash + 1..].chars().collect();
    flags.sort_unstable();
    raw[..=slash].chars().chain(flags).collect()
}

/// Template text with every line end as one line feed, as both its cooked and its raw value have it (ECMAScript
/// 12.9.6, TRV).
pub(super) fn template(raw: &str) -> Cow<'_, str> {
    if raw.contains('\r') { Cow::Owned(raw.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(raw) }
}

/// JSX text with its character references read.
pub(super) fn unescape_jsx(raw: &str) -> Cow<'_, str> {
    if !raw.contains('&') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        match tail.split_once(';').and_then(|(name, behind)| Some((reference(name)?, behind))) {
            Some((letter, behind)) => {
                out.push(letter);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn reference(name: &str) -> Option<char> {
    match name.strip_prefix('#') {
        Some(digits) => {
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            char::from_u32(code.ok()?)
        }
        None => super::entities::named(name),
    }
}

/// What React keeps of the white space in a run of JSX text: a line break and the spaces around it are layout, and so
/// are lines of nothing else; lines with text are joined by one space. `None` when nothing is left.
/// (Babel's `cleanJSXElementLiteralChild`, TypeScript's `fixupWhitespaceAndDecodeEntities`.)
pub(super) fn jsx_text(raw: &str) -> Option<String> {
    let lines: Vec<&str> = raw.split('\n').flat_map(|line| line.split('\r')).collect();
    let blank = |letter: char| letter == ' ' || letter == '\t';
    let last = lines.len() - 1;
    let mut kept = String::new();
    for (at, line) in lines.iter().enumerate() {
        let line = if at > 0 { line.trim_start_matches(blank) } else { line };
        let line = if at < last { line.trim_end_matches(blank) } else { line };
        if line.is_empty() {
            continue;
        }
        if at > 0 && !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(&unescape_jsx(line));
    }
    (!kept.is_empty()).then_some(kept)
}
