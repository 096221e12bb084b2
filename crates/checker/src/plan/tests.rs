//! Runs made concrete: constants, behaviours, keys and mutants.

use super::*;
use crate::constant::Constant;
use crate::files::SpecPath;
use crate::run::Edit;

const SPEC: &str = "---- MODULE Tank ----\nEXTENDS Naturals, Sequences\nCONSTANTS Guarded, Names, Op(_)\nVARIABLE x\n\
    Init == x = 0\nNext == UNCHANGED x\nSpec == Init /\\ [][Next]_x\nInv == x = 0\nLive == <>(x = 0)\nDeep == 3\n====\n";

/// Plans one run of the tank with this cfg.
fn planned(cfg: &str, change: impl FnOnce(&mut RunSpec)) -> Planned {
    let files = BTreeMap::from([
        (SpecPath::new("m/Tank.tla"), SPEC.as_bytes().to_vec()),
        (SpecPath::new("m/Tank.cfg"), cfg.as_bytes().to_vec()),
    ]);
    let facts = Facts::from([
        ("Guarded".to_owned(), Some(Constant::Bool(true))),
        ("Names".to_owned(), Some(Constant::Set(vec![Constant::Text("a".to_owned())]))),
        ("Elsewhere".to_owned(), Some(Constant::Bool(true))),
        ("Deep".to_owned(), None),
    ]);
    let mut run = RunSpec::new("run", SpecPath::new("m/Tank.tla"));
    run.cfg = Some(SpecPath::new("m/Tank.cfg"));
    run.invariants = vec!["Inv".to_owned()];
    change(&mut run);
    plan(&[run], &facts, &files).pop().unwrap()
}

#[track_caller]
fn check(cfg: &str, change: impl FnOnce(&mut RunSpec), wanted: Result<&[&str], &str>) {
    match (planned(cfg, change).configuration(), wanted) {
        (Ok(text), Ok(parts)) => parts.iter().for_each(|part| assert!(text.contains(part), "{part} is not in\n{text}")),
        (Err(error), Err(wanted)) => assert!(error.to_string().contains(wanted), "{error}"),
        (got, wanted) => panic!("{got:?} is not {wanted:?}"),
    }
}

#[test]
fn constants_come_from_set_then_facts_then_cfg() {
    let op = "CONSTANT Op <- Deep\n";
    check(
        op,
        |_| (),
        Ok(&["Guarded <- factgate_const_Guarded", "factgate_const_Guarded == TRUE", "_Names == {\"a\"}", "Op <- Deep"]),
    );
    let over = |run: &mut RunSpec| drop(run.set.insert("Guarded".to_owned(), Constant::Bool(false)));
    check(op, over, Ok(&["factgate_const_Guarded == FALSE"]));
    // A cfg may say what the fact says, in any order and layout, and nothing else; `set` goes before both.
    for same in ["Guarded = TRUE", "Names = {\"a\"}", "Names = { \"a\",\n \"a\" }"] {
        let both = planned(&format!("CONSTANTS Op <- Deep {same}"), |_| ());
        assert!(both.configuration().unwrap().contains("factgate_const_Guarded == TRUE"), "{same}");
        assert!(both.warnings().is_empty(), "{same}");
    }
    let other = "CONSTANTS Op <- Deep Guarded = FALSE";
    check(other, |_| (), Err("`set = { Guarded = false }`"));
    check(other, over, Ok(&["factgate_const_Guarded == FALSE"]));
    check(
        "CONSTANTS Op <- Deep Guarded <- Inv",
        |_| (),
        Err("is TRUE in the code (a fact), and the cfg says `Guarded <- Inv`"),
    );
    check("CONSTANTS Op <- Deep Names = {\"a\", \"b\"}", |_| (), Err("`Names`"));
    // Model values that the cfg knows stand in the cfg itself.
    check("CONSTANTS Op <- Deep a = a", |_| (), Ok(&["Names = {a}", "a = a"]));
    check("CONSTANTS Op <- Deep a = b", |_| (), Err("`a`"));
    check("CONSTANTS Op <- Deep Guarded = a", over, Ok(&["Names = {a}"]));
    check(op, |run| run.model_values = BTreeSet::from(["Names".to_owned()]), Ok(&["Names = {a}"]));
    let negative = |run: &mut RunSpec| drop(run.set.insert("Names".to_owned(), Constant::Integer(-1)));
    check(op, negative, Ok(&["LOCAL INSTANCE Integers", "== (-1)"]));
    let expression = |run: &mut RunSpec| drop(run.set.insert("Names".to_owned(), Constant::Tla("1..Deep".to_owned())));
    check(op, expression, Ok(&["EXTENDS Tank, FactgateValues", "== 1..Deep"]));
}

