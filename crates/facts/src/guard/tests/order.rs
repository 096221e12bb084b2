//! Evaluation order, short-circuits and functions called on the spot: what TypeScript's own order means for guards.

use super::check;

const SKIP: &str = "effect = go($$$)\nskip_if = bad($M.s)";
const ONLY: &str = "effect = go($$$)\nonly_if = ok($M)";
const STEP: &str = "effect = go($$$)\nonly_if = ok($M)\nwithout = await";

#[test]
fn an_operand_ends_what_the_one_before_made_known() {
    check("if (ok(m) && (m = n)) go();", ONLY, "reassigned");
    check("if ((m = n) && ok(m)) go();", ONLY, "TRUE");
    check("if (!(ok(m) && (m = n))) return; go();", ONLY, "reassigned");
    check("if (Boolean(ok(m) && (m = n))) go();", ONLY, "reassigned");
    check("if (Boolean(ok(m))) go();", ONLY, "TRUE");
    check("if ((w(), ok(m))) go();", ONLY, "TRUE");
    check("if ((ok(m), w())) go();", ONLY, "unguarded");
    check("if (bad(m.s, (m = n))) return; go();", "effect = go($$$)\nskip_if = bad($M.s, $_)", "unguarded");
    check("const d = ok(m) && (m = n); if (d) go();", ONLY, "reassigned");
    check("go((m = n), ok(m));", ONLY, "unguarded");
    check("ok(m) && w((m = n), go());", ONLY, "reassigned");
    check("ok(m) && w(go(), (m = n));", ONLY, "TRUE");
    check("if (!ok(m)) return; m[go()] = k;", ONLY, "TRUE");
    check("if (!ok(m)) return; m.x = go();", ONLY, "TRUE");
    check("if (!ok(m)) return; m.x = k; m.y = go();", ONLY, "reassigned");
    check("switch (m.p) { case (m = n).p: go(); }", "effect = go()\nonly_if = $M.p === $_", "reassigned");
}

#[test]
fn chains_stop_at_what_is_not_there() {
    let there = "effect = $_.go($$$)\nskip_if = $M == null";
    check("m?.go();", "effect = $_?.go()\nskip_if = $M == null", "TRUE");
    check("m?.x.go(w());", there, "TRUE");
    check("m.x?.go();", "effect = $_?.go($$$)\nskip_if = $M.x == null", "TRUE");
    check("m?.x; m.go();", there, "unguarded");
    check("(m?.x).go();", there, "unguarded");
    check("m?.x(n.go());", there, "TRUE");
    check("m ?? n.go();", "effect = $_.go()\nonly_if = $M == null", "TRUE");
    check("m ??= n.go();", "effect = $_.go()\nonly_if = $M == null", "TRUE");
    check("m ||= n.go();", "effect = $_.go()\nskip_if = $M", "TRUE");
    check("m &&= n.go();", "effect = $_.go()\nonly_if = $M", "TRUE");
    check("const { x = n.go() } = m;", "effect = $_.go()\nonly_if = $X === undefined", "TRUE");
}

#[test]
fn suspensions_between_check_and_effect() {
    check("if (ok(m)) go();", STEP, "TRUE");
    check("if (ok(m)) { await w(); go(); }", STEP, "interrupted");
    check("if (ok(m)) go(await w());", STEP, "interrupted");
    check("if (ok(m)) (await w()).x(go());", STEP, "interrupted");
    check("if (await w() && ok(m)) go();", STEP, "TRUE");
    check("if (ok(m) && await w()) go();", STEP, "interrupted");
    check("if (!ok(m)) return; for await (const x of n) { w(); } go();", STEP, "interrupted");
    check("if (!ok(m)) return; for (const x of n) { w(); } go();", STEP, "TRUE");
    check("if (!ok(m)) return; { await using r = w(); } go();", STEP, "interrupted");
    check("if (!ok(m)) return; await using r = w(); go();", STEP, "TRUE");
    check("for await (const x of n) { if (ok(m)) break; return; } go();", STEP, "interrupted");
    check("await (async () => { if (!ok(m)) return; go(); await w(); })();", STEP, "TRUE");
    check("if (!ok(m)) return; await (async () => { await w(); go(); })();", STEP, "interrupted");
}

