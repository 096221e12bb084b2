//! The dollar signs of a snippet: metavariables, escapes, and what is neither.
//!
//! Whether a `$` stands in code or in the text of a string, template, regular expression or comment is not guessed from
//! the characters: every one is replaced first, and the grammar then says which kind of node it fell into.

use super::{Count, Hole};
use std::ops::Range;
use std::sync::Arc;

/// A dollar sign with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dollar {
    /// Byte range in the snippet.
    pub(super) range: Range<usize>,
    pub(super) mark: Mark,
}

/// What a dollar sign in code would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A metavariable.
    Hole(Hole),
    /// `\$`: a literal dollar sign.
    Escape,
    /// Neither.
    Malformed,
    /// `${`: code only where the grammar opens a substitution with it.
    Substitution,
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// All dollar signs of a snippet, in order.
pub(super) fn scan(code: &str) -> Vec<Dollar> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = code[at..].find('$') {
        let start = at + next;
        let dollar = read(code, start, at);
        at = dollar.range.end;
        found.push(dollar);
    }
    found
}

/// The dollar sign at `start`; nothing before `floor` belongs to it.
fn read(code: &str, start: usize, floor: usize) -> Dollar {
    if start > floor && code[floor..start].ends_with('\\') {
        return Dollar { range: start - 1..start + 1, mark: Mark::Escape };
    }
    let rest = &code[start..];
    let signs = rest.len() - rest.trim_start_matches('$').len();
    let tail = &rest[signs..];
    if tail.starts_with('{') {
        return Dollar { range: start..start + signs, mark: Mark::Substitution };
    }
    let name_length = tail.find(|letter| !is_name(letter)).unwrap_or(tail.len());
    let name = &tail[..name_length];
    let word_length = tail.find(|letter| !is_word(letter)).unwrap_or(tail.len());
    let starts_well = name.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '_');
    let alone = word_length == name_length && !code[..start].ends_with(is_word);
    let count = match signs {
        1 if starts_well => Some(Count::One),
        3 if name.is_empty() || starts_well => Some(Count::Many),
        _ => None,
    };
    let mark = match count {
        Some(count) if alone => {
            let name = (!name.is_empty() && name != "_").then(|| Arc::from(name));
            Mark::Hole(Hole { count, name })
        }
        _ => Mark::Malformed,
    };
    Dollar { range: start..start + signs + word_length, mark }
}

/// What is said of a malformed one.
pub(super) fn malformed(code: &str, dollar: &Dollar) -> String {
    let text = &code[dollar.range.clone()];
    let plain: String = text.chars().filter(|&letter| letter != '$').collect();
    let hint = if plain.is_empty() {
        "`$_` matches one node, `$$$` any number".to_owned()
    } else {
        format!("write `\\{text}` for an identifier of this name")
    };
    format!(
        "`{text}` is no metavariable: `$NAME` and `$$$NAME` are an upper-case letter or `_`, then upper-case letters, \
         digits and `_`; {hint}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: &[(&str, &str)]) {
        let shown: Vec<(&str, String)> = scan(code)
            .iter()
            .map(|dollar| {
                let mark = match &dollar.mark {
                    Mark::Hole(Hole { count, name }) => format!("{count:?} {}", name.as_deref().unwrap_or("-")),
                    other => format!("{other:?}"),
                };
                (&code[dollar.range.clone()], mark)
            })
            .collect();
        let shown: Vec<(&str, &str)> = shown.iter().map(|(text, mark)| (*text, mark.as_str())).collect();
        assert_eq!(shown, expected, "{code}");
    }

    #[test]
    fn metavariables_are_told_from_what_is_none() {
        check(
            "f($A, $_, $$$, $$$REST, $_X1)",
            &[("$A", "One A"), ("$_", "One -"), ("$$$", "Many -"), ("$$$REST", "Many REST"), ("$_X1", "One _X1")],
        );
        check(
            "f($x, $9A, $$A, $Ab, $, $$$$, $$$x, a$B)",
            &[
                ("$x", "Malformed"),
                ("$9A", "Malformed"),
                ("$$A", "Malformed"),
                ("$Ab", "Malformed"),
                ("$", "Malformed"),
                ("$$$$", "Malformed"),
                ("$$$x", "Malformed"),
                ("$B", "Malformed"),
            ],
        );
        check("\\$x.y(`${z}`, $A$B)", &[("\\$", "Escape"), ("$", "Substitution"), ("$A$B", "Malformed")]);
    }
}
