//! How a unit is written: by lowerings, and by hand in tests.
//!
//! The builder keeps the body and the sequence that are being written, so that an expression's lowering is a function
//! that emits operations and answers with a [`ValueId`]:
//!
//! ```
//! use factgate_ir::{Atom, BodyKind, Builder, Code, Does, Form, Name, NodeId, Place, This, Var, Holds};
//!
//! // if (m.ok) { f() }
//! let node = NodeId::new;
//! let mut b = Builder::new(node(0));
//! let m = b.var("m", node(1));
//! let object = b.give(node(1), Does::Read(Place::var(m)));
//! b.mark(node(1));
//! b.open();
//! let ok = b.give(node(2), Does::Read(Place::of(object, Name::text("ok"))));
//! b.mark(node(2));
//! let test = b.leaf(node(2), Atom::Truth(ok));
//! b.open();
//! b.call_global(node(3), "f", &[]);
//! b.mark(node(3));
//! let yes = b.done();
//! b.branch(test, yes, Code::nothing());
//! let unit = b.finish();
//! assert_eq!(unit.ops, 6);
//! ```

use crate::{
    Arg, Atom, Body, BodyId, BodyKind, Call, Callee, Catch, Class, ClassId, Code, Const, Does, Exit, Form, Holds, How,
    Label, Leaf, NodeId, Op, OpId, Path, Place, Slot, SlotId, SpellingId, Sym, Test, This, Unit, Used, Value, ValueId,
    Var, VarId, Waits, When,
};

/// Writes a [`Unit`].
#[derive(Debug)]
pub struct Builder {
    unit: Unit,
    /// The bodies that are being written, the innermost last.
    bodies: Vec<BodyId>,
    /// The sequences that are being written, the innermost last.
    open: Vec<Vec<Code>>,
}

impl Builder {
    /// A unit whose top body comes from this node; it is being written from now on.
    pub fn new(top: NodeId) -> Builder {
        let unit =
            Unit { top: BodyId(0), bodies: Vec::new(), vars: Vec::new(), classes: Vec::new(), ops: 0, labels: 0 };
        let mut builder = Builder { unit, bodies: Vec::new(), open: Vec::new() };
        builder.enter(top, BodyKind::Plain, This::None);
        builder
    }

    /// The unit, when all that was opened is closed.
    ///
    /// # Panics
    /// When a body or a sequence is still open: a mistake of the lowering.
    pub fn finish(mut self) -> Unit {
        self.leave();
        assert!(self.bodies.is_empty() && self.open.is_empty(), "a body or sequence was opened and not closed");
        self.unit
    }

    /// Starts a body in the one that is being written, which then waits.
    pub fn enter(&mut self, node: NodeId, kind: BodyKind, this: This) -> BodyId {
        let id = BodyId(number(self.unit.bodies.len()));
        self.unit.bodies.push(Body {
            node,
            kind,
            outer: self.bodies.last().copied(),
            this,
            class: None,
            params: Vec::new(),
            rest: None,
            code: Code::nothing(),
            values: Vec::new(),
            slots: Vec::new(),
        });
        self.bodies.push(id);
        self.open();
        id
    }

    /// Ends the body that was entered last, with the code that was emitted since.
    pub fn leave(&mut self) -> BodyId {
        let code = self.done();
        let id = self.bodies.pop().unwrap_or(self.unit.top);
        self.unit.bodies[id.index()].code = code;
        id
    }

    /// The body that is being written.
    pub fn current(&self) -> BodyId {
        self.bodies.last().copied().unwrap_or(self.unit.top)
    }

    /// What is written so far.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The body behind an id, to set its class, parameters or `rest`.
    pub fn body_mut(&mut self, id: BodyId) -> &mut Body {
        &mut self.unit.bodies[id.index()]
    }

    /// A new variable that holds references, of the body that is being written.
    pub fn var(&mut self, name: &str, node: NodeId) -> VarId {
        let owner = self.current();
        self.new_var(Var { name: Sym::from(name), node, owner, renewed: false, holds: Holds::Reference })
    }

    /// A new variable.
    pub fn new_var(&mut self, var: Var) -> VarId {
        self.unit.vars.push(var);
        VarId(number(self.unit.vars.len() - 1))
    }

    /// The variable behind an id, to change what is known of it.
    pub fn var_mut(&mut self, id: VarId) -> &mut Var {
        &mut self.unit.vars[id.index()]
    }

    /// A new variable that is the next parameter of the body that is being written.
    pub fn param(&mut self, name: &str, node: NodeId) -> VarId {
        let var = self.var(name, node);
        let body = self.current();
        self.body_mut(body).params.push(var);
        var
    }

    /// A new class. [`Builder::class_mut`] sets what is known later.
    pub fn class(&mut self, class: Class) -> ClassId {
        self.unit.classes.push(class);
        ClassId(number(self.unit.classes.len() - 1))
    }

    /// The class behind an id.
    pub fn class_mut(&mut self, id: ClassId) -> &mut Class {
        &mut self.unit.classes[id.index()]
    }

    /// A new value of the body that is being written: the `gives` of an operation, or what a catch gets.
    pub fn value(&mut self, node: NodeId) -> ValueId {
        let body = self.current();
        let values = &mut self.body_mut(body).values;
        values.push(Value { node, spelled: Vec::new() });
        ValueId(number(values.len() - 1))
    }

