//! Sets and values: what is read out of tables and constants, and what stays unknown.

use factgate_facts::pattern::Pattern;
use factgate_facts::program::Program;
use factgate_facts::table::{Take, read_set, read_value};
use factgate_facts::{FileError, Files};
use factgate_record::{Fact, Reason, RepoPath};
use factgate_syntax::{Limits, Selector, language_for_path};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files in memory.
struct Memory {
    files: BTreeMap<RepoPath, Arc<[u8]>>,
    paths: Vec<RepoPath>,
}

impl Memory {
    fn of(files: &[(&str, &str)]) -> Memory {
        let entry = |(path, text): &(&str, &str)| (RepoPath::from_git(*path), Arc::from(text.as_bytes()));
        let files: BTreeMap<RepoPath, Arc<[u8]>> = files.iter().map(entry).collect();
        Memory { paths: files.keys().cloned().collect(), files }
    }
}

impl Files for Memory {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(self.files.get(path).cloned())
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(&self.paths)
    }
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn shown(fact: &Fact) -> String {
    match (&fact.value, fact.reason) {
        (Some(value), None) => serde_json::json!(value).to_string(),
        (None, Some(reason)) => {
            assert!(fact.detail.is_some(), "{fact:?}");
            format!("{reason:?}")
        }
        _ => panic!("{fact:?}"),
    }
}

#[track_caller]
fn value(files: &[(&str, &str)], from: &str, expected: &str) {
    let memory = Memory::of(files);
    let program = Program::new(&memory, RepoPath::default(), Limits::default());
    assert_eq!(shown(&read_value(&program, &selector(from))), expected, "{from} in {files:?}");
}

#[track_caller]
fn set(files: &[(&str, &str)], from: &str, filter: Option<&str>, take: Take, expected: &str) {
    let memory = Memory::of(files);
    let program = Program::new(&memory, RepoPath::default(), Limits::default());
    let from = selector(from);
    let pattern = filter.map(|code| match language_for_path(&from.path) {
        Some(language) => Pattern::parse_member(language, code).unwrap_or_else(|error| panic!("{code}: {error:?}")),
        None => panic!("{} has no language", from.path),
    });
    assert_eq!(shown(&read_set(&program, &from, pattern.as_ref(), take)), expected, "{from} in {files:?}");
}

#[track_caller]
fn ts_value(code: &str, expected: &str) {
    value(&[("a.ts", code)], "a.ts#X", expected);
}

#[track_caller]
fn ts_set(code: &str, filter: Option<&str>, expected: &str) {
    set(&[("a.ts", code)], "a.ts#X", filter, Take::Names, expected);
}

#[test]
fn typescript_values_are_computed() {
    ts_value("export const X = 5_000;", "5000");
    ts_value("const S = 1_000; export const X = 5 * S;", "5000");
    ts_value("const S = 1000; const G = 5 * S; export const X = (G + S) * 2;", "12000");
    ts_value("const X = 'idle';", "\"idle\"");
    ts_value("const X = true;", "true");
    ts_value("const X = -1.5;", "-1.5");
    ts_value("const X = 5 / 2;", "2.5");
    ts_value("const X = 2 ** 10 % 1000;", "24");
    ts_value("const X = 1 << 4 | 1;", "17");
    ts_value("const X = 0xff as const;", "255");
    ts_value("const L = { grace: 7 }; const X = L.grace * 2;", "14");
    ts_value("enum L { A, B = 5, C } const X = L.C;", "6");
}

#[test]
fn what_is_no_constant_is_unknown() {
    ts_value("const X = Number(process.env.GRACE);", "NotLiteral");
    ts_value("const X = Y + 1; const Y = X + 1;", "NotLiteral");
    ts_value("const X = X;", "NotLiteral");
    ts_value("const X = missing * 2;", "NotLiteral");
    ts_value("const X = 1 / 0;", "NotLiteral");
    ts_value("let Y = 1; Y = 2; const X = Y;", "NotLiteral");
    ts_value("const X = 9007199254740991 + 2;", "NotLiteral");
    ts_value("const Y = 1;", "NoScope");
    value(&[], "a.ts#X", "NoScope");
    value(&[("a.ts", "const X = (1 + ;")], "a.ts#X", "ParseError");
}

#[test]
fn imported_constants_are_followed() {
    let limits = ("src/limits.ts", "export const SECOND = 1000; export default 3;");
    let barrel = ("src/index.ts", "export * from './limits.js'; export { SECOND as S } from './limits.js';");
    let cases = [
        ("import { SECOND } from './limits.js'; const X = 2 * SECOND;", "2000"),
        ("import { SECOND as S } from './limits'; const X = 2 * S;", "2000"),
        ("import * as limits from './limits.js'; const X = 2 * limits.SECOND;", "2000"),
        ("import { SECOND } from './index.js'; const X = 2 * SECOND;", "2000"),
        ("import { S } from '.'; const X = 2 * S;", "NotLiteral"),
        ("import { S } from './index'; const X = 2 * S;", "2000"),
        ("import { OTHER } from './limits.js'; const X = 2 * OTHER;", "NotLiteral"),
        ("import { SECOND } from 'limits'; const X = 2 * SECOND;", "NotLiteral"),
    ];
    for (code, expected) in cases {
        value(&[limits, barrel, ("src/a.ts", code)], "src/a.ts#X", expected);
    }
    let ring = [
        ("a.ts", "import { Y } from './b.js'; export const X = Y;"),
        ("b.ts", "import { X } from './a.js'; export const Y = X;"),
    ];
    value(&ring, "a.ts#X", "NotLiteral");
}

