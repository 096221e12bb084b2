//! Graphs of hand-built flows, read back as the words that their paths spell.

use super::*;
use factgate_syntax::Span;
use factgate_syntax::flow::{Arm, Called, Exhaustive, Exit, FallsThrough, FinallyOn, Flow, Label, Test};
use factgate_syntax::tree::{Tree, TreeBuilder};
use std::collections::BTreeSet;

/// A tree whose leaves are the letters; `n('a')` is the first of them.
fn letters() -> Tree {
    let mut builder = TreeBuilder::default();
    builder.open("letters", None, Span::default());
    for letter in 'a'..='z' {
        builder.leaf("letter", None, &letter.to_string(), Span::default());
    }
    builder.finish()
}

fn n(letter: char) -> NodeId {
    letters().subtree(NodeId::ROOT).nth(letter as usize - 'a' as usize + 1).unwrap()
}

fn e(letter: char) -> Flow {
    Flow::Eval { node: n(letter), raises: false }
}

fn call(letter: char) -> Flow {
    Flow::Eval { node: n(letter), raises: true }
}

fn seq(parts: impl IntoIterator<Item = Flow>) -> Flow {
    Flow::Seq(parts.into_iter().collect())
}

fn test(letter: char) -> Test {
    Test::Node { node: n(letter), flow: Box::new(e(letter)) }
}

fn branch(test: Test, yes: Flow, no: Flow) -> Flow {
    Flow::Branch { test, yes: Box::new(yes), no: Box::new(no) }
}

fn leave(to: Exit) -> Flow {
    Flow::Leave { to, node: n('z') }
}

fn repeat(test: Test, body: Flow, step: Flow) -> Flow {
    let (body, step) = (Box::new(body), Box::new(step));
    Flow::Loop { label: Label(1), test, body, step, otherwise: Box::new(Flow::nothing()) }
}

fn protect(body: Flow, catch: Option<Flow>, finally: Option<Flow>, on: FinallyOn) -> Flow {
    Flow::Protected { body: Box::new(body), catch: catch.map(Box::new), finally: finally.map(Box::new), on }
}

fn graph(flow: &Flow) -> Graph {
    let tree = letters();
    let condition = |node: NodeId| match tree.text(node) {
        "t" => Condition::Constant(true),
        "f" => Condition::Constant(false),
        _ => Condition::Atom(node),
    };
    let asserted = |node: NodeId| if tree.text(node) == "y" { vec![n('x')] } else { Vec::new() };
    let ends = |node| tree.text(node) == "z";
    build(flow, &Hooks { condition: &condition, asserted: &asserted, ends: &ends, returns: &|_| false })
}

/// The words of all paths that visit no point three times: a letter an evaluation, `+a`/`-a` an assumption,
/// `.` a return, `!` a throw, `E` an error return, `#` never.
fn words(graph: &Graph, root: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![(graph.roots[root].entry, String::new(), vec![0u8; graph.points.len()])];
    while let Some((id, mut word, mut seen)) = open.pop() {
        seen[id.index()] += 1;
        if seen[id.index()] > 2 {
            continue;
        }
        let tree = letters();
        let before = word.clone();
        match &graph.point(id).action {
            Action::Eval(node) => word.push_str(tree.text(*node)),
            Action::Assume { outcome, node, .. } => {
                word.push(if *outcome { '+' } else { '-' });
                word.push_str(tree.text(*node));
            }
            Action::Exit(ending) => {
                word.push(match ending {
                    Ending::Return => '.',
                    Ending::ErrorReturn => 'E',
                    Ending::Throw => '!',
                    Ending::Never => '#',
                });
                found.insert(word.clone());
            }
            _ => {}
        }
        let point = graph.point(id);
        open.extend(point.next().map(|next| (next, word.clone(), seen.clone())));
        if point.raises {
            open.extend(point.raise.map(|next| (next, before, seen)));
        }
    }
    found
}

fn check(flow: Flow, expected: &[&str]) {
    let found = words(&graph(&flow), 0);
    assert_eq!(found, expected.iter().map(|&word| word.to_owned()).collect());
}

#[test]
fn branches_and_short_circuits_are_assumptions() {
    check(branch(test('a'), e('b'), e('c')), &["a+ab.", "a-ac."]);
    let both = Test::And(vec![test('a'), Test::Not(Box::new(Test::Or(vec![test('b'), test('c')])))]);
    check(branch(both, e('d'), e('e')), &["a+ab-bc-cd.", "a+ab-bc+ce.", "a+ab+be.", "a-ae."]);
    check(branch(test('t'), e('b'), e('c')), &["tb."]);
    check(branch(test('f'), e('b'), e('c')), &["fc."]);
}

