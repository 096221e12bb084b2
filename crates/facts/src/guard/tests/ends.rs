//! What ends knowledge without standing between check and effect as a plain assignment.

use super::{check, check_file};

const ONLY: &str = "effect = go($X)\nonly_if = ok($X)";
const SINCE: &str = "effect = go($X)\nonly_if = ok($X)\nsince = meas($X)";

#[track_caller]
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
    check("const h = () => { m++; }; if (ok(m) && h()) go(m);", ONLY, "no-effect");
    check("const h = () => { m = n; }; const d = ok(m) && h(); if (d) go(m);", ONLY, "no-effect");
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
    check("const h = () => { m = n; }; if (!ok(m)) return; w(); await w(); go(m);", ONLY, "TRUE");
    check("function h() { m = n; } if (!ok(m)) return; w(); await w(); go(m);", ONLY, "TRUE");
    check("function h() { m = n; } if (!ok(m)) return; w(h); go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; k.h = h; if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; k.h = { h }; if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; const g = () => { h(); }; if (!ok(m)) return; g(); go(m);", ONLY, "reassigned");
    check("const h = () => { m = n; }; const g = () => { h(); }; if (!ok(m)) return; w(); go(m);", ONLY, "TRUE");
    check("const h = () => { m = n; }; later(() => { h(); }); if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check(
        "const h = async () => { await w(); m = n; }; h(); if (!ok(m)) return; await w(); go(m);",
        ONLY,
        "reassigned",
    );
    check("function h() { m = n; if (k) h(); } if (!ok(m)) return; h(); go(m);", ONLY, "reassigned");
    check("later(function h() { m = n; h(); }); if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check("let h = () => { m = n; }; h = w(h); if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check("const h = k ? () => { m = n; } : null; if (!ok(m)) return; w(); go(m);", ONLY, "reassigned");
    check("const h = (m) => { m = n; }; if (!ok(m)) return; h(); go(m);", ONLY, "TRUE");
    check("if (!ok(m)) return; await w(); go(m); later(() => { m = n; });", ONLY, "TRUE");
    check("later(async (x) => { let y = x; if (!ok(y)) return; w(); go(y); });", ONLY, "TRUE");
    check("const h = () => { m.b = n; }; if (!ok(m.s)) return; h(); go(m.s);", ONLY, "TRUE");
    check("const h = () => { m = n; }; for (const x of k) { if (!ok(x)) return; h(); go(x); }", ONLY, "TRUE");
}

const B: &str = "effect = go()\nonly_if = m.b === 1";
const AB: &str = "effect = go()\nonly_if = m.a.b === 1";

#[test]
fn an_assignment_under_another_name() {
    check("if (m.b !== 1) return; const n = m; n.b = k; go();", B, "reassigned");
    check("const n = m; if (m.b !== 1) return; n.b = k; go();", B, "reassigned");
    check("const o = m; const n = o; if (m.b !== 1) return; n.b++; go();", B, "reassigned");
    check("const n = m; if (n.b !== 1) return; m.b = k; go();", "effect = go()\nonly_if = n.b === 1", "reassigned");
    check("const a = m.a; if (m.a.b !== 1) return; a.b = 2; go();", AB, "reassigned");
    check("const { a } = m; if (m.a.b !== 1) return; a.b = 2; go();", AB, "reassigned");
    check("const { a: x = {} } = m; if (m.a.b !== 1) return; x.b = 2; go();", AB, "reassigned");
    check("let x; ({ a: x } = m); if (m.a.b !== 1) return; x.b = 2; go();", AB, "reassigned");
    check("const [x] = [m]; if (m.b !== 1) return; x.b = 2; go();", B, "reassigned");
    check("const { x } = { x: m }; if (m.b !== 1) return; x.b = 2; go();", B, "reassigned");
    let state = "effect = go()\nonly_if = st.b === 1";
    check("const st = m.state; if (st.b !== 1) return; m.state.b = 2; go();", state, "reassigned");
    check("if (m.b !== 1) return; for (const x of [m]) x.b = 3; go();", B, "reassigned");
    check("if (m.b !== 1) return; const n = k ? m : {}; n.b = 3; go();", B, "reassigned");
    check(
        "const t = this; if (this.b !== 1) return; t.b = 3; go();",
        "effect = go()\nonly_if = this.b === 1",
        "reassigned",
    );
    check("const n = m; if (!ok(m)) return; n.b = 3; go(m);", ONLY, "reassigned");
    check("const n = m; later(() => { n.b = 3; }); if (m.b !== 1) return; await w(); go();", B, "reassigned");
}

