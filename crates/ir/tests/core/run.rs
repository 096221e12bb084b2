//! Running units written by hand. `note(x)` shows a value; what is expected is what was shown, in order.

use crate::hand::Hand;
use factgate_ir::run::{Event, Halt, Invoked, Limits, Machine, Run, Tape, Val};
use factgate_ir::{
    Arg, Base, BodyKind, Call, Callee, Class, Const, Does, Exit, Form, Given, Hook, How, Is, Member, Name, NodeId, On,
    Pause, Place, Runs, Step, Sym, Test, This, Unit, ValueId, Waits, When, check,
};

fn note(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let shown = machine.shown(&invoked.arg(0));
    machine.tell(Event::Note(shown));
    Ok(Val::Undefined)
}

fn fail(_machine: &mut Machine<'_>, _invoked: &Invoked<'_>) -> Run<Val> {
    Err(Halt::Raise(Val::text("failed")))
}

fn trace(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    if let Some(id) = invoked.arg(0).object() {
        machine.trace(id);
    }
    Ok(invoked.arg(0))
}

fn notes(unit: &Unit, tape: Vec<u32>) -> String {
    check::assert_sound(unit);
    let mut machine = Machine::new(unit, Tape::new(tape), Limits::default());
    machine.global_function("note", note);
    machine.global_function("fail", fail);
    machine.global_function("trace", trace);
    let done = machine.run_top().and_then(|_| machine.run_jobs());
    let mut shown: Vec<String> = Vec::new();
    for event in &machine.events {
        shown.push(match event {
            Event::Note(text) => text.clone(),
            Event::Member { access, object, name, value } => {
                let value = value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
                format!("{access:?} {object}.{name}{value}")
            }
            other => format!("{other:?}"),
        });
    }
    match done {
        Ok(()) => {}
        Err(Halt::Raise(error)) => shown.push(format!("raised {}", machine.shown(&error))),
        Err(Halt::Stop(stop)) => shown.push(format!("{stop:?}")),
    }
    shown.join(" ")
}

impl Hand {
    fn text(&mut self, text: &str) -> ValueId {
        let node = self.node();
        self.b.constant(node, Const::Text(text.into()))
    }

    fn note(&mut self, text: &str) {
        let value = self.text(text);
        self.note_value(value);
    }

    fn note_value(&mut self, value: ValueId) {
        let node = self.node();
        self.b.call_global(node, "note", &[value]);
    }

    fn get(&mut self, of: ValueId, name: &str) -> ValueId {
        let node = self.node();
        self.b.read(node, Place::of(of, Name::text(name)))
    }

    fn call_value(&mut self, callee: ValueId, this: Option<ValueId>, args: &[ValueId]) -> ValueId {
        let node = self.node();
        self.b.call(node, Callee::Value(callee), this, args.iter().map(|&value| Arg::from(value)).collect())
    }

    fn body(&mut self, kind: BodyKind, this: This, write: impl FnOnce(&mut Hand)) -> factgate_ir::BodyId {
        let node = self.node();
        self.b.enter(node, kind, this);
        write(self);
        self.b.leave()
    }

    fn close(&mut self, kind: BodyKind, write: impl FnOnce(&mut Hand)) -> ValueId {
        let body = self.body(kind, This::Given, write);
        let node = self.node();
        self.b.give(node, Does::Close { body, runs: Runs::Later })
    }

    fn suspend(&mut self, pause: Pause, value: ValueId) -> ValueId {
        let node = self.node();
        self.b.give_or_raise(node, Does::Suspend { pause, value: Some(value) })
    }

    fn hook(&mut self, hook: Hook, of: ValueId) -> ValueId {
        let node = self.node();
        self.b.call(node, Callee::Hook(hook), Some(of), Vec::new())
    }
}

