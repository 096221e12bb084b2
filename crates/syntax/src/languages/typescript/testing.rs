//! Source snippets as normal trees, for tests.

use crate::languages::language_for_path;
use crate::source::{Limits, Source};
use crate::tree::Tree;

/// The normal tree of a whole file.
pub(super) fn file(path: &str, code: &str) -> Tree {
    let language = language_for_path(path).expect("a known ending");
    let source = Source::parse(language, code.as_bytes(), &Limits::default()).expect("source that parses");
    assert!(source.problems().is_empty(), "{code}: {:?}", source.problems());
    source.normal(&source.file_item())
}
