//! `this` and `arguments`: those of another function are other things, and what a function is called on may be any object.

use super::{check, check_file};

const THIS: &str = "effect = go($$$)\nonly_if = this.ok";

#[test]
fn the_effect_may_have_another_this() {
    let checked = |rest: &str, expected: &str| check(&format!("if (!this.ok) return; {rest}"), THIS, expected);
    for rest in [
        "(function () { go(); })();",
        "(function () { go(this); }).call(n);",
        "(function () { go(); }).apply(n, []);",
        "(async function () { go(this); }).call(n);",
        "class Q { static x = go(); }",
        "class Q { static { go(this); } }",
        "new (class { static x = go(); })();",
    ] {
        checked(rest, "unguarded");
    }
    for rest in [
        "go();",
        "(() => { go(this); })();",
        "(function () { go(); }).call(this);",
        "(function () { go(this.x); }).apply(this, [n]);",
        "class Q { [go()] = 1; }",
        "class Q extends go(this) {}",
        "class Q { @go() m() {} }",
        "const o = { [go()]: 1, x: go(this) };",
    ] {
        checked(rest, "TRUE");
    }
    check("(function () { if (!this.ok) return; go(); })();", THIS, "TRUE");
    check("(function () { if (!this.ok) return; (() => go())(); })();", THIS, "TRUE");
    check("class Q { static { if (this.ok) go(); } }", THIS, "TRUE");
}

#[test]
fn the_check_may_have_another_this() {
    check("(function () { if (!this.ok) throw 1; })(); go();", THIS, "unguarded");
    check("(function () { if (!this.ok) throw 1; }).call(n); go();", THIS, "unguarded");
    check("let b = false; (function () { b = this.ok; })(); if (b) go();", THIS, "unguarded");
    check("class Q { static { if (!this.ok) throw 1; } } go();", THIS, "unguarded");
    check("(() => { if (!this.ok) throw 1; })(); go();", THIS, "TRUE");
    check("(function () { if (!this.ok) throw 1; }).call(this); go();", THIS, "TRUE");
    let is_ok = "function isOk() { return this.ok; }";
    check(&format!("{is_ok} if (!isOk()) return; go();"), THIS, "unguarded");
    let deep = format!("{THIS}\nthrough = true");
    let guard = "function guard() { if (!this.ok) throw 1; }";
    check_file("a.ts", &format!("{guard} function f() {{ guard(); go(); }}"), &deep, "unguarded");
    check_file("a.ts", &format!("function f() {{ {guard} guard(); go(); }}"), &deep, "unguarded");
}

#[test]
fn a_passed_node_may_have_another_this() {
    let after = "effect = go($$$)\nafter = this.init()";
    check("this.init(); go();", after, "TRUE");
    check("(() => this.init())(); go();", after, "TRUE");
    check("(function () { this.init(); })(); go();", after, "not-passed");
    check("class Q { static { this.init(); } } go();", after, "not-passed");
    check("class Q { static x = this.init(); } go();", after, "not-passed");
    let deep = format!("{after}\nthrough = true");
    check("function init() { this.init(); } init(); go();", &deep, "not-passed");
    check("const init = () => this.init(); init(); go();", &deep, "TRUE");
    check_file("a.ts", "function init() { this.init(); } function f() { init(); go(); }", &deep, "not-passed");
    let then = "effect = this.open()\nthen = this.close()";
    check("this.open(); (() => this.close())();", then, "TRUE");
    check("this.open(); (function () { this.close(); })();", then, "not-followed");
}

#[test]
fn arguments_belong_to_their_function() {
    let first = "effect = go($$$)\nonly_if = arguments[0].ok";
    let in_js =
        |body: &str, expected: &str| check_file("a.js", &format!("function f(m) {{ {body} }}"), first, expected);
    in_js("if (!arguments[0].ok) return; go();", "TRUE");
    in_js("if (!arguments[0].ok) return; (() => go())();", "TRUE");
    in_js("if (!arguments[0].ok) return; (function () { go(); })(n);", "unguarded");
    in_js("if (!arguments[0].ok) return; (function () { go(); }).call(this);", "unguarded");
    in_js("(function () { if (!arguments[0].ok) throw 1; })(n); go();", "unguarded");
}

