//! Bodies that are suspended: generators, async functions, async generators.

use super::act::{Act, Completion, Outcome};
use super::heap::Kind;
use super::machine::Machine;
use super::promise::Reaction;
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use crate::Pause;
use std::collections::VecDeque;

/// A suspended body: index into the machine's.
pub(super) type CoroutineId = usize;

/// A body that can be suspended.
pub(super) struct Coroutine<'u> {
    /// None while it runs, and when it has ended.
    act: Option<Act<'u>>,
    state: State,
    /// What an async function gives.
    promise: Option<ObjectId>,
    /// What an async generator is still to answer.
    pub(super) requests: VecDeque<(Resume, ObjectId)>,
    /// Whether the `await` that it is in is that of a `return` from outside.
    leaving: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Suspended,
    Running,
    /// An async generator that waits for the value of a `return` after its end.
    Draining,
    Done,
}

/// How a suspended body goes on.
#[derive(Clone, Debug)]
pub(super) enum Resume {
    Next(Val),
    Raise(Val),
    Return(Val),
}

impl<'u> Machine<'u> {
    fn coroutine(&mut self, act: Act<'u>, promise: Option<ObjectId>) -> CoroutineId {
        let state = State::Start;
        self.coroutines.push(Coroutine { act: Some(act), state, promise, requests: VecDeque::new(), leaving: false });
        self.coroutines.len() - 1
    }

    pub(super) fn make_generator(&mut self, act: Act<'u>, kind: fn(CoroutineId) -> Kind) -> Run<Val> {
        let function = act.env.home.function.clone();
        let id = self.coroutine(act, None);
        let kind = kind(id);
        let is_async = matches!(kind, Kind::AsyncGenerator(_));
        self.new_object(&function, kind, |known| if is_async { known.async_generator } else { known.generator })
    }

    /// What `next`, `return` and `throw` of a generator do.
    pub(super) fn resume_generator(&mut self, id: CoroutineId, how: Resume) -> Run<Val> {
        match (self.coroutines[id].state, how) {
            (State::Running | State::Draining, _) => Err(self.type_error("the generator runs already")),
            (State::Start, Resume::Return(value)) => {
                self.end(id);
                Ok(self.result(value, true))
            }
            (State::Start, Resume::Raise(error)) => {
                self.end(id);
                Err(Halt::Raise(error))
            }
            (State::Done, Resume::Next(_)) => Ok(self.result(Val::Undefined, true)),
            (State::Done, Resume::Return(value)) => Ok(self.result(value, true)),
            (State::Done, Resume::Raise(error)) => Err(Halt::Raise(error)),
            (State::Start | State::Suspended, how) => self.run_generator(id, how),
        }
    }

    fn run_generator(&mut self, id: CoroutineId, how: Resume) -> Run<Val> {
        let Some(mut act) = self.coroutines[id].act.take() else { return self.unsupported("a body that is gone") };
        let started = self.coroutines[id].state == State::Start;
        self.coroutines[id].state = State::Running;
        self.deeper()?;
        let outcome = self.drive_generator(&mut act, how, started);
        self.depth -= 1;
        match outcome {
            Ok(Driven::Yielded(result)) => {
                self.coroutines[id].act = Some(act);
                self.coroutines[id].state = State::Suspended;
                Ok(result)
            }
            Ok(Driven::Ended(value)) => {
                self.end(id);
                Ok(self.result(value, true))
            }
            Err(halt) => {
                self.end(id);
                Err(halt)
            }
        }
    }

