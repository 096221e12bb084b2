//! Clones that lack a part of the history, and repositories in formats that only the `git` program reads: the verdict is
//! the same everywhere, and what is not known is said to be unknown.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use serde_json::Value;
use std::path::PathBuf;

/// Confirmed in the second commit, changed in the fourth of five.
fn origin() -> Scratch {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    scratch.write("notes.txt", "one");
    scratch.commit("one");
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("four");
    scratch.write("notes.txt", "two");
    scratch.commit("two");
    scratch.git(&["config", "uploadpack.allowFilter", "true"]);
    scratch
}

fn clone(scratch: &Scratch, beside: &tempfile::TempDir, arguments: &[&str]) -> PathBuf {
    let target = beside.path().join("clone");
    let url = format!("file://{}", scratch.root().display());
    let all = [&["clone", "-q"][..], arguments, &[&url, target.to_str().unwrap()]].concat();
    scratch.git(&all);
    target
}

#[test]
fn shallow_clones_of_every_depth() {
    let scratch = origin();
    for depth in 1..=6 {
        let beside = tempfile::tempdir().unwrap();
        let folder = clone(&scratch, &beside, &["--depth", &depth.to_string()]);
        let said = scratch.run_at(&folder, &[], &["check", "--format", "json"]);
        assert_eq!(said.exit, 3, "depth {depth}: {said:?}");
        let json: Value = serde_json::from_str(&said.stdout).unwrap();
        let (sync, stale) = (&json["models"][0]["sync"], &json["models"][0]["stale"][0]);
        let text = scratch.run_at(&folder, &[], &["check"]).stdout;
        assert_eq!(stale["kind"], "changed");
        // The boundary of depth 4 is the sync commit itself, whose parent is not here: it may only look like it.
        if depth <= 4 {
            assert_eq!((&sync["commit"], &sync["commits_since"]), (&Value::Null, &Value::Null), "depth {depth}");
            assert_eq!(sync["note"], "shallow");
            assert_eq!(stale["commits"], Value::Array(Vec::new()), "depth {depth}");
            assert!(text.contains("1 STALE since a commit that is unknown (shallow)"), "{text}");
        } else {
            assert_eq!((&sync["subject"], &sync["note"]), (&"confirmed".into(), &Value::Null), "depth {depth}");
            assert_eq!(sync["commits_since"], 3);
            assert_eq!(stale["commits"][0]["subject"], "four");
        }
    }
}

#[test]
fn a_record_that_a_side_branch_brought_in() {
    let scratch = origin();
    scratch.git(&["checkout", "-qb", "side", "HEAD~3"]);
    scratch.edit("src/queue.ts", "push(job)", "push(job, job)");
    assert_eq!(scratch.run(&["sync", "--because", "twice"]).exit, 0);
    scratch.commit("confirmed aside");
    scratch.write("side.txt", "one");
    scratch.commit("side");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.git(&["merge", "-q", "--no-ff", "-X", "theirs", "-m", "merged", "side"]);
    let expected = scratch.git(&["log", "-1", "--format=%H", "--", "coverage/queue.json"]);
    let (exit, whole) = scratch.sync_at(scratch.root(), &[]);
    assert_eq!((&whole["commit"], &whole["note"]), (&expected.trim().into(), &Value::Null));
    let mut known = Vec::new();
    for depth in 1..=7 {
        let beside = tempfile::tempdir().unwrap();
        let folder = clone(&scratch, &beside, &["--depth", &depth.to_string()]);
        let (shallow_exit, sync) = scratch.sync_at(&folder, &[]);
        assert_eq!(shallow_exit, exit, "depth {depth}: the verdict needs no history");
        match &sync["commit"] {
            Value::Null => assert_eq!(sync["note"], "shallow", "depth {depth}"),
            commit => assert_eq!(commit, expected.trim(), "depth {depth}: never another one"),
        }
        if sync["note"] == Value::Null {
            assert_eq!(sync, whole, "depth {depth}");
        }
        known.push(sync["commit"] != Value::Null);
    }
    // The change is the third commit down its branch: a fourth one has to be there to see that it is one.
    assert_eq!(known, [false, false, false, true, true, true, true]);
}

#[test]
fn a_deepened_clone_knows_more() {
    let (scratch, beside) = (origin(), tempfile::tempdir().unwrap());
    let folder = clone(&scratch, &beside, &["--depth", "1"]);
    assert_eq!(scratch.sync_at(&folder, &[]).1["note"], "shallow");
    assert_eq!(scratch.try_git(&folder, &["fetch", "-q", "--unshallow"]).exit, 0);
    let (exit, sync) = scratch.sync_at(&folder, &[]);
    assert_eq!((exit, &sync["subject"], &sync["note"]), (3, &"confirmed".into(), &Value::Null));
}

