//! Iterations: what `for … of`, taking a list apart and `for await` ask of an object.

use super::act::Act;
use super::heap::Kind;
use super::machine::Machine;
use super::promise::Reaction;
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use std::rc::Rc;

/// The state of an iteration.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) iterator: Val,
    pub(super) next: Val,
    kind: Sort,
    done: bool,
}

#[derive(Clone, Debug)]
enum Sort {
    Plain,
    Async,
    /// A plain iterator for `for await`.
    Wrapped,
    /// The names of an object.
    Keys(ObjectId, Vec<Key>),
}

impl<'u> Machine<'u> {
    fn new_iteration(&mut self, iterator: Val, next: Val, kind: Sort) -> Val {
        self.iterations.push(Iteration { iterator, next, kind, done: false });
        Val::Iteration(self.iterations.len() - 1)
    }

    pub(super) fn iterate(&mut self, of: &Val) -> Run<Val> {
        let method = self.symbol_member(of, "iterator")?;
        self.iterate_by(of, &method, Sort::Plain)
    }

    fn iterate_by(&mut self, of: &Val, method: &Val, kind: Sort) -> Run<Val> {
        if !self.is_function(method) {
            return Err(self.type_error("an iteration of something that has none"));
        }
        let iterator = self.call(method, of.clone(), &[])?;
        if iterator.object().is_none() {
            return Err(self.type_error("an iterator that is no object"));
        }
        let next = self.get(&iterator, &Key::text("next"))?;
        Ok(self.new_iteration(iterator, next, kind))
    }

    pub(super) fn iterate_async(&mut self, of: &Val) -> Run<Val> {
        let method = self.symbol_member(of, "asyncIterator")?;
        if method.is_missing() {
            let method = self.symbol_member(of, "iterator")?;
            return self.iterate_by(of, &method, Sort::Wrapped);
        }
        self.iterate_by(of, &method, Sort::Async)
    }

    pub(super) fn iterate_keys(&mut self, of: &Val) -> Run<Val> {
        let mut keys: Vec<Key> = Vec::new();
        let mut hidden: Vec<Key> = Vec::new();
        let mut here = of.object();
        while let Some(id) = here {
            for key in self.own_keys(id).into_iter().filter(|key| matches!(key, Key::Text(_))) {
                let is_hidden = self.own(id, &key).is_none_or(|property| property.is_hidden());
                if is_hidden {
                    hidden.push(key);
                } else if !keys.contains(&key) && !hidden.contains(&key) {
                    keys.push(key);
                }
            }
            here = self.get_object(id).proto;
        }
        keys.reverse();
        let object = of.object().unwrap_or(self.known.object);
        Ok(self.new_iteration(of.clone(), Val::Undefined, Sort::Keys(object, keys)))
    }

    pub(super) fn next(&mut self, state: &Val) -> Run<Val> {
        let Val::Iteration(id) = *state else { return self.unsupported("`Next` of no iteration") };
        if self.iterations[id].done {
            return Ok(Val::Step(None));
        }
        if let Sort::Keys(object, _) = self.iterations[id].kind {
            return Ok(self.next_key(id, object));
        }
        let (iterator, next) = (self.iterations[id].iterator.clone(), self.iterations[id].next.clone());
        // Whoever fails is not asked again.
        self.iterations[id].done = true;
        let result = match self.iterations[id].kind {
            Sort::Wrapped => self.wrapped(&iterator, &next)?,
            _ => self.call(&next, iterator, &[])?,
        };
        if !matches!(self.iterations[id].kind, Sort::Plain) {
            self.iterations[id].done = false;
            return Ok(Val::Turn(Rc::new(result), id));
        }
        let step = self.stepped(&result)?;
        self.iterations[id].done = step.is_none();
        Ok(Val::Step(step))
    }

    fn stepped(&mut self, result: &Val) -> Run<Option<Rc<Val>>> {
        if result.object().is_none() {
            return Err(self.type_error("the result of an iterator is no object"));
        }
        if self.get(result, &Key::text("done"))?.truth() {
            return Ok(None);
        }
        self.get(result, &Key::text("value")).map(|value| Some(Rc::new(value)))
    }

