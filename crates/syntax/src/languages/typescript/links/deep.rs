//! Code that nests deep. oxc's parser and its visitors call themselves a level at a time, so they run on a stack that is
//! large enough for what the text can nest at most.

use crate::languages::language_for_path;
use crate::source::{Limits, Source, SourceError};
use oxc_ast::ast::Expression;

/// Bytes of stack for a level of nesting. Without optimization `f(f(…))` takes most, near 4 KiB.
const LEVEL: usize = 8 << 10;

const LARGEST: usize = 512 << 20;

/// Members and calls behind each other that are followed. What stands behind a longer chain is not known.
const CHAIN: usize = 64;

/// How much stack a text needs; `None` when it nests deeper than any.
pub(super) fn stack(text: &str) -> Option<usize> {
    let most = LARGEST / LEVEL;
    let levels = if text.len() <= most { text.len() } else { most_levels(text) };
    if levels <= most {
        return Some((levels * LEVEL).max(1 << 20));
    }
    // A file this large has many such signs without nesting them: the grammar's parser, which needs no stack, can tell.
    let language = language_for_path("a.tsx")?;
    let limits = Limits { bytes: usize::MAX, depth: most };
    let is_deep = matches!(Source::parse(language, text.as_bytes(), &limits), Err(SourceError::TooDeep { .. }));
    (!is_deep).then_some(LARGEST)
}

/// No fewer levels than the text can nest: every level has one of these signs or words of its own. Brackets count for
/// as long as they are open; a closing one in a string only makes the sum larger than need be, as it starts at zero again.
fn most_levels(text: &str) -> usize {
    let (mut open, mut deepest, mut signs) = (0usize, 0usize, 0usize);
    let mut word = 0usize;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'!' | b'~' | b'?' | b'<' | b'=' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'.' | b':' => {
                signs += 1
            }
            _ => {}
        }
        let is_letter = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        word = if is_letter { word + 1 } else { 0 };
        signs += usize::from(word == 1);
        deepest = deepest.max(open);
    }
    deepest + signs
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
