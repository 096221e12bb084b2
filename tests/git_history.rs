//! Sync commit, count and commits over every shape of history, against what `git` itself says.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use std::process::Command;

const RECORD: &str = "coverage/queue.json";

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE), ("notes.txt", "one\n")])
}

/// The sync commit and the count are git's; the note is none.
fn check_sync(scratch: &Scratch) {
    let expected = scratch.git(&["log", "-1", "--format=%H %s", "--", RECORD]);
    let (id, subject) = expected.trim_end().split_once(' ').unwrap();
    let count = scratch.git(&["rev-list", "--count", &format!("{id}..HEAD")]);
    let (exit, sync) = scratch.sync_at(scratch.root(), &[]);
    assert!(exit == 0 || exit == 3, "{sync}");
    assert_eq!(sync["commit"], id, "{sync}");
    assert_eq!(sync["subject"], subject);
    assert_eq!(sync["commits_since"].to_string(), count.trim_end());
    assert_eq!(sync["note"], serde_json::Value::Null);
}

/// The subjects of the commits that stand with an item, sorted.
fn subjects(scratch: &Scratch, item: &str) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap().clone();
    let of_item = stale.iter().filter(|stale| stale["item"] == item);
    let commits = of_item.flat_map(|stale| stale["commits"].as_array().unwrap());
    let mut subjects: Vec<String> = commits.map(|commit| commit["subject"].as_str().unwrap().to_owned()).collect();
    subjects.sort();
    subjects
}

fn confirm(scratch: &Scratch, bound: u32) {
    scratch.write("src/queue.ts", &QUEUE.replace("< 3", &format!("< {bound}")));
    assert_eq!(scratch.run(&["sync", "--because", "a bound"]).exit, 0);
    scratch.commit(&format!("confirm {bound}"));
}

fn note(scratch: &Scratch, text: &str) {
    scratch.write(&format!("notes-{text}.txt"), text);
    scratch.commit(text);
}

/// A commit with a time of its own.
fn commit_at(scratch: &Scratch, time: &str, subject: &str) {
    scratch.git(&["add", "-A"]);
    let mut command: Command = scratch.command("git", scratch.root());
    command.env("GIT_COMMITTER_DATE", time).env("GIT_AUTHOR_DATE", time);
    assert!(command.args(["commit", "-q", "--allow-empty", "-m", subject]).status().unwrap().success());
}

#[test]
fn merges_of_every_kind() {
    let scratch = confirmed();
    scratch.git(&["checkout", "-qb", "side"]);
    confirm(&scratch, 4);
    note(&scratch, "after");
    scratch.git(&["checkout", "-q", "main"]);
    note(&scratch, "main");
    scratch.git(&["merge", "-q", "--no-ff", "-m", "pull request", "side"]);
    check_sync(&scratch);
    note(&scratch, "later");
    check_sync(&scratch);
    // A detached head on the merge that a CI makes of a pull request.
    scratch.git(&["checkout", "-qb", "pull", "HEAD~1"]);
    note(&scratch, "pulled");
    scratch.git(&["checkout", "-q", "--detach", "main"]);
    scratch.git(&["merge", "-q", "--no-ff", "-m", "merge pull into main", "pull"]);
    check_sync(&scratch);
    // Three parents.
    scratch.git(&["checkout", "-q", "main"]);
    for name in ["one", "two"] {
        scratch.git(&["checkout", "-qb", name, "main"]);
        note(&scratch, name);
    }
    scratch.git(&["checkout", "-q", "main"]);
    note(&scratch, "three");
    scratch.git(&["merge", "-q", "-m", "octopus", "one", "two"]);
    check_sync(&scratch);
}

#[test]
fn a_merge_that_resolves_by_itself_is_the_commit() {
    let scratch = confirmed();
    scratch.git(&["checkout", "-qb", "side"]);
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("four");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.edit("src/queue.ts", "< 3", "< 5");
    scratch.commit("five");
    assert_ne!(scratch.try_git(scratch.root(), &["merge", "-q", "side"]).exit, 0);
    scratch.write("src/queue.ts", &QUEUE.replace("< 3", "< 6"));
    scratch.commit("six in the merge");
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["five", "four", "six in the merge"]);
    check_sync(&scratch);
}

