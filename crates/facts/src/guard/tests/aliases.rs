//! Variables that hold a condition.

use super::check;

const SKIP: &str = "effect = go($$$)\nskip_if = bad($M.s)";

#[test]
fn a_variable_stands_for_its_condition() {
    check("const d = bad(m.s); if (d) return; go();", SKIP, "TRUE");
    check("const d = bad(m.s); if (!d) go();", SKIP, "TRUE");
    check("let d = bad(m.s); if (d) return; go();", SKIP, "TRUE");
    check("const d = !bad(m.s); if (d) go();", SKIP, "TRUE");
    check("const d = bad(m.s) || k; if (d) return; go();", SKIP, "TRUE");
    check("const d = bad(m.s) && k; if (d) return; go();", SKIP, "unguarded");
    check("const d = bad(m.s); const e = !d; if (e && k) go();", SKIP, "TRUE");
    check("const d = bad(m.s); if (k && d) return; go();", SKIP, "unguarded");
}

#[test]
fn a_variable_written_again_does_not() {
    check("let d = bad(m.s); if (k) d = false; if (d) return; go();", SKIP, "unguarded");
    check("let d = bad(m.s); later(() => { d = false; }); if (d) return; go();", SKIP, "unguarded");
    check("const d = bad(m.s); m = n; if (d) return; go();", SKIP, "reassigned");
    check("const d = bad(m.s); if (d) return; m.s = k; go();", SKIP, "reassigned");
}

#[test]
fn flags_are_followed() {
    check("let d = true; if (!bad(m.s)) d = false; if (!d) go();", SKIP, "TRUE");
    check("let d = true; if (!bad(m.s)) d = false; if (d) go();", SKIP, "wrong-outcome");
    check(
        "let found = false; for (const x of n) { if (!bad(x.s)) { found = true; break; } } if (found) go();",
        SKIP,
        "TRUE",
    );
    check("if (!k) { if (bad(m.s)) return; } if (!k) go();", SKIP, "TRUE");
    check("if (!k) { if (bad(m.s)) return; } k = n; if (!k) go();", SKIP, "unguarded");
}

#[test]
fn a_variable_stands_for_the_member_that_it_was_declared_as() {
    check("const { s } = m; if (bad(s)) return; go();", SKIP, "TRUE");
    check("const { s: t } = m; if (bad(t)) return; go();", SKIP, "TRUE");
    check("const s = m.s; if (bad(s)) return; go();", SKIP, "TRUE");
    check("const s = m.s; if (k || bad(s)) return; go();", SKIP, "TRUE");
    check("const { s } = m; if (!bad(s)) go();", SKIP, "TRUE");
    check("const { s } = m; m.s = k; if (bad(s)) return; go();", SKIP, "reassigned");
    check("const { s } = m; if (bad(s)) return; m.s = k; go();", SKIP, "reassigned");
    check("let { s } = m; s = k; if (bad(s)) return; go();", SKIP, "unguarded");
    check("const { o: { s } } = m; if (bad(s)) return; go();", "effect = go()\nskip_if = bad($M.o.s)", "TRUE");
    check("const { s } = m; if (s !== 'a') return; go();", "effect = go()\nonly_if = $M.s === 'a'", "TRUE");
    check("const { s } = n; if (bad(s)) return; go(m);", "effect = go($M)\nskip_if = bad($M.s)", "unguarded");
}

#[test]
fn assigning_a_whole_object_changes_its_members() {
    check("if (bad(m.s)) return; Object.assign(m, n); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.assign(m, { s: k }); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Reflect.set(m, 's', k); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.defineProperty(m, 's', k); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; const c = Object.assign({}, m); go();", SKIP, "TRUE");
    check("if (bad(m.s)) return; Object.assign(n, m); Object.keys(m); go();", SKIP, "reassigned");
    check("Object.assign(m, n); if (bad(m.s)) return; go();", SKIP, "TRUE");
    check("const o = m; if (bad(m.s)) return; Object.assign(o, n); go();", SKIP, "reassigned");
    check("const o = m; if (bad(m.s)) return; Object.assign(o, { s: 1 }); go();", SKIP, "reassigned");
    check("const o = Object.assign(m, n); if (bad(m.s)) return; o.s = 1; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.assign(m, { s }); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.assign(m, { [k]: 1 }); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.assign(m, { ...k }); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Object.assign(m, { t: 1 }); go();", SKIP, "TRUE");
    check("if (bad(m.s)) return; Reflect.deleteProperty(m, 's'); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; Reflect.set(m, 't', 1); go();", SKIP, "TRUE");
    check("if (bad(m.s)) return; Object.assign(w(), { s: 1 }); go();", SKIP, "reassigned");
    check("if (m === null) return; Object.assign(m, n); go();", "effect = go()\nskip_if = m === null", "TRUE");
}
