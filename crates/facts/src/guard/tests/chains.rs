//! `m?.ok` where the guard asks about `m.ok`.

use super::check;

const ONLY: &str = "effect = go($$$)\nonly_if = m.ok";
const SKIP: &str = "effect = go($$$)\nskip_if = m.ok";

#[test]
fn a_true_chain_is_a_true_member() {
    for (body, expected) in [
        ("if (m?.ok) go();", "TRUE"),
        ("if (!m?.ok) return; go();", "TRUE"),
        ("if (m?.ok && n) go();", "TRUE"),
        ("const ok = m?.ok; if (ok) go();", "TRUE"),
        ("const ok = m?.ok === true; if (ok) go();", "TRUE"),
        ("if (m?.ok === true) go();", "TRUE"),
        ("if (m?.ok ?? false) go();", "TRUE"),
        ("if (!m?.ok) go();", "unguarded"),
        ("if (m?.ok || n) go();", "unguarded"),
        ("if (m?.ok) { m = n; go(); }", "reassigned"),
        ("if (m?.ok) { m.ok = 0; go(); }", "reassigned"),
        ("if (n?.ok) go();", "unguarded"),
        ("if (k(m?.ok)) go();", "unguarded"),
        ("if (m?.ok !== undefined) go();", "unguarded"),
        ("if (m?.ok?.x) go();", "unguarded"),
    ] {
        check(body, ONLY, expected);
    }
    let deep = "effect = go($$$)\nonly_if = $M.a.is(1)";
    check("if (m?.a?.is(1)) go();", deep, "TRUE");
    check("if (m.a?.is(1)) go();", deep, "TRUE");
    check("if (m.a?.is?.(1)) go();", deep, "TRUE");
    check("if (m.a?.is(m?.n)) go();", deep, "unguarded");
}

#[test]
fn a_false_chain_is_no_true_member() {
    for (body, expected) in [
        ("if (m?.ok) return; go();", "TRUE"),
        ("if (!m?.ok) go();", "TRUE"),
        ("if (m?.ok) go();", "wrong-outcome"),
        ("if (m?.ok && n) return; go();", "unguarded"),
    ] {
        check(body, SKIP, expected);
    }
    // `!m.ok` is not true of a missing `m`: it has no value.
    let negated = "effect = go($$$)\nonly_if = !m.ok";
    check("if (!m?.ok) go();", negated, "unguarded");
    check("if (m && !m?.ok) go();", negated, "TRUE");
    check("if (!m.ok) go();", negated, "TRUE");
    let skipped = "effect = go($$$)\nskip_if = !m.ok";
    check("if (!m?.ok) return; go();", skipped, "TRUE");
    check("if (m?.ok) return; go();", skipped, "unguarded");
}

#[test]
fn what_equals_a_literal_is_there() {
    let only = "effect = go($$$)\nonly_if = $M.s === 'b'";
    for (body, expected) in [
        ("if (m?.s === 'b') go();", "TRUE"),
        ("if (m?.s !== 'b') return; go();", "TRUE"),
        ("switch (m?.s) { case 'b': go(); }", "TRUE"),
        ("const s = m?.s; switch (s) { case 'b': go(); }", "unguarded"),
        ("if (m?.s === n) go();", "unguarded"),
        ("if (m?.s !== 'c') go();", "unguarded"),
    ] {
        check(body, only, expected);
    }
    let there = "effect = go($$$)\nskip_if = m == null";
    check("if (m?.s === 'b') go();", there, "TRUE");
    check("if ('b' === m?.s) go();", there, "TRUE");
    check("if (m?.s !== 'b') go();", there, "unguarded");
    check("if (m?.s === undefined) go();", there, "unguarded");
    check("if (m?.s === n) go();", there, "unguarded");
    let missing = "effect = go($$$)\nonly_if = m.s === undefined";
    check("if (m?.s === undefined) go();", missing, "unguarded");
    let not = "effect = go($$$)\nonly_if = m.s !== 'b'";
    check("if (m?.s !== 'b') go();", not, "unguarded");
    check("if (m?.s === 'c') go();", not, "TRUE");
    let skip = "effect = go($$$)\nskip_if = m.s === 'b'";
    check("if (m?.s === 'b') return; go();", skip, "TRUE");
    check("if (m?.s === 'c') go();", skip, "TRUE");
}
