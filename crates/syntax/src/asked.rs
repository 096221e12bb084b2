//! Which strings of a text can be the specifier of an import, told without parsing it: those behind `from`, `import`,
//! `import(`, `require(` and their like, also where a comment or a cast stands between. The readers of links know no other.

use crate::pieces::is_letter;
use memchr::memmem;
use std::cell::OnceCell;

/// Functions of test runners that give the real module, or a copy of it.
pub(crate) const REQUIRE_LIKE: [&str; 4] = ["importActual", "importMock", "requireActual", "requireMock"];

/// The strings of one text.
pub struct Asked<'t> {
    text: &'t [u8],
    /// Whether a function of any name may be `require`.
    renamed: OnceCell<bool>,
}

impl<'t> Asked<'t> {
    /// The strings of this text.
    pub fn of(text: &'t [u8]) -> Asked<'t> {
        Asked { text, renamed: OnceCell::new() }
    }

    /// Whether the string whose first quote is at a place can be a specifier; `false` only where it certainly is none.
    pub fn for_a_module(&self, quote: usize) -> bool {
        let before = self.text[..quote].trim_ascii_end();
        match before {
            _ if may_end_a_comment(before, &self.text[before.len()..quote]) => true,
            [.., b'=', b'>'] => false,
            // The end of a comment or of a cast, or a space that is none of ASCII.
            [.., b'/' | b'>' | 0x80..] => true,
            [callee @ .., b'('] => self.is_require(callee),
            _ => matches!(last_word(before), b"from" | b"import"),
        }
    }

    /// Whether a call of what stands before its parenthesis can give a module.
    fn is_require(&self, text: &[u8]) -> bool {
        let callee = text.trim_ascii_end();
        let word = last_word(callee);
        let before = &callee[..callee.len() - word.len()];
        match std::str::from_utf8(word) {
            _ if may_end_a_comment(callee, &text[callee.len()..]) => true,
            // What is no name, or one with letters of another alphabet or escapes.
            _ if word.is_empty() || matches!(before, [.., b'\\' | 0x80..]) => true,
            Ok("import" | "require") => true,
            Ok(word) if REQUIRE_LIKE.contains(&word) => true,
            _ => *self.renamed.get_or_init(|| renames_require(self.text)),
        }
    }
}

/// Whether a text may have a function of another name that is `require`: it says `createRequire`, or `require` without a
/// call of it, or spells a name with an escape.
fn renames_require(text: &[u8]) -> bool {
    let says = memmem::find_iter(text, b"equire").any(|at| {
        let before = last_word(&text[..at]);
        let rest = &text[at + 6..];
        let is_whole = !rest.first().is_some_and(is_letter);
        let is_made = before == b"createR";
        is_whole && (is_made || before == b"r" && !rest.trim_ascii_start().starts_with(b"("))
    });
    says || memmem::find_iter(text, b"\\u").any(|at| spells_require(&text[at + 2..]))
}

/// Whether an escape, from behind its `\u` on, is one of a letter of these names.
fn spells_require(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"{").unwrap_or(text);
    let length = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let length = if digits.len() < text.len() { length } else { length.min(4) };
    let code = std::str::from_utf8(&digits[..length]).ok().and_then(|code| u8::from_str_radix(code, 16).ok());
    code.is_some_and(|code| b"createRequire".contains(&code))
}

/// Whether what stands before a line's end may be a line comment.
fn may_end_a_comment(before: &[u8], space: &[u8]) -> bool {
    let ends_line = |byte: &u8| matches!(byte, b'\n' | b'\r');
    space.iter().any(ends_line) && {
        let line = before.iter().rposition(ends_line).map_or(0, |at| at + 1);
        memmem::find(&before[line..], b"//").is_some()
    }
}

/// The letters, digits, `_` and `$` at the end of a text.
fn last_word(text: &[u8]) -> &[u8] {
    let start = text.iter().rposition(|byte| !is_letter(byte)).map_or(0, |at| at + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::Asked;

    #[test]
    fn strings_that_modules_are_asked_for_with_are_told_from_others() {
        for (text, expected) in [
            ("import q from @'./q'", true),
            ("import@'./q'", true),
            ("export * from\n  @'./q'", true),
            ("import(\n@'./q')", true),
            ("import (@`./q`)", true),
            ("import x = require(@'./q')", true),
            ("vi.importActual(@'./q')", true),
            ("vi.importActual<typeof import('./q')>(@'./q')", true),
            ("(0, require)(@'./q')", true),
            ("require?.(@'./q')", true),
            ("import((@'./q'))", true),
            ("import(<any>@'./q')", true),
            ("import(/* a */ @'./q')", true),
            ("import /* a */ (@'./q')", true),
            ("from // call(\n@'./q'", true),
            ("from // a\u{2028}@'./q'", true),
            ("import // a\n(@'./q')", true),
            ("const load = require; load(@'./q')", true),
            ("import { createRequire as c } from 'm'; const load = c(u); load(@'./q')", true),
            ("createRequire(u)(@'./q')", true),
            ("r\\u0065quire(@'./q')", true),
            ("const load = requir\\u0065; load(@'./q')", true),
            ("const load = requir\\u{00065}; load(@'./q')", true),
            ("say('\\u{1F600} \\u0020'); load(@'./q')", false),
            ("@import(@\"q.zig\")", true),
            ("const a = @'./q'", false),
            ("f(@'./q')", false),
            ("f(1, @'./q')", false),
            ("required(@'./q'); require('x')", false),
            ("{ from: @'./q' }", false),
            ("() => @'./q'", false),
            ("import.meta.resolve(@'./q')", false),
            ("xfrom @'./q'", false),
            ("@'./q'", false),
        ] {
            let quote = text.rfind('@').unwrap();
            let text = format!("{}{}", &text[..quote], &text[quote + 1..]);
            assert_eq!(Asked::of(text.as_bytes()).for_a_module(quote), expected, "{text}");
        }
    }
}
