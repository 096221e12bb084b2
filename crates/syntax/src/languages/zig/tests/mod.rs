//! Zig's rules, each kind with its own helper and many pieces of source.

mod items;
mod lower;
mod meaning;
mod normal;
mod properties;

use crate::{Limits, Source, language_for_path};

fn parse(text: &str) -> Source {
    let language = language_for_path("a.zig").unwrap();
    Source::parse(language, text.as_bytes(), &Limits::default()).unwrap()
}
