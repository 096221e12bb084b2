//! The names of a Zig file.

use super::parse;
use crate::ItemKind;

fn check(text: &str, names: &[(&str, ItemKind)]) {
    let source = parse(text);
    let found: Vec<_> = source.items().iter().map(|item| (item.name.as_str(), item.kind)).collect();
    assert_eq!(found, names, "{text}");
}

use ItemKind::{Container, Function, Test, Type, Value};

#[test]
fn containers_functions_and_fields_are_named_by_their_path() {
    check(
        "pub const Queue = struct {\n len: usize = 0,\n const Slot = struct { fn init() void {} };\n fn push() void {}\n};",
        &[
            ("Queue", Container),
            ("Queue.len", Value),
            ("Queue.Slot", Container),
            ("Queue.Slot.init", Function),
            ("Queue.push", Function),
        ],
    );
    check("const E = enum { a, u8, _ };", &[("E", Container), ("E.a", Value), ("E.u8", Value), ("E._", Value)]);
    check("const E = error{ A };\nvar x: u8 = 1;", &[("E", Type), ("x", Value)]);
    check("const T = struct { u8, []const u8 };\nconst U = opaque {};", &[("T", Container), ("U", Container)]);
    check("len: usize,\nextern fn read() void;", &[("len", Value), ("read", Function)]);
}

#[test]
fn a_generic_function_names_the_methods_of_its_struct() {
    check(
        "fn Ring(comptime T: type) type { return struct { at: T, fn push() void {} }; }",
        &[("Ring", Function), ("Ring.at", Value), ("Ring.push", Function)],
    );
}

#[test]
fn locals_are_named_only_where_they_hold_named_things() {
    check(
        "fn f() void { const a = 1; const S = struct { fn g() void {} }; sort(struct { fn less() void {} }.less); }",
        &[("f", Function), ("f.S", Container), ("f.S.g", Function), ("f.less", Function)],
    );
}

#[test]
fn tests_and_quoted_names_keep_their_quotes() {
    check(
        "test \"a \\\"b\\\"/c\" {}\ntest f {}\ntest {}\nfn @\"run loop\"() void {}\nfn @\"f\"() void {}\ncomptime {}",
        &[
            ("test \"a \\\"b\\\"/c\"", Test),
            ("test f", Test),
            ("test", Test),
            ("@\"run loop\"", Function),
            ("f", Function),
        ],
    );
}

#[test]
fn one_name_for_several_things_lists_them_all() {
    check(
        "const Os = switch (tag) { .a => struct { fn exit() void {} }, else => struct { fn exit() void {} } };",
        &[("Os", Value), ("Os.exit", Function), ("Os.exit", Function)],
    );
}

#[test]
fn comments_between_the_words_of_a_declaration_hide_nothing() {
    check(
        "pub // a\nconst // b\nA // c\n= // d\n( // e\nstruct { a // f\n: u8, fn // g\nh() void {} });\ntest // i\n\"x\" {}",
        &[("A", Container), ("A.a", Value), ("A.h", Function), ("test \"x\"", Test)],
    );
}
