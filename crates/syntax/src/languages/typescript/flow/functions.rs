//! Functions: their parameters and bodies, and whether they are called where they are made.

use super::{Lowering, Out};
use crate::flow::{Called, FinallyOn, Flow};
use crate::languages::typescript::shape;
use crate::tree::NodeId;

impl Lowering<'_> {
    /// A function that is made here and may be called at any later time.
    pub(super) fn closure(&mut self, node: NodeId, out: &mut Out) {
        let body = self.function(node, &[]);
        out.push(Flow::Closure { node, body: Box::new(body), called: Called::Later });
        self.eval(node, out);
    }

    /// The parameters and the body of a function. `arguments` are the values of its first parameters, where they are
    /// known.
    pub(super) fn function(&mut self, function: NodeId, arguments: &[NodeId]) -> Flow {
        let parameters = shape::parameters(self.tree, function);
        self.scope_apart(|lowering, out| {
            for (index, &parameter) in parameters.iter().enumerate() {
                lowering.parameter(parameter, arguments.get(index).copied(), out);
            }
            if let Some(body) = lowering.tree.child(function, "body") {
                lowering.body(body, out);
            }
        })
    }

    /// A flow that no `break` or `continue` leaves.
    pub(super) fn scope_apart(&mut self, lower: impl FnOnce(&mut Self, &mut Out)) -> Flow {
        let targets = std::mem::take(&mut self.targets);
        let pending = std::mem::take(&mut self.pending);
        let flow = self.apart(lower);
        self.targets = targets;
        self.pending = pending;
        flow
    }

    fn body(&mut self, body: NodeId, out: &mut Out) {
        if self.kind(body) == "statement_block" {
            self.block(body, out);
        } else {
            self.value(body, out);
        }
    }

    fn parameter(&mut self, parameter: NodeId, argument: Option<NodeId>, out: &mut Out) {
        self.bind_or_default(parameter, parameter, argument, out);
        if matches!(self.kind(parameter), "required_parameter" | "optional_parameter" | "assignment_pattern") {
            self.eval(parameter, out);
        }
    }

    /// The function whose whole body a call runs before anything behind the call: a function expression that is
    /// called where it stands. Not a generator (the call runs nothing of it), not an async function that can be
    /// suspended while nobody waits for it, and not one that knows its own name and can be called again.
    pub(super) fn called_on_the_spot(&self, call: NodeId) -> Option<NodeId> {
        if self.kind(call) != "call_expression" || shape::is_optional(self.tree, call) {
            return None;
        }
        let callee = shape::bare(self.tree, self.tree.child(call, "function")?);
        let function = if shape::is_function(self.kind(callee)) { callee } else { self.through_call_method(callee)? };
        let once = !shape::is_generator(self.tree, function) && !self.knows_itself(function);
        let whole = !shape::is_async(self.tree, function) || self.is_awaited(call) || !self.suspends(function);
        (once && whole).then_some(function)
    }

    /// The function in `(function () {}).call(this)`.
    fn through_call_method(&self, callee: NodeId) -> Option<NodeId> {
        let property = self.tree.child(callee, "property").filter(|_| self.kind(callee) == "member_expression")?;
        let applied = matches!(self.tree.text(property), "call" | "apply") && !shape::is_optional(self.tree, callee);
        let function = shape::bare(self.tree, self.tree.child(callee, "object")?);
        (applied && shape::is_function(self.kind(function))).then_some(function)
    }

    fn is_awaited(&self, call: NodeId) -> bool {
        shape::wrapped_by(self.tree, call).is_some_and(|above| self.kind(above) == "await_expression")
    }

    fn knows_itself(&self, function: NodeId) -> bool {
        let Some(name) = self.tree.child(function, "name").filter(|_| self.kind(function) == "function_expression")
        else {
            return false;
        };
        let mut inside = self.tree.subtree(function).filter(|&node| node != name);
        inside.any(|node| {
            matches!(self.kind(node), "identifier" | "shorthand_property_identifier")
                && self.tree.text(node) == self.tree.text(name)
        })
    }

    /// Whether a suspension stands in a function, outside the functions in it. The function's own `async` is no
    /// suspension, a `for await` and an `await using` are.
    fn suspends(&self, function: NodeId) -> bool {
        let end = self.tree.subtree_end(function);
        let mut next = NodeId::new(function.number() + 1);
        while next < end {
            let node = next;
            let kind = self.kind(node);
            if matches!(kind, "await_expression" | "yield_expression" | "await") {
                return true;
            }
            next = if shape::is_function(kind) { self.tree.subtree_end(node) } else { NodeId::new(node.number() + 1) };
        }
        false
    }

    /// A call of the function that stands right there: the arguments, the body, then the call has its value.
    pub(super) fn call_on_the_spot(&mut self, call: NodeId, function: NodeId, out: &mut Out) {
        let callee = self.tree.child(call, "function");
        self.eval(function, out);
        let wrappers: Vec<_> = self.tree.ancestors(function).take_while(|&above| above > call).collect();
        for wrapper in wrappers {
            self.eval(wrapper, out);
        }
        self.arguments(call, out);
        let direct = callee.is_some_and(|callee| shape::bare(self.tree, callee) == function);
        let known = if direct { self.plain_arguments(call) } else { Vec::new() };
        let mut body = self.function(function, &known);
        if shape::is_async(self.tree, function) && !self.is_awaited(call) {
            // What it throws becomes a rejected promise that nobody here looks at.
            body = Flow::Protected {
                body: Box::new(body),
                catch: Some(Box::new(Flow::nothing())),
                finally: None,
                on: FinallyOn::Every,
            };
        }
        out.push(Flow::Closure { node: function, body: Box::new(body), called: Called::OnTheSpot });
        self.eval_raising(call, out);
    }

    /// The arguments that surely go to the parameters of the same position.
    fn plain_arguments(&self, call: NodeId) -> Vec<NodeId> {
        let arguments = shape::arguments(self.tree, call).into_iter();
        arguments.take_while(|&argument| self.kind(argument) != "spread_element").collect()
    }
}
