//! The Zig normal form: what is the same code, what is not, and how operators are grouped.

use super::parse;
use crate::{NodeId, Tree};

/// The normal form of a file as one line: kinds and texts.
fn normal(text: &str) -> String {
    let source = parse(text);
    assert!(source.problems().is_empty(), "{text}: {:?}", source.problems());
    let tree = source.normal(&source.file_item());
    let mut out = String::new();
    show(&tree, NodeId::ROOT, &mut out);
    out
}

fn show(tree: &Tree, node: NodeId, out: &mut String) {
    if let Some(field) = tree.field(node) {
        out.push_str(&format!("{field}:"));
    }
    // `~(a)` in a test's source is a grouping that the other spelling leaves out.
    let group = tree.child(node, "argument").filter(|_| tree.has_child(node, "~"));
    if let Some(inner) = group.and_then(|group| tree.children(group).nth(1)) {
        return show_bare(tree, inner, out);
    }
    show_bare(tree, node, out);
}

fn show_bare(tree: &Tree, node: NodeId, out: &mut String) {
    if tree.is_leaf(node) {
        out.push_str(tree.kind(node));
        if !tree.text(node).is_empty() {
            out.push_str(&format!("={}", tree.text(node)));
        }
        return;
    }
    out.push_str(&format!("({}", tree.kind(node)));
    for child in tree.children(node) {
        out.push(' ');
        show(tree, child, out);
    }
    out.push(')');
}

fn in_function(code: &str) -> String {
    format!("fn f() void {{ {code} }}")
}

fn same(left: &str, right: &str) {
    assert_eq!(normal(left), normal(right), "{left}\n{right}");
}

fn differ(left: &str, right: &str) {
    assert_ne!(normal(left), normal(right), "{left}\n{right}");
}

#[test]
fn layout_comments_and_commas_are_no_code() {
    same("const a = .{ 1, 2 };", "//! top\nconst a = .{\n    1, // one\n    2,\n};\n");
    same("fn f(a: u8, b: u8) void {}", "/// says\nfn f(\n    a: u8,\n    b: u8,\n) void {}");
    same("const E = enum { a, b };", "const E = enum {\n    a,\n    /// b\n    b,\n};");
    same(
        &in_function("switch (x) { .a, .b => {}, else => {} }"),
        &in_function("switch (x) {\n.a,\n.b,\n=> {},\nelse => {},\n}"),
    );
    same("const a = 1;", "const a = 1;\r\n");
}

#[test]
fn numbers_and_names_are_compared_by_what_they_mean() {
    same("const a = 0xFACE;", "const a = 0xface;");
    same("const a = 1_000;", "const a = 1000;");
    same("const a = @\"b\";", "const a = b;");
    same("const a = b.@\"u8\";", "const a = b.u8;");
    differ("const a = @\"u8\";", "const a = u8;");
    differ("const a = 1.0;", "const a = 1.00;");
    differ("const a = \"A\";", "const a = \"\\x41\";");
    differ("const a = 'a';", "const a = 'b';");
    differ("const a = (b);", "const a = b;");
}

#[test]
fn multi_line_strings_count_by_their_text() {
    same("const a =\n    \\\\one // 1\n    \\\\two\n;", "const a =\n\\\\one // 1\n// between\n\\\\two\n;");
    differ("const a =\n    \\\\one // 1\n;", "const a =\n    \\\\one // 2\n;");
    differ("const a =\n    \\\\one\n    // x\n    \\\\two\n;", "const a =\n    \\\\one\n    // x\n    \\\\three\n;");
    differ("const a =\n    \\\\one\n    \\\\two\n;", "const a =\n    \\\\one two\n;");
}

#[test]
fn what_the_formatter_reorders_or_respells_is_the_same() {
    same("var p: *const align(4) volatile u8 = q;", "var p: *align(4) const volatile u8 = q;");
    same("var p: []volatile const u8 = q;", "var p: []const volatile u8 = q;");
    same("fn f() callconv(.@\"inline\") void {}", "inline fn f() void {}");
    differ("fn f() callconv(.c) void {}", "fn f() void {}");
    differ("fn f() void {}", "pub fn f() void {}");
}

#[test]
fn operators_are_grouped_as_zig_groups_them() {
    for (loose, tight) in [
        ("try a + b", "~(try a) + b"),
        ("try a orelse b", "~(try a) orelse b"),
        ("a catch b orelse c", "~(a catch b) orelse c"),
        ("a catch b catch c", "~(a catch b) catch c"),
        ("a + b * c == d and e or f", "~(~(~(a + ~(b * c)) == d) and e) or f"),
        ("-a + b", "~(-a) + b"),
        ("!a == b", "~(!a) == b"),
        ("a << b + c", "a << ~(b + c)"),
        ("a | b << c", "a | ~(b << c)"),
        ("!a.b(c)", "!~(a.b(c))"),
        ("!a.b(try c + !d)", "!~(a.b(~(try c) + ~(!d)))"),
        ("!a and !b.c", "~(!a) and ~(!~(b.c))"),
        ("!!a.b", "!~(!~(a.b))"),
        ("!a[0].?.* == b", "~(!~(a[0].?.*)) == b"),
        ("for (a + 1..(b) / c) |d| e", "for (~(a + 1)..~((b) / c)) |d| e"),
        ("a[0..(b).c - 1]", "a[0..~(~((b).c) - 1)]"),
        ("return a catch b orelse c", "return ~(a catch b) orelse c"),
        ("a[b + 1 .. c - 1]", "a[~(b + 1) .. ~(c - 1)]"),
        ("for (a .. b + c) |d| e", "for (a .. ~(b + c)) |d| e"),
    ] {
        assert_eq!(normal(&format!("const x = {loose};")), normal(&format!("const x = {tight};")), "{loose}");
    }
}

