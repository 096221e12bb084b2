//! Which function a call runs: a helper stands for its expression only when it is shown that this very one is called.

use super::{check_file, check_files};

const ONLY: &str = "effect = eff($X)\nonly_if = ok($X)";
const AFTER: &str = "effect = eff($$$)\nafter = pre($$$)\nthrough = true";
const CHK: &str = "function chk(x) { return ok(x); }";
const HP: &str = "function hp() { pre(); }";

#[track_caller]
fn only(source: &str, expected: &str) {
    check_file("a.ts", source, ONLY, expected);
}

#[track_caller]
fn after(source: &str, expected: &str) {
    check_file("a.ts", source, AFTER, expected);
}

#[test]
fn a_variable_of_the_scope_hides_a_helper() {
    let body = "if (!chk(m)) return; eff(m);";
    only(&format!("{CHK} export function f(m) {{ {body} }}"), "TRUE");
    for head in [
        "f({ chk }, m) {",
        "f({ chk = 3 }, m) {",
        "f({ a: { chk } }, m) {",
        "f({ a: chk }, m) {",
        "f([chk], m) {",
        "f(m, ...chk) {",
        "f(m, { ...chk }) {",
        "f(m, q) { const { chk } = q;",
        "f(m, q) { const { chk = 3 } = q;",
        "f(m, q) { { var { chk } = q; }",
        "f(m, q) { class chk { }",
        "f(m, q) { enum chk { a }",
    ] {
        only(&format!("{CHK} export function {head} {body} }}"), "unguarded");
        let head = head.replace("chk", "hp");
        after(&format!("{HP} export function {head} hp(m); eff(m); }}"), "not-passed");
    }
    only(&format!("{CHK} function f(m) {{ for (const {{ chk }} of m) {{ {body} }} }}"), "unguarded");
    only(&format!("{CHK} function f(m) {{ try {{ w(); }} catch ({{ chk }}) {{ {body} }} }}"), "unguarded");
    only(&format!("{CHK} function f(m) {{ return ({{ chk }}) => {{ {body} }}; }}"), "unguarded");
    only(&format!("{CHK} function f(m) {{ return ({{ hp }}) => {{ {body} }}; }}"), "TRUE");
    only(&format!("{CHK} function f(m) {{ {{ const {{ chk }} = m; }} {body} }}"), "TRUE");
    after(&format!("{HP} function f(m) {{ return ({{ hp }}) => {{ hp(); eff(m); }}; }}"), "not-passed");
    after(&format!("{HP} function f(m) {{ const {{ hp: x }} = m; hp(); eff(m); }}"), "TRUE");
}

#[test]
fn a_helper_that_is_assigned_may_be_another() {
    let f = "export function f(m, q) { if (!chk(m)) return; eff(m); }";
    only(&format!("let chk = x => ok(x); {f}"), "TRUE");
    for module in [
        "let chk = x => ok(x); chk = q;",
        "export let chk = x => ok(x); function set(q) { chk = q; }",
        "let chk = x => ok(x); [chk] = q;",
        "let chk = x => ok(x); ({ chk } = q);",
        "let chk = x => ok(x); for (chk of q) { w(); }",
        "var chk = x => ok(x); var chk = q;",
        "function chk(x) { return ok(x); } chk = other;",
        "function chk(x) { return ok(x); } var chk = other;",
        "function chk(x) { return ok(x); } function chk(x) { return true; }",
        "const g = x => ok(x); let chk = g; chk = q;",
        "let g = x => ok(x); const chk = g; g = q;",
    ] {
        only(&format!("{module} {f}"), "unguarded");
        only(&format!("{f} {module}"), "unguarded");
    }
    only(&format!("{CHK} function f(m, q) {{ chk = q; if (!chk(m)) return; eff(m); }}"), "unguarded");
    only("function f(m, q) { let chk = x => ok(x); chk = q; if (!chk(m)) return; eff(m); }", "unguarded");
    only("function f(m) { let chk = x => ok(x); w(() => { chk = m; }); if (!chk(m)) return; eff(m); }", "unguarded");
    after(&format!("{HP} hp = q; function f(m) {{ hp(); eff(m); }}"), "not-passed");
    after("let hp = () => pre(); function set(q) { hp = q; } function f(m) { hp(); eff(m); }", "not-passed");
    after("let hp = () => pre(); function f(m) { hp(); eff(m); }", "TRUE");
}

