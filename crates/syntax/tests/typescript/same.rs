//! Pairs that a formatter could turn into each other.

use crate::{file, shown};

fn check(path: &str, pairs: &[(&str, &str)]) {
    for (one, other) in pairs {
        if file(path, one) != file(path, other) {
            panic!("{one}\n{other}\n{}\n{}", shown(path, one), shown(path, other));
        }
    }
}

#[test]
fn layout_and_separators() {
    check(
        "a.ts",
        &[
            ("f(a, b);", "f(\n  a,\n  b,\n)\n"),
            ("a;;b", "a\nb"),
            ("interface I { a: 1; b(): 2 }", "interface I {\n a: 1,\n b(): 2,\n}"),
            ("class A { a = 1; b() {}; }", "class A {\n a = 1\n b() {}\n}"),
            ("type T = { a: 1 }; x", "type T = { a: 1, }\nx"),
            ("enum E { A, B }", "enum E { A, B, }"),
            ("f<A, B>()", "f<A, B,>()"),
            ("import { a, b } from 'x'", "import {a,b,} from \"x\";"),
            ("for (;;) {}", "for (;;);"),
            ("const a = 1\nconst b = 2", "const a = 1; const b = 2;"),
            ("a /* b */ + // c\n d", "a + d"),
            ("<!-- old\na", "a"),
        ],
    );
}

#[test]
fn braces_of_one_statement() {
    check(
        "a.ts",
        &[
            ("if (a) b;", "if (a) { b; }"),
            ("if (a) b; else if (c) d; else e;", "if (a) { b } else if (c) { d } else { e }"),
            ("if (a) b; else if (c) d;", "if (a) { b } else { if (c) { d } }"),
            ("for (const a of b) c;", "for (const a of b) { c }"),
            ("while (a) b;", "while (a) { b }"),
            ("do a; while (b)", "do { a } while (b);"),
            ("for (let a = 1; a < 2; a++) b", "for (let a = 1; a < 2; a++) { b }"),
            ("x: for (;;) break x;", "x: for (;;) { break x }"),
            ("if (a) ;", "if (a) {}"),
            ("x: {}", "x: { ; }"),
        ],
    );
}

