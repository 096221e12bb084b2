//! Local variables that are given constants: which paths their tests rule out, and which they do not.

use super::{check, check_file};

const ONLY: &str = "effect = go($$$)\nonly_if = m.ok";

fn each(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        check(body, ONLY, expected);
    }
}

#[test]
fn texts_and_errors() {
    each(&[
        ("let e = null; if (!m.ok) e = 'no'; if (e) return; go();", "TRUE"),
        ("let e = ''; if (!m.ok) e = 'no'; if (e !== '') return; go();", "TRUE"),
        ("let e; if (!m.ok) e = new Error('no'); if (e) throw e; go();", "TRUE"),
        ("let e = null; if (!m.ok) e = { code: 1 }; if (e !== null) return; go();", "TRUE"),
        ("let e = undefined; if (!m.ok) e = [1]; if (e === undefined) go();", "TRUE"),
        ("let e = null; if (!m.ok) e = 'no'; if (e == null) go();", "TRUE"),
        ("let e = null; if (!m.ok) e = undefined; if (e == null) go();", "unguarded"),
        ("let e = null; if (!m.ok) e = ''; if (e) return; go();", "unguarded"),
        ("let e = null; if (!m.ok) e = n; if (e) return; go();", "unguarded"),
        ("let e = null; if (!m.ok) e = n(); if (e === null) go();", "unguarded"),
        ("let e = null; if (!m.ok) e = 'no'; e = null; if (e) return; go();", "unguarded"),
        ("let e = 'no'; if (m.ok) e = null; if (!e) go();", "TRUE"),
        ("let e = null; if (!m.ok) e = 'no'; if (e === 'other') return; go();", "unguarded"),
        ("let e = null; if (!m.ok) e = `no`; if (e) return; go();", "TRUE"),
        ("let e = null; if (!m.ok) e = `${n}`; if (e) return; go();", "unguarded"),
        ("let e = null; if (!m.ok) e = () => 1; if (e) return; go();", "TRUE"),
    ]);
}

