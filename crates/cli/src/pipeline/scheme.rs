//! Fingerprint schemes. A record of an older one is lifted to the newest from the source at its sync commit, so that an
//! upgrade of factgate by itself never turns anything STALE.

use crate::pipeline::covered;
use factgate_facts::program::Scope;
use factgate_record::{ItemRecord, Record};
use factgate_syntax::fingerprint::{SCHEME, fingerprints};
use factgate_syntax::{Fingerprints, Selector};

/// One version of the rules that make a fingerprint.
pub struct Scheme {
    /// The number in the record.
    pub name: &'static str,
    /// What it makes of an item.
    pub fingerprints: fn(&Scope) -> Fingerprints,
}

/// What is written into records.
pub static NEWEST: Scheme = Scheme { name: SCHEME, fingerprints: by_normal_form };

/// Every scheme that a record may have, the newest last. A new one is a row here; the old row keeps its rules.
pub static SCHEMES: [&Scheme; 1] = [&NEWEST];

fn by_normal_form(scope: &Scope) -> Fingerprints {
    let rules = scope.source.language().rules();
    fingerprints(&scope.tree, &scope.scopes, |kind| rules.is_literal(kind))
}

/// A record that cannot be lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiftError {
    /// No rules for its scheme.
    #[error("is of fingerprint scheme `{0}`, which this factgate does not know")]
    Unknown(String),
    /// The item's source at the sync commit is not at hand.
    #[error(
        "is of the older fingerprint scheme `{scheme}`, and {item} cannot be read at the sync commit: fetch the whole history, or `factgate sync` with the factgate that wrote it"
    )]
    NoSource {
        /// The record's scheme.
        scheme: String,
        /// The item.
        item: String,
    },
}

/// The record in the newest scheme. `source` gives an item as it was at the sync commit. An item that does not have
/// its recorded fingerprint there was not confirmed from that source: it keeps a fingerprint that nothing has.
pub fn lift(
    recorded: Record,
    schemes: &[&Scheme],
    source: impl Fn(&str) -> Option<Scope>,
) -> Result<Record, LiftError> {
    let Some(newest) = schemes.last().filter(|newest| newest.name != recorded.scheme) else { return Ok(recorded) };
    let unknown = || LiftError::Unknown(recorded.scheme.clone());
    let old = schemes.iter().find(|scheme| scheme.name == recorded.scheme).ok_or_else(unknown)?;
    let mut lifted = recorded.clone();
    let is_code = |name: &str| !Selector::parse(name).is_ok_and(|selector| covered::is_bytes(&selector));
    for (name, item) in lifted.items.iter_mut().filter(|(name, _)| is_code(name)) {
        let missing = || LiftError::NoSource { scheme: recorded.scheme.clone(), item: name.clone() };
        let scope = source(name).ok_or_else(missing)?;
        if (old.fingerprints)(&scope).exact.to_string() == item.fingerprint {
            let prints = (newest.fingerprints)(&scope);
            *item = ItemRecord {
                because: item.because.take(),
                fingerprint: prints.exact.to_string(),
                literals: prints.literals.to_string(),
                locals: prints.locals.to_string(),
            };
        }
    }
    lifted.scheme = newest.name.to_owned();
    Ok(lifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::items::record_of;
    use factgate_facts::program::Program;
    use factgate_facts::{FileError, Files};
    use factgate_record::RepoPath;
    use factgate_syntax::{Fingerprint, Limits, Selector};
    use std::sync::Arc;

    /// An older scheme: the same tree, another hash.
    static OLDER: Scheme = Scheme { name: "0", fingerprints: reversed };
    static BOTH: [&Scheme; 2] = [&OLDER, &NEWEST];

    fn reversed(scope: &Scope) -> Fingerprints {
        let turned = |print: Fingerprint| {
            let mut bytes = print.0;
            bytes.reverse();
            Fingerprint(bytes)
        };
        let prints = by_normal_form(scope);
        Fingerprints { exact: turned(prints.exact), literals: turned(prints.literals), locals: turned(prints.locals) }
    }

    /// The source at the sync commit.
    struct Source;

    impl Files for Source {
        fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
            let text = "function f() { return 1; }\nfunction g() { return 2; }\n";
            Ok((path.as_str() == "a.ts").then(|| text.as_bytes().into()))
        }

        fn list(&self) -> Result<&[RepoPath], FileError> {
            Ok(&[])
        }
    }

    fn scope(name: &str) -> Option<Scope> {
        let program = Program::new(&Source, RepoPath::default(), Limits::default());
        program.scope(&Selector::parse(name).ok()?).ok()
    }

    fn recorded(name: &str, of: &str) -> Record {
        let prints = reversed(&scope(of).unwrap());
        let item = ItemRecord {
            because: Some("bounded".into()),
            fingerprint: prints.exact.to_string(),
            literals: prints.literals.to_string(),
            locals: prints.locals.to_string(),
        };
        Record { items: [(name.to_owned(), item)].into(), scheme: "0".into(), ..Record::default() }
    }

    #[test]
    fn an_upgrade_by_itself_makes_nothing_stale() {
        let lifted = lift(recorded("a.ts#f", "a.ts#f"), &BOTH, scope).unwrap();
        let now = record_of(&scope("a.ts#f").unwrap());
        assert_eq!(lifted.items["a.ts#f"], ItemRecord { because: Some("bounded".into()), ..now });
        assert_eq!(lifted.scheme, NEWEST.name);
    }

    #[test]
    fn what_was_confirmed_from_other_code_stays_different() {
        let lifted = lift(recorded("a.ts#f", "a.ts#g"), &BOTH, scope).unwrap();
        assert_ne!(lifted.items["a.ts#f"].fingerprint, record_of(&scope("a.ts#f").unwrap()).fingerprint);
    }

    #[test]
    fn without_source_or_rules_nothing_is_guessed() {
        let missing = lift(recorded("a.ts#gone", "a.ts#f"), &BOTH, scope);
        assert!(matches!(missing, Err(LiftError::NoSource { .. })), "{missing:?}");
        let unknown = lift(recorded("a.ts#f", "a.ts#f"), &SCHEMES, scope);
        assert_eq!(unknown, Err(LiftError::Unknown("0".into())));
        let newest = Record { scheme: NEWEST.name.into(), ..Record::default() };
        assert_eq!(lift(newest.clone(), &BOTH, |_| None), Ok(newest));
    }
}
