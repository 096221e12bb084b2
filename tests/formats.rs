//! The formats of a verdict, and that JSON is alone on stdout whatever happens.

use crate::scratch::{CONFIG, QUEUE, Scratch, shown};

fn drifted() -> Scratch {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    scratch.edit("src/queue.ts", "< 3", "< 4");
    scratch.write("src/other.ts", "");
    scratch.commit("widen: 100%, really");
    scratch
}

#[test]
fn each_format_has_its_shape() {
    let scratch = drifted();
    for format in ["json", "github", "sarif", "junit"] {
        let said = scratch.run(&["check", "--format", format]);
        insta::assert_snapshot!(format!("formats_{format}"), shown(&said));
    }
}

#[test]
fn errors_are_json_too() {
    for arguments in [
        &["check", "--format", "json", "--staged", "--rev", "HEAD"][..],
        &["check", "--format=json", "--nonsense"],
        &["check", "--rev", "nothing", "--format", "json"],
        &["facts", "nothing", "--format", "json"],
        &["diff", "nothing", "--format", "json"],
        &["items", "nothing.ts", "--format", "json"],
    ] {
        let scratch = drifted();
        let json = scratch.json(arguments);
        assert_eq!(json["version"], 1, "{arguments:?}");
        assert_eq!(json["exit"], 2, "{arguments:?}: {json}");
        assert!(!json["errors"].as_array().unwrap().is_empty(), "{arguments:?}");
        assert_eq!(scratch.run(arguments).exit, 2, "{arguments:?}");
    }
}

#[test]
fn outside_of_a_repository_it_is_an_error() {
    let scratch = drifted();
    let folder = tempfile::tempdir().unwrap();
    let said = scratch.run_in(folder.path().to_str().unwrap(), &["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("error[git]"), "{}", said.stderr);
}

#[test]
fn every_command_has_help_and_the_documents_come_out() {
    let scratch = drifted();
    for command in ["check", "facts", "diff", "sync", "mv", "items", "hook", "schema", "completions", "man"] {
        assert_eq!(scratch.run(&[command, "--help"]).exit, 0, "{command}");
    }
    assert!(scratch.run(&["completions", "bash"]).stdout.contains("factgate"));
    assert!(scratch.run(&["man"]).stdout.contains(".TH"));
    assert_eq!(scratch.run(&["completions", "cobol"]).exit, 2);
}
