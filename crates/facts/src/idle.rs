//! Functions of a scope's own file that do nothing but give a value: a call of one in a logged text does nothing either.
//!
//! Only where the name can mean no other function: the one variable of that name in the file, never assigned, or in Zig a
//! member of the container that the object's written type names. Its code must hold no call but of another such function,
//! no loop, no wait, no assignment but to its own variables, no throw.

use crate::callees::{around, function, inside};
use crate::meant::own_names;
use crate::program::Scope;
use factgate_syntax::languages::{OwnObject, only_gives_a_value as only_gives};
use factgate_syntax::scope::BindingKind;
use factgate_syntax::{Item, NodeId};

/// How many functions deep a call is followed.
const DEPTH: usize = 4;

/// Whether a call runs such a function.
pub(crate) fn only_gives_a_value(scope: &Scope, call: NodeId) -> bool {
    is_idle(scope, call, DEPTH)
}

fn is_idle(scope: &Scope, call: NodeId, depth: usize) -> bool {
    let kinds = scope.source.language().rules().kinds();
    let callee = kinds.callee(&scope.tree, call).filter(|_| depth > 0 && !scope.tree.has_child(call, "new"));
    let Some(item) = callee.and_then(|callee| called(scope, callee)) else { return false };
    if !scope.source.problems_in(item).is_empty() {
        return false;
    }
    let function = scope.of_item(item);
    let tree = &function.tree;
    let is_function = |node: &NodeId| kinds.functions.contains(&tree.kind(*node));
    let Some(whole) = tree.subtree(NodeId::ROOT).find(is_function) else { return false };
    let Some(body) = tree.child(whole, "body") else { return false };
    let is_done = |node: NodeId| is_idle(&function, node, depth - 1);
    let beside = tree.children(whole).filter(|&part| part != body);
    let calls_nothing = |part: NodeId| tree.subtree(part).all(|node| kinds.callee(tree, node).is_none());
    beside.into_iter().all(calls_nothing) && only_gives(scope.source.language(), tree, &function.scopes, body, &is_done)
}

/// The function of the file that a callee means, where it can mean no other one.
fn called(scope: &Scope, callee: NodeId) -> Option<&Item> {
    let (tree, language) = (&scope.tree, scope.source.language());
    let rules = language.rules();
    let is_name = |node: NodeId| rules.kinds().names.contains(&tree.kind(node));
    let (_, name, _) = if tree.is_leaf(callee) {
        let is_free = is_name(callee) && scope.scopes.binding(callee).is_none();
        inside(scope, &around(scope), tree.text(callee)).filter(|_| is_free && is_fixed(scope, tree.text(callee)))?
    } else {
        let parts: Vec<NodeId> = tree.children(callee).collect();
        let (&object, &member) = (parts.first()?, parts.last()?);
        let own = rules.own_object(tree, &scope.scopes, object).filter(|_| is_name(member))?;
        let (_, selected) = scope.name.split_once('#')?;
        let (holder, _) = selected.rsplit_once('.')?;
        let is_own = match own {
            OwnObject::Itself => true,
            OwnObject::Typed(name) => {
                own_names(scope, language.itself?).contains(&name.as_str()) || holder.rsplit('.').next() == Some(&name)
            }
        };
        function(scope, &format!("{holder}.{}", tree.text(member))).filter(|_| is_own)?
    };
    let mut items = scope.source.items().iter().filter(|item| item.name == name);
    items.next().filter(|_| items.next().is_none())
}

/// Whether the file has one variable of this name, and nothing assigns it.
fn is_fixed(scope: &Scope, name: &str) -> bool {
    let tree = scope.source.normal(&scope.source.file_item());
    let scopes = scope.source.language().rules().scopes(&tree);
    let mut found = scopes.bindings.iter().filter(|binding| binding.name == name);
    let is_fixed = |kind| matches!(kind, BindingKind::Declaration | BindingKind::Constant);
    found.next().is_some_and(|only| is_fixed(only.kind) && only.writes.is_empty()) && found.next().is_none()
}
