//! Odd places: linked worktrees, submodules, links, sparse checkouts, announced and unmerged entries, folders named with
//! `-C`, and repositories without a commit.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use serde_json::Value;
use std::os::unix::fs::symlink;
use std::process::Command;

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)])
}

/// The exit codes of the work tree, the index and HEAD.
fn check(scratch: &Scratch, expected: [i32; 3]) {
    let views = [&["check"][..], &["check", "--staged"], &["check", "--rev", "HEAD"]];
    assert_eq!(views.map(|arguments| scratch.run(arguments).exit), expected);
}

#[test]
fn announced_entries_are_in_no_commit() {
    let scratch = confirmed();
    scratch.git(&["rm", "-q", "--cached", "src/queue.ts"]);
    scratch.git(&["add", "-N", "src/queue.ts"]);
    check(&scratch, [0, 3, 0]);
    let json = scratch.json(&["check", "--staged", "--format", "json"]);
    assert_eq!(json["models"][0]["stale"][0]["kind"], "removed");
}

#[test]
fn skipped_and_assumed_entries() {
    let scratch = confirmed();
    scratch.git(&["update-index", "--skip-worktree", "src/queue.ts"]);
    std::fs::remove_file(scratch.path("src/queue.ts")).unwrap();
    check(&scratch, [0, 0, 0]);
    scratch.write("src/queue.ts", &QUEUE.replace("< 3", "< 4"));
    check(&scratch, [3, 0, 0]);
    scratch.git(&["update-index", "--no-skip-worktree", "--assume-unchanged", "src/queue.ts"]);
    check(&scratch, [3, 0, 0]);
}

#[test]
fn a_sparse_checkout_is_judged_whole() {
    let scratch = confirmed();
    scratch.write("lib/a.txt", "a");
    scratch.commit("more");
    scratch.git(&["sparse-checkout", "set", "lib"]);
    assert!(!scratch.path("src/queue.ts").exists());
    check(&scratch, [0, 0, 0]);
}

#[test]
fn links_inside_are_followed_and_others_are_errors() {
    let scratch = confirmed();
    scratch.write("lib/queue.ts", QUEUE);
    std::fs::remove_file(scratch.path("src/queue.ts")).unwrap();
    symlink("../lib/queue.ts", scratch.path("src/queue.ts")).unwrap();
    scratch.commit("link");
    check(&scratch, [0, 0, 0]);
    scratch.edit("lib/queue.ts", "< 3", "< 4");
    check(&scratch, [3, 0, 0]);
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("queue.ts"), QUEUE).unwrap();
    for target in [outside.path().join("queue.ts"), "queue.ts".into(), "../nowhere.ts".into(), "../../q.ts".into()] {
        std::fs::remove_file(scratch.path("src/queue.ts")).unwrap();
        symlink(&target, scratch.path("src/queue.ts")).unwrap();
        scratch.git(&["add", "-A"]);
        for arguments in [&["check"][..], &["check", "--staged"]] {
            let said = scratch.run(arguments);
            assert_eq!(said.exit, 2, "{target:?}: {said:?}");
            assert!(said.stderr.contains("symbolic link"), "{target:?}: {}", said.stderr);
        }
        assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 2, "{target:?}");
    }
}

#[test]
fn a_folder_in_the_place_of_a_file_hides_nothing() {
    let scratch = confirmed();
    std::fs::remove_file(scratch.path("src/queue.ts")).unwrap();
    scratch.write("src/queue.ts/factgate.toml", "[model]\nname = \"inner\"\ncover = [\"src/queue.ts/a.ts#a\"]\n");
    scratch.write("src/queue.ts/a.ts", "export const a = 1;\n");
    let json = scratch.json(&["check", "--format", "json"]);
    let names: Vec<_> = json["models"].as_array().unwrap().iter().map(|model| model["name"].clone()).collect();
    assert_eq!(names, ["inner", "queue"], "git lists what is in the folder too");
}

