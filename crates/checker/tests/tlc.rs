//! Runs against a real TLC. Without a jar and Java they say so and pass: continuous integration has both.

mod support;

use factgate_checker::{
    Behaviour, Constant, Edit, Engine, Expectation, Facts, Judgement, Known, Matrix, Mutant, Outcome, Planned, Report,
    RunName, RunSpec, SpecPath, StateCount, plan,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use support::{Fixtures, engine};

fn verify(engine: &Engine, planned: &[Planned], cache: Option<PathBuf>) -> Vec<Report> {
    let matrix = Matrix { engine, cache, known: Known::Used, jobs: 2, model: "pump", verdicts: None, progress: &() };
    matrix.verify(planned, &BTreeMap::new())
}

/// A run of the pump with a fault.
fn pump(name: &str, fault: &str, change: impl FnOnce(&mut RunSpec)) -> RunSpec {
    let mut run = RunSpec::new(name, SpecPath::new("Pump.tla"));
    run.set.insert("Fault".to_owned(), Constant::Text(fault.to_owned()));
    change(&mut run);
    run
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn violated(name: &str) -> Outcome {
    Outcome::Violated(name.to_owned())
}

/// A run, the outcome that it must come to, and a word of its detail.
type Wanted = (RunSpec, Outcome, &'static str);

fn invariants(names: &'static [&str]) -> impl Fn(&mut RunSpec) {
    move |run| run.invariants = strings(names)
}

fn properties(names: &'static [&str]) -> impl Fn(&mut RunSpec) {
    move |run| run.properties = strings(names)
}

fn fair(names: &'static [&str]) -> impl Fn(&mut RunSpec) {
    move |run| {
        run.properties = strings(names);
        run.behaviour = Behaviour::Specification("FairSpec".to_owned());
    }
}

fn expecting(names: &'static [&str], violates: &'static str) -> impl Fn(&mut RunSpec) {
    move |run| {
        run.properties = strings(names);
        run.expect = Expectation::Exactly(violated(violates));
    }
}

fn edit(file: &str, find: &str, replace: &str) -> Edit {
    Edit { file: SpecPath::new(file), find: find.to_owned(), replace: replace.to_owned() }
}

/// A run of the pump with other text in the place of one of its definitions.
fn rewritten(name: &str, text: &str) -> RunSpec {
    pump(name, "none", |run| {
        run.edits = vec![edit("Pump.tla", "NotEmpty == level > 0", text)];
        run.invariants = strings(&["Bounded"]);
    })
}

fn verdicts() -> Vec<Wanted> {
    vec![
        (pump("pass", "none", invariants(&["TypeOK", "Bounded"])), Outcome::Pass, ""),
        (pump("pass-fair", "none", fair(&["ReachesFull"])), Outcome::Pass, ""),
        (pump("invariant", "overfill", invariants(&["TypeOK", "Bounded"])), violated("Bounded"), ""),
        (pump("invariant-at-start", "none", invariants(&["NotEmpty"])), violated("NotEmpty"), ""),
        (pump("property-at-start", "none", properties(&["StartsFull"])), violated("StartsFull"), ""),
        (pump("action-property", "none", properties(&["NeverLower"])), violated("NeverLower"), ""),
        (pump("composite", "none", properties(&["Both"])), violated("Both"), ""),
        (pump("stuttering", "none", properties(&["ReachesFull"])), violated("ReachesFull"), ""),
        (pump("lasso", "none", fair(&["StaysFull"])), violated("StaysFull"), ""),
        (pump("several", "none", fair(&["ReachesFull", "StaysFull"])), violated("StaysFull"), ""),
        (pump("right-one", "none", expecting(&["ReachesFull", "StaysFull"], "StaysFull")), violated("StaysFull"), ""),
        (pump("wrong-one", "none", expecting(&["NeverLower", "Both"], "Both")), violated("Both"), ""),
        (pump("boxed", "overfill", fair(&["ReachesFull", "Boxes"])), violated("Boxes"), ""),
        (pump("constant", "none", invariants(&["TypeOK", "Sound"])), violated("Sound"), ""),
        (pump("deadlock", "stuck", invariants(&["Bounded"])), Outcome::Deadlock, ""),
        (pump("assumption", "assumption", invariants(&["Bounded"])), Outcome::Assumption, "Assumption"),
        (pump("no-property", "none", |_| ()), Outcome::Vacuous, "no invariant"),
        (pump("no-start", "no-start", invariants(&["Bounded"])), Outcome::Vacuous, "no initial state"),
    ]
}

/// What the engine comes to no verdict on.
fn failures() -> Vec<Wanted> {
    let no_memory = |mut run: RunSpec| {
        run.memory_mb = Some(32);
        run.timeout = Duration::from_secs(20);
        run
    };
    let large = "ASSUME \\A s \\in SUBSET [1..9 -> 1..9] : s # {0}\nNotEmpty == TRUE";
    let endless = pump("timeout", "none", |run| {
        run.invariants = strings(&["Bounded"]);
        run.edits = vec![
            edit("PumpParts.tla", "THEN 4 ELSE 3", "THEN 4 ELSE 2000000000"),
            edit("Pump.tla", "Bounded == level <= 3", "Bounded == level >= 0"),
        ];
        run.timeout = Duration::from_secs(4);
    });
    vec![
        (pump("parameter", "none", invariants(&["Above"])), Outcome::Error, "Above"),
        (pump("assert", "burst", invariants(&["Bounded"])), Outcome::Error, "burst"),
        (pump("evaluation", "nonsense", invariants(&["Bounded"])), Outcome::Error, "StringValue"),
        (rewritten("parse-error", "NotEmpty == (level"), Outcome::Error, "arse"),
        (rewritten("unknown-name", "NotEmpty == lvel > 0"), Outcome::Error, "lvel"),
        (pump("unknown-invariant", "none", invariants(&["Bounde"])), Outcome::Error, "Bounde"),
        (no_memory(rewritten("no-memory", large)), Outcome::Error, ""),
        (endless, Outcome::Timeout, "4 s"),
    ]
}

/// What cannot be handed to the engine at all.
fn unmade() -> Vec<Wanted> {
    let unknown = |run: &mut RunSpec| drop(run.set.insert("Fuult".to_owned(), Constant::Bool(true)));
    let twice = |run: &mut RunSpec| run.edits = vec![edit("Pump.tla", "UNCHANGED", "x")];
    vec![
        (pump("missing-constant", "none", |run| run.set.clear()), Outcome::Error, "`Fault`"),
        (pump("unknown-constant", "none", unknown), Outcome::Error, "near: `Fault`"),
        (pump("edit-twice", "none", twice), Outcome::Error, "match once"),
    ]
}

#[test]
fn every_outcome_comes_from_the_engine() {
    let Some(engine) = engine() else { return };
    let wanted: Vec<Wanted> = [verdicts(), failures(), unmade()].into_iter().flatten().collect();
    let runs: Vec<RunSpec> = wanted.iter().map(|(run, _, _)| run.clone()).collect();
    let planned = plan(&runs, &Facts::new(), &Fixtures);
    let cache = tempfile::tempdir().unwrap();
    let reports = verify(&engine, &planned, Some(cache.path().to_path_buf()));
    let mut wrong = Vec::new();
    for (run, outcome, word) in &wanted {
        let report = reports.iter().find(|report| report.name == run.name).unwrap();
        let detail = report.detail.clone().unwrap_or_default();
        if report.outcome != *outcome || !detail.contains(word) || detail.contains("/tmp/") {
            wrong.push(format!("{}: {} ({detail}) is not {outcome} ({word})", run.name, report.outcome));
        }
        if !outcome.is_verdict() && report.judgement != Judgement::Undecided {
            wrong.push(format!("{}: {:?}", run.name, report.judgement));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Judged as expected or not.
#[track_caller]
fn check(engine: &Engine, facts: &Facts, run: RunSpec, judgement: Judgement, detail: &str) -> Report {
    let planned = plan(&[run], facts, &Fixtures);
    let report = verify(engine, &planned, None).remove(0);
    let text = report.detail.clone().unwrap_or_default();
    assert_eq!(report.judgement, judgement, "{text}");
    assert!(text.contains(detail), "{text}");
    report
}

#[test]
fn counterexamples_and_counts_are_judged() {
    let Some(engine) = engine() else { return };
    let facts = Facts::new();
    let over = |actions: &'static [&str]| {
        pump("over", "overfill", move |run| {
            run.invariants = strings(&["Bounded"]);
            run.expect = Expectation::Violated;
            run.actions = Some(strings(actions));
        })
    };
    let report = check(&engine, &facts, over(&["Open", "Fill", "Fill", "Fill", "Fill"]), Judgement::Met, "");
    assert_eq!(report.counterexample.unwrap().steps[2].changes, BTreeMap::from([("level".to_owned(), "1".to_owned())]));
    check(&engine, &facts, over(&["Open", "Fill"]), Judgement::Unexpected, "not [Open, Fill, Fill");
    let count = |states: StateCount| {
        pump("count", "none", move |run| {
            run.invariants = strings(&["Bounded"]);
            run.states = Some(states);
        })
    };
    check(&engine, &facts, count(StateCount::exactly(5)), Judgement::Met, "");
    check(&engine, &facts, count(StateCount { min: Some(6), max: None }), Judgement::Unexpected, "at least 6");
    let lasso = pump("lasso", "none", |run| {
        run.properties = strings(&["StaysFull"]);
        run.behaviour = Behaviour::Specification("FairSpec".to_owned());
        run.expect = Expectation::Violated;
        run.actions = Some(strings(&["Open", "Fill", "Fill", "Fill", "Drain"]));
    });
    check(&engine, &facts, lasso, Judgement::Met, "");
}

#[test]
fn steps_take_the_arguments_that_are_expected() {
    let Some(engine) = engine() else { return };
    let claim = |actions: &'static [&str]| {
        let mut run = RunSpec::new("claim", SpecPath::new("Claims.tla"));
        run.cfg = Some(SpecPath::new("Claims.cfg"));
        run.properties = strings(&["NeverHandedOn"]);
        run.expect = Expectation::Violated;
        run.actions = Some(strings(actions));
        run
    };
    let facts = Facts::new();
    let met = |actions| check(&engine, &facts, claim(actions), Judgement::Met, "");
    let other = |actions, word| check(&engine, &facts, claim(actions), Judgement::Unexpected, word);
    met(&["Claim(m1, {1})", "Hand([from |-> m1, to |-> \"shelf\"])"]);
    other(&["Claim(m2, {1})", "Hand"], "expected step 1 to be Claim(m2, {1}), which it is not: it is Claim(m1, {1})");
    other(&["Claim(m1, {2})", "Hand"], "step 1");
    other(&["Claim", "Hand([from |-> m1, to |-> \"van\"])"], "step 2");
    other(&["Claim(m1)", "Hand"], "takes 2 arguments");
}

#[test]
fn a_mutant_names_all_that_it_breaks() {
    let Some(engine) = engine() else { return };
    let mutant = |expect: Expectation| {
        pump("mutant", "overfill", move |run| {
            run.invariants = strings(&["TypeOK", "Bounded", "NotEmpty"]);
            run.mutant = Some(Mutant { of: RunName::new("current"), guard: "Fault".to_owned() });
            run.expect = expect;
        })
    };
    let facts = Facts::new();
    let all = Expectation::of_mutant(&["violated NotEmpty", "violated Bounded"]).unwrap();
    let report = check(&engine, &facts, mutant(all), Judgement::Met, "");
    assert_eq!(report.broken.into_iter().collect::<Vec<_>>(), [violated("Bounded"), violated("NotEmpty")]);
    // One that is expected ends it, and one that is never found is missed.
    let one = Expectation::of_mutant(&["violated NotEmpty"]).unwrap();
    let report = check(&engine, &facts, mutant(one), Judgement::Met, "");
    assert!(report.broken.is_empty() && report.outcome == violated("NotEmpty"), "{report:?}");
    let other = Expectation::of_mutant(&["violated Bounded"]).unwrap();
    check(&engine, &facts, mutant(other), Judgement::Unexpected, "expected violated Bounded");
    let more = Expectation::of_mutant(&["violated NotEmpty", "violated TypeOK"]).unwrap();
    check(&engine, &facts, mutant(more), Judgement::Unexpected, "");
    let open = check(&engine, &facts, mutant(Expectation::Unstated), Judgement::Unexpected, "");
    assert!(open.detail.unwrap().contains("`Fault = [\"violated Bounded\", \"violated NotEmpty\"]`"));
}

#[test]
fn passing_runs_over_one_state_space_are_one_exploration() {
    let Some(engine) = engine() else { return };
    let one = |name: &str, invariant: &str| {
        let mut run = pump(name, "none", |_| ());
        run.invariants = strings(&[invariant]);
        run
    };
    let cache = tempfile::tempdir().unwrap();
    let planned = plan(&[one("a", "TypeOK"), one("b", "Bounded")], &Facts::new(), &Fixtures);
    let together = verify(&engine, &planned, Some(cache.path().to_path_buf()));
    assert!(
        together.iter().all(|report| report.judgement == Judgement::Met && report.states == Some(5)),
        "{together:?}"
    );
    assert!(together[0].seconds.is_some() && together[1].seconds.is_none(), "one exploration");
    // Each has its own verdict, the one that it has alone.
    for one in &planned {
        let alone = verify(&engine, std::slice::from_ref(one), None).remove(0);
        let known = verify(&engine, std::slice::from_ref(one), Some(cache.path().to_path_buf())).remove(0);
        assert!(known.cached && !alone.cached);
        assert_eq!((known.key, known.states, known.depth), (alone.key, alone.states, alone.depth));
        assert_eq!(known.actions_taken, alone.actions_taken);
    }
    // One that breaks leaves the other its own verdict.
    let planned = plan(&[one("a", "NotEmpty"), one("b", "Bounded")], &Facts::new(), &Fixtures);
    let reports = verify(&engine, &planned, None);
    assert_eq!(reports[0].outcome, violated("NotEmpty"));
    assert_eq!(reports[1].judgement, Judgement::Met);
}

#[test]
fn what_symmetry_and_constraints_hide_is_no_quiet_pass() {
    let Some(engine) = engine() else { return };
    let turns = |cfg: &str, behaviour: &str, invariant: &str, property: &str| {
        let mut run = RunSpec::new("turns", SpecPath::new("Turns.tla"));
        run.cfg = Some(SpecPath::new(cfg));
        run.behaviour = Behaviour::Specification(behaviour.to_owned());
        run.invariants = strings(&[invariant]);
        run.properties = strings(if property.is_empty() { vec![] } else { vec![property] }.as_slice());
        run
    };
    let alike = |invariant, property| turns("TurnsAlike.cfg", "Spec", invariant, property);
    let few = |behaviour, property| turns("TurnsFew.cfg", behaviour, "TypeOK", property);
    let bad = |mut run: RunSpec, property: &str| {
        run.expect = Expectation::Exactly(violated(property));
        run
    };
    let cases = [
        (alike("TypeOK", "SomebodyStays"), Judgement::Undecided, "under SYMMETRY", false),
        (bad(alike("TypeOK", "SomebodyStays"), "SomebodyStays"), Judgement::Undecided, "under SYMMETRY", false),
        (alike("TypeOK", ""), Judgement::Met, "", false),
        (bad(alike("TypeOK", "NeverBack"), "NeverBack"), Judgement::Met, "", false),
        (bad(alike("NeverTwo", "SomebodyStays"), "NeverTwo"), Judgement::Met, "", false),
        (few("Counting", "StaysSmall"), Judgement::Met, "", true),
        (few("Counting", "NeverBack"), Judgement::Met, "", false),
        (few("Counting", ""), Judgement::Met, "", false),
        (turns("TurnsNone.cfg", "Counting", "TypeOK", "StaysSmall"), Judgement::Unexpected, "no state", true),
        // A view takes states for one another too; what is said of a step holds.
        (turns("TurnsSeen.cfg", "Spec", "TypeOK", "SomebodyStays"), Judgement::Undecided, "VIEW", false),
        (turns("TurnsSeen.cfg", "Spec", "TypeOK", ""), Judgement::Met, "", false),
        (bad(turns("TurnsSeen.cfg", "Spec", "TypeOK", "NeverServes"), "NeverServes"), Judgement::Met, "", false),
        (turns("TurnsNone.cfg", "Counting", "NeverTwo", ""), Judgement::Unexpected, "no state", false),
    ];
    for (run, judgement, word, cautioned) in cases {
        let shown = format!("{:?} {:?} {:?}", run.cfg, run.invariants, run.properties);
        let report = check(&engine, &Facts::new(), run, judgement, word);
        assert_eq!(!report.cautions.is_empty(), cautioned, "{shown}: {:?}", report.cautions);
    }
}

#[test]
fn a_property_that_holds_of_nothing_is_told() {
    let Some(engine) = engine() else { return };
    let run = |name: &str, property: &str| {
        let mut run = RunSpec::new(name, SpecPath::new("Leads.tla"));
        run.set.insert("Clerks".to_owned(), Constant::Set(vec![Constant::Integer(1), Constant::Integer(8)]));
        run.properties = strings(&[property]);
        run
    };
    let cases = [
        ("Said", ""),
        ("Unsaid", "`at = 7`"),
        ("Boxed", "`at = 7`"),
        ("EveryClerk", ""),
        ("NoClerk", "`\\E c \\in Clerks : at = c + 10`"),
        ("Listed", "`at = 7`"),
        ("Always", ""),
        ("Enabled", ""),
    ];
    for (property, never) in cases {
        let report = check(&engine, &Facts::new(), run("leads", property), Judgement::Met, "");
        assert_eq!(report.states, Some(4), "{property}");
        let wanted = if never.is_empty() { None } else { Some(never) };
        assert_eq!(report.vacuous.get(property).map(String::as_str), wanted, "{property}");
    }
    // Together they are one exploration, and each is told of what it asks itself.
    let planned = plan(&[run("a", "Said"), run("b", "Unsaid")], &Facts::new(), &Fixtures);
    let reports = verify(&engine, &planned, None);
    assert!(reports[0].vacuous.is_empty() && reports[1].seconds.is_none());
    assert_eq!(reports[1].vacuous.keys().collect::<Vec<_>>(), ["Unsaid"]);
}
