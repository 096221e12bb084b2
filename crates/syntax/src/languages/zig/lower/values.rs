//! Expressions and statements. Statements are expressions here: `value` is asked where a value is used, `statement` where
//! none is.

use super::Lowering;
use super::places::is_slice;
use super::types::Type;
use crate::tree::{NodeId, Tree};
use factgate_ir::{Const, Converts, Does, Exit, Forget, Name, Path, Pause, Place, Prim, Sym, ValueId};

impl<'t> Lowering<'t> {
    /// Evaluates a node and gives its value.
    pub(super) fn value(&mut self, node: NodeId) -> ValueId {
        super::with_stack(|| {
            let value = self.value_unmarked(node);
            // Some have their mark before: a condition where its test is entered, a call that never comes back.
            if self.marked.take() != Some(node) && !marks_itself(self.kind(node)) {
                self.b.mark(node);
            }
            value
        })
    }

    /// Evaluates a node without its mark, unless it is one that leaves.
    pub(super) fn value_unmarked(&mut self, node: NodeId) -> ValueId {
        match self.kind(node) {
            "identifier" if self.tree.text(node) == "undefined" => self.unknown(node),
            "identifier" => {
                let root = self.root(node);
                self.b.read(node, Place { root, steps: Vec::new() })
            }
            "hole" | "undefined" => self.unknown(node),
            "parenthesized_expression" | "comptime_expression" | "nosuspend_expression" => {
                match inside(self.tree, node) {
                    Some(inner) => self.value(inner),
                    None => self.unknown(node),
                }
            }
            "field_expression" if self.tree.child(node, "object").is_none() => self.tag(node),
            "field_expression" => self.field_value(node),
            "index_expression" if is_slice(self, node) => self.slice(node),
            "null_coercion_expression" | "dereference_expression" | "index_expression" => {
                let place = self.place(node);
                let value = self.b.read(node, place);
                if self.kind(node) == "null_coercion_expression" {
                    inside(self.tree, node).into_iter().for_each(|inner| self.spelled(value, inner));
                }
                value
            }
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "logical_expression" => self.decided(node),
            "catch_expression" => self.catch(node),
            "try_expression" => self.try_expression(node),
            "if_expression" => self.chosen(node, |lower, slot| lower.if_expression(node, Some(slot))),
            "switch_expression" => self.chosen(node, |lower, slot| lower.switch(node, None, Some(slot))),
            "while_expression" => self.chosen(node, |lower, slot| lower.while_loop(node, None, Some(slot))),
            "for_expression" => self.chosen(node, |lower, slot| lower.for_loop(node, None, Some(slot))),
            "labeled_statement" => self.chosen(node, |lower, slot| lower.labelled(node, Some(slot))),
            "call_expression" | "builtin_function" => self.call(node),
            "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration" => {
                self.container(node)
            }
            "await_expression" => {
                let waited = inside(self.tree, node).map(|inner| self.value(inner));
                self.b.give(node, Does::Suspend { pause: Pause::Await, value: waited })
            }
            "range_expression" => {
                let bounds = self.bounds(node);
                self.b.give(node, Does::Compute(Prim::Other(Converts::No), bounds))
            }
            kind if self.is_literal(kind) => self.literal(node),
            kind if is_statement(kind) => {
                self.statement(node);
                self.nothing(node)
            }
            kind if is_type(kind) => self.b.constant(node, Const::Other(Sym::from(self.tree.render(node)))),
            _ => self.not_known(node),
        }
    }

    /// Code of a form that nothing is known of.
    fn not_known(&mut self, node: NodeId) -> ValueId {
        let parts: Vec<_> = self.tree.children(node).filter(|&child| !is_word(self.kind(child))).collect();
        parts.into_iter().for_each(|part| _ = self.value(part));
        self.b.act(node, Does::Forget(Forget::Everything));
        self.unknown(node)
    }

    /// The ends of a range, as far as they are written.
    pub(super) fn bounds(&mut self, range: NodeId) -> Vec<ValueId> {
        let parts: Vec<_> = self.tree.children(range).filter(|&child| !is_word(self.kind(child))).collect();
        parts.into_iter().map(|part| self.value(part)).collect()
    }

