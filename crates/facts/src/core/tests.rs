//! Small programs of the core: what a write ends, and what stays.

use super::effects::Effects;
use super::origins::Objects;
use super::sight::{HOME, Seen, Sight};
use factgate_ir::graph::{self, Graph, Limits, PointId};
use factgate_ir::{
    Arg, Base, BodyId, BodyKind, BodyRef, Builder, Callee, Class, ClassId, Does, Exit, Form, How, Is, Made, Member,
    Name, NodeId, On, Place, Runs, Step, This, Unit, Used, ValueId, VarId, Waits,
};

/// The node of the value that is asked of.
const ASKED: u32 = 900;
/// The node of the operation that may end it.
const ENDING: u32 = 901;

fn node(number: u32) -> NodeId {
    NodeId::new(number)
}

/// A body with two parameters, `m` and `o`, in the top of a unit.
struct Code {
    b: Builder,
    m: VarId,
    o: VarId,
    run: BodyId,
}

impl Code {
    fn new() -> Code {
        let mut b = Builder::new(node(0));
        let run = b.enter(node(1), BodyKind::Plain, This::Given);
        let (m, o) = (b.param("m", node(2)), b.param("o", node(3)));
        Code { b, m, o, run }
    }

    fn var(&mut self, var: VarId) -> ValueId {
        self.b.read(node(10), Place::var(var))
    }

    fn get(&mut self, object: ValueId, name: &str) -> ValueId {
        self.b.read(node(11), Place::of(object, Name::text(name)))
    }

    /// Reads `m.ok`: what is asked.
    fn ask(&mut self, var: VarId) {
        let object = self.var(var);
        self.b.read(node(ASKED), Place::of(object, Name::text("ok")));
    }

    /// Writes a member: what may end it.
    fn set(&mut self, object: ValueId, name: &str) {
        let value = self.b.constant(node(12), factgate_ir::Const::Bool(false));
        self.b.write(node(ENDING), Place::of(object, Name::text(name)), value, How::Assign);
    }

    fn make(&mut self, var: VarId) -> ValueId {
        let made = self.b.give(node(13), Does::Make(Made::Object));
        self.b.write(node(14), Place::var(var), made, How::Declare);
        made
    }

    fn end(mut self) -> (Unit, BodyId) {
        self.b.leave();
        let run = self.run;
        self.b.act(node(4), Does::Close { body: run, runs: Runs::Later });
        (self.b.finish(), run)
    }
}

/// Whether what happens at a node ends what another one reads.
fn is_ended((unit, run): (Unit, BodyId)) -> bool {
    let sight = Sight::new(vec![Seen::of(unit)]);
    let objects = Objects::new(&sight);
    let graph: Graph<'_> = graph::build(&objects, &(), Limits::default(), &[BodyRef { unit: HOME, body: run }]);
    let effects = Effects::of(&objects, &graph);
    let frame = graph.roots[0].frame;
    let body = sight.unit(HOME).body(run);
    let asked = (0..body.values.len() as u32).map(ValueId).filter(|&value| body.value(value).node == node(ASKED));
    let reads = effects.reads(frame, &asked.collect::<Vec<_>>());
    let at: Vec<PointId> = graph.ids().filter(|&id| graph.point(id).node == Some(node(ENDING))).collect();
    assert!(!at.is_empty() && !reads.is_empty(), "the program asks and ends something");
    at.into_iter().any(|id| effects.ends_one(id, &reads))
}

#[track_caller]
fn check(name: &str, ended: bool, write: fn(&mut Code)) {
    let mut code = Code::new();
    write(&mut code);
    assert_eq!(is_ended(code.end()), ended, "{name}");
}

#[test]
fn names_and_objects() {
    check("a member of the same name of anything", true, |c| {
        c.ask(c.m);
        let o = c.var(c.o);
        c.set(o, "ok");
    });
    check("another name", false, |c| {
        c.ask(c.m);
        let o = c.var(c.o);
        c.set(o, "no");
    });
    check("the variable itself", true, |c| {
        c.ask(c.m);
        let o = c.var(c.o);
        let m = c.m;
        c.b.write(node(ENDING), Place::var(m), o, How::Assign);
    });
    check("an object that nobody has", false, |c| {
        let v = c.b.var("v", node(20));
        c.make(v);
        c.ask(c.m);
        let v = c.var(v);
        c.set(v, "ok");
    });
    check("an object that was handed on", true, |c| {
        let v = c.b.var("v", node(20));
        c.make(v);
        let given = c.var(v);
        c.b.call_global(node(21), "keep", &[given]);
        c.ask(c.m);
        let v = c.var(v);
        c.set(v, "ok");
    });
    check("a computed member", true, |c| {
        c.ask(c.m);
        let (o, key) = (c.var(c.o), c.var(c.m));
        c.b.write(node(ENDING), Place::of(o, Step::Element(factgate_ir::Key::Unknown, key)), key, How::Assign);
    });
    check("an element", false, |c| {
        c.ask(c.m);
        let (o, key) = (c.var(c.o), c.var(c.m));
        c.b.write(node(ENDING), Place::of(o, Step::Element(factgate_ir::Key::Number, key)), key, How::Assign);
    });
}

