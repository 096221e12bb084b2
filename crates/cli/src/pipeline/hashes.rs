//! The hashes of an item, as the record has them: what does not count in it, and which items inside are told by
//! themselves.

use crate::config::Model;
use factgate_facts::ignore::Ignore;
use factgate_facts::meant;
use factgate_facts::program::{Program, Scope};
use factgate_record::{ItemRecord, Record};
use factgate_syntax::fingerprint::{Apart, Fingerprint, fingerprints};
use factgate_syntax::{NodeId, Selector};
use std::collections::BTreeMap;

/// The hashes of a scope without the calls that do not count. `inner` are scopes inside it that are covered by
/// themselves, by name.
pub fn of(scope: &Scope, ignore: &Ignore, inner: &BTreeMap<&str, &Scope>) -> ItemRecord {
    let apart = Apart { gone: ignore.gone(scope), inner: places(scope, inner), meant: meant::names(scope) };
    let prints = fingerprints(&scope.tree, &scope.scopes, scope.source.language(), &apart);
    ItemRecord {
        because: None,
        detail: short(prints.detail),
        fingerprint: prints.exact.to_string(),
        inner: inner.keys().map(|name| (*name).to_owned()).collect(),
        literals: short(prints.literals),
        locals: short(prints.locals),
        names: short(prints.names),
        own: (!inner.is_empty()).then(|| short(prints.own)),
        words: prints.words,
    }
}

/// The same with the items inside that a record names.
pub fn with_inner(scope: &Scope, ignore: &Ignore, inner: &[String], program: &Program<'_>) -> ItemRecord {
    let read = |name: &str| program.scope(&Selector::parse(name).ok()?).ok();
    let scopes: BTreeMap<&String, Scope> = inner.iter().filter_map(|name| Some((name, read(name)?))).collect();
    let inside = scopes.iter().filter(|(_, other)| is_inside(other, scope));
    let found = inside.map(|(name, other)| (name.as_str(), other)).collect();
    // One that is not there any more is missed where it stood.
    ItemRecord { inner: inner.to_vec(), ..of(scope, ignore, &found) }
}

/// Only the fingerprint.
pub fn fingerprint(scope: &Scope, ignore: &Ignore) -> String {
    of(scope, ignore, &BTreeMap::new()).fingerprint
}

/// What did not count when a record was made; without one, what does not count now.
pub fn ignored(model: &Model, recorded: Option<&Record>) -> Ignore {
    match recorded.filter(|recorded| recorded.ignore != model.ignore.texts()) {
        Some(recorded) => Ignore::of(&recorded.ignore).unwrap_or_default(),
        None => model.ignore.clone(),
    }
}

/// Whether a scope is a part of another one, and not all of it.
pub fn is_inside(inner: &Scope, outer: &Scope) -> bool {
    inner.file == outer.file && inner.span != outer.span && outer.span.contains(inner.span)
}

fn places(scope: &Scope, inner: &BTreeMap<&str, &Scope>) -> BTreeMap<NodeId, String> {
    let tree = &scope.tree;
    let mut places = BTreeMap::new();
    for (name, other) in inner {
        let mut skipped = NodeId::ROOT;
        for node in tree.subtree(NodeId::ROOT) {
            let span = tree.span(node);
            if node >= skipped && span.start < span.end && other.span.contains(span) {
                // Without its file: that moves, and says nothing of what is inside.
                places.insert(node, name.rsplit_once('#').map_or(*name, |(_, name)| name).to_owned());
                skipped = tree.subtree_end(node);
            }
        }
    }
    places
}

/// 128 bits are enough to tell one class from another.
fn short(print: Fingerprint) -> String {
    print.to_string().chars().take(32).collect()
}
