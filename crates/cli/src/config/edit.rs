//! Changes strings of a TOML file and leaves every other byte as it is: comments, order, layout, line ends and quotes.

use crate::config::document::Document;
use crate::config::spanned::At;
use std::ops::Range;

/// What stands at a span after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; none for what is put in.
    pub span: Range<usize>,
    /// The new bytes.
    pub text: String,
}

/// Another value for a string, in its own quotes where these can hold it.
pub fn replace(document: &Document, at: &At<String>, value: &str) -> Edit {
    let raw = document.text.get(at.span.clone()).unwrap_or_default();
    let is_literal = raw.starts_with('\'') && !value.contains('\'') && !value.chars().any(char::is_control);
    let text = if is_literal { format!("'{value}'") } else { basic(value) };
    Edit { span: at.span.clone(), text }
}

/// One more string behind the last of a list, on a line of its own where that one has its own.
pub fn append(document: &Document, last: &At<String>, value: &str) -> Edit {
    let before = document.text.get(..last.span.start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let indent = &before[line..];
    let own_line = line > 0 && indent.trim().is_empty();
    let end = if document.text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if own_line { format!(",{end}{indent}") } else { ", ".to_owned() };
    Edit { span: last.span.end..last.span.end, text: format!("{gap}{}", basic(value)) }
}

/// The whole text after the changes; where two would change the same bytes the first one does.
pub fn apply(document: &Document, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut text = String::new();
    let mut at = 0;
    for edit in sorted.into_iter() {
        if edit.span.start < at {
            continue;
        }
        text.push_str(&document.text[at..edit.span.start]);
        text.push_str(&edit.text);
        at = edit.span.end;
    }
    text.push_str(&document.text[at..]);
    text
}

/// A basic string (TOML 1.0, "String").
fn basic(value: &str) -> String {
    let mut text = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            letter if letter.is_control() => text.push_str(&format!("\\u{:04X}", u32::from(letter))),
            letter => text.push(letter),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use factgate_record::RepoPath;

    fn check(text: &str, old: &str, new: &str, more: &str, wanted: &str) {
        let document = Document::new(&RepoPath::default(), text.as_bytes()).unwrap();
        let start = text.find(old).unwrap();
        let at = At { value: String::new(), span: start..start + old.len() };
        let edits = [replace(&document, &at, new), append(&document, &at, more)];
        let after = apply(&document, &edits);
        assert_eq!(after, wanted);
        toml::de::DeTable::parse(&after).unwrap();
    }

    #[test]
    fn only_the_string_changes() {
        check("in = [ 'a' ] # c\n", "'a'", "b", "c", "in = [ 'b', \"c\" ] # c\n");
        check("in = [ 'a' ]\n", "'a'", "it's", "c", "in = [ \"it's\", \"c\" ]\n");
        check("in = [\n  \"a\", # x\n]\n", "\"a\"", "q\"", "c", "in = [\n  \"q\\\"\",\n  \"c\", # x\n]\n");
        check("in = [\r\n\t\"a\"\r\n]\r\n", "\"a\"", "b", "c", "in = [\r\n\t\"b\",\r\n\t\"c\"\r\n]\r\n");
    }
}