#[test]
fn typescript_sets_are_sorted_names() {
    ts_set("const X = ['b', \"a\", 'b'] as const;", None, r#"["a","b"]"#);
    ts_set("const X = { b: 1, 'a-b': 2 };", None, r#"["a-b","b"]"#);
    ts_set("type X = | 'idle' | 'running';", None, r#"["idle","running"]"#);
    ts_set("enum X { Follower, Leader }", None, r#"["Follower","Leader"]"#);
    ts_set("const A = 'a'; const X = [A, 'b'];", None, r#"["a","b"]"#);
    ts_set("type Y = 'c' | 'a'; type X = Y | 'b';", None, r#"["a","b","c"]"#);
    ts_set("const X = { ...BASE, exited: 1 };", None, "NotLiteral");
    ts_set("const X = { [name]: 1, failed: 2 };", None, "NotLiteral");
    ts_set("const X = ['a', f()];", None, "NotLiteral");
    ts_set("const X = ['a', ...B];", None, "NotLiteral");
    ts_set("type X = X | 'a';", None, "NotLiteral");
    set(&[("a.ts", "enum X { A, B = 5, C }")], "a.ts#X", None, Take::Values, "[0,5,6]");
    set(&[("a.ts", "enum X { A, B = 5, C, D = B | C, E }")], "a.ts#X", None, Take::Values, "[0,5,6,7,8]");
    set(&[("a.ts", "enum X { A = 'x', B = 'y' }")], "a.ts#X", None, Take::Values, r#"["x","y"]"#);
    set(&[("a.ts", "const X = { a: 1, b: 2 }")], "a.ts#X", None, Take::Values, "[1,2]");
    set(&[("a.ts", "const X = ['a', 'b']")], "a.ts#X", None, Take::Values, "NotLiteral");
}

#[test]
fn where_takes_the_entries_that_hold_a_member() {
    let table = "const X = { run: { terminal: false, visible: true }, exited: { visible: true, 'terminal': true }, \
                 failed: ({ terminal: true } as const) };";
    ts_set(table, Some("terminal: true"), r#"["exited","failed"]"#);
    ts_set(table, Some("visible: $_"), r#"["exited","run"]"#);
    ts_set("const X = { a: { on: { x: 1, y: 2 } }, b: { on: { x: 2 } } };", Some("on: { $$$, x: 1, $$$ }"), r#"["a"]"#);
    ts_set("const X = { a: { t: true, ...B } };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: { ...B, t: true } };", Some("t: true"), r#"["a"]"#);
    let marked =
        "const X = { a: { t: true as const }, b: { ['t']: true }, c: { t: true satisfies boolean }, d: { t: false } };";
    ts_set(marked, Some("t: true"), r#"["a","b","c"]"#);
    ts_set("const X = { a: { [t]: true } };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: { t: on } };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: { t } };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: { u } };", Some("t: true"), "[]");
    ts_set("const X = { a: make() };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: B };", Some("t: true"), "NotLiteral");
    ts_set("const X = { a: { t: true, t: false } };", Some("t: true"), "[]");
}

#[test]
fn a_member_counts_only_where_nothing_replaces_it() {
    let member = |code: &str, from: &str, expected: &str| {
        value(&[("a.ts", code)], &format!("a.ts#{from}"), expected);
    };
    for (code, from, expected) in [
        ("const P = { open: { retry: 3 } };", "P.open.retry", "3"),
        ("const P = { ...d, open: { ...e, retry: 3, other: 4 }, ['x']: 2 };", "P.open.retry", "3"),
        ("const P = { open: { retry: 3, ...d } };", "P.open.retry", "NotLiteral"),
        ("const P = { open: { retry: 3 }, ...d };", "P.open.retry", "NotLiteral"),
        ("const P = { open: { retry: 3 }, ['open']: d };", "P.open.retry", "NotLiteral"),
        ("const P = { open: { retry: 3 }, [k]: d };", "P.open.retry", "NotLiteral"),
        ("let P = { retry: 3 }; P = d;", "P.retry", "NotLiteral"),
        ("const P = { retry: 3 }; P.retry = 4;", "P.retry", "NotLiteral"),
        ("const P = { retry: 3 }; P['retry']++;", "P.retry", "NotLiteral"),
        ("const P = { retry: 3 }; P[k] = 4;", "P.retry", "NotLiteral"),
        ("const P = { retry: 3 }; Object.assign(P, d);", "P.retry", "NotLiteral"),
        ("const P = { retry: 3 }; delete P.retry;", "P.retry", "NotLiteral"),
        ("const P = { retry: 3, other: 4 }; P.other = 4;", "P.retry", "3"),
        ("const P = { retry: 3 }; use(P); g = P.retry;", "P.retry", "3"),
        ("const P = { retry: 3 }; function f(P) { P.retry = 4; }", "P.retry", "3"),
        ("const P = { retry: 3, ...d }; const X = P.retry + 1;", "X", "NotLiteral"),
        ("const P = { retry: 3 }; P.retry = 4; const X = P.retry + 1;", "X", "NotLiteral"),
        ("class Q { static readonly limit = 10; }", "Q.limit", "10"),
        ("class Q { static limit = 10; }", "Q.limit", "10"),
        ("class Q { static limit = 10; } Q.limit = 11;", "Q.limit", "NotLiteral"),
        ("class Q { limit = 10; }", "Q.limit", "NotLiteral"),
        ("class Q { readonly limit = 10; }", "Q.limit", "10"),
        ("class Q { readonly limit = 10; constructor() { this.limit = 11; } }", "Q.limit", "NotLiteral"),
        ("class Q { readonly limit = 10; constructor() { this.other = 11; } }", "Q.limit", "10"),
    ] {
        member(code, from, expected);
    }
    value(&[("a.js", "class Q { static limit = 10; }")], "a.js#Q.limit", "10");
    value(&[("a.js", "class Q { static limit = 10; static { Q.limit = 99; } }")], "a.js#Q.limit", "NotLiteral");
    value(&[("a.js", "class Q { static limit = 10; static { this.limit = 99; } }")], "a.js#Q.limit", "NotLiteral");
    value(&[("a.js", "const X = 0100;")], "a.js#X", "NotLiteral");
}

#[test]
fn a_table_that_is_changed_is_unknown() {
    ts_set("const X = ['a', 'b']; X.push('c');", None, "NotLiteral");
    ts_set("const X = new Set(['a']); function f() { X.add('c'); }", None, "NotLiteral");
    ts_set("const X = { a: 1 }; X.b = 2;", None, "NotLiteral");
    ts_set("const X = ['a', 'b']; X[1] = 'c';", None, "NotLiteral");
    ts_set("const X = ['a', 'b']; const Y = [...X, 'c']; Y.push('d');", None, r#"["a","b"]"#);
    ts_set("const X = ['a', 'b']; function f(X) { X.push('c'); }", None, r#"["a","b"]"#);
    ts_set("const X = ['a', 'b']; X.map(f); X.includes('c'); use(X);", None, r#"["a","b"]"#);
}

#[test]
fn zig_tables_and_constants_are_read() {
    let zig = |code: &str, expected: &str| value(&[("a.zig", code)], "a.zig#X", expected);
    zig("const kib = 1024; pub const X: usize = 64 * kib;", "65536");
    zig("pub const X: u8 = 0x0A;", "10");
    zig("const X = 7 / 2;", "3");
    zig("const X = 1 << 40;", "1099511627776");
    zig("const X = f();", "NotLiteral");
    zig("var y: u32 = 1; const X = y;", "NotLiteral");
    zig("const X = X + 1;", "NotLiteral");
    let limits = ("src/limits.zig", "pub const kib = 1024; pub const S = struct { pub const n = 3; };");
    for (code, expected) in [
        ("const limits = @import(\"limits.zig\"); const X = 2 * limits.kib;", "2048"),
        ("const kib = @import(\"limits.zig\").kib; const X = 2 * kib;", "2048"),
        ("const limits = @import(\"limits.zig\"); const X = limits.S.n;", "3"),
        ("const limits = @import(\"limits.zig\"); const X = limits.none;", "NotLiteral"),
    ] {
        value(&[limits, ("src/a.zig", code)], "src/a.zig#X", expected);
    }
    let set = |code: &str, filter: Option<&str>, take: Take, expected: &str| {
        self::set(&[("a.zig", code)], "a.zig#X", filter, take, expected);
    };
    set("const X = enum { ready, leased, done };", None, Take::Names, r#"["done","leased","ready"]"#);
    set("const X = enum(u8) { ready = 3, leased, done };", None, Take::Values, "[3,4,5]");
    set("const X = .{ .a = .{ .t = true }, .b = .{ .t = false } };", Some(".t = true"), Take::Names, r#"["a"]"#);
    set("const X = .{ .a = .{ .t = on }, .b = .{ .t = false } };", Some(".t = true"), Take::Names, "NotLiteral");
}

#[test]
fn a_broken_scope_is_a_parse_error() {
    let memory = Memory::of(&[("a.ts", "const Y = 1;\nfunction f( {")]);
    let program = Program::new(&memory, RepoPath::default(), Limits::default());
    let fact = read_value(&program, &selector("a.ts#X"));
    assert_eq!(fact.reason, Some(Reason::ParseError), "a file that did not parse cannot prove a removal");
}
