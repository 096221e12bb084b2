//! The installed hook under every command that makes a commit: what it refuses, and what it lets pass.

use crate::scratch::{CONFIG, QUEUE, Scratch};

fn guarded() -> Scratch {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE), ("notes.txt", "one\n")]);
    assert_eq!(scratch.run(&["hook", "install"]).exit, 0);
    scratch
}

/// After `prepare` the last command is let through or refused by the hook, and leaves nothing behind but a commit.
fn check(prepare: &dyn Fn(&Scratch), command: &[&str], passes: bool) {
    let scratch = guarded();
    prepare(&scratch);
    let before = scratch.git(&["rev-parse", "HEAD"]);
    let said = scratch.try_git(scratch.root(), command);
    assert_eq!(said.exit == 0, passes, "{command:?}: {said:?}");
    assert_eq!(scratch.git(&["rev-parse", "HEAD"]) != before, passes, "{command:?}");
    if !passes {
        assert!(format!("{}{}", said.stdout, said.stderr).contains("STALE"), "{command:?}: {said:?}");
    }
}

fn drift(scratch: &Scratch) {
    scratch.edit("src/queue.ts", "< 3", "< 4");
}

fn note(scratch: &Scratch) {
    scratch.write("notes.txt", "two\n");
}

fn staged(prepare: impl Fn(&Scratch)) -> impl Fn(&Scratch) {
    move |scratch| {
        prepare(scratch);
        scratch.git(&["add", "-A"]);
    }
}

#[test]
fn commits_of_the_index() {
    check(&staged(drift), &["commit", "-qm", "x"], false);
    check(&staged(note), &["commit", "-qm", "x"], true);
    check(&staged(|scratch| scratch.edit("src/queue.ts", "< 3", "<   3")), &["commit", "-qm", "x"], true);
    // Staged and mended only in the work tree; and the other way round.
    let mended = |scratch: &Scratch| {
        staged(drift)(scratch);
        scratch.write("src/queue.ts", QUEUE);
    };
    check(&mended, &["commit", "-qm", "x"], false);
    let beside = |scratch: &Scratch| {
        staged(note)(scratch);
        drift(scratch);
    };
    check(&beside, &["commit", "-qm", "x"], true);
    check(&|_| {}, &["commit", "-q", "--allow-empty", "-m", "x"], true);
    check(&staged(drift), &["commit", "-q", "--no-verify", "-m", "x"], true);
}

#[test]
fn commits_of_a_temporary_index() {
    for arguments in [
        &["commit", "-qam", "x"][..],
        &["commit", "-qm", "x", "src/queue.ts"],
        &["commit", "-qm", "x", "-i", "src/queue.ts"],
        &["commit", "-qm", "x", "-o", "src"],
        &["commit", "-q", "--amend", "-a", "--no-edit"],
        &["commit", "-q", "--amend", "--no-edit", "src/queue.ts"],
    ] {
        check(&drift, arguments, false);
    }
    let both = |scratch: &Scratch| {
        drift(scratch);
        note(scratch);
    };
    check(&both, &["commit", "-qm", "x", "notes.txt"], true);
    check(&staged(both), &["commit", "-qm", "x", "notes.txt"], true);
    check(&staged(both), &["commit", "-qm", "x", "-i", "notes.txt"], false);
    check(&staged(drift), &["commit", "-q", "--amend", "--no-edit"], false);
    check(&staged(note), &["commit", "-q", "--amend", "--no-edit"], true);
}

#[test]
fn a_patch_that_takes_one_hunk() {
    for (hunks, passes) in [("n\ny\n", true), ("y\nn\n", false)] {
        let scratch = guarded();
        let text = format!("{QUEUE}{}", "// far away\n".repeat(20));
        scratch.write("src/queue.ts", &text);
        scratch.commit("longer");
        let far = format!("{text}export const last = 1;\n");
        scratch.write("src/queue.ts", &far.replace("< 3", "< 4"));
        let mut command = scratch.command("git", scratch.root());
        command.args(["commit", "-qpm", "x"]).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), hunks.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().success(), passes, "{hunks:?}");
    }
}

#[test]
fn renames_and_deletions() {
    check(&|scratch| drop(scratch.git(&["mv", "notes.txt", "words.txt"])), &["commit", "-qm", "x"], true);
    check(&|scratch| drop(scratch.git(&["rm", "-q", "notes.txt"])), &["commit", "-qm", "x"], true);
    check(&|scratch| drop(scratch.git(&["mv", "src/queue.ts", "src/jobs.ts"])), &["commit", "-qm", "x"], false);
    check(&|scratch| drop(scratch.git(&["rm", "-q", "src/queue.ts"])), &["commit", "-qm", "x"], false);
    check(&|scratch| std::fs::remove_file(scratch.path("src/queue.ts")).unwrap(), &["commit", "-qam", "x"], false);
}

#[test]
fn without_a_record_or_with_a_broken_one_nothing_is_decided() {
    for (path, text) in
        [("coverage/queue.json", None), ("coverage/queue.json", Some("{")), ("factgate.toml", Some("["))]
    {
        let scratch = guarded();
        match text {
            Some(text) => scratch.write(path, text),
            None => drop(scratch.git(&["rm", "-q", path])),
        }
        scratch.git(&["add", "-A"]);
        assert_eq!(scratch.run(&["check", "--staged"]).exit, 2);
        assert_ne!(scratch.try_git(scratch.root(), &["commit", "-qm", "x"]).exit, 0, "{path}");
    }
}

