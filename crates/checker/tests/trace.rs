//! Recorded runs against a specification, with a real TLC.

mod support;

use factgate_checker::{Accepted, Checked, Engine, Facts, RunSpec, SpecPath, TraceVerdict, check_trace, plan};
use support::{Fixtures, engine};

fn check_with(engine: &Engine, lines: &[&str], silent: &[String]) -> Result<TraceVerdict, String> {
    let mut run = RunSpec::new("courier", SpecPath::new("Courier.tla"));
    run.cfg = Some(SpecPath::new("Courier.cfg"));
    let planned = plan(&[run], &Facts::new(), &Fixtures).remove(0);
    let found = check_trace(engine, &planned, &lines.join("\n"), silent, Checked::Invariants);
    found.map_err(|error| error.to_string())
}

/// How many steps an accepted run has.
fn steps(verdict: Result<TraceVerdict, String>) -> Result<usize, String> {
    match verdict? {
        TraceVerdict::Accepted(Accepted { steps, .. }) => Ok(steps),
        other => Err(other.to_string()),
    }
}

const START: &str =
    r#"{"state": {"van": [], "place": {"fun": [["p1", "shelf"], ["p2", "shelf"], ["p3", "shelf"]]}, "note": "None"}}"#;

#[test]
fn accepts_what_the_specification_allows() {
    let Some(engine) = engine() else { return };
    let check = |lines: &[&str], wanted| assert_eq!(steps(check_with(&engine, lines, &[])), Ok(wanted));
    check(&[START], 0);
    check(
        &[
            START,
            r#"{"action": "Load", "state": {"van": ["p2"], "note": "p2"}}"#,
            r#"{"action": "Deliver", "state": {"van": [], "place": {"fun": [["p1", "shelf"], ["p2", "door"], ["p3", "shelf"]]}}}"#,
            // Neither the action nor a variable: any step will do.
            "{}",
            r#"{"state": {"clean": true}}"#,
        ],
        4,
    );
}

