//! What runs while a function is suspended, and functions that come out of called ones.

use super::check_file;

const ONLY: &str = "effect = go($$$)\nonly_if = m.ok";

#[track_caller]
fn only(source: &str, expected: &str) {
    check_file("a.ts", source, ONLY, expected);
}

/// `work` is the function with the check; `around` starts it.
#[track_caller]
fn with_work(around: &str, expected: &str) {
    let work = "async function work() { if (!m.ok) return; await tick(); go(m); }";
    only(&format!("async function f(m, n, k) {{ {around} {work} }}"), expected);
}

#[test]
fn the_body_around_goes_on_while_an_inner_function_is_suspended() {
    for around in [
        "const p = work(); m = n; await p;",
        "const p = work(); m.ok = false; await p;",
        "work(); while (k()) { await tick(); m = n; }",
        "work().catch(k); m = n;",
        "k.push(work()); for (m of n) k(m);",
        "const run = work; run(); m = n;",
        "setTimeout(work, 1); m = n;",
        "const all = [work(), k()]; m = n; await Promise.all(all);",
        "await Promise.race([work(), k()]); m = n;",
        "await k(work()); m = n;",
        "if (n) work(); else k(); m = n;",
        "function start() { work(); } await start(); m = n;",
        "const start = () => { const p = work(); return k(p); }; start(); m = n;",
        "await [work()]; m = n;",
        "try { await Promise.all([work(), k()]); } catch { m = n; }",
    ] {
        with_work(around, "reassigned");
    }
    for around in [
        "await work();",
        "m = n; work();",
        "m = n; const p = work(); await p;",
        "await work(); m = n;",
        "await work().catch(k); m = n;",
        "for (;;) { m = n; await work(); }",
        "await Promise.all([work(), k()]); m = n;",
        "await Promise.allSettled([k(), work()]); m = n;",
        "return work();",
        "const start = () => work(); await start(); m = n;",
        "const start = async () => { await work(); }; await start(); m = n;",
        "await (n ? work() : k()); m = n;",
        "work(); m.other = n;",
        "work(); n = m; k = n;",
    ] {
        with_work(around, "TRUE");
    }
}

#[test]
fn a_sibling_that_is_called_by_its_name_runs_too() {
    let other = "async function other() { m = n; }";
    let plain = "function other() { m.ok = n; }";
    for other in [other, plain, "const other = () => { inner(); }; function inner() { m = n; }"] {
        with_work(&format!("{other} await Promise.all([work(), other()]);"), "reassigned");
        with_work(&format!("{other} work(); other();"), "reassigned");
        with_work(&format!("{other} work(); await tick(); if (n) other();"), "reassigned");
        with_work(&format!("{other} await work(); other();"), "TRUE");
        with_work(&format!("{other} work();"), "TRUE");
    }
    with_work("function other() { m = n; } other(); work();", "TRUE");
    with_work("return { work, close() { m = n; } };", "reassigned");
}

#[test]
fn generators_and_handed_functions_are_suspended_too() {
    let generator = "function* gen() { if (!m.ok) return; yield 1; go(m); }";
    for (around, expected) in [
        ("const it = gen(); it.next(); m = n; it.next();", "reassigned"),
        ("for (const x of gen()) { m = n; }", "reassigned"),
        ("for (const x of gen()) k(x);", "TRUE"),
        ("m = n; for (const x of gen()) k(x);", "reassigned"),
    ] {
        only(&format!("function f(m, n, k) {{ {generator} {around} }}"), expected);
    }
    let handler = "async () => { if (!m.ok) return; await tick(); go(m); }";
    for (around, expected) in [
        (format!("let m = load(); on({handler}); while (n) {{ await sleep(); m = load(); }}"), "reassigned"),
        (format!("let m = load(); m = other(m); on({handler});"), "TRUE"),
        (format!("for (const m of n) k({handler});"), "TRUE"),
        (format!("for (let i = 0; i < n; i++) {{ const m = n[i]; k({handler}); }}"), "TRUE"),
        (format!("for (var m of n) k({handler});"), "reassigned"),
        (format!("while (n) {{ var m = load(); k({handler}); }}"), "reassigned"),
        (format!("let m; for (m of n) k({handler});"), "reassigned"),
        (format!("let m = k; await Promise.all(n.map({handler})); m = n;"), "reassigned"),
        (format!("let m = k; n.map({handler}); m = n;"), "reassigned"),
        (format!("let m = k; await n.map({handler}); m = n;"), "reassigned"),
        (format!("let m = k; await lock({handler}); m = n;"), "reassigned"),
    ] {
        only(&format!("async function f(n, k) {{ {around} }}"), expected);
    }
}

