//! Lets INT and TERM wait while a file is being replaced, and then take their usual course.

use crate::error::VcsError;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Not HUP: a handler for it would undo `nohup`.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

struct Waiting {
    /// While this is set a signal ends the process at once, as it would without us.
    usual: Arc<AtomicBool>,
    /// The last signal that had to wait; 0 for none.
    arrived: Arc<AtomicUsize>,
}

/// Handlers stay in place for the life of the process: a default one cannot be put back.
static WAITING: OnceLock<Waiting> = OnceLock::new();

fn waiting() -> &'static Waiting {
    WAITING.get_or_init(|| {
        let waiting = Waiting { usual: Arc::new(AtomicBool::new(true)), arrived: Arc::default() };
        for signal in SIGNALS {
            // First noted, then perhaps obeyed: whoever starts to work after that sees the note (`end_if_told`).
            // Where no handler can be had a signal simply ends us: the record is whole then too.
            let number = usize::try_from(signal).unwrap_or(0);
            let _ = signal_hook::flag::register_usize(signal, Arc::clone(&waiting.arrived), number);
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&waiting.usual));
        }
        waiting
    })
}

/// Runs to its end; a signal that came meanwhile ends the process afterwards.
pub(crate) fn run<T>(work: impl FnOnce() -> Result<T, VcsError>) -> Result<T, VcsError> {
    let waiting = waiting();
    waiting.usual.store(false, Ordering::SeqCst);
    // Another thread may be ending the process right now.
    end_if_told(waiting);
    let result = work();
    waiting.usual.store(true, Ordering::SeqCst);
    end_if_told(waiting);
    result
}

fn end_if_told(waiting: &Waiting) {
    let arrived = waiting.arrived.load(Ordering::SeqCst);
    if let Some(signal) = SIGNALS.into_iter().find(|signal| usize::try_from(*signal).is_ok_and(|it| it == arrived)) {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}
