//! Builds the graph from its end: each shape is given the point that follows it and answers with its first point.
//!
//! A way out (`return`, `break`, a raised error) is resolved against the stack of frames around it; each `finally` that
//! it crosses is built once for each place that the ways through it lead to. Where that would grow too large, one copy
//! serves all ways: it then has paths that the program has not, which can only take knowledge away.

use super::walk::{each, writes_of};
use super::{Action, Closure, Ending, Graph, Hooks, Next, Point, PointId, Root};
use factgate_syntax::NodeId;
use factgate_syntax::condition::Condition;
use factgate_syntax::flow::{Arm, Called, Exhaustive, Exit, FallsThrough, FinallyOn, Flow, Label, Test};
use rustc_hash::FxHashMap as HashMap;

/// Points beyond which a `finally` is no longer copied for each way out.
const MANY_POINTS: usize = 60_000;
/// How deep a `finally` inside a `finally` is still copied.
const DEEP_FINALLY: usize = 3;

const RETURN: PointId = PointId(0);
const ERROR_RETURN: PointId = PointId(1);
const THROW: PointId = PointId(2);
const NEVER: PointId = PointId(3);

/// Builds the graph of a lowered scope.
pub fn build(flow: &Flow, hooks: &Hooks<'_>) -> Graph {
    let mut builder = Builder {
        graph: Graph::default(),
        hooks,
        frames: Vec::new(),
        raise: None,
        copies: HashMap::default(),
        merged: HashMap::default(),
        copying: 0,
        serial: 0,
        later: Vec::new(),
    };
    for ending in [Ending::Return, Ending::ErrorReturn, Ending::Throw, Ending::Never] {
        builder.point(Action::Exit(ending), []);
    }
    let entry = builder.flow(flow, RETURN);
    builder.graph.roots.push(Root { node: None, entry });
    while let Some((node, body)) = builder.later.pop() {
        builder.raise = None;
        let entry = builder.flow(body, RETURN);
        builder.graph.roots.push(Root { node: Some(node), entry });
    }
    let (_, functions) = builder.graph.roots.split_at_mut(1);
    functions.sort_by_key(|root| root.node);
    builder.graph
}

/// What encloses the shape that is being built.
#[derive(Clone, Copy)]
enum Frame<'f> {
    /// A target of `break` and `continue`.
    Target { label: Label, behind: PointId, again: Option<PointId> },
    /// A catch.
    Catch { entry: PointId },
    /// A function called on the spot: where its `return` goes.
    Function { behind: PointId },
    /// Something that runs on the way out. `outside` is where errors raised in it go.
    Finally { serial: usize, flow: &'f Flow, on: FinallyOn, outside: Option<PointId> },
}

struct Builder<'f, 'h> {
    graph: Graph,
    hooks: &'h Hooks<'h>,
    frames: Vec<Frame<'f>>,
    /// Where every point of the innermost protected body leads when something is raised.
    raise: Option<PointId>,
    copies: HashMap<(usize, PointId), PointId>,
    merged: HashMap<usize, (PointId, PointId)>,
    copying: usize,
    serial: usize,
    later: Vec<(NodeId, &'f Flow)>,
}

impl<'f> Builder<'f, '_> {
    fn point(&mut self, action: Action, next: impl IntoIterator<Item = PointId>) -> PointId {
        let id = PointId(self.graph.points.len() as u32);
        let mut successors = Next::default();
        next.into_iter().for_each(|point| successors.push(point));
        self.graph.points.push(Point { action, raises: false, raise: self.raise, next: successors });
        id
    }

    fn flow(&mut self, flow: &'f Flow, next: PointId) -> PointId {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(flow, next))
    }

