//! Values that may be another than the one they begin as, and receivers that nobody knows.

use super::{check, lines, with_queue};

fn is_listed(of: &str, program: &str) {
    let lines = lines(of, program);
    let wanted = |line: &String| line.starts_with("call") || line.starts_with("possible") || line.starts_with("value");
    let user = lines.iter().any(|line| wanted(line) && line.contains(" a."));
    assert!(user, "{of}: {lines:?}\n{program}");
}

#[test]
fn variables_that_are_declared_twice_are_no_aliases() {
    for text in [
        "var f = drain; f(); var f = null as any;",
        "var f; var f = drain; f();",
        "var f = drain; for (var f of []) f();",
        "var f = drain; f(); function f() {}",
    ] {
        with_queue(&format!("--- a.ts\nimport {{ drain }} from './q';\n{text}"), &["value a.ts 1"]);
    }
}

#[test]
fn a_first_value_is_not_the_only_one() {
    let class = "--- s.ts\nexport class Q { run() {} }\nexport class X { run() {} }\n";
    for text in [
        "class Z { a = null; i() { this.a = new Q(); } b() { this.a.run(); } }",
        "class Z { #a = null; i() { this.#a = new Q(); } b() { this.#a.run(); } }",
        "class Z { static a = null; } Z.a = new Q(); Z.a.run();",
        "class Z { a = new X(); i() { this.a = new Q(); } b() { this.a.run(); } }",
        "const h = { q: null }; h.q = new Q(); h.q.run();",
        "export const h = { q: null }; h.q.run();",
        "const a = {}; Object.assign(a, q); a.run();",
    ] {
        is_listed("s.ts#Q.run", &format!("{class}--- a.js\nimport {{ Q, X }} from './s';\n{text}"));
    }
    for text in [
        "class Z { a = null as unknown as Q; i() { this.a = new Q(); } b() { this.a.run(); } }",
        "const h = { q: null as any }; h.q = new Q(); h.q.run();",
        "const h: { q: Q | null } = { q: null }; h.q = new Q(); h.q!.run();",
        "const h = { q: new X() as any }; h.q.run();",
        "const a = {} as Q; a.run();",
        "const a: Q = {} as any; a.run();",
        "const a: Q = null!; a.run();",
        "const a = null as unknown as Q; a.run();",
        "const a = <Q>{}; a.run();",
        "const a = {} as any; a.run();",
        "const a = `x` as any; a.run();",
        "const a = [] as any; a.run();",
        "const a = (() => {}) as any as Q; a.run();",
        "const a = new X() as any; a.run();",
        "const a = new X() as unknown as Q; a.run();",
        "const o: any = {}; Object.setPrototypeOf(o, q); o.run();",
    ] {
        is_listed("s.ts#Q.run", &format!("{class}--- a.ts\nimport {{ Q, X }} from './s';\n{text}"));
    }
    check(
        "s.ts#Q.run",
        &format!(
            "{class}--- a.ts\nimport {{ X }} from './s';\nconst x = new X(); x.run(); class Z {{ x = new X(); f() {{ this.x.run(); }} }}"
        ),
        &[],
    );
}

#[test]
fn exports_that_are_one_of_several_values_are_values() {
    for text in [
        "if (x) module.exports = require('./q'); else module.exports = require('./own');",
        "if (x) module.exports = require('./own'); else module.exports = require('./q');",
        "const { drain } = require('./q'); if (x) exports.drain = drain; else exports.drain = () => 1;",
        "const { drain } = require('./q'); if (x) module.exports = { drain }; else module.exports = {};",
    ] {
        with_queue(&format!("--- a.js\n{text}"), &["value a.js 1"]);
    }
    with_queue(
        "--- b.js\nexports.drain = void 0;\nexports.drain = require('./q').drain;\n--- a.js\nrequire('./b').drain();",
        &["call a.js 1"],
    );
}

#[test]
fn methods_taken_from_unknown_receivers_are_possible() {
    let api = "--- s.ts\nexport const api = { run() {} };\nexport function getApi() { return api; }\n";
    for text in [
        "const { run } = getApi(); run();",
        "const r = getApi().run; r();",
        "f(getApi().run);",
        "export const { run } = getApi(); run();",
        "const { run: go } = useApi(); go();",
        "function f({ run }: any) { run(); }",
        "class W { m() { const { run } = this.a; run(); } a: any }",
        "[1].map(anyValue.run);",
        "[q].forEach(({ run }) => run());",
        "const { run } = await getApi(); run();",
    ] {
        is_listed("s.ts#api.run", &format!("{api}--- a.ts\nimport {{ getApi }} from './s';\n{text}"));
    }
}

#[test]
fn what_leads_nowhere_is_listed_wherever_it_stands() {
    for barrel in ["export { drain } from 'missing-thing';", "import { drain } from './nope'; export { drain };"] {
        let from = barrel.split('\'').nth(1).unwrap();
        with_queue(
            &format!("--- lib/re.ts\n{barrel}\n--- a.ts\nimport {{ drain }} from './lib/re'; drain();"),
            &[&format!("unresolved lib/re.ts: {from}")],
        );
    }
    for ending in ["astro", "mdx", "gts", "es6"] {
        let program = format!(
            "--- lib/v.{ending}\nexport {{ drain }} from '../q';\n--- a.ts\nimport {{ drain }} from './lib/v.{ending}'; drain();"
        );
        with_queue(&program, &[&format!("unresolved a.ts: ./lib/v.{ending}")]);
    }
}

#[test]
fn zig_types_that_are_not_known_may_be_any() {
    let queue = "--- s.zig\npub const Q = struct { pub fn go(self: *Q) void { _ = self; } };\npub const X = struct { pub fn go(self: *X) void { _ = self; } };\npub fn run() void {}\n--- a.zig\nconst s = @import(\"s.zig\"); const Q = s.Q; const X = s.X;\n";
    for text in [
        "fn f(comptime T: type, q: T) void { q.go(); }",
        "fn f(comptime T: type, q: *T) void { q.go(); }",
        "fn f(comptime T: type) void { T.go(x); }",
        "fn f(comptime T: type) void { var q: T = undefined; q.go(); }",
        "fn f(comptime T: type) void { var q = T{}; q.go(); }",
        "fn G(comptime T: type) type { return struct { item: T, fn e(self: *@This()) void { self.item.go(); } }; }",
        "const T = if (a) Q else X; fn f(q: T) void { q.go(); }",
        "fn pick(comptime A: type) type { return A; } const T = pick(Q); fn f(q: T) void { q.go(); }",
        "fn pick(comptime A: type) type { return A; } fn f(q: pick(Q)) void { q.go(); }",
        "const std = @import(\"std\"); fn f(q: std.meta.Child(*Q)) void { q.go(); }",
        "const T = @TypeOf(s.getQ()); fn f(q: T) void { q.go(); }",
        "const T = @import(\"root\").T; fn f(q: T) void { q.go(); }",
        "fn f() void { inline for (.{ Q, X }) |T| { var z: T = undefined; z.go(); } }",
        "const A: type = Q; fn f(a: A) void { a.go(); }",
    ] {
        is_listed("s.zig#Q.go", &format!("{queue}{text}"));
    }
    check("s.zig#Q.go", &format!("{queue}fn f(x: X) void {{ x.go(); }}"), &[]);
    check("s.zig#run", &format!("{queue}const b: type = s; fn f() void {{ b.run(); }}"), &["call a.zig#f 1"]);
    check(
        "s.zig#run",
        &format!("{queue}const r = @import(\"root\"); fn f() void {{ r.run(); }}"),
        &["unresolved a.zig: root"],
    );
}
