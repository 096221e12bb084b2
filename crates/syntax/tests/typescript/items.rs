//! The names that can be selected.

use crate::parse;

fn check(path: &str, text: &str, expected: &[&str]) {
    let source = parse(path, text);
    let names: Vec<String> = source.items().iter().map(|item| format!("{} {}", item.kind.word(), item.name)).collect();
    assert_eq!(names, expected, "in {text}");
}

fn ts(text: &str, expected: &[&str]) {
    check("a.ts", text, expected);
}

/// The source text that a name selects.
fn selects(text: &str, name: &str, expected: &str) {
    let source = parse("a.ts", text);
    let factgate_syntax::source::Selection::One(item) = source.select(name) else {
        panic!("{:?}", source.select(name))
    };
    assert_eq!(&source.text()[item.span.range()], expected, "{name} in {text}");
}

#[test]
fn functions_and_what_stands_in_them() {
    ts("function f() { function g() { const h = () => 1; } }", &["function f", "function f.g", "function f.g.h"]);
    ts(
        "async function* f() { if (a) { function g() {} } for (;;) { const h = function () {}; } }",
        &["function f", "function f.g", "function f.h"],
    );
    ts("function f() { on('x', () => { function g() {} }); }", &["function f", "function f.g"]);
    ts("on('x', function named() { const a = 1; });", &["function named", "value named.a"]);
    ts(
        "function f() { return { open() {}, close: () => 1, deep: { end() {} }, n: 1 }; }",
        &["function f", "function f.open", "function f.close", "function f.deep.end"],
    );
    ts("function f() { const stop = () => 1; return { stop: () => stop() }; }", &["function f", "function f.stop"]);
    ts("const f = useCallback(() => { const g = () => 1; }, []);", &["value f", "function f.g"]);
}

#[test]
fn classes_and_their_members() {
    ts(
        "class S { a() {} #b() {} 'c d'() {} 7() {} [Symbol.iterator]() {} constructor() {} x = 1; y = () => 2; }",
        &[
            "container S",
            "function S.a",
            "function S.#b",
            "function S.c d",
            "function S.7",
            "function S.[Symbol.iterator]",
            "function S.constructor",
            "value S.x",
            "function S.y",
        ],
    );
    ts("class Q { get p() { return 1; } set p(v) {} }", &["container Q", "function Q.get p", "function Q.set p"]);
    ts(
        "class Q { static open() {} open() {} static get p() { return 1; } }",
        &["container Q", "function Q.static open", "function Q.open", "function Q.get p"],
    );
    ts(
        "class Q { static get p() {} get p() {} static x = 1; static { function inner() {} } }",
        &["container Q", "function Q.static get p", "function Q.get p", "value Q.x", "function Q.inner"],
    );
    ts(
        "abstract class A { abstract f(): void; abstract g(a: 1): void; abstract g(a: 2): void; }",
        &["container A", "function A.f", "function A.g"],
    );
    ts(
        "class A { f(a: 1): void; f(a: 2): void; f(a: any) {} g() {} }",
        &["container A", "function A.f", "function A.g"],
    );
    ts(
        "const A = class B { f() {} }; const m = mixin(class C { g() {} });",
        &["container A", "function A.f", "value m", "container m.C", "function m.C.g"],
    );
    ts(
        "class A { f() { return class { g() {} }; } h = { i() {} }; }",
        &["container A", "function A.f", "function A.f.g", "value A.h", "function A.h.i"],
    );
}

#[test]
fn tables_and_assignments() {
    ts(
        "const P = { run: { on: true }, 'half-open': 1, stop() {}, get g() { return 1; } } as const;",
        &["value P", "value P.run", "value P.run.on", "value P.half-open", "function P.stop", "function P.get g"],
    );
    ts("const a = 1, b = () => 2; let c; var d = 4;", &["value a", "function b", "value c", "value d"]);
    ts(
        "const { a, b: c, ...d } = x; const [e, , f = 1] = y;",
        &["value a", "value c", "value d", "value e", "value f"],
    );
    check(
        "a.cjs",
        "module.exports = { f() {}, n: 1 }; exports.g = function () {}; exports.x = 5; a.b = () => 1; a.c = 2;",
        &[
            "value module.exports",
            "function module.exports.f",
            "value module.exports.n",
            "function exports.g",
            "value exports.x",
            "function a.b",
        ],
    );
    ts(
        "exports.a = exports.b = function () {}; A.prototype.run = function () { function k() {} };",
        &["function exports.a", "function exports.b", "function A.prototype.run", "function A.prototype.run.k"],
    );
}