    fn shape(&mut self, flow: &'f Flow, next: PointId) -> PointId {
        match flow {
            Flow::Seq(parts) => parts.iter().rev().fold(next, |next, part| self.flow(part, next)),
            Flow::Eval { node, raises } => self.eval(*node, *raises, next),
            Flow::Suspend { node } => self.point(Action::Suspend(*node), [next]),
            Flow::Write { node, target, value } => {
                self.point(Action::Write { node: *node, target: *target, value: *value }, [next])
            }
            Flow::Branch { test, yes, no } => {
                let yes = self.flow(yes, next);
                let no = self.flow(no, next);
                self.test(test, yes, no)
            }
            Flow::Arms { subject, arms, falls_through, label, exhaustive } => {
                let start = self.arms(arms, *falls_through, *label, *exhaustive, next);
                self.flow(subject, start)
            }
            Flow::Loop { label, test, body, step, otherwise } => {
                let behind = self.flow(otherwise, next);
                let head = self.point(Action::Pass, []);
                // The test of a `do … while` stands in `step` and breaks from there.
                let again = self.within(Frame::Target { label: *label, behind: next, again: None }, step, head);
                let frame = Frame::Target { label: *label, behind: next, again: Some(again) };
                let turn = self.within(frame, body, again);
                let asked = self.test(test, turn, behind);
                self.graph.points[head.index()].next.push(asked);
                head
            }
            Flow::Block { label, body } => {
                self.within(Frame::Target { label: *label, behind: next, again: None }, body, next)
            }
            Flow::Leave { to: Exit::Never, node } if (self.hooks.returns)(*node) => next,
            Flow::Leave { to, .. } => {
                let target = self.resolve(*to);
                self.point(Action::Pass, [target])
            }
            Flow::Protected { body, catch, finally, on } => {
                self.protected(body, catch.as_deref(), finally.as_deref(), *on, next)
            }
            Flow::Closure { body, called: Called::OnTheSpot, .. } => {
                self.within(Frame::Function { behind: next }, body, next)
            }
            Flow::Closure { node, body, called: Called::Later } => {
                self.graph.closures.push(Closure { node: *node, writes: writes_of(body) });
                self.later_once(*node, body);
                self.point(Action::Make(self.graph.closures.len() - 1), [next])
            }
        }
    }

    /// A `finally` that is built several times makes the same function in each copy: one root is enough.
    fn later_once(&mut self, node: NodeId, body: &'f Flow) {
        let known = self.graph.roots.iter().any(|root| root.node == Some(node));
        if !known && !self.later.iter().any(|&(other, _)| other == node) {
            self.later.push((node, body));
        }
    }

    fn within(&mut self, frame: Frame<'f>, body: &'f Flow, next: PointId) -> PointId {
        self.frames.push(frame);
        let entry = self.flow(body, next);
        self.frames.pop();
        entry
    }

    fn eval(&mut self, node: NodeId, raises: bool, next: PointId) -> PointId {
        let mut next = if (self.hooks.ends)(node) { NEVER } else { next };
        let mut failed = Vec::new();
        for known in (self.hooks.asserted)(node).into_iter().rev() {
            let condition = (self.hooks.condition)(known);
            next = self.assume(condition.clone(), true, known, next);
            if raises {
                let raise = self.raise.unwrap_or(THROW);
                failed.push(self.assume(condition, false, known, raise));
            }
        }
        // An assertion raises where its condition is false.
        let raise = (!failed.is_empty()).then(|| self.point(Action::Pass, failed));
        let id = self.point(Action::Eval(node), [next]);
        let point = &mut self.graph.points[id.index()];
        point.raises = raises;
        point.raise = raise.or(point.raise).or(raises.then_some(THROW));
        id
    }

    fn assume(&mut self, condition: Condition, outcome: bool, node: NodeId, next: PointId) -> PointId {
        self.graph.conditions.push(condition);
        let condition = self.graph.conditions.len() - 1;
        self.point(Action::Assume { condition, outcome, node }, [next])
    }

