//! Files that use what is watched without saying its name, and definitions that only a path of properties reaches.

use super::{check, with_queue};

#[test]
fn namespaces_are_found_without_the_word() {
    for (text, expected) in [
        ("import * as n from './q';\nfunction run(k: string) { n[k](1); }", "value a.ts#run 1"),
        ("import * as n from './q';\nregister(n);", "value a.ts 1"),
        ("import * as n from './q';\nexport const api = { ...n };", "value a.ts 1"),
        ("register(require('./q'));", "value a.ts 1"),
        ("const q = require('./q'); for (const k in q) q[k]();", "value a.ts 2"),
        ("const m = await import('./q'); m[k]();", "value a.ts 1"),
        ("export const load = () => import('./q');", "value a.ts#load 1"),
        ("import n from './q.js'; register(n);", "value a.ts 1"),
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &[expected]);
    }
    for (barrel, user) in [
        ("import * as q from './q';\nexport { q };", "import { q } from './b';\nq[k](1);"),
        ("export * as q from './q';", "import { q } from './b';\nregister(q);"),
        ("export * from './q';", "import * as all from './b';\nregister(all);"),
        ("export * as q from './q';", "import * as all from './b';\nregister(all);"),
    ] {
        with_queue(&format!("--- b.ts\n{barrel}\n--- a.ts\n{user}"), &["value a.ts 1"]);
    }
    with_queue(
        "--- b.ts\nexport * as fs from './q';\n--- a.ts\nimport * as x from './b'; x.fs.drain(1);",
        &["call a.ts 1"],
    );
    with_queue("--- a.ts\nimport type * as n from './q';\nimport { other } from './q'; register(other);", &[]);
}

#[test]
fn modules_are_found_however_they_are_spelled() {
    let queue = "export function drain() {}";
    for (file, from, configuration) in [
        ("queue/index.ts", "./queue", ""),
        ("queue/index.ts", "./queue/", ""),
        ("index.ts", ".", ""),
        ("lib/core.ts", "./lib", "--- lib/package.json\n{ \"main\": \"./core.js\" }\n"),
        ("lib/core.ts", "#q", "--- package.json\n{ \"imports\": { \"#q\": \"./lib/core.ts\" } }\n"),
        ("lib/core.ts", "@x/q", "--- lib/package.json\n{ \"name\": \"@x/q\", \"exports\": \"./core.ts\" }\n"),
        (
            "lib/core.ts",
            "@x/q/deep",
            "--- lib/package.json\n{ \"name\": \"@x/q\", \"exports\": { \"./deep\": \"./core.ts\" } }\n",
        ),
        (
            "lib/core.ts",
            "queue",
            "--- tsconfig.json\n{ \"compilerOptions\": { \"paths\": { \"queue\": [\"./lib/core.ts\"] } } }\n",
        ),
        (
            "lib/queue/index.ts",
            "@q/queue",
            "--- tsconfig.json\n{ \"compilerOptions\": { \"paths\": { \"@q/*\": [\"./lib/*/index.ts\"] } } }\n",
        ),
    ] {
        let program =
            format!("{configuration}--- {file}\n{queue}\n--- a.ts\nimport * as n from '{from}';\nregister(n);");
        check(&format!("{file}#drain"), &program, &["value a.ts 1"]);
    }
}

#[test]
fn names_written_as_escapes_are_names() {
    for text in [
        "import * as n from './q'; n.dr\\u0061in(1);",
        "import { dr\\u{61}in as d } from './q'; d(1);",
        "import * as n from './q'; n['dr\\x61in'](1);",
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &["call a.ts 1"]);
    }
}

#[test]
fn members_of_objects_and_namespaces_are_followed_or_possible() {
    let api = "--- q.ts\nexport const api = { drain() {}, io: { drain: () => 1 }, other() { this.drain(); } };\n--- a.ts\nimport { api } from './q';\n";
    let inside = "possible q.ts#api.other 1";
    for (text, expected) in [
        ("api.drain(); const { drain: d } = api; d();", vec!["call a.ts 2", inside]),
        ("export function f(x: any) { x.drain(); }", vec!["possible a.ts#f 1", inside]),
        ("register(api);", vec!["value a.ts 1", inside]),
        ("api[k]();", vec!["value a.ts 1", inside]),
    ] {
        check("q.ts#api.drain", &format!("{api}{text}"), &expected);
    }
    check(
        "q.ts#api.io.drain",
        &format!("{api}const {{ io }} = api; io.drain(); api.io.drain();"),
        &["call a.ts 2", inside],
    );
    let class = "--- q.ts\nexport class S { static open() {} }\n--- a.ts\nimport { S } from './q';\n";
    check("q.ts#S.open", &format!("{class}const C = c ? S : T; C.open();"), &["value a.ts 1", "possible a.ts 1"]);
    check(
        "q.ts#S.open",
        &format!("{class}function f(K: typeof S, L: any) {{ K.open(); L.open(); }}"),
        &["call a.ts#f 1", "possible a.ts#f 1"],
    );
    let space = "--- q.ts\nexport namespace N { export function open() {} }\nexport namespace N { export function go() { open(); } }\n--- a.ts\nimport { N } from './q';\n";
    for (text, expected) in [
        ("N.open(); const { open } = N; open();", vec!["call a.ts 2", "call q.ts#N.go 1"]),
        ("register(N);", vec!["call q.ts#N.go 1", "value a.ts 1"]),
        ("namespace X { export import o = N.open; } X.o();", vec!["call a.ts 1", "call q.ts#N.go 1"]),
    ] {
        check("q.ts#N.open", &format!("{space}{text}"), &expected);
    }
    let merged = "--- q.ts\nexport function f() {}\nexport namespace f { export type T = 1 }\n--- a.ts\nimport { f } from './q'; f();";
    check("q.ts#f", merged, &["call a.ts 1"]);
}

