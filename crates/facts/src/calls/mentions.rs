//! Which files can matter, told from their bytes: a file that says a word, in its letters or as an escape, or that
//! ends a specifier with the name of a file that is looked for.

use super::spellings::Spellings;
use aho_corasick::{AhoCorasick, Input, MatchKind};
use factgate_record::RepoPath;
use memchr::memmem;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What the bytes of a file are searched for.
pub(super) struct Mentions {
    finder: Option<AhoCorasick>,
    /// What each needle is.
    needles: Vec<Needle>,
    /// Whether there is a word among them.
    words: bool,
    spellings: Spellings,
}

/// What a needle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needle {
    /// A word: wherever it stands.
    Word,
    /// A file's or folder's name: where an end of a specifier stands behind it.
    Stem,
    /// A whole specifier, in its quotes.
    Specifier,
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
    /// Searches for words, and for specifiers of files that are spelled so.
    pub(super) fn of(words: &BTreeSet<String>, spellings: Spellings) -> Mentions {
        let (stems, specifiers) = (&spellings.stems, &spellings.specifiers);
        let quoted = |whole: &String| ["'", "\"", "`"].map(|quote| format!("{quote}{whole}{quote}"));
        let mut needles: BTreeMap<String, Needle> = BTreeMap::new();
        needles.extend(specifiers.iter().flat_map(quoted).map(|needle| (needle, Needle::Specifier)));
        needles.extend(stems.iter().map(|needle| (needle.clone(), Needle::Stem)));
        // What begins with a word is found as that word, and would hide it.
        let says = |needle: &str, word: &String| {
            needle.starts_with(word.as_str()) && is_whole(needle.as_bytes(), 0, word.len())
        };
        needles.retain(|needle, _| !words.iter().any(|word| says(needle, word)));
        needles.extend(words.iter().map(|needle| (needle.clone(), Needle::Word)));
        // Of two needles that begin alike, the short one would hide the long one.
        let mut needles: Vec<(String, Needle)> = needles.into_iter().collect();
        needles.sort_by_key(|(needle, _)| Reverse(needle.len()));
        let texts = needles.iter().map(|(needle, _)| needle.as_str());
        // This kind is the one that is searched for with vector instructions.
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(texts).ok();
        let finder = finder.filter(|_| !needles.is_empty());
        let needles: Vec<Needle> = needles.into_iter().map(|(_, needle)| needle).collect();
        Mentions { finder, words: needles.contains(&Needle::Word), needles, spellings }
    }

    /// What the text of a file in `folder` has of what is looked for.
    pub(super) fn of_text(&self, folder: &RepoPath, text: &[u8]) -> Mention {
        let Some(finder) = &self.finder else { return Mention::Nothing };
        let mut mention = Mention::Nothing;
        let mut from = 0;
        while let Some(found) = finder.find(Input::new(text).range(from..)) {
            match self.needles[found.pattern().as_usize()] {
                Needle::Word if is_whole(text, found.start(), found.end()) => return Mention::Word,
                Needle::Word => {}
                _ if mention == Mention::Specifier => {}
                Needle::Specifier if self.leads(folder, text, found.start() + 1) => mention = Mention::Specifier,
                Needle::Stem
                    if ENDS.iter().any(|end| text[found.end()..].starts_with(end.as_bytes()))
                        && self.leads(folder, text, found.start()) =>
                {
                    mention = Mention::Specifier;
                }
                Needle::Stem | Needle::Specifier => {}
            }
            if mention == Mention::Specifier && !self.words {
                return mention;
            }
            // What is found may hide another needle that begins inside it.
            from = found.start() + 1;
        }
        if self.words && spells_out(text) { Mention::Word } else { mention }
    }

    /// Whether the specifier around a place can lead to what is looked for.
    fn leads(&self, folder: &RepoPath, text: &[u8], at: usize) -> bool {
        const LONGEST: usize = 300;
        let is_quote = |byte: &u8| matches!(byte, b'\'' | b'"' | b'`');
        let near = &text[at.saturating_sub(LONGEST)..at];
        let Some(before) = near.iter().rposition(is_quote) else { return true };
        let start = at - near.len() + before + 1;
        let Some(length) = text[start..].iter().position(is_quote) else { return true };
        std::str::from_utf8(&text[start..start + length])
            .map_or(true, |specifier| self.spellings.may_mean(folder, specifier))
    }
}

/// Whether what stands at a place is no part of a longer name.
fn is_whole(text: &[u8], start: usize, end: usize) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let joins = |inner: usize, outer: Option<&u8>| is_letter(text[inner]) && outer.is_some_and(|&byte| is_letter(byte));
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    start < end && !joins(start, before) && !joins(end - 1, text.get(end))
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
    use super::super::spellings::Spellings;
    use super::{Mention, Mentions};
    use factgate_record::RepoPath;
    use std::collections::BTreeSet;

    #[test]
    fn words_escapes_and_ends_of_specifiers_are_found() {
        let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<_>>();
        let mentions = Mentions::of(
            &set(&["drain"]),
            Spellings {
                stems: set(&["queue", "drain.test", "drained"]),
                specifiers: set(&["#q"]),
                places: Some(set(&["lib/queue", "queue"])),
            },
        );
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
            ("import '../other/queue'; import './deep/queue.ts'", Mention::Nothing),
            ("import '@/any/queue'", Mention::Specifier),
            ("drains(); undrain(); $drain", Mention::Nothing),
            ("\u{feff}drain()", Mention::Word),
            ("x.drain.test()", Mention::Word),
            ("x.drain.testing()", Mention::Word),
            ("import './drained'; import './queue'; drain", Mention::Word),
        ] {
            assert_eq!(mentions.of_text(&RepoPath::from_git("lib"), text.as_bytes()), expected, "{text}");
        }
    }
}
