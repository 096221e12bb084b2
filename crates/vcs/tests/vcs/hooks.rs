//! The hook: in, out, and around what others put there; and what git does with it.

use crate::scratch::{Scratch, text};
use factgate_vcs::{HookManager, HookOutcome, HookState, Repository, ViewKind};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const PROGRAM: &str = "/opt/it's here/factgate";

fn install(repository: &Repository) -> HookOutcome {
    repository.install_hook(&repository.lock().expect("the lock"), Path::new(PROGRAM)).expect("an outcome")
}

fn uninstall(repository: &Repository) -> HookOutcome {
    repository.uninstall_hook(&repository.lock().expect("the lock"), Path::new(PROGRAM)).expect("an outcome")
}

fn state(repository: &Repository) -> HookState {
    repository.hook_status(Path::new(PROGRAM)).expect("a status").state
}

#[test]
fn in_and_out() {
    for (hooks_path, place) in
        [(None, ".git/hooks"), (Some(".git/hooks"), ".git/hooks"), (Some("tools/hooks"), "tools/hooks")]
    {
        let scratch = Scratch::new();
        if let Some(path) = hooks_path {
            scratch.git(&["config", "core.hooksPath", path]);
        }
        let repository = scratch.open();
        let file = scratch.root().join(place).join("pre-commit");
        assert_eq!(state(&repository), HookState::Absent);
        assert!(matches!(uninstall(&repository), HookOutcome::Nothing(_)));
        assert_eq!(install(&repository), HookOutcome::Written(file.clone()));
        assert_eq!(state(&repository), HookState::Installed);
        assert_eq!(fs::metadata(&file).expect("a hook").permissions().mode() & 0o777, 0o755);
        assert_eq!(install(&repository), HookOutcome::Nothing(file.clone()));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("a mode");
        assert_eq!(state(&repository), HookState::Outdated);
        assert_eq!(install(&repository), HookOutcome::Written(file.clone()));
        // Another program's place is still ours; a line more is somebody's own.
        let text = fs::read_to_string(&file).expect("a hook");
        fs::write(&file, text.replace("/opt/", "/usr/")).expect("a hook");
        assert_eq!(install(&repository), HookOutcome::Written(file.clone()));
        let more = text.replacen('\n', "\nnpm test || exit 1\n", 1);
        fs::write(&file, &more).expect("a hook");
        assert_eq!(state(&repository), HookState::Called);
        assert_eq!(install(&repository), HookOutcome::Nothing(file.clone()));
        assert_eq!(uninstall(&repository), HookOutcome::TakeOut(file.clone()));
        assert_eq!(fs::read_to_string(&file).expect("a hook"), more);
        fs::write(&file, &text).expect("a hook");
        assert_eq!(uninstall(&repository), HookOutcome::Removed(file.clone()));
        assert!(!file.exists());
    }
}

const FRAMEWORK: &str = "repos:\n  - repo: local\n    hooks:\n      - id: factgate\n        name: factgate\n        language: system\n        \
     entry: factgate check --staged\n        always_run: true\n";

/// A state without its reason.
fn plain(state: HookState) -> HookState {
    if let HookState::Idle(_) = state { HookState::Idle("") } else { state }
}

#[test]
fn others_are_told_and_not_overwritten() {
    let husky = Some(HookManager::Husky);
    let lefthook = Some(HookManager::Lefthook);
    let framework = Some(HookManager::PreCommit);
    for (path, text, manager, expected) in [
        (".git/hooks/pre-commit", "#!/bin/sh\nnpm test\n", None, HookState::Foreign),
        (".git/hooks/pre-commit", "#!/bin/sh\nfactgate check --staged || true\n", None, HookState::Idle("")),
        (".husky/pre-commit", "factgate check\n", husky, HookState::Idle("")),
        (".git/hooks/pre-commit", "#!/bin/sh\n# factgate check\n", None, HookState::Foreign),
        (".git/hooks/pre-commit", "#!/bin/sh\nfactgate check --staged\n", None, HookState::Called),
        (".git/hooks/pre-commit", "#!/bin/sh\n\"/opt/factgate\" check --staged\n", None, HookState::Called),
        (".husky/_/h", "", husky, HookState::Foreign),
        (".husky/pre-commit", "npm test\n", husky, HookState::Foreign),
        (".husky/pre-commit", "factgate check --staged\n", husky, HookState::Called),
        ("lefthook.yml", "pre-push:\n", lefthook, HookState::Foreign),
        (".lefthook.toml", "pre-commit.jobs = [{ run = \"factgate check --staged\" }]\n", lefthook, HookState::Called),
        (
            "lefthook.json",
            "{\"pre-push\": {\"jobs\": [{\"run\": \"factgate check --staged\"}]}}",
            lefthook,
            HookState::Idle(""),
        ),
        (".pre-commit-config.yaml", "repos: []\n", framework, HookState::Foreign),
        (".pre-commit-config.yaml", FRAMEWORK, framework, HookState::Called),
    ] {
        let scratch = Scratch::new();
        scratch.write(path, text);
        let repository = scratch.open();
        let status = || {
            let status = repository.hook_status(Path::new(PROGRAM)).expect("a status");
            (status.manager, plain(status.state))
        };
        // Git does not run what is not executable, nor a tool's hooks before they are put in their place.
        let asleep = if expected == HookState::Called { HookState::Idle("") } else { expected };
        assert_eq!(status(), (manager, asleep), "{path}: {text}");
        let hook = scratch.root().join(".git/hooks/pre-commit");
        if manager.is_some() {
            fs::write(&hook, "#!/bin/sh\n# by husky, lefthook or pre-commit\n").expect("a hook");
        }
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a mode");
        assert_eq!(status(), (manager, expected), "{path}: {text}");
        let file = repository.hook_status(Path::new(PROGRAM)).expect("a status").file;
        let outcome = install(&repository);
        match expected {
            HookState::Called => assert_eq!(outcome, HookOutcome::Nothing(file)),
            HookState::Idle(_) => assert!(matches!(&outcome, HookOutcome::Mend { file: named, .. } if *named == file)),
            _ => {
                assert!(matches!(&outcome, HookOutcome::Add { lines, .. } if lines.contains("factgate check --staged")))
            }
        }
        uninstall(&repository);
        assert_eq!(fs::read_to_string(scratch.root().join(path)).expect("a file"), text);
    }
}

