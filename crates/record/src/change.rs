//! In which way an item changed, told from the hashes of its two sides alone.

use crate::record::ItemRecord;
use serde::{Deserialize, Serialize};

coded! {
    /// In which way an item changed: the first of these that applies.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Change {
        /// Local variables are renamed.
        Locals = "locals",
        /// Literal text differs, and names of local variables at most.
        Literals = "literals",
        /// Functions and members are renamed.
        Names = "names",
        /// The skeleton is the same: arguments, messages and values beside it differ.
        Detail = "detail",
        /// Anything more.
        Structure = "structure",
    }
}

/// Whether names that differ are a renaming: the old ones are gone from the files of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Renaming {
    /// They are.
    Gone,
    /// One of them still stands there, or nobody looked.
    #[default]
    Unknown,
}

impl Change {
    /// In which way an item changed; `None` when it did not. What differs only in items inside that were covered by
    /// themselves is told by these.
    pub fn between(recorded: &ItemRecord, current: &ItemRecord, renaming: Renaming) -> Option<Change> {
        let is_own = !recorded.inner.is_empty() && recorded.inner == current.inner && recorded.own == current.own;
        if recorded.fingerprint == current.fingerprint || is_own {
            None
        } else if recorded.locals == current.locals {
            Some(Change::Locals)
        } else if recorded.literals == current.literals {
            Some(Change::Literals)
        } else if recorded.names == current.names && renaming == Renaming::Gone {
            Some(Change::Names)
        } else if recorded.detail == current.detail {
            Some(Change::Detail)
        } else {
            Some(Change::Structure)
        }
    }

    /// What differs, in words.
    pub(crate) fn sentence(self, recorded: &ItemRecord, current: &ItemRecord) -> String {
        match self {
            Change::Locals => "local variables are renamed".to_owned(),
            Change::Literals => "only literal text differs".to_owned(),
            Change::Names => {
                let pairs: Vec<String> =
                    renamed(recorded, current).map(|(old, new)| format!("`{old}` is `{new}` now")).collect();
                pairs.join(", ")
            }
            Change::Detail => "arguments, messages or values beside the skeleton differ".to_owned(),
            Change::Structure => "the code differs".to_owned(),
        }
    }
}

/// The names that differ between two items whose names are the same up to a renaming: the old one and the new one.
pub fn renamed<'r>(recorded: &'r ItemRecord, current: &'r ItemRecord) -> impl Iterator<Item = (&'r str, &'r str)> {
    let pairs = recorded.words.iter().zip(&current.words);
    pairs.filter(|(old, new)| old != new).map(|(old, new)| (old.as_str(), new.as_str()))
}
