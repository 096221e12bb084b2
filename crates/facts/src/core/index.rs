//! What a unit says, by operation, value, variable, slot, name and class: the tables that every question of the rule
//! starts from. Made once a unit and shared.

use factgate_ir::{
    BodyId, ClassId, Code, Does, Exit, Key, Member, Name, Op, OpId, Place, Root, Step, Test, Unit, ValueId, VarId,
};
use rustc_hash::FxHashMap;

/// The tables of one unit.
#[derive(Debug)]
pub(crate) struct Index {
    ops: Vec<Option<Op>>,
    owners: Vec<BodyId>,
    pub(crate) bodies: Vec<BodyIndex>,
    pub(crate) vars: Vec<VarIndex>,
    names: FxHashMap<Name, Named>,
    /// The operation that makes each class, and the body that it stands in.
    pub(crate) defines: Vec<Option<OpId>>,
    /// Writes of members whose name is not known.
    pub(crate) computed: Vec<OpId>,
    /// Writes of elements.
    pub(crate) elements: Vec<OpId>,
    /// Copies of all members.
    pub(crate) copies: Vec<OpId>,
    /// Members of classes whose name is not known.
    pub(crate) computed_members: Vec<(ClassId, usize)>,
}

/// What a body does, apart from its order.
#[derive(Debug, Default)]
pub(crate) struct BodyIndex {
    /// Its operations, in the order of their writing.
    pub(crate) ops: Vec<OpId>,
    /// What gives each of its values.
    defs: Vec<Option<OpId>>,
    /// What it returns.
    pub(crate) returns: Vec<ValueId>,
    /// What it raises.
    pub(crate) raised: Vec<ValueId>,
    /// What its slots get.
    pub(crate) slots: Vec<SlotIndex>,
    /// The variables of bodies around that it names.
    pub(crate) outer: Vec<VarId>,
    /// The bodies that are made in it.
    pub(crate) inner: Vec<BodyId>,
    /// The operation that makes it, unless it is a member of a class.
    pub(crate) made: Option<OpId>,
    /// The member of a class that it is.
    pub(crate) member: Option<(ClassId, usize)>,
    /// Whether a `Raise` stands in it.
    pub(crate) raises: bool,
}

/// What a slot gets.
#[derive(Debug, Default)]
pub(crate) struct SlotIndex {
    /// The values that are written to it.
    pub(crate) values: Vec<ValueId>,
    /// The values that decide which of them.
    pub(crate) deciding: Vec<ValueId>,
    /// For each write, the ways of the tests around it.
    paths: Vec<Vec<Way>>,
}

/// One way of a test: the number of the test in its body, and which way.
type Way = (u32, u32);

/// What happens to a variable.
#[derive(Debug, Default)]
pub(crate) struct VarIndex {
    /// The operations that write it.
    pub(crate) writes: Vec<OpId>,
    /// The body and place when it is a parameter.
    pub(crate) param: Option<(BodyId, u32)>,
    /// Whether it is the list of further arguments.
    pub(crate) is_rest: bool,
    /// The bodies that name it, other than its owner.
    pub(crate) captured: Vec<BodyId>,
    /// Whether a pointer to it, or to a part of it, is made.
    pub(crate) is_addressed: bool,
}

/// What has a name as a member.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// The operations that write a member of this name.
    pub(crate) writes: Vec<OpId>,
    /// The members of classes.
    pub(crate) members: Vec<(ClassId, usize)>,
}

impl Index {
    pub(crate) fn of(unit: &Unit) -> Index {
        let mut index = Index {
            ops: vec![None; unit.ops as usize],
            owners: vec![unit.top; unit.ops as usize],
            bodies: unit.bodies.iter().map(|body| BodyIndex::sized(body.values.len(), body.slots.len())).collect(),
            vars: unit.vars.iter().map(|_| VarIndex::default()).collect(),
            names: FxHashMap::default(),
            defines: vec![None; unit.classes.len()],
            computed: Vec::new(),
            elements: Vec::new(),
            copies: Vec::new(),
            computed_members: Vec::new(),
        };
        for id in unit.body_ids() {
            let body = unit.body(id);
            for (at, param) in body.params.iter().enumerate() {
                index.vars[param.index()].param = Some((id, at as u32));
            }
            if let Some(rest) = body.rest {
                index.vars[rest.index()].is_rest = true;
            }
            if let Some(outer) = body.outer {
                index.bodies[outer.index()].inner.push(id);
            }
            let mut walk = Walk { unit, index: &mut index, body: id, around: Vec::new(), tests: Vec::new() };
            walk.code(&body.code);
            let tests = walk.tests;
            index.bodies[id.index()].slots.iter_mut().for_each(|slot| slot.decide(&tests));
        }
        index.members(unit);
        index
    }

