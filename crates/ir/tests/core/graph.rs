//! From structured code to points and edges.

use crate::hand::Hand;
use factgate_ir::graph::{
    Callback, Errors, FrameId, Graph, Known, Limits, Plan, PutIn, Role, Site, Until, Ways, build,
};
use factgate_ir::{
    Alone, Arm, BodyId, BodyKind, Callee, Code, Const, Does, Exit, Falls, Missed, NodeId, Pause, Test, This, Times,
    ValueId, When, check, print,
};

/// A name, and what writes the unit.
type Case = (&'static str, fn(&mut Hand));

fn shown(hand: Hand, plan: &dyn Plan) -> String {
    let unit = hand.b.finish();
    check::assert_sound(&unit);
    let printed = print::unit(&unit);
    let world = Alone(unit);
    let graph = build(&world, plan, Limits::default(), &[Alone::body(BodyId(0))]);
    format!("{printed}\n{}", graph.print(&world))
}

#[test]
fn structured_code() {
    let cases: [Case; 12] = [
        ("branch", |h| {
            let test = Test::And(vec![h.test("a"), Test::Not(Box::new(h.test("b")))]);
            h.when(test, |h| _ = h.call("yes"), |h| _ = h.call("no"));
        }),
        ("choice", |h| {
            let test = Test::Choice(Box::new([h.test("a"), h.test("b"), Test::Or(vec![h.test("c"), h.test("d")])]));
            h.when(test, |h| _ = h.call("yes"), |_| {});
        }),
        ("finally stands once a way", |h| {
            h.finally(
                |h| {
                    let test = h.test("a");
                    h.when(test, |h| h.exit(Exit::Return), |_| {});
                    h.call("body");
                },
                When::Every,
                |h| _ = h.call("last"),
            );
            h.call("behind");
        }),
        ("only errors", |h| {
            h.finally(
                |h| {
                    let test = h.test("a");
                    h.when(test, |h| h.exit(Exit::ErrorReturn), |h| h.exit(Exit::Return));
                },
                When::Error,
                |h| _ = h.call("undo"),
            );
        }),
        ("catch knows what was known before", |h| {
            h.catch(
                |h| {
                    h.call("first");
                    h.call("second");
                },
                |h| _ = h.call("handle"),
            );
            h.call("behind");
        }),
        ("raise in a catch crosses the finally", |h| {
            h.finally(
                |h| h.catch(|h| _ = h.call("body"), |h| h.exit(Exit::Raise)),
                When::Every,
                |h| _ = h.call("last"),
            );
        }),
        ("finally that leaves", |h| {
            h.finally(|h| _ = h.call("body"), When::Every, |h| h.exit(Exit::Return));
            h.call("never reached");
        }),
        ("loop left through a finally", |h| {
            let label = h.b.label();
            let test = h.test("more");
            let body = h.code(|h| {
                h.finally(
                    |h| {
                        let stop = h.test("stop");
                        h.when(stop, |h| h.exit(Exit::Break(label)), |h| h.exit(Exit::Continue(label)));
                    },
                    When::Every,
                    |h| _ = h.call("last"),
                );
            });
            let step = h.code(|h| _ = h.call("step"));
            h.b.repeat(label, test, body, step);
            h.call("behind");
        }),
        ("loop without end", |h| {
            let label = h.b.label();
            let body = h.code(|h| _ = h.call("turn"));
            h.b.repeat(label, Test::Always, body, Code::nothing());
            h.call("never reached");
        }),
        ("arms fall through", |h| {
            let label = h.b.label();
            let arms = [("one", false), ("two", true), ("three", false)].map(|(name, default)| {
                let node = h.node();
                let tests = if default { Vec::new() } else { vec![h.test(name)] };
                Arm { tests, default, node, body: h.code(|h| _ = h.call(name)) }
            });
            h.b.emit(Code::Arms { arms: arms.into(), falls: Falls::Through, missed: Missed::Behind, label });
            h.call("behind");
        }),
        ("a literal decides", |h| {
            let node = h.node();
            h.b.open();
            let value = h.b.constant(node, Const::Bool(false));
            let test = h.b.leaf(node, factgate_ir::Atom::Truth(value));
            h.when(test, |h| _ = h.call("never"), |h| _ = h.call("always"));
        }),
        ("a generator can be left", |h| {
            h.finally(
                |h| {
                    let node = h.node();
                    h.b.act(node, Does::Suspend { pause: Pause::Yield, value: None });
                    h.call("resumed");
                },
                When::Every,
                |h| _ = h.call("last"),
            );
        }),
    ];
    for (name, write) in cases {
        let mut hand = Hand::new();
        write(&mut hand);
        insta::assert_snapshot!(name.replace(' ', "_"), shown(hand, &()));
    }
}

/// Puts in what the test says at each call of these globals.
struct At(Vec<(&'static str, Ways)>);

impl Plan for At {
    fn ways(&self, site: &Site<'_, '_>) -> Option<Ways> {
        let Does::Call(call) = &site.op.does else { return None };
        let Callee::Global(path) = &call.callee else { return None };
        let (_, ways) = self.0.iter().find(|(name, _)| path.0[0].as_str() == *name)?;
        Some(ways.clone())
    }

    fn known(&self, _graph: &Graph<'_>, _frame: FrameId, node: NodeId) -> Known {
        match node.index() {
            100 => Known::Never,
            101 => Known::Truth(ValueId(0)),
            _ => Known::Nothing,
        }
    }
}

fn put(body: BodyId) -> PutIn {
    PutIn { body: Alone::body(body), role: Role::Callee, outer: None, until: Until::End }
}

#[test]
fn bodies_are_put_in() {
    type Put = (&'static str, fn(&mut Hand) -> Vec<(&'static str, Ways)>);
    let cases: [Put; 7] = [
        ("complete candidates are all the ways", |h| {
            let (first, _) = h.function(|h| {
                let node = h.node();
                let value = h.b.constant(node, Const::Bool(true));
                h.b.exit(node, Exit::Return, value);
            });
            let (second, _) = h.function(|h| _ = h.call("inner"));
            h.call("f");
            h.call("behind");
            vec![("f", Ways { put_in: vec![put(first), put(second)], ..Ways::default() })]
        }),
        ("one more way for what cannot be seen", |h| {
            let (body, _) = h.function(|h| _ = h.call("inner"));
            h.call("f");
            vec![("f", Ways { put_in: vec![put(body)], unread: true, ..Ways::default() })]
        }),
        ("errors go to the caller's handler", |h| {
            let (body, _) = h.function(|h| {
                h.finally(|h| h.exit(Exit::Raise), When::Every, |h| _ = h.call("own last"));
            });
            h.finally(
                |h| h.catch(|h| _ = h.call("f"), |h| _ = h.call("handle")),
                When::Every,
                |h| {
                    h.call("last");
                },
            );
            vec![("f", Ways { put_in: vec![put(body)], ..Ways::default() })]
        }),
        ("a body that runs already is left out", |h| {
            let (body, _) = h.function(|h| _ = h.call("f"));
            h.call("f");
            vec![("f", Ways { put_in: vec![put(body)], ..Ways::default() })]
        }),
        ("callbacks run in a loop", |h| {
            let (body, _) = h.function(|h| _ = h.call("inner"));
            h.call("each");
            h.call("behind");
            let callback = Callback { put_in: vec![put(body)], times: Times::Any, errors: Errors::Through };
            vec![("each", Ways { callbacks: vec![callback], unread: true, ..Ways::default() })]
        }),
        ("an executor runs once and its errors are caught", |h| {
            let (body, _) = h.function(|h| _ = h.call("inner"));
            h.call("promise");
            h.call("behind");
            let callback = Callback { put_in: vec![put(body)], times: Times::Once, errors: Errors::Caught };
            vec![("promise", Ways { callbacks: vec![callback], ..Ways::default() })]
        }),
        ("generators are left out, never ends, assertions hold", |h| {
            let node = h.node();
            let body = h.b.enter(node, BodyKind::Generator, This::Given);
            h.b.leave();
            h.b.give(node, Does::Close { body, runs: factgate_ir::Runs::Iterated });
            h.call("f");
            h.b.mark(NodeId::new(101));
            h.b.mark(NodeId::new(100));
            h.call("not reached");
            vec![("f", Ways { put_in: vec![put(body)], ..Ways::default() })]
        }),
    ];
    for (name, write) in cases {
        let mut hand = Hand::new();
        let plan = At(write(&mut hand));
        insta::assert_snapshot!(name.replace(' ', "_"), shown(hand, &plan));
    }
}
