//! Places: finding, reading and writing them.

use super::Run;
use super::act::{Act, Env};
use super::heap::Kind;
use super::machine::Machine;
use super::value::{Key, ObjectId, Val};
use crate::{ClassId, How, Name, Path, Place, Root, SlotId, Step, ValueId, VarId};
use std::rc::Rc;

/// A place that a pointer can point to.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    base: Base,
    /// Members of structs; of an object, first its member.
    path: Vec<Key>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    Cell(usize),
    Object(ObjectId),
}

/// A place that was found.
#[derive(Clone, Debug)]
enum Found {
    /// No place: only a value.
    Value(Val),
    /// A struct that the body has just made.
    Held(ValueId, Vec<Key>),
    Spot(Spot),
    Member(Val, Key),
    Super(Key),
    Slot(SlotId),
    Global(Path),
}

impl Env {
    fn cell(&self, var: VarId) -> Option<usize> {
        let mut here = Some(self);
        while let Some(env) = here {
            if let Some((_, cell)) = env.vars.iter().find(|(known, _)| *known == var) {
                return Some(*cell);
            }
            here = env.outer.as_deref();
        }
        None
    }

    fn brand(&self, class: ClassId) -> Option<u32> {
        let mut here = Some(self);
        while let Some(env) = here {
            if let Some((_, brand)) = env.brands.iter().rev().find(|(known, _)| *known == class) {
                return Some(*brand);
            }
            here = env.outer.as_deref();
        }
        None
    }
}

impl<'u> Machine<'u> {
    pub(super) fn read(&mut self, act: &Act<'u>, place: &Place) -> Run<Val> {
        let found = self.find(act, place)?;
        self.load(act, &found)
    }

    pub(super) fn write(&mut self, act: &mut Act<'u>, place: &Place, value: Val, how: &How) -> Run<()> {
        let found = self.find(act, place)?;
        self.store(act, found, value, how)
    }

    pub(super) fn address(&mut self, act: &Act<'u>, place: &Place) -> Run<Val> {
        let spot = match self.find(act, place)? {
            Found::Spot(spot) => spot,
            Found::Member(Val::Object(object), key) => Spot { base: Base::Object(object), path: vec![key] },
            Found::Value(Val::Pointer(spot)) => return Ok(Val::Pointer(spot)),
            found => {
                let value = self.load(act, &found)?;
                Spot { base: Base::Cell(self.cell(value)), path: Vec::new() }
            }
        };
        Ok(Val::Pointer(Rc::new(spot)))
    }

    /// A new cell.
    pub(super) fn cell(&mut self, value: Val) -> usize {
        self.cells.push(value);
        self.cells.len() - 1
    }

    /// A pointer to a new cell with this value.
    pub fn pointer(&mut self, value: Val) -> Val {
        Val::Pointer(Rc::new(Spot { base: Base::Cell(self.cell(value)), path: Vec::new() }))
    }

    pub(super) fn variable(&self, act: &Act<'u>, var: VarId) -> Run<usize> {
        match act.env.cell(var) {
            Some(cell) => Ok(cell),
            None => self.unsupported(&format!("the variable {} is not there", var.0)),
        }
    }

    /// The key that a name is.
    pub(super) fn key_of(&mut self, act: &Act<'u>, name: &Name) -> Run<Key> {
        match name {
            Name::Text(text) => match self.known_symbol(text) {
                Some(symbol) => Ok(Key::Symbol(symbol)),
                None => Ok(Key::Text(text.clone())),
            },
            Name::Private(class, text) => match act.env.brand(*class) {
                Some(brand) => Ok(Key::Private(brand, text.clone())),
                None => self.unsupported("a private name outside of its class"),
            },
            Name::Symbol(var) => {
                let cell = self.variable(act, *var)?;
                let value = self.cells[cell].clone();
                self.key_from(&value)
            }
            Name::Length => Ok(Key::text("length")),
            Name::Inner | Name::Error => self.unsupported("a payload as a key"),
        }
    }

