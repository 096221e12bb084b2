//! What is wrong, said where it is wrong: in the words of whoever wrote it, with a code that fits.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use serde_json::Value;

fn with_calls(entry: &str) -> Scratch {
    let config = format!("{CONFIG}\n[[calls]]\n{entry}\n");
    Scratch::new(&[("factgate.toml", &config), ("src/queue.ts", QUEUE)])
}

#[test]
fn a_misspelt_watched_function_is_underlined_in_the_configuration() {
    let scratch = with_calls("of = \"src/queue.ts#psuh\"\nin = [\"src/*.ts\"]");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("factgate.toml:6:6"), "{}", said.stderr);
    assert!(said.stderr.contains("of = \"src/queue.ts#psuh\""), "{}", said.stderr);
    assert!(said.stderr.contains("`push`"), "{}", said.stderr);
}

#[test]
fn a_glob_without_a_file_is_worth_a_word_and_only_such_globs_are_an_error() {
    let scratch = with_calls("of = \"src/queue.ts#push\"\nin = [\"src/*.ts\", \"scr/**/*.ts\"]");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 0, "{json}");
    assert_eq!(json["warnings"][0]["message"], "`scr/**/*.ts` names no file", "{json}");
    assert_eq!(json["warnings"][0]["at"]["line"], 7, "{json}");
    let scratch = with_calls("of = \"src/queue.ts#push\"\nin = [\"scr/**/*.ts\"]");
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 2, "{json}");
    let errors = json["errors"].as_array().unwrap();
    let wrong = errors.iter().find(|error| error["code"] == "config").unwrap();
    assert_eq!(wrong["at"]["line"], 7, "{json}");
}

/// A wrong pattern of a shape and of a guard: no placeholder of ours is in what is said.
#[test]
fn wrong_patterns_are_shown_as_they_were_written() {
    for pattern in ["g($$$", "$A.b($C", "f($X, {$$$", "if ($A) {", "$A +", "x = [$A"] {
        let scratch = with_calls(&format!("name = \"g\"\nmatch = '{pattern}'\nin = [\"src/*.ts\"]"));
        let guard = format!("[guard.G]\nin = \"src/queue.ts#push\"\nhas = '{pattern}'\n");
        scratch.write("patterns/queue.toml", &guard);
        let said = scratch.run(&["check"]);
        assert_eq!(said.exit, 2);
        assert!(said.stderr.contains(pattern) && !said.stderr.contains("qz"), "{pattern}: {}", said.stderr);
    }
}

/// An assertion that no call can match, or that says nothing of its argument, shows the form.
#[test]
fn an_assertion_that_is_no_call_shows_the_form() {
    for (key, listed, shown) in [
        ("calls", "invariant", "invariant($C, $$$)"),
        ("calls", "assert.ok", "assert.ok($C, $$$)"),
        ("calls", "invariant($$$)", "$C"),
        ("never_returns", "fail", "fail($$$)"),
    ] {
        let config = format!("{CONFIG}\n[assertions]\n{key} = [\"{listed}\"]\n");
        let guard = "[guard.G]\nin = \"src/queue.ts#push\"\nhas = \"hasRoom($Q)\"\n";
        let files = [("factgate.toml", &*config), ("patterns/queue.toml", guard), ("src/queue.ts", QUEUE)];
        let said = Scratch::new(&files).run(&["facts"]);
        assert_eq!(said.exit, 2, "{listed}: {}", said.stderr);
        assert!(said.stderr.contains(shown) && said.stderr.contains("factgate.toml:6:"), "{listed}: {}", said.stderr);
    }
}

#[test]
fn conflict_markers_in_the_record_have_their_own_code() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    let record = scratch.read("coverage/queue.json");
    scratch.write("coverage/queue.json", &record.replacen('\n', "\n<<<<<<< HEAD\n", 1));
    let error = &scratch.json(&["check", "--format", "json"])["errors"][0];
    assert_eq!((&error["code"], &error["at"]["line"]), (&"merge-conflict".into(), &2.into()), "{error}");
}

#[test]
fn without_a_record_no_item_passes() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    let said = scratch.run(&["check", "--format", "junit"]);
    assert_eq!(said.exit, 2);
    assert!(!said.stdout.contains("src/queue.ts#push") && said.stdout.contains("errors=\"1\""), "{}", said.stdout);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert!(scratch.run(&["check", "--format", "junit"]).stdout.contains("src/queue.ts#push\"/>"));
}

#[test]
fn a_folder_named_like_a_file_is_called_a_folder() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts/inner.ts", QUEUE)]);
    for arguments in [["check"].as_slice(), &["items", "src/queue.ts"]] {
        let said = scratch.run(arguments);
        assert_eq!(said.exit, 2);
        assert!(said.stderr.contains("src/queue.ts is a folder"), "{}", said.stderr);
    }
}

#[test]
fn a_difference_whose_other_side_is_unknown_is_shown_and_undecided() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.commit("four");
    assert_eq!(scratch.run(&["diff"]).exit, 0);
    let beside = tempfile::tempdir().unwrap();
    let folder = beside.path().join("clone");
    let url = format!("file://{}", scratch.root().display());
    scratch.git(&["clone", "-q", "--depth", "1", &url, folder.to_str().unwrap()]);
    let said = scratch.run_at(&folder, &[], &["diff"]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert!(said.stdout.contains("queue.size < 4") && said.stdout.contains("not known"), "{said:?}");
    assert!(said.stderr.contains("shallow"), "{said:?}");
    let said = scratch.run_at(&folder, &[], &["diff", "--format", "json"]);
    let json: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&json["exit"], &json["errors"][0]["code"]), (&2.into(), &"git".into()), "{json}");
}