#[test]
fn an_assignment_through_what_holds_it() {
    check("const o = { m }; if (m.b !== 1) return; o.m.b = 2; go();", B, "reassigned");
    check("const o = { k: { x: m } }; if (m.b !== 1) return; o.k.x.b = 2; go();", B, "reassigned");
    check("const o = [m]; if (m.b !== 1) return; o[0].b = 2; go();", B, "reassigned");
    check("const o = { ...m }; if (m.a.b !== 1) return; o.a.b = 2; go();", AB, "reassigned");
    check("const o = { m }; const { m: x } = o; if (m.b !== 1) return; x.b = 2; go();", B, "reassigned");
    check("const o = { m }; if (m.b !== 1) return; o.m = n; go();", B, "TRUE");
    check("const o = { b: m }; if (m.b !== 1) return; o.b = n; go();", B, "TRUE");
    let value = "effect = eff($X)\nonly_if = ok($X)";
    zig("const o = .{ .p = m }; if (!ok(m.v)) return; o.p.v = 2; eff(m.v);", value, "reassigned");
    zig("var s = w(); const o = W{ .p = &s }; if (!ok(s.v)) return; o.p.v = 2; eff(s.v);", value, "reassigned");
    zig("var s = w(); const o = W{ .p = &s }; if (!ok(s.v)) return; o.p.* = n; eff(s.v);", value, "reassigned");
    zig("var s = w(); const o = W{ .p = &s }; if (!ok(s.v)) return; o.q = n; eff(s.v);", value, "TRUE");
}

#[test]
fn an_assignment_that_is_tested_says_what_its_variable_is() {
    let there = "effect = go($X)\nonly_if = $X !== null";
    check("while ((m = w()) !== null) go(m);", there, "TRUE");
    check("while ((m = w()) !== null) { m = n; go(m); }", there, "reassigned");
    check("while ((m = w()) === null) go(m);", there, "wrong-outcome");
    check("let x; if ((x = w()) == null) return; go(x);", "effect = go($X)\nonly_if = $X != null", "TRUE");
    check("if (!(m = w())) return; go(m);", "effect = go($X)\nonly_if = $X", "TRUE");
    check("if ((m = w()) && ok(m)) go(m);", ONLY, "TRUE");
    check("if (m !== (m = w())) go(m);", "effect = go($X)\nonly_if = $X !== $_", "reassigned");
    check("if ((m = w(), n) !== null) go(m);", there, "unguarded");
    check("if ((m.a = w()) !== null) go(m.a);", there, "unguarded");
}

#[test]
fn an_assignment_through_what_is_is_no_plain_path() {
    for base in
        ["(c() ? m : n)", "(m ?? n)", "(n || m)", "(k && m)", "(m, m)", "(n = m)", "w(m)", "(await m)", "[m][0]"]
    {
        check(&format!("if (m.b !== 1) return; {base}.b = 2; go();"), B, "reassigned");
        check(&format!("if (m.b !== 1) return; {base}.c = 2; go();"), B, "TRUE");
    }
    check("if (m.a.b !== 1) return; w().b = 2; go();", AB, "reassigned");
    check("if (m.a.b !== 1) return; w().a = 2; go();", AB, "reassigned");
    check("if (m.b !== 1) return; new W().b = 2; go();", B, "TRUE");
    check("if (m.b !== 1) return; w()[k] = 2; go();", B, "reassigned");
}

