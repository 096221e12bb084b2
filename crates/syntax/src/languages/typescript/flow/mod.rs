//! Lowering of TypeScript's normal trees to flow shapes.
//!
//! Guards are decided on what stands here, so evaluation order is the language's own (ECMA-262, "Evaluation" of each
//! production): every expression is lowered after its operands, has one [`Flow::Eval`], and a short-circuit is a
//! [`Flow::Branch`]. Types have no flow. Getters, setters, iterators and conversions are taken to run no code.
//!
//! [`expressions`], [`chains`], [`truth`] and [`writes`] lower values, [`statements`] and [`loops`] statements,
//! [`functions`] and [`classes`] what makes scopes of its own.

mod chains;
mod classes;
mod expressions;
mod functions;
mod loops;
mod statements;
mod switches;
mod truth;
mod writes;

#[cfg(test)]
pub(in crate::languages::typescript) mod print;
#[cfg(test)]
mod snippets;

use super::shape;
use crate::condition::{Condition, Operand, Sameness};
use crate::flow::{Exit, Flow, Label, Test};
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};
use std::cell::OnceCell;

/// What a lowering writes to: flows in evaluation order.
type Out = Vec<Flow>;

/// Lowers a function's parameters and body; or, of anything else, what it evaluates.
pub(super) fn lower(tree: &Tree, scope: NodeId) -> Flow {
    let mut lowering =
        Lowering { tree, next_label: 0, targets: Vec::new(), pending: Vec::new(), scopes: OnceCell::new() };
    let mut out = Out::new();
    match shape::function_of(tree, scope) {
        Some(function) => {
            lowering.wrappers(scope, function, &mut out);
            out.push(lowering.function(function, &[]));
        }
        None => lowering.anything(scope, &mut out),
    }
    Flow::Seq(out)
}

/// The state of one lowering.
struct Lowering<'t> {
    tree: &'t Tree,
    next_label: u32,
    /// What `break` and `continue` can leave in the function at hand, innermost last.
    targets: Vec<Target<'t>>,
    /// The labels in front of the statement that comes next.
    pending: Vec<&'t str>,
    /// The tree's variables, asked for only where a global could be shadowed.
    scopes: OnceCell<Scopes>,
}

/// Something that `break` or `continue` can leave.
struct Target<'t> {
    label: Label,
    names: Vec<&'t str>,
    kind: TargetKind,
    /// The `for await` whose iterator is closed, and awaited, on the way out; the word `of` where it is only closed.
    closes: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Loop,
    Switch,
    Block,
}

impl<'t> Lowering<'t> {
    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind(node)
    }

    fn new_label(&mut self) -> Label {
        self.next_label += 1;
        Label(self.next_label - 1)
    }

    /// The node has its value now.
    fn eval(&self, node: NodeId, out: &mut Out) {
        out.push(Flow::Eval { node, raises: false });
    }

    /// The node runs other code now, which can throw.
    fn eval_raising(&self, node: NodeId, out: &mut Out) {
        out.push(Flow::Eval { node, raises: true });
    }

    /// A statement around an expression is done. When the expression never comes back, the statement counts as
    /// reached all the same: whoever looks for `process.exit(1);` as a statement must find it on the path.
    fn eval_statement(&self, node: NodeId, out: &mut Out) {
        let at = match out.last() {
            Some(Flow::Leave { to: Exit::Never, .. }) => out.len() - 1,
            _ => out.len(),
        };
        out.insert(at, Flow::Eval { node, raises: false });
    }

    fn write(&self, node: NodeId, target: NodeId, value: Option<NodeId>, out: &mut Out) {
        out.push(Flow::Write { node, target, value });
        let parameters = self.parameters_behind(target).into_iter();
        out.extend(parameters.map(|target| Flow::Write { node, target, value: None }));
    }

    /// Lowers into a flow of its own.
    fn apart(&mut self, lower: impl FnOnce(&mut Self, &mut Out)) -> Flow {
        let mut out = Out::new();
        lower(self, &mut out);
        Flow::Seq(out)
    }

    fn value_apart(&mut self, node: NodeId) -> Flow {
        self.apart(|lowering, out| lowering.value(node, out))
    }

    /// Evaluates the declarations, properties and wrappers that stand between an item and its function.
    fn wrappers(&mut self, scope: NodeId, function: NodeId, out: &mut Out) {
        let between: Vec<_> = self.tree.ancestors(function).take_while(|&above| above >= scope).collect();
        for &wrapper in between.iter().rev() {
            self.eval(wrapper, out);
        }
        self.eval(function, out);
    }

    /// Lowers a node of any kind: a statement, an expression, or the parts of what is neither.
    fn anything(&mut self, node: NodeId, out: &mut Out) {
        let kind = self.kind(node);
        if shape::is_type_only(kind) {
            return;
        }
        match kind {
            "parts" | "program" => self.scope_of_statements(node, out),
            "method_definition" | "public_field_definition" | "field_definition" | "class_static_block" => {
                self.member(node, out);
            }
            "pair" | "method_signature" => self.property(node, out),
            _ if shape::is_expression(kind) => self.value(node, out),
            _ => self.statement(node, out),
        }
    }

    fn scope_of_statements(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let statements: Vec<_> = self.tree.children(node).collect();
        self.statements(&statements, out);
    }
}

/// `node` is neither `null` nor `undefined`.
fn is_there(node: NodeId) -> Test {
    let missing = Condition::Equal { left: Operand::Node(node), right: Operand::Null, sameness: Sameness::Loose };
    Test::Is { flow: Box::new(Flow::nothing()), condition: Condition::Not(Box::new(missing)), node }
}

/// `node` is `undefined`, so that its default is taken.
fn is_undefined(node: NodeId) -> Test {
    let condition =
        Condition::Equal { left: Operand::Node(node), right: Operand::Undefined, sameness: Sameness::Strict };
    Test::Is { flow: Box::new(Flow::nothing()), condition, node }
}

/// Nothing is learnt.
fn unknown(node: NodeId) -> Test {
    Test::Unknown { flow: Box::new(Flow::nothing()), node }
}

fn branch(test: Test, yes: Flow, no: Flow) -> Flow {
    Flow::Branch { test, yes: Box::new(yes), no: Box::new(no) }
}

/// Runs `work` with enough stack, however deep the source nests.
fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, work)
}
