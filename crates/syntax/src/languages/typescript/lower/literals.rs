//! Literals that make something: objects, lists, templates.

use super::{Lowering, with_stack};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{
    Atom, Code, Const, Copied, Does, Hook, How, Key, Made, Name, Place, Prim, Runs, SlotId, Step, Test, ValueId,
};

/// Where the next element of a list goes.
enum Index {
    Known(u32),
    /// Behind a spread only the run itself knows.
    Counted(SlotId),
}

impl Lowering<'_> {
    pub(super) fn object(&mut self, node: NodeId) -> ValueId {
        let object = self.b.give(node, Does::Make(Made::Object));
        for property in self.tree.children(node).collect::<Vec<_>>() {
            self.property(object, property);
        }
        self.mark(node);
        object
    }

    /// One property of an object literal.
    pub(super) fn property(&mut self, object: ValueId, property: NodeId) {
        match self.kind(property) {
            "pair" => self.pair(object, property),
            "method_definition" => self.method_property(object, property),
            "shorthand_property_identifier" => {
                let value = self.value(property);
                let step = Step::Member(super::keys::named(self.text(property)));
                self.b.write(property, Place::of(object, step), value, How::Init);
            }
            "spread_element" => {
                if let Some(inner) = shape::operand(self.tree, property) {
                    let from = self.value(inner);
                    self.copy(property, from, object, Vec::new());
                }
                self.mark(property);
            }
            kind if shape::is_expression(kind) => {
                self.value(property);
            }
            _ => {}
        }
    }

    fn pair(&mut self, object: ValueId, pair: NodeId) {
        let (Some(key), Some(value)) = (self.tree.child(pair, "key"), self.tree.child(pair, "value")) else { return };
        // `__proto__: x` gives the object what `x` has.
        let inherits = matches!(self.kind(key), "property_identifier" | "string") && self.text(key) == "__proto__";
        if inherits {
            let from = self.value(value);
            self.copy(pair, from, object, Vec::new());
        } else {
            let step = self.key_step(key);
            let value = self.value(value);
            self.b.write(pair, Place::of(object, step), value, How::Init);
        }
        self.mark(pair);
    }

    fn method_property(&mut self, object: ValueId, method: NodeId) {
        let Some(name) = self.tree.child(method, "name") else { return };
        let step = self.key_step(name);
        let how = match () {
            () if self.tree.has_child(method, "get") => How::Getter,
            () if self.tree.has_child(method, "set") => How::Setter,
            () => How::Init,
        };
        let function = self.closure(method);
        self.b.write(method, Place::of(object, step), function, how);
    }

    /// The members of one object are given to another.
    pub(super) fn copy(&mut self, node: NodeId, from: ValueId, into: ValueId, but: Vec<Step>) {
        self.b.act(node, Does::Copy(Copied { from, into, but, how: How::Init }));
    }

    pub(super) fn array(&mut self, node: NodeId) -> ValueId {
        let list = self.b.give(node, Does::Make(Made::List));
        let mut index = Index::Known(0);
        for element in self.tree.children(node).collect::<Vec<_>>() {
            match self.kind(element) {
                "spread_element" => {
                    let counted = self.counted(node, &index);
                    index = Index::Counted(counted);
                    if let Some(inner) = shape::operand(self.tree, element) {
                        let from = self.value(inner);
                        self.collect(element, from, list, counted);
                    }
                    self.mark(element);
                }
                "hole" => index = self.next_index(element, index),
                kind if shape::is_expression(kind) => {
                    let value = self.value(element);
                    let at = self.index_value(element, &index);
                    self.b.write(element, Place::of(list, Step::at(Key::Number, at)), value, How::Init);
                    index = self.next_index(element, index);
                }
                _ => {}
            }
        }
        self.mark(node);
        list
    }

    fn index_value(&mut self, node: NodeId, index: &Index) -> ValueId {
        match index {
            Index::Known(number) => self.constant(node, Const::Number(f64::from(*number).into())),
            Index::Counted(slot) => self.read_slot(node, *slot),
        }
    }

    fn next_index(&mut self, node: NodeId, index: Index) -> Index {
        match index {
            Index::Known(number) => Index::Known(number + 1),
            Index::Counted(slot) => {
                self.count(node, slot);
                index
            }
        }
    }

    /// A slot that holds the index from here on.
    fn counted(&mut self, node: NodeId, index: &Index) -> SlotId {
        if let Index::Counted(slot) = index {
            return *slot;
        }
        let slot = self.b.slot(node);
        let value = self.index_value(node, index);
        self.set_slot(node, slot, value);
        slot
    }

    fn count(&mut self, node: NodeId, slot: SlotId) {
        let now = self.read_slot(node, slot);
        let one = self.constant(node, Const::Number(1.0.into()));
        let next = self.b.give(node, Does::Compute(Prim::Add, vec![now, one]));
        self.set_slot(node, slot, next);
    }

    /// A new list of what an iteration gives.
    pub(super) fn collected(&mut self, node: NodeId, from: ValueId) -> ValueId {
        let state = self.hook(node, Hook::Iterate, from);
        self.collected_rest(node, state)
    }

    /// A new list of what is left of an iteration.
    pub(super) fn collected_rest(&mut self, node: NodeId, state: ValueId) -> ValueId {
        let list = self.b.give(node, Does::Make(Made::List));
        let slot = self.counted(node, &Index::Known(0));
        self.collect_from(node, state, list, slot);
        list
    }

    fn collect(&mut self, node: NodeId, from: ValueId, list: ValueId, slot: SlotId) {
        let state = self.hook(node, Hook::Iterate, from);
        self.collect_from(node, state, list, slot);
    }

    fn collect_from(&mut self, node: NodeId, state: ValueId, list: ValueId, slot: SlotId) {
        let label = self.b.label();
        self.b.open();
        let next = self.hook(node, Hook::Next, state);
        let test = Test::Not(Box::new(self.b.leaf(node, Atom::Done(next))));
        let body = self.apart(|lowering| {
            let value = lowering.b.read(node, Place::of(next, Name::Inner));
            let at = lowering.read_slot(node, slot);
            lowering.b.write(node, Place::of(list, Step::at(Key::Number, at)), value, How::Init);
            lowering.count(node, slot);
        });
        self.b.repeat(label, test, body, Code::nothing());
    }

    /// `a${b}c`
    pub(super) fn template(&mut self, node: NodeId) -> ValueId {
        let mut parts = Vec::new();
        for part in self.tree.children(node).collect::<Vec<_>>() {
            match self.kind(part) {
                "template_substitution" => {
                    if let Some(inner) = shape::operand(self.tree, part) {
                        parts.push(self.value(inner));
                    }
                    self.mark(part);
                }
                "string_fragment" => parts.push(self.constant(part, Const::Text(self.text(part).into()))),
                _ => {}
            }
        }
        let value = self.compute(node, Prim::Text, parts);
        self.mark(node);
        value
    }

    /// A function that is made here.
    pub(super) fn closure(&mut self, node: NodeId) -> ValueId {
        let runs = self.runs(node);
        // The name of a function expression is a variable of its own.
        let value = with_stack(|| {
            let body = self.function(node);
            self.b.give(node, Does::Close { body, runs })
        });
        self.mark(node);
        value
    }

    /// When a function may run, as far as its own place says.
    pub(super) fn runs(&self, function: NodeId) -> Runs {
        let is_described = |above: NodeId| {
            let call = self.tree.parent(above).and_then(|list| self.tree.parent(list));
            call.is_some_and(|call| self.named(call).changes().is_some_and(|changes| changes.describes()))
        };
        let in_descriptor = self.tree.ancestors(function).take(3).any(is_described);
        let in_proxy = self.tree.ancestors(function).take(5).any(|above| {
            let list = self.tree.parent(above);
            list.and_then(|list| self.tree.parent(list)).is_some_and(|call| {
                let second = shape::arguments(self.tree, call).get(1).copied() == Some(above);
                second && matches!(self.named(call), super::library::Named::New("Proxy"))
            })
        });
        match () {
            () if shape::is_generator(self.tree, function) => Runs::Iterated,
            () if shape::runs_unasked(self.tree, function) || in_descriptor || in_proxy => Runs::Anywhere,
            () if shape::runs_iterated(self.tree, function) => Runs::Iterated,
            () => self.runs_here(function).map_or(Runs::Later, Runs::Here),
        }
    }
}