#[test]
fn nodes_that_come_between_while_a_function_is_suspended() {
    let source = |around: &str| {
        let work = "async function work() { if (!ok(m)) return; await tick(); go(m); }";
        format!("async function f(m, n, k) {{ {around} {work} }}")
    };
    let without = "effect = go($$$)\nonly_if = ok(m)\nwithout = log($$$)";
    for (around, expected) in [
        ("work(); log();", "interrupted"),
        ("await work(); log();", "TRUE"),
        ("log(); work();", "TRUE"),
        ("work(); on(() => log());", "interrupted"),
        ("on(() => log()); await work();", "interrupted"),
        ("const other = () => log(); work(); other();", "interrupted"),
        ("const other = () => log(); other(); work();", "TRUE"),
        ("const set = () => on(() => log()); set(); await work();", "interrupted"),
    ] {
        check_file("a.ts", &source(around), without, expected);
    }
    let since = "effect = go($$$)\nonly_if = ok(m)\nsince = log()";
    let work = "async function work() { log(); if (!ok(m)) return; await tick(); go(m); }";
    let inside = |around: &str, expected: &str| {
        check_file("a.ts", &format!("async function f(m, n, k) {{ {around} {work} }}"), since, expected);
    };
    inside("await work();", "TRUE");
    inside("work(); log();", "interrupted");
    inside("log(); work();", "TRUE");
}

#[test]
fn functions_that_a_called_function_hands_on_or_returns() {
    for (body, expected) in [
        ("const set = () => { on(() => { m.ok = false; }); }; set(); if (!m.ok) return; k(); go();", "reassigned"),
        (
            "function mk() { return { stop() { m.ok = false; } }; } const q = mk(); if (!m.ok) return; q.stop(); go();",
            "reassigned",
        ),
        (
            "function mk() { return { stop() { m.ok = false; } }; } const { stop } = mk(); if (!m.ok) return; stop(); go();",
            "reassigned",
        ),
        ("const a = () => () => { m.ok = false; }; const q = a(); if (!m.ok) return; q(); go();", "reassigned"),
        (
            "const a = () => { const b = () => { m.ok = false; }; return b; }; const q = a(); if (!m.ok) return; q(); go();",
            "reassigned",
        ),
        (
            "const a = () => { const c = () => on(() => { m = n; }); c(); }; a(); if (!m.ok) return; k(); go();",
            "reassigned",
        ),
        ("function a() { b(); } function b() { k.on = () => { m = n; }; } if (!m.ok) return; a(); go();", "TRUE"),
        (
            "async function a() { await tick(); k.on = () => { m = n; }; } a(); if (!m.ok) return; await k(); go();",
            "reassigned",
        ),
        ("const a = () => () => { m.ok = false; }; if (!m.ok) return; k(); go(); a();", "TRUE"),
        ("const a = () => () => { m.ok = false; }; if (!m.ok) return; k(); go();", "TRUE"),
        ("const a = () => () => { m.other = false; }; const q = a(); if (!m.ok) return; q(); go();", "TRUE"),
        ("const a = () => () => { m.ok = false; }; const q = a(); q(); if (!m.ok) return; go();", "TRUE"),
    ] {
        only(&format!("async function f(m, n, k) {{ {body} }}"), expected);
    }
}

