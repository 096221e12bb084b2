//! Candidates: the bodies that a call, a read or a write of a member may run.
//!
//! A name is every definition of it in the class of the receiver, its bases and its subclasses: methods, fields, what
//! constructors and prototypes get. What a receiver of no known class has is every definition in sight. A candidate is
//! out of sight where a base is not read, or a member of no known name is written.

use super::classes::{Family, Receiver};
use super::origins::{NameId, Objects, Origin, SetId};
use super::sight::{HOME, Import, op_ref};
use factgate_ir::{
    BodyKind, BodyRef, Call, Callee, Candidates, Does, Form, Hook, How, Is, Name, On, OpRef, Place, Root, Unit,
    UnitRef, World,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The answers by operation.
type Asked = RefCell<FxHashMap<OpRef, Rc<Candidates>>>;

/// What is wanted of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Want {
    /// To call it.
    Call,
    /// Its value.
    Get,
    /// To give it one.
    Set,
}

/// What was found so far.
pub(super) struct Search {
    bodies: BTreeSet<BodyRef>,
    complete: bool,
}

impl World for Objects<'_> {
    fn unit(&self, of: UnitRef) -> &Unit {
        self.sight.unit(of)
    }

    fn candidates(&self, call: OpRef) -> Candidates {
        (*self.candidates_of(call)).clone()
    }

    fn accessors(&self, access: OpRef) -> Candidates {
        (*self.accessors_of(access)).clone()
    }
}

