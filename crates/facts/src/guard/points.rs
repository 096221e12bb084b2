//! What each point of the graph does to the cells of an analysis: what it ends, what it gives, what it says.

use super::atoms::Learnt;
use super::classes::{ABSENT, Classes, NULL, UNDEFINED};
use super::code::Means;
use super::flow::{Move, Spot, is_question};
use super::forms::{Form, FormId};
use super::lives::Lives;
use super::plan::{Meaning, Planner};
use super::query::{hits_at, passes_at};
use super::reading::{Binds, Seen, agree};
use super::state::{Assumed, Filter, Last, Op, Why};
use factgate_ir::graph::{Action, FrameId, PointId};
use factgate_ir::{Atom as Test, Does, How, Op as IrOp, Operand, Root, ValueId};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Points between the reading of an operand and its test beyond which it is taken to have changed.
const MOST_BETWEEN: usize = 4_000;
/// Operands of operands that are looked at.
const DEEPEST: usize = 6;

/// Says what each point does.
pub(super) fn fill(planner: &mut Planner<'_, '_, '_>) {
    let lives = Lives { before: Vec::new(), behind: Vec::new() };
    let mut filler =
        Filler { planner, ended: HashMap::default(), learnt: HashMap::default(), points: HashMap::default(), lives };
    filler.lay_out_needs();
    filler.lives = filler.find_lives();
    let ids: Vec<PointId> = filler.planner.query.reading.graph().ids().collect();
    let ops = ids.into_iter().map(|id| filler.ops(id)).collect();
    filler.planner.plan.ops = ops;
}

/// What a test says, with the cells that must be known for it.
#[derive(Clone)]
struct Said {
    learnt: Learnt,
    needs: Vec<usize>,
}

struct Filler<'f, 'p, 'q, 'r> {
    planner: &'f mut Planner<'p, 'q, 'r>,
    /// The cells that a point ends by what it assigns.
    ended: HashMap<PointId, (usize, Rc<[usize]>)>,
    learnt: HashMap<PointId, Rc<[Said]>>,
    /// The points at which each value is given.
    points: HashMap<(FrameId, ValueId), Vec<PointId>>,
    lives: Lives,
}