    /// The operation behind an id.
    pub(crate) fn op(&self, id: OpId) -> Option<&Op> {
        self.ops.get(id.index())?.as_ref()
    }

    /// The body that an operation stands in.
    pub(crate) fn owner(&self, id: OpId) -> BodyId {
        self.owners[id.index()]
    }

    /// The operation that gives a value; none for what a `catch` gets.
    pub(crate) fn def(&self, body: BodyId, value: ValueId) -> Option<&Op> {
        self.bodies[body.index()].defs.get(value.index()).copied().flatten().and_then(|op| self.op(op))
    }

    /// What has a member of this name.
    pub(crate) fn named(&self, name: &Name) -> Option<&Named> {
        self.names.get(name)
    }

    /// The operations of a body.
    pub(crate) fn ops_of(&self, body: BodyId) -> impl Iterator<Item = &Op> {
        self.bodies[body.index()].ops.iter().filter_map(|&op| self.op(op))
    }

    fn members(&mut self, unit: &Unit) {
        for (at, class) in unit.classes.iter().enumerate() {
            let id = ClassId(at as u32);
            for (place, member) in class.members.iter().enumerate() {
                if let Some(body) = member.body() {
                    self.bodies[body.index()].member = Some((id, place));
                }
                let names = names_of(member);
                if names.is_empty() && !matches!(member.at, Step::Element(Key::Number, _)) {
                    self.computed_members.push((id, place));
                }
                for name in names {
                    self.names.entry(name).or_default().members.push((id, place));
                }
            }
        }
    }
}

/// The names that a member may have; none when nobody knows.
pub(crate) fn names_of(member: &Member) -> Vec<Name> {
    names_at(&member.at).unwrap_or_default()
}

/// The names that a step may go by; none for an element, `None` when it may be any.
pub(crate) fn names_at(step: &Step) -> Option<Vec<Name>> {
    match step {
        Step::Member(Name::Length) | Step::Element(Key::Number, _) | Step::Deref | Step::MaybeDeref => Some(Vec::new()),
        Step::Member(name) => Some(vec![name.clone()]),
        Step::Element(Key::Texts(texts), _) => Some(texts.iter().cloned().map(Name::Text).collect()),
        Step::Element(Key::Symbol(var), _) => Some(vec![Name::Symbol(*var)]),
        Step::Element(Key::Unknown, _) | Step::Any => None,
    }
}

impl BodyIndex {
    fn sized(values: usize, slots: usize) -> BodyIndex {
        let slots = (0..slots).map(|_| SlotIndex::default()).collect();
        BodyIndex { defs: vec![None; values], slots, ..BodyIndex::default() }
    }
}

impl SlotIndex {
    /// Says which tests decide what the slot gets: those that lie around its writes behind where these part.
    fn decide(&mut self, tests: &[Vec<ValueId>]) {
        let paths = std::mem::take(&mut self.paths);
        let Some(first) = paths.first() else { return };
        let is_common = |&at: &usize| paths.iter().all(|path| path.get(at) == first.get(at));
        let common = (0..first.len()).take_while(is_common).count();
        let behind = paths.iter().flat_map(|path| path.iter().skip(common));
        self.deciding = behind.flat_map(|&(test, _)| tests[test as usize].iter().copied()).collect();
        self.deciding.sort_unstable();
        self.deciding.dedup();
    }
}

/// The walk through a body's code.
struct Walk<'i> {
    unit: &'i Unit,
    index: &'i mut Index,
    body: BodyId,
    /// The ways of the tests around.
    around: Vec<Way>,
    /// For each test, the values that it asks of.
    tests: Vec<Vec<ValueId>>,
}

