//! `where`: whether the value of an entry holds a member.

use super::constant::Unread;
use crate::pattern::{Env, Pattern};
use crate::program::Scope;
use factgate_syntax::value::{Constant, Entry};
use factgate_syntax::{NodeId, Tree};

/// Whether an entry's value holds a member that the pattern matches. The last member of a name is the one that counts;
/// a value that cannot be seen through is an error, never a no.
pub(super) fn holds(pattern: &Pattern, scope: &Scope, entry: &Entry) -> Result<bool, Unread> {
    let Some((root, literal)) = pattern.root().and_then(|root| Some((root, pattern.tree().parent(root)?))) else {
        return Err(Unread::here(scope, entry.node, "an entry that `where` names more than one member of"));
    };
    let Some(value) = entry.value else {
        return Err(Unread::here(scope, entry.node, "an entry without a value, so `where` cannot be asked"));
    };
    let kind = pattern.tree().kind(literal);
    let Some(object) = behind_marks(scope, value, kind) else {
        return Err(Unread::here(scope, value, "no literal with members, so `where` cannot be asked"));
    };
    let mut answer = Ok(false);
    for member in scope.tree.children(object).filter(|&child| !is_token(scope, child)) {
        if pattern.is_hole(root) || !pattern.matches(&scope.tree, member, &Env::new()).is_empty() {
            answer = Ok(true);
        } else if scope.tree.kind(member) != pattern.tree().kind(root) {
            if !is_plain_other(scope, member, pattern, root) {
                answer = Err(Unread::here(scope, member, "no plain member, so `where` cannot be asked"));
            }
        } else if is_computed(scope, member) {
            answer = Err(Unread::here(scope, member, "a computed key, so `where` cannot be asked"));
        } else if same_key(pattern, root, scope, member) {
            answer = if same_behind_marks(pattern, root, scope, member) {
                Ok(true)
            } else {
                differs(pattern, root, scope, member)
            };
        }
    }
    answer
}

/// Whether a member's key is computed from anything but a literal.
fn is_computed(scope: &Scope, member: NodeId) -> bool {
    let tree = &scope.tree;
    let computed = tree.children(member).find(|&child| tree.kind(child).contains("computed"));
    let is_literal = |key: NodeId| tree.children(key).any(|inner| matches!(tree.kind(inner), "string" | "number"));
    computed.is_some_and(|key| !is_literal(key))
}

/// Whether the member's value is the pattern's, behind `as const` and the like.
fn same_behind_marks(pattern: &Pattern, root: NodeId, scope: &Scope, member: NodeId) -> bool {
    let wanted = last(pattern.tree(), root);
    let value = last(&scope.tree, member);
    let inner = scope.tree.unparenthesized(value);
    value != member && !pattern.matches_part(wanted, &scope.tree, inner, &Env::new()).is_empty()
}

/// The member has the pattern's key and another value: a plain no, unless the value is not written out.
fn differs(pattern: &Pattern, root: NodeId, scope: &Scope, member: NodeId) -> Result<bool, Unread> {
    let wanted = last(pattern.tree(), root);
    let value = last(&scope.tree, member);
    let same_kind = pattern.tree().kind(wanted) == scope.tree.kind(value);
    let is_literal = !matches!(
        scope.source.language().rules().constant(&scope.tree, value),
        Constant::NotLiteral(..) | Constant::Name(_)
    );
    if same_kind || is_literal {
        return Ok(false);
    }
    Err(Unread::here(scope, value, "no literal, so `where` cannot be asked"))
}

/// Whether a member of another kind (a method, a shorthand) has a key of its own that is not the pattern's.
fn is_plain_other(scope: &Scope, member: NodeId, pattern: &Pattern, root: NodeId) -> bool {
    let key = key_text(pattern.tree(), root);
    let named = key_text(&scope.tree, member);
    let opaque = scope.tree.subtree(member).take(2).any(|node| {
        let kind = scope.tree.kind(node);
        kind == "..." || kind.contains("computed")
    });
    !opaque && named.is_some() && named != key
}

fn same_key(pattern: &Pattern, root: NodeId, scope: &Scope, member: NodeId) -> bool {
    let key = key_text(&scope.tree, member);
    key.is_none() || key == key_text(pattern.tree(), root)
}

/// The text of the first leaf that has one: a member's key.
fn key_text(tree: &Tree, member: NodeId) -> Option<&str> {
    let key = tree.subtree(member).find(|&node| tree.is_leaf(node) && !tree.text(node).is_empty())?;
    Some(tree.text(key))
}

fn last(tree: &Tree, member: NodeId) -> NodeId {
    tree.children(member).last().unwrap_or(member)
}

/// The literal that a value is, behind `as const` and the like, and behind its type.
fn behind_marks(scope: &Scope, value: NodeId, kind: &str) -> Option<NodeId> {
    let mut node = scope.tree.unparenthesized(value);
    loop {
        if scope.tree.kind(node) == kind {
            return Some(node);
        }
        node = scope.tree.children(node).find(|&child| !is_token(scope, child))?;
    }
}

fn is_token(scope: &Scope, node: NodeId) -> bool {
    let tree = &scope.tree;
    tree.is_leaf(node) && tree.text(node).is_empty() && scope.source.language().is_token(tree.kind(node))
}
