//! Forms of values: a number for what a value is computed from. Values of one form are the same as long as nothing ends
//! what it reads.

use super::code::Means;
use super::names::{Names, Stand};
use factgate_ir::graph::FrameId;
use factgate_ir::{
    Callee, Const, Does, Form as CallForm, Given, Key as ElementKey, Name, Op, Order, Path, Pause, Place, Prim, Root,
    Step, UnitRef, ValueId,
};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// The number of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FormId(pub(super) u32);

/// What a value is computed from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Means(Means),
    Global(Option<UnitRef>, Path),
    /// The unit says whose private names and symbols are meant.
    Member(FormId, UnitRef, Name),
    Text(FormId, factgate_ir::Sym),
    Element(FormId, FormId),
    Deref(FormId),
    Has(FormId, FormId),
    Const(Const),
    Call(FormId, Option<FormId>, Vec<FormId>),
    Compute(Prim, Vec<FormId>),
    Await(FormId),
    /// Whether the two are equal: in one order.
    Same(FormId, FormId),
    Less(FormId, FormId, Order),
    /// This value of this frame and no other.
    Own(FrameId, ValueId),
}

/// A form of a value, and the names that must still have what stands for them in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Formed {
    pub(super) form: FormId,
    pub(super) needs: BTreeSet<Means>,
}

/// Whether names are replaced by what they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stands {
    Kept,
    Replaced,
}

/// Names replaced by names beyond which a form is left as it is.
const DEEPEST: usize = 12;

/// The forms of one graph.
#[derive(Default)]
pub(super) struct Forms {
    ids: HashMap<Form, FormId>,
    all: Vec<Form>,
    known: HashMap<(FrameId, ValueId, Stands), Formed>,
    /// For each form, where a name of it was met first: for what stands for it.
    met: HashMap<Means, FrameId>,
}

impl Forms {
    pub(super) fn id(&mut self, form: Form) -> FormId {
        let next = FormId(self.all.len() as u32);
        *self.ids.entry(form).or_insert_with_key(|form| {
            self.all.push(form.clone());
            next
        })
    }

    pub(super) fn get(&self, id: FormId) -> &Form {
        &self.all[id.0 as usize]
    }

    /// The frame in which a name was met.
    pub(super) fn met(&self, means: Means) -> Option<FrameId> {
        self.met.get(&means).copied()
    }

    /// Whether the two values of these forms are equal.
    pub(super) fn same(&mut self, left: FormId, right: FormId) -> FormId {
        self.id(Form::Same(left.min(right), left.max(right)))
    }

    /// The parts that a form has directly.
    pub(super) fn parts(&self, id: FormId) -> Vec<FormId> {
        match self.get(id) {
            Form::Means(_) | Form::Global(..) | Form::Const(_) | Form::Own(..) => Vec::new(),
            Form::Member(of, ..) | Form::Text(of, _) | Form::Deref(of) | Form::Await(of) => vec![*of],
            Form::Element(a, b) | Form::Has(a, b) | Form::Same(a, b) | Form::Less(a, b, _) => vec![*a, *b],
            Form::Call(callee, this, args) => [*callee].into_iter().chain(*this).chain(args.iter().copied()).collect(),
            Form::Compute(_, operands) => operands.clone(),
        }
    }

    /// Whether `part` is in it.
    pub(super) fn holds(&self, id: FormId, part: FormId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if id == part {
                return true;
            }
            open.extend(self.parts(id));
        }
        false
    }

    /// Whether it calls something, which may answer otherwise the next time.
    pub(super) fn calls(&self, id: FormId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if matches!(self.get(id), Form::Call(..) | Form::Await(_)) {
                return true;
            }
            open.extend(self.parts(id));
        }
        false
    }

    /// The variable that it is, and nothing more.
    pub(super) fn as_name(&self, id: FormId) -> Option<Means> {
        if let Form::Means(means) = self.get(id) { Some(*means) } else { None }
    }

    /// The form of a value.
    pub(super) fn of(&mut self, names: &Names<'_>, frame: FrameId, value: ValueId, stands: Stands) -> Formed {
        self.formed(names, frame, value, stands, 0)
    }

    fn formed(&mut self, names: &Names<'_>, frame: FrameId, value: ValueId, stands: Stands, depth: usize) -> Formed {
        if let Some(known) = self.known.get(&(frame, value, stands)) {
            return known.clone();
        }
        let mut maker = Maker { forms: self, names, stands, needs: BTreeSet::new(), depth };
        let form = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || maker.value(frame, value));
        let formed = Formed { form, needs: maker.needs };
        self.known.insert((frame, value, stands), formed.clone());
        formed
    }

    /// The form of a place.
    pub(super) fn place(&mut self, names: &Names<'_>, frame: FrameId, place: &Place, stands: Stands) -> Option<Formed> {
        let mut maker = Maker { forms: self, names, stands, needs: BTreeSet::new(), depth: 0 };
        let form = maker.place(frame, place)?;
        Some(Formed { form, needs: maker.needs })
    }
}

struct Maker<'m, 'n> {
    forms: &'m mut Forms,
    names: &'m Names<'n>,
    stands: Stands,
    needs: BTreeSet<Means>,
    depth: usize,
}

impl Maker<'_, '_> {
    fn inner(&mut self, frame: FrameId, value: ValueId) -> FormId {
        let formed = self.forms.formed(self.names, frame, value, self.stands, self.depth);
        self.needs.extend(formed.needs);
        formed.form
    }

