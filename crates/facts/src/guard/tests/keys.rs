//! Each key by itself and with others.

use super::{check, check_file};

const ONLY: &str = "effect = go($$$)\nonly_if = ok($M)";
const SKIP: &str = "effect = go($$$)\nskip_if = bad($M.s)";

#[test]
fn only_if_and_skip_if() {
    check("if (ok(m)) go();", ONLY, "TRUE");
    check("if (!ok(m)) return; go();", ONLY, "TRUE");
    check("go();", ONLY, "unguarded");
    check("if (bad(m.s)) return; go();", SKIP, "TRUE");
    check("if (bad(m.s)) go();", SKIP, "wrong-outcome");
    check("stop();", SKIP, "no-effect");
    check("return; go();", SKIP, "no-effect");
    check("if (bad(m.s)) return; go(); go(1);", SKIP, "TRUE");
    check("if (!bad(m.s)) go(); go(1);", SKIP, "unguarded");
}

#[test]
fn alternatives_hold_path_by_path() {
    let either = "effect = go()\nskip_if = bad($S)\nskip_if = $S.pid !== null";
    check("if (m.pid === null) go();", either, "TRUE");
    check("if (k) { if (bad(m)) return; } else if (m.pid !== null) return; go();", either, "TRUE");
    check("if (k) { if (bad(m)) return; } go();", either, "unguarded");
}

#[test]
fn compound_conditions_are_exact() {
    let both = "effect = go()\nonly_if = a($M) && b($M)";
    check("if (a(m) && b(m)) go();", both, "TRUE");
    check("if (!a(m)) return; if (!b(m)) return; go();", both, "TRUE");
    check("if (!(!a(m) || !b(m))) go();", both, "TRUE");
    check("if (a(m) && b(n)) go();", both, "unguarded");
    check("if (a(m) || b(m)) go();", both, "unguarded");
    let one = "effect = go()\nonly_if = a($M) || b($M)";
    check("if (a(m) || b(m)) go();", one, "TRUE");
    check("if (!a(m) && !b(m)) return; go();", one, "TRUE");
    check("if (!a(m)) { if (!b(m)) return; } go();", one, "TRUE");
    check("if (!a(m)) { if (k) return; } go();", one, "unguarded");
    let not_both = "effect = go()\nskip_if = a($M) && b($M)";
    check("if (a(m) && b(m)) return; go();", not_both, "TRUE");
    check("if (a(m)) return; go();", not_both, "TRUE");
}

#[test]
fn equalities_imply_each_other_where_they_do() {
    let strict = "effect = go()\nskip_if = $M === null";
    check("if (m === null) return; go();", strict, "TRUE");
    check("if (m == null) return; go();", strict, "TRUE");
    check("if (null !== m) go();", strict, "TRUE");
    check("if (m === undefined) return; go();", strict, "unguarded");
    check("if (!m) return; go();", strict, "TRUE");
    let loose = "effect = go()\nskip_if = $M == null";
    check("if (m === null) return; go();", loose, "unguarded");
    check("if (m === null || m === undefined) return; go();", loose, "TRUE");
    let value = "effect = go()\nskip_if = $M.s === 'a'";
    check("if (m.s !== 'b') return; go();", value, "TRUE");
    check("if (m.s === 'b') return; go();", value, "unguarded");
    check("if (m.s != 'b') return; go();", value, "TRUE");
}

#[test]
fn metavariables_are_shared() {
    let same = "effect = kill($P)\nonly_if = owns($P)";
    check("if (owns(m)) kill(m);", same, "TRUE");
    check("if (owns(m)) kill(n);", same, "unguarded");
    check("if (owns(m)) { const m = n; kill(m); }", same, "unguarded");
    check("if (owns(m)) kill(m); if (owns(n)) kill(n);", same, "TRUE");
    let keys = "effect = go()\nonly_if = held($L)\nskip_if = old($L)";
    check("if (!held(m) || old(m)) return; go();", keys, "TRUE");
    check("if (!held(m) || old(n)) return; go();", keys, "unguarded");
    check("if (held(m) && old(m)) return; if (!held(n) || old(n)) return; go();", keys, "TRUE");
    check("if (!held(m)) return; go();", "effect = go()\nonly_if = held($L)\nL = n", "unguarded");
}

#[test]
fn since_wants_the_check_behind_the_node() {
    let since = "effect = rm($$$)\nonly_if = ok($M)\nsince = measure($$$)";
    check("measure(); if (!ok(m)) return; rm();", since, "TRUE");
    check("if (!ok(m)) return; measure(); rm();", since, "stale-check");
    check("if (!ok(m)) return; rm();", since, "stale-check");
    check("measure(); if (!ok(m)) return; measure(); rm();", since, "stale-check");
    check("if (k) measure(); if (!ok(m)) return; rm();", since, "stale-check");
    check("for (;;) { measure(); if (!ok(m)) continue; rm(); }", since, "TRUE");
}

