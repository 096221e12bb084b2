//! Tests of the core on units written by hand.

mod check;
mod graph;
mod hand;
mod run;
