//! Who may run where: functions that were made or handed on before may run at every call out of sight and at every
//! suspension, and while a function that nobody waits for is suspended, its starter goes on.

use super::index::Index;
use super::origins::Objects;
use super::sight::op_ref;
use factgate_ir::graph::{Action, FrameId, Graph, PointId, Role, Until};
use factgate_ir::{BodyKind, BodyRef, Does, Op, Runs, Waits, World};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Kept = Rc<BTreeSet<BodyRef>>;

/// What may run at the points of a graph beside what they call.
pub(super) struct Running {
    /// By point, the kept functions that may run there.
    at: FxHashMap<PointId, Vec<BodyRef>>,
    /// By suspension, the points that may run meanwhile.
    meanwhile: BTreeMap<PointId, Vec<PointId>>,
    /// By point, whether code out of sight may run there.
    open: Vec<bool>,
}

/// What starts to be kept at a point.
#[derive(Clone, Default)]
struct Starts {
    kept: BTreeSet<BodyRef>,
    /// Until the program waits here.
    until: Option<factgate_ir::NodeId>,
}

impl Running {
    pub(super) fn of(objects: &Objects<'_>, graph: &Graph<'_>) -> Running {
        let walk = Walk { objects, graph };
        let starts: FxHashMap<PointId, Starts> =
            graph.ids().filter_map(|id| walk.starts(id).map(|starts| (id, starts))).collect();
        let open = graph.ids().map(|id| walk.runs_kept(id)).collect();
        let mut running = Running { at: FxHashMap::default(), meanwhile: BTreeMap::new(), open };
        let starters = walk.starters();
        walk.left_behind(&starters, &mut running);
        if !starts.is_empty() {
            walk.keep(&starts, &mut running);
        }
        walk.meanwhile(&starters, &mut running);
        running
    }

    pub(super) fn kept_at(&self, id: PointId) -> &[BodyRef] {
        self.at.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_open(&self, id: PointId) -> bool {
        self.open[id.index()]
    }

    pub(super) fn meanwhile_at(&self, id: PointId) -> &[PointId] {
        self.meanwhile.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// Whether the end of a function is the end of what it started.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tied {
    Yes,
    No,
}

struct Walk<'w> {
    objects: &'w Objects<'w>,
    graph: &'w Graph<'w>,
}

impl Walk<'_> {
    fn op(&self, id: PointId) -> Option<&Op> {
        match self.graph.point(id).action {
            Action::Op(op) | Action::Rest { op, .. } => Some(op),
            _ => None,
        }
    }

    /// The bodies that may run at a point without being put in.
    fn bodies(&self, id: PointId) -> Vec<BodyRef> {
        let point = self.graph.point(id);
        match &point.action {
            Action::Op(op) => {
                let runs = self.objects.runs_at(op_ref(self.graph.unit(point.frame), op.id));
                runs.into_iter().flat_map(|run| run.bodies).collect()
            }
            Action::Rest { left, .. } => left.clone(),
            _ => Vec::new(),
        }
    }

    fn starts(&self, id: PointId) -> Option<Starts> {
        if let Some(frame) = self.left_at(id) {
            let body = self.graph.frame(frame).body;
            let mut kept = self.objects.summary(body).kept.clone();
            kept.insert(body);
            return Some(Starts { kept, until: None });
        }
        let op = self.op(id)?;
        let body = self.graph.frame(self.graph.point(id).frame).body;
        let mut starts = Starts::default();
        starts.kept.extend(self.objects.kept_at(body, op));
        let waits = if let Does::Call(call) = &op.does { call.waits } else { Waits::Not };
        for callee in self.bodies(id) {
            let summary = self.objects.summary(callee);
            starts.kept.extend(&summary.kept);
            if summary.suspends && self.is_async(callee) && waits != Waits::Returned {
                starts.kept.insert(callee);
                if let (Waits::At(node), true) = (waits, summary.kept.is_empty()) {
                    starts.until = Some(node);
                }
            }
        }
        for kept in starts.kept.clone() {
            starts.kept.extend(&self.objects.summary(kept).kept);
        }
        (!starts.kept.is_empty()).then_some(starts)
    }

