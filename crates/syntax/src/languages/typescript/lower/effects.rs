//! What the language's own library does with what it is given, and when it runs the functions among it.

use super::Lowering;
use super::library::{self, Changes, Named};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Copied, Does, Forget, How, Key, Name, Place, Step, Times, Used, ValueId};

/// How many names a function of the library's may have.
pub(super) const DEPTH: usize = 4;

impl<'t> Lowering<'t> {
    /// Some elements of a list, map or set get other values.
    pub(super) fn change_elements(&mut self, node: NodeId, object: ValueId) {
        let key = self.unknown(node);
        self.b.write(node, Place::of(object, Step::at(Key::Number, key)), None, How::Assign);
    }

    /// What a function of `Object` or `Reflect` does to its first argument, and that argument where the call gives it.
    pub(super) fn library_changes(
        &mut self,
        call: NodeId,
        named: Named<'_>,
        nodes: &[NodeId],
        args: &[(ValueId, bool)],
    ) -> Option<ValueId> {
        let changes = named.changes()?;
        let &(object, spread) = args.first()?;
        let others = &args[1..];
        if spread || others.iter().any(|&(_, spread)| spread) {
            self.b.act(call, Does::Forget(Forget::Everything));
            return None;
        }
        let step = nodes.get(1).zip(others.first()).map(|(&node, &(value, _))| self.step_of_argument(node, value));
        match (changes, step) {
            (Changes::Assign, _) => {
                for &(from, _) in others {
                    let but = Vec::new();
                    self.b.act(call, Does::Copy(Copied { from, into: object, but, how: How::Assign }));
                }
                return Some(object);
            }
            (Changes::Set, Some(step)) => {
                let value = others.get(1).map(|&(value, _)| value);
                self.b.write(call, Place::of(object, step), value, How::Assign);
            }
            (Changes::Delete, Some(step)) => self.b.write(call, Place::of(object, step), None, How::Delete),
            (Changes::Define, Some(step)) => {
                self.define(call, object, step, nodes.get(2).copied().zip(others.get(1).map(|&(value, _)| value)));
                return Some(object);
            }
            _ => {
                self.b.write(call, Place::of(object, Step::Any), None, How::Assign);
                return (changes != Changes::Delete && changes != Changes::Set).then_some(object);
            }
        }
        None
    }

    /// `Object.defineProperty(o, k, { get, set, value })`
    fn define(&mut self, call: NodeId, object: ValueId, step: Step, descriptor: Option<(NodeId, ValueId)>) {
        let place = Place::of(object, step);
        let literal = descriptor.filter(|&(node, _)| self.kind(shape::bare(self.tree, node)) == "object");
        let Some((node, value)) = literal else {
            // It may be an accessor, and what it runs is not known.
            return self.b.write(call, place, None, How::Assign);
        };
        for (name, how) in [("value", How::Init), ("get", How::Getter), ("set", How::Setter)] {
            if self.has_property(shape::bare(self.tree, node), name) {
                let part = self.b.read(call, Place::of(value, Name::text(name)));
                self.b.write(call, place.clone(), part, how);
            }
        }
    }

    fn has_property(&self, literal: NodeId, name: &str) -> bool {
        self.tree.children(literal).any(|child| {
            let key = self.tree.child(child, "key").or_else(|| self.tree.child(child, "name")).unwrap_or(child);
            self.text(key) == name
        })
    }

    /// When a function runs that is made where it is handed to a call or called: `None` where it may be kept.
    pub(super) fn runs_here(&self, function: NodeId) -> Option<Times> {
        let mut inner = function;
        let above = loop {
            let above = self.tree.parent(inner)?;
            if !shape::is_wrapper(self.kind(above)) {
                break above;
            }
            inner = above;
        };
        if self.kind(above) == "call_expression" && self.tree.child(above, "function") == Some(inner) {
            return Some(Times::Once);
        }
        let list = (self.kind(above) == "arguments").then_some(above)?;
        let call = self.tree.parent(list)?;
        let index = shape::arguments(self.tree, call).iter().position(|&argument| argument == inner)?;
        match self.named(call).used(index) {
            Used::Runs(times) => Some(times),
            _ => None,
        }
    }

    /// What a call or `new` names.
    pub(super) fn named(&self, call: NodeId) -> Named<'t> {
        let callee = self.tree.child(call, "function").or_else(|| self.tree.child(call, "constructor"));
        let Some(callee) = callee.map(|callee| shape::bare(self.tree, callee)) else { return Named::Other };
        if self.kind(call) == "new_expression" {
            let is_global = self.kind(callee) == "identifier" && self.is_global(callee);
            return if is_global { Named::New(self.text(callee)) } else { Named::Other };
        }
        if let Some((object, name)) = self.library_path(callee, DEPTH) {
            return Named::Path(object, name);
        }
        self.tree.child(callee, "property").map_or(Named::Other, |property| Named::Method(self.text(property)))
    }
    /// The function of the library's that a call calls.
    pub(super) fn library_function(&self, call: NodeId) -> Option<(&'t str, &'t str)> {
        self.library_path(shape::bare(self.tree, self.tree.child(call, "function")?), DEPTH)
    }

    /// `Object.assign`, also as a member of the global object, and by another name that is never assigned.
    pub(super) fn library_path(&self, function: NodeId, depth: usize) -> Option<(&'t str, &'t str)> {
        if depth == 0 {
            return None;
        }
        let function = shape::bare(self.tree, function);
        match self.kind(function) {
            "member_expression" | "subscript_expression" => {
                let name = self.member_name(function)?;
                Some((self.library_object(self.tree.child(function, "object")?)?, name))
            }
            "identifier" if self.is_constant(function) => match self.declared_value(function) {
                Some(value) => self.library_path(value, depth - 1),
                None => self.taken_function(function),
            },
            _ => None,
        }
    }

    /// The name of `.name` and `["name"]`.
    fn member_name(&self, member: NodeId) -> Option<&'t str> {
        let index = || self.tree.child(member, "index").filter(|&index| self.kind(index) == "string");
        self.tree.child(member, "property").or_else(index).map(|name| self.text(name))
    }

    /// `Object`, `globalThis.Object`
    fn library_object(&self, object: NodeId) -> Option<&'t str> {
        let object = shape::bare(self.tree, object);
        let is_global = |of: NodeId| self.kind(of) == "identifier" && self.is_global(of);
        let name = match self.kind(object) {
            "identifier" if is_global(object) => self.text(object),
            "member_expression" | "subscript_expression" => {
                let of = shape::bare(self.tree, self.tree.child(object, "object")?);
                let is_world = matches!(self.text(of), "globalThis" | "window" | "self" | "global");
                self.member_name(object).filter(|_| is_world && is_global(of))?
            }
            _ => return None,
        };
        library::is_namespace(name).then_some(name)
    }

    /// The `assign` of `const { assign } = Object`.
    fn taken_function(&self, name: NodeId) -> Option<(&'t str, &'t str)> {
        let declared = self.scopes.get(self.scopes.binding(name)?).declared;
        let above = self.tree.parent(declared)?;
        let (key, pattern) = match self.kind(above) {
            "pair_pattern" => (self.tree.child(above, "key")?, self.tree.parent(above)?),
            _ => (declared, above),
        };
        let declarator = self.tree.parent(pattern).filter(|&above| self.kind(above) == "variable_declarator")?;
        Some((self.library_object(self.tree.child(declarator, "value")?)?, self.text(key)))
    }
}
