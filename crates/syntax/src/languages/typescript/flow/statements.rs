//! Statements, and the order in which a block runs them.

use super::{Lowering, Out, Target, TargetKind, branch, with_stack};
use crate::flow::{Exit, FinallyOn, Flow};
use crate::languages::typescript::shape;
use crate::tree::NodeId;

impl<'t> Lowering<'t> {
    /// A block: entered, then its statements.
    pub(super) fn block(&mut self, block: NodeId, out: &mut Out) {
        self.eval(block, out);
        let statements: Vec<_> = self.tree.children(block).collect();
        self.statements(&statements, out);
    }

    /// Statements of one block: function declarations first (they are hoisted), then the others in order.
    pub(super) fn statements(&mut self, statements: &[NodeId], out: &mut Out) {
        self.hoisted(statements, out);
        self.in_order(statements, out);
    }

    /// The function declarations among a block's statements.
    pub(super) fn hoisted(&mut self, statements: &[NodeId], out: &mut Out) {
        for &statement in statements {
            if let Some(function) = self.hoisted_function(statement) {
                self.closure(function, out);
                if let Some(name) = self.tree.child(function, "name") {
                    self.bind(function, name, None, out);
                }
                if function != statement {
                    self.eval(statement, out);
                }
            }
        }
    }

    fn hoisted_function(&self, statement: NodeId) -> Option<NodeId> {
        match self.kind(statement) {
            kind if shape::is_function_declaration(kind) => Some(statement),
            "export_statement" => {
                self.tree.child(statement, "declaration").and_then(|inner| self.hoisted_function(inner))
            }
            _ => None,
        }
    }

    pub(super) fn in_order(&mut self, statements: &[NodeId], out: &mut Out) {
        for (index, &statement) in statements.iter().enumerate() {
            if self.hoisted_function(statement).is_some() {
                continue;
            }
            self.statement(statement, out);
            if shape::is_awaited_using(self.tree, statement) {
                // The resource is disposed of, and waited for, on every way out of the block.
                let body = with_stack(|| self.apart(|lowering, out| lowering.in_order(&statements[index + 1..], out)));
                out.push(Flow::Protected {
                    body: Box::new(body),
                    catch: None,
                    finally: Some(Box::new(Flow::Suspend { node: statement })),
                    on: FinallyOn::Every,
                });
                return;
            }
        }
    }

    /// One statement.
    pub(super) fn statement(&mut self, node: NodeId, out: &mut Out) {
        with_stack(|| self.statement_here(node, out));
    }

    fn statement_here(&mut self, node: NodeId, out: &mut Out) {
        let kind = self.kind(node);
        match kind {
            _ if shape::is_type_only(kind) => {}
            _ if shape::is_variable_declaration(kind) => self.declaration(node, out),
            _ if shape::is_class(kind) => self.class_declaration(node, out),
            _ if shape::is_function_declaration(kind) => self.hoisted(&[node], out),
            "statement_block" => self.block(node, out),
            "if_statement" => self.if_statement(node, out),
            "for_statement" | "for_in_statement" | "while_statement" | "do_statement" => self.loop_statement(node, out),
            "switch_statement" => self.switch_statement(node, out),
            "try_statement" => self.try_statement(node, out),
            "labeled_statement" => self.labeled_statement(node, out),
            "break_statement" | "continue_statement" => self.jump(node, out),
            "return_statement" => self.leave_function(node, Exit::Return, out),
            "throw_statement" => self.leave_function(node, Exit::Throw, out),
            "export_statement" | "ambient_declaration" => self.inner_statements(node, out),
            "module" | "internal_module" => self.namespace(node, out),
            "enum_declaration" => self.enumeration(node, out),
            "with_statement" => self.with_statement(node, out),
            _ => self.simple(node, out),
        }
    }

    /// An expression statement, or anything else that only evaluates its parts.
    fn simple(&mut self, node: NodeId, out: &mut Out) {
        if let Some(namespace) = self.tree.child_of_kind(node, "internal_module") {
            self.namespace(namespace, out);
        }
        self.parts(node, out);
        self.eval_statement(node, out);
    }

    fn declaration(&mut self, node: NodeId, out: &mut Out) {
        let keyword = if self.kind(node) == "variable_declaration" { "var" } else { "let" };
        let tree = self.tree;
        for part in tree.children(node).filter(|&part| tree.kind(part) == "variable_declarator") {
            self.declarator(part, keyword, out);
        }
        self.eval_statement(node, out);
    }

    fn class_declaration(&mut self, node: NodeId, out: &mut Out) {
        self.class(node, out);
        if let Some(name) = self.tree.child(node, "name") {
            self.eval(name, out);
            self.write(node, name, None, out);
        }
    }

    fn if_statement(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let Some(condition) = self.tree.child(node, "condition") else { return };
        let test = self.test(condition);
        let yes = self.optional_statement(self.tree.child(node, "consequence"));
        let no = self.optional_statement(self.tree.child(node, "alternative"));
        out.push(branch(test, yes, no));
    }

    pub(super) fn optional_statement(&mut self, node: Option<NodeId>) -> Flow {
        match node {
            Some(node) if matches!(self.kind(node), "else_clause" | "finally_clause") => {
                self.apart(|lowering, out| lowering.inner_statements(node, out))
            }
            Some(node) => self.apart(|lowering, out| lowering.statement(node, out)),
            None => Flow::nothing(),
        }
    }

