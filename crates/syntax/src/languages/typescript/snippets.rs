//! What conditions, paths and calls mean.

use super::testing::source;
use super::{TypeScript, testing};
use crate::languages::Rules;
use crate::tree::{NodeId, Tree};

/// The expression of a file's last statement.
fn expression(code: &str) -> (Tree, NodeId) {
    let tree = testing::file("a.ts", code);
    let statement = tree.children(NodeId::ROOT).last().expect("a statement");
    let first = tree.children(statement).next().expect("an expression");
    (tree, first)
}

#[test]
fn paths_are_variables_with_properties() {
    for (code, expected) in [
        ("a", "a"),
        ("a.b.c", "a b c"),
        ("a?.b!['c']", "a b c"),
        ("(a as any).b[0]", "a b 0"),
        ("a[i].b", "a * b"),
        ("this.#b", "this #b"),
        ("a().b", "none"),
        ("await a", "none"),
        ("'a'", "none"),
    ] {
        let (tree, node) = expression(&format!("{code};"));
        let found = TypeScript.access(&tree, node).map_or("none".to_owned(), |access| {
            let steps = access.path.iter().map(|step| step.clone().unwrap_or("*".to_owned()));
            std::iter::once(source(&tree, access.root)).chain(steps).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn calls_have_callees_and_arguments() {
    for (code, expected) in [
        ("f(a, ...b)", "f: a, ...b"),
        ("a.f<T>()", "a.f: "),
        ("new C(1)", "C: 1"),
        ("new C", "C: "),
        ("(f(a) as any)!", "f: a"),
        ("tag`x`", "tag: x"),
        ("import('x')", "import: x"),
        ("f", "none"),
        ("await f()", "none"),
    ] {
        let (tree, node) = expression(&format!("{code};"));
        let found = TypeScript.call(&tree, node).map_or("none".to_owned(), |call| {
            let arguments: Vec<_> = call.arguments.iter().map(|&argument| source(&tree, argument)).collect();
            format!("{}: {}", source(&tree, call.callee), arguments.join(", "))
        });
        assert_eq!(found, expected, "{code}");
    }
}
