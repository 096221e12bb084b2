//! A scratch repository that real `git` works on.

use factgate_vcs::{Environment, Repository, View, ViewKind};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// No file of the tests is larger.
pub(crate) const LIMIT: u64 = 1 << 20;

pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// An empty repository at `repo` in a folder of its own.
    pub(crate) fn new() -> Scratch {
        Scratch::with(&[])
    }

    /// The same, with arguments for `git init`.
    pub(crate) fn with(arguments: &[&str]) -> Scratch {
        let scratch = Scratch { folder: TempDir::new().expect("a folder") };
        fs::create_dir_all(scratch.root()).expect("a folder");
        fs::create_dir_all(scratch.beside("home")).expect("a folder");
        scratch.git(&[&["init", "-q", "-b", "main"], arguments].concat());
        scratch
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.beside("repo")
    }

    /// A path next to the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder").join(name)
    }

    /// What git says; panics when it fails.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root(), arguments)
    }

    pub(crate) fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.command("git", folder).args(arguments).output().expect("git");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// A program in an environment without anything of this machine's git configuration.
    pub(crate) fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).env("HOME", self.beside("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "t").env(format!("GIT_{role}_EMAIL"), "t@example.invalid");
        }
        command
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    /// Commits everything; gives the commit's name.
    pub(crate) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Feeds `git fast-import`.
    pub(crate) fn import(&self, stream: &str) {
        let mut command = self.command("git", &self.root());
        let mut child = command.args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().expect("git");
        child.stdin.take().expect("a pipe").write_all(stream.as_bytes()).expect("written");
        assert!(child.wait().expect("git").success());
    }

    pub(crate) fn open(&self) -> Repository {
        self.open_at(&self.root())
    }

    pub(crate) fn open_at(&self, folder: &Path) -> Repository {
        Repository::discover(folder, &self.environment()).expect("a repository")
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment::ignored().with("HOME", self.beside("home")).with("GIT_CONFIG_NOSYSTEM", "1")
    }

    pub(crate) fn view(&self, kind: ViewKind) -> View {
        self.open().view(&kind, LIMIT).expect("a view")
    }
}

/// The text that a view has at a path.
pub(crate) fn text(view: &View, path: &str) -> Option<String> {
    let bytes = view.read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
