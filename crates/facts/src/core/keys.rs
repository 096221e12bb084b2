//! Keys: what can be read and written, apart from where and when. Numbered, so that they are compared once a pair.

use super::index::names_at;
use super::origins::{ANY, NONE, NameId, Objects, Origin, OriginId, SetId};
use super::sight::VarRef;
use factgate_ir::{
    BodyRef, Copied, Does, Forget, Given, Holds, How, Name, Op, OpRef, Place, Root, SlotId, Step, ValueId, VarId,
};

/// What is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum What {
    /// A variable.
    Var(VarRef),
    /// A member by name.
    Member(NameId),
    /// Elements, and how many there are.
    Elements,
    /// A member or element, nobody knows which.
    AnyMember,
    /// Part of what lies in a variable, in a member, in an element: only a read of all of that asks for it.
    PartOfVar(VarRef),
    PartOf(NameId),
    PartOfElement,
    /// What a pointer leads to, nobody knows where.
    Pointee,
    /// Read only: an object that is handed to code out of sight, with all that is reached through it.
    Whole,
    /// Written only: nobody knows what.
    Everything,
}

/// What is read or written, and the objects that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) what: What,
    pub(crate) of: SetId,
}

/// A number for a [`Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct KeyId(pub(super) u32);

/// What holds the object that a key is of, in one body: the names by which `alone` knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Holder {
    Var(VarId),
    Slot(SlotId),
    Value(ValueId),
    /// Its `this`.
    This,
}

/// A key, and who holds its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Use {
    pub(crate) key: KeyId,
    pub(crate) holder: Option<Holder>,
}

