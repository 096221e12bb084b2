//! `factgate check`: the verdict for people, and what is neither STALE nor fresh.

use crate::scratch::{CONFIG, QUEUE, Scratch, shown};

const PATTERNS: &str = "[guard.OnlyRoom]\nin = \"src/queue.ts#push\"\neffect = \"queue.jobs.push($$$)\"\nonly_if = \"hasRoom($Q)\"\n\n\
    [value.Size]\nfrom = \"src/limits.ts#SIZE\"\n";

fn files() -> [(&'static str, &'static str); 4] {
    [
        ("factgate.toml", CONFIG),
        ("patterns/queue.toml", PATTERNS),
        ("src/queue.ts", QUEUE),
        ("src/limits.ts", "export const SIZE = 3;\n"),
    ]
}

#[test]
fn the_verdict_says_what_is_stale_since_when_and_by_which_commit() {
    let scratch = Scratch::confirmed(&files());
    insta::assert_snapshot!("check_in_sync", shown(&scratch.run(&["check"])));
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("widen the queue");
    scratch.edit("src/queue.ts", "if (hasRoom(queue)) ", "");
    scratch.write("src/limits.ts", "export const SIZE = 4;\n");
    scratch.commit("push always");
    insta::assert_snapshot!("check_stale", shown(&scratch.run(&["check"])));
    insta::assert_snapshot!("check_diff", shown(&scratch.run(&["diff"])));
    let said = scratch.run(&["diff", "src/queue.ts#hasRoom"]);
    assert_eq!(said.exit, 0);
    assert!(!said.stdout.contains("src/queue.ts#push"), "{}", said.stdout);
    assert_eq!(scratch.run(&["diff", "src/queue.ts#nothing"]).exit, 2);
}

#[test]
fn facts_are_told_and_explained() {
    let scratch = Scratch::new(&files());
    insta::assert_snapshot!("check_facts", shown(&scratch.run(&["facts"])));
    scratch.edit("src/queue.ts", "if (hasRoom(queue)) queue.jobs.push(job);", "queue.jobs.push(job); hasRoom(queue);");
    insta::assert_snapshot!("check_facts_explained", shown(&scratch.run(&["facts", "--explain"])));
}

#[test]
fn a_removed_scope_is_stale_and_a_broken_one_is_undecided() {
    let scratch = Scratch::confirmed(&files());
    scratch.write("src/limits.ts", "export const WIDTH = 3;\n");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 3, "{json}");
    assert_eq!(json["models"][0]["stale"][0]["item"], "Size");
    assert!(json["models"][0]["facts"]["Size"]["value"].is_null());
    scratch.write("src/limits.ts", "export const SIZE = ;\n");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 2, "{json}");
    assert!(json["models"][0]["stale"].as_array().unwrap().is_empty(), "{json}");
    assert_eq!(scratch.run(&["facts"]).exit, 2);
}

#[test]
fn a_fact_without_scope_that_no_record_knows_is_an_error() {
    let scratch = Scratch::confirmed(&files());
    scratch.write("patterns/more.toml", "[value.More]\nfrom = \"src/limits.ts#SIZ\"\n");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("patterns/more.toml") && said.stderr.contains("SIZE"), "{}", said.stderr);
}

#[test]
fn a_deleted_file_is_removed_and_never_fresh() {
    let scratch = Scratch::confirmed(&files());
    std::fs::remove_file(scratch.path("src/queue.ts")).unwrap();
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 3, "{json}");
    let kinds: Vec<&str> =
        json["models"][0]["stale"].as_array().unwrap().iter().map(|stale| stale["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["removed", "removed", "fact"]);
}

#[test]
fn a_covered_file_that_cannot_be_read_is_undecided() {
    let scratch = Scratch::confirmed(&files());
    std::fs::write(scratch.path("src/queue.ts"), b"\xff").unwrap();
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 2, "{json}");
    assert_eq!(json["errors"][0]["at"]["file"], "src/queue.ts");
    assert!(json["models"][0]["stale"].as_array().unwrap().is_empty(), "{json}");
}

#[test]
fn limits_can_be_raised() {
    let large = format!("{QUEUE}// {}\n", "x".repeat(4 << 20));
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts", &large)]);
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("src/queue.ts") && said.stderr.contains("limit"), "{}", said.stderr);
    scratch.write("factgate.toml", &format!("{CONFIG}\n[limits]\nfile_bytes = 8388608\n"));
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert_eq!(scratch.run(&["check"]).exit, 0);
}

#[test]
fn errors_go_before_drift_and_what_was_found_is_printed_all_the_same() {
    let scratch = Scratch::confirmed(&files());
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.edit("src/queue.ts", "queue.jobs.push(job)", "queue.jobs.push(job;");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("src/queue.ts:2"), "{}", said.stderr);
}

/// What is gone is told alone, although the normal form has braces around it, and they fall where the next line begins.
#[test]
fn a_line_that_is_gone_takes_no_other_with_it() {
    let code = "export function f(m: M) {\n  if (m.closed) return;\n\n  if (m.ready) {\n    go(m);\n  }\n}\n";
    let model = "[model]\nname = \"f\"\ncover = [\"src/f.ts#f\"]\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", model), ("src/f.ts", code)]);
    scratch.edit("src/f.ts", "  if (m.closed) return;\n\n", "");
    let said = scratch.run(&["diff"]).stdout;
    let changed: Vec<&str> = said.lines().filter(|line| line.starts_with(['-', '+'])).collect();
    assert_eq!(changed, ["- 2    if (m.closed) return;"], "{said}");
}

/// The example of docs/cli.md.
#[test]
fn a_difference_is_shown_in_real_lines_with_a_sentence() {
    let docs = include_str!("../docs/cli.md");
    let section = docs.split("## factgate diff").nth(1).expect("the section");
    let example = section.split("\n\n").find(|part| part.contains("$ factgate diff")).expect("an example");
    let expected: Vec<&str> = example.lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let code =
        "// Collects.\n\nexport async function collect(m: Manifest) {\n  if (m.live) return;\n  m.state = 'gone';\n}\n";
    let model = "[model]\nname = \"gc\"\ncover = [\"src/gc.ts#collect\"]\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", model), ("src/gc.ts", code)]);
    scratch.write(
        "src/gc.ts",
        &code.replace("  m.state", "  await pause(m);\n  m.state").replace("Collects", "Collects all"),
    );
    scratch.commit("wait for the disk");
    let said = scratch.run(&["diff"]).stdout;
    // What stands before are the commit and the kind, which other tests hold.
    assert_eq!(said.lines().filter(|line| !line.is_empty()).skip(2).collect::<Vec<_>>(), expected[2..], "{said}");
    let json = scratch.json(&["diff", "--format", "json"]);
    let first = &json["differences"][0];
    assert_eq!(first["did"], "one new `await pause(m)` at 5 between the check at 4 and the write at 6");
    let inserted =
        first["lines"].as_array().expect("lines").iter().find(|line| line["side"] == "current").expect("a line");
    assert_eq!((&inserted["line"], &inserted["text"]), (&5.into(), &"  await pause(m);".into()));
}