#[test]
fn a_member_that_may_be_replaced_is_no_helper() {
    let f = "export function f(m, q) { if (!K.chk(m)) return; eff(m); }";
    only(&format!("const K = {{ chk(x) {{ return ok(x); }} }}; {f}"), "TRUE");
    only(&format!("const K = {{ chk: (x) => ok(x), n: 1 }}; K.n = 2; {f}"), "TRUE");
    only(&format!("class K {{ static chk(x) {{ return ok(x); }} }} {f}"), "TRUE");
    for module in [
        "let K = { chk(x) { return ok(x); } }; K = q;",
        "const K = { chk(x) { return ok(x); } }; K.chk = q;",
        "const K = { chk(x) { return ok(x); } }; K[name] = q;",
        "const K = { chk(x) { return ok(x); } }; ({ a: K.chk } = q);",
        "const K = { chk(x) { return ok(x); } }; function set(q) { K.chk = q; }",
        "const K = { chk(x) { return ok(x); } }; Object.assign(K, q);",
        "const K = { chk(x) { return ok(x); } }; const L = K; L.chk = q;",
        "const K = { chk(x) { return ok(x); } }; let L; L = K; L.chk = q;",
        "const K = { chk(x) { return ok(x); }, ...over };",
        "const K = { ...over, chk(x) { return ok(x); }, [name]: q };",
        "const K = { get chk() { return (x) => ok(x); } };",
        "const K = { get chk() { return ok(m); } };",
        "class K { static chk(x) { return ok(x); } } K.chk = q;",
        "class K { chk(x) { return ok(x); } }",
    ] {
        only(&format!("{module} {f}"), "unguarded");
    }
    after("const K = { hp() { pre(); }, ...q }; function f(m) { K.hp(); eff(m); }", "not-passed");
    after("const K = { hp() { pre(); } }; K.hp = q; function f(m) { K.hp(); eff(m); }", "not-passed");
    after("const K = { hp() { pre(); } }; function f(m) { K.hp(); eff(m); }", "TRUE");
}

#[test]
fn names_of_another_file_are_not_the_scopes() {
    let files = |h: &str, a: &str, text: &str, expected: &str| {
        check_files(&[("h.ts", h), ("a.ts", a), ("r.ts", "export { state } from './h';")], text, expected);
    };
    let f = "export function f() { if (!state(1)) return; eff(cur); }";
    for text in [ONLY, "effect = eff($X)\nonly_if = ok($X)\nthrough = true"] {
        for (h, a) in [
            (
                "export const state = (x) => ok(cur); let cur = 1;",
                format!("import {{ state }} from './h'; let cur = 9; {f}"),
            ),
            (
                "export const state = (x) => ok(cur); let cur = 1;",
                format!("import {{ state }} from './r'; let cur = 9; {f}"),
            ),
            (
                "import { cur } from './c'; export const state = (x) => ok(cur);",
                format!("import {{ state }} from './h'; let cur = 9; {f}"),
            ),
            ("export const state = (x) => ok(cur);", format!("import {{ state }} from './h'; let cur = 9; {f}")),
            ("export const state = (x) => ok(cur); let cur = 1;", format!("import {{ state }} from './h'; {f}")),
        ] {
            files(h, &a, text, "unguarded");
        }
        let h = "export const state = (x) => ok(cur);";
        files(h, &format!("import {{ state }} from './h'; {f}"), text, "TRUE");
        let same = "const state = (x) => ok(cur); let cur = 1;";
        files("", &format!("{same} {f}"), text, "TRUE");
        let inner = "export function f(cur) { if (!state(1)) return; eff(cur); }";
        files("", &format!("{same} {inner}"), text, "unguarded");
    }
    let h = "export const state = (x) => ok(x) && x.a === B; const B = 1;";
    files(h, "import { state } from './h'; export function f(m) { if (state(m)) eff(m); }", ONLY, "TRUE");
    files(
        "export let state = (x) => ok(x); state = q;",
        "import { state } from './r'; export function f(m) { if (state(m)) eff(m); }",
        ONLY,
        "unguarded",
    );
    let given = "const call = (chk, x) => chk(x); export const state = (x) => call(chk, x); const chk = (x) => ok(x);";
    files(
        given,
        "import { state } from './h'; export function f(m) { if (state(m)) eff(m); }",
        "effect = eff($X)\nonly_if = ok($X)\nthrough = true",
        "unguarded",
    );
}

