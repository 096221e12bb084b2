//! Which files can matter, told from their bytes: a file that says a word, in its letters or as an escape, or that
//! ends a specifier with the name of a file that is looked for. What is said in comments does not count, nor what is said
//! in strings that say more.

use super::spellings::Spellings;
use aho_corasick::{AhoCorasick, Input, MatchKind};
use factgate_record::RepoPath;
use factgate_syntax::asked::Asked;
use factgate_syntax::language_for_path;
use factgate_syntax::pieces::{Piece, Pieces};
use memchr::memmem;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What the bytes of a file are searched for.
pub(super) struct Mentions {
    finder: Option<AhoCorasick>,
    needles: Vec<Needle>,
    /// The length of the longest word among them.
    longest: Option<usize>,
    /// Whether one of them has a letter that is none of ASCII.
    has_foreign: bool,
    /// Whether no text was looked into before.
    is_first: bool,
    spellings: Spellings,
}

/// A text that is searched for.
struct Needle {
    length: usize,
    is: BTreeSet<Is>,
    /// The needles that it begins with: they are found wherever it is.
    inner: Vec<usize>,
}

/// What a needle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Is {
    /// A word: wherever it stands.
    Word,
    /// A file's or folder's name: where an end of a specifier stands behind it.
    Stem,
    /// A whole specifier in its quotes, or its beginning with the first one.
    Specifier,
}

/// What a text has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// A word.
    Word,
    /// These specifiers, as they are written, which may lead to what is looked for.
    Specifiers(BTreeSet<String>),
    /// What may be such a specifier, and only a parser can tell.
    Perhaps,
    /// Nothing.
    Nothing,
}

/// What can stand behind a file's name in a specifier: a quote, an ending, a query, a slash.
const ENDS: [&str; 16] =
    ["#", "/.", "'", "\"", "`", ".js", ".ts", ".mj", ".mt", ".cj", ".ct", ".zi", "?", "/'", "/\"", "/`"];

impl Mentions {
    /// Searches for words, and for specifiers of files that are spelled so.
    pub(super) fn of(words: &BTreeSet<String>, spellings: Spellings, is_first: bool) -> Mentions {
        let quoted = |whole: &String| ["'", "\"", "`"].map(|quote| format!("{quote}{whole}{quote}"));
        let mut wanted: BTreeMap<String, BTreeSet<Is>> = BTreeMap::new();
        let mut want = |needle: String, is| {
            wanted.entry(needle).or_default().insert(is);
        };
        words.iter().for_each(|word| want(word.clone(), Is::Word));
        spellings.stems.iter().for_each(|stem| want(stem.clone(), Is::Stem));
        spellings.specifiers.iter().flat_map(quoted).for_each(|whole| want(whole, Is::Specifier));
        let opened = |prefix: &String| ["'", "\"", "`"].map(|quote| format!("{quote}{prefix}"));
        spellings.prefixes.iter().flat_map(opened).for_each(|start| want(start, Is::Specifier));
        // Of two needles that begin alike, the long one is found.
        let mut wanted: Vec<(String, BTreeSet<Is>)> = wanted.into_iter().filter(|(text, _)| !text.is_empty()).collect();
        wanted.sort_by_key(|(text, _)| Reverse(text.len()));
        // This kind is the one that is searched for with vector instructions.
        let texts = wanted.iter().map(|(text, _)| text.as_str());
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(texts).ok();
        let inner = |at: usize| {
            let shorter = wanted.iter().enumerate().skip(at + 1);
            shorter.filter(|(_, (text, _))| wanted[at].0.starts_with(text)).map(|(number, _)| number).collect()
        };
        let inner: Vec<Vec<usize>> = (0..wanted.len()).map(inner).collect();
        let needles = wanted.into_iter().zip(inner);
        let needles: Vec<Needle> =
            needles.map(|((text, is), inner)| Needle { length: text.len(), is, inner }).collect();
        let longest = words.iter().map(String::len).max();
        let has_foreign = !words.iter().all(|word| word.is_ascii());
        Mentions { finder: finder.filter(|_| !needles.is_empty()), longest, has_foreign, is_first, needles, spellings }
    }