#[test]
fn one_construct_has_one_shape_wherever_it_stands() {
    let shape = "(if_expression if ( condition:identifier=a ) (payload | identifier=b |) \
                 body:(call_expression function:identifier=c ( )) (else_clause else alternative:identifier=d))";
    assert!(normal(&in_function("if (a) |b| c() else d;")).contains(shape));
    assert!(normal(&in_function("switch (e) { else => if (a) |b| c() else d }")).contains(shape));
    assert!(normal("const x = if (a) |b| c() else d;").contains(shape));
    assert!(
        normal(&in_function("l: while (a) b();"))
            .contains("(labeled_statement (block_label identifier=l :) (while_expression")
    );
    assert!(
        normal("const x = l: while (a) b() else c;")
            .contains("value:(labeled_statement (block_label identifier=l :) (while_expression")
    );
    assert!(normal(&in_function("{ a(); }")).contains("(block { (block { (call_expression"));
    assert!(
        normal(&in_function("a = b;"))
            .contains("(assignment_expression left:identifier=a operator:= right:identifier=b)")
    );
    assert!(normal("const x = .{ .a = b };").contains("(field_initializer . name:identifier=a = value:identifier=b)"));
    assert!(
        normal("const x = a and b and c;").contains(
            "(logical_expression operator:and operand:identifier=a operand:identifier=b operand:identifier=c)"
        )
    );
}

#[test]
fn an_empty_container_is_no_damage_and_a_missing_name_is() {
    same("const A = struct {};", "const A = struct {\n};");
    differ("const A = struct {};", "const A = enum {};");
    differ("const A = struct {};", "const A = struct { a };");
    for text in ["const = 1;", "fn f() void { const x = ; }", "fn f(a: ) void {}", "const A = struct { a: error{X} };"]
    {
        assert!(!parse(text).problems().is_empty(), "{text}");
    }
}

#[test]
fn what_the_grammar_cannot_read_is_no_verdict() {
    for (code, message) in [
        ("asm volatile (\"\" ::: .{ .memory = true });", "a parse error at `::: .{`"),
        ("asm volatile (\"x\"\n:\n:\n: .{ .cc = true });", "a parse error"),
        ("const T = struct { f: error{A} };", "a type that the grammar does not read here"),
        ("const T = *if (c) A else B;", "a type that the grammar does not read here"),
        ("const T = []if (c) A else B;", "a type that the grammar does not read here"),
        ("_ = x[0..n: { break :n 1; } :null];", "a parse error at `:null`"),
        ("_ = x[comptime n..m];", "a range inside an expression"),
        ("_ = x[a + if (b) c else d..e];", "a range inside an expression"),
    ] {
        let source = parse(&format!("fn before() void {{}}\n{}\nfn behind() void {{}}\n", in_function(code)));
        let item = |name: &str| source.items().iter().find(|item| item.name == name);
        let problems: Vec<_> = item("f").map(|item| source.problems_in(item)).into_iter().flatten().collect();
        assert!(problems.iter().any(|problem| problem.message.starts_with(message)), "{code}: {problems:?}");
        // Its neighbours can be judged.
        for name in ["before", "behind"] {
            assert!(item(name).is_some_and(|item| source.problems_in(item).is_empty()), "{code}: {name}");
        }
    }
}

#[test]
fn words_that_steer_are_code() {
    for (left, right) in [
        ("try a();", "a();"),
        ("a() catch b;", "a() orelse b;"),
        ("defer a();", "errdefer a();"),
        ("const a = b;", "var a = b;"),
        ("comptime a();", "a();"),
        ("a() orelse return;", "a() orelse return b;"),
        ("a() orelse return;", "a() orelse unreachable;"),
        ("inline for (a) |b| c(b);", "for (a) |b| c(b);"),
        ("for (a) |*b| c(b);", "for (a) |b| c(b);"),
        ("l: while (a) { break :l; }", "l: while (a) { break; }"),
        ("if (a) b() else c();", "if (a) { b(); } else c();"),
        ("a, b = c;", "b, a = c;"),
        ("var a, b = c;", "var a, const b = c;"),
        ("a.? = b;", "a.* = b;"),
        ("a +%= b;", "a += b;"),
        ("switch (a) { 1...2 => b }", "switch (a) { 1, 2 => b }"),
        ("switch (a) { inline else => b }", "switch (a) { else => b }"),
        ("nosuspend a();", "a();"),
    ] {
        differ(&in_function(left), &in_function(right));
    }
}

#[test]
fn an_exclamation_mark_negates_unless_it_makes_a_return_type() {
    assert!(normal("const x = !(a == b);").contains("(unary_expression operator:! argument:(parenthesized"));
    assert!(normal("fn f() !a.b {}").contains("type:(error_union_type ! ok:(field_expression"));
    assert!(normal("const F = fn () !void;").contains("type:(error_union_type !"));
    assert!(
        normal(&in_function("if (!a.b()) return;"))
            .contains("condition:(unary_expression operator:! argument:(call_expr")
    );
    assert!(normal("const x = ?*a.b;").contains("(nullable_type ? (pointer_type * (field_expression"));
    assert!(normal("const x = a.b!c.d;").contains(
        "(error_union_type error:(field_expression object:identifier=a . member:identifier=b) ! ok:(field_expr"
    ));
    assert!(normal("const x = *const fn (u8) a.b;").contains("type:(field_expression object:identifier=a"));
    assert!(normal("const x = [_]a.b{c};").contains("(struct_initializer (array_type [ identifier=_ ] (field_expr"));
    assert!(normal("const x: ?a.b = c;").contains("type:(nullable_type ? (field_expression"));
}
