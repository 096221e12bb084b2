//! What a function is given to on the way: patterns, `this`, objects around it, names inside it, and files that leave
//! a choice.

use super::{check, with_queue};

#[test]
fn a_destructured_variable_that_is_assigned_again_is_a_value() {
    for (text, expected) in [
        ("import * as q from './q'; let { drain } = q; drain(1); drain = null;", "value a.ts 1"),
        ("import * as q from './q'; var { drain } = q; drain(1); var drain;", "value a.ts 1"),
        ("import * as q from './q'; let { drain: d = null } = q; d(1); d = null;", "value a.ts 1"),
        ("let { drain: d } = await import('./q'); d(1); d = null;", "value a.ts 1"),
        ("let { drain: d } = require('./q'); if (x) d = y; d(1);", "value a.ts 1"),
        ("import * as q from './q'; let { drain } = q; drain(1);", "call a.ts 1"),
        ("import * as q from './q'; const { [k]: r } = q; r(1);", "value a.ts 1"),
        ("import * as q from './q'; const k = 'drain'; const { [k]: r } = q; r(1);", "call a.ts 1"),
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &[expected]);
    }
}

#[test]
fn members_that_patterns_take_from_the_unknown_are_possible() {
    let class = "--- q.ts\nexport class Log { drain() {} }\n--- a.ts\n";
    for text in [
        "let r; ({ drain: r } = q); r();",
        "let drain; ({ drain } = q); drain();",
        "({ drain: x.y } = q);",
        "for ({ drain: r } of all) {}",
        "let { drain } = use(); drain(); drain = null;",
        "export const r = use().drain;",
        "export const { drain: r } = use();",
        "const { drain } = use(); export { drain as r };",
        "const r = use().drain; export { r };",
        "export default q.drain;",
        "module.exports = q.drain;",
        "exports.x = q.drain;",
        "module.exports = { x: q.drain };",
        "const { drain: z } = use(); module.exports = { z };",
        "q[('drain')]();",
    ] {
        check("q.ts#Log.drain", &format!("{class}{text}"), &["possible a.ts 1"]);
    }
    for text in [
        "const [{ drain: r }] = all; r();",
        "const [[{ drain: r }]] = all; r();",
        "try { f(); } catch ({ drain: r }) { r(); }",
        "const { drain: r } = use(); r();",
    ] {
        check("q.ts#Log.drain", &format!("{class}{text}"), &["possible a.ts 1"]);
    }
    check("q.ts#Log.drain", &format!("{class}function f([{{ drain: r }}]) {{ r(); }}"), &["possible a.ts#f 1"]);
}

#[test]
fn what_holds_the_function_is_handed_on_with_it() {
    for text in [
        "f(o);",
        "export const p = [o];",
        "x = o;",
        "f({ ...o });",
        "o[k]();",
        "Object.keys(o).forEach(g);",
        "const p = o; f(p);",
        "class A { h = o }",
    ] {
        for object in
            ["const o = { drain() {} };", "namespace o { export function drain() {} }", "let o = { drain() {} };"]
        {
            let lines = super::lines("q.ts#o.drain", &format!("--- q.ts\n{object}\n{text}"));
            assert_eq!(lines.len(), 1, "{object} {text}: {lines:?}");
            assert!(lines[0].starts_with("value q.ts"), "{object} {text}: {lines:?}");
        }
    }
    let nested = "--- q.ts\nexport const o = { a: { drain() {} } };\n";
    check("q.ts#o.a.drain", &format!("{nested}f(o);"), &["value q.ts 1"]);
    check("q.ts#o.a.drain", &format!("{nested}f(o.a);"), &["value q.ts 1"]);
    check("q.ts#o.a.drain", &format!("{nested}o.a.drain();"), &["call q.ts 1"]);
}

#[test]
fn this_is_what_the_function_is_given_to() {
    for text in [
        "module.exports = { drain() {}, go() { this.drain(); } };",
        "exports.drain = function () {}; exports.go = function () { this.drain(); };",
        "module.exports.drain = function () {}; module.exports.go = function () { [1].map(() => this.drain()); };",
        "const S = module.exports = {}; S.drain = function () {}; S.go = function () { this.drain(); };",
    ] {
        let of = ["module.exports.drain", "exports.drain", "S.drain"].into_iter().find(|of| {
            let lines = super::lines(&format!("q.js#{of}"), &format!("--- q.js\n{text}"));
            lines.len() == 1 && lines[0].starts_with("call q.js")
        });
        assert!(of.is_some(), "{text}");
    }
    for (text, expected) in [
        ("static make() { return new this(); }", "call q.ts#Log.make 1"),
        ("static make() { register(this); }", "value q.ts#Log.make 1"),
        ("again() { return new this.constructor(); }", "call q.ts#Log.again 1"),
    ] {
        check("q.ts#Log", &format!("--- q.ts\nexport class Log {{ {text} }}"), &[expected]);
    }
    check("q.ts#Log", "--- q.ts\nexport class Log {}\nObject.create(Log.prototype);", &["value q.ts 1"]);
    let mixed = "--- q.ts\nexport class Log { drain() {} }\n--- a.ts\nimport { Log } from './q';\n";
    for text in ["Object.assign(A.prototype, Log.prototype);", "f(Log.prototype);"] {
        check("q.ts#Log.drain", &format!("{mixed}{text} a.drain();"), &["value a.ts 1", "possible a.ts 1"]);
    }
    check("q.ts#Log.drain", &format!("{mixed}Log.prototype.drain.call(x);"), &["call a.ts 1"]);
}