    /// What the text of a file has of what is looked for.
    pub(super) fn of_text(&self, path: &RepoPath, text: &[u8]) -> Mention {
        let (Some(finder), Some(language)) = (&self.finder, language_for_path(path.as_str())) else {
            return Mention::Nothing;
        };
        let (pieces, asked) = (language.pieces(text), Asked::of(text));
        let mut looked = Looked { text, path, pieces, asked, speaks: false, specifiers: BTreeSet::new() };
        let (mut is_sure, mut from) = (true, 0);
        while let Some(found) = finder.find(Input::new(text).range(from..)) {
            // What is found may hide another needle that begins inside it.
            from = found.start() + 1;
            let needle = &self.needles[found.pattern().as_usize()];
            for needle in std::iter::once(needle).chain(needle.inner.iter().map(|&inner| &self.needles[inner])) {
                let range = found.start()..found.start() + needle.length;
                for &is in &needle.is {
                    match is {
                        Is::Word if looked.says(&range) => return Mention::Word,
                        Is::Word => {}
                        Is::Stem | Is::Specifier => is_sure &= looked.specifies(is, &range, &self.spellings),
                    }
                }
            }
            if !is_sure && self.longest.is_none() {
                return Mention::Perhaps;
            }
        }
        match looked.specifiers {
            _ if looked.speaks && hands_on_all(text) => Mention::Word,
            _ if self.spelled_out_in(text, language.pieces(text), &looked.asked) => Mention::Word,
            _ if !is_sure => Mention::Perhaps,
            specifiers if specifiers.is_empty() => Mention::Nothing,
            specifiers => Mention::Specifiers(specifiers),
        }
    }
}

impl Mentions {
    /// Whether a text may say a word, or the specifier of an import, with escapes. In the first look alone: what does is
    /// read from then on.
    fn spelled_out_in(&self, text: &[u8], mut pieces: Pieces<'_>, asked: &Asked<'_>) -> bool {
        // An escape of one letter takes as many as ten.
        let longest = self.longest.map_or(0, |longest| 2 + 10 * longest);
        let mut from = if self.is_first { 0 } else { text.len() };
        while let Some(at) = memchr::memchr(b'\\', &text[from..]).map(|length| from + length) {
            from = text.len().min(at + 2);
            let escaped = escaped(&text[at + 1..]);
            let is_letter = escaped == Escaped::Letter || escaped == Escaped::ForeignLetter && self.has_foreign;
            let is_near_one = || has_asking_quote(line_before(text, at), at, asked);
            if escaped == Escaped::Other || !is_letter && !is_near_one() {
                continue;
            }
            let may_be = match (pieces.at(at), pieces.around()) {
                (Piece::Literal, Some(literal)) if is_letter && literal.len() <= longest => true,
                (Piece::Code, _) if is_letter && longest > 0 => true,
                (Piece::Code, _) => !pieces.is_sure() && is_near_one(),
                (piece, whole) => {
                    // The rest of it says no more.
                    from = whole.as_ref().map_or(from, |whole| from.max(whole.end));
                    piece == Piece::Literal && whole.is_some_and(|literal| asked.for_a_module(literal.start))
                }
            };
            if may_be {
                return true;
            }
        }
        false
    }
}

/// What an escape stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escaped {
    /// What a name can hold.
    Letter,
    /// What a name can hold that is not written in ASCII.
    ForeignLetter,
    /// What a specifier can hold besides, or the end of a line that goes on.
    Sign,
    /// What no name of a module holds: a quote, a backslash, a control character.
    Other,
}

/// What the text behind a backslash is the escape of.
fn escaped(text: &[u8]) -> Escaped {
    let code = match text {
        [b'x', rest @ ..] => rest.get(..2),
        [b'u', b'{', rest @ ..] => rest.iter().position(|byte| !byte.is_ascii_hexdigit()).map(|end| &rest[..end]),
        [b'u', rest @ ..] => rest.get(..4),
        [b'n' | b't' | b'r' | b'b' | b'f' | b'v' | b'0' | b'\'' | b'"' | b'`' | b'\\', ..] => return Escaped::Other,
        _ => return Escaped::Sign,
    };
    let code = code.and_then(|code| std::str::from_utf8(code).ok()).and_then(|code| u32::from_str_radix(code, 16).ok());
    match code.map(char::from_u32) {
        Some(Some(letter)) if letter.is_ascii_alphanumeric() || "_$".contains(letter) => Escaped::Letter,
        Some(Some(letter)) if letter.is_alphanumeric() => Escaped::ForeignLetter,
        Some(Some(letter)) if letter.is_control() => Escaped::Other,
        _ => Escaped::Sign,
    }
}

/// A text that is being looked into.
struct Looked<'t> {
    text: &'t [u8],
    path: &'t RepoPath,
    pieces: Pieces<'t>,
    asked: Asked<'t>,
    /// Whether it says a word where that is no name.
    speaks: bool,
    specifiers: BTreeSet<String>,
}

