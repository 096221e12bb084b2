//! A module without its comments: what a verdict depends on. Columns stay where they are, since TLA+ reads lists by them.
//!
//! Kept are comments that hold a PlusCal algorithm or stand around its translation: the engine reads those. A text whose
//! comments cannot be told (one is not closed) is kept as it is.

/// Words of comments that mean something.
const MEANT: [&str; 4] = ["--algorithm", "--fair", "PlusCal", "TRANSLATION"];

/// The text without comments, without white space at the ends of lines, and without empty lines.
pub fn without_comments(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let start = module_start(&text);
    let Some(body) = blanked(&text[start..]) else { return text };
    let mut out = text[..start].to_owned();
    for line in body.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Where the module begins: what stands before it is prose. A configuration has no such line.
fn module_start(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start_matches('-');
        if line.len() - rest.len() >= 4 && rest.trim_start().starts_with("MODULE") {
            return at;
        }
        at += line.len();
    }
    0
}

/// Comments as spaces; `None` when one is not closed.
fn blanked(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let used = if rest.starts_with("\\*") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("(*") {
            block(rest)?
        } else {
            let used = if letter == '"' { string(rest) } else { letter.len_utf8() };
            out.push_str(&rest[..used]);
            rest = &rest[used..];
            continue;
        };
        let comment = &rest[..used];
        if MEANT.iter().any(|word| comment.contains(word)) {
            out.push_str(comment);
        } else {
            out.extend(comment.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
        }
        rest = &rest[used..];
    }
    Some(out)
}

/// The length of a comment that may hold comments.
fn block(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut open, mut at) = (0usize, 0);
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"(*" => (open, at) = (open + 1, at + 2),
            b"*)" => {
                (open, at) = (open - 1, at + 2);
                if open == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// The length of a string, which ends with its line at the latest.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = letter == '\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &str) {
        assert_eq!(without_comments(text), wanted, "{text:?}");
    }

    #[test]
    fn only_comments_without_a_meaning_go() {
        check("---- MODULE A ----\r\nx == 1 \\* one\n\\* more\n====", "---- MODULE A ----\nx == 1\n====\n");
        check("---- MODULE A ----\nx == (* (* in *) *) 1\n====\n", "---- MODULE A ----\nx ==                1\n====\n");
        check(
            "---- MODULE A ----\nx == \"(* \\\" \\\\* no\" \\* yes\n====\n",
            "---- MODULE A ----\nx == \"(* \\\" \\\\* no\"\n====\n",
        );
        check(
            "---- MODULE A ----\n(* --algorithm a { } *)\n====\n",
            "---- MODULE A ----\n(* --algorithm a { } *)\n====\n",
        );
        // Prose before the module is no code, and what is not closed is left alone.
        check(
            "it's (* prose\n---- MODULE A ----\nx == 1 \\* a\n====\n",
            "it's (* prose\n---- MODULE A ----\nx == 1\n====\n",
        );
        check("---- MODULE A ----\nx == 1 (* a\n====\n", "---- MODULE A ----\nx == 1 (* a\n====\n");
        check("CONSTANT A = 1 \\* why\n", "CONSTANT A = 1\n");
    }

    #[test]
    fn columns_stay() {
        check("---- MODULE A ----\nx == (* \u{e9} *) /\\ a\n====\n", "---- MODULE A ----\nx ==         /\\ a\n====\n");
    }
}
