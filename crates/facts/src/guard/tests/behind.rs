//! What is passed between a check and the effect inside one value, or inside a called function.

use super::{check, check_file, decided, word};

/// Checks under `without` and under `since`, where the node is passed before as well.
fn check_both(body: &str, expected: [&str; 2]) {
    let only = "effect = go($$$)\nonly_if = m.ok";
    check(body, &format!("{only}\nwithout = bad($$$)"), expected[0]);
    check(&format!("bad(); {body}"), &format!("{only}\nsince = bad($$$)"), expected[1]);
}

/// The same where both read FALSE, whatever the reason.
fn check_neither(body: &str) {
    for (before, key) in [("", "without"), ("bad();", "since")] {
        let source = format!("async function f(m, n, k) {{ {before} {body} }}");
        let fact = decided("a.ts", &source, &format!("effect = go($$$)\nonly_if = m.ok\n{key} = bad($$$)"));
        assert!(!["TRUE", "unknown"].contains(&word(&fact)), "{source} {key}: {:?}", fact.value);
    }
}

#[test]
fn a_flag_is_no_later_than_its_parts() {
    for value in [
        "m.ok && bad()",
        "m.ok && !bad()",
        "m.ok ? bad() : false",
        "m.ok && bad() === 1",
        "m.ok && n && bad()",
        "n && m.ok && bad()",
        "m.ok && n(bad())",
        "m.ok && { v: bad() }",
        "m.ok && [bad()]",
        "m.ok && (bad(), true)",
        "m.ok && (n || bad())",
        "m.ok && `${bad()}`",
        "!!(m.ok && bad())",
        "m.ok && (() => bad())()",
        "m.ok && new n(bad())",
    ] {
        let only = "effect = go($$$)\nonly_if = m.ok";
        for body in [
            format!("const r = {value}; if (r) go();"),
            format!("let r = {value}; if (!r) return; go();"),
            format!("let r = false; r = {value}; if (r) go();"),
        ] {
            check(&body, only, "TRUE");
            check(&body, &format!("{only}\nwithout = bad($$$)"), "interrupted");
            check(&format!("bad(); {body}"), &format!("{only}\nsince = bad($$$)"), "stale-check");
            check(&body.replace("bad()", "n()"), &format!("{only}\nwithout = bad($$$)"), "TRUE");
        }
    }
    let wait = "effect = go($$$)\nonly_if = m.ok\nwithout = await";
    check("const r = m.ok && (await n()); if (r) go();", wait, "interrupted");
    check("const r = m.ok ? { v: await n() } : null; if (r !== null) go();", wait, "interrupted");
    check("const r = (await n()) && m.ok; if (r) go();", wait, "TRUE");
    check("const r = m.ok && n(); if (r) go();", wait, "TRUE");
}

#[test]
fn what_stands_before_the_check_does_not_count() {
    check_both("const r = bad() && m.ok; if (r) go();", ["TRUE", "TRUE"]);
    check_both("const r = bad() ? m.ok : false; if (r) go();", ["TRUE", "TRUE"]);
    check_both("const r = m.ok && n; if (r) go(); bad();", ["TRUE", "TRUE"]);
    check_both("const q = bad(), r = m.ok; if (r) go();", ["TRUE", "TRUE"]);
    check_both("const r = m.ok, q = bad(); if (r) go();", ["interrupted", "stale-check"]);
    check_both("if (m.ok || bad()) { if (!m.ok) return; go(); }", ["TRUE", "TRUE"]);
}

