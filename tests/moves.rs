//! Code that moves: `check` follows it and tells one thing, `factgate mv` renames it, and nothing is confirmed by that.

use crate::scratch::Scratch;

const CONFIG: &str = "# the queue\n[model]\nname  = \"queue\"\ncover = [\n  'src/queue/push.ts#push', # first\n  \
    \"src/queue/pop.ts#pop\",\n]\n\n[[calls]]\nof = \"src/store.ts#store\"\nin = [\"src/*.ts\", \"src/queue/**/*.ts\"]\n\n\
    [[calls]]\nname = \"drops\"\nmatch = \"$Q.drop($$$)\"\nin = ['src/queue/pop.ts']\n";
const PATTERNS: &str = "[guard.OnlyOpen]\nin = \"src/queue/push.ts#push\" # here\neffect = \"store($$$)\"\n\
    only_if = \"$Q.open\"\n\n[value.Limit]\nfrom = \"src/queue/push.ts#LIMIT\"\n";
const PUSH: &str = "import { store } from '../store.js';\nexport const LIMIT = 3;\nexport function push(queue: Queue, job: Job) {\n  \
    if (!queue.open) return;\n  queue.jobs.push(job);\n  store(queue);\n}\n";
const POP: &str = "import { store } from '../store.js';\nexport function pop(queue: Queue) {\n  \
    const job = queue.jobs.shift();\n  store(queue);\n  if (job === undefined) queue.drop();\n  return job;\n}\n";
const STORE: &str = "export function store(queue: Queue) {\n  queue.dirty = true;\n  write(queue);\n}\n";

fn confirmed() -> Scratch {
    Scratch::confirmed(&[
        ("verify/factgate.toml", CONFIG),
        ("verify/patterns/queue.toml", PATTERNS),
        ("src/queue/push.ts", PUSH),
        ("src/queue/pop.ts", POP),
        ("src/store.ts", STORE),
        (
            "src/main.ts",
            "import { store } from './store.js';\nconst queue = new Queue();\nqueue.open = true;\nstore(queue);\n",
        ),
    ])
}

/// Moves in git, with the imports as they have to be then.
fn git_mv(scratch: &Scratch, old: &str, new: &str) {
    let folder = scratch.path(new);
    std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
    scratch.git(&["mv", old, new]);
}

fn stale(scratch: &Scratch, arguments: &[&str]) -> Vec<String> {
    let json = scratch.json(&[&["check", "--format", "json"], arguments].concat());
    assert_eq!(json["errors"], serde_json::json!([]), "{json}");
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    let one = |one: &serde_json::Value| ["kind", "item", "to"].map(|key| word(&one[key])).join(" ");
    json["models"][0]["stale"].as_array().unwrap().iter().map(one).collect()
}

/// `check` tells one thing, and `factgate mv` is all that it takes.
fn check_followed(scratch: &Scratch, command: &str) {
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 3, "{said:?}");
    assert!(said.stdout.contains("1 STALE since"), "{}", said.stdout);
    assert!(said.stdout.contains(&format!("follow the move: `factgate {command}`")), "{}", said.stdout);
    assert!(!said.stdout.contains("factgate diff"), "{}", said.stdout);
    let words: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
    let said = scratch.run(&words);
    assert_eq!(said.exit, 0, "{said:?}");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0, "{said:?}");
    assert_eq!(scratch.run(&words).exit, 2, "nothing is left to rename");
    assert_eq!(scratch.run(&["sync"]).stdout, "queue   in sync already   verify/coverage/queue.json\n");
}

