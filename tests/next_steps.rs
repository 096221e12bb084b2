//! What is said leads to the next step: a record that git ignores, that is not staged or that nobody names, a misspelt
//! selector, and the commands below a verdict.

use crate::scratch::{CONFIG, QUEUE, Scratch};

fn files() -> [(&'static str, &'static str); 2] {
    [("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]
}

fn confirmed() -> Scratch {
    Scratch::confirmed(&files())
}

#[test]
fn a_record_that_git_ignores_is_said_with_the_rule() {
    for (ignore, place) in [("*.log\n/coverage/\n", ".gitignore:2"), ("*.json\n", ".gitignore:1")] {
        let scratch = Scratch::new(&files());
        scratch.write(".gitignore", ignore);
        for arguments in [&["sync"][..], &["check"], &["hook", "install"]] {
            let said = scratch.run(arguments);
            assert!(said.stderr.contains(place), "{arguments:?}: {said:?}");
            assert!(said.stderr.contains("git add -f coverage/queue.json"), "{arguments:?}: {said:?}");
        }
        scratch.git(&["add", "-A"]);
        let said = scratch.run(&["check", "--staged"]);
        assert!(said.exit == 2 && said.stderr.contains(place), "{said:?}");
        scratch.git(&["add", "-f", "coverage/queue.json"]);
        let said = scratch.run(&["check", "--staged"]);
        assert!(said.exit == 0 && said.stderr.is_empty(), "{said:?}");
    }
}

#[test]
fn a_record_that_is_not_staged_has_only_to_be_added() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.git(&["add", "src"]);
    assert_eq!(scratch.run(&["sync", "--because", "a parameter"]).exit, 0);
    let said = scratch.run(&["check", "--staged"]);
    assert_eq!(said.exit, 3);
    assert!(said.stdout.ends_with("the work tree's record confirms this: `git add coverage/queue.json`\n"), "{said:?}");
    scratch.edit("src/queue.ts", "jobs.push", "jobs.unshift");
    scratch.git(&["add", "src"]);
    let said = scratch.run(&["check", "--staged"]);
    assert!(said.stdout.contains("confirms 1 of these 2 differences: `git add coverage/queue.json`"), "{said:?}");
    assert!(said.stdout.contains("`factgate diff --staged`"), "{said:?}");
    let json = scratch.json(&["check", "--staged", "--format", "json"]);
    assert_eq!(json["models"][0]["next"].as_array().unwrap().len(), 2, "{json}");
}

#[test]
fn a_record_that_only_the_work_tree_has_is_to_be_added() {
    let scratch = Scratch::new(&files());
    scratch.commit("base");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    let said = scratch.run(&["check", "--staged"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("the work tree has it: `git add coverage/queue.json`"), "{said:?}");
}

#[test]
fn a_record_without_configuration_is_a_warning() {
    let scratch = Scratch::new(&files());
    scratch.write(
        "lease/factgate.toml",
        "[model]\nname = \"lease\"\ncover = [\"src/lease.ts#renew\"]\nrecord = \"of.json\"\n",
    );
    scratch.write("src/lease.ts", "export function renew(lease: Lease) { lease.until += 500; }\n");
    scratch.write("data/other.json", "{\"calls\": 3, \"scheme\": 1}\n");
    scratch.commit("base");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    scratch.commit("confirmed");
    assert_eq!(scratch.run(&["check"]).stderr, "");
    scratch.git(&["mv", "lease/factgate.toml", "lease/factgate.toml.old"]);
    for view in [&["check"][..], &["check", "--staged"]] {
        let said = scratch.run(view);
        assert_eq!(said.exit, 0, "{said:?}");
        assert!(said.stderr.contains("lease/of.json is a record"), "{said:?}");
        assert!(!said.stderr.contains("other.json"), "{said:?}");
    }
    std::fs::remove_file(scratch.path("factgate.toml")).unwrap();
    let said = scratch.run(&["check"]);
    assert!(said.exit == 2 && said.stderr.contains("coverage/queue.json"), "{said:?}");
}

/// One word misspelt gives so many errors, and no difference beside them.
fn check_typo(file: &str, from: &str, to: &str, suggestion: &str) {
    let scratch = Scratch::confirmed(&[
        ("factgate.toml", &format!("{CONFIG}\n[[calls]]\nof = \"src/store.ts#store\"\nin = [\"src/*.ts\"]\n")),
        (
            "patterns/queue.toml",
            "[guard.A]\nin = \"src/queue.ts#push\"\nhas = \"hasRoom($Q)\"\n\n[guard.B]\nin = \"src/queue.ts#push\"\nnever = \"drop($Q)\"\n",
        ),
        ("src/store.ts", "export function store(queue: Queue) { write(queue); }\nstore(new Queue());\n"),
        ("src/queue.ts", QUEUE),
    ]);
    scratch.edit(file, from, to);
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 2, "{to}: {json}");
    assert_eq!(json["errors"].as_array().unwrap().len(), 1, "{to}: {json}");
    assert!(json["errors"][0]["message"].as_str().unwrap().contains(suggestion), "{to}: {json}");
    assert_eq!(json["models"][0]["stale"], serde_json::json!([]), "{to}: {json}");
}

#[test]
fn a_misspelt_selector_is_told_once() {
    check_typo("factgate.toml", "#push", "#psuh", "`push`");
    check_typo("factgate.toml", "src/queue.ts#push", "src/queu.ts#push", "src/queue.ts");
    check_typo("factgate.toml", "#store", "#stroe", "`store`");
    check_typo("factgate.toml", "src/store.ts#store", "src/stoer.ts#store", "src/store.ts");
    check_typo("patterns/queue.toml", "src/queue.ts#push", "src/queue.ts#psuh", "`push`");
    check_typo("patterns/queue.toml", "src/queue.ts#push", "src/queu.ts#push", "src/queue.ts");
    check_typo("factgate.toml", "src/queue.ts", "src/queu.ts", "src/queue.ts");
}

/// What follows from a misspelt name is no matter of its own: facts that cannot be read, a gate that looks weaker.
#[test]
fn sync_tells_a_misspelt_selector_alone() {
    let scratch = guarded();
    scratch.edit("factgate.toml", "#push", "#psuh");
    scratch.edit("patterns/queue.toml", "#push", "#psuh");
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 2);
    assert_eq!(said.stderr.matches("error[").count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("error[selector]") && said.stderr.contains("`push`"), "{}", said.stderr);
}

