//! The plain data that is stored and compared: the record of what somebody confirmed, the facts and items as they are
//! now, and what differs between the two.
//!
//! No parser, no git and no terminal here: everything is values, serialized in one stable form.

#[macro_use]
mod coded;

pub mod change;
pub mod compare;
pub mod fact;
pub mod form;
mod gate;
mod moved;
mod parse;
pub mod path;
pub mod record;
mod runs;
pub mod sync;
#[cfg(test)]
mod tests;
pub mod weaken;

pub use change::{Change, Renaming, renamed};
pub use compare::{
    Current, CurrentCalls, CurrentItem, CurrentRun, CurrentSite, Elsewhere, Stale, StaleKind, Uncovered, compare,
};
pub use fact::{Evidence, Fact, FactKind, FactValue, Place, Reason, Role};
pub use moved::{inside, is_inside};
pub use path::RepoPath;
pub use record::{Asks, CallRecord, FactRecord, Gate, ItemRecord, Record, RecordError, RunRecord};
pub use sync::Chosen;
pub use weaken::{Rest, Weakened, Weakening, moved_rejections, weakened};
