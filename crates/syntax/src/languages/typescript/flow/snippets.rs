//! What the snippets in `snippets.txt` lower to: a line of code, and below it the flow.
//!
//! Printed are names, members, calls and writes in order; `~` is a suspension, `later[…]` a function that is made,
//! `now[…]` one that is called on the spot, `*` an outcome that nobody knows, and in a test what stands before `|` is
//! evaluated to decide it.

use super::print::Printer;
use super::{Flow, lower};
use crate::flow::Test;
use crate::languages::typescript::{shape, testing};
use crate::tree::{NodeId, Tree};
use std::collections::HashMap;

const SNIPPETS: &str = include_str!("snippets.txt");

/// The snippets with their flows.
fn snippets() -> Vec<(&'static str, &'static str)> {
    let lines: Vec<_> = SNIPPETS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    lines.chunks(2).map(|pair| (pair[0], pair[1].trim())).collect()
}

/// A snippet as the body of a function.
fn function(body: &str) -> (Tree, NodeId) {
    let tree = testing::file("a.tsx", &format!("async function* f() {{ {body} }}"));
    let root = tree.child_of_kind(NodeId::ROOT, "generator_function_declaration").expect("a function");
    (tree, root)
}

#[test]
fn snippets_lower_to_their_flows() {
    let mut wrong = String::new();
    for (body, expected) in snippets() {
        let (tree, root) = function(body);
        let found = Printer { tree: &tree }.flow(&lower(&tree, root));
        if found != expected {
            wrong += &format!("{body}\n  {found}\n");
        }
    }
    assert!(wrong.is_empty(), "these lower otherwise:\n{wrong}");
}

/// A pattern that matches a node finds the one point where it is evaluated: every expression that runs has one `Eval`.
#[test]
fn whatever_runs_is_evaluated_once() {
    for (body, _) in snippets() {
        let (tree, root) = function(body);
        let mut counts = HashMap::new();
        count(&lower(&tree, root), &mut counts);
        for node in tree.subtree(root) {
            let times = counts.get(&node).copied().unwrap_or(0);
            // The word of `for … of` stands for each step of the iterator, and no pattern is that word.
            let is_step = tree.kind(node) == "of";
            assert!(times <= 1 || is_step, "{body}: `{}` is evaluated {times} times", tree.render(node));
            assert!(times == 1 || !runs(&tree, node), "{body}: `{}` is never evaluated", tree.render(node));
        }
    }
}

fn runs(tree: &Tree, node: NodeId) -> bool {
    let in_type = std::iter::once(node).chain(tree.ancestors(node)).any(|above| shape::is_type_only(tree.kind(above)));
    let in_closing_tag = tree.parent(node).is_some_and(|above| tree.kind(above) == "jsx_closing_element");
    let token = matches!(tree.kind(node), "import" | "class" | "string" | "identifier") && tree.text(node).is_empty();
    let part_of_name =
        tree.ancestors(node).any(|above| tree.field(above) == Some("name")) || tree.field(node) == Some("name");
    shape::is_expression(tree.kind(node)) && !in_type && !in_closing_tag && !token && !part_of_name
}

fn count(flow: &Flow, counts: &mut HashMap<NodeId, usize>) {
    match flow {
        Flow::Seq(flows) => flows.iter().for_each(|flow| count(flow, counts)),
        Flow::Eval { node, .. } => *counts.entry(*node).or_default() += 1,
        Flow::Suspend { .. } | Flow::Write { .. } | Flow::Leave { .. } => {}
        Flow::Branch { test, yes, no } => {
            count_test(test, counts);
            count(yes, counts);
            count(no, counts);
        }
        Flow::Arms { subject, arms, .. } => {
            count(subject, counts);
            for arm in arms {
                arm.tests.iter().for_each(|test| count_test(test, counts));
                count(&arm.body, counts);
            }
        }
        Flow::Loop { test, body, step, otherwise, .. } => {
            count_test(test, counts);
            [body, step, otherwise].into_iter().for_each(|flow| count(flow, counts));
        }
        Flow::Block { body, .. } | Flow::Closure { body, .. } => count(body, counts),
        Flow::Protected { body, catch, finally, .. } => {
            count(body, counts);
            catch.iter().chain(finally).for_each(|flow| count(flow, counts));
        }
    }
}

fn count_test(test: &Test, counts: &mut HashMap<NodeId, usize>) {
    match test {
        Test::Node { flow, .. } | Test::Is { flow, .. } | Test::Unknown { flow, .. } => count(flow, counts),
        Test::Not(inner) => count_test(inner, counts),
        Test::And(tests) | Test::Or(tests) => tests.iter().for_each(|test| count_test(test, counts)),
        Test::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(|test| count_test(test, counts)),
        Test::Always => {}
    }
}

/// Sources nest deeper than a thread's stack: lowering must not need it.
#[test]
fn deep_nesting_is_no_danger() {
    let many = 450;
    for (open, close) in
        [("(a && ", ")"), ("f(", ")"), ("!", ""), ("a ? b : ", ""), ("a.b(() => ", ")"), ("{ if (a) ", "}")]
    {
        let (tree, root) = function(&format!("{}x{}", open.repeat(many), close.repeat(many)));
        let mut counts = HashMap::new();
        count(&lower(&tree, root), &mut counts);
        assert!(counts.len() > many, "{open}");
    }
}
