//! Calls of a function through one of its own methods: `f.call(o)`, `f.apply(o, list)`, `f.bind(o)`.

use super::Lowering;
use super::calls::values_of;
use super::chains::Reached;
use super::library::Named;
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{
    Arg, BodyKind, Call, Callee, Does, Exit, Form, Holds, How, Name, Place, Runs, Step, Sym, This, Used, ValueId, Var,
    VarId,
};

/// How a function is called through one of its own methods.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    Call,
    Apply,
    Bind,
}

/// Whether something is a function for sure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Surely,
    Perhaps,
}

impl Lowering<'_> {
    /// `f.call(…)`, `f.apply(…)`, `f.bind(…)`
    pub(super) fn through(&self, reached: &Reached) -> Option<(Through, Function)> {
        let Some((_, Step::Member(Name::Text(name)))) = &reached.member else { return None };
        let through = match name.as_str() {
            "call" => Through::Call,
            "apply" => Through::Apply,
            "bind" => Through::Bind,
            _ => return None,
        };
        let object = shape::bare(self.tree, self.tree.child(reached.node, "object")?);
        let surely = shape::is_function(self.kind(object)) || self.names_function(object);
        let surely = surely || self.library_path(object, super::effects::DEPTH).is_some();
        Some((through, if surely { Function::Surely } else { Function::Perhaps }))
    }

    /// Whether an expression is a function: a name of one, or a member of a prototype.
    fn names_function(&self, node: NodeId) -> bool {
        match self.kind(node) {
            "identifier" => {
                let declared = self.scopes.binding(node).map(|id| self.scopes.get(id).declared);
                let is_declared = declared.and_then(|name| self.tree.parent(name));
                is_declared.is_some_and(|above| shape::is_function(self.kind(above)))
                    || self.declared_value(node).is_some_and(|value| shape::is_function(self.kind(value)))
            }
            "member_expression" => {
                let object = self.tree.child(node, "object");
                let is_list = object.is_some_and(|object| self.kind(object) == "array");
                let object = object.and_then(|object| self.tree.child(object, "property"));
                is_list || object.is_some_and(|property| self.text(property) == "prototype")
            }
            _ => false,
        }
    }

    pub(super) fn call_through(&mut self, call: NodeId, reached: Reached, how: (Through, Function)) -> Reached {
        if how.1 == Function::Surely {
            return self.called_through(call, reached, how.0);
        }
        // An object that has a method of that name, or a function: one way each. Its arguments are evaluated once.
        let Some((function, _)) = reached.member.clone() else { return self.plain_call(call, reached) };
        let slot = self.b.slot(call);
        let args = self.arguments(call, Named::Other);
        self.b.open();
        let test = self.b.unknown(call);
        let waits = self.waits(call, &args);
        let of_member = self.apart(|lowering| {
            let name = Self::name_of(&Step::Member(Name::text(how.0.name()))).unwrap_or(Name::Length);
            let callee = Callee::Member { object: function, name, function: reached.value };
            let called = Call { callee, this: Some(function), args: args.clone(), form: Form::Plain, waits };
            let value = lowering.b.give_or_raise(call, Does::Call(called));
            lowering.mark(call);
            lowering.set_slot(call, slot, value);
        });
        let of_function = self.apart(|lowering| {
            let values = values_of(&args);
            let value = lowering.applied(call, function, how.0, args);
            lowering.b.mark(call);
            let object = lowering.tree.child(reached.node, "object").map(|object| shape::bare(lowering.tree, object));
            lowering.changed_through(call, object, how.0, &values);
            lowering.set_slot(call, slot, value);
        });
        self.b.branch(test, of_member, of_function);
        let value = self.read_slot(call, slot);
        Reached { node: call, value, member: None }
    }

    fn called_through(&mut self, call: NodeId, reached: Reached, through: Through) -> Reached {
        let Some((function, _)) = reached.member else { return self.plain_call(call, reached) };
        let args = self.arguments(call, Named::Other);
        let values = values_of(&args);
        let value = self.applied(call, function, through, args);
        self.mark(call);
        let object = self.tree.child(reached.node, "object").map(|object| shape::bare(self.tree, object));
        self.changed_through(call, object, through, &values);
        Reached { node: call, value, member: None }
    }

    /// The function is called on the first argument, or becomes one that will be.
    fn applied(&mut self, call: NodeId, function: ValueId, through: Through, mut args: Vec<Arg>) -> ValueId {
        let waits = self.waits(call, &[]);
        let this = match args.first() {
            Some(first) if !first.spread => args.remove(0).value,
            Some(_) => self.unknown(call),
            None => self.undefined(call),
        };
        if through == Through::Bind {
            return self.bound(call, function, this, args);
        }
        if through == Through::Apply {
            args.iter_mut().for_each(|arg| arg.spread = true);
            args.truncate(1);
        }
        let callee = Callee::Value(function);
        self.b.give_or_raise(call, Does::Call(Call { callee, this: Some(this), args, form: Form::Plain, waits }))
    }

    /// What a function of the library's changes when it is called through its own method: `[].push.call(xs, 1)`,
    /// `Object.assign.call(null, m, x)`.
    fn changed_through(&mut self, call: NodeId, function: Option<NodeId>, through: Through, args: &[(ValueId, bool)]) {
        let (Some(function), Some((&(this, _), others))) = (function, args.split_first()) else { return };
        if through == Through::Bind {
            return;
        }
        let property = self.tree.child(function, "property").map_or("", |property| self.text(property));
        if Named::Method(property).changes_receiver() {
            self.change_elements(call, this);
        }
        let Some((object, name)) = self.library_path(function, super::effects::DEPTH) else { return };
        let nodes: Vec<_> = shape::arguments(self.tree, call).into_iter().skip(1).collect();
        let others: Vec<_> =
            others.iter().map(|&(value, spread)| (value, spread || through == Through::Apply)).collect();
        self.library_changes(call, Named::Path(object, name), &nodes, &others);
    }

    /// A function that calls another one on an object: `f.bind(o, a)`.
    fn bound(&mut self, node: NodeId, function: ValueId, this: ValueId, args: Vec<Arg>) -> ValueId {
        let function = self.kept(node, function);
        let this = self.kept(node, this);
        let first: Vec<_> = args.iter().map(|arg| (self.kept(node, arg.value), arg.spread)).collect();
        let body = self.b.enter(node, BodyKind::Plain, This::None);
        let rest = self.b.var("", node);
        self.b.body_mut(body).rest = Some(rest);
        let callee = self.b.read(node, Place::var(function));
        let this = self.b.read(node, Place::var(this));
        let mut args: Vec<Arg> = Vec::new();
        for (var, spread) in first {
            let value = self.b.read(node, Place::var(var));
            args.push(Arg { value, spread, used: Used::Unknown });
        }
        let value = self.b.read(node, Place::var(rest));
        args.push(Arg { value, spread: true, used: Used::Unknown });
        let value = self.b.call(node, Callee::Value(callee), Some(this), args);
        self.b.exit(node, Exit::Return, value);
        self.b.leave();
        self.b.give(node, Does::Close { body, runs: Runs::Later })
    }

    /// A value in a variable that only the lowering knows, for bodies made here.
    pub(super) fn kept(&mut self, node: NodeId, value: ValueId) -> VarId {
        let owner = self.b.current();
        let var = Var { name: Sym::from(""), node, owner, renewed: true, holds: Holds::Reference };
        let var = self.b.new_var(var);
        self.b.act(node, Does::Renew(vec![var]));
        self.b.write(node, Place::var(var), value, How::Declare);
        var
    }
}

impl Through {
    fn name(self) -> &'static str {
        match self {
            Through::Call => "call",
            Through::Apply => "apply",
            Through::Bind => "bind",
        }
    }
}
