//! Definitions that are found by their name alone: nobody can say what value they have, or what else bears the name.

use super::{check, with_queue};

const USER: &str = "--- a.ts\nimport { drain } from './q';\ndrain(1);\nregister(drain);\n";
const USED: [&str; 2] = ["call a.ts 1", "value a.ts 1"];

#[test]
fn a_definition_needs_no_function_literal() {
    let declared = "declare const wrap: any, fs: any, other: any, a: any, b: any; declare class Job {}\n";
    for value in [
        "const drain = wrap(() => 1)",
        "const drain = wrap.memo(other)",
        "const drain = a || b",
        "const drain = a ? b : other",
        "const drain = fs.rm",
        "const drain = fs.rm.bind(fs)",
        "const drain = new Job()",
        "const drain = await wrap()",
        "const drain = (0, other)",
        "const drain: () => void = other",
        "const drain = Object.assign(() => 1, { retry: 2 })",
        "const { drain } = wrap()",
        "const [drain] = wrap()",
        "const { of: drain } = a",
        "let drain: any; drain = other",
    ] {
        check("q.ts#drain", &format!("--- q.ts\n{declared}export {value};\n{USER}"), &USED);
    }
    let default = "--- q.ts\ndeclare const wrap: any;\nexport default wrap(() => 1);\n";
    check("q.ts#default", &format!("{default}--- a.ts\nimport q from './q'; q(1); register(q);"), &USED);
    let own = "--- q.ts\ndeclare const wrap: any;\nconst drain = wrap(() => 1);\nexport function f() { drain(); }";
    check("q.ts#drain", own, &["call q.ts#f 1"]);
    let common = "--- q.js\nexports.drain = wrap(() => 1);\n--- a.js\nconst { drain } = require('./q'); drain(1);";
    check("q.js#exports.drain", common, &["call a.js 1"]);
    for value in ["if (a) b else c", "make(u8)", "make(u8).call", "c.drain"] {
        let zig = format!("--- q.zig\npub const drain = {value};\n");
        let user = "--- a.zig\nconst q = @import(\"q.zig\");\nfn f() void { q.drain(1); }";
        check("q.zig#drain", &format!("{zig}{user}"), &["call a.zig#f 1"]);
    }
}

#[test]
fn another_name_for_something_known_stays_that() {
    let both = "--- q.ts\nexport function drain() {}\n--- b.ts\nimport { drain } from './q';\nexport const empty = drain;\n--- a.ts\nimport { empty } from './b'; empty();";
    check("q.ts#drain", both, &["call a.ts 1"]);
    check("b.ts#empty", both, &["call a.ts 1"]);
}

#[test]
fn a_type_of_the_same_name_hides_nothing() {
    for definition in [
        "export const drain = (n: number) => n;\nexport type drain = typeof drain;",
        "export const drain = (n: number) => n;\nexport interface drain {}",
        "export interface drain {}\nexport const drain = (n: number) => n;",
        "export function drain(n: number) {}\nexport type drain = 1;",
        "type drain = 1;\nconst drain = (n: number) => n;\nexport { drain };",
        "export function drain(n: 1): 1;\nexport function drain(n: 2): 2;\nexport function drain(n: any): any {}\nexport type drain = 1;",
    ] {
        check("q.ts#drain", &format!("--- q.ts\n{definition}\n{USER}"), &USED);
    }
    for alias in [
        "export const f = drain;\nexport type f = typeof f;",
        "export type f = 1;\nexport const f = drain;",
        "export interface f { a: 1 }\nexport const f = drain;",
        "export const f = drain;\nexport namespace f { export type X = 1 }",
    ] {
        let rest =
            format!("--- b.ts\nimport {{ drain }} from './q';\n{alias}\n--- a.ts\nimport {{ f }} from './b'; f(1);");
        with_queue(&rest, &["call a.ts 1"]);
    }
    // What the type means is not what the value is.
    let two = "--- q.ts\nexport class Log { drain() {} }\n--- a.ts\nimport { Log } from './q';\n";
    for text in [
        "const Q = 1; type Q = Log; function f(q: Q) { q.drain(); }",
        "function Q() {} type Q = Log; function f(q: Q) { q.drain(); }",
    ] {
        check("q.ts#Log.drain", &format!("{two}{text}"), &["possible a.ts#f 1"]);
    }
}

