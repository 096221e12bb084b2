//! TypeScript, TSX and JavaScript: items, and what counts as the same code.

mod different;
mod grouping;
mod items;
mod oxc;
mod robust;
mod same;

use factgate_syntax::{Limits, Source, fingerprint, language_for_path};

/// Parses a source that must have no problem.
fn parse(path: &str, text: &str) -> Source {
    let Some(language) = language_for_path(path) else { panic!("{path} has no language") };
    let source = match Source::parse(language, text.as_bytes(), &Limits::default()) {
        Ok(source) => source,
        Err(error) => panic!("{error} in {text}"),
    };
    assert!(source.problems().is_empty(), "{:?} in {text}", source.problems());
    source
}

/// The fingerprint of a whole file.
fn file(path: &str, text: &str) -> fingerprint::Fingerprint {
    let source = parse(path, text);
    fingerprint::exact(&source.normal(&source.file_item()))
}

/// The normal form of a whole file, for a message.
fn shown(path: &str, text: &str) -> String {
    let source = parse(path, text);
    let tree = source.normal(&source.file_item());
    let mut out = String::new();
    for node in tree.subtree(factgate_syntax::NodeId::ROOT) {
        let depth = tree.ancestors(node).count();
        let field = tree.field(node).map_or(String::new(), |field| format!("{field}: "));
        out.push_str(&format!("{}{field}{} {:?}\n", "  ".repeat(depth), tree.kind(node), tree.text(node)));
    }
    out
}