#[test]
fn after_wants_every_path() {
    let after = "effect = rename($$$)\nafter = $F.sync()";
    check("m.sync(); rename();", after, "TRUE");
    check("if (k) m.sync(); else n.sync(); rename();", after, "TRUE");
    check("if (k) m.sync(); rename();", after, "not-passed");
    check("rename(); m.sync();", after, "not-passed");
    check("try { m.sync(); } catch {} rename();", after, "not-passed");
    check("try { m.sync(); } catch { return; } rename();", after, "TRUE");
    let shared = "effect = rename($F)\nafter = $F.sync()";
    check("m.sync(); rename(m);", shared, "TRUE");
    check("n.sync(); rename(m);", shared, "not-passed");
    check("m.sync(); m = n; rename(m);", shared, "reassigned");
}

#[test]
fn then_wants_every_way_out() {
    let then = "effect = lock()\nthen = unlock()";
    check("lock(); unlock();", then, "TRUE");
    check("lock(); if (k) return; unlock();", then, "not-followed");
    check("lock(); try { if (k) return; work(); } finally { unlock(); }", then, "TRUE");
    check("lock(); try { work(); } catch { return; } unlock();", then, "not-followed");
    check("lock(); if (k) throw new Error(); unlock();", then, "TRUE");
    check("lock(); for (;;) { work(); }", then, "TRUE");
    check("lock(); while (k) { unlock(); }", then, "not-followed");
    let thrown = "effect = lock()\nthen = unlock()\nthen_on_throw = true";
    check("lock(); if (k) throw new Error(); unlock();", thrown, "not-followed");
    check("lock(); work(); unlock();", thrown, "not-followed");
    check("lock(); try { work(); } finally { unlock(); }", thrown, "TRUE");
    let shared = "effect = lock($L)\nthen = unlock($L)";
    check("lock(m); unlock(m);", shared, "TRUE");
    check("lock(m); unlock(n);", shared, "not-followed");
    check("lock(m); m = n; unlock(m);", shared, "not-followed");
}

#[test]
fn without_ends_knowledge() {
    let tight = "effect = kill($$$)\nonly_if = ok($M)\nwithout = await";
    check("await w(); if (!ok(m)) return; kill(); await w();", tight, "TRUE");
    check("if (!ok(m)) return; await w(); kill();", tight, "interrupted");
    check("if (!ok(m)) return; if (k) await w(); kill();", tight, "interrupted");
    check("if (!ok(m)) return; await kill();", tight, "TRUE");
    check("if (!ok(m)) return; kill(await w());", tight, "interrupted");
    check("if (!ok(m)) return; for await (const x of n) log(x); kill();", tight, "interrupted");
    let pattern = "effect = kill($$$)\nonly_if = ok($M)\nwithout = log($$$)";
    check("if (!ok(m)) return; log(); kill();", pattern, "interrupted");
    check("log(); if (!ok(m)) return; kill();", pattern, "TRUE");
    let after = "effect = rename($$$)\nafter = $F.sync()\nwithout = await";
    check("await m.sync(); rename();", after, "TRUE");
    check("await m.sync(); await w(); rename();", after, "interrupted");
}

#[test]
fn any_takes_one_table() {
    let any = "effect = go()\nany\nonly_if = forced($J)\nany\nonly_if = held($L)\nskip_if = old($L)";
    check("if (!held(m) || old(m)) return; go();", any, "TRUE");
    check("if (!held(m)) return; go();", any, "unguarded");
    check("if (!forced(k)) { if (!held(m) || old(m)) return; } go();", any, "TRUE");
    check("go();", any, "unguarded");
}

#[test]
fn never_and_has() {
    check("setTimeout(() => kill(m));", "never = kill($$$)", "present");
    check("go();", "never = kill($$$)", "TRUE");
    check("log.flush();", "has = log.flush()", "TRUE");
    check("go();", "has = log.flush()", "absent");
}

#[test]
fn assertions_and_calls_that_never_return() {
    let listed = "effect = go()\nonly_if = ok($M)\nassert = invariant($C, $$$)\nends = fail($$$)";
    check("invariant(ok(m), 'no'); go();", listed, "TRUE");
    check("invariant(!ok(m)); go();", listed, "wrong-outcome");
    check("expect(ok(m)); go();", listed, "unguarded");
    check("if (!ok(m)) fail('no'); go();", listed, "TRUE");
    check("if (!ok(m)) { log(); fail('no'); } go();", listed, "TRUE");
    check("if (!ok(m)) process.exit(1); go();", listed, "TRUE");
}

#[test]
fn every_scope_must_hold_and_be_there() {
    let both = "effect = go()\nskip_if = bad($M)\nin = g";
    let good = "function f(m) { if (!bad(m)) go(); }";
    check_file("a.ts", &format!("{good} function g(m) {{ if (bad(m)) return; go(); }}"), both, "TRUE");
    check_file("a.ts", &format!("{good} function g(m) {{ go(); }}"), both, "unguarded");
    check_file("a.ts", good, both, "no-scope");
    check_file("a.ts", "function f(m) { if (bad(m) { return; } go(; }", SKIP, "parse-error");
}