impl Looked<'_> {
    /// Whether a word in its letters can be a name.
    fn says(&mut self, range: &Range<usize>) -> bool {
        let is_whole = is_whole(self.text, range);
        self.speaks |= is_whole;
        is_whole
            && match self.pieces.at(range.start) {
                Piece::Code => true,
                Piece::Comment => false,
                Piece::Literal => self.pieces.is_whole_literal(range),
            }
    }

    /// Takes the specifier that a needle is in, when it can lead to what is looked for. `false` where that is not sure.
    fn specifies(&mut self, is: Is, range: &Range<usize>, spellings: &Spellings) -> bool {
        let ends = |text: &[u8]| ENDS.iter().any(|end| text.starts_with(end.as_bytes()));
        if is == Is::Stem && !ends(&self.text[range.end..]) {
            return true;
        }
        let around = specifier_around(self.text, &self.asked, range.start + usize::from(is == Is::Specifier));
        let leads = match around {
            Around::Nothing => false,
            Around::Perhaps => true,
            Around::Specifier(specifier) => spellings.may_mean(&self.path.parent(), specifier),
        };
        // Last, since it reads all that stands before.
        if !leads || !may_be_asked_for(&mut self.pieces, &self.asked, range.start) {
            return true;
        }
        if let Around::Specifier(specifier) = around {
            self.specifiers.insert(specifier.to_owned());
        }
        !matches!(around, Around::Perhaps)
    }
}

/// Whether a place may be in the specifier of an import, as far as comments and strings are known. No place lies before the
/// one that the pieces were asked for last.
fn may_be_asked_for(pieces: &mut Pieces<'_>, asked: &Asked<'_>, place: usize) -> bool {
    match (pieces.at(place), pieces.around()) {
        (Piece::Comment, _) => false,
        (Piece::Literal, Some(literal)) => asked.for_a_module(literal.start),
        (Piece::Literal | Piece::Code, _) => !pieces.is_sure(),
    }
}

/// How far before a place its specifier is looked for.
const LONGEST: usize = 300;

/// What stands around a place.
#[derive(Clone, Copy)]
enum Around<'t> {
    Specifier(&'t str),
    /// Quotes that do not belong together, or a text that is not what it says.
    Perhaps,
    /// No string.
    Nothing,
}

/// What stands before a place on its line, as far as a specifier can reach.
fn line_before(text: &[u8], at: usize) -> &[u8] {
    let near = &text[at.saturating_sub(LONGEST)..at];
    near.iter().rposition(|&byte| byte == b'\n').map_or(near, |end| &near[end + 1..])
}

/// Whether a specifier may begin in this text, which ends at a place.
fn has_asking_quote(line: &[u8], at: usize, asked: &Asked<'_>) -> bool {
    let mut quotes = line.iter().enumerate().filter(|(_, byte)| is_quote(byte));
    quotes.any(|(quote, _)| asked.for_a_module(at - line.len() + quote))
}

fn is_quote(byte: &u8) -> bool {
    matches!(byte, b'\'' | b'"' | b'`')
}

/// The specifier around a place, as the quotes on its line say.
fn specifier_around<'t>(text: &'t [u8], asked: &Asked<'_>, at: usize) -> Around<'t> {
    let line = line_before(text, at);
    if let Some(quote) = line.iter().rposition(is_quote) {
        let start = at - line.len() + quote + 1;
        let inside = text[start..].iter().position(is_quote).map(|length| &text[start..start + length]);
        let is_closed = inside.is_some_and(|inside| {
            text[start - 1] == text[start + inside.len()] && !inside.contains(&b'\\') && asked.for_a_module(start - 1)
        });
        if let Some(Ok(specifier)) = inside.filter(|_| is_closed).map(std::str::from_utf8) {
            return Around::Specifier(specifier);
        }
    }
    // Another quote may be the first one of a string that holds quotes of other kinds.
    match line.len() < LONGEST && !has_asking_quote(line, at, asked) {
        true => Around::Nothing,
        false => Around::Perhaps,
    }
}

/// Whether what stands at a place is no part of a longer name.
fn is_whole(text: &[u8], range: &Range<usize>) -> bool {
    let Range { start, end } = *range;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let joins = |inner: usize, outer: Option<&u8>| is_letter(text[inner]) && outer.is_some_and(|&byte| is_letter(byte));
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    start < end && !joins(start, before) && !joins(end - 1, text.get(end))
}

/// Whether a text may hand on all that another module exports: what it says in a comment may be among it.
fn hands_on_all(text: &[u8]) -> bool {
    memmem::find_iter(text, b"export").any(|at| {
        let rest = text[at + 6..].trim_ascii_start();
        rest.starts_with(b"*") || rest.starts_with(b"/")
    })
}