#[test]
fn parentheses_that_only_group() {
    check(
        "a.ts",
        &[
            ("x = (a * b) + c", "x = a * b + c"),
            ("x = ((a))", "x = a"),
            ("(a.b).c()", "a.b.c()"),
            ("x = (a && b) && c", "x = a && b && c"),
            ("x = a && (b && c)", "x = a && b && c"),
            ("x = a ?? (b ?? c)", "x = a ?? b ?? c"),
            ("x = (await a) as T", "x = await a as T"),
            ("x = a || (b as T)", "x = a || b as T"),
            ("x = a && (b as T)", "x = a && b as T"),
            ("x = a ?? (b as T)", "x = a ?? b as T"),
            ("x = a === (b as T)", "x = a === b as T"),
            ("x = (a + b) as T", "x = a + b as T"),
            ("x = q + (a!.b)", "x = q + a!.b"),
            ("x = q || (a!)", "x = q || a!"),
            ("x = -(a!)", "x = -a!"),
            ("x = await (f<T>(y))", "x = await f<T>(y)"),
            ("x = !(o.g<boolean>(y))", "x = !o.g<boolean>(y)"),
            ("x = (a) => a", "x = a => a"),
            ("x = async (a) => a", "x = async a => a"),
            ("x = () => (a)", "x = () => a"),
            ("x = () => (({}) as A)", "x = () => ({}) as A"),
            ("x = (a, b), c", "x = (a, b), (c)"),
            ("(a, b), c", "a, b, c"),
            ("new (A)", "new A()"),
            ("new A", "new A()"),
            ("new A.B", "new (A.B)()"),
            ("type T = (A | B) | C", "type T = | A | B | C"),
            ("type T = (A)", "type T = | A"),
            ("type T = (A | B)[]", "type T = ((A | B))[]"),
            ("type T = () => (A | B)", "type T = () => A | B"),
            ("x = a ? (b) : (c)", "x = a ? b : c"),
            ("x = a ? b : (c = d)", "x = a ? b : c = d"),
            ("(a.b) = c", "a.b = c"),
            ("(a) = c", "a = c"),
            ("return_((yield_))", "return_(yield_)"),
            ("x = a ** (b ** c)", "x = a ** b ** c"),
            ("x = (a - b) - c", "x = a - b - c"),
            ("x = typeof (a)", "x = typeof a"),
            ("x = (a as B) as C", "x = a as B as C"),
            ("x = (a satisfies B)!", "x = (a satisfies B)!"),
            ("x = <T>(a)", "x = <T>a"),
            ("x = (a?.b)", "x = a?.b"),
            ("x = (a?.b) as C", "x = a?.b as C"),
            ("x = y as A.B.C", "x = y as (A.B.C)"),
            ("x = y as A.B.C.D", "x = y as (A.B.C.D)"),
            ("x = () => ({}) as A.B.C", "x = () => (({}) as (A.B.C))"),
            ("x = f() satisfies A.B.C<D>", "x = f() satisfies (A.B.C<D>)"),
            ("x = await y as A.B.C", "x = (await y) as (A.B.C)"),
            ("x = y as A.B.C[]", "x = y as (A.B.C)[]"),
            ("x = y as A.B.C['d']", "x = y as (A.B.C['d'])"),
            ("x = y as A.B.C<D>['d'][number][K]", "x = y as (A.B.C<D>['d'][number][K])"),
            ("type A = readonly B[] extends C ? D : E", "type A = (readonly B[]) extends C ? D : E"),
            (
                "type A = B extends C ? readonly D[] extends E ? F : G : H",
                "type A = B extends C ? ((readonly D[]) extends E ? F : G) : H",
            ),
            ("x = new A!(b)", "x = new (A!)(b)"),
            ("x = new A.b!.c(d).e", "x = (new (A.b!.c)(d)).e"),
            ("type T = readonly A[] | B", "type T = (readonly A[]) | B"),
            ("x = a! + b!", "x = (a!) + (b!)"),
            ("x = a < b! || c", "x = (a < (b!)) || c"),
            ("x = () => a as T", "x = () => (a as T)"),
            ("x = y = z as T", "x = y = (z as T)"),
            ("x = a ? b : c as T", "x = a ? b : (c as T)"),
            ("x = a ? b : c!.d", "x = a ? b : (c!.d)"),
            ("x = typeof a!.b", "x = typeof (a!.b)"),
            ("x = void a as T", "x = (void a) as T"),
            ("x = a as T || b", "x = (a as T) || b"),
            ("x = !a!.b!.c", "x = !(a!.b!.c)"),
            ("x = await a!.b", "x = await (a!.b)"),
            ("x = a in b!", "x = a in (b!)"),
            ("for (const a of (b)) {}", "for (const a of b) {}"),
            ("export default (a)", "export default a"),
            ("class A extends (B) {}", "class A extends B {}"),
            ("@(a.b()) class A {}", "@a.b() class A {}"),
        ],
    );
}

#[test]
fn literals_by_value() {
    check(
        "a.ts",
        &[
            ("x = 'a'", "x = \"a\""),
            ("x = 'don\\'t'", "x = \"don't\""),
            ("x = '\\u0061\\x62\\u{63}'", "x = 'abc'"),
            ("x = '\\ud83d\\ude00'", "x = '😀'"),
            ("x = 'a\\\nb'", "x = 'ab'"),
            ("x = 'a\\\r\nb'", "x = 'ab'"),
            ("x = '\\d'", "x = 'd'"),
            ("x = '\\101'", "x = 'A'"),
            ("x = 0XFF", "x = 0xff"),
            ("x = 1_000", "x = 1000"),
            ("x = 1E3", "x = 1e3"),
            ("x = 1.50", "x = 1.5"),
            ("x = 1.", "x = 1.0"),
            ("x = .5", "x = 0.5"),
            ("x = 10N".replace('N', "n").as_str(), "x = 1_0n"),
            ("x = 0XFn", "x = 0xfn"),
            ("x = /a/gi", "x = /a/ig"),
            ("x = { 'a': 1, \"b\": 2, c: 3 }", "x = { a: 1, b: 2, 'c': 3 }"),
            ("x = { 1: a }", "x = { '1': a }"),
            ("x = { 0x1: a }", "x = { 1: a }"),
            ("interface I { 'a': 1 }", "interface I { a: 1 }"),
            ("class A { 'a' = 1; 'b'() {} }", "class A { a = 1; b() {} }"),
            ("enum E { 'A', 'B' = 2 }", "enum E { A, B = 2 }"),
            ("const { 'a': b } = c", "const { a: b } = c"),
            ("x = `a\r\nb`", "x = `a\nb`"),
            ("x = `a${ b }`", "x = `a${b}`"),
            ("'use strict'; a", "\"use strict\"\na"),
            ("\\u0061 = 1", "a = 1"),
        ],
    );
}

