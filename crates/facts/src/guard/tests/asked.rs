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
        "unguarded",
    );
    check(
        "switch (m.s) { case await k: break; case true: go(); }",
        "effect = go()\nonly_if = $M.s\nwithout = await",
        "unguarded",
    );
    check("switch (m.s) { case (m.s = k): break; case true: go(); }", "effect = go()\nonly_if = $M.s", "unguarded");
}
