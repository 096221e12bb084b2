//! What happens at each point of a graph: what may be written there, by the operation itself, by what it calls and by
//! functions that were kept, and whether that ends a read.

use super::alone::{Alone, Here, Of};
use super::keys::{Holder, KeyId, Use, What};
use super::origins::{ANY, Objects, SetId, Table};
use super::running::Running;
use super::sight::op_ref;
use super::summary::{Args, Run, Summary};
use factgate_ir::graph::{Action, FrameId, Graph, PointId, Role};
use factgate_ir::{BodyRef, Callee, Does, Given, Hook, How, Op, Place, Root, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A name that leads to an object, in one frame of the graph; in none for a variable of a run that is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) frame: Option<FrameId>,
    pub(crate) holder: Holder,
}

/// What is read or written in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Seen {
    pub(super) key: KeyId,
    pub(super) held: Option<Held>,
}

/// The number of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ReadId(u32);

/// What a condition reads. Sorted.
pub(crate) type Reads = Rc<[ReadId]>;

/// The number of a set of writes; points that write the same have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct WritesId(u32);

/// What the points of a graph do.
pub(crate) struct Effects<'o, 's> {
    objects: &'o Objects<'s>,
    graph: &'o Graph<'o>,
    reads: RefCell<Table<Seen>>,
    sets: Table<Rc<[Seen]>>,
    at: Vec<WritesId>,
    alone: Alone,
    running: Running,
    ended: RefCell<FxHashMap<(WritesId, ReadId), bool>>,
}

impl<'o, 's> Effects<'o, 's> {
    /// What the points of a graph do.
    pub(crate) fn of(objects: &'o Objects<'s>, graph: &'o Graph<'o>) -> Effects<'o, 's> {
        objects.enter(graph);
        let alone = Alone::of(objects, graph);
        let running = Running::of(objects, graph);
        let mut effects = Effects {
            objects,
            graph,
            reads: RefCell::default(),
            sets: Table::default(),
            at: Vec::with_capacity(graph.points.len()),
            alone,
            running,
            ended: RefCell::default(),
        };
        for id in graph.ids() {
            let writes = effects.writes_of(id);
            effects.at.push(WritesId(effects.sets.id(writes.into())));
        }
        effects.meanwhile();
        effects
    }

    /// What a condition that is decided by these values of a frame reads.
    pub(crate) fn reads(&self, frame: FrameId, values: &[ValueId]) -> Reads {
        let mut walk = Reading { effects: self, seen: FxHashSet::default(), found: Vec::new() };
        values.iter().for_each(|&value| walk.value(frame, value));
        self.numbered(walk.found)
    }

    /// What the value of a place reads.
    pub(crate) fn reads_of_place(&self, frame: FrameId, place: &Place) -> Reads {
        let mut uses = Vec::new();
        self.objects.reads_of_place(self.graph.frame(frame).body, place, &mut uses);
        let mut walk = Reading { effects: self, seen: FxHashSet::default(), found: Vec::new() };
        walk.found.extend(uses.into_iter().map(|one| self.seen(frame, one)));
        place.values().for_each(|value| walk.value(frame, value));
        self.numbered(walk.found)
    }

    fn numbered(&self, found: Vec<Seen>) -> Reads {
        let mut table = self.reads.borrow_mut();
        let mut reads: Vec<ReadId> = found.into_iter().map(|seen| ReadId(table.id(seen))).collect();
        reads.sort_unstable();
        reads.dedup();
        reads.into()
    }

    /// The read of one variable of a frame.
    pub(crate) fn read_of_var(&self, frame: FrameId, var: factgate_ir::VarId) -> ReadId {
        let own = super::sight::VarRef { unit: self.graph.unit(frame), var };
        let seen = self.seen(frame, self.objects.usage(What::Var(own), ANY, Some(Holder::Var(var))));
        ReadId(self.reads.borrow_mut().id(seen))
    }

    /// Whether anything may be written at a point.
    pub(crate) fn writes(&self, point: PointId) -> bool {
        !self.sets.get(self.at[point.index()].0).is_empty()
    }

    /// Whether what happens at a point may change what one of the reads of a condition gives.
    pub(crate) fn ends_one(&self, point: PointId, reads: &[ReadId]) -> bool {
        if !self.writes(point) {
            return false;
        }
        let id = self.at[point.index()];
        let is_left = !self.running.meanwhile_at(point).is_empty();
        let here = self.alone.before(point).filter(|here| !is_left && !here.is_empty());
        let mut asked = None;
        reads.iter().any(|&read| {
            let known = self.ended.borrow().get(&(id, read)).copied();
            let may = known.unwrap_or_else(|| {
                let found = self.ended_by(id, read, None);
                self.ended.borrow_mut().insert((id, read), found);
                found
            });
            may && here.is_none_or(|here| {
                let asked = asked.get_or_insert_with(|| self.held_by(reads));
                self.ended_by(id, read, Some((here, asked)))
            })
        })
    }

