//! Formats that libgit2 cannot read, and repositories that belong to somebody else: git's own answer, or an error with
//! the remedy.

use crate::scratch::{LIMIT, Scratch, text};
use factgate_vcs::{Environment, Repository, VcsError, ViewKind};
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};

fn fill(scratch: &Scratch) {
    scratch.write("src/a.ts", "committed");
    scratch.write("lib/b.ts", "b");
    scratch.commit("base");
    scratch.write("coverage/queue.json", "{}\n");
    scratch.commit("confirmed");
    scratch.write("src/a.ts", "later");
    scratch.commit("later");
}

/// The same three views, sync commit and history as in an ordinary repository.
fn check(scratch: &Scratch, prepare: &[&[&str]]) {
    fill(scratch);
    prepare.iter().for_each(|arguments| drop(scratch.git(arguments)));
    scratch.write("src/a.ts", "staged");
    scratch.git(&["add", "src/a.ts"]);
    scratch.write("src/a.ts", "worktree");
    scratch.write("src/new.ts", "new");
    scratch.git(&["add", "-N", "src/new.ts"]);
    scratch.write("src/untracked.ts", "untracked");
    let repository = scratch.open();
    let all = ["coverage/queue.json", "lib/b.ts", "src/a.ts", "src/new.ts", "src/untracked.ts"];
    for (kind, expected, list) in [
        (ViewKind::Worktree, "worktree", &all[..]),
        (ViewKind::Index, "staged", &all[..3]),
        (ViewKind::Commit("HEAD".into()), "later", &all[..3]),
        (ViewKind::Commit("HEAD~1".into()), "committed", &all[..3]),
    ] {
        let view = repository.view(&kind, LIMIT).expect("a view");
        assert_eq!(text(&view, "src/a.ts").as_deref(), Some(expected), "{prepare:?}");
        assert_eq!(text(&view, "lib/b.ts").as_deref(), Some("b"), "{prepare:?}");
        assert_eq!(view.list().expect("a list"), list, "{prepare:?}");
        let announced = if kind == ViewKind::Worktree { Some("new") } else { None };
        assert_eq!(text(&view, "src/new.ts").as_deref(), announced);
        let small = repository.view(&kind, 3).expect("a view");
        assert!(matches!(small.read("src/a.ts"), Err(VcsError::TooLarge { .. })));
    }
    let view = repository.view(&ViewKind::Index, LIMIT).expect("a view");
    let sync = repository.sync_commit("coverage/queue.json", &view).expect("a sync commit");
    let commit = sync.commit.expect("a commit");
    assert_eq!((commit.subject.as_str(), sync.commits_since, sync.note), ("confirmed", Some(1), None));
    let tip = repository.head().expect("a head").expect("a commit");
    let history = repository.history(tip, commit.id, &["src/a.ts", "lib/b.ts"]).expect("a history").expect("known");
    assert_eq!(history.iter().map(|one| one.commit.subject.as_str()).collect::<Vec<_>>(), ["later"]);
    assert!(matches!(repository.resolve("no-such"), Err(VcsError::Revision { .. })));
    assert!(matches!(repository.resolve("--all"), Err(VcsError::Revision { .. })));
}

#[test]
fn odd_formats_are_read_through_git() {
    check(&Scratch::new(), &[]);
    check(&Scratch::with(&["--object-format=sha256"]), &[]);
    check(&Scratch::with(&["--ref-format=reftable"]), &[]);
    check(&Scratch::new(), &[&["update-index", "--split-index"]]);
    check(&Scratch::new(), &[&["sparse-checkout", "set", "--sparse-index", "src", "coverage"]]);
    check(&Scratch::new(), &[&["update-index", "--index-version", "4"]]);
}

#[test]
fn unborn_odd_repositories() {
    let scratch = Scratch::with(&["--object-format=sha256"]);
    assert_eq!(scratch.open().head().expect("a head"), None);
    scratch.write("a", "a");
    assert_eq!(scratch.view(ViewKind::Worktree).list().expect("a list"), ["a"]);
    assert!(scratch.view(ViewKind::Index).list().expect("a list").is_empty());
}

