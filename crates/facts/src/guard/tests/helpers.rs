//! Conditions made in called functions.

use super::check_file;

const ONLY: &str = "effect = go($$$)\nonly_if = $M.s === 'ok'";

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
