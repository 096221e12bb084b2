//! A lease that one of several workers holds: renewed while it works, free for the next one once it ends.

use std::time::{Duration, Instant};

/// How long a lease lasts without a renewal.
pub const TERM: Duration = Duration::from_secs(30);

/// Who holds it, and until when.
#[derive(Debug, Default)]
pub struct Lease {
    holder: Option<(String, Instant)>,
}

impl Lease {
    /// Takes the lease when nobody holds it any more.
    pub fn take(&mut self, worker: &str, now: Instant) -> bool {
        if self.holder.as_ref().is_some_and(|(_, until)| *until > now) {
            return false;
        }
        self.holder = Some((worker.to_owned(), now + TERM));
        true
    }

    /// Gives it back, when it is this worker's.
    pub fn give_back(&mut self, worker: &str) {
        if self.holder.as_ref().is_some_and(|(holder, _)| holder == worker) {
            self.holder = None;
        }
    }
}
