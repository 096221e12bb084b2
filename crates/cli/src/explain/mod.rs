//! What each stable code means: one table, that `factgate explain` prints and `docs/reasons.md` is made from.
//!
//! The codes themselves stand in their enums; a test holds the table to them.

mod changes;
mod errors;
mod reasons;
mod stale;

/// What a code is a code of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Why a guard is FALSE or a fact unknown.
    Reason,
    /// A kind of STALE, or of note.
    Stale,
    /// A class of change.
    Change,
    /// An error or a warning.
    Error,
}

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code.
    pub code: &'static str,
    /// What it means, one sentence.
    pub means: &'static str,
    /// The usual causes.
    pub causes: &'static str,
    /// Code, configuration or output that shows it.
    pub example: &'static str,
    /// What to do.
    pub then: &'static str,
}

impl Family {
    /// Every family, in the order of the page.
    pub const ALL: [Family; 4] = [Family::Reason, Family::Stale, Family::Change, Family::Error];

    /// What one of its codes is.
    pub fn word(self) -> &'static str {
        match self {
            Family::Reason => "reason of a fact",
            Family::Stale => "kind of STALE",
            Family::Change => "class of change",
            Family::Error => "error or warning",
        }
    }

    /// The heading on the page.
    pub fn heading(self) -> &'static str {
        match self {
            Family::Reason => "Reasons: why a guard is FALSE, or a fact unknown",
            Family::Stale => "Kinds of STALE",
            Family::Change => "Classes of change",
            Family::Error => "Errors and warnings",
        }
    }

    /// Its codes.
    pub fn entries(self) -> &'static [Entry] {
        match self {
            Family::Reason => reasons::ENTRIES,
            Family::Stale => stale::ENTRIES,
            Family::Change => changes::ENTRIES,
            Family::Error => errors::ENTRIES,
        }
    }
}

/// Every code with its family.
pub fn all() -> impl Iterator<Item = (Family, &'static Entry)> {
    Family::ALL.into_iter().flat_map(|family| family.entries().iter().map(move |entry| (family, entry)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use factgate_record::{Change, Reason, StaleKind};

    #[test]
    fn every_code_of_the_program_is_explained_once() {
        let known = |family: Family| match family {
            Family::Reason => Reason::ALL.map(Reason::code).to_vec(),
            Family::Stale => StaleKind::ALL.map(StaleKind::code).to_vec(),
            Family::Change => Change::ALL.map(Change::code).to_vec(),
            Family::Error => Code::ALL.map(Code::code).to_vec(),
        };
        for family in Family::ALL {
            let explained: Vec<&str> = family.entries().iter().map(|entry| entry.code).collect();
            assert_eq!(explained, known(family), "{family:?}");
        }
    }
}