    /// The names that some reads say.
    fn held_by(&self, reads: &[ReadId]) -> BTreeSet<Held> {
        let table = self.reads.borrow();
        reads.iter().filter_map(|read| table.get(read.0).held).collect()
    }

    /// The bodies that may run at a point and are not put in there, with all that they call.
    pub(crate) fn runs(&self, point: PointId) -> BTreeSet<BodyRef> {
        let mut all: BTreeSet<BodyRef> = BTreeSet::new();
        for run in self.runs_at(point) {
            run.bodies.iter().for_each(|&body| all.extend(&self.objects.summary(body).runs));
        }
        for &body in self.running.kept_at(point) {
            all.extend(&self.objects.summary(body).runs);
        }
        all
    }

    /// Whether code out of sight may run at a point: what was tested before it is tested for a reason behind it.
    pub(crate) fn is_open(&self, point: PointId) -> bool {
        self.running.is_open(point)
    }

    /// The points that may run while the code at this point, a suspension, is suspended.
    pub(crate) fn meanwhile_at(&self, point: PointId) -> &[PointId] {
        self.running.meanwhile_at(point)
    }

    fn ended_by(&self, writes: WritesId, read: ReadId, here: Option<(&Here, &BTreeSet<Held>)>) -> bool {
        let read = *self.reads.borrow().get(read.0);
        let read_key = self.objects.key_of(read.key);
        let is_var = matches!(read_key.what, What::Var(_));
        self.sets.get(writes.0).iter().any(|write| {
            let other_frame = match (write.held, read.held) {
                (Some(one), Some(other)) => {
                    is_var && one.frame.zip(other.frame).is_some_and(|(one, other)| one != other)
                }
                _ => false,
            };
            let of = |seen: &Seen| Of { held: seen.held, set: self.objects.key_of(seen.key).of };
            let apart =
                |(here, asked): (&Here, _)| here.is_apart(self.objects, self.graph, of(write), of(&read), asked);
            !other_frame && self.objects.ends(write.key, read.key) && (is_var || !here.is_some_and(apart))
        })
    }

    /// What a body's use is in a frame.
    fn seen(&self, frame: FrameId, one: Use) -> Seen {
        let key = self.objects.key_of(one.key);
        let of = self.in_frame(frame, key.of);
        let held = one.holder.map(|holder| held(self.objects, self.graph, frame, holder));
        Seen { key: self.objects.key(key.what, of), held }
    }

    /// Objects of a frame's body, with the arguments of its call.
    fn in_frame(&self, frame: FrameId, mut of: SetId) -> SetId {
        let mut here = Some(frame);
        while let Some(frame) = here {
            let known = *self.graph.frame(frame);
            let Some((caller, op)) = known.caller else { break };
            of = self.objects.put_in(of, known.body, &self.run_of(known.role, caller, op));
            // What a closure names may be of the frame around it or of any on the way.
            here = Some(caller);
        }
        of
    }

    /// What a frame was run with.
    fn run_of(&self, role: Role, caller: FrameId, op: factgate_ir::OpId) -> Run {
        let unknown = Run::unknown();
        if role == Role::Callback {
            return unknown;
        }
        let runs = self.objects.runs_at(op_ref(self.graph.unit(caller), op));
        runs.into_iter().next().unwrap_or(unknown)
    }

    fn runs_at(&self, id: PointId) -> Vec<Run> {
        let point = self.graph.point(id);
        let unit = self.graph.unit(point.frame);
        match &point.action {
            Action::Op(op) => self.objects.runs_at(op_ref(unit, op.id)),
            Action::Rest { op, left, .. } => {
                let mut runs = self.objects.runs_at(op_ref(unit, op.id));
                for run in &mut runs {
                    run.bodies.retain(|body| left.contains(body));
                }
                let named: Vec<BodyRef> = runs.iter().flat_map(|run| run.bodies.clone()).collect();
                let others: Vec<BodyRef> = left.iter().copied().filter(|body| !named.contains(body)).collect();
                runs.push(Run { bodies: others, ..Run::unknown() });
                runs.retain(|run| !run.bodies.is_empty());
                runs
            }
            _ => Vec::new(),
        }
    }