    fn next_key(&mut self, id: usize, object: ObjectId) -> Val {
        while let Sort::Keys(_, keys) = &mut self.iterations[id].kind
            && let Some(key) = keys.pop()
        {
            let mut here = Some(object);
            while let Some(holder) = here {
                if self.own(holder, &key).is_some() {
                    return Val::Step(Some(Rc::new(Val::text(&key.shown()))));
                }
                here = self.get_object(holder).proto;
            }
        }
        self.iterations[id].done = true;
        Val::Step(None)
    }

    /// `next` of a plain iterator, as `%AsyncFromSyncIteratorPrototype%.next` gives it.
    fn wrapped(&mut self, iterator: &Val, next: &Val) -> Run<Val> {
        let derived = self.new_promise();
        let done = self.call(next, iterator.clone(), &[]).and_then(|result| self.unwrapped(&result, derived));
        match done {
            Ok(()) => {}
            Err(Halt::Raise(error)) => self.reject(derived, error)?,
            Err(stop) => return Err(stop),
        }
        Ok(Val::Object(derived))
    }

    fn unwrapped(&mut self, result: &Val, derived: ObjectId) -> Run<()> {
        if result.object().is_none() {
            return Err(self.type_error("the result of an iterator is no object"));
        }
        let done = self.get(result, &Key::text("done"))?.truth();
        let value = self.get(result, &Key::text("value"))?;
        let promise = self.as_promise(&value)?;
        self.react(promise, Reaction::Unwrap { done, derived })
    }

    pub(super) fn close(&mut self, state: &Val) -> Run<Val> {
        let Val::Iteration(id) = *state else { return self.unsupported("`Close` of no iteration") };
        let iteration = &mut self.iterations[id];
        if std::mem::replace(&mut iteration.done, true) || matches!(iteration.kind, Sort::Keys(..)) {
            return Ok(Val::Undefined);
        }
        let (iterator, kind) = (iteration.iterator.clone(), iteration.kind.clone());
        let method = self.get(&iterator, &Key::text("return"))?;
        if method.is_missing() {
            return Ok(Val::Undefined);
        }
        if let Sort::Wrapped = kind {
            let derived = self.new_promise();
            let done = self.call(&method, iterator, &[]).and_then(|result| self.unwrapped(&result, derived));
            match done {
                Ok(()) => {}
                Err(Halt::Raise(error)) => self.reject(derived, error)?,
                Err(stop) => return Err(stop),
            }
            return Ok(Val::Object(derived));
        }
        let result = self.call(&method, iterator, &[])?;
        if matches!(kind, Sort::Plain) && result.object().is_none() {
            return Err(self.type_error("`return` of an iterator gives no object"));
        }
        Ok(result)
    }

    /// What an `await` waits for; of the turn of a `for await`, it is remembered whose turn.
    pub(super) fn turning(&mut self, act: &mut Act<'u>, value: Val) -> Val {
        match value {
            Val::Turn(promise, id) => {
                act.delegate = Some(id);
                (*promise).clone()
            }
            value => value,
        }
    }

    /// What an `await` gives; of the turn of a `for await`, the step.
    pub(super) fn turned(&mut self, act: &mut Act<'u>, value: Val) -> Run<()> {
        let Some(id) = act.delegate.take() else {
            act.give(act.into, value);
            return Ok(());
        };
        self.iterations[id].done = true;
        let step = self.stepped(&value)?;
        self.iterations[id].done = step.is_none();
        act.give(act.into, Val::Step(step));
        Ok(())
    }

    /// The turn of a `for await` was rejected: nobody is asked again.
    pub(super) fn turn_failed(&mut self, act: &mut Act<'u>) {
        if let Some(id) = act.delegate.take() {
            self.iterations[id].done = true;
        }
    }

    /// The elements of an iterable.
    pub(super) fn elements(&mut self, of: &Val) -> Run<Vec<Val>> {
        let state = self.iterate(of)?;
        let mut found = Vec::new();
        while let Val::Step(Some(element)) = self.next(&state)? {
            self.step()?;
            found.push((*element).clone());
        }
        Ok(found)
    }

    /// An iterator over elements of a list that are read when they are asked for.
    pub(super) fn list_iterator(&mut self, of: &Val, sort: &str) -> Val {
        let proto = self.known.list_iterator;
        let iterator = self.alloc(Some(proto), Kind::Plain);
        let state = [of.clone(), Val::Number(0.0), Val::text(sort)];
        let state = self.list(state);
        self.put_hidden(iterator, Key::Private(0, "state".into()), state);
        Val::Object(iterator)
    }
}
