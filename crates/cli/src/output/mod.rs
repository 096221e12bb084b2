//! Output: one file a format. Each takes a report and gives the bytes; who writes them is [`stream`].

pub mod actions;
pub mod constants;
pub mod diagnostics;
pub mod diff_rows;
pub mod diff_text;
pub mod facts_text;
pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod matches;
pub mod progress;
pub mod proof;
pub mod runs_text;
pub mod sarif;
pub mod steps;
pub mod stream;
pub mod terminal;
pub mod text;