#[test]
fn whole_objects() {
    let asked = |c: &mut Code, var: VarId| {
        let value = c.var(var);
        c.b.call_global(node(ASKED), "isOk", &[value]);
    };
    let mut c = Code::new();
    asked(&mut c, VarId(0));
    let m = c.var(c.m);
    c.set(m, "any");
    assert!(is_ended(c.end()), "any member of it");
    let mut c = Code::new();
    asked(&mut c, VarId(0));
    let m = c.var(c.m);
    let inner = c.get(m, "inner");
    c.set(inner, "any");
    assert!(is_ended(c.end()), "any member of what is reached through it");
    let mut c = Code::new();
    asked(&mut c, VarId(0));
    let o = c.var(c.o);
    c.set(o, "any");
    assert!(!is_ended(c.end()), "another parameter is taken for another object");
}

#[test]
fn kept_functions() {
    check("a kept function runs at a call out of sight", true, |c| {
        c.ask(c.m);
        let (m, inner) = (c.m, c.b.enter(node(30), BodyKind::Plain, This::Outer));
        let object = c.b.read(node(31), Place::var(m));
        let value = c.b.constant(node(32), factgate_ir::Const::Bool(false));
        c.b.write(node(33), Place::of(object, Name::text("ok")), value, How::Assign);
        c.b.leave();
        let function = c.b.give(node(30), Does::Close { body: inner, runs: Runs::Later });
        c.b.call_global(node(34), "later", &[function]);
        c.b.call_global(node(ENDING), "other", &[]);
    });
    check("a function that was not made yet does not", false, |c| {
        c.ask(c.m);
        c.b.call_global(node(ENDING), "other", &[]);
        let (m, inner) = (c.m, c.b.enter(node(30), BodyKind::Plain, This::Outer));
        let object = c.b.read(node(31), Place::var(m));
        let value = c.b.constant(node(32), factgate_ir::Const::Bool(false));
        c.b.write(node(33), Place::of(object, Name::text("ok")), value, How::Assign);
        c.b.leave();
        let function = c.b.give(node(30), Does::Close { body: inner, runs: Runs::Later });
        c.b.call_global(node(34), "later", &[function]);
    });
}

/// A class whose getter `ok` reads `this.state`, and a body that asks `m.ok` and writes a member.
fn getter(written: &str) -> (Unit, BodyId) {
    let mut c = Code::new();
    c.ask(c.m);
    let o = c.var(c.o);
    c.set(o, written);
    let getter = c.b.enter(node(40), BodyKind::Plain, This::Given);
    let this = c.b.give(node(41), Does::Given(factgate_ir::Given::This));
    let state = c.b.read(node(42), Place::of(this, Name::text("state")));
    c.b.exit(node(43), Exit::Return, state);
    c.b.leave();
    let make = c.b.enter(node(44), BodyKind::Plain, This::Made);
    c.b.leave();
    let member =
        Member { node: node(40), at: Step::Member(Name::text("ok")), on: On::Instance, is: Is::Getter(getter) };
    let class = c.b.class(Class { node: node(45), base: Base::None, members: vec![member], make, fields: None });
    c.b.body_mut(getter).class = Some(class);
    c.b.body_mut(make).class = Some(class);
    c.b.give(node(45), Does::Define(ClassId(0)));
    c.end()
}

#[test]
fn accessors() {
    assert!(is_ended(getter("state")), "what the getter reads");
    assert!(!is_ended(getter("other")), "what it does not read");
}

#[test]
fn called_functions() {
    for (writes, ended) in [("ok", true), ("no", false)] {
        let mut c = Code::new();
        c.ask(c.m);
        let inner = c.b.enter(node(50), BodyKind::Plain, This::Given);
        let x = c.b.param("x", node(51));
        let object = c.b.read(node(52), Place::var(x));
        let value = c.b.constant(node(53), factgate_ir::Const::Bool(false));
        c.b.write(node(54), Place::of(object, Name::text(writes)), value, How::Assign);
        c.b.leave();
        let function = c.b.give(node(50), Does::Close { body: inner, runs: Runs::Later });
        let argument = c.var(c.o);
        let args = vec![Arg { value: argument, spread: false, used: Used::Unknown }];
        c.b.call(node(ENDING), Callee::Value(function), None, args);
        assert_eq!(is_ended(c.end()), ended, "a called function writes {writes}");
    }
}

#[test]
fn constructors() {
    // The constructor writes `this.ok`: a new object's, unless it may return another.
    for (returns, ended) in [(false, false), (true, true)] {
        let mut c = Code::new();
        c.ask(c.m);
        let m = c.m;
        let make = c.b.enter(node(60), BodyKind::Plain, This::Made);
        let this = c.b.give(node(61), Does::Given(factgate_ir::Given::This));
        let value = c.b.constant(node(62), factgate_ir::Const::Bool(false));
        c.b.write(node(63), Place::of(this, Name::text("ok")), value, How::Assign);
        if returns {
            let other = c.b.read(node(64), Place::var(m));
            c.b.exit(node(64), Exit::Return, other);
        }
        c.b.leave();
        let class = c.b.class(Class { node: node(65), base: Base::None, members: Vec::new(), make, fields: None });
        c.b.body_mut(make).class = Some(class);
        let class = c.b.give(node(65), Does::Define(class));
        let call = factgate_ir::Call {
            callee: Callee::Value(class),
            this: None,
            args: Vec::new(),
            form: Form::New,
            waits: Waits::Not,
        };
        c.b.give_or_raise(node(66), Does::Call(call));
        // The object that the constructor gave may be `m` when it returns it.
        let last = c.b.unit().body(c.run).values.len() as u32 - 1;
        c.set(ValueId(last), "ok");
        assert_eq!(is_ended(c.end()), ended, "the constructor returns: {returns}");
    }
}