#[test]
fn without_git_the_feature_and_its_remedy_are_named() {
    for (arguments, prepare, feature) in [
        (&["--object-format=sha256"][..], &[][..], "SHA-256"),
        (&["--ref-format=reftable"], &[], "git refs migrate --ref-format=files"),
        (&[], &["update-index", "--split-index"], "git update-index --no-split-index"),
        (
            &[],
            &["sparse-checkout", "set", "--sparse-index", "src", "coverage"],
            "git sparse-checkout reapply --no-sparse-index",
        ),
    ] {
        let scratch = Scratch::with(arguments);
        fill(&scratch);
        if !prepare.is_empty() {
            scratch.git(prepare);
        }
        let without = scratch.environment().with("PATH", scratch.beside("home"));
        let refused = Repository::discover(&scratch.root().join("src"), &without).err().expect("an error");
        assert!(matches!(refused, VcsError::Feature { .. }), "{refused}");
        assert!(refused.to_string().contains(feature), "{refused}");
    }
}

#[test]
fn replaced_objects_are_gits() {
    let scratch = Scratch::new();
    fill(&scratch);
    let old = scratch.git(&["rev-parse", "HEAD:src/a.ts"]);
    let new = scratch.git(&["rev-parse", "HEAD~1:src/a.ts"]);
    scratch.git(&["replace", &old, &new]);
    assert_eq!(text(&scratch.view(ViewKind::Index), "src/a.ts").as_deref(), Some("committed"));
    scratch.git(&["pack-refs", "--all"]);
    assert_eq!(text(&scratch.view(ViewKind::Index), "src/a.ts").as_deref(), Some("committed"));
}

/// Gives the repository to another user; `false` where only root may.
fn give_away(scratch: &Scratch) -> bool {
    let root = scratch.root();
    [root.clone(), root.join(".git")].iter().all(|path| chown(path, Some(12_345), None).is_ok())
}

#[test]
fn foreign_repositories_are_trusted_as_git_trusts_them() {
    let scratch = Scratch::new();
    fill(&scratch);
    let root = scratch.root();
    if !give_away(&scratch) {
        assert_ne!(fs::metadata(&root).expect("a folder").uid(), 0, "root can give a folder away");
        return;
    }
    let parent = scratch.beside("");
    let path = root.to_str().expect("a path");
    let parameters = |value: &str| format!("'safe.directory'='{value}'");
    let opened = |environment: &Environment| Repository::discover(&root, environment);
    let refused = opened(&scratch.environment()).err().expect("an error");
    assert!(matches!(refused, VcsError::Ownership { .. }), "{refused}");
    assert!(refused.to_string().contains(&format!("git config --global --add safe.directory {path}")), "{refused}");
    let patterns = [
        (path.to_owned(), true),
        ("*".into(), true),
        (format!("{}*", parent.display()), true),
        (format!("{path}/"), true),
        (format!("{}other", parent.display()), false),
        (String::new(), false),
    ];
    for (value, trusted) in &patterns {
        let count = scratch.environment().with("GIT_CONFIG_COUNT", "1");
        let count = count.with("GIT_CONFIG_KEY_0", "safe.directory").with("GIT_CONFIG_VALUE_0", value);
        let command_line = scratch.environment().with("GIT_CONFIG_PARAMETERS", parameters(value));
        let global = scratch.beside("global");
        fs::write(&global, format!("[safe]\n\tdirectory = \"{value}\"\n")).expect("a file");
        let configured = scratch.environment().with("GIT_CONFIG_GLOBAL", &global);
        for environment in [count, command_line, configured] {
            let says = git_says(&scratch, &environment);
            assert_eq!(opened(&environment).is_ok(), says, "{value}");
            assert_eq!(says, *trusted || says, "{value}");
        }
    }
    fs::write(root.join(".git/config"), format!("[core]\n\tbare = false\n[safe]\n\tdirectory = {path}\n"))
        .expect("a file");
    assert!(opened(&scratch.environment()).is_err(), "a repository does not vouch for itself");
    fs::write(scratch.beside("home/.gitconfig"), "[safe]\n\tdirectory = *\n").expect("a file");
    assert!(opened(&scratch.environment()).is_ok());
    assert!(opened(&scratch.environment().with("GIT_CONFIG_GLOBAL", "/dev/null")).is_err());
    let without = scratch.environment().with("GIT_CONFIG_GLOBAL", "/dev/null").with("PATH", &parent);
    assert!(matches!(opened(&without), Err(VcsError::Ownership { .. })));
}

/// Whether git itself opens the repository in this environment.
fn git_says(scratch: &Scratch, environment: &Environment) -> bool {
    let mut command = std::process::Command::new("git");
    command.current_dir(scratch.root()).env_clear().envs(environment.variables());
    command.args(["rev-parse", "--git-dir"]).output().expect("git").status.success()
}
