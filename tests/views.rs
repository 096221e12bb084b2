//! Sources, configuration and record come from one view, whichever it is.

use crate::scratch::{CONFIG, QUEUE, Scratch};

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)])
}

#[test]
fn the_index_is_judged_by_itself() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    assert_eq!(scratch.run(&["check"]).exit, 3);
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 0);
    scratch.git(&["add", "src/queue.ts"]);
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 3);
    scratch.git(&["rm", "-rq", "--cached", "factgate.toml"]);
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 2);
    assert_eq!(scratch.run(&["check"]).exit, 3);
}

#[test]
fn a_commit_is_judged_by_itself() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("drift");
    assert_eq!(scratch.run(&["check", "--rev", "HEAD"]).exit, 3);
    assert_eq!(scratch.run(&["check", "--rev", "HEAD~1"]).exit, 0);
    assert_eq!(scratch.run(&["check", "--rev", "HEAD~2"]).exit, 2);
    let json = scratch.json(&["check", "--rev", "HEAD~1", "--format", "json"]);
    assert_eq!(json["view"], "commit");
    assert_eq!(json["models"][0]["sync"]["commits_since"], 0);
}

#[test]
fn another_folder_ignores_the_variables_of_a_hook() {
    let scratch = confirmed();
    let other = confirmed();
    other.edit("src/queue.ts", "< 3", "< 4");
    let folder = other.root().to_str().unwrap();
    let mut command = scratch.command(env!("CARGO_BIN_EXE_factgate"), scratch.root());
    command.env("GIT_DIR", scratch.path(".git")).env("GIT_INDEX_FILE", scratch.path(".git/index"));
    let output = command.args(["-C", folder, "check"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn several_models_are_all_judged() {
    let scratch = confirmed();
    scratch.write("wire/factgate.toml", "[model]\nname = \"wire\"\ncover = [\"src/wire.ts#send\"]\n");
    scratch.write("src/wire.ts", "export function send() { return 1; }\n");
    assert_eq!(scratch.run(&["check"]).exit, 2, "one has no record");
    assert_eq!(scratch.run(&["check", "queue"]).exit, 0);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    scratch.write("src/wire.ts", "export function send() { return 2; }\n");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 3);
    assert_eq!(json["models"][0]["exit"], 0);
    assert_eq!(json["models"][1]["exit"], 3);
}

#[test]
fn an_ignored_record_still_counts() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE), (".gitignore", "coverage/\n")]);
    scratch.commit("base");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 0, "{json}");
    assert_eq!(json["models"][0]["sync"]["note"], "uncommitted");
}