#[test]
fn jsx() {
    check(
        "a.tsx",
        &[
            ("x = <A></A>", "x = <A />"),
            ("x = <a.B></a.B>", "x = <a.B/>"),
            ("x = <a b='c' />", "x = <a b=\"c\" />"),
            ("x = <a b={'c'} />", "x = <a b=\"c\" />"),
            ("x = <a b='&quot;' />", "x = <a b={'\"'} />"),
            ("x = <a b=\"it's\" />", "x = <a b='it&apos;s' />"),
            ("x = <a>b c</a>", "x = <a>\n  b\n  c\n</a>"),
            ("x = <a><b /> c</a>", "x = <a>\n  <b />{' '}\n  c\n</a>"),
            ("x = <a>{b}{\" \"}{c}</a>", "x = <a>{b} {c}</a>"),
            ("x = <a>{/* note */}</a>", "x = <a />"),
            ("x = <a>b{/* note */}</a>", "x = <a>b</a>"),
            ("x = <a>&amp;</a>", "x = <a>&#38;</a>"),
            ("x = (<a>{(b)}</a>)", "x = <a>{b}</a>"),
            ("x = <a>b{' '}\n</a>", "x = <a>b </a>"),
            ("x = <>\n <b/>\n\n <c/>\n</>", "x = <><b/><c/></>"),
            ("x = <a b={<c />} />", "x = <a b={(<c></c>)} />"),
            ("x = a && (<b />)", "x = a && <b />"),
            ("x = <a\n  {...b}\n  c\n/>", "x = <a {...b} c />"),
        ],
    );
}

#[test]
fn javascript_has_typescripts_shape() {
    check(
        "a.js",
        &[
            ("x = a => a", "x = (a) => a"),
            ("x = ({ a }, b = 1, ...c) => a", "x = ({ a, }, b = 1, ...c) => (a)"),
            ("class A { 'a' = 1 }", "class A { a = 1; }"),
            ("x = <a b='c'></a>", "x = <a b=\"c\" />"),
            ("x = a?.b?.(c)?.[d]", "x = a?.b?.(c,)?.[d];"),
        ],
    );
}

#[test]
fn line_ends_and_byte_order_mark() {
    check(
        "a.ts",
        &[("f()\r\ng('a')\r\n", "f()\ng('a')\n"), ("\u{feff}f()", "f()"), ("x = `a\r\n${b}\r\n`", "x = `a\n${b}\n`")],
    );
}

