//! Destructuring: one read a step, each default behind the question whether it is taken.

use super::assign::Target;
use super::spell::Taken;
use super::{Lowering, with_stack};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Atom, Does, Hook, How, Made, Name, Place, Step, Test, ValueId, When};

impl<'t> Lowering<'t> {
    /// Gives a target (a name, a member, a pattern) its value. `node` is what assigns or declares.
    pub(super) fn bind(&mut self, node: NodeId, target: NodeId, value: ValueId, taken: Option<Taken<'t>>, how: How) {
        with_stack(|| {
            let bare = shape::bare(self.tree, target);
            match self.kind(bare) {
                "object_pattern" | "array_pattern" | "object" | "array" => {
                    self.take_apart(node, bare, value, taken, how);
                }
                _ => {
                    let reached = self.target(bare);
                    self.bind_reached(node, bare, &reached, value, how);
                }
            }
        });
    }

    /// Gives a target that was reached its value.
    fn bind_reached(&mut self, node: NodeId, at: NodeId, target: &Target, value: ValueId, how: How) {
        self.mark(at);
        match target {
            Target::Place(place) if place.steps.is_empty() && how == How::Declare => {
                self.b.write(node, place.clone(), value, How::Declare);
                self.exported(node, at, Some(value));
            }
            _ => self.put(node, at, target, Some(value)),
        }
    }

    /// Takes a value apart.
    pub(super) fn take_apart(
        &mut self,
        node: NodeId,
        pattern: NodeId,
        value: ValueId,
        taken: Option<Taken<'t>>,
        how: How,
    ) {
        match self.kind(pattern) {
            "object_pattern" | "object" => self.take_members(node, pattern, value, taken, &how),
            _ => self.take_elements(node, pattern, value, &how),
        }
        self.mark(pattern);
    }

