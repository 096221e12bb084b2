//! Functions: their parameters and bodies.

use super::library::Named;
use super::spell::Taken;
use super::{Frame, Lowering};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{
    Body, BodyId, BodyKind, Callee, Catch, ClassId, Code, Does, Exit, Given, How, Name, Place, This, VarId,
};

impl<'t> Lowering<'t> {
    /// Lowers a function into a body of its own.
    pub(super) fn function(&mut self, node: NodeId) -> BodyId {
        let this = if self.kind(node) == "arrow_function" { This::Outer } else { This::Given };
        self.body(node, this, None)
    }

    /// Lowers a function whose `this` and class are known. The constructor of a class without a base starts with its
    /// fields.
    pub(super) fn body(&mut self, node: NodeId, this: This, class: Option<(ClassId, Derived)>) -> BodyId {
        let (is_async, is_generator) = (shape::is_async(self.tree, node), shape::is_generator(self.tree, node));
        let kind = match (is_async, is_generator) {
            (false, false) => BodyKind::Plain,
            (true, false) => BodyKind::Async,
            (false, true) => BodyKind::Generator,
            (true, true) => BodyKind::AsyncGenerator,
        };
        let body = self.b.enter(node, kind, this);
        self.bodies.insert(node, body);
        self.frames.push(Frame { is_async, is_generator, ..Frame::default() });
        self.b.body_mut(body).class = class.map(|(class, _)| class);
        self.own_name(node);
        let members = self.parameter_members(node, this);
        if let (This::Made, Some((_, derived))) = (this, class) {
            self.made(node, derived, members);
        }
        self.parameters(node);
        if let (This::Made, Some((_, Derived::No))) = (this, class) {
            for member in std::mem::take(&mut self.frame().members) {
                self.parameter_member(member);
            }
        }
        if let Some(inner) = self.tree.child(node, "body") {
            if self.is_executor(node) {
                // An error in it rejects the promise, and goes nowhere else.
                let body = self.apart(|lowering| lowering.function_body(inner));
                let value = self.b.value(node);
                let catch = Catch { value: Some(value), code: Box::new(Code::nothing()) };
                self.b.guarded(body, Some(catch), None);
            } else {
                self.function_body(inner);
            }
        }
        self.frames.pop();
        self.b.leave()
    }

    /// Whether a function is the one that `new Promise` runs.
    fn is_executor(&self, function: NodeId) -> bool {
        let call = self.tree.parent(function).and_then(|list| self.tree.parent(list));
        let first = call.and_then(|call| shape::arguments(self.tree, call).first().copied());
        first == Some(function) && call.is_some_and(|call| matches!(self.named(call), Named::New("Promise")))
    }

    /// The name of a function expression is a variable of the function that holds it.
    fn own_name(&mut self, node: NodeId) {
        if !matches!(self.kind(node), "function_expression" | "generator_function") {
            return;
        }
        if let Some(var) = self.tree.child(node, "name").and_then(|name| self.var_of(name)) {
            let itself = self.b.give(node, Does::Given(Given::Function));
            self.b.write(node, Place::var(var), itself, How::Declare);
        }
    }

    /// The start of a constructor. In a class with a base there is no `this` before `super(…)`.
    fn made(&mut self, node: NodeId, derived: Derived, members: Vec<NodeId>) {
        self.frame().members = members;
        if derived == Derived::No {
            let this = self.b.give(node, Does::Given(Given::This));
            self.quiet_call(node, Callee::Fields, Some(this), Vec::new());
        }
    }

    /// The parameters of a constructor that are members.
    fn parameter_members(&self, node: NodeId, this: This) -> Vec<NodeId> {
        if this != This::Made {
            return Vec::new();
        }
        let is_member = |&parameter: &NodeId| {
            let words = ["accessibility_modifier", "override_modifier", "readonly"];
            words.iter().any(|word| self.tree.has_child(parameter, word))
        };
        shape::parameters(self.tree, node).into_iter().filter(is_member).collect()
    }

    fn parameters(&mut self, node: NodeId) {
        let parameters: Vec<_> =
            shape::parameters(self.tree, node).into_iter().filter(|&one| !self.is_this(one)).collect();
        let mut given = Vec::new();
        // The arguments go to the parameters first, and are taken apart then, in order.
        for &parameter in &parameters {
            given.push(self.parameter(parameter));
        }
        for (parameter, var) in parameters.into_iter().zip(given) {
            self.settle_parameter(parameter, var);
        }
    }

    /// `this: T` is a type.
    fn is_this(&self, parameter: NodeId) -> bool {
        let target = shape::target_and_default(self.tree, parameter).0;
        target.is_some_and(|target| self.kind(target) == "this")
    }

    /// The variable that gets an argument.
    fn parameter(&mut self, parameter: NodeId) -> VarId {
        let body = self.b.current();
        let (target, _) = shape::target_and_default(self.tree, parameter);
        let rest = target.filter(|&target| self.kind(target) == "rest_pattern");
        let inner = rest.and_then(|rest| self.tree.children(rest).find(|&child| self.kind(child) != "..."));
        let name = inner.or(target).filter(|&name| matches!(self.kind(name), "identifier" | "undefined"));
        let var = match name.and_then(|name| self.var_of(name)) {
            Some(var) => var,
            None => self.b.var("", parameter),
        };
        let Body { params, rest: rest_of, .. } = self.b.body_mut(body);
        if rest.is_some() {
            *rest_of = Some(var);
        } else {
            params.push(var);
        }
        var
    }

    /// What the language does with an argument: its default, its parts.
    fn settle_parameter(&mut self, parameter: NodeId, var: VarId) {
        let (target, default) = shape::target_and_default(self.tree, parameter);
        let Some(target) = target else { return };
        let is_rest = self.kind(target) == "rest_pattern";
        let inner = self.tree.children(target).find(|&child| is_rest && self.kind(child) != "...");
        let name = inner.unwrap_or(target);
        let is_name = matches!(self.kind(name), "identifier" | "undefined");
        if let Some(default) = default {
            let value = self.b.read(name, Place::var(var));
            let test = self.is_undefined(name, value);
            let yes = self.apart(|lowering| {
                let value = lowering.value(default);
                lowering.b.write(parameter, Place::var(var), value, How::Assign);
            });
            self.only_if(test, yes);
        }
        if is_name {
            self.mark(name);
        } else {
            let value = self.b.read(parameter, Place::var(var));
            self.bind(parameter, name, value, None::<Taken<'t>>, How::Declare);
        }
        if parameter != name {
            self.mark(parameter);
        }
    }

    fn function_body(&mut self, body: NodeId) {
        if self.kind(body) == "statement_block" {
            return self.block(body);
        }
        let value = self.value(body);
        self.b.exit(body, Exit::Return, value);
    }

    /// A body that gives the value of an expression, or runs a block, on a `this` that the call gives.
    pub(super) fn body_on(&mut self, node: NodeId, class: ClassId, lower: impl FnOnce(&mut Self)) -> BodyId {
        let body = self.b.enter(node, BodyKind::Plain, This::Given);
        self.b.body_mut(body).class = Some(class);
        self.bodies.insert(node, body);
        self.frames.push(Frame::default());
        lower(self);
        self.frames.pop();
        self.b.leave()
    }

    /// The text of a member's name.
    pub(super) fn text_name(&self, node: NodeId) -> Name {
        super::keys::named(self.text(node))
    }
}

/// Whether a class has a base.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Derived {
    No,
    Yes,
}
