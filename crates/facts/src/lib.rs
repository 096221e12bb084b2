//! Patterns, guards, sets, values, call sites and proof over normal trees.
//!
//! This crate decides; it opens no file, no repository and no terminal. Sources reach it through a [`Files`], results
//! leave it as the plain types of `factgate-record`.

pub mod callees;
pub mod calls;
mod core;
pub mod files;
pub mod guard;
mod idle;
pub mod ignore;
pub mod meant;
pub mod pattern;
pub mod program;
pub mod prove;
pub mod steps;
pub mod table;

pub use files::{FileError, Files};
