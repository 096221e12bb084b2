//! Conditions made in called functions.

use super::check_file;

const ONLY: &str = "effect = go($$$)\nonly_if = $M.s === 'ok'";

#[track_caller]
fn check(source: &str, text: &str, expected: &str) {
    check_file("a.ts", source, text, expected);
}

#[test]
fn a_call_stands_for_what_its_function_returns() {
    let is_ok = "function isOk(x) { return x.s === 'ok'; }";
    check(&format!("{is_ok} function f(m) {{ if (isOk(m)) go(m); }}"), ONLY, "TRUE");
    check(&format!("{is_ok} function f(m) {{ if (!isOk(m)) return; go(m); }}"), ONLY, "TRUE");
    check(&format!("{is_ok} function f(m) {{ if (isOk(m)) return; go(m); }}"), ONLY, "wrong-outcome");
    check(&format!("{is_ok} function f(m) {{ if (!isOk(m)) return; m.s = 'no'; go(m); }}"), ONLY, "reassigned");
    check("const isOk = (x) => x.s === 'ok' && x.t; function f(m) { if (isOk(m)) go(m); }", ONLY, "TRUE");
    check("const isOk = (x) => x.s === 'ok' || x.t; function f(m) { if (isOk(m)) go(m); }", ONLY, "unguarded");
    check("function f(m) { const isOk = (x) => x.s === 'ok'; if (isOk(m)) go(m); }", ONLY, "TRUE");
    check("function isOk(x) { log(); return x.s === 'ok'; } function f(m) { if (isOk(m)) go(m); }", ONLY, "unguarded");
    let same = "effect = go($M)\nonly_if = $M.s === 'ok'";
    check(&format!("{is_ok} function f(m, n) {{ if (isOk(m)) go(m); }}"), same, "TRUE");
    check(&format!("{is_ok} function f(m, n) {{ if (isOk(n)) go(m); }}"), same, "unguarded");
}

#[test]
fn through_goes_deeper_and_rings_end() {
    let two = "const a = (x) => x.s === 'ok'; const b = (y) => a(y); function f(m) { if (b(m)) go(m); }";
    check(two, ONLY, "unguarded");
    check(two, &format!("{ONLY}\nthrough = true"), "TRUE");
    let ring = "const a = (x) => b(x); const b = (y) => a(y); function f(m) { if (b(m)) go(m); }";
    check(ring, &format!("{ONLY}\nthrough = true"), "unguarded");
}

#[test]
fn after_nodes_in_called_functions_count_with_through() {
    let after = "effect = rename()\nafter = $F.sync()";
    let deep = "effect = rename()\nafter = $F.sync()\nthrough = true";
    let always = "function flush(x) { x.w(); x.sync(); } function f(m) { flush(m); rename(); }";
    check(always, after, "not-passed");
    check(always, deep, "TRUE");
    check("function flush(x) { if (x.w) x.sync(); } function f(m) { flush(m); rename(); }", deep, "not-passed");
    check("function flush(x) { flush(x); } function f(m) { flush(m); rename(); }", deep, "not-passed");
    let slow = "async function flush(x) { await x.sync(); }";
    check(&format!("{slow} async function f(m) {{ await flush(m); rename(); }}"), deep, "TRUE");
    check(&format!("{slow} async function f(m) {{ flush(m); rename(); }}"), deep, "not-passed");
    let two = "function a(x) { x.sync(); } const b = (x) => { a(x); }; function f(m) { b(m); rename(); }";
    check(two, deep, "TRUE");
}

#[test]
fn functions_of_one_container_see_each_other() {
    let only = "effect = go()\nonly_if = self.ok";
    let in_m = |members: &str, body: &str, text: &str, expected: &str| {
        let source = format!(
            "fn f(self: *M) void {{ if (self.ok) {{ pre(); go(); }} }} \
             const M = struct {{ ok: bool, fn f(self: *M) void {{ {body} }} {members} }};"
        );
        check_file("a.zig", &source, &format!("{text}\nin = M.f"), expected);
    };
    let is_ok = "fn isOk(m: *const M) bool { return m.ok; }";
    in_m(is_ok, "if (!isOk(self)) return; go();", only, "TRUE");
    in_m(is_ok, "if (isOk(self)) return; go();", only, "wrong-outcome");
    in_m(is_ok, "if (!isOk(other)) return; go();", only, "unguarded");
    in_m("fn isOk(m: *const M) bool { return m.open; }", "if (!isOk(self)) return; go();", only, "unguarded");
    let after = "effect = go()\nafter = pre()\nthrough = true";
    in_m("fn g() void { pre(); }", "g(); go();", after, "TRUE");
    in_m("fn g() void { if (x) pre(); }", "g(); go();", after, "not-passed");
    let namespace =
        "namespace N { function isOk(x) { return ok(x); } export function f(m) { if (!isOk(m)) return; eff(m); } }";
    let text = "effect = eff($X)\nonly_if = ok($X)\nin = N.f";
    check_file("a.ts", &format!("function f(m) {{ if (ok(m)) eff(m); }} {namespace}"), text, "TRUE");
    let inner = "function o() { function isOk(x) { return ok(x); } function f(m) { if (!isOk(m)) return; eff(m); } }";
    check_file("a.ts", &format!("function f(m) {{ if (ok(m)) eff(m); }} {inner}"), &text.replace("N.f", "o.f"), "TRUE");
}
