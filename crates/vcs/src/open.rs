//! Chooses who reads a repository: libgit2 where it reads it as git does, the `git` program for everything else.

use crate::backend::Backend;
use crate::environment::Environment;
use crate::error::VcsError;
use crate::feature;
use crate::library::Library;
use crate::program::{Program, Refusal};
use git2::ErrorCode;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why libgit2 is not asked.
enum Reason {
    /// Somebody else's repository: git's own configuration decides.
    Ownership(PathBuf),
    /// Something that libgit2 refuses or overlooks, in words.
    Beyond(String),
}

/// Opens the repository that git would find from `start`.
pub(crate) fn open(start: &Path, environment: &Environment) -> Result<Box<dyn Backend>, VcsError> {
    let reason = match environment.uncommon() {
        Some(variable) => Reason::Beyond(format!("{variable} is set")),
        None => match Library::open(start, environment) {
            Ok(library) => match doubt(&library, environment) {
                None => return Ok(Box::new(library)),
                Some(reason) => reason,
            },
            Err(error) => match error.code() {
                ErrorCode::NotFound => return Err(VcsError::NoRepository { start: start.into() }),
                ErrorCode::BareRepo => return Err(VcsError::Bare { path: start.into() }),
                ErrorCode::Owner => Reason::Ownership(top(start)),
                _ => Reason::Beyond(error.message().to_owned()),
            },
        },
    };
    match Program::open(start, environment) {
        Ok(program) => Ok(Box::new(program)),
        Err(refusal) => Err(explain(start, reason, refusal)),
    }
}

/// Why libgit2 would not read this repository as git does.
fn doubt(library: &Library, environment: &Environment) -> Option<Reason> {
    if environment.get("GIT_DIR").is_none() && library.is_foreign() {
        return Some(Reason::Ownership(library.root().to_path_buf()));
    }
    if library.replaces_objects() {
        return Some(Reason::Beyond("objects are replaced (`git replace`)".to_owned()));
    }
    library.refuses().map(Reason::Beyond)
}

/// Whether any of these belongs to another user. Git asks no more (`ensure_valid_ownership`).
pub(crate) fn is_foreign(paths: &[&Path]) -> bool {
    let own = rustix::process::geteuid().as_raw();
    paths.iter().filter_map(|path| fs::symlink_metadata(path).ok()).any(|found| found.uid() != own)
}

/// The nearest folder with a `.git`, which is the one that git complains about.
fn top(start: &Path) -> PathBuf {
    let start = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
    let top = start.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    top.unwrap_or(&start).to_path_buf()
}

fn explain(start: &Path, reason: Reason, refusal: Refusal) -> VcsError {
    match (refusal, reason) {
        (Refusal::Said(message), _) if message.contains("dubious ownership") => dubious(start, &message),
        (Refusal::Said(message), _) if message.contains("must be run in a work tree") => {
            VcsError::Bare { path: start.into() }
        }
        (Refusal::Said(message), _) if message.starts_with("not a git repository") => {
            VcsError::NoRepository { start: start.into() }
        }
        (Refusal::Said(message), Reason::Beyond(why)) => VcsError::Git(format!("{message} ({why})")),
        (Refusal::Said(message), Reason::Ownership(_)) => VcsError::Git(message),
        (Refusal::NotInstalled, Reason::Ownership(path)) => trust(path),
        (Refusal::NotInstalled, Reason::Beyond(why)) => match feature::find(start) {
            Some(feature) => VcsError::Feature { feature: feature.name, detail: why, remedy: feature.remedy },
            None => VcsError::Git(format!("{why}; the `git` program could tell, and is not installed")),
        },
    }
}

/// Git's own message names the folder and the command.
fn dubious(start: &Path, message: &str) -> VcsError {
    let remedy =
        message.lines().map(str::trim).find(|line| line.starts_with("git config --global --add safe.directory"));
    let path = message.split('\'').nth(1).map_or_else(|| top(start), PathBuf::from);
    match remedy {
        Some(remedy) => VcsError::Ownership { path, remedy: format!("`{remedy}`") },
        None => trust(path),
    }
}

fn trust(path: PathBuf) -> VcsError {
    let remedy = format!("`git config --global --add safe.directory {}`", path.display());
    VcsError::Ownership { path, remedy }
}
