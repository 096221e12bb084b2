//! Expressions.

use super::{Generator, Kind, Private};
use crate::oracle::program::Code;

const MEMBERS: [&str; 4] = ["a", "b", "c", "d"];

impl Generator {
    /// A literal without members.
    pub(super) fn literal(&mut self) -> String {
        self.one_of(&["0", "1", "2", "true", "false", "null", "undefined", "'x'", "'y'"])
    }

    /// Anything.
    pub(super) fn value(&mut self, depth: usize) -> Code {
        match self.roll(8) {
            0..=4 => self.plain(depth),
            5 => self.object(depth),
            6 => self.list(depth),
            _ => self.function(depth),
        }
    }

    /// An expression whose value is most of the time none with members.
    pub(super) fn plain(&mut self, depth: usize) -> Code {
        if depth == 0 {
            return self.leaf();
        }
        let below = depth - 1;
        match self.roll(24) {
            0 | 1 => self.leaf(),
            2..=5 => self.member(below),
            6 => self.choice(below),
            7 | 8 => self.short_circuit(below),
            9 => self.chain(below),
            10 => self.assignment(),
            11 => self.update(),
            12 => self.sum(),
            13 => self.negation(below),
            14 => self.comparison(below),
            15 => self.sequence(below),
            16 | 17 => self.call(),
            18 => self.template(below),
            19 => self.has(below),
            20 => self.waiting(below),
            21 => self.private_read(),
            22 => self.marked(below),
            _ => self.on_the_spot(below),
        }
    }

    fn leaf(&mut self) -> Code {
        match (self.roll(4), self.variable(Kind::Plain)) {
            (0 | 1, Some(name)) => Code::of(name),
            (2, _) => Code::of("q()"),
            _ => Code::of(self.literal()),
        }
    }

    /// An object with members.
    pub(super) fn object(&mut self, depth: usize) -> Code {
        let seen = self.seen(|variable| variable.kind == Kind::Object);
        let classes = self.seen(|variable| matches!(variable.kind, Kind::Class(_)));
        match self.roll(6) {
            0..=2 if !seen.is_empty() => Code::of(self.pick(&seen).map(|variable| variable.name).unwrap_or_default()),
            3 | 4 if !classes.is_empty() => self.construction(depth),
            5 if self.around.this.is_some() => Code::of("this"),
            _ => self.object_literal(depth),
        }
    }

    fn construction(&mut self, depth: usize) -> Code {
        let classes = self.seen(|variable| matches!(variable.kind, Kind::Class(_)));
        let Some(class) = self.pick(&classes) else { return self.object_literal(depth) };
        let mut code = Code::of(format!("new {}(", class.name));
        let arguments = self.arguments(depth);
        code.code(arguments).text(")");
        code
    }

    fn object_literal(&mut self, depth: usize) -> Code {
        let mut members = Vec::new();
        // V8 makes the accessors of a literal with a spread last.
        let spreads = self.one_in(3);
        for _ in 0..self.roll(4) {
            let member = self.property(depth.saturating_sub(1), spreads);
            members.push(member);
        }
        let mut code = Code::of("$o({ ");
        code.body(members).text("})");
        code
    }

    fn property(&mut self, depth: usize, spreads: bool) -> Code {
        let name = self.one_of(&MEMBERS);
        let form = self.roll(10);
        let mut code = match if spreads && form < 4 { 0 } else { form } {
            0 if spreads => {
                let mut code = Code::of("...");
                let from = self.object(depth);
                code.code(from);
                code
            }
            0 | 1 => self.method_of(&name, depth),
            2 => self.getter_of(&name, depth),
            3 => self.setter_of(&name),
            4 => match self.variable(Kind::Plain) {
                Some(name) => Code::of(name),
                None => Code::of(format!("{name}: 1")),
            },
            5 => {
                let mut code = Code::of(format!("[(t('{name}'), '{name}')]: "));
                let value = self.plain(depth);
                code.code(value);
                code
            }
            _ => {
                let mut code = Code::of(format!("{name}: "));
                let value = self.value(depth);
                code.code(value);
                code
            }
        };
        code.text(",");
        code
    }

