//! The crate's tests: the stable form, what is no record, every kind of difference, and what a sync keeps.

use crate::*;

fn item(fingerprint: &str, literals: &str, locals: &str) -> ItemRecord {
    let [fingerprint, literals, locals] = [fingerprint, literals, locals].map(str::to_owned);
    ItemRecord { fingerprint, literals, locals, ..ItemRecord::default() }
}

fn current_item(record: ItemRecord, line: u32) -> CurrentItem {
    CurrentItem::new(record, place(line))
}

fn place(line: u32) -> Place {
    Place { file: RepoPath::from_git("src/a.ts"), line, column: 1 }
}

fn fact(value: Option<FactValue>, reason: Option<Reason>) -> Fact {
    Fact { kind: FactKind::Guard, value, reason, detail: reason.map(|_| "why".to_owned()), evidence: Vec::new() }
}

fn current() -> Current {
    let mut current = Current::default();
    let items = [("src/a.ts#f", item("1", "2", "3")), ("src/a.ts#g", item("4", "5", "6"))];
    for (name, record) in items {
        current.items.insert(name.to_owned(), current_item(record, 3));
    }
    current.facts.insert("Checks".into(), fact(Some(FactValue::Bool(true)), None));
    let set = FactValue::Set(vec![FactValue::Text("a\"b".into()), FactValue::Integer(2)]);
    current.facts.insert("Names".into(), Fact { kind: FactKind::Set, ..fact(Some(set), None) });
    let mut calls = CurrentCalls::default();
    calls.record.calls.insert("src/b.ts#run".into(), 2);
    calls.record.unresolved.push("src/c.ts: @gone/x".into());
    current.calls.insert("write".into(), calls);
    current.files.insert("model/A.tla".into(), "ab".into());
    current
}

fn recorded() -> Record {
    Record::of(&current(), "1", None)
}

#[test]
fn the_form_is_stable_and_read_back() {
    let text = recorded().to_text().unwrap();
    insta::assert_snapshot!(text);
    assert_eq!(Record::parse(text.as_bytes(), "1").unwrap(), recorded());
    let reformatted = serde_json::to_string_pretty(&recorded()).unwrap().replace('\n', "\r\n");
    let with_mark = [b"\xef\xbb\xbf".as_slice(), reformatted.as_bytes()].concat();
    assert_eq!(Record::parse(&with_mark, "1").unwrap(), recorded());
    let empty = Record { scheme: "1".into(), ..Record::default() };
    assert_eq!(Record::parse(empty.to_text().unwrap().as_bytes(), "1").unwrap(), empty);
}

fn check_refused(text: &str, part: &str, line: u32) {
    let error = Record::parse(text.as_bytes(), "1").unwrap_err();
    assert!(error.to_string().contains(part), "{error}");
    assert_eq!(error.position().0, line, "{error}");
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    check_refused("{\n<<<<<<< HEAD\n\"scheme\": \"1\"}", "conflict", 2);
    check_refused("{\n\"scheme\": \"1\"\n=======\n}", "conflict", 3);
    check_refused("{\n\"future\": 1,\n\"scheme\": \"2\"}", "scheme `2`", 3);
    check_refused("{\"scheme\": \"x\"}", "scheme `x`", 1);
    check_refused("{\"scheme\": \"0\"}", "scheme `0`", 1);
    check_refused("", "EOF", 1);
    check_refused("[]", "is no record", 1);
    check_refused("{\"scheme\": 1}", "is no record", 1);
    check_refused("{\n\"scheme\": \"1\",\n\"itmes\": {}}", "unknown field", 3);
    check_refused("{\"scheme\": \"1\",\n\"files\": {\"a\": \"1\",\n\"a\": \"2\"}}", "`a` stands twice", 3);
    check_refused("{\"scheme\": \"1\", \"facts\": {\"A\": {\"kind\": \"guard\", \"value\": null}}}", "is no record", 1);
}

