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