    /// The key of a step.
    pub(super) fn key_of_step(&mut self, act: &Act<'u>, step: &Step) -> Run<Key> {
        match step {
            Step::Member(name) => self.key_of(act, name),
            Step::Element(_, key) => {
                let key = act.value(*key)?;
                self.key_from(&key)
            }
            Step::Any | Step::Deref | Step::MaybeDeref => self.unsupported("a step without a key"),
        }
    }

    fn find(&mut self, act: &Act<'u>, place: &Place) -> Run<Found> {
        let mut steps = place.steps.iter();
        let mut found = match &place.root {
            Root::Var(var) => Found::Spot(Spot { base: Base::Cell(self.variable(act, *var)?), path: Vec::new() }),
            Root::Value(value) => match act.value(*value)? {
                Val::Struct(_) => Found::Held(*value, Vec::new()),
                value => Found::Value(value),
            },
            Root::Slot(slot) if place.steps.is_empty() => Found::Slot(*slot),
            Root::Slot(slot) => Found::Value(act.slot(*slot)?),
            Root::Global(path) if place.steps.is_empty() => Found::Global(path.clone()),
            Root::Global(path) => Found::Value(self.read_global(path)?),
            Root::Super => match steps.next() {
                Some(step) => Found::Super(self.key_of_step(act, step)?),
                None => return self.unsupported("`super` alone"),
            },
        };
        for step in steps {
            found = self.one_step(act, found, step)?;
        }
        Ok(found)
    }

    fn one_step(&mut self, act: &Act<'u>, found: Found, step: &Step) -> Run<Found> {
        match step {
            Step::Member(Name::Inner | Name::Error) => match self.load(act, &found)? {
                Val::Step(element) => Ok(Found::Value(element.map_or(Val::Undefined, |element| (*element).clone()))),
                _ => Ok(found),
            },
            Step::Member(_) | Step::Element(..) => {
                let value = self.load(act, &found)?;
                if let Val::Undefined | Val::Null = value {
                    // The error comes before the key is converted.
                    return Err(self.type_error("a member of nothing"));
                }
                let key = self.key_of_step(act, step)?;
                Ok(member(found, value, key))
            }
            Step::Deref | Step::MaybeDeref => match self.load(act, &found)? {
                Val::Pointer(spot) => Ok(Found::Spot((*spot).clone())),
                Val::Object(object) => Ok(Found::Value(Val::Object(object))),
                _ if *step == Step::MaybeDeref => Ok(found),
                other => self.unsupported(&format!("what {other:?} points to")),
            },
            Step::Any => self.unsupported("some element"),
        }
    }

    fn load(&mut self, act: &Act<'u>, found: &Found) -> Run<Val> {
        match found {
            Found::Value(value) => Ok(value.clone()),
            Found::Held(value, path) => Ok(inside(act.value(*value)?, path)),
            Found::Spot(Spot { base: Base::Cell(cell), path }) => Ok(inside(self.cells[*cell].clone(), path)),
            Found::Spot(Spot { base: Base::Object(object), path }) => {
                let Some((first, rest)) = path.split_first() else { return Ok(Val::Object(*object)) };
                Ok(inside(self.get(&Val::Object(*object), first)?, rest))
            }
            Found::Member(holder, key) => self.get(holder, key),
            Found::Super(key) => {
                let (start, this) = self.behind(act)?;
                match start {
                    Some(start) => self.get_from(start, key, &this),
                    None => Ok(Val::Undefined),
                }
            }
            Found::Slot(slot) => act.slot(*slot),
            Found::Global(path) => self.read_global(path),
        }
    }