#[test]
fn a_folder_is_followed() {
    let scratch = confirmed();
    git_mv(&scratch, "src/queue", "src/core/queue");
    scratch.edit("src/core/queue/push.ts", "'../store.js'", "'../../store.js'");
    scratch.edit("src/core/queue/pop.ts", "'../store.js'", "'../../store.js'");
    scratch.git(&["add", "-A"]);
    for view in [&[][..], &["--staged"]] {
        assert_eq!(
            stale(&scratch, view),
            [
                "moved src/queue/pop.ts#pop src/core/queue/pop.ts#pop",
                "moved src/queue/push.ts#LIMIT src/core/queue/push.ts#LIMIT",
                "moved src/queue/push.ts#push src/core/queue/push.ts#push",
            ]
        );
    }
    check_followed(&scratch, "mv src/queue src/core/queue");
    assert_eq!(
        scratch.read("verify/factgate.toml"),
        CONFIG.replace("src/queue", "src/core/queue"),
        "comments, order and quotes stay"
    );
    assert_eq!(scratch.read("verify/patterns/queue.toml"), PATTERNS.replace("src/queue", "src/core/queue"));
    scratch.git(&["add", "-A"]);
    assert_eq!(scratch.run(&["check", "--staged"]).exit, 0);
}

#[test]
fn a_file_is_followed_out_of_the_globs() {
    let scratch = confirmed();
    git_mv(&scratch, "src/queue/pop.ts", "lib/take.ts");
    scratch.edit("lib/take.ts", "'../store.js'", "'../src/store.js'");
    check_followed(&scratch, "mv src/queue/pop.ts lib/take.ts");
    let config = scratch.read("verify/factgate.toml");
    assert!(config.contains("in = [\"src/*.ts\", \"src/queue/**/*.ts\", \"lib/take.ts\"]"), "{config}");
    assert!(config.contains("in = ['lib/take.ts']"), "{config}");
}

#[test]
fn a_watched_definition_and_a_file_of_sites_alone_are_followed() {
    let scratch = confirmed();
    git_mv(&scratch, "src/store.ts", "src/disk.ts");
    for file in ["src/queue/push.ts", "src/queue/pop.ts"] {
        scratch.edit(file, "../store.js", "../disk.js");
    }
    scratch.edit("src/main.ts", "./store.js", "./disk.js");
    assert_eq!(stale(&scratch, &[]), ["moved src/store.ts#store src/disk.ts#store"]);
    check_followed(&scratch, "mv src/store.ts src/disk.ts");
    git_mv(&scratch, "src/main.ts", "src/start.ts");
    assert_eq!(stale(&scratch, &[]), ["moved src/main.ts src/start.ts"]);
    check_followed(&scratch, "mv src/main.ts src/start.ts");
}

#[test]
fn an_item_is_followed_into_a_file_that_is_there() {
    let scratch = confirmed();
    let item = POP.split_once('\n').unwrap().1;
    scratch.write("src/queue/pop.ts", "export const EMPTY = [];\n");
    scratch.write("src/queue/push.ts", &format!("{PUSH}{item}"));
    assert_eq!(stale(&scratch, &[]), ["moved src/queue/pop.ts#pop src/queue/push.ts#pop"]);
    check_followed(&scratch, "mv src/queue/pop.ts#pop src/queue/push.ts#pop");
}

#[test]
fn what_moved_and_changed_is_compared_with_its_new_place() {
    let scratch = confirmed();
    git_mv(&scratch, "src/queue/push.ts", "src/queue/put.ts");
    scratch.edit("src/queue/put.ts", "  if (!queue.open) return;\n", "");
    scratch.commit("put");
    let json = scratch.json(&["check", "--format", "json"]);
    let stale = json["models"][0]["stale"].as_array().unwrap();
    let kinds: Vec<&str> = stale.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["changed", "moved", "moved", "fact"], "{json}");
    assert_eq!(stale[0]["at"]["file"], "src/queue/put.ts");
    assert_eq!(stale[0]["because"], "src/queue/push.ts#push");
    assert_eq!(stale[3]["because"], "src/queue/push.ts#push");
    let said = scratch.run(&["check"]);
    assert!(said.stdout.contains("1 STALE since"), "{}", said.stdout);
    let said = scratch.run(&["diff", "src/queue/push.ts#push"]);
    assert!(said.exit == 0 && said.stdout.contains("- 4    if"), "{said:?}");
    assert_eq!(scratch.run(&["mv", "src/queue/push.ts", "src/queue/put.ts"]).exit, 0);
    let said = scratch.run(&["check"]);
    assert!(said.exit == 3 && said.stdout.contains("changed       src/queue/put.ts#push"), "{said:?}");
    let said = scratch.run(&["diff", "src/queue/put.ts#push"]);
    assert!(said.exit == 0 && said.stdout.contains("- 4    if"), "{said:?}");
    assert_eq!(scratch.run(&["sync"]).exit, 2, "a change asks for a reason");
}

