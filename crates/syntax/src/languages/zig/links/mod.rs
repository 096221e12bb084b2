//! Links of a Zig file. A container's members are symbols of their own, reached through the container, through `@This()`
//! and through any value of it; the file itself is a container.

mod denote;
mod symbols;
#[cfg(test)]
mod tests;
mod uses;

use crate::languages::language_for_path;
use crate::links::{Links, Typing};
use crate::scope::Scopes;
use crate::source::{Limits, Source};
use crate::tree::{NodeId, Span, Tree};
use std::collections::HashMap;

/// Reads a file's links.
pub(in crate::languages) fn links(path: &str, text: &str, is_word: &dyn Fn(&str) -> bool) -> Links {
    let mut links = Links { typing: Typing::Nominal, ..Links::default() };
    let Some(language) = language_for_path(path) else { return links };
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    let source = match Source::parse(language, text.as_bytes(), &limits) {
        Ok(source) => source,
        Err(error) => {
            links.broken = Some((error.to_string(), Span::default()));
            return links;
        }
    };
    links.broken = source
        .problems()
        .iter()
        .find(|problem| hides(source.lines_of(problem.span), is_word))
        .map(|problem| (problem.message.clone(), problem.span));
    let tree = source.normal(&source.file_item());
    let scopes = language.rules().scopes(&tree);
    let mut reader = Reader { tree: &tree, scopes: &scopes, owners: HashMap::new(), links, is_word };
    reader.read();
    reader.links
}

/// Whether the lines of a parse error say a wanted word: elsewhere in the file nothing is hidden by it.
fn hides(lines: &str, is_word: &dyn Fn(&str) -> bool) -> bool {
    lines.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_word)
}

/// One file being read.
struct Reader<'t, 'w> {
    tree: &'t Tree,
    scopes: &'t Scopes,
    /// The symbol that a container belongs to, by the container's node.
    owners: HashMap<NodeId, usize>,
    links: Links,
    is_word: &'w dyn Fn(&str) -> bool,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        self.declare_symbols();
        self.own_containers();
        self.give_meanings();
        self.read_imports();
        self.read_uses();
        self.links.loosen();
    }
}
