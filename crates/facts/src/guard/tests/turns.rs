//! What ends knowledge, and what does not: calls of local functions, tests asked again, comparisons with `true`, effects
//! that are assignments.

use super::check;

const SKIP: &str = "effect = go($$$)\nskip_if = bad(m)";
const BOTH: &str = "effect = go($$$)\nskip_if = $M.host !== null && alive($M.host)";
const ONLY: &str = "effect = go($$$)\nonly_if = ok(m)";

#[test]
fn a_call_of_a_local_function_assigns_what_it_assigns() {
    check("const h = () => { m = n; }; if (bad(m)) return; h(); go(m);", SKIP, "reassigned");
    check("function h() { m = n; } if (bad(m)) return; h(); go(m);", SKIP, "reassigned");
    check("const h = () => { m = n; }; const g = () => h(); if (bad(m)) return; g(); go(m);", SKIP, "reassigned");
    check("const h = () => { m = n; }; if (bad(m)) return; k.forEach(h); go(m);", SKIP, "reassigned");
    check("const o = { set() { m = n; } }; if (bad(m)) return; o.set(); go(m);", SKIP, "reassigned");
    check("const h = () => { m = n; }; const o = { h }; if (bad(m)) return; o.h(); go(m);", SKIP, "reassigned");
    check("const h = () => { k = n; }; if (bad(m)) return; h(); go(m);", SKIP, "TRUE");
    check("const h = () => { m = n; }; h(); if (bad(m)) return; go(m);", SKIP, "TRUE");
}

#[test]
fn a_condition_of_two_parts_outlives_a_test_of_one() {
    let checked = "const live = alive(m.host); if (m.host !== null && live) return;";
    check(&format!("{checked} k = m.host !== null ? 1 : 2; go(m);"), BOTH, "TRUE");
    check(&format!("{checked} if (m.host !== null) k(); go(m);"), BOTH, "TRUE");
    check(&format!("{checked} if (m.host !== null && alive(m.host)) k(); go(m);"), BOTH, "unguarded");
    check(&format!("{checked} m.host = n; go(m);"), BOTH, "reassigned");
    check("if (m.host !== null) { if (alive(m.host)) k(); } go(m);", BOTH, "unguarded");
    check("if (m.host !== null) { if (alive(m.host)) return; } go(m);", BOTH, "TRUE");
}

#[test]
fn comparisons_with_true_say_what_they_say() {
    check("if (ok(m) === true) go(m);", ONLY, "TRUE");
    check("if (true !== ok(m)) return; go(m);", ONLY, "TRUE");
    check("if (ok(m) === false) go(m);", ONLY, "wrong-outcome");
    check("if (bad(m) === true) return; go(m);", SKIP, "unguarded");
    check("if (bad(m)) return; if (bad(m) === true) k(); go(m);", SKIP, "unguarded");
    check("if ((!bad(m)) === true) go(m);", SKIP, "TRUE");
    check("if ((!bad(m)) !== true) return; go(m);", SKIP, "TRUE");
    check("switch (true) { case ok(m): go(m); }", ONLY, "TRUE");
    check("switch (true) { case bad(m): return; default: go(m); }", SKIP, "unguarded");
    check("switch (true) { case !bad(m): go(m); }", SKIP, "TRUE");
    check("switch (true) { case !ok(m): return; default: go(m); }", ONLY, "TRUE");
}

#[test]
fn an_assignment_is_judged_before_it_assigns() {
    let ends = "effect = m.s = 'gone'\nonly_if = m.s === 'going'";
    check("if (m.s !== 'going') throw n; m.s = 'gone';", ends, "TRUE");
    check("if (m.s !== 'going') throw n; m.s = k; m.s = 'gone';", ends, "reassigned");
    check("if (m.done) return; m.done = true;", "effect = m.done = true\nskip_if = m.done", "TRUE");
    check(
        "while (k()) { if (m.done) return; m.done = true; } m.done = true;",
        "effect = m.done = true\nskip_if = m.done",
        "reassigned",
    );
}

#[test]
fn flags_are_followed_to_the_end() {
    let then = "effect = go($$$)\nthen = mark()";
    check("let d = false; if (k()) { go(m); d = true; } if (d) mark();", then, "TRUE");
    check("let d = false; if (k()) { go(m); d = true; d = n(); } if (d) mark();", then, "not-followed");
    check("let d = false; if (k()) { mark(); d = true; } if (d) go(m);", "effect = go($$$)\nafter = mark()", "TRUE");
}

#[test]
fn a_condition_of_two_parts_ends_when_both_turned() {
    let either = "effect = go($M)\nonly_if = s === 'a' || !bad($M)";
    check("if (bad(m)) return; if (s === 'a') return; if (bad(m)) { go(m); }", either, "wrong-outcome");
    check("do { m = n; } while (bad(m)); if (s === 'b') { if (bad(m)) { w(); } } go(m);", either, "unguarded");
}
