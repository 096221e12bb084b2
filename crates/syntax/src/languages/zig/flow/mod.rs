//! Lowers Zig code to flow shapes. Statements are expressions here, so there is one recursive function, `value`, that
//! evaluates a node; what branches or leaves is in `branch`, what assigns in `assign`.
//!
//! Zig evaluates operands from left to right, an assignment's target before its value, and runs what `defer` names on
//! every way out of the block, the last one first. Errors are values: nothing raises.

mod assign;
mod branch;
mod leave;
mod switch;

use super::condition::{inner, parameters};
use crate::flow::{Called, FinallyOn, Flow, Label};
use crate::tree::{NodeId, Tree};

/// Lowers the function, test or container at `scope`, or what another node evaluates.
pub(super) fn flow(tree: &Tree, scope: NodeId) -> Flow {
    let mut lower = Lower { tree, labels: 0, targets: Vec::new(), errors: Vec::new() };
    let mut out = Vec::new();
    match tree.kind(scope) {
        "function_declaration" | "test_declaration" => lower.body(scope, &mut out),
        _ => lower.value(scope, &mut out),
    }
    Flow::Seq(out)
}

/// One lowering.
struct Lower<'t> {
    tree: &'t Tree,
    labels: u32,
    targets: Vec<Target<'t>>,
    /// Captures that hold an error: `catch |e|`, `else |e|`, `errdefer |e|`.
    errors: Vec<&'t str>,
}

/// What a `break` or `continue` can name, innermost last.
struct Target<'t> {
    label: Label,
    name: Option<&'t str>,
    kind: TargetKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Loop,
    /// A labelled block or switch: only a labelled `break` leaves it.
    Named,
}

impl<'t> Lower<'t> {
    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind(node)
    }

    fn eval(&self, node: NodeId, out: &mut Vec<Flow>) {
        out.push(Flow::Eval { node, raises: false });
    }

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// What a node evaluates, as a flow of its own.
    fn flow_of(&mut self, node: NodeId) -> Flow {
        let mut out = Vec::new();
        self.value(node, &mut out);
        Flow::Seq(out)
    }

    /// Parameters, then the body.
    fn body(&mut self, function: NodeId, out: &mut Vec<Flow>) {
        for target in parameters(self.tree, function) {
            let node = self.tree.parent(target).unwrap_or(function);
            out.push(Flow::Write { node, target, value: None });
        }
        let body = self.tree.child_of_kind(function, "block");
        body.into_iter().for_each(|body| self.value(body, out));
    }

    /// Evaluates a node: its operands, then the node itself; a compound is evaluated where it is entered.
    fn value(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.value_here(node, out));
    }

    fn value_here(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        match self.kind(node) {
            "block" => {
                self.eval(node, out);
                let statements: Vec<NodeId> = self.tree.children(node).collect();
                self.statements(&statements, out);
            }
            "labeled_statement" => self.labelled(node, out),
            "if_expression" => self.if_expression(node, out),
            "while_expression" => self.while_loop(node, None, out),
            "for_expression" => self.for_loop(node, None, out),
            "switch_expression" => self.switch(node, None, out),
            "logical_expression" => self.logical(node, out),
            "binary_expression" if self.tree.has_child(node, "orelse") => self.orelse(node, out),
            "catch_expression" => self.catch(node, out),
            "try_expression" => self.try_expression(node, out),
            "null_coercion_expression" => self.unwrapped(node, out),
            "return_expression" => self.return_expression(node, out),
            "break_expression" | "continue_expression" => self.jump(node, out),
            "call_expression" | "builtin_function" => self.call(node, out),
            "unreachable" => self.never(node, out),
            "variable_declaration" => self.declaration(node, out),
            "assignment_expression" => self.assignment(node, out),
            "asm_output_item" => self.asm_output(node, out),
            "await_expression" | "suspend_statement" => self.suspend(node, out),
            "function_declaration" | "test_declaration" => self.closure(node, out),
            "defer_statement" | "errdefer_statement" => self.statements(&[node], out),
            "error_type" | "error_set_declaration" => self.eval(node, out),
            "field_expression" | "field_initializer" | "container_field" | "parameter" => {
                let parts = ["object", "type", "value"].into_iter().filter_map(|field| self.tree.child(node, field));
                parts.collect::<Vec<_>>().into_iter().for_each(|part| self.value(part, out));
                self.field_default(node, out);
                self.eval(node, out);
            }
            kind if is_word(kind) => {}
            _ => {
                self.operands(node, out);
                self.eval(node, out);
            }
        }
    }

    fn operands(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        self.tree.children(node).for_each(|child| self.value(child, out));
    }

    /// The type of a tuple's field, and a field's default.
    fn field_default(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        if self.kind(node) == "container_field" {
            let rest = self.tree.children(node).filter(|&child| self.tree.field(child).is_none());
            rest.collect::<Vec<_>>().into_iter().for_each(|part| self.value(part, out));
        }
    }

    /// Statements of a block. What follows a `defer` is protected by it.
    fn statements(&mut self, statements: &[NodeId], out: &mut Vec<Flow>) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            for (at, &statement) in statements.iter().enumerate() {
                let on = match self.kind(statement) {
                    "defer_statement" => FinallyOn::Every,
                    "errdefer_statement" => FinallyOn::Error,
                    _ => {
                        self.value(statement, out);
                        continue;
                    }
                };
                self.eval(statement, out);
                let mut body = Vec::new();
                self.statements(&statements[at + 1..], &mut body);
                let finally = Some(Box::new(self.deferred(statement)));
                out.push(Flow::Protected { body: Box::new(Flow::Seq(body)), catch: None, finally, on });
                return;
            }
        });
    }

    fn deferred(&mut self, statement: NodeId) -> Flow {
        let mut out = Vec::new();
        let known = self.errors.len();
        if let Some(payload) = self.tree.child_of_kind(statement, "payload") {
            self.capture(payload, &mut out);
            self.hold_error(payload);
        }
        self.operands(statement, &mut out);
        self.errors.truncate(known);
        Flow::Seq(out)
    }

    /// A function of a container that is declared in running code: nobody calls it here.
    fn closure(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        let targets = std::mem::take(&mut self.targets);
        let errors = std::mem::take(&mut self.errors);
        let mut body = Vec::new();
        self.body(node, &mut body);
        (self.targets, self.errors) = (targets, errors);
        self.eval(node, out);
        out.push(Flow::Closure { node, body: Box::new(Flow::Seq(body)), called: Called::Later });
    }

    fn suspend(&mut self, node: NodeId, out: &mut Vec<Flow>) {
        match self.kind(node) {
            "await_expression" => {
                self.operands(node, out);
                out.push(Flow::Suspend { node });
                self.eval(node, out);
            }
            _ => {
                self.eval(node, out);
                inner(self.tree, node).into_iter().for_each(|_| self.operands(node, out));
                out.push(Flow::Suspend { node });
            }
        }
    }
}

/// Tokens and other parts that evaluate nothing.
fn is_word(kind: &str) -> bool {
    let named = matches!(kind, "null" | "undefined" | "anyframe");
    let grammar_word = kind.bytes().all(|byte| byte.is_ascii_lowercase());
    let keyword = grammar_word && !named && !LEAVES.contains(&kind);
    let sign = !kind.bytes().any(|byte| byte.is_ascii_alphabetic());
    keyword || sign || matches!(kind, "payload" | "block_label" | "break_label" | "calling_convention")
}

/// Kinds of one word that are operands or nodes of their own, not keywords.
const LEAVES: [&str; 8] =
    ["identifier", "integer", "float", "string", "character", "boolean", "arguments", "parameters"];