#[test]
fn what_does_not_fit_is_refused() {
    check("", |_| (), Err("`Op`"));
    check("CONSTANTS Op <- Deep Gaurded = TRUE", |_| (), Err("near: `Guarded`"));
    // Replacing a definition is no mistake, of this module or of the engine's.
    check("CONSTANTS Op <- Deep Inv <- Live Nat <- Deep Deep = 4", |_| (), Ok(&["Nat <- Deep"]));
    check("CONSTANTS Op <- Deep", |run| drop(run.set.insert("Opp".to_owned(), Constant::Bool(true))), Err("`Opp`"));
    check("CONSTANTS Op <- Deep", |run| drop(run.set.insert("Op".to_owned(), Constant::Bool(true))), Err("operator"));
    check("CONSTANTS Op <- Deep", |run| run.cfg = Some(SpecPath::new("m/No.cfg")), Err("`m/No.cfg`"));
    let violates = |run: &mut RunSpec| run.expect = Expectation::Exactly(Outcome::Violated("Other".to_owned()));
    check("CONSTANTS Op <- Deep", violates, Err("`Other`"));
}

#[test]
fn behaviours_and_deadlock_come_from_run_then_cfg() {
    let op = "CONSTANT Op <- Deep\n";
    check(op, |_| (), Ok(&["SPECIFICATION Spec"]));
    check("CONSTANT Op <- Deep INIT Init NEXT Next", |_| (), Ok(&["INIT Init\nNEXT Next"]));
    let live = |run: &mut RunSpec| run.behaviour = Behaviour::Specification("Live".to_owned());
    check("CONSTANT Op <- Deep INIT Init NEXT Next", live, Ok(&["SPECIFICATION Live\nCONSTANTS"]));
    check("SPECIFICATON Spec CONSTANT Op <- Deep", |_| (), Ok(&["SPECIFICATON Spec\n"]));
    let deadlock = |cfg: &str, own: Deadlock| planned(cfg, |run| run.deadlock = own).prepared.unwrap().deadlock;
    assert_eq!(deadlock(op, Deadlock::Unstated), Deadlock::Checked);
    let off = "CONSTANT Op <- Deep CHECK_DEADLOCK FALSE";
    assert_eq!(deadlock(off, Deadlock::Unstated), Deadlock::Ignored);
    assert_eq!(deadlock(off, Deadlock::Checked), Deadlock::Checked);
    assert_eq!(deadlock(op, Deadlock::Ignored), Deadlock::Ignored);
}

#[test]
fn keys_hold_everything_that_a_verdict_depends_on() {
    let op = "CONSTANT Op <- Deep\n";
    let key = |cfg: &str, change: &dyn Fn(&mut RunSpec)| planned(cfg, change).key(Some("d1"), None).unwrap();
    let base = key(op, &|_| ());
    assert_eq!(base, key("\\* words\nCONSTANT\n Op <- Deep", &|run| run.timeout = std::time::Duration::from_secs(1)));
    let set = |run: &mut RunSpec| drop(run.set.insert("Guarded".to_owned(), Constant::Bool(false)));
    let edit = |run: &mut RunSpec| {
        run.edits = vec![Edit {
            file: SpecPath::new("m/Tank.tla"),
            find: "Init == x = 0".to_owned(),
            replace: "Init == x = 1".to_owned(),
        }];
    };
    let others: [&dyn Fn(&mut RunSpec); 5] =
        [&set, &edit, &|run| run.invariants.clear(), &|run| run.properties = vec!["Live".to_owned()], &|run| {
            run.deadlock = Deadlock::Ignored
        }];
    for (index, other) in others.iter().enumerate() {
        assert_ne!(base, key(op, *other), "{index}");
    }
    // The engine is part of it; where it is not known, the recorded one is taken.
    let one = planned(op, |_| ());
    assert_ne!(one.key(Some("d2"), None), one.key(Some("d1"), None));
    assert_eq!(one.key(None, Some(&base)).as_ref(), Some(&base));
    // A record confirms a verdict for what was expected of it.
    let confirmed = |change: &dyn Fn(&mut RunSpec)| planned(op, change).confirmed_key(Some("d1"), None).unwrap();
    let base = confirmed(&|_| ());
    assert_eq!(one.confirmed_key(None, Some(&base)).as_ref(), Some(&base));
    assert_ne!(base, confirmed(&|run| run.expect = Expectation::Violated));
    assert_ne!(base, confirmed(&|run| run.actions = Some(vec!["Next".to_owned()])));
    assert_ne!(base, confirmed(&|run| run.states = Some(crate::run::StateCount::exactly(2))));
}