#[test]
fn the_name_inside_a_function_is_the_functions() {
    for (text, of, expected) in [
        ("export const drain = function again() { again(); };", "drain", "call q.js#drain 1"),
        ("export const drain = class Again { static make() { new Again(); } };", "drain", "call q.js#drain.make 1"),
        ("export const o = { drain: function again() { again(); } };", "o.drain", "call q.js#o.drain 1"),
        ("exports.drain = function again() { again(); };", "exports.drain", "call q.js#exports.drain 1"),
        ("module.exports = function again() { again(); };", "module.exports", "call q.js#module.exports 1"),
        ("export default (function again() { again(); });", "default", "call q.js#again 1"),
        ("module.exports = function () {}; function f() { module.exports(); }", "module.exports", "call q.js#f 1"),
    ] {
        check(&format!("q.js#{of}"), &format!("--- q.js\n{text}"), &[expected]);
    }
}

#[test]
fn types_and_requires_under_other_names_are_followed() {
    for text in [
        "import * as q from './q'; type A = typeof q; function f(a: A) { a.drain(1); }",
        "import { createRequire as make } from 'module'; const load = make(import.meta.url); function f() { load('./q').drain(1); }",
        "function f() { (0, require)('./q').drain(1); }",
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &["call a.ts#f 1"]);
    }
}

#[test]
fn two_packages_of_a_name_and_two_entries_hide_nothing() {
    let of = "packages/core/src/s.ts#drain";
    let files = "--- packages/core/src/s.ts\nexport function drain() {}\n--- packages/core/o.ts\nexport function drain() {}\n\
        --- a.ts\nimport { drain } from 'core'; drain();\n";
    let core = |fields: &str| format!("--- packages/core/package.json\n{{ \"name\": \"core\", {fields} }}\n");
    let main = core("\"main\": \"src/s.ts\"");
    let other = "package.json\n{ \"name\": \"core\", \"main\": \"x.js\" }\n";
    let own = "export function drain() {}\n";
    for (root, folder, expected) in [
        ("{ \"workspaces\": [\"packages/*\"] }", "packages/core/test/fixture", "call a.ts 1"),
        ("{ \"workspaces\": [\"packages/*\"] }", "a", "call a.ts 1"),
        ("{ \"workspaces\": { \"packages\": [\"./packages/*/\"] } }", "zz", "call a.ts 1"),
        ("{ \"workspaces\": [\"packages/*\"] }", "packages/z", "call a.ts 1"),
        ("{}", "zz", "unresolved a.ts: core"),
    ] {
        let twin = format!("--- package.json\n{root}\n--- {folder}/{other}--- {folder}/x.js\n{own}");
        check(of, &format!("{files}{main}{twin}"), &[expected]);
    }
    for fields in [
        "\"main\": \"./o.ts\", \"browser\": \"./src/s.ts\"",
        "\"main\": \"./o.ts\", \"browser\": { \"./o.ts\": \"./src/s.ts\" }",
        "\"main\": \"./o.ts\", \"react-native\": \"src/s.ts\"",
        "\"main\": \"./src/s.ts\", \"module\": \"./o.ts\"",
    ] {
        check(of, &format!("{files}{}", core(fields)), &["unresolved a.ts: core"]);
    }
    let marked = main.replace("{ \"name\"", "\u{feff}{ \"name\"");
    check(of, &format!("{files}{marked}"), &["call a.ts 1"]);
    let both = "--- s.js\nexport function drain() {}\n--- s.ts\nexport function drain() {}\n--- a.js\nimport { drain } from './s.js'; drain();";
    check("s.js#drain", both, &["unresolved a.js: ./s.js"]);
    check("s.ts#drain", both, &["call a.js 1"]);
}

