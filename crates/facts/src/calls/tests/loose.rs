//! Sites that nobody can follow to the end: they are possible, values, unresolved or a problem, and never nothing.

use super::{check, lines, with_queue};

#[test]
fn members_of_fields_are_known_or_possible() {
    let class = "--- s.ts\nexport class S { flush() {} static st() {} }\nexport class B extends S {}\n--- a.ts\nimport { S, B } from './s';\n";
    let holder = "class Z { private s = new S(); constructor(private p: S) {} static t = new S(); get g() { return x; } m() { BODY } }";
    for (body, expected) in [
        ("this.s.flush(); this.p.flush();", "call a.ts#Z.m 2"),
        ("this.s?.flush(); this.s!.flush();", "call a.ts#Z.m 2"),
        ("const s = this.s; s.flush(); const { p } = this; p.flush();", "call a.ts#Z.m 2"),
        ("Z.t.flush();", "call a.ts#Z.m 1"),
        ("this.g.flush();", "possible a.ts#Z.m 1"),
        ("const o = { s: x() }; o.s.flush();", "possible a.ts#Z.m 1"),
    ] {
        check("s.ts#S.flush", &format!("{class}{}", holder.replace("BODY", body)), &[expected]);
    }
    check("s.ts#S.st", &format!("{class}B.st(); class C extends S {{}} C.st();"), &["call a.ts 2"]);
}

#[test]
fn modules_that_go_astray_make_their_names_possible() {
    for text in [
        "let m; async function g() { m = await import('./q'); m.drain(1); }",
        "let m; async function g() { m ??= await import('./q'); m.drain(1); }",
        "async function g() { const p = import('./q'); (await p).drain(1); }",
        "async function g() { const [m] = await Promise.all([import('./q')]); m.drain(1); }",
        "function g() { const m = c ? require('./q') : require('./t'); m.drain(1); }",
    ] {
        with_queue(&format!("--- a.ts\n{text}"), &["value a.ts#g 1", "possible a.ts#g 1"]);
    }
    with_queue("--- a.ts\nasync function g() { (await import(`./q`)).drain(1); }", &["call a.ts#g 1"]);
    with_queue("--- a.ts\nimport('./q').then((m) => m.drain(1)); x.drain();", &["call a.ts 1"]);
    with_queue("--- a.ts\nimport * as n from './q'; n.drain(1); x.drain();", &["call a.ts 1"]);
}

#[test]
fn namespaces_that_are_handed_on_are_values() {
    for (text, expected) in [
        ("const { ...r } = n; r.drain(1);", vec!["value a.ts 1", "possible a.ts 1"]),
        ("const f = ({ drain } = n) => drain(1);", vec!["value a.ts#f 1", "possible a.ts#f 1"]),
        ("let drain; ({ drain } = n); drain(1);", vec!["value a.ts 1", "possible a.ts 1"]),
        ("const o = { n }; o.n.drain(1);", vec!["call a.ts 1", "value a.ts 1"]),
        ("f(n, n.drain);", vec!["value a.ts 2"]),
        ("n[drain](1);", vec!["value a.ts 1"]),
        ("export const api = { ...n }; // drain", vec!["value a.ts 1"]),
        ("n[`drain`](1);", vec!["call a.ts 1"]),
    ] {
        with_queue(&format!("--- a.ts\nimport * as n from './q'; {text}"), &expected);
    }
    with_queue("--- a.ts\nimport m = require('./q'); import d = m.drain; d(1);", &["call a.ts 1"]);
}

#[test]
fn what_cannot_be_read_between_is_a_problem_or_unresolved() {
    let user = "--- n.ts\nimport { drain } from './bar'; drain(1);";
    with_queue(&format!("--- bar.ts\nexport * from './nope';\n{user}"), &["unresolved bar.ts: ./nope"]);
    for (broken, code) in
        [("export * from './q';\nfunction h( {", "parse-error"), ("export * from './q'\n<<<<<<< x", "merge-conflict")]
    {
        let lines = lines("q.ts#drain", &format!("{}--- bar.ts\n{broken}\n{user}", super::QUEUE));
        assert!(lines.iter().any(|line| line.starts_with(code) || line.starts_with("call n.ts")), "{lines:?}");
    }
    with_queue(&format!("--- bar.ts\nexport {{}};\n{user}"), &[]);
}

