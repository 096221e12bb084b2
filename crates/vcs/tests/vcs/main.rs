//! Views, sync commit and history against real `git` in scratch repositories.

mod excludes;
mod formats;
mod hooks;
mod random;
mod scratch;
mod sync;
mod views;
mod write;
