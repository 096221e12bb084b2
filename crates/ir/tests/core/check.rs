//! What must not be in a unit.

use crate::hand::Hand;
use factgate_ir::{
    Atom, BodyKind, Code, Const, Does, Exit, How, Leaf, Name, NodeId, Place, Runs, Test, This, ValueId, check,
};

/// A name, and what writes the unit.
type Case = (&'static str, fn(&mut Hand));

#[test]
fn wrong_units_are_told() {
    let cases: [Case; 10] = [
        ("uses the value 0 before it is given on every way", |h| {
            let test = Test::Unknown(Box::new(Code::nothing()), NodeId::ROOT);
            h.when(test, |h| _ = h.b.constant(NodeId::ROOT, Const::Null), |_| {});
            h.b.exit(NodeId::ROOT, Exit::Return, ValueId(0));
        }),
        ("the value 0 is given 2 times", |h| {
            for _ in 0..2 {
                if h.b.unit().body(h.b.current()).values.is_empty() {
                    h.b.value(NodeId::ROOT);
                }
                let op = h.b.op(NodeId::ROOT, Does::Const(Const::Null), Some(ValueId(0)), false);
                h.b.emit(Code::Do(op));
            }
        }),
        ("reads the slot 0 before it is written on every way", |h| {
            let slot = h.b.slot(NodeId::ROOT);
            h.b.read(NodeId::ROOT, Place::slot(slot));
        }),
        ("is marked twice on one way", |h| {
            h.b.mark(NodeId::ROOT);
            h.b.mark(NodeId::ROOT);
        }),
        ("the label 0 is not bound", |h| {
            let label = h.b.label();
            h.exit(Exit::Break(label));
        }),
        ("the label 0 is not bound", |h| {
            let label = h.b.label();
            let body = h.code(|h| h.exit(Exit::Continue(label)));
            h.b.block(label, body);
        }),
        ("nobody makes this body", |h| {
            h.b.enter(NodeId::ROOT, BodyKind::Plain, This::None);
            h.b.leave();
        }),
        ("names the variable 0, which belongs to no body around", |h| {
            let body = h.b.enter(NodeId::ROOT, BodyKind::Plain, This::None);
            let var = h.b.var("x", NodeId::ROOT);
            h.b.leave();
            h.b.give(NodeId::ROOT, Does::Close { body, runs: Runs::Later });
            h.b.read(NodeId::ROOT, Place::var(var));
        }),
        ("gives a value that it has not", |h| {
            let value = h.b.value(NodeId::ROOT);
            let op = h.b.op(NodeId::ROOT, Does::Mark, Some(value), false);
            h.b.emit(Code::Do(op));
        }),
        ("renews a variable that is not renewed, or another body's", |h| {
            let var = h.b.var("x", NodeId::ROOT);
            h.b.act(NodeId::ROOT, Does::Renew(vec![var]));
        }),
    ];
    for (expected, write) in cases {
        let mut hand = Hand::new();
        write(&mut hand);
        let problems = check::check(&hand.b.finish());
        let told: Vec<&str> = problems.iter().map(|problem| problem.what.as_str()).collect();
        assert_eq!(told, [expected]);
    }
}

#[test]
fn what_leaves_does_not_count() {
    let mut h = Hand::new();
    let slot = h.b.slot(NodeId::ROOT);
    let test = h.test("a");
    h.when(
        test,
        |h| {
            let value = h.b.constant(NodeId::ROOT, Const::Null);
            h.b.write(NodeId::ROOT, Place::slot(slot), value, How::Assign);
        },
        |h| h.exit(Exit::Return),
    );
    let read = h.b.read(NodeId::ROOT, Place::slot(slot));
    // What a test has evaluated is there on both of its ways.
    let part = h.code(|h| _ = h.b.read(NodeId::ROOT, Place::of(read, Name::text("x"))));
    let leaf = Leaf { code: Box::new(part), atom: Atom::Missing(read), node: NodeId::ROOT };
    let member = ValueId(h.b.unit().body(h.b.current()).values.len() as u32 - 1);
    h.b.branch(Test::Leaf(leaf), Code::nothing(), Code::nothing());
    h.b.exit(NodeId::ROOT, Exit::Return, member);
    check::assert_sound(&h.b.finish());
}
