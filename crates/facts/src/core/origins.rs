//! Origins: which objects a value may be, whatever the order in which code runs.
//!
//! Asked on demand. What is not followed (what calls give, elements, what a `catch` gets, rings of assignments) is
//! `Any`, which may be every object.

use super::candidates::{Search, Want};
use super::classes::Family;
use super::keys::{Key, KeyId};
use super::sight::{ClassRef, Import, Sight, VarRef, body_ref, op_ref};
use super::summary::Summaries;
use factgate_ir::{
    BodyRef, Call, Callee, Candidates, Does, Form, Given, How, Is, Key as ElementKey, Name, On, Op, OpRef, Path, Place,
    Prim, Root, SlotId, Step, Sym, This, UnitRef, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Members of members beyond which an object may be any.
const DEEPEST: u32 = 3;
/// Steps from value to value beyond which a value may be anything.
const LONGEST: u32 = 96;
/// Origins beyond which a value may be anything.
const MOST: usize = 64;

/// An object, as far as its origin says which.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// Nobody knows.
    Any,
    /// What this operation made, at one of its runs.
    Made(OpRef),
    /// A function.
    Function(BodyRef),
    /// A class.
    Class(ClassRef),
    /// The `this` of a body.
    This(BodyRef),
    /// An argument of a body.
    Param(BodyRef, u32),
    /// A name that no unit in sight declares.
    Global(Path),
    /// All that a unit exports.
    Module(UnitRef),
    /// The thing that a variable itself holds.
    Storage(VarRef),
    /// What a member of an object held before any of the code in sight wrote it.
    Member(OriginId, NameId),
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(super) u32);
    )*};
}

numbers! {
    /// An origin that was met.
    OriginId
    /// A set of origins that was met.
    SetId
    /// A name that was met, with the unit that it is private to.
    NameId
}

/// What is stored in or below each object.
type Stores = Rc<FxHashMap<OriginId, BTreeSet<SetId>>>;
/// A value of a body.
type ValueRef = (BodyRef, ValueId);
/// A name, with its unit when it means nothing elsewhere.
type UnitName = (Option<UnitRef>, Name);

/// Numbers for what is compared often.
#[derive(Debug)]
pub(super) struct Table<T> {
    ids: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { ids: FxHashMap::default(), all: Vec::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    pub(super) fn id(&mut self, one: T) -> u32 {
        let next = self.all.len() as u32;
        *self.ids.entry(one).or_insert_with_key(|one| {
            self.all.push(one.clone());
            next
        })
    }

    pub(super) fn get(&self, id: u32) -> &T {
        &self.all[id as usize]
    }
}

/// What is known of the objects in sight.
pub(crate) struct Objects<'s> {
    pub(super) sight: &'s Sight<'s>,
    names: RefCell<Table<UnitName>>,
    origins: RefCell<Table<Origin>>,
    sets: RefCell<Table<Rc<[OriginId]>>>,
    values: RefCell<FxHashMap<ValueRef, Known>>,
    vars: RefCell<FxHashMap<VarRef, Known>>,
    /// What the pointers that operations make lead to.
    pointees: RefCell<FxHashMap<OpRef, Known>>,
    pub(super) leaking: RefCell<FxHashMap<VarRef, bool>>,
    members: RefCell<FxHashMap<NameId, Known>>,
    pub(super) called: RefCell<FxHashMap<OpRef, Rc<Candidates>>>,
    pub(super) accessed: RefCell<FxHashMap<OpRef, Rc<Candidates>>>,
    pub(super) tampered: RefCell<FxHashMap<(ClassRef, On), bool>>,
    pub(super) only_called: RefCell<FxHashMap<BodyRef, bool>>,
    pub(super) bound: RefCell<FxHashMap<BodyRef, Option<NameId>>>,
    pub(super) prototypes: Cell<Option<bool>>,
    pub(super) listed: RefCell<Option<Rc<[BodyRef]>>>,
    pub(super) conversions: RefCell<Option<Vec<BodyRef>>>,
    pub(super) keys: RefCell<Table<Key>>,
    saying: RefCell<FxHashMap<NameId, Rc<[UnitRef]>>>,
    pub(super) found: RefCell<FxHashMap<(NameId, Want), Rc<Search>>>,
    pub(super) families: RefCell<FxHashMap<ClassRef, Rc<Family>>>,
    pub(super) chains: RefCell<FxHashMap<SetId, SetId>>,
    reaching: RefCell<FxHashMap<SetId, SetId>>,
    stores: RefCell<Option<Stores>>,
    pub(super) ended: RefCell<FxHashMap<(KeyId, KeyId), bool>>,
    pub(super) summaries: RefCell<Summaries>,
    /// The bodies that run in the scope with arguments that nobody knows.
    pub(super) inner: RefCell<FxHashSet<BodyRef>>,
    depth: Cell<u32>,
}