    /// The frame that is left behind at a point while it is suspended.
    fn left_at(&self, id: PointId) -> Option<FrameId> {
        match self.graph.point(id).action {
            Action::Back(frame) if self.graph.frame(frame).until == Until::FirstWait => Some(frame),
            _ => None,
        }
    }

    fn is_async(&self, body: BodyRef) -> bool {
        self.objects.unit(body.unit).body(body.body).kind == BodyKind::Async
    }

    /// The root that a frame is below.
    fn root(&self, mut frame: FrameId) -> FrameId {
        while let Some((caller, _)) = self.graph.frame(frame).caller {
            frame = caller;
        }
        frame
    }

    /// Whether the body of one root stands in that of another.
    fn is_inside(&self, inner: BodyRef, outer: BodyRef) -> bool {
        let unit = self.objects.unit(inner.unit);
        let around = |body: &factgate_ir::BodyId| unit.body(*body).outer;
        inner.unit == outer.unit && std::iter::successors(around(&inner.body), around).any(|body| body == outer.body)
    }

    fn keep(&self, starts: &FxHashMap<PointId, Starts>, running: &mut Running) {
        let mut at: Vec<Option<Kept>> = vec![None; self.graph.points.len()];
        let mut open: BTreeSet<PointId> = BTreeSet::new();
        for root in &self.graph.roots {
            let body = self.graph.frame(root.frame).body;
            let is_inner =
                self.graph.roots.iter().any(|other| self.is_inside(body, self.graph.frame(other.frame).body));
            let is_elsewhere = |id: &PointId| {
                let other = self.graph.frame(self.root(self.graph.point(*id).frame)).body;
                is_inner || other != body && !self.is_inside(other, body)
            };
            let before = starts.iter().filter(|(id, _)| is_elsewhere(id)).flat_map(|(_, starts)| starts.kept.iter());
            at[root.entry.index()] = Some(Rc::new(before.copied().collect()));
            open.insert(root.entry);
        }
        while let Some(id) = open.pop_last() {
            let Some(mut kept) = at[id.index()].clone() else { continue };
            let point = self.graph.point(id);
            // What the code starts that goes on while this is suspended, may run as well.
            let meanwhile = running.meanwhile.get(&id).into_iter().flatten().filter_map(|other| starts.get(other));
            for starts in starts.get(&id).into_iter().chain(meanwhile) {
                if !starts.kept.is_subset(&kept) {
                    kept = Rc::new(kept.union(&starts.kept).copied().collect());
                }
            }
            if let Some(raise) = point.raise {
                reach(&mut at, raise, &kept, &mut open);
            }
            let ended = self.waited_for(id, starts);
            if !ended.is_empty() {
                kept = Rc::new(kept.difference(&ended).copied().collect());
            }
            point.next().for_each(|next| reach(&mut at, next, &kept, &mut open));
        }
        for id in self.graph.ids() {
            let Some(before) = &at[id.index()] else { continue };
            let meanwhile = running.meanwhile.get(&id).into_iter().flatten().filter_map(|other| starts.get(other));
            let own = starts.get(&id).into_iter().chain(meanwhile).flat_map(|starts| &starts.kept);
            let all: BTreeSet<BodyRef> = before.iter().chain(own).copied().collect();
            let here: Vec<BodyRef> = if running.open[id.index()] {
                all.into_iter().collect()
            } else {
                all.into_iter().filter(|&body| self.runs_anywhere(body) && self.does_something(id)).collect()
            };
            if !here.is_empty() {
                running.at.insert(id, here);
            }
        }
    }