impl<'r> Filler<'_, '_, '_, 'r> {
    /// Cells for the names and operands that tests rest on.
    fn lay_out_needs(&mut self) {
        let reading = self.planner.query.reading;
        let graph = reading.graph();
        for id in graph.ids() {
            let point = graph.point(id);
            let test = match &point.action {
                Action::Assume { atom, .. } => atom.clone(),
                Action::Op(op) | Action::Rest { op, .. } => match self.forks(point.frame, op) {
                    Some(value) => Test::Truth(value),
                    None => continue,
                },
                Action::Back(inner) => match self.forks_back(*inner) {
                    Some(value) => Test::Truth(value),
                    None => continue,
                },
                _ => continue,
            };
            let learnt = self.planner.tests.learnt(point.frame, &test);
            let said: Vec<Said> = learnt.into_iter().filter_map(|learnt| self.said(id, point.frame, learnt)).collect();
            self.learnt.insert(id, said.into());
        }
    }

    fn said(&mut self, at: PointId, frame: FrameId, learnt: Learnt) -> Option<Said> {
        let cells = self.cells_for(&learnt);
        if cells.is_empty() {
            return None;
        }
        let mut needs: Vec<usize> = Vec::new();
        for &means in &learnt.needs {
            needs.push(self.stand(frame, means)?);
        }
        let of = learnt.of.clone();
        if of.iter().any(|&value| self.was_mixed(frame, value, &cells, 0)) {
            return None;
        }
        for value in of {
            if self.is_early(at, frame, value, &cells) {
                needs.push(self.fresh(frame, value));
            }
        }
        Some(Said { learnt, needs })
    }

    /// The cells of a form, and those of members of what is missing.
    fn cells_for(&self, learnt: &Learnt) -> Vec<usize> {
        let mut cells = self.planner.by_form.get(&learnt.form).cloned().unwrap_or_default();
        if learnt.when.iter().any(|&when| is_missing(when)) {
            cells.extend(self.below(learnt.form));
        }
        cells
    }

    /// The facts about members of a form's value.
    fn below(&self, form: FormId) -> Vec<usize> {
        let forms = &self.planner.tests.forms;
        let is_below = |mut inner: FormId| loop {
            inner = match forms.get(inner) {
                Form::Text(of, _) | Form::Member(of, ..) | Form::Element(of, _) | Form::Deref(of) => *of,
                _ => return false,
            };
            if inner == form {
                return true;
            }
        };
        let facts = self.planner.plan.cells.iter().filter_map(|(meaning, &cell)| match meaning {
            Meaning::Fact { form, .. } if is_below(*form) => Some(cell),
            _ => None,
        });
        facts.collect()
    }

    fn stand(&mut self, frame: FrameId, means: Means) -> Option<usize> {
        let names = self.planner.tests.names;
        let met = self.planner.tests.forms.met(means).unwrap_or(frame);
        let stand = names.stand(met, means)?;
        let cell = self.planner.cell(Meaning::Stand(means), |planner| {
            planner.query.reading.effects.reads(stand.frame, &[stand.value]).to_vec()
        });
        Some(cell)
    }

    fn fresh(&mut self, frame: FrameId, value: ValueId) -> usize {
        self.planner
            .cell(Meaning::Fresh(frame, value), |planner| planner.query.reading.effects.reads(frame, &[value]).to_vec())
    }

    /// Whether a value was computed from operands of which something ended one before it was: `bad(m.s, m = n)`.
    fn was_mixed(&mut self, frame: FrameId, value: ValueId, cells: &[usize], depth: usize) -> bool {
        let names = self.planner.tests.names;
        let Some(op) = names.def(frame, value).filter(|_| depth < DEEPEST) else { return false };
        let operands = op.does.uses();
        if operands.is_empty() || matches!(op.does, Does::Suspend { .. }) {
            return false;
        }
        let at: Vec<PointId> = self.given_at(frame, value);
        operands.into_iter().any(|operand| {
            at.iter().any(|&at| self.is_early(at, frame, operand, cells))
                || self.was_mixed(frame, operand, cells, depth + 1)
        })
    }

    /// The points at which a value is given.
    fn given_at(&mut self, frame: FrameId, value: ValueId) -> Vec<PointId> {
        if self.points.is_empty() {
            let graph = self.planner.query.reading.graph();
            for id in graph.ids() {
                let point = graph.point(id);
                if let Some(value) = point.op().and_then(|op| op.gives) {
                    self.points.entry((point.frame, value)).or_default().push(id);
                }
            }
        }
        self.points.get(&(frame, value)).cloned().unwrap_or_default()
    }

    /// Whether something between the reading of a value and a point may end what is said of it, or comes between in the
    /// sense of `since` and `without`.
    fn is_early(&mut self, at: PointId, frame: FrameId, value: ValueId, cells: &[usize]) -> bool {
        let reading = self.planner.query.reading;
        let graph = reading.graph();
        let gives = |id: PointId| {
            let point = graph.point(id);
            point.frame == frame
                && match point.action {
                    Action::Op(op) | Action::Rest { op, .. } => op.gives == Some(value),
                    Action::Back(inner) => reading.names.caller(inner).is_some_and(|(_, op)| op.gives == Some(value)),
                    _ => false,
                }
        };
        if gives(at) {
            return false;
        }
        // A variable is asked where it is used; what comes between can only assign it.
        let is_name = |op: &IrOp| match &op.does {
            Does::Read(place) => place.steps.is_empty(),
            does => matches!(does, Does::Given(_)),
        };
        let asks = !self.planner.tests.names.def(frame, value).is_some_and(is_name);
        let mut open = reading.before[at.index()].clone();
        let mut seen: BTreeSet<PointId> = BTreeSet::new();
        while let Some(id) = open.pop() {
            if gives(id) || !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST_BETWEEN || asks && self.comes_between(id) {
                return true;
            }
            if cells.iter().any(|cell| self.ended(id).contains(cell)) {
                return true;
            }
            open.extend(&reading.before[id.index()]);
        }
        false
    }

    /// Whether a point is one of `since` or `without` of some table.
    fn comes_between(&self, id: PointId) -> bool {
        let query = self.planner.query;
        let graph = query.reading.graph();
        let point = graph.point(id);
        let suspends = matches!(point.action, Action::Op(IrOp { does: Does::Suspend { .. }, .. }));
        let tables = query.asked.tables.iter().zip(&query.places);
        tables.into_iter().any(|(table, places)| {
            let is_mark = matches!(point.action, Action::Op(IrOp { does: Does::Mark, .. }));
            let is_place =
                || point.node.is_some_and(|node| places.interrupting().any(|place| place.at == (point.frame, node)));
            table.suspension && suspends || places.unseen.contains_key(&id) || is_mark && is_place()
        })
    }

    /// The cells that a point ends by what it assigns or runs.
    fn ended(&mut self, id: PointId) -> Rc<[usize]> {
        let (count, effects) = (self.planner.ended.len(), self.planner.query.reading.effects);
        if !effects.writes(id) {
            return Rc::new([]);
        }
        // Unless new cells were laid out since.
        if let Some((known, cells)) = self.ended.get(&id)
            && *known == count
        {
            return cells.clone();
        }
        let at = self.seen(id);
        let is_ended = |cell: &usize| {
            let ended = &self.planner.ended[*cell];
            !ended.own.contains(&at) && effects.ends_one(id, &ended.reads)
        };
        let found: Rc<[usize]> = (0..count).filter(is_ended).collect();
        self.ended.insert(id, (count, found.clone()));
        found
    }

    fn seen(&self, id: PointId) -> Seen {
        let point = self.planner.query.reading.graph().point(id);
        (point.frame, point.node.unwrap_or(NodeId::ROOT))
    }

    fn shown(&self, id: PointId) -> NodeId {
        self.planner.query.reading.shown_at(id)
    }

    /// The value that an operation gives, when its truth is asked there: it goes on to where it is tested.
    fn forks(&mut self, frame: FrameId, op: &IrOp) -> Option<ValueId> {
        let value = op.gives?;
        let is_fork = match &op.does {
            Does::Compute(prim, _) if is_question(*prim) => true,
            Does::Read(place) => !place.steps.is_empty() || matches!(place.root, Root::Global(_)),
            Does::Call(_) | Does::Has(..) | Does::Compute(..) | Does::Suspend { .. } | Does::Given(_) => true,
            _ => false,
        };
        // A call that is made again may answer otherwise, whoever looks at the answer.
        let is_call = matches!(op.does, Does::Call(_));
        let is_followed = is_call || self.planner.followed.contains(&Spot::Value(frame, value));
        let asks = |filler: &mut Self| match &op.does {
            Does::Compute(prim, _) if is_question(*prim) => true,
            _ => filler.planner.says(frame, value),
        };
        (is_fork && is_followed && asks(self)).then_some(value)
    }

    /// The same for the value of a call whose body was put in.
    fn forks_back(&mut self, inner: FrameId) -> Option<ValueId> {
        let (frame, op) = self.planner.tests.names.caller(inner)?;
        let value = op.gives?;
        let is_followed = self.planner.followed.contains(&Spot::Value(frame, value));
        (is_followed && self.planner.says(frame, value)).then_some(value)
    }
}

