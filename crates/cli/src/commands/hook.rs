//! `factgate hook`: the pre-commit hook that runs `check --staged`. What somebody else put there is never overwritten:
//! then the answer is what to add, and where.

use crate::args::{HookAction, HookArguments, ViewArguments};
use crate::commands::Ended;
use crate::finding::{Code, Finding};
use crate::output::diagnostics;
use crate::pipeline::recorded;
use crate::pipeline::session::{Session, Start, git};
use factgate_vcs::{HookOutcome, HookState, HookStatus, Repository, VcsError};
use std::path::{Path, PathBuf};

/// Installs, removes or describes the hook.
pub fn run(start: &Start, arguments: &HookArguments) -> Ended {
    // The hook names this program for the day that none is on the PATH.
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("factgate"));
    let mut warnings = Vec::new();
    let done = start.repository().and_then(|repository| {
        let root = repository.worktree_root().to_path_buf();
        let shown = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
        match arguments.action {
            HookAction::Install => {
                warnings = unjudged(start);
                said(change(&repository, &program, Repository::install_hook)?, &shown)
            }
            HookAction::Uninstall => said(change(&repository, &program, Repository::uninstall_hook)?, &shown),
            HookAction::Status => {
                let status = repository.hook_status(&program).map_err(|error| git(&error))?;
                Ok(describe(&status, &shown))
            }
        }
    });
    let mut ended = done.map_or_else(|error| Ended::errors(&[error]), Ended::text);
    ended.printed.stderr.insert_str(0, &diagnostics::render(&[], &warnings));
    ended
}

/// Models that the hook cannot judge, since git ignores their record. What is wrong with a configuration is for `check`
/// to say.
fn unjudged(start: &Start) -> Vec<Finding> {
    let Ok(session) = Session::open(start, &ViewArguments::default(), &[]) else { return Vec::new() };
    session.models.iter().filter_map(|(model, _)| recorded::ignored(&session, model)).collect()
}

type Change = fn(&Repository, &factgate_vcs::Lock, &Path) -> Result<HookOutcome, VcsError>;

fn change(repository: &Repository, program: &Path, change: Change) -> Result<HookOutcome, Finding> {
    let changed = repository.lock().and_then(|lock| change(repository, &lock, program));
    changed.map_err(|error| git(&error))
}

fn said(outcome: HookOutcome, shown: &dyn Fn(&Path) -> String) -> Result<String, Finding> {
    match outcome {
        HookOutcome::Written(file) => Ok(format!("installed: {}\n", shown(&file))),
        HookOutcome::Removed(file) => Ok(format!("removed: {}\n", shown(&file))),
        HookOutcome::Nothing(file) => Ok(format!("nothing to do: {}\n", shown(&file))),
        HookOutcome::Add { file, lines } => {
            let message = format!("{} is not factgate's to write, and is left as it is", shown(&file));
            Err(Finding::new(Code::Usage, message).help(format!("add to it:\n{lines}")))
        }
        HookOutcome::Mend { file, why } => {
            let message = format!("{} names factgate and lets commits through, and is left as it is", shown(&file));
            Err(Finding::new(Code::Usage, message).help(why))
        }
        HookOutcome::TakeOut(file) => {
            let message = format!("{} is not the hook that factgate installs, and is left as it is", shown(&file));
            Err(Finding::new(Code::Usage, message).help("take the call of factgate out of it"))
        }
    }
}

fn describe(status: &HookStatus, shown: &dyn Fn(&Path) -> String) -> String {
    let file = shown(&status.file);
    match status.state {
        HookState::Installed => format!("installed: {file}\n"),
        HookState::Outdated => format!("installed, but not as this factgate would: {file}; `factgate hook install`\n"),
        HookState::Called => format!("called by {file}\n"),
        HookState::Partial(why) => format!("in force for some commits: {file} runs factgate, but {why}\n"),
        HookState::Idle(why) => format!("not in force: {file} names factgate, but {why}\n"),
        HookState::Foreign => {
            format!("not installed: {file} does not run factgate; `factgate hook install` says what to add\n")
        }
        HookState::Absent => "not installed: `factgate hook install`\n".to_owned(),
    }
}