#[test]
fn hooks_that_are_switched_off_are_no_place() {
    let scratch = Scratch::new();
    scratch.git(&["config", "core.hooksPath", ""]);
    let repository = scratch.open();
    let lock = repository.lock().expect("the lock");
    assert!(repository.install_hook(&lock, Path::new(PROGRAM)).is_err());
    assert!(repository.hook_status(Path::new(PROGRAM)).is_err());
    assert!(!scratch.root().join("pre-commit").exists());
}

#[test]
fn a_folder_of_many_repositories_and_a_linked_hook_are_not_ours() {
    let scratch = Scratch::new();
    let shared = scratch.beside("shared");
    scratch.git(&["config", "core.hooksPath", shared.to_str().expect("a path")]);
    assert!(matches!(install(&scratch.open()), HookOutcome::Add { .. }));
    assert!(!shared.exists());
    scratch.git(&["config", "--unset", "core.hooksPath"]);
    scratch.write("tools/hook", "#!/bin/sh\ntrue\n");
    symlink("../../tools/hook", scratch.root().join(".git/hooks/pre-commit")).expect("a link");
    assert!(matches!(install(&scratch.open()), HookOutcome::Add { .. }));
}

/// Commits through the installed hook, with a `factgate` that writes down what git gave it.
#[test]
fn git_runs_it_with_the_index_that_it_is_about_to_commit() {
    let scratch = Scratch::new();
    scratch.write("a", "base");
    scratch.write("b", "base");
    scratch.commit("base");
    assert!(matches!(install(&scratch.open()), HookOutcome::Written(_)));
    let told = scratch.beside("told");
    let tool = scratch.beside("bin/factgate");
    fs::create_dir_all(tool.parent().expect("a folder")).expect("a folder");
    let copy = "cp \"${GIT_INDEX_FILE}\" ../index; echo \"$*|$GIT_INDEX_FILE|$GIT_DIR\" > ../told";
    fs::write(&tool, format!("#!/bin/sh\n{copy}\n")).expect("a tool");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("a mode");
    let path = format!("{}:{}", scratch.beside("bin").display(), std::env::var("PATH").expect("a path"));
    let commit = |arguments: &[&str]| {
        let mut command = scratch.command("git", &scratch.root());
        command.env("PATH", &path).args([&["commit", "-q", "-m", "x"], arguments].concat());
        command.status().expect("git").success()
    };
    for (arguments, b_seen) in [(&["-a"][..], "one"), (&["a"], "two"), (&["--allow-empty"], "three")] {
        scratch.write("a", b_seen);
        scratch.write("b", b_seen);
        if arguments == ["--allow-empty"] {
            scratch.git(&["add", "-A"]);
        }
        assert!(commit(arguments), "{arguments:?}");
        let told = fs::read_to_string(&told).expect("what git gave");
        let fields: Vec<&str> = told.trim_end().split('|').collect();
        assert_eq!(fields[0], "check --staged");
        let hook = scratch.environment().with("GIT_INDEX_FILE", scratch.beside("index"));
        let view = Repository::discover(&scratch.root(), &hook).expect("a repository");
        let view = view.view(&ViewKind::Index, 100).expect("a view");
        assert_eq!(text(&view, "a").as_deref(), Some(b_seen), "{arguments:?} {told}");
        let committed_b = if arguments == ["a"] { "one" } else { b_seen };
        assert_eq!(text(&view, "b").as_deref(), Some(committed_b), "{arguments:?} {told}");
    }
    fs::write(&tool, "#!/bin/sh\nexit 3\n").expect("a tool");
    assert!(!commit(&["--allow-empty"]), "a refusal refuses the commit");
    fs::remove_file(&tool).expect("removed");
    assert!(!commit(&["--allow-empty"]), "a missing factgate refuses the commit");
}
