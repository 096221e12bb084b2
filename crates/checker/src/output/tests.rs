//! The reading of engine output, in both dialects.

use super::*;
use crate::outcome::Outcome;
use crate::process::Ended;
use crate::verdict::{Finding, finding};

/// The markers around a message, as `-tool` prints them.
fn message(code: u32, severity: u32, text: &str) -> String {
    format!("{START}{code}:{severity}{TAIL}\n{text}\n{END}{code}{TAIL}\n")
}

fn read(text: &str) -> Output {
    let mut output = Output::default();
    for line in text.split_inclusive('\n') {
        output.line(line);
    }
    output
}

#[track_caller]
fn check(status: i32, properties: &[&str], messages: &[(u32, u32, &str)], wanted: &str) {
    let text: String = messages.iter().map(|(code, severity, text)| message(*code, *severity, text)).collect();
    let properties: Vec<String> = properties.iter().map(|name| (*name).to_owned()).collect();
    let found = match finding(Ended::Exit(Some(status)), &read(&text), &["Inv".to_owned()], &properties) {
        Finding::Known(outcome) => outcome.to_string(),
        Finding::Unnamed => "unnamed".to_owned(),
    };
    assert_eq!(found, wanted);
}

const PASS: (u32, u32, &str) = (2193, 0, "Model checking completed. No error has been found.");
const INVARIANT: (u32, u32, &str) = (2110, 1, "Invariant Inv is violated.");
const TEMPORAL: (u32, u32, &str) = (2116, 1, "Temporal properties were violated.\n");

#[test]
fn codes_and_status_must_agree() {
    check(0, &[], &[PASS], "pass");
    check(0, &[], &[], "error");
    check(12, &[], &[PASS], "error");
    check(0, &[], &[PASS, INVARIANT], "error");
    check(0, &[], &[PASS, (1000, 1, "something went wrong")], "error");
    check(12, &[], &[INVARIANT], "violated Inv");
    check(11, &[], &[INVARIANT], "error");
    check(12, &[], &[(2107, 1, "Invariant Inv is violated by the initial state:\nx = 0")], "violated Inv");
    check(12, &[], &[], "error");
    check(11, &[], &[(2114, 1, "Deadlock reached.")], "deadlock");
    check(12, &[], &[INVARIANT, (2114, 1, "Deadlock reached.")], "error");
    check(10, &[], &[(2104, 1, "Assumption line 3, col 8 to line 3, col 12 of module A is false.")], "assumption");
    check(75, &[], &[(2132, 1, "The first argument of Assert evaluated to FALSE")], "error");
    check(150, &[], &[(3002, 1, "Parsing or semantic analysis failed.")], "error");
    check(137, &[], &[], "error");
}

#[test]
fn warnings_about_the_model_are_kept() {
    let pluscal = "The PlusCal algorithm in module A has changed since its last translation.";
    let text = format!(
        "{}*** Warnings: 1\n\nWarning: the definition of 'N' conflicts with\nits definition in B.\n\nof no interest\n{}{}",
        message(2401, 3, "use another garbage collector"),
        message(2500, 3, pluscal),
        message(2193, 0, "Model checking completed.")
    );
    let output = read(&text);
    let verdict = crate::verdict::verdict(Outcome::Pass, Ended::Exit(Some(0)), &output, "/tmp/x/");
    let expected = [
        format!("the PlusCal algorithm changed since its translation: translate it again ({pluscal})"),
        "the engine warns: the definition of 'N' conflicts with its definition in B.".to_owned(),
    ];
    assert_eq!(verdict.cautions, expected);
}

