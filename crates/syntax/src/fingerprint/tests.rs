//! In which way one function differs from another, by the hashes alone.

use super::{Apart, Fingerprints, fingerprints};
use crate::languages::language_for_path;
use crate::source::{Limits, Source};

fn prints(path: &str, code: &str) -> Fingerprints {
    let language = language_for_path(path).unwrap();
    let source = Source::parse(language, code.as_bytes(), &Limits::default()).unwrap();
    assert!(source.problems().is_empty(), "{code}: {:?}", source.problems());
    let tree = source.normal(&source.items()[0]);
    fingerprints(&tree, &language.rules().scopes(&tree), language, &Apart::default())
}

fn change(path: &str, before: &str, after: &str) -> &'static str {
    let (before, after) = (prints(path, before), prints(path, after));
    match () {
        () if before.exact == after.exact => "same",
        () if before.locals == after.locals => "locals",
        () if before.literals == after.literals => "literals",
        () if before.names == after.names => "names",
        () if before.detail == after.detail => "detail",
        () => "structure",
    }
}

/// Bodies of a function with the parameters `a` and `b`, and how they differ.
fn check(path: &str, (head, tail): (&str, &str), cases: &[(&str, &str, &str)]) {
    for (before, after, expected) in cases {
        let of = |body: &str| format!("{head}{body}{tail}");
        assert_eq!(change(path, &of(before), &of(after)), *expected, "\n{before}\n{after}");
    }
}

#[test]
fn typescript() {
    check(
        "a.ts",
        ("async function f(a, b) { ", " }"),
        &[
            // The other classes.
            ("const x = g(a); return x;", "const y = g(a); return y;", "locals"),
            ("const x = g(a, 1); return x;", "const y = g(a, 2); return y;", "literals"),
            ("this.x = g(a);", "this.y = g(a);", "names"),
            ("const x = g(a); return x;", "const y = h(a); return y;", "names"),
            ("this.x = this.y;", "this.x = this.x;", "structure"),
            // Arguments and messages.
            ("g(a);", "g(b);", "detail"),
            ("g(a);", "g(a, b);", "detail"),
            ("g(a);", "g();", "detail"),
            ("return g(a);", "return g({ a, b: 1 });", "detail"),
            ("throw new E('x' + a);", "throw new E(`x ${a}`);", "detail"),
            ("await g(a);", "await g(a, 1);", "detail"),
            ("this.x = g(a);", "this.x = g(b);", "detail"),
            ("g(a ? 1 : 2);", "g(b);", "detail"),
            ("o.f`x${a}`;", "o.f`x${b}`;", "detail"),
            // Values that reach nothing but arguments.
            ("const x = { a }; g(x);", "const x = { a, b }; g(x);", "detail"),
            ("g(h(a));", "const x = h(a); g(x);", "detail"),
            ("let x = 1; x++; g(x);", "let x = 2; x += a; g(x);", "detail"),
            ("a; g();", "g();", "detail"),
            ("const { x } = a; g(x);", "g(a.x);", "detail"),
            ("const x = a.b; return () => g(x);", "const x = a.c; return () => g(x + 1);", "detail"),
            // Conditions, with everything in them.
            ("if (a) g();", "if (b) g();", "structure"),
            ("if (ok(a)) g();", "if (ok(b)) g();", "structure"),
            ("while (ok(a)) g();", "while (ok(a, b)) g();", "structure"),
            ("for (const x of l(a)) g(x);", "for (const x of l(b)) g(x);", "structure"),
            ("switch (a) { case k(1): g(); }", "switch (a) { case k(a): g(); }", "structure"),
            ("ok(a) && g();", "ok(b) && g();", "structure"),
            ("return ok(a) ? g() : h();", "return ok(b) ? g() : h();", "structure"),
            ("g();", "if (a) g();", "structure"),
            // Values that reach a condition, a callee, a write, a wait or a way out.
            ("const x = a; if (x) g();", "const x = b; if (x) g();", "structure"),
            ("const x = a; const y = x + 1; if (y) g();", "const x = b; const y = x + 1; if (y) g();", "structure"),
            ("const x = a.q; x.run();", "const x = b.q; x.run();", "structure"),
            ("let x; if (a) x = 1; return x;", "let x; if (a) x = a; return x;", "structure"),
            ("const x = a; this.y = x;", "const x = b; this.y = x;", "structure"),
            ("const x = a; await x;", "const x = b; await x;", "structure"),
            ("const { x } = a; if (x) g();", "const { y: x } = a; if (x) g();", "structure"),
            ("let x = 0; x += a; g(); return x;", "let x = 0; x -= a; g(); return x;", "structure"),
            ("const x = g(a); return x;", "const x = g(b); return x;", "detail"),
            // Callees and their order, also inside of arguments.
            ("g(h(a));", "g(k(a), h(a));", "structure"),
            ("g(); h(); g();", "h(); g(); g();", "structure"),
            ("g(a);", "h(b);", "structure"),
            ("g(a);", "a.g(b);", "structure"),
            ("g(a);", "g?.(b);", "structure"),
            ("g(a);", "new g(b);", "structure"),
            ("g(a, () => h());", "g(a, () => k(a));", "structure"),
            ("g(a, () => h(a));", "g(b, () => h(b));", "detail"),
            ("g(a ? h() : 1);", "g(h(), 1);", "structure"),
            // Suspensions.
            ("g(a);", "await g(b);", "structure"),
            ("g(await a);", "g(a);", "structure"),
            // Writes to members and to what is outside.
            ("this.x = 1;", "this.x = a;", "structure"),
            ("g(a);", "g(a); this.x = 1;", "structure"),
            ("g(a, () => { z = 1; });", "g(a, () => { z = a; });", "structure"),
            ("g(a);", "g(a, delete b.x);", "structure"),
            ("[this.x, y] = a;", "[this.x, y] = b;", "structure"),
            // Ways out.
            ("return a;", "return b;", "structure"),
            ("for (;;) { g(); break; }", "for (;;) { g(); continue; }", "structure"),
            ("throw a;", "throw b;", "structure"),
            ("try { g(); } finally { h(); }", "g(); h();", "structure"),
            // A shared name is seen from outside.
            ("const x = a; g({ x });", "const y = a; g({ y });", "names"),
        ],
    );
    for (before, after, expected) in [
        ("const T = { a: 1, b: g(2) };", "const T = { a: 1, b: g(3, x) };", "detail"),
        ("const T = { a: x };", "const T = { a: y, b: x };", "structure"),
        ("class C { x = 1; f() { g(1); } }", "class C { x = z; f() { g(1); } }", "structure"),
        ("function f(a, b) { g(a); }", "function f(a) { g(a); }", "structure"),
        ("function f(a, b) { g(a); }", "function f(a, b) { g(b); }", "detail"),
    ] {
        assert_eq!(change("a.ts", before, after), expected, "\n{before}\n{after}");
    }
}