#[cfg(test)]
mod tests {
    use super::super::spellings::Spellings;
    use super::{Mention, Mentions};
    use factgate_record::RepoPath;
    use std::collections::BTreeSet;

    const NOTHING: Mention = Mention::Nothing;

    fn set(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn specifiers(texts: &[&str]) -> Mention {
        Mention::Specifiers(set(texts))
    }

    /// What a text has of `drain`, and of a few modules.
    fn check(text: &str, expected: &Mention) {
        let mentions = Mentions::of(
            &set(&["drain"]),
            Spellings {
                stems: set(&["queue", "drain", "drain.test", "drained"]),
                specifiers: set(&["#q"]),
                prefixes: set(&["@s/"]),
                places: Some(set(&["lib/queue", "queue", "lib/drain"])),
            },
            true,
        );
        assert_eq!(mentions.of_text(&RepoPath::from_git("lib/a.ts"), text.as_bytes()), *expected, "{text}");
    }

    #[test]
    fn words_escapes_and_ends_of_specifiers_are_found() {
        for (text, expected) in [
            ("drain(1)", Mention::Word),
            (r"dr\u0061in(1)", Mention::Word),
            (r"dr\u{61}in(1)", Mention::Word),
            (r"dr\u{00000000000000061}in(1)", Mention::Word),
            (r"q['dr\x61in']", Mention::Word),
            (r"'\x1b[1m \u2028 \u{1F600}'", NOTHING),
            ("import './queue'", specifiers(&["./queue"])),
            ("import(`../queue.js`)", specifiers(&["../queue.js"])),
            ("require('#q')", specifiers(&["#q"])),
            ("import '#q/x'; queue()", NOTHING),
            ("import '@s/any'; f('@s/other')", specifiers(&["@s/any"])),
            ("import '../other/queue'; import './deep/queue.ts'", NOTHING),
            ("import '@/any/queue'; import './queue'", specifiers(&["./queue", "@/any/queue"])),
            ("drains(); undrain(); $drain", NOTHING),
            ("\u{feff}drain()", Mention::Word),
            ("x.drain.test()", Mention::Word),
            ("x.drain.testing()", Mention::Word),
            ("import './drained'; import './queue'; drain", Mention::Word),
            // A file that is named as the word is.
            ("import q from './drain'", specifiers(&["./drain"])),
            ("import q from '@/drain.test'", specifiers(&["@/drain.test"])),
        ] {
            check(text, &expected);
        }
    }

    #[test]
    fn comments_and_strings_that_say_more_do_not_count() {
        for (text, expected) in [
            // Strings that say more are no names; the whole of one may be.
            ("say('drain it'); say(`drain x`)", NOTHING),
            ("q['drain']", Mention::Word),
            ("q[`drain`]", Mention::Word),
            ("`${drain} it`", Mention::Word),
            ("`it ${q['drain']}`", Mention::Word),
            // Comments do not count.
            ("// drain\n/* drain */ import './queue'", specifiers(&["./queue"])),
            ("/** import './queue'; drain() */ f()", NOTHING),
            ("/** drain */ if (x) /re/.test(y) // drain", Mention::Word),
            (r"// dr\u0061in", NOTHING),
            (r"'it says more than dr\u0061in, and whoever reads it sees no name, however it is spelled'", NOTHING),
            (r"import './a/very/long/way/to/wherever/it/is/that/the/file/of/the/que\u0075e/lies'", Mention::Word),
            ("export * from 'elsewhere' // drain", Mention::Word),
            ("export /* all */\n* from 'elsewhere' // drain", Mention::Word),
            // Quotes that do not belong together, and lines.
            (r#"import "./it's/queue""#, Mention::Perhaps),
            (r"import './\x71/queue'", Mention::Word),
            (r"import '.\/queue'", Mention::Word),
            (r"import '../a\x3fraw'", Mention::Word),
            (r"import(`../a\-b`)", Mention::Word),
            (r"const a = '.\/queue', b = /\d\/queue/", NOTHING),
            (r"gr\u00fcn()", NOTHING),
            ("type A = 'x'\ninterface B { queue?: 'y' }", NOTHING),
            ("import './queue?raw'", specifiers(&["./queue?raw"])),
        ] {
            check(text, &expected);
        }
    }

    #[test]
    fn letters_of_other_alphabets_are_spelled_out_where_a_word_has_one() {
        for (word, expected) in [("grün", Mention::Word), ("green", Mention::Nothing)] {
            let mentions = Mentions::of(&BTreeSet::from([word.to_owned()]), Spellings::default(), true);
            let path = RepoPath::from_git("lib/a.ts");
            assert_eq!(mentions.of_text(&path, br"gr\u00fcn()"), expected, "{word}");
        }
    }
}
