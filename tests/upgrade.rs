//! A record of fingerprint scheme 1, as an older factgate wrote it (`fixtures/upgrade`): judged by the source at its sync
//! commit, and written anew by the first `sync`.

use crate::scratch::Scratch;
use std::path::Path;

const RECORD: &str = "coverage/ferry.json";

/// The fixture's files, without the record.
fn sources() -> Scratch {
    let scratch = Scratch::new(&[]);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/upgrade");
    let copy = |from: &str, to: &str| scratch.write(to, &std::fs::read_to_string(fixture.join(from)).unwrap());
    for path in ["model/Ferry.tla", "patterns/p.toml", "src/berth.ts", "src/crossing.ts", "src/tide.zig"] {
        copy(path, path);
    }
    // Under other names there, so that they are no model and no record of this repository.
    copy("model.toml", "factgate.toml");
    copy("record.json.txt", RECORD);
    scratch
}

fn committed() -> Scratch {
    let scratch = sources();
    scratch.commit("confirmed by an older factgate");
    scratch
}

/// Every difference as `kind item change`, the notes behind the rest.
fn differences(scratch: &Scratch) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let model = &json["models"][0];
    let both = model["stale"].as_array().unwrap().iter().chain(model["notes"].as_array().unwrap());
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    both.map(|one| format!("{} {} {}", word(&one["kind"]), word(&one["item"]), word(&one["change"]))).collect()
}

#[test]
fn an_upgrade_by_itself_turns_nothing_stale_and_the_first_sync_writes_the_new_scheme() {
    let scratch = committed();
    assert!(scratch.read(RECORD).contains("\"scheme\": \"1\""));
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0, "{said:?}");
    scratch.commit("another");
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 0);
    assert_eq!(scratch.run(&["check", "--rev", "HEAD"]).exit, 0);
    assert!(scratch.read(RECORD).contains("\"scheme\": \"1\""), "a check writes nothing");
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(scratch.read(RECORD).contains("\"scheme\": \"2\""));
    assert_eq!(scratch.run(&["check"]).exit, 0);
    scratch.commit("confirmed anew");
    assert_eq!(scratch.run(&["check"]).exit, 0);
}

#[test]
fn what_changed_since_is_told_by_its_class() {
    let scratch = committed();
    scratch.edit("src/crossing.ts", "release(this.ship);", "release(this.ship, true);");
    scratch.edit("src/crossing.ts", "piece", "part");
    scratch.edit("src/tide.zig", "self.level < wanted", "self.level <= wanted");
    scratch.commit("later");
    let found = differences(&scratch);
    assert_eq!(
        found,
        [
            "changed src/crossing.ts#Crossing.depart detail",
            "changed src/tide.zig#Tide.wait structure",
            "changed src/crossing.ts#load locals"
        ]
    );
    assert_eq!(scratch.run(&["sync", "src/tide.zig#Tide.wait"]).exit, 2, "what changed asks for a reason");
    assert_eq!(scratch.run(&["sync", "src/tide.zig#Tide.wait", "--because", "it is one step"]).exit, 0);
    assert!(scratch.read(RECORD).contains("\"scheme\": \"2\""));
    assert_eq!(
        differences(&scratch),
        ["changed src/crossing.ts#Crossing.depart detail", "changed src/crossing.ts#load locals"]
    );
}

#[test]
fn without_the_source_of_then_nothing_is_decided() {
    let check = |scratch: &Scratch, folder: &Path, word: &str| {
        let said = scratch.run_at(folder, &[], &["check"]);
        assert_eq!(said.exit, 2, "{said:?}");
        assert!(said.stderr.contains(word) && said.stderr.contains("scheme `1`"), "{}", said.stderr);
        let said = scratch.run_at(folder, &[], &["sync", "--because", "x"]);
        assert_eq!(said.exit, 2, "{said:?}");
    };
    let unborn = sources();
    check(&unborn, unborn.root(), "no commit holds this record");
    let scratch = committed();
    scratch.edit(RECORD, "\"src/crossing.ts#Crossing.depart\": 1", "\"src/crossing.ts#Crossing.depart\": 2");
    check(&scratch, scratch.root(), "no commit holds this record");
    scratch.git(&["checkout", "-q", RECORD]);
    scratch.commit("newer");
    let clone = tempfile::tempdir().unwrap();
    let from = format!("file://{}", scratch.root().display());
    let into = clone.path().join("shallow");
    let told = scratch.try_git(clone.path(), &["clone", "-q", "--depth", "1", &from, into.to_str().unwrap()]);
    assert_eq!(told.exit, 0, "{told:?}");
    check(&scratch, &into, "git fetch --unshallow");
    assert_eq!(scratch.try_git(&into, &["fetch", "-q", "--unshallow"]).exit, 0);
    assert_eq!(scratch.run_at(&into, &[], &["check"]).exit, 0);
}
