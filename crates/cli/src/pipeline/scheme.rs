//! Records of an older fingerprint scheme. One is judged by the source at its sync commit: the items are hashed anew from
//! there, so that an upgrade of factgate by itself never turns anything STALE.

use crate::config::Model;
use crate::pipeline::{covered, hashes};
use factgate_facts::program::{Program, Scope};
use factgate_record::{ItemRecord, Record};
use factgate_syntax::Selector;
use factgate_syntax::fingerprint::SCHEME;
use factgate_vcs::Note;
use std::collections::BTreeMap;

/// A record that cannot be lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is of the older fingerprint scheme `{scheme}`, which is judged by the source at its sync commit, and {why}")]
pub struct LiftError {
    /// The record's scheme.
    pub scheme: String,
    /// What is missing.
    pub why: String,
    /// What to do.
    pub help: &'static str,
}

/// The record in today's scheme. `then` is the program at the sync commit, or why there is none.
pub fn lift(recorded: Record, model: &Model, then: Result<&Program<'_>, Option<Note>>) -> Result<Record, LiftError> {
    let wrong = |why: String, help| LiftError { scheme: recorded.scheme.clone(), why, help };
    let then = then.map_err(|note| {
        let (why, help) = unknown(note);
        wrong(why.to_owned(), help)
    })?;
    let mut scopes: BTreeMap<&str, Scope> = BTreeMap::new();
    let is_code = |name: &&String| !Selector::parse(name).is_ok_and(|selector| covered::is_bytes(&selector));
    for name in recorded.items.keys().filter(is_code) {
        let scope = Selector::parse(name).ok().map(|selector| then.scope(&selector));
        match scope {
            Some(Ok(scope)) => drop(scopes.insert(name, scope)),
            Some(Err(error)) => return Err(wrong(format!("there {name} cannot be read: {error}"), ANEW)),
            None => return Err(wrong(format!("`{name}` is no selector"), ANEW)),
        }
    }
    let item = |(name, known): (&String, &ItemRecord)| {
        let Some(scope) = scopes.get(name.as_str()) else { return (name.clone(), known.clone()) };
        let inside = |other: &(&&str, &Scope)| hashes::is_inside(other.1, scope);
        let inner = scopes.iter().filter(inside).map(|(name, scope)| (*name, scope)).collect();
        let hashes = hashes::of(scope, &model.ignore, &inner);
        (name.clone(), ItemRecord { because: known.because.clone(), ..hashes })
    };
    let items = recorded.items.iter().map(item).collect();
    let ignore = model.ignore.texts().to_vec();
    Ok(Record { items, ignore, scheme: SCHEME.to_owned(), ..recorded })
}

/// Where nothing of the past helps.
const ANEW: &str = "read the model against the code, delete the record, then `factgate sync`";

fn unknown(note: Option<Note>) -> (&'static str, &'static str) {
    match note {
        Some(Note::Shallow) => ("this clone is shallow", "`git fetch --unshallow`, then try again"),
        Some(Note::Partial) => ("this clone lacks objects of it", "fetch the missing objects, then try again"),
        _ => (
            "no commit holds this record",
            "commit it together with the code that it describes, then try again; or read the model against the code, \
             delete the record, then `factgate sync`",
        ),
    }
}