    /// The value of the body that is being written can be spelled in these words as well.
    pub fn spelled(&mut self, value: ValueId, spelling: SpellingId) {
        let body = self.current();
        self.body_mut(body).values[value.index()].spelled.push(spelling);
    }

    /// A new slot of the body that is being written.
    pub fn slot(&mut self, node: NodeId) -> SlotId {
        let body = self.current();
        let slots = &mut self.body_mut(body).slots;
        slots.push(Slot { node });
        SlotId(number(slots.len() - 1))
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        self.unit.labels += 1;
        Label(self.unit.labels - 1)
    }

    /// Starts a sequence: what is emitted goes there until [`Builder::done`].
    pub fn open(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends the sequence that was opened last.
    pub fn done(&mut self) -> Code {
        let mut parts = self.open.pop().unwrap_or_default();
        if parts.len() == 1 { parts.remove(0) } else { Code::Seq(parts) }
    }

    /// Emits code.
    pub fn emit(&mut self, code: Code) {
        if let Some(open) = self.open.last_mut() {
            open.push(code);
        }
    }

    /// An operation with a number of its own.
    pub fn op(&mut self, node: NodeId, does: Does, gives: Option<ValueId>, raises: bool) -> Op {
        self.unit.ops += 1;
        Op { id: OpId(self.unit.ops - 1), node, does, gives, raises }
    }

    /// Emits an operation that gives no value and cannot raise.
    pub fn act(&mut self, node: NodeId, does: Does) {
        let op = self.op(node, does, None, false);
        self.emit(Code::Do(op));
    }

    /// Emits an operation that gives no value and can raise.
    pub fn act_or_raise(&mut self, node: NodeId, does: Does) {
        let op = self.op(node, does, None, true);
        self.emit(Code::Do(op));
    }

    /// Emits an operation that gives a value, which is that of its node, and cannot raise.
    pub fn give(&mut self, node: NodeId, does: Does) -> ValueId {
        let value = self.value(node);
        let op = self.op(node, does, Some(value), false);
        self.emit(Code::Do(op));
        value
    }

    /// Emits an operation that gives a value and can raise.
    pub fn give_or_raise(&mut self, node: NodeId, does: Does) -> ValueId {
        let value = self.value(node);
        let op = self.op(node, does, Some(value), true);
        self.emit(Code::Do(op));
        value
    }

    /// Emits the mark of a node.
    pub fn mark(&mut self, node: NodeId) {
        self.act(node, Does::Mark);
    }

    /// Emits a constant.
    pub fn constant(&mut self, node: NodeId, constant: Const) -> ValueId {
        self.give(node, Does::Const(constant))
    }

    /// Emits a read.
    pub fn read(&mut self, node: NodeId, place: Place) -> ValueId {
        self.give(node, Does::Read(place))
    }

    /// Emits a write.
    pub fn write(&mut self, node: NodeId, place: Place, value: impl Into<Option<ValueId>>, how: How) {
        self.act(node, Does::Write { place, value: value.into(), how });
    }

    /// Emits a call, which can raise.
    pub fn call(&mut self, node: NodeId, callee: Callee, this: Option<ValueId>, args: Vec<Arg>) -> ValueId {
        self.give_or_raise(node, Does::Call(Call { callee, this, args, form: Form::Plain, waits: Waits::Not }))
    }

    /// Emits a call of a name that the unit does not declare.
    pub fn call_global(&mut self, node: NodeId, path: impl Into<Path>, args: &[ValueId]) -> ValueId {
        let args = args.iter().map(|&value| Arg::from(value)).collect();
        self.call(node, Callee::Global(path.into()), None, args)
    }

    /// Emits a branch.
    pub fn branch(&mut self, test: Test, yes: Code, no: Code) {
        self.emit(Code::Branch { test, yes: Box::new(yes), no: Box::new(no) });
    }

    /// Emits a way out.
    pub fn exit(&mut self, node: NodeId, to: Exit, value: impl Into<Option<ValueId>>) {
        self.emit(Code::Leave { to, value: value.into(), node });
    }

    /// Ends the sequence that was opened last as the operands of a question.
    pub fn leaf(&mut self, node: NodeId, atom: Atom) -> Test {
        Test::Leaf(Leaf { code: Box::new(self.done()), atom, node })
    }
}

impl Builder {
    /// Ends the sequence that was opened last as what runs before a test of which nothing is known.
    pub fn unknown(&mut self, node: NodeId) -> Test {
        Test::Unknown(Box::new(self.done()), node)
    }

    /// Emits a loop.
    pub fn repeat(&mut self, label: Label, test: Test, body: Code, step: Code) {
        let otherwise = Box::new(Code::nothing());
        self.emit(Code::Loop { label, test, body: Box::new(body), step: Box::new(step), otherwise });
    }

    /// Emits code that a `Break` to the label leaves.
    pub fn block(&mut self, label: Label, body: Code) {
        self.emit(Code::Block { label, body: Box::new(body) });
    }

    /// Emits `try … finally`.
    pub fn guarded(&mut self, body: Code, catch: Option<Catch>, leaving: Option<(When, Code)>) {
        let leaving = leaving.map(|(when, code)| (when, Box::new(code)));
        self.emit(Code::Guarded { body: Box::new(body), catch, leaving });
    }
}

impl From<ValueId> for Arg {
    fn from(value: ValueId) -> Arg {
        Arg { value, spread: false, used: Used::Unknown }
    }
}

/// An index as the number of an id. No source is so large that it does not fit.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
