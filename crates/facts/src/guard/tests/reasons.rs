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

#[test]
fn the_path_is_told_by_what_tells_it_from_others() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let rows = [
        (
            "setTimeout(() => {\ngo(m);\n});",
            "the function handed to `setTimeout` at 2, which knows nothing of where it was made, reaches the `go` at 3 unchecked",
        ),
        (
            "on('x', function () {\nif (k) go(m);\n});",
            "in the function handed to `on` at 2, the branch at 3 where `k` reaches the `go` at 3 unchecked",
        ),
        (
            "try {\nk();\nif (!m.ok) return;\n} catch { n(); }\ngo(m);",
            "an error raised in `k()` at 3, caught at 5, reaches the `go` at 6 unchecked",
        ),
        (
            "try {\nk();\nif (!m.ok) return;\n} finally {\ngo(m); }",
            "an error raised in `k()` at 3, on its way out, reaches the `go` at 6 unchecked",
        ),
        (
            "for (const x of n) {\nif (!m.ok) continue;\n}\ngo(m);",
            "the branch at 2 where `for (const x of n) { if (!m.ok) continue; }` is done reaches the `go` at 5 unchecked",
        ),
        ("k && go(m) && m.ok;", "the check `m.ok` at 2 stands after the `go` at 2"),
    ];
    for (body, expected) in rows {
        let said = said(body, only);
        assert_eq!(said.split_once(": ").map(|(_, detail)| detail), Some(expected), "{body}");
    }
}

#[test]
fn what_may_have_been_meant_is_offered() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let rows = [
        (
            "invariant(m.ok, 'no');\ngo(m);",
            only,
            "; if `invariant(m.ok, 'no')` at 2 raises an error unless that holds, list it: `[assertions] calls = [\"invariant($C, $$$)\"]`",
        ),
        ("ensure('m', m.ok);\ngo(m);", only, "list it: `[assertions] calls = [\"ensure($_, $C, $$$)\"]`"),
        (
            "const ensure = (x) => { k(); if (!x.ok) throw 1; };\nensure(m);\ngo(m);\non(ensure);",
            "effect = go($$$)\nonly_if = $M.ok",
            "`ensure(m)` at 3 is not looked into; `through = true` does",
        ),
        ("if (m.oks) go(m);", only, "; `m.oks` at 2 comes close: `oks` instead of `ok`"),
        ("k.rm(m);", "effect = rm($$$)\nonly_if = m.ok", "; `k.rm(m)` at 2 fits with a receiver: `$_.rm($$$)`"),
        ("rm(m);", "effect = $_.rm($$$)\nonly_if = m.ok", "; `rm(m)` at 2 fits without a receiver: `rm($$$)`"),
        (
            "if (!m.ok) return;\nm.ok = k;\nmeasure(m);\ngo(m);",
            "effect = go($$$)\nonly_if = m.ok\nwithout = mesure($$$)",
            "nothing in a.ts#f matches `without` `mesure($$$)`; `measure(m)` at 4 comes close: `measure` instead of `mesure`; the assignment",
        ),
    ];
    for (body, text, expected) in rows {
        let said = said(body, text);
        assert!(said.contains(expected), "{body}\n{said}");
    }
    // Another tag or text is asked for on purpose.
    for (body, pattern) in [
        ("if (m.st === 'a') go(m);", "m.st === 'b'"),
        ("if (m.st === State.Open) go(m);", "m.st === State.Closed"),
        ("if (has(m, 1)) go(m);", "has(m, 2)"),
    ] {
        let said = said(body, &format!("effect = go($$$)\nonly_if = {pattern}"));
        assert!(!said.contains("comes close"), "{body}\n{said}");
    }
}