#[test]
fn a_call_that_does_not_run_the_function_does_not_pass_it() {
    after("function* hp() { pre(); } function f(m) { hp(m); eff(m); }", "not-passed");
    after("async function* hp() { pre(); } function f(m) { hp(m); eff(m); }", "not-passed");
    after("function* hp() { pre(); } function f(m) { for (const x of hp()) w(x); eff(m); }", "not-passed");
    after("const hp = function* () { pre(); }; function f(m) { hp(m); eff(m); }", "not-passed");
    after("const K = { *hp() { pre(); } }; function f(m) { K.hp(); eff(m); }", "not-passed");
    after("const K = { get hp() { pre(); return w; } }; function f(m) { K.hp(); eff(m); }", "TRUE");
    after("async function hp() { await w(); pre(); } async function f(m) { hp(); eff(m); }", "not-passed");
    after("async function hp() { w(); pre(); } async function f(m) { hp(); eff(m); }", "not-passed");
    after("async function hp() { await w(); pre(); } async function f(m) { await hp(); eff(m); }", "TRUE");
    after("async function hp() { w(); pre(); } async function f(m) { await hp(); eff(m); }", "TRUE");
    after(&format!("{HP} function f(m) {{ new hp(); eff(m); }}"), "TRUE");
    after("class hp { constructor(x) { if (x) pre(); } } function f(m) { new hp(); eff(m); }", "not-passed");
    after("class hp { static { pre(); } } function f(m) { new hp(); eff(m); }", "not-passed");
    only("function* chk(x) { return ok(x); } function f(m) { if (chk(m)) eff(m); }", "unguarded");
    only("async function chk(x) { return ok(x); } function f(m) { if (chk(m)) eff(m); }", "unguarded");
}

#[test]
fn a_call_with_more_than_its_arguments_is_not_the_expression() {
    only(&format!("{CHK} function f(m) {{ if (new chk(m)) eff(m); }}"), "unguarded");
    only(&format!("{CHK} function f(m) {{ if (chk`${{m}}`) eff(m); }}"), "unguarded");
    only("function chk(x, y) { return ok(y); } function f(m, n) { if (chk(...n, m)) eff(m); }", "unguarded");
    only("function chk(x) { return (x = q) && ok(x); } function f(m) { if (chk(m)) eff(m); }", "unguarded");
    let ready = "effect = eff()\nonly_if = this.ready";
    check_file("a.ts", "function chk() { return this.ready; } function f() { if (chk()) eff(); }", ready, "unguarded");
    check_file("a.ts", "const chk = () => this.ready; function f() { if (chk()) eff(); }", ready, "unguarded");
    check_file("a.ts", "function f() { const chk = () => this.ready; if (chk()) eff(); }", ready, "TRUE");
    let first = "effect = eff($X)\nonly_if = ok($X[0])";
    let arguments = "function chk(x) { return ok(arguments[0]); } function f() { if (chk(1)) eff(arguments); }";
    check_file("a.ts", arguments, first, "unguarded");
    only("function f() { if (!ok(this)) return; (function () { eff(this); })(); }", "unguarded");
    only("function f() { if (!ok(this)) return; (() => { eff(this); })(); }", "TRUE");
    only("const f = function () { if (!ok(this)) return; eff(this); };", "TRUE");
    only("const f = () => { if (!ok(this)) return; (function () { eff(this); })(); };", "unguarded");
    only("const f = () => { if (!ok(this)) return; eff(this); };", "TRUE");
    only("function f() { if (!ok(arguments)) return; (function () { eff(arguments); })(); }", "unguarded");
}

