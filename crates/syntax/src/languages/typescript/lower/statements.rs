//! Statements, and the order in which a block runs them.

use super::{Lowering, Target, TargetKind, with_stack};
use crate::languages::typescript::{scope, shape};
use crate::tree::NodeId;
use factgate_ir::{Catch, Code, Does, Exit, Forget, Hook, How, Made, Name, Pause, Place, When};

impl<'t> Lowering<'t> {
    /// A block: entered, then its statements.
    pub(super) fn block(&mut self, block: NodeId) {
        self.mark(block);
        let statements: Vec<_> = self.tree.children(block).collect();
        self.block_of(block, &statements);
    }

    /// The statements of one block: its variables are made, function declarations come first, then the others in order.
    pub(super) fn block_of(&mut self, block: NodeId, statements: &[NodeId]) {
        self.declare(block, statements);
        self.in_order(statements);
    }

    /// What is there when a block is entered.
    pub(super) fn declare(&mut self, block: NodeId, statements: &[NodeId]) {
        let names = self.declared_names(statements);
        self.renew(block, &names);
        for &statement in statements {
            if let Some(function) = self.hoisted_function(statement) {
                self.function_declaration(function);
                if function != statement {
                    self.mark(statement);
                }
            }
        }
    }

    /// The names that belong to a block.
    fn declared_names(&self, statements: &[NodeId]) -> Vec<NodeId> {
        let mut names = Vec::new();
        for &statement in statements {
            let inner = self.tree.child(statement, "declaration").unwrap_or(statement);
            match self.kind(inner) {
                "lexical_declaration" | "using_declaration" => {
                    for declarator in self.tree.children(inner) {
                        if let Some(name) = self.tree.child(declarator, "name") {
                            scope::targets(self.tree, name, &mut names);
                        }
                    }
                }
                kind if shape::is_function_declaration(kind) || shape::is_class(kind) || kind == "enum_declaration" => {
                    names.extend(self.tree.child(inner, "name"));
                }
                _ => {}
            }
        }
        names
    }

