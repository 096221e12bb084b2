//! From a view to a report: read the models, gather what is there now, compare it with the record, ask git.

pub mod calls;
pub mod causes;
pub mod confirm;
pub mod covered;
pub mod definition;
pub mod facts;
pub mod follow;
pub mod hashes;
pub mod history;
pub mod items;
pub mod layout;
pub mod model_files;
pub mod moved;
pub mod mv;
pub mod next;
pub mod patterns;
pub mod recorded;
pub mod rename;
pub mod renaming;
pub mod review;
pub mod runs;
pub mod scheme;
pub mod session;
pub mod store;
pub mod verdict;
pub mod view_files;
