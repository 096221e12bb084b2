//! The pre-commit hook: where it belongs, whether it is there, and how it gets in and out. Another's hook is never
//! overwritten: then the answer is what to add, and where.

use crate::error::VcsError;
use crate::hook_config;
use crate::hook_text::{self, Calls, Kind};
use crate::repository::Repository;
use crate::write::{self, Lock};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What stands where the pre-commit hook belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookState {
    /// Nothing that runs factgate, and nothing in its way.
    Absent,
    /// The hook that `factgate hook install` writes.
    Installed,
    /// One of ours that an install would write anew: another version's, or not executable.
    Outdated,
    /// Somebody's own hook or configuration, which runs factgate.
    Called,
    /// Somebody's own, which runs factgate for some commits and lets others through: which, and what to do.
    Partial(&'static str),
    /// Somebody's own, which names factgate and refuses no commit: why, and what to do.
    Idle(&'static str),
    /// Somebody's own, which does not run factgate.
    Foreign,
}

/// A tool that keeps hooks by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookManager {
    /// `.husky/`
    Husky,
    /// `lefthook.yml` and its other names.
    Lefthook,
    /// `.pre-commit-config.yaml`
    PreCommit,
}

/// Where the hook belongs and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookStatus {
    /// The hook, or the configuration of the tool that keeps it.
    pub file: PathBuf,
    /// What stands there.
    pub state: HookState,
    /// The tool that keeps the hooks of this repository.
    pub manager: Option<HookManager>,
    /// Why the file is not ours to write although nothing stands there: other repositories use it too.
    pub shared: Option<PathBuf>,
}

/// What installing or removing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookOutcome {
    /// The hook was written.
    Written(PathBuf),
    /// The hook was removed.
    Removed(PathBuf),
    /// It was so already.
    Nothing(PathBuf),
    /// The file belongs to somebody else: these lines are for them to add.
    Add {
        /// Which file.
        file: PathBuf,
        /// The lines, in the file's own language.
        lines: &'static str,
    },
    /// The file belongs to somebody else and names factgate, but lets commits through.
    Mend {
        /// Which file.
        file: PathBuf,
        /// Why commits are not refused, and what to do.
        why: &'static str,
    },
    /// The file belongs to somebody else and runs factgate: that is for them to take out.
    TakeOut(PathBuf),
}

/// What a hook of ours says of itself.
const MARK: &str = "# Installed by `factgate hook install`; `factgate hook uninstall` removes it.";
/// What a hook of somebody else has to run.
const SHELL_LINES: &str = "factgate check --staged || exit $?\n";
const LEFTHOOK_LINES: &str = "pre-commit:\n  commands:\n    factgate:\n      run: factgate check --staged\n";
const PRE_COMMIT_LINES: &str = "repos:\n  - repo: local\n    hooks:\n      - id: factgate\n        name: factgate\n        \
     entry: factgate check --staged\n        language: system\n        pass_filenames: false\n        \
     always_run: true\n";

impl Repository {
    /// The folder of the hooks; a relative `core.hooksPath` starts at the top of the work tree, where hooks run.
    pub fn hooks_dir(&self) -> Result<PathBuf, VcsError> {
        self.backend().hooks_folder()
    }

    /// Where the pre-commit hook belongs, and what is there. `program` is the factgate that an install would name.
    pub fn hook_status(&self, program: &Path) -> Result<HookStatus, VcsError> {
        let folder = self.backend().hooks_folder()?;
        if let Some((manager, file)) = manager(self.worktree_root(), &folder) {
            let state = match managed(self.worktree_root(), manager, &file) {
                HookState::Called | HookState::Partial(_) if !is_awake(manager, &folder) => {
                    HookState::Idle(asleep(manager))
                }
                state => state,
            };
            // What git runs may be somebody's own hook, whatever the manager would run.
            let own = state_of_file(&folder.join("pre-commit"), program)?;
            if matches!(state, HookState::Called | HookState::Partial(_)) || !matches!(own, HookState::Called) {
                return Ok(HookStatus { file, state, manager: Some(manager), shared: None });
            }
        }
        let file = folder.join("pre-commit");
        let state = state_of_file(&file, program)?;
        let own = [self.worktree_root(), self.common_dir()].into_iter().any(|place| is_below(&folder, place));
        Ok(HookStatus { file, state, manager: None, shared: (!own).then_some(folder) })
    }