#[test]
fn loops_break_continue_and_ask_at_the_end() {
    check(repeat(test('a'), e('b'), e('c')), &["a-a.", "a+abca-a."]);
    let body = branch(test('b'), leave(Exit::Break(Label(1))), leave(Exit::Continue(Label(1))));
    check(repeat(Test::Always, body, e('c')), &["b+b.", "b-bcb+b."]);
    let ask = branch(test('b'), Flow::nothing(), leave(Exit::Break(Label(1))));
    check(repeat(Test::Always, e('a'), ask), &["ab-b.", "ab+bab-b."]);
}

#[test]
fn arms_fall_through_or_do_not() {
    let arms = |falls_through, exhaustive| {
        let arm = |tests: Vec<Test>, body| Arm { default: tests.is_empty(), tests, node: n('z'), body };
        Flow::Arms {
            subject: Box::new(e('s')),
            arms: vec![
                arm(vec![test('a')], e('b')),
                arm(vec![], e('c')),
                arm(vec![test('d'), test('e')], seq([e('g'), leave(Exit::Break(Label(2)))])),
            ],
            falls_through,
            label: Label(2),
            exhaustive,
        }
    };
    check(arms(FallsThrough::Yes, Exhaustive::No), &["sa+abcg.", "sa-ad+dg.", "sa-ad-de+eg.", "sa-ad-de-ecg."]);
    check(arms(FallsThrough::No, Exhaustive::Yes), &["sa+ab.", "sa-ad+dg.", "sa-ad-de+eg.", "sa-ad-de-ec."]);
}

#[test]
fn finally_stands_on_every_way_out() {
    let body = branch(test('a'), leave(Exit::Return), call('b'));
    check(seq([protect(body.clone(), None, Some(e('c')), FinallyOn::Every), e('d')]), &["a+ac.", "a-abcd.", "a-ac!"]);
    check(protect(body, Some(e('k')), Some(e('c')), FinallyOn::Every), &["a+ac.", "a-abc.", "a-akc."]);
    let overriding = protect(leave(Exit::Throw), None, Some(leave(Exit::Return)), FinallyOn::Every);
    check(overriding, &["."]);
    let errors = branch(test('a'), leave(Exit::ErrorReturn), leave(Exit::Return));
    check(protect(errors, None, Some(e('c')), FinallyOn::Error), &["a+acE", "a-a."]);
}

#[test]
fn a_catch_is_reached_from_every_point_of_its_body() {
    let flow = protect(seq([e('a'), e('b')]), Some(e('c')), None, FinallyOn::Every);
    let graph = graph(&flow);
    let catch = graph.ids().find(|&id| graph.point(id).action == Action::Eval(n('c'))).unwrap();
    let into = graph.ids().filter(|&id| graph.point(id).raise == Some(catch)).count();
    assert_eq!(into, 3, "the entry, `a` and `b`");
}

#[test]
fn functions_on_the_spot_are_inlined_and_others_are_roots() {
    let spot = Flow::Closure {
        node: n('p'),
        body: Box::new(seq([e('a'), leave(Exit::Return), e('b')])),
        called: Called::OnTheSpot,
    };
    check(seq([spot, e('c')]), &["ac."]);
    let write = Flow::Write { node: n('w'), target: n('v'), value: None };
    let later = Flow::Closure { node: n('p'), body: Box::new(seq([write, e('b')])), called: Called::Later };
    let graph = graph(&seq([later, e('c')]));
    assert_eq!(words(&graph, 0), BTreeSet::from(["c.".to_owned()]));
    assert_eq!(words(&graph, 1), BTreeSet::from(["b.".to_owned()]));
    assert_eq!(graph.closures[0].writes, [(n('w'), n('v'))]);
}

#[test]
fn listed_calls_assert_and_end() {
    check(seq([e('y'), e('a')]), &["y+xa."]);
    check(seq([branch(test('a'), e('z'), e('b')), e('c')]), &["a+az#", "a-abc."]);
}

#[test]
fn nested_finally_stays_bounded() {
    let mut flow = e('a');
    for _ in 0..60 {
        let body = branch(test('t'), leave(Exit::Return), seq([flow.clone(), call('b')]));
        flow = protect(body, None, Some(seq([e('c'), leave_in_finally()])), FinallyOn::Every);
    }
    assert!(graph(&flow).points.len() < 200_000);
    let mut inner = e('a');
    for _ in 0..12 {
        inner = protect(branch(test('b'), leave(Exit::Return), call('d')), None, Some(inner), FinallyOn::Every);
    }
    assert!(graph(&inner).points.len() < 20_000);
}

fn leave_in_finally() -> Flow {
    branch(test('q'), call('r'), Flow::nothing())
}
