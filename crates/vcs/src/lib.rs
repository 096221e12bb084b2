//! Worktree, index and commit views, sync commit and history; the only user of git2.
//!
//! A [`Repository`] gives a [`View`]; sources, configuration and record are read from that one view. The sync commit
//! and the history behind it come from the same repository. Nothing here writes into the work tree or the index.
//!
//! Formats that libgit2 cannot read are read by asking the `git` program: the one exception to the rule that only
//! `crates/checker` starts processes. It is asked for reading only, without hooks, pager, filters, locks or network.

mod backend;
mod cuts;
mod environment;
mod error;
mod excludes;
mod feature;
mod history;
mod hook_config;
mod hook_text;
mod hooks;
mod id;
mod ignored;
mod kept;
mod library;
mod object;
mod open;
mod pack;
mod program;
mod range;
mod renames;
mod repository;
mod sync;
mod time;
mod undisturbed;
mod untracked;
mod view;
mod worktree;
mod write;

pub use environment::Environment;
pub use error::VcsError;
pub use history::{Touched, Touching};
pub use hooks::{HookManager, HookOutcome, HookState, HookStatus};
pub use id::{CommitId, ObjectId};
pub use ignored::IgnoreRule;
pub use renames::Renames;
pub use repository::{CommitInfo, Repository};
pub use sync::{Note, SyncInfo};
pub use view::{View, ViewKind};
pub use write::{Lock, Written};