    pub(super) fn list(&mut self, depth: usize) -> Code {
        if let Some(name) = self.variable(Kind::List).filter(|_| self.roll(3) > 0) {
            return Code::of(name);
        }
        let mut code = Code::of("[");
        for at in 0..self.roll(4) {
            code.text(if at > 0 { ", " } else { "" });
            let spread = self.one_in(6) && depth > 0;
            let value = if spread { self.iterable(depth - 1) } else { self.plain(depth.saturating_sub(1)) };
            code.text(if spread { "..." } else { "" }).code(value);
        }
        code.text("]");
        code
    }

    /// Something that gives one value after the other.
    pub(super) fn iterable(&mut self, depth: usize) -> Code {
        match self.variable(Kind::Generator) {
            Some(name) if self.one_in(2) => Code::of(format!("{name}()")),
            _ => self.list(depth),
        }
    }

    /// A member of an object.
    fn member(&mut self, depth: usize) -> Code {
        if self.around.has_super && self.around.this.is_some() && self.one_in(8) {
            let name = self.member_name();
            return Code::of(format!("super.{name}"));
        }
        let mut code = self.object(depth);
        let name = self.member_name();
        match self.roll(6) {
            0 => code.text(format!("['{name}']")),
            1 => code.text(format!("[(t('{name}'), '{name}')]")),
            _ => code.text(format!(".{name}")),
        };
        code
    }

    pub(super) fn member_name(&mut self) -> String {
        let of_class = self.around.this.map(|class| self.classes[class].clone()).unwrap_or_default();
        let mut names = [of_class.accessors, of_class.fields].concat();
        names.extend(MEMBERS.map(str::to_owned));
        self.pick(&names).unwrap_or_default()
    }

    fn choice(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        let (test, yes, no) = (self.test(depth), self.plain(depth), self.plain(depth));
        code.code(test).text(" ? ").code(yes).text(" : ").code(no).text(")");
        code
    }

    fn short_circuit(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        let operator = self.one_of(&[" && ", " || ", " ?? "]);
        for at in 0..2 + self.roll(2) {
            let operand = self.plain(depth);
            code.text(if at > 0 { operator.clone() } else { String::new() }).code(operand);
        }
        code.text(")");
        code
    }

    fn chain(&mut self, depth: usize) -> Code {
        let mut code = match self.roll(3) {
            0 => self.object(depth),
            _ => {
                let mut code = Code::of("(");
                let value = self.plain(depth);
                code.code(value).typed(" as any", "").text(")");
                code
            }
        };
        for _ in 0..1 + self.roll(3) {
            let name = self.member_name();
            match self.roll(6) {
                0 => code.text(format!("?.[(t('{name}'), '{name}')]")),
                1 => {
                    let arguments = self.arguments(depth);
                    code.text("?.(").code(arguments).text(")")
                }
                2 => code.text(format!("?.{name}.{name}")),
                3 => code.text(format!(".{name}")),
                _ => code.text(format!("?.{name}")),
            };
        }
        if self.one_in(8) {
            let mut deletion = Code::of("delete ");
            // Only members can be deleted.
            deletion.code(code).text(".d");
            return deletion;
        }
        code
    }

    fn update(&mut self) -> Code {
        let Some(target) = self.numeric_target() else { return self.leaf() };
        match self.roll(4) {
            0 => Code::of(format!("++{target}")),
            1 => Code::of(format!("--{target}")),
            2 => Code::of(format!("{target}++")),
            _ => Code::of(format!("({target} += 1)")),
        }
    }

