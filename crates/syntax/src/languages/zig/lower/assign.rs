//! Declarations, assignments, captures: a target's own operands, the value, the write.

use super::Lowering;
use super::places::is_slice;
use super::types::Type;
use crate::tree::NodeId;
use factgate_ir::{Converts, Does, Forget, Holds, How, Key, Place, Prim, Root, Step, ValueId};

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
            let how = if declares { How::Declare } else { self.how(&place, target, value.filter(|_| alone)) };
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
            Some(before) => {
                let operators = [("+=", Prim::Add), ("-=", Prim::Subtract), ("*=", Prim::Multiply)];
                let known = operators.iter().find(|(operator, _)| tree.has_child(node, operator));
                let prim = known.map_or(Prim::Other(Converts::No), |(_, prim)| *prim);
                self.b.give(node, Does::Compute(prim, vec![before, given]))
            }
            None => given,
        };
        if let Some(place) = place {
            let how = self.how(&place, left, Some(right).filter(|_| plain));
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
            let at = self.unknown(target);
            return Some(Place { root: Root::Value(slice), steps: vec![Step::Deref, Step::Element(Key::Number, at)] });
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
    /// tree says them, else any.
    fn how(&self, place: &Place, target: NodeId, value: Option<NodeId>) -> How {
        let is_pointer = |var| self.b.unit().var(var).holds == Holds::Reference;
        if let (Root::Var(var), true) = (&place.root, place.steps.is_empty())
            && is_pointer(*var)
        {
            return How::Assign;
        }
        match value {
            Some(value) => self.how_given(&self.type_of(target), value),
            None => How::Assign,
        }
    }

    /// How a thing of a type gets a value.
    pub(super) fn how_given(&self, of: &Type, value: NodeId) -> How {
        let given = self.type_of(value);
        if self.is_whole(of) || self.is_whole(&given) || self.is_undefined(value) {
            return How::Assign;
        }
        let names = self.members_in_place(of);
        How::Whole(if names.is_empty() { self.members_in_place(&given) } else { names })
    }

    /// Whether a value is no value: nothing that was known of the place can be asked again.
    fn is_undefined(&self, value: NodeId) -> bool {
        self.kind(value) == "undefined"
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