#[test]
fn untracked_configurations_count_and_ignored_ones_do_not() {
    let scratch = confirmed();
    let other = CONFIG.replace("\"queue\"", "\"other\"");
    scratch.write("ignored/factgate.toml", &other);
    scratch.write("other/factgate.toml", &other);
    scratch.write(".gitignore", "ignored/\n");
    assert_eq!(scratch.run(&["check"]).exit, 2, "`other` has no record");
    assert_eq!(scratch.run(&["check", "queue"]).exit, 0);
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 0);
    std::fs::remove_dir_all(scratch.path("other")).unwrap();
    assert_eq!(scratch.run(&["check"]).exit, 0);
}

#[test]
fn no_commit_yet() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    assert_eq!(scratch.run(&["check"]).exit, 2);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    let (exit, sync) = scratch.sync_at(scratch.root(), &[]);
    assert_eq!((exit, &sync["note"], &sync["commit"]), (0, &"unborn".into(), &Value::Null));
    let text = scratch.run(&["check"]).stdout;
    assert!(text.contains("in sync with a record that no commit holds yet"), "{text}");
    scratch.git(&["add", "-A"]);
    assert_eq!(scratch.sync_at(scratch.root(), &["--staged"]).0, 0);
    let said = scratch.run(&["check", "--rev", "HEAD"]);
    assert_eq!(said.exit, 2);
    scratch.edit("src/queue.ts", "< 3", "< 4");
    assert_eq!(scratch.run(&["check"]).exit, 3);
}

#[test]
fn what_is_no_repository_is_exit_2_in_every_format() {
    let (scratch, nowhere) = (confirmed(), tempfile::tempdir().unwrap());
    for format in ["text", "json", "github", "sarif", "junit"] {
        let said = scratch.run_at(nowhere.path(), &[], &["check", "--format", format]);
        assert_eq!(said.exit, 2, "{format}: {said:?}");
        assert!(!said.stdout.contains("in sync"), "{format}");
    }
    let bare = nowhere.path().join("bare");
    scratch.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    assert_eq!(scratch.run_at(&bare, &[], &["check"]).exit, 2);
    for rev in ["nowhere", "", "--all", "HEAD^{tree}", "HEAD:src/queue.ts"] {
        assert_eq!(scratch.run(&["check", &format!("--rev={rev}")]).exit, 2, "{rev:?}");
    }
}

#[test]
fn a_linked_worktree_has_its_own_code_and_a_shared_history() {
    let (scratch, beside) = (confirmed(), tempfile::tempdir().unwrap());
    let linked = beside.path().join("linked");
    scratch.git(&["worktree", "add", "-q", linked.to_str().unwrap(), "-b", "side"]);
    std::fs::write(linked.join("src/queue.ts"), QUEUE.replace("< 3", "< 4")).unwrap();
    assert_eq!(scratch.run_at(&linked, &[], &["check"]).exit, 3);
    assert_eq!(scratch.run_at(&linked, &[], &["check", "--staged"]).exit, 0);
    check(&scratch, [0, 0, 0]);
    assert_eq!(scratch.run_at(&linked, &[], &["sync", "--because", "x"]).exit, 0);
    assert_eq!(scratch.run_at(&linked, &[], &["check"]).exit, 0);
    check(&scratch, [0, 0, 0]);
    let status = scratch.try_git(&linked, &["status", "--porcelain"]);
    assert_eq!(status.stdout, " M coverage/queue.json\n M src/queue.ts\n");
}