#[test]
fn zig_modules_that_go_astray_make_their_names_possible() {
    let queue = "--- q.zig\npub fn drain(n: usize) void { _ = n; }\n--- a.zig\n";
    for (text, expected) in [
        ("const q = @import(\"q.zig\"); fn g() void { @field(q, \"drain\")(1); }", vec!["call a.zig#g 1"]),
        (
            "const M = .{ .q2 = @import(\"q.zig\") }; fn g() void { M.q2.drain(1); }",
            vec!["value a.zig 1", "possible a.zig#g 1"],
        ),
        (
            "const q = if (a) @import(\"q.zig\") else @import(\"r.zig\"); fn g() void { q.drain(1); }",
            vec!["value a.zig 1", "possible a.zig#g 1"],
        ),
        (
            "const q = switch (os) { .linux => @import(\"q.zig\"), else => struct {} }; pub const drain = q.drain;",
            vec!["value a.zig 1"],
        ),
        ("const q = blk: { break :blk @import(\"q.zig\"); }; fn g() void { h(q.drain); }", vec!["value a.zig 1"]),
        ("test { _ = @import(\"q.zig\"); }", vec![]),
        ("const p: *const fn (usize) void = @import(\"q.zig\").drain; fn g() void { p(1); }", vec!["value a.zig 1"]),
        ("const q = @import(\"q.zig\"); const V = struct { pub const p: F = q.drain; };", vec!["value a.zig#V 1"]),
        ("const q = @import(\"q.zig\"); const p: type = q; fn g() void { p.drain(1); }", vec!["call a.zig#g 1"]),
        (
            "const q = @import(\"q.zig\"); fn g() void { inline for (.{q}) |m| m.drain(1); }",
            vec!["value a.zig#g 1", "possible a.zig#g 1"],
        ),
    ] {
        check("q.zig#drain", &format!("{queue}{text}"), &expected);
    }
}

#[test]
fn a_zig_module_that_is_two_files_is_unresolved() {
    let of = "q.zig#drain";
    let files = "--- q.zig\npub fn drain() void {}\n--- o.zig\npub fn drain() void {}\n--- a.zig\nfn f() void { @import(\"m\").drain(); }\n--- build.zig\n";
    let module = |name: &str, file: &str| {
        format!("const {name} = b.createModule(.{{ .root_source_file = b.path(\"{file}\"), .target = t }});\n")
    };
    let both = format!("{}{}", module("one", "o.zig"), module("two", "q.zig"));
    for (build, expected) in [
        (format!("{both}e.root_module.addImport(\"m\", one);\nx.root_module.addImport(\"m\", two);"), "unresolved a.zig: m"),
        (format!("{both}e.root_module.addImport(\"m\", two);\nx.root_module.addImport(\"m\", one);"), "call a.zig#f 1"),
        (format!("{both}e.root_module.addImport(\"m\", two);"), "call a.zig#f 1"),
        (
            "_ = b.addModule(\"m\", .{ .root_source_file = if (x) b.path(\"o.zig\") else b.path(\"q.zig\"), .target = t });".into(),
            "unresolved a.zig: m",
        ),
    ] {
        check(of, &format!("{files}{build}"), &[expected]);
    }
}

#[test]
fn a_zig_module_in_a_list_of_imports_is_its_root_file() {
    let module = |file: &str| format!("b.createModule(.{{ .root_source_file = b.path(\"{file}\"), .target = t }})");
    let list = |value: &str| {
        format!(
            "e = .{{ .imports = &.{{ .{{ .name = \"other\", .module = o }}, .{{ .name = \"m\", .module = {value} }}, }}, }};\n"
        )
    };
    let mods = format!("const o = {};\nconst m = {};\n", module("o.zig"), module("q.zig"));
    for (build, user, expected) in [
        (format!("{mods}{}", list("m")), "@import(\"m\").drain();", &["call a.zig#f 1"][..]),
        (format!("{mods}{}", list("m")), "g(@import(\"m\"));", &["value a.zig#f 1"]),
        (list(&module("q.zig")), "@import(\"m\").drain();", &["call a.zig#f 1"]),
        (format!("{mods}{}", list("m")), "@import(\"other\").drain();", &[]),
        (list("dep.module(\"m\")"), "@import(\"m\").drain();", &["unresolved a.zig: m"]),
    ] {
        let program = format!(
            "--- q.zig\npub fn drain() void {{}}\n--- o.zig\npub fn drain() void {{}}\n--- a.zig\nfn f() void {{ {user} }}\n--- build.zig\n{build}"
        );
        check("q.zig#drain", &program, expected);
    }
}

#[test]
fn an_import_of_no_literal_that_hands_on_the_name_is_listed() {
    for text in [
        "export const go = s.drain;",
        "exports.go = s.drain;",
        "module.exports = { go: s.drain };",
        "export const { drain: go } = s;",
    ] {
        for load in ["require(x ? './q' : './o')", "await import(x ? './q' : './o')"] {
            with_queue(
                &format!("--- a.ts\nconst s = {load};\n{text}"),
                &["unresolved a.ts: import(x ? './q' : './o')"],
            );
        }
    }
}
