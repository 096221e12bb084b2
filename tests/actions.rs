//! Actions of a specification and the code that they stand for; and what a configuration asks, which is given up with a
//! reason alone.

use crate::scratch::{QUEUE, Scratch};

const MODEL: &str = "[model]\nname  = \"queue\"\ncover = [\"src/queue.ts#push\"]\n\n[[calls]]\nname = \"jobs\"\n\
    match = [\"$_.push($$$)\", \"$_.unshift($$$)\"]\nin = [\"src/*.ts\", \"lib/*.ts\"]\n\n\
    [action.Push]\ncode = [\"src/queue.ts#push/$_.push($$$)\", \"src/queue.ts#hasRoom\"]\n";

fn confirmed() -> Scratch {
    Scratch::confirmed(&[
        ("factgate.toml", MODEL),
        ("src/queue.ts", QUEUE),
        ("lib/a.ts", "export const a = 1;\n"),
        ("copy/src/queue.ts", QUEUE),
        ("copy/lib/a.ts", ""),
    ])
}

#[test]
fn an_action_is_tied_to_places() {
    let scratch = confirmed();
    let said = scratch.run(&["actions"]);
    let lines = "queue\n  Push   src/queue.ts:2   src/queue.ts#push/$_.push($$$)\n         src/queue.ts:1   src/queue.ts#hasRoom\n";
    assert_eq!((said.exit, said.stdout.as_str()), (0, lines), "{said:?}");
    let json = scratch.json(&["actions", "--format", "json"]);
    assert_eq!(json["models"][0]["actions"]["Push"][1]["at"]["line"], 1, "{json}");
    // What changed is said with the actions, and a wait more is said.
    scratch.edit("src/queue.ts", "export function push", "export async function push");
    scratch.edit("src/queue.ts", "if (hasRoom(queue))", "await settle(queue); if (hasRoom(queue))");
    let said = scratch.run(&["check"]);
    assert!(said.stdout.contains("newly waits at `await settle(queue)`   of the action Push"), "{}", said.stdout);
    // A place that is gone follows from the item that it was in.
    scratch.edit("src/queue.ts", "queue.jobs.push(job)", "queue.jobs.add(job)");
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap();
    let gone = stale.iter().find(|one| one["kind"] == "removed").unwrap();
    assert_eq!(gone["because"], "src/queue.ts#push", "{gone}");
    assert_eq!(gone["actions"], serde_json::json!(["Push"]));
    assert_eq!(scratch.run(&["actions"]).exit, 3);
    let refused = scratch.run(&["sync", "--because", "x"]);
    assert!(refused.exit == 2 && refused.stderr.contains("no longer there"), "{refused:?}");
    // A place that nobody ever recorded is an error.
    scratch.edit("factgate.toml", "#hasRoom", "#hasRom");
    assert!(scratch.run(&["check"]).stderr.contains("error[selector]"));
}

#[test]
fn a_place_moves_with_its_file() {
    let scratch = confirmed();
    scratch.git(&["mv", "src/queue.ts", "src/jobs.ts"]);
    assert_eq!(scratch.run(&["mv", "src/queue.ts", "src/jobs.ts"]).exit, 0);
    assert!(scratch.read("factgate.toml").contains("\"src/jobs.ts#push/$_.push($$$)\""));
    assert_eq!(scratch.run(&["check"]).exit, 0);
    assert_eq!(scratch.run(&["sync"]).stdout, "queue   in sync already   coverage/queue.json\n");
}

#[test]
fn nothing_is_given_up_in_silence() {
    let cover = "cover = [\"src/queue.ts#push\"]\n";
    let rows = [
        (", \"lib/*.ts\"", "", "gate          calls jobs in   no longer lib/*.ts"),
        (cover, &format!("{cover}root = \"copy\"\n"), "gate          root   no longer .; newly copy"),
        (", \"$_.unshift($$$)\"", "", "gate          calls jobs match   no longer $_.unshift($$$)"),
        (", \"src/queue.ts#hasRoom\"", "", "gate          action Push   no longer src/queue.ts#hasRoom"),
        (
            cover,
            &format!("{cover}drift = [\"structure\"]\n"),
            "gate          drift   no longer detail, literals, names",
        ),
    ];
    for (from, to, line) in rows {
        let scratch = confirmed();
        scratch.edit("factgate.toml", from, to);
        let said = scratch.run(&["check"]);
        assert!(said.exit == 3 && said.stdout.contains(line), "{said:?}");
        let refused = scratch.run(&["sync"]);
        assert!(refused.exit == 2 && refused.stderr.contains("the gate becomes weaker"), "{refused:?}");
        assert_eq!(scratch.run(&["sync", "--because", "nobody needs it"]).exit, 0);
        assert!(scratch.read("coverage/queue.json").contains("nobody needs it"));
        assert_eq!(scratch.run(&["check"]).exit, 0);
        // To ask more again takes nothing; another root is another program either way.
        if line.contains("root") {
            continue;
        }
        scratch.write("factgate.toml", MODEL);
        assert_eq!(scratch.run(&["check"]).exit, 0);
        assert_eq!(scratch.run(&["sync"]).exit, 0);
    }
}

#[test]
fn a_record_that_is_deleted_or_edited_has_confirmed_all_the_same() {
    let scratch = confirmed();
    std::fs::remove_file(scratch.path("coverage/queue.json")).unwrap();
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert_eq!(scratch.git(&["status", "--porcelain"]), "", "it is as it was");
    // Without its record an item cannot be dropped, and no change confirmed, in silence.
    std::fs::remove_file(scratch.path("coverage/queue.json")).unwrap();
    scratch.edit("src/queue.ts", "queue.jobs.push(job)", "queue.jobs.unshift(job), queue.jobs.push(job)");
    assert!(scratch.run(&["sync"]).stderr.contains("src/queue.ts#push changed"));
    let scratch = confirmed();
    scratch.edit("factgate.toml", "src/queue.ts#push\"]", "src/queue.ts#hasRoom\"]");
    let record = scratch.read("coverage/queue.json").replace("src/queue.ts#push\":", "src/queue.ts#other\":");
    scratch.write("coverage/queue.json", &record);
    let refused = scratch.run(&["sync"]);
    assert!(refused.stderr.contains("item src/queue.ts#push is no longer there"), "{refused:?}");
}
