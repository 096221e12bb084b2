//! Whether a pointer to what a variable itself holds may get to code that is not seen to use it in place: then whatever
//! comes from there may be such a pointer.

use super::origins::Objects;
use super::sight::{VarRef, op_ref};
use super::summary::Handed;
use factgate_ir::{BodyId, Callee, Does, How, Name, Op, OpRef, Place, Root, Step, UnitRef, Used, ValueId, VarId};

/// Names of one pointer beyond which it is taken to be anywhere.
const MOST: usize = 64;

/// What may be a pointer into the variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Value(BodyId, ValueId),
    Var(VarId),
}

impl Objects<'_> {
    /// Whether a pointer to a variable, or to a part of it, may get out of the places that are followed here.
    pub(super) fn leaks(&self, var: VarRef) -> bool {
        if !self.is_addressed(var) {
            return false;
        }
        if let Some(&known) = self.leaking.borrow().get(&var) {
            return known;
        }
        let found = self.gets_out(var);
        self.leaking.borrow_mut().insert(var, found);
        found
    }

    fn gets_out(&self, var: VarRef) -> bool {
        let unit = self.sight.unit(var.unit);
        let index = self.sight.index(var.unit);
        let known = &index.vars[var.var.index()];
        let all: Vec<(BodyId, &Op)> = std::iter::once(unit.var(var.var).owner)
            .chain(known.captured.iter().copied())
            .flat_map(|body| index.ops_of(body).map(move |op| (body, op)))
            .collect();
        let is_made = |op: &Op| matches!(&op.does, Does::Address(place) if place.root == Root::Var(var.var));
        let mut held: Vec<Held> = Vec::new();
        held.extend(
            all.iter().filter(|(_, op)| is_made(op)).filter_map(|&(body, op)| Some(Held::Value(body, op.gives?))),
        );
        let mut at = 0;
        while let Some(&name) = held.get(at) {
            at += 1;
            if held.len() > MOST {
                return true;
            }
            for &(body, op) in &all {
                match used(self, var.unit, name, body, op) {
                    Use::None => {}
                    Use::Out => return true,
                    Use::As(next) => {
                        if !held.contains(&next) {
                            held.push(next);
                        }
                    }
                }
            }
            if let Held::Value(body, value) = name {
                let known = &index.bodies[body.index()];
                let is_given = known.returns.contains(&value) || known.raised.contains(&value);
                if is_given || known.slots.iter().any(|slot| slot.values.contains(&value)) {
                    return true;
                }
            }
            // Another body may do anything with a variable that it names.
            if let Held::Var(other) = name
                && index.vars[other.index()].captured.iter().any(|body| !known.captured.contains(body))
            {
                return true;
            }
        }
        false
    }
}

impl Objects<'_> {
    /// Whether a call may keep an argument, or give it back.
    fn keeps(&self, call: OpRef, at: u32) -> bool {
        let called = self.candidates_of(call);
        !called.complete || called.bodies.iter().any(|&body| self.summary(body).keeps.has(Handed::argument(at)))
    }
}

/// What an operation does with a pointer.
enum Use {
    /// It does not name it, or only what it leads to.
    None,
    /// It gives it another name, or makes a pointer of it.
    As(Held),
    /// It may be anywhere behind it.
    Out,
}

fn used(objects: &Objects<'_>, unit: UnitRef, name: Held, body: BodyId, op: &Op) -> Use {
    let is_root = |place: &Place| match (name, &place.root) {
        (Held::Value(of, value), Root::Value(root)) => of == body && value == *root,
        (Held::Var(var), Root::Var(root)) => var == *root,
        _ => false,
    };
    let given = op.gives.map_or(Use::Out, |value| Use::As(Held::Value(body, value)));
    match &op.does {
        Does::Read(place) if is_root(place) && place.steps.iter().all(is_same_pointer) => given,
        Does::Address(place) if is_root(place) => given,
        Does::Read(place) | Does::Write { place, value: None, .. } if is_root(place) => Use::None,
        Does::Write { place, value: Some(value), how } => {
            let is_value = name == Held::Value(body, *value);
            match (&place.root, &place.steps[..]) {
                _ if !is_value => Use::None,
                (Root::Var(var), []) if *how == How::Declare && objects.sight.unit(unit).var(*var).owner == body => {
                    Use::As(Held::Var(*var))
                }
                _ => Use::Out,
            }
        }
        Does::Call(call) => {
            let is_it = |value: &ValueId| name == Held::Value(body, *value);
            let handed = call.args.iter().enumerate().filter(|(_, arg)| is_it(&arg.value) && arg.used != Used::NotKept);
            let kept = handed.into_iter().any(|(at, _)| objects.keeps(op_ref(unit, op.id), at as u32));
            let object = if let Callee::Member { object, .. } = &call.callee { is_it(object) } else { false };
            if kept || object || call.this.as_ref().is_some_and(is_it) { Use::Out } else { Use::None }
        }
        does => match name {
            Held::Value(of, value) if of == body && does.uses().contains(&value) => Use::Out,
            _ => Use::None,
        },
    }
}

/// Whether a step from a pointer gives the pointer itself: out of an optional, the start of a slice.
pub(super) fn is_same_pointer(step: &Step) -> bool {
    match step {
        Step::Member(Name::Inner | Name::Error) => true,
        Step::Member(Name::Text(text)) => text.as_str() == "ptr",
        _ => false,
    }
}