#[test]
fn without_git_the_file_with_most_of_the_items_is_the_new_one() {
    let code = |text: &str| {
        format!(
            "export function a() {{ {text}(1); }}\nexport function b() {{ {text}(2); }}\nexport function c() {{ {text}(3); }}\n"
        )
    };
    let config =
        "[model]\nname = \"m\"\ncover = [\"src/old.ts#a\", \"src/old.ts#b\", \"src/old.ts#c\", \"src/new.ts#other\"]\n";
    let other = format!("export function other() {{ {} }}\n", "work(); ".repeat(40));
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/old.ts", &code("go")), ("src/new.ts", &other)]);
    std::fs::remove_file(scratch.path("src/old.ts")).unwrap();
    scratch.write("src/new.ts", &format!("{other}{}", code("go").replace("go(3)", "go(4)")));
    assert_eq!(
        stale(&scratch, &[]),
        [
            "changed src/old.ts#c src/new.ts#c",
            "moved src/old.ts#a src/new.ts#a",
            "moved src/old.ts#b src/new.ts#b",
            "moved src/old.ts#c src/new.ts#c"
        ]
    );
}

#[test]
fn a_definition_that_is_renamed_or_deleted_is_stale() {
    let scratch = confirmed();
    scratch.edit("src/store.ts", "store(", "save(");
    for file in ["src/queue/push.ts", "src/queue/pop.ts", "src/main.ts"] {
        scratch.edit(file, "{ store }", "{ save }");
        scratch.edit(file, "store(", "save(");
    }
    let kinds = stale(&scratch, &[]);
    assert!(kinds.contains(&"removed src/store.ts#store -".to_owned()), "{kinds:?}");
    assert!(!kinds.iter().any(|kind| kind.starts_with("call-")), "{kinds:?}");
    assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 2, "what is watched must be there");
    assert_eq!(scratch.run(&["mv", "src/store.ts#store", "src/store.ts#save"]).exit, 0);
    assert!(scratch.read("verify/coverage/queue.json").contains("\"save\": {"));
    let kinds = stale(&scratch, &[]);
    assert!(!kinds.iter().any(|kind| kind.starts_with("call-") || kind.starts_with("removed")), "{kinds:?}");
}

#[test]
fn what_is_removed_says_where_its_name_stands() {
    let scratch = confirmed();
    scratch.write("src/queue/pop.ts", "export const EMPTY = [];\n");
    scratch.write("src/queue/other.ts", "export function pop(queue: Queue) { return queue.jobs.pop(); }\n");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 3, "{said:?}");
    assert!(said.stdout.contains("the name stands at src/queue/other.ts#pop now"), "{}", said.stdout);
    assert!(said.stdout.contains("    call removed  store in src/queue/pop.ts#pop"), "{}", said.stdout);
}