    /// `a.b`: a member, a path of declarations behind an import, or the tag of an enum that is written in the file.
    fn field_value(&mut self, node: NodeId) -> ValueId {
        let (object, member) = (self.tree.child(node, "object"), self.tree.child(node, "member"));
        if let (Some(object), Some(member)) = (object, member)
            && let Type::Itself(of) = self.type_of(object)
            && let Type::Container(container) = *of
            && self.has_tag(container, self.text(member))
        {
            self.value(object);
            return self.b.constant(node, Const::Tag(Sym::from(self.text(member))));
        }
        if let Some(function) = self.function_of(node).filter(|&function| self.is_in_reach(function)) {
            object.into_iter().for_each(|object| _ = self.value(object));
            return self.function_value(node, function);
        }
        let place = self.place(node);
        self.b.read(node, place)
    }

    pub(super) fn has_tag(&self, container: NodeId, name: &str) -> bool {
        self.kind(container) == "enum_declaration"
            && self.tree.children(container).any(|field| {
                self.kind(field) == "container_field"
                    && self.tree.child(field, "name").is_some_and(|named| self.text(named) == name)
            })
    }

    fn unary(&mut self, node: NodeId) -> ValueId {
        let tree = self.tree;
        let Some(argument) = tree.child(node, "argument") else { return self.unknown(node) };
        // A pointer to a function is called as the function is.
        if tree.has_child(node, "&") && self.function_of(argument).is_some_and(|function| self.is_in_reach(function)) {
            return self.value(argument);
        }
        if tree.has_child(node, "&") {
            let place = self.place(argument);
            self.b.mark(argument);
            return self.b.give(node, Does::Address(place));
        }
        if tree.has_child(node, "-") && self.is_literal(self.kind(argument)) {
            self.value(argument);
            return self.literal(node);
        }
        let operand = self.value(argument);
        let prim = match () {
            () if tree.has_child(node, "!") => Prim::Not,
            () if tree.has_child(node, "-") => Prim::Negate,
            () => Prim::Other(Converts::No),
        };
        self.b.give(node, Does::Compute(prim, vec![operand]))
    }