    fn test(&mut self, test: &'f Test, yes: PointId, no: PointId) -> PointId {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match test {
            Test::Node { node, flow } => {
                let condition = (self.hooks.condition)(*node);
                self.decide(condition, *node, flow, yes, no)
            }
            Test::Is { flow, condition, node } => self.decide(condition.clone(), *node, flow, yes, no),
            Test::Not(inner) => self.test(inner, no, yes),
            Test::And(parts) => parts.iter().rev().fold(yes, |yes, part| self.test(part, yes, no)),
            Test::Or(parts) => parts.iter().rev().fold(no, |no, part| self.test(part, yes, no)),
            Test::Choice { test, yes: chosen, no: otherwise } => {
                let chosen = self.test(chosen, yes, no);
                let otherwise = self.test(otherwise, yes, no);
                self.test(test, chosen, otherwise)
            }
            Test::Unknown { flow, .. } => {
                let fork = self.point(Action::Pass, [yes, no]);
                self.flow(flow, fork)
            }
            Test::Always => yes,
        })
    }

    fn decide(&mut self, condition: Condition, node: NodeId, flow: &'f Flow, yes: PointId, no: PointId) -> PointId {
        let ways: Vec<PointId> = match condition {
            Condition::Constant(true) => vec![yes],
            Condition::Constant(false) => vec![no],
            condition => {
                let yes = self.assume(condition, true, node, yes);
                let condition = self.graph.conditions.len() - 1;
                vec![yes, self.point(Action::Assume { condition, outcome: false, node }, [no])]
            }
        };
        let fork = self.point(Action::Pass, ways);
        self.flow(flow, fork)
    }

    fn arms(
        &mut self,
        arms: &'f [Arm],
        falls_through: FallsThrough,
        label: Label,
        exhaustive: Exhaustive,
        next: PointId,
    ) -> PointId {
        // A labelled `continue` comes back with another subject: it may enter any arm, and nothing is learnt.
        let again = self.point(Action::Pass, []);
        self.frames.push(Frame::Target { label, behind: next, again: Some(again) });
        let mut bodies = vec![next; arms.len()];
        let mut below = next;
        for (index, arm) in arms.iter().enumerate().rev() {
            bodies[index] = self.flow(&arm.body, below);
            below = if falls_through == FallsThrough::Yes { bodies[index] } else { next };
        }
        self.frames.pop();
        let default = arms.iter().position(|arm| arm.default).map(|index| bodies[index]);
        let mut missed = match (default, exhaustive) {
            (Some(body), _) => body,
            (None, Exhaustive::Yes) => NEVER,
            (None, Exhaustive::No) => next,
        };
        bodies.iter().for_each(|&body| self.graph.points[again.index()].next.push(body));
        for (arm, &body) in arms.iter().zip(&bodies).rev() {
            for test in arm.tests.iter().rev() {
                missed = self.test(test, body, missed);
            }
        }
        missed
    }

    fn protected(
        &mut self,
        body: &'f Flow,
        catch: Option<&'f Flow>,
        finally: Option<&'f Flow>,
        on: FinallyOn,
        next: PointId,
    ) -> PointId {
        let (frames, outside) = (self.frames.len(), self.raise);
        let raising = catch.is_some() || outside.is_some() || can_raise(body);
        let mut behind = next;
        if let Some(flow) = finally {
            self.serial += 1;
            self.frames.push(Frame::Finally { serial: self.serial, flow, on, outside });
            if on == FinallyOn::Every {
                behind = self.finally_copy(frames, next);
            }
        }
        if let Some(catch) = catch {
            if finally.is_some() && (outside.is_some() || can_raise(catch)) {
                self.raise = Some(self.resolve(Exit::Throw));
            }
            let entry = self.flow(catch, behind);
            self.frames.push(Frame::Catch { entry });
        }
        if raising {
            self.raise = Some(self.resolve(Exit::Throw));
        }
        let entry = self.flow(body, behind);
        let entry = self.point(Action::Pass, [entry]);
        self.raise = outside;
        self.frames.truncate(frames);
        entry
    }

    /// Where a way out leads from here.
    fn resolve(&mut self, exit: Exit) -> PointId {
        let mut crossed = Vec::new();
        let mut target = match exit {
            Exit::Return => RETURN,
            Exit::ErrorReturn => ERROR_RETURN,
            Exit::Throw => THROW,
            Exit::Never => return NEVER,
            // A label that nothing declares: no such program.
            Exit::Break(_) | Exit::Continue(_) => NEVER,
        };
        for (index, frame) in self.frames.iter().enumerate().rev() {
            let found = match (*frame, exit) {
                (Frame::Target { label, behind, .. }, Exit::Break(to)) if label == to => Some(behind),
                (Frame::Target { label, again, .. }, Exit::Continue(to)) if label == to => again,
                (Frame::Catch { entry }, Exit::Throw) => Some(entry),
                (Frame::Function { behind }, Exit::Return | Exit::ErrorReturn) => Some(behind),
                (Frame::Finally { on, .. }, _) => {
                    if on == FinallyOn::Every || matches!(exit, Exit::Throw | Exit::ErrorReturn) {
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
        crossed.into_iter().rev().fold(target, |target, index| self.finally_copy(index, target))
    }

    /// The `finally` of the frame at `index`, on the way to `target`.
    fn finally_copy(&mut self, index: usize, target: PointId) -> PointId {
        let Some(&Frame::Finally { serial, flow, outside, .. }) = self.frames.get(index) else { return target };
        if let Some(&entry) = self.copies.get(&(serial, target)) {
            return entry;
        }
        let merge = self.copying >= DEEP_FINALLY || self.graph.points.len() > MANY_POINTS;
        if let Some(&(entry, end)) = self.merged.get(&serial).filter(|_| merge) {
            self.graph.points[end.index()].next.push(target);
            return entry;
        }
        let inner = self.frames.split_off(index);
        let raise = std::mem::replace(&mut self.raise, outside);
        self.copying += 1;
        let end = self.point(Action::Pass, [target]);
        let entry = self.flow(flow, end);
        self.copying -= 1;
        self.raise = raise;
        self.frames.extend(inner);
        if merge {
            self.merged.insert(serial, (entry, end));
        } else {
            self.copies.insert((serial, target), entry);
        }
        entry
    }
}

/// Whether anything in a protected body raises (closures called later aside).
fn can_raise(flow: &Flow) -> bool {
    let mut found = false;
    each(flow, &mut |flow| {
        found |= matches!(flow, Flow::Eval { raises: true, .. } | Flow::Leave { to: Exit::Throw, .. });
    });
    found
}