/// Compares after an edit of what is there now; each difference as `kind item change detail`.
fn check(edit: impl FnOnce(&mut Current), expected: &[&str]) {
    let mut now = current();
    edit(&mut now);
    let found: Vec<String> = compare(&recorded(), &now)
        .iter()
        .map(|stale| {
            let change = stale.change.map_or("", Change::code);
            format!("{}|{}|{}|{}", stale.kind.code(), stale.item, change, stale.detail)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn what_is_as_recorded_is_no_difference() {
    check(|_| {}, &[]);
}

#[test]
fn every_kind_of_difference_is_told() {
    let gone = |elsewhere: Option<Elsewhere>| {
        move |now: &mut Current| {
            now.items.remove("src/a.ts#f");
            now.removed.insert("src/a.ts#f".into(), elsewhere);
        }
    };
    check(gone(None), &["removed|src/a.ts#f||is covered and no longer there"]);
    let elsewhere = Elsewhere { item: "src/b.ts#f".into(), at: place(9) };
    check(
        gone(Some(elsewhere.clone())),
        &["removed|src/a.ts#f||is covered and no longer there; the name stands at src/b.ts#f now"],
    );
    check(
        |now| drop(now.moved.insert("src/a.ts#f".into(), elsewhere)),
        &["moved|src/a.ts#f||stands unchanged at src/b.ts#f"],
    );
    check(
        |now| drop(now.items.remove("src/a.ts#f")),
        &["uncovered|src/a.ts#f||is in the record, and no longer in `cover`"],
    );
    check(
        |now| drop(now.items.insert("src/n.ts#n".into(), current_item(item("1", "1", "1"), 1))),
        &["unrecorded|src/n.ts#n||is in `cover`, and not in the record"],
    );
    check(
        |now| drop(now.files.insert("model/A.tla".into(), "cd".into())),
        &["file|model/A.tla||the model's file differs"],
    );
}

#[test]
fn what_could_not_be_read_is_no_difference() {
    check(
        |now| {
            now.items.remove("src/a.ts#f");
            now.unread.push("src/a.ts#f".into());
        },
        &[],
    );
    check(|now| drop(now.facts.insert("Checks".into(), fact(None, Some(Reason::ParseError)))), &[]);
}

#[test]
fn facts_differ_by_value_kind_and_presence() {
    let turn = |name: &'static str, new: Fact| move |now: &mut Current| drop(now.facts.insert(name.into(), new));
    let late = fact(Some(FactValue::Bool(false)), Some(Reason::Late));
    check(turn("Checks", late), &["fact|Checks||TRUE -> FALSE   late: why"]);
    let unknown = fact(None, Some(Reason::NoScope));
    check(turn("Checks", unknown), &["fact|Checks||TRUE -> unknown   no-scope: why"]);
    let value = Fact { kind: FactKind::Value, ..fact(Some(FactValue::Bool(true)), None) };
    check(turn("Checks", value), &["fact|Checks||guard TRUE -> value TRUE"]);
    let new = fact(Some(FactValue::Bool(true)), None);
    check(turn("New", new), &["fact|New||unrecorded -> TRUE"]);
    check(|now| drop(now.facts.remove("Checks")), &["fact|Checks||TRUE -> no longer defined"]);
}

#[test]
fn a_fact_that_is_defined_anew_is_another_fact() {
    let mut defined = current();
    defined.definitions.insert("Checks".into(), "d1".into());
    let known = Record::of(&defined, "1", None);
    assert_eq!(known.facts["Checks"].of.as_deref(), Some("d1"));
    let details = |known: &Record, now: &Current| {
        compare(known, now).into_iter().map(|stale| format!("{} {}", stale.item, stale.detail)).collect::<Vec<_>>()
    };
    assert!(details(&known, &defined).is_empty());
    let mut now = defined.clone();
    now.definitions.insert("Checks".into(), "d2".into());
    assert_eq!(details(&known, &now), ["Checks its definition changed"]);
    // A record from before there were such hashes says nothing about definitions.
    assert!(details(&recorded(), &now).is_empty());
    now.facts.insert("Checks".into(), fact(Some(FactValue::Bool(false)), Some(Reason::Late)));
    assert_eq!(details(&known, &now), ["Checks TRUE -> FALSE   late: why; its definition changed"]);
    let text = known.to_text().unwrap();
    assert!(text.contains("\"Checks\": {\"kind\": \"guard\", \"of\": \"d1\", \"value\": true}"), "{text}");
    assert_eq!(Record::parse(text.as_bytes(), "1").unwrap(), known);
}

#[test]
fn call_sites_differ_by_count_form_and_unresolved_imports() {
    let edit = |change: fn(&mut CallRecord)| {
        move |now: &mut Current| now.calls.get_mut("write").into_iter().for_each(|calls| change(&mut calls.record))
    };
    let once = edit(|record| record.calls.extend([("src/b.ts#run".into(), 1)]));
    check(once, &["call-removed|src/b.ts#run||write: 2 -> 1 times"]);
    let value = edit(|record| record.values.extend([("src/b.ts#run".into(), 1)]));
    check(value, &["call-added|src/b.ts#run||write (as a value)"]);
    let import = "write: the import of `@gone/x` cannot be resolved and could hide a call";
    check(edit(|record| record.unresolved.clear()), &[&format!("call-removed|src/c.ts||{import}")]);
    let unswept = |now: &mut Current| {
        now.calls.clear();
        now.unswept.insert("write".into());
    };
    check(unswept, &[]);
    check(|now| now.calls.clear(), &["call-removed|src/b.ts#run||write", &format!("call-removed|src/c.ts||{import}")]);
}

fn run(asks: &[(&str, &str)]) -> RunRecord {
    let asks = asks.iter().map(|(aspect, words)| ((*aspect).to_owned(), (*words).to_owned())).collect();
    RunRecord { asks: Some(asks), ..RunRecord::default() }
}

fn now_run(asks: &[(&str, &str)], key: &str) -> CurrentRun {
    CurrentRun { key: Some(key.to_owned()), asks: run(asks).asks }
}

const ASKS: [(&str, &str); 3] = [("checks", "A, B"), ("expect", "pass"), ("set N", "3")];

/// Compares the runs of a record that knows `current`, verified, and its mutant, with these.
#[track_caller]
fn check_runs(now: &[(&str, CurrentRun)], expected: &[&str]) {
    let mut known = recorded();
    let verdict = RunRecord { key: Some("k".into()), outcome: Some("pass".into()), ..RunRecord::default() };
    known.runs.insert("current".into(), RunRecord { asks: run(&ASKS).asks, ..verdict.clone() });
    known.runs.insert("current.mutant-G".into(), verdict);
    let mut current = current();
    current.runs = now.iter().map(|(name, run)| ((*name).to_owned(), run.clone())).collect();
    let found = compare(&known, &current);
    let words = |stale: &Stale| format!("{}|{}|{}", stale.kind.code(), stale.item, stale.detail);
    assert_eq!(found.iter().map(words).collect::<Vec<_>>(), expected);
}

#[test]
fn runs_that_are_new_gone_or_ask_something_else() {
    let mutant = ("current.mutant-G", CurrentRun { key: Some("k".into()), asks: None });
    let current = ("current", now_run(&ASKS, "k"));
    check_runs(&[current.clone(), mutant.clone()], &[]);
    // The guard that a mutant was made for says why it is gone.
    check_runs(std::slice::from_ref(&current), &[]);
    check_runs(std::slice::from_ref(&mutant), &["run|current|is in the record, and the configuration has no such run"]);
    let new = ("witness", now_run(&ASKS, "k"));
    check_runs(&[current.clone(), mutant.clone(), new], &["run|witness|is new, and not in the record"]);
    let fewer = ("current", now_run(&[("checks", "A"), ("expect", "pass"), ("set N", "2")], "other"));
    check_runs(&[fewer, mutant.clone()], &["run|current|checks: A, B -> A; set N: 3 -> 2"]);
    let other = ("current", now_run(&ASKS, "other"));
    let words =
        "unverified|current|`pass` was found for other inputs, or is not what is expected now: run `factgate verify`";
    check_runs(&[other, mutant], &[words]);
    // A record without verdicts is a warning of the caller.
    let mut now = crate::tests::current();
    now.runs.insert("current".into(), now_run(&ASKS, "k"));
    assert!(compare(&recorded(), &now).is_empty());
}

/// What is weaker after an edit of the new record.
#[track_caller]
fn check_weaker(edit: impl FnOnce(&mut Record), expected: &[&str]) {
    let mut known = recorded();
    known.runs.insert("current".into(), run(&ASKS));
    known.runs.insert("witness".into(), run(&[("expect", "violated"), ("bound CONSTRAINT Small", "x < 9")]));
    let mut fresh = known.clone();
    edit(&mut fresh);
    let words: Vec<String> = weakened(&known, &fresh).into_iter().map(|one| one.what).collect();
    assert_eq!(words, expected);
}

#[test]
fn what_makes_the_gate_weaker_is_told() {
    let fact = |value: FactValue| {
        move |fresh: &mut Record| fresh.facts.get_mut("Checks").into_iter().for_each(|fact| fact.value = value.clone())
    };
    let asks = |name: &'static str, aspect: &'static str, words: Option<&'static str>| {
        move |fresh: &mut Record| {
            let asks = fresh.runs.get_mut(name).and_then(|run| run.asks.as_mut()).unwrap();
            match words {
                Some(words) => drop(asks.insert(aspect.into(), words.into())),
                None => drop(asks.remove(aspect)),
            }
        }
    };
    check_weaker(|_| {}, &[]);
    check_weaker(fact(FactValue::Bool(false)), &["fact Checks: TRUE -> FALSE"]);
    check_weaker(|fresh| drop(fresh.facts.remove("Names")), &["fact Names is no longer there"]);
    check_weaker(|fresh| fresh.calls.clear(), &["calls write is no longer there"]);
    check_weaker(|fresh| drop(fresh.items.remove("src/a.ts#f")), &["item src/a.ts#f is no longer there"]);
    // An item that stands elsewhere is covered there.
    let moved = |fresh: &mut Record| {
        let item = fresh.items.remove("src/a.ts#f").unwrap();
        fresh.items.insert("src/b.ts#f".into(), item);
    };
    check_weaker(moved, &[]);
    check_weaker(|fresh| drop(fresh.runs.remove("witness")), &["run witness is no longer there"]);
    check_weaker(asks("current", "checks", Some("A")), &["run current: checks: A, B -> A"]);
    check_weaker(asks("current", "checks", Some("A, B, C")), &[]);
    check_weaker(asks("current", "constant", Some("A")), &["run current: constant: nothing -> A"]);
    check_weaker(asks("current", "expect", Some("violated A")), &["run current: expect: pass -> violated A"]);
    check_weaker(asks("witness", "expect", Some("violated A")), &[]);
    check_weaker(asks("current", "set N", Some("2")), &["run current: set N: 3 -> 2"]);
    check_weaker(asks("current", "set N", Some("4")), &[]);
    check_weaker(asks("current", "set M", Some("1")), &[]);
    check_weaker(asks("current", "set Checks", Some("TRUE")), &["run current: set Checks: nothing -> TRUE"]);
    check_weaker(asks("current", "states", Some("7")), &[]);
    check_weaker(asks("current", "bound VIEW V", Some("x")), &["run current: bound VIEW V: nothing -> x"]);
    check_weaker(asks("witness", "bound CONSTRAINT Small", None), &[]);
}

#[test]
fn what_was_given_up_keeps_its_reason() {
    let mut known = recorded();
    known.gone.insert("run old".into(), "no longer modelled".into());
    known.runs.insert("current".into(), run(&ASKS));
    let text = known.to_text().unwrap();
    assert!(text.contains("\"gone\": {\n    \"run old\": \"no longer modelled\"\n  }"), "{text}");
    assert_eq!(Record::parse(text.as_bytes(), "1").unwrap(), known);
    assert_eq!(Record::of(&current(), "1", Some(&known)).gone, known.gone);
}

#[test]
fn a_partial_sync_keeps_what_it_does_not_name() {
    let mut now = current();
    for name in ["src/a.ts#f", "src/a.ts#g"] {
        now.items.get_mut(name).unwrap().record.fingerprint = "new".into();
    }
    now.facts.insert("Checks".into(), fact(Some(FactValue::Bool(false)), None));
    let fresh = Record::of(&now, "1", Some(&recorded()));
    let chosen = Chosen { items: ["src/a.ts#f".to_owned()].into(), ..Chosen::default() };
    let merged = recorded().merged(&fresh, &chosen);
    let stale: Vec<String> = compare(&merged, &now).into_iter().map(|stale| stale.item).collect();
    assert_eq!(stale, ["src/a.ts#g", "Checks"]);
}

#[test]
fn a_reason_stays_until_its_item_changes() {
    let mut known = recorded();
    known.items.get_mut("src/a.ts#f").unwrap().because = Some("bounded".into());
    let because = |now: &Current| Record::of(now, "1", Some(&known)).items["src/a.ts#f"].because.clone();
    assert_eq!(because(&current()).as_deref(), Some("bounded"));
    let mut now = current();
    now.items.get_mut("src/a.ts#f").unwrap().record.fingerprint = "new".into();
    assert_eq!(because(&now), None);
}

#[test]
fn values_are_spelled_as_the_model_spells_them() {
    let set = FactValue::Set(vec![FactValue::Text("a\"\\\n".into()), FactValue::Integer(-2)]);
    assert_eq!(set.to_string(), r#"{"a\"\\\n", -2}"#);
}

#[test]
fn the_first_class_that_applies_is_told() {
    let recorded = ItemRecord {
        fingerprint: "1".into(),
        locals: "1".into(),
        literals: "1".into(),
        names: "1".into(),
        detail: "1".into(),
        words: vec!["grab".into(), "x".into()],
        ..ItemRecord::default()
    };
    for (same, renaming, expected) in [
        ("fingerprint", Renaming::Unknown, None),
        ("locals literals names detail", Renaming::Gone, Some(Change::Locals)),
        ("literals detail", Renaming::Unknown, Some(Change::Literals)),
        ("names detail", Renaming::Gone, Some(Change::Names)),
        ("names detail", Renaming::Unknown, Some(Change::Detail)),
        ("names", Renaming::Unknown, Some(Change::Structure)),
        ("detail", Renaming::Gone, Some(Change::Detail)),
        ("", Renaming::Gone, Some(Change::Structure)),
    ] {
        let hash = |of: &str| if same.contains(of) { "1".to_owned() } else { "2".to_owned() };
        let now = ItemRecord {
            fingerprint: hash("fingerprint"),
            locals: hash("locals"),
            literals: hash("literals"),
            names: hash("names"),
            detail: hash("detail"),
            words: vec!["take".into(), "x".into()],
            ..ItemRecord::default()
        };
        let now = CurrentItem { renaming, ..current_item(now, 1) };
        assert_eq!(now.change_from(&recorded), expected, "{same}");
        if expected == Some(Change::Names) {
            assert_eq!(Change::Names.sentence(&recorded, now.hashes()), "`grab` is `take` now");
        }
    }
}

#[test]
fn what_differs_inside_of_an_item_of_its_own_is_told_there() {
    let of = |fingerprint: &str, own: &str| ItemRecord {
        fingerprint: fingerprint.into(),
        inner: vec!["src/a.ts#f.g".into()],
        own: Some(own.into()),
        ..ItemRecord::default()
    };
    for (now, expected) in [
        (of("2", "1"), None),
        (of("2", "2"), Some(Change::Locals)),
        (ItemRecord { inner: Vec::new(), own: None, ..of("2", "1") }, Some(Change::Locals)),
    ] {
        assert_eq!(current_item(now, 1).change_from(&of("1", "1")), expected);
    }
}

#[test]
fn parts_are_confirmed_in_the_way_of_the_record() {
    let mut now = current();
    now.ignore.push("log($$$)".into());
    let known = recorded();
    let f = now.items.get_mut("src/a.ts#f").unwrap();
    f.record = item("7", "7", "7");
    f.as_recorded = Some(item("8", "8", "8"));
    let chosen = Chosen { items: ["src/a.ts#f".to_owned()].into(), ..Chosen::default() };
    let part = known.merged(&Record::in_the_way_of(&now, "1", &known), &chosen);
    assert_eq!((part.items["src/a.ts#f"].fingerprint.as_str(), part.ignore.len()), ("8", 0));
    let whole = Record::of(&now, "1", Some(&known));
    assert_eq!((whole.items["src/a.ts#f"].fingerprint.as_str(), whole.ignore.len()), ("7", 1));
}
