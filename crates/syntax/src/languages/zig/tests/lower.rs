//! Zig in the core: bodies of functions, and what they are lowered to.

use super::parse;
use factgate_ir::NodeId;
use factgate_ir::print::Printer;

/// A function's body in the core.
fn printed(body: &str) -> String {
    let text = format!("const Queue = struct {{ ok: bool }}; fn f(q: *Queue, n: anytype) !void {{ {body} }}");
    let source = parse(&text);
    assert!(source.problems().is_empty(), "{text}: {:?}", source.problems());
    let tree = source.normal(&source.file_item());
    let lowered = source.language().rules().lower(&tree);
    let problems = factgate_ir::check::check(&lowered.unit);
    assert!(problems.is_empty(), "{body}: {problems:?}");
    let node = |node: NodeId| tree.render(node).chars().take(40).collect();
    let function = lowered.unit.body_ids().find(|&body| lowered.unit.body(body).params.len() == 2).unwrap();
    format!("// {body}\n{}", Printer { unit: &lowered.unit, node: &node }.body(function))
}

const BODIES: [&str; 12] = [
    "if (q.closed or !n.open) return; go(q);",
    "const j = try q.pop(); errdefer free(j); j.count += 1;",
    "sw: switch (q.state) { .ready => |r| go(r), .a, .b => continue :sw .ready, 1...3 => {}, else => {} }",
    "for (q.items, 0..) |*x, i| { x.* = .{ .ok = false }; if (i == 3) break; } else stop();",
    "const v = n.next() orelse return error.Closed; while (v.get()) |e| : (n.at += 1) { std.debug.print(\"a\", .{e}); }",
    "const x = blk: { if (q.ok and !q.done) break :blk 1; break :blk 2; }; _ = x;",
    "var c = q.*; c.ok = false; std.mem.swap(Queue, q, &c); @memset(q.items[0..2], 0);",
    "const t = @TypeOf(lock(q)); _ = t; n.open() catch |e| return e; unreachable;",
    "if (n.job) |job| { run(job); } else |e| { defer stop(e); fail(); }",
    "const s = n.at(3).?.left; n.list[s] = Queue{ .ok = true }; if (s != null and s < 4) n.a += 1; const a, const b = n.pair(); _ = .{ a, b };",
    "const T = struct { fn isOk(t: *T) bool { return t.ok; } }; const t = T{ .ok = n.ok == .yes }; if (t.isOk()) go(&t);",
    "while (true) { suspend {} if (n.done) break; asm volatile (\"\" ::: \"memory\"); }",
];

#[test]
fn bodies_in_the_core() {
    insta::assert_snapshot!(BODIES.map(printed).join("\n"));
}

/// Every fixture is lowered to a sound unit, and every call in running code has its mark.
#[test]
fn fixtures_in_the_core() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut files = 0;
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|end| end == "zig") {
                let source = parse(&std::fs::read_to_string(&entry).unwrap());
                let tree = source.normal(&source.file_item());
                let lowered = source.language().rules().lower(&tree);
                let problems = factgate_ir::check::check(&lowered.unit);
                assert!(problems.is_empty(), "{}: {problems:?}", entry.display());
                files += 1;
            }
        }
    }
    assert!(files > 0);
}
