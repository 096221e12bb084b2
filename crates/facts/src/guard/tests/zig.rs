//! Guards over Zig.

use super::{Memory, check_file, guard};
use crate::guard::decide;
use crate::program::Program;
use factgate_record::{FactValue, RepoPath};
use factgate_syntax::Limits;

#[track_caller]
fn check(body: &str, text: &str, expected: &str) {
    check_file("a.zig", &format!("pub fn f(q: *Queue, n: *Queue, k: bool) !void {{ {body} }}"), text, expected);
}

const SKIP: &str = "effect = go($$$)\nskip_if = $Q.closed";
const ONLY: &str = "effect = go($$$)\nonly_if = $Q.isOpen()";

#[test]
fn conditions_and_ways_to_leave() {
    check("if (q.closed) return; go();", SKIP, "TRUE");
    check("if (!q.closed) go();", SKIP, "TRUE");
    check("if (!q.isOpen()) return error.Closed; try go();", ONLY, "TRUE");
    check("if (!q.isOpen()) unreachable; go();", ONLY, "TRUE");
    check("if (!q.isOpen()) @panic(\"closed\"); go();", ONLY, "TRUE");
    check("try go(); if (!q.isOpen()) return;", ONLY, "late");
    check("if (q.closed or k) return; go();", SKIP, "TRUE");
    check("if (q.closed and k) return; go();", SKIP, "unguarded");
    check("const d = q.closed; if (d) return; go();", SKIP, "TRUE");
    check("var d = q.closed; fill(&d); if (d) return; go();", SKIP, "unguarded");
    check("if (q.closed) return; q.closed = k; go();", SKIP, "reassigned");
    check("if (q.closed) return; q.* = n.*; go();", SKIP, "reassigned");
}

#[test]
fn captures_and_switches() {
    let there = "effect = go($$$)\nskip_if = $Q.pop() == null";
    check("const j = q.pop() orelse return; go(j);", there, "TRUE");
    check("if (q.pop()) |j| go(j);", there, "TRUE");
    check("while (q.pop()) |j| { go(j); }", there, "TRUE");
    let ready = "effect = go($$$)\nonly_if = $Q.state == .ready";
    check("switch (q.state) { .ready => go(), else => {} }", ready, "TRUE");
    check("switch (q.state) { .ready, .done => go(), else => {} }", ready, "unguarded");
    check("sw: switch (q.state) { .ready => go(), .done => continue :sw .ready, else => {} }", ready, "unguarded");
}

#[test]
fn deferred_code_runs_on_the_way_out() {
    let then = "effect = q.lock()\nthen = q.unlock()";
    check("q.lock(); defer q.unlock(); const j = q.pop() orelse return; use(j);", then, "TRUE");
    check("q.lock(); errdefer q.unlock(); const j = q.pop() orelse return; use(j);", then, "not-followed");
    check("q.lock(); const j = try q.pop(); use(j); q.unlock();", then, "TRUE");
    check(
        "q.lock(); const j = try q.pop(); use(j); q.unlock();",
        &format!("{then}\nthen_on_throw = true"),
        "not-followed",
    );
}

#[test]
fn assignments_through_own_pointers() {
    check("if (q.closed) return; const p = &q.closed; p.* = k; go();", SKIP, "reassigned");
    check("if (q.closed) return; const p = &q.seats; p.* = 3; go();", SKIP, "TRUE");
    check("if (q.closed) return; switch (q.kind) { .closed => |*p| p.* = k, else => {} } go();", SKIP, "reassigned");
    check("if (q.closed) return; switch (q.kind) { .open => |*p| p.* = k, else => {} } go();", SKIP, "TRUE");
    check("if (q.closed) return; if (q.closed) |*p| { p.* = k; } go();", SKIP, "reassigned");
    check("if (q.closed) return; for (&q.closed) |*p| { p.* = k; } go();", SKIP, "reassigned");
    check("if (q.closed) return; for (n.seats, &q.closed) |x, *p| { p.* = x; } go();", SKIP, "reassigned");
    check("if (q.closed) return; for (&q.closed) |*p| { see(p); } go();", SKIP, "TRUE");
    check("if (q.closed) return; std.mem.swap(bool, &q.closed, &n.closed); go();", SKIP, "reassigned");
    check("if (n.closed) return; mem.swap(bool, &q.closed, &n.closed); go();", SKIP, "reassigned");
    check("if (q.closed) return; std.mem.swap(Queue, q, n); go();", SKIP, "reassigned");
    check("if (q.closed) return; std.mem.swap(u8, &q.seats, &n.seats); go();", SKIP, "TRUE");
    check("if (q.closed) return; const p = pick(&q.closed); p.* = k; go();", SKIP, "reassigned");
    check("if (q.closed) return; const p = pick(&q.closed); see(p); go();", SKIP, "TRUE");
}

