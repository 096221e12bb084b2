//! Declarations, assignments, captures: a target's own operands, the value, the write.

use super::Lowering;
use super::library::{is_plain_type, is_type_name};
use super::places::is_slice;
use super::values::inside;
use crate::tree::NodeId;
use factgate_ir::{Converts, Does, Forget, Holds, How, Name, Place, Prim, Root, Step, ValueId};

impl<'t> Lowering<'t> {
    /// `const x = v`, `var x: T = v`, `const a, b.c = v`. A written type runs nothing when the program does.
    pub(super) fn declaration(&mut self, node: NodeId) {
        let tree = self.tree;
        let value = tree.child(node, "value");
        let targets: Vec<NodeId> =
            tree.children(node).filter(|&child| matches!(tree.field(child), Some("name" | "left"))).collect();
        let places: Vec<Option<Place>> = targets.iter().map(|&target| self.declared(target)).collect();
        let given = value.map(|value| self.value(value));
        let alone = targets.len() == 1;
        for (&target, place) in targets.iter().zip(places) {
            let Some(place) = place else { continue };
            let part = match given {
                Some(given) if alone => Some(given),
                Some(given) => Some(self.b.read(target, Place { root: Root::Value(given), steps: vec![Step::Any] })),
                None => Some(self.unknown(target)),
            };
            let declares = tree.field(target) == Some("name");
            let how = if declares { How::Declare } else { self.how(&place, value.filter(|_| alone)) };
            self.b.write(target, place, part, how);
        }
        self.b.mark(node);
    }

