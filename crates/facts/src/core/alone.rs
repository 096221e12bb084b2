//! Objects that nobody else has: a forward analysis over the graph, of what must be so on every way to a point.
//!
//! An object is alone from the operation that makes it until it is handed on, stored, returned or captured. While it is,
//! only the names listed here can lead to it, so what is written through other names is no part of it.

use super::effects::{Held, held};
use super::keys::Holder;
use super::origins::{Objects, Origin, OriginId, SetId};
use super::sight::{VarRef, body_ref, op_ref};
use super::summary::Handed;
use factgate_ir::graph::{Action, FrameId, Graph, PointId, Role};
use factgate_ir::{
    BodyRef, Call, Callee, Does, Exit, Form, Made, Op, OpId, Place, Prim, Root, Runs, Used, ValueId, VarId, World,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Objects that are followed at one point; of more, some are taken not to be alone.
const MOST: usize = 24;

/// The newest object of one operation in one frame.
type Newest = (FrameId, OpId);

/// The names of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    /// All that may lead to it.
    may: BTreeSet<Held>,
    /// Those that do for sure.
    must: BTreeSet<Held>,
}

/// The objects that are alone at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Here {
    objects: BTreeMap<Newest, Names>,
}

/// What a read or write is of: the name of the object where one is known, and what it may be.
#[derive(Clone, Copy)]
pub(super) struct Of {
    pub(super) held: Option<Held>,
    pub(super) set: SetId,
}

/// The objects that are alone, by point.
pub(super) struct Alone {
    at: Vec<Option<Rc<Here>>>,
}