#[test]
fn properties_have_names_in_both_dialects() {
    check(13, &["Live"], &[TEMPORAL], "violated Live");
    check(13, &["Live", "Other"], &[TEMPORAL], "unnamed");
    check(13, &["Live", "Other"], &[(2116, 1, "Temporal property Other was violated.")], "violated Other");
    check(13, &["Live", "Act"], &[(2112, 1, "Action property Act is violated.")], "violated Act");
    // An inner definition's name is not the property's.
    check(13, &["Live", "Both"], &[(2112, 1, "Action property Inner is violated.")], "unnamed");
    check(13, &["Both"], &[(2112, 1, "Action property Inner is violated.")], "violated Both");
    check(13, &["Init"], &[(2108, 1, "Property Init is violated by the initial state:\nx = 0")], "violated Init");
    check(13, &[], &[TEMPORAL], "error");
    // The `[]I` inside a property is checked as an invariant.
    let inner = (2110, 1, "Invariant line 4, col 7 to line 4, col 15 of module A is violated.");
    check(12, &["Both"], &[inner], "violated Both");
    check(12, &["Live", "Both"], &[inner], "unnamed");
    check(12, &[], &[inner], "error");
    // What mentions no variable is decided before any state is.
    check(151, &[], &[(2230, 1, "The invariant of Inv is equal to FALSE")], "violated Inv");
    check(151, &["Live", "Both"], &[(2230, 1, "The property of Both is equal to FALSE")], "violated Both");
    check(151, &[], &[(2230, 1, "Something else")], "error");
    check(12, &[], &[(2230, 1, "The invariant of Inv is equal to FALSE")], "error");
}

#[test]
fn traces_are_read_in_both_dialects() {
    let state = "2: <Open(\"a b\", 1) line 5, col 8 to line 5, col 38 of module A>\n/\\ x = 1\n/\\ log = << [a |-> 1],\n   [a |-> 2] >>\n";
    let text = message(2217, 4, "1: <Initial predicate>\n/\\ x = 0\n/\\ log = <<>>\n")
        + &message(2217, 4, state)
        + &message(2217, 4, "3: <Next line 9, col 1 to line 9, col 4 of module A>\n/\\ x = 2\n/\\ log = <<>>\n")
        + &message(2122, 4, "2: Back to state: <Down line 6, col 9 to line 6, col 23 of module A>");
    let found = read(&text).counterexample().unwrap();
    assert_eq!(found.actions(), ["Open", "Next", "Down"]);
    assert_eq!(found.ending, Ending::Loop { back_to: 1, action: Some("Down".to_owned()) });
    assert_eq!(found.steps[1].changes["log"], "<< [a |-> 1], [a |-> 2] >>");
    let one =
        message(2217, 4, "1: <Initial predicate>\nx = [a |-> 1,\n  b |-> 2]\n") + &message(2218, 4, "2: Stuttering");
    let found = read(&one).counterexample().unwrap();
    assert_eq!((found.ending, found.steps[0].changes["x"].as_str()), (Ending::Stuttering, "[a |-> 1, b |-> 2]"));
}

#[test]
fn counts_and_coverage_are_read() {
    let text =
        message(2190, 0, "Finished computing initial states: 0 distinct states generated at 2020-01-02 03:04:05.")
            + &message(2199, 0, "1,205 states generated, 1,004 distinct states found, 0 states left on queue.")
            + &message(2194, 0, "The depth of the complete state graph search is 12.")
            + &message(2772, 0, "<Try line 5, col 1 to line 5, col 3 of module A>: 3:7")
            + &message(2772, 0, "<Never(1) line 7, col 1 to line 7, col 5 of module A (7 8 9 9)>: 0:0");
    let output = read(&text);
    assert_eq!((output.initial, output.distinct, output.depth), (Some(0), Some(1004), Some(12)));
    assert_eq!(output.actions_taken(), BTreeMap::from([("Never".to_owned(), 0), ("Try".to_owned(), 7)]));
    let mut output = Output::default();
    let progress =
        message(2200, 0, "Progress(4) at 2020-01-02 03:04:05: 9 states generated, 5 distinct states found, 0 left.");
    assert_eq!(progress.lines().filter_map(|line| output.line(line)).collect::<Vec<_>>(), [5]);
}

#[test]
fn an_exception_keeps_the_message_inside_it() {
    let text = format!(
        "{START}1000:1{TAIL}\nTLC threw an unexpected exception.\n: {START}5006:0{TAIL}\nexpecting a keyword\n{END}5006{TAIL}\nrest\n{END}1000{TAIL}\n"
    );
    let output = read(&text);
    assert!(output.words().contains("expecting a keyword") && output.words().contains("rest"), "{}", output.words());
    // Whatever is printed, the reader goes on.
    for text in [
        "",
        START,
        END,
        "@!@!@STARTMSG x:y @!@!@",
        "@!@!@ENDMSG 1 @!@!@",
        "a @!@!@STARTMSG 1:1 @!@!@ b @!@!@ENDMSG 1 @!@!@ c",
    ] {
        read(text);
    }
    assert_eq!(finding(Ended::Timeout, &read(""), &[], &[]), Finding::Known(Outcome::Timeout));
}