#[test]
fn a_call_that_only_looks_as_if_it_never_returned() {
    let f = "export function f(m) { if (!ok(m)) process.exit(1); eff(m); }";
    only(f, "TRUE");
    for module in ["import process from 'node:process';", "import * as process from 'process';", "const other = 1;"] {
        only(&format!("{module} {f}"), "TRUE");
    }
    for module in [
        "const process = { exit() { } };",
        "let process = q;",
        "function process() { }",
        "class process { static exit() { } }",
        "import process from './x';",
        "import * as process from './x';",
        "import { process } from 'process';",
        "import { other as process } from 'node:process';",
        "import process = require('./x');",
        "const { process } = q;",
        "enum process { exit }",
    ] {
        only(&format!("{module} {f}"), "unguarded");
    }
    only("function f({ process }, m) { if (!ok(m)) process.exit(1); eff(m); }", "unguarded");
    only("const globalThis = q; function f(m) { if (!ok(m)) globalThis.process.exit(1); eff(m); }", "unguarded");
    let zig = "fn f(m: M) void { if (!ok(m)) std.process.exit(1); eff(m); }";
    check_file("a.zig", &format!("const std = @import(\"std\"); {zig}"), ONLY, "TRUE");
    for module in [
        "const std = struct { const process = struct { fn exit(_: u8) void {} }; };",
        "const std = @import(\"x.zig\");",
        "const std = @import(\"std\").debug;",
        "const std = other;",
    ] {
        check_file("a.zig", &format!("{module} {zig}"), ONLY, "unguarded");
    }
    let parameter = "fn f(std: anytype, m: M) void { if (!ok(m)) std.process.exit(1); eff(m); }";
    check_file("a.zig", parameter, ONLY, "unguarded");
    let inner = "fn f(m: M) void { const std = @import(\"std\"); if (!ok(m)) std.process.exit(1); eff(m); }";
    check_file("a.zig", inner, ONLY, "TRUE");
    check_file("a.zig", "fn f(m: M) void { if (!ok(m)) @panic(\"no\"); eff(m); }", ONLY, "TRUE");
    check_file("a.zig", "fn f(m: M) void { if (!ok(m)) unreachable; eff(m); }", ONLY, "TRUE");
}

#[test]
fn what_comes_between_inside_a_called_function() {
    let without = |source: &str, expected: &str| {
        let text = "effect = eff($X)\nonly_if = ok($X)\nwithout = log($$$)\nthrough = true";
        check_file("a.ts", source, text, expected);
    };
    let body = "if (!ok(m)) return; hl(); eff(m);";
    without(&format!("function hl() {{ w(); }} function f(m) {{ {body} }}"), "TRUE");
    for module in [
        "function hl() { log(); }",
        "function hl(x) { if (x) log(); }",
        "function hl(x) { x.map(() => log()); }",
        "function hl() { inner(); } const inner = () => log();",
        "function hl() { hl(); inner(); } function inner() { hl(); log(); }",
        "let hl = () => log(); hl = q;",
        "async function hl() { log(); }",
        "function hl() { const inner = () => log(); inner(); }",
    ] {
        without(&format!("{module} function f(m) {{ {body} }}"), "interrupted");
        without(&format!("{module} function f(m) {{ hl(); if (!ok(m)) return; eff(m); }}"), "TRUE");
    }
    without(&format!("function f(m) {{ const hl = () => log(); {body} }}"), "interrupted");
    without(&format!("function f(m) {{ let hl = () => w(); hl = () => log(); {body} }}"), "interrupted");
    without("function f(m) { const o = { hl() { log(); } }; if (!ok(m)) return; o.hl(); eff(m); }", "interrupted");
    without("const K = { hl() { log(); } }; function f(m) { if (!ok(m)) return; K.hl(); eff(m); }", "interrupted");
    without(
        "class K { constructor() { log(); } } function f(m) { if (!ok(m)) return; new K(); eff(m); }",
        "interrupted",
    );
    let since = |source: &str, expected: &str| {
        let text = "effect = eff($X)\nonly_if = ok($X)\nsince = meas()\nthrough = true";
        check_file("a.ts", source, text, expected);
    };
    let hm = "function hm() { meas(); }";
    let maybe = "function hm(x) { if (x) meas(); }";
    since(&format!("{hm} function f(m) {{ meas(); if (!ok(m)) return; eff(m); }}"), "TRUE");
    since(&format!("{hm} function f(m) {{ hm(); if (!ok(m)) return; eff(m); }}"), "TRUE");
    since(&format!("{maybe} function f(m) {{ hm(); if (!ok(m)) return; eff(m); }}"), "stale-check");
    since(&format!("{maybe} function f(m) {{ meas(); hm(); if (!ok(m)) return; eff(m); }}"), "TRUE");
    for helper in [hm, maybe] {
        since(&format!("{helper} function f(m) {{ meas(); if (!ok(m)) return; hm(); eff(m); }}"), "stale-check");
    }
    let shared = "effect = eff()\nonly_if = ok($X)\nafter = pre($X)\nthrough = true";
    let source = "function hp(x) { pre(q); } function f(m) { hp(m); if (ok(m)) eff(); }";
    check_file("a.ts", source, shared, "unguarded");
    let zig = "effect = eff($X)\nonly_if = ok($X)\nwithout = log()\nthrough = true";
    let source = "fn hl() void { log(); } fn f(m: M) void { if (!ok(m)) return; hl(); eff(m); }";
    check_file("a.zig", source, zig, "interrupted");
}

