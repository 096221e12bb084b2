//! Receivers in Zig whose type is computed: they may be of any type, and are never taken for another one.

use super::{check, lines};

const QUEUE: &str = "--- q.zig\npub const Q = struct { pub fn go(self: *Q) void { _ = self; } };\npub fn getQ() Q { return .{}; }\n\
    --- a.zig\nconst s = @import(\"q.zig\");\nconst Q = s.Q;\nconst X = struct { pub fn go(self: *X) void { _ = self; } };\n";

#[track_caller]
fn user(text: &str, expected: &[&str]) {
    check("q.zig#Q.go", &format!("{QUEUE}{text}"), expected);
}

#[test]
fn a_type_parameter_may_be_any_type() {
    let possible = &["possible a.zig#f 1"];
    user("fn f(comptime T: type, q: T) void { q.go(); }", possible);
    user("fn f(comptime T: type, q: *T) void { q.go(); }", possible);
    user("fn f(comptime T: type) void { T.go(x); }", possible);
    user("fn f(comptime T: type) void { var q: T = undefined; q.go(); }", possible);
    user("fn f(comptime T: type) void { var q = T{}; q.go(); }", possible);
    user("fn f() void { inline for (.{ X }) |T| { var z: T = undefined; z.go(); } }", possible);
    let generic = "fn G(comptime T: type) type { return struct { item: T, const C = T; fn e(self: *@This()) void { self.item.go(); } fn h() void { C.go(x); } }; }";
    user(generic, &["possible a.zig#G.e 1", "possible a.zig#G.h 1"]);
}

#[test]
fn a_computed_type_may_be_any_type() {
    let possible = &["possible a.zig#f 1"];
    user("const T = if (a) Y else X; fn f(q: T) void { q.go(); }", possible);
    user("const T = switch (a) { 1 => Y, else => X }; fn f(q: T) void { q.go(); }", possible);
    user("fn pick(comptime A: type) type { return A; } fn f(q: pick(X)) void { q.go(); }", possible);
    user("fn pick(comptime A: type) type { return A; } const T = pick(X); fn f(q: T) void { q.go(); }", possible);
    user("fn f(q: std.meta.Child(*X)) void { q.go(); } const std = @import(\"std\");", possible);
    user("const Child = std.meta.Child; const std = @import(\"std\"); fn f(q: Child(*X)) void { q.go(); }", possible);
    user("const T = @TypeOf(s.getQ()); fn f(q: T) void { q.go(); }", possible);
    user("const T = @import(\"root\").T; fn f(q: T) void { q.go(); }", possible);
}

#[test]
fn a_type_by_another_name_is_that_type() {
    user("const A: type = Q; fn f(a: A) void { a.go(); A.go(x); }", &["call a.zig#f 2"]);
    user("const A: type = X; fn f(a: A) void { a.go(); A.go(x); }", &[]);
    user("fn f(q: X) void { q.go(); }", &[]);
    user("const std = @import(\"std\"); fn f(q: std.ArrayList(Q)) void { q.go(); }", &[]);
    user("fn f(q: u8) void { q.go(); }", &[]);
    check(
        "q.zig#run",
        "--- q.zig\npub fn run() void {}\n--- a.zig\nconst s = @import(\"q.zig\"); const b: type = s; fn f() void { b.run(); }",
        &["call a.zig#f 1"],
    );
}

#[test]
fn the_root_of_the_program_is_not_known() {
    let text = "--- q.zig\npub fn run() void {}\n--- a.zig\nconst r = @import(\"root\"); fn f() void { r.run(); }";
    let lines = lines("q.zig#run", text);
    assert!(lines.iter().any(|line| line.contains("unresolved") && line.contains("root")), "{lines:?}");
}

#[test]
fn declaration_literals_are_sites_wherever_they_stand() {
    let class = "--- q.zig\npub const Q = struct { pub fn init() Q { return .{}; } };\n--- a.zig\nconst q = @import(\"q.zig\");\nconst T = struct { q: q.Q = undefined };\n";
    for (text, expected) in [
        ("fn f() q.Q { return .init(); }", "call a.zig#f 1"),
        ("fn f() !q.Q { return .init(); }", "call a.zig#f 1"),
        ("fn f() void { g(@as(q.Q, .init())); }", "call a.zig#f 1"),
        ("fn f() void { const one: q.Q = .init(); _ = one; }", "call a.zig#f 1"),
        ("fn f() void { g(.init()); }", "possible a.zig#f 1"),
        ("fn f() void { x.* = .init(); }", "possible a.zig#f 1"),
        ("fn f() void { const t = T{ .q = .init() }; _ = t; }", "possible a.zig#f 1"),
        ("fn f() void { const all: [1]q.Q = .{.init()}; _ = all; }", "possible a.zig#f 1"),
        ("fn f() void { const one: q.Q = blk: { break :blk .init(); }; _ = one; }", "possible a.zig#f 1"),
        ("fn f() void { const one: q.Q = x orelse .init(); _ = one; }", "possible a.zig#f 1"),
        ("fn f() q.Q { return if (x) .init() else y; }", "possible a.zig#f 1"),
        ("fn f() void { list.append(.init()); }", "possible a.zig#f 1"),
    ] {
        check("q.zig#Q.init", &format!("{class}{text}"), &[expected]);
    }
    for text in [
        "fn f() void { const e: E = .init; _ = e; }",
        "const std = @import(\"std\");\nfn f() void { var list: std.ArrayList(u8) = .init(a); _ = &list; }",
        "const std = @import(\"std\");\nfn f() void { var arena: std.heap.ArenaAllocator = .init(a); _ = &arena; }",
        "const std = @import(\"std\");\nconst U = struct { list: std.ArrayList(u8) = .init(a) };",
        "const P = struct { pub fn init() P { return .{}; } };\nconst U = struct { p: P = .init() };",
    ] {
        check("q.zig#Q.init", &format!("{class}{text}"), &[]);
    }
}

#[test]
fn a_site_in_an_item_that_does_not_parse_is_an_error() {
    let queue = "--- q.zig\npub fn drain() void {}\n--- a.zig\nconst q = @import(\"q.zig\");\n";
    for text in ["fn g( void {}\nfn h() void { q.drain(); }", "fn g() void { if ( q.drain(); }"] {
        let lines = super::lines("q.zig#drain", &format!("{queue}{text}"));
        assert!(lines.iter().any(|line| line.starts_with("parse-error")), "{text}: {lines:?}");
    }
    check("q.zig#drain", &format!("{queue}fn h() void {{ q.drain(); }}\nfn g(a, ) ) void {{}}"), &["call a.zig#h 1"]);
}
