//! Which names are which variables, and which changes are only renamings.

use super::{Scopes, scopes};
use crate::fingerprint::{Apart, fingerprints};
use crate::languages::language_for_path;
use crate::languages::typescript::testing;
use crate::scope::BindingKind;
use crate::tree::{NodeId, Tree};

/// Every identifier that is a variable, in source order: its name, the number of its variable, `=` where it is
/// assigned, `!` where the variable is no local.
fn printed(tree: &Tree, scopes: &Scopes) -> String {
    let mut words = Vec::new();
    for node in tree.subtree(NodeId::ROOT) {
        if let Some(id) = scopes.binding(node) {
            let binding = scopes.get(id);
            let written = if binding.writes.contains(&node) { "=" } else { "" };
            let shared = if binding.local { "" } else { "!" };
            words.push(format!("{}{}{written}{shared}", tree.text(node), id.0));
        }
    }
    words.join(" ")
}

fn check(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        let tree = testing::file("a.tsx", code);
        assert_eq!(printed(&tree, &scopes(&tree)), *expected, "{code}");
    }
}

#[test]
fn values_are_found_in_their_scopes() {
    check(&[
        ("let a = 1; { let a = 2; f(a); } g(a);", "a0 a1 a1 a0"),
        ("function f(a) { return a + b; var b; }", "f0 a1 a1 b2 b2"),
        ("function f(a = x) { var x; x; }", "f0 a1 x2 x2"),
        ("if (x) { var y = 1; } y = 2;", "y0 y0="),
        ("f(); function f() { f = 1; }", "f0 f0 f0="),
        ("const f = function g() { g(); }; g();", "f0 g1 g1"),
        ("try { } catch (e) { e; } e;", "e0 e0"),
        ("for (let i = 0; i < n; i++) { i; } i;", "i0 i0 i0= i0"),
        ("for (const x of xs) { x; } for (x of xs) { } for (var x of xs) { }", "x0 x0 x1= x1"),
        ("switch (a) { case 1: let b; case 2: b; }", "b0 b0"),
        ("label: for (;;) { continue label; } const label = 1;", "label0"),
        ("var x = 1; var x = 2; var x;", "x0 x0= x0"),
        ("function f(a) { var a; a; }", "f0 a1 a1 a1"),
        ("{ using a = b(); await using c = a; c; }", "a0 c1 a0 c1"),
    ]);
}

#[test]
fn patterns_declare_and_assign() {
    check(&[
        ("const { a, b: { c }, ...d } = e, [f = a] = g;", "a0! c1! d2 f3 a0!"),
        ("let a, b; ({ a, c: b, d: e.f } = g); [a, ...b] = h;", "a0! b1 a0=! b1= a0=! b1="),
        ("(({ a, b = a }) => b)();", "a0! b1! a0! b1!"),
        ("let a; a += 1; a ??= 2; a++; (a as any) = 3; a.b = 4;", "a0 a0= a0= a0= a0= a0"),
        ("const wait = 1; call({ wait });", "wait0! wait0!"),
        ("const wait = 1; call({ wait: wait });", "wait0 wait0"),
    ]);
}

