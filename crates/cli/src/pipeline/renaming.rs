//! Whether the names in which an item differs from its record are a renaming: of functions and members that are declared
//! in the model's root, and whose old names are gone from the files of the model.

use crate::config::Model;
use crate::pipeline::moved;
use factgate_facts::program::{Program, Scope};
use factgate_record::{ItemRecord, Record, Renaming, RepoPath, renamed};
use factgate_syntax::languages::Kinds;
use factgate_syntax::selector::Target;
use factgate_syntax::{NodeId, Selector, language_for_path};
use std::collections::BTreeSet;

/// Looks at the files only where the rest of the item is the same.
pub fn judge(
    model: &Model,
    program: &Program<'_>,
    recorded: &Record,
    known: &ItemRecord,
    now: &ItemRecord,
) -> Renaming {
    let pairs: Vec<(&str, &str)> = renamed(known, now).collect();
    let is_candidate = known.names == now.names && known.literals != now.literals && !pairs.is_empty();
    // A name that the record has somewhere was there before: it is another thing's.
    let was_there = |word: &str| recorded.items.values().any(|item| item.words.iter().any(|known| known == word));
    if !is_candidate || pairs.iter().any(|(_, new)| was_there(new)) {
        return Renaming::Unknown;
    }
    let mut open: BTreeSet<&str> = pairs.iter().map(|(_, new)| *new).collect();
    for file in moved::named(model) {
        let Ok(source) = program.source(&file) else { return Renaming::Unknown };
        if !pairs.iter().any(|(old, new)| [old, new].into_iter().any(|word| source.text().contains(word))) {
            continue;
        }
        let Some(whole) = whole(program, &file) else { return Renaming::Unknown };
        if pairs.iter().any(|(old, _)| stands_in(&whole, old)) {
            return Renaming::Unknown;
        }
        let declared = declared(&whole);
        open.retain(|word| !declared.contains(word));
    }
    declared_elsewhere(program, &mut open);
    if open.is_empty() { Renaming::Gone } else { Renaming::Unknown }
}

/// Leaves those names that no other file below the model's root declares: a constant may stand in a file that the model
/// does not name.
fn declared_elsewhere(program: &Program<'_>, open: &mut BTreeSet<&str>) {
    let files = program.files().list().unwrap_or_default().iter();
    let of_a_language =
        |file: &&RepoPath| file.below(program.root()).is_some() && language_for_path(file.as_str()).is_some();
    for file in files.filter(of_a_language) {
        if open.is_empty() {
            return;
        }
        let Ok(Some(bytes)) = program.files().read(file) else { continue };
        if !std::str::from_utf8(&bytes).is_ok_and(|text| open.iter().any(|word| text.contains(word))) {
            continue;
        }
        if let Some(whole) = whole(program, file) {
            let declared = declared(&whole);
            open.retain(|word| !declared.contains(word));
        }
    }
}

/// A file as one item.
fn whole(program: &Program<'_>, file: &RepoPath) -> Option<Scope> {
    let path = file.below(program.root()).unwrap_or(file.as_str()).to_owned();
    program.scope(&Selector { path, target: Target::File }).ok()
}

/// Whether a word stands in the code of a file, or in a text of it: a member may be asked for by one.
fn stands_in(whole: &Scope, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let says = |node: NodeId| whole.tree.text(node).split(|letter| !is_letter(letter)).any(|part| part == word);
    whole.tree.subtree(NodeId::ROOT).any(says)
}

/// The names that a file declares, imports, or gives members.
fn declared(whole: &Scope) -> BTreeSet<&str> {
    let (tree, kinds) = (&whole.tree, whole.source.language().rules().kinds());
    let seen = whole.scopes.bindings.iter().filter(|one| !kinds.starts_with_a_local(tree, &whole.scopes, one.declared));
    let mut declared: BTreeSet<&str> = seen.map(|binding| binding.name.as_str()).collect();
    for node in tree.subtree(NodeId::ROOT) {
        let leaf = if tree.is_leaf(node) && tree.field(node) == Some("name") { Some(node) } else { None };
        let named = leaf.or_else(|| member(kinds, whole, node));
        declared.extend(named.map(|leaf| tree.text(leaf)));
    }
    declared
}

/// The last name of what a node gives a value.
fn member(kinds: &Kinds, whole: &Scope, node: NodeId) -> Option<NodeId> {
    let (target, _) = kinds.assignment(&whole.tree, node)?;
    let names = |leaf: &NodeId| kinds.names.contains(&whole.tree.kind(*leaf));
    whole.tree.subtree(target).rev().find(names)
}
