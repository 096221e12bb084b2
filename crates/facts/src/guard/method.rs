//! Methods of the scope's own class or container, called on the scope's own object: `this.isOk()`, Zig's `self.isOk()`.
//! What is read is the class in the file; a class that extends it may have another method of the name.

use super::code::Code;
use super::helper::Helpers;
use crate::graph::each;
use crate::program::Scope;
use factgate_syntax::flow::Flow;
use factgate_syntax::languages::{Call, OwnObject};
use factgate_syntax::{Item, ItemKind, NodeId, Span};
use std::sync::Arc;

/// A function outside the scope that a call runs.
pub(super) struct Called {
    pub(super) scope: Scope,
    /// Whether it is called on the scope's own object.
    pub(super) is_method: bool,
    /// The object of the call, when that is its first argument.
    object: Option<NodeId>,
}

impl Called {
    /// Everything that a call hands to the function.
    pub(super) fn arguments(&self, call: &Call) -> Vec<NodeId> {
        self.object.iter().chain(&call.arguments).copied().collect()
    }
}

impl Helpers<'_> {
    /// The function or method outside the scope that a call runs for certain.
    pub(super) fn called(&self, scope: &Scope, code: &Code, callee: NodeId) -> Option<Called> {
        let plain = |scope| Called { scope, is_method: false, object: None };
        self.named(scope, code, callee).map(plain).or_else(|| self.method(scope, code, callee))
    }

    /// The method of the scope's own class or container that a call on its own object runs.
    fn method(&self, scope: &Scope, code: &Code, callee: NodeId) -> Option<Called> {
        let access = code.rules.access(&code.tree, callee)?;
        let [Some(name)] = &access.path[..] else { return None };
        let mark = code.mark(access.root);
        // What came with an argument is an object of another place.
        if mark.is_given || mark.receiver.is_some() {
            return None;
        }
        let around = Around::of(scope)?;
        let is_this = code.tree.kind(access.root) == "this" && around.is_method_of_class(code);
        let object = match mark.binding {
            // A parameter is only known in the scope's own tree.
            Some(_) if !Arc::ptr_eq(&code.tree, &scope.tree) => return None,
            Some(_) => code.rules.own_object(&scope.tree, &scope.scopes, access.root)?,
            // In an expression of a method of the same class, `this` is still the object.
            None if is_this => OwnObject::Itself,
            None => return None,
        };
        match object {
            OwnObject::Itself => {}
            OwnObject::Typed(name) if around.is_called(&name) => {}
            OwnObject::Typed(_) => return None,
        }
        let item = around.method(name)?;
        if !self.program().whole(&scope.file)?.keeps_methods(around.span(), name) {
            return None;
        }
        let found = self.program().scope_of(&scope.file, &scope.source, item).ok()?;
        if is_this && !code.rules.is_method(&found.tree) {
            return None;
        }
        Some(Called { scope: found, is_method: true, object: mark.binding.map(|_| access.root) })
    }

    /// Whether a function assigns something that outlives it.
    pub(super) fn assigns(&self, scope: &Scope, code: &Code) -> bool {
        let (tree, rules) = (&scope.tree, code.rules);
        let mut assigns = tree.subtree(NodeId::ROOT).any(|node| rules.changed_in_place(tree, node).is_some());
        each(&rules.flow(tree, NodeId::ROOT), &mut |flow| {
            if let Flow::Write { target, .. } = flow {
                let own = code.variable(*target).is_some_and(|id| scope.scopes.get(id).local);
                assigns |= !own;
            }
        });
        assigns
    }
}

/// The class or container around a scope.
struct Around<'s> {
    scope: &'s Scope,
    /// `None` for the file, which is a container in Zig.
    item: Option<&'s Item>,
}

impl<'s> Around<'s> {
    fn of(scope: &'s Scope) -> Option<Around<'s>> {
        let items = scope.source.items();
        let own = items.iter().find(|item| item.span == scope.span && item.kind == ItemKind::Function)?;
        let Some((name, _)) = own.name.rsplit_once('.') else { return Some(Around { scope, item: None }) };
        let mut named = items.iter().filter(|item| item.name == name);
        let item = named.next().filter(|item| item.kind == ItemKind::Container && item.span.contains(own.span))?;
        named.next().is_none().then_some(Around { scope, item: Some(item) })
    }

    /// Where it stands; `None` for all of the file.
    fn span(&self) -> Option<Span> {
        self.item.map(|item| item.span)
    }

    /// Whether the scope is a method of a class, in which `this` is an object of it.
    fn is_method_of_class(&self, code: &Code) -> bool {
        self.item.is_some() && code.rules.is_method(&self.scope.tree)
    }

    /// Whether this name is its own: that of its declaration, or `const Self = @This();` in it.
    fn is_called(&self, name: &str) -> bool {
        let own = self.item.and_then(|item| item.name.rsplit('.').next());
        if own == Some(name) {
            return true;
        }
        let Some(alias) = self.member(name) else { return false };
        let text = &self.scope.source.text()[alias.span.start as usize..alias.span.end as usize];
        let words: String = text.split_whitespace().collect();
        words.trim_start_matches("pub").trim_end_matches(';') == format!("const{name}=@This()")
    }

    /// The one member of this name.
    fn member(&self, name: &str) -> Option<&'s Item> {
        let name = self.item.map_or_else(|| name.to_owned(), |item| format!("{}.{name}", item.name));
        let mut named = self.scope.source.items().iter().filter(|item| item.is_called(&name));
        named.next().filter(|_| named.next().is_none())
    }

    /// The one function of this name, without a decorator that may make another of it.
    fn method(&self, name: &str) -> Option<&'s Item> {
        let item = self.member(name).filter(|item| item.kind == ItemKind::Function)?;
        let is_inside = self.item.is_none_or(|around| around.span.contains(item.span));
        let is_plain = !self.scope.source.text()[item.span.start as usize..].starts_with('@');
        (is_inside && is_plain).then_some(item)
    }
}