    /// Writes the pre-commit hook, unless the place belongs to somebody else. `program` is named in it for the day
    /// that no `factgate` is on the PATH.
    pub fn install_hook(&self, lock: &Lock, program: &Path) -> Result<HookOutcome, VcsError> {
        let status = self.hook_status(program)?;
        let (file, lines) = (status.file, lines(status.manager));
        match status.state {
            HookState::Installed | HookState::Called => Ok(HookOutcome::Nothing(file)),
            HookState::Idle(why) | HookState::Partial(why) => Ok(HookOutcome::Mend { file, why }),
            HookState::Foreign => Ok(HookOutcome::Add { file, lines }),
            _ if status.shared.is_some() => Ok(HookOutcome::Add { file, lines }),
            HookState::Absent | HookState::Outdated => {
                write::executable(self, lock, &file, script(program).as_bytes())?;
                Ok(HookOutcome::Written(file))
            }
        }
    }

    /// Removes the pre-commit hook, if it is ours.
    pub fn uninstall_hook(&self, _: &Lock, program: &Path) -> Result<HookOutcome, VcsError> {
        let status = self.hook_status(program)?;
        match status.state {
            HookState::Absent | HookState::Foreign => Ok(HookOutcome::Nothing(status.file)),
            HookState::Called | HookState::Partial(_) | HookState::Idle(_) => Ok(HookOutcome::TakeOut(status.file)),
            HookState::Installed | HookState::Outdated => {
                fs::remove_file(&status.file).map_err(|error| VcsError::io(&status.file, error))?;
                Ok(HookOutcome::Removed(status.file))
            }
        }
    }
}

fn is_below(folder: &Path, place: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    real(folder).starts_with(real(place))
}

/// The names of lefthook's configuration.
const LEFTHOOK: [&str; 8] = [
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".lefthook.toml",
    ".lefthook.json",
];

/// The tool that keeps this repository's hooks, and the file where it is told what to run.
fn manager(root: &Path, folder: &Path) -> Option<(HookManager, PathBuf)> {
    let husky = root.join(".husky");
    if folder.starts_with(&husky) || husky.is_dir() {
        return Some((HookManager::Husky, husky.join("pre-commit")));
    }
    let lefthook = LEFTHOOK.into_iter().map(|name| root.join(name)).find(|file| file.is_file());
    if let Some(file) = lefthook {
        return Some((HookManager::Lefthook, file));
    }
    let names = [".pre-commit-config.yaml", ".pre-commit-config.yml"];
    let file = names.into_iter().map(|name| root.join(name)).find(|file| file.is_file())?;
    Some((HookManager::PreCommit, file))
}

fn lines(manager: Option<HookManager>) -> &'static str {
    match manager {
        None | Some(HookManager::Husky) => SHELL_LINES,
        Some(HookManager::Lefthook) => LEFTHOOK_LINES,
        Some(HookManager::PreCommit) => PRE_COMMIT_LINES,
    }
}

fn state_of_file(file: &Path, program: &Path) -> Result<HookState, VcsError> {
    let found = match fs::symlink_metadata(file) {
        Ok(found) => found,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(HookState::Absent);
        }
        Err(error) => return Err(VcsError::io(file, error)),
    };
    // A link leads to a file that somebody keeps elsewhere; a pipe must not be opened at all.
    if !found.is_file() && !file.is_file() {
        return Ok(HookState::Foreign);
    }
    let text = String::from_utf8_lossy(&fs::read(file).map_err(|error| VcsError::io(file, error))?).into_owned();
    // Lines that somebody added make it theirs.
    let same = |one: &str, other: &str| without_place(one) == without_place(other);
    let ours = found.is_file() && same(&text, &script(program));
    Ok(match (ours, text == script(program) && is_executable(file)) {
        (true, true) => HookState::Installed,
        (true, false) => HookState::Outdated,
        (false, _) => match state_of(&text, Kind::Shell) {
            HookState::Called | HookState::Partial(_) if !is_executable(file) => HookState::Idle(NOT_EXECUTABLE),
            state => state,
        },
    })
}

