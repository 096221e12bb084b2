//! What can be read out of tables and constants, and what cannot.

use super::{constant, entries};
use crate::languages::typescript::testing::{self, source};
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Entries};

fn text(tree: &Tree, constant: &Constant) -> String {
    match constant {
        Constant::Integer(integer) => integer.to_string(),
        Constant::Float(float) => format!("{float:?}"),
        Constant::Text(text) => format!("'{text}'"),
        Constant::Bool(truth) => truth.to_string(),
        Constant::Name(node) => source(tree, *node),
        Constant::Negate(inner) => format!("-{}", text(tree, inner)),
        Constant::Binary(left, operator, right) => format!("({}{operator}{})", text(tree, left), text(tree, right)),
        Constant::NotLiteral(node, word) => format!("{word}: {}", source(tree, *node)),
    }
}

fn item(code: &str) -> (Tree, NodeId) {
    let tree = testing::file("a.ts", code);
    let first = tree.children(NodeId::ROOT).next().expect("a statement");
    (tree, first)
}

fn check_entries(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        let (tree, node) = item(code);
        let found = match entries(&tree, node) {
            Entries::NotLiteral(node, word) => format!("{word}: {}", source(&tree, node)),
            Entries::All(entries) => {
                let entry = |entry: &crate::value::Entry| {
                    let value = entry.value.map_or(String::new(), |value| format!("={}", source(&tree, value)));
                    format!("{}{value}", text(&tree, &entry.name))
                };
                entries.iter().map(entry).collect::<Vec<_>>().join(" ")
            }
        };
        assert_eq!(found, *expected, "{code}");
    }
}

#[test]
fn tables_are_read_whole() {
    check_entries(&[
        ("const A = { a: 1, 'b-c': f(), 2: x, d() {}, e };", "'a'=1 'b-c'=f() '2'=x 'd'=d(){} 'e'=e"),
        ("export const A = ['x', \"y\", 3, -1] as const;", "'x' 'y' 3 -1"),
        ("export const A = Object.freeze({ a: 1 } as const) satisfies B;", "'a'=1"),
        ("const A = new Set(['x', B]);", "'x' B"),
        ("const A = new Set<string>();", ""),
        ("const A = new Map([['x', 1], ['y', g()]]);", "'x'=1 'y'=g()"),
        ("export enum E { A, 'b', C = 1 << 2, D = 'd' }", "'A' 'b' 'C'=1<<2 'D'=d"),
        ("declare const enum E { A }", "'A'"),
        ("export type P = | 'idle' | ('run' | 2) | -1 | true;", "'idle' 'run' 2 -1 true"),
        ("type P = 'only';", "'only'"),
        ("type P = 'a' | Q;", "'a' Q"),
        ("const A = { get a() { return 1; }, set a(x) {} };", "'a'=geta(){return1}"),
        ("const A = { ['a']: 1 };", "'a'=1"),
    ]);
}

#[test]
fn what_is_no_literal_stops_a_table() {
    check_entries(&[
        ("const A = { a: 1, ...B };", "a spread: ...B"),
        ("const A = { [k]: 1 };", "a computed key: [k]"),
        ("const A = ['x', f()];", "a call: f()"),
        ("const A = ['x', ...B];", "a spread: ...B"),
        ("const A = f({ a: 1 });", "a call: f({a:1})"),
        ("const A = B;", "a name: B"),
        ("const A = new Set(B);", "a name: B"),
        ("const A = new Map([p]);", "a name: p"),
        ("type P = 'a' | Q<string>;", "a generic type: Q<string>"),
        ("type P = `a${Q}`;", "a template with substitutions: a${Q}"),
        ("let A = ['x'];", "a variable that is no `const`: letA=[x]"),
        ("const A = { __proto__: B };", "a prototype: __proto__:B"),
        ("function f() {}", "no literal: functionf(){}"),
    ]);
}

#[test]
fn constants_are_literals_and_arithmetic() {
    for (code, expected) in [
        ("const A = 5 * SECOND;", "(5*SECOND)"),
        ("export const A = (B + 1) * -2;", "((B+1)*-2)"),
        ("const A = 0x10 + 1_000 + 0b11 + 0o17;", "(((16+1000)+3)+15)"),
        ("const A = 1.5e3;", "1500"),
        ("const A = 0.5;", "0.5"),
        ("const A = 1e400;", "a number out of range: inf"),
        ("const A = 9007199254740993n * 2n;", "(9007199254740993*2)"),
        ("const A = 7n / 2n;", "a computation with BigInts: 7n/2n"),
        ("const A = ~1 & 3;", "((1^-1)&3)"),
        ("const A = 'x' as const;", "'x'"),
        ("const A = `x y`;", "'x y'"),
        ("const A = `x${y}`;", "a template with substitutions: x${y}"),
        ("const A = true;", "true"),
        ("const A = Number(x);", "a call: Number(x)"),
        ("const A = x >>> 1;", "no arithmetic: x>>>1"),
        ("const A = a.b;", "a.b"),
        ("const A = f().b;", "a property: f().b"),
        ("const A = c ? 1 : 2;", "a choice: c?1:2"),
        ("let A = 5;", "a variable that is no `const`: letA=5"),
        ("const A: number;", "a declaration without a value: constA:number"),
    ] {
        let (tree, node) = item(code);
        assert_eq!(text(&tree, &constant(&tree, node)), expected, "{code}");
    }
}