    fn drive_generator(&mut self, act: &mut Act<'u>, how: Resume, started: bool) -> Run<Driven> {
        let mut ended = None;
        if act.delegate.is_some() {
            if let Some(result) = self.delegated(act, how, &mut ended)? {
                return Ok(Driven::Yielded(result));
            }
        } else if !started {
            ended = self.go_on(act, how);
        }
        loop {
            let outcome = match ended.take() {
                Some(how) => Outcome::Done(how),
                None => stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.run_act(act))?,
            };
            match outcome {
                Outcome::Done(Completion::Return(value) | Completion::ErrorReturn(value)) => {
                    return Ok(Driven::Ended(value));
                }
                Outcome::Done(Completion::Raise(error)) => return Err(Halt::Raise(error)),
                Outcome::Done(_) => return Ok(Driven::Ended(Val::Undefined)),
                Outcome::Paused(Pause::Yield, value) => return Ok(Driven::Yielded(self.result(value, false))),
                Outcome::Paused(Pause::Delegate, Val::Iteration(over)) => {
                    act.delegate = Some(over);
                    if let Some(result) = self.delegated(act, Resume::Next(Val::Undefined), &mut ended)? {
                        return Ok(Driven::Yielded(result));
                    }
                }
                Outcome::Paused(..) => return self.unsupported("a generator that waits"),
            }
        }
    }

    /// Goes on behind a suspension. Gives how the body ends, when it does.
    fn go_on(&mut self, act: &mut Act<'u>, how: Resume) -> Option<Completion> {
        match how {
            Resume::Next(value) => {
                act.give(act.into, value);
                None
            }
            Resume::Raise(error) => act.unwind(Completion::Raise(error)),
            Resume::Return(value) => act.unwind(Completion::Return(value)),
        }
    }

    /// Hands it on to the iteration of a `yield*`. Gives what that yields, as a result object; nothing when the body
    /// goes on itself.
    fn delegated(&mut self, act: &mut Act<'u>, how: Resume, ended: &mut Option<Completion>) -> Run<Option<Val>> {
        match self.ask_delegate(act, how) {
            Ok(Delegated::Yields(result)) => Ok(Some(result)),
            Ok(Delegated::Ends(how)) => {
                act.delegate = None;
                *ended = self.go_on(act, how);
                Ok(None)
            }
            Err(Halt::Raise(error)) => {
                act.delegate = None;
                *ended = act.unwind(Completion::Raise(error));
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }

    fn ask_delegate(&mut self, act: &Act<'u>, how: Resume) -> Run<Delegated> {
        let Some(over) = act.delegate else { return self.unsupported("no `yield*`") };
        let (iterator, next) = (self.iterations[over].iterator.clone(), self.iterations[over].next.clone());
        let returns = matches!(how, Resume::Return(_));
        let result = match how {
            Resume::Next(value) => self.call(&next, iterator, &[value])?,
            Resume::Raise(error) => {
                let method = self.get(&iterator, &Key::text("throw"))?;
                if method.is_missing() {
                    self.close(&Val::Iteration(over))?;
                    return Err(self.type_error("the iterator takes no errors"));
                }
                self.call(&method, iterator, &[error])?
            }
            Resume::Return(value) => {
                let method = self.get(&iterator, &Key::text("return"))?;
                if method.is_missing() {
                    return Ok(Delegated::Ends(Resume::Return(value)));
                }
                self.call(&method, iterator, &[value])?
            }
        };
        if result.object().is_none() {
            return Err(self.type_error("the result of an iterator is no object"));
        }
        if !self.get(&result, &Key::text("done"))?.truth() {
            return Ok(Delegated::Yields(result));
        }
        let value = self.get(&result, &Key::text("value"))?;
        Ok(Delegated::Ends(if returns { Resume::Return(value) } else { Resume::Next(value) }))
    }

    fn end(&mut self, id: CoroutineId) {
        self.coroutines[id].act = None;
        self.coroutines[id].state = State::Done;
    }

    /// `{ value, done }`.
    pub(super) fn result(&mut self, value: Val, done: bool) -> Val {
        let result = self.object();
        if let Some(id) = result.object() {
            self.put_value(id, Key::text("value"), value);
            self.put_value(id, Key::text("done"), Val::Bool(done));
        }
        result
    }

    /// Calls an async function: runs to its first suspension.
    pub(super) fn start_async(&mut self, act: Act<'u>) -> Run<Val> {
        let promise = self.new_promise();
        let id = self.coroutine(act, Some(promise));
        self.advance(id, None)?;
        Ok(Val::Object(promise))
    }

    /// Goes on with an async body, whose `await` is settled.
    pub(super) fn advance(&mut self, id: CoroutineId, how: Option<Resume>) -> Run<()> {
        let Some(mut act) = self.coroutines[id].act.take() else { return Ok(()) };
        self.coroutines[id].state = State::Running;
        let leaving = std::mem::take(&mut self.coroutines[id].leaving);
        let mut ended = match how {
            None => None,
            Some(Resume::Next(value)) if leaving => act.unwind(Completion::Return(value)),
            Some(Resume::Next(value)) => match self.turned(&mut act, value) {
                Ok(()) => None,
                Err(Halt::Raise(error)) => act.unwind(Completion::Raise(error)),
                Err(stop) => return Err(stop),
            },
            Some(how) => {
                self.turn_failed(&mut act);
                self.go_on(&mut act, how)
            }
        };
        self.deeper()?;
        let outcome = match ended.take() {
            Some(how) => Ok(Outcome::Done(how)),
            None => stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.run_act(&mut act)),
        };
        self.depth -= 1;
        match outcome? {
            Outcome::Paused(Pause::Yield, value) => {
                self.coroutines[id].act = Some(act);
                self.yielded(id, value)
            }
            Outcome::Paused(Pause::Delegate, _) => self.unsupported("`yield*` in an async generator"),
            Outcome::Paused(_, value) => {
                let value = self.turning(&mut act, value);
                self.coroutines[id].act = Some(act);
                self.wait_for(&value, Reaction::Resume(id))
            }
            Outcome::Done(how) => self.ended(id, how),
        }
    }

    fn ended(&mut self, id: CoroutineId, how: Completion) -> Run<()> {
        self.end(id);
        let (value, failed) = match how {
            Completion::Return(value) | Completion::ErrorReturn(value) => (value, false),
            Completion::Raise(error) => (error, true),
            _ => (Val::Undefined, false),
        };
        match self.coroutines[id].promise {
            Some(promise) if failed => self.reject(promise, value),
            Some(promise) => self.resolve(promise, value),
            None => {
                self.coroutines[id].state = State::Draining;
                self.answer(id, value, failed, true)?;
                self.drain(id)
            }
        }
    }

    /// Answers the first request of an async generator.
    fn answer(&mut self, id: CoroutineId, value: Val, failed: bool, done: bool) -> Run<()> {
        let Some((_, promise)) = self.coroutines[id].requests.pop_front() else { return Ok(()) };
        if failed {
            return self.reject(promise, value);
        }
        let result = self.result(value, done);
        self.resolve(promise, result)
    }

    fn yielded(&mut self, id: CoroutineId, value: Val) -> Run<()> {
        self.answer(id, value, false, false)?;
        self.coroutines[id].state = State::Suspended;
        match self.coroutines[id].requests.front().cloned() {
            Some((how, _)) => self.take_request(id, how),
            None => Ok(()),
        }
    }

    fn take_request(&mut self, id: CoroutineId, how: Resume) -> Run<()> {
        match how {
            Resume::Return(value) => {
                self.coroutines[id].state = State::Running;
                self.coroutines[id].leaving = true;
                self.wait_for(&value, Reaction::Resume(id))
            }
            how => self.advance(id, Some(how)),
        }
    }

    /// What `next`, `return` and `throw` of an async generator do.
    pub(super) fn request(&mut self, id: CoroutineId, how: Resume) -> Run<Val> {
        let promise = self.new_promise();
        let state = self.coroutines[id].state;
        match (state, &how) {
            (State::Done, Resume::Next(_)) => {
                let result = self.result(Val::Undefined, true);
                self.resolve(promise, result)?;
            }
            (State::Start | State::Done, Resume::Raise(error)) => {
                self.end(id);
                self.reject(promise, error.clone())?;
            }
            (State::Start | State::Done, Resume::Return(_)) => {
                self.end(id);
                self.coroutines[id].requests.push_back((how, promise));
                self.coroutines[id].state = State::Draining;
                self.drain(id)?;
            }
            _ => {
                self.coroutines[id].requests.push_back((how.clone(), promise));
                match state {
                    State::Start => self.advance(id, None)?,
                    State::Suspended => self.take_request(id, how)?,
                    _ => {}
                }
            }
        }
        Ok(Val::Object(promise))
    }

    /// Answers what is still asked of an async generator that has ended.
    pub(super) fn drain(&mut self, id: CoroutineId) -> Run<()> {
        while let Some((how, _)) = self.coroutines[id].requests.front().cloned() {
            match how {
                Resume::Return(value) => return self.wait_for(&value, Reaction::Returned(id)),
                Resume::Next(_) => self.answer(id, Val::Undefined, false, true)?,
                Resume::Raise(error) => self.answer(id, error, true, true)?,
            }
        }
        self.coroutines[id].state = State::Done;
        Ok(())
    }

    /// The value of a `return` after the end is there.
    pub(super) fn returned(&mut self, id: CoroutineId, value: Val, failed: bool) -> Run<()> {
        self.answer(id, value, failed, true)?;
        self.drain(id)
    }

    /// Waits for a value as `await` does.
    pub(super) fn wait_for(&mut self, value: &Val, reaction: Reaction) -> Run<()> {
        match self.as_promise(value) {
            Ok(promise) => self.react(promise, reaction),
            Err(Halt::Raise(error)) => {
                let promise = self.new_promise();
                self.reject(promise, error)?;
                self.react(promise, reaction)
            }
            Err(stop) => Err(stop),
        }
    }
}

enum Driven {
    Yielded(Val),
    Ended(Val),
}

enum Delegated {
    Yields(Val),
    Ends(Resume),
}
