//! What has happened before, on every way and on some way: values given, slots written, nodes marked.

use super::Problem;
use crate::{
    Arm, Atom, BodyId, Catch, Code, Does, Exit, Falls, Label, Missed, NodeId, Op, Operand, Place, Root, SlotId, Test,
    Unit, ValueId, When,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with the order of things in the body.
pub(super) fn check(unit: &Unit, id: BodyId) -> Vec<Problem> {
    let body = unit.body(id);
    let mut ways = Ways {
        unit,
        id,
        given: vec![0; body.values.len()],
        labels: Vec::new(),
        used: BTreeSet::new(),
        leaving: BTreeMap::new(),
        problems: Vec::new(),
    };
    ways.code(&body.code, Past::default());
    for (index, &times) in ways.given.iter().enumerate() {
        if times > 1 {
            let what = format!("the value {index} is given {times} times");
            ways.problems.push(Problem { body: id, node: body.values[index].node, what });
        }
    }
    ways.problems
}

/// What has happened on the ways to here; none when no way leads here.
#[derive(Clone, Debug, Default)]
struct Past {
    /// On every way.
    values: BTreeSet<ValueId>,
    /// On every way.
    slots: BTreeSet<SlotId>,
    /// On some way.
    marked: BTreeSet<NodeId>,
}

impl Past {
    fn meet(first: Option<Past>, second: Option<Past>) -> Option<Past> {
        let (Some(mut first), Some(second)) = (first.clone(), second.clone()) else { return first.or(second) };
        first.values.retain(|value| second.values.contains(value));
        first.slots.retain(|slot| second.slots.contains(slot));
        first.marked.extend(second.marked);
        Some(first)
    }
}

struct Ways<'u> {
    unit: &'u Unit,
    id: BodyId,
    given: Vec<u32>,
    /// The labels around, and whether they can be continued.
    labels: Vec<(Label, bool)>,
    used: BTreeSet<Label>,
    /// What had happened at the `Break`s to a label.
    leaving: BTreeMap<Label, Past>,
    problems: Vec<Problem>,
}

