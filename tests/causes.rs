//! One cause, one finding: what follows from a change is told under it, in every format.

use crate::scratch::{CONFIG, QUEUE, Scratch};

const CONFIGURATION: &str = "[model]\nname  = \"queue\"\ncover = [\"src/queue.ts#push\"]\n\n\
    [[calls]]\nof = \"src/store.ts#store\"\nin = [\"src/*.ts\"]\n";
const PATTERNS: &str = "[guard.OnlyOpen]\nin = \"src/queue.ts#push\"\neffect = \"store($$$)\"\nonly_if = \"$Q.open\"\n";
const STORE: &str = "export function store(queue: Queue) { write(queue); }\n";
const PUSH: &str = "import { store } from './store.js';\nexport function push(queue: Queue, job: Job) {\n  \
    if (!queue.open) return;\n  queue.jobs.push(job);\n  store(queue);\n}\n";
const ALWAYS: &str = "import { store } from './store.js';\nexport function push(queue: Queue, job: Job) {\n  \
    queue.jobs.push(job);\n  store(queue);\n  store(queue);\n}\n";

fn confirmed() -> Scratch {
    Scratch::confirmed(&[
        ("factgate.toml", CONFIGURATION),
        ("patterns/queue.toml", PATTERNS),
        ("src/store.ts", STORE),
        ("src/queue.ts", PUSH),
    ])
}

/// Each difference of the only model: its kind, its name, and what it follows from.
fn differences(scratch: &Scratch) -> Vec<String> {
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap().clone();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    stale.iter().map(|one| ["kind", "item", "because"].map(|key| word(&one[key])).join(" ")).collect()
}

fn check(scratch: &Scratch, wanted: &[&str], count: usize) {
    assert_eq!(differences(scratch), wanted);
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 3, "{said:?}");
    assert!(said.stdout.contains(&format!("{count} STALE since")), "{}", said.stdout);
    let annotations = scratch.run(&["check", "--format", "github"]).stdout;
    assert_eq!(annotations.matches("::error ").count(), count, "{annotations}");
    let junit = scratch.run(&["check", "--format", "junit"]).stdout;
    assert!(junit.contains(&format!("failures=\"{count}\"")), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&scratch.run(&["check", "--format", "sarif"]).stdout).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), count, "{sarif}");
}

#[test]
fn facts_and_sites_stand_below_the_item_that_changed() {
    let scratch = confirmed();
    scratch.write("src/queue.ts", ALWAYS);
    let item = "src/queue.ts#push";
    check(
        &scratch,
        &[&format!("changed {item} -"), &format!("call-added {item} {item}"), &format!("fact OnlyOpen {item}")],
        1,
    );
    let said = scratch.run(&["check"]);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(
        lines[1].starts_with("  changed       src/queue.ts#push   structure   src/queue.ts:2:1"),
        "{}",
        said.stdout
    );
    assert!(lines[2].starts_with("    call added    store in src/queue.ts#push   1 -> 2 times"), "{}", said.stdout);
    assert!(lines[3].starts_with("    fact          OnlyOpen TRUE -> FALSE   unguarded"), "{}", said.stdout);
    let sarif = scratch.run(&["check", "--format", "sarif"]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let related = sarif["runs"][0]["results"][0]["relatedLocations"].as_array().unwrap();
    assert_eq!(related.len(), 2, "{related:?}");
}

#[test]
fn what_has_another_cause_stands_by_itself() {
    let scratch = confirmed();
    scratch.edit("patterns/queue.toml", "only_if = \"$Q.open\"", "only_if = \"$Q.closed\"");
    scratch
        .write("src/other.ts", "import { store } from './store.js';\nexport const drop = () => store(new Queue());\n");
    scratch.edit("src/queue.ts", "queue.jobs.push(job)", "queue.jobs.unshift(job)");
    check(&scratch, &["changed src/queue.ts#push -", "call-added src/other.ts#drop -", "fact OnlyOpen -"], 3);
}

#[test]
fn a_new_entry_and_a_new_item_are_one_finding_each() {
    let scratch = confirmed();
    scratch
        .write("src/other.ts", "import { store } from './store.js';\nexport const drop = () => store(new Queue());\n");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    let entry = CONFIGURATION.replace("of = ", "name = \"every store\"\nof = ");
    scratch
        .write("factgate.toml", &format!("{CONFIGURATION}\n[[calls]]\n{}", entry.split("[[calls]]\n").nth(1).unwrap()));
    scratch.edit("factgate.toml", "#push\"]", "#push\", \"src/other.ts#drop\"]");
    scratch
        .write("patterns/other.toml", "[guard.DropsNew]\nin = \"src/other.ts#drop\"\nhas = \"store(new Queue())\"\n");
    check(
        &scratch,
        &[
            "unrecorded src/other.ts#drop -",
            "call-added src/other.ts#drop [[calls]] every store",
            "call-added src/queue.ts#push [[calls]] every store",
            "fact DropsNew src/other.ts#drop",
        ],
        2,
    );
}

#[test]
fn a_handler_and_a_helper_are_causes_as_well() {
    let config = CONFIG.replace("src/queue.ts#push", "src/queue.ts#listen/queue.on('job', $_)");
    let code = format!(
        "{QUEUE}export function listen(queue: Queue) {{\n  queue.on('job', (job: Job) => {{ if (hasRoom(queue)) push(queue, job); }});\n}}\n"
    );
    let patterns = "[guard.OnlyRoom]\nin = \"src/queue.ts#listen/queue.on('job', $_)\"\neffect = \"push($$$)\"\n\
        only_if = \"$Q.size < 3\"\n";
    let calls = "\n[[calls]]\nof = \"src/queue.ts#push\"\nin = [\"src/*.ts\"]\n";
    let scratch = Scratch::confirmed(&[
        ("factgate.toml", &format!("{config}{calls}")),
        ("patterns/queue.toml", patterns),
        ("src/queue.ts", &code),
    ]);
    scratch.edit("src/queue.ts", "queue.size < 3", "queue.width < 3");
    check(&scratch, &["changed src/queue.ts#hasRoom -", "fact OnlyRoom src/queue.ts#hasRoom"], 1);
    scratch.write("src/queue.ts", &code);
    scratch.edit("src/queue.ts", "push(queue, job); });", "{ push(queue, job); push(queue, job); } });");
    let handler = "src/queue.ts#listen/queue.on('job', $_)";
    // The first `push` takes the room that the second one needs.
    let changed = format!("changed {handler} -");
    let follows = [format!("call-added src/queue.ts#listen {handler}"), format!("fact OnlyRoom {handler}")];
    check(&scratch, &[&changed, &follows[0], &follows[1]], 1);
}

#[test]
fn facts_is_undecided_while_something_covered_cannot_be_read() {
    let scratch = Scratch::confirmed(&[
        ("factgate.toml", CONFIG),
        ("src/queue.ts", QUEUE),
        ("src/ok.ts", "export const A = 1;\n"),
    ]);
    scratch.write("patterns/a.toml", "[value.A]\nfrom = \"src/ok.ts#A\"\n");
    assert_eq!(scratch.run(&["facts"]).exit, 0);
    scratch.edit("src/queue.ts", "push(job)", "push(job +)");
    let said = scratch.run(&["facts"]);
    assert_eq!(said.exit, 2);
    assert!(said.stdout.contains("A") && said.stderr.contains("src/queue.ts:2"), "{said:?}");
}
