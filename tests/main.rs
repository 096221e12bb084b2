//! Whole-program tests: one binary, so that the program is linked once.

mod packs;
