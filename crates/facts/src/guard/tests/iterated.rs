//! Functions that run where no call is written: generators and iterators that are stepped, accessors, conversions.

use super::check;

#[test]
fn an_iteration_runs_a_generator_called_before() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let made = "function* g() { yield 1; m = n; }";
    for between in [
        "for (const x of it) ;",
        "const [y] = it;",
        "[k] = it;",
        "k = [...it];",
        "k = new Set([0, ...it]);",
        "for (const x of it) { if (x) break; }",
        "it.next();",
    ] {
        check(&format!("{made} const it = g(); if (!m.ok) return; {between} go();"), only, "reassigned");
        check(&format!("{made} if (!m.ok) return; {between} go();"), only, "reassigned");
        check(&format!("{made} const it = g(); {between} if (!m.ok) return; go();"), only, "TRUE");
        let other = format!("function* g() {{ yield m; n = m; }} const it = g(); if (!m.ok) return; {between} go();");
        check(&other, only, "TRUE");
    }
    check("function* g() { m = n; } const it = g(); if (!m.ok) return; for (k of it) ; go();", only, "reassigned");
    check("const it = ({ *g() { m = n; } }).g(); if (!m.ok) return; for (k of it) ; go();", only, "reassigned");
    check("class Q { *g() { m.ok = n; } } k = new Q().g(); if (!m.ok) return; n = [...k]; go();", only, "reassigned");
    let closed = "function* g() { try { yield 1; } finally { m = n; } } const it = g();";
    check(&format!("{closed} if (!m.ok) return; for (const x of it) break; go();"), only, "reassigned");
    check(
        &format!("{closed} if (!m.ok) return; l: for (const y of k) {{ for (const x of it) break l; }} go();"),
        only,
        "reassigned",
    );
    check(
        &format!("{closed} if (!m.ok) return; for (const x in it) break; k = {{ ...it }}; go();"),
        only,
        "reassigned",
    );
}

#[test]
fn an_iteration_runs_an_iterator_of_the_scope() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let it = |member: &str| format!("const it = {{ {member} [Symbol.iterator]() {{ return this; }} }};");
    let checked = |it: &str, expected: &str| {
        check(&format!("{it} if (!m.ok) return; for (const x of it) k++; go();"), only, expected);
    };
    checked(&it("next() { m = n; return { done: true }; },"), "reassigned");
    checked(&it("next: () => { m = n; return { done: true }; },"), "reassigned");
    checked(&it("return() { m = n; return {}; },"), "reassigned");
    checked(&it("next() { n = m; return { done: true }; },"), "TRUE");
    checked(&it("peek() { m = n; },"), "reassigned");
    let later = "later(() => { m = n; });";
    check(&format!("if (!m.ok) return; for (const x of k) n = [...k]; go(); {later}"), only, "TRUE");
}

#[test]
fn without_nodes_where_something_is_iterated() {
    let without = "effect = go()\nafter = pre()\nwithout = bad()";
    let made = "function* g() { bad(); yield 1; }";
    check(&format!("{made} const it = g(); pre(); for (const x of it) ; go();"), without, "interrupted");
    check(&format!("{made} const it = g(); pre(); k = [...it]; go();"), without, "interrupted");
    check(&format!("{made} const it = g(); for (const x of it) ; pre(); go();"), without, "TRUE");
    check(&format!("{made} pre(); for (const x of k) ; go();"), without, "interrupted");
    check("function* g() { yield 1; } const it = g(); pre(); for (const x of it) ; go();", without, "TRUE");
    let since = "effect = go()\nonly_if = m.ok\nsince = bad()";
    check(&format!("{made} const it = g(); bad(); if (!m.ok) return; k = [...it]; go();"), since, "interrupted");
    check(&format!("{made} const it = g(); k = [...it]; bad(); if (!m.ok) return; go();"), since, "TRUE");
}

#[test]
fn without_nodes_in_accessors_and_conversions() {
    let without = "effect = go()\nafter = pre()\nwithout = bad()";
    let checked = |it: &str, between: &str, expected: &str| {
        check(&format!("{it} pre(); {between} go();"), without, expected);
    };
    checked("const it = { get v() { bad(); return 1; } };", "it.v;", "interrupted");
    checked("const it = { set v(x) { bad(); } };", "it.v = 1;", "interrupted");
    checked("const it = { toString() { bad(); return ''; } };", "k = `${it}`;", "interrupted");
    checked("const it = { valueOf: () => bad() };", "k = it > 1;", "interrupted");
    checked("const it = { [Symbol.toPrimitive]() { return bad(); } };", "k = +it;", "interrupted");
    checked("const it = { get v() { return bad(); } };", "const { v } = it;", "interrupted");
    checked("const it = { [Symbol.iterator]() { bad(); return n; } };", "const [v] = it;", "interrupted");
    checked("class Q { get v() { return bad(); } } const it = new Q();", "it.v;", "interrupted");
    checked("const bads = () => { bad(); }; const it = { get v() { return bads(); } };", "it.v;", "interrupted");
    checked("const it = { get v() { return 1; } };", "it.v;", "TRUE");
    checked("const it = { v() { bad(); } };", "it.v;", "TRUE");
    checked("const it = { get v() { bad(); return 1; } };", "it.v; pre();", "TRUE");
    check("pre(); go(); const it = { get v() { bad(); return 1; } };", without, "TRUE");
}