#[test]
fn the_end_of_a_conflicted_merge() {
    for (resolution, passes) in [("< 3", true), ("< 5", false)] {
        let scratch = guarded();
        scratch.git(&["checkout", "-qb", "side"]);
        scratch.edit("src/queue.ts", "< 3", "< 4");
        scratch.commit("four");
        scratch.git(&["checkout", "-q", "main"]);
        scratch.edit("src/queue.ts", "< 3", "< 2");
        scratch.commit("two");
        assert_ne!(scratch.try_git(scratch.root(), &["merge", "-q", "side"]).exit, 0);
        for view in [&["check", "--staged", "--format", "json"][..], &["check", "--format", "json"]] {
            let json = scratch.json(view);
            assert_eq!((&json["exit"], &json["models"][0]["exit"]), (&2.into(), &2.into()), "{json}");
            assert!(json["errors"].to_string().contains("merge-conflict"), "{json}");
        }
        assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 2);
        scratch.write("src/queue.ts", &QUEUE.replace("< 3", resolution));
        scratch.git(&["add", "-A"]);
        assert_eq!(scratch.try_git(scratch.root(), &["commit", "-qm", "merged"]).exit == 0, passes, "{resolution}");
    }
}

#[test]
fn a_linked_worktree_and_a_submodule_run_it_on_their_own_index() {
    let scratch = guarded();
    let linked = scratch.root().join("../").join(format!("{}-linked", scratch.root().file_name().unwrap().display()));
    scratch.git(&["worktree", "add", "-q", linked.to_str().unwrap(), "-b", "linked"]);
    std::fs::write(linked.join("src/queue.ts"), QUEUE.replace("< 3", "< 4")).unwrap();
    for arguments in [&["commit", "-qam", "x"][..], &["commit", "-qm", "x", "src/queue.ts"]] {
        assert_ne!(scratch.try_git(&linked, arguments).exit, 0, "{arguments:?}");
        assert_eq!(scratch.run(&["check", "--staged"]).exit, 0, "the main work tree is as it was");
    }
    scratch.git(&["worktree", "remove", "--force", linked.to_str().unwrap()]);

    let outer = Scratch::new(&[("readme.txt", "outer")]);
    outer.commit("base");
    let inner = scratch.root().to_str().unwrap();
    outer.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub"]);
    let sub = outer.path("sub");
    assert_eq!(outer.run_at(&sub, &[], &["hook", "install"]).exit, 0);
    outer.write("sub/src/queue.ts", &QUEUE.replace("< 3", "< 4"));
    assert_ne!(outer.try_git(&sub, &["commit", "-qam", "x"]).exit, 0);
    outer.write("sub/notes.txt", "three\n");
    assert_eq!(outer.try_git(&sub, &["commit", "-qm", "x", "notes.txt"]).exit, 0);
    assert_eq!(outer.run(&["check"]).exit, 2, "the outer repository has no model of its own");
}

#[test]
fn husky_and_lefthook_and_a_shared_folder_are_told_what_to_add() {
    for (file, hooks_path) in
        [(".husky/_/h", Some(".husky/_")), ("lefthook.yml", None), (".pre-commit-config.yaml", None)]
    {
        let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
        scratch.write(file, "");
        if let Some(path) = hooks_path {
            scratch.git(&["config", "core.hooksPath", path]);
        }
        let said = scratch.run(&["hook", "install"]);
        assert_eq!(said.exit, 2, "{file}");
        assert!(said.stderr.contains("factgate check --staged"), "{file}: {}", said.stderr);
        assert!(!scratch.path(".git/hooks/pre-commit").exists(), "{file}");
    }
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    let shared = tempfile::tempdir().unwrap();
    scratch.git(&["config", "core.hooksPath", shared.path().to_str().unwrap()]);
    assert_eq!(scratch.run(&["hook", "install"]).exit, 2);
    assert!(std::fs::read_dir(shared.path()).unwrap().next().is_none());
}

#[test]
fn a_hook_of_ones_own_may_name_a_folder_of_the_repository() {
    for folder in [".", "src", "../LINK"] {
        let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
        let beside = tempfile::tempdir().unwrap();
        let link = beside.path().join("link");
        std::os::unix::fs::symlink(scratch.root(), &link).unwrap();
        let folder = folder.replace("../LINK", link.to_str().unwrap());
        scratch.write(".git/hooks/pre-commit", &format!("#!/bin/sh\nfactgate -C {folder} check --staged || exit $?\n"));
        scratch.git(&["update-index", "--refresh"]);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(scratch.path(".git/hooks/pre-commit"), mode).unwrap();
        assert!(scratch.run(&["hook", "status"]).stdout.starts_with("called by"), "{folder}");
        drift(&scratch);
        for arguments in [&["commit", "-qam", "x"][..], &["commit", "-qm", "x", "src/queue.ts"]] {
            assert_ne!(scratch.try_git(scratch.root(), arguments).exit, 0, "{folder}: {arguments:?}");
        }
        scratch.write("notes.txt", "one");
        scratch.git(&["add", "notes.txt"]);
        assert_eq!(scratch.try_git(scratch.root(), &["commit", "-qm", "x"]).exit, 0, "{folder}");
    }
}
