//! What one Zig file's names mean, as lines: `form base.path`.

use crate::links::testing;

fn check(text: &str, expected: &[&str]) {
    let links = super::links("a.zig", text, &|word| word == "drain");
    testing::check_uses(&links, text, expected);
}

#[test]
fn imports_fields_and_the_call_builtin_are_followed() {
    check("const q = @import(\"q.zig\"); fn f() void { q.drain(1); }", &["call ('q.zig').drain"]);
    check("const d = @import(\"q.zig\").drain; fn f() void { d(1); }", &["call ('q.zig'.drain)"]);
    check("fn f() void { @import(\"q.zig\").drain(5); }", &["call 'q.zig'.drain"]);
    check("const q = @import(\"q.zig\"); fn f() void { @call(.auto, q.drain, .{4}); }", &["@call ('q.zig').drain"]);
    check("const q = @import(\"q.zig\"); fn f() void { run(&q.drain); run(q.drain); }", &["value ('q.zig').drain"; 2]);
    check("fn drain() void {} fn f() void { drain(); }", &["call drain"]);
    check("const text = \"drain\"; fn f() void { x(text); }", &[]);
}

#[test]
fn receivers_are_known_by_their_type() {
    let log = "const Log = struct { fn drain(l: *Log) void {} };";
    check(&format!("{log} fn f(l: *Log) void {{ l.drain(); }}"), &["call a Log.drain"]);
    check(&format!("{log} fn f(l: ?*const Log) void {{ l.?.drain(); }}"), &["call a Log.drain"]);
    check(&format!("{log} fn f() void {{ var l: Log = undefined; l.drain(); }}"), &["call a Log.drain"]);
    check(&format!("{log} fn f() void {{ const l = Log{{}}; l.drain(); }}"), &["call a Log.drain"]);
    check(&format!("{log} fn f() void {{ var l = try Log.init(); l.drain(); }}"), &["call (Log.init()).drain"]);
    check(
        "const S = struct { const Self = @This(); fn drain(s: *Self) void {} fn g(s: *Self) void { s.drain(); } };",
        &["call a (S).drain"],
    );
    check("fn f(x: anytype) void { x.drain(); }", &["call x.drain"]);
    check("fn f(xs: []Log) void { xs[0].drain(); }", &["call ?.drain"]);
}

#[test]
fn results_know_what_their_function_returns() {
    check(
        "const q = @import(\"q.zig\"); fn c() void { q.Queue.open().drain(); }",
        &["call ('q.zig').Queue.open().drain", "call ('q.zig').Queue.open"],
    );
}
