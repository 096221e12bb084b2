//! Objects: members, prototypes, accessors, and the events of those that are traced.

use super::call::Function;
use super::coroutine::CoroutineId;
use super::machine::{Access, Event, Machine, Stop};
use super::promise::Promise;
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use std::rc::Rc;

/// A function of the machine itself.
pub type NativeFn = for<'u> fn(&mut Machine<'u>, &Invoked<'_>) -> Run<Val>;

/// How a native function was called.
#[derive(Clone, Copy, Debug)]
pub struct Invoked<'a> {
    /// Its `this`.
    pub this: &'a Val,
    /// Its arguments.
    pub args: &'a [Val],
    /// What was given to it when it was made.
    pub data: &'a [Val],
    /// The function that `new` was called on; `undefined` for a call.
    pub new_target: &'a Val,
}

impl Invoked<'_> {
    /// An argument; `undefined` when there is none.
    pub fn arg(&self, index: usize) -> Val {
        self.args.get(index).cloned().unwrap_or(Val::Undefined)
    }
}

/// What an object is beside its members.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Plain,
    /// Its elements. A hole is none.
    List(Vec<Option<Val>>),
    Function(Rc<Function>),
    Native {
        call: NativeFn,
        data: Rc<[Val]>,
    },
    Bound {
        function: Val,
        this: Val,
        args: Rc<[Val]>,
    },
    Generator(CoroutineId),
    AsyncGenerator(CoroutineId),
    Promise(Promise),
    Error,
}

/// A member.
#[derive(Clone, Debug)]
pub(super) enum Property {
    Data { value: Val, hidden: bool },
    Accessor { get: Option<Val>, set: Option<Val>, hidden: bool },
}

impl Property {
    pub(super) fn is_hidden(&self) -> bool {
        match self {
            Property::Data { hidden, .. } | Property::Accessor { hidden, .. } => *hidden,
        }
    }
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) proto: Option<ObjectId>,
    pub(super) members: Vec<(Key, Property)>,
    pub(super) kind: Kind,
    /// Its number, when what happens to it is told.
    pub(super) traced: Option<u32>,
}

impl<'u> Machine<'u> {
    pub(super) fn alloc(&mut self, proto: Option<ObjectId>, kind: Kind) -> ObjectId {
        self.heap.push(Object { proto, members: Vec::new(), kind, traced: None });
        ObjectId((self.heap.len() - 1) as u32)
    }

    /// A new object without members.
    pub fn object(&mut self) -> Val {
        let proto = self.known.object;
        Val::Object(self.alloc(Some(proto), Kind::Plain))
    }

    /// A new list.
    pub fn list(&mut self, elements: impl IntoIterator<Item = Val>) -> Val {
        let elements = elements.into_iter().map(Some).collect();
        let proto = self.known.list;
        Val::Object(self.alloc(Some(proto), Kind::List(elements)))
    }

    /// A native function.
    pub fn native(&mut self, call: NativeFn, data: &[Val]) -> Val {
        let proto = self.known.function;
        Val::Object(self.alloc(Some(proto), Kind::Native { call, data: data.into() }))
    }

    pub(super) fn get_object(&self, id: ObjectId) -> &Object {
        &self.heap[id.0 as usize]
    }