    /// What has ended behind a suspension that waits for it.
    fn waited_for(&self, id: PointId, starts: &FxHashMap<PointId, Starts>) -> BTreeSet<BodyRef> {
        let Some(Op { does: Does::Suspend { .. }, node, .. }) = self.op(id) else { return BTreeSet::new() };
        let here = starts.values().filter(|starts| starts.until == Some(*node)).flat_map(|starts| starts.kept.iter());
        let ended: BTreeSet<BodyRef> = here.copied().collect();
        let others = starts.values().filter(|starts| starts.until != Some(*node));
        let goes_on: BTreeSet<BodyRef> = others.flat_map(|starts| starts.kept.iter().copied()).collect();
        ended.difference(&goes_on).copied().collect()
    }

    /// Whether kept functions may run at a point: code out of sight does, or a suspension.
    fn runs_kept(&self, id: PointId) -> bool {
        let point = self.graph.point(id);
        let unit = self.graph.unit(point.frame);
        let is_open = match &point.action {
            Action::Op(op) => {
                self.objects.is_opaque(op_ref(unit, op.id), op) || matches!(op.does, Does::Suspend { .. })
            }
            Action::Rest { op, unread, .. } => *unread && self.objects.is_opaque(op_ref(unit, op.id), op),
            _ => return false,
        };
        is_open
            || self.bodies(id).iter().any(|&body| {
                let summary = self.objects.summary(body);
                summary.opaque || summary.suspends
            })
    }

    fn runs_anywhere(&self, body: BodyRef) -> bool {
        let index: &Index = self.objects.sight().index(body.unit);
        let made = index.bodies[body.body.index()].made.and_then(|op| index.op(op));
        matches!(made.map(|op| &op.does), Some(Does::Close { runs: Runs::Anywhere, .. }))
    }

    fn does_something(&self, id: PointId) -> bool {
        self.op(id).is_some_and(|op| {
            let is_quiet = matches!(
                op.does,
                Does::Mark | Does::Const(_) | Does::Given(_) | Does::Make(_) | Does::Close { .. } | Does::Renew(_)
            );
            let is_local = match &op.does {
                Does::Read(place) | Does::Write { place, .. } => place.steps.is_empty(),
                _ => false,
            };
            !is_quiet && !is_local
        })
    }

    fn meanwhile(&self, starts: &BTreeMap<BodyRef, Vec<(PointId, Waits)>>, running: &mut Running) {
        for root in &self.graph.roots {
            let body = self.graph.frame(root.frame).body;
            if !starts.contains_key(&body) {
                continue;
            }
            let suspends = |id: &PointId| {
                let frame = self.graph.point(*id).frame;
                self.root(frame) == root.frame
                    && self.graph.apart(frame).is_none()
                    && matches!(self.op(*id), Some(Op { does: Does::Suspend { .. }, .. }))
            };
            let suspensions: Vec<PointId> = self.graph.ids().filter(suspends).collect();
            if suspensions.is_empty() {
                continue;
            }
            let behind: Vec<PointId> = self.behind(body, Tied::Yes, starts).into_iter().collect();
            if !behind.is_empty() {
                running.meanwhile.extend(suspensions.into_iter().map(|id| (id, behind.clone())));
            }
        }
    }

    /// While a body that was put in and left at its first suspension is suspended, the code behind its call runs, and what
    /// goes on while that does.
    fn left_behind(&self, starts: &BTreeMap<BodyRef, Vec<(PointId, Waits)>>, running: &mut Running) {
        for back in self.graph.ids() {
            let Some(frame) = self.left_at(back) else { continue };
            let root = self.graph.frame(self.root(frame)).body;
            let waits = self.waits_for(frame);
            let tied = if waits == Waits::Not { Tied::No } else { Tied::Yes };
            let mut behind = self.behind(root, tied, starts);
            self.go_on(back, waits, &mut behind);
            let behind: Vec<PointId> = behind.into_iter().collect();
            for id in self.graph.ids() {
                let is_here = self.graph.apart(self.graph.point(id).frame) == Some(frame);
                if is_here && matches!(self.op(id), Some(Op { does: Does::Suspend { .. }, .. })) {
                    running.meanwhile.insert(id, behind.clone());
                }
            }
        }
    }