#[test]
fn what_is_copied_frozen_or_written_in_place_holds_the_function() {
    let user = "--- a.ts\nimport { drain } from './b'; drain(1);";
    for text in [
        "module.exports = function () {}; Object.assign(module.exports, require('./q'));",
        "module.exports = x; Object.assign(module.exports, require('./q'));",
        "module.exports = Object.assign(function () {}, require('./q'));",
    ] {
        with_queue(&format!("--- b.js\n{text}\n{user}"), &["call a.ts 1"]);
    }
    for table in [
        "Object.freeze({ drain() {} })",
        "Object.seal(Object.freeze({ drain() {} }))",
        "{ sub: {}, drain() {} } as const",
    ] {
        let table = format!("--- q.ts\nexport const o = {table};\n");
        check("q.ts#o.drain", &format!("{table}--- a.ts\nimport {{ o }} from './q'; f(o);"), &["value a.ts 1"]);
        check("q.ts#o.drain", &format!("{table}--- a.ts\nimport {{ o }} from './q'; o.drain();"), &["call a.ts 1"]);
    }
    let deep = "--- q.ts\nexport const api = { sub: { drain() {} } };\n--- a.ts\nimport { api } from './q'; import * as q from './q';\n";
    for text in ["f(api);", "f(api.sub);", "x = api;", "f({ ...api.sub });", "api.sub[k]();", "f(q.api);", "f(q);"] {
        check("q.ts#api.sub.drain", &format!("{deep}{text}"), &["value a.ts 1"]);
    }
    let class =
        "--- q.ts\nexport class Log { drain() {} }\n--- a.ts\nimport { Log } from './q'; const log = new Log();\n";
    for text in [
        "({ a: new Log() }).a.drain();",
        "({ log }).log.drain();",
        "({ get q() { return log; } }).q.drain();",
        "const state = { log: undefined }; state.log = log; state.log.drain();",
        "const state = { log: undefined! }; state.log.drain();",
    ] {
        check("q.ts#Log.drain", &format!("{class}{text}"), &["possible a.ts 1"]);
    }
    check("q.ts#Log.drain", &format!("{class}({{}}).drain();"), &[]);
}

#[test]
fn a_module_is_known_by_its_type() {
    for text in [
        "(x as typeof import('./q')).drain(1);",
        "const s = x as typeof import('./q'); s.drain(1);",
        "const s: typeof import('./q') = x; s.drain(1);",
        "let s: typeof import('./q'); s = x; s.drain(1);",
        "const { drain } = x as typeof import('./q'); drain(1);",
        "const { drain }: typeof import('./q') = x; drain(1);",
        "const g = (): typeof import('./q') => x; g().drain(1);",
        "type M = typeof import('./q'); (x as M).drain(1);",
    ] {
        with_queue(&format!("--- a.ts\ndeclare const x: any;\n{text}"), &["call a.ts 1"]);
    }
}

#[test]
fn an_alias_that_only_another_tool_knows_is_unresolved() {
    for text in [
        "import * as n from '@/q'; f(n);",
        "import * as n from '@/q'; n[k]();",
        "import * as n from '@/q'; export default { ...n };",
        "f(require('@/q'));",
        "import('@/q').then(f);",
        "export * as n from '@/q';",
        "module.exports = require('@/q');",
        "const m = await import('@/q'); f(m);",
        "import n from '@/q'; n.drain(1);",
        "import * as n from '@/q.js'; f(n);",
    ] {
        with_queue(
            &format!("--- a.ts\n{text}"),
            &["unresolved a.ts: @/q"].map(|line| if text.contains("q.js") { "unresolved a.ts: @/q.js" } else { line }),
        );
    }
    let unnamed = "--- Foo.tsx\nexport default () => 1;\n--- a.tsx\n";
    for text in ["import Foo from '@/Foo'; <Foo/>;", "lazy(() => import('@/Foo'));", "const F = require('@/Foo'); F();"]
    {
        check("Foo.tsx#default", &format!("{unnamed}{text}"), &["unresolved a.tsx: @/Foo"]);
    }
    with_queue("--- a.ts\nimport * as n from '@/other'; f(n);", &[]);
}