/// What happens at a point.
impl Filler<'_, '_, '_, '_> {
    fn find_lives(&mut self) -> Lives {
        let reading = self.planner.query.reading;
        let graph = reading.graph();
        let mut uses: Vec<BTreeSet<Spot>> = vec![BTreeSet::new(); graph.points.len()];
        for id in graph.ids() {
            let point = graph.point(id);
            let test = match &point.action {
                Action::Assume { atom, .. } => Some(atom.clone()),
                Action::Op(op) | Action::Rest { op, .. } => self.forks(point.frame, op).map(Test::Truth),
                _ => None,
            };
            let mut said = Vec::new();
            if let Some(test) = test {
                spots_said(self, point.frame, &test, &mut said);
            }
            let own = &mut uses[id.index()];
            own.extend(said.into_iter().map(|(spot, _)| spot));
            if !matches!(point.action, Action::Assume { .. }) {
                // A value that is asked where it is given is not there before.
                let given = point.op().and_then(|op| op.gives).map(|value| Spot::Value(point.frame, value));
                given.map(|given| own.remove(&given));
            }
            for said in self.learnt.get(&id).into_iter().flat_map(|said| said.iter()) {
                own.extend(self.planner.tests.forms.as_name(said.learnt.form).map(Spot::Var));
            }
        }
        Lives::of(graph, &self.planner.followed, &self.planner.flow.moves, &uses, &reading.before)
    }

