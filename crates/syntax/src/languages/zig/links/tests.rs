//! What one Zig file's names mean, as lines: `form base.path`.

use crate::links::{Base, Denotes, Links, Means};

fn show(links: &Links, what: &Denotes) -> String {
    let base = match &what.base {
        Base::Symbol(index) => match &links.symbols[*index].means {
            Means::Alias(other) => format!("({})", show(links, other)),
            Means::Instance(class) => format!("a {}", show(links, class)),
            _ => links.symbols[*index].name.clone(),
        },
        Base::Module(from) => format!("'{from}'"),
        Base::Instance(class) => format!("a {}", show(links, class)),
        Base::Result(of) => format!("{}()", show(links, of)),
        Base::Anything => "?".to_owned(),
        Base::Foreign => "-".to_owned(),
    };
    std::iter::once(base).chain(what.path.iter().cloned()).collect::<Vec<_>>().join(".")
}

fn check(text: &str, expected: &[&str]) {
    let links = super::links("a.zig", text, &|word| word == "drain");
    assert!(links.broken.is_none(), "{text}: {:?}", links.broken);
    let uses: Vec<String> =
        links.uses.iter().map(|one| format!("{} {}", one.form.word(), show(&links, &one.what))).collect();
    assert_eq!(uses, expected, "{text}");
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