#[test]
fn an_error_of_a_called_function_may_leave_before_the_node() {
    let zig = |source: &str, expected: &str| check_file("a.zig", source, AFTER, expected);
    let hp = "fn hp() !void { try q(); pre(); }";
    for (call, expected) in [
        ("try hp();", "TRUE"),
        ("_ = try hp();", "TRUE"),
        ("(try (hp()));", "TRUE"),
        ("hp() catch return;", "TRUE"),
        ("hp() catch |e| return e;", "TRUE"),
        ("hp() catch { log(); return; };", "TRUE"),
        ("hp() catch unreachable;", "TRUE"),
        ("hp() catch {};", "not-passed"),
        ("hp() catch |e| log(e);", "not-passed"),
        ("hp() catch { if (m) return; };", "not-passed"),
        ("_ = hp();", "not-passed"),
        ("if (hp()) |_| {} else |_| {}", "not-passed"),
        ("while (m) { hp() catch break; }", "not-passed"),
        ("w() catch try hp();", "not-passed"),
    ] {
        zig(&format!("{hp} fn f(m: M) !void {{ {call} eff(m); }}"), expected);
    }
    zig("fn hp() !void { pre(); } fn f(m: M) !void { hp() catch {}; eff(m); }", "TRUE");
    zig("fn hp() !void { if (q()) return; pre(); } fn f(m: M) !void { try hp(); eff(m); }", "not-passed");
    zig("fn hp() !void { q() catch return; pre(); } fn f(m: M) !void { try hp(); eff(m); }", "not-passed");
    zig("fn hp() !void { q() catch |e| return e; pre(); } fn f(m: M) !void { try hp(); eff(m); }", "TRUE");
    zig("fn in() !void { try q(); pre(); } fn hp() !void { try in(); } fn f(m: M) !void { try hp(); eff(m); }", "TRUE");
    zig(
        "fn in() !void { try q(); pre(); } fn hp() !void { in() catch {}; } fn f(m: M) !void { try hp(); eff(m); }",
        "not-passed",
    );
}

#[test]
fn what_a_function_assigns_of_what_it_is_handed() {
    let skip = "effect = go($$$)\nonly_if = m.ok";
    let check = |body: &str, expected: &str| {
        check_file("a.ts", &format!("async function f(m, n, k, o) {{ {body} }}"), skip, expected);
    };
    check("const w = (r) => { r.ok = 0; }; if (!m.ok) return; w(m); go();", "reassigned");
    check("if (!m.ok) return; [m].forEach(r => { r.ok = 0; }); go();", "reassigned");
    check("if (!m.ok) return; [m].forEach(r => { r.seen = 1; }); go();", "TRUE");
    check("if (!m.ok) return; [m].forEach(({ a }) => { a.ok = 1; }); go();", "reassigned");
    check("if (!m.ok) return; k.forEach(r => { const q = r; q.ok = 1; }); go();", "reassigned");
    check("const o1 = { get g() { m = n; return 1; } }; if (!m.ok) return; o1.g; go();", "reassigned");
    check("const o1 = { set g(v) { m = n; } }; if (!m.ok) return; o1.g = 1; go();", "reassigned");
    check("const o1 = { toString() { m = n; return ''; } }; if (!m.ok) return; `${o1}`; go();", "reassigned");
    check("const o1 = { valueOf: () => { m = n; return 1; } }; if (!m.ok) return; o1 + 1; go();", "reassigned");
    check("const o1 = { get g() { return m; } }; if (!m.ok) return; o1.g; go();", "TRUE");
}