    fn ops(&mut self, id: PointId) -> Vec<Op> {
        let mut list = Vec::new();
        self.forget(&self.lives.before[id.index()].clone(), &mut list);
        let (node, ended) = (self.shown(id), self.ended(id));
        list.extend(ended.iter().map(|&cell| Op::Kill { cell, why: Why::Reassigned(node) }));
        self.reopened(id, &mut list);
        self.unseen(id, node, &mut list);
        let graph = self.planner.query.reading.graph();
        let point = graph.point(id);
        match &point.action {
            Action::Op(op) | Action::Rest { op, .. } => self.at_op(id, op, node, &mut list),
            Action::Enter(frame) => {
                self.moved(id, node, &mut list);
                self.entered(id, *frame, node, &mut list);
            }
            Action::Back(frame) => {
                self.left(*frame, &mut list);
                self.moved(id, node, &mut list);
                let (value, forks) =
                    (self.planner.tests.names.caller(*frame).and_then(|(_, op)| op.gives), self.forks_back(*frame));
                self.fresh_again(point.frame, value, node, &mut list);
                if let Some(value) = forks {
                    self.fork(id, point.frame, value, node, &mut list);
                }
            }
            Action::Assume { atom, outcome, .. } => {
                let assumed = self.assumed(id, point.frame, atom, *outcome, node, Last::Counts);
                list.extend(assumed.map(|assumed| Op::Assume(Rc::new(assumed))));
            }
            Action::Leave(..) => self.moved(id, node, &mut list),
            Action::Pass | Action::Call(_) | Action::Caught(_) | Action::Exit(_) => {}
        }
        self.forget(&self.lives.behind[id.index()].clone(), &mut list);
        list
    }

    /// Behind code out of sight, a second test may answer otherwise. What a check said is still known: such code is taken to
    /// assign nothing. But no way is left out because of it.
    fn reopened(&self, id: PointId, list: &mut Vec<Op>) {
        if !self.planner.query.reading.effects.is_open(id) {
            return;
        }
        list.extend(self.planner.plan.cells.iter().filter_map(|(meaning, &cell)| match meaning {
            Meaning::Spot(Spot::Form(_)) => Some(Op::Forget { cell }),
            Meaning::Fact { .. } => Some(Op::Reopen { cell }),
            _ => None,
        }));
    }

    /// The names of a body that has ended mean nothing any longer.
    fn left(&self, frame: FrameId, list: &mut Vec<Op>) {
        let forms = &self.planner.tests.forms;
        let number = Some(frame.index() as u32);
        let is_own = |form: FormId| {
            let mut open = vec![form];
            while let Some(form) = open.pop() {
                match forms.get(form) {
                    Form::Means(Means::Var(.., of) | Means::Given(.., of)) if *of == number => return true,
                    Form::Own(of, _) if *of == frame => return true,
                    _ => open.extend(forms.parts(form)),
                }
            }
            false
        };
        for (meaning, &cell) in &self.planner.plan.cells {
            if let Meaning::Fact { form, .. } = meaning
                && is_own(*form)
            {
                list.push(Op::Forget { cell });
            }
        }
    }