#[test]
fn partial_clones_fetch_nothing_and_guess_nothing() {
    for filter in ["blob:none", "tree:0", "blob:limit=10"] {
        let (scratch, beside) = (origin(), tempfile::tempdir().unwrap());
        let folder = clone(&scratch, &beside, &["--filter", filter]);
        // Whoever fetched would have to ask a repository that is gone.
        let said = scratch.run_at(&folder, &[("GIT_ALLOW_PROTOCOL", "none")], &["check", "--format", "json"]);
        assert_eq!(said.exit, 3, "{filter}: {said:?}");
        let json: Value = serde_json::from_str(&said.stdout).unwrap();
        let (sync, stale) = (&json["models"][0]["sync"], &json["models"][0]["stale"]);
        assert_eq!(stale[0]["item"], "src/queue.ts#hasRoom", "{filter}");
        assert_eq!(sync["note"], "partial", "{filter}: {json}");
        assert_eq!(stale[0]["commits"], Value::Array(Vec::new()), "{filter}");
        assert_eq!(scratch.run_at(&folder, &[], &["check", "--staged"]).exit, 3, "{filter}");
    }
}

#[test]
fn formats_that_only_git_reads() {
    let sparse: &[&[&str]] = &[&["sparse-checkout", "set", "--sparse-index", "src", "coverage"]];
    for (init, prepare) in [
        (&["--object-format=sha256"][..], &[][..]),
        (&["--ref-format=reftable"], &[]),
        (&[], &[&["update-index", "--split-index"][..]]),
        (&[], sparse),
        (&[], &[&["update-index", "--index-version", "4"]]),
        (&[], &[&["replace", "HEAD", "HEAD~1"], &["replace", "-d", "HEAD"]]),
    ] {
        let scratch = Scratch::new(&[]);
        std::fs::remove_dir_all(scratch.path(".git")).unwrap();
        let made = scratch.try_git(scratch.root(), &[&["init", "-q", "-b", "main"][..], init].concat());
        if made.exit != 0 {
            // This git is too old for the format.
            continue;
        }
        let files = [("factgate.toml", CONFIG), ("src/queue.ts", QUEUE), ("lib/other.ts", "export const a = 1;\n")];
        files.iter().for_each(|(path, text)| scratch.write(path, text));
        scratch.commit("base");
        assert_eq!(scratch.run(&["sync"]).exit, 0, "{init:?} {prepare:?}");
        scratch.commit("confirmed");
        prepare.iter().for_each(|arguments| drop(scratch.git(arguments)));
        for view in [&[][..], &["--staged"], &["--rev", "HEAD"]] {
            let (exit, sync) = scratch.sync_at(scratch.root(), view);
            assert_eq!((exit, &sync["subject"]), (0, &"confirmed".into()), "{init:?} {prepare:?} {view:?}");
        }
        scratch.edit("src/queue.ts", "< 3", "< 4");
        assert_eq!(scratch.run(&["check"]).exit, 3);
        assert_eq!(scratch.run(&["check", "--staged"]).exit, 0);
        scratch.git(&["add", "src/queue.ts"]);
        assert_eq!(scratch.run(&["check", "--staged"]).exit, 3);
        scratch.git(&["commit", "-qm", "four"]);
        let json = scratch.json(&["check", "--format", "json"]);
        assert_eq!(json["models"][0]["stale"][0]["commits"][0]["subject"], "four", "{init:?} {prepare:?}");
        assert_eq!(scratch.run(&["hook", "install"]).exit, 0);
    }
}

#[test]
fn without_the_program_a_format_is_exit_2_with_the_way_out() {
    let scratch = origin();
    scratch.git(&["update-index", "--split-index"]);
    let nowhere = tempfile::tempdir().unwrap();
    let said = scratch.run_at(scratch.root(), &[("PATH", nowhere.path().to_str().unwrap())], &["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("a split index") && said.stderr.contains("--no-split-index"), "{}", said.stderr);
}

#[test]
fn a_foreign_repository_is_exit_2_with_the_remedy_until_git_trusts_it() {
    let scratch = origin();
    let away = |path: PathBuf| std::os::unix::fs::chown(path, Some(12_345), None);
    if away(scratch.path("")).and_then(|()| away(scratch.path(".git"))).is_err() {
        // Only root gives folders away.
        return;
    }
    let path = scratch.root().to_str().unwrap().to_owned();
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains(&format!("git config --global --add safe.directory {path}")), "{}", said.stderr);
    let parent = format!("{}/*", scratch.root().parent().unwrap().display());
    let slash = format!("{path}/");
    for value in [path.as_str(), &slash, "*", &parent, "/elsewhere", ""] {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(".gitconfig"), format!("[safe]\n\tdirectory = \"{value}\"\n")).unwrap();
        let (home, parameters) = (home.path().to_str().unwrap(), format!("'safe.directory'='{value}'"));
        let count = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", value)];
        for variables in [&count[..], &[("HOME", home)], &[("GIT_CONFIG_PARAMETERS", &parameters)]] {
            let git = scratch.command("git", scratch.root()).envs(variables.iter().copied()).arg("status").output();
            let exit = if git.unwrap().status.success() { 3 } else { 2 };
            let said = scratch.run_at(scratch.root(), variables, &["check"]);
            assert_eq!(said.exit, exit, "{value:?} in {variables:?}: {said:?}");
        }
        // As git hands its command line to a hook or an alias.
        let alias = format!("alias.gate=!{} check", env!("CARGO_BIN_EXE_factgate"));
        let setting = format!("safe.directory={value}");
        let said = scratch.try_git(scratch.root(), &["-c", &setting, "-c", &alias, "gate"]);
        let trusted = scratch.try_git(scratch.root(), &["-c", &setting, "status"]).exit == 0;
        assert_eq!(said.exit, if trusted { 3 } else { 2 }, "{value:?}: {said:?}");
    }
}
