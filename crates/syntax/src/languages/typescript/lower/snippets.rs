//! What snippets of code lower to, and what holds of every lowering.

use super::lower;
use crate::languages::typescript::{shape, testing};
use crate::tree::{NodeId, Tree};
use factgate_ir::check::check;
use factgate_ir::print::Printer;
use factgate_ir::{Code, Does, Test, Unit};
use std::collections::HashMap;

/// Code of every form, a line each.
const SNIPPETS: &str = include_str!("snippets.txt");

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The same, with plain statements in front.
fn bodies() -> Vec<&'static str> {
    let plain = lines(include_str!("bodies.txt"));
    plain.chain(lines(SNIPPETS)).collect()
}

/// A snippet as the body of a function; of a generator when it gives something out itself.
fn function(body: &str) -> Tree {
    let star = if body.starts_with("yield") { "*" } else { "" };
    testing::file("a.tsx", &format!("async function{star} f() {{ {body} }}"))
}

/// The marks of a unit: how often each node has one.
fn marks(unit: &Unit) -> HashMap<NodeId, usize> {
    let mut counts = HashMap::new();
    for body in &unit.bodies {
        count(&body.code, &mut counts);
    }
    counts
}

fn count(code: &Code, counts: &mut HashMap<NodeId, usize>) {
    match code {
        Code::Seq(parts) => parts.iter().for_each(|part| count(part, counts)),
        Code::Do(op) if op.does == Does::Mark => *counts.entry(op.node).or_default() += 1,
        Code::Do(_) | Code::Leave { .. } => {}
        Code::Branch { test, yes, no } => {
            count_test(test, counts);
            count(yes, counts);
            count(no, counts);
        }
        Code::Arms { arms, .. } => {
            for arm in arms {
                arm.tests.iter().for_each(|test| count_test(test, counts));
                count(&arm.body, counts);
            }
        }
        Code::Loop { test, body, step, otherwise, .. } => {
            count_test(test, counts);
            [body, step, otherwise].into_iter().for_each(|code| count(code, counts));
        }
        Code::Block { body, .. } => count(body, counts),
        Code::Guarded { body, catch, leaving } => {
            count(body, counts);
            catch.iter().for_each(|catch| count(&catch.code, counts));
            leaving.iter().for_each(|(_, code)| count(code, counts));
        }
    }
}

fn count_test(test: &Test, counts: &mut HashMap<NodeId, usize>) {
    match test {
        Test::Leaf(leaf) => count(&leaf.code, counts),
        Test::Unknown(code, _) => count(code, counts),
        Test::Not(inner) => count_test(inner, counts),
        Test::And(tests) | Test::Or(tests) => tests.iter().for_each(|test| count_test(test, counts)),
        Test::Choice(parts) => parts.iter().for_each(|test| count_test(test, counts)),
        Test::Always => {}
    }
}

#[test]
fn snippets_lower_to_sound_units() {
    for body in bodies() {
        let tree = function(body);
        let unit = lower(&tree).unit;
        let problems = check(&unit);
        let listed: Vec<_> =
            problems.iter().map(|problem| format!("{problem} {}", tree.render(problem.node))).collect();
        assert!(problems.is_empty(), "{body}\n{}\n{}", listed.join("\n"), print(&tree, &unit));
    }
}

fn print(tree: &Tree, unit: &Unit) -> String {
    Printer { unit, node: &|node| short(tree, node) }.all()
}

/// The first words of a node.
fn short(tree: &Tree, node: NodeId) -> String {
    let text = tree.render(node);
    if text.chars().count() > 24 { text.chars().take(23).chain(['…']).collect() } else { text }
}

/// The core of the snippets, without its marks, for people to read.
#[test]
fn snippets_print_as_they_did() {
    let mut out = String::new();
    for body in lines(SNIPPETS) {
        let tree = function(body);
        out += &format!("// {body}\n");
        let printed = print(&tree, &lower(&tree).unit);
        for line in printed.lines().filter(|line| !line.trim_start().starts_with("mark ")) {
            out += &format!("{line}\n");
        }
        out += "\n";
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages/typescript/lower/printed.txt");
    if std::env::var_os("PRINT_SNIPPETS").is_some() {
        std::fs::write(&path, &out).expect("a place to write to");
    }
    let expected = std::fs::read_to_string(&path).expect("the printed snippets");
    assert!(out == expected, "the core of some snippet changed: read the difference after PRINT_SNIPPETS=1");
}

/// A pattern that matches a node finds the one point where it has its value.
#[test]
fn whatever_runs_is_marked_once() {
    let mut wrong = String::new();
    for body in bodies() {
        let tree = function(body);
        let counts = marks(&lower(&tree).unit);
        for node in tree.subtree(NodeId::ROOT) {
            let times = counts.get(&node).copied().unwrap_or(0);
            if times > 1 || times == 0 && runs(&tree, node) {
                wrong += &format!("{body}: `{}` ({}) is marked {times} times\n", tree.render(node), tree.kind(node));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn runs(tree: &Tree, node: NodeId) -> bool {
    let in_type = std::iter::once(node).chain(tree.ancestors(node)).any(|above| shape::is_type_only(tree.kind(above)));
    let in_closing_tag = tree.parent(node).is_some_and(|above| tree.kind(above) == "jsx_closing_element");
    let token = matches!(tree.kind(node), "import" | "class" | "string" | "identifier") && tree.text(node).is_empty();
    let part_of_name =
        tree.ancestors(node).any(|above| tree.field(above) == Some("name")) || tree.field(node) == Some("name");
    shape::is_expression(tree.kind(node)) && !in_type && !in_closing_tag && !token && !part_of_name
}

/// Sources nest deeper than a thread's stack: lowering must not need it.
#[test]
fn deep_nesting_is_no_danger() {
    let many = 450;
    for (open, close) in
        [("(a && ", ")"), ("f(", ")"), ("!", ""), ("a ? b : ", ""), ("a.b(() => ", ")"), ("{ if (a) ", "}")]
    {
        let tree = function(&format!("{}x{}", open.repeat(many), close.repeat(many)));
        assert!(marks(&lower(&tree).unit).len() > many, "{open}");
    }
}
