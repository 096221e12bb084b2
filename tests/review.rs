//! `factgate sync --review` on a terminal: `script` gives it one.

use crate::scratch::Scratch;
use std::io::{Read, Write};
use std::process::Stdio;

const CONFIG: &str = "[model]\nname = \"q\"\ncover = [\"src/q.ts#a\", \"src/q.ts#b\", \"src/q.ts#c\"]\n";
const GUARD: &str = "[guard.Open]\nin = \"src/q.ts#a\"\neffect = \"rm($X)\"\nonly_if = \"$X.ok\"\n";
const CODE: &str = "export function a(x: X) { if (x.ok) rm(x); }\nexport function b() { return 1; }\nexport function c() { return 1; }\n";

fn scratch() -> Scratch {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("patterns/p.toml", GUARD), ("src/q.ts", CODE)]);
    scratch.write("src/q.ts", &CODE.replace("if (x.ok) ", "").replace("return 1", "return 2"));
    scratch
}

/// What the terminal shows, and the exit code, when these keys are pressed, each when a question was asked.
fn review(scratch: &Scratch, arguments: &str, keys: &str) -> (i32, String) {
    let command = format!("{} sync --review {arguments}", env!("CARGO_BIN_EXE_factgate"));
    let mut script = scratch.command("script", scratch.root());
    let script = script.args(["-qec", &command, "/dev/null"]).env("NO_COLOR", "1");
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a terminal");
    let (mut input, mut output) = (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
    let mut said = String::new();
    let mut keys = keys.split(' ');
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = output.read(&mut bytes) {
        said.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if ["[?] ", "right? "].iter().any(|question| said.ends_with(question)) {
            let Some(key) = keys.next() else { break };
            // It may be shown before the terminal listens for a key.
            std::thread::sleep(std::time::Duration::from_millis(100));
            let _ = input.write_all(key.replace("<enter>", "\r").as_bytes());
        }
    }
    drop(input);
    (child.wait().expect("an end").code().unwrap_or(-1), said.replace('\r', ""))
}

fn stale(scratch: &Scratch) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let all = json["models"][0]["stale"].as_array().cloned().unwrap_or_default();
    all.iter().map(|one| one["item"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn each_is_counted_shown_and_answered_with_a_key() {
    let scratch = scratch();
    assert_eq!(stale(&scratch), ["src/q.ts#a", "src/q.ts#b", "src/q.ts#c", "Open"]);
    let (exit, said) = review(&scratch, "", "x? a checked<enter> s a same<enter>");
    assert_eq!(exit, 0, "{said}");
    for part in [
        "[1/3] changed src/q.ts#a",
        "- 1  export function a(x: X) { if (x.ok) rm(x); }",
        "with it: fact Open TRUE -> FALSE",
        "a  accept: the model describes it as it is now",
        "why is the model still right?",
        "[2/3] changed src/q.ts#b",
        "accepted 2, left STALE 1",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(stale(&scratch), ["src/q.ts#b"]);
    assert!(scratch.read("coverage/q.json").contains("checked"));
}

#[test]
fn leaving_keeps_what_was_accepted() {
    let scratch = scratch();
    let (exit, said) = review(&scratch, "", "a checked<enter> q");
    assert!(exit == 0 && said.contains("accepted 1, left STALE 2"), "{exit} {said}");
    assert_eq!(stale(&scratch), ["src/q.ts#b", "src/q.ts#c"]);
    let (_, said) = review(&scratch, "src/q.ts#c", "a why<enter>");
    assert!(said.contains("[1/1] changed src/q.ts#c"), "{said}");
    assert_eq!(stale(&scratch), ["src/q.ts#b"]);
    let (exit, said) = review(&scratch, "src/q.ts#gone", "a");
    assert!(exit == 2 && said.contains("`src/q.ts#gone` is no covered item"), "{said}");
}

#[test]
fn there_must_be_a_terminal() {
    let scratch = scratch();
    let said = scratch.run(&["sync", "--review"]);
    assert!(said.exit == 2 && said.stderr.contains("there is no terminal"), "{}", said.stderr);
}