#[test]
fn criss_cross_merges() {
    let scratch = confirmed();
    scratch.git(&["checkout", "-qb", "left"]);
    confirm(&scratch, 4);
    scratch.git(&["checkout", "-qb", "right", "main"]);
    note(&scratch, "right");
    let right = scratch.git(&["rev-parse", "HEAD"]);
    scratch.git(&["merge", "-q", "--no-ff", "-m", "left into right", "left"]);
    scratch.git(&["checkout", "-q", "left"]);
    scratch.git(&["merge", "-q", "--no-ff", "-m", "right into left", right.trim()]);
    check_sync(&scratch);
    scratch.git(&["merge", "-q", "--no-ff", "-m", "both", "right"]);
    check_sync(&scratch);
    scratch.edit("src/queue.ts", "< 4", "< 5");
    scratch.commit("five");
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["five"]);
    check_sync(&scratch);
}

#[test]
fn equal_and_backward_dates() {
    let scratch = confirmed();
    for (number, time) in ["2026-10-25T10:11:12Z", "2020-01-01T00:00:00Z", "1999-01-01T00:00:00Z"].iter().enumerate() {
        scratch.git(&["checkout", "-qb", &format!("side-{number}")]);
        scratch.write("src/queue.ts", &QUEUE.replace("< 3", &format!("< {}", number + 7)));
        assert_eq!(scratch.run(&["sync", "--because", "a bound"]).exit, 0);
        commit_at(&scratch, time, &format!("confirm at {time}"));
        check_sync(&scratch);
        scratch.git(&["checkout", "-q", "main"]);
        scratch.write("notes.txt", time);
        commit_at(&scratch, "2019-01-01T00:00:00Z", "note");
        scratch.git(&["merge", "-q", "--no-ff", "-m", "merged", &format!("side-{number}")]);
        check_sync(&scratch);
    }
}

#[test]
fn squash_rebase_and_revert() {
    let scratch = confirmed();
    scratch.git(&["checkout", "-qb", "side"]);
    confirm(&scratch, 4);
    confirm(&scratch, 5);
    scratch.git(&["checkout", "-q", "main"]);
    note(&scratch, "main");
    scratch.git(&["merge", "-q", "--squash", "side"]);
    scratch.git(&["commit", "-qm", "squashed"]);
    check_sync(&scratch);
    note(&scratch, "later");
    scratch.git(&["checkout", "-qb", "other", "main~1"]);
    confirm(&scratch, 6);
    scratch.git(&["rebase", "-q", "main"]);
    check_sync(&scratch);
    scratch.git(&["revert", "--no-edit", "HEAD"]);
    check_sync(&scratch);
    // Back and forth: the code is what was confirmed, and so nothing is STALE.
    scratch.edit("src/queue.ts", "< 5", "< 7");
    scratch.commit("seven");
    scratch.edit("src/queue.ts", "< 7", "< 5");
    scratch.commit("five again");
    assert_eq!(scratch.run(&["check"]).exit, 0);
    scratch.edit("src/queue.ts", "< 5", "< 8");
    scratch.commit("eight");
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["eight", "five again", "seven"]);
}

#[test]
fn renamed_moved_and_ignored_records() {
    let scratch = confirmed();
    scratch.git(&["mv", RECORD, "coverage/other.json"]);
    scratch.write("factgate.toml", &format!("{CONFIG}record = \"coverage/other.json\"\n"));
    scratch.commit("rename the record");
    let (exit, sync) = scratch.sync_at(scratch.root(), &[]);
    assert_eq!((exit, &sync["subject"]), (0, &"rename the record".into()));
    scratch.write("factgate.toml", &format!("{CONFIG}record = \"kept/other.json\"\n"));
    scratch.git(&["mv", "-k", "coverage", "kept"]);
    let (exit, sync) = scratch.sync_at(scratch.root(), &[]);
    assert_eq!((exit, &sync["note"], &sync["commit"]), (0, &"uncommitted".into(), &serde_json::Value::Null));
    scratch.write(".gitignore", "kept/\n");
    scratch.git(&["rm", "-rq", "--cached", "kept"]);
    scratch.commit("ignore the record");
    let (exit, sync) = scratch.sync_at(scratch.root(), &[]);
    assert_eq!((exit, &sync["note"]), (0, &"uncommitted".into()));
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 2, "the index has none");
    assert_eq!(scratch.run(&["check", "--rev", "HEAD"]).exit, 2);
    assert_eq!(scratch.run(&["check", "--rev", "HEAD~1"]).exit, 0);
}

