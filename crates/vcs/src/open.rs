//! Chooses who reads a repository: the library.

use crate::backend::Backend;
use crate::environment::Environment;
use crate::error::VcsError;
use crate::library::Library;
use std::path::Path;

/// Opens the repository that git would find from `start`.
pub(crate) fn open(start: &Path, environment: &Environment) -> Result<Box<dyn Backend>, VcsError> {
    if let Some(variable) = environment.uncommon() {
        return Err(VcsError::Git(format!("{variable} is set: unset it, or name the repository with -C")));
    }
    match Library::open(start, environment) {
        Ok(library) => match library.refuses() {
            None => Ok(Box::new(library)),
            Some(message) => Err(VcsError::Git(message)),
        },
        Err(error) if error.code() == git2::ErrorCode::NotFound => Err(VcsError::NoRepository { start: start.into() }),
        Err(error) if error.code() == git2::ErrorCode::BareRepo => Err(VcsError::Bare { path: start.into() }),
        Err(error) => Err(error.into()),
    }
}
