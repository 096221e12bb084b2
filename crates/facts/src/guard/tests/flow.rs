//! Knowledge along paths: branches, loops, switches, `try`, closures, assignments.

use super::check;

const SKIP: &str = "effect = go($$$)\nskip_if = bad($M.s)";
const ONLY: &str = "effect = go($$$)\nonly_if = ok($M)";

#[test]
fn expressions() {
    check("ok(m) && go();", ONLY, "TRUE");
    check("ok(m) || go();", ONLY, "wrong-outcome");
    check("return ok(m) ? go() : null;", ONLY, "TRUE");
    check("return ok(m) ? null : go();", ONLY, "wrong-outcome");
    check("if (k > 1 && ok(m) && go()) log();", ONLY, "TRUE");
    check("if (k || ok(m)) go();", ONLY, "unguarded");
    check("go(ok(m));", ONLY, "unguarded");
    check("if (!!ok(m)) go();", ONLY, "TRUE");
    check("if (ok(m)!) go();", ONLY, "TRUE");
    check("if (ok(m) as boolean) go();", ONLY, "TRUE");
}

#[test]
fn loops_and_labels() {
    check("while (ok(m)) go();", ONLY, "TRUE");
    check("do go(); while (ok(m));", ONLY, "late");
    check("for (; ok(m); ) go();", ONLY, "TRUE");
    check("while (!ok(m)) wait(); go();", ONLY, "TRUE");
    check("while (!ok(m)) { if (k) break; } go();", ONLY, "unguarded");
    check("for (const x of n) { if (bad(x.s)) continue; go(x); }", SKIP, "TRUE");
    check("for (const x of n) { if (bad(x.s)) break; } go();", SKIP, "unguarded");
    check("a: for (;;) { for (;;) { if (ok(m)) break a; } } go();", ONLY, "TRUE");
    check("a: { if (ok(m)) break a; return; } go();", ONLY, "TRUE");
    check("a: { if (!ok(m)) break a; go(); }", ONLY, "TRUE");
    check("a: { if (!ok(m)) break a; } go();", ONLY, "unguarded");
}

#[test]
fn switches() {
    let phase = "effect = go()\nonly_if = $S.p === 'r'";
    check("switch (m.p) { case 'r': go(); }", phase, "TRUE");
    check("switch (m.p) { case 'a': w(); break; case 'r': go(); }", phase, "TRUE");
    check("switch (m.p) { case 'a': w(); case 'r': go(); }", phase, "unguarded");
    check("switch (m.p) { case 'a': case 'r': go(); }", phase, "unguarded");
    check("switch (m.p) { case 'r': break; default: return; } go();", phase, "TRUE");
    check("switch (true) { case m.p === 'r': go(); }", phase, "TRUE");
}

#[test]
fn protected_code() {
    check("try { if (!ok(m)) throw 1; } catch { return; } go();", ONLY, "TRUE");
    check("try { if (!ok(m)) throw 1; } catch { log(); } go();", ONLY, "unguarded");
    check("try { if (!ok(m)) return; w(); } finally { go(); }", ONLY, "unguarded");
    check("if (!ok(m)) return; try { w(); } finally { go(); }", ONLY, "TRUE");
    check("if (!ok(m)) return; try { m = n; } catch { go(); }", ONLY, "reassigned");
    check("try { if (!ok(m)) return; } finally { w(); } go();", ONLY, "TRUE");
    check("try { return; } finally { if (!ok(m)) return; go(); }", ONLY, "TRUE");
}

#[test]
fn assignments_end_knowledge() {
    check("if (bad(m.s)) return; m = n; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; m.s = k; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; m.other = k; go();", SKIP, "TRUE");
    check("if (bad(m.s)) return; m.s.x = k; go();", SKIP, "reassigned");
    check("if (!ok(m)) return; m.any = k; go();", ONLY, "reassigned");
    check("if (bad(m.s)) return; if (k) m = n; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; [m] = n; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; m.s++; go();", SKIP, "reassigned");
    check("if (bad(m.s)) return; { let m = n; m = k; } go();", SKIP, "TRUE");
    check("if (bad(m.s)) return; for (const x of n) { go(); m = x; }", SKIP, "reassigned");
    check("for (const x of n) { if (bad(m.s)) return; go(); m = x; }", SKIP, "TRUE");
    check("if (bad(m.s)) return; const t = () => { m = n; }; go(t);", SKIP, "TRUE");
    check("if (bad(m.s)) return; const t = () => { m = n; }; go();", SKIP, "TRUE");
    check("const t = () => { m = n; }; if (bad(m.s)) return; go();", SKIP, "TRUE");
    let call = "effect = go()\nonly_if = $M.live()";
    check("if (!m.live()) return; m.x = 1; go();", call, "reassigned");
    check("if (!m.live()) return; n.x = 1; go();", call, "TRUE");
    let missing = "effect = go()\nskip_if = $M === null";
    check("if (m === null) return; m.x = 1; go();", missing, "TRUE");
    check("if (m === null) return; m = k; go();", missing, "reassigned");
}

#[test]
fn closures_know_nothing_of_their_birthplace() {
    check("if (!ok(m)) return; later(() => go());", ONLY, "unguarded");
    check("later(() => { if (ok(m)) go(); });", ONLY, "TRUE");
    check("if (!ok(m)) return; (() => { go(); })();", ONLY, "TRUE");
    check("if (!ok(m)) return; await (async () => { await go(); })();", ONLY, "TRUE");
    check("function g() { go(); } if (ok(m)) g();", ONLY, "TRUE");
    check("(() => { if (!ok(m)) return; })(); go();", ONLY, "unguarded");
}