#[test]
fn rejects_at_the_step_and_says_what_was_allowed() {
    let Some(engine) = engine() else { return };
    let rejected = |lines: &[&str], silent: &[String]| match check_with(&engine, lines, silent) {
        Ok(TraceVerdict::Rejected(rejection)) => rejection,
        other => panic!("{other:?}"),
    };
    // The van is full after the second parcel and is not clean: only a delivery or a wash may follow.
    let lines = [
        START,
        r#"{"action": "Load", "state": {"van": ["p1"]}}"#,
        r#"{"action": "Load", "state": {"van": ["p1", "p2"]}}"#,
        r#"{"action": "Load", "state": {"van": ["p1", "p2", "p3"]}}"#,
    ];
    let rejection = rejected(&lines, &[]);
    assert_eq!(rejection.step, 3);
    assert!(rejection.before.contains(&("van".to_owned(), "<<p1, p2>>".to_owned())), "{:?}", rejection.before);
    let allowed: Vec<&str> = rejection.allowed.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(allowed, ["Deliver", "Wash"]);
    assert_eq!(rejection.allowed[1].changes, [("clean".to_owned(), "TRUE".to_owned())]);

    // The recorded effect without the recorded action.
    let wrong = [START, r#"{"action": "Deliver", "state": {"van": ["p1"]}}"#];
    assert_eq!(rejected(&wrong, &[]).step, 1);
    assert_eq!(rejected(&[r#"{"state": {"van": ["p1"]}}"#], &[]).step, 0);

    // A wash that nobody recorded.
    // Arguments that are named are taken; what was allowed is said with its arguments.
    let two = [START, r#"{"action": "Load(p2)", "state": {"van": ["p2"]}}"#, r#"{"action": "Load(p3)"}"#];
    assert_eq!(steps(check_with(&engine, &two, &[])), Ok(2));
    for other in ["Load(p1)", "Load(\"p2\")", "Load({p2})"] {
        let line = format!("{{\"action\": {}, \"state\": {{\"van\": [\"p2\"]}}}}", serde_json::json!(other));
        let said = check_with(&engine, &[START, &line], &[]);
        match said {
            Ok(TraceVerdict::Rejected(rejection)) => {
                let allowed: Vec<&str> = rejection.allowed.iter().map(|step| step.action.as_str()).collect();
                assert_eq!((rejection.step, allowed.as_slice()), (1, ["Load(p1)", "Load(p2)", "Load(p3)"].as_slice()));
            }
            // A value of another kind is refused by the engine itself.
            Err(error) => assert!(other.contains('{') && error.contains("step 1"), "{other}: {error}"),
            accepted => panic!("{other}: {accepted:?}"),
        }
    }

    let washed = [
        START,
        r#"{"action": "Load"}"#,
        r#"{"action": "Load", "state": {"van": ["p1", "p2"]}}"#,
        r#"{"action": "Deliver"}"#,
        r#"{"action": "Load"}"#,
    ];
    assert_eq!(rejected(&washed, &[]).step, 4);
    assert_eq!(steps(check_with(&engine, &washed, &["Wash".to_owned()])), Ok(4));
}

#[test]
fn what_is_no_trace_is_an_error() {
    let Some(engine) = engine() else { return };
    for (lines, word) in [
        (&[][..], "empty"),
        (&["{"][..], "line 1"),
        (&[START, r#"{"state": {"vn": []}}"#][..], "`vn`"),
        (&[START, r#"{"acton": "Load"}"#][..], "`acton`"),
        (&[START, r#"{"action": "Lode"}"#][..], "`Lode`"),
        (&[r#"{"action": "Load"}"#][..], "initial state"),
        (&[START, r#"{"action": "Load(p1, p2)"}"#][..], "takes 1 argument"),
        (&[START, r#"{"action": "Deliver(p1)"}"#][..], "takes no argument"),
        (&[START, r#"{"action": "Load(p1"}"#][..], "not closed"),
        (&[START, r#"{"action": "Wash", "action": "Load"}"#][..], "line 2"),
        (&[START, r#"{"action": "Load", "state": {"van": {"set": ["p1"]}}}"#][..], "step 1"),
    ] {
        let error = check_with(&engine, lines, &[]).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}

/// The relay's traces, after its first line.
#[track_caller]
fn check_relay(engine: &Engine, lines: &[&str], expected: Result<usize, usize>) {
    let planned = plan(&[RunSpec::new("relay", SpecPath::new("Relay.tla"))], &Facts::new(), &Fixtures).remove(0);
    let text = [&[r#"{"action": "Init", "state": {"left": 0}}"#], lines].concat().join("\n");
    let found = match check_trace(engine, &planned, &text, &[], Checked::Behaviour) {
        Ok(TraceVerdict::Accepted(accepted)) => Ok(accepted.steps),
        Ok(TraceVerdict::Rejected(rejection)) => Err(rejection.step),
        other => panic!("{lines:?}: {other:?}"),
    };
    assert_eq!(found, expected, "{lines:?}");
}

#[test]
fn actions_of_instances_and_arguments_that_are_handed_on() {
    let Some(engine) = engine() else { return };
    let check = |lines: &[&str], expected| check_relay(&engine, lines, expected);
    check(
        &[
            r#"{"action": "Ahead", "state": {"left": 2}}"#,
            r#"{"action": "R!Forward", "state": {"right": 3}}"#,
            r#"{"action": "Back", "state": {"right": 2}}"#,
            r#"{"action": "LightOne", "state": {"lamp": {"set": ["red"]}}}"#,
            r#"{"action": "Light", "state": {"lamp": {"set": ["amber", "green"]}}}"#,
        ],
        Ok(5),
    );
    check(&[r#"{"state": {"lamp": {"set": ["blue"]}}}"#], Err(1));
    check(&[r#"{"action": "Forward", "state": {"right": 1}}"#], Err(1));
    check(&[r#"{"action": "L!Forward", "state": {"left": 1}}"#, r#"{"action": "Back"}"#], Err(2));
    check(&[r#"{"action": "Light", "state": {"lamp": {"set": ["green"]}}}"#], Err(1));
    // With their arguments: through an instance, a nested application, and a set.
    check(&[r#"{"action": "R!Forward(3)", "state": {"right": 3}}"#], Ok(1));
    check(&[r#"{"action": "R!Forward(2)", "state": {"right": 3}}"#], Err(1));
    check(&[r#"{"action": "LightOne(red)", "state": {"lamp": {"set": ["red", "green"]}}}"#], Ok(1));
    check(&[r#"{"action": "LightOne(amber)", "state": {"lamp": {"set": ["red", "green"]}}}"#], Err(1));
    check(&[r#"{"action": "Light({green, \"red\"})", "state": {"lamp": {"set": ["red", "green"]}}}"#], Ok(1));
    check(&[r#"{"action": "Light({red})", "state": {"lamp": {"set": ["red", "green"]}}}"#], Err(1));
}