    fn forget(&self, spots: &[Spot], list: &mut Vec<Op>) {
        let cells = spots.iter().filter_map(|&spot| self.planner.known(&Meaning::Spot(spot)));
        list.extend(cells.map(|cell| Op::Forget { cell }));
    }

    fn each_table(&self, mut visit: impl FnMut(usize, usize, &Binds)) {
        for (binds, bound) in self.planner.plan.binds.iter().enumerate() {
            for table in 0..self.planner.query.places.len() {
                visit(binds, table, bound);
            }
        }
    }

    /// The cells of a table's checks and `after` nodes, under these bindings; and what says that something was read before
    /// and still stands.
    fn kill_table(&self, binds: usize, table: usize, why: Why, list: &mut Vec<Op>) {
        let belongs = |meaning: &Meaning| match meaning {
            Meaning::Fact { of, .. } => *of == Some((binds, table)),
            Meaning::After { binds: b, table: t, .. } | Meaning::Whole { binds: b, table: t, .. } => {
                (*b, *t) == (binds, table)
            }
            Meaning::Stand(_) | Meaning::Fresh(..) => true,
            Meaning::Since { .. } | Meaning::Spot(_) => false,
        };
        let cells = self.planner.plan.cells.iter().filter(|(meaning, _)| belongs(meaning));
        list.extend(cells.map(|(_, &cell)| Op::Kill { cell, why }));
    }

    /// What bodies pass that are not in the graph here.
    fn unseen(&self, id: PointId, node: NodeId, list: &mut Vec<Op>) {
        self.each_table(|binds, table, bound| {
            let passed = self.planner.query.places[table].unseen.get(&id);
            if passed.is_some_and(|passed| passed.iter().any(|other| agree(bound, other))) {
                self.kill_table(binds, table, Why::Interrupted(node), list);
            }
        });
    }

    fn at_op(&mut self, id: PointId, op: &IrOp, node: NodeId, list: &mut Vec<Op>) {
        let frame = self.planner.query.reading.graph().point(id).frame;
        match &op.does {
            Does::Mark => self.at_mark((frame, op.node), node, list),
            Does::Suspend { value, .. } => self.at_suspension(frame, *value, node, list),
            _ => {}
        }
        self.asked_again(frame, op, node, list);
        self.moved(id, node, list);
        self.fresh_again(frame, op.gives, node, list);
        if let Some(value) = self.forks(frame, op) {
            self.fork(id, frame, value, node, list);
        }
        if let Does::Write { place, value, how } = &op.does {
            if let (Root::Var(var), []) = (&place.root, &place.steps[..]) {
                let means = self.planner.tests.names.var(frame, *var);
                let stand = self.planner.known(&Meaning::Stand(means));
                list.extend(stand.map(|cell| Op::Pass { cell, node }));
            }
            self.given(frame, op, *value, how, node, list);
        }
    }

    /// What an assignment of a constant to a member makes known.
    fn given(
        &mut self,
        frame: FrameId,
        op: &IrOp,
        value: Option<ValueId>,
        how: &How,
        node: NodeId,
        list: &mut Vec<Op>,
    ) {
        let Does::Write { place, .. } = &op.does else { return };
        let constant = match (how, value) {
            (How::Assign | How::Init | How::Whole(_), Some(value)) => self.planner.tests.constant(frame, value),
            (How::Delete, _) => Some(UNDEFINED),
            _ => None,
        };
        let Some(classes) = constant.filter(|_| !place.steps.is_empty()) else { return };
        if self.planner.query.reading.may_be_set(frame, op) {
            return;
        }
        let names = self.planner.tests.names;
        for stands in [super::forms::Stands::Kept, super::forms::Stands::Replaced] {
            let Some(formed) = self.planner.tests.forms.place(names, frame, place, stands) else { return };
            let of = BTreeSet::new();
            let learnt = Learnt { form: formed.form, when: [classes, classes], needs: formed.needs, of };
            let needs: Option<Vec<usize>> =
                learnt.needs.iter().map(|&means| self.planner.known(&Meaning::Stand(means))).collect();
            let (Some(needs), false) = (needs, stands == super::forms::Stands::Replaced && learnt.needs.is_empty())
            else {
                continue;
            };
            let cells = self.planner.by_form.get(&learnt.form).cloned().unwrap_or_default();
            let filters =
                cells.into_iter().map(|cell| self.filter(cell, classes, needs.clone(), Last::Counts)).collect();
            let assumed = Assumed { is_test: false, ..self.with_wholes(filters, node, true) };
            list.push(Op::Assume(Rc::new(assumed)));
        }
    }

