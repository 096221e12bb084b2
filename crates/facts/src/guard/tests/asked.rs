//! What can be asked as a condition.

use super::{check, pattern};
use factgate_syntax::language_for_path;

fn is_condition(file: &str, code: &str) -> bool {
    pattern(language_for_path(file).unwrap(), code).not_a_condition().is_none()
}

#[test]
fn a_condition_is_an_expression() {
    for code in ["ok(m)", "$X", "!$X", "$X === 'a'", "(ok($X))", "a && b", "a?.b", "(m = n)", "await $X", "c ? a : b"] {
        assert!(is_condition("a.ts", code), "{code}");
    }
    for code in ["ok(m); x()", "if (a) b()", "return a", "const a = b", "function f() { }", "true", "!0"] {
        assert!(!is_condition("a.ts", code), "{code}");
    }
    for code in ["ok(m)", "$X", "!$X", "$X == .a", "m != null", "a and b", "m.?", "(try $X)", "@hasField(T, \"a\")"] {
        assert!(is_condition("a.zig", code), "{code}");
    }
    for code in ["ok(m); x();", "return a;", "const a = b;", "a = b;", "defer a();", "true"] {
        assert!(!is_condition("a.zig", code), "{code}");
    }
}

#[test]
fn what_a_case_runs_may_change_what_the_subject_was_read_from() {
    let ok = "effect = go()\nonly_if = ok($M)";
    check("switch (ok(m)) { case true: go(); }", ok, "TRUE");
    check("switch (ok(m)) { case k: break; case true: go(); }", ok, "TRUE");
    check(
        "switch (ok(m)) { case measure(): break; case true: go(); }",
        &format!("{ok}\nwithout = measure()"),
        "interrupted",
    );
    check(
        "switch (m.s) { case await k: break; case true: go(); }",
        "effect = go()\nonly_if = $M.s\nwithout = await",
        "interrupted",
    );
    check("switch (m.s) { case (m.s = k): break; case true: go(); }", "effect = go()\nonly_if = $M.s", "reassigned");
}

#[test]
fn a_second_test_is_asked_for_a_reason_where_other_code_ran_between() {
    let g = "effect = go($$$)\nskip_if = m.bad";
    check("if (m.bad) return; await k(); if (m.bad) go();", g, "wrong-outcome");
    check("if (m.bad) return; k(); if (m.bad) go();", g, "wrong-outcome");
    check("if (m.bad) return; await k(); const d = m.bad; if (d) go();", g, "wrong-outcome");
    check("if (m.bad) return; go(); await k(); if (m.bad) { log(); go(); }", g, "wrong-outcome");
    check("if (m.bad) return; await k(); const d = m.bad; go(d);", g, "TRUE");
    check("if (m.bad) return; await k(); if (!m.bad) log(); go();", g, "unguarded");
    check("if (m.bad) return; n = 1; if (m.bad) log(); go();", g, "TRUE");
    check("if (bad(m)) return; const d = bad(m); go(d);", "effect = go($$$)\nskip_if = bad(m)", "unguarded");
    check("if (bad(m)) return; await k(); if (bad(m)) go();", "effect = go($$$)\nskip_if = bad(m)", "wrong-outcome");
}