#[test]
fn what_a_function_is_called_on_may_be_any_object() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let changed = |between: &str, expected: &str| check(&format!("if (!m.ok) return; {between} go();"), only, expected);
    for between in [
        "m.run = function () { this.ok = n; }; m.run();",
        "function run() { this.ok = n; } run.call(m);",
        "function run() { const s = this; s.ok = n; } run.call(m);",
        "function run() { (() => { this.ok = n; })(); } run.call(m);",
        "const run = function () { this.ok = n; }.bind(m); run();",
        "const q = { run() { this.ok = n; } }; q.run.call(m);",
        "const q = { x: m, run() { this.x.ok = n; } }; q.run();",
        "(function () { this.ok = n; }).call(m);",
        "(function () { delete this.ok; }).apply(m);",
        "class Q { run() { this.ok = n; } } new Q().run.call(m);",
        "class Q { x = m; constructor() { this.x.ok = n; } } new Q();",
        "function run() { arguments[0].ok = n; } run(m);",
    ] {
        changed(between, "reassigned");
    }
    for between in [
        "m.run = function () { this.no = n; }; m.run();",
        "function run() { this.x.no = n; } run.call(m);",
        "class Q { constructor() { this.ok = n; } } new Q();",
        "(function () { this.ok; }).call(m);",
        "class Q { run() { return this.ok; } } new Q().run();",
        "const q = { run() { return this.ok; } }; q.run();",
    ] {
        changed(between, "TRUE");
    }
    let this = |between: &str, expected: &str| check(&format!("if (!this.ok) return; {between} go();"), THIS, expected);
    this("const s = this; later(function () { s.ok = n; });", "reassigned");
    this("later(function () { this.ok = n; });", "reassigned");
    this("(function () { this.ok = n; }).call(this);", "reassigned");
    this("class Q { constructor() { this.ok = n; } } new Q();", "TRUE");
    check("if (!n.ok) return; n = class {}; go(n);", "effect = go($Q)\nonly_if = $Q.ok", "reassigned");
    check("if (!Q.ok) return; class Q {} go(Q);", "effect = go($Q)\nonly_if = $Q.ok", "reassigned");
    check("(function () { if (!this.ok) return; m.ok = n; go(); }).call(m);", THIS, "reassigned");
}

#[test]
fn metavariables_take_a_this_for_what_it_is() {
    let same = "effect = $Q.run()\nonly_if = $Q.ok";
    check("if (!this.ok) return; (function () { this.run(); }).call(this);", same, "TRUE");
    check("if (!this.ok) return; (function () { this.run(); }).call(m);", same, "unguarded");
    check("if (!this.ok) return; class Q { [this.run()] = 1; }", same, "TRUE");
    check("if (!this.ok) return; class Q { static x = this.run(); }", same, "unguarded");
}

#[test]
fn other_spellings_of_object_assign() {
    let only = "effect = go($$$)\nonly_if = m.ok";
    let changed = |between: &str, expected: &str| check(&format!("if (!m.ok) return; {between} go();"), only, expected);
    for between in [
        "Object['assign'](m, n);",
        "globalThis.Object.assign(m, n);",
        "window.Object['assign'](m, { ok: 1 });",
        "Object.assign.call(null, m, n);",
        "Object.assign.call(null, m, { ok: n });",
        "Object.assign(...[m, n]);",
        "(Object.assign)(m, n);",
        "Reflect['set'](m, 'ok', n);",
        // Another parameter may be the same object.
        "Object['assign'](n, m);",
        "Object.assign.call(m, n, { ok: m });",
    ] {
        changed(between, "reassigned");
    }
    for between in ["Object['keys'](m);", "globalThis.Object.assign(m, { no: 1 });", "n.Object.assign(m, n);"] {
        changed(between, "TRUE");
    }
}
