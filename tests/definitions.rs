//! A fact's definition is part of what was confirmed: one that is weakened keeps its value and is STALE all the same.

use crate::scratch::{CONFIG, QUEUE, Scratch};

const GUARD: &str = "[guard.Room]\nin = \"src/queue.ts#push\"\neffect = \"$_.push($$$)\"\nonly_if = \"hasRoom($Q)\"\n";

fn confirmed(patterns: &str) -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE), ("patterns/queue.toml", patterns)])
}

/// What is STALE once the definitions are these.
fn stale(scratch: &Scratch, config: &str, patterns: &str) -> Vec<String> {
    scratch.write("factgate.toml", config);
    scratch.write("patterns/queue.toml", patterns);
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap();
    stale.iter().map(|one| format!("{} {} {}", one["kind"], one["item"], one["detail"]).replace('"', "")).collect()
}

#[test]
fn a_weakened_guard_is_stale_and_can_be_confirmed() {
    let scratch = confirmed(GUARD);
    let changed = ["fact Room its definition changed"];
    for weaker in [
        "[guard.Room]\nin = \"src/queue.ts#push\"\nhas = \"$_.push($$$)\"\n".to_owned(),
        GUARD.replace("only_if = \"hasRoom($Q)\"", "only_if = [\"hasRoom($Q)\", \"$Q.open\"]"),
        GUARD.replace("hasRoom($Q)", "hasRoom($_)"),
        format!("{GUARD}through = true\n"),
        format!("{GUARD}matching = {{ Q = \"q.*\" }}\n"),
    ] {
        assert_eq!(stale(&scratch, CONFIG, &weaker), changed, "{weaker}");
    }
    let asserted = format!("{CONFIG}\n[assertions]\nnever_returns = [\"log($$$)\"]\n");
    assert_eq!(stale(&scratch, &asserted, GUARD), changed);
    let said = scratch.run(&["check"]);
    assert!(said.exit == 3 && said.stdout.contains("Room its definition changed"), "{said:?}");
    assert!(scratch.run(&["sync", "Room"]).stderr.contains("fact Room: its definition changed"));
    assert_eq!(scratch.run(&["sync", "Room", "--because", "logging never returns"]).exit, 0);
    assert_eq!(scratch.run(&["check"]).exit, 0);
}

#[test]
fn another_spelling_of_the_same_definition_is_none() {
    let scratch = confirmed(GUARD);
    for same in [
        "[guard.Room]\nonly_if = [\"hasRoom($Q)\"]\neffect = '$_.push($$$)'\nin = [\"src/queue.ts#push\"]\n".to_owned(),
        format!("# a note\n{GUARD}through = false\n"),
        GUARD.replace("\"hasRoom($Q)\"", "'''\n    hasRoom($Q)\n'''").replace('\n', "\r\n"),
    ] {
        assert_eq!(stale(&scratch, CONFIG, &same), [""; 0], "{same}");
    }
}

#[test]
fn sets_and_values_have_definitions_too() {
    let code = format!(
        "{QUEUE}export const KINDS = {{ a: {{ on: true }}, b: {{ on: true }} }};\nexport const A = 3, B = 3;\n"
    );
    let facts = "[set.Kinds]\nfrom = \"src/queue.ts#KINDS\"\n\n[value.Max]\nfrom = \"src/queue.ts#A\"\n";
    let scratch =
        Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", &code), ("patterns/queue.toml", facts)]);
    let filtered = facts.replace("KINDS\"\n", "KINDS\"\nwhere = \"on: true\"\n");
    assert_eq!(stale(&scratch, CONFIG, &filtered), ["fact Kinds its definition changed"]);
    let moved = facts.replace("#A", "#B");
    assert_eq!(stale(&scratch, CONFIG, &moved), ["fact Max its definition changed"]);
    assert_eq!(stale(&scratch, CONFIG, facts), [""; 0]);
}

#[test]
fn a_record_without_definitions_is_accepted_as_before() {
    let scratch = confirmed(GUARD);
    let record = scratch.read("coverage/queue.json");
    let start = record.find("\"of\": \"").unwrap();
    let hash = &record[start..start + "\"of\": \"".len() + 64 + "\", ".len()];
    assert!(hash.ends_with("\", "), "{hash}");
    scratch.write("coverage/queue.json", &record.replace(hash, ""));
    assert_eq!(stale(&scratch, CONFIG, &GUARD.replace("$Q", "$_")), [""; 0]);
    scratch.write("patterns/queue.toml", GUARD);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert_eq!(scratch.read("coverage/queue.json"), record);
}