    /// Something around statements or one expression: `else`, `finally`, `export`, `declare`.
    fn inner_statements(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let tree = self.tree;
        for part in tree.children(node) {
            match self.kind(part) {
                "decorator" => self.plain(part, out),
                kind if self.tree.field(part) != Some("source") && shape::is_expression(kind) => self.value(part, out),
                kind if is_statement(kind) => self.statement(part, out),
                _ => {}
            }
        }
    }

    fn try_statement(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let body = self.optional_statement(self.tree.child(node, "body"));
        let catch = self.tree.child(node, "handler").map(|handler| {
            Box::new(self.apart(|lowering, out| {
                lowering.eval(handler, out);
                if let Some(parameter) = lowering.tree.child(handler, "parameter") {
                    lowering.bind(handler, parameter, None, out);
                }
                if let Some(body) = lowering.tree.child(handler, "body") {
                    lowering.block(body, out);
                }
            }))
        });
        let finally =
            self.tree.child(node, "finalizer").map(|finalizer| Box::new(self.optional_statement(Some(finalizer))));
        out.push(Flow::Protected { body: Box::new(body), catch, finally, on: FinallyOn::Every });
    }

    fn leave_function(&mut self, node: NodeId, to: Exit, out: &mut Out) {
        self.parts(node, out);
        self.eval_statement(node, out);
        if to == Exit::Return {
            self.close_iterators(0, out);
        }
        out.push(Flow::Leave { to, node });
    }

    /// Leaving a `for … of` early closes its iterator, and leaving a `for await` waits for that.
    pub(super) fn close_iterators(&mut self, outermost: usize, out: &mut Out) {
        let left = self.targets.iter().skip(outermost).rev();
        let close = |node| match self.kind(node) {
            "of" => Flow::Eval { node, raises: false },
            _ => Flow::Suspend { node },
        };
        out.extend(left.filter_map(|target| target.closes).map(close));
    }

    /// A label belongs to the loop behind it; before anything else it names a block.
    fn labeled_statement(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let tree = self.tree;
        if let Some(label) = tree.child(node, "label") {
            self.pending.push(tree.text(label));
        }
        let Some(body) = tree.child(node, "body") else { return };
        let inner = self.only_statement(body).filter(|&inner| takes_labels(self.kind(inner)));
        if let Some(inner) = inner {
            if inner != body {
                self.eval(body, out);
            }
            return self.statement(inner, out);
        }
        let label = self.new_label();
        let names = std::mem::take(&mut self.pending);
        self.targets.push(Target { label, names, kind: TargetKind::Block, closes: None });
        let body = Box::new(self.apart(|lowering, out| lowering.statement(body, out)));
        self.targets.pop();
        out.push(Flow::Block { label, body });
    }

    /// The statement that a block with nothing else in it holds; the node itself when it is no block.
    fn only_statement(&self, body: NodeId) -> Option<NodeId> {
        if self.kind(body) != "statement_block" {
            return Some(body);
        }
        let mut inner = self.tree.children(body).filter(|&child| !matches!(self.kind(child), "{" | "}"));
        let only = inner.next()?;
        inner.next().is_none().then_some(only)
    }

    fn jump(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        let label = self.tree.child(node, "label").map(|label| self.tree.text(label));
        let continues = self.kind(node) == "continue_statement";
        let fits = |target: &Target<'_>| match label {
            Some(label) => target.names.contains(&label),
            None => target.kind == TargetKind::Loop || (!continues && target.kind == TargetKind::Switch),
        };
        let Some(found) = self.targets.iter().rposition(fits) else { return };
        self.close_iterators(found + 1, out);
        let label = self.targets[found].label;
        let to = if continues { Exit::Continue(label) } else { Exit::Break(label) };
        out.push(Flow::Leave { to, node });
    }

    /// A namespace's body runs where it stands.
    fn namespace(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        if let Some(body) = self.tree.child(node, "body") {
            let flow = self.scope_apart(|lowering, out| lowering.statement(body, out));
            out.push(flow);
        }
    }

    fn enumeration(&mut self, node: NodeId, out: &mut Out) {
        if let Some(body) = self.tree.child(node, "body") {
            let tree = self.tree;
            for member in tree.children(body) {
                if let Some(value) = self.tree.child(member, "value") {
                    self.value(value, out);
                    self.eval(member, out);
                }
            }
        }
        self.eval(node, out);
    }

    /// Inside, any name may be a property of the object: what was known of it outside does not hold, nor the other way
    /// round.
    fn with_statement(&mut self, node: NodeId, out: &mut Out) {
        self.eval(node, out);
        self.write(node, node, None, out);
        for field in ["object", "body"] {
            match self.tree.child(node, field) {
                Some(part) if shape::is_expression(self.kind(part)) => self.value(part, out),
                Some(part) => self.statement(part, out),
                None => {}
            }
        }
        self.write(node, node, None, out);
    }
}

fn takes_labels(kind: &str) -> bool {
    matches!(kind, "for_statement" | "for_in_statement" | "while_statement" | "do_statement" | "labeled_statement")
}

fn is_statement(kind: &str) -> bool {
    kind.ends_with("_statement")
        || kind.ends_with("_declaration")
        || matches!(kind, "statement_block" | "module" | "internal_module")
}