#[test]
fn what_common_modules_assign_is_a_definition() {
    let user = "--- b.js\nconst q = require('./q'); q.drain(1); const { drain } = q; drain();";
    for (of, text, expected) in [
        ("exports.drain", "exports.drain = function () {};\nfunction own() { exports.drain(); }", 1),
        ("exports.drain", "exports.drain = function drain() {};\nfunction own() { module.exports.drain(); }", 1),
        ("module.exports.drain", "module.exports.drain = () => 1;\nfunction own() { module.exports.drain(); }", 1),
        ("module.exports.drain", "module.exports = { drain() {} };", 0),
        ("drain", "function drain() {}\nexports = module.exports = { drain };", 0),
        ("drain", "function drain() {}\nexports.other = exports.drain = drain;", 0),
    ] {
        let own: &[&str] = if expected == 1 { &["call b.js 2", "call q.js#own 1"] } else { &["call b.js 2"] };
        check(&format!("q.js#{of}"), &format!("--- q.js\n{text}\n{user}"), own);
    }
    check(
        "q.js#module.exports.flush",
        "--- q.js\nmodule.exports = class S { flush() {} };\n--- b.js\nconst S = require('./q'); new S().flush();",
        &["call b.js 1"],
    );
}

#[test]
fn every_require_is_one() {
    for text in [
        "const { drain } = await vi.importActual<typeof import('./q')>('./q'); drain(1);",
        "const { drain } = jest.requireActual('./q'); drain(1);",
        "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); load('./q').drain(1);",
        "const { drain } = module.require('./q'); drain(1);",
        "const r = require; const { drain } = r('./q'); drain(1);",
        "let r = require; const { drain } = r('./q'); drain(1);",
        "const r = typeof require === 'function' ? require : null; r('./q').drain(1);",
        "const r = load || require; r('./q').drain(1);",
        "const q = require?.('./q'); q.drain(1);",
        "const { drain } = require('./q', 'more'); drain(1);",
        "const { requireActual } = jest; requireActual('./q').drain(1);",
        "const { drain } = module['require']('./q'); drain(1);",
        "const q = module?.require('./q'); q.drain(1);",
        "const { drain } = require(`./\\u0071`); drain(1);",
        "import * as q from './q'; q[`dr\\u0061in`](1);",
        "import * as q from './q'; const k = `dr\\x61in`; q[k](1);",
        "let m: typeof import('./q'); m.drain(1);",
        "import type * as Q from './q'; let m: typeof Q; m.drain(1);",
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &["call a.ts 1"]);
    }
    with_queue("--- a.ts\nimport('./q').catch(stop).then((m) => m.drain(1));", &["value a.ts 1", "possible a.ts 1"]);
}

#[test]
fn what_can_never_be_called_is_no_definition() {
    let queue = "--- q.ts\nexport const LIMIT = 5;\nexport type T = 1;\nexport interface I { f(): void }\nexport const P = { retry: 3, f() {} };\nexport class Q { get size() { return 1; } n: number = 1; flush: () => void = () => {}; }\nexport enum E { A }\n";
    for (of, is_function) in [
        ("LIMIT", false),
        ("T", false),
        ("I", false),
        ("P.retry", false),
        ("P.f", true),
        ("Q", true),
        ("Q.size", false),
        ("Q.n", false),
        ("Q.flush", true),
    ] {
        let lines = super::lines(&format!("q.ts#{of}"), queue);
        assert_eq!(lines.iter().any(|line| line.starts_with("selector")), !is_function, "{of}: {lines:?}");
    }
    let zig = super::lines("q.zig#limit", "--- q.zig\npub const limit = 5;\n");
    assert!(zig[0].starts_with("selector"), "{zig:?}");
}

#[test]
fn definitions_that_the_grammar_cannot_read_are_found_by_their_names() {
    let odd = "let x: f<typeof import('x')> = g<<T>(v: T) => void>();\nexport import a = require('./x');\n";
    for (of, text) in [
        ("drain", "export function drain() {}"),
        ("S.flush", "export class S { flush() {} }"),
        ("outer.drain", "export function outer() { function drain() {} drain(); }"),
    ] {
        let program = format!(
            "--- q.ts\n{odd}{text}\n{odd}--- a.ts\nimport {{ S, drain }} from './q'; drain(); new S().flush();"
        );
        let lines = super::lines(&format!("q.ts#{of}"), &program);
        assert!(lines.iter().any(|line| line.starts_with("call")), "{of}: {lines:?}");
    }
    let lines = super::lines("q.ts#gone", &format!("--- q.ts\n{odd}"));
    assert!(!lines[0].starts_with("call"), "{lines:?}");
}
