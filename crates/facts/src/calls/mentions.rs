//! Which files can matter, told from their bytes: a file that says a word, in its letters or as an escape, or that
//! ends a specifier with the name of a file that is looked for.

use aho_corasick::AhoCorasick;
use memchr::memmem;
use std::collections::BTreeSet;

/// What the bytes of a file are searched for.
pub(super) struct Mentions {
    words: Option<AhoCorasick>,
    specifiers: Option<AhoCorasick>,
}

/// What a text has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// A word.
    Word,
    /// The end of a specifier.
    Specifier,
    /// Nothing.
    Nothing,
}

/// What can stand behind a file's name in a specifier: a quote, an ending, a query, a slash.
const ENDS: [&str; 13] = ["'", "\"", "`", ".js", ".ts", ".mj", ".mt", ".cj", ".ct", ".zi", "?", "/'", "/\""];

impl Mentions {
    /// `stems` are names of files and folders without endings; `specifiers` are whole ones, as they are written.
    pub(super) fn of(words: &BTreeSet<String>, stems: &BTreeSet<String>, specifiers: &BTreeSet<String>) -> Mentions {
        let mut ends: Vec<String> = Vec::new();
        for stem in stems {
            ends.extend(ENDS.iter().map(|end| format!("{stem}{end}")));
        }
        for whole in specifiers {
            ends.extend(["'", "\"", "`"].iter().map(|quote| format!("{quote}{whole}{quote}")));
        }
        let build = |needles: Vec<&str>| (!needles.is_empty()).then(|| AhoCorasick::new(needles).ok()).flatten();
        Mentions {
            words: build(words.iter().map(String::as_str).collect()),
            specifiers: build(ends.iter().map(String::as_str).collect()),
        }
    }

    /// What a text has of what is looked for.
    pub(super) fn of_text(&self, text: &[u8]) -> Mention {
        let has = |finder: &Option<AhoCorasick>| finder.as_ref().is_some_and(|finder| finder.is_match(text));
        if has(&self.words) || (self.words.is_some() && spells_out(text)) {
            Mention::Word
        } else if has(&self.specifiers) {
            Mention::Specifier
        } else {
            Mention::Nothing
        }
    }
}

/// Whether a text writes a letter, digit, `_` or `$` as an escape, and so may say any word without its letters.
fn spells_out(text: &[u8]) -> bool {
    let named = |code: Option<&[u8]>| {
        let code =
            code.and_then(|code| std::str::from_utf8(code).ok()).and_then(|code| u32::from_str_radix(code, 16).ok());
        code.and_then(char::from_u32).is_some_and(|letter| letter.is_ascii_alphanumeric() || "_$".contains(letter))
    };
    let short = memmem::find_iter(text, b"\\x").any(|at| named(text.get(at + 2..at + 4)));
    short
        || memmem::find_iter(text, b"\\u").any(|at| {
            let rest = &text[at + 2..];
            match rest.strip_prefix(b"{") {
                Some(rest) => named(memchr::memchr(b'}', &rest[..rest.len().min(12)]).map(|end| &rest[..end])),
                None => named(rest.get(..4)),
            }
        })
}

#[cfg(test)]
mod tests {
    use super::{Mention, Mentions};
    use std::collections::BTreeSet;

    #[test]
    fn words_escapes_and_ends_of_specifiers_are_found() {
        let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<_>>();
        let mentions = Mentions::of(&set(&["drain"]), &set(&["queue"]), &set(&["#q"]));
        for (text, expected) in [
            ("drain(1)", Mention::Word),
            (r"dr\u0061in(1)", Mention::Word),
            (r"dr\u{61}in(1)", Mention::Word),
            (r"q['dr\x61in']", Mention::Word),
            (r"'\x1b[1m \u2028 \u{1F600}'", Mention::Nothing),
            ("import './queue'", Mention::Specifier),
            ("import(`../queue.js`)", Mention::Specifier),
            ("require('#q')", Mention::Specifier),
            ("import '#q/x'; queue()", Mention::Nothing),
        ] {
            assert_eq!(mentions.of_text(text.as_bytes()), expected, "{text}");
        }
    }
}