#[test]
fn a_constructor_is_called_by_its_class() {
    let class = "--- q.ts\nexport class Log { constructor() {} }\n--- a.ts\nimport { Log } from './q';\n";
    for (text, expected) in [
        ("const log = new Log();", vec!["call a.ts 1"]),
        (
            "class Own extends Log { constructor() { super(); } }",
            vec!["call a.ts#Own.constructor 1", "value a.ts#Own 1"],
        ),
        ("register(Log);", vec!["value a.ts 1"]),
    ] {
        check("q.ts#Log.constructor", &format!("{class}{text}"), &expected);
        check("q.ts#Log", &format!("{class}{text}"), &expected);
    }
}

#[test]
fn names_that_only_a_namespace_gives_are_followed() {
    let space = "--- b.ts\nimport { drain } from './q';\n";
    let user = "--- a.ts\nimport { A } from './b';\n";
    for (inside, call) in [
        ("export namespace A { export const zq = drain }", "A.zq(1)"),
        ("export namespace A { export namespace B { export const zq = drain } }", "A.B.zq(1)"),
        ("export namespace A.B { export const zq = drain }", "A.B.zq(1)"),
    ] {
        with_queue(&format!("{space}{inside}\n{user}{call};"), &["call a.ts 1"]);
        with_queue(&format!("--- a.ts\nimport {{ drain }} from './q';\n{inside}\n{call};"), &["call a.ts 1"]);
    }
    let zig = "--- q.zig\npub fn drain(n: usize) void { _ = n; }\n--- a.zig\nconst q = @import(\"q.zig\");\n";
    for text in [
        "const A = struct { const B = struct { const zq = q.drain; }; };\nfn f() void { A.B.zq(1); }",
        "fn G(comptime T: type) type { return struct { const zq = q.drain; t: T }; }\nfn f() void { G(u8).zq(1); }",
    ] {
        check("q.zig#drain", &format!("{zig}{text}"), &["call a.zig#f 1"]);
    }
}

#[test]
fn exports_under_another_name_are_exports() {
    let user = "--- a.js\nconst { drain } = require('./q'); drain(1);";
    for text in [
        "var S = module.exports = {};\nS.drain = function () {};",
        "var S = exports;\nS.drain = function () {};",
        "const S = module.exports = function () {};\nS.drain = function () {};",
        "var S = exports = module.exports = {};\nS.drain = function () {};",
    ] {
        check("q.js#S.drain", &format!("--- q.js\n{text}\n{user}"), &["call a.js 1"]);
    }
    let made = "--- q.js\nfunction Log() { this.drain = function () {}; }\nmodule.exports = Log;\n";
    check(
        "q.js#Log.this.drain",
        &format!("{made}--- a.js\nconst Log = require('./q'); new Log().drain();"),
        &["call a.js 1"],
    );
    for (text, mut expected) in [
        ("module.exports = Object.assign({}, require('./q'), { z: 1 });", vec![]),
        ("module.exports = Object.assign({ z: 1 }, { drain: require('./q').drain });", vec![]),
        ("Object.assign(exports, { drain: require('./q').drain });", vec![]),
        (
            "var q = require('./q');\nObject.defineProperty(exports, 'drain', { enumerable: true, get: function () { return q.drain; } });",
            vec!["value b.js 1"],
        ),
        ("Object.defineProperty(exports, 'drain', { get: () => require('./q').drain });", vec!["value b.js 1"]),
        (
            "module.exports = { get drain() { return require('./q').drain; } };",
            vec!["value b.js#module.exports.get drain 1"],
        ),
    ] {
        expected.insert(0, "call a.ts 1");
        with_queue(&format!("--- b.js\n{text}\n--- a.ts\nimport {{ drain }} from './b'; drain(1);"), &expected);
    }
}