#[test]
fn a_moved_item_has_its_commits() {
    let config = format!("{CONFIG}\n[[calls]]\nof = \"src/jobs.ts#first\"\nin = [\"src/**/*.ts\"]\n");
    let jobs = "export function first() { return 1; }\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", &config), ("src/queue.ts", QUEUE), ("src/jobs.ts", jobs)]);
    let (room, push) = QUEUE.split_once('\n').unwrap();
    scratch.write("src/jobs.ts", &format!("{jobs}// moved\n{room}\n"));
    scratch.write("src/queue.ts", push);
    scratch.commit("move hasRoom");
    note(&scratch, "later");
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = &json["models"][0]["stale"][0];
    assert_eq!((&stale["kind"], &stale["item"]), (&"moved".into(), &"src/queue.ts#hasRoom".into()), "{json}");
    assert!(stale["detail"].as_str().unwrap().contains("src/jobs.ts#hasRoom"), "{json}");
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["move hasRoom"]);
    // Moved and changed is removed.
    scratch.edit("src/jobs.ts", "< 3", "< 4");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["models"][0]["stale"][0]["kind"], "removed");
}

#[test]
fn an_items_file_is_renamed_with_its_selector() {
    let scratch = confirmed();
    scratch.git(&["mv", "src/queue.ts", "src/jobs.ts"]);
    scratch.write("factgate.toml", &CONFIG.replace("queue.ts", "jobs.ts"));
    scratch.commit("rename the file");
    scratch.edit("src/jobs.ts", "< 3", "< 4");
    scratch.commit("four");
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["rename the file"]);
    assert_eq!(subjects(&scratch, "src/jobs.ts#hasRoom"), ["four", "rename the file"]);
    assert_eq!(subjects(&scratch, "src/jobs.ts#push"), ["rename the file"]);
}

#[test]
fn a_moved_test_with_spaces_in_its_name_has_no_difference_to_show() {
    let config = "[model]\nname = \"queue\"\ncover = ['src/a.zig#test \"drains the queue\"', \"src/b.zig#cap\"]\n";
    let (test, cap) = ("test \"drains the queue\" {\n    _ = 1;\n}\n", "pub const cap = 3;\n");
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/a.zig", test), ("src/b.zig", cap)]);
    scratch.write("src/a.zig", "// gone\n");
    scratch.write("src/b.zig", &format!("{cap}\n{test}"));
    scratch.commit("move the test");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["models"][0]["stale"][0]["kind"], "moved", "{json}");
    let said = scratch.run(&["diff"]);
    assert!(said.stdout.contains("move the test") && !said.stdout.contains("\n- "), "{}", said.stdout);
}

#[test]
fn a_renamed_file_that_the_model_knows_is_moved() {
    let config = "[model]\nname = \"queue\"\ncover = [\"src/queue.ts#hasRoom\", \"src/queue.ts\"]\n\
        [[calls]]\nname = \"push\"\nmatch = \"$Q.push($$$)\"\nin = [\"src/**/*.ts\"]\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/queue.ts", QUEUE)]);
    scratch.git(&["mv", "src/queue.ts", "src/jobs.ts"]);
    scratch.commit("rename");
    for (item, to) in [("src/queue.ts#hasRoom", "src/jobs.ts#hasRoom"), ("src/queue.ts", "src/jobs.ts")] {
        let json = scratch.json(&["check", "--format", "json"]);
        let stale = json["models"][0]["stale"].as_array().unwrap().clone();
        let found = stale.iter().find(|stale| stale["item"] == item).unwrap();
        assert_eq!(found["kind"], "moved", "{json}");
        assert!(found["detail"].as_str().unwrap().ends_with(to), "{json}");
        assert_eq!(subjects(&scratch, item), ["rename"]);
    }
}

#[test]
fn a_site_in_a_new_function_is_shown_whole() {
    let config = format!("{CONFIG}\n[[calls]]\nof = \"src/queue.ts#push\"\nin = [\"src/**/*.ts\"]\n");
    let scratch = Scratch::confirmed(&[("factgate.toml", &config), ("src/queue.ts", QUEUE)]);
    scratch.write("src/use.ts", "import { push } from './queue';\nexport function use(q: Queue) { push(q, 1); }\n");
    let said = scratch.run(&["diff"]);
    assert!(said.stdout.contains("call added push in src/use.ts#use"), "{}", said.stdout);
    assert!(said.stdout.contains("+ 2  export function use(q: Queue) { push(q, 1); }"), "{}", said.stdout);
}
