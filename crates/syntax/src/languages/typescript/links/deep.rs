//! Code that nests deep. oxc's parser and its visitors call themselves a level at a time, so they run on a stack that is
//! large enough for what the text can nest at most.

use crate::languages::language_for_path;
use crate::source::nests_deeper;
use oxc_ast::ast::Expression;

/// Bytes of stack for a level of nesting. Without optimization `f(f(…))` takes most, near 4 KiB.
const LEVEL: usize = 8 << 10;

const LARGEST: usize = 512 << 20;

/// Members and calls behind each other that are followed. What stands behind a longer chain is not known.
const CHAIN: usize = 64;

/// Brackets within each other that are read: what a parser tries twice at each of them (`(a = (a = …`) takes seconds with
/// more, and hours with as many as the stack holds.
const BRACKETS: usize = 2048;

/// How much stack a text needs; `None` when it nests deeper than any.
pub(in crate::languages::typescript) fn stack(text: &str) -> Option<usize> {
    let most = LARGEST / LEVEL;
    let count = |signs: &[u8]| text.bytes().filter(|byte| signs.contains(byte)).count();
    let depth = if count(b"([{") > BRACKETS { raw_depth(text.as_bytes()) } else { 0 };
    let counted = (depth > BRACKETS || text.len() > most / 2).then(|| Levels::of(text));
    // Each of the two may count brackets of texts or regular expressions that nothing closes, but not the same ones.
    if depth > BRACKETS && counted.as_ref().is_some_and(|levels| levels.most_open > BRACKETS)
        || count(b"<") > BRACKETS && rows(text) > BRACKETS
    {
        return None;
    }
    let levels = counted.map_or(text.len(), |levels| levels.deepest);
    if levels <= most {
        return Some((levels * LEVEL).max(1 << 20));
    }
    // A large file may have as many signs without nesting them: the grammar's parser, which needs no stack, can tell.
    let language = language_for_path("a.tsx")?;
    (!nests_deeper(language, text, most)).then_some(LARGEST)
}

/// How deep brackets nest, wherever they stand.
fn raw_depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The longest row of `<` that nothing between closes.
fn rows(text: &str) -> usize {
    let (mut row, mut longest) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'<' => row += 1,
            b'>' | b')' | b']' | b'}' | b';' => row = 0,
            _ => continue,
        }
        longest = longest.max(row);
    }
    longest
}

/// Counts no fewer levels than a text nests. Every level has a bracket, a sign or a word of its own: those since the last
/// `;` or `,` in each bracket that is open are added up. Where the text may be a regular expression, what opens counts and
/// what closes does not; comments and the text of strings and templates do not count.
#[derive(Default)]
struct Levels {
    /// For each open bracket what stood before it, and whether it is a template's `${`.
    open: Vec<(usize, bool)>,
    /// What stood before all of them.
    sum: usize,
    here: usize,
    deepest: usize,
    most_open: usize,
}

/// What a byte may be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Code,
    /// To the end of the line, behind a `/` that may begin a regular expression.
    Line,
    /// `//`
    Remark,
    Comment,
    Quote(u8),
    Template,
}

impl Levels {
    fn of(text: &str) -> Levels {
        let bytes = text.as_bytes();
        let (mut levels, mut within, mut at) = (Levels::default(), Within::Code, 0);
        let mut in_word = false;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            at += 1;
            match within {
                Within::Remark => {
                    at = memchr::memchr(b'\n', &bytes[at - 1..]).map_or(bytes.len(), |end| at + end);
                    within = Within::Code;
                }
                Within::Comment => {
                    at = memchr::memmem::find(&bytes[at - 1..], b"*/").map_or(bytes.len(), |end| at + end + 1);
                    within = Within::Code;
                }
                Within::Template if byte == b'\\' => at += 1,
                Within::Template if byte == b'`' => within = Within::Code,
                Within::Template if byte == b'$' && next == b'{' => {
                    at += 1;
                    levels.opens(true);
                    within = Within::Code;
                }
                Within::Line | Within::Quote(_) if byte == b'\n' => within = Within::Code,
                Within::Quote(_) if byte == b'\\' => at += 1,
                Within::Quote(quote) if byte == quote => within = Within::Code,
                Within::Template | Within::Quote(_) => {}
                Within::Code | Within::Line => {
                    let word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
                    levels.here += usize::from(if word { !in_word } else { byte.is_ascii_punctuation() });
                    in_word = word;
                    within = levels.take(byte, next, within);
                }
            }
            levels.deepest = levels.deepest.max(levels.sum + levels.here);
            levels.most_open = levels.most_open.max(levels.open.len());
        }
        levels
    }

    /// A byte of code, or of what may be code.
    fn take(&mut self, byte: u8, next: u8, within: Within) -> Within {
        let is_code = within == Within::Code;
        match byte {
            b'(' | b'[' | b'{' => self.opens(false),
            b')' | b']' | b'}' if is_code && self.closes() => return Within::Template,
            b';' | b',' if is_code => self.here = 0,
            b'/' if is_code && next == b'*' => return Within::Comment,
            b'/' if is_code && next == b'/' => return Within::Remark,
            b'/' if is_code => return Within::Line,
            b'\'' | b'"' if is_code => return Within::Quote(byte),
            b'`' if is_code => return Within::Template,
            _ => {}
        }
        within
    }

    fn opens(&mut self, is_template: bool) {
        self.sum += self.here;
        self.open.push((self.here, is_template));
        self.here = 0;
    }

    /// Whether the bracket that closes is a template's.
    fn closes(&mut self) -> bool {
        let Some((before, is_template)) = self.open.pop() else { return false };
        self.sum -= before;
        self.here = before + 1;
        is_template
    }
}

/// Whether an expression is a longer chain than is followed.
pub(super) fn is_long(expression: &Expression<'_>) -> bool {
    let mut at = expression;
    for _ in 0..CHAIN {
        at = match at.without_parentheses() {
            Expression::CallExpression(call) => &call.callee,
            Expression::NewExpression(new) => &new.callee,
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::ComputedMemberExpression(member) => &member.object,
            Expression::PrivateFieldExpression(member) => &member.object,
            Expression::TSNonNullExpression(inner) => &inner.expression,
            Expression::TSAsExpression(inner) => &inner.expression,
            Expression::TSSatisfiesExpression(inner) => &inner.expression,
            Expression::TSTypeAssertion(inner) => &inner.expression,
            Expression::TSInstantiationExpression(inner) => &inner.expression,
            Expression::AwaitExpression(inner) => &inner.argument,
            _ => return false,
        };
    }
    true
}
