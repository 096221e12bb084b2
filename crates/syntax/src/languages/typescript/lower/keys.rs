//! Keys: what is known of the name of a member.

use super::Lowering;
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Does, Key, Name, Prim, Step, Sym, ValueId};

/// How far a variable is followed to know whether it is a number.
const DEPTH: usize = 4;

/// The name that a text gives a member.
pub(super) fn named(text: &str) -> Name {
    if text == "length" { Name::Length } else { Name::text(text) }
}

/// Whether a text is the number of an element.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Lowering<'_> {
    /// The step behind `.name`.
    pub(super) fn property_step(&mut self, property: NodeId) -> Step {
        if self.kind(property) == "private_property_identifier" {
            return Step::Member(self.private(property));
        }
        Step::Member(named(self.text(property)))
    }

    /// Evaluates a key in brackets, and gives its step.
    pub(super) fn index_step(&mut self, index: NodeId) -> Step {
        let bare = shape::bare(self.tree, index);
        if let Some(name) = self.written_name(bare) {
            self.mark_all(index);
            return Step::Member(name);
        }
        let known = self.known_key(index);
        let value = self.value(index);
        Step::at(known, value)
    }

    /// The name that a key spells: a text, or a symbol of the language.
    fn written_name(&self, key: NodeId) -> Option<Name> {
        match self.kind(key) {
            "string" if !is_number(self.text(key)) => Some(named(self.text(key))),
            "member_expression" => {
                let object = self.tree.child(key, "object").filter(|&object| self.text(object) == "Symbol")?;
                let property = self.tree.child(key, "property")?;
                let name = format!("@@{}", self.text(property));
                (self.kind(object) == "identifier" && self.is_global(object)).then(|| Name::Text(Sym::from(name)))
            }
            "identifier" => self.shared_symbol(key),
            _ => None,
        }
    }

    /// `const S = Symbol.for("x")`: the same symbol for the same text.
    fn shared_symbol(&self, name: NodeId) -> Option<Name> {
        let call = self.declared_value(name).filter(|_| self.is_constant(name))?;
        let callee = self.tree.child(call, "function").filter(|_| self.kind(call) == "call_expression")?;
        let (object, property) = (self.tree.child(callee, "object")?, self.tree.child(callee, "property")?);
        let [text] = shape::arguments(self.tree, call)[..] else { return None };
        let is_shared = self.text(object) == "Symbol" && self.text(property) == "for" && self.kind(text) == "string";
        (is_shared && self.is_global(object)).then(|| Name::Text(Sym::from(format!("Symbol.for({})", self.text(text)))))
    }

    /// Marks what is evaluated without being read: a key that is written.
    fn mark_all(&mut self, node: NodeId) {
        let parts: Vec<_> = self.tree.subtree(node).filter(|&part| shape::is_expression(self.kind(part))).collect();
        for part in parts.into_iter().rev() {
            self.mark(part);
        }
    }

    /// What is known of a computed key.
    fn known_key(&mut self, key: NodeId) -> Key {
        if self.is_numeric(key, DEPTH) {
            return Key::Number;
        }
        if let Some(texts) = self.texts(key, DEPTH) {
            return Key::Texts(texts);
        }
        let bare = shape::bare(self.tree, key);
        if self.kind(bare) == "identifier"
            && self.is_constant(bare)
            && self.declared_value(bare).is_some_and(|value| self.makes_symbol(value))
            && let Some(var) = self.var_of(bare)
        {
            return Key::Symbol(var);
        }
        Key::Unknown
    }

    /// `Symbol()`, `Symbol("x")`
    fn makes_symbol(&self, value: NodeId) -> bool {
        let value = shape::bare(self.tree, value);
        let callee = self.tree.child(value, "function").filter(|_| self.kind(value) == "call_expression");
        callee.is_some_and(|callee| self.text(callee) == "Symbol" && self.is_global(callee))
    }

    /// Whether an expression is a number (or a BigInt): then it names an element.
    fn is_numeric(&self, node: NodeId, depth: usize) -> bool {
        let node = shape::bare(self.tree, node);
        let all = |fields: [&str; 2]| {
            let mut parts = fields.into_iter().map(|field| self.tree.child(node, field));
            parts.all(|part| part.is_some_and(|part| self.is_numeric(part, depth)))
        };
        match self.kind(node) {
            "number" | "update_expression" => true,
            "string" => is_number(self.text(node)),
            "unary_expression" => matches!(shape::operator(self.tree, node), "-" | "+" | "~"),
            "binary_expression" => match shape::operator(self.tree, node) {
                "-" | "*" | "/" | "%" | "**" | "<<" | ">>" | ">>>" | "&" | "|" | "^" => true,
                "+" => all(["left", "right"]),
                _ => false,
            },
            "ternary_expression" => all(["consequence", "alternative"]),
            "identifier" => depth > 0 && self.holds_numbers(node, depth - 1),
            _ => false,
        }
    }

    /// Whether everything that a variable is ever given is a number.
    fn holds_numbers(&self, name: NodeId, depth: usize) -> bool {
        let Some(id) = self.scopes.binding(name) else { return false };
        let Some(first) = self.declared_value(name) else { return false };
        let is_number = |&write: &NodeId| {
            let Some(above) = shape::wrapped_by(self.tree, write) else { return false };
            match self.kind(above) {
                "update_expression" => true,
                "augmented_assignment_expression" => {
                    let operator = shape::operator(self.tree, above);
                    let right = self.tree.child(above, "right");
                    let arithmetic = !matches!(operator, "+=" | "&&=" | "||=" | "??=");
                    arithmetic || right.is_some_and(|right| self.is_numeric(right, depth))
                }
                "assignment_expression" => {
                    self.tree.child(above, "right").is_some_and(|right| self.is_numeric(right, depth))
                }
                _ => false,
            }
        };
        self.is_numeric(first, depth) && self.scopes.get(id).writes.iter().all(is_number)
    }

    /// The texts that an expression may be.
    fn texts(&self, node: NodeId, depth: usize) -> Option<Vec<Sym>> {
        let node = shape::bare(self.tree, node);
        match self.kind(node) {
            "string" if !is_number(self.text(node)) => Some(vec![Sym::from(self.text(node))]),
            "ternary_expression" => {
                let (_, yes, no) = shape::ternary(self.tree, node)?;
                let mut texts = [self.texts(yes, depth)?, self.texts(no, depth)?].concat();
                texts.sort();
                texts.dedup();
                Some(texts)
            }
            "sequence_expression" => self.texts(shape::expressions(self.tree, node).last()?, depth),
            "identifier" if depth > 0 && self.is_constant(node) => self.texts(self.declared_value(node)?, depth - 1),
            _ => None,
        }
    }

    /// The step by a key that was evaluated already: the left side of `in`.
    pub(super) fn step_of_value(&mut self, node: NodeId, key: ValueId) -> Step {
        let left = self.tree.child(node, "left").unwrap_or(node);
        self.step_of_argument(left, key)
    }

    /// The step by a key that was evaluated as an expression of its own.
    pub(super) fn step_of_argument(&mut self, node: NodeId, key: ValueId) -> Step {
        match self.written_name(shape::bare(self.tree, node)) {
            Some(name) => Step::Member(name),
            None => Step::at(self.known_key(node), key),
        }
    }

    /// The key of a property, method or field: computed ones are evaluated, and become a text or symbol, here.
    pub(super) fn key_step(&mut self, key: NodeId) -> Step {
        match self.kind(key) {
            "computed_property_name" => {
                let Some(inner) = shape::operand(self.tree, key) else {
                    let value = self.unknown(key);
                    return Step::at(Key::Unknown, value);
                };
                let step = match self.index_step(inner) {
                    Step::Element(known, value) => {
                        let value = self.b.give(key, Does::Compute(Prim::Key, vec![value]));
                        Step::at(known, value)
                    }
                    step => step,
                };
                self.mark(key);
                step
            }
            "number" => {
                let value = self.value(key);
                Step::at(Key::Number, value)
            }
            "string" if is_number(self.text(key)) => {
                let value = self.value(key);
                Step::at(Key::Number, value)
            }
            "private_property_identifier" => Step::Member(self.private(key)),
            _ => Step::Member(named(self.text(key))),
        }
    }
}
