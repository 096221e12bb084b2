//! Builds the graph from its end: each shape is given the point that follows it and answers with its first point.
//!
//! A way out (`return`, `break`, a raised error) is resolved against what is around it; code that runs on the way out is
//! built once for each place that the ways through it lead to. Where that would grow too large, one copy serves all ways:
//! it then has paths that the program has not, which can only take knowledge away.

use super::{
    Action, Ending, Frame, FrameId, Graph, Known, Limits, Next, Plan, Point, PointId, Role, Root, Site, Until,
};
use crate::walk::each_code;
use crate::{
    Arm, Atom, BodyRef, Catch, Code, Const, Does, Exit, Falls, Label, Leaf, Missed, NodeId, Op, Pause, Test, UnitRef,
    When, World,
};
use std::collections::HashMap;

/// Points beyond which the code on the way out is no longer copied for each way.
const MANY_POINTS: usize = 60_000;
/// How deep such code inside such code is still copied.
const DEEP_LEAVING: usize = 3;

const RETURN: PointId = PointId(0);
const ERROR_RETURN: PointId = PointId(1);
const RAISE: PointId = PointId(2);
pub(super) const NEVER: PointId = PointId(3);

/// Builds the graph of these bodies, each a root that knows nothing of the others.
pub fn build<'w>(world: &'w dyn World, plan: &dyn Plan, limits: Limits, roots: &[BodyRef]) -> Graph<'w> {
    let mut builder = Builder {
        graph: Graph::default(),
        world,
        plan,
        limits,
        frame: FrameId(0),
        around: Vec::new(),
        raise: None,
        back: None,
        copies: HashMap::new(),
        merged: HashMap::new(),
        raising: HashMap::new(),
        copying: 0,
        serial: 0,
    };
    builder.endings();
    roots.iter().for_each(|&body| builder.root(body));
    while let Some(body) = builder.next_root() {
        builder.root(body);
    }
    builder.graph
}

/// What encloses the code that is being built.
#[derive(Clone, Copy, Debug)]
pub(super) enum Around<'w> {
    /// A target of `Break` and `Continue`.
    Target { label: Label, behind: PointId, again: Option<PointId> },
    /// A catch.
    Catch { entry: PointId },
    /// A body that is put in: where its `Return` goes.
    Function { behind: PointId },
    /// Code that runs on the way out, in its frame. `outside` is where errors raised in it go.
    Leaving { serial: usize, code: &'w Code, when: When, outside: Option<PointId>, frame: FrameId },
}

pub(super) struct Builder<'w, 'p> {
    pub(super) graph: Graph<'w>,
    pub(super) world: &'w dyn World,
    pub(super) plan: &'p dyn Plan,
    pub(super) limits: Limits,
    /// The frame whose code is being built.
    pub(super) frame: FrameId,
    pub(super) around: Vec<Around<'w>>,
    /// Where every point of the innermost protected body leads when something is raised.
    pub(super) raise: Option<PointId>,
    /// Where a suspension leads back to, when nobody waits for the body.
    pub(super) back: Option<PointId>,
    copies: HashMap<(usize, PointId), PointId>,
    merged: HashMap<usize, (PointId, PointId)>,
    raising: HashMap<UnitRef, bool>,
    copying: usize,
    serial: usize,
}

