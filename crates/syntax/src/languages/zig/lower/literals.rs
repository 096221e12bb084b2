//! Literals and initialisers.

use super::Lowering;
use crate::languages::zig::values::constant;
use crate::tree::NodeId;
use crate::value::Constant;
use factgate_ir::{Const, Does, How, Key, Made, Name, Number, Place, Step, Sym, ValueId};

impl<'t> Lowering<'t> {
    pub(super) fn is_literal(&self, kind: &str) -> bool {
        matches!(
            kind,
            "integer"
                | "float"
                | "boolean"
                | "character"
                | "string"
                | "multiline_string"
                | "null"
                | "error_type"
                | "struct_initializer"
                | "anonymous_struct_initializer"
        )
    }

    /// A literal as a value, without its mark.
    pub(super) fn literal(&mut self, node: NodeId) -> ValueId {
        match self.kind(node) {
            "struct_initializer" | "anonymous_struct_initializer" => self.initializer(node),
            "null" => self.b.constant(node, Const::Null),
            "error_type" => {
                let name = self.tree.child_of_kind(node, "identifier").map_or("", |name| self.text(name));
                self.b.constant(node, Const::Error(Sym::from(name)))
            }
            _ => {
                let known = self.constant_of(node);
                self.b.constant(node, known)
            }
        }
    }

    /// A number that a double holds exactly, a text, a truth; anything else is known by its text.
    fn constant_of(&self, node: NodeId) -> Const {
        let exact = |integer: i128| {
            let number = integer as f64;
            (number as i128 == integer && integer.unsigned_abs() <= 1 << 53)
                .then(|| Const::Number(Number::from(number)))
        };
        let known = match self.kind(node) {
            "unary_expression" => match self.tree.child(node, "argument").map(|argument| constant(self.tree, argument))
            {
                Some(Constant::Integer(integer)) => integer.checked_neg().and_then(exact),
                _ => None,
            },
            _ => match constant(self.tree, node) {
                Constant::Integer(integer) => exact(integer),
                Constant::Bool(truth) => Some(Const::Bool(truth)),
                Constant::Text(text) => Some(Const::Text(Sym::from(text))),
                _ => None,
            },
        };
        known.unwrap_or_else(|| Const::Other(Sym::from(self.tree.render(node))))
    }

    /// `.open`
    pub(super) fn tag(&mut self, node: NodeId) -> ValueId {
        match self.tree.child(node, "member") {
            Some(member) => self.b.constant(node, Const::Tag(Sym::from(self.text(member)))),
            None => self.unknown(node),
        }
    }

    /// `T{ .a = 1 }`, `.{ .a = 1 }`, `[_]T{ x, y }`, `.{ x, y }`
    fn initializer(&mut self, node: NodeId) -> ValueId {
        let list = self.tree.child_of_kind(node, "initializer_list");
        let parts: Vec<_> = list.map_or_else(Vec::new, |list| self.parts(list));
        // An array lies in place as a struct does.
        let object = self.b.give(node, Does::Make(Made::Struct));
        for (at, part) in parts.into_iter().enumerate() {
            if self.kind(part) == "field_initializer" {
                self.field(object, part);
            } else {
                let value = self.value(part);
                let at = self.b.constant(part, Const::Number((at as f64).into()));
                let place = Place::of(object, Step::Element(Key::Number, at));
                self.b.write(part, place, value, How::Init);
            }
        }
        object
    }

    pub(super) fn parts(&self, list: NodeId) -> Vec<NodeId> {
        let is_part = |&child: &NodeId| !super::values::is_word(self.kind(child));
        self.tree.children(list).filter(is_part).collect()
    }

    /// `.a = v` of an initialiser.
    pub(super) fn field(&mut self, object: ValueId, field: NodeId) {
        let (Some(name), Some(value)) = (self.tree.child(field, "name"), self.tree.child(field, "value")) else {
            return self.b.mark(field);
        };
        let value = self.value(value);
        self.b.write(field, Place::of(object, Name::text(self.text(name))), value, How::Init);
        self.b.mark(field);
    }
}