#[test]
fn functions_called_on_the_spot() {
    check("if (!ok(m)) return; (function () { go(); }).call(k);", ONLY, "TRUE");
    check("if (!ok(m)) return; (function again() { go(); later(again); })();", ONLY, "unguarded");
    check("if (!ok(m)) return; (function* () { go(); })();", ONLY, "unguarded");
    check("if (!ok(m)) return; (async () => { go(); })();", ONLY, "TRUE");
    check("if (!ok(m)) return; (async () => { await w(); go(); })();", ONLY, "TRUE");
    check("(async () => { if (!ok(m)) throw 1; })(); go();", ONLY, "unguarded");
    check("await (async () => { if (!ok(m)) throw 1; })(); go();", ONLY, "TRUE");
    check("(() => { if (!ok(m)) throw 1; })(); go();", ONLY, "TRUE");
    check("if (!ok(m)) return; ((x) => { x.y = 1; })(m); go();", ONLY, "reassigned");
    check("if (!ok(m)) return; (() => { m = n; })(); go();", ONLY, "reassigned");
    check("if (!ok(m)) return; class A { static x = go(); }", ONLY, "TRUE");
    check("if (!ok(m)) return; class A { x = go(); }", ONLY, "unguarded");
    check("if (!ok(m)) return; class A { static { go(); } }", ONLY, "TRUE");
    check("if (!ok(m)) return; class A { y() { go(); } }", ONLY, "unguarded");
    check("if (!ok(m)) return; const o = { get y() { return go(); } };", ONLY, "unguarded");
}

#[test]
fn programs_that_end() {
    check("if (!ok(m)) process.exit(1); go();", ONLY, "TRUE");
    check("if (!ok(m)) { process.abort(); } go();", ONLY, "TRUE");
    check("if (!ok(m)) globalThis.process.exit(); go();", ONLY, "TRUE");
    check("const process = k; if (!ok(m)) process.exit(1); go();", ONLY, "unguarded");
    check("if (!ok(m)) k.process.exit(1); go();", ONLY, "unguarded");
    check("if (!ok(m)) process?.exit(1); go();", ONLY, "unguarded");
    check("if (!ok(m)) w(process.exit); go();", ONLY, "unguarded");
    check("if (!ok(m)) later(() => process.exit(1)); go();", ONLY, "unguarded");
}

#[test]
fn loops_and_arms_in_their_order() {
    check(
        "a: for (const x of n) { for (;;) { try { if (ok(x)) break; continue a; } finally { w(); } } go(x); }",
        ONLY,
        "TRUE",
    );
    check(
        "a: for (const x of n) { for (;;) { try { if (ok(x)) break; continue; } finally { continue a; } } go(x); }",
        ONLY,
        "no-effect",
    );
    check("for (const x of n) { try { if (!ok(x)) continue; } finally { if (k) break; } go(x); }", ONLY, "TRUE");
    check("switch (m.p) { default: w(); case 'r': go(); }", "effect = go()\nonly_if = $S.p === 'r'", "unguarded");
    check("switch (m.p) { default: return; case 'r': } go();", "effect = go()\nonly_if = $S.p === 'r'", "TRUE");
    check("do { if (!ok(m)) continue; go(); } while (k);", ONLY, "TRUE");
    check("do { if (!ok(m)) continue; } while (false); go();", ONLY, "unguarded");
    check("for (;;) { if (ok(m)) break; } go();", ONLY, "TRUE");
    check("for (let i = 0; ok(m); i++) { go(); m = n; }", ONLY, "TRUE");
    check("for (let i = 0; ok(m); m = n) { w(); } go();", SKIP, "unguarded");
    check("if (bad(m.s)) return; delete m.s; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; ({ s: m.s } = n); go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; for (m of n) { w(); } go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; for (m.s in n) { w(); } go();", SKIP, "reassigned");
}

#[test]
fn an_assignment_is_judged_by_what_was_known_before_it() {
    let assigned = "effect = m.s = $_\nskip_if = bad($M.s)";
    check("if (bad(m.s)) return; m.s = k;", assigned, "TRUE");
    check("if (bad(m.s)) return; m.s = k; m.s = j;", assigned, "reassigned");
    check("if (bad(m.s)) return; m.s = w((m = n));", assigned, "reassigned");
    check("m.s = k; if (bad(m.s)) return;", assigned, "late");
    check("for (const x of n) { if (bad(m.s)) continue; m.s = x; }", assigned, "TRUE");
    check("if (bad(m.s)) return; for (const x of n) m.s = x;", assigned, "reassigned");
    check("if (bad(m.s)) return; m.s += k;", "effect = m.s += $_\nskip_if = bad($M.s)", "TRUE");
    check("if (bad(m.s)) return; m.s++;", "effect = m.s++\nskip_if = bad($M.s)", "TRUE");
    check("if (!ok(m)) return; m = n;", "effect = m = $_\nonly_if = ok(m)", "TRUE");
}