#[test]
fn programs_run() {
    type Case = (&'static str, &'static str, fn(&mut Hand));
    let cases: [Case; 9] = [
        ("ways out cross what is guarded", "\"body\" \"undo\" \"last\" \"caught\" \"behind\"", |h| {
            h.catch(
                |h| {
                    h.finally(
                        |h| {
                            h.finally(
                                |h| {
                                    h.note("body");
                                    h.call("fail");
                                },
                                When::Error,
                                |h| h.note("undo"),
                            );
                        },
                        When::Every,
                        |h| h.note("last"),
                    );
                },
                |h| h.note("caught"),
            );
            h.note("behind");
        }),
        ("break and continue", "\"turn\" \"last\" \"step\" \"turn\" \"last\" \"behind\"", |h| {
            let label = h.b.label();
            let node = h.node();
            let var = h.b.var("again", node);
            let yes = h.b.constant(node, Const::Bool(true));
            h.b.write(node, Place::var(var), yes, How::Declare);
            let body = h.code(|h| {
                h.finally(
                    |h| {
                        h.note("turn");
                        h.b.open();
                        let again = h.b.read(node, Place::var(var));
                        let test = h.b.leaf(node, factgate_ir::Atom::Truth(again));
                        h.when(test, |h| h.exit(Exit::Continue(label)), |h| h.exit(Exit::Break(label)));
                    },
                    When::Every,
                    |h| h.note("last"),
                );
            });
            let step = h.code(|h| {
                h.note("step");
                let no = h.b.constant(node, Const::Bool(false));
                h.b.write(node, Place::var(var), no, How::Assign);
            });
            h.b.repeat(label, Test::Always, body, step);
            h.note("behind");
        }),
        ("a closure keeps its turn's variable", "\"a\"", |h| {
            let node = h.node();
            let var = h.b.var("x", node);
            h.b.var_mut(var).renewed = true;
            let first = h.text("a");
            h.b.write(node, Place::var(var), first, How::Declare);
            let closure = h.close(BodyKind::Plain, |h| {
                let value = h.b.read(node, Place::var(var));
                h.note_value(value);
            });
            h.b.act(node, Does::Renew(vec![var]));
            let second = h.text("b");
            h.b.write(node, Place::var(var), second, How::Declare);
            h.call_value(closure, None, &[]);
        }),
        ("traced objects tell", "Set 1.a=\"x\" Get 1.a \"x\" Get 1.b undefined", |h| {
            let node = h.node();
            let made = h.b.give(node, Does::Make(factgate_ir::Made::Object));
            let object = h.b.call_global(node, "trace", &[made]);
            let value = h.text("x");
            h.b.write(node, Place::of(object, Name::text("a")), value, How::Assign);
            for name in ["a", "b"] {
                let value = h.get(object, name);
                h.note_value(value);
            }
        }),
        ("a derived class", "\"fields\" \"base\" \"value\" \"derived\" \"value\"", |h| {
            let base = class(
                h,
                Base::None,
                |h| h.note("fields"),
                |h| {
                    fields(h);
                    h.note("base");
                },
            );
            let derived = class(h, Base::Value(base), private_field, |h| {
                let node = h.node();
                h.b.call(node, Callee::Make, None, Vec::new());
                fields(h);
                let this = h.b.give(node, Does::Given(Given::This));
                let field = Name::Private(factgate_ir::ClassId(1), "x".into());
                let value = h.b.read(node, Place::of(this, field));
                h.note_value(value);
                h.note("derived");
                h.note_value(value);
            });
            let node = h.node();
            let call = Call {
                callee: Callee::Value(derived),
                this: None,
                args: Vec::new(),
                form: Form::New,
                waits: Waits::Not,
            };
            h.b.give_or_raise(node, Does::Call(call));
        }),
        ("a generator is left", "\"start\" \"one\" \"last\"", |h| {
            let make = h.close(BodyKind::Generator, |h| {
                h.finally(
                    |h| {
                        h.note("start");
                        let one = h.text("one");
                        h.suspend(Pause::Yield, one);
                        h.note("never");
                    },
                    When::Every,
                    |h| h.note("last"),
                );
            });
            let iterable = h.call_value(make, None, &[]);
            let state = h.hook(Hook::Iterate, iterable);
            let step = h.hook(Hook::Next, state);
            let node = h.node();
            let value = h.b.read(node, Place::of(step, Name::Inner));
            h.note_value(value);
            h.hook(Hook::Close, state);
        }),
        ("turns of two async bodies", "\"a1\" \"b1\" \"top\" \"a2\" \"b2\" \"a3\"", |h| {
            let first = h.close(BodyKind::Async, |h| {
                for text in ["a1", "a2", "a3"] {
                    h.note(text);
                    let value = h.text(text);
                    h.suspend(Pause::Await, value);
                }
            });
            let second = h.close(BodyKind::Async, |h| {
                h.note("b1");
                let value = h.text("x");
                h.suspend(Pause::Await, value);
                h.note("b2");
            });
            h.call_value(first, None, &[]);
            h.call_value(second, None, &[]);
            h.note("top");
        }),
        ("a returned promise takes three turns", "\"t1\" \"t2\" \"t3\" \"outer\" \"t4\"", |h| {
            let turns = h.close(BodyKind::Async, |h| {
                for text in ["t1", "t2", "t3", "t4"] {
                    let value = h.text(text);
                    h.suspend(Pause::Await, value);
                    h.note(text);
                }
            });
            let outer = h.close(BodyKind::Async, |h| {
                let inner = h.close(BodyKind::Async, |_| {});
                let promise = h.call_value(inner, None, &[]);
                let node = h.node();
                h.b.exit(node, Exit::Return, promise);
            });
            h.call_value(turns, None, &[]);
            let promise = h.call_value(outer, None, &[]);
            let then = h.get(promise, "then");
            let callback = h.close(BodyKind::Plain, |h| h.note("outer"));
            h.call_value(then, Some(promise), &[callback]);
        }),
        ("structs are copied, pointers are not", "\"new\" \"old\"", |h| {
            let node = h.node();
            let (own, copy) = (h.b.var("own", node), h.b.var("copy", node));
            let made = h.b.give(node, Does::Make(factgate_ir::Made::Struct));
            let old = h.text("old");
            h.b.write(node, Place::of(made, Name::text("a")), old, How::Init);
            h.b.write(node, Place::var(own), made, How::Declare);
            let read = h.b.read(node, Place::var(own));
            h.b.write(node, Place::var(copy), read, How::Declare);
            let pointer = h.b.give(node, Does::Address(Place::var(own)));
            let new = h.text("new");
            h.b.write(node, Place::of(pointer, Step::Deref).then(Name::text("a")), new, How::Assign);
            for var in [own, copy] {
                let value = h.b.read(node, Place::var(var).then(Name::text("a")));
                h.note_value(value);
            }
        }),
    ];
    for (name, expected, write) in cases {
        let mut hand = Hand::new();
        write(&mut hand);
        assert_eq!(notes(&hand.b.finish(), Vec::new()), expected, "{name}");
    }
}

fn fields(h: &mut Hand) {
    let node = h.node();
    h.b.call(node, Callee::Fields, None, Vec::new());
}

fn private_field(h: &mut Hand) {
    let node = h.node();
    let this = h.b.give(node, Does::Given(Given::This));
    let value = h.text("value");
    let field = Name::Private(factgate_ir::ClassId(1), Sym::from("x"));
    h.b.write(node, Place::of(this, field), value, How::Init);
}

fn class(h: &mut Hand, base: Base, fields: impl FnOnce(&mut Hand), make: impl FnOnce(&mut Hand)) -> ValueId {
    let node = h.node();
    let fields = h.body(BodyKind::Plain, This::Made, fields);
    let make = h.body(BodyKind::Plain, This::Made, make);
    let member = Member { node: NodeId::ROOT, at: Step::Member(Name::text("f")), on: On::Instance, is: Is::Field };
    let class = h.b.class(Class { node, base, members: vec![member], make, fields: Some(fields) });
    h.b.give(node, Does::Define(class))
}
