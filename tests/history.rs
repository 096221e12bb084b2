//! The commits of a STALE item: those that changed its fingerprint.

use crate::scratch::{CONFIG, QUEUE, Scratch};

fn subjects(scratch: &Scratch, item: &str) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap().clone();
    let commits =
        stale.iter().filter(|stale| stale["item"] == item).flat_map(|stale| stale["commits"].as_array().unwrap());
    commits.map(|commit| commit["subject"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn newest_first_and_only_those_that_count() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    for (from, to, subject) in [
        ("< 3", "< 4", "four"),
        ("< 4", "<  4", "spaces"),
        ("jobs.push(job)", "jobs.unshift(job)", "in front"),
        ("<  4", "< 5", "five"),
    ] {
        scratch.edit("src/queue.ts", from, to);
        scratch.commit(subject);
    }
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["five", "four"]);
    assert_eq!(subjects(&scratch, "src/queue.ts#push"), ["in front"]);
}

#[test]
fn a_removal_has_its_commit_too() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    scratch.write("src/queue.ts", QUEUE.lines().next().unwrap());
    scratch.commit("drop push");
    assert_eq!(subjects(&scratch, "src/queue.ts#push"), ["drop push"]);
}

#[test]
fn a_change_merged_from_a_branch_names_the_branch_commit() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    scratch.git(&["checkout", "-qb", "wider"]);
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("four");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.write("notes.txt", "one");
    scratch.commit("notes");
    scratch.git(&["merge", "-q", "--no-ff", "-m", "merge wider", "wider"]);
    assert_eq!(subjects(&scratch, "src/queue.ts#hasRoom"), ["four"]);
}