/// What is known of a value's origins.
#[derive(Clone, Copy)]
enum Known {
    /// They are being asked for.
    Open,
    Found(SetId),
}

/// `Any` alone.
pub(crate) const ANY: SetId = SetId(0);
/// No object: a text, a number, nothing.
pub(crate) const NONE: SetId = SetId(1);

impl<'s> Objects<'s> {
    pub(crate) fn new(sight: &'s Sight<'s>) -> Objects<'s> {
        let objects = Objects {
            sight,
            names: RefCell::default(),
            origins: RefCell::default(),
            sets: RefCell::default(),
            values: RefCell::default(),
            vars: RefCell::default(),
            pointees: RefCell::default(),
            leaking: RefCell::default(),
            members: RefCell::default(),
            called: RefCell::default(),
            accessed: RefCell::default(),
            tampered: RefCell::default(),
            only_called: RefCell::default(),
            bound: RefCell::default(),
            prototypes: Cell::default(),
            listed: RefCell::default(),
            conversions: RefCell::default(),
            keys: RefCell::default(),
            saying: RefCell::default(),
            found: RefCell::default(),
            families: RefCell::default(),
            chains: RefCell::default(),
            reaching: RefCell::default(),
            stores: RefCell::default(),
            ended: RefCell::default(),
            summaries: RefCell::default(),
            inner: RefCell::default(),
            depth: Cell::new(0),
        };
        let any = objects.origin(Origin::Any);
        objects.set(vec![any]);
        objects.set(Vec::new());
        objects
    }

    pub(crate) fn sight(&self) -> &'s Sight<'s> {
        self.sight
    }

    /// The number of a name that a unit says.
    pub(crate) fn name(&self, unit: UnitRef, name: &Name) -> NameId {
        let own = matches!(name, Name::Private(..) | Name::Symbol(_)).then_some(unit);
        NameId(self.names.borrow_mut().id((own, name.clone())))
    }

    /// The name behind a number.
    pub(crate) fn name_of(&self, id: NameId) -> UnitName {
        self.names.borrow().get(id.0).clone()
    }

    pub(crate) fn origin(&self, origin: Origin) -> OriginId {
        OriginId(self.origins.borrow_mut().id(origin))
    }

    pub(crate) fn origin_of(&self, id: OriginId) -> Origin {
        self.origins.borrow().get(id.0).clone()
    }

    /// The set of these origins.
    pub(crate) fn set(&self, mut origins: Vec<OriginId>) -> SetId {
        origins.sort_unstable();
        origins.dedup();
        if origins.len() > MOST {
            return ANY;
        }
        SetId(self.sets.borrow_mut().id(origins.into()))
    }

    /// The origins in a set.
    pub(crate) fn all(&self, set: SetId) -> Rc<[OriginId]> {
        self.sets.borrow().get(set.0).clone()
    }

    pub(crate) fn union(&self, sets: impl IntoIterator<Item = SetId>) -> SetId {
        let mut sets: Vec<SetId> = sets.into_iter().collect();
        sets.sort_unstable();
        sets.dedup();
        match sets[..] {
            [] => NONE,
            [one] => one,
            _ => self.set(sets.into_iter().flat_map(|set| self.all(set).to_vec()).collect()),
        }
    }

    fn one(&self, origin: Origin) -> SetId {
        let origin = self.origin(origin);
        self.set(vec![origin])
    }

    /// Whether a set holds `Any`.
    pub(crate) fn is_any(&self, set: SetId) -> bool {
        self.all(set).first() == Some(&OriginId(0))
    }

    /// The objects that a value may be.
    pub(crate) fn origins(&self, body: BodyRef, value: ValueId) -> SetId {
        if let Some(known) = self.values.borrow().get(&(body, value)) {
            return if let Known::Found(set) = known { *set } else { ANY };
        }
        let Some(op) = self.sight.def(body, value) else { return ANY };
        self.values.borrow_mut().insert((body, value), Known::Open);
        let found = self.deeper(|| self.given(body, op));
        self.values.borrow_mut().insert((body, value), Known::Found(found));
        found
    }

    /// Asks further, unless the way was too long already.
    fn deeper(&self, ask: impl FnOnce() -> SetId) -> SetId {
        self.nested(ask).unwrap_or(ANY)
    }

    /// Does something on the way from pointer to pointer, unless the way was too long already.
    pub(super) fn nested<R>(&self, work: impl FnOnce() -> R) -> Option<R> {
        let depth = self.depth.get();
        if depth >= LONGEST {
            return None;
        }
        self.depth.set(depth + 1);
        let found = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, work);
        self.depth.set(depth);
        Some(found)
    }

    /// What an operation gives.
    fn given(&self, body: BodyRef, op: &Op) -> SetId {
        let at = op_ref(body.unit, op.id);
        match &op.does {
            Does::Const(_) | Does::Has(..) => NONE,
            Does::Compute(Prim::Other(_), _) => ANY,
            Does::Compute(..) => NONE,
            Does::Given(Given::This) => self.this(body),
            Does::Given(Given::Function) => self.one(Origin::Function(self.sight.home(body))),
            Does::Given(Given::Arguments) => self.one(Origin::Made(at)),
            Does::Given(Given::NewTarget) => ANY,
            Does::Read(place) => self.at(body, place),
            Does::Make(_) | Does::Address(_) => self.one(Origin::Made(at)),
            Does::Close { body: inner, .. } => self.one(Origin::Function(body_ref(body.unit, *inner))),
            Does::Define(class) => self.one(Origin::Class(ClassRef { unit: body.unit, class: *class })),
            Does::Call(call) => {
                let functions = self.returned(at, body, call);
                let made = if call.form == Form::New && self.is_new(at) { self.one(Origin::Made(at)) } else { ANY };
                self.union([functions, made])
            }
            _ => ANY,
        }
    }

    /// The object that a body is called on.
    pub(crate) fn this(&self, body: BodyRef) -> SetId {
        let home = self.sight.home(body);
        match self.sight.unit(home.unit).body(home.body).this {
            This::None | This::Outer => NONE,
            This::Given | This::Made => self.one(Origin::This(home)),
        }
    }

    /// The functions that a call may give: those among its arguments, and those that its candidates return.
    fn returned(&self, at: OpRef, body: BodyRef, call: &Call) -> SetId {
        let mut sets: Vec<SetId> = call.args.iter().map(|arg| self.origins(body, arg.value)).collect();
        // `f.bind(o)` gives `f`.
        if let Callee::Member { object, .. } = call.callee {
            sets.push(self.origins(body, object));
        }
        let called = self.candidates_of(at);
        for &body in &called.bodies {
            let returns = &self.sight.index(body.unit).bodies[body.body.index()].returns;
            sets.extend(returns.iter().map(|&value| self.origins(body, value)));
        }
        let functions = sets.into_iter().flat_map(|set| self.all(set).to_vec());
        let is_code = |id: &OriginId| matches!(self.origin_of(*id), Origin::Function(_) | Origin::Class(_));
        self.set(functions.filter(is_code).collect())
    }

    /// Whether a `new` gives a new object: no constructor in sight gives another.
    pub(crate) fn is_new(&self, at: OpRef) -> bool {
        self.candidates_of(at).bodies.iter().all(|&body| self.makes(body, 0))
    }

    /// Whether a constructor gives the new object, and not another one.
    fn makes(&self, body: BodyRef, depth: u32) -> bool {
        if depth > DEEPEST * 4 {
            return false;
        }
        let returns = &self.sight.index(body.unit).bodies[body.body.index()].returns;
        let bases = self.sight.ops_of(body).filter(|op| is_super(op));
        returns.iter().all(|&value| self.origins(body, value) == NONE)
            && bases.into_iter().all(|op| {
                let called = self.candidates_of(op_ref(body.unit, op.id));
                called.bodies.iter().all(|&base| self.makes(base, depth + 1))
            })
    }

    /// What a place may hold.
    fn at(&self, body: BodyRef, place: &Place) -> SetId {
        let root = self.root(body, &place.root);
        self.along(body.unit, root, &place.steps, None)
    }

    /// What a place starts from.
    pub(crate) fn root(&self, body: BodyRef, root: &Root) -> SetId {
        match root {
            Root::Var(var) => self.var(VarRef { unit: body.unit, var: *var }),
            Root::Value(value) => self.origins(body, *value),
            Root::Global(path) => self.global(body.unit, path),
            Root::Slot(slot) => self.slot(body, *slot),
            Root::Super => self.this(body),
        }
    }

    /// What a variable may hold.
    pub(crate) fn var(&self, of: VarRef) -> SetId {
        if let Some(known) = self.vars.borrow().get(&of) {
            return if let Known::Found(set) = known { *set } else { ANY };
        }
        if self.is_own(of) {
            return self.one(Origin::Storage(of));
        }
        self.vars.borrow_mut().insert(of, Known::Open);
        let found = self.deeper(|| {
            let index = self.sight.index(of.unit);
            let var = &index.vars[of.var.index()];
            let mut sets: Vec<SetId> = var.writes.iter().map(|&op| self.written(op_ref(of.unit, op))).collect();
            if let Some((body, at)) = var.param {
                sets.push(self.one(Origin::Param(body_ref(of.unit, body), at)));
            }
            if var.is_rest || var.is_addressed {
                sets.push(ANY);
            }
            self.union(sets)
        });
        self.vars.borrow_mut().insert(of, Known::Found(found));
        found
    }

    /// What a write writes.
    pub(crate) fn written(&self, at: OpRef) -> SetId {
        let body = self.sight.owner(at);
        match self.sight.op(at).map(|op| &op.does) {
            Some(Does::Write { value: Some(value), .. }) => self.origins(body, *value),
            Some(Does::Write { how: How::Delete, .. }) => NONE,
            _ => ANY,
        }
    }

    fn slot(&self, body: BodyRef, slot: SlotId) -> SetId {
        let slots = &self.sight.index(body.unit).bodies[body.body.index()].slots;
        self.union(slots[slot.index()].values.iter().map(|&value| self.origins(body, value)))
    }

    fn global(&self, unit: UnitRef, path: &Path) -> SetId {
        let Some((import, rest)) = self.sight.import(unit, path) else {
            let is_read = self.sight.is_imported(unit, path);
            return if is_read { ANY } else { self.one(Origin::Global(path.clone())) };
        };
        self.imported_from(unit, import, &rest)
    }

    /// What is reached from an imported name.
    pub(super) fn imported_from(&self, unit: UnitRef, import: Import, rest: &[Sym]) -> SetId {
        let root = match import {
            Import::Function(body) => self.one(Origin::Function(body)),
            Import::Var(var) => self.var(var),
            Import::Module(of) => self.one(Origin::Module(of)),
        };
        rest.iter().fold(root, |set, name| self.step(unit, set, &Step::Member(Name::Text(name.clone()))))
    }

    /// What is one step from these objects.
    pub(crate) fn step(&self, unit: UnitRef, of: SetId, step: &Step) -> SetId {
        let names = match step {
            Step::Deref | Step::MaybeDeref => return self.pointed(of),
            Step::Member(Name::Length) => return NONE,
            Step::Member(name) => vec![name.clone()],
            Step::Element(ElementKey::Texts(texts), _) => texts.iter().cloned().map(Name::Text).collect(),
            Step::Element(ElementKey::Symbol(var), _) => vec![Name::Symbol(*var)],
            Step::Element(..) | Step::Any => return ANY,
        };
        let members = names.into_iter().map(|name| {
            if let ([only], Name::Text(text)) = (&self.all(of)[..], &name)
                && let Origin::Module(module) = self.origin_of(*only)
            {
                return match self.sight.exported(module, text.as_str()) {
                    Some(Import::Function(body)) => self.one(Origin::Function(body)),
                    Some(Import::Var(var)) => self.var(var),
                    Some(Import::Module(of)) => self.one(Origin::Module(of)),
                    None => ANY,
                };
            }
            self.member(of, self.name(unit, &name))
        });
        self.union(members)
    }

    /// What is reached by steps, in front of a further one. A pointer leads to a thing: where another pointer is followed
    /// from there, to what that thing holds.
    pub(crate) fn along(&self, unit: UnitRef, start: SetId, steps: &[Step], next: Option<&Step>) -> SetId {
        let mut set = start;
        for (at, step) in steps.iter().enumerate() {
            let further = steps.get(at + 1).or(next);
            set = match (step, further) {
                (Step::Deref | Step::MaybeDeref, Some(Step::Deref)) => self.loaded(set),
                (Step::Deref | Step::MaybeDeref, Some(Step::MaybeDeref)) => {
                    self.union([self.loaded(set), self.pointed(set)])
                }
                _ => self.step(unit, set, step),
            };
        }
        set
    }

    /// What lies where pointers lead to.
    fn loaded(&self, of: SetId) -> SetId {
        let held = |&id: &OriginId| match self.origin_of(id) {
            Origin::Made(at) => match self.sight.op(at).map(|op| &op.does) {
                Some(Does::Address(place)) => self.deeper(|| self.at(self.sight.owner(at), place)),
                _ => ANY,
            },
            // Nobody knows what another pointer to a pointer leads to.
            _ => ANY,
        };
        let all = self.all(of);
        self.union(all.iter().map(held).collect::<Vec<_>>())
    }

    /// The things that pointers lead to; of what is no pointer, itself.
    pub(super) fn pointed(&self, of: SetId) -> SetId {
        let thing = |&id: &OriginId| match self.origin_of(id) {
            Origin::Made(at) => match self.sight.op(at).map(|op| &op.does) {
                Some(Does::Address(place)) => self.pointed_at(at, place),
                _ => self.set(vec![id]),
            },
            _ => self.set(vec![id]),
        };
        let all = self.all(of);
        self.union(all.iter().map(thing).collect::<Vec<_>>())
    }

    fn pointed_at(&self, at: OpRef, place: &Place) -> SetId {
        if let Some(known) = self.pointees.borrow().get(&at) {
            return if let Known::Found(set) = known { *set } else { ANY };
        }
        self.pointees.borrow_mut().insert(at, Known::Open);
        let found = self.deeper(|| self.located(self.sight.owner(at), place));
        self.pointees.borrow_mut().insert(at, Known::Found(found));
        found
    }

    /// What a member of this name of these objects may be.
    fn member(&self, of: SetId, name: NameId) -> SetId {
        let before = self.all(of).iter().map(|&of| self.outside(of, name)).collect::<Vec<_>>();
        let before = self.set(before);
        self.union([before, self.stored(name)])
    }

    /// What the member of an object was before.
    pub(super) fn outside(&self, of: OriginId, name: NameId) -> OriginId {
        let (mut depth, mut inner) = (0, of);
        while let Origin::Member(of, _) = self.origin_of(inner) {
            (depth, inner) = (depth + 1, of);
        }
        let is_any = depth >= DEEPEST || inner == OriginId(0);
        if is_any { OriginId(0) } else { self.origin(Origin::Member(of, name)) }
    }

    /// The units that may say a name.
    pub(crate) fn units_of(&self, name: NameId) -> Rc<[UnitRef]> {
        if let Some(known) = self.saying.borrow().get(&name) {
            return known.clone();
        }
        let units: Rc<[UnitRef]> = match self.name_of(name) {
            (Some(own), _) => [own].into(),
            (None, Name::Text(text)) => self.sight.saying(text.as_str()).collect(),
            (None, _) => self.sight.units().collect(),
        };
        self.saying.borrow_mut().insert(name, units.clone());
        units
    }

    /// The objects, and those that the scope's file stores in them: what can be reached through them.
    pub(crate) fn reached(&self, set: SetId) -> SetId {
        if set == ANY || set == NONE {
            return set;
        }
        if let Some(&known) = self.reaching.borrow().get(&set) {
            return known;
        }
        let stores = self.stores();
        let mut all: Vec<OriginId> = self.all(set).to_vec();
        let mut seen: FxHashSet<OriginId> = all.iter().copied().collect();
        let mut at = 0;
        while let Some(id) = all.get(at).copied().filter(|_| all.len() <= MOST) {
            at += 1;
            for &value in stores.get(&id).into_iter().flatten() {
                let values = self.all(value);
                all.extend(values.iter().filter(|id| id.0 != 0 && seen.insert(**id)));
            }
        }
        let found = self.set(all);
        self.reaching.borrow_mut().insert(set, found);
        found
    }

    /// What the scope's file stores, by the objects that it is stored in or below.
    fn stores(&self) -> Stores {
        if let Some(known) = &*self.stores.borrow() {
            return known.clone();
        }
        let unit = super::sight::HOME;
        let (index, bodies) = (self.sight.index(unit), self.sight.unit(unit).body_ids());
        let ops = bodies.flat_map(|body| index.ops_of(body).map(move |op| (body_ref(unit, body), op)));
        let stored = ops.filter_map(|(body, op)| match &op.does {
            Does::Write { place, value: Some(value), .. } if !place.steps.is_empty() => {
                Some((self.base_of(op_ref(unit, op.id), place), self.origins(body, *value)))
            }
            Does::Copy(copied) => Some((self.origins(body, copied.into), self.origins(body, copied.from))),
            _ => None,
        });
        let mut all: FxHashMap<OriginId, BTreeSet<SetId>> = FxHashMap::default();
        for (base, value) in stored.filter(|(_, value)| *value != NONE && *value != ANY) {
            for &id in self.all(self.chain(base)).iter() {
                all.entry(id).or_default().insert(value);
            }
        }
        let all: Stores = Rc::new(all);
        *self.stores.borrow_mut() = Some(all.clone());
        all
    }

    /// What is written anywhere to a member of this name, and the methods of this name.
    pub(crate) fn stored(&self, name: NameId) -> SetId {
        if let Some(known) = self.members.borrow().get(&name) {
            return if let Known::Found(set) = known { *set } else { ANY };
        }
        self.members.borrow_mut().insert(name, Known::Open);
        let found = self.deeper(|| {
            let (_, text) = self.name_of(name);
            let units = self.units_of(name);
            let mut sets = Vec::new();
            for &unit in units.iter() {
                let Some(named) = self.sight.index(unit).named(&text) else { continue };
                sets.extend(named.writes.iter().map(|&op| self.written(op_ref(unit, op))));
                let members = named.members.iter().map(|&(class, at)| &self.sight.unit(unit).class(class).members[at]);
                let methods = members.filter_map(|member| match member.is {
                    Is::Method(body) => Some(self.one(Origin::Function(body_ref(unit, body)))),
                    Is::Getter(_) => Some(ANY),
                    _ => None,
                });
                sets.extend(methods);
            }
            self.union(sets)
        });
        self.members.borrow_mut().insert(name, Known::Found(found));
        found
    }
}

/// Whether an operation is `super(…)`.
pub(super) fn is_super(op: &Op) -> bool {
    matches!(&op.does, Does::Call(call) if call.callee == Callee::Make)
}