    fn store(&mut self, act: &mut Act<'u>, found: Found, value: Val, how: &How) -> Run<()> {
        match found {
            Found::Value(_) => self.unsupported("a value is written"),
            Found::Held(id, path) => {
                let whole = act.value(id)?;
                act.give(Some(id), replaced(whole, &path, value));
                Ok(())
            }
            Found::Spot(Spot { base: Base::Cell(cell), path }) => {
                let whole = std::mem::replace(&mut self.cells[cell], Val::Undefined);
                self.cells[cell] = replaced(whole, &path, value);
                Ok(())
            }
            Found::Spot(Spot { base: Base::Object(object), path }) => {
                let holder = Val::Object(object);
                let Some((first, rest)) = path.split_first() else { return self.unsupported("a whole object") };
                let whole = if rest.is_empty() { Val::Undefined } else { self.get(&holder, first)? };
                self.set(&holder, first, replaced(whole, rest, value))
            }
            Found::Member(holder, key) => self.store_member(&holder, key, value, how),
            Found::Super(key) => {
                let (start, this) = self.behind(act)?;
                match start.or(this.object()) {
                    Some(start) => self.set_from(start, &key, value, &this),
                    None => Err(self.type_error("a member of nothing")),
                }
            }
            Found::Slot(slot) => {
                if let Some(place) = act.slots.get_mut(slot.index()) {
                    *place = Some(value);
                }
                Ok(())
            }
            Found::Global(path) => {
                let names: Vec<&str> = path.0.iter().map(crate::Sym::as_str).collect();
                self.globals.insert(names.join("."), value);
                Ok(())
            }
        }
    }

    fn store_member(&mut self, holder: &Val, key: Key, value: Val, how: &How) -> Run<()> {
        let object = match (holder, how) {
            (_, How::Delete) => return self.delete(holder, &key),
            (Val::Object(object), How::Init | How::Getter | How::Setter) => *object,
            _ => return self.set(holder, &key, value),
        };
        if let Some(function) = value.object()
            && let Kind::Function(function) = &self.get_object(function).kind
            && function.home.get().is_none()
        {
            function.home.set(Some(object));
        }
        match how {
            How::Getter => self.accessor(object, key, Some(value), None, false),
            How::Setter => self.accessor(object, key, None, Some(value), false),
            _ if matches!(key, Key::Private(..)) && self.own(object, &key).is_some() => {
                return Err(self.type_error("a private member that is there already"));
            }
            _ => self.define(object, key, value),
        }
        Ok(())
    }

    /// Where `super` starts to look, and this body's `this`.
    fn behind(&mut self, act: &Act<'u>) -> Run<(Option<ObjectId>, Val)> {
        let this = self.this(act)?;
        let function = act.env.home.function.object();
        let home = function.and_then(|function| match &self.get_object(function).kind {
            Kind::Function(function) => function.home.get(),
            _ => None,
        });
        match home {
            Some(home) => Ok((self.get_object(home).proto, this)),
            None => self.unsupported("`super` outside of a method"),
        }
    }

    /// `super.name` of a body.
    pub(super) fn super_member(&mut self, act: &Act<'u>, name: &Name) -> Run<Val> {
        let key = self.key_of(act, name)?;
        self.load(act, &Found::Super(key))
    }
}

fn member(found: Found, value: Val, key: Key) -> Found {
    match (value, found) {
        (Val::Struct(_), Found::Spot(mut spot)) => {
            spot.path.push(key);
            Found::Spot(spot)
        }
        (Val::Struct(_), Found::Held(id, mut path)) => {
            path.push(key);
            Found::Held(id, path)
        }
        (Val::Struct(_), Found::Member(Val::Object(object), first)) => {
            Found::Spot(Spot { base: Base::Object(object), path: vec![first, key] })
        }
        (value @ Val::Struct(_), _) => Found::Value(inside(value, &[key])),
        (value, _) => Found::Member(value, key),
    }
}

/// What lies at the path in the value.
fn inside(value: Val, path: &[Key]) -> Val {
    path.iter().fold(value, |value, key| match value {
        Val::Struct(members) => {
            let member = members.iter().find(|(known, _)| known == key);
            member.map_or(Val::Undefined, |(_, value)| value.clone())
        }
        _ => Val::Undefined,
    })
}

/// The value with another one at the path.
fn replaced(whole: Val, path: &[Key], value: Val) -> Val {
    let Some((first, rest)) = path.split_first() else { return value };
    let mut members = match whole {
        Val::Struct(members) => (*members).clone(),
        _ => Vec::new(),
    };
    match members.iter_mut().find(|(known, _)| known == first) {
        Some((_, member)) => {
            let old = std::mem::replace(member, Val::Undefined);
            *member = replaced(old, rest, value);
        }
        None => members.push((first.clone(), replaced(Val::Undefined, rest, value))),
    }
    Val::Struct(Rc::new(members))
}
