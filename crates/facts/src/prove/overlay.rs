//! A view with one file replaced, in memory.

use crate::files::{FileError, Files};
use factgate_record::RepoPath;
use std::sync::Arc;

pub(super) struct Overlay<'f> {
    base: &'f dyn Files,
    path: &'f RepoPath,
    text: Arc<[u8]>,
}

impl<'f> Overlay<'f> {
    pub(super) fn new(base: &'f dyn Files, path: &'f RepoPath, text: &str) -> Overlay<'f> {
        Overlay { base, path, text: text.as_bytes().into() }
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        if path == self.path { Ok(Some(self.text.clone())) } else { self.base.read(path) }
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        self.base.list()
    }
}
