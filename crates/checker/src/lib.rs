//! Model-checker runs: command, process, output, verdict; the only one that starts processes.
//!
//! A run is described by [`RunSpec`] (what a `[run.NAME]` table says), made concrete by a plan (no engine needed: the
//! keys come from there), and carried out by the matrix. What came out is an [`Outcome`], held against the
//! run's [`Expectation`] in a report.

pub mod constant;
pub mod engine;
pub mod files;
pub mod outcome;
pub mod run;

pub use constant::{Constant, Facts};
pub use engine::EngineSpec;
pub use files::{SpecFiles, SpecPath};
pub use outcome::Outcome;
pub use run::{Behaviour, Deadlock, Edit, Expectation, Mutants, RunError, RunName, RunSpec, StateCount};
