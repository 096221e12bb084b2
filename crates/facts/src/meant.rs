//! What names from outside an item stand for, where the file says it in a way that no text can change: the container around
//! the item, under the name that `@This()` is given there.
//!
//! Such a name is the file's own, as a local variable's is a function's: to rename it changes nothing of what the item does.

use crate::program::Scope;
use factgate_syntax::{ItemKind, NodeId};
use std::collections::BTreeMap;

/// The names of a scope that stand for the container around it.
pub fn names(scope: &Scope) -> BTreeMap<NodeId, &'static str> {
    let (tree, language) = (&scope.tree, scope.source.language());
    let Some(itself) = language.itself else { return BTreeMap::new() };
    let own = own_names(scope, itself);
    let kinds = language.rules().kinds();
    let is_own = |node: &NodeId| {
        kinds.names.contains(&tree.kind(*node))
            && own.contains(&tree.text(*node))
            && scope.scopes.binding(*node).is_none()
            && language.rules().names_variable(tree, *node)
    };
    if own.is_empty() {
        return BTreeMap::new();
    }
    tree.subtree(NodeId::ROOT).filter(is_own).map(|node| (node, itself)).collect()
}

/// The names that the container around a scope has for itself: members of it that are nothing else.
pub(crate) fn own_names<'s>(scope: &'s Scope, itself: &str) -> Vec<&'s str> {
    let items = scope.source.items();
    let Some((holder, _)) = scope.name.split_once('#').and_then(|(_, name)| name.rsplit_once('.')) else {
        return Vec::new();
    };
    let named = items.iter().filter(|item| item.kind == ItemKind::Value).filter_map(|item| {
        let (container, name) = item.name.rsplit_once('.')?;
        let written = scope.source.text().get(item.span.range())?;
        let value: String = written.split_once('=')?.1.chars().filter(|letter| !letter.is_whitespace()).collect();
        (container == holder && value.trim_end_matches(';') == itself).then_some(name)
    });
    named.collect()
}
