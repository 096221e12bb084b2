//! `switch`: one test for each value of a prong. A labelled one can be entered again with another subject.

use super::types::Type;
use super::{Lowering, Target, TargetKind};
use crate::languages::zig::condition::strip;
use crate::tree::NodeId;
use factgate_ir::{
    Arm, Atom, Code, Exit, Falls, Missed, Name, Operand, Order, Place, Root, Sameness, SlotId, Step, Test, ValueId,
};

/// What a `switch` compares.
struct Subject {
    value: ValueId,
    place: Place,
    of: Type,
    /// Whether it holds an error.
    fails: bool,
}

impl<'t> Lowering<'t> {
    pub(super) fn switch(&mut self, node: NodeId, name: Option<&'t str>, slot: Option<SlotId>) {
        let tree = self.tree;
        let subject = tree.children(node).find(|&child| !matches!(tree.kind(child), "switch" | "("));
        let Some(subject) = subject else { return };
        let cases: Vec<_> = tree.children(node).filter(|&child| tree.kind(child) == "switch_case").collect();
        let fails = self.is_error(subject);
        let place = self.place(subject);
        let value = match (&place.root, place.steps.is_empty()) {
            (Root::Value(value), true) => *value,
            _ => self.b.read(subject, place.clone()),
        };
        self.b.mark(subject);
        match name {
            None => {
                let of = self.type_of(subject);
                self.arms(&cases, &Subject { value, place, of, fails }, slot);
            }
            Some(name) => self.entered_again(node, name, slot, subject, value, &cases),
        }
    }

    /// `sw: switch (x) { … continue :sw y … }`: a loop around the arms, whose subject is a slot.
    fn entered_again(
        &mut self,
        node: NodeId,
        name: &'t str,
        slot: Option<SlotId>,
        subject: NodeId,
        value: ValueId,
        cases: &[NodeId],
    ) {
        let label = self.b.label();
        let held = self.b.slot(subject);
        self.set_slot(subject, held, value);
        let kind = TargetKind::Named;
        self.targets.push(Target {
            name: Some(name),
            kind,
            behind: label,
            again: label,
            gives: slot,
            subject: Some(held),
        });
        let body = self.apart(|lower| {
            let value = lower.b.read(subject, Place::slot(held));
            let place = Place { root: Root::Value(value), steps: Vec::new() };
            lower.arms(cases, &Subject { value, place, of: Type::Unknown, fails: false }, slot);
            lower.b.exit(node, Exit::Break(label), None);
        });
        self.targets.pop();
        self.b.repeat(label, Test::Always, body, Code::nothing());
    }

    fn arms(&mut self, cases: &[NodeId], subject: &Subject, slot: Option<SlotId>) {
        let arms = cases.iter().map(|&case| self.arm(case, subject, slot)).collect();
        let label = self.b.label();
        self.b.emit(Code::Arms { arms, falls: Falls::Behind, missed: Missed::Never, label });
    }

    fn arm(&mut self, case: NodeId, subject: &Subject, slot: Option<SlotId>) -> Arm {
        let tree = self.tree;
        let parts: Vec<_> = tree.children(case).take_while(|&child| tree.kind(child) != "=>").collect();
        let values: Vec<_> = parts.iter().copied().filter(|&part| !super::values::is_word(tree.kind(part))).collect();
        let mut tests = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let part = parts[at];
            let is_range = parts.get(at + 1).is_some_and(|&next| tree.kind(next) == "...");
            match parts.get(at + 2) {
                Some(&end) if is_range => {
                    tests.push(self.between(subject.value, part, end));
                    at += 3;
                }
                _ => {
                    if tree.field(part) == Some("case") {
                        tests.push(self.case(subject.value, part));
                    }
                    at += 1;
                }
            }
        }
        let body = self.apart(|lower| lower.prong(case, &values, subject, slot));
        Arm { default: tests.is_empty(), tests, node: case, body }
    }

    fn case(&mut self, subject: ValueId, part: NodeId) -> Test {
        self.b.open();
        let bare = strip(self.tree, part);
        let value = self.value(part);
        match (self.kind(bare), self.text(bare)) {
            ("boolean", "true") => self.b.leaf(part, Atom::Truth(subject)),
            ("boolean", _) => Test::Not(Box::new(self.b.leaf(part, Atom::Truth(subject)))),
            ("null", _) => self.b.leaf(part, Atom::Missing(subject)),
            _ => self.b.leaf(part, Atom::Same(subject, Operand::Value(value), Sameness::Strict)),
        }
    }

    /// `a...b`: neither less than the one nor more than the other.
    fn between(&mut self, subject: ValueId, from: NodeId, to: NodeId) -> Test {
        self.b.open();
        let start = self.value(from);
        let below = self.b.leaf(from, Atom::Less(subject, start, Order::Less));
        self.b.open();
        let end = self.value(to);
        let above = self.b.leaf(to, Atom::Less(end, subject, Order::Less));
        Test::And(vec![Test::Not(Box::new(below)), Test::Not(Box::new(above))])
    }

    fn prong(&mut self, case: NodeId, values: &[NodeId], subject: &Subject, slot: Option<SlotId>) {
        let tree = self.tree;
        self.b.mark(case);
        let known = self.errors.len();
        if let Some(payload) = tree.child_of_kind(case, "payload") {
            // One tag: its member. Else the payload of one of them.
            let tag = match values {
                &[only] if self.kind(only) == "field_expression" && tree.child(only, "object").is_none() => {
                    tree.child(only, "member")
                }
                _ => None,
            };
            let step = tag.map_or(Step::Any, |tag| Step::Member(Name::text(self.text(tag))));
            let inner = self.behind(subject.place.clone(), &subject.of).then(step);
            if subject.fails {
                self.capture_value(payload, subject.value);
                self.hold_error(payload);
            } else {
                self.capture(payload, &[inner]);
            }
        }
        tree.child(case, "body").into_iter().for_each(|body| self.give_slot(body, slot));
        self.errors.truncate(known);
    }

    /// A prong that is read alone.
    pub(super) fn lone_case(&mut self, case: NodeId) {
        let value = self.unknown(case);
        let place = Place { root: Root::Value(value), steps: Vec::new() };
        self.arms(&[case], &Subject { value, place, of: Type::Unknown, fails: false }, None);
    }
}