    /// `{ a, b: c = d, ...e }`
    fn take_members(&mut self, node: NodeId, pattern: NodeId, value: ValueId, taken: Option<Taken<'t>>, how: &How) {
        let mut named: Vec<Step> = Vec::new();
        for part in self.tree.children(pattern).collect::<Vec<_>>() {
            match self.kind(part) {
                "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
                    let step = Step::Member(super::keys::named(self.text(part)));
                    named.push(step.clone());
                    self.take_member(node, part, value, step, taken.as_ref(), how);
                }
                "object_assignment_pattern" | "assignment_pattern" | "assignment_expression" => {
                    let Some(name) = self.tree.child(part, "left") else { continue };
                    let step = Step::Member(super::keys::named(self.text(name)));
                    named.push(step.clone());
                    self.take_member(node, part, value, step, taken.as_ref(), how);
                }
                "pair_pattern" | "pair" => {
                    let (key, inner) = (self.tree.child(part, "key"), self.tree.child(part, "value"));
                    let Some((key, inner)) = key.zip(inner) else { continue };
                    let step = self.key_step(key);
                    named.push(step.clone());
                    self.take_member(node, inner, value, step, taken.as_ref(), how);
                    self.mark(part);
                }
                "rest_pattern" | "spread_element" => {
                    if let Some(inner) = self.rest_target(part) {
                        let target = self.target(inner);
                        let rest = self.b.give(part, Does::Make(Made::Object));
                        self.copy(part, value, rest, std::mem::take(&mut named));
                        self.bind_reached(node, inner, &target, rest, how.clone());
                    }
                    self.mark(part);
                }
                _ => {}
            }
        }
    }

    /// One member: the target of an assignment is reached, the member is read, the default may be taken.
    fn take_member(
        &mut self,
        node: NodeId,
        element: NodeId,
        object: ValueId,
        step: Step,
        taken: Option<&Taken<'t>>,
        how: &How,
    ) {
        let name = match &step {
            Step::Member(Name::Text(_)) => Some(self.member_text(element)),
            _ => None,
        };
        let taken = taken.zip(name).map(|(taken, name)| taken.member(name));
        let (target, default) = self.element_parts(element);
        let reached = self.reached(target, how);
        let value = self.b.read(target, Place { root: factgate_ir::Root::Value(object), steps: vec![step] });
        if let Some(taken) = &taken {
            self.spelled_as_member(value, taken, target);
        }
        self.settle_element(node, element, (target, default), reached, value, taken, how);
    }

    /// The name of the member that an element takes.
    fn member_text(&self, element: NodeId) -> &'t str {
        let above = self.tree.parent(element).filter(|&above| matches!(self.kind(above), "pair_pattern" | "pair"));
        if let Some(key) = above.and_then(|above| self.tree.child(above, "key")) {
            return self.text(key);
        }
        self.text(self.tree.child(element, "left").unwrap_or(element))
    }

    /// The target and the default of an element.
    fn element_parts(&self, element: NodeId) -> (NodeId, Option<NodeId>) {
        let bare = shape::bare(self.tree, element);
        match self.kind(bare) {
            "assignment_pattern" | "object_assignment_pattern" | "assignment_expression" => {
                (self.tree.child(bare, "left").unwrap_or(bare), self.tree.child(bare, "right"))
            }
            _ => (element, None),
        }
    }

    /// What an assigning pattern reaches before it reads. A declared name needs nothing.
    fn reached(&mut self, target: NodeId, how: &How) -> Option<Target> {
        let bare = shape::bare(self.tree, target);
        let is_member = matches!(self.kind(bare), "member_expression" | "subscript_expression");
        (is_member && *how == How::Assign).then(|| self.target(bare))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one element, which only these two callers have")]
    fn settle_element(
        &mut self,
        node: NodeId,
        element: NodeId,
        (target, default): (NodeId, Option<NodeId>),
        reached: Option<Target>,
        value: ValueId,
        taken: Option<Taken<'t>>,
        how: &How,
    ) {
        let value = match default {
            Some(default) => self.or_default(element, value, default),
            None => value,
        };
        match reached {
            Some(reached) => self.bind_reached(node, shape::bare(self.tree, target), &reached, value, how.clone()),
            None => self.bind(node, target, value, taken.filter(|_| default.is_none()), how.clone()),
        }
        if element != target {
            self.mark(element);
        }
    }

    /// A value, or its default instead of `undefined`.
    pub(super) fn or_default(&mut self, node: NodeId, value: ValueId, default: NodeId) -> ValueId {
        let slot = self.b.slot(node);
        let test = self.is_undefined(node, value);
        let yes = self.apart(|lowering| lowering.value_into(slot, default));
        let no = self.apart(|lowering| lowering.set_slot(node, slot, value));
        self.b.branch(test, yes, no);
        self.read_slot(node, slot)
    }

    fn rest_target(&self, rest: NodeId) -> Option<NodeId> {
        self.tree.children(rest).find(|&child| self.kind(child) != "...")
    }

    /// `[a, , b = c, ...d]`: an iteration that is closed unless it came to its end.
    fn take_elements(&mut self, node: NodeId, pattern: NodeId, value: ValueId, how: &How) {
        let state = self.hook(pattern, Hook::Iterate, value);
        let body = self.apart(|lowering| {
            for element in lowering.tree.children(pattern).collect::<Vec<_>>() {
                lowering.take_element(node, element, state, how);
            }
        });
        let close = self.apart(|lowering| {
            lowering.hook(pattern, Hook::Close, state);
        });
        self.b.guarded(body, None, Some((When::Every, close)));
    }

    fn take_element(&mut self, node: NodeId, element: NodeId, state: ValueId, how: &How) {
        match self.kind(element) {
            "hole" => {
                self.hook(element, Hook::Next, state);
            }
            "rest_pattern" | "spread_element" => {
                if let Some(inner) = self.rest_target(element) {
                    let reached = self.reached(inner, how);
                    let rest = self.collected_rest(element, state);
                    self.settle_element(node, element, (inner, None), reached, rest, None, how);
                }
            }
            kind if shape::is_expression(kind) || kind.ends_with("pattern") => {
                let (target, default) = self.element_parts(element);
                let reached = self.reached(target, how);
                let value = self.next_value(target, state);
                self.settle_element(node, element, (target, default), reached, value, None, how);
            }
            _ => {}
        }
    }

    /// The next element of an iteration, `undefined` when there is none.
    fn next_value(&mut self, node: NodeId, state: ValueId) -> ValueId {
        let next = self.hook(node, Hook::Next, state);
        self.b.read(node, Place::of(next, Name::Inner))
    }

    /// The question whether an iteration has another element.
    pub(super) fn has_next(&mut self, node: NodeId, next: ValueId) -> Test {
        Test::Not(Box::new(self.b.leaf(node, Atom::Done(next))))
    }
}