    pub(super) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.heap[id.0 as usize]
    }

    /// From now on what happens to the object is told. Gives its number.
    pub fn trace(&mut self, id: ObjectId) -> u32 {
        if let Some(number) = self.get_object(id).traced {
            return number;
        }
        self.traced += 1;
        let number = self.traced;
        self.object_mut(id).traced = Some(number);
        number
    }

    fn told(&mut self, id: ObjectId, access: Access, key: &Key, value: Option<&Val>) {
        if let Some(object) = self.get_object(id).traced {
            let value = value.map(|value| self.shown(value));
            self.tell(Event::Member { access, object, name: key.shown(), value });
        }
    }

    /// The own member.
    pub(super) fn own(&self, id: ObjectId, key: &Key) -> Option<Property> {
        let object = self.get_object(id);
        if let Kind::List(elements) = &object.kind {
            if let Some(index) = key.index() {
                let value = elements.get(index)?.clone()?;
                return Some(Property::Data { value, hidden: false });
            }
            if *key == Key::text("length") {
                return Some(Property::Data { value: Val::Number(elements.len() as f64), hidden: true });
            }
        }
        object.members.iter().find(|(known, _)| known == key).map(|(_, property)| property.clone())
    }

    /// The own keys: elements, then texts, then symbols, each in the order of making.
    pub(super) fn own_keys(&self, id: ObjectId) -> Vec<Key> {
        let object = self.get_object(id);
        let mut keys = Vec::new();
        if let Kind::List(elements) = &object.kind {
            let there = elements.iter().enumerate().filter(|(_, element)| element.is_some());
            keys.extend(there.map(|(index, _)| Key::text(&index.to_string())));
        }
        let mut numbers: Vec<(usize, Key)> =
            object.members.iter().filter_map(|(key, _)| Some((key.index()?, key.clone()))).collect();
        numbers.sort();
        keys.extend(numbers.into_iter().map(|(_, key)| key));
        let texts = object.members.iter().filter(|(key, _)| matches!(key, Key::Text(_)) && key.index().is_none());
        keys.extend(texts.map(|(key, _)| key.clone()));
        let symbols = object.members.iter().filter(|(key, _)| matches!(key, Key::Symbol(_)));
        keys.extend(symbols.map(|(key, _)| key.clone()));
        keys
    }

    /// Makes or replaces an own member, without an event.
    pub(super) fn put(&mut self, id: ObjectId, key: Key, property: Property) {
        if let (Property::Data { value, .. }, Kind::List(elements)) = (&property, &mut self.object_mut(id).kind) {
            if let Some(index) = key.index().filter(|&index| index < 10_000) {
                if index >= elements.len() {
                    elements.resize(index + 1, None);
                }
                elements[index] = Some(value.clone());
                return;
            }
            if key == Key::text("length") {
                if let Val::Number(length) = value {
                    elements.resize((*length as usize).min(10_000), None);
                }
                return;
            }
        }
        let members = &mut self.object_mut(id).members;
        match members.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = property,
            None => members.push((key, property)),
        }
    }

    /// Makes or replaces an own member with a value.
    pub(super) fn put_value(&mut self, id: ObjectId, key: Key, value: Val) {
        self.put(id, key, Property::Data { value, hidden: false });
    }

    /// A member that a loop over the names does not show.
    pub(super) fn put_hidden(&mut self, id: ObjectId, key: Key, value: Val) {
        self.put(id, key, Property::Data { value, hidden: true });
    }

    /// An own member gets its value as in a literal or a field.
    pub(super) fn define(&mut self, id: ObjectId, key: Key, value: Val) {
        self.told(id, Access::Define, &key, Some(&value));
        self.put_value(id, key, value);
    }

    /// The object itself, or the prototype of a primitive.
    pub(super) fn holder(&mut self, of: &Val, key: &Key) -> Run<ObjectId> {
        match of {
            Val::Object(object) => Ok(*object),
            Val::Text(_) => Ok(self.known.text),
            Val::Number(_) => Ok(self.known.number),
            Val::Bool(_) | Val::Other(_) => Ok(self.known.object),
            Val::Symbol(_) => Ok(self.known.symbol),
            Val::Undefined | Val::Null => Err(self.type_error(&format!("{} of nothing", key.shown()))),
            other => Err(Halt::Stop(Stop::Unsupported(format!("a member of {other:?}")))),
        }
    }

    /// `of.key`.
    pub fn get(&mut self, of: &Val, key: &Key) -> Run<Val> {
        let holder = self.holder(of, key)?;
        if let Val::Text(text) = of {
            if *key == Key::text("length") {
                return Ok(Val::Number(text.as_str().encode_utf16().count() as f64));
            }
            if let Some(index) = key.index() {
                let unit = text.as_str().chars().nth(index).map(|unit| Val::text(&unit.to_string()));
                return Ok(unit.unwrap_or(Val::Undefined));
            }
        }
        self.get_from(holder, key, of)
    }

    /// The member as it is found from `start` on, on behalf of `receiver`.
    pub(super) fn get_from(&mut self, start: ObjectId, key: &Key, receiver: &Val) -> Run<Val> {
        if let Key::Private(..) = key {
            return self.get_private(start, key, receiver);
        }
        let mut here = Some(start);
        while let Some(id) = here {
            self.told(id, Access::Get, key, None);
            match self.own(id, key) {
                Some(Property::Data { value, .. }) => return Ok(value),
                Some(Property::Accessor { get: Some(get), .. }) => return self.call(&get, receiver.clone(), &[]),
                Some(Property::Accessor { get: None, .. }) => return Ok(Val::Undefined),
                None => here = self.get_object(id).proto,
            }
        }
        Ok(Val::Undefined)
    }

    fn get_private(&mut self, id: ObjectId, key: &Key, receiver: &Val) -> Run<Val> {
        match self.own(id, key) {
            Some(Property::Data { value, .. }) => Ok(value),
            Some(Property::Accessor { get: Some(get), .. }) => self.call(&get, receiver.clone(), &[]),
            _ => Err(self.type_error("a private member that is not there")),
        }
    }

    /// Whether `of` has the member.
    pub fn has(&mut self, id: ObjectId, key: &Key) -> bool {
        if let Key::Private(..) = key {
            return self.own(id, key).is_some();
        }
        let mut here = Some(id);
        while let Some(id) = here {
            self.told(id, Access::Has, key, None);
            if self.own(id, key).is_some() {
                return true;
            }
            here = self.get_object(id).proto;
        }
        false
    }

    /// `of.key = value`.
    pub fn set(&mut self, of: &Val, key: &Key, value: Val) -> Run<()> {
        let holder = self.holder(of, key)?;
        if of.object().is_none() {
            return Err(self.type_error("a member of a primitive is written"));
        }
        self.set_from(holder, key, value, of)
    }

    /// The same as it is found from `start` on, on behalf of `receiver`.
    pub(super) fn set_from(&mut self, start: ObjectId, key: &Key, value: Val, receiver: &Val) -> Run<()> {
        let mut here = Some(start);
        while let Some(id) = here {
            if !matches!(key, Key::Private(..)) {
                self.told(id, Access::Set, key, Some(&value));
            }
            match self.own(id, key) {
                Some(Property::Accessor { set: Some(set), .. }) => {
                    self.call(&set, receiver.clone(), &[value])?;
                    return Ok(());
                }
                Some(Property::Accessor { set: None, .. }) => return Err(self.type_error("a member without a setter")),
                Some(Property::Data { .. }) => break,
                None if matches!(key, Key::Private(..)) => {
                    return Err(self.type_error("a private member that is not there"));
                }
                None => here = self.get_object(id).proto,
            }
        }
        let Some(receiver) = receiver.object() else { return Err(self.type_error("a member of a primitive")) };
        let hidden = self.own(receiver, key).is_some_and(|property| property.is_hidden());
        if let Some(Property::Accessor { .. }) = self.own(receiver, key) {
            return Err(self.type_error("a member that is an accessor on the receiver"));
        }
        self.put(receiver, key.clone(), Property::Data { value, hidden });
        Ok(())
    }

    /// `delete of.key`.
    pub fn delete(&mut self, of: &Val, key: &Key) -> Run<()> {
        let id = self.holder(of, key)?;
        self.told(id, Access::Delete, key, None);
        let index = key.index();
        let object = self.object_mut(id);
        if let (Kind::List(elements), Some(index)) = (&mut object.kind, index)
            && let Some(element) = elements.get_mut(index)
        {
            *element = None;
        }
        object.members.retain(|(known, _)| known != key);
        Ok(())
    }

    /// A member becomes an accessor, or its other half does.
    pub(super) fn accessor(&mut self, id: ObjectId, key: Key, get: Option<Val>, set: Option<Val>, hidden: bool) {
        let (old_get, old_set) = match self.own(id, &key) {
            Some(Property::Accessor { get, set, .. }) => (get, set),
            _ => (None, None),
        };
        self.put(id, key, Property::Accessor { get: get.or(old_get), set: set.or(old_set), hidden });
    }
}
