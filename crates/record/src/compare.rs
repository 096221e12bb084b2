//! Comparison of what was recorded with what is there now.

use crate::fact::{Fact, Place};
use crate::record::{CallRecord, ItemRecord, Record};
use std::collections::BTreeMap;

/// The state of the code in one view, as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// Items that could be read, by selector.
    pub items: BTreeMap<String, CurrentItem>,
    /// Items that are covered and certainly not there; the fingerprint's place elsewhere, when it stands elsewhere.
    pub removed: BTreeMap<String, Option<String>>,
    /// Items that are covered and could not be read: an error stands elsewhere, and nothing is said of them here.
    pub unread: Vec<String>,
    /// Facts, by name.
    pub facts: BTreeMap<String, Fact>,
    /// Watched functions, by key, with the places of their sites.
    pub calls: BTreeMap<String, CurrentCalls>,
    /// The model's own files, by path from the model's folder.
    pub files: BTreeMap<String, String>,
    /// Keys of the model's runs, by name; `None` when the keys could not be made.
    pub runs: Option<BTreeMap<String, String>>,
}

/// One item as it is now.
#[derive(Clone, Debug)]
pub struct CurrentItem {
    /// The hashes; `because` is not used.
    pub record: ItemRecord,
    /// Where it stands.
    pub at: Place,
}

/// The sites of one watched function as they are now.
#[derive(Clone, Debug, Default)]
pub struct CurrentCalls {
    /// The counts.
    pub record: CallRecord,
    /// The first place of each site, by `file#item`.
    pub places: BTreeMap<String, Place>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// What kind.
    pub kind: StaleKind,
    /// The item's selector, the site's `file#item`, the fact's name, the file's path or the run's name.
    pub item: String,
    /// For `changed`: in which way.
    pub change: Option<Change>,
    /// Where it is now, when it is somewhere.
    pub at: Option<Place>,
    /// What differs, in words.
    pub detail: String,
}

/// Kinds of STALE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaleKind {
    /// The fingerprint differs.
    Changed,
    /// The item is gone.
    Removed,
    /// The item is gone and its fingerprint stands elsewhere.
    Moved,
    /// In the record, no longer covered.
    Uncovered,
    /// Covered, not in the record.
    Unrecorded,
    /// A site, or one more call in a known site.
    CallAdded,
    /// A site, or a call of one, is gone.
    CallRemoved,
    /// A fact's value differs.
    Fact,
    /// One of the model's own files differs.
    File,
    /// A run's verdict no longer applies.
    Unverified,
}

/// In which way an item changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only literal text.
    Literals,
    /// A consistent renaming of locals, literal text aside.
    Locals,
    /// Anything more.
    Structure,
}

/// Everything that differs, in a stable order: by kind, then by item.
pub fn compare(recorded: &Record, current: &Current) -> Vec<Stale> {
    let _ = (recorded, current);
    Vec::new()
}