    fn writes_of(&self, id: PointId) -> Vec<Seen> {
        let point = self.graph.point(id);
        let body = self.graph.frame(point.frame).body;
        let mut found: Vec<Seen> = Vec::new();
        let op = match &point.action {
            Action::Op(op) | Action::Rest { op, .. } => op,
            Action::Enter(frame) => return self.parameters(*frame),
            _ => return Vec::new(),
        };
        found.extend(self.objects.direct_writes(body, op).into_iter().map(|one| self.seen(point.frame, one)));
        for run in self.runs_at(id) {
            for &callee in &run.bodies {
                let summary = self.objects.summary(callee);
                found.extend(self.of_summary(point.frame, callee, &summary, &run));
            }
        }
        for &kept in self.running.kept_at(id) {
            let summary = self.objects.summary(kept);
            found.extend(self.of_summary(point.frame, kept, &summary, &Run::unknown()));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a called body writes, in a frame of its caller.
    fn of_summary<'a>(
        &'a self,
        frame: FrameId,
        callee: BodyRef,
        summary: &'a Summary,
        run: &'a Run,
    ) -> impl Iterator<Item = Seen> + 'a {
        let written = summary.writes.iter().filter_map(move |&one| self.objects.outward(one, callee, run));
        written.map(move |one| {
            let mut seen = self.seen(frame, one);
            // Any run of the body around may own the variable.
            if matches!(self.objects.key_of(seen.key).what, What::Var(_)) {
                seen.held = None;
            }
            seen
        })
    }

    /// The parameters that get arguments.
    fn parameters(&self, frame: FrameId) -> Vec<Seen> {
        let body = self.graph.frame(frame).body;
        let unit = self.objects.sight().unit(body.unit);
        let params = unit.body(body.body).params.iter().copied().chain(unit.body(body.body).rest);
        let var = |var| {
            let what = What::Var(super::sight::VarRef { unit: body.unit, var });
            self.seen(frame, self.objects.usage(what, ANY, Some(Holder::Var(var))))
        };
        let mut all: Vec<Seen> = params.map(var).collect();
        all.sort_unstable();
        all
    }

    /// Whether what happens at a point is that a variable becomes another one, or that this one gets its first value:
    /// a function that was made before keeps the old one.
    fn is_of_another_turn(&self, point: PointId) -> bool {
        let point = self.graph.point(point);
        match point.op().map(|op| &op.does) {
            Some(Does::Renew(_)) => true,
            Some(Does::Write { place: Place { root: Root::Var(var), steps }, how: How::Declare, .. }) => {
                steps.is_empty() && self.objects.sight().unit(self.graph.unit(point.frame)).var(*var).renewed
            }
            _ => false,
        }
    }

    /// At a suspension of code that its starter does not wait for, what goes on behind the start may run.
    fn meanwhile(&mut self) {
        for id in self.graph.ids() {
            let points = self.running.meanwhile_at(id);
            if points.is_empty() {
                continue;
            }
            let mut all: BTreeSet<Seen> = self.sets.get(self.at[id.index()].0).iter().copied().collect();
            for &point in points.iter().filter(|point| !self.is_of_another_turn(**point)) {
                all.extend(self.sets.get(self.at[point.index()].0).iter());
            }
            let all: Vec<Seen> = all.into_iter().collect();
            self.at[id.index()] = WritesId(self.sets.id(all.into()));
        }
    }
}

/// The name of a holder in the graph.
pub(super) fn held(objects: &Objects<'_>, graph: &Graph<'_>, frame: FrameId, holder: Holder) -> Held {
    let frame = match holder {
        Holder::Var(var) => graph.owner(objects, frame, var),
        Holder::This => {
            let home = objects.sight().home(graph.frame(frame).body);
            let mut here = Some(frame);
            while let Some(frame) = here.filter(|&frame| graph.frame(frame).body != home) {
                here = graph.frame(frame).outer;
            }
            here
        }
        Holder::Slot(_) | Holder::Value(_) => Some(frame),
    };
    Held { frame, holder }
}

/// The walk from a condition's values to all that they are computed from.
struct Reading<'r, 'o, 's> {
    effects: &'r Effects<'o, 's>,
    seen: FxHashSet<(FrameId, ValueId)>,
    found: Vec<Seen>,
}