#[test]
fn assignments_through_optionals() {
    let seats = "effect = go($$$)\nonly_if = $Q.seats == 1";
    check("if (q.?.seats != 1) return; q.?.seats = 2; go();", seats, "reassigned");
    check("if (q.?.seats != 1) return; q.?.open = k; go();", seats, "TRUE");
    check("if (q) |p| { if (p.seats != 1) return; q.?.seats = 3; go(); }", seats, "reassigned");
    check("if (q.?.seats != 1) return; if (q) |p| { p.seats = 3; go(); }", seats, "reassigned");
    check("if (q.?.seats != 1) return; const p = q orelse return; p.seats = 3; go();", seats, "reassigned");
    check("const p = q orelse return; if (p.seats != 1) return; q.?.seats = 3; go();", seats, "reassigned");
    check("const p = q.?; if (p.seats != 1) return; q.?.seats = 3; go();", seats, "reassigned");
    check("const p = q.?; if (p.seats != 1) return; q.?.open = k; go();", seats, "TRUE");
}

#[test]
fn elements_may_be_what_another_name_means() {
    let ended = |body: &str| check(&format!("if (q.closed) return; {body} go();"), SKIP, "reassigned");
    ended("n.list[0].closed = k;");
    ended("const x = &n.list[0]; x.closed = k;");
    ended("for (n.list.items) |*x| x.closed = k;");
    ended("for (n.items()) |*x| x.closed = k;");
    ended("for (xs, 0..) |*x, i| { x.closed = i == 0; }");
    ended("for (n.list) |x| x.closed = k;");
    ended("n.list[0] = .{};");
    ended("n.list[0] = Queue{};");
    ended("@memset(n.items, .{});");
    ended("@memset(n.items[0..2], Queue{});");
    ended("const w = q[0..1]; w[0].closed = k;");
    ended("const w: []Queue = q[0..1]; for (w) |*e| e.closed = k;");
    ended("const w: [*]Queue = @ptrCast(q); w[0].closed = k;");
    ended("const w: []const *Queue = &.{q}; w[0].closed = k;");
    let kept = |body: &str| check(&format!("if (q.closed) return; {body} go();"), SKIP, "TRUE");
    kept("n.list[0].seats = 3;");
    kept("const x = &n.list[0]; x.seats = 3;");
    kept("for (n.list.items) |*x| x.seats = 3;");
    kept("for (n.items()) |*x| x.seats = 3;");
    kept("var all: [4]Queue = undefined; all[0].closed = k;");
    kept("var all: [4]Queue = undefined; for (&all) |*x| x.closed = k;");
    kept("var all: [4]Queue = undefined; all[0] = .{};");
    kept("@memset(n.bytes, 0);");
    kept("n.bytes[0] = 3;");
    kept("n.list[0] = k;");
    // Two parameters may be one object.
    ended("n.closed = k;");
    ended("n.list[0].closed = k;");
}

#[test]
fn all_of_any_object_may_be_all_of_another() {
    let ended = |body: &str| check(&format!("if (q.closed) return; {body} go();"), SKIP, "reassigned");
    ended("const p = pick(q); p.* = .{};");
    ended("pick(q).* = .{};");
    ended("const p = find(); p.* = n.*;");
    ended("find().* = n.*;");
    ended("if (n.map.getPtr(1)) |x| x.* = .{};");
    ended("while (it.next()) |e| e.* = .{};");
    ended("const p = n.list[0]; p.* = n.*;");
    ended("for (n.list) |p| p.* = n.*;");
    ended("const a = list(); a[0].* = n.*;");
    ended("n.list[0].* = n.*;");
    ended("const e = n.map.getOrPut(1); e.value_ptr.* = .{};");
    check("const o = pick(n); if (o.closed) return; const p = pick(n); p.* = .{}; go();", SKIP, "reassigned");
    check("const o = pick(n); if (o.closed) return; n.* = .{}; go();", SKIP, "reassigned");
    let kept = |body: &str| check(&format!("if (q.closed) return; {body} go();"), SKIP, "TRUE");
    kept("const p = pick(q); see(p.*);");
    // What a pointer from elsewhere leads to may be the member itself, and a struct has defaults for what it does not name.
    ended("const p = find(); p.* = .{ .closed = k };");
    ended("n.list[0] = .{ .seats = 1, .closed = k };");
    ended("const p = find(); p.* = .{ .seats = 1 };");
    ended("const p = find(); p.* = Row{ .seats = k, .next = n };");
    ended("n.list[0] = .{ .seats = 1 };");
    ended("const p = find(); p.* = 3;");
    ended("const e = n.map.getOrPut(1); e.value_ptr.* += 1;");
    ended("const e = n.map.getOrPut(1); e.value_ptr.* = e.value_ptr.* + 1;");
    ended("if (n.map.getPtr(1)) |x| x.* = true;");
    ended("n.* = .{};");
    ended("const p = &n.seats; p.* = .{};");
    kept("const p = &n.seats; p.* = 3;");
    kept("n.list[0] = 3;");
    check("if (k) return; const p = find(); p.* = .{}; go();", "effect = go($$$)\nskip_if = k", "TRUE");
}