#[test]
fn computed_names_are_read_where_they_are_written_out() {
    let class = "--- q.ts\nexport class Log { drain() {} }\n--- b.ts\nimport { Log } from './q';\nexport class Own extends Log {}\n--- a.ts\nimport { Log } from './q'; import { Own } from './b'; const log = new Log(), own = new Own(), drained = [log];\n";
    for (text, expected) in [
        ("const k = 'drain'; log[k]();", vec!["call a.ts 1"]),
        ("const k = 'drain' as const; own[k]();", vec!["call a.ts 1"]),
        ("const k = `drain`; log[k]();", vec!["call a.ts 1"]),
        ("const k = 'drain'; { const k = 'other'; log[k](); }", vec![]),
        ("let k = 'drain'; k = 'x'; log[k]();", vec!["possible a.ts 1"]),
        ("for (const k of ['drain'] as const) own[k]();", vec!["possible a.ts 1"]),
        ("function f(k: 'drain') { log[k](); register(own[k]); }", vec!["possible a.ts#f 2"]),
        ("const k = 'drain'; drained[k](); drained[0]; log[0];", vec![]),
    ] {
        check("q.ts#Log.drain", &format!("{class}{text}"), &expected);
    }
    let own = "--- q.ts\nexport class Log { drain() {} emit(k: string) { this[`on${k}`](); } }";
    check("q.ts#Log.drain", own, &["possible q.ts#Log.emit 1"]);
    with_queue("--- a.ts\nimport * as q from './q'; const k = 'drain'; q[k](1);", &["call a.ts 1"]);
}

#[test]
fn exports_of_any_value_are_definitions() {
    let declared = "declare const f: any, a: any, B: any;\n";
    for (definition, of) in [
        ("const z = f(); export default z;", "default"),
        ("export default z; const z = f();", "default"),
        ("const App = f(a)(B); export default App;", "default"),
        ("export default function () {}\nexport default interface X {}", "default"),
        ("export default interface X {}\nexport default function () {}", "default"),
    ] {
        let user = "--- a.ts\nimport d from './q'; d(1);";
        check(&format!("q.ts#{of}"), &format!("--- q.ts\n{declared}{definition}\n{user}"), &["call a.ts 1"]);
    }
    for value in ["f()", "a.b", "new F()", "memo(() => {})"] {
        let text = format!("--- q.js\nmodule.exports = {value};\n--- a.js\nconst q = require('./q'); q(1);");
        check("q.js#module.exports", &text, &["call a.js 1"]);
    }
}

#[test]
fn a_computed_name_that_is_a_choice_is_each_of_its_names() {
    let class = "--- q.ts\nexport class Log { drain() {} }\n--- a.ts\n";
    for text in ["q[x ? 'drain' : 'stop']();", "q[x || 'drain']();", "const k = 'drain'; q[x ? k : 'stop']();"] {
        check("q.ts#Log.drain", &format!("{class}{text}"), &["possible a.ts 1"]);
    }
    check("q.ts#Log.drain", &format!("{class}q[x ? 'run' : 'drained']();"), &[]);
}

#[test]
fn receivers_of_the_platforms_own_classes_are_no_sites() {
    let class = "--- q.ts\nexport class Log { get(k: any) {} push(x: any) {} }\n--- a.ts\n";
    for text in [
        "new Map().get(1);",
        "const m = new Map<string, X>(); m.get('a');",
        "function f(m: Map<string, X>) { m.get('a'); }",
        "function f(m: ReadonlyMap<string, X>) { m.get('a'); }",
        "class A { private readonly m: Map<string, number> = new Map(); f() { this.m.get('a'); } }",
        "new URLSearchParams(x).get('a');",
        "class A extends Map<string, X> { f() { this.get('a'); } }",
    ] {
        check("q.ts#Log.get", &format!("{class}{text}"), &[]);
    }
    for text in [
        "(x as string[]).push('a');",
        "function f(...all: any[]) { all.push(1); }",
        "function f(all = []) { all.push(1); }",
        "new Array().push(1);",
    ] {
        check("q.ts#Log.push", &format!("{class}{text}"), &[]);
    }
    for text in [
        "function f(m: any) { m.get('a'); }",
        "function f(m: Cache) { m.get('a'); }",
        "function f(m: Map.Other) { m.get('a'); }",
    ] {
        check("q.ts#Log.get", &format!("{class}{text}"), &["possible a.ts#f 1"]);
    }
    // A class of one's own that extends one of the platform's may stand for it.
    let own = "--- q.ts\nexport class Log extends Map<string, X> { get(k: any) { return super.get(k); } }\n--- a.ts\n";
    check("q.ts#Log.get", &format!("{own}function f(m: Map<string, X>) {{ m.get('a'); }}"), &["possible a.ts#f 1"]);
    let shadowed = "--- q.ts\nexport class Log { get(k: any) {} }\n--- a.ts\nimport { Map } from './own';\n";
    check("q.ts#Log.get", &format!("{shadowed}function f(m: Map) {{ m.get('a'); }}"), &["possible a.ts#f 1"]);
}