impl Reading<'_, '_, '_> {
    fn value(&mut self, frame: FrameId, value: ValueId) {
        if self.seen.insert((frame, value)) {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.given(frame, value));
        }
    }

    fn given(&mut self, frame: FrameId, value: ValueId) {
        let objects = self.effects.objects;
        let body = self.effects.graph.frame(frame).body;
        let Some(op) = objects.sight().def(body, value) else { return };
        self.direct(frame, body, op);
        match &op.does {
            Does::Read(Place { root: Root::Slot(slot), .. }) => {
                let slots = &objects.sight().index(body.unit).bodies[body.body.index()].slots;
                let slot = &slots[slot.index()];
                slot.values.iter().chain(&slot.deciding).for_each(|&value| self.value(frame, value));
            }
            Does::Make(_) => self.made(frame, body, value),
            Does::Given(Given::Arguments) => {}
            Does::Call(call) => {
                self.iterated(frame, body, call);
                self.handed(frame, body, call);
                op.does.uses().into_iter().for_each(|value| self.value(frame, value));
            }
            _ => op.does.uses().into_iter().for_each(|value| self.value(frame, value)),
        }
    }

    /// What the operation itself reads, and what it calls.
    fn direct(&mut self, frame: FrameId, body: BodyRef, op: &Op) {
        let objects = self.effects.objects;
        let mut uses = objects.direct_reads(body, op);
        uses.extend(objects.handed_whole(body, op));
        for run in objects.runs_at(op_ref(body.unit, op.id)) {
            for &callee in &run.bodies {
                let summary = objects.summary(callee);
                uses.extend(summary.reads.iter().filter_map(|&one| objects.outward(one, callee, &run)));
            }
        }
        self.found.extend(uses.into_iter().map(|one| self.effects.seen(frame, one)));
    }

    /// What was put into a literal.
    fn made(&mut self, frame: FrameId, body: BodyRef, value: ValueId) {
        let objects = self.effects.objects;
        for op in objects.sight().ops_of(body) {
            match &op.does {
                Does::Write { place: Place { root: Root::Value(root), .. }, value: written, .. } if *root == value => {
                    written.iter().for_each(|&written| self.value(frame, written));
                }
                Does::Copy(copied) if copied.into == value => {
                    self.direct(frame, body, op);
                    self.value(frame, copied.from);
                }
                _ => {}
            }
        }
    }

    /// What functions read that are handed over, by themselves or in what is handed over.
    fn handed(&mut self, frame: FrameId, body: BodyRef, call: &factgate_ir::Call) {
        let objects = self.effects.objects;
        for arg in &call.args {
            let reached = objects.all(objects.reached(objects.origins(body, arg.value)));
            for function in reached.iter().filter_map(|&id| objects.function(id)) {
                let run = Run::unknown();
                let summary = objects.summary(function);
                let uses = summary.reads.iter().filter_map(|&one| objects.outward(one, function, &run));
                let found: Vec<Seen> = uses.map(|one| self.effects.seen(frame, one)).collect();
                self.found.extend(found);
            }
        }
    }

    /// What an iteration reads.
    fn iterated(&mut self, frame: FrameId, body: BodyRef, call: &factgate_ir::Call) {
        let objects = self.effects.objects;
        let what = match call.callee {
            Callee::Hook(Hook::Iterate | Hook::IterateAsync) => What::Elements,
            Callee::Hook(Hook::Keys) => What::AnyMember,
            _ => return,
        };
        let Some(object) = call.this else { return };
        let one = objects.usage(what, objects.origins(body, object), Some(objects.holder(body, object)));
        self.found.push(self.effects.seen(frame, one));
    }
}

impl Run {
    /// A run by something that cannot be read.
    pub(crate) fn unknown() -> Run {
        let this = super::summary::Passed { of: ANY, holder: None };
        Run { bodies: Vec::new(), this, args: Args::Unknown, is_new: false, lingers: false }
    }
}

impl Objects<'_> {
    /// Notes which bodies run in the scope with arguments that nobody knows.
    fn enter(&self, graph: &Graph<'_>) {
        let roots: BTreeSet<BodyRef> = graph.roots.iter().map(|root| graph.frame(root.frame).body).collect();
        let is_inner = |body: BodyRef| {
            let unit = self.sight().unit(body.unit);
            let mut outer = unit.body(body.body).outer;
            while let Some(around) = outer {
                if roots.contains(&BodyRef { unit: body.unit, body: around }) {
                    return true;
                }
                outer = unit.body(around).outer;
            }
            false
        };
        let mut inner: FxHashSet<BodyRef> = FxHashSet::default();
        for id in graph.ids() {
            let point = graph.point(id);
            let Some(op) = point.op() else { continue };
            let at = op_ref(graph.unit(point.frame), op.id);
            for run in self.runs_at(at) {
                run.bodies.iter().for_each(|&body| inner.extend(&self.summary(body).runs));
            }
            for body in self.kept_at(graph.frame(point.frame).body, op) {
                inner.extend(&self.summary(body).runs);
            }
        }
        inner.retain(|body| !roots.contains(body) || is_inner(*body));
        inner.extend(roots.iter().filter(|body| is_inner(**body)));
        *self.inner.borrow_mut() = inner;
    }
}
