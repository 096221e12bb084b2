//! Calls: what is called, on what, with what, and what the language's own library does then.

use super::chains::Reached;
use super::library::{self, Changes, Named};
use super::{Lowering, global};
use crate::languages::Waits as Waiting;
use crate::languages::typescript::{access, shape, waits};
use crate::tree::NodeId;
use factgate_ir::{
    Arg, BodyKind, Call, Callee, Copied, Does, Exit, Forget, Form, Given, Holds, How, Key, Name, Path, Place, Runs,
    Step, Sym, This, Times, Used, ValueId, Var, VarId, Waits,
};

/// How a function is called through one of its own methods.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    Call,
    Apply,
    Bind,
}

/// Whether something is a function for sure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    Surely,
    Perhaps,
}

impl<'t> Lowering<'t> {
    /// A call of what was reached.
    pub(super) fn call(&mut self, call: NodeId, reached: Reached) -> Reached {
        if let Some(through) = self.through(&reached) {
            return self.call_through(call, reached, through);
        }
        self.plain_call(call, reached)
    }

    fn plain_call(&mut self, call: NodeId, reached: Reached) -> Reached {
        let named = match &reached.member {
            Some((_, Step::Member(Name::Text(_)))) => self.method_name(call).map_or(Named::Other, Named::Method),
            _ => Named::Other,
        };
        let args = self.arguments(call, named);
        let (callee, this) = match &reached.member {
            Some((object, Step::Member(name))) => {
                let callee = Callee::Member { object: *object, name: name.clone(), function: reached.value };
                (callee, Some(*object))
            }
            Some((object, _)) => (Callee::Value(reached.value), Some(*object)),
            None => (Callee::Value(reached.value), None),
        };
        let receiver = this.filter(|_| named.changes_receiver());
        let value = self.called(call, callee, this, args, Form::Plain);
        if let Some(receiver) = receiver {
            self.change_elements(call, receiver);
        }
        self.called_for_good(call);
        Reached { node: call, value, member: None }
    }

