//! Summaries: what a body may read and write when it is called, with all that it calls. By components of the call graph,
//! each iterated to a fixpoint. Over a limit a summary is everything: a limit never shows anything.

use super::keys::{Holder, Use, What};
use super::leaks::is_same_pointer;
use super::origins::{ANY, NONE, Objects, Origin, OriginId, SetId};
use super::sight::op_ref;
use factgate_ir::{
    Arg, BodyId, BodyKind, BodyRef, Call, Callee, Does, Form, Given, Hook, How, Op, OpRef, Place, Prim, Root, Runs,
    This, Used, ValueId, Waits,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Keys of one kind beyond which a summary is everything.
const MOST: usize = 4_096;
/// Keys beyond which they no longer say whose they are.
const MANY: usize = 384;
/// Bodies of one component beyond which its summaries do not say whose what they read and write is.
const LARGE: usize = 12;
/// Rounds of one component beyond which its summaries are everything.
const ROUNDS: usize = 24;

/// What a body may do when it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) reads: BTreeSet<Use>,
    pub(crate) writes: BTreeSet<Use>,
    /// Whether it calls code out of sight: what was kept may run.
    pub(crate) opaque: bool,
    /// Whether it is suspended, or something that it does not wait for.
    pub(crate) suspends: bool,
    pub(crate) raises: bool,
    /// Which of its arguments it may keep.
    pub(crate) keeps: Handed,
    /// Functions that it makes or hands on, which may run from then on.
    pub(crate) kept: BTreeSet<BodyRef>,
    /// Every body that may run in it, itself included.
    pub(crate) runs: BTreeSet<BodyRef>,
    /// Whether it does not say whose what is read and written is: its callers read and write the same.
    is_plain: bool,
}

/// Which arguments: a bit each, the last one for `this` and the last but one for all further arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Handed(pub(super) u64);

/// The summaries that are known.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    known: FxHashMap<BodyRef, Rc<Summary>>,
    local: FxHashMap<BodyRef, Rc<Local>>,
}

/// What a body does itself, and where it calls others.
#[derive(Debug, Default)]
struct Local {
    own: Summary,
    sites: Vec<Run>,
}

/// Bodies that run at an operation, and what they get.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) bodies: Vec<BodyRef>,
    pub(crate) this: Passed,
    pub(crate) args: Args,
    /// Whether it is a new object that they are called on.
    pub(crate) is_new: bool,
    /// Whether nobody waits for their end.
    pub(crate) lingers: bool,
}

/// The arguments of a call.
#[derive(Clone, Debug)]
pub(crate) enum Args {
    /// These, as far as they are counted.
    Counted {
        args: Vec<Passed>,
        then: SetId,
    },
    Unknown,
}

/// What is handed over: what it may be, and what holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub(crate) of: SetId,
    pub(crate) holder: Option<Holder>,
}

const UNKNOWN: Passed = Passed { of: ANY, holder: None };

impl Handed {
    pub(crate) const NONE: Handed = Handed(0);
    pub(crate) const ALL: Handed = Handed(u64::MAX);
    const THIS: Handed = Handed(1 << 63);

    pub(crate) fn argument(at: u32) -> Handed {
        Handed(1 << at.min(62))
    }

    pub(crate) fn this() -> Handed {
        Handed::THIS
    }

    pub(crate) fn has(self, other: Handed) -> bool {
        self.0 & other.0 != 0
    }

    /// Those of both.
    pub(crate) fn or(self, other: Handed) -> Handed {
        Handed(self.0 | other.0)
    }
}