#[test]
fn a_record_follows_what_somebody_wrote_into_cover_already() {
    let scratch = confirmed();
    git_mv(&scratch, "src/queue/pop.ts", "src/queue/take.ts");
    scratch.edit("verify/factgate.toml", "src/queue/pop.ts", "src/queue/take.ts");
    assert_eq!(
        stale(&scratch, &[]),
        [
            "moved src/queue/pop.ts src/queue/take.ts",
            "uncovered src/queue/pop.ts#pop -",
            "unrecorded src/queue/take.ts#pop -"
        ]
    );
    check_followed(&scratch, "mv src/queue/pop.ts src/queue/take.ts");
}

#[test]
fn a_file_that_no_language_reads_is_followed() {
    let text = "create table job (id int);\ncreate index job_id on job (id);\n";
    let config = "[model]\nname = \"queue\"\ncover = [\"src/queue.ts#push\", \"db/jobs.sql\"]\n";
    let code = "export function push(queue: Queue, job: Job) { queue.jobs.push(job); }\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/queue.ts", code), ("db/jobs.sql", text)]);
    git_mv(&scratch, "db/jobs.sql", "sql/jobs.sql");
    assert_eq!(stale(&scratch, &[]), ["moved db/jobs.sql sql/jobs.sql"]);
    assert_eq!(scratch.run(&["mv", "db/jobs.sql", "sql/jobs.sql"]).exit, 0);
    assert_eq!(scratch.run(&["check"]).exit, 0);
}

#[test]
fn an_item_inside_another_is_still_told_by_itself() {
    let config = "[model]\nname = \"queue\"\ncover = [\"src/q.ts#Queue\", \"src/q.ts#Queue.push\"]\n";
    let code = "export class Queue {\n  push(job: Job) { if (this.open) this.jobs.push(job); }\n  close() { this.open = false; }\n}\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/q.ts", code)]);
    git_mv(&scratch, "src/q.ts", "src/core/queue.ts");
    assert_eq!(scratch.run(&["mv", "src/q.ts", "src/core/queue.ts"]).exit, 0);
    assert!(!scratch.read("coverage/queue.json").contains("src/q.ts"), "no old name is left");
    scratch.commit("moved");
    scratch.edit("src/core/queue.ts", "jobs.push", "jobs.unshift");
    assert_eq!(stale(&scratch, &[]), ["changed src/core/queue.ts#Queue.push -"]);
}

#[test]
fn two_models_with_other_roots_follow_together() {
    let of_root = "[model]\nname = \"inner\"\nroot = \"../src\"\ncover = [\"queue/push.ts#push\"]\n";
    let scratch = confirmed();
    scratch.write("inner/factgate.toml", of_root);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    scratch.commit("inner");
    git_mv(&scratch, "src/queue", "src/q");
    assert_eq!(scratch.run(&["check"]).exit, 3);
    let said = scratch.run_in("src", &["mv", "queue", "q"]);
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(scratch.read("inner/factgate.toml").contains("\"q/push.ts#push\""));
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0, "{said:?}");
}

/// Refused with this word, and nothing written.
fn check_refused(old: &str, new: &str, word: &str) {
    let scratch = confirmed();
    let before: Vec<String> =
        ["verify/factgate.toml", "verify/coverage/queue.json"].map(|path| scratch.read(path)).into();
    let said = scratch.run(&["mv", old, new]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert!(said.stderr.contains(word), "{old} {new}: {}", said.stderr);
    let after: Vec<String> =
        ["verify/factgate.toml", "verify/coverage/queue.json"].map(|path| scratch.read(path)).into();
    assert_eq!(before, after);
}

#[test]
fn what_cannot_be_followed_is_refused() {
    check_refused("src/queue/pusch.ts", "src/queue/put.ts", "src/queue/push.ts");
    check_refused("src/queue/push.ts", "src/queue/put.ts", "git mv src/queue/push.ts src/queue/put.ts");
    check_refused("src/queue/push.ts#push", "src/queue/push.ts#put", "`push`");
    check_refused("src/queue/push.ts#push", "src/queue/pop.ts#pop", "already");
    check_refused("src/queue/push.ts#push", "src/queue/put.ts", "selector");
}