#[test]
fn mutants_are_made_of_guards_that_hold() {
    let files = BTreeMap::from([(SpecPath::new("Tank.tla"), SPEC.replace(", Op(_)", "").into_bytes())]);
    let mut run = RunSpec::new("current", SpecPath::new("Tank.tla"));
    run.mutants = Mutants::Auto(BTreeMap::new());
    let facts = |value| {
        let guarded = ("Guarded".to_owned(), Some(Constant::Bool(value)));
        Facts::from([guarded, ("Names".to_owned(), Some(Constant::Integer(1)))])
    };
    let names = |facts: &Facts| -> Vec<String> {
        plan(std::slice::from_ref(&run), facts, &files).iter().map(|one| one.spec.name.to_string()).collect()
    };
    assert_eq!(names(&facts(true)), ["current", "current.mutant-Guarded"]);
    assert_eq!(names(&facts(false)), ["current"]);
    // An outcome of something that is no guard is a mistake; one of a guard that is FALSE waits.
    for (name, value, wrong) in [("Names", true, true), ("Guard", true, true), ("Guarded", false, false)] {
        let outcome = (name.to_owned(), Expectation::Exactly(Outcome::Pass));
        let run = RunSpec { mutants: Mutants::Auto(BTreeMap::from([outcome])), ..run.clone() };
        let planned = plan(&[run], &facts(value), &files);
        assert_eq!(planned[0].prepared.is_err(), wrong, "{name}");
    }
}

#[test]
fn a_guard_that_nothing_reads_is_no_mutant_of_its_own() {
    let text = "---- MODULE A ----\nCONSTANTS Read, Spare, Assumed\nVARIABLE x\nASSUME Assumed \\in BOOLEAN\n\
        Other == Spare\nInit == x = Read\nSpec == Init /\\ [][UNCHANGED x]_x\nInv == x = Read\n====\n";
    let files = BTreeMap::from([(SpecPath::new("A.tla"), text.as_bytes().to_vec())]);
    let facts = ["Read", "Spare", "Assumed"].map(|name| (name.to_owned(), Some(Constant::Bool(true))));
    let mut run = RunSpec::new("run", SpecPath::new("A.tla"));
    run.invariants = vec!["Inv".to_owned()];
    let outcomes = ["Read", "Spare", "Assumed"].map(|name| (name.to_owned(), Expectation::Exactly(Outcome::Pass)));
    run.mutants = Mutants::Auto(BTreeMap::from(outcomes));
    let planned = plan(&[run], &BTreeMap::from(facts), &files);
    let key = |name: &str| {
        planned.iter().find(|one| one.spec.name.as_str() == name).and_then(|one| one.key(Some("d"), None)).unwrap()
    };
    assert_eq!(key("run.mutant-Spare"), key("run"), "the same exploration");
    assert_ne!(key("run.mutant-Read"), key("run"));
    assert_ne!(key("run.mutant-Assumed"), key("run"));
    let base = planned.iter().find(|one| one.spec.name.as_str() == "run").unwrap();
    assert!(base.warnings()[0].contains("reads the guard `Spare`"), "{:?}", base.warnings());
}