impl<'w> Builder<'w, '_> {
    fn endings(&mut self) {
        for ending in [Ending::Return, Ending::ErrorReturn, Ending::Raise, Ending::Never] {
            self.point(Action::Exit(ending), None, []);
        }
    }

    fn root(&mut self, body: BodyRef) {
        self.raise = None;
        let until = Until::End;
        self.frame = self.enter(Frame { body, role: Role::Root, caller: None, outer: None, depth: 0, until });
        let code = &self.world.unit(body.unit).body(body.body).code;
        let end = self.point(Action::Leave(Exit::Return, None), None, [RETURN]);
        let first = self.code(code, end);
        let entry = self.point(Action::Enter(self.frame), None, [first]);
        self.graph.roots.push(Root { frame: self.frame, entry });
    }

    fn next_root(&self) -> Option<BodyRef> {
        let is_root = |body: BodyRef| self.graph.roots.iter().any(|root| self.graph.frame(root.frame).body == body);
        self.graph.left_out.iter().copied().find(|&body| self.plan.also_root(body) && !is_root(body))
    }

    pub(super) fn enter(&mut self, frame: Frame) -> FrameId {
        self.graph.frames.push(frame);
        FrameId((self.graph.frames.len() - 1) as u32)
    }

    pub(super) fn point(
        &mut self,
        action: Action<'w>,
        node: Option<NodeId>,
        next: impl IntoIterator<Item = PointId>,
    ) -> PointId {
        let id = PointId(self.graph.points.len() as u32);
        let mut successors = Next::default();
        next.into_iter().for_each(|point| successors.push(point));
        let (frame, raise) = (self.frame, self.raise);
        self.graph.points.push(Point { action, frame, node, raises: false, raise, next: successors });
        id
    }

    pub(super) fn connect(&mut self, from: PointId, to: PointId) {
        self.graph.points[from.index()].next.push(to);
    }

    /// A point that can raise by itself, when `op` can.
    pub(super) fn raising(&mut self, op: &Op, action: Action<'w>, next: impl IntoIterator<Item = PointId>) -> PointId {
        let id = self.point(action, Some(op.node), next);
        if op.raises {
            let point = &mut self.graph.points[id.index()];
            point.raises = true;
            point.raise = point.raise.or(Some(RAISE));
        }
        id
    }

    pub(super) fn code(&mut self, code: &'w Code, next: PointId) -> PointId {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(code, next))
    }

    fn shape(&mut self, code: &'w Code, next: PointId) -> PointId {
        match code {
            Code::Seq(parts) => parts.iter().rev().fold(next, |next, part| self.code(part, next)),
            Code::Do(op) => self.op(op, next),
            Code::Branch { test, yes, no } => {
                let yes = self.code(yes, next);
                let no = self.code(no, next);
                self.test(test, yes, no)
            }
            Code::Arms { arms, falls, missed, label } => self.arms(arms, *falls, *missed, *label, next),
            Code::Loop { label, test, body, step, otherwise } => {
                let behind = self.code(otherwise, next);
                let head = self.point(Action::Pass, None, []);
                // The test of a `do … while` stands in `step` and breaks from there.
                let again = self.within(Around::Target { label: *label, behind: next, again: None }, step, head);
                let around = Around::Target { label: *label, behind: next, again: Some(again) };
                let turn = self.within(around, body, again);
                let asked = self.test(test, turn, behind);
                self.connect(head, asked);
                head
            }
            Code::Block { label, body } => {
                self.within(Around::Target { label: *label, behind: next, again: None }, body, next)
            }
            Code::Leave { to: Exit::Never, node, .. } if self.plan.comes_back(&self.graph, self.frame, *node) => next,
            Code::Leave { to, value, node } => {
                let target = self.resolve(*to);
                self.point(Action::Leave(*to, *value), Some(*node), [target])
            }
            Code::Guarded { body, catch, leaving } => self.guarded(body, catch.as_ref(), leaving.as_ref(), next),
        }
    }

    pub(super) fn within(&mut self, around: Around<'w>, body: &'w Code, next: PointId) -> PointId {
        self.around.push(around);
        let entry = self.code(body, next);
        self.around.pop();
        entry
    }

    fn op(&mut self, op: &'w Op, next: PointId) -> PointId {
        if op.does == Does::Mark {
            let next = match self.plan.known(&self.graph, self.frame, op.node) {
                Known::Nothing => next,
                Known::Never => NEVER,
                Known::Truth(value) => self.assume(Atom::Truth(value), true, op.node, next),
            };
            return self.point(Action::Op(op), Some(op.node), [next]);
        }
        if let Some(ways) = self.plan.ways(&Site { graph: &self.graph, frame: self.frame, op }) {
            return self.run(op, ways, next);
        }
        let point = self.raising(op, Action::Op(op), [next]);
        match op.does {
            Does::Suspend { pause: Pause::Yield | Pause::Delegate, .. } => {
                // Whoever has the iterator may want no more of it.
                let left = self.resolve(Exit::Return);
                let left = self.point(Action::Leave(Exit::Return, None), Some(op.node), [left]);
                self.connect(point, left);
            }
            Does::Suspend { .. } => self.back.into_iter().for_each(|back| self.connect(point, back)),
            _ => {}
        }
        point
    }

    fn assume(&mut self, atom: Atom, outcome: bool, node: NodeId, next: PointId) -> PointId {
        self.point(Action::Assume { atom, outcome, node }, Some(node), [next])
    }

    fn test(&mut self, test: &'w Test, yes: PointId, no: PointId) -> PointId {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match test {
            Test::Leaf(leaf) => self.leaf(leaf, yes, no),
            Test::Not(inner) => self.test(inner, no, yes),
            Test::And(parts) => parts.iter().rev().fold(yes, |yes, part| self.test(part, yes, no)),
            Test::Or(parts) => parts.iter().rev().fold(no, |no, part| self.test(part, yes, no)),
            Test::Choice(parts) => {
                let [test, chosen, otherwise] = &**parts;
                let chosen = self.test(chosen, yes, no);
                let otherwise = self.test(otherwise, yes, no);
                self.test(test, chosen, otherwise)
            }
            Test::Unknown(code, node) => {
                let fork = self.point(Action::Pass, Some(*node), [yes, no]);
                self.code(code, fork)
            }
            Test::Always => yes,
        })
    }

    fn leaf(&mut self, leaf: &'w Leaf, yes: PointId, no: PointId) -> PointId {
        let ways = match outcome(leaf) {
            Some(true) => vec![yes],
            Some(false) => vec![no],
            None => vec![
                self.assume(leaf.atom.clone(), true, leaf.node, yes),
                self.assume(leaf.atom.clone(), false, leaf.node, no),
            ],
        };
        let fork = self.point(Action::Pass, Some(leaf.node), ways);
        self.code(&leaf.code, fork)
    }

    fn arms(&mut self, arms: &'w [Arm], falls: Falls, missed: Missed, label: Label, next: PointId) -> PointId {
        self.around.push(Around::Target { label, behind: next, again: None });
        let mut bodies = vec![next; arms.len()];
        let mut below = next;
        for (index, arm) in arms.iter().enumerate().rev() {
            bodies[index] = self.code(&arm.body, below);
            below = if falls == Falls::Through { bodies[index] } else { next };
        }
        self.around.pop();
        let default = arms.iter().position(|arm| arm.default).map(|index| bodies[index]);
        let mut asked = match (default, missed) {
            (Some(body), _) => body,
            (None, Missed::Never) => NEVER,
            (None, Missed::Behind) => next,
        };
        for (arm, &body) in arms.iter().zip(&bodies).rev() {
            for test in arm.tests.iter().rev() {
                asked = self.test(test, body, asked);
            }
        }
        asked
    }

    fn guarded(
        &mut self,
        body: &'w Code,
        catch: Option<&'w Catch>,
        leaving: Option<&'w (When, Box<Code>)>,
        next: PointId,
    ) -> PointId {
        let (around, outside) = (self.around.len(), self.raise);
        let raises = outside.is_some() || self.raises();
        let mut behind = next;
        if let Some((when, code)) = leaving {
            self.serial += 1;
            let (serial, when, frame) = (self.serial, *when, self.frame);
            self.around.push(Around::Leaving { serial, code, when, outside, frame });
            if when == When::Every {
                behind = self.copy(around, next);
            }
        }
        if let Some(catch) = catch {
            if leaving.is_some() && raises {
                self.raise = Some(self.resolve(Exit::Raise));
            }
            let first = self.code(&catch.code, behind);
            let entry = self.point(Action::Caught(catch.value), None, [first]);
            self.around.push(Around::Catch { entry });
        }
        if catch.is_some() || raises {
            self.raise = Some(self.resolve(Exit::Raise));
        }
        let entry = self.code(body, behind);
        let entry = self.point(Action::Pass, None, [entry]);
        self.raise = outside;
        self.around.truncate(around);
        entry
    }

    /// Whether anything in the unit of the frame raises: in some languages errors are values.
    fn raises(&mut self) -> bool {
        let id = self.graph.unit(self.frame);
        let unit = self.world.unit(id);
        *self.raising.entry(id).or_insert_with(|| unit.bodies.iter().any(|body| can_raise(&body.code)))
    }

    /// Where a way out leads from here.
    pub(super) fn resolve(&mut self, exit: Exit) -> PointId {
        let mut crossed = Vec::new();
        let mut target = match exit {
            Exit::Return => RETURN,
            Exit::ErrorReturn => ERROR_RETURN,
            Exit::Raise => RAISE,
            Exit::Never => return NEVER,
            // A label that nothing declares: no such program.
            Exit::Break(_) | Exit::Continue(_) => NEVER,
        };
        for (index, around) in self.around.iter().enumerate().rev() {
            let found = match (*around, exit) {
                (Around::Target { label, behind, .. }, Exit::Break(to)) if label == to => Some(behind),
                (Around::Target { label, again, .. }, Exit::Continue(to)) if label == to => again,
                (Around::Catch { entry }, Exit::Raise) => Some(entry),
                (Around::Function { behind }, Exit::Return | Exit::ErrorReturn) => Some(behind),
                (Around::Leaving { when, .. }, _) => {
                    if when == When::Every || matches!(exit, Exit::Raise | Exit::ErrorReturn) {
                        crossed.push(index);
                    }
                    None
                }
                _ => None,
            };
            if let Some(found) = found {
                target = found;
                break;
            }
        }
        crossed.into_iter().rev().fold(target, |target, index| self.copy(index, target))
    }

    /// What runs on the way out at `index`, on the way to `target`.
    fn copy(&mut self, index: usize, target: PointId) -> PointId {
        let Some(&Around::Leaving { serial, code, outside, frame, .. }) = self.around.get(index) else { return target };
        if let Some(&entry) = self.copies.get(&(serial, target)) {
            return entry;
        }
        let merge = self.copying >= DEEP_LEAVING || self.graph.points.len() > MANY_POINTS;
        if let Some(&(entry, end)) = self.merged.get(&serial).filter(|_| merge) {
            self.connect(end, target);
            return entry;
        }
        let inner = self.around.split_off(index);
        let raise = std::mem::replace(&mut self.raise, outside);
        let frame = std::mem::replace(&mut self.frame, frame);
        self.copying += 1;
        let end = self.point(Action::Pass, None, [target]);
        let entry = self.code(code, end);
        self.copying -= 1;
        self.frame = frame;
        self.raise = raise;
        self.around.extend(inner);
        if merge {
            self.merged.insert(serial, (entry, end));
        } else {
            self.copies.insert((serial, target), entry);
        }
        entry
    }
}

/// The outcome of a leaf that asks a literal.
fn outcome(leaf: &Leaf) -> Option<bool> {
    let Atom::Truth(value) = leaf.atom else { return None };
    let mut known = None;
    each_code(&leaf.code, &mut |code| match code {
        Code::Do(Op { does: Does::Const(constant), gives, .. }) if *gives == Some(value) => known = constant.truth(),
        _ => {}
    });
    known
}

fn can_raise(code: &Code) -> bool {
    let mut found = false;
    each_code(code, &mut |code| {
        found |= matches!(code, Code::Do(Op { raises: true, .. }) | Code::Leave { to: Exit::Raise, .. });
    });
    found
}

impl Const {
    /// Whether the constant counts as true, when that is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Const::Undefined | Const::Null => Some(false),
            Const::Bool(value) => Some(*value),
            Const::Number(number) => Some(!(number.get() == 0.0 || number.get().is_nan())),
            Const::Text(text) => Some(!text.as_str().is_empty()),
            Const::Tag(_) | Const::Error(_) | Const::Other(_) => None,
        }
    }
}