impl Objects<'_> {
    /// What a body may do when it is called.
    pub(crate) fn summary(&self, body: BodyRef) -> Rc<Summary> {
        if let Some(known) = self.summaries.borrow().known.get(&body) {
            return known.clone();
        }
        Components { objects: self, numbers: FxHashMap::default(), open: Vec::new(), next: 0 }.visit(body);
        self.summaries.borrow().known.get(&body).cloned().unwrap_or_else(|| Rc::new(self.everything()))
    }

    fn everything(&self) -> Summary {
        let everything = self.usage(What::Everything, ANY, None);
        let whole = self.usage(What::Whole, ANY, None);
        Summary {
            reads: [whole].into(),
            writes: [everything].into(),
            opaque: true,
            suspends: true,
            raises: true,
            keeps: Handed::ALL,
            ..Summary::default()
        }
    }

    fn local(&self, body: BodyRef) -> Rc<Local> {
        if let Some(known) = self.summaries.borrow().local.get(&body) {
            return known.clone();
        }
        let local = Rc::new(self.read_local(body));
        self.summaries.borrow_mut().local.insert(body, local.clone());
        local
    }

    fn read_local(&self, body: BodyRef) -> Local {
        let index = &self.sight.index(body.unit).bodies[body.body.index()];
        let mut local = Local::default();
        local.own.runs.insert(body);
        local.own.raises = index.raises;
        for op in self.sight.ops_of(body) {
            let at = op_ref(body.unit, op.id);
            local.own.raises |= op.raises;
            local.own.reads.extend(self.direct_reads(body, op));
            if !self.is_private(body, op) {
                local.own.writes.extend(self.direct_writes(body, op));
            }
            local.own.suspends |= matches!(op.does, Does::Suspend { .. });
            local.own.kept.extend(self.kept_at(body, op));
            local.own.opaque |= self.is_opaque(at, op);
            local.own.reads.extend(self.handed_whole(body, op));
            local.own.keeps = local.own.keeps.or(self.stored_by(body, op));
            local.sites.extend(self.runs_at(at));
        }
        for &value in index.returns.iter().chain(&index.raised) {
            local.own.keeps = local.own.keeps.or(self.parameters_in(body, value, 0));
        }
        local.own.keeps = local.own.keeps.or(self.captured(body));
        self.drop_locals(body, &mut local.own);
        local
    }

    /// Drops what only one run of the body knows: its variables.
    fn drop_locals(&self, body: BodyRef, summary: &mut Summary) {
        let unit = self.sight.unit(body.unit);
        let is_local = |one: &Use| match self.key_of(one.key).what {
            What::Var(var) => var.unit == body.unit && body.body != unit.top && unit.var(var.var).owner == body.body,
            _ => false,
        };
        summary.reads.retain(|one| !is_local(one));
        summary.writes.retain(|one| !is_local(one));
    }

    /// Whether an operation writes a member of an object that this run of the body made: nothing that was known before the
    /// call is about it.
    fn is_private(&self, body: BodyRef, op: &Op) -> bool {
        if self.sight.unit(body.unit).body(body.body).kind != BodyKind::Plain {
            return false;
        }
        match &op.does {
            Does::Write { place: Place { root: Root::Value(value), steps }, .. } => {
                steps.len() == 1 && self.is_made_here(body, *value, 0)
            }
            Does::Copy(copied) => self.is_made_here(body, copied.into, 0),
            _ => false,
        }
    }

    /// Whether a value is an object that this run of the body made.
    fn is_made_here(&self, body: BodyRef, value: ValueId, depth: u32) -> bool {
        let again = |value: &ValueId| depth < 8 && self.is_made_here(body, *value, depth + 1);
        match self.sight.def(body, value) {
            Some(Op { does: Does::Make(_), .. }) => true,
            Some(Op { does: Does::Call(call), id, .. }) if call.form == Form::New => {
                self.is_new(op_ref(body.unit, *id))
            }
            Some(Op { does: Does::Read(Place { root, steps }), .. }) if steps.is_empty() => match root {
                Root::Slot(slot) => {
                    let values = &self.sight.index(body.unit).bodies[body.body.index()].slots[slot.index()].values;
                    !values.is_empty() && values.iter().all(again)
                }
                Root::Var(var) => {
                    let known = &self.sight.index(body.unit).vars[var.index()];
                    let is_own = self.sight.unit(body.unit).var(*var).owner == body.body && known.param.is_none();
                    let inside = |&op: &factgate_ir::OpId| {
                        let does = self.sight.index(body.unit).op(op).map(|op| &op.does);
                        let of_body = self.sight.index(body.unit).owner(op) == body.body;
                        of_body && matches!(does, Some(Does::Write { value: Some(value), .. }) if again(value))
                    };
                    let is_plain = !known.is_rest && !known.is_addressed && !known.writes.is_empty();
                    is_own && is_plain && body.body != self.sight.unit(body.unit).top && known.writes.iter().all(inside)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Functions that may run from this operation on: those made there, unless they only run where they are called by their
    /// names or handed to, and those handed to code out of sight.
    pub(crate) fn kept_at(&self, body: BodyRef, op: &Op) -> Vec<BodyRef> {
        match &op.does {
            Does::Close { body: inner, runs } => {
                let inner = BodyRef { unit: body.unit, body: *inner };
                let is_kept = match runs {
                    Runs::Here(_) => false,
                    Runs::Anywhere | Runs::Iterated => true,
                    Runs::Later => !self.is_only_called(inner),
                };
                if is_kept { vec![inner] } else { Vec::new() }
            }
            Does::Call(call) => {
                let called = self.candidates_of(op_ref(body.unit, op.id));
                let mut kept: Vec<BodyRef> = Vec::new();
                if !matches!(call.callee, Callee::Hook(_)) {
                    // What the call of a generator gives is asked for more by anyone who has it.
                    kept.extend(called.bodies.iter().filter(|body| self.is_generator(**body)));
                }
                if !called.complete {
                    kept.extend(self.handed(body, call));
                }
                kept
            }
            // What is stored in an object may be called by whoever has it.
            Does::Write { place: Place { root, steps }, value: Some(value), .. } if !steps.is_empty() => {
                let is_literal = match root {
                    Root::Value(object) => {
                        matches!(self.sight.def(body, *object).map(|op| &op.does), Some(Does::Make(_)))
                    }
                    _ => false,
                };
                let all = self.all(self.origins(body, *value));
                let functions = all.iter().filter(|_| !is_literal).filter_map(|&id| self.function(id));
                functions.collect()
            }
            Does::Define(class) => {
                let class = self.sight.unit(body.unit).class(*class);
                let bodies = class.members.iter().filter_map(|member| member.body());
                bodies
                    .chain([class.make])
                    .chain(class.fields)
                    .map(|inner| BodyRef { unit: body.unit, body: inner })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The functions that a value is one of; `None` when it may be something else.
    pub(crate) fn functions_of(&self, body: BodyRef, value: ValueId) -> Option<Vec<BodyRef>> {
        self.all(self.origins(body, value)).iter().map(|&id| self.function(id)).collect()
    }

    /// Functions that are handed to code out of sight, also in what is handed to it.
    fn handed(&self, body: BodyRef, call: &Call) -> Vec<BodyRef> {
        let handed = call.args.iter().filter(|arg| matches!(arg.used, Used::Unknown | Used::Proxied));
        let of = |arg: &Arg| {
            let set = self.origins(body, arg.value);
            let is_made = |&id: &OriginId| matches!(self.origin_of(id), Origin::Made(_));
            if self.all(set).iter().any(is_made) { self.reached(set) } else { set }
        };
        let all: Vec<OriginId> = handed.map(of).flat_map(|set| self.all(set).to_vec()).collect();
        all.into_iter().filter_map(|id| self.function(id)).collect()
    }

    fn is_generator(&self, body: BodyRef) -> bool {
        let kind = self.sight.unit(body.unit).body(body.body).kind;
        matches!(kind, BodyKind::Generator | BodyKind::AsyncGenerator)
    }

    pub(super) fn function(&self, id: OriginId) -> Option<BodyRef> {
        match self.origin_of(id) {
            Origin::Function(body) => Some(body),
            _ => None,
        }
    }

    /// Whether a function has a name that is never assigned again and only ever called.
    pub(crate) fn is_only_called(&self, inner: BodyRef) -> bool {
        if let Some(&known) = self.only_called.borrow().get(&inner) {
            return known;
        }
        let found = self.only_called_by_name(inner);
        self.only_called.borrow_mut().insert(inner, found);
        found
    }

    fn only_called_by_name(&self, inner: BodyRef) -> bool {
        let index = self.sight.index(inner.unit);
        // An async function that is called runs on from there; a generator runs where its iterator is used.
        let kind = self.sight.unit(inner.unit).body(inner.body).kind;
        let is_plain = matches!(kind, BodyKind::Plain | BodyKind::Async);
        let Some(made) = index.bodies[inner.body.index()].made.and_then(|op| index.op(op)) else { return false };
        let Some(value) = made.gives else { return false };
        let owner = index.owner(made.id);
        // Every use of the value and of the one variable that gets it.
        let uses_value = |op: &&Op| op.does.uses().contains(&value);
        let mut var = None;
        for op in index.ops_of(owner).filter(uses_value) {
            match &op.does {
                Does::Write { place: Place { root: Root::Var(name), steps }, .. }
                    if steps.is_empty() && var.is_none() =>
                {
                    var = Some(*name);
                }
                Does::Call(call)
                    if call.callee == Callee::Value(value) && !call.args.iter().any(|arg| arg.value == value) => {}
                // `f.call(o)`, which is a call of `f`.
                Does::Read(_) if self.is_unused(inner.unit, owner, op) => {}
                _ => return false,
            }
        }
        let leaves = &index.bodies[owner.index()];
        if !is_plain || leaves.returns.contains(&value) || leaves.raised.contains(&value) {
            return false;
        }
        let slots = leaves.slots.iter().any(|slot| slot.values.contains(&value));
        let Some(var) = var else { return !slots };
        let known = &index.vars[var.index()];
        let bodies = known.captured.iter().copied().chain([self.sight.unit(inner.unit).var(var).owner]);
        !slots
            && known.writes.len() == 1
            && !known.is_addressed
            && bodies.into_iter().all(|body| self.only_calls(inner, body, var))
    }

    /// Whether nothing uses the value that an operation gives.
    fn is_unused(&self, unit: factgate_ir::UnitRef, body: BodyId, op: &Op) -> bool {
        let index = self.sight.index(unit);
        op.gives.is_some_and(|value| !index.ops_of(body).any(|other| other.does.uses().contains(&value)))
    }

    /// Whether a body only calls what a variable holds.
    fn only_calls(&self, inner: BodyRef, body: BodyId, var: factgate_ir::VarId) -> bool {
        let index = self.sight.index(inner.unit);
        let reads = |op: &&Op| matches!(&op.does, Does::Read(place) if place.root == Root::Var(var));
        index.ops_of(body).filter(reads).all(|read| {
            let Some(value) = read.gives else { return true };
            let leaves = &index.bodies[body.index()];
            let leaks = leaves.returns.contains(&value) || leaves.raised.contains(&value);
            let stored = leaves.slots.iter().any(|slot| slot.values.contains(&value));
            let is_call = |op: &Op| match &op.does {
                Does::Call(call) => {
                    call.callee == Callee::Value(value) && !call.args.iter().any(|arg| arg.value == value)
                }
                Does::Mark => true,
                Does::Read(_) => self.is_unused(inner.unit, body, op),
                _ => false,
            };
            !leaks && !stored && index.ops_of(body).filter(|op| op.does.uses().contains(&value)).all(is_call)
        })
    }

    /// Whether code out of sight may run at an operation.
    pub(crate) fn is_opaque(&self, at: OpRef, op: &Op) -> bool {
        match &op.does {
            Does::Call(call) => match call.callee {
                Callee::Hook(Hook::Keys | Hook::Convert) => false,
                // A language's own library that keeps nothing runs nothing.
                Callee::Global(_) if !call.args.is_empty() && call.args.iter().all(is_read) => false,
                _ => !self.candidates_of(at).complete,
            },
            Does::Forget(_) => true,
            // Setters may run, and what was kept with them.
            Does::Copy(copied) => copied.how == How::Assign,
            _ => false,
        }
    }

    /// The bodies that may run at an operation, candidates of calls and accessors.
    pub(crate) fn runs_at(&self, at: OpRef) -> Vec<Run> {
        let body = self.sight.owner(at);
        let Some(op) = self.sight.op(at) else { return Vec::new() };
        match &op.does {
            Does::Call(call) => self.runs_of_call(at, body, call),
            Does::Read(place) | Does::Write { place, .. } if !place.steps.is_empty() => {
                let bodies = self.accessors_of(at).bodies.clone();
                let this = match &place.root {
                    Root::Value(value) if place.steps.len() == 1 => self.passed(body, *value),
                    Root::Super => self.own_this(body),
                    _ => UNKNOWN,
                };
                let args = match &op.does {
                    Does::Write { value: Some(value), .. } => vec![self.passed(body, *value)],
                    _ => Vec::new(),
                };
                self.run(bodies, this, Args::Counted { args, then: NONE }, false)
            }
            Does::Compute(prim, operands) if converts(*prim) => {
                let bodies = self.conversions();
                if bodies.is_empty() {
                    return Vec::new();
                }
                let of = self.union(operands.iter().map(|&value| self.origins(body, value)));
                let args = Args::Counted { args: Vec::new(), then: NONE };
                if of == NONE { Vec::new() } else { self.run(bodies, Passed { of, holder: None }, args, false) }
            }
            Does::Suspend { pause: factgate_ir::Pause::Delegate, .. } => {
                self.run(self.generators(), UNKNOWN, Args::Unknown, false)
            }
            _ => Vec::new(),
        }
    }

    fn run(&self, bodies: Vec<BodyRef>, this: Passed, args: Args, is_new: bool) -> Vec<Run> {
        if bodies.is_empty() { Vec::new() } else { vec![Run { bodies, this, args, is_new, lingers: false }] }
    }

    fn runs_of_call(&self, at: OpRef, body: BodyRef, call: &Call) -> Vec<Run> {
        let called = self.candidates_of(at);
        // What the call of a generator gives runs when it is asked for more; `call` and its like count otherwise.
        let is_odd = match &call.callee {
            Callee::Hook(hook) => matches!(hook, Hook::Next | Hook::Close),
            Callee::Member { name: factgate_ir::Name::Text(text), .. } => {
                matches!(text.as_str(), "next" | "return" | "throw" | "call" | "apply" | "bind")
            }
            _ => false,
        };
        let is_run = |body: &BodyRef| is_odd || !self.is_generator(*body);
        let bodies: Vec<BodyRef> = called.bodies.iter().copied().filter(is_run).collect();
        let this = match (&call.callee, call.this) {
            _ if is_odd || call.form == Form::New => UNKNOWN,
            (Callee::Member { object, .. }, _) => self.passed(body, *object),
            (Callee::Super(_) | Callee::Make | Callee::Fields, _) => self.own_this(body),
            (_, Some(value)) => self.passed(body, value),
            (_, None) => Passed { of: NONE, holder: None },
        };
        let args = if is_odd { Args::Unknown } else { self.args(body, &call.args) };
        let is_new = call.form == Form::New && self.is_new(at);
        let mut runs = self.run(bodies, this, args, is_new);
        let lingers = matches!(call.waits, Waits::Not | Waits::UnlessAnother(_));
        runs.iter_mut().for_each(|run| run.lingers = lingers);
        // Functions that the callee runs before it comes back.
        let start = runs.len();
        let handed = call.args.iter().filter(|arg| matches!(arg.used, Used::Runs(_)));
        let all: Vec<OriginId> = handed.flat_map(|arg| self.all(self.origins(body, arg.value)).to_vec()).collect();
        let functions: Vec<BodyRef> = all.into_iter().filter_map(|id| self.function(id)).filter(is_run).collect();
        runs.extend(self.run(functions, UNKNOWN, Args::Unknown, false));
        runs[start..].iter_mut().for_each(|run| run.lingers = lingers);
        if !called.complete {
            // Out of sight they may be called at once.
            let handed = self.handed(body, call).into_iter().filter(is_run).collect();
            runs.extend(self.run(handed, UNKNOWN, Args::Unknown, false));
        }
        runs
    }

    fn own_this(&self, body: BodyRef) -> Passed {
        Passed { of: self.this(body), holder: Some(Holder::This) }
    }

    pub(crate) fn passed(&self, body: BodyRef, value: ValueId) -> Passed {
        Passed { of: self.origins(body, value), holder: Some(self.holder(body, value)) }
    }

    fn args(&self, body: BodyRef, args: &[Arg]) -> Args {
        let counted = args.iter().take_while(|arg| !arg.spread).map(|arg| self.passed(body, arg.value));
        let then = if args.iter().any(|arg| arg.spread) { ANY } else { NONE };
        Args::Counted { args: counted.collect(), then }
    }

    /// `valueOf`, `toString` and their like in sight.
    fn conversions(&self) -> Vec<BodyRef> {
        if let Some(known) = &*self.conversions.borrow() {
            return known.clone();
        }
        let mut found = BTreeSet::new();
        for name in ["valueOf", "toString", "@@toPrimitive"] {
            let name = factgate_ir::Name::text(name);
            let set = self.stored(self.name(super::sight::HOME, &name));
            found.extend(self.all(set).iter().filter_map(|&id| self.function(id)));
        }
        let found: Vec<BodyRef> = found.into_iter().collect();
        *self.conversions.borrow_mut() = Some(found.clone());
        found
    }

    /// The objects that are handed to code out of sight: all of them may be read.
    pub(crate) fn handed_whole(&self, body: BodyRef, op: &Op) -> Vec<Use> {
        let Does::Call(call) = &op.does else { return Vec::new() };
        if self.candidates_of(op_ref(body.unit, op.id)).complete || matches!(call.callee, Callee::Hook(_)) {
            return Vec::new();
        }
        let object = match call.callee {
            Callee::Member { object, .. } => Some(object),
            _ => None,
        };
        let handed = call.args.iter().map(|arg| arg.value).chain(call.this).chain(object);
        let whole = |value: ValueId| {
            let of = self.origins(body, value);
            (of != NONE).then(|| self.usage(What::Whole, of, Some(self.holder(body, value))))
        };
        handed.filter_map(whole).collect()
    }

    /// The arguments that a value may be. Unlike [`Objects::origins`] it says so only of the very objects of this run.
    fn parameters_in(&self, body: BodyRef, value: ValueId, depth: u32) -> Handed {
        if depth > 12 {
            return Handed::ALL;
        }
        let again = |value: &ValueId| self.parameters_in(body, *value, depth + 1);
        let join = |all: &mut dyn Iterator<Item = Handed>| all.fold(Handed::NONE, Handed::or);
        let Some(op) = self.sight.def(body, value) else { return Handed::NONE };
        match &op.does {
            Does::Given(Given::This) => Handed::this(),
            Does::Given(Given::Arguments) => Handed::ALL,
            // A pointer to a part of what it leads to, or what an optional holds, is as good as the argument.
            Does::Address(Place { root: Root::Value(root), .. }) => again(root),
            Does::Read(Place { root: Root::Value(root), steps })
                if !steps.is_empty() && steps.iter().all(is_same_pointer) =>
            {
                again(root)
            }
            Does::Address(Place { root: Root::Var(var), .. }) => self.parameters_of(body, *var, depth),
            Does::Read(Place { root, steps }) if steps.iter().all(is_same_pointer) => match root {
                Root::Slot(slot) => {
                    let slots = &self.sight.index(body.unit).bodies[body.body.index()].slots;
                    join(&mut slots[slot.index()].values.iter().map(again))
                }
                Root::Var(var) => self.parameters_of(body, *var, depth),
                _ => Handed::NONE,
            },
            Does::Compute(Prim::Other(_), operands) => join(&mut operands.iter().map(again)),
            Does::Suspend { value: Some(value), .. } => again(value),
            _ => Handed::NONE,
        }
    }

    /// The arguments that a variable may hold.
    fn parameters_of(&self, body: BodyRef, var: factgate_ir::VarId, depth: u32) -> Handed {
        let index = self.sight.index(body.unit);
        let known = &index.vars[var.index()];
        if self.sight.unit(body.unit).var(var).owner != body.body {
            return Handed::NONE;
        }
        let own = match known.param {
            Some((of, at)) if of == body.body => Handed::argument(at),
            _ if known.is_rest => Handed::ALL,
            _ => Handed::NONE,
        };
        let written = known.writes.iter().filter_map(|&op| match &index.op(op)?.does {
            Does::Write { value, .. } => *value,
            _ => None,
        });
        written.map(|value| self.parameters_in(body, value, depth + 1)).fold(own, Handed::or)
    }

    /// The arguments that an operation stores or hands on, apart from what bodies in sight do with them.
    fn stored_by(&self, body: BodyRef, op: &Op) -> Handed {
        let of = |value: ValueId| self.parameters_in(body, value, 0);
        match &op.does {
            Does::Write { place, value: Some(value), .. } => match (&place.root, &place.steps[..]) {
                (Root::Slot(_), []) => Handed::NONE,
                (Root::Var(var), []) if self.sight.unit(body.unit).var(*var).owner == body.body => Handed::NONE,
                _ => of(*value),
            },
            Does::Suspend { value: Some(value), .. } => of(*value),
            Does::Call(call) => {
                let called = self.candidates_of(op_ref(body.unit, op.id));
                let mut handed = Handed::NONE;
                if !called.complete {
                    let unknown = call.args.iter().filter(|arg| matches!(arg.used, Used::Unknown | Used::Proxied));
                    handed = unknown.map(|arg| of(arg.value)).fold(handed, Handed::or);
                    let object = if let Callee::Member { object, .. } = call.callee { Some(object) } else { None };
                    handed = call.this.into_iter().chain(object).map(of).fold(handed, Handed::or);
                }
                handed
            }
            _ => Handed::NONE,
        }
    }

    /// The arguments that functions made in the body keep by naming them.
    fn captured(&self, body: BodyRef) -> Handed {
        let (unit, index) = (self.sight.unit(body.unit), self.sight.index(body.unit));
        let mut handed = Handed::NONE;
        let mut open = index.bodies[body.body.index()].inner.clone();
        while let Some(inner) = open.pop() {
            let known = &index.bodies[inner.index()];
            open.extend(&known.inner);
            let arrow = unit.body(inner).this == This::Outer && unit.home(inner) == unit.home(body.body);
            if arrow && index.ops_of(inner).any(|op| matches!(op.does, Does::Given(Given::This))) {
                handed = handed.or(Handed::this());
            }
            for var in &known.outer {
                match index.vars[var.index()].param {
                    Some((of, at)) if of == body.body => handed = handed.or(Handed::argument(at)),
                    _ => {
                        let is_own = unit.var(*var).owner == body.body;
                        let written =
                            index.vars[var.index()].writes.iter().filter_map(|&op| match &index.op(op)?.does {
                                Does::Write { value: Some(value), .. } if index.owner(op) == body.body => Some(*value),
                                _ => None,
                            });
                        if is_own {
                            handed = written.map(|value| self.parameters_in(body, value, 0)).fold(handed, Handed::or);
                        }
                    }
                }
            }
        }
        handed
    }

    /// What a called body reads or writes, in the words of its caller. None when nobody else can know it.
    pub(crate) fn outward(&self, one: Use, callee: BodyRef, run: &Run) -> Option<Use> {
        let key = self.key_of(one.key);
        let holder = match one.holder {
            Some(Holder::This) if run.is_new => return None,
            Some(Holder::This) => run.this.holder,
            Some(Holder::Var(var)) => self.argument(callee, var, run).and_then(|passed| passed.holder),
            Some(Holder::Slot(_) | Holder::Value(_)) | None => None,
        };
        let of = self.put_in(key.of, callee, run);
        Some(self.usage(key.what, of, holder))
    }

    fn argument(&self, callee: BodyRef, var: factgate_ir::VarId, run: &Run) -> Option<Passed> {
        let known = &self.sight.index(callee.unit).vars[var.index()];
        let (body, at) = known.param.filter(|_| known.writes.is_empty() && !known.is_addressed)?;
        let Args::Counted { args, .. } = &run.args else { return None };
        if body == callee.body { args.get(at as usize).copied() } else { None }
    }

    /// Objects of a called body, as its caller knows them.
    pub(crate) fn put_in(&self, set: SetId, callee: BodyRef, run: &Run) -> SetId {
        let all = self.all(set);
        if !all.iter().any(|&id| self.is_of(id, callee)) {
            return set;
        }
        self.union(all.iter().map(|&id| self.replaced(id, callee, run)).collect::<Vec<_>>())
    }

    fn is_of(&self, id: OriginId, callee: BodyRef) -> bool {
        match self.origin_of(id) {
            Origin::This(body) | Origin::Param(body, _) => body == callee,
            Origin::Member(of, _) => self.is_of(of, callee),
            _ => false,
        }
    }

    fn replaced(&self, id: OriginId, callee: BodyRef, run: &Run) -> SetId {
        match self.origin_of(id) {
            Origin::This(body) if body == callee => run.this.of,
            Origin::Param(body, at) if body == callee => match &run.args {
                Args::Counted { args, then } => args.get(at as usize).map_or(*then, |passed| passed.of),
                Args::Unknown => ANY,
            },
            Origin::Member(of, name) if self.is_of(of, callee) => {
                let bases = self.all(self.replaced(of, callee, run));
                self.set(bases.iter().map(|&base| self.outside(base, name)).collect())
            }
            _ => self.set(vec![id]),
        }
    }
}

fn is_read(arg: &Arg) -> bool {
    arg.used == Used::NotKept && !arg.spread
}

fn converts(prim: Prim) -> bool {
    use factgate_ir::{Converts, Sameness};
    match prim {
        Prim::Same(sameness) => sameness == Sameness::Loose,
        Prim::Not | Prim::TypeOf | Prim::InstanceOf | Prim::Missing | Prim::IsError => false,
        Prim::Other(converts) => converts == Converts::Yes,
        _ => true,
    }
}

/// The walk that finds components of the call graph, Tarjan's.
struct Components<'o, 's> {
    objects: &'o Objects<'s>,
    /// The number and the lowest reachable number of each body on the way.
    numbers: FxHashMap<BodyRef, (usize, usize)>,
    open: Vec<BodyRef>,
    next: usize,
}

impl Components<'_, '_> {
    fn visit(&mut self, body: BodyRef) -> usize {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.visit_deep(body))
    }

    fn visit_deep(&mut self, body: BodyRef) -> usize {
        let number = self.next;
        self.next += 1;
        self.numbers.insert(body, (number, number));
        self.open.push(body);
        let mut low = number;
        let local = self.objects.local(body);
        let callees: BTreeSet<BodyRef> = local.sites.iter().flat_map(|site| site.bodies.iter().copied()).collect();
        for callee in callees.into_iter().chain(local.own.kept.iter().copied()) {
            if self.objects.summaries.borrow().known.contains_key(&callee) {
                continue;
            }
            low = low.min(match self.numbers.get(&callee) {
                Some(&(_, low)) => low,
                None => self.visit(callee),
            });
        }
        self.numbers.insert(body, (number, low));
        if low == number {
            let at = self.open.iter().position(|&open| open == body).unwrap_or_default();
            let component = self.open.split_off(at);
            self.solve(&component);
        }
        low
    }

    /// Iterates the summaries of one component until nothing changes.
    fn solve(&self, component: &[BodyRef]) {
        let objects = self.objects;
        if component.len() > LARGE {
            return self.solve_large(component);
        }
        for &body in component {
            let start = Rc::new(objects.local(body).own.clone());
            objects.summaries.borrow_mut().known.insert(body, start);
        }
        for round in 0.. {
            let mut changed = false;
            for &body in component {
                let mut next = objects.joined(body);
                if round >= ROUNDS {
                    let runs = std::mem::take(&mut next.runs);
                    next = Summary { runs, ..objects.everything() };
                }
                let next = Rc::new(next);
                let old = objects.summaries.borrow_mut().known.insert(body, next.clone());
                changed |= old.is_none_or(|old| *old != *next);
            }
            if !changed || round > ROUNDS + component.len() {
                break;
            }
        }
    }
}

impl Components<'_, '_> {
    /// Each body of a component may run all others: they all read and write the same, whoever it belongs to.
    fn solve_large(&self, component: &[BodyRef]) {
        let objects = self.objects;
        let mut all = Summary::default();
        let mut outside: BTreeSet<BodyRef> = BTreeSet::new();
        for &body in component {
            let local = objects.local(body);
            all.add(&local.own);
            outside.extend(local.sites.iter().flat_map(|site| site.bodies.iter().copied()));
            outside.extend(&local.own.kept);
        }
        outside.retain(|body| !component.contains(body));
        for callee in outside {
            let known = objects.summaries.borrow().known.get(&callee).cloned();
            known.into_iter().for_each(|summary| all.add(&summary));
        }
        for keys in [&mut all.reads, &mut all.writes] {
            *keys = keys.iter().map(|one| objects.usage(objects.key_of(one.key).what, ANY, None)).collect();
        }
        if all.reads.len() > MOST || all.writes.len() > MOST {
            all = Summary { runs: all.runs, ..objects.everything() };
        }
        all.is_plain = true;
        // Which arguments are kept is each body's own.
        let mut keeps: FxHashMap<BodyRef, Handed> =
            component.iter().map(|&body| (body, objects.local(body).own.keeps)).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &body in component {
                for site in &objects.local(body).sites {
                    for callee in &site.bodies {
                        let known = objects.summaries.borrow().known.get(callee).map(|summary| summary.keeps);
                        let kept = keeps.get(callee).copied().or(known).unwrap_or(Handed::NONE);
                        let before = keeps.get(&body).copied().unwrap_or_default();
                        let now = before.or(objects.kept_by(body, site, kept));
                        changed |= now != before;
                        keeps.insert(body, now);
                    }
                }
            }
        }
        for &body in component {
            let mut own = Summary { keeps: keeps.get(&body).copied().unwrap_or(Handed::ALL), ..all.clone() };
            objects.drop_locals(body, &mut own);
            objects.summaries.borrow_mut().known.insert(body, Rc::new(own));
        }
    }
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.opaque |= other.opaque;
        self.suspends |= other.suspends;
        self.raises |= other.raises;
        self.kept.extend(&other.kept);
        self.runs.extend(&other.runs);
    }
}

impl Objects<'_> {
    /// What a body does, with what its callees do as far as that is known.
    fn joined(&self, body: BodyRef) -> Summary {
        let local = self.local(body);
        let mut all = local.own.clone();
        let known = |body: &BodyRef| self.summaries.borrow().known.get(body).cloned();
        let (mut reads, mut writes) = (FxHashSet::default(), FxHashSet::default());
        let mut plain: FxHashSet<BodyRef> = FxHashSet::default();
        for site in &local.sites {
            for callee in &site.bodies {
                let Some(summary) = known(callee) else { continue };
                if summary.is_plain {
                    if plain.insert(*callee) {
                        reads.extend(&summary.reads);
                        writes.extend(&summary.writes);
                        all.kept.extend(&summary.kept);
                        all.runs.extend(&summary.runs);
                    }
                } else {
                    reads.extend(summary.reads.iter().filter_map(|&one| self.outward(one, *callee, site)));
                    writes.extend(summary.writes.iter().filter_map(|&one| self.outward(one, *callee, site)));
                    all.kept.extend(&summary.kept);
                    all.runs.extend(&summary.runs);
                }
                all.opaque |= summary.opaque;
                all.suspends |= summary.suspends;
                all.raises |= summary.raises;
                all.keeps = all.keeps.or(self.kept_by(body, site, summary.keeps));
                if self.sight.unit(callee.unit).body(callee.body).kind == BodyKind::Async
                    && summary.suspends
                    && site.lingers
                {
                    all.kept.insert(*callee);
                }
            }
        }
        // What is kept may run before the body comes back.
        if all.opaque || all.suspends {
            for callee in all.kept.clone() {
                let run =
                    Run { bodies: vec![callee], this: UNKNOWN, args: Args::Unknown, is_new: false, lingers: false };
                let Some(summary) = known(&callee) else { continue };
                writes.extend(summary.writes.iter().filter_map(|&one| self.outward(one, callee, &run)));
                reads.extend(summary.reads.iter().filter_map(|&one| self.outward(one, callee, &run)));
                all.runs.extend(&summary.runs);
            }
        }
        all.reads.extend(reads);
        all.writes.extend(writes);
        self.drop_locals(body, &mut all);
        let limited = [self.limit(&mut all.reads), self.limit(&mut all.writes)];
        all.is_plain = limited == [true, true];
        if all.reads.len() > MOST || all.writes.len() > MOST {
            let runs = std::mem::take(&mut all.runs);
            return Summary { runs, ..self.everything() };
        }
        all
    }

    /// Keys that are many say no longer whose they are; tells whether they were.
    fn limit(&self, keys: &mut BTreeSet<Use>) -> bool {
        let many = keys.len() > MANY;
        if many {
            let plain = keys.iter().map(|one| self.usage(self.key_of(one.key).what, ANY, None));
            *keys = plain.collect();
        }
        many
    }

    /// The arguments of a body that its callees keep.
    fn kept_by(&self, body: BodyRef, site: &Run, keeps: Handed) -> Handed {
        if keeps == Handed::NONE {
            return keeps;
        }
        let of = |passed: &Passed| match passed.holder {
            Some(Holder::This) => Handed::this(),
            Some(Holder::Value(value)) => self.parameters_in(body, value, 0),
            Some(Holder::Var(var)) => self.parameter_var(body, var),
            Some(Holder::Slot(_)) => Handed::ALL,
            None => Handed::NONE,
        };
        let mut handed = if keeps.has(Handed::this()) { of(&site.this) } else { Handed::NONE };
        if let Args::Counted { args, .. } = &site.args {
            for (at, passed) in args.iter().enumerate() {
                if keeps.has(Handed::argument(at as u32)) {
                    handed = handed.or(of(passed));
                }
            }
        }
        handed
    }

    fn parameter_var(&self, body: BodyRef, var: factgate_ir::VarId) -> Handed {
        let reads = |op: &&Op| matches!(&op.does, Does::Read(Place { root: Root::Var(of), steps }) if *of == var && steps.is_empty());
        let value = self.sight.ops_of(body).find(reads).and_then(|op| op.gives);
        value.map_or(Handed::ALL, |value| self.parameters_in(body, value, 0))
    }
}
