//! Source text to items, normal form, fingerprint, and what it does.
//!
//! This crate is the only user of tree-sitter. Everything that other crates see is one of a few
//! language-neutral shapes: a normal [`Tree`], its [`Scopes`], what it does in the core ([`Lowered`]), and its
//! constant [`value`]s. What counts as "the same code" is decided
//! here, once, in each language's `normalize`.

pub mod asked;
pub mod fingerprint;
mod grammar;
pub mod item;
pub mod languages;
pub mod links;
pub mod lowered;
pub mod pieces;
pub mod scope;
pub mod selector;
pub mod snippet;
pub mod source;
pub mod tree;
pub mod value;

pub use fingerprint::{Fingerprint, Fingerprints};
pub use item::{Item, ItemKind, is_hidden};
pub use languages::{LANGUAGES, Language, language_for_path};
pub use lowered::{Lowered, LoweredTest, Spelling};
pub use scope::{BindingId, Scopes};
pub use selector::Selector;
pub use source::{Limits, Position, Problem, ProblemKind, Source, SourceError};
pub use tree::{NodeId, Span, Tree};
