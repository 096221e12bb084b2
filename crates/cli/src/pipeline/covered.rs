//! A covered thing as it is read: code of a known language by its normal form, a whole file of any other ending by its
//! bytes.

use crate::pipeline::{hashes, model_files};
use factgate_facts::ignore::Ignore;
use factgate_facts::program::{LoadError, Program, Scope, ScopeError};
use factgate_record::{ItemRecord, Place, RepoPath};
use factgate_syntax::selector::Target;
use factgate_syntax::{Selector, language_for_path};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a selector names.
pub enum Read {
    /// Code.
    Code(Box<Scope>),
    /// A file that no language here reads.
    Bytes {
        /// The file.
        file: RepoPath,
        /// What is in it.
        bytes: Arc<[u8]>,
    },
}

/// Whether a selector names a whole file that no language here reads.
pub fn is_bytes(selector: &Selector) -> bool {
    selector.target == Target::File && language_for_path(&selector.path).is_none()
}

/// Reads what a selector names.
pub fn read(program: &Program<'_>, selector: &Selector) -> Result<Read, ScopeError> {
    if !is_bytes(selector) {
        return program.scope(selector).map(|scope| Read::Code(Box::new(scope)));
    }
    let file = program.root().join(&selector.path).unwrap_or_else(|_| RepoPath::from_git(selector.path.as_str()));
    let bytes = program.files().read(&file).map_err(|error| ScopeError::Load(LoadError::from(error)))?;
    match bytes {
        Some(bytes) => Ok(Read::Bytes { file, bytes }),
        None => Err(ScopeError::Load(LoadError::Missing { file })),
    }
}

impl Read {
    /// The hashes for the record. Bytes differ in one way only, and line endings do not count.
    pub fn record(&self, ignore: &Ignore) -> ItemRecord {
        match self {
            Read::Code(scope) => hashes::of(scope, ignore, &BTreeMap::new()),
            Read::Bytes { bytes, .. } => {
                let hash = model_files::hash(bytes);
                ItemRecord {
                    detail: hash.clone(),
                    fingerprint: hash.clone(),
                    literals: hash.clone(),
                    locals: hash,
                    ..ItemRecord::default()
                }
            }
        }
    }

    /// Where it stands.
    pub fn at(&self) -> Place {
        match self {
            Read::Code(scope) => scope.place_at(scope.span.start),
            Read::Bytes { file, .. } => Place { file: file.clone(), line: 1, column: 1 },
        }
    }
}
