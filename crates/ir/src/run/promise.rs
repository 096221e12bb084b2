//! Promises: their states, and what happens when they are settled.

use super::coroutine::{CoroutineId, Resume};
use super::heap::{Invoked, Kind};
use super::machine::Machine;
use super::queue::Job;
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};

/// A promise.
#[derive(Clone, Debug)]
pub(super) struct Promise {
    state: State,
    reactions: Vec<Reaction>,
}

#[derive(Clone, Debug)]
enum State {
    Pending,
    Fulfilled(Val),
    Rejected(Val),
}

/// What is to happen when a promise is settled.
#[derive(Clone, Debug)]
pub(super) enum Reaction {
    /// A function is called, and settles another promise.
    Call { fulfilled: Val, rejected: Val, derived: Option<ObjectId> },
    /// An `await` goes on.
    Resume(CoroutineId),
    /// A `return` of an async generator that has ended is answered.
    Returned(CoroutineId),
    /// The result of a plain iterator, for `for await`.
    Unwrap { done: bool, derived: ObjectId },
}

impl<'u> Machine<'u> {
    pub(super) fn new_promise(&mut self) -> ObjectId {
        let promise = Promise { state: State::Pending, reactions: Vec::new() };
        self.alloc(Some(self.known.promise), Kind::Promise(promise))
    }

    fn promise(&mut self, id: ObjectId) -> Option<&mut Promise> {
        match &mut self.object_mut(id).kind {
            Kind::Promise(promise) => Some(promise),
            _ => None,
        }
    }

    fn settle_as(&mut self, id: ObjectId, state: State) {
        let reactions = match self.promise(id) {
            Some(promise) if matches!(promise.state, State::Pending) => {
                promise.state = state.clone();
                std::mem::take(&mut promise.reactions)
            }
            _ => return,
        };
        for reaction in reactions {
            self.schedule(reaction, &state);
        }
    }

    fn schedule(&mut self, reaction: Reaction, state: &State) {
        let job = match state {
            State::Pending => return,
            State::Fulfilled(value) => Job::React { reaction, value: value.clone(), failed: false },
            State::Rejected(error) => Job::React { reaction, value: error.clone(), failed: true },
        };
        self.jobs.push_back(job);
    }

    /// The promise is rejected.
    pub(super) fn reject(&mut self, id: ObjectId, error: Val) -> Run<()> {
        self.settle_as(id, State::Rejected(error));
        Ok(())
    }

    /// The promise is resolved: with the value, or with what a thenable comes to.
    pub(super) fn resolve(&mut self, id: ObjectId, value: Val) -> Run<()> {
        if value == Val::Object(id) {
            let error = self.error("TypeError", "a promise is resolved with itself");
            return self.reject(id, error);
        }
        if value.object().is_none() {
            self.settle_as(id, State::Fulfilled(value));
            return Ok(());
        }
        match self.get(&value, &Key::text("then")) {
            Ok(then) if self.is_function(&then) => {
                self.jobs.push_back(Job::Follow { promise: id, thenable: value, then });
            }
            Ok(_) => self.settle_as(id, State::Fulfilled(value)),
            Err(Halt::Raise(error)) => self.reject(id, error)?,
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// The value itself when it is a promise, else a promise of it.
    pub(super) fn as_promise(&mut self, value: &Val) -> Run<ObjectId> {
        if let Some(id) = value.object()
            && self.promise(id).is_some()
        {
            self.get(value, &Key::text("constructor"))?;
            return Ok(id);
        }
        let promise = self.new_promise();
        self.resolve(promise, value.clone())?;
        Ok(promise)
    }

    /// Something is to happen when the promise is settled.
    pub(super) fn react(&mut self, id: ObjectId, reaction: Reaction) -> Run<()> {
        let Some(promise) = self.promise(id) else { return self.unsupported("no promise") };
        match promise.state.clone() {
            State::Pending => promise.reactions.push(reaction),
            state => self.schedule(reaction, &state),
        }
        Ok(())
    }

    /// The two functions that settle a promise once.
    pub(super) fn resolvers(&mut self, id: ObjectId) -> (Val, Val) {
        let settled = Val::Number(self.cell(Val::Bool(false)) as f64);
        let data = [Val::Object(id), settled];
        (self.native(resolve_once, &data), self.native(reject_once, &data))
    }

    /// Runs what a job says.
    pub(super) fn reacted(&mut self, reaction: Reaction, value: Val, failed: bool) -> Run<()> {
        match reaction {
            Reaction::Resume(id) => {
                let how = if failed { Resume::Raise(value) } else { Resume::Next(value) };
                self.advance(id, Some(how))
            }
            Reaction::Returned(id) => self.returned(id, value, failed),
            Reaction::Unwrap { derived, .. } if failed => self.reject(derived, value),
            Reaction::Unwrap { done, derived } => {
                let result = self.result(value, done);
                self.resolve(derived, result)
            }
            Reaction::Call { fulfilled, rejected, derived } => {
                let handler = if failed { rejected } else { fulfilled };
                let done = if self.is_function(&handler) {
                    self.call(&handler, Val::Undefined, &[value])
                } else if failed {
                    Err(Halt::Raise(value))
                } else {
                    Ok(value)
                };
                match (done, derived) {
                    (Err(Halt::Stop(stop)), _) => Err(stop.into()),
                    (Ok(value), Some(derived)) => self.resolve(derived, value),
                    (Err(Halt::Raise(error)), Some(derived)) => self.reject(derived, error),
                    (_, None) => Ok(()),
                }
            }
        }
    }

    /// `promise.then(fulfilled, rejected)`.
    pub(super) fn then(&mut self, promise: &Val, fulfilled: Val, rejected: Val) -> Run<Val> {
        let id = promise.object().filter(|&id| self.promise(id).is_some());
        let Some(id) = id else { return Err(self.type_error("`then` of no promise")) };
        self.get(promise, &Key::text("constructor"))?;
        let derived = self.new_promise();
        self.react(id, Reaction::Call { fulfilled, rejected, derived: Some(derived) })?;
        Ok(Val::Object(derived))
    }
}

fn first_time(machine: &mut Machine<'_>, data: &[Val]) -> Option<ObjectId> {
    let [Val::Object(promise), Val::Number(cell)] = data else { return None };
    let settled = machine.cells.get_mut(*cell as usize)?;
    if std::mem::replace(settled, Val::Bool(true)) == Val::Bool(true) { None } else { Some(*promise) }
}

fn resolve_once(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    if let Some(promise) = first_time(machine, invoked.data) {
        machine.resolve(promise, invoked.arg(0))?;
    }
    Ok(Val::Undefined)
}

fn reject_once(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    if let Some(promise) = first_time(machine, invoked.data) {
        machine.reject(promise, invoked.arg(0))?;
    }
    Ok(Val::Undefined)
}
