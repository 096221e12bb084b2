//! Nodes inside called functions that come between, with `through`.

use super::check_file;

const KEYS: &str = "effect = commit()\nafter = fsync()\nwithout = write($$$)\nthrough = true";

#[test]
fn functions_that_are_handed_on_may_be_called() {
    let w = "function w(x) { write(x); }";
    check_file("a.ts", &format!("{w} function f(xs) {{ fsync(); xs.forEach(w); commit(); }}"), KEYS, "interrupted");
    check_file("a.ts", &format!("{w} function f(xs) {{ fsync(); w(xs); commit(); }}"), KEYS, "interrupted");
    check_file("a.ts", &format!("{w} function f(xs) {{ xs.forEach(w); fsync(); commit(); }}"), KEYS, "TRUE");
    let see = "function see(x) { log(x); }";
    check_file("a.ts", &format!("{see} function f(xs) {{ fsync(); xs.forEach(see); commit(); }}"), KEYS, "TRUE");
}

#[test]
fn functions_of_the_same_container_may_be_called() {
    let scope = |keys: &str| format!("{keys}\nin = M.f");
    let zig = |body: &str| {
        format!(
            "fn f() void {{ fsync(); commit(); }} const M = struct {{ fn f(self: *M) void {{ {body} }} fn g(self: *M) void {{ write(); }} fn h(self: *M) void {{ log(); }} }};"
        )
    };
    check_file("a.zig", &zig("fsync(); g(self); commit();"), &scope(KEYS), "interrupted");
    check_file("a.zig", &zig("fsync(); self.g(); commit();"), &scope(KEYS), "interrupted");
    check_file("a.zig", &zig("fsync(); self.h(); commit();"), &scope(KEYS), "TRUE");
    let class = |body: &str| {
        format!(
            "function f() {{ fsync(); commit(); }} class M {{ f() {{ {body} }} g() {{ write(); }} h() {{ log(); }} }}"
        )
    };
    check_file("a.ts", &class("fsync(); this.g(); commit();"), &scope(KEYS), "interrupted");
    check_file("a.ts", &class("fsync(); this.h(); commit();"), &scope(KEYS), "TRUE");
}

#[test]
fn functions_that_are_called_in_other_ways() {
    let ts = |file: &str, between: &str, expected: &str| {
        let source = format!("{file} async function f(k, n, xs) {{ fsync(); {between} commit(); }}");
        check_file("a.ts", &source, KEYS, expected);
    };
    let w = "function w(x) { write(x); } function see(x) { log(x); }";
    for between in [
        "w.call(k);",
        "w?.apply(k, xs);",
        "const h = w; h();",
        "const h = w; k(h);",
        "(n ? w : see)();",
        "queueMicrotask(w);",
        "k(() => w(n));",
        "xs.map(async (x) => { await w(x); });",
        "const h = () => { w(n); }; h();",
        "k({ w });",
        "k([see, w]);",
        "const o = { w }; o.w();",
        "w.bind(k)();",
        "await Promise.all(xs.map(w));",
        "function g() { w(); } g();",
    ] {
        ts(w, between, "interrupted");
        ts(w, &between.replace("w", "see").replace("asee", "aw").replace("asynsee", "async"), "TRUE");
    }
    ts("let w = () => {}; w = () => write();", "w();", "interrupted");
    ts("let w; w = () => write();", "w();", "interrupted");
    ts("let w = () => {}; w = () => log();", "w();", "TRUE");
    ts("function w() { k.on = inner; } function inner() { write(); }", "w();", "TRUE");
    ts("function w() { k.on = inner; } function inner() { write(); }", "w(); k();", "interrupted");
    ts("const w = new Map();", "w.set(n, 1); for (const x of xs) { k(x); }", "TRUE");
}

#[test]
fn functions_of_a_container_that_are_handed_on() {
    for between in ["run(g);", "run(&g);", "const q = g; q(self);", "Self.g(self);"] {
        let other = between.replace("g)", "h)").replace("= g", "= h").replace(".g(", ".h(");
        for (between, expected) in [(between, "interrupted"), (&*other, "TRUE")] {
            let source = format!(
                "fn f() void {{ fsync(); commit(); }} const M = struct {{ const Self = @This(); \
                 fn f(self: *M) void {{ fsync(); {between} commit(); }} \
                 fn g(self: *M) void {{ write(); }} fn h(self: *M) void {{ log(); }} }};"
            );
            check_file("a.zig", &source, &format!("{KEYS}\nin = M.f"), expected);
        }
    }
    let own = |body: &str, expected: &str| {
        let keys = KEYS.replace("\nthrough = true", "");
        let source = format!("fn f() void {{ const S = struct {{ fn g() void {{ write(); }} }}; {body} }}");
        check_file("a.zig", &source, &keys, expected);
    };
    own("fsync(); S.g(); commit();", "interrupted");
    own("S.g(); fsync(); commit();", "TRUE");
}

#[test]
fn what_a_called_function_makes_sure_of() {
    let through = "effect = go($$$)\nonly_if = ok($X)\nthrough = true";
    let check = |guard: &str, body: &str, expected: &str| {
        check_file("a.ts", &format!("{guard} async function f(m, n) {{ {body} }}"), through, expected);
    };
    let guard = "function guard(x) { if (!ok(x)) throw new Error(); }";
    check(guard, "guard(m); go(m);", "TRUE");
    check_file("a.ts", &format!("{guard} function f(m) {{ guard(m); go(m); }}"), ONLY_GO, "unguarded");
    check(guard, "guard(m); m = n; go(m);", "reassigned");
    check(guard, "try { guard(m); } catch {} go(m);", "unguarded");
    check(guard, "try { k(); guard(m); } catch { return; } go(m);", "TRUE");
    check(guard, "guard(...m); go(m);", "unguarded");
    check("function guard(x) { if (!ok(x)) return; }", "guard(m); go(m);", "unguarded");
    check("function guard(x) { if (!ok(x)) throw 1; if (!ok(x)) log(); }", "guard(m); go(m);", "unguarded");
    check("function guard(x) { if (x.a || !ok(x)) throw 1; }", "guard(m); go(m);", "TRUE");
    check("function guard(x) { if (x.a && !ok(x)) throw 1; }", "guard(m); go(m);", "unguarded");
    check("function guard(x) { if (!ok(x)) throw 1; x.s = 1; }", "guard(m); go(m);", "reassigned");
    check("function guard(x) { while (!ok(x)) wait(); }", "guard(m); go(m);", "TRUE");
    let waits = "async function guard(x) { if (!ok(x)) throw 1; }";
    check(waits, "await guard(m); go(m);", "TRUE");
    check(waits, "guard(m); go(m);", "unguarded");
    let zig = |guard: &str, body: &str, expected: &str| {
        check_file("a.zig", &format!("{guard} fn f(m: *M) !void {{ {body} }}"), through, expected);
    };
    zig("fn guard(x: *M) !void { if (!ok(x)) return error.Bad; }", "try guard(m); go();", "TRUE");
    zig("fn guard(x: *M) !void { if (!ok(x)) return error.Bad; }", "guard(m) catch {}; go();", "unguarded");
    zig("fn guard(x: *M) void { if (!ok(x)) @panic(\"no\"); }", "guard(m); go();", "TRUE");
    zig("fn chk(x: *M) !bool { return ok(x); }", "if (!try chk(m)) return; go();", "TRUE");
    zig("fn chk(x: *M) bool { if (x.a) return false; return ok(x); }", "if (!chk(m)) return; go();", "TRUE");
}

const ONLY_GO: &str = "effect = go($$$)\nonly_if = ok($X)";