    /// The text of the member that a call calls.
    fn method_name(&self, call: NodeId) -> Option<&'t str> {
        let callee = shape::bare(self.tree, self.tree.child(call, "function")?);
        self.tree.child(callee, "property").map(|property| self.text(property))
    }

    /// A call of a name that the tree does not declare.
    pub(super) fn global_call(&mut self, call: NodeId, path: Path) -> Reached {
        let names: Vec<&str> = path.0.iter().map(Sym::as_str).collect();
        let named = if names.len() == 2 { self.named(call) } else { Named::Other };
        let is_eval = names == ["eval"];
        let args = self.arguments(call, named);
        let apply =
            matches!(names[..], ["Reflect", "apply"]).then(|| args.iter().map(|arg| arg.value).collect::<Vec<_>>());
        let value = match apply.as_deref() {
            Some(&[function, this, list]) => {
                let args = vec![Arg { value: list, spread: true, used: Used::Unknown }];
                self.called(call, Callee::Value(function), Some(this), args, Form::Plain)
            }
            _ => {
                let values: Vec<_> = args.iter().map(|arg| (arg.value, arg.spread)).collect();
                let value = self.called(call, Callee::Global(path), None, args, Form::Plain);
                self.library_changes(call, named, &values).unwrap_or(value)
            }
        };
        if is_eval {
            self.b.act_or_raise(call, Does::Forget(Forget::Everything));
        }
        self.called_for_good(call);
        Reached { node: call, value, member: None }
    }

    /// Emits a call, its mark, and what is not known behind it.
    fn called(&mut self, call: NodeId, callee: Callee, this: Option<ValueId>, args: Vec<Arg>, form: Form) -> ValueId {
        let is_tag = self.tree.child(call, "arguments").is_some_and(|list| self.kind(list) != "arguments");
        let form = if is_tag { Form::Tag } else { form };
        let waits = self.waits(call, &args);
        let value = self.b.give_or_raise(call, Does::Call(Call { callee, this, args, form, waits }));
        self.mark(call);
        self.forget_names(call);
        value
    }

    /// In a `with`, a name may be a member and a member a name.
    pub(super) fn forget_names(&mut self, node: NodeId) {
        if self.frame().with > 0 {
            self.b.act(node, Does::Forget(Forget::Everything));
        }
    }

    /// Who waits for a call. A function that it runs for each of a list is waited for by its own place.
    fn waits(&self, call: NodeId, args: &[Arg]) -> Waits {
        let arguments = shape::arguments(self.tree, call);
        let runs = args.iter().position(|arg| matches!(arg.used, Used::Runs(_)));
        let node = runs.and_then(|at| arguments.get(at).copied()).unwrap_or(call);
        match waits::waits(self.tree, node) {
            Waiting::At(node) => Waits::At(node),
            Waiting::UnlessAnother(node) => Waits::UnlessAnother(node),
            Waiting::Returned => Waits::Returned,
            Waiting::Not => Waits::Not,
        }
    }

    /// A call that ends the program: what is around it counts as reached all the same, so that who looks for
    /// `process.exit(1);` finds it on the path.
    fn called_for_good(&mut self, call: NodeId) {
        let Some(callee) = self.tree.child(call, "function").and_then(|callee| access::access(self.tree, callee))
        else {
            return;
        };
        let mut path = vec![self.text(callee.root)];
        for property in &callee.path {
            let Some(property) = property else { return };
            path.push(property);
        }
        if !library::ends_program(&path) || !self.is_global(callee.root) {
            return;
        }
        let is_around = |kind: &str| {
            shape::is_wrapper(kind) || matches!(kind, "await_expression" | "expression_statement" | "return_statement")
        };
        let around: Vec<_> = self.tree.ancestors(call).take_while(|&above| is_around(self.kind(above))).collect();
        for above in around {
            self.b.mark(above);
            self.marked.insert(above);
        }
        self.b.exit(call, Exit::Never, None);
    }

    /// `super(…)`: the base makes `this`, then come the fields, then the members that are parameters.
    pub(super) fn super_call(&mut self, base: NodeId, call: NodeId) -> Reached {
        self.mark(base);
        let args = self.arguments(call, Named::Other);
        let made = self.called(call, Callee::Make, None, args, Form::Plain);
        self.quiet_call(call, Callee::Fields, Some(made), Vec::new());
        let members = self.frames.iter().rev().find(|frame| !frame.members.is_empty());
        for parameter in members.map(|frame| frame.members.clone()).unwrap_or_default() {
            self.parameter_member(parameter);
        }
        Reached { node: call, value: made, member: None }
    }

    /// `super.m(…)`
    pub(super) fn super_method_call(&mut self, call: NodeId, name: Name) -> Reached {
        let args = self.arguments(call, Named::Other);
        let this = self.b.give(call, Does::Given(Given::This));
        let value = self.called(call, Callee::Super(name), Some(this), args, Form::Plain);
        Reached { node: call, value, member: None }
    }

    /// `new C(…)`
    pub(super) fn construction(&mut self, node: NodeId) -> ValueId {
        let Some(constructor) = self.tree.child(node, "constructor") else {
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        let bare = shape::bare(self.tree, constructor);
        let is_global = self.kind(bare) == "identifier" && self.is_global(bare);
        let (callee, named) = if is_global {
            self.mark(constructor);
            (Callee::Global(global(self.text(bare))), Named::New(self.text(bare)))
        } else {
            (Callee::Value(self.value(constructor)), Named::Other)
        };
        let args = self.arguments(node, named);
        self.called(node, callee, None, args, Form::New)
    }

    /// The arguments in order. A spread is a list of what its iteration gives.
    fn arguments(&mut self, call: NodeId, named: Named<'_>) -> Vec<Arg> {
        let template = self.tree.child(call, "arguments").filter(|&list| self.kind(list) == "template_string");
        if let Some(template) = template {
            return self.tag_arguments(template);
        }
        let arguments = shape::arguments(self.tree, call).into_iter().enumerate();
        arguments.map(|(index, argument)| self.argument(argument, named.used(index))).collect()
    }

    fn argument(&mut self, argument: NodeId, used: Used) -> Arg {
        if self.kind(argument) != "spread_element" {
            let value = self.value(argument);
            return Arg { value, spread: false, used };
        }
        let from = shape::operand(self.tree, argument);
        let value = match from {
            Some(inner) => {
                let inner = self.value(inner);
                self.collected(argument, inner)
            }
            None => self.unknown(argument),
        };
        self.mark(argument);
        Arg { value, spread: true, used: Used::Unknown }
    }

    /// The strings of a template, which are the same each time, and what stands between them.
    fn tag_arguments(&mut self, template: NodeId) -> Vec<Arg> {
        let strings = self.constant(template, factgate_ir::Const::Other(Sym::from(self.tree.render(template))));
        let mut args = vec![Arg::from(strings)];
        for part in self.tree.children(template).collect::<Vec<_>>() {
            if let Some(inner) = shape::operand(self.tree, part).filter(|_| self.kind(part) == "template_substitution")
            {
                args.push(Arg::from(self.value(inner)));
                self.mark(part);
            }
        }
        self.mark(template);
        args
    }

    /// `f.call(…)`, `f.apply(…)`, `f.bind(…)`
    fn through(&self, reached: &Reached) -> Option<(Through, Function)> {
        let Some((_, Step::Member(Name::Text(name)))) = &reached.member else { return None };
        let through = match name.as_str() {
            "call" => Through::Call,
            "apply" => Through::Apply,
            "bind" => Through::Bind,
            _ => return None,
        };
        let object = shape::bare(self.tree, self.tree.child(reached.node, "object")?);
        let surely = shape::is_function(self.kind(object)) || self.names_function(object);
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
                let object = self.tree.child(node, "object").and_then(|object| self.tree.child(object, "property"));
                object.is_some_and(|property| self.text(property) == "prototype")
            }
            _ => false,
        }
    }

    fn call_through(&mut self, call: NodeId, reached: Reached, how: (Through, Function)) -> Reached {
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
            let value = lowering.applied(call, function, how.0, args);
            lowering.b.mark(call);
            lowering.set_slot(call, slot, value);
        });
        self.b.branch(test, of_member, of_function);
        let value = self.read_slot(call, slot);
        Reached { node: call, value, member: None }
    }

    fn called_through(&mut self, call: NodeId, reached: Reached, through: Through) -> Reached {
        let Some((function, _)) = reached.member else { return self.plain_call(call, reached) };
        let args = self.arguments(call, Named::Other);
        let value = self.applied(call, function, through, args);
        self.mark(call);
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

    /// Some elements of a list, map or set get other values.
    fn change_elements(&mut self, node: NodeId, object: ValueId) {
        let key = self.unknown(node);
        self.b.write(node, Place::of(object, Step::at(Key::Number, key)), None, How::Assign);
    }

    /// What a function of `Object` or `Reflect` does to its first argument, and that argument where the call gives it.
    fn library_changes(&mut self, call: NodeId, named: Named<'_>, args: &[(ValueId, bool)]) -> Option<ValueId> {
        let changes = named.changes()?;
        let &(object, spread) = args.first()?;
        let nodes = shape::arguments(self.tree, call);
        let others = &args[1..];
        if spread || others.iter().any(|&(_, spread)| spread) {
            self.b.act(call, Does::Forget(Forget::Everything));
            return None;
        }
        let step = nodes.get(1).zip(others.first()).map(|(&node, &(value, _))| self.step_of_argument(node, value));
        match (changes, step) {
            (Changes::Assign, _) => {
                for &(from, _) in others {
                    let but = Vec::new();
                    self.b.act(call, Does::Copy(Copied { from, into: object, but, how: How::Assign }));
                }
                return Some(object);
            }
            (Changes::Set, Some(step)) => {
                let value = others.get(1).map(|&(value, _)| value);
                self.b.write(call, Place::of(object, step), value, How::Assign);
            }
            (Changes::Delete, Some(step)) => self.b.write(call, Place::of(object, step), None, How::Delete),
            (Changes::Define, Some(step)) => {
                self.define(call, object, step, nodes.get(2).copied().zip(others.get(1).map(|&(value, _)| value)));
                return Some(object);
            }
            _ => {
                self.b.write(call, Place::of(object, Step::Any), None, How::Assign);
                return (changes != Changes::Delete && changes != Changes::Set).then_some(object);
            }
        }
        None
    }

    /// `Object.defineProperty(o, k, { get, set, value })`
    fn define(&mut self, call: NodeId, object: ValueId, step: Step, descriptor: Option<(NodeId, ValueId)>) {
        let place = Place::of(object, step);
        let literal = descriptor.filter(|&(node, _)| self.kind(shape::bare(self.tree, node)) == "object");
        let Some((node, value)) = literal else {
            // It may be an accessor, and what it runs is not known.
            return self.b.write(call, place, None, How::Assign);
        };
        for (name, how) in [("value", How::Init), ("get", How::Getter), ("set", How::Setter)] {
            if self.has_property(shape::bare(self.tree, node), name) {
                let part = self.b.read(call, Place::of(value, Name::text(name)));
                self.b.write(call, place.clone(), part, how);
            }
        }
    }

    fn has_property(&self, literal: NodeId, name: &str) -> bool {
        self.tree.children(literal).any(|child| {
            let key = self.tree.child(child, "key").or_else(|| self.tree.child(child, "name")).unwrap_or(child);
            self.text(key) == name
        })
    }

    /// When a function runs that is made where it is handed to a call or called: `None` where it may be kept.
    pub(super) fn runs_here(&self, function: NodeId) -> Option<Times> {
        let mut inner = function;
        let above = loop {
            let above = self.tree.parent(inner)?;
            if !shape::is_wrapper(self.kind(above)) {
                break above;
            }
            inner = above;
        };
        if self.kind(above) == "call_expression" && self.tree.child(above, "function") == Some(inner) {
            return Some(Times::Once);
        }
        let list = (self.kind(above) == "arguments").then_some(above)?;
        let call = self.tree.parent(list)?;
        let index = shape::arguments(self.tree, call).iter().position(|&argument| argument == inner)?;
        match self.named(call).used(index) {
            Used::Runs(times) => Some(times),
            _ => None,
        }
    }

    /// What a call or `new` names.
    pub(super) fn named(&self, call: NodeId) -> Named<'t> {
        let callee = self.tree.child(call, "function").or_else(|| self.tree.child(call, "constructor"));
        let Some(callee) = callee.map(|callee| shape::bare(self.tree, callee)) else { return Named::Other };
        if self.kind(call) == "new_expression" {
            let is_global = self.kind(callee) == "identifier" && self.is_global(callee);
            return if is_global { Named::New(self.text(callee)) } else { Named::Other };
        }
        let (Some(object), Some(property)) = (self.tree.child(callee, "object"), self.tree.child(callee, "property"))
        else {
            return Named::Other;
        };
        let is_global = library::names_function(self.tree, callee) && self.is_global(object);
        if is_global { Named::Path(self.text(object), self.text(property)) } else { Named::Method(self.text(property)) }
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