#[test]
fn exports_types_and_namespaces() {
    ts("export default function () { function g() {} }", &["function default", "function default.g"]);
    ts("export default class { f() {} }", &["container default", "function default.f"]);
    ts("export default { f() {}, n: 1 };", &["value default", "function default.f", "value default.n"]);
    ts("export default () => { const a = 1; };", &["function default", "value default.a"]);
    ts("export default function f() {}", &["function f"]);
    selects("export default function f() {}", "default", "export default function f() {}");
    selects("export default class A {}", "default", "export default class A {}");
    ts(
        "namespace N { export function f() {} } namespace A.B { const x = 1; } declare module 'm' { function g(): void; }",
        &["namespace N", "function N.f", "namespace A.B", "value A.B.x", "namespace m", "function m.g"],
    );
    ts(
        "enum E { A } type T = 1; interface I { a: 1 } declare const c: 1; declare function f(): void; declare global { var g: 1 }",
        &["type E", "type T", "type I", "value c", "function f", "namespace global", "value global.g"],
    );
    ts("export const P = {}; export type P = keyof typeof P;", &["value const P", "type type P"]);
    ts("export function f(a: 1): void; export function f(a: any) {} function g() {}", &["function f", "function g"]);
    ts("export = { f() {} };", &["value export =", "function export =.f"]);
}

#[test]
fn a_namespace_of_types_alone_leaves_the_bare_name_to_the_value() {
    let names = ["function f", "namespace namespace f"];
    for code in [
        "export function f() {}\nexport declare namespace f { type A = 1 }",
        "export declare namespace f { type A = 1 }\nexport function f() {}",
        "function f(a: 1): void;\nfunction f(a: any) {}\nnamespace f { export interface A {} }",
        "export async function* f() {}\nexport namespace f { export type A = B.C; import B = D.E; }",
        "export default function f() {}\ndeclare namespace f { export { type A } }",
        "export const f = () => 1;\nexport declare namespace f { type A = 1 }",
    ] {
        let source = parse("a.ts", code);
        let mut found: Vec<String> = source.items().iter().map(|i| format!("{} {}", i.kind.word(), i.name)).collect();
        found.retain(|name| !name.contains('.'));
        found.sort();
        assert_eq!(found, names, "{code}");
        let factgate_syntax::source::Selection::One(item) = source.select("f") else { panic!("{code}") };
        assert_eq!(item.kind.word(), "function", "{code}");
    }
    ts(
        "export class f {}\nexport declare namespace f { type A = 1 }",
        &["container f", "namespace namespace f", "type f.A"],
    );
    // Both mean something when the program runs, or both are types.
    for code in [
        "function f() {}\nnamespace f { export const a = 1 }",
        "enum f { A }\nnamespace f { export function g() {} }",
        "class f {}\ninterface f { a: 1 }",
        "const f = 1;\ntype f = 2;",
        "const f = {};\ninterface f { a: 1 }",
        "interface f {}\nnamespace f { export type A = 1 }",
    ] {
        let found = parse("a.ts", code);
        assert!(matches!(found.select("f"), factgate_syntax::source::Selection::Many(_)), "{code}");
    }
}

#[test]
fn spans_start_at_the_first_modifier() {
    selects("/** doc */ export async function f() {}", "f", "export async function f() {}");
    selects("class A { @dec() /* c */ public f() {} }", "A.f", "@dec() /* c */ public f() {}");
    selects("@dec export class A {}", "A", "@dec export class A {}");
    selects("export const a = 1;", "a", "export const a = 1;");
    selects("export function f(): 1;\nexport function f() {}", "f", "export function f() {}");
    selects("class Q { get p() { return 1; } }", "Q.p", "get p() { return 1; }");
    selects("class Q { static open() {} }", "Q.static open", "static open() {}");
    selects("declare const c: 1;", "c", "declare const c: 1;");
}
