//! `any` of several `then`s, and `after` nodes in functions of the scope.

use super::check;

#[test]
fn each_path_passes_one_of_them() {
    let any = "effect = go()\nany\nthen = a()\nany\nthen = b()";
    for (body, expected) in [
        ("go(); if (k) { a(); return; } b();", "TRUE"),
        ("go(); if (k) a(); else b();", "TRUE"),
        ("go(); switch (k) { case 1: a(); break; default: b(); }", "TRUE"),
        ("go(); while (k) { a(); } b();", "TRUE"),
        ("go(); if (k) { a(); return; } if (n) return; b();", "not-followed"),
        ("go(); while (k) { a(); }", "not-followed"),
        ("a(); b(); go();", "not-followed"),
        ("if (k) go(); else { a(); } if (n) a(); else b();", "TRUE"),
    ] {
        check(body, any, expected);
    }
    let checked = "effect = go()\nany\nthen = a()\nany\nonly_if = m.ok\nthen = b()";
    check("if (!m.ok) return; go(); if (k) { a(); return; } b();", checked, "TRUE");
    check("go(); if (k) { a(); return; } b();", checked, "not-followed");
    let both = "effect = go()\nthen = c()\nany\nthen = a()\nany\nthen = b()";
    check("go(); if (k) { a(); c(); return; } c(); b();", both, "TRUE");
    check("go(); if (k) { a(); return; } c(); b();", both, "not-followed");
    let thrown = "effect = go()\nany\nthen = a()\nthen_on_throw = true\nany\nthen = b()\nthen_on_throw = true";
    check("go(); try { k(); a(); } catch (e) { b(); throw e; }", thrown, "TRUE");
    check("go(); try { k(); a(); } catch (e) { throw e; }", thrown, "not-followed");
    let of_one = "effect = $L.go()\nany\nthen = $L.a()\nany\nthen = $L.b()";
    check("m.go(); if (k) { m.a(); return; } m.b();", of_one, "TRUE");
    check("m.go(); if (k) { n.a(); return; } m.b();", of_one, "not-followed");
    check("m.go(); if (k) { m.a(); return; } m = n; m.b();", of_one, "not-followed");
}

#[test]
fn functions_of_the_scope_pass_it() {
    let after = "effect = go()\nafter = sync()\nthrough = true";
    for (body, expected) in [
        ("function g() { sync(); } g(); go();", "TRUE"),
        ("g(); go(); function g() { sync(); }", "TRUE"),
        ("const g = () => sync(); g(); go();", "TRUE"),
        ("const g = () => { if (k) return; sync(); }; g(); go();", "not-passed"),
        ("let g = () => sync(); g = () => 1; g(); go();", "not-passed"),
        ("const g = async () => { await k; sync(); }; await g(); go();", "TRUE"),
        ("const g = async () => { await k; sync(); }; g(); go();", "not-passed"),
        ("function* g() { sync(); } g(); go();", "not-passed"),
        ("const g = () => h(); const h = () => sync(); g(); go();", "TRUE"),
        ("const g = () => h(); const h = () => g(); g(); go();", "not-passed"),
        ("const g = () => { sync(); }; if (k) g(); go();", "not-passed"),
        ("const g = (sync) => { sync(); }; g(k); go();", "not-passed"),
        ("const g = () => () => sync(); g(); go();", "not-passed"),
        ("const g = k ? () => sync() : () => 1; g(); go();", "not-passed"),
        ("{ const g = () => 1; g(); } const g = () => sync(); go();", "not-passed"),
        ("const g = () => { try { sync(); } catch {} }; g(); go();", "not-passed"),
    ] {
        check(body, after, expected);
    }
    check("const g = () => sync(); g(); go();", "effect = go()\nafter = sync()", "TRUE");
    let since = "effect = go()\nonly_if = m.ok\nsince = sync()\nthrough = true";
    check("const g = () => sync(); g(); if (m.ok) go();", since, "TRUE");
    check("const g = () => sync(); if (m.ok) { g(); go(); }", since, "stale-check");
}