#[test]
fn what_a_variable_holds_was_read_when_it_was_given() {
    let since = "effect = go($$$)\nonly_if = m.ok\nsince = measure()";
    let check = |body: &str, text: &str, expected: &str| {
        check_file("a.ts", &format!("async function f(m, n, k) {{ {body} }}"), text, expected);
    };
    check("const ok = m.ok; await measure(); if (ok) go();", since, "stale-check");
    check("let ok = m.ok; await measure(); if (!ok) return; go();", since, "stale-check");
    check("const { ok } = m; measure(); if (ok) go();", since, "stale-check");
    check("measure(); const ok = m.ok; if (ok) go();", since, "TRUE");
    check("const ok = m.ok; measure(); if (m.ok) go();", since, "TRUE");
    let without = "effect = go($$$)\nonly_if = m.ok\nwithout = await";
    check("const ok = m.ok; await measure(); if (ok) go();", without, "interrupted");
    check("const { ok } = m; await measure(); if (ok) go();", without, "interrupted");
    check("await measure(); const ok = m.ok; if (ok) go();", without, "TRUE");
    check("const ok = m.ok; log(); if (ok) go();", "effect = go($$$)\nonly_if = m.ok\nwithout = log()", "interrupted");
    let status = "effect = go($$$)\nonly_if = live(m.status)\nsince = measure()";
    check("const status = m.status; await measure(); if (live(status)) go();", status, "stale-check");
    check("measure(); const status = m.status; if (live(status)) go();", status, "TRUE");
}

#[test]
fn what_a_function_of_the_scope_passes() {
    let without = "effect = go($$$)\nonly_if = ok(m)\nwithout = log($$$)";
    let check = |body: &str, text: &str, expected: &str| {
        check_file("a.ts", &format!("async function f(m, n, k) {{ {body} }}"), text, expected);
    };
    check("if (!ok(m)) return; const h = () => log(); h(); go(m);", without, "interrupted");
    check("const h = () => log(); if (!ok(m)) return; h(); go(m);", without, "interrupted");
    check("const h = () => log(); h(); if (!ok(m)) return; go(m);", without, "TRUE");
    check("function h() { log(); } function g() { h(); } if (!ok(m)) return; g(); go(m);", without, "interrupted");
    check("if (!ok(m)) return; k.forEach(x => log(x)); go(m);", without, "interrupted");
    check("if (!ok(m)) return; await k.all(n.map(async x => { await log(x); })); go(m);", without, "interrupted");
    check("if (!ok(m)) return; k.forEach(x => see(x)); go(m);", without, "TRUE");
    check("k.forEach(x => log(x)); if (!ok(m)) return; go(m);", without, "TRUE");
    let since = "effect = go($$$)\nonly_if = ok(m)\nsince = measure()";
    check("const h = () => measure(); measure(); if (!ok(m)) return; h(); go(m);", since, "stale-check");
    check("const h = () => k(); measure(); if (!ok(m)) return; h(); go(m);", since, "TRUE");
}

#[test]
fn a_helper_that_returns_its_test_in_two_statements() {
    let f = "function f(m, n) { if (!chk(m)) return; eff(m); }";
    for body in [
        "if (ok(x)) return true; return false;",
        "if (ok(x)) { return true; } return false;",
        "if (!ok(x)) return false; return true;",
        "if (ok(x)) return x; return false;",
        "if (ok(x)) return true; else return false;",
        "if (x.closed) return false; if (!ok(x)) return false; return x.open;",
        "if (x.closed) { if (ok(x)) return true; return false; } return ok(x);",
        "const r = ok(x); return r;",
        "let r = ok(x); return r;",
        "const r = ok(x) && x.a; return (r);",
    ] {
        only(&format!("function chk(x) {{ {body} }} {f}"), "TRUE");
    }
    for body in [
        "if (ok(x)) return false; return true;",
        "if (!ok(x)) return true; return false;",
        "if (ok(x)) return true; return true;",
        "if (ok(x)) log(); return true;",
        "const r = ok(x); return q;",
        "const r = ok(x), q = w(); return q;",
        "const { r } = ok(x); return r;",
        "const r = ok(x); return !r;",
        "if (ok(x)) return true; log(); return false;",
    ] {
        let source = format!("function chk(x) {{ {body} }} {f}");
        let fact = super::decided("a.ts", &source, ONLY);
        assert_ne!(super::word(&fact), "TRUE", "{source}");
    }
    let zig = |chk: &str, expected: &str| {
        let f = "fn f(n: M, m: M) void { if (!chk(n, m)) return; eff(n); }";
        check_file("a.zig", &format!("{chk} {f}"), ONLY, expected);
    };
    zig("fn chk(x: M, _: M) bool { return ok(x); }", "TRUE");
    zig("fn chk(_: M, x: M) bool { return ok(x); }", "unguarded");
    zig("fn chk(_: M, _: M) bool { return ok(n); }", "unguarded");
}
