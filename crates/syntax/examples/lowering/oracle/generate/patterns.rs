//! Destructuring.

use super::{Generator, Kind};
use crate::oracle::program::Code;

impl Generator {
    pub(super) fn destructuring(&mut self) -> Code {
        let word = self.one_of(&["const ", "let ", "var "]);
        let is_list = self.one_in(3);
        let value = if is_list { self.iterable(2) } else { self.object(2) };
        let pattern = if is_list { self.list_pattern(2) } else { self.object_pattern(2) };
        let mut code = Code::of(word);
        code.code(pattern).text(" = ").code(value).text(";");
        code
    }

    /// A pattern that declares names.
    pub(super) fn pattern(&mut self, depth: usize) -> Code {
        self.object_pattern(depth)
    }

    fn object_pattern(&mut self, depth: usize) -> Code {
        let mut code = Code::of("{ ");
        let mut names = vec!["a", "b", "c", "d"];
        for _ in 0..self.roll(4) {
            let key = names.remove(self.roll(names.len()));
            match self.roll(6) {
                0 => code.text(format!("[(t('{key}'), '{key}')]: ")),
                _ => code.text(format!("{key}: ")),
            };
            let inner = self.element(depth);
            code.code(inner).text(", ");
        }
        if self.one_in(5) {
            let name = self.name("v");
            code.text(format!("...{name} "));
            self.declare(&name, Kind::Plain, false);
        }
        code.text("}");
        code
    }

    fn list_pattern(&mut self, depth: usize) -> Code {
        let mut code = Code::of("[");
        for _ in 0..self.roll(4) {
            if self.one_in(6) {
                code.text(", ");
                continue;
            }
            let inner = self.element(depth);
            code.code(inner).text(", ");
        }
        if self.one_in(5) {
            let name = self.name("v");
            code.text(format!("...{name}"));
            self.declare(&name, Kind::List, false);
        }
        code.text("]");
        code
    }

    fn element(&mut self, depth: usize) -> Code {
        if depth > 0 && self.one_in(5) {
            let mut code = self.object_pattern(depth - 1);
            code.text(" = {}");
            return code;
        }
        let name = self.name("v");
        let mut code = Code::of(name.clone());
        if self.one_in(3) {
            let yields = std::mem::take(&mut self.around.is_generator);
            let waits = std::mem::take(&mut self.around.is_async);
            let default = self.plain(1);
            (self.around.is_async, self.around.is_generator) = (waits, yields);
            code.text(" = ").code(default);
        }
        self.declare(&name, Kind::Plain, false);
        code
    }

    /// `({ a: o.b, ...x } = v)` and `[x, o.a = 1] = list`.
    pub(super) fn pattern_assignment(&mut self) -> Code {
        let is_list = self.one_in(2);
        let mut code = Code::of(if is_list { "([" } else { "({ " });
        for at in 0..1 + self.roll(2) {
            code.text(if at > 0 { ", " } else { "" });
            if !is_list {
                code.text(self.one_of(&["a: ", "b: ", "c: "]));
            }
            let target = self.target();
            code.code(target);
            if self.one_in(3) {
                let default = self.plain(1);
                code.text(" = ").code(default);
            }
        }
        let value = if is_list { self.iterable(1) } else { self.object(1) };
        code.text(if is_list { "] = " } else { " } = " }).code(value).text(")");
        code
    }
}
