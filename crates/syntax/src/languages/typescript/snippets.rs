//! What conditions, paths and calls mean.

use super::testing::{condition_text, source};
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
fn conditions_lose_their_spelling() {
    for (code, expected) in [
        ("a.b", "a.b"),
        ("!a", "!(a)"),
        ("!!a", "a"),
        ("!(a && b)", "!((a && b))"),
        ("a && b && !c", "(a && b && !(c))"),
        ("a || b && c", "(a || (b && c))"),
        ("a ?? b", "(!(a==null) ? a : b)"),
        ("a ? b : !c", "(a ? b : !(c))"),
        ("a ? (b = c) : d", "a?b=c:d"),
        ("a === 'x'", "a===x"),
        ("a != 'x'", "!(a==x)"),
        ("'x' !== a.b", "!(x===a.b)"),
        ("!(a !== b)", "a===b"),
        ("a == null", "a==null"),
        ("undefined === a", "undefined===a"),
        ("a !== void 0", "!(a===undefined)"),
        ("typeof a === 'undefined'", "a===undefined"),
        ("'undefined' != typeof a.b", "!(a.b===undefined)"),
        ("typeof a === 'string'", "typeofa===string"),
        ("true", "true"),
        ("!1", "false"),
        ("Boolean(a && b)", "(a && b)"),
        ("Boolean(...a)", "Boolean(...a)"),
        ("x.Boolean(a)", "x.Boolean(a)"),
        ("(a as any)!", "a"),
        ("(m = f())", "m"),
        ("(m = f()) !== null", "!(m===null)"),
        ("a.ok && (a = f())", "&&a.oka=f()"),
        ("(a, b || c)", "(b || c)"),
        ("a < b", "a<b"),
        ("a ? b : c", "(a ? b : c)"),
        ("await a()", "awaita()"),
    ] {
        let (tree, node) = expression(&format!("{code};"));
        assert_eq!(condition_text(&tree, &TypeScript.condition(&tree, node)), expected, "{code}");
    }
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
