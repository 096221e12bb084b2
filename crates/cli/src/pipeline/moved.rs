//! Where an item that is gone stands now: the same fingerprint elsewhere in the files that `cover` and `calls` name.

use crate::config::{Covered, Model, WatchedBy};
use crate::pipeline::items::record_of;
use factgate_facts::program::{Program, Scope};
use factgate_record::{Elsewhere, ItemRecord, Record, RepoPath};
use factgate_syntax::selector::Target;
use factgate_syntax::{Selector, language_for_path};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Looks for the recorded fingerprint. A twin that the record knows under its own name is no move.
pub fn find(
    model: &Model,
    program: &Program<'_>,
    covered: &Covered,
    known: &ItemRecord,
    recorded: Option<&Record>,
) -> Option<Elsewhere> {
    let files: Vec<RepoPath> = named(model).into_iter().collect();
    let is_new =
        |name: &str| name != covered.text && !recorded.is_some_and(|recorded| recorded.items.contains_key(name));
    files.par_iter().find_map_first(|file| {
        let scopes = candidates(program, file, &covered.selector);
        scopes.into_iter().filter(|scope| is_new(&scope.name)).find_map(|scope| {
            let at = scope.place_at(scope.span.start);
            (record_of(&scope).fingerprint == known.fingerprint).then_some(Elsewhere { item: scope.name, at })
        })
    })
}

/// The files of known languages that the model names.
fn named(model: &Model) -> BTreeSet<RepoPath> {
    let mut files: BTreeSet<RepoPath> =
        model.cover.iter().map(|covered| model.source(&covered.selector.path)).collect();
    for watched in model.calls.values() {
        files.extend(watched.within.iter().cloned());
        if let WatchedBy::Definition(of) = &watched.by {
            files.insert(model.source(&of.selector.path));
        }
    }
    files.retain(|file| language_for_path(file.as_str()).is_some());
    files
}

/// What in a file could be the item: every item of it, or for a handler the node that its pattern matches there.
fn candidates(program: &Program<'_>, file: &RepoPath, gone: &Selector) -> Vec<Scope> {
    let Ok(source) = program.source(file) else { return Vec::new() };
    match &gone.target {
        Target::File => program.scope_of(file, &source, &source.file_item()).into_iter().collect(),
        Target::Name(_) => {
            source.items().iter().filter_map(|item| program.scope_of(file, &source, item).ok()).collect()
        }
        Target::Handler { .. } => {
            let path = file.below(program.root()).unwrap_or(file.as_str()).to_owned();
            program.scope(&Selector { path, target: gone.target.clone() }).into_iter().collect()
        }
    }
}
