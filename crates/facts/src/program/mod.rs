//! The program: every file of a view, parsed once and when it is asked for, and the scopes that selectors name in it.

mod error;
mod scope;
mod whole;
mod world;

pub use error::{Candidate, Conflict, LoadError, ScopeError};
pub use scope::Scope;
pub(crate) use whole::Whole;
pub(crate) use world::{CoreFile, Led};

use crate::files::Files;
use factgate_record::{Place, RepoPath};
use factgate_syntax::{Limits, Source, language_for_path};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Loaded = Result<Arc<Source>, LoadError>;

/// A view's sources. Shared by all threads: each file is read and parsed once, by whoever asks first.
pub struct Program<'f> {
    files: &'f dyn Files,
    root: RepoPath,
    limits: Limits,
    loaded: Mutex<HashMap<RepoPath, Arc<OnceLock<Loaded>>>>,
    wholes: Mutex<HashMap<RepoPath, Arc<OnceLock<Arc<Whole>>>>>,
    cores: world::Shelf<CoreFile>,
    linked: world::Shelf<world::Linked>,
}

impl<'f> Program<'f> {
    /// The program of a view; selectors start at `root`.
    pub fn new(files: &'f dyn Files, root: RepoPath, limits: Limits) -> Program<'f> {
        let (loaded, wholes) = (Mutex::default(), Mutex::default());
        let (cores, linked) = (Mutex::default(), Mutex::default());
        Program { files, root, limits, loaded, wholes, cores, linked }
    }

    /// Where selectors start.
    pub fn root(&self) -> &RepoPath {
        &self.root
    }

    /// The view.
    pub fn files(&self) -> &'f dyn Files {
        self.files
    }

    /// A parsed file.
    pub fn source(&self, path: &RepoPath) -> Result<Arc<Source>, LoadError> {
        let cell = {
            let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            loaded.entry(path.clone()).or_default().clone()
        };
        cell.get_or_init(|| self.load(path)).clone()
    }

    /// Parses files ahead, on all threads: whoever asks for one of them later finds it ready.
    pub(crate) fn load_all<'p>(&self, paths: impl Iterator<Item = &'p RepoPath>) {
        let paths: BTreeSet<&RepoPath> = paths.collect();
        paths.par_iter().for_each(|path| drop(self.source(path)));
    }

    fn load(&self, path: &RepoPath) -> Loaded {
        let language =
            language_for_path(path.as_str()).ok_or_else(|| LoadError::UnknownLanguage { file: path.clone() })?;
        let bytes = self.files.read(path)?.ok_or_else(|| self.missing(path))?;
        let unread = |error| LoadError::Source { file: path.clone(), error };
        Source::parse(language, &bytes, &self.limits).map(Arc::new).map_err(unread)
    }

    /// A path without a file: a folder, when files stand below it.
    fn missing(&self, path: &RepoPath) -> LoadError {
        let below = format!("{path}/");
        let listed = self.files.list().unwrap_or_default();
        let is_folder = listed.iter().any(|file| file.as_str().starts_with(&below));
        let file = path.clone();
        if is_folder { LoadError::Folder { file } } else { LoadError::Missing { file } }
    }

    /// The place of a byte offset in a file.
    pub fn place(&self, file: &RepoPath, source: &Source, offset: u32) -> Place {
        let at = source.position(offset);
        Place { file: file.clone(), line: at.line, column: at.column }
    }
}