#[test]
fn a_broken_file_on_the_way_is_an_error_wherever_it_stands() {
    for broken in ["export { drain as go } from '../q'; ((", "export { drain as go } from '../q';\n<<<<<<< ours\n"] {
        let files = format!("{}--- lib/m.ts\n{broken}\n", super::QUEUE);
        let within = |program: &str| super::lines_within("q.ts#drain", program, "src/**");
        let user = "--- src/a.ts\nimport { go } from '../lib/m'; go(1);";
        let hops = [
            "",
            "--- lib/n.ts\nexport { go as hop } from './m';\n",
            "--- lib/n.ts\nimport { go } from './m';\nexport { go as hop };\n",
            "--- lib/n.ts\nexport * from './m';\n--- lib/o.ts\nexport { go as hop } from './n';\n",
        ];
        for hop in hops {
            let user = match hop {
                "" => user.to_owned(),
                hop if hop.contains("lib/o") => format!("{hop}--- src/a.ts\nimport {{ hop }} from '../lib/o'; hop(1);"),
                hop => format!("{hop}--- src/a.ts\nimport {{ hop }} from '../lib/n'; hop(1);"),
            };
            let lines = within(&format!("{files}{user}"));
            assert!(lines.iter().any(|line| line.contains("lib/m.ts")), "{broken} {hop}: {lines:?}");
        }
        assert_eq!(
            within(&format!("{files}--- src/a.ts\nimport {{ go }} from '../lib/n'; go(1);")),
            Vec::<String>::new()
        );
    }
}

#[test]
fn a_class_is_handed_on_with_its_static_methods() {
    let class = "--- q.ts\nexport class Log { static drain() {} }\n--- a.ts\nimport { Log } from './q';\n";
    for text in
        ["f(Log);", "x = Log;", "const C = Log; f(C);", "Log[k]();", "(Log as any)[k]();", "Object.assign(x, Log);"]
    {
        check("q.ts#Log.static drain", &format!("{class}{text}"), &["value a.ts 1"]);
    }
    for (text, expected) in [
        ("Log[x ? 'drain' : 'b']();", vec!["value a.ts 1"]),
        ("new Log();", vec![]),
        ("class Own extends Log {}", vec![]),
        ("class Own extends Log {} Own.drain();", vec!["call a.ts 1"]),
        ("if (x instanceof Log) f();", vec![]),
        ("function f(log: Log) {}", vec![]),
    ] {
        check("q.ts#Log.static drain", &format!("{class}{text}"), &expected);
    }
    let own = "--- q.ts\nexport class Log { static drain() {} static n() { this[k](); } }";
    check("q.ts#Log.static drain", own, &["value q.ts#Log.n 1"]);
}

#[test]
fn what_a_file_says_elsewhere_changes_nothing() {
    let default = "--- q.ts\nexport default function drain() {}\n--- a.ts\nimport X from 'foo'; X();";
    for more in ["", "type T = { drain: 1 };", "{ const drain = 1; }", "f('drain'); // drain", "export * from 'foo';"] {
        check("q.ts#drain", &format!("{default}\n{more}"), &[]);
    }
    check("q.ts#drain", &default.replace("'foo'", "'@/q'"), &["unresolved a.ts: @/q"]);
    let class = "--- q.ts\nexport class Log { drain() {} }\n--- b.ts\nexport { Log } from './q';\n--- a.ts\nimport { Log } from './b'; new Log()[k]();";
    for more in ["", "type T = { drain: 1 };", "// drain"] {
        check("q.ts#Log.drain", &format!("{class}\n{more}"), &["possible a.ts 1"]);
    }
    let other = "--- q.ts\nexport class Log { drain() {} }\n--- b.ts\nimport { Log } from './q'; export function get(): Log {}\n--- a.ts\nimport { get } from './b'; get()[k]();";
    for more in ["", "// drain", "f('drain');"] {
        check("q.ts#Log.drain", &format!("{other}\n{more}"), &[]);
    }
}

#[test]
fn what_is_hung_on_a_function_is_handed_on_with_it() {
    for table in [
        "export function E() {} E.drain = function () {};",
        "export const E = () => {}; E.drain = function () {};",
        "export const E: any = reactive({}); E.drain = function () {};",
    ] {
        let table = format!("--- q.ts\ndeclare const reactive: any;\n{table}\n--- a.ts\nimport {{ E }} from './q';\n");
        for text in ["f(E);", "x = [E];", "E[k]();"] {
            check("q.ts#E.drain", &format!("{table}{text}"), &["value a.ts 1"]);
        }
    }
    let copied = "--- b.js\nmodule.exports = function () {}; Object.assign(module.exports, require('./q'));\n--- a.ts\nimport b from './b.js'; b.drain(1);";
    with_queue(copied, &["call a.ts 1"]);
    let both = "--- s.js\nexport function drain() {}\n--- s.ts\nexport function drain() {}\n--- a.js\nconst { drain } = require('./s'); drain();";
    check("s.js#drain", both, &["unresolved a.js: ./s"]);
    let script = "--- jsconfig.json\n{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./*\"] } } }\n--- a.js\nimport { drain } from '@/q'; drain(1);";
    with_queue(script, &["call a.js 1"]);
}

#[test]
fn many_sites_on_one_line_are_counted_at_once() {
    let calls = "drain();".repeat(50_000);
    with_queue(&format!("--- a.js\nimport {{ drain }} from './q';\n{calls}"), &["call a.js 50000"]);
}
