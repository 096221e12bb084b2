//! Any text as a pattern of any language, matched against any code.
#![no_main]

use factgate_facts::pattern::{Env, Pattern, PatternText};
use factgate_syntax::{LANGUAGES, Limits, NodeId, Source};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (code, against) = text.split_once('\0').unwrap_or((text, text));
    let language = &LANGUAGES[usize::from(*first) % LANGUAGES.len()];
    let Ok(pattern) = Pattern::parse(language, &PatternText::Code(code.to_owned())) else { return };
    for root in pattern.roots() {
        pattern.render(*root);
    }
    let Ok(source) = Source::parse(language, against.as_bytes(), &Limits::default()) else { return };
    let tree = Arc::new(source.normal(&source.file_item()));
    let found = pattern.find_all(&tree, NodeId::ROOT, &Env::default());
    assert_eq!(!found.is_empty(), pattern.is_found(&tree, NodeId::ROOT, &Env::default()));
});
