//! `factgate sync`: what it confirms, when it asks, when it refuses, and that it writes whole or not at all.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use std::process::Stdio;

const RECORD: &str = "coverage/queue.json";
const PATTERNS: &str =
    "[guard.OnlyRoom]\nin = \"src/queue.ts#push\"\neffect = \"queue.jobs.push($$$)\"\nonly_if = \"hasRoom($Q)\"\n";

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("patterns/queue.toml", PATTERNS), ("src/queue.ts", QUEUE)])
}

fn stale(scratch: &Scratch) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap().clone();
    stale.iter().map(|stale| stale["item"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_item_is_confirmed_with_the_facts_read_in_it() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.edit("src/queue.ts", "if (hasRoom(queue)) ", "");
    assert_eq!(stale(&scratch), ["src/queue.ts#hasRoom", "src/queue.ts#push", "OnlyRoom"]);
    let said = scratch.run(&["sync", "src/queue.ts#push", "--because", "the queue is bounded elsewhere"]);
    assert_eq!(said.exit, 0, "{said:?}");
    assert_eq!(stale(&scratch), ["src/queue.ts#hasRoom"]);
    assert!(scratch.read(RECORD).contains("the queue is bounded elsewhere"));
    assert_eq!(scratch.run(&["sync", "--because", "a parameter"]).exit, 0);
    assert!(scratch.read(RECORD).contains("the queue is bounded elsewhere"), "a reason stays with its item");
    assert!(scratch.read(RECORD).contains("a parameter"));
    assert!(stale(&scratch).is_empty());
}

#[test]
fn a_guard_that_is_lost_needs_a_reason_and_one_that_is_won_needs_none() {
    let scratch = confirmed();
    scratch.edit("patterns/queue.toml", "only_if", "skip_if");
    assert_eq!(stale(&scratch), ["OnlyRoom"]);
    let said = scratch.run(&["sync", "OnlyRoom"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("fact OnlyRoom: TRUE -> FALSE"), "{}", said.stderr);
    assert_eq!(scratch.run(&["sync", "OnlyRoom", "--because", "the queue has no end now"]).exit, 0);
    assert!(scratch.read(RECORD).contains("\"because\": \"the queue has no end now\", \"kind\": \"guard\""));
    assert!(stale(&scratch).is_empty());
    scratch.edit("patterns/queue.toml", "skip_if", "only_if");
    assert_eq!(scratch.run(&["sync", "OnlyRoom"]).exit, 0);
    assert!(!scratch.read(RECORD).contains("no end now"));
}

#[test]
fn what_is_given_up_needs_a_reason_that_stays_until_it_is_back() {
    let scratch = confirmed();
    let guard = scratch.read("patterns/queue.toml");
    scratch.write("patterns/queue.toml", "");
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("fact OnlyRoom is no longer there"), "{}", said.stderr);
    assert_eq!(scratch.run(&["sync", "--because", "a lock does it"]).exit, 0);
    assert!(scratch.read(RECORD).contains("\"fact OnlyRoom\": \"a lock does it\""), "{}", scratch.read(RECORD));
    scratch.write("patterns/queue.toml", &guard);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert!(!scratch.read(RECORD).contains("a lock does it"));
}

#[test]
fn what_names_nothing_is_an_error_and_nothing_is_written() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    let before = scratch.read(RECORD);
    let said = scratch.run(&["sync", "src/queue.ts#hasRoom", "src/queue.ts#pop", "--because", "x"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("src/queue.ts#pop"), "{}", said.stderr);
    assert_eq!(scratch.read(RECORD), before);
}

/// After an edit `sync` refuses with this word, and the record stays.
fn check_refused(edit: impl Fn(&Scratch), word: &str) {
    let scratch = confirmed();
    let before = scratch.read(RECORD);
    edit(&scratch);
    let said = scratch.run(&["sync", "--because", "a reason"]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert!(said.stderr.contains(word), "{word}: {}", said.stderr);
    assert_eq!(scratch.read(RECORD), before);
}

#[test]
fn it_refuses_what_would_make_the_record_lie() {
    check_refused(|scratch| scratch.edit("src/queue.ts", "job);", "job;"), "src/queue.ts");
    check_refused(|scratch| scratch.write("src/queue.ts", &format!("<<<<<<< HEAD\n{QUEUE}")), "<<<<<<<");
    let merged = format!("{QUEUE}// more\n<<<<<<< HEAD\nlet a;\n=======\nlet b;\n>>>>>>> x\n");
    check_refused(|scratch| scratch.write("src/queue.ts", &merged), "merge conflict");
    check_refused(|scratch| scratch.edit("src/queue.ts", "push(queue", "put(queue"), "no longer there");
    check_refused(
        |scratch| scratch.write("patterns/more.toml", "[value.More]\nfrom = \"src/queue.ts#push\"\n"),
        "unknown",
    );
}

#[test]
fn what_cannot_be_read_beside_what_is_covered_is_no_obstacle() {
    let same = "export function sum() { return a + b as T * c; }\n";
    for (beside, word) in [
        ("function broken( {\n", "outside of what is covered"),
        ("interface Broken { value: = }\n", "outside of what is covered"),
        ("class Broken { open( { } }\n", "outside of what is covered"),
        (same, "outside of what is covered"),
        ("export interface Box<out T> { value: T }\n", "no word for this `out`"),
        ("import defer * as late from './late.js';\n", "no word for this `defer`"),
    ] {
        let scratch = confirmed();
        scratch.write("src/queue.ts", &format!("{}{beside}", QUEUE.replace("< 3", "< 4")));
        assert_eq!(stale(&scratch), ["src/queue.ts#hasRoom"], "{beside}");
        let said = scratch.run(&["sync", "--because", "x"]);
        assert_eq!(said.exit, 0, "{beside}: {said:?}");
        assert!(said.stderr.contains("src/queue.ts") && said.stderr.contains(word), "{beside}: {}", said.stderr);
        assert!(stale(&scratch).is_empty());
    }
}

#[test]
fn a_broken_record_is_left_for_people() {
    let scratch = confirmed();
    let text = scratch.read(RECORD).replacen("{\n", "{\n<<<<<<< HEAD\n", 1);
    scratch.write(RECORD, &text);
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("coverage/queue.json:2"), "{}", said.stderr);
    assert_eq!(scratch.read(RECORD), text);
}

#[test]
fn models_files_are_confirmed_whole() {
    let config = format!("{CONFIG}files = [\"model/*.tla\", \"coverage/*.json\"]\n");
    let scratch = Scratch::confirmed(&[
        ("verify/factgate.toml", &config),
        ("verify/model/Q.tla", "A == 1\n"),
        ("src/queue.ts", QUEUE),
    ]);
    assert!(stale(&scratch).is_empty());
    scratch.write("verify/model/Q.tla", "A == 1\r\n");
    assert!(stale(&scratch).is_empty());
    scratch.write("verify/model/Q.tla", "A == 2\n");
    scratch.write("verify/model/R.tla", "B == 1\n");
    assert_eq!(stale(&scratch), ["verify/model/Q.tla", "verify/model/R.tla"]);
    assert_eq!(scratch.run(&["sync", "verify/model/R.tla"]).exit, 0);
    assert_eq!(stale(&scratch), ["verify/model/Q.tla"]);
    std::fs::remove_file(scratch.path("verify/model/Q.tla")).unwrap();
    assert_eq!(stale(&scratch), ["verify/model/Q.tla"]);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert!(stale(&scratch).is_empty());
}

#[test]
fn nothing_but_the_record_is_left_behind() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 0);
    assert_eq!(scratch.git(&["status", "--porcelain", "--ignored"]), " M coverage/queue.json\n M src/queue.ts\n");
    let left: Vec<_> = std::fs::read_dir(scratch.path(".git/factgate")).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().starts_with("record-")), "{left:?}");
}

