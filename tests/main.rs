//! Whole-program tests: the built `factgate` in scratch repositories with real `git`. One binary, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod actions;
mod arrows;
mod calls;
mod causes;
mod check;
mod classes;
mod complaints;
mod config_errors;
mod definitions;
mod docs;
mod formats;
mod git_clones;
mod git_history;
mod git_hooks;
mod git_interrupted;
mod git_places;
mod given_up;
mod history;
mod hooks;
mod items;
mod matching;
mod moves;
mod next_steps;
mod packs;
mod review;
mod runs;
mod scratch;
mod sync;
mod upgrade;
mod views;
mod weaker;
