//! Sites that are easily missed, and places that only look like sites.

use super::{check, check_count, with_queue};

/// A class with a method to watch, then a file `a.ts`.
fn with_class(rest: &str, expected: &[&str]) {
    let class = "--- s.ts\nexport class S { flush() {} static one = new S(); }\n";
    check("s.ts#S.flush", &format!("{class}--- a.ts\nimport {{ S }} from './s';\n{rest}"), expected);
}

#[test]
fn names_in_every_block_shadow() {
    let real = ["call a.ts 1"];
    let shadows = [
        "{ const drain = (n: number) => n; drain(1); }",
        "for (let drain = g; ;) drain(1);",
        "for (const drain of fs) { drain(1); }",
        "for (const drain in fs) { drain(1); }",
        "switch (x) { case 1: function drain() {} drain(); }",
        "const g = ({ drain }: any) => drain(1);",
        "const g = (a: any, drain = a) => drain(1);",
        "const g = function drain() { drain(); };",
        "function g() { drain(1); function drain() {} }",
        "function g() { drain(1); var drain; }",
        "class C { m(drain: any) { drain(1); } }",
        "const C = class drain { m() { new drain(); } };",
        "enum E { drain } namespace N { const drain = 1; drain(1); }",
        "type T = { drain(): void }; let t: T; t.drain();",
        "const o = { drain() {} }; o.drain(); o['drain']();",
        "drain: for (;;) break drain;",
    ];
    for text in shadows {
        with_queue(&format!("--- a.ts\nimport {{ drain }} from './q'; drain(0);\n{text}"), &real);
    }
}

#[test]
fn calls_in_every_place_are_found() {
    let places = [
        "class C { x = drain(1); static { drain(2); } @drain m() {} }",
        "const f = (a = drain(1), { b = drain(2) } = {}) => drain(3);",
        "enum E { A = drain(1), B = drain(2) } namespace N { drain(3); }",
        "drain?.(1); (drain)(1); (0, drain)(1);",
        "drain<number>(1); (drain as any)(1); drain!(1);",
        "drain`a`; drain<T>`b`; new drain(1);",
        "try { drain(1) } catch { drain(2) } finally { drain(3) }",
        "label: { drain(1); } if (drain(2)) while (drain(3));",
        "const k = { [drain(1)]: 1, a: drain(2), ...drain(3) };",
        "let d; d = await drain(1); d ??= drain(2); delete drain(3).x;",
        "import * as q from './q'; q.drain(1); q['drain'](1); q?.drain?.(1);",
    ];
    for text in places {
        check_count(&format!("--- a.ts\nimport {{ drain }} from './q';\n{text}"), "call", 3);
    }
}

#[test]
fn values_are_listed_and_their_calls_are_not_invented() {
    let places = [
        "const f = c ? drain : g; f();",
        "let f = drain; f = g; f();",
        "const o = { drain }; o.drain();",
        "const get = () => drain;",
        "const x = c || drain;",
        "const xs = [drain];",
        "class C { f = drain; }",
        "function f(g = drain) {}",
        "o.x = drain;",
    ];
    for text in places {
        check_count(&format!("--- a.ts\nimport {{ drain }} from './q'; {text}"), "value", 1);
    }
}

#[test]
fn receivers_that_hold_a_class_are_calls_or_possible() {
    with_class("class H { constructor(private s: S) {} f() { this.s.flush(); } }", &["call a.ts#H.f 1"]);
    with_class("class H { s = new S(); f() { this.s.flush(); } }", &["call a.ts#H.f 1"]);
    with_class("class H { s; f() { this.s.flush(); } }", &["possible a.ts#H.f 1"]);
    with_class("class H { get s(): S { return x; } f() { this.s.flush(); } }", &["call a.ts#H.f 1"]);
    with_class("S.one.flush();", &["call a.ts 1"]);
    with_class("const o = { s: new S(), t: x.y }; o.s.flush(); o.t.flush();", &["call a.ts 1", "possible a.ts 1"]);
    with_class("const s: S = make(); s.flush();", &["call a.ts 1"]);
    with_class("function f(x: unknown) { (x as S).flush(); }", &["call a.ts#f 1"]);
    with_class("function f(xs: S[]) { for (const s of xs) s.flush(); xs[0].flush(); }", &["possible a.ts#f 2"]);
    with_class("const f = async () => { const s = await open(); s.flush(); };", &["possible a.ts#f 1"]);
    with_class("const s = new S(); run(s.flush); const { flush } = s; flush();", &["call a.ts 1", "value a.ts 1"]);
    with_class("class T extends S { f() { super.flush(); this.flush(); } }", &["call a.ts#T.f 2"]);
    with_class("class T extends S { flush() {} } new T().flush();", &[]);
    with_class("interface S2 { flush(): void } function f(s: S2) { s.flush(); }", &["possible a.ts#f 1"]);
}

#[test]
fn a_base_class_may_be_a_subclass() {
    let classes =
        "--- s.ts\nexport class B { flush() {} run() { this.flush(); } }\nexport class S extends B { flush() {} }\n";
    check("s.ts#S.flush", classes, &["possible s.ts#B.run 1"]);
}

#[test]
fn declarations_that_merge_are_one_name() {
    let merged = "--- q.ts\nexport interface drain<T> { x: T }\nexport function drain(): drain<1> { return x; }\n";
    check("q.ts#drain", &format!("{merged}--- a.ts\nimport {{ drain }} from './q'; drain();"), &["call a.ts 1"]);
    let class = "--- s.ts\nexport class S { flush() {} }\nexport namespace S { export const x = 1; }\n";
    check("s.ts#S.flush", &format!("{class}--- a.ts\nimport {{ S }} from './s'; new S().flush();"), &["call a.ts 1"]);
    let mixin = "--- s.ts\nexport class S { flush() {} }\n--- m.ts\nimport { S } from './s';\nexport interface M extends S {}\nexport class M {}\n";
    check(
        "s.ts#S.flush",
        &format!("{mixin}--- a.ts\nimport {{ M }} from './m'; new M().flush();"),
        &["possible a.ts 1"],
    );
}

#[test]
fn long_rows_of_names_are_followed_to_their_end() {
    let row = |count: usize, line: &dyn Fn(usize) -> String| (1..=count).map(line).collect::<String>();
    let aliases = row(40, &|at| {
        format!("const a{at} = {};\n", if at == 1 { "drain".to_owned() } else { format!("a{}", at - 1) })
    });
    with_queue(
        &format!("--- a.ts\nimport {{ drain }} from './q';\n{aliases}function g() {{ a40(1); }}\n"),
        &["call a.ts#g 1"],
    );
    let from = |at: usize| if at == 1 { "q".to_owned() } else { format!("m{}", at - 1) };
    let hops = row(60, &|at| format!("--- m{at}.ts\nexport {{ drain }} from './{}';\n", from(at)));
    with_queue(
        &format!("{hops}--- a.ts\nimport {{ drain }} from './m60';\nfunction g() {{ drain(1); }}\n"),
        &["call a.ts#g 1"],
    );
    let hops = row(60, &|at| {
        format!("--- m{at}.ts\nimport {{ drain as d }} from './{}'; export const drain = d;\n", from(at))
    });
    with_queue(
        &format!("{hops}--- a.ts\nimport {{ drain }} from './m60';\nfunction g() {{ drain(1); }}\n"),
        &["call a.ts#g 1"],
    );
}
