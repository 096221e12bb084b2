//! `a ? b : c` and `a ?? b` as conditions: what is chosen is asked.

use super::{check, check_file};

const SKIP: &str = "effect = go($$$)\nskip_if = bad($M)";
const ONLY: &str = "effect = go($$$)\nonly_if = ok($M)";

#[test]
fn what_is_chosen_is_tested() {
    check("if (ok(m) ? k() : false) go();", ONLY, "TRUE");
    check("if (k() ? ok(m) : ok(m)) go();", ONLY, "TRUE");
    check("if (k() ? ok(m) : n) go();", ONLY, "unguarded");
    check("if (k() ? !ok(m) : true) return; go();", ONLY, "TRUE");
    check("if (ok(m) ?? false) go();", ONLY, "TRUE");
    check("if (!(ok(m) ?? true)) return; go();", ONLY, "unguarded");
    check("const d = k() ? ok(m) : false; if (d) go();", ONLY, "TRUE");
    check("const d = n ? bad(m) : true; if (d) return; go();", SKIP, "TRUE");
    check("const d = bad(m) ? n : k; if (d) return; go();", SKIP, "unguarded");
    check("while (k() ? ok(m) : false) go();", ONLY, "TRUE");
}

#[test]
fn what_was_chosen_is_asked_again() {
    check("if (bad(n)) return; if (k() ? k() : bad(n)) go();", SKIP, "unguarded");
    check("if (bad(n)) return; if (!(k() ? k() : bad(n))) return; go();", SKIP, "unguarded");
    check("if (bad(n)) return; if (k ?? bad(n)) go();", SKIP, "unguarded");
    check("if (bad(n)) return; const d = k() ? bad(n) : 1; go();", SKIP, "unguarded");
    check("if (bad(n)) return; if ((k() && bad(n)) === true) go();", SKIP, "wrong-outcome");
    check("if (bad(n)) return; if ((k() ? k() : bad(n)) === true) go();", SKIP, "unguarded");
    check("if (bad(n)) return; switch (true) { case k() ? k() : bad(n): go(); }", SKIP, "unguarded");
}

#[test]
fn an_assertion_that_raised_was_asked() {
    let skip = format!("{SKIP}\nassert = invariant($C)");
    check("if (bad(m)) return; try { invariant(!bad(m)); } catch {} go();", &skip, "unguarded");
    check("if (bad(m)) return; try { invariant(!bad(m)); } catch { return; } go();", &skip, "TRUE");
    check("if (bad(m)) return; invariant(!bad(m)); go();", &skip, "TRUE");
    let then = "effect = go($$$)\nthen = mark()\nthen_on_throw = true\nassert = invariant($C)";
    check("const d = false; go(); invariant(!d); mark();", then, "not-followed");
    check("go(); invariant(k); mark();", then, "not-followed");
}

#[test]
fn patterns_that_choose() {
    let choice = "effect = go($$$)\nonly_if = k ? ok(m) : ok(n)";
    check("if (k ? ok(m) : ok(n)) go();", choice, "TRUE");
    check("if (k) { if (ok(m)) go(); } else if (ok(n)) { go(); }", choice, "TRUE");
    check("if (k && ok(n)) go();", choice, "wrong-outcome");
    check("if (ok(m) && ok(n)) go();", choice, "unguarded");
}

#[test]
fn zig_chooses_with_if() {
    let zig = |body: &str| format!("fn f(m: *M, k: bool) void {{ {body} }}");
    check_file("a.zig", &zig("if (if (k) ok(m) else false) go();"), ONLY, "TRUE");
    check_file("a.zig", &zig("if (if (k) ok(m) else other(m)) go();"), ONLY, "unguarded");
    check_file("a.zig", &zig("if (bad(m)) return; if (if (k) k else bad(m)) go();"), SKIP, "unguarded");
    check_file("a.zig", &zig("const d = if (k) ok(m) else false; if (!d) return; go();"), ONLY, "TRUE");
}

#[test]
fn orders_are_read_from_both_sides() {
    let low = "effect = go($$$)\nonly_if = $M.s < 3";
    check("if (m.s < 3) go();", low, "TRUE");
    check("if (3 > m.s) go();", low, "TRUE");
    check("if (!(3 > m.s)) return; go();", low, "TRUE");
    check("if (3 >= m.s) go();", low, "unguarded");
    check("if (3 < m.s) go();", low, "unguarded");
    check("if (m.s > 3) go();", low, "unguarded");
    check("if (m.s < 3) { if (3 > m.s) return; go(); }", low, "wrong-outcome");
    check("if (3 > m.s) { m.s = n; go(); }", low, "reassigned");
    check("if (m.s < 3 && 3 < m.t) go();", "effect = go($$$)\nonly_if = $M.t > 3", "TRUE");
    let below = "effect = go($$$)\nonly_if = m < n";
    check("if (m < n) { if (n < m) return; go(); }", below, "TRUE");
    check("if (n > m) go();", below, "TRUE");
    check("if (n < m) go();", below, "unguarded");
    let zig = |body: &str| format!("fn f(m: *M) void {{ {body} }}");
    check_file("a.zig", &zig("if (3 <= m.s) return; go();"), "effect = go($$$)\nskip_if = $M.s >= 3", "TRUE");
}

#[test]
fn what_stands_behind_a_question_mark_is_there() {
    let there = "effect = go($$$)\nonly_if = m != null";
    check("if (m?.ok) go();", there, "TRUE");
    check("if (!m?.ok) return; go();", there, "TRUE");
    check("if (m?.ok) return; go();", there, "unguarded");
    check("if (m?.a.b(k).c) go();", there, "TRUE");
    check("if (m?.a?.b) go();", "effect = go($$$)\nonly_if = m?.a != null", "TRUE");
    check("if (m?.ok) { m = n; go(); }", there, "reassigned");
    check("if (m?.ok) go();", "effect = go($$$)\nonly_if = m?.ok", "TRUE");
    check("if (!m?.ok) go();", "effect = go($$$)\nskip_if = m?.ok", "TRUE");
    let zig = |body: &str| format!("fn f(m: ?*M) void {{ {body} }}");
    let there = "effect = go($$$)\nonly_if = m != null";
    check_file("a.zig", &zig("const p = m.?; go(p);"), there, "TRUE");
    check_file("a.zig", &zig("go(m.?);"), there, "TRUE");
    check_file("a.zig", &zig("go(); _ = m.?;"), there, "late");
    check_file("a.zig", &zig("_ = m.?; m = null; go();"), there, "reassigned");
}