impl Here {
    /// Whether one of the two is of an object that is alone, and the other of no such object.
    pub(super) fn is_apart(
        &self,
        objects: &Objects<'_>,
        graph: &Graph<'_>,
        one: Of,
        other: Of,
        asked: &BTreeSet<Held>,
    ) -> bool {
        self.objects.iter().any(|(&(frame, op), names)| {
            let made = objects.origin(Origin::Made(op_ref(graph.unit(frame), op)));
            let must = |of: Of| of.held.is_some_and(|held| names.must.contains(&held));
            // Where no name is known, the origins say whether it may be the object.
            let may = |of: Of| match of.held {
                Some(held) => names.may.contains(&held),
                None => objects.is_any(of.set) || objects.all(of.set).contains(&made),
            };
            // What is alone is reached by its names alone: a condition that says none of them reads nothing of it.
            let is_named = || names.may.iter().any(|name| name.holder == Holder::This || asked.contains(name));
            let is_read = |of: Of| match of.held {
                Some(_) => may(of),
                None => objects.all(of.set).contains(&made) || objects.is_any(of.set) && is_named(),
            };
            must(one) && !is_read(other) || must(other) && !may(one)
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// What is so on both ways.
    fn join(&mut self, other: &Here) {
        // An object that only one way has made has no names on the other.
        let mut lost = Vec::new();
        for (newest, names) in &mut self.objects {
            match other.objects.get(newest) {
                Some(others) => {
                    names.may.extend(&others.may);
                    names.must.retain(|name| others.must.contains(name));
                }
                None => lost.push(*newest),
            }
        }
        lost.into_iter().for_each(|newest| drop(self.objects.remove(&newest)));
    }

    fn make(&mut self, newest: Newest, name: Held) {
        self.forget(name);
        if self.objects.len() >= MOST {
            self.objects.pop_first();
        }
        self.objects.insert(newest, Names { may: [name].into(), must: [name].into() });
    }

    /// The name leads to something else.
    fn forget(&mut self, name: Held) {
        for names in self.objects.values_mut() {
            names.may.remove(&name);
            names.must.remove(&name);
        }
    }

    /// One name leads to what another one does.
    fn copy(&mut self, from: Held, into: Held) {
        if from == into {
            return;
        }
        for names in self.objects.values_mut() {
            let (may, must) = (names.may.contains(&from), names.must.contains(&from));
            if may {
                names.may.insert(into)
            } else {
                names.may.remove(&into)
            };
            if must {
                names.must.insert(into)
            } else {
                names.must.remove(&into)
            };
        }
    }

    /// One name may lead to what another one does.
    fn may_lead(&mut self, from: Held, into: Held) {
        for names in self.objects.values_mut().filter(|names| names.may.contains(&from)) {
            names.may.insert(into);
        }
    }

    /// The object is no longer alone.
    fn hand(&mut self, name: Held) {
        self.objects.retain(|_, names| !names.may.contains(&name));
    }
}

impl Alone {
    pub(super) fn of(objects: &Objects<'_>, graph: &Graph<'_>) -> Alone {
        let mut alone = Alone { at: vec![None; graph.points.len()] };
        let walk = Walk { objects, graph, shared: shared(objects, graph) };
        let nothing = Rc::new(Here::default());
        let mut open: BTreeSet<PointId> = BTreeSet::new();
        for root in &graph.roots {
            alone.at[root.entry.index()] = Some(nothing.clone());
            open.insert(root.entry);
        }
        // Code that stands later mostly has the smaller id.
        while let Some(id) = open.pop_last() {
            let Some(before) = alone.at[id.index()].clone() else { continue };
            let point = graph.point(id);
            let behind = walk.behind(id, &before);
            for next in point.next() {
                alone.reach(next, &behind, &mut open);
            }
            if let Some(raise) = point.raise {
                // What raised has done all or nothing.
                let mut both = (*before).clone();
                both.join(&behind);
                alone.reach(raise, &Rc::new(both), &mut open);
            }
        }
        alone
    }

    fn reach(&mut self, id: PointId, here: &Rc<Here>, open: &mut BTreeSet<PointId>) {
        let old = &mut self.at[id.index()];
        match old {
            None => {
                *old = Some(here.clone());
                open.insert(id);
            }
            Some(known) if Rc::ptr_eq(known, here) || **known == **here => {}
            Some(known) => {
                let mut joined = (**known).clone();
                joined.join(here);
                if joined != **known {
                    *old = Some(Rc::new(joined));
                    open.insert(id);
                }
            }
        }
    }

    /// The objects that are alone when a point is reached.
    pub(super) fn before(&self, id: PointId) -> Option<&Here> {
        self.at[id.index()].as_deref()
    }
}

/// The variables that a function names which is not only put in: what they hold is handed on.
fn shared(objects: &Objects<'_>, graph: &Graph<'_>) -> BTreeSet<VarRef> {
    let sight = objects.sight();
    let mut units: Vec<_> = graph.frames.iter().map(|frame| frame.body.unit).collect();
    units.sort_unstable();
    units.dedup();
    let mut shared = BTreeSet::new();
    for unit in units {
        let index = sight.index(unit);
        for body in sight.unit(unit).body_ids() {
            let made = index.bodies[body.index()].made.and_then(|op| index.op(op));
            let here = matches!(made.map(|op| &op.does), Some(Does::Close { runs: Runs::Here(_), .. }));
            let one = body_ref(unit, body);
            let is_put_in = graph.frames.iter().any(|frame| frame.body == one && frame.role != Role::Root);
            let only = here && is_put_in && !graph.left_out.contains(&one);
            if !only {
                shared.extend(index.bodies[body.index()].outer.iter().map(|&var| VarRef { unit, var }));
            }
        }
    }
    shared
}

/// What points do to what is alone.
struct Walk<'w> {
    objects: &'w Objects<'w>,
    graph: &'w Graph<'w>,
    shared: BTreeSet<VarRef>,
}

impl Walk<'_> {
    fn behind(&self, id: PointId, before: &Rc<Here>) -> Rc<Here> {
        let point = self.graph.point(id);
        let is_plain = matches!(point.action, Action::Pass | Action::Assume { .. } | Action::Exit(_));
        if is_plain || before.is_empty() && !self.may_make(&point.action) {
            return before.clone();
        }
        if !self.may_make(&point.action) && !self.touches(id, before) {
            return before.clone();
        }
        let mut here = (**before).clone();
        match &point.action {
            Action::Op(op) => self.op(&mut here, point.frame, op, None),
            Action::Rest { op, left, unread } => self.op(&mut here, point.frame, op, Some((left, *unread))),
            Action::Enter(frame) => self.enter(&mut here, *frame),
            Action::Back(frame) => self.back(&mut here, point.frame, *frame),
            Action::Caught(value) => value.iter().for_each(|&value| here.forget(self.value(point.frame, value))),
            Action::Leave(exit, Some(value)) => self.leave(&mut here, point.frame, *exit, *value),
            // The values of a call that is put in are known from here on by what gets them.
            Action::Call(_) | Action::Leave(_, None) | Action::Pass | Action::Assume { .. } | Action::Exit(_) => {}
        }
        if here == **before { before.clone() } else { Rc::new(here) }
    }

    /// Whether a point has to do with what is alone in front of it.
    fn touches(&self, id: PointId, before: &Here) -> bool {
        let point = self.graph.point(id);
        let frame = point.frame;
        let is_named = |name: Held| before.objects.values().any(|names| names.may.contains(&name));
        let op = match &point.action {
            Action::Op(op) | Action::Rest { op, .. } => op,
            Action::Leave(_, value) => return value.is_some_and(|value| is_named(self.value(frame, value))),
            Action::Caught(value) => return value.is_some_and(|value| is_named(self.value(frame, value))),
            _ => return true,
        };
        let root = match &op.does {
            Does::Read(place) | Does::Write { place, .. } | Does::Address(place) => self.root(frame, &place.root),
            Does::Given(_) => Some(held(self.objects, self.graph, frame, Holder::This)),
            Does::Renew(_) | Does::Forget(_) => return true,
            _ => None,
        };
        let values = op.does.uses().into_iter().chain(op.gives).map(|value| self.value(frame, value));
        root.into_iter().chain(values).any(is_named)
    }

    fn may_make(&self, action: &Action<'_>) -> bool {
        match action {
            Action::Op(op) | Action::Rest { op, .. } => match &op.does {
                Does::Make(_) => true,
                Does::Call(call) => call.form == Form::New,
                _ => false,
            },
            Action::Enter(frame) => self.graph.frame(*frame).role == Role::Callee,
            _ => false,
        }
    }

    fn value(&self, frame: FrameId, value: ValueId) -> Held {
        held(self.objects, self.graph, frame, Holder::Value(value))
    }

    fn var(&self, frame: FrameId, var: VarId) -> Held {
        held(self.objects, self.graph, frame, Holder::Var(var))
    }

    fn op(&self, here: &mut Here, frame: FrameId, op: &Op, rest: Option<(&Vec<BodyRef>, bool)>) {
        let given = op.gives.map(|value| self.value(frame, value));
        let value = |value: ValueId| self.value(frame, value);
        let unit = self.graph.unit(frame);
        match &op.does {
            Does::Make(_) => given.into_iter().for_each(|name| here.make((frame, op.id), name)),
            Does::Read(Place { root, steps }) if steps.is_empty() => {
                let Some(given) = given else { return };
                match self.root(frame, root) {
                    Some(name) => here.copy(name, given),
                    None => here.forget(given),
                }
            }
            Does::Given(factgate_ir::Given::This) => {
                given
                    .into_iter()
                    .for_each(|given| here.copy(held(self.objects, self.graph, frame, Holder::This), given));
            }
            Does::Write { place: Place { root, steps }, value: written, .. } if steps.is_empty() => {
                let (Some(name), from) = (self.root(frame, root), written.map(value)) else {
                    written.iter().for_each(|&written| here.hand(value(written)));
                    return;
                };
                let is_shared = match root {
                    Root::Var(var) => self.shared.contains(&VarRef { unit, var: *var }) || name.frame.is_none(),
                    _ => false,
                };
                match from {
                    Some(from) if is_shared => {
                        here.hand(from);
                        here.forget(name);
                    }
                    Some(from) => here.copy(from, name),
                    None => here.forget(name),
                }
            }
            Does::Write { place, value: written, .. } => {
                written.iter().for_each(|&written| here.hand(value(written)));
                self.accessed(here, frame, op, place, rest);
            }
            Does::Read(place) => {
                self.accessed(here, frame, op, place, rest);
                given.into_iter().for_each(|given| here.forget(given));
            }
            Does::Call(call) => self.call(here, frame, op, call, rest),
            Does::Renew(vars) => vars.iter().for_each(|&var| here.forget(self.var(frame, var))),
            Does::Forget(_) => here.objects.clear(),
            Does::Address(Place { root, .. }) => {
                self.root(frame, root).into_iter().for_each(|name| here.hand(name));
                given.into_iter().for_each(|given| here.forget(given));
            }
            // The code behind the call goes on meanwhile, and names what this one does.
            Does::Suspend { .. } if self.graph.apart(frame).is_some() => here.objects.clear(),
            Does::Suspend { value: given_out, .. } => {
                given_out.iter().for_each(|&given_out| here.hand(value(given_out)));
                given.into_iter().for_each(|given| here.forget(given));
            }
            Does::Compute(prim, operands) => {
                if matches!(prim, Prim::Other(_)) || !self.objects.runs_at(op_ref(unit, op.id)).is_empty() {
                    operands.iter().for_each(|&operand| here.hand(value(operand)));
                }
                given.into_iter().for_each(|given| here.forget(given));
            }
            Does::Mark
            | Does::Const(_)
            | Does::Given(_)
            | Does::Has(..)
            | Does::Copy(_)
            | Does::Close { .. }
            | Does::Define(_) => {
                given.into_iter().for_each(|given| here.forget(given));
            }
        }
    }

    fn root(&self, frame: FrameId, root: &Root) -> Option<Held> {
        match root {
            Root::Var(var) => Some(self.var(frame, *var)),
            Root::Slot(slot) => Some(held(self.objects, self.graph, frame, Holder::Slot(*slot))),
            Root::Value(value) => Some(self.value(frame, *value)),
            Root::Global(_) | Root::Super => None,
        }
    }

    /// An accessor gets the object as its `this`.
    fn accessed(&self, here: &mut Here, frame: FrameId, op: &Op, place: &Place, rest: Option<(&Vec<BodyRef>, bool)>) {
        let unit = self.graph.unit(frame);
        let bodies = match rest {
            Some((left, _)) => left.clone(),
            None => self.objects.accessors_of(op_ref(unit, op.id)).bodies.clone(),
        };
        if bodies.iter().any(|&body| self.objects.summary(body).keeps.has(Handed::this())) {
            self.root(frame, &place.root).into_iter().for_each(|name| here.hand(name));
        }
    }

    fn call(&self, here: &mut Here, frame: FrameId, op: &Op, call: &Call, rest: Option<(&Vec<BodyRef>, bool)>) {
        let at = op_ref(self.graph.unit(frame), op.id);
        let called = self.objects.candidates_of(at);
        let (bodies, unread) = match rest {
            Some((left, unread)) => (left.clone(), unread || left.is_empty() && !called.complete),
            None => (called.bodies.clone(), !called.complete),
        };
        let mut keeps = Handed::NONE;
        for &body in &bodies {
            keeps = keeps.or(self.objects.summary(body).keeps);
        }
        let is_library = call.args.iter().all(|arg| matches!(arg.used, Used::NotKept | Used::Runs(_)));
        let mut spread = false;
        for (at, arg) in call.args.iter().enumerate() {
            spread |= arg.spread;
            let is_kept = keeps.has(Handed::argument(at as u32)) || spread && keeps != Handed::NONE;
            let is_lost = unread && matches!(arg.used, Used::Unknown | Used::Proxied);
            if is_kept || is_lost || arg.spread {
                here.hand(self.value(frame, arg.value));
            }
        }
        let object = if let Callee::Member { object, .. } = call.callee { Some(object) } else { None };
        let list = object.filter(|&object| bodies.is_empty() && self.is_list_method(frame, object, call));
        if let (Some(object), Some(given)) = (list, op.gives) {
            // A method of lists may give the list itself.
            let (object, given) = (self.value(frame, object), self.value(frame, given));
            here.forget(given);
            here.may_lead(object, given);
            return;
        }
        if keeps.has(Handed::this()) || unread && (call.args.is_empty() || !is_library) {
            call.this.into_iter().chain(object).for_each(|value| here.hand(self.value(frame, value)));
        }
        if let Some(given) = op.gives {
            let given = self.value(frame, given);
            here.forget(given);
            let keeps_new = keeps.has(Handed::this());
            let is_known = !unread || is_platform(self.objects, at, call);
            if call.form == Form::New && is_known && !keeps_new && self.objects.is_new(at) {
                here.make((frame, op.id), given);
            }
        }
    }

    /// Whether a call is one of a list's own methods, or of another object of the platform, which keeps no such object.
    fn is_list_method(&self, frame: FrameId, object: ValueId, call: &Call) -> bool {
        let objects = self.objects;
        let all = objects.all(objects.origins(self.graph.frame(frame).body, object));
        let is_list = |&id: &OriginId| match objects.origin_of(id) {
            Origin::Made(at) => match objects.sight().op(at).map(|op| &op.does) {
                Some(Does::Make(made)) => *made == Made::List,
                Some(Does::Call(call)) => is_platform(objects, at, call),
                _ => false,
            },
            _ => false,
        };
        let runs = call.args.iter().any(|arg| matches!(arg.used, Used::Runs(_)));
        !runs && !all.is_empty() && all.iter().all(is_list)
    }

    /// A body starts: its parameters get the arguments.
    fn enter(&self, here: &mut Here, frame: FrameId) {
        let known = *self.graph.frame(frame);
        let body = self.objects.unit(known.body.unit).body(known.body.body);
        let this = Held { frame: Some(frame), holder: Holder::This };
        let op = known.caller.and_then(|(caller, op)| {
            let at = op_ref(self.graph.unit(caller), op);
            self.objects.sight().op(at).map(|op| (caller, op))
        });
        let (caller, call) = match (op, known.role) {
            (Some((caller, Op { does: Does::Call(call), .. })), Role::Callee) => (caller, call),
            _ => {
                // What an accessor or a callback gets is not followed.
                if let Some((caller, op)) = op {
                    op.does.uses().into_iter().for_each(|value| here.hand(self.value(caller, value)));
                }
                here.forget(this);
                body.params.iter().for_each(|&param| here.forget(self.var(frame, param)));
                return;
            }
        };
        let spread = call.args.iter().position(|arg| arg.spread);
        for (at, arg) in call.args.iter().enumerate() {
            let from = self.value(caller, arg.value);
            match body.params.get(at).filter(|_| spread.is_none_or(|spread| at < spread)) {
                Some(&param) if !self.shared.contains(&VarRef { unit: known.body.unit, var: param }) => {
                    here.copy(from, self.var(frame, param));
                }
                _ => here.hand(from),
            }
        }
        for &param in body.params.iter().skip(call.args.len()) {
            here.forget(self.var(frame, param));
        }
        here.forget(this);
        if call.form == Form::New {
            let op = known.caller.map(|(_, op)| op);
            let is_base = !self.objects.calls_make(known.body);
            op.filter(|_| is_base).into_iter().for_each(|op| here.make((caller, op), this));
        } else if let Callee::Member { object, .. } = call.callee {
            here.copy(self.value(caller, object), this);
        } else {
            call.this.into_iter().for_each(|value| here.copy(self.value(caller, value), this));
        }
    }

    /// A body has ended: the call gives something that is not followed; of a `new`, the object is handed on.
    fn back(&self, here: &mut Here, caller: FrameId, frame: FrameId) {
        let known = self.graph.frame(frame);
        let this = Held { frame: Some(frame), holder: Holder::This };
        let Some((_, op)) = known.caller else { return };
        let at = op_ref(self.graph.unit(caller), op);
        let Some(op) = self.objects.sight().op(at) else { return };
        let is_new = matches!(&op.does, Does::Call(call) if call.form == Form::New);
        if let Some(given) = op.gives {
            let given = self.value(caller, given);
            if is_new && self.objects.is_new(at) { here.copy(this, given) } else { here.forget(given) }
        }
        here.forget(this);
    }

    fn leave(&self, here: &mut Here, frame: FrameId, exit: Exit, value: ValueId) {
        if matches!(exit, Exit::Return | Exit::ErrorReturn | Exit::Raise) {
            here.hand(self.value(frame, value));
        }
    }
}

/// Whether a call is `new` of a class that the platform has: a name that nobody declares or imports.
fn is_platform(objects: &Objects<'_>, at: factgate_ir::OpRef, call: &Call) -> bool {
    let named = |path: &factgate_ir::Path| path.0.len() == 1 && !objects.sight().is_foreign(at.unit, path);
    call.form == Form::New && matches!(&call.callee, Callee::Global(path) if named(path))
}