    fn function_declaration(&mut self, function: NodeId) {
        let value = self.closure(function);
        if let Some(name) = self.tree.child(function, "name") {
            self.bind(function, name, value, None, How::Declare);
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

    pub(super) fn in_order(&mut self, statements: &[NodeId]) {
        for (index, &statement) in statements.iter().enumerate() {
            if self.hoisted_function(statement).is_some() {
                continue;
            }
            if self.kind(statement) == "using_declaration" {
                return with_stack(|| self.using(statement, &statements[index + 1..]));
            }
            self.statement(statement);
        }
    }

    /// `using r = f()`: it is disposed of on every way out of the block, and waited for where the word says so.
    fn using(&mut self, statement: NodeId, rest: &[NodeId]) {
        let declarators: Vec<_> =
            self.tree.children(statement).filter(|&part| self.kind(part) == "variable_declarator").collect();
        self.using_each(statement, &declarators, rest);
    }

    fn using_each(&mut self, statement: NodeId, declarators: &[NodeId], rest: &[NodeId]) {
        let Some((&first, others)) = declarators.split_first() else {
            self.mark(statement);
            return self.in_order(rest);
        };
        self.declarator(first, "let");
        let held = self.tree.child(first, "name").and_then(|name| self.var_of(name));
        let body = self.apart(|lowering| lowering.using_each(statement, others, rest));
        let end = self.apart(|lowering| {
            let Some(var) = held else { return };
            lowering.b.open();
            let value = lowering.b.read(first, Place::var(var));
            let test = lowering.b.leaf(first, factgate_ir::Atom::Missing(value));
            let dispose = lowering.apart(|lowering| {
                let value = lowering.hook(statement, Hook::Dispose, value);
                if shape::is_awaited_using(lowering.tree, statement) {
                    let pause = Does::Suspend { pause: Pause::Dispose, value: Some(value) };
                    lowering.b.give_or_raise(statement, pause);
                }
            });
            lowering.b.branch(test, Code::nothing(), dispose);
        });
        self.b.guarded(body, None, Some((When::Every, end)));
    }

    /// One statement.
    pub(super) fn statement(&mut self, node: NodeId) {
        with_stack(|| self.statement_here(node));
    }

    fn statement_here(&mut self, node: NodeId) {
        let kind = self.kind(node);
        match kind {
            _ if shape::is_type_only(kind) => {}
            _ if shape::is_variable_declaration(kind) => self.declaration(node),
            _ if shape::is_class(kind) => self.class_declaration(node),
            _ if shape::is_function_declaration(kind) => self.function_declaration(node),
            "statement_block" => self.block(node),
            "if_statement" => self.if_statement(node),
            "for_statement" | "for_in_statement" | "while_statement" | "do_statement" => self.loop_statement(node),
            "switch_statement" => self.switch_statement(node),
            "try_statement" => self.try_statement(node),
            "labeled_statement" => self.labeled_statement(node),
            "break_statement" | "continue_statement" => self.jump(node),
            "return_statement" => self.return_statement(node),
            "throw_statement" => self.throw_statement(node),
            "export_statement" => self.export(node),
            "ambient_declaration" => self.mark(node),
            "else_clause" | "finally_clause" => self.inner_statements(node),
            "module" | "internal_module" => self.namespace(node),
            "enum_declaration" => self.enumeration(node),
            "with_statement" => self.with_statement(node),
            "import_statement" | "import_alias" | "empty_statement" | "debugger_statement" => self.mark(node),
            "expression_statement" => self.simple(node),
            _ if self.tree.is_leaf(node) => {}
            _ => self.unread_statement(node),
        }
    }

    /// A form that is not known: what is in it is evaluated, and then anything may be another.
    fn unread_statement(&mut self, node: NodeId) {
        for part in self.tree.children(node).collect::<Vec<_>>() {
            self.anything(part);
        }
        self.b.act_or_raise(node, Does::Forget(Forget::Everything));
        self.mark(node);
    }

    /// An expression statement.
    fn simple(&mut self, node: NodeId) {
        if let Some(namespace) = self.tree.child_of_kind(node, "internal_module") {
            self.namespace(namespace);
        }
        self.parts(node);
        self.mark(node);
    }

    fn declaration(&mut self, node: NodeId) {
        let keyword = if self.kind(node) == "variable_declaration" { "var" } else { "let" };
        for part in self.tree.children(node).collect::<Vec<_>>() {
            if self.kind(part) == "variable_declarator" {
                self.declarator(part, keyword);
            }
        }
        self.mark(node);
    }

    /// One declarator of a declaration.
    pub(super) fn declarator(&mut self, declarator: NodeId, keyword: &str) {
        let (name, value) = (self.tree.child(declarator, "name"), self.tree.child(declarator, "value"));
        let Some(name) = name else { return self.mark(declarator) };
        let how = if keyword == "var" && self.is_again(name) { How::Assign } else { How::Declare };
        match value {
            Some(value) => {
                let given = self.value(value);
                let taken = super::spell::Taken::of(self.tree, value);
                self.bind(declarator, name, given, taken, how);
            }
            // `var x;` leaves an `x` that already has a value alone; `let x;` makes it `undefined`.
            None if keyword != "var" => {
                let value = self.undefined(declarator);
                self.bind(declarator, name, value, None, how);
            }
            None => {}
        }
        self.mark(declarator);
    }

    /// Whether a `var` is declared somewhere else first.
    fn is_again(&self, name: NodeId) -> bool {
        self.scopes.binding(name).is_some_and(|id| self.scopes.get(id).declared != name)
    }

    fn class_declaration(&mut self, node: NodeId) {
        self.class(node);
        if let Some(name) = self.tree.child(node, "name") {
            self.mark(name);
        }
    }

    fn if_statement(&mut self, node: NodeId) {
        self.mark(node);
        let Some(condition) = self.tree.child(node, "condition") else { return };
        let test = self.test(condition);
        let yes = self.optional_statement(self.tree.child(node, "consequence"));
        let no = self.optional_statement(self.tree.child(node, "alternative"));
        self.b.branch(test, yes, no);
    }

    pub(super) fn optional_statement(&mut self, node: Option<NodeId>) -> Code {
        match node {
            Some(node) => self.apart(|lowering| lowering.statement(node)),
            None => Code::nothing(),
        }
    }

    /// Something around statements or one expression: `else`, `finally`.
    fn inner_statements(&mut self, node: NodeId) {
        self.mark(node);
        for part in self.tree.children(node).collect::<Vec<_>>() {
            match self.kind(part) {
                kind if shape::is_expression(kind) => {
                    self.value(part);
                }
                kind if is_statement(kind) => self.statement(part),
                _ => {}
            }
        }
    }

    fn export(&mut self, node: NodeId) {
        self.mark(node);
        for part in self.tree.children(node).collect::<Vec<_>>() {
            match self.kind(part) {
                // A class behind it has the decorators in front of it.
                "decorator" => {
                    let inner = shape::operand(self.tree, part).map(|inner| self.value(inner));
                    self.mark(part);
                    if let Some(function) = inner {
                        self.b.call(part, factgate_ir::Callee::Value(function), None, Vec::new());
                    }
                }
                kind if self.tree.field(part) != Some("source") && shape::is_expression(kind) => {
                    self.value(part);
                }
                kind if is_statement(kind) => self.statement(part),
                _ => {}
            }
        }
    }

    fn try_statement(&mut self, node: NodeId) {
        self.mark(node);
        let body = self.optional_statement(self.tree.child(node, "body"));
        let catch = self.tree.child(node, "handler").map(|handler| self.handler(handler));
        let finalizer = self.tree.child(node, "finalizer");
        let leaving = finalizer.map(|finalizer| (When::Every, self.optional_statement(Some(finalizer))));
        self.b.guarded(body, catch, leaving);
    }

    fn handler(&mut self, handler: NodeId) -> Catch {
        let value = self.b.value(handler);
        let code = self.apart(|lowering| {
            lowering.mark(handler);
            if let Some(parameter) = lowering.tree.child(handler, "parameter") {
                let mut names = Vec::new();
                scope::targets(lowering.tree, parameter, &mut names);
                lowering.renew(handler, &names);
                lowering.bind(handler, parameter, value, None, How::Declare);
            }
            if let Some(body) = lowering.tree.child(handler, "body") {
                lowering.block(body);
            }
        });
        Catch { value: Some(value), code: Box::new(code) }
    }

    fn return_statement(&mut self, node: NodeId) {
        let mut value = shape::operand(self.tree, node).map(|operand| self.value(operand));
        let frame = self.frame();
        if frame.is_async && frame.is_generator {
            let pause = Does::Suspend { pause: Pause::Await, value };
            value = value.map(|_| self.b.give_or_raise(node, pause));
        }
        self.mark(node);
        self.b.exit(node, Exit::Return, value);
    }

    fn throw_statement(&mut self, node: NodeId) {
        let value = shape::operand(self.tree, node).map(|operand| self.value(operand));
        self.mark(node);
        self.b.exit(node, Exit::Raise, value);
    }

    /// A label belongs to the loop behind it; before anything else it names a block.
    fn labeled_statement(&mut self, node: NodeId) {
        self.mark(node);
        if let Some(label) = self.tree.child(node, "label") {
            let text = self.text(label);
            self.frame().pending.push(text);
        }
        let Some(body) = self.tree.child(node, "body") else { return };
        let inner = self.only_statement(body).filter(|&inner| takes_labels(self.kind(inner)));
        if let Some(inner) = inner {
            if inner != body {
                self.mark(body);
            }
            return self.statement(inner);
        }
        let label = self.b.label();
        let names = std::mem::take(&mut self.frame().pending);
        self.frame().targets.push(Target { label, names, kind: TargetKind::Block });
        let code = self.apart(|lowering| lowering.statement(body));
        self.frame().targets.pop();
        self.b.block(label, code);
    }

    /// The statement that a block with nothing else in it holds; the node itself when it is no block.
    fn only_statement(&self, body: NodeId) -> Option<NodeId> {
        if self.kind(body) != "statement_block" {
            return Some(body);
        }
        let mut inner = shape::statements(self.tree, body);
        let only = inner.next()?;
        inner.next().is_none().then_some(only)
    }

    fn jump(&mut self, node: NodeId) {
        self.mark(node);
        let label = self.tree.child(node, "label").map(|label| self.text(label));
        let continues = self.kind(node) == "continue_statement";
        let fits = |target: &&Target<'_>| match label {
            Some(label) => target.names.contains(&label),
            None => target.kind == TargetKind::Loop || (!continues && target.kind == TargetKind::Switch),
        };
        let Some(label) = self.frame().targets.iter().rev().find(fits).map(|target| target.label) else { return };
        let to = if continues { Exit::Continue(label) } else { Exit::Break(label) };
        self.b.exit(node, to, None);
    }

    /// A namespace's body runs where it stands.
    fn namespace(&mut self, node: NodeId) {
        self.mark(node);
        let name = self.tree.child(node, "name").filter(|&name| self.kind(name) == "identifier");
        if let Some(var) = name.and_then(|name| self.var_of(name)) {
            let value = self.b.give(node, Does::Make(Made::Object));
            self.b.write(node, Place::var(var), value, How::Declare);
        }
        if let Some(body) = self.tree.child(node, "body") {
            self.statement(body);
        }
    }

    /// `enum E { A = 1, B }`: an object with a member each, and the names by their numbers.
    fn enumeration(&mut self, node: NodeId) {
        let object = self.b.give(node, Does::Make(Made::Object));
        if let Some(name) = self.tree.child(node, "name")
            && let Some(var) = self.var_of(name)
        {
            self.b.write(node, Place::var(var), object, How::Declare);
        }
        let body = self.tree.child(node, "body");
        for member in body.map_or_else(Vec::new, |body| self.tree.children(body).collect()) {
            let name = match self.kind(member) {
                "enum_assignment" => self.tree.child(member, "name"),
                "property_identifier" | "string" => Some(member),
                _ => continue,
            };
            let value = match self.tree.child(member, "value") {
                Some(value) => self.value(value),
                None => self.unknown(member),
            };
            let name = name.map_or(Name::Inner, |name| self.text_name(name));
            self.b.write(member, Place::of(object, name), value, How::Init);
            if self.kind(member) == "enum_assignment" {
                self.mark(member);
            }
        }
        self.mark(node);
    }

    /// Inside, any name may be a property of the object: what was known of it outside does not hold, nor the other way
    /// round.
    fn with_statement(&mut self, node: NodeId) {
        self.mark(node);
        if let Some(object) = self.tree.child(node, "object") {
            self.value(object);
        }
        self.b.act(node, Does::Forget(Forget::Everything));
        self.frame().with += 1;
        if let Some(body) = self.tree.child(node, "body") {
            self.statement(body);
        }
        self.frame().with -= 1;
        self.b.act(node, Does::Forget(Forget::Everything));
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