impl Objects<'_> {
    pub(crate) fn key(&self, what: What, of: SetId) -> KeyId {
        KeyId(self.keys.borrow_mut().id(Key { what, of }))
    }

    pub(crate) fn key_of(&self, id: KeyId) -> Key {
        *self.keys.borrow().get(id.0)
    }

    pub(crate) fn usage(&self, what: What, of: SetId, holder: Option<Holder>) -> Use {
        Use { key: self.key(what, of), holder }
    }

    /// What holds a value's object.
    pub(crate) fn holder(&self, body: BodyRef, value: ValueId) -> Holder {
        match self.sight.def(body, value).map(|op| &op.does) {
            Some(Does::Read(Place { root: Root::Var(var), steps })) if steps.is_empty() => Holder::Var(*var),
            Some(Does::Read(Place { root: Root::Slot(slot), steps })) if steps.is_empty() => Holder::Slot(*slot),
            Some(Does::Given(Given::This)) => Holder::This,
            _ => Holder::Value(value),
        }
    }

    fn root_holder(&self, body: BodyRef, root: &Root) -> Option<Holder> {
        match root {
            Root::Var(var) => Some(Holder::Var(*var)),
            Root::Slot(slot) => Some(Holder::Slot(*slot)),
            Root::Value(value) => Some(self.holder(body, *value)),
            Root::Super => Some(Holder::This),
            Root::Global(_) => None,
        }
    }

    /// What is read on the way to a place and at it.
    pub(crate) fn reads_of_place(&self, body: BodyRef, place: &Place, out: &mut Vec<Use>) {
        let var = match &place.root {
            Root::Var(var) => Some(VarRef { unit: body.unit, var: *var }),
            Root::Global(path) => self.imported(body, path),
            _ => None,
        };
        out.extend(var.map(|var| self.usage(What::Var(var), ANY, Some(Holder::Var(var.var)))));
        for length in 1..=place.steps.len() {
            // Where members of what a pointer leads to lie in it, a write of all of it is one of them.
            let is_way = matches!(place.steps[length - 1], Step::Deref)
                && matches!(place.steps.get(length), Some(Step::Member(_) | Step::Element(..) | Step::Any));
            if !is_way {
                self.location(body, &place.root, &place.steps[..length], out);
            }
        }
        let lies_in_place = place.steps.len() != 1 || !matches!(place.steps[0], Step::Member(_) | Step::Element(..));
        if lies_in_place {
            self.part_of(body, &place.root, &place.steps, out);
        }
    }

    /// Of what a place lies in, as far as no pointer is followed, a part is written.
    fn parts_around(&self, body: BodyRef, place: &Place, out: &mut Vec<Use>) {
        let way = place.steps.iter().rposition(|step| *step == Step::Deref).map_or(0, |last| last + 1);
        for length in way..place.steps.len() {
            self.part_of(body, &place.root, &place.steps[..length], out);
        }
    }

    fn part_of(&self, body: BodyRef, root: &Root, steps: &[Step], out: &mut Vec<Use>) {
        let last = steps.iter().rposition(|step| !matches!(step, Step::MaybeDeref | Step::Member(Name::Inner)));
        match (last.map(|last| (&steps[last], &steps[..last])), root) {
            (None, Root::Var(var)) if self.is_own(VarRef { unit: body.unit, var: *var }) => {
                let var = VarRef { unit: body.unit, var: *var };
                out.push(self.usage(What::PartOfVar(var), ANY, Some(Holder::Var(var.var))));
            }
            (Some((Step::Member(name), before)), root) => {
                let of = self.objects_at(body, root, before, None);
                let what = What::PartOf(self.name(body.unit, name));
                out.push(self.usage(what, of, self.only_holder(body, root, before)));
            }
            (Some((Step::Element(..) | Step::Any, before)), root) => {
                let of = self.objects_at(body, root, before, None);
                out.push(self.usage(What::PartOfElement, of, self.only_holder(body, root, before)));
            }
            // What a pointer leads to lies where the pointer was made.
            (Some((Step::Deref, before)), root) => {
                for &id in self.all(self.objects_at(body, root, before, Some(&Step::Deref))).iter() {
                    if let Some((at, place)) = self.addressed(id) {
                        self.nested(|| {
                            let owner = self.sight.owner(at);
                            self.part_of(owner, &place.root, &place.steps, out);
                            self.parts_around(owner, place, out);
                        });
                    }
                }
            }
            _ => {}
        }
    }

    /// The variable of another unit that a name means.
    pub(crate) fn imported(&self, body: BodyRef, path: &factgate_ir::Path) -> Option<VarRef> {
        match self.sight.import(body.unit, path) {
            Some((super::sight::Import::Var(var), _)) => Some(var),
            _ => None,
        }
    }

    /// What a place is, when it is written.
    pub(crate) fn writes_of_place(&self, body: BodyRef, place: &Place, how: &How, out: &mut Vec<Use>) {
        if place.steps.len() > 1 || matches!(place.root, Root::Var(_)) {
            self.parts_around(body, place, out);
        }
        match (&place.root, &place.steps[..]) {
            (Root::Var(var), []) => {
                let var = VarRef { unit: body.unit, var: *var };
                out.push(self.usage(What::Var(var), ANY, Some(Holder::Var(var.var))));
            }
            (Root::Global(path), []) => {
                out.extend(self.imported(body, path).map(|var| self.usage(What::Var(var), ANY, None)))
            }
            (Root::Slot(_) | Root::Value(_) | Root::Super, []) => {}
            (root, steps) => match (how, steps.split_last()) {
                (How::Whole(names), Some((Step::Deref | Step::MaybeDeref, before))) if !names.is_empty() => {
                    let of = self.objects_at(body, root, before, Some(&Step::Deref));
                    let of = self.step(body.unit, of, &Step::Deref);
                    for name in names {
                        let what = What::Member(self.name(body.unit, name));
                        out.push(self.usage(what, of, self.only_holder(body, root, before)));
                    }
                }
                (How::Whole(names), _) => {
                    self.location(body, root, steps, out);
                    let is_element = |step: &Step| matches!(step, Step::Element(..) | Step::Any);
                    let around = steps.iter().rposition(|step| !is_element(step)).map_or(0, |last| last + 1);
                    let of = self.located(body, &Place { root: root.clone(), steps: steps[..around].to_vec() });
                    let member = |name: &Name| self.usage(What::Member(self.name(body.unit, name)), of, None);
                    out.extend(names.iter().map(member));
                    if names.is_empty() {
                        out.push(self.usage(What::AnyMember, of, None));
                    }
                }
                _ => self.location(body, root, steps, out),
            },
        }
    }

    /// The last step of a place.
    fn location(&self, body: BodyRef, root: &Root, steps: &[Step], out: &mut Vec<Use>) {
        let Some((last, before)) = steps.split_last() else { return };
        let of = self.objects_at(body, root, before, Some(last));
        let holder = self.only_holder(body, root, before);
        match last {
            Step::MaybeDeref => {}
            Step::Deref => self.pointee(of, out),
            // What an optional holds lies in it.
            Step::Member(name @ (Name::Inner | Name::Error)) => {
                out.push(self.usage(What::Member(self.name(body.unit, name)), of, holder));
                self.location(body, root, before, out);
            }
            Step::Member(Name::Length) | Step::Element(factgate_ir::Key::Number, _) => {
                out.push(self.usage(What::Elements, of, holder));
            }
            step => match names_at(step) {
                Some(names) => {
                    for name in &names {
                        let what = What::Member(self.name(body.unit, name));
                        out.push(self.usage(what, of, holder));
                        out.extend(beside(name).map(|what| self.usage(what, of, holder)));
                        out.extend(self.exported(of, name).map(|var| self.usage(What::Var(var), ANY, None)));
                    }
                }
                None => out.push(self.usage(What::AnyMember, of, holder)),
            },
        }
    }

    /// The variable that a member of a module is.
    fn exported(&self, of: SetId, name: &Name) -> Option<VarRef> {
        let Name::Text(text) = name else { return None };
        self.all(of).iter().find_map(|&id| match self.origin_of(id) {
            Origin::Module(unit) => match self.sight.exported(unit, text.as_str()) {
                Some(super::sight::Import::Var(var)) => Some(var),
                _ => None,
            },
            _ => None,
        })
    }

    /// What pointers lead to.
    fn pointee(&self, of: SetId, out: &mut Vec<Use>) {
        for &id in self.all(of).iter() {
            let found = self.addressed(id).and_then(|(at, place)| self.nested(|| self.behind_pointer(at, place, out)));
            if found.is_none() {
                out.push(self.usage(What::Pointee, self.set(vec![id]), None));
            }
        }
    }

    /// The place whose address an object is.
    fn addressed(&self, id: OriginId) -> Option<(OpRef, &Place)> {
        let Origin::Made(at) = self.origin_of(id) else { return None };
        match &self.sight.op(at)?.does {
            Does::Address(place) => Some((at, place)),
            _ => None,
        }
    }

    /// The place that a pointer was made of.
    fn behind_pointer(&self, at: OpRef, place: &Place, out: &mut Vec<Use>) {
        let body = self.sight.owner(at);
        let before = out.len();
        match (&place.root, &place.steps[..]) {
            (Root::Var(var), []) => {
                let var = VarRef { unit: at.unit, var: *var };
                out.push(self.usage(What::Var(var), ANY, None));
            }
            (root, steps) => {
                self.location(body, root, steps, out);
                self.parts_around(body, place, out);
            }
        }
        out[before..].iter_mut().for_each(|one| one.holder = None);
    }

    /// The objects whose member the next step is.
    fn objects_at(&self, body: BodyRef, root: &Root, before: &[Step], next: Option<&Step>) -> SetId {
        if let Root::Var(var) = root
            && self.is_own(VarRef { unit: body.unit, var: *var })
            && !before.iter().any(|step| matches!(step, Step::Deref | Step::MaybeDeref))
        {
            return self.set(vec![self.origin(Origin::Storage(VarRef { unit: body.unit, var: *var }))]);
        }
        self.along(body.unit, self.root(body, root), before, next)
    }

    /// The objects that a place is, or is a part of: what a pointer to it leads to.
    pub(crate) fn located(&self, body: BodyRef, place: &Place) -> SetId {
        let is_way = |step: &Step| matches!(step, Step::Deref | Step::MaybeDeref);
        let way = place.steps.iter().rposition(is_way).map_or(0, |last| last + 1);
        let (way, inside) = place.steps.split_at(way);
        let start = self.objects_at(body, &place.root, way, inside.first());
        let is_storage = |id: &&OriginId| matches!(self.origin_of(**id), Origin::Storage(_));
        let all = self.all(start);
        // A part of what a variable itself holds lies in it.
        let own = self.set(all.iter().filter(is_storage).copied().collect());
        let others = self.set(all.iter().filter(|id| !is_storage(id)).copied().collect());
        let others =
            inside.iter().fold(others, |set, step| if set == NONE { set } else { self.step(body.unit, set, step) });
        self.union([own, others])
    }

    /// Whether a variable holds the thing itself.
    pub(crate) fn is_own(&self, var: VarRef) -> bool {
        self.sight.unit(var.unit).var(var.var).holds == Holds::Own
    }

    fn only_holder(&self, body: BodyRef, root: &Root, before: &[Step]) -> Option<Holder> {
        let is_way = |step: &Step| matches!(step, Step::Deref | Step::MaybeDeref);
        if before.iter().all(is_way) { self.root_holder(body, root) } else { None }
    }

    /// The names of all members of an object that a literal made, when nothing but its own members was written to it, by
    /// names, before this operation.
    fn literal_names(&self, body: BodyRef, object: ValueId, until: &Op) -> Option<Vec<Name>> {
        let made = self.sight.def(body, object)?;
        if made.does != Does::Make(factgate_ir::Made::Object) {
            return None;
        }
        let uses = self.sight.ops_of(body).filter(|op| op.id < until.id && op.does.uses().contains(&object));
        let names = uses.map(|op| match &op.does {
            Does::Write { place: Place { root: Root::Value(root), steps }, value, .. }
                if *root == object && *value != Some(object) =>
            {
                match &steps[..] {
                    [Step::Member(name)] => Some(Some(name.clone())),
                    _ => None,
                }
            }
            Does::Call(_) if op.node == until.node => Some(None),
            _ => None,
        });
        names.collect::<Option<Vec<_>>>().map(|names| names.into_iter().flatten().collect())
    }

    /// What an operation itself writes, apart from what it calls.
    pub(crate) fn direct_writes(&self, body: BodyRef, op: &Op) -> Vec<Use> {
        let mut out = Vec::new();
        match &op.does {
            Does::Write { place, how, .. } => self.writes_of_place(body, place, how, &mut out),
            Does::Copy(Copied { from, into, .. }) => {
                let of = self.origins(body, *into);
                let holder = Some(self.holder(body, *into));
                match self.literal_names(body, *from, op) {
                    Some(names) => {
                        let what = |name: Name| What::Member(self.name(body.unit, &name));
                        out.extend(names.into_iter().map(|name| self.usage(what(name), of, holder)));
                    }
                    None => out.push(self.usage(What::AnyMember, of, holder)),
                }
            }
            Does::Renew(vars) => {
                for &var in vars {
                    let what = What::Var(VarRef { unit: body.unit, var });
                    out.push(self.usage(what, ANY, Some(Holder::Var(var))));
                }
            }
            Does::Forget(Forget::Everything) => out.push(self.usage(What::Everything, ANY, None)),
            Does::Forget(Forget::Vars(vars)) => {
                for &var in vars {
                    let own = VarRef { unit: body.unit, var };
                    out.push(self.usage(What::Var(own), ANY, Some(Holder::Var(var))));
                    out.push(self.usage(What::AnyMember, self.var(own), Some(Holder::Var(var))));
                }
            }
            _ => {}
        }
        out
    }

    /// What an operation itself reads, apart from what it calls.
    pub(crate) fn direct_reads(&self, body: BodyRef, op: &Op) -> Vec<Use> {
        let mut out = Vec::new();
        match &op.does {
            Does::Read(place) => self.reads_of_place(body, place, &mut out),
            Does::Has(object, step) => {
                let root = Root::Value(*object);
                match step {
                    Step::Element(factgate_ir::Key::Number, _) => {
                        self.location(body, &root, &[Step::Member(Name::Length)], &mut out)
                    }
                    step => self.location(body, &root, std::slice::from_ref(step), &mut out),
                }
            }
            Does::Copy(Copied { from, .. }) => {
                let of = self.origins(body, *from);
                out.push(self.usage(What::AnyMember, of, Some(self.holder(body, *from))));
            }
            Does::Compute(factgate_ir::Prim::InstanceOf, operands) => {
                let name = What::Member(self.name(body.unit, &Name::text("__proto__")));
                let object =
                    |&value: &ValueId| self.usage(name, self.origins(body, value), Some(self.holder(body, value)));
                out.extend(operands.first().map(object));
            }
            Does::Address(place) => {
                // The way to the place is read, not what lies there.
                if let Some((_, before)) = place.steps.split_last() {
                    self.reads_of_place(body, &Place { root: place.root.clone(), steps: before.to_vec() }, &mut out);
                }
            }
            _ => {}
        }
        out
    }

    /// The objects themselves and those that they are reached through.
    pub(crate) fn chain(&self, set: SetId) -> SetId {
        if let Some(&known) = self.chains.borrow().get(&set) {
            return known;
        }
        let mut all: Vec<OriginId> = self.all(set).to_vec();
        let mut at = 0;
        while let Some(&id) = all.get(at) {
            at += 1;
            if let Origin::Member(of, _) = self.origin_of(id)
                && !all.contains(&of)
            {
                all.push(of);
            }
        }
        let found = self.set(all);
        self.chains.borrow_mut().insert(set, found);
        found
    }
}

/// What a member of this name stands for beside itself: all members of a prototype, the elements that a size counts.
fn beside(name: &Name) -> Option<What> {
    let Name::Text(text) = name else { return None };
    match text.as_str() {
        "__proto__" => Some(What::AnyMember),
        "size" => Some(What::Elements),
        _ => None,
    }
}
