//! Files that hold scripts among other text: `<script setup lang="ts">` of Vue and Svelte.
//!
//! What is no script is blanked, byte for byte, so every place in the rest is that place in the file.

use std::ops::Range;

/// The scripts of a text, all else as spaces; line breaks stay.
pub(super) fn scripts(text: &str) -> String {
    blanked(text, |at, ranges| !ranges.iter().any(|range| range.contains(&at)))
}

/// What is no script of a text, and no style or comment either.
pub(super) fn markup(text: &str) -> String {
    let apart: Vec<Range<usize>> = elements(text, "style").chain(comments(text)).collect();
    blanked(text, |at, ranges| ranges.iter().chain(&apart).any(|range| range.contains(&at)))
}

/// The text with spaces where `is_blank` says so, given a byte's place and the scripts.
fn blanked(text: &str, is_blank: impl Fn(usize, &[Range<usize>]) -> bool) -> String {
    let ranges = script_ranges(text);
    let bytes = text.bytes().enumerate();
    let kept = bytes.map(|(at, byte)| if byte != b'\n' && is_blank(at, &ranges) { b' ' } else { byte });
    // Scripts end at tags, which are ASCII: no letter is cut in two.
    String::from_utf8(kept.collect()).unwrap_or_default()
}

fn script_ranges(text: &str) -> Vec<Range<usize>> {
    let comments: Vec<Range<usize>> = comments(text).collect();
    let scripts = elements(text, "script").filter(|script| !comments.iter().any(|range| range.contains(&script.start)));
    scripts.collect()
}

/// The contents of elements of a name that hold code or nothing else: not of those with a `type` of data.
fn elements<'t>(text: &'t str, name: &'static str) -> impl Iterator<Item = Range<usize>> + 't {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let open = find(text, from, &["<", name].concat())?;
            let start = tag_end(text, open)?;
            let end = find(text, start, &["</", name].concat()).unwrap_or(text.len());
            from = end;
            let tag = &text[open..start];
            let is_named =
                tag[name.len() + 1..].starts_with(|next: char| next.is_whitespace() || next == '>' || next == '/');
            let is_data =
                ["application/", "text/template", "text/html", "text/x-"].iter().any(|kind| tag.contains(kind));
            let is_code = !is_data || tag.contains("javascript");
            if is_named && is_code && !tag.ends_with("/>") {
                return Some(start..end);
            }
            from = start;
        }
    })
}

fn comments(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = find(text, from, "<!--")?;
        from = find(text, start, "-->").map_or(text.len(), |end| end + 3);
        Some(start..from)
    })
}

/// Behind the `>` of a tag, of which attributes in quotes may hold one.
fn tag_end(text: &str, open: usize) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The next place of an ASCII text, whatever the case.
fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    let (bytes, what) = (&text.as_bytes()[from..], what.as_bytes());
    let found = memchr::memchr_iter(what[0], bytes)
        .find(|&at| bytes[at..].get(..what.len()).is_some_and(|there| there.eq_ignore_ascii_case(what)));
    found.map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_keep_their_places() {
        let text = "<template>\n  <b @click=\"go()\">é</b>\n</template>\n<script setup lang=\"ts\" a=\">\">\nimport { go } from './q';\n</script>\n\
                    <!-- <script>no()</script> -->\n<Script>two()</SCRIPT>\n<style>go {}</style>\n<script src=\"x\" />\n<scripted>no</scripted>";
        let cut = scripts(text);
        assert_eq!(cut.len(), text.len());
        assert_eq!(cut.split_whitespace().collect::<Vec<_>>().join(" "), "import { go } from './q'; two()");
        assert_eq!(cut.find("import"), text.find("import"));
        let rest = markup(text);
        assert!(
            rest.contains("@click=\"go()\"")
                && !rest.contains("import")
                && !rest.contains("go {}")
                && !rest.contains("no()"),
            "{rest}"
        );
    }

    #[test]
    fn what_never_ends_ends_with_the_text() {
        for text in [
            "<script>a()",
            "<script",
            "<script a='",
            "<!-- <script>",
            "</script>",
            "<script type=\"application/json\">{}</script>",
        ] {
            assert_eq!(scripts(text).len(), text.len());
        }
        assert_eq!(scripts("<script>a()").trim(), "a()");
    }
}