    fn numeric_target(&mut self) -> Option<String> {
        let seen = self.seen(|variable| variable.kind == Kind::Plain && variable.open);
        let object = self.variable(Kind::Object).filter(|_| self.one_in(2));
        match object {
            Some(name) => Some(format!("{name}.{}", self.one_of(&MEMBERS))),
            None => self.pick(&seen).map(|variable| variable.name),
        }
    }

    fn sum(&mut self) -> Code {
        let (left, right) = (self.leaf(), self.leaf());
        let mut code = Code::of("(");
        code.code(left).text(" + ").code(right).text(")");
        code
    }

    fn negation(&mut self, depth: usize) -> Code {
        let operator = self.one_of(&["!", "!", "typeof ", "void ", "-"]);
        let mut code = Code::of(format!("({operator}"));
        let value = if operator == "-" { self.leaf() } else { self.plain(depth) };
        code.code(value).text(")");
        code
    }

    /// What is true or false.
    pub(super) fn comparison(&mut self, depth: usize) -> Code {
        let operator = self.one_of(&[" === ", " === ", " !== ", " == ", " != ", " < ", " >= "]);
        let mut code = Code::of("(");
        let (left, right) = match operator.trim() {
            "===" | "!==" => (self.plain(depth), self.plain(depth)),
            "==" | "!=" => (self.plain(depth), Code::of("null")),
            _ => (self.leaf(), self.leaf()),
        };
        code.code(left).text(operator).code(right).text(")");
        code
    }

    /// What decides.
    pub(super) fn test(&mut self, depth: usize) -> Code {
        match self.roll(6) {
            0 | 1 => self.comparison(depth.saturating_sub(1)),
            2 => Code::of("q()"),
            3 if depth > 0 => {
                let mut code = Code::of("!(");
                let test = self.test(depth - 1);
                code.code(test).text(")");
                code
            }
            4 if depth > 0 => {
                let mut code = Code::of("(");
                let operator = self.one_of(&[" && ", " || ", ", "]);
                let (left, right) = (self.test(depth - 1), self.test(depth - 1));
                code.code(left).text(operator).code(right).text(")");
                code
            }
            _ => self.plain(depth),
        }
    }

    fn sequence(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        let (first, last) = (self.plain(depth), self.plain(depth));
        code.code(first).text(", ").code(last).text(")");
        code
    }

    fn template(&mut self, depth: usize) -> Code {
        if self.one_in(2) {
            let value = self.plain(depth);
            let mut code = Code::of("t`a${");
            code.code(value).text("}b`");
            return code;
        }
        let mut code = Code::of("`a${");
        let value = self.leaf();
        code.code(value).text("}b`");
        code
    }

    fn has(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        let privates = self.privates();
        match self.pick(&privates).filter(|_| self.one_in(2)) {
            Some((name, _)) => code.text(format!("#{name}")),
            None => code.text(format!("'{}'", self.one_of(&MEMBERS))),
        };
        let object = self.object(depth);
        code.text(" in ").code(object).text(")");
        code
    }

    fn waiting(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        if self.around.is_generator && self.one_in(2) {
            let many = self.one_in(4);
            let value = if many { self.iterable(depth) } else { self.plain(depth) };
            code.text(if many { "yield* " } else { "yield " }).code(value).text(")");
            return code;
        }
        if !self.around.is_async {
            return self.leaf();
        }
        let value = match (self.roll(3), self.variable(Kind::Async)) {
            (0, Some(name)) => Code::of(format!("{name}()")),
            (1, _) => Code::of("w()"),
            _ => self.plain(depth),
        };
        code.text("await ").code(value).text(")");
        code
    }

    /// The private names in sight.
    pub(super) fn privates(&self) -> Vec<(String, Private)> {
        self.around.within.iter().flat_map(|&class| self.classes[class].privates.clone()).collect()
    }