#[test]
fn what_is_gone_when_it_runs() {
    check(
        "a.ts",
        &[
            ("let a: string", "let a"),
            ("let a!: string", "let a"),
            ("let a: A\n(b)", "let a; (b)"),
            ("x = a as B\n(c)", "x = a; (c)"),
            ("x = a!\n[b] = c", "x = a[b] = c"),
            ("x = a as B", "x = a satisfies C"),
            ("x = (a as any).b", "x = a.b"),
            ("x = (a?.b as any).c", "x = (a?.b).c"),
            ("x = <A>b", "x = b"),
            ("function f() { return <A>\nb }", "function f() { return b }"),
            ("function f() { return <A>\n(b) => c }", "function f() { return (b) => c }"),
            ("x = () => <A>{ b: 1 }", "x = () => ({ b: 1 })"),
            ("<any>function () {}", "(function () {})"),
            ("x = await f<A>(b)", "x = await f(b)"),
            ("x = f<<T>(a: T) => void>(b)", "x = f(b)"),
            ("x = f<typeof import('a')>(b)", "x = f(b)"),
            ("tag<A | B>`c`", "tag`c`"),
            ("x = new A<B>", "x = new A"),
            ("x = (a): {\n b: C\n} => d", "x = a => d"),
            ("x = async <T,>(a: T): Promise<T> => a", "x = async (a) => a"),
            ("function f(this: A, b?: B, ...c: C[]): asserts b is D {}", "function f(b, ...c) {}"),
            ("function f(this: A) {}", "function f() {}"),
            ("function f(a: 1): A; function f(a: 2): B; function f(a: any) {}", "function f(a) {}"),
            ("foo()\ntype A = B\n(c)", "foo(); (c)"),
            ("foo()\ninterface A {}\n[b].c()", "foo(); [b].c()"),
            ("import { type A, b } from 'c'", "import { b } from 'c'"),
            ("import { a, type B } from 'c'", "import { a } from 'c'"),
            ("export { type A, b }", "export { b }"),
            ("import type { A } from 'b'; c", "c"),
            ("export type * from 'a'; c", "c"),
            ("import a\nfrom 'b'", "import a from 'b'"),
            ("export\nfunction f() {}", "export function f() {}"),
            ("export default\nfunction f() {}", "export default function f() {}"),
            ("class A<out T, in U, const V> extends B<T> implements C<U>, D {}", "class A extends B {}"),
            ("abstract class A { abstract f(): void; abstract b: C; g() {} }", "class A { g() {} }"),
            ("class A { f(): A; f(a: 1): B; f(a?: any) {} }", "class A { f(a) {} }"),
            ("class A { private readonly a?: B; b!: C; [c: string]: D; declare e: F }", "class A { a; b }"),
            ("class A { a = 1\n private [b] = 2 }", "class A { a = 1; [b] = 2 }"),
            ("class A { a: B\n *c() {} }", "class A { a; *c() {} }"),
            ("class A { static\na() {} }", "class A { static a() {} }"),
            ("class A { get\na() {} }", "class A { get a() {} }"),
            ("type A = import( \"b\" ).C<D>", "type A = import('b').C<D>"),
            ("type A = import(\n'b',\n{ with: { c: \"d\" } }\n)[]", "type A = import('b', { with: { c: 'd' } })[]"),
            ("type A = B<typeof c.d<E>> | typeof this.f", "type A =\n | B<typeof c.d<E>>\n | typeof this.f"),
            ("import a from 'b' with { type: 'json' }", "import a from \"b\" with { \"type\": \"json\" }"),
            ("export import A = B.C; c", "export import A = B\n .C; c"),
            (
                "class A { a\n(b) {} static 'c'\n() {} [d]\n() {} #e\n() {} }",
                "class A { a(b) {} static 'c'() {} [d]() {} #e() {} }",
            ),
            ("class A { async a<\nB\n>(b: B) {} constructor\n() {} }", "class A { async a(b) {} constructor() {} }"),
            ("class A { a\n= 1\n static b: C<\nD\n>\n= 2 }", "class A { a = 1; static b = 2 }"),
            ("const a: <B>(\nc: B\n) => D\n= (b) => 1, c\n= 2", "const a = (b) => 1, c = 2"),
            ("class A { protected override async a(): B {} }", "class A { async a() {} }"),
            ("class A { constructor(private readonly a: B) {} }", "class A { constructor(public a) {} }"),
            ("class A { @(b()) c() {} }", "class A { @b() c() {} }"),
            ("class A { @(b) c = 1 }", "class A { @b c = 1 }"),
            ("class A { abstract: B; accessor() {} }", "class A { abstract; accessor() {} }"),
            ("declare global { var a: B } c", "c"),
            ("namespace A { type B = C } d", "d"),
            ("try {} catch (e: unknown) {}", "try {} catch (e) {}"),
            ("for (const a of <B[]>c) {}", "for (const a of c) {}"),
            ("const type = 1; type\nA = 2", "const type = 1; type; A = 2"),
        ],
    );
    check("a.tsx", &[("x = <A<B> c={d as E} />", "x = <A c={d} />"), ("x = <T,>(a: T) => a", "x = (a) => a")]);
}

#[test]
fn text_of_jsx_may_hold_an_ampersand() {
    check(
        "a.tsx",
        &[
            ("x = <p>a & b</p>", "x = <p>a &amp; b</p>"),
            ("x = <a href='/s?a=1&b=2'>c</a>", "x = <a href='/s?a=1&amp;b=2'>c</a>"),
        ],
    );
}