    /// `x = v`, `a[i].b += v`, `_ = v`.
    pub(super) fn assignment(&mut self, node: NodeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
            self.b.act(node, Does::Forget(Forget::Everything));
            return self.b.mark(node);
        };
        let place = self.target(left);
        let plain = tree.has_child(node, "=");
        let before = place.clone().filter(|_| !plain).map(|place| self.b.read(left, place));
        let given = self.value(right);
        let value = match before {
            Some(before) => self.b.give(node, Does::Compute(Prim::Other(Converts::No), vec![before, given])),
            None => given,
        };
        if let Some(place) = place {
            let how = self.how(&place, Some(right).filter(|_| plain));
            self.b.write(node, place, value, how);
        }
        self.b.mark(node);
    }

    /// A name that is declared, or what stands in its place in a list of targets.
    fn declared(&mut self, target: NodeId) -> Option<Place> {
        match self.scopes.binding(target).filter(|_| self.tree.field(target) == Some("name")) {
            Some(id) => Some(Place::var(self.var(id))),
            None => self.target(target),
        }
    }

    /// What is assigned; `_` is nowhere.
    fn target(&mut self, target: NodeId) -> Option<Place> {
        if self.kind(target) == "identifier" && self.text(target) == "_" {
            return None;
        }
        if is_slice(self, target) {
            let slice = self.slice(target);
            return Some(Place { root: Root::Value(slice), steps: vec![Step::Deref, Step::Any] });
        }
        let place = self.place(target);
        self.b.mark(target);
        Some(self.through_constant(place))
    }

    /// A member of what cannot be assigned itself lies behind a pointer.
    fn through_constant(&self, mut place: Place) -> Place {
        if let (Root::Var(var), Some(step)) = (&place.root, place.steps.first_mut())
            && *step == Step::MaybeDeref
            && self.is_constant(self.b.unit().var(*var).node)
        {
            *step = Step::Deref;
        }
        place
    }

    /// How a place gets a value. A struct lies in the place, so all of its members are written: those of its type where the
    /// file says them, else any.
    fn how(&self, place: &Place, value: Option<NodeId>) -> How {
        let is_pointer = |var| self.b.unit().var(var).holds == Holds::Reference;
        if let (Root::Var(var), true) = (&place.root, place.steps.is_empty())
            && is_pointer(*var)
        {
            return How::Assign;
        }
        let behind = matches!(place.steps.last(), Some(Step::Deref | Step::Any));
        match value {
            Some(value) if self.is_struct(value) => How::Whole(self.members_of(value)),
            Some(value) if behind && !self.is_plain(value) => How::Whole(Vec::new()),
            _ => How::Assign,
        }
    }

    /// Whether a value is seen to be a struct: written there, copied from behind a pointer, or made by a type's function.
    fn is_struct(&self, value: NodeId) -> bool {
        match self.kind(value) {
            "struct_initializer" | "anonymous_struct_initializer" | "dereference_expression" => true,
            "parenthesized_expression" | "try_expression" => {
                self.inner_value(value).is_some_and(|inner| self.is_struct(inner))
            }
            "identifier" => self.holds_struct(value),
            "call_expression" => {
                let path = self.tree.child(value, "function").and_then(|callee| self.path(callee));
                path.is_some_and(|path| path.0.iter().any(|name| is_type_name(name.as_str())))
            }
            _ => false,
        }
    }

    fn inner_value(&self, value: NodeId) -> Option<NodeId> {
        self.tree.child(value, "argument").or_else(|| inside(self.tree, value))
    }

    fn holds_struct(&self, name: NodeId) -> bool {
        let var = self.scopes.binding(name).and_then(|id| self.vars.get(&id));
        var.is_some_and(|&var| self.b.unit().var(var).holds == Holds::Own)
    }

    /// Whether a value has no members: a number, a text, the outcome of a comparison, a parameter of such a type.
    pub(super) fn is_plain(&self, value: NodeId) -> bool {
        match self.kind(value) {
            "integer" | "float" | "boolean" | "character" | "string" | "multiline_string" | "null" => true,
            "logical_expression" | "error_type" => true,
            "field_expression" => self.tree.child(value, "object").is_none(),
            "binary_expression" => !self.tree.has_child(value, "orelse"),
            "unary_expression" => true,
            "parenthesized_expression" => self.inner_value(value).is_some_and(|inner| self.is_plain(inner)),
            "identifier" => {
                let declared = self.scopes.binding(value).map(|id| self.scopes.get(id).declared);
                let written = declared.and_then(|name| self.tree.child(self.tree.parent(name)?, "type"));
                written.is_some_and(|written| match self.kind(written) {
                    "builtin_type" => true,
                    "identifier" => is_plain_type(self.text(written)),
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// The members of a struct's type, where the file declares it; none where it may have any, with defaults or not.
    fn members_of(&self, value: NodeId) -> Vec<Name> {
        let named = self.tree.child_of_kind(value, "identifier").filter(|_| self.kind(value) == "struct_initializer");
        let Some(container) = named.and_then(|name| self.container_of(name)) else { return Vec::new() };
        let fields = self.tree.children(container).filter(|&field| self.kind(field) == "container_field");
        let names = fields.filter_map(|field| self.tree.child(field, "name"));
        names.map(|name| Name::text(self.text(name))).collect()
    }

    /// The names between `|` and `|` get new values, one from each of the places: `|x|` the value, `|*x|` its address.
    pub(super) fn capture(&mut self, payload: NodeId, places: &[Place]) {
        let mut by_address = false;
        let mut places = places.iter();
        for child in self.tree.children(payload).collect::<Vec<_>>() {
            match self.kind(child) {
                "*" => by_address = true,
                "identifier" => {
                    let place = places.next().cloned();
                    self.capture_one(child, place, std::mem::take(&mut by_address));
                }
                _ => {}
            }
        }
    }

    fn capture_one(&mut self, name: NodeId, place: Option<Place>, by_address: bool) {
        let Some(id) = self.scopes.binding(name) else { return };
        let var = self.var(id);
        let value = match place {
            Some(place) if by_address => self.b.give(name, Does::Address(place)),
            Some(place) => self.b.read(name, place),
            None => self.unknown(name),
        };
        self.b.write(name, Place::var(var), value, How::Declare);
    }

    /// The one name of a capture gets this value.
    pub(super) fn capture_value(&mut self, payload: NodeId, value: ValueId) {
        let name = self.tree.children(payload).find(|&child| self.kind(child) == "identifier");
        let Some(id) = name.and_then(|name| self.scopes.binding(name)) else { return };
        let var = self.var(id);
        self.b.write(payload, Place::var(var), value, How::Declare);
    }

    /// Remembers that a capture holds an error: returning it is an error return.
    pub(super) fn hold_error(&mut self, payload: NodeId) {
        let names: Vec<_> = self.tree.children(payload).filter(|&child| self.kind(child) == "identifier").collect();
        let declared =
            names.iter().filter_map(|&name| self.scopes.binding(name)).map(|id| self.scopes.get(id).declared);
        self.errors.extend(declared);
    }

    /// Assembly can write anything that it can reach.
    pub(super) fn asm(&mut self, node: NodeId) {
        let operands: Vec<_> = self.tree.subtree(node).filter(|&part| self.kind(part) == "identifier").collect();
        for operand in operands {
            if self.scopes.binding(operand).is_some() {
                self.value(operand);
            }
        }
        self.b.act(node, Does::Forget(Forget::Everything));
        self.b.mark(node);
    }
}