    /// A call that is made again may answer otherwise: what stands for its answer is that of before.
    fn asked_again(&mut self, frame: FrameId, op: &IrOp, node: NodeId, list: &mut Vec<Op>) {
        let (Some(value), Does::Call(_)) = (op.gives, &op.does) else { return };
        let names = self.planner.tests.names;
        let form = self.planner.tests.forms.of(names, frame, value, super::forms::Stands::Kept).form;
        if matches!(self.planner.tests.forms.get(form), Form::Own(..)) {
            return;
        }
        let stands: Vec<(Means, usize)> = self
            .planner
            .plan
            .cells
            .iter()
            .filter_map(|(meaning, &cell)| match meaning {
                Meaning::Stand(means) => Some((*means, cell)),
                _ => None,
            })
            .collect();
        for (means, cell) in stands {
            let met = self.planner.tests.forms.met(means).unwrap_or(frame);
            let Some(stand) = names.stand(met, means) else { continue };
            let of = self.planner.tests.forms.of(names, stand.frame, stand.value, super::forms::Stands::Kept).form;
            if self.planner.tests.forms.holds(of, form) {
                list.push(Op::Kill { cell, why: Why::Reassigned(node) });
            }
        }
    }

    fn fresh_again(&self, frame: FrameId, value: Option<ValueId>, node: NodeId, list: &mut Vec<Op>) {
        let fresh = value.and_then(|value| self.planner.known(&Meaning::Fresh(frame, value)));
        list.extend(fresh.map(|cell| Op::Pass { cell, node }));
    }

    fn moved(&self, id: PointId, node: NodeId, list: &mut Vec<Op>) {
        for &Move { to, from, classes } in &self.planner.flow.moves[id.index()] {
            let Some(cell) = self.planner.known(&Meaning::Spot(to)) else { continue };
            let from = from.and_then(|from| self.planner.known(&Meaning::Spot(from)));
            let all = self.planner.tests.domain.all();
            if from.is_none() && classes & all == all {
                list.push(Op::Forget { cell });
            } else {
                list.push(Op::Set { cell, from, classes: classes & all, node });
            }
        }
    }

    /// A parameter stands for its argument, unless something came between the reading of that and the call.
    fn entered(&mut self, id: PointId, frame: FrameId, node: NodeId, list: &mut Vec<Op>) {
        let names = self.planner.tests.names;
        let body = names.graph.frame(frame).body;
        let params = &names.sight.unit(body.unit).body(body.body).params;
        let means = params.iter().map(|&param| names.var(frame, param)).chain([names.own_this(frame)]);
        let known = means.filter_map(|means| Some((means, self.planner.known(&Meaning::Stand(means))?)));
        for (means, cell) in known.collect::<Vec<_>>() {
            let stand = names.stand(frame, means);
            let early = stand.is_some_and(|stand| self.is_early(id, stand.frame, stand.value, &[cell]));
            list.push(if early { Op::Kill { cell, why: Why::Interrupted(node) } } else { Op::Pass { cell, node } });
        }
    }