impl Objects<'_> {
    /// The bodies that a call may run.
    pub(crate) fn candidates_of(&self, at: OpRef) -> Rc<Candidates> {
        self.asked(&self.called, at, || match self.sight.op(at).map(|op| &op.does) {
            Some(Does::Call(call)) => self.call(at, call),
            _ => Candidates::default(),
        })
    }

    /// The getters or setters that an operation may run.
    pub(crate) fn accessors_of(&self, at: OpRef) -> Rc<Candidates> {
        self.asked(&self.accessed, at, || {
            let nothing = Candidates { complete: true, ..Candidates::default() };
            let Some(op) = self.sight.op(at) else { return nothing };
            let (place, want) = match &op.does {
                Does::Read(place) => (place, Want::Get),
                Does::Write { place, how: How::Assign, .. } => (place, Want::Set),
                _ => return nothing,
            };
            let Some((last, before)) = place.steps.split_last() else { return nothing };
            if !before.is_empty() && !self.has_accessors() {
                return nothing;
            }
            let body = self.sight.owner(at);
            let receiver = self.along(at.unit, self.root(body, &place.root), before, place.steps.last());
            let mut search = Search::new();
            match super::index::names_at(last) {
                Some(names) => {
                    for name in names {
                        let name = self.name(at.unit, &name);
                        self.member_of(&mut search, receiver, name, want);
                    }
                }
                None => self.all_of(&mut search, want),
            }
            let complete = search.complete || search.bodies.is_empty();
            Candidates { bodies: search.bodies.into_iter().collect(), complete, never: false }
        })
    }

    fn asked(&self, table: &Asked, at: OpRef, ask: impl FnOnce() -> Candidates) -> Rc<Candidates> {
        if let Some(known) = table.borrow().get(&at) {
            return known.clone();
        }
        // Whoever asks again meanwhile is told that nothing is known.
        table.borrow_mut().insert(at, Rc::default());
        let found = Rc::new(stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, ask));
        table.borrow_mut().insert(at, found.clone());
        found
    }

    fn call(&self, at: OpRef, call: &Call) -> Candidates {
        let body = self.sight.owner(at);
        let mut search = Search::new();
        match &call.callee {
            Callee::Value(value) => {
                self.functions(&mut search, self.origins(body, *value), call.form);
                self.picked(&mut search, body, *value);
            }
            Callee::Member { object, name, function } => {
                let name = self.name(at.unit, name);
                let receiver = self.origins(body, *object);
                self.member_of(&mut search, receiver, name, Want::Call);
                self.resumed(&mut search, receiver, name);
                // What a module exports is a variable's.
                if self.all(receiver).iter().any(|&id| matches!(self.origin_of(id), Origin::Module(_))) {
                    self.functions(&mut search, self.origins(body, *function), call.form);
                }
                if call.form == Form::New {
                    self.functions(&mut search, self.origins(body, *function), call.form);
                    search.complete = false;
                }
            }
            Callee::Super(name) => {
                let name = self.name(at.unit, name);
                self.inherited(&mut search, body, name);
            }
            Callee::Make => self.base_makers(&mut search, body),
            Callee::Fields => {
                let home = self.sight.home(body);
                let unit = self.sight.unit(home.unit);
                let fields = unit.body(home.body).class.and_then(|class| unit.class(class).fields);
                search.bodies.extend(fields.map(|body| BodyRef { unit: home.unit, body }));
            }
            Callee::Hook(hook) => self.hook(&mut search, body, call, *hook),
            Callee::Global(path) => match self.sight.import(at.unit, path) {
                Some((Import::Function(body), rest)) if rest.is_empty() => drop(search.bodies.insert(body)),
                Some((Import::Var(var), rest)) if rest.is_empty() => {
                    self.functions(&mut search, self.var(var), call.form);
                }
                Some((import, rest)) => {
                    // A function of a container that another file declares.
                    let receiver = self.imported_from(at.unit, import, &rest[..rest.len() - 1]);
                    let name = self.name(at.unit, &Name::Text(rest[rest.len() - 1].clone()));
                    self.member_of(&mut search, receiver, name, Want::Call);
                }
                _ => {
                    let set = self.root(body, &Root::Global(path.clone()));
                    self.functions(&mut search, set, call.form);
                }
            },
        }
        let bodies: Vec<BodyRef> = search.bodies.into_iter().collect();
        let never = !bodies.is_empty() && search.complete && bodies.iter().all(|&body| self.never_returns(body));
        Candidates { bodies, complete: search.complete, never }
    }

    fn never_returns(&self, body: BodyRef) -> bool {
        self.sight.never_returns(body)
    }

    /// The functions among some objects.
    fn functions(&self, search: &mut Search, set: SetId, form: Form) {
        let all = self.all(set);
        search.complete &= !all.is_empty();
        for &id in all.iter() {
            match self.origin_of(id) {
                Origin::Function(body) => drop(search.bodies.insert(body)),
                Origin::Class(class) if form == Form::New => {
                    let body = self.sight.unit(class.unit).class(class.class).make;
                    search.bodies.insert(BodyRef { unit: class.unit, body });
                }
                Origin::Global(_) => search.complete = false,
                _ => {
                    search.complete = false;
                    search.bodies.extend(self.listed().iter());
                }
            }
        }
    }

    /// Functions that are elements somewhere in the scope's file: what is called may be one.
    fn listed(&self) -> Rc<[BodyRef]> {
        if let Some(known) = &*self.listed.borrow() {
            return known.clone();
        }
        *self.listed.borrow_mut() = Some(Rc::from([]));
        let index = self.sight.index(HOME);
        let mut found: Vec<BodyRef> = Vec::new();
        for &op in &index.elements {
            let written = self.all(self.written(op_ref(HOME, op)));
            found.extend(written.iter().filter_map(|&id| self.function(id)));
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[BodyRef]> = found.into();
        *self.listed.borrow_mut() = Some(found.clone());
        found
    }

    /// The constructors that `super(…)` may run.
    fn base_makers(&self, search: &mut Search, body: BodyRef) {
        let Some((class, _)) = self.class_around(body) else { return search.open() };
        let (bases, read) = self.bases(class);
        search.complete &= read && !bases.is_empty();
        for base in bases {
            let body = self.sight.unit(base.unit).class(base.class).make;
            search.bodies.insert(BodyRef { unit: base.unit, body });
        }
        for body in self.base_functions(class) {
            search.bodies.insert(body);
        }
    }

    /// The methods that `super.m()` may run.
    fn inherited(&self, search: &mut Search, body: BodyRef, name: NameId) {
        let Some((class, on)) = self.class_around(body) else { return search.open() };
        let family = self.ancestors(class);
        search.complete &= family.read;
        self.of_family(search, &family, on, name, Want::Call);
        search.complete &= !search.bodies.is_empty();
    }

    /// What a member of this name of these objects runs.
    fn member_of(&self, search: &mut Search, receiver: SetId, name: NameId, want: Want) {
        let all = self.all(receiver);
        search.complete &= !all.is_empty();
        for &id in all.iter() {
            match self.receiver(id) {
                Receiver::Instance(class, on) => {
                    let family = self.family(class);
                    search.complete &= family.read && !self.is_tampered(class, on);
                    let before = search.bodies.len();
                    self.of_family(search, &family, on, name, want);
                    search.complete &= search.bodies.len() > before;
                }
                Receiver::Table(made) => self.of_table(search, made, name, want),
                Receiver::Foreign => search.complete = false,
                Receiver::Unknown => {
                    search.complete = false;
                    self.anywhere(search, name, want);
                }
            }
        }
    }

    /// What classes of a family have under a name.
    fn of_family(&self, search: &mut Search, family: &Family, on: On, name: NameId, want: Want) {
        let (own, text) = self.name_of(name);
        for class in &family.classes {
            let (unit, index) = (self.sight.unit(class.unit), self.sight.index(class.unit));
            if own.is_some_and(|own| own != class.unit) {
                continue;
            }
            let named = index.named(&text).map_or(&[][..], |named| &named.members[..]);
            for &(_, at) in named.iter().filter(|(of, _)| *of == class.class) {
                let member = &unit.class(class.class).members[at];
                if member.on == on {
                    self.is(search, class.unit, member.is, want);
                }
            }
            for &(_, at) in index.computed_members.iter().filter(|(of, _)| *of == class.class) {
                let member = &unit.class(class.class).members[at];
                if member.on == on {
                    self.is(search, class.unit, member.is, want);
                    search.complete = false;
                }
            }
        }
        self.written_as(search, name, want, &|base| self.may_belong(base, family, on));
        if want == Want::Call {
            let units = family.classes.iter().map(|class| class.unit).collect();
            self.written_anyhow(search, &units, &|base| self.may_belong(base, family, on));
        }
    }

    /// Functions that are written under a name that nobody knows.
    fn written_anyhow(&self, search: &mut Search, units: &BTreeSet<UnitRef>, may_be: &dyn Fn(SetId) -> bool) {
        for &unit in units {
            for &op in &self.sight.index(unit).computed {
                let at = op_ref(unit, op);
                let Some(Does::Write { place, .. }) = self.sight.op(at).map(|op| &op.does) else { continue };
                if may_be(self.base_of(at, place)) {
                    let written = self.all(self.written(at));
                    search.bodies.extend(written.iter().filter_map(|&id| self.function(id)));
                }
            }
        }
    }

    /// What a literal has under a name.
    fn of_table(&self, search: &mut Search, made: OpRef, name: NameId, want: Want) {
        search.complete &= !self.is_copied_into(made);
        let before = search.bodies.len();
        let own = self.origin(Origin::Made(made));
        let may_be = |base: SetId| {
            let all = self.all(base);
            all.contains(&own) || all.iter().any(|&id| matches!(self.receiver(id), Receiver::Unknown))
        };
        self.written_as(search, name, want, &may_be);
        if want == Want::Call {
            self.written_anyhow(search, &BTreeSet::from([made.unit]), &may_be);
        }
        search.complete &= search.bodies.len() > before;
    }

    /// What anything in sight has under a name.
    fn anywhere(&self, search: &mut Search, name: NameId, want: Want) {
        let known = self.found.borrow().get(&(name, want)).cloned();
        let found = known.unwrap_or_else(|| {
            let mut found = Search::new();
            self.read_anywhere(&mut found, name, want);
            let found = Rc::new(found);
            self.found.borrow_mut().insert((name, want), found.clone());
            found
        });
        search.complete &= found.complete;
        search.bodies.extend(&found.bodies);
    }

    fn read_anywhere(&self, search: &mut Search, name: NameId, want: Want) {
        let (own, text) = self.name_of(name);
        for &unit in self.units_of(name).iter() {
            let named = self.sight.index(unit).named(&text).map_or(&[][..], |named| &named.members[..]);
            for &(class, at) in named {
                self.is(search, unit, self.sight.unit(unit).class(class).members[at].is, want);
            }
            for &(class, at) in self.sight.index(unit).computed_members.iter().filter(|_| own.is_none()) {
                self.is(search, unit, self.sight.unit(unit).class(class).members[at].is, want);
            }
        }
        self.written_as(search, name, want, &|_| true);
    }

    /// A member of no known name that is called: every one of what has it.
    fn picked(&self, search: &mut Search, body: BodyRef, value: factgate_ir::ValueId) {
        let Some(Does::Read(place)) = self.sight.def(body, value).map(|op| &op.does) else { return };
        let Some(last) = place.steps.last() else { return };
        if super::index::names_at(last).is_some_and(|names| !names.is_empty()) {
            return;
        }
        search.complete = false;
        let before = &place.steps[..place.steps.len() - 1];
        let base = self.along(body.unit, self.root(body, &place.root), before, place.steps.last());
        for &id in self.all(base).iter() {
            match self.receiver(id) {
                Receiver::Instance(class, on) => {
                    for class in &self.family(class).classes {
                        let members = &self.sight.unit(class.unit).class(class.class).members;
                        let side = members.iter().filter(|member| member.on == on);
                        side.for_each(|member| self.is(search, class.unit, member.is, Want::Call));
                    }
                }
                Receiver::Table(_) | Receiver::Foreign => {}
                Receiver::Unknown => {
                    for class in &self.sight.unit(body.unit).classes {
                        class.members.iter().for_each(|member| self.is(search, body.unit, member.is, Want::Call));
                    }
                }
            }
        }
        let reached = self.all(self.reached(base));
        search.bodies.extend(reached.iter().filter_map(|&id| self.function(id)));
    }

    /// What goes on when a state of a generator is asked for more, and the function behind `call` and its like.
    fn resumed(&self, search: &mut Search, receiver: SetId, name: NameId) {
        let (_, Name::Text(text)) = self.name_of(name) else { return };
        match text.as_str() {
            "next" | "return" | "throw" if search.bodies.is_empty() || !search.complete => {
                search.complete = false;
                search.bodies.extend(self.generators());
            }
            "call" | "apply" | "bind" => {
                search.bodies.extend(self.all(receiver).iter().filter_map(|&id| self.function(id)));
                search.complete = false;
            }
            _ => {}
        }
    }

    /// Every setter or getter in sight.
    fn all_of(&self, search: &mut Search, want: Want) {
        search.complete = false;
        let word = if want == Want::Set { "set " } else { "get " };
        for unit in self.sight.saying(word) {
            for class in &self.sight.unit(unit).classes {
                class.members.iter().for_each(|member| self.is(search, unit, member.is, want));
            }
        }
    }

    /// What a member is.
    fn is(&self, search: &mut Search, unit: UnitRef, is: Is, want: Want) {
        match (is, want) {
            (Is::Method(body), Want::Call) | (Is::Getter(body), Want::Get) | (Is::Setter(body), Want::Set) => {
                search.bodies.insert(BodyRef { unit, body });
            }
            // What a getter gives is called.
            (Is::Getter(body), Want::Call) => {
                search.complete = false;
                let getter = BodyRef { unit, body };
                let returns = &self.sight.index(unit).bodies[body.index()].returns;
                returns.iter().for_each(|&value| self.functions(search, self.origins(getter, value), Form::Plain));
            }
            (Is::Method(_), Want::Get | Want::Set) | (Is::Replaced, _) => search.complete = false,
            (Is::Field | Is::Getter(_) | Is::Setter(_), _) => {}
        }
    }

    /// What is written somewhere to a member of this name of an object that may be the one.
    fn written_as(&self, search: &mut Search, name: NameId, want: Want, may_be: &dyn Fn(SetId) -> bool) {
        let (_, text) = self.name_of(name);
        for &unit in self.units_of(name).iter() {
            let Some(named) = self.sight.index(unit).named(&text) else { continue };
            for &op in &named.writes {
                let at = op_ref(unit, op);
                let Some(Does::Write { place, how, .. }) = self.sight.op(at).map(|op| &op.does) else { continue };
                let wanted = match (how, want) {
                    (How::Getter, Want::Get) | (How::Setter, Want::Set) => true,
                    (How::Getter | How::Setter, _) => false,
                    (_, want) => want == Want::Call,
                };
                if !may_be(self.base_of(at, place)) {
                    continue;
                }
                if wanted {
                    self.functions(search, self.written(at), Form::Plain);
                } else {
                    search.complete = false;
                }
            }
        }
    }

    /// The objects whose member a place is.
    pub(crate) fn base_of(&self, at: OpRef, place: &Place) -> SetId {
        let body = self.sight.owner(at);
        let before = place.steps.split_last().map_or(&[][..], |(_, before)| before);
        self.along(at.unit, self.root(body, &place.root), before, place.steps.last())
    }

    /// Whether any accessor is in sight.
    fn has_accessors(&self) -> bool {
        let is_one = |is: Is| matches!(is, Is::Getter(_) | Is::Setter(_));
        let mut classes = self.sight.unit(HOME).classes.iter();
        classes.any(|class| class.members.iter().any(|member| is_one(member.is)))
    }

    /// What the language calls by itself.
    fn hook(&self, search: &mut Search, body: BodyRef, call: &Call, hook: Hook) {
        let names: &[&str] = match hook {
            Hook::Iterate => &["@@iterator"],
            Hook::IterateAsync => &["@@asyncIterator", "@@iterator"],
            Hook::Next => &["next"],
            Hook::Close => &["return"],
            Hook::Convert => &["valueOf", "toString", "@@toPrimitive", "toJSON"],
            Hook::HasInstance => &["@@hasInstance"],
            Hook::Dispose => &["@@dispose", "@@asyncDispose"],
            Hook::Drop => &["drop"],
            Hook::Keys => return,
        };
        let receiver = call.this.map_or(super::origins::ANY, |value| self.origins(body, value));
        for name in names {
            let name = self.name(body.unit, &Name::text(name));
            match hook {
                // The state of an iteration is nobody's value.
                Hook::Next | Hook::Close => self.anywhere(search, name, Want::Call),
                _ => self.member_of(search, receiver, name, Want::Call),
            }
        }
        if matches!(hook, Hook::Next | Hook::Close) {
            search.bodies.extend(self.generators());
        }
        search.complete = false;
    }

    /// The bodies that run where something is iterated.
    pub(crate) fn generators(&self) -> Vec<BodyRef> {
        let of_unit = |unit: UnitRef| {
            let is_one = |kind| matches!(kind, BodyKind::Generator | BodyKind::AsyncGenerator);
            let bodies = self.sight.unit(unit).body_ids();
            bodies
                .filter(move |&body| is_one(self.sight.unit(unit).body(body).kind))
                .map(move |body| BodyRef { unit, body })
        };
        self.sight.saying("yield").flat_map(of_unit).collect()
    }
}

impl Search {
    fn new() -> Search {
        Search { bodies: BTreeSet::new(), complete: true }
    }

    fn open(&mut self) {
        self.complete = false;
    }
}