#[test]
fn zig() {
    check(
        "a.zig",
        ("fn f(s: *S, a: u32, b: u32) !void { ", " }"),
        &[
            ("const x = g(a); return x;", "const y = g(a); return y;", "locals"),
            ("g(a, 1);", "g(a, 2);", "literals"),
            ("s.x = g(a);", "s.y = g(a);", "names"),
            ("g(a);", "g(b);", "detail"),
            ("g(a);", "g(@as(u64, @intCast(a)));", "detail"),
            ("log.warn(\"x\", .{a});", "log.warn(\"x {}\", .{ a, b });", "detail"),
            ("try g(a);", "try g(b);", "detail"),
            ("const x = S{ .a = a }; g(x);", "const x = S{ .a = b }; g(x);", "detail"),
            ("g(h(a));", "const x = h(a); g(x);", "detail"),
            ("g(if (a > 1) a else b);", "g(b);", "detail"),
            ("g(a);", "g(a); _ = b;", "detail"),
            ("if (ok(a)) g();", "if (ok(b)) g();", "structure"),
            ("while (ok(a)) g();", "while (ok(b)) g();", "structure"),
            ("for (l(a)) |x| g(x);", "for (l(b)) |x| g(x);", "structure"),
            ("switch (k(a)) { else => g() }", "switch (k(b)) { else => g() }", "structure"),
            ("const x = a; if (x > 1) g();", "const x = b; if (x > 1) g();", "structure"),
            ("const x = &s.q; x.run();", "const x = &s.p; x.run(1);", "structure"),
            ("var x: u32 = a; return x;", "var x: u32 = b; return x;", "structure"),
            ("g(a);", "try g(b);", "structure"),
            ("g(a orelse return);", "g(a);", "structure"),
            ("g(a orelse unreachable);", "g(b);", "structure"),
            ("g(h(a) catch |e| return e);", "g(h(a));", "structure"),
            ("g(a); h();", "h(); g(b);", "structure"),
            ("s.x = a;", "s.x = b;", "structure"),
            ("s.* = .{ .x = a };", "s.* = .{ .x = b };", "structure"),
            ("defer g(a);", "g(a);", "structure"),
            ("return error.A;", "return error.B;", "names"),
            ("assert(a > 1);", "assert(b > 1);", "detail"),
            ("@memset(s, a);", "@memcpy(s, a);", "structure"),
            ("g(@atomicRmw(u8, s, .Add, a, .seq_cst));", "g(a);", "structure"),
        ],
    );
}
