//! Model-checker runs: command, process, output, verdict; the only one that starts processes.
//!
//! A run is described by [`RunSpec`] (what a `[run.NAME]` table says), made concrete by a plan (no engine needed: the
//! keys come from there), and carried out by the matrix. What came out is an [`Outcome`], held against the
//! run's [`Expectation`] in a report.

mod applications;
pub mod cache;
mod cfg;
mod command;
pub mod comments;
pub mod constant;
pub mod counterexample;
mod definitions;
pub mod engine;
mod execute;
pub mod files;
pub mod judge;
pub mod matrix;
mod modules;
pub mod outcome;
mod output;
pub mod plain;
pub mod plan;
mod probes;
mod process;
pub mod run;
mod scan;
pub mod trace;
mod unchecked;
pub mod verdict;

pub use cache::VerdictFolder;
pub use comments::without_comments;
pub use constant::{Constant, Facts};
pub use counterexample::{Counterexample, Ending, Step};
pub use engine::{Engine, EngineError, EngineSpec, check_kind};
pub use files::{SpecFiles, SpecPath};
pub use judge::{Judgement, Report, expectation_in_toml, unused_actions};
pub use matrix::{Known, Matrix, Progress, default_jobs, known, merge, shard, undecided};
pub use modules::PlanError;
pub use outcome::Outcome;
pub use plan::meaning::{Meaning, meaning};
pub use plan::{Planned, Prepared, plan};
pub use run::{
    Behaviour, Deadlock, Edit, Expectation, Mutant, Mutants, RunError, RunName, RunSpec, StateCount, TraceSet, Workers,
};
pub use trace::{Accepted, Allowed, Broken, Checked, Rejection, TraceError, TraceVerdict, check_trace};
pub use unchecked::unchecked;
pub use verdict::Verdict;
