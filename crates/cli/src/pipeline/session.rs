//! One invocation: the repository, the view that was asked for, and the models in it.

use crate::args::ViewArguments;
use crate::config::{self, Model};
use crate::finding::{Code, Finding};
use crate::pipeline::facts::Compiled;
use crate::pipeline::view_files::ViewFiles;
use factgate_facts::program::Program;
use factgate_syntax::Limits;
use factgate_vcs::{Environment, Repository, VcsError, ViewKind};
use std::path::{Path, PathBuf};

/// Where factgate was started, and in which environment.
#[derive(Clone, Debug)]
pub struct Start {
    /// The folder.
    pub folder: PathBuf,
    /// What git's variables say about it.
    pub environment: Environment,
}

impl Start {
    /// In the current folder, or in the one that `-C` names: in another repository the variables of a surrounding hook
    /// mean nothing.
    pub fn new(directory: Option<&Path>) -> Start {
        match directory {
            Some(folder) => Start { folder: folder.to_owned(), environment: Environment::of_folder(folder) },
            None => Start { folder: PathBuf::from("."), environment: Environment::inherited() },
        }
    }

    /// The repository around it.
    pub fn repository(&self) -> Result<Repository, Finding> {
        Repository::discover(&self.folder, &self.environment).map_err(|error| git(&error))
    }
}

/// A repository and a view of it.
pub struct Opened {
    /// The repository.
    pub repository: Repository,
    /// The view's files.
    pub files: ViewFiles,
}

/// What a command over models works with.
pub struct Session {
    /// The repository.
    pub repository: Repository,
    /// The view's files.
    pub files: ViewFiles,
    /// The models that were asked for, each with its patterns read.
    pub models: Vec<(Model, Compiled)>,
}

impl Opened {
    /// Opens the view that the arguments name.
    pub fn new(start: &Start, view: &ViewArguments) -> Result<Opened, Finding> {
        let repository = start.repository()?;
        let limit = Limits::default().bytes as u64;
        let view = repository.view(&kind(view), limit).map_err(|error| git(&error))?;
        Ok(Opened { repository, files: ViewFiles::new(view) })
    }
}

impl Session {
    /// Opens the view and reads the models: all of them, or those that are named.
    pub fn open(start: &Start, view: &ViewArguments, names: &[String]) -> Result<Session, Vec<Finding>> {
        let Opened { repository, mut files } = Opened::new(start, view).map_err(|finding| vec![finding])?;
        let models = config::load(&files, names)?;
        let largest = models.iter().map(|model| model.limits.bytes as u64).max().unwrap_or(0);
        if largest > Limits::default().bytes as u64 {
            let view = repository.view(&kind(view), largest).map_err(|error| vec![git(&error)])?;
            files = ViewFiles::new(view);
        }
        let mut compiled = Vec::new();
        let mut wrong = Vec::new();
        for model in models {
            match Compiled::new(&model) {
                Ok(patterns) => compiled.push((model, patterns)),
                Err(findings) => wrong.extend(findings),
            }
        }
        if wrong.is_empty() { Ok(Session { repository, files, models: compiled }) } else { Err(wrong) }
    }

    /// The word for the view.
    pub fn view(&self) -> &'static str {
        self.files.view().name()
    }

    /// The parsed sources of a model, each read once.
    pub fn program(&self, model: &Model) -> Program<'_> {
        Program::new(&self.files, model.root.clone(), model.limits)
    }
}

fn kind(view: &ViewArguments) -> ViewKind {
    match (&view.rev, view.staged) {
        (Some(rev), _) => ViewKind::Commit(rev.clone()),
        (None, true) => ViewKind::Index,
        (None, false) => ViewKind::Worktree,
    }
}

/// An error of git as a finding.
pub fn git(error: &VcsError) -> Finding {
    Finding::new(Code::of(error.code()), error.to_string())
}
