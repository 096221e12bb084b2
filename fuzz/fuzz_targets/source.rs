//! Any text as a source file of any language: items, normal trees and fingerprints, and that line endings and a
//! byte-order mark are no change.
#![no_main]

use factgate_syntax::{Fingerprints, LANGUAGES, Language, Limits, Source};
use libfuzzer_sys::fuzz_target;

fn fingerprints(language: &'static Language, bytes: &[u8]) -> Option<Vec<Fingerprints>> {
    let source = Source::parse(language, bytes, &Limits::default()).ok()?;
    if !source.problems().is_empty() {
        return None;
    }
    let whole = source.file_item();
    Some(source.items().iter().chain([&whole]).map(|item| source.fingerprints(&source.normal(item))).collect())
}

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let language = &LANGUAGES[usize::from(*first) % LANGUAGES.len()];
    let Some(found) = fingerprints(language, bytes) else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if !text.contains('\r') && !text.starts_with('\u{feff}') {
        let other = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        if let Some(other) = fingerprints(language, other.as_bytes()) {
            assert_eq!(found, other, "line endings or a byte-order mark count");
        }
    }
});