#[test]
fn other_places_that_ask_several_things() {
    check_both("switch (m.ok && bad()) { case true: go(); }", ["interrupted", "stale-check"]);
    check_both("switch (true) { case m.ok && bad(): go(); }", ["interrupted", "stale-check"]);
    check_both("switch (true) { case bad() && m.ok: go(); }", ["TRUE", "TRUE"]);
    check_both("((q, r) => { if (r) go(); })(bad(), m.ok);", ["TRUE", "TRUE"]);
    check_neither("const g = () => m.ok && bad(); if (g()) go();");
    check_both("const g = () => m.ok && n; if (g()) go();", ["TRUE", "TRUE"]);
    let only = "effect = go($$$)\nonly_if = m.ok";
    check("const r = m.ok && delete m.ok; if (r) go();", only, "reassigned");
    check("const r = m.ok && Object.assign(m, n); if (r) go();", only, "reassigned");
    check("const r = Object.assign(m, n) && m.ok; if (r) go();", only, "TRUE");
    check("const r = delete m.no && m.ok; if (r) go();", only, "TRUE");
    let zig = |body: &str| format!("fn f(m: *M) void {{ {body} }}");
    let between = format!("{only}\nwithout = bad()");
    check_file("a.zig", &zig("const r = m.ok and bad(); if (r) go();"), &between, "interrupted");
    check_file("a.zig", &zig("const r = if (m.ok) bad() else false; if (r) go();"), &between, "interrupted");
    check_file("a.zig", &zig("const r = bad() and m.ok; if (r) go();"), &between, "TRUE");
}

#[test]
fn arguments_are_no_later_than_they_were_read() {
    let with = |functions: &str, body: &str, expected: [&str; 2]| check_both(&format!("{functions} {body}"), expected);
    let both = "const and = (a, b) => a && b; const id = (a) => a;";
    let late = |body: &str| check_neither(&format!("{both} {body}"));
    late("if (and(m.ok, bad())) go();");
    late("if (!id(m.ok, bad())) return; go();");
    late("if (id(m.ok && bad())) go();");
    late("const r = and(m.ok, bad()); if (r) go();");
    with(both, "if (and(bad(), m.ok)) go();", ["TRUE", "TRUE"]);
    with("const isOk = (x, y) => x.ok;", "if (isOk(m, bad())) go();", ["TRUE", "TRUE"]);
    let only = "effect = go($$$)\nonly_if = m.ok";
    check(&format!("{both} const r = id(m.ok, (m = n)); if (r) go();"), only, "reassigned");
    check(&format!("{both} const r = id(m.ok, (n = m)); if (r) go();"), only, "TRUE");
    let of = "const isOk = (x) => x.s === 'a';";
    let waits = "effect = go($$$)\nonly_if = $M.s === 'a'\nwithout = await";
    check(&format!("{of} if (isOk(await n())) go();"), waits, "TRUE");
    check(&format!("{of} const q = await n(); if (isOk(q)) go();"), waits, "TRUE");
}

#[test]
fn a_called_function_may_pass_both_nodes() {
    let after = "effect = go()\nafter = pre()\nwithout = bad()\nthrough = true";
    let called = |functions: &str, call: &str, expected: &str| {
        check(&format!("{functions} {call} go();"), after, expected);
        let outside = format!("{functions} async function f(m, n) {{ {call} go(); }}");
        check_file("a.ts", &outside, after, expected);
    };
    called("function g() { pre(); bad(); }", "g();", "interrupted");
    called("function g() { pre(); if (n) bad(); }", "pre(); g();", "interrupted");
    called("function g() { try { pre(); } finally { bad(); } }", "g();", "interrupted");
    called("function g() { pre(); k(); } function k() { bad(); }", "g();", "interrupted");
    called("async function g() { pre(); await n; bad(); }", "await g();", "interrupted");
    called("function g() { pre(); }", "g();", "TRUE");
    called("function g() { pre(); bad(); }", "g(); pre();", "TRUE");
    called("async function g() { await n; pre(); }", "await g();", "TRUE");
    let only = "effect = go(m)\nonly_if = m.ok\nwithout = bad()\nthrough = true";
    let guard = |rest: &str| format!("async function g(x) {{ {rest} }} async function f(m) {{ await g(m); go(m); }}");
    check_file("a.ts", &guard("if (!x.ok) throw 1; await n(); bad();"), only, "interrupted");
    check_file(
        "a.ts",
        &guard("if (!x.ok) throw 1; await h();").replace("async function f", "const h = () => bad(); async function f"),
        only,
        "interrupted",
    );
    check_file("a.ts", &guard("if (!x.ok) throw 1; await n();"), only, "TRUE");
}