#[test]
fn another_run_of_a_function_may_assign_what_this_one_holds() {
    let inner = |body: &str, expected: &str| {
        let source = format!("async function f(m, n, k) {{ on(() => {{ {body} }}); }}");
        check_file("a.ts", &source, "effect = go($$$)\nonly_if = s.ok", expected);
    };
    inner("const s = m; if (!s.ok) return; k(); go(); m.ok = 0;", "reassigned");
    inner("const s = find(); if (!s.ok) return; k(); go(); m.ok = 0;", "reassigned");
    inner("const s = m.s; if (!s.ok) return; k(); go(); s.ok = 0;", "reassigned");
    inner("let s = find(); if (!s.ok) return; k(); go(); s = m;", "TRUE");
    inner("const s = { ok: n }; if (!s.ok) return; k(); go(); s.ok = 0;", "TRUE");
    inner("const s = find(); if (!s.ok) return; go(); m.ok = 0;", "TRUE");
}

#[test]
fn an_async_function_that_nobody_waits_for_runs_on_the_spot_until_it_first_waits() {
    for (body, expected) in [
        ("if (!m.ok) return; (async () => { go(m); })();", "TRUE"),
        ("if (!m.ok) return; (async () => { await k(); go(m); })();", "TRUE"),
        ("if (!m.ok) return; (async () => { go(m); })(); m.ok = n;", "TRUE"),
        ("if (!m.ok) return; (async () => { await k(); go(m); })(); m.ok = n;", "reassigned"),
        ("if (!m.ok) return; (async () => { await k(); go(m); })(); const q = m; q.ok = n;", "reassigned"),
        ("if (!m.ok) return; const h = async () => { await k(); go(m); }; h(); await k(); m = n;", "reassigned"),
        // What it does later is taken to be done when its call comes back, too.
        ("if (!m.ok) return; (async () => { await k(); m.ok = n; })(); go(m);", "reassigned"),
        ("if (!m.ok) return; (async () => { m.ok = n; await k(); })(); go(m);", "reassigned"),
        ("if (!m.ok) return; (async () => { await k(); m.ok = n; })(); await k(); go(m);", "reassigned"),
        (
            "if (!m.ok) return; (async () => { try { await k(); } finally { m.ok = n; } })(); k(); await k(); go(m);",
            "reassigned",
        ),
        ("(async () => { if (!m.ok) throw 1; await k(); })(); go(m);", "unguarded"),
        ("(async () => { if (!m.ok) throw 1; })(); go(m);", "unguarded"),
        ("if (!m.ok) return; n.forEach(async (x) => { go(m); });", "TRUE"),
        ("if (!m.ok) return; n.forEach(async (x) => { go(m); m.ok = x; });", "reassigned"),
        ("if (!m.ok) return; n.forEach(async (x) => { await k(); go(m); }); m.ok = n;", "reassigned"),
        ("if (!m.ok) return; setTimeout(async () => { go(m); });", "unguarded"),
    ] {
        only(&format!("async function f(m, n, k) {{ {body} }}"), expected);
    }
    let own = "effect = go($$$)\nonly_if = o.ok";
    let body = "const o = { ok: 1 }; let q; if (!o.ok) return; (async () => { await k(); go(o); })();";
    check_file("a.ts", &format!("async function f(n, k) {{ {body} }}"), own, "TRUE");
    check_file("a.ts", &format!("async function f(n, k) {{ {body} q = o; q.ok = n; }}"), own, "reassigned");
    let then = "effect = go($$$)\nthen = done()";
    for (body, expected) in [
        ("(async () => { go(m); await k(); done(); })();", "TRUE"),
        ("(async () => { await k(); go(m); done(); })();", "TRUE"),
        ("(async () => { await k(); go(m); })(); done();", "not-followed"),
        ("(async () => { go(m); })(); done();", "not-followed"),
        ("go(m); (async () => { await k(); done(); })();", "not-followed"),
        ("go(m); (async () => { done(); await k(); })();", "TRUE"),
    ] {
        check_file("a.ts", &format!("async function f(m, n, k) {{ {body} }}"), then, expected);
    }
    let after = "effect = go($$$)\nafter = done()";
    for (body, expected) in [
        // Its error ends it, and not the code behind.
        ("(async () => { done(); await k(); })(); go(m);", "not-passed"),
        ("(async () => { await k(); done(); })(); go(m);", "not-passed"),
        ("done(); (async () => { await k(); go(m); })();", "TRUE"),
        ("(async () => { await k(); go(m); })(); done();", "not-passed"),
    ] {
        check_file("a.ts", &format!("async function f(m, n, k) {{ {body} }}"), after, expected);
    }
}