    /// Who waits for a body that is left at its first suspension.
    fn waits_for(&self, frame: FrameId) -> Waits {
        let known = self.graph.frame(frame);
        let call = known
            .caller
            .filter(|_| known.role == Role::Callee)
            .and_then(|(caller, op)| self.objects.sight().op(op_ref(self.graph.unit(caller), op)));
        if let Some(Op { does: Does::Call(call), .. }) = call { call.waits } else { Waits::Not }
    }

    /// Where the bodies of roots are started, and who waits for them there.
    fn starters(&self) -> BTreeMap<BodyRef, Vec<(PointId, Waits)>> {
        let roots: BTreeSet<BodyRef> = self.graph.roots.iter().map(|root| self.graph.frame(root.frame).body).collect();
        let mut starts: BTreeMap<BodyRef, Vec<(PointId, Waits)>> = BTreeMap::new();
        for id in self.graph.ids() {
            let Some(op) = self.op(id) else { continue };
            let unit = self.graph.unit(self.graph.point(id).frame);
            match &op.does {
                Does::Close { body, .. } => {
                    let body = BodyRef { unit, body: *body };
                    if roots.contains(&body) && !self.objects.is_only_called(body) {
                        starts.entry(body).or_default().push((id, Waits::Not));
                    }
                }
                Does::Call(call) => {
                    for body in self.bodies(id).into_iter().filter(|body| roots.contains(body)) {
                        starts.entry(body).or_default().push((id, call.waits));
                    }
                }
                _ => {}
            }
        }
        starts
    }

    /// The points that go on while a body is suspended.
    fn behind(
        &self,
        body: BodyRef,
        tied: Tied,
        starts: &BTreeMap<BodyRef, Vec<(PointId, Waits)>>,
    ) -> BTreeSet<PointId> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![(body, tied)]);
        while let Some((body, tied)) = open.pop() {
            if !seen.insert((body, tied)) {
                continue;
            }
            for &(id, waits) in starts.get(&body).into_iter().flatten() {
                // The function around goes on while this one is waited for.
                let waits = if tied == Tied::Yes { waits } else { Waits::Not };
                self.go_on(id, waits, &mut found);
                let around = self.graph.frame(self.root(self.graph.point(id).frame)).body;
                open.push((around, if waits == Waits::Not { Tied::No } else { Tied::Yes }));
            }
        }
        found
    }

    /// Adds what can come behind a start, up to where it is waited for.
    fn go_on(&self, start: PointId, waits: Waits, found: &mut BTreeSet<PointId>) {
        let mut seen = BTreeSet::from([start]);
        let mut open: Vec<PointId> = match waits {
            Waits::Returned => Vec::new(),
            _ => self.graph.point(start).all_next().collect(),
        };
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let point = self.graph.point(id);
            let waited = match (self.op(id), waits) {
                (Some(Op { does: Does::Suspend { .. }, node, .. }), Waits::At(wait) | Waits::UnlessAnother(wait)) => {
                    *node == wait
                }
                _ => false,
            };
            if !waited {
                open.extend(point.all_next());
            } else if matches!(waits, Waits::UnlessAnother(_)) {
                open.extend(point.raise);
            }
        }
        seen.remove(&start);
        found.extend(seen);
    }
}

fn reach(at: &mut [Option<Kept>], id: PointId, kept: &Kept, open: &mut BTreeSet<PointId>) {
    let old = &mut at[id.index()];
    match old {
        None => {
            *old = Some(kept.clone());
            open.insert(id);
        }
        Some(known) if Rc::ptr_eq(known, kept) || kept.is_subset(known) => {}
        Some(known) => {
            *old = Some(Rc::new(known.union(kept).copied().collect()));
            open.insert(id);
        }
    }
}
