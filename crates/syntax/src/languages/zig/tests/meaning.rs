//! What Zig expressions mean: variables, conditions, access paths, calls, tables, constants.

use super::parse;
use crate::scope::BindingKind;
use crate::value::{Constant, Entries};
use crate::{NodeId, Tree};

fn tree(text: &str) -> Tree {
    let source = parse(text);
    assert!(source.problems().is_empty(), "{text}: {:?}", source.problems());
    source.normal(&source.items()[0])
}

fn value(text: &str) -> (Tree, NodeId) {
    let tree = tree(&format!("const x = {text};"));
    let value = tree.child(NodeId::ROOT, "value").unwrap();
    (tree, value)
}

/// Variables as `name kind writes`, locals marked, and which names from outside are mentioned.
fn check_scopes(text: &str, expected: &[&str]) {
    let tree = tree(text);
    let scopes = super::super::scope::scopes(&tree);
    let found: Vec<String> = scopes
        .bindings
        .iter()
        .map(|binding| {
            let kind = match binding.kind {
                BindingKind::Constant => "const",
                BindingKind::Variable => "var",
                BindingKind::Parameter => "param",
                BindingKind::Declaration => "decl",
            };
            let id = scopes.binding(binding.declared);
            let mentions = tree.subtree(NodeId::ROOT).filter(|&node| scopes.binding(node) == id).count() - 1;
            let local = if binding.local { "local " } else { "" };
            format!("{local}{kind} {} used {mentions} written {}", binding.name, binding.writes.len())
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn names_mean_the_variable_that_is_visible() {
    check_scopes(
        "fn f(a: u8, b: *T) void { var c = a; c += 1; b.a = c; l: while (c) break :l; }",
        &[
            "decl f used 0 written 0",
            "local param a used 1 written 0",
            "local param b used 1 written 0",
            "local var c used 3 written 1",
        ],
    );
    check_scopes(
        "fn f() void { if (g()) |v| h(v) else |e| h(e); for (x) |*p, i| p.* = i; z() catch |e| h(e); }",
        &[
            "decl f used 0 written 0",
            "local const v used 1 written 0",
            "local const e used 1 written 0",
            "local const p used 1 written 0",
            "local const i used 1 written 0",
            "local const e used 1 written 0",
        ],
    );
    check_scopes(
        "const Q = struct { len: u8, fn init() Q { var q = Q{ .len = len }; if (q.o) |*p| p.* = 1; q.len = 2; return q; } const len = 3; };",
        &[
            "const Q used 2 written 0",
            "decl init used 0 written 0",
            "const len used 1 written 0",
            "local var q used 3 written 2",
            "local const p used 1 written 0",
        ],
    );
}

fn code(tree: &Tree, node: NodeId) -> String {
    let leaves = tree.subtree(node).filter(|&node| tree.is_leaf(node));
    leaves.map(|leaf| if tree.text(leaf).is_empty() { tree.kind(leaf) } else { tree.text(leaf) }).collect()
}

#[test]
fn access_paths_and_calls_are_named() {
    let access = |text: &str| {
        let (tree, node) = value(text);
        super::super::condition::access(&tree, node).map(|access| {
            let steps = access.path.iter().map(|step| step.as_deref().unwrap_or("*").to_owned());
            std::iter::once(tree.text(access.root).to_owned()).chain(steps).collect::<Vec<_>>().join(" ")
        })
    };
    assert_eq!(access("a.b.?.c").as_deref(), Some("a b ? c"));
    assert_eq!(access("(a.*)[1]").as_deref(), Some("a *"));
    assert_eq!(access("f().a"), None);
    let call = |text: &str| {
        let (tree, node) = value(text);
        super::super::condition::call(&tree, node).map(|call| {
            let arguments: Vec<String> = call.arguments.iter().map(|&argument| code(&tree, argument)).collect();
            format!("{}({})", code(&tree, call.callee), arguments.join(", "))
        })
    };
    assert_eq!(call("a.b(c, .{d})").as_deref(), Some("a.b(c, .{d})"));
    assert_eq!(call("@call(.auto, f, .{ a, b })").as_deref(), Some("f(a, b)"));
    assert_eq!(call("@panic(\"x\")").as_deref(), Some("@panic(x)"));
    assert_eq!(call("a"), None);
    let source = tree("fn f(a: u8) bool { return a == 1; }");
    let (parameters, returned) = super::super::condition::only_returns(&source, NodeId::ROOT).unwrap();
    assert_eq!((parameters.len(), code(&source, returned).as_str()), (1, "a==1"));
}

fn check_entries(text: &str, expected: Result<&[&str], &str>) {
    let tree = tree(text);
    match (super::super::values::entries(&tree, NodeId::ROOT), expected) {
        (Entries::All(all), Ok(expected)) => {
            let names: Vec<String> = all.iter().map(|entry| format!("{:?}", entry.name)).collect();
            let wanted: Vec<String> =
                expected.iter().map(|name| format!("{:?}", Constant::Text((*name).to_owned()))).collect();
            assert_eq!(names, wanted, "{text}");
        }
        (Entries::NotLiteral(_, what), Err(expected)) => assert_eq!(what, expected, "{text}"),
        (other, _) => panic!("{text}: {other:?}"),
    }
}

#[test]
fn tables_list_their_entries() {
    check_entries("const E = enum(u8) { a = 1, u8, @\"b c\", _ };", Ok(&["a", "u8", "b c"]));
    check_entries("const E = union(enum) { a: u8, b };", Ok(&["a", "b"]));
    check_entries("const E = struct { a: u8 = 1, fn f() void {} };", Ok(&["a"]));
    check_entries("const E = error{ A, B };", Ok(&["A", "B"]));
    check_entries("const t = .{ .a = 1, .b = 2 };", Ok(&["a", "b"]));
    check_entries("const t = [_]State{ .a, State.b };", Ok(&["a", "b"]));
    check_entries("const t: []const []const u8 = &.{ \"a\", \"b\" } ++ &.{\"c\"};", Ok(&["a", "b", "c"]));
    check_entries("fn T() type { return enum { a }; }", Ok(&["a"]));
    check_entries("const t = f();", Err("a call"));
    check_entries("const t = struct { u8, u8 };", Err("a field without a name"));
    check_entries("var t = .{ .a = 1 };", Err("a variable"));
}

#[test]
fn constants_are_read_and_the_rest_is_said() {
    let check = |text: &str, expected: &str| {
        let (tree, node) = value(text);
        assert_eq!(format!("{:?}", super::super::values::constant(&tree, node)), expected, "{text}");
    };
    check("0x0A", "Integer(10)");
    check("'A'", "Integer(65)");
    check("'\\n'", "Integer(10)");
    check("-1_0", "Negate(Integer(10))");
    check("64 * (2 + 1)", "Binary(Integer(64), \"*\", Binary(Integer(2), \"+\", Integer(1)))");
    check("1.5e3", "Float(1500.0)");
    check("\"a\\x41\" ++ \"b\"", "Text(\"aAb\")");
    check("@as(u8, 3)", "Integer(3)");
    check("@intCast(3)", "Integer(3)");
    check("true", "Bool(true)");
    for text in ["f()", "@sizeOf(T)", "3 +% 4", "undefined", "if (a) 1 else 2", "\"a\" ** 2", "@import(\"a\").b"] {
        let (tree, node) = value(text);
        assert!(matches!(super::super::values::constant(&tree, node), Constant::NotLiteral(..)), "{text}");
    }
    assert!(matches!(super::super::values::constant(&tree("var x = 3;"), NodeId::ROOT), Constant::NotLiteral(..)));
}