#[test]
fn classes_types_and_modules_declare_names() {
    check(&[
        ("class A { b = A; static { var c = A; } m() { return new A(); } } c;", "A0 A0 c1 A0 A0"),
        ("const x = class Q { m() { return Q; } }; Q;", "x0 Q1 Q1"),
        ("type T<K> = Map<K, T<K>>;", "T0 K1 K1 T0 K1"),
        ("type T<K> = Map<K, T<K>>; const T = 1; T;", "T0 T0"),
        ("function f<T extends U>(a: T): a is T { } type U = typeof f;", "f0 a1"),
        ("type F = (a: number, b: typeof a) => void; type G = [a: number];", "F0 a1 b2 a1 G3"),
        ("type M = { [K in Keys]: K }; type Keys = 'a'; type I = { [key: string]: M };", "M0 K1 Keys2 K1 Keys2 I3 M0"),
        ("type E<T> = T extends Array<infer U> ? U : never;", "E0 T1 T1 U2 U2"),
        ("enum E { A, B = A } const A = 1; E.A;", "E0 A1 E0"),
        ("namespace N { export const a = 1; const b = a; } N.a;", "N0 a1! b2 a1! N0"),
        ("import d, { a, b as c } from 'x'; import * as n from 'y'; d(a, c, n);", "d0 a1! c2 n3 d0 a1! c2 n3"),
        ("const a = 1, b = 2; export { a, b as c }; export { z } from 'y';", "a0! b1 a0! b1"),
        ("export function f() { } export default class G { }", "f0! G1!"),
        ("const A = 1, div = 2; <A b={A}><div/><A.C/></A>;", "A0 div1 A0 A0 A0"),
        ("let x: N.T; import type { N } from 'n';", "x0"),
    ]);
}

#[test]
fn kinds_of_variables() {
    let tree = testing::file("a.ts", "const a = 1; let b; function c(d) { try { } catch (e) { } } import f from 'f';");
    let scopes = scopes(&tree);
    let kinds: Vec<_> = scopes.bindings.iter().map(|binding| (binding.name.as_str(), binding.kind)).collect();
    use BindingKind::*;
    let expected =
        [("a", Constant), ("b", Variable), ("c", Declaration), ("d", Parameter), ("e", Variable), ("f", Constant)];
    assert_eq!(kinds, expected);
}

/// How the second function differs from the first, as far as variables and literals go.
fn change(before: &str, after: &str) -> &'static str {
    let language = language_for_path("a.ts").unwrap();
    let of = |code: &str| {
        let tree = testing::file("a.ts", code).extract(NodeId::new(1));
        fingerprints(&tree, &scopes(&tree), language, &Apart::default())
    };
    let (before, after) = (of(before), of(after));
    match () {
        () if before.exact == after.exact => "same",
        () if before.locals == after.locals => "locals",
        () if before.literals == after.literals => "literals",
        () => "structure",
    }
}

#[test]
fn only_consistent_renamings_of_locals_are_locals() {
    for (before, after, expected) in [
        ("function f(a, b) { return a - b; }", "function f(x, y) { return x - y; }", "locals"),
        ("function f(a, b) { return a - b; }", "function f(a, b) { return b - a; }", "structure"),
        ("function f(a, b) { return a - b; }", "function f(b, a) { return b - a; }", "locals"),
        ("function f(a) { return a.b; }", "function f(a) { return a.c; }", "structure"),
        ("function f(a) { return a; }", "function g(a) { return a; }", "structure"),
        ("function f(a) { return g(1); }", "function f(a) { return h(1); }", "structure"),
        ("function f(a) { return g('x', 1); }", "function f(a) { return g('y', 2); }", "literals"),
        ("function f(a) { return g('x', a); }", "function f(b) { return g('y', b); }", "literals"),
        ("function f() { const a = 1; g({ a }); }", "function f() { const b = 1; g({ b }); }", "structure"),
        ("function f() { const a = 1; g({ a: a }); }", "function f() { const b = 1; g({ a: b }); }", "locals"),
        ("function f({ a }) { return a; }", "function f({ b }) { return b; }", "structure"),
        ("function f() { let a; { let a; a = 1; } }", "function f() { let a; { let b; a = 1; } }", "structure"),
        ("function f<T>(a: T) { }", "function f<U>(a: U) { }", "same"),
        ("class C { constructor(a) { a } }", "class C { constructor(b) { b } }", "locals"),
        ("class C { constructor(private a) { a } }", "class C { constructor(private b) { b } }", "structure"),
        ("class C { constructor(readonly a = 1) {} }", "class C { constructor(readonly b = 1) {} }", "structure"),
    ] {
        assert_eq!(change(before, after), expected, "{before}\n{after}");
    }
}