const NOT_EXECUTABLE: &str = "git does not run it: it is not executable (`chmod +x`)";

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 == 0o111)
}

fn state_of(text: &str, kind: Kind) -> HookState {
    of_calls(hook_text::calls(text, kind))
}

fn of_calls(calls: Calls) -> HookState {
    match calls {
        Calls::Yes => HookState::Called,
        Calls::No => HookState::Foreign,
        Calls::InPart(why) => HookState::Partial(why),
        Calls::InVain(why) => HookState::Idle(why),
    }
}

/// What a tool's own file makes of a commit. Husky runs its hooks with `sh -e`.
fn managed(root: &Path, manager: HookManager, file: &Path) -> HookState {
    let read = |file: &Path| fs::read_to_string(file).ok().filter(|_| file.is_file());
    let text = read(file).unwrap_or_default();
    match manager {
        HookManager::Husky => state_of(&text, Kind::StrictShell),
        HookManager::PreCommit => of_calls(hook_config::pre_commit(hook_config::parse(&text, file).as_ref())),
        HookManager::Lefthook => {
            let mut configuration = hook_config::parse(&text, file);
            let locals = LEFTHOOK.iter().map(|name| root.join(name.replacen("lefthook", "lefthook-local", 1)));
            if let Some((local, text)) = locals.into_iter().find_map(|local| read(&local).map(|text| (local, text)))
                && let (Some(configuration), Some(local)) = (&mut configuration, hook_config::parse(&text, &local))
            {
                hook_config::merge(configuration, local);
            }
            let folder =
                configuration.as_ref().and_then(|value| value.get("source_dir")?.as_str()).unwrap_or(".lefthook");
            let scripts = root.join(folder).join("pre-commit");
            of_calls(hook_config::lefthook(configuration.as_ref(), &|name| read(&scripts.join(name))))
        }
    }
}

/// Whether the hook that git runs is the one that the tool puts there.
fn is_awake(manager: HookManager, folder: &Path) -> bool {
    let hook = folder.join("pre-commit");
    let text = fs::read_to_string(&hook).unwrap_or_default();
    let names = match manager {
        HookManager::Husky => folder.components().any(|part| part.as_os_str() == ".husky") || text.contains("husky"),
        HookManager::Lefthook => text.contains("lefthook"),
        HookManager::PreCommit => text.contains("pre-commit") || text.contains("pre_commit"),
    };
    names && is_executable(&hook)
}

/// What brings a tool's hooks into a clone where git does not run them yet.
fn asleep(manager: HookManager) -> &'static str {
    match manager {
        HookManager::Husky => "git does not run it in this clone yet: `npx husky`",
        HookManager::Lefthook => "git does not run it in this clone yet: `lefthook install`",
        HookManager::PreCommit => "git does not run it in this clone yet: `pre-commit install`",
    }
}

/// A hook of ours, but for the place of the program.
fn without_place(script: &str) -> Vec<&str> {
    script.lines().filter(|line| !line.starts_with("recorded='")).collect()
}

fn script(program: &Path) -> String {
    let quoted = program.to_string_lossy().replace('\'', r"'\''");
    format!(
        "#!/bin/sh\n{MARK}\n# Refuses a commit whose staged code has drifted from its model.\n\
         recorded='{quoted}'\n\
         if command -v factgate >/dev/null 2>&1; then\n    exec factgate check --staged\nfi\n\
         if [ -x \"$recorded\" ]; then\n    exec \"$recorded\" check --staged\nfi\n\
         echo \"factgate is neither on the PATH nor at $recorded: nothing was checked.\" >&2\n\
         echo \"Install it, or delete $0; git commit --no-verify skips this hook once.\" >&2\n\
         exit 2\n"
    )
}