#[test]
fn states() {
    each(&[
        ("let s = 'a'; if (m.ok) s = 'b'; if (s === 'b') go();", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; if (s !== 'a') go();", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; if (s === 'a') go();", "wrong-outcome"),
        ("let s = 'a'; if (m.ok) s = 'b'; if (k) s = n; if (s === 'b') go();", "unguarded"),
        ("let s = 'a'; if (m.ok) s = 'b'; switch (s) { case 'b': go(); }", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; switch (s) { case 'a': k(); case 'b': go(); }", "unguarded"),
        ("let s = 'a'; if (m.ok) s = 'b'; switch (s) { case 'a': break; default: go(); }", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; s += 'b'; if (s === 'b') go();", "unguarded"),
        ("let s = 'a'; if (m.ok) s = 'b'; k(() => { s = 'b'; }); if (s === 'b') go();", "unguarded"),
        ("const s = m.ok ? 'b' : 'a'; if (s === 'b') go();", "TRUE"),
        ("const s = m.ok ? 'b' : n; if (s === 'b') go();", "unguarded"),
        ("const s = m.ok ? 'b' : k ? 'c' : 'a'; if (s !== 'a' && s !== 'c') go();", "TRUE"),
        ("const s = k ? 'b' : 'a'; if (s === 'b' && !m.ok) return; if (s === 'b') go();", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; const t = s; if (t === 'b') go();", "TRUE"),
        ("let s = 'a'; if (m.ok) s = 'b'; let t = s; t = k ? t : 'b'; if (t === 'b') go();", "unguarded"),
        ("if (n === 'x' && !m.ok) return; if (n === 'x') go();", "TRUE"),
        ("if (n === 'x' && !m.ok) return; n = k(); if (n === 'x') go();", "unguarded"),
        ("if (n !== 'x' && !m.ok) return; if (n === 'y') go();", "TRUE"),
        (
            "for (let s = 'a'; ; ) switch (s) { case 'a': if (!m.ok) return; s = 'b'; break; case 'b': go(); return; }",
            "TRUE",
        ),
        (
            "for (let s = 'a'; ; ) switch (s) { case 'a': if (!m.ok) s = 'c'; else s = 'b'; break; case 'c': s = 'b'; break; case 'b': go(); return; }",
            "unguarded",
        ),
    ]);
}

#[test]
fn numbers_and_nothing() {
    each(&[
        ("let x; if (m.ok) x = true; if (x) go();", "TRUE"),
        ("let x; if (m.ok) x = true; if (x === undefined) return; go();", "TRUE"),
        ("let x; if (m.ok) x = true; if (x !== null) go();", "unguarded"),
        ("var x; if (m.ok) x = true; if (x) go();", "unguarded"),
        ("for (;;) { let x; if (x) go(); x = true; }", "no-effect"),
        ("let x = 1; if (m.ok) x = 0; if (x !== 1) go();", "TRUE"),
        ("let x = -1; if (m.ok) x = 3; if (x >= 0) go();", "TRUE"),
        ("let x = -1; if (m.ok) x = 3; if (0 <= x) go();", "TRUE"),
        ("let x = -1; if (m.ok) x = 3; if (x > 3) go();", "no-effect"),
        ("let x = -1; if (m.ok) x = 3; x++; if (x >= 0) go();", "unguarded"),
        ("let x = 0; if (m.ok) x = 1; if (x === 1n) go();", "unguarded"),
        ("let x = 0; if (m.ok) x = 1; if (x == '1') go();", "unguarded"),
        ("let x = '1'; if (!m.ok) x = 'no'; if (x == 1) go();", "unguarded"),
        ("let x = 'a'; if (m.ok) x = 'b'; if (x == 'b') go();", "TRUE"),
        ("let x = false; if (m.ok) x = true; if (x === true) go();", "TRUE"),
        ("let x = 1; if (m.ok) x = 2; if (x === true) go();", "no-effect"),
        ("let x = m.ok === true; if (x !== false) go();", "TRUE"),
        ("let x = m.ok; if (x !== false) go();", "unguarded"),
        ("let x = null; x ??= m.ok ? 1 : 2; if (x === 1) go();", "TRUE"),
        ("let x = null; try { n(); if (!m.ok) return; x = 1; } catch { } if (x === 1) go();", "TRUE"),
        ("let x = null; try { x = 1; n(); if (!m.ok) return; } catch { } if (x === 1) go();", "unguarded"),
    ]);
}

#[test]
fn members_of_enums() {
    let file = |body: &str| {
        format!(
            "enum S {{ A, B = 4, C }} enum T {{ X = 'x' }} const O = {{ a: 'a', b: 'b' }} as const; export function f(m, n) {{ {body} }}"
        )
    };
    for (body, expected) in [
        ("let s = S.A; if (m.ok) s = S.B; if (s === S.B) go();", "TRUE"),
        ("let s = S.A; if (m.ok) s = S.C; if (s === 5) go();", "TRUE"),
        ("let s = S.A; if (m.ok) s = S.B; if (s !== S.A) go();", "TRUE"),
        ("let s = S.C; if (m.ok) s = S.B; if (s === n.B) go();", "unguarded"),
        ("let s = O.a; if (m.ok) s = O.b; switch (s) { case O.b: go(); }", "TRUE"),
        ("let s = O.b; if (m.ok) s = 'b'; if (s === O.b) go();", "unguarded"),
        ("let s = T.X; if (m.ok) s = null; if (!s) go();", "TRUE"),
        ("const O = n; let s = O.a; if (m.ok) s = O.b; if (s === O.b) go();", "unguarded"),
        ("let s = P.a; if (m.ok) s = P.b; if (s === P.b) go();", "unguarded"),
    ] {
        check_file("a.ts", &file(body), ONLY, expected);
    }
    let changed = "const O = { a: 'a', b: 'b' }; O.a = 'b'; export function f(m) { let s = O.a; if (m.ok) s = O.b; if (s === O.b) go(); }";
    check_file("a.ts", changed, ONLY, "unguarded");
}

#[test]
fn flags_in_zig() {
    let zig = |body: &str| {
        format!("const S = enum {{ a, b, c, pub const first: S = .b; }}; fn f(m: *M, k: bool) void {{ {body} }}")
    };
    for (body, expected) in [
        ("var s: S = .a; if (m.ok) s = .b; if (s == .b) go();", "TRUE"),
        ("var s: S = .a; if (m.ok) s = .b; if (s != .a) go();", "TRUE"),
        ("var s: S = .first; if (m.ok) s = .b; if (s == .b) go();", "unguarded"),
        ("var s: S = S.b; if (m.ok) s = .b; if (s == .b) go();", "unguarded"),
        ("var s: S = .a; if (m.ok) s = .b; switch (s) { .b => go(), else => {} }", "TRUE"),
        ("var s: S = .a; if (m.ok) s = .b; switch (s) { .a, .c => {}, .b => go() }", "TRUE"),
        ("var s: S = .a; if (m.ok) s = .b; switch (s) { .c, .a => go(), else => {} }", "wrong-outcome"),
        ("var s: S = .a; if (m.ok) s = .b; set(&s); if (s == .b) go();", "unguarded"),
        ("var x: ?u8 = null; if (m.ok) x = 1; if (x != null) go();", "TRUE"),
        ("var x: ?u8 = null; if (m.ok) x = 1; if (x) |_| go();", "TRUE"),
        ("var x: ?u8 = null; if (m.ok) x = k; if (x) |_| go();", "TRUE"),
        ("var x: ?u8 = 1; if (m.ok) x = null; if (x) |_| go();", "wrong-outcome"),
        ("var x: u8 = 97; if (m.ok) x = 'b'; if (x == 'a') go();", "wrong-outcome"),
        ("var x: u8 = 0; if (m.ok) x = 2; if (x > 1) go();", "TRUE"),
        ("var x: f32 = 1; if (m.ok) x = 2; if (x == 1.0) go();", "unguarded"),
        ("const s: S = if (m.ok) .b else .a; if (s == .b) go();", "TRUE"),
        ("var s: S = undefined; if (m.ok) s = .b; if (s == .b) go();", "unguarded"),
    ] {
        check_file("a.zig", &zig(body), ONLY, expected);
    }
}

#[test]
fn values_of_blocks_and_ranges_in_zig() {
    let zig = |body: &str| format!("fn f(m: *M, k: bool) void {{ {body} }}");
    for (body, expected) in [
        ("const r = b: { if (!m.ok) break :b false; break :b true; }; if (r) go();", "TRUE"),
        (
            "const r = b: { if (!m.ok) break :b false; if (k) { break :b m.ok; } else break :b true; }; if (!r) return; go();",
            "TRUE",
        ),
        ("const r = b: { if (k) break :b true; break :b m.ok; }; if (r) go();", "unguarded"),
        ("const r = b: { if (!m.ok) break :b false; set(); break :b true; }; if (r) go();", "TRUE"),
        (
            "const r = a: { const s = b: { if (!m.ok) break :a false; break :b true; }; break :a s; }; if (r) go();",
            "TRUE",
        ),
        ("if (b: { if (!m.ok) break :b false; break :b true; }) go();", "TRUE"),
        ("const r = b: { if (!m.ok) break :b false; break :b true; }; m.ok = false; if (r) go();", "reassigned"),
    ] {
        check_file("a.zig", &zig(body), ONLY, expected);
    }
    let skip = "effect = go($$$)\nskip_if = m.n == 0";
    for (body, expected) in [
        ("switch (m.n) { 0...9 => {}, else => go() }", "TRUE"),
        ("switch (m.n) { 1...9 => {}, else => go() }", "unguarded"),
        ("switch (m.n) { 0...9 => go(), else => {} }", "unguarded"),
        ("switch (m.n) { 1, 3...9 => go(), else => {} }", "TRUE"),
        ("switch (m.n) { 1, 0...9 => go(), else => {} }", "unguarded"),
        ("switch (m.n) { -3...0, 5 => {}, else => go() }", "TRUE"),
    ] {
        check_file("a.zig", &zig(body), skip, expected);
    }
}

#[test]
fn copies_of_members_as_subjects() {
    let only = "effect = go($$$)\nonly_if = $M.s === 'b'";
    for (body, expected) in [
        ("const s = m.s; switch (s) { case 'b': go(); }", "TRUE"),
        ("const { s } = m; switch (s) { case 'a': break; case 'b': go(); break; }", "TRUE"),
        ("const { s: t } = m; switch (t) { case 'a': case 'b': go(); }", "unguarded"),
        ("const s = m.s; m.s = n; switch (s) { case 'b': go(); }", "reassigned"),
        ("const s = m.s; switch (s) { case 'b': m.s = n; go(); }", "reassigned"),
        ("let s = m.s; s = n; switch (s) { case 'b': go(); }", "unguarded"),
        ("const s = m.s; switch (s) { case k(): break; case 'b': go(); }", "TRUE"),
        ("const s = m.t; switch (s) { case 'b': go(); }", "unguarded"),
        ("const s = m.s; if (!(s === 'b')) return; go();", "TRUE"),
        ("const s = m.s; if ((s === 'b') === true) go();", "TRUE"),
    ] {
        check(body, only, expected);
    }
    let since = "effect = go($$$)\nonly_if = $M.s === 'b'\nsince = look()";
    check("look(); const s = m.s; switch (s) { case 'b': go(); }", since, "TRUE");
    check("const s = m.s; look(); switch (s) { case 'b': go(); }", since, "stale-check");
    let zig = |body: &str| format!("fn f(m: *M) void {{ {body} }}");
    let only = "effect = go($$$)\nonly_if = m.s == .b";
    check_file("a.zig", &zig("const s = m.s; switch (s) { .b => go(), else => {} }"), only, "TRUE");
    check_file("a.zig", &zig("const s = m.s; m.s = .c; switch (s) { .b => go(), else => {} }"), only, "reassigned");
    check_file("a.zig", &zig("const s = m.s; switch (s) { .b => {}, else => go() }"), only, "wrong-outcome");
}
