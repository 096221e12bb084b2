//! `factgate hook`: the pre-commit hook that runs `check --staged`. What somebody else put there is never overwritten.

use crate::args::{HookAction, HookArguments};
use crate::commands::Ended;
use crate::finding::{Code, Finding};
use crate::pipeline::session::{Start, git};
use factgate_vcs::Repository;
use std::path::{Path, PathBuf};

/// The line by which the hook is known again.
const MARK: &str = "# Installed by `factgate hook install`.";

/// What a hook of somebody else should call.
const CALL: &str = "factgate check --staged";

/// Files that say that another tool keeps the hooks, with where the call belongs.
const MANAGERS: [(&str, &str); 7] = [
    (".husky", "add the line `factgate check --staged` to .husky/pre-commit"),
    ("lefthook.yml", "add a command with `run: factgate check --staged` to `pre-commit` in lefthook.yml"),
    ("lefthook.yaml", "add a command with `run: factgate check --staged` to `pre-commit` in lefthook.yaml"),
    (".lefthook.yml", "add a command with `run: factgate check --staged` to `pre-commit` in .lefthook.yml"),
    ("lefthook.toml", "add a command with `run = \"factgate check --staged\"` to `pre-commit` in lefthook.toml"),
    (".pre-commit-config.yaml", "add factgate's repository with the hook `factgate` to .pre-commit-config.yaml"),
    (".overcommit.yml", "add a PreCommit hook that runs `factgate check --staged` to .overcommit.yml"),
];

fn script() -> String {
    format!(
        "#!/bin/sh\n{MARK}\n# Refuses a commit whose covered code has drifted from the record.\n\
         if ! command -v factgate >/dev/null 2>&1; then\n    \
         echo 'factgate is not on the PATH: install it, or take this hook out' >&2\n    exit 1\nfi\n\
         exec {CALL}\n"
    )
}

/// How the place of the hook is taken.
enum Standing {
    Free,
    Ours,
    Theirs,
}

/// Installs, removes or describes the hook.
pub fn run(start: &Start, arguments: &HookArguments) -> Ended {
    let done = start.repository().and_then(|repository| {
        let folder = repository.hooks_dir().map_err(|error| git(&error))?;
        let hook = folder.join("pre-commit");
        let standing = standing(&hook)?;
        match arguments.action {
            HookAction::Install => install(&repository, &hook, &standing),
            HookAction::Uninstall => uninstall(&hook, &standing),
            HookAction::Status => Ok(status(&repository, &hook, &standing)),
        }
    });
    done.map_or_else(|error| Ended::errors(&[error]), Ended::text)
}

fn standing(hook: &Path) -> Result<Standing, Finding> {
    match std::fs::read(hook) {
        Ok(bytes) if bytes == script().as_bytes() => Ok(Standing::Ours),
        Ok(_) => Ok(Standing::Theirs),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Standing::Free),
        Err(error) => Err(io(hook, &error)),
    }
}

fn io(path: &Path, error: &std::io::Error) -> Finding {
    Finding::new(Code::Io, format!("{}: {error}", path.display()))
}

fn manager(repository: &Repository) -> Option<&'static str> {
    let root = repository.worktree_root();
    MANAGERS.iter().find(|(file, _)| root.join(file).exists()).map(|(_, advice)| *advice)
}

fn install(repository: &Repository, hook: &Path, standing: &Standing) -> Result<String, Finding> {
    match (standing, manager(repository)) {
        (Standing::Ours, _) => Ok(format!("installed already: {}\n", hook.display())),
        (_, Some(advice)) => {
            Err(Finding::new(Code::Usage, "another tool keeps the hooks of this repository").help(advice))
        }
        (Standing::Theirs, None) => {
            let message = format!("{} is a hook already, and is left as it is", hook.display());
            Err(Finding::new(Code::Usage, message).help(format!("add the line `{CALL}` to it")))
        }
        (Standing::Free, None) => {
            write(hook).map_err(|error| io(hook, &error))?;
            Ok(format!("installed: {}\n", hook.display()))
        }
    }
}

fn write(hook: &Path) -> std::io::Result<()> {
    let folder = hook.parent().map(PathBuf::from).unwrap_or_default();
    std::fs::create_dir_all(&folder)?;
    let mut file = tempfile::Builder::new().prefix("pre-commit-").tempfile_in(&folder)?;
    std::io::Write::write_all(&mut file, script().as_bytes())?;
    executable(file.as_file())?;
    file.persist_noclobber(hook).map(drop).map_err(|error| error.error)
}

#[cfg(unix)]
fn executable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

fn uninstall(hook: &Path, standing: &Standing) -> Result<String, Finding> {
    match standing {
        Standing::Free => Ok("not installed\n".to_owned()),
        Standing::Ours => {
            std::fs::remove_file(hook).map_err(|error| io(hook, &error))?;
            Ok(format!("removed: {}\n", hook.display()))
        }
        Standing::Theirs => {
            let message = format!("{} is not the hook that factgate installs, and is left as it is", hook.display());
            Err(Finding::new(Code::Usage, message).help(format!("take the line `{CALL}` out of it")))
        }
    }
}

fn status(repository: &Repository, hook: &Path, standing: &Standing) -> String {
    let calls = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains("factgate check");
    match standing {
        Standing::Ours => format!("installed: {}\n", hook.display()),
        Standing::Theirs if std::fs::read(hook).is_ok_and(calls) => {
            format!("called by another hook: {}\n", hook.display())
        }
        Standing::Theirs => format!("not installed: {} is another hook\n", hook.display()),
        Standing::Free => match manager(repository) {
            Some(advice) => format!("not installed; {advice}\n"),
            None => "not installed: `factgate hook install`\n".to_owned(),
        },
    }
}