    fn binary(&mut self, node: NodeId) -> ValueId {
        let tree = self.tree;
        let operator = tree.child(node, "operator").map_or("", |operator| tree.kind(operator));
        if operator == "orelse" || tree.has_child(node, "orelse") {
            return self.orelse(node);
        }
        if matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
            return self.decided(node);
        }
        let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
            return self.not_known(node);
        };
        let operands = vec![self.value(left), self.value(right)];
        let prim = match operator {
            "+" => Prim::Add,
            "-" => Prim::Subtract,
            "*" => Prim::Multiply,
            _ => Prim::Other(Converts::No),
        };
        self.b.give(node, Does::Compute(prim, operands))
    }

    /// A node in whose place nothing is used.
    pub(super) fn statement(&mut self, node: NodeId) {
        super::with_stack(|| self.statement_here(node));
    }

    fn statement_here(&mut self, node: NodeId) {
        match self.kind(node) {
            "block" => {
                self.b.mark(node);
                let statements: Vec<_> = self.tree.children(node).filter(|&child| !is_word(self.kind(child))).collect();
                self.statements(&statements);
            }
            "labeled_statement" => {
                self.b.mark(node);
                self.labelled(node, None);
            }
            "if_expression" => {
                self.b.mark(node);
                self.if_expression(node, None);
            }
            "while_expression" => {
                self.b.mark(node);
                self.while_loop(node, None, None);
            }
            "for_expression" => {
                self.b.mark(node);
                self.for_loop(node, None, None);
            }
            "switch_expression" => {
                self.b.mark(node);
                self.switch(node, None, None);
            }
            "expression_statement" | "comptime_declaration" => {
                let parts: Vec<_> = self.tree.children(node).filter(|&child| !is_word(self.kind(child))).collect();
                parts.into_iter().for_each(|part| self.statement(part));
                self.b.mark(node);
            }
            "return_expression" => self.return_expression(node),
            "break_expression" | "continue_expression" => self.jump(node),
            "unreachable" => self.never(node),
            "variable_declaration" => self.declaration(node),
            "assignment_expression" => self.assignment(node),
            "asm_expression" => self.asm(node),
            "suspend_statement" => {
                self.b.mark(node);
                inside(self.tree, node).into_iter().for_each(|inner| self.statement(inner));
                self.b.give(node, Does::Suspend { pause: Pause::Await, value: None });
            }
            "function_declaration" | "test_declaration" => self.function(node),
            "defer_statement" | "errdefer_statement" => self.statements(&[node]),
            "using_namespace_declaration" => {
                self.b.act(node, Does::Forget(Forget::Everything));
                self.b.mark(node);
            }
            "container_field" => self.b.mark(node),
            kind if is_word(kind) => {}
            _ => _ = self.value(node),
        }
    }

    /// Gives the error of an error union, of which this is a value.
    pub(super) fn error_of(&mut self, node: NodeId, union: ValueId) -> ValueId {
        self.b.read(node, Place::of(union, Name::Error))
    }

    /// Gives the payload of an optional or error union.
    pub(super) fn payload_of(&mut self, node: NodeId, union: ValueId) -> ValueId {
        self.b.read(node, Place::of(union, Name::Inner))
    }

    pub(super) fn never(&mut self, node: NodeId) {
        self.b.mark(node);
        self.marked = Some(node);
        self.b.exit(node, Exit::Never, None);
    }

    /// The path of declarations that a callee spells from outside: `std.process.exit`, `print`.
    pub(super) fn path(&self, node: NodeId) -> Option<Path> {
        let mut names = Vec::new();
        let mut node = node;
        while self.kind(node) == "field_expression" {
            names.push(Sym::from(self.text(self.tree.child(node, "member")?)));
            node = self.tree.child(node, "object")?;
        }
        (self.kind(node) == "identifier").then(|| names.push(Sym::from(self.text(node))))?;
        names.reverse();
        Some(Path(names))
    }
}

/// The one operand of a wrapper such as `( … )`, `comptime …`, `x.*`.
pub(super) fn inside(tree: &Tree, node: NodeId) -> Option<NodeId> {
    crate::languages::zig::condition::inner(tree, node)
}

/// Kinds whose lowering as a value sets their mark by itself, since it leaves or is a statement.
fn marks_itself(kind: &str) -> bool {
    is_statement(kind)
        || matches!(kind, "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration")
}

/// Kinds that have no value.
fn is_statement(kind: &str) -> bool {
    matches!(
        kind,
        "block"
            | "return_expression"
            | "break_expression"
            | "continue_expression"
            | "unreachable"
            | "variable_declaration"
            | "assignment_expression"
            | "asm_expression"
            | "suspend_statement"
            | "function_declaration"
            | "test_declaration"
            | "defer_statement"
            | "errdefer_statement"
            | "expression_statement"
            | "comptime_declaration"
            | "using_namespace_declaration"
            | "container_field"
    )
}

/// Kinds that say a type: nothing in them runs when the program does.
fn is_type(kind: &str) -> bool {
    kind.ends_with("_type") || matches!(kind, "error_set_declaration" | "function_signature")
}

/// Tokens and other parts that evaluate nothing.
pub(super) fn is_word(kind: &str) -> bool {
    let named = matches!(kind, "null" | "undefined" | "hole" | "unreachable" | "anyframe");
    let grammar_word = kind.bytes().all(|byte| byte.is_ascii_lowercase());
    let keyword = grammar_word && !named && !LEAVES.contains(&kind);
    let sign = !kind.bytes().any(|byte| byte.is_ascii_alphabetic());
    let part = matches!(kind, "payload" | "block_label" | "break_label" | "calling_convention" | "byte_alignment");
    keyword || sign || part || matches!(kind, "address_space" | "link_section")
}

/// Kinds of one word that are operands or nodes of their own, not keywords.
const LEAVES: [&str; 9] =
    ["identifier", "integer", "float", "string", "character", "boolean", "arguments", "parameters", "block"];
