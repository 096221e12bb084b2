//! Objects, who may run, what is read and written, and what ends knowledge: decided on the core alone.
//!
//! [`sight`] has the units in sight, with their tables ([`index`]). [`origins`] says which objects a value may be,
//! [`candidates`] (with [`classes`]) which bodies an operation may run. [`keys`] numbers what is read and written,
//! [`summary`] says it of called bodies, [`effects`] of each point of a graph, where [`alone`] knows the objects that
//! nobody else has and [`running`] which kept functions may run. [`ends`] is the contract's rule.

mod alone;
mod bound;
mod candidates;
mod changes;
mod classes;
pub(crate) mod effects;
mod ends;
pub(crate) mod index;
mod keys;
mod leaks;
mod origins;
mod running;
pub(crate) mod sight;
mod summary;

#[cfg(test)]
mod snippets;
#[cfg(test)]
mod tests;

pub(crate) use changes::{Change, changes};
pub(crate) use effects::{Effects, ReadId};
pub(crate) use origins::Objects;
pub(crate) use sight::Sight;
