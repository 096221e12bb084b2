//! Puts bodies in at the operations that run them.

use super::build::{Around, Builder, NEVER};
use super::{Action, Callback, Errors, Frame, PointId, PutIn, Until, Ways};
use crate::{BodyKind, BodyRef, Exit, Op, Times};

impl<'w> Builder<'w, '_> {
    /// An operation and who runs at it.
    pub(super) fn run(&mut self, op: &'w Op, ways: Ways, next: PointId) -> PointId {
        let next = if ways.never { NEVER } else { next };
        let mut left = ways.left;
        let put_in = self.fitting(ways.put_in, &mut left);
        let mut callbacks = ways.callbacks;
        for callback in &mut callbacks {
            callback.put_in = self.fitting(std::mem::take(&mut callback.put_in), &mut left);
        }
        callbacks.retain(|callback| !callback.put_in.is_empty());
        left.sort_unstable();
        left.dedup();
        let entries: Vec<PointId> = put_in.into_iter().map(|put| self.put_in(op, put, next)).collect();
        let has_rest = ways.unread || !left.is_empty() || !callbacks.is_empty();
        if !has_rest && entries.is_empty() {
            return self.raising(op, Action::Op(op), [next]);
        }
        let rest = has_rest.then(|| self.rest(&Rest { op, left, unread: ways.unread }, &callbacks, next));
        match rest {
            Some(rest) if entries.is_empty() => rest,
            rest => self.point(Action::Call(op), Some(op.node), entries.into_iter().chain(rest)),
        }
    }

    /// Those that can be put in here. The others are left.
    fn fitting(&mut self, wanted: Vec<PutIn>, left: &mut Vec<BodyRef>) -> Vec<PutIn> {
        let mut fitting = Vec::new();
        for put in wanted {
            if self.fits(put.body) {
                fitting.push(put);
            } else {
                self.graph.left_out.insert(put.body);
                left.push(put.body);
            }
        }
        fitting
    }

    fn fits(&self, body: BodyRef) -> bool {
        let runs = matches!(self.world.unit(body.unit).body(body.body).kind, BodyKind::Plain | BodyKind::Async);
        runs && self.graph.points.len() < self.limits.points
            && self.graph.frame(self.frame).depth < self.limits.depth
            && self.graph.stack(self.frame).all(|running| running != body)
    }

    fn put_in(&mut self, op: &'w Op, put: PutIn, next: PointId) -> PointId {
        let caller = self.frame;
        let depth = self.graph.frame(caller).depth + 1;
        let PutIn { body, role, outer, until } = put;
        let frame = self.enter(Frame { body, role, caller: Some((caller, op.id)), outer, depth, until });
        let back = self.point(Action::Back(frame), Some(op.node), [next]);
        self.frame = frame;
        // Nobody waits for it: its errors reach nobody either.
        let (outside, waiting) = (self.raise, self.back);
        if until == Until::FirstWait {
            self.around.push(Around::Catch { entry: back });
            (self.raise, self.back) = (Some(back), Some(back));
        }
        let end = self.point(Action::Leave(Exit::Return, None), None, [back]);
        let code = &self.world.unit(body.unit).body(body.body).code;
        let first = self.within(Around::Function { behind: back }, code, end);
        if until == Until::FirstWait {
            self.around.pop();
            (self.raise, self.back) = (outside, waiting);
        }
        self.frame = caller;
        self.point(Action::Enter(frame), Some(op.node), [first])
    }

    /// What the operation does by itself, with the functions that it calls: before the first, between them, and behind
    /// the last, anything that is left may run.
    fn rest(&mut self, rest: &Rest<'w>, callbacks: &[Callback], next: PointId) -> PointId {
        let mut chain = next;
        for callback in callbacks.iter().rev() {
            if callback.times != Times::Any {
                chain = self.rest_point(rest, chain);
            }
            chain = self.callback(rest, callback, chain);
        }
        match callbacks.first() {
            Some(Callback { times: Times::Any, .. }) => chain,
            _ => self.rest_point(rest, chain),
        }
    }

    fn rest_point(&mut self, rest: &Rest<'w>, next: PointId) -> PointId {
        match self.graph.point(next).action {
            Action::Rest { op, .. } if std::ptr::eq(op, rest.op) => next,
            _ => self.raising(rest.op, rest.action(), [next]),
        }
    }

    fn callback(&mut self, rest: &Rest<'w>, callback: &Callback, behind: PointId) -> PointId {
        let head = match callback.times {
            Times::Any => self.raising(rest.op, rest.action(), [behind]),
            Times::AtMostOnce => self.point(Action::Pass, Some(rest.op.node), [behind]),
            Times::Once => self.point(Action::Pass, Some(rest.op.node), []),
        };
        let after = if callback.times == Times::Any { head } else { behind };
        let outside = self.raise;
        if callback.errors == Errors::Caught {
            self.around.push(Around::Catch { entry: after });
            self.raise = Some(after);
        }
        for &put in &callback.put_in {
            let entry = self.put_in(rest.op, put, after);
            self.connect(head, entry);
        }
        if callback.errors == Errors::Caught {
            self.around.pop();
            self.raise = outside;
        }
        head
    }
}

/// What stands at the points of an operation that was not put in whole.
struct Rest<'w> {
    op: &'w Op,
    left: Vec<BodyRef>,
    unread: bool,
}

impl<'w> Rest<'w> {
    fn action(&self) -> Action<'w> {
        Action::Rest { op: self.op, left: self.left.clone(), unread: self.unread }
    }
}