    fn value(&mut self, frame: FrameId, value: ValueId) -> FormId {
        let own = Form::Own(frame, value);
        let Some(op) = self.names.def(frame, value) else { return self.forms.id(own) };
        let form = self.op(frame, op).unwrap_or(own);
        match form {
            Form::Means(means) => self.name(frame, means),
            form => self.forms.id(form),
        }
    }

    fn op(&mut self, frame: FrameId, op: &Op) -> Option<Form> {
        Some(match &op.does {
            Does::Const(constant) => Form::Const(constant.clone()),
            Does::Given(Given::This) => Form::Means(self.this(frame)),
            Does::Read(place) => {
                let id = self.place(frame, place)?;
                self.forms.get(id).clone()
            }
            Does::Has(object, step) => {
                let (object, key) = (self.inner(frame, *object), self.step_key(frame, step)?);
                Form::Has(object, key)
            }
            Does::Compute(Prim::Same(_), operands) if operands.len() == 2 => {
                let (left, right) = (self.inner(frame, operands[0]), self.inner(frame, operands[1]));
                Form::Same(left.min(right), left.max(right))
            }
            Does::Compute(Prim::Less(order), operands) if operands.len() == 2 => {
                Form::Less(self.inner(frame, operands[0]), self.inner(frame, operands[1]), *order)
            }
            Does::Compute(prim, operands) => {
                Form::Compute(*prim, operands.iter().map(|&operand| self.inner(frame, operand)).collect())
            }
            Does::Call(call) if call.form == CallForm::Plain && call.args.iter().all(|arg| !arg.spread) => {
                let callee = match &call.callee {
                    Callee::Value(value) => self.inner(frame, *value),
                    Callee::Member { function, .. } => self.inner(frame, *function),
                    Callee::Global(path) => self.global(frame, path),
                    _ => return None,
                };
                let this = call.this.map(|this| self.inner(frame, this));
                let args = call.args.iter().map(|arg| self.inner(frame, arg.value)).collect();
                Form::Call(callee, this, args)
            }
            Does::Suspend { pause: Pause::Await, value: Some(value) } => Form::Await(self.inner(frame, *value)),
            _ => return None,
        })
    }

    fn this(&self, frame: FrameId) -> Means {
        let body = self.names.graph.frame(frame).body;
        let home = self.names.sight.home(body).body;
        self.names.given_of(frame, home)
    }

    fn place(&mut self, frame: FrameId, place: &Place) -> Option<FormId> {
        let mut form = match &place.root {
            Root::Var(var) => {
                let means = self.names.var(frame, *var);
                self.name(frame, means)
            }
            Root::Value(value) => self.inner(frame, *value),
            Root::Global(path) => self.global(frame, path),
            Root::Slot(_) => return None,
            Root::Super => {
                let means = self.this(frame);
                self.name(frame, means)
            }
        };
        for step in &place.steps {
            form = self.step(frame, form, step)?;
        }
        Some(form)
    }

    fn step(&mut self, frame: FrameId, of: FormId, step: &Step) -> Option<FormId> {
        let unit = match step {
            // A text is the same name everywhere.
            Step::Member(Name::Text(_) | Name::Length | Name::Inner | Name::Error) => UnitRef(0),
            _ => self.names.graph.unit(frame),
        };
        let form = match step {
            Step::Member(Name::Text(text)) => Form::Text(of, text.clone()),
            Step::Member(name) => Form::Member(of, unit, name.clone()),
            Step::Element(ElementKey::Texts(texts), _) if texts.len() == 1 => Form::Text(of, texts[0].clone()),
            Step::Element(ElementKey::Symbol(var), _) => Form::Member(of, unit, Name::Symbol(*var)),
            Step::Element(_, key) => Form::Element(of, self.inner(frame, *key)),
            Step::Deref => Form::Deref(of),
            Step::MaybeDeref => return Some(of),
            Step::Any => return None,
        };
        Some(self.forms.id(form))
    }

    fn step_key(&mut self, frame: FrameId, step: &Step) -> Option<FormId> {
        match step {
            Step::Element(_, key) => Some(self.inner(frame, *key)),
            Step::Member(Name::Text(text)) => Some(self.forms.id(Form::Const(Const::Text(text.clone())))),
            Step::Member(name) => {
                let unit = self.names.graph.unit(frame);
                let nothing = self.forms.id(Form::Const(Const::Undefined));
                Some(self.forms.id(Form::Member(nothing, unit, name.clone())))
            }
            _ => None,
        }
    }

    fn global(&mut self, frame: FrameId, path: &Path) -> FormId {
        let unit = self.names.graph.unit(frame);
        if let Some((var, rest)) = self.names.import(unit, path) {
            let mut form = self.forms.id(Form::Means(Means::Var(var.unit, var.var, None)));
            for name in rest {
                form = self.forms.id(Form::Text(form, name.clone()));
            }
            return form;
        }
        let imported = self.names.sight.is_foreign(unit, path);
        self.forms.id(Form::Global(imported.then_some(unit), path.clone()))
    }

    /// A name, or what it stands for.
    fn name(&mut self, frame: FrameId, means: Means) -> FormId {
        self.forms.met.entry(means).or_insert(frame);
        if self.stands == Stands::Replaced
            && self.depth < DEEPEST
            && let Some(Stand { frame, value }) = self.names.stand(frame, means)
        {
            self.needs.insert(means);
            self.depth += 1;
            let form = self.inner(frame, value);
            self.depth -= 1;
            return form;
        }
        self.forms.id(Form::Means(means))
    }
}