#[test]
fn what_is_no_other_name_ends_nothing() {
    check("const o = n; if (m.b !== 1) return; o.b = 2; go();", B, "reassigned");
    check("const o = m; if (m.b !== 1) return; o.c = 2; go();", B, "TRUE");
    check("let x = m.b; if (m.b !== 1) return; x++; go();", B, "TRUE");
    check("const o = { ...m }; if (m.b !== 1) return; o.b = 2; go();", B, "TRUE");
    check("const o = w(m); if (m.b !== 1) return; o.c = 2; go();", B, "TRUE");
    check("if (m.b !== 1) return; const n = m; const { c } = m; w(n, c); go();", B, "TRUE");
    check("for (const x of m.list) { if (!ok(x)) return; x.done = k; } if (m.b !== 1) return; go();", B, "TRUE");
    check("let x = m; while (x) { x = x.next; } if (m.b !== 1) return; go();", B, "TRUE");
}

#[test]
fn a_variable_may_hold_any_object() {
    let ended = |body: &str| check(body, B, "reassigned");
    let kept = |body: &str| check(body, B, "TRUE");
    ended("const o = w(m); if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = w(); if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = await w(); if (m.b !== 1) return; o.b++; go();");
    ended("const p = w(); if (m.b !== 1) return; const o = await p; o.b = 2; go();");
    ended("const o = k.find((x) => x === m); if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = k[n]; if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = k[0]; if (m.b !== 1) return; o.b = 2; go();");
    ended("k.push(m); if (m.b !== 1) return; for (const o of k) o.b = 2; go();");
    ended("k.push(m); if (m.b !== 1) return; k[0].b = 2; go();");
    ended("this.cur = w(); if (m.b !== 1) return; this.cur.b = 2; go();");
    ended("n.o = k[0]; if (m.b !== 1) return; n.o.b = 2; go();");
    ended("this.cur = new W(); if (m.b !== 1) return; this.cur.b = 2; go();");
    ended("n.o = w(); if (m.b !== 1) return; n.b = 2; go();");
    kept("this.b = w(); if (m.b !== 1) return; go();");
    ended("if (m.b !== 1) return; k.list[n].b = 2; go();");
    ended("if (m.b !== 1) return; this.list[n].a.b = 2; go();");
    check(
        "k.each((r) => { if (r.b !== 1) return; k[0].b = 2; go(); });",
        "effect = go()\nonly_if = r.b === 1",
        "reassigned",
    );
    ended("if (m.b !== 1) return; k[n] = 2; go();");
    kept("if (m.b !== 1) return; k[n].c = 2; go();");
    ended("if (m.b !== 1) return; k.list[n] = { b: 2 }; go();");
    ended("const { o } = w(); if (m.b !== 1) return; o.b = 2; go();");
    ended("const [o] = k; if (m.b !== 1) return; o.b = 2; go();");
    ended("let o = n; o = w(); if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = w(); const q = o; if (m.b !== 1) return; q.b = 2; go();");
    ended("const o = n ?? w(); if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = w(); if (m.b !== 1) return; o.a.b = 2; go();");
    ended("const o = w(); if (m.b !== 1) return; Object.assign(o, { b: 2 }); go();");
    ended("const o = new Box(m); if (m.b !== 1) return; o.v.b = 2; go();");
    ended("const h = (o) => { o.b = 2; }; if (m.b !== 1) return; h(m); go();");
    check("k.forEach((o) => { if (m.b !== 1) return; o.b = 2; go(); });", B, "reassigned");
    check(
        "const e = k.get(1); if (e.b !== 1) return; const o = k.get(1); o.b = 2; go();",
        "effect = go()\nonly_if = e.b === 1",
        "reassigned",
    );
    check(
        "const o = w(); const e = w(); if (e.b !== 1) return; o.b = 2; go();",
        "effect = go()\nonly_if = e.b === 1",
        "reassigned",
    );
    kept("const o = w(); if (m.b !== 1) return; o.c = 2; go();");
    kept("const o = w(); o.b = 2; if (m.b !== 1) return; go();");
    kept("let o = w(); if (m.b !== 1) return; o = 2; go();");
    kept("const o = new W(); if (m.b !== 1) return; o.b = 2; go();");
    kept("const o = new W(m); if (m.b !== 1) return; o.b = 2; go();");
    kept("const o = {}; if (m.b !== 1) return; o.b = 2; go();");
    kept("const o = { c: w() }; if (m.b !== 1) return; o.b = 2; go();");
    kept("const o = []; if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = () => 1; if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = n || {}; if (m.b !== 1) return; o.b = 2; go();");
    ended("const o = n.a; if (m.b !== 1) return; o.b = 2; go();");
    ended("if (m.b !== 1) return; n.b = 2; go();");
}

