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
    for format in ["json", "github", "sarif", "junit", "markdown"] {
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
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(scratch.run(&["completions", shell]).stdout.contains("FACTGATE_COMPLETE"), "{shell}");
    }
    assert!(scratch.run(&["man"]).stdout.matches(".TH").count() > 10);
    let page = scratch.run(&["man", "sync"]).stdout;
    assert!(page.matches(".TH").count() == 1 && page.contains("review"), "{page}");
    let wrong = scratch.run(&["man", "snyc"]);
    assert!(wrong.exit == 2 && wrong.stderr.contains("did you mean `sync`?"), "{}", wrong.stderr);
    assert_eq!(scratch.run(&["completions", "cobol"]).exit, 2);
}

#[test]
fn what_is_named_never_gets_out_of_a_page() {
    let scratch = drifted();
    scratch.edit("src/queue.ts", "< 4", "< 5");
    scratch.commit("`x` | <script>alert(1)</script> \u{202e}[a](b)");
    let page = scratch.run(&["check", "--format", "markdown", "--summary", "summary.md"]).stdout;
    assert!(page.contains("`` `x` | <script>alert(1)</script> \\u{202e}[a](b) ``"), "{page}");
    assert_eq!(scratch.read("summary.md"), format!("{page}\n"));
    assert!(scratch.run(&["check", "--summary", "no/folder/summary.md"]).stderr.contains("cannot be written"));
    // However much there is to say.
    for number in 0..200 {
        scratch.write(&format!("m{number}/factgate.toml"), &CONFIG.replace("queue\"", &format!("queue-{number}\"")));
    }
    let page = scratch.run(&["check", "--format", "markdown"]).stdout;
    assert!(page.len() < 4096 && page.contains("more than fits"), "{}", page.len());
}

/// As a shell asks: the words so far, and which of them is typed.
#[test]
fn a_shell_is_offered_what_the_models_hold() {
    let scratch = drifted();
    let offered = |words: &[&str], typed: &str| {
        let index = words.len().to_string();
        let variables = [("FACTGATE_COMPLETE", "bash"), ("_CLAP_COMPLETE_INDEX", index.as_str()), ("_CLAP_IFS", "\n")];
        let arguments = [&["--", "factgate"], &words[1..], &[typed]].concat();
        let said = scratch.run_at(scratch.root(), &variables, &arguments);
        said.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered(&["factgate", "check"], "qu"), ["queue"]);
    assert_eq!(offered(&["factgate", "sync"], "src/queue.ts#p"), ["src/queue.ts#push"]);
    assert_eq!(offered(&["factgate", "facts", "--steps"], "src/queue.ts#h"), ["src/queue.ts#hasRoom"]);
    assert!(offered(&["factgate"], "ver").contains(&"verify".to_owned()));
}

#[test]
fn less_and_more_is_said_on_demand() {
    let scratch = drifted();
    let brief = scratch.run(&["check", "--quiet"]);
    assert!(brief.exit == 3 && brief.stdout.lines().count() == 1, "{}", brief.stdout);
    let full = scratch.run(&["check", "-v"]).stdout;
    assert!(full.contains("in sync       src/queue.ts#push   src/queue.ts:"), "{full}");
    scratch.edit("src/queue.ts", "< 4", "< 3");
    assert_eq!(scratch.run(&["check", "-q"]).stdout, "");
    assert_eq!(scratch.run(&["check", "-q", "-v"]).exit, 2);
}
