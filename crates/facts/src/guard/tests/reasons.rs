//! Reasons in words.

use super::decided;

fn said(body: &str, text: &str) -> String {
    let fact = decided("a.ts", &format!("async function f(m, n, k) {{\n{body}\n}}"), text);
    let mut said = fact.reason.map_or("TRUE", |reason| reason.code()).to_owned();
    said.push_str(": ");
    said.push_str(fact.detail.as_deref().unwrap_or(""));
    said
}

#[track_caller]
fn check(body: &str, text: &str, expected: &str) {
    assert_eq!(said(body, text), expected);
}

const SKIP: &str = "effect = store.rm($$$)\nskip_if = bad($M.s)";

#[test]
fn each_reason_names_its_places() {
    check(
        "if (k === null) {\nlog();\n} else if (bad(m.s)) {\nreturn;\n}\nstore.rm(m);",
        SKIP,
        "unguarded: the branch at 2 where `k === null` reaches the `rm` at 7 unchecked",
    );
    check("store.rm(m);\nif (bad(m.s)) return;", SKIP, "late: the check `bad(m.s)` at 3 stands after the `rm` at 2");
    check(
        "if (bad(m.s)) {\nstore.rm(m);\n}",
        SKIP,
        "wrong-outcome: the check `bad(m.s)` at 2 reaches the `rm` at 3 with the other outcome",
    );
    check(
        "if (bad(m.s)) return;\nm = n;\nstore.rm(m);",
        SKIP,
        "reassigned: the assignment `m = n` at 3 stands between the check of `bad($M.s)` and the `rm` at 4",
    );
    check(
        "if (bad(m.s)) return;\nawait w();\nstore.rm(m);",
        "effect = store.rm($$$)\nskip_if = bad($M.s)\nwithout = await",
        "interrupted: `await w()` at 3 lies between the check of `bad($M.s)` and the `rm` at 4",
    );
    check(
        "store.rm(m);\nif (k) return;\ndone();",
        "effect = store.rm($$$)\nthen = done()",
        "not-followed: the way out behind `return;` at 3 leaves the `rm` at 2 without `done()`",
    );
    check(
        "store.rm(m);\nif (k) { a(); return; }\nif (n) return;\nb();",
        "effect = store.rm($$$)\nany\nthen = a()\nany\nthen = b()",
        "not-followed: the way out behind `return;` at 4 leaves the `rm` at 2 without `a()` or `b()`",
    );
    check(
        "switch (m.s) {\ncase 'a': case 'b':\nstore.rm(m);\n}",
        "effect = store.rm($$$)\nonly_if = m.s === 'b'",
        "unguarded: the branch at 3 where `m.s` is `'a'` reaches the `rm` at 4 unchecked",
    );
    check(
        "await look(\n  m,\n  n,\n);\nif (bad(m.s)) return;\nk\n  .x.sync(\n    m\n  );\nstore.rm(m);",
        "effect = store.rm($$$)\nskip_if = bad($M.s)\nwithout = $_.sync($$$)",
        "interrupted: `k.x.sync(m)` at 7 lies between the check of `bad($M.s)` and the `rm` at 11",
    );
    check("kill(m);", "never = kill($$$)", "present: `kill(m)` at 2 stands in the scope");
}
