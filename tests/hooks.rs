//! The pre-commit hook: installed once, never over somebody else's.

use crate::scratch::{CONFIG, QUEUE, Scratch};

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)])
}

fn commits(scratch: &Scratch, arguments: &[&str]) -> bool {
    scratch.command("git", scratch.root()).args(arguments).output().unwrap().status.success()
}

#[test]
fn it_refuses_drift_in_every_index_that_git_commits_from() {
    let scratch = confirmed();
    assert_eq!(scratch.run(&["hook", "install"]).exit, 0);
    assert_eq!(scratch.run(&["hook", "install"]).exit, 0);
    assert!(scratch.run(&["hook", "status"]).stdout.starts_with("installed"));
    scratch.edit("src/queue.ts", "< 3", "< 4");
    assert!(!commits(&scratch, &["commit", "-qam", "drift"]));
    assert!(!commits(&scratch, &["commit", "-qm", "drift", "src/queue.ts"]));
    scratch.write("notes.txt", "one");
    scratch.git(&["add", "notes.txt"]);
    assert!(commits(&scratch, &["commit", "-qm", "only notes"]));
    scratch.edit("src/queue.ts", "< 4", "< /* three */ 3");
    assert!(commits(&scratch, &["commit", "-qam", "comment"]));
    assert_eq!(scratch.run(&["hook", "uninstall"]).exit, 0);
    assert!(scratch.run(&["hook", "status"]).stdout.starts_with("not installed"));
}

#[test]
fn another_hook_is_left_as_it_is() {
    let scratch = confirmed();
    scratch.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
    let said = scratch.run(&["hook", "install"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("factgate check --staged"), "{}", said.stderr);
    assert!(scratch.run(&["hook", "status"]).stdout.starts_with("not installed"));
    assert_eq!(scratch.run(&["hook", "uninstall"]).exit, 0);
    assert_eq!(scratch.read(".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
}

#[test]
fn tools_that_keep_the_hooks_are_named() {
    for (file, word) in [(".husky/pre-commit", ".husky"), ("lefthook.yml", "lefthook.yml")] {
        let scratch = confirmed();
        scratch.write(file, "");
        let said = scratch.run(&["hook", "install"]);
        assert_eq!(said.exit, 2, "{file}");
        assert!(said.stderr.contains(word), "{}", said.stderr);
        assert!(!scratch.path(".git/hooks/pre-commit").exists());
    }
}

#[test]
fn hooks_path_is_respected() {
    let scratch = confirmed();
    scratch.git(&["config", "core.hooksPath", "tools/hooks"]);
    assert_eq!(scratch.run_in("src", &["hook", "install"]).exit, 0);
    assert!(scratch.path("tools/hooks/pre-commit").exists());
    assert!(!scratch.path(".git/hooks/pre-commit").exists());
}