    /// A value is asked where it is given: it has one truth or the other.
    fn fork(&mut self, id: PointId, frame: FrameId, value: ValueId, node: NodeId, list: &mut Vec<Op>) {
        let test = Test::Truth(value);
        let last = match self.planner.tests.names.def(frame, value).map(|op| &op.does) {
            Some(Does::Read(_) | Does::Has(..) | Does::Compute(..) | Does::Given(_)) => Last::Contradicts,
            _ => Last::Counts,
        };
        let way = |filler: &mut Self, outcome| -> Vec<Op> {
            let assumed = filler.assumed(id, frame, &test, outcome, node, last);
            assumed.map(|assumed| Op::Assume(Rc::new(assumed))).into_iter().collect()
        };
        let ways = [way(self, true), way(self, false)];
        list.push(Op::Fork(ways.into_iter().collect()));
    }

    /// What the outcome of a test says.
    fn assumed(
        &mut self,
        id: PointId,
        frame: FrameId,
        test: &Test,
        outcome: bool,
        node: NodeId,
        last: Last,
    ) -> Option<Assumed> {
        let at = usize::from(!outcome);
        let mut filters: Vec<Filter> = Vec::new();
        let mut spots = Vec::new();
        spots_said(self, frame, test, &mut spots);
        for (spot, when) in spots {
            if let Some(cell) = self.planner.known(&Meaning::Spot(spot)) {
                filters.push(self.filter(cell, when[at], Vec::new(), last));
            }
        }
        let said = self.learnt.get(&id).cloned().unwrap_or_default();
        for Said { learnt, needs } in said.iter() {
            let among = learnt.when[at];
            for cell in self.planner.by_form.get(&learnt.form).cloned().unwrap_or_default() {
                filters.push(self.filter(cell, among, needs.clone(), last));
            }
            if is_missing(among) {
                for cell in self.below(learnt.form) {
                    filters.push(self.filter(cell, ABSENT, needs.clone(), Last::Contradicts));
                }
            }
        }
        (!filters.is_empty()).then(|| self.with_wholes(filters, node, outcome))
    }

    fn filter(&self, cell: usize, among: Classes, needs: Vec<usize>, last: Last) -> Filter {
        let meaning = self.planner.plan.cells.iter().find(|&(_, &other)| other == cell).map(|(meaning, _)| meaning);
        let (since, last) = match meaning {
            Some(Meaning::Fact { of, form }) => {
                let since = of.and_then(|(binds, table)| self.planner.known(&Meaning::Since { binds, table }));
                // Only a call may answer otherwise.
                let calls = || self.planner.tests.forms.calls(*form);
                let last = if last == Last::Contradicts && calls() { Last::Counts } else { last };
                (since, last)
            }
            _ => (None, Last::Contradicts),
        };
        Filter { cell, among, since, needs, last }
    }

    fn with_wholes(&self, filters: Vec<Filter>, node: NodeId, outcome: bool) -> Assumed {
        let is_concerned =
            |whole: &&Rc<super::whole::Whole>| filters.iter().any(|filter| whole.cells.contains(&filter.cell));
        let wholes = self.planner.wholes.iter().filter(is_concerned).cloned().collect();
        Assumed { filters, wholes, node, outcome, is_test: true }
    }

    fn at_mark(&self, at: Seen, node: NodeId, list: &mut Vec<Op>) {
        self.each_table(|binds, table, bound| {
            let places = &self.planner.query.places[table];
            if hits_at(&places.between, at, bound) {
                self.kill_table(binds, table, Why::Interrupted(node), list);
            }
            if hits_at(places.since.as_deref().unwrap_or_default(), at, bound) {
                self.kill_table(binds, table, Why::Stale(node), list);
                let cell = self.planner.known(&Meaning::Since { binds, table });
                list.extend(cell.map(|cell| Op::Pass { cell, node }));
            }
            for (after, found) in places.afters.iter().enumerate() {
                if passes_at(found, at, bound) {
                    let cell = self.planner.known(&Meaning::After { binds, table, after });
                    list.extend(cell.map(|cell| Op::Pass { cell, node }));
                }
            }
        });
    }

