//! A scratch repository, and what the program said in it. Dates and names are fixed, so that commit ids are too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository in a temporary folder.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

/// What the program printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Every test's first model: one covered function.
pub(crate) const CONFIG: &str =
    "[model]\nname  = \"queue\"\ncover = [\"src/queue.ts#hasRoom\", \"src/queue.ts#push\"]\n";

/// The code that [`CONFIG`] covers.
pub(crate) const QUEUE: &str = "export function hasRoom(queue: Queue) { return queue.size < 3; }\n\
    export function push(queue: Queue, job: Job) { if (hasRoom(queue)) queue.jobs.push(job); }\n";

impl Scratch {
    /// An empty repository with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch { folder: tempfile::tempdir().unwrap() };
        scratch.git(&["init", "-q", "-b", "main"]);
        files.iter().for_each(|(path, text)| scratch.write(path, text));
        scratch
    }

    /// A repository whose first model is confirmed and committed.
    pub(crate) fn confirmed(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch::new(files);
        scratch.commit("base");
        assert_eq!(scratch.run(&["sync"]).exit, 0);
        scratch.commit("confirmed");
        scratch
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let target = self.path(path);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::write(target, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// Replaces text that must be there.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} lacks {from:?}");
        self.write(path, &text.replace(from, to));
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = self.command("git", self.root()).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn commit(&self, subject: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "--no-verify", "-m", subject]);
    }

    /// Runs the program at the repository's root.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.run_in(".", arguments)
    }

    /// Runs the program in a folder of the repository.
    pub(crate) fn run_in(&self, folder: &str, arguments: &[&str]) -> Said {
        said(self.command(env!("CARGO_BIN_EXE_factgate"), &self.path(folder)).args(arguments).output().unwrap())
    }

    /// Runs the program in any folder, with more variables.
    pub(crate) fn run_at(&self, folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Said {
        let mut command = self.command(env!("CARGO_BIN_EXE_factgate"), folder);
        said(command.envs(variables.iter().copied()).args(arguments).output().unwrap())
    }

    /// Runs git in any folder, whatever it comes to.
    pub(crate) fn try_git(&self, folder: &Path, arguments: &[&str]) -> Said {
        said(self.command("git", folder).args(arguments).output().unwrap())
    }

    /// Runs `check` with more arguments in any folder: its exit code, and the `sync` of the first model.
    pub(crate) fn sync_at(&self, folder: &Path, arguments: &[&str]) -> (i32, serde_json::Value) {
        let said = self.run_at(folder, &[], &[&["check", "--format", "json"], arguments].concat());
        let json: serde_json::Value =
            serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"));
        (said.exit, json["models"][0]["sync"].clone())
    }

    /// Runs the program and reads its stdout as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let said = self.run(arguments);
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"))
    }

    /// A command in an environment of its own.
    pub(crate) fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new(program);
        let inherited = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_"));
        for (name, _) in inherited {
            command.env_remove(name);
        }
        let bin = Path::new(env!("CARGO_BIN_EXE_factgate")).parent().unwrap();
        let path = std::env::join_paths(
            std::iter::once(bin.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        command.current_dir(folder).env("PATH", path.unwrap()).env("HOME", self.root()).env("NO_COLOR", "1");
        for (name, value) in [
            ("GIT_AUTHOR_NAME", "case"),
            ("GIT_AUTHOR_EMAIL", "case@example.invalid"),
            ("GIT_COMMITTER_NAME", "case"),
            ("GIT_COMMITTER_EMAIL", "case@example.invalid"),
            ("GIT_AUTHOR_DATE", "2026-10-25T10:11:12Z"),
            ("GIT_COMMITTER_DATE", "2026-10-25T10:11:12Z"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("LC_ALL", "C.UTF-8"),
        ] {
            command.env(name, value);
        }
        command
    }
}

fn said(output: Output) -> Said {
    Said {
        exit: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Both streams and the exit code, for a snapshot.
pub(crate) fn shown(said: &Said) -> String {
    format!("exit {}\n--- stdout\n{}--- stderr\n{}", said.exit, said.stdout, said.stderr)
}