impl Walk<'_> {
    fn code(&mut self, code: &Code) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(code));
    }

    fn shape(&mut self, code: &Code) {
        match code {
            Code::Seq(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::Do(op) => self.op(op),
            Code::Branch { test, yes, no } => {
                let number = self.test(test);
                self.way(number, 0, yes);
                self.way(number, 1, no);
            }
            Code::Arms { arms, .. } => {
                for (at, arm) in arms.iter().enumerate() {
                    let numbers: Vec<u32> = arm.tests.iter().map(|test| self.test(test)).collect();
                    let depth = self.around.len();
                    self.around.extend(numbers.iter().map(|&number| (number, at as u32)));
                    self.code(&arm.body);
                    self.around.truncate(depth);
                }
            }
            Code::Loop { test, body, step, otherwise, .. } => {
                let number = self.test(test);
                self.way(number, 0, body);
                self.way(number, 0, step);
                self.way(number, 1, otherwise);
            }
            Code::Block { body, .. } => self.code(body),
            Code::Guarded { body, catch, leaving } => {
                self.code(body);
                catch.iter().for_each(|catch| self.code(&catch.code));
                leaving.iter().for_each(|(_, code)| self.code(code));
            }
            Code::Leave { to, value, .. } => {
                let index = &mut self.index.bodies[self.body.index()];
                match to {
                    Exit::Return | Exit::ErrorReturn => index.returns.extend(*value),
                    Exit::Raise => {
                        index.raises = true;
                        index.raised.extend(*value);
                    }
                    Exit::Break(_) | Exit::Continue(_) | Exit::Never => {}
                }
            }
        }
    }

    fn way(&mut self, test: u32, way: u32, code: &Code) {
        self.around.push((test, way));
        self.code(code);
        self.around.pop();
    }

    /// Walks through a test and gives its number.
    fn test(&mut self, test: &Test) -> u32 {
        let mut values = Vec::new();
        self.part(test, &mut values);
        self.tests.push(values);
        self.tests.len() as u32 - 1
    }

    fn part(&mut self, test: &Test, values: &mut Vec<ValueId>) {
        match test {
            Test::Leaf(leaf) => {
                self.code(&leaf.code);
                values.extend(leaf.atom.values());
            }
            Test::Not(inner) => stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.part(inner, values)),
            Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|part| self.part(part, values)),
            Test::Choice(parts) => parts.iter().for_each(|part| self.part(part, values)),
            Test::Unknown(code, _) => self.code(code),
            Test::Always => {}
        }
    }

    fn op(&mut self, op: &Op) {
        let (id, body) = (op.id, self.body);
        self.index.ops[id.index()] = Some(op.clone());
        self.index.owners[id.index()] = body;
        let own = &mut self.index.bodies[body.index()];
        own.ops.push(id);
        if let Some(value) = op.gives {
            own.defs[value.index()] = Some(id);
        }
        match &op.does {
            Does::Read(place) | Does::Address(place) => {
                self.root(&place.root);
                // What lies behind a pointer is no part of the variable.
                if let (Does::Address(_), Root::Var(var)) = (&op.does, &place.root)
                    && !place.steps.contains(&Step::Deref)
                {
                    self.index.vars[var.index()].is_addressed = true;
                }
            }
            Does::Write { place, value, .. } => {
                self.root(&place.root);
                self.write(id, place, *value);
            }
            Does::Renew(vars) => vars.iter().for_each(|&var| self.names(var)),
            Does::Copy(_) => self.index.copies.push(id),
            Does::Close { body, .. } => self.index.bodies[body.index()].made = Some(id),
            Does::Define(class) => self.index.defines[class.index()] = Some(id),
            _ => {}
        }
    }

    fn write(&mut self, id: OpId, place: &Place, value: Option<ValueId>) {
        match (&place.root, place.steps.last()) {
            (Root::Slot(slot), None) => {
                let around = self.around.clone();
                let slot = &mut self.index.bodies[self.body.index()].slots[slot.index()];
                slot.values.extend(value);
                slot.paths.push(around);
            }
            (Root::Var(var), None) => self.index.vars[var.index()].writes.push(id),
            (_, Some(step)) => {
                if matches!(step, Step::Element(Key::Number | Key::Unknown, _) | Step::Any) {
                    self.index.elements.push(id);
                }
                self.member(id, step);
            }
            (_, None) => {}
        }
    }

    fn member(&mut self, id: OpId, step: &Step) {
        match names_at(step) {
            Some(names) => {
                names.into_iter().for_each(|name| self.index.names.entry(name).or_default().writes.push(id));
            }
            None => self.index.computed.push(id),
        }
    }

    fn root(&mut self, root: &Root) {
        if let Root::Var(var) = root {
            self.names(*var);
        }
    }

    /// Notes that the body names a variable.
    fn names(&mut self, var: VarId) {
        if self.unit.var(var).owner != self.body {
            let outer = &mut self.index.bodies[self.body.index()].outer;
            if !outer.contains(&var) {
                outer.push(var);
                self.index.vars[var.index()].captured.push(self.body);
            }
        }
    }
}
