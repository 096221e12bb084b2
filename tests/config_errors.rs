//! Errors of configuration: everything that is wrong in one go, with file, line, column, the source line underlined and
//! the nearest known key; nothing is evaluated.

use crate::scratch::{CONFIG, QUEUE, Scratch, shown};

/// One wrong configuration: what `check` says, as a snapshot, and that `check --format json` says it too.
fn check(name: &str, config: &str, patterns: &str) {
    let scratch =
        Scratch::new(&[("factgate.toml", config), ("patterns/queue.toml", patterns), ("src/queue.ts", QUEUE)]);
    let said = scratch.run(&["check"]);
    assert_eq!((said.exit, said.stdout.as_str()), (2, ""), "{name}");
    insta::assert_snapshot!(format!("config_errors_{name}"), shown(&said));
    let json = scratch.json(&["check", "--format", "json"]);
    assert_eq!(json["exit"], 2, "{name}");
    assert!(json["models"].as_array().unwrap().is_empty(), "{name}");
    assert!(!json["errors"].as_array().unwrap().is_empty(), "{name}");
    let facts = scratch.run(&["facts"]);
    assert_eq!((facts.exit, facts.stdout.as_str()), (2, ""), "{name}");
}

#[test]
fn everything_wrong_in_one_file_is_said_at_once() {
    check(
        "all_at_once",
        "[model]\nname = 7\nrecrod = \"x.json\"\ncover = [\"src/queue.ts#push\", false]\nfiles = []\n\n\
         [[calls]]\nof = \"src/queue.ts#push\"\n\n[limits]\nfile_bytes = 0\n\n[modle]\n",
        "",
    );
}

#[test]
fn syntax_errors_of_toml_have_their_line() {
    check("toml", "[model]\nname = \"queue\ncover = [\n", "");
}

#[test]
fn missing_keys_and_tables_are_named() {
    check("no_model", "[limits]\n", "");
    check("no_cover", "[model]\nname = \"queue\"\n", "");
}

#[test]
fn paths_globs_and_selectors_are_checked() {
    check(
        "selectors",
        "[model]\nname = \"queue\"\nroot = \".\"\ncover = [\"src/queue.ts#\", \"/etc/a.ts#f\", \"src/notes.txt#f\", \
         \"src/queue.ts#push\", \"src/queue.ts#push\"]\n",
        "",
    );
    check("root", "[model]\nname = \"queue\"\nroot = \"../..\"\ncover = [\"src/queue.ts#push\"]\n", "");
    check("glob", "[model]\nname = \"queue\"\ncover = [\"src/queue.ts#push\"]\nfiles = [\"model/[\"]\n", "");
    check("name", "[model]\nname = \"../queue\"\ncover = [\"src/queue.ts#push\"]\n", "");
}

#[test]
fn calls_need_one_way_and_one_key() {
    let calls = "[[calls]]\nof = \"src/queue.ts#push\"\nin = [\"src/*.ts\"]\n";
    check("calls_doubled", &format!("{CONFIG}\n{calls}\n{calls}"), "");
    check("calls_both", &format!("{CONFIG}\n[[calls]]\nin = [\"src/*.ts\"]\n"), "");
    check("calls_shape", &format!("{CONFIG}\n[[calls]]\nmatch = \"rm($$$)\"\nin = [\"src/*.ts\"]\n"), "");
    check("calls_pattern", &format!("{CONFIG}\n[[calls]]\nname = \"rm\"\nmatch = \"rm((\"\nin = [\"src/*.ts\"]\n"), "");
}

#[test]
fn guards_must_make_sense() {
    check("guard_keys", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\neffect = \"f()\"\nonly_fi = \"g()\"\n");
    check("guard_alone", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\neffect = \"f()\"\n");
    check("guard_no_effect", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\nonly_if = \"f()\"\n");
    check("guard_empty", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\n");
    check(
        "guard_since",
        CONFIG,
        "[guard.A]\nin = \"src/queue.ts#push\"\neffect = \"f()\"\nafter = \"g()\"\nsince = \"h()\"\n",
    );
    check("guard_name", CONFIG, "[guard.\"a b\"]\nin = \"src/queue.ts#push\"\nhas = \"f()\"\n");
    check("guard_any", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\neffect = \"f()\"\nany = [{}]\n");
}

#[test]
fn patterns_are_read_before_anything_is_evaluated() {
    check("pattern_code", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\nhas = [\"f()\", \"if ((a\"]\n");
    check("pattern_variable", CONFIG, "[guard.A]\nin = \"src/queue.ts#push\"\nhas = \"start($x)\"\n");
    check(
        "pattern_regex",
        CONFIG,
        "[guard.A]\nin = \"src/queue.ts#push\"\nhas = \"f($A)\"\nmatching = { A = \"x[\" }\n",
    );
    check(
        "pattern_matching",
        CONFIG,
        "[guard.A]\nin = \"src/queue.ts#push\"\nhas = \"f($A)\"\nmatching = { B = \"x\" }\n",
    );
    let asked = "only_if = [\"g(); h()\", \"g()\", \"return g()\", \"true\", \"await\"]\n";
    check("pattern_condition", CONFIG, &format!("[guard.A]\nin = \"src/queue.ts#push\"\neffect = \"f()\"\n{asked}"));
    check("pattern_take", CONFIG, "[set.A]\nfrom = \"src/queue.ts#push\"\ntake = \"nams\"\n");
    check("pattern_kinds", CONFIG, "[set.A]\nfrom = \"src/queue.ts#push\"\n[value.A]\nfrom = \"src/queue.ts#push\"\n");
}

#[test]
fn runs_must_make_sense() {
    let engine = "[engine]\nkind = \"tlc\"\n";
    check("run_engine", &format!("{CONFIG}\n[run.a]\nspec = \"A.tla\"\n"), "");
    check("run_kind", &format!("{CONFIG}\n[engine]\nkind = \"tcl\"\nsha256 = \"12\"\n"), "");
    check(
        "run_keys",
        &format!("{CONFIG}\n{engine}[run.a]\nspec = \"A.tla\"\ninvariant = [\"A\"]\nexpect = \"maybe\"\n"),
        "",
    );
    check(
        "run_values",
        &format!("{CONFIG}\n{engine}[run.a]\nspec = \"A.tla\"\nexpect = \"maybe\"\ntimeout = \"soon\"\n"),
        "",
    );
}

#[test]
fn models_are_picked_by_name() {
    let scratch = Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    assert_eq!(scratch.run(&["check", "queue"]).exit, 0);
    let said = scratch.run(&["check", "queu"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("did you mean `queue`"), "{}", said.stderr);
}