#[test]
fn a_pointer_may_hold_any_object() {
    let value = "effect = eff($X)\nonly_if = ok($X)";
    zig("const o = w(); if (!ok(m.v)) return; o.v = 2; eff(m.v);", value, "reassigned");
    zig("const o = n.first() orelse return; if (!ok(m.v)) return; o.v = 2; eff(m.v);", value, "reassigned");
    zig("var o: *Queue = w(); if (!ok(m.v)) return; o.v = 2; eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; if (n.first()) |o| o.v = 2; eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; for (n.list) |o| o.v = 2; eff(m.v);", value, "reassigned");
    zig("var o = w(); if (!ok(m.v)) return; o.v = 2; eff(m.v);", value, "reassigned");
    zig("var o: Queue = w(); if (!ok(m.v)) return; o.v = 2; eff(m.v);", value, "TRUE");
    zig("const o = w(); if (!ok(m.v)) return; o.u = 2; eff(m.v);", value, "reassigned");
}

#[test]
fn what_may_be_any_object_may_be_one_that_has_a_name() {
    let e = "effect = go()\nonly_if = e.b === 1";
    let ended = |body: &str| check(body, e, "reassigned");
    let kept = |body: &str| check(body, e, "TRUE");
    ended("k.set(1, m); const e = k.get(1); if (e.b !== 1) return; m.b = 2; go();");
    ended("for (const e of k) { if (e.b !== 1) return; m.b = 2; go(); }");
    ended("const e = w(); if (e.b !== 1) return; this.b = 2; go();");
    ended("const e = w(); if (e.b !== 1) return; n.a.b = 2; go();");
    ended("const e = w(), o = m; if (e.b !== 1) return; o.b = 2; go();");
    ended("k.each((e) => { if (e.b !== 1) return; m.b = 2; go(); });");
    ended("async function h(e) { if (e.b !== 1) return; await w(); go(); } h(m); m.b = 2;");
    ended("const e = k[0]; const h = () => { m.b = 2; }; if (e.b !== 1) return; h(); go();");
    check(
        "const e = w(); if (e.a.b !== 1) return; m.a.b = 2; go();",
        "effect = go()\nonly_if = e.a.b === 1",
        "reassigned",
    );
    kept("const e = w(); if (e.b !== 1) return; m.c = 2; go();");
    kept("const e = w(); if (e.b !== 1) return; m = 2; go();");
    kept("const e = w(), o = {}; if (e.b !== 1) return; o.b = 2; go();");
    kept("const e = w(), o = new W(); if (e.b !== 1) return; o.b = 2; go();");
    kept("const e = new W(); if (e.b !== 1) return; m.b = 2; go();");
    ended("const e = m.e; if (e.b !== 1) return; m.b = 2; go();");
    kept("m.b = 2; const e = w(); if (e.b !== 1) return; go();");
}