#[test]
fn variables_of_another_repository_mean_nothing_with_a_folder_named() {
    let (scratch, other) = (confirmed(), confirmed());
    other.edit("src/queue.ts", "< 3", "< 4");
    other.git(&["add", "-A"]);
    let (git_dir, index) = (scratch.path(".git"), scratch.path(".git/index"));
    let variables = [
        ("GIT_DIR", git_dir.to_str().unwrap()),
        ("GIT_INDEX_FILE", index.to_str().unwrap()),
        ("GIT_WORK_TREE", scratch.root().to_str().unwrap()),
        ("GIT_PREFIX", "src/"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
    ];
    let folder = other.root().to_str().unwrap();
    let said = scratch.run_at(scratch.root(), &variables, &["-C", folder, "check", "--staged"]);
    assert_eq!(said.exit, 3, "{said:?}");
    let inside = scratch.run_at(other.root(), &variables[..2], &["check", "--staged"]);
    assert_eq!(inside.exit, 0, "without it they say which repository is meant: {inside:?}");
}

/// The exit code and the words of a `check` by a user who may not read everything: root may.
fn as_nobody(scratch: &Scratch, arguments: &[&str]) -> Option<(i32, String)> {
    const NOBODY: &str = "65534";
    let mut command = scratch.command("setpriv", scratch.root());
    command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", env!("CARGO_BIN_EXE_factgate")]);
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "safe.directory").env("GIT_CONFIG_VALUE_0", "*");
    let output = command.args(arguments).output().ok()?;
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    // Without the right to become somebody else, or without a way to the program, nothing is tried.
    (!words.contains("setpriv:")).then(|| (output.status.code().unwrap_or(-1), words))
}

fn mode(scratch: &Scratch, path: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(scratch.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_cannot_be_read_is_no_quiet_pass() {
    let config = format!("{CONFIG}\n[[calls]]\nof = \"src/queue.ts#hasRoom\"\nin = [\"src/**/*.ts\"]\n");
    let caller = "import { hasRoom } from '../queue';\nexport const use = (q: Queue) => hasRoom(q);\n";
    for tracked in [true, false] {
        for owner in [0, 65_534] {
            let scratch = Scratch::confirmed(&[("factgate.toml", &config), ("src/queue.ts", QUEUE)]);
            scratch.write("src/sub/use.ts", caller);
            if tracked {
                scratch.commit("use");
            }
            mode(&scratch, "", 0o755);
            let status = Command::new("chown").arg("-R").arg(owner.to_string()).arg(scratch.root()).status().unwrap();
            let Some((exit, words)) = as_nobody(&scratch, &["check"]).filter(|_| status.success()) else { return };
            assert_eq!(exit, 3, "all of it can be read: {words}");
            for closed in [0o000, 0o644] {
                mode(&scratch, "src/sub", closed);
                let (exit, words) = as_nobody(&scratch, &["check"]).unwrap();
                assert_eq!(exit, 2, "tracked {tracked}, owner {owner}, mode {closed:o}: {words}");
                assert!(words.contains("src/sub"), "{words}");
                assert_eq!(as_nobody(&scratch, &["check", "--staged"]).unwrap().0, if tracked { 3 } else { 0 });
            }
            mode(&scratch, "src/sub", 0o755);
            // A folder that git ignores is nobody's concern.
            scratch.write("closed/x.ts", caller);
            scratch.write(".gitignore", "closed/\n");
            mode(&scratch, "closed", 0o000);
            assert_eq!(as_nobody(&scratch, &["check"]).unwrap().0, 3, "tracked {tracked}, owner {owner}");
        }
    }
}

#[test]
fn files_of_another_repository_are_no_files_of_this_one() {
    let (scratch, inner) = (confirmed(), confirmed());
    let inner = inner.root().to_str().unwrap();
    scratch.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "mods/a"]);
    scratch.git(&["clone", "-q", inner, "nested"]);
    scratch.write("factgate.toml", &CONFIG.replace("queue.ts#push", "queue.ts#push\", \"mods/a/src/queue.ts#push"));
    for view in [&["check"][..], &["check", "--staged"]] {
        scratch.git(&["add", "factgate.toml"]);
        let said = scratch.run(view);
        assert_eq!(said.exit, 2, "{view:?}: {said:?}");
    }
    assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 2);
    for path in ["mods/a/src/queue.ts", "nested/src/queue.ts"] {
        assert_eq!(scratch.run(&["items", path]).exit, 2, "{path}");
        assert_eq!(scratch.run_in(path.strip_suffix("/src/queue.ts").unwrap(), &["items", "src/queue.ts"]).exit, 0);
    }
}
