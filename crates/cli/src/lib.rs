//! The command line of factgate: arguments, configuration, one file a command, one file an output format.
//!
//! [`app::run`] walks one invocation: arguments are read, a view is opened, models are loaded through it, and a command
//! gives a report that one of the formats renders. Only `main` exits.

pub mod app;
pub mod args;
pub mod cause;
pub mod commands;
pub mod complete;
pub mod config;
pub mod exit;
pub mod explain;
pub mod finding;
pub mod output;
pub mod pipeline;
pub mod report;
pub mod run_groups;