    fn at_suspension(&self, frame: FrameId, value: Option<ValueId>, node: NodeId, list: &mut Vec<Op>) {
        let reading = self.planner.query.reading;
        self.each_table(|binds, table, bound| {
            if !self.planner.query.asked.tables[table].suspension {
                return;
            }
            self.kill_table(binds, table, Why::Interrupted(node), list);
            // Waiting for the `after` node itself is part of it.
            let awaited = value.map(|value| (frame, reading.node_of(frame, value)));
            for (after, found) in self.planner.query.places[table].afters.iter().enumerate() {
                if awaited.is_some_and(|awaited| passes_at(found, awaited, bound)) {
                    let cell = self.planner.known(&Meaning::After { binds, table, after });
                    let node = awaited.map_or(node, |awaited| reading.shown(awaited));
                    list.extend(cell.map(|cell| Op::Pass { cell, node }));
                }
            }
        });
    }
}

/// Whether all that is left is that there is nothing.
fn is_missing(when: Classes) -> bool {
    when != 0 && when & !(NULL | UNDEFINED | ABSENT) == 0
}

/// What a test says of the values that it asks, whatever they are computed from.
fn spots_said(filler: &mut Filler<'_, '_, '_, '_>, frame: FrameId, test: &Test, found: &mut Vec<(Spot, [Classes; 2])>) {
    use super::classes::Ask;
    let tests = &mut *filler.planner.tests;
    let spot = |value: ValueId| Spot::Value(frame, value);
    match test {
        Test::Truth(value) => {
            found.push((spot(*value), tests.domain.answers(Ask::Truth)));
            let inner = match tests.names.def(frame, *value).map(|op| &op.does) {
                Some(Does::Compute(prim, operands)) => question(*prim, operands),
                _ => None,
            };
            if let Some((inner, is_same)) = inner {
                let before = found.len();
                spots_said(filler, frame, &inner, found);
                if !is_same {
                    found[before..].iter_mut().for_each(|(_, when)| when.swap(0, 1));
                }
            }
        }
        Test::Same(left, Operand::Const(constant), sameness) => {
            let class = tests.domain.of(constant);
            found.push((spot(*left), tests.domain.answers(Ask::Is(class, *sameness))));
        }
        Test::Same(left, Operand::Value(right), sameness) => {
            for (value, other) in [(left, right), (right, left)] {
                if let Some(class) = tests.constant(frame, *other) {
                    found.push((spot(*value), tests.domain.answers(Ask::Is(class, *sameness))));
                }
            }
        }
        Test::Less(left, right, order) => {
            let number = |tests: &mut super::atoms::Tests<'_>, value| {
                let class = tests.constant(frame, value)?;
                tests.domain.one_number(class)
            };
            if let Some(limit) = number(tests, *right) {
                found.push((spot(*left), tests.domain.answers(Ask::Below(limit, *order))));
            }
            if let Some(limit) = number(tests, *left) {
                found.push((spot(*right), tests.domain.answers(Ask::Above(limit, *order))));
            }
        }
        Test::Missing(value) => found.push((spot(*value), tests.domain.answers(Ask::Missing))),
        Test::Error(value) => found.push((spot(*value), tests.domain.answers(Ask::Error))),
        Test::Done(_) => {}
    }
}

/// A computed question as a test, and whether the value has its outcome.
fn question(prim: factgate_ir::Prim, operands: &[ValueId]) -> Option<(Test, bool)> {
    use factgate_ir::Prim;
    Some(match (prim, operands) {
        (Prim::Not, &[inner]) => (Test::Truth(inner), false),
        (Prim::Same(sameness), &[left, right]) => (Test::Same(left, Operand::Value(right), sameness), true),
        (Prim::Less(order), &[left, right]) => (Test::Less(left, right, order), true),
        (Prim::Missing, &[inner]) => (Test::Missing(inner), true),
        (Prim::IsError, &[inner]) => (Test::Error(inner), true),
        _ => return None,
    })
}