impl Ways<'_> {
    fn wrong(&mut self, node: NodeId, what: impl Into<String>) {
        self.problems.push(Problem { body: self.id, node, what: what.into() });
    }

    fn code(&mut self, code: &Code, past: Past) -> Option<Past> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(code, past))
    }

    fn after(&mut self, code: &Code, past: Option<Past>) -> Option<Past> {
        past.and_then(|past| self.code(code, past))
    }

    fn shape(&mut self, code: &Code, past: Past) -> Option<Past> {
        match code {
            Code::Seq(parts) => parts.iter().try_fold(past, |past, part| self.code(part, past)),
            Code::Do(op) => Some(self.op(op, past)),
            Code::Branch { test, yes, no } => {
                let (on_yes, on_no) = self.test(test, past);
                let yes = self.after(yes, on_yes);
                let no = self.after(no, on_no);
                Past::meet(yes, no)
            }
            Code::Arms { arms, falls, missed, label } => self.arms(arms, *falls, *missed, *label, past),
            Code::Loop { label, test, body, step, otherwise } => {
                self.bind(*label, true);
                let (turn, end) = self.test(test, past);
                self.after(body, turn.clone());
                // A `Continue` comes from anywhere in the body: only what was before it counts.
                self.after(step, turn);
                self.unbind();
                let end = self.after(otherwise, end);
                Past::meet(end, self.leaving.remove(label))
            }
            Code::Block { label, body } => {
                self.bind(*label, false);
                let end = self.code(body, past);
                self.unbind();
                Past::meet(end, self.leaving.remove(label))
            }
            Code::Guarded { body, catch, leaving } => self.guarded(body, catch.as_ref(), leaving.as_ref(), past),
            Code::Leave { to, value, node } => {
                value.iter().for_each(|value| self.uses(*value, *node, &past));
                self.exit(*to, *node, past);
                None
            }
        }
    }

    fn bind(&mut self, label: Label, again: bool) {
        self.labels.push((label, again));
        if !self.used.insert(label) || label.0 >= self.unit.labels {
            self.wrong(self.unit.body(self.id).node, format!("the label {} is not unique", label.0));
        }
    }

    fn unbind(&mut self) {
        self.labels.pop();
    }

    fn exit(&mut self, to: Exit, node: NodeId, past: Past) {
        let bound =
            |label: Label, again: bool| self.labels.iter().any(|&(known, can)| known == label && (can || !again));
        match to {
            Exit::Break(label) if bound(label, false) => {
                let before = self.leaving.remove(&label);
                if let Some(past) = Past::meet(before, Some(past)) {
                    self.leaving.insert(label, past);
                }
            }
            Exit::Continue(label) if bound(label, true) => {}
            Exit::Break(label) | Exit::Continue(label) => {
                self.wrong(node, format!("the label {} is not bound", label.0))
            }
            Exit::Return | Exit::ErrorReturn | Exit::Raise | Exit::Never => {}
        }
    }

    fn guarded(
        &mut self,
        body: &Code,
        catch: Option<&Catch>,
        leaving: Option<&(When, Box<Code>)>,
        past: Past,
    ) -> Option<Past> {
        let mut end = self.code(body, past.clone());
        if let Some(Catch { value, code }) = catch {
            let mut past = past.clone();
            value.iter().for_each(|&value| self.gives(value, self.unit.body(self.id).node, &mut past));
            let caught = self.code(code, past);
            end = Past::meet(end, caught);
        }
        let Some((when, code)) = leaving else { return end };
        let left = self.code(code, past)?;
        let mut end = end?;
        if *when == When::Every {
            end.values.extend(left.values);
            end.slots.extend(left.slots);
            end.marked.extend(left.marked);
        }
        Some(end)
    }

    fn arms(&mut self, arms: &[Arm], falls: Falls, missed: Missed, label: Label, past: Past) -> Option<Past> {
        self.bind(label, false);
        let mut asked = Some(past);
        let mut entries = Vec::new();
        for arm in arms {
            let mut entry = None;
            for test in &arm.tests {
                let Some(past) = asked else { break };
                let (yes, no) = self.test(test, past);
                entry = Past::meet(entry, yes);
                asked = no;
            }
            entries.push(entry);
        }
        let has_default = arms.iter().any(|arm| arm.default);
        let mut end = if has_default || missed == Missed::Never { None } else { asked.clone() };
        let mut above = None;
        for (arm, mut entry) in arms.iter().zip(entries) {
            if arm.default {
                entry = Past::meet(entry, asked.clone());
            }
            let done = self.after(&arm.body, Past::meet(entry, above.take()));
            if falls == Falls::Through { above = done } else { end = Past::meet(end, done) }
        }
        self.unbind();
        Past::meet(Past::meet(end, above), self.leaving.remove(&label))
    }

    /// What has happened when the test is true, and when it is false.
    fn test(&mut self, test: &Test, past: Past) -> (Option<Past>, Option<Past>) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match test {
            Test::Leaf(leaf) => {
                let past = self.code(&leaf.code, past);
                if let Some(past) = &past {
                    self.atom(&leaf.atom, leaf.node, past);
                }
                (past.clone(), past)
            }
            Test::Unknown(code, _) => {
                let past = self.code(code, past);
                (past.clone(), past)
            }
            Test::Not(inner) => {
                let (yes, no) = self.test(inner, past);
                (no, yes)
            }
            Test::And(parts) => self.all(parts, past, |(yes, no)| (yes, no)),
            Test::Or(parts) => {
                let (no, yes) = self.all(parts, past, |(yes, no)| (no, yes));
                (yes, no)
            }
            Test::Choice(parts) => {
                let [test, chosen, otherwise] = &**parts;
                let (yes, no) = self.test(test, past);
                let (chosen_yes, chosen_no) = yes.map_or((None, None), |past| self.test(chosen, past));
                let (other_yes, other_no) = no.map_or((None, None), |past| self.test(otherwise, past));
                (Past::meet(chosen_yes, other_yes), Past::meet(chosen_no, other_no))
            }
            Test::Always => (Some(past), None),
        })
    }

    /// The parts in order, as long as they go on: what has happened when all do, and when one does not.
    fn all(
        &mut self,
        parts: &[Test],
        past: Past,
        order: impl Fn((Option<Past>, Option<Past>)) -> (Option<Past>, Option<Past>),
    ) -> (Option<Past>, Option<Past>) {
        let (mut on, mut out) = (Some(past), None);
        for part in parts {
            let Some(past) = on.take() else { break };
            let (goes_on, stops) = order(self.test(part, past));
            on = goes_on;
            out = Past::meet(out, stops);
        }
        (on, out)
    }

    fn op(&mut self, op: &Op, mut past: Past) -> Past {
        op.does.uses().into_iter().for_each(|value| self.uses(value, op.node, &past));
        match &op.does {
            Does::Mark if !past.marked.insert(op.node) => self.wrong(op.node, "is marked twice on one way"),
            Does::Read(Place { root: Root::Slot(slot), .. }) if !past.slots.contains(slot) => {
                self.wrong(op.node, format!("reads the slot {} before it is written on every way", slot.0));
            }
            Does::Write { place: Place { root: Root::Slot(slot), .. }, .. } => {
                past.slots.insert(*slot);
            }
            Does::Define(class) => {
                if let Some(crate::Base::Value(base)) = self.unit.classes.get(class.index()).map(|class| class.base) {
                    self.uses(base, op.node, &past);
                }
            }
            _ => {}
        }
        if let Some(value) = op.gives {
            self.gives(value, op.node, &mut past);
        }
        past
    }

    fn gives(&mut self, value: ValueId, node: NodeId, past: &mut Past) {
        match self.given.get_mut(value.index()) {
            None => self.wrong(node, format!("gives the value {} that the body has not", value.0)),
            Some(times) => {
                *times += 1;
                past.values.insert(value);
            }
        }
    }

    fn uses(&mut self, value: ValueId, node: NodeId, past: &Past) {
        if !past.values.contains(&value) {
            self.wrong(node, format!("uses the value {} before it is given on every way", value.0));
        }
    }

    fn atom(&mut self, atom: &Atom, node: NodeId, past: &Past) {
        atom.values().for_each(|value| self.uses(value, node, past));
        if let Atom::Same(value, Operand::Value(other), _) = atom
            && value == other
        {
            self.wrong(node, "compares a value with itself");
        }
    }
}