    fn private_read(&mut self) -> Code {
        let privates = self.privates();
        match self.pick(&privates).filter(|_| self.around.this.is_some()) {
            Some((name, Private::Method)) => Code::of(format!("this.#{name}()")),
            Some((name, _)) => Code::of(format!("this.#{name}")),
            None => self.leaf(),
        }
    }

    /// A value with marks of TypeScript.
    fn marked(&mut self, depth: usize) -> Code {
        let mut code = Code::of("(");
        let value = self.plain(depth);
        let mark = self.one_of(&[" as any", " satisfies unknown"]);
        code.code(value).typed(&mark, "").text(")");
        if self.one_in(3) {
            code.typed("!", "");
        }
        code
    }

    pub(super) fn arguments(&mut self, depth: usize) -> Code {
        let mut code = Code::default();
        for at in 0..self.roll(3) {
            code.text(if at > 0 { ", " } else { "" });
            let spread = depth > 0 && self.one_in(8);
            let value = if spread { self.iterable(depth - 1) } else { self.value(depth.saturating_sub(1)) };
            code.text(if spread { "..." } else { "" }).code(value);
        }
        code
    }

    pub(super) fn call(&mut self) -> Code {
        let functions = self.seen(|variable| matches!(variable.kind, Kind::Function | Kind::Async));
        let mut code = match self.roll(8) {
            0 => Code::of("r("),
            1 | 2 => {
                let mut code = self.object(1);
                let of_class = self.around.this.map(|class| self.classes[class].methods.clone()).unwrap_or_default();
                let name = self.pick(&of_class).unwrap_or_else(|| self.one_of(&["m", "n", "a"]));
                code.text(format!(".{name}("));
                code
            }
            3 if self.around.has_super && self.around.this.is_some() => {
                Code::of(format!("super.{}(", self.one_of(&["m", "n"])))
            }
            4 if !self.around.is_generator => return self.callback(),
            _ => match self.pick(&functions) {
                Some(variable) => Code::of(format!("{}(", variable.name)),
                None => Code::of("t("),
            },
        };
        let arguments = self.arguments(2);
        code.code(arguments).text(")");
        code
    }

    /// A function that a list runs on the spot.
    fn callback(&mut self) -> Code {
        let mut code = self.list(1);
        let method = self.one_of(&["forEach", "map", "filter", "some", "every", "find"]);
        code.text(format!(".{method}("));
        let function = self.arrow(1);
        code.code(function).text(")");
        code
    }

    /// What an assignment gives a value to.
    pub(super) fn target(&mut self) -> Code {
        let seen = self.seen(|variable| variable.kind == Kind::Plain && variable.open);
        let privates: Vec<_> = self.privates().into_iter().filter(|(_, is)| *is != Private::Method).collect();
        match self.roll(6) {
            0..=2 if !seen.is_empty() => Code::of(self.pick(&seen).map(|variable| variable.name).unwrap_or_default()),
            3 if !privates.is_empty() && self.around.this.is_some() => {
                Code::of(self.pick(&privates).map(|(name, _)| format!("this.#{name}")).unwrap_or_default())
            }
            4 if self.around.has_super && self.around.this.is_some() && self.one_in(2) => {
                Code::of(format!("super.{}", self.member_name()))
            }
            _ => {
                let mut code = self.object(1);
                let name = self.member_name();
                match self.roll(4) {
                    0 => code.text(format!("[(t('{name}'), '{name}')]")),
                    _ => code.text(format!(".{name}")),
                };
                code
            }
        }
    }

    pub(super) fn assignment(&mut self) -> Code {
        if self.one_in(6) {
            return self.pattern_assignment();
        }
        let mut code = Code::of("(");
        let target = self.target();
        let operator = self.one_of(&[" = ", " = ", " = ", " &&= ", " ||= ", " ??= "]);
        let value = if self.one_in(5) { self.value(2) } else { self.plain(2) };
        code.code(target).text(operator).code(value).text(")");
        code
    }
}