#[test]
fn pointers_name_what_they_point_to() {
    let value = "effect = eff($X)\nonly_if = ok($X)";
    zig("if (!ok(m.v)) return; if (m.v) |*p| { p.* = 3; eff(m.v); }", value, "reassigned");
    zig("if (!ok(m.v)) return; switch (m.v) { .a => |*p| { p.* = 3; eff(m.v); }, else => {} }", value, "reassigned");
    zig("while (m.v) |*p| { if (!ok(m.v)) return; p.* = 3; eff(m.v); }", value, "reassigned");
    zig("if (!ok(m.v)) return; for (m.v) |*p| { p.* = 3; } eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; for (n.v, m.v) |x, *p| { p.* = x; } eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; for (m.v, n.v) |x, *p| { p.* = x; } eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; const p = &m.v; p.* = 3; eff(m.v);", value, "reassigned");
    zig("var s = w(); if (!ok(s.v)) return; const p = &s; p.v = 3; eff(s.v);", value, "reassigned");
    zig("var s = w(); if (!ok(s.v)) return; const p = &s; const q = p; q.v = 3; eff(s.v);", value, "reassigned");
    zig("var s = w(); if (!ok(s.v)) return; const p = if (k) &s else n; p.v = 3; eff(s.v);", value, "reassigned");
    zig("const p = &m.v; if (!ok(p.*)) return; m.v = 3; eff(p.*);", value, "reassigned");
    zig("if (!ok(m.v)) return; m.*.v = 3; eff(m.v);", value, "reassigned");
    zig("const o = m; if (!ok(m.v)) return; o.v = 3; eff(m.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; const p = &m.v; use(p); eff(m.v);", value, "TRUE");
    zig("var s = w(); if (!ok(s.v)) return; const p = &s; p.u = 3; eff(s.v);", value, "reassigned");
    zig("if (!ok(m.v)) return; if (m.v) |p| { use(p); eff(m.v); }", value, "TRUE");
    zig("if (!ok(m.v)) return; for (m.u) |*p| { p.* = 3; } eff(m.v);", value, "TRUE");
}

#[test]
fn builtins_write() {
    let a = "effect = eff($X)\nonly_if = ok($X)";
    zig("if (!ok(m.a)) return; @field(m, \"a\") = 3; eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; const t = @field(m, name); see(t); eff(m.a);", a, "TRUE");
    zig("if (!ok(m.a)) return; @field(@field(m, name), name) = 3; eff(m.a);", a, "reassigned");
    zig(
        "if (!ok(m.a)) return; @field(m, name)(); @field(pick(@field(m, name)), \"b\") = 3; eff(m.a);",
        a,
        "reassigned",
    );
    zig("if (!ok(m.a)) return; @field(m, name) = 3; eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @field(m, \"b\") = 3; eff(m.a);", a, "TRUE");
    zig("if (!ok(m.a)) return; @memset(&m.a, 0); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @memset(m.a, 0); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @memset(m.a[0..2], 0); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @memcpy(n.a, m.a); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @memcpy(m.a, n.a); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; @atomicStore(u8, &m.a, 1, .seq_cst); eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; _ = @atomicRmw(u8, &m.a, .Add, 1, .seq_cst); eff(m.a);", a, "reassigned");
    let load = "effect = eff($$$)\nskip_if = m.a.load($$$)";
    zig("if (m.a.load(.seq_cst)) return; m.a.store(k, .seq_cst); eff();", load, "reassigned");
    zig("if (m.a.load(.acquire)) return; _ = n.a.swap(k, .acq_rel); eff();", load, "reassigned");
    zig("if (m.a.load(.acquire)) return; _ = m.b.load(.acquire); eff();", load, "TRUE");
    zig("if (!ok(m.a)) return; _ = @atomicLoad(u8, &m.a, .seq_cst); eff(m.a);", a, "TRUE");
    zig("if (!ok(m.items[0])) return; (if (c()) m else n).items = q; eff(m.items[0]);", a, "reassigned");
    zig("if (!ok(m.a)) return; get(n).a = q; eff(m.a);", a, "reassigned");
    zig("if (!ok(m.a)) return; list.addOne().* = 1; eff(m.a);", a, "reassigned");
}
