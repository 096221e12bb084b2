//! What ends knowledge without standing between check and effect as a plain assignment.

use super::{check, check_file};

const ONLY: &str = "effect = go($X)\nonly_if = ok($X)";
const SINCE: &str = "effect = go($X)\nonly_if = ok($X)\nsince = meas($X)";

fn zig(body: &str, text: &str, expected: &str) {
    check_file("a.zig", &format!("fn f(m: *Queue, n: *Queue, k: bool) void {{ {body} }}"), text, expected);
}

#[test]
fn what_was_measured_of_another_object_does_not_count() {
    check("meas(m); if (!ok(m)) return; go(m);", SINCE, "TRUE");
    check("meas(m); m = n; if (!ok(m)) return; go(m);", SINCE, "stale-check");
    check("m = n; meas(m); if (!ok(m)) return; go(m);", SINCE, "TRUE");
    check("meas(m.a); m.a = w(); if (!ok(m.a)) return; go(m.a);", SINCE, "stale-check");
    check("meas(m.a); m.b = w(); if (!ok(m.a)) return; go(m.a);", SINCE, "TRUE");
    check("meas(m); for (;;) { if (!ok(m)) return; go(m); m = n; }", SINCE, "stale-check");
    check("for (;;) { meas(m); if (!ok(m)) return; go(m); m = n; }", SINCE, "TRUE");
    let made = "effect = go($X)\nonly_if = ok($X)\nsince = $X = meas()";
    check("m = meas(); if (!ok(m)) return; go(m);", made, "TRUE");
    zig("meas(m); if (!ok(m)) return; go(m);", SINCE, "TRUE");
    zig("meas(m); m = n; if (!ok(m)) return; go(m);", SINCE, "stale-check");
    zig("meas(m.a); m.a = w(); if (!ok(m.a)) return; go(m.a);", SINCE, "stale-check");
    zig(
        "const x = meas(); if (!ok(x)) return; go(x);",
        "effect = go($X)\nonly_if = ok($X)\nsince = const $X = meas()",
        "TRUE",
    );
    zig("var x = w(); x = meas(); if (!ok(x)) return; go(x);", made, "TRUE");
    zig("const x = pre(); go(x);", "effect = go($X)\nafter = const $X = pre()", "TRUE");
}

#[test]
fn a_function_called_later_may_assign_at_every_call() {
    check("const h = () => { m = n; }; if (!ok(m)) return; h(); go(m);", ONLY, "reassigned");
    check("if (!ok(m)) return; h(); go(m); function h() { m = n; }", ONLY, "reassigned");
    check("const o = { h() { m = n; } }; if (!ok(m)) return; o.h(); go(m);", ONLY, "reassigned");
    check("const h = () => { m.s = n; }; if (!ok(m.s)) return; h(); go(m.s);", ONLY, "reassigned");
    check("let h; for (;;) { if (!ok(m)) return; h?.(); go(m); h = () => { m = n; }; }", ONLY, "reassigned");
    check("later(() => { m = n; }); if (!ok(m)) return; await w(); go(m);", ONLY, "reassigned");
    check("later(() => { m = n; }); if (!ok(m)) return; await k; go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; if (!ok(m)) return; new W(h); go(m);", ONLY, "reassigned");
    check("const h = () => { m++; }; if (ok(m) && h()) go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; const d = ok(m) && h(); if (d) go(m);", ONLY, "reassigned");
    check(
        "const h = () => { m = n; }; if (!ok(m)) return; go(m, h());",
        "effect = go($X, $_)\nonly_if = ok($X)",
        "reassigned",
    );
    check("const h = () => { const g = () => { m = n; }; g(); }; if (!ok(m)) return; h(); go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; later(() => { if (!ok(m)) return; h(); go(m); });", ONLY, "reassigned");
    check("const h = () => { m = n; }; pre(m); h(); go(m);", "effect = go($X)\nafter = pre($X)", "reassigned");
    check("const h = () => { m = n; }; go(m); h(); post(m);", "effect = go($X)\nthen = post($X)", "not-followed");
}

#[test]
fn nothing_is_called_or_nothing_of_it_assigned() {
    check("const h = () => { m = n; }; if (!ok(m)) return; go(m);", ONLY, "TRUE");
    check("const h = () => { m = n; }; h(); if (!ok(m)) return; k = 1; go(m);", ONLY, "TRUE");
    check("const h = () => { n = m; }; if (!ok(m)) return; h(); go(m);", ONLY, "TRUE");
    check("const h = (m) => { m = n; }; if (!ok(m)) return; h(); go(m);", ONLY, "TRUE");
    check("if (!ok(m)) return; await w(); go(m); later(() => { m = n; });", ONLY, "TRUE");
    check("later(async (x) => { let y = x; if (!ok(y)) return; w(); go(y); });", ONLY, "TRUE");
    check("const h = () => { m.b = n; }; if (!ok(m.s)) return; h(); go(m.s);", ONLY, "TRUE");
    check("const h = () => { m = n; }; for (const x of k) { if (!ok(x)) return; h(); go(x); }", ONLY, "TRUE");
}