#[test]
fn two_at_once_leave_one_whole_record() {
    let scratch = confirmed();
    for round in 4..8 {
        scratch.write("src/queue.ts", &QUEUE.replace("< 3", &format!("< {round}")));
        let bin = env!("CARGO_BIN_EXE_factgate");
        let start = || {
            scratch.command(bin, scratch.root()).args(["sync", "--because", "x"]).stdout(Stdio::null()).spawn().unwrap()
        };
        let children = [start(), start(), start()];
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert!(stale(&scratch).is_empty(), "round {round}");
    }
}

#[test]
fn a_file_of_any_ending_is_covered_as_its_bytes() {
    let config = "[model]\nname = \"queue\"\ncover = [\"src/queue.go\", \"src/table.bin\"]\n";
    let scratch = Scratch::confirmed(&[
        ("factgate.toml", config),
        ("src/queue.go", "package queue\n// bounded\n"),
        ("src/table.bin", "\u{0}\u{1}\n"),
    ]);
    assert!(stale(&scratch).is_empty());
    // Line endings do not count, and everything else does, comments included.
    scratch.write("src/queue.go", "package queue\r\n// bounded\r\n");
    assert!(stale(&scratch).is_empty());
    scratch.edit("src/queue.go", "bounded", "unbounded");
    scratch.commit("no bound");
    assert_eq!(stale(&scratch), ["src/queue.go"]);
    let said = scratch.run(&["check"]);
    assert!(said.stdout.contains("src/queue.go   structure") && said.stdout.contains("no bound"), "{said:?}");
    let said = scratch.run(&["diff"]);
    assert!(said.stdout.contains("// unbounded"), "{said:?}");
    assert_eq!(scratch.run(&["sync"]).exit, 2);
    assert_eq!(scratch.run(&["sync", "src/queue.go", "--because", "the bound is in the caller"]).exit, 0);
    assert!(stale(&scratch).is_empty());
    std::fs::remove_file(scratch.path("src/table.bin")).unwrap();
    assert_eq!(stale(&scratch), ["src/table.bin"]);
}