#[test]
fn the_steps_below_a_verdict_are_those_that_help() {
    let scratch = confirmed();
    scratch.edit("factgate.toml", "\"src/queue.ts#hasRoom\", ", "");
    let said = scratch.run(&["check"]);
    assert!(said.stdout.contains("edit `cover` in factgate.toml"), "{said:?}");
    assert!(!said.stdout.contains("factgate diff"), "{said:?}");
    scratch.edit("src/queue.ts", "jobs.push", "jobs.unshift");
    scratch.commit("unshift");
    let said = scratch.run(&["check", "--rev", "HEAD"]);
    let tip = scratch.git(&["rev-parse", "HEAD"]);
    assert!(said.stdout.contains(&format!("`factgate diff --rev {}`", &tip[..7])), "{said:?}");
}

const GUARD: &str = "[guard.OnlyRoom]\nin = \"src/queue.ts#push\"\neffect = \"$Q.jobs.push($$$)\"\nonly_if = \"hasRoom($Q)\"\n\n\
    [guard.Other]\nin = \"src/queue.ts#hasRoom\"\nhas = \"$Q.size < 4\"\n";

fn guarded() -> Scratch {
    let calls = format!("{CONFIG}\n[[calls]]\nof = \"src/queue.ts#hasRoom\"\nin = [\"src/*.ts\"]\n");
    Scratch::new(&[("factgate.toml", &calls), ("src/queue.ts", QUEUE), ("patterns/queue.toml", GUARD)])
}

#[test]
fn single_facts_are_read_by_name() {
    let scratch = guarded();
    assert_eq!(scratch.run(&["facts", "OnlyRoom"]).stdout, "OnlyRoom   TRUE\n");
    let all = scratch.run(&["facts"]).stdout;
    assert_eq!(scratch.run(&["facts", "queue"]).stdout, all);
    assert_eq!(all.lines().count(), 2, "{all}");
    let said = scratch.run(&["facts", "--explain", "Other"]);
    assert!(said.stdout.contains("absent") && !said.stdout.contains("OnlyRoom"), "{said:?}");
    let said = scratch.run(&["facts", "OnlyRom"]);
    assert!(said.exit == 2 && said.stderr.contains("`OnlyRoom`"), "{said:?}");
}

#[test]
fn steps_take_the_name_of_a_covered_item() {
    let scratch = guarded();
    let whole = scratch.run(&["facts", "--steps", "src/queue.ts#push"]);
    assert!(whole.exit == 0 && whole.stdout.contains("jobs.push"), "{whole:?}");
    assert_eq!(scratch.run(&["facts", "--steps", "push"]).stdout, whole.stdout);
    let said = scratch.run(&["facts", "--steps", "psuh"]);
    assert!(said.exit == 2 && said.stderr.contains("`push`"), "{said:?}");
    let said = scratch.run(&["facts", "--steps", "zzz"]);
    assert!(said.exit == 2 && said.stderr.contains("PATH#NAME"), "{said:?}");
}

#[test]
fn a_place_names_what_looks_at_it() {
    let scratch = guarded();
    let names = |place: &str| {
        let json = scratch.json(&["covers", place, "--format", "json"]);
        assert_eq!(json["exit"], 0, "{json}");
        let by = json["places"][0]["by"].as_array().unwrap().clone();
        by.iter().map(|by| by["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("src/queue.ts:2"), ["src/queue.ts#push", "OnlyRoom", "hasRoom"]);
    assert_eq!(names("src/queue.ts:1:5"), ["src/queue.ts#hasRoom", "Other", "hasRoom"]);
    assert_eq!(names("src/queue.ts:9"), ["hasRoom"]);
    assert_eq!(names("src/queue.ts").len(), 5);
    assert!(names("factgate.toml").is_empty());
    assert_eq!(scratch.run(&["covers", "src/nothing.ts"]).exit, 2);
}

#[test]
fn every_code_is_explained() {
    let scratch = Scratch::new(&[]);
    let said = scratch.run(&["explain", "unguarded", "call added"]);
    assert!(said.exit == 0 && said.stdout.contains("kind of STALE"), "{said:?}");
    let said = scratch.run(&["explain", "unguraded"]);
    assert!(said.exit == 2 && said.stderr.contains("`unguarded`"), "{said:?}");
}
