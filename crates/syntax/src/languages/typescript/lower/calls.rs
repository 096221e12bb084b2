//! Calls: what is called, on what, with what.

use super::chains::Reached;
use super::library::{self, Named};
use super::{Lowering, global};
use crate::languages::typescript::waits::Waits as Waiting;
use crate::languages::typescript::{access, shape, waits};
use crate::tree::NodeId;
use factgate_ir::{Arg, Call, Callee, Does, Exit, Forget, Form, Given, Name, Path, Step, Sym, Used, ValueId, Waits};

impl<'t> Lowering<'t> {
    /// A call of what was reached.
    pub(super) fn call(&mut self, call: NodeId, reached: Reached) -> Reached {
        if let Some(through) = self.through(&reached) {
            return self.call_through(call, reached, through);
        }
        self.plain_call(call, reached)
    }

    pub(super) fn plain_call(&mut self, call: NodeId, reached: Reached) -> Reached {
        let member = match &reached.member {
            Some((_, Step::Member(Name::Text(name)))) => Some(name.clone()),
            _ => None,
        };
        let named = match (self.library_function(call), &member) {
            (Some((object, name)), _) => Named::Path(object, name),
            (None, Some(name)) => Named::Method(name.as_str()),
            (None, None) => Named::Other,
        };
        let args = self.arguments(call, named);
        let values = values_of(&args);
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
        let nodes = shape::arguments(self.tree, call);
        let value = self.library_changes(call, named, &nodes, &values).unwrap_or(value);
        self.called_for_good(call);
        Reached { node: call, value, member: None }
    }

    /// A call of a name that the tree does not declare.
    pub(super) fn global_call(&mut self, call: NodeId, path: Path) -> Reached {
        let names: Vec<&str> = path.0.iter().map(Sym::as_str).collect();
        let named = self.named(call);
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
                let (values, nodes) = (values_of(&args), shape::arguments(self.tree, call));
                let value = self.called(call, Callee::Global(path), None, args, Form::Plain);
                self.library_changes(call, named, &nodes, &values).unwrap_or(value)
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
    pub(super) fn waits(&self, call: NodeId, args: &[Arg]) -> Waits {
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
    pub(super) fn arguments(&mut self, call: NodeId, named: Named<'_>) -> Vec<Arg> {
        let template = self.tree.child(call, "arguments").filter(|&list| self.kind(list) == "template_string");
        if let Some(template) = template {
            return self.tag_arguments(template);
        }
        let arguments = shape::arguments(self.tree, call).into_iter().enumerate();
        let used = |lowering: &Self, index: usize, argument: NodeId| match named {
            // Whether an error in it goes out of the call, only its own place says.
            Named::New("Promise") if !shape::is_function(lowering.kind(argument)) => Used::Unknown,
            _ => named.used(index),
        };
        arguments
            .map(|(index, argument)| {
                let used = used(self, index, argument);
                self.argument(argument, used)
            })
            .collect()
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
}

/// The values of arguments, and which of them stand for several.
pub(super) fn values_of(args: &[Arg]) -> Vec<(ValueId, bool)> {
    args.iter().map(|arg| (arg.value, arg.spread)).collect()
}
