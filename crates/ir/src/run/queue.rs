//! The queue of jobs, and the driver that settles what waits for the world outside.

use super::machine::Machine;
use super::promise::Reaction;
use super::value::{ObjectId, Val};
use super::{Halt, Run};

/// A job: ECMA-262's `NewPromiseReactionJob` and `NewPromiseResolveThenableJob`.
#[derive(Clone, Debug)]
pub(super) enum Job {
    React { reaction: Reaction, value: Val, failed: bool },
    Follow { promise: ObjectId, thenable: Val, then: Val },
}

impl<'u> Machine<'u> {
    /// Runs jobs until there are none.
    pub fn run_jobs(&mut self) -> Run<()> {
        while let Some(job) = self.jobs.pop_front() {
            self.step()?;
            match job {
                Job::React { reaction, value, failed } => self.reacted(reaction, value, failed)?,
                Job::Follow { promise, thenable, then } => {
                    let (resolve, reject) = self.resolvers(promise);
                    match self.call(&then, thenable, &[resolve, reject.clone()]) {
                        Ok(_) => {}
                        Err(Halt::Raise(error)) => _ = self.call(&reject, Val::Undefined, &[error])?,
                        Err(stop) => return Err(stop),
                    }
                }
            }
        }
        Ok(())
    }

    /// A promise that the driver settles.
    pub fn outside(&mut self) -> Val {
        let promise = self.new_promise();
        self.waiting.push_back(promise);
        Val::Object(promise)
    }

    /// Settles the promise that has waited longest: with the value, or when it is an error, as rejected. Tells whether
    /// there was one. The jobs that this makes are not run.
    pub fn settle(&mut self, outcome: Result<Val, Val>) -> Run<bool> {
        let Some(promise) = self.waiting.pop_front() else { return Ok(false) };
        match outcome {
            Ok(value) => self.resolve(promise, value)?,
            Err(error) => self.reject(promise, error)?,
        }
        Ok(true)
    }

    /// Whether a promise waits for the driver.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}