/// A method of a type that another file declares is one function.
#[test]
fn methods_of_imported_types() {
    let files = [
        (
            "a.zig",
            "const store = @import(\"store.zig\"); const Queue = store.Queue; \
             pub fn f(q: *Queue, n: *store.Queue) !void { try q.check(); log(n.len()); go(); } \
             pub fn g(q: *Queue) !void { try q.check(); q.close(); go(); }",
        ),
        (
            "store.zig",
            "pub const Queue = struct { closed: bool, n: u8, \
             pub fn check(self: *const Queue) !void { if (self.closed) return error.Closed; } \
             pub fn len(self: Queue) u8 { return self.n; } \
             pub fn close(self: *Queue) void { self.closed = true; } };",
        ),
    ];
    let memory = Memory::new(&files);
    let decided = |scope: &str| {
        let (mut spec, assertions) = guard("a.zig", "effect = go($$$)\nskip_if = $Q.closed\nthrough = true");
        spec.scopes = vec![factgate_syntax::Selector::parse(scope).unwrap()];
        let program = Program::new(&memory, RepoPath::default(), Limits::default());
        decide(&program, &spec, &assertions).value
    };
    assert_eq!(decided("a.zig#f"), Some(FactValue::Bool(true)));
    assert_eq!(decided("a.zig#g"), Some(FactValue::Bool(false)));
}

#[test]
fn written_types_say_what_an_assignment_writes() {
    let file = |body: &str, expected: &str| {
        let text = format!(
            "const Queue = struct {{ closed: bool, seats: Seats, next: ?*Queue }}; const Seats = struct {{ n: u8 }}; \
             const Row = struct {{ seats: u8 }}; const Job = struct {{ q: Queue, rows: [2]Row }}; \
             fn f(q: *Queue, n: *Queue, r: *Row, j: *Job, k: bool) void {{ if (q.closed) return; {body} go(); }}"
        );
        check_file("a.zig", &text, SKIP, expected);
    };
    let ended = |body: &str| file(body, "reassigned");
    ended("n.* = .{ .closed = k, .seats = .{ .n = 1 }, .next = null };");
    ended("const c = q.*; n.* = c;");
    ended("j.q = make();");
    ended("j.* = make();");
    ended("if (n.next) |x| x.closed = k;");
    ended("const p = &j.q; p.closed = k;");
    let kept = |body: &str| file(body, "TRUE");
    kept("r.* = .{ .seats = 1 };");
    kept("r.* = make();");
    kept("j.rows[0] = make();");
    kept("for (&j.rows) |*row| row.* = make();");
    kept("n.seats = make();");
    kept("n.next = n;");
    kept("var c = q.*; c.closed = k;");
    kept("var c = Queue{ .closed = k, .seats = .{ .n = 1 }, .next = null }; c = n.*;");
    kept("var all: [4]Queue = undefined; for (&all) |*x| { const p = x; p.closed = k; }");
    ended("var all: [4]Queue = undefined; for (&all) |*x| keep(x); find().closed = k;");
    // What a pointer in a struct of the scope leads to is no part of it.
    ended("var o = make(); const p = &o; const x = &p.next; x.*.?.closed = k;");
    ended(
        "const Box = struct { at: *Queue }; var o = Box{ .at = make() }; const p = &o; const x = &p.at; x.*.closed = k;",
    );
    kept("const Box = struct { q: Queue }; var o = Box{ .q = n.* }; const p = &o; const x = &p.q; x.*.closed = k;");
}
