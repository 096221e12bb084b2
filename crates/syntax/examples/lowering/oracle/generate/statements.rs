//! Statements.

use super::{Around, Generator, Kind};
use crate::oracle::program::Code;

impl Generator {
    /// The statements of a block of its own.
    pub(super) fn statements(&mut self, most: usize) -> Vec<Code> {
        self.scopes.push(Vec::new());
        let mut lines = Vec::new();
        if self.one_in(12) {
            lines.extend(self.shadow());
        }
        let hoisted = if self.one_in(10) && self.depth < 3 { Some(self.function_declaration()) } else { None };
        for _ in 0..1 + self.roll(most) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let line = self.statement();
            lines.push(line);
        }
        lines.push(self.show());
        lines.extend(hoisted);
        self.scopes.pop();
        lines
    }

    /// Another variable of a name that is seen here.
    fn shadow(&mut self) -> Option<Code> {
        let seen = self.seen(|variable| variable.kind == Kind::Plain);
        // The scope around may be that of the parameters of the same function.
        let around = self.scopes.len().checked_sub(2).map(|at| self.scopes[at].clone()).unwrap_or_default();
        let free: Vec<_> = seen.into_iter().filter(|one| !around.iter().any(|other| other.name == one.name)).collect();
        let name = self.pick(&free)?.name;
        let value = self.literal();
        self.declare(&name, Kind::Plain, true);
        Some(Code::of(format!("let {name} = {value};")))
    }

    /// Shows some variables.
    pub(super) fn show(&mut self) -> Code {
        let seen = self.seen(|variable| matches!(variable.kind, Kind::Plain | Kind::Object));
        let mut names: Vec<String> = Vec::new();
        for _ in 0..2 {
            names.extend(self.pick(&seen).map(|variable| variable.name));
        }
        self.next += 1;
        Code::of(format!("t({}{});", self.next, names.iter().map(|name| format!(", {name}")).collect::<String>()))
    }

    pub(super) fn statement(&mut self) -> Code {
        self.depth += 1;
        let code = if self.depth > 4 { self.simple() } else { self.any_statement() };
        self.depth -= 1;
        code
    }

    fn any_statement(&mut self) -> Code {
        match self.roll(30) {
            0..=4 => self.simple(),
            5..=9 => self.declaration(),
            10 | 11 => self.destructuring(),
            12..=14 => self.condition(),
            15 | 16 => self.switch(),
            17 | 18 => self.attempt(),
            19..=23 => self.loops(),
            24 => self.labelled(),
            25 => self.block(),
            _ => self.leaving(),
        }
    }

    /// An expression that does something.
    fn simple(&mut self) -> Code {
        let mut code = match self.roll(5) {
            0 => self.call(),
            1 | 2 => self.assignment(),
            3 => self.shown(),
            _ => self.plain(2),
        };
        // An object or a function at the start of a statement would be read as a block or a declaration.
        let mut statement = Code::of("void (");
        code.text(");");
        statement.code(code);
        statement
    }

    fn shown(&mut self) -> Code {
        let mut code = Code::of("t(");
        let value = self.value(3);
        code.code(value).text(")");
        code
    }

    pub(super) fn declaration(&mut self) -> Code {
        match self.roll(14) {
            0..=3 => self.variable_declaration(Kind::Plain),
            4 | 5 => self.variable_declaration(Kind::Object),
            6 => self.variable_declaration(Kind::List),
            7 | 8 => self.function_declaration(),
            9 => self.function_variable(),
            _ if self.classes.len() < 4 => self.class_declaration(),
            _ => self.variable_declaration(Kind::Object),
        }
    }

    fn variable_declaration(&mut self, kind: Kind) -> Code {
        let name = self.name("v");
        let word = self.one_of(&["const", "let", "let", "var"]);
        let value = match kind {
            Kind::Object => self.object(2),
            Kind::List => self.list(2),
            _ => self.plain(3),
        };
        let mut code = Code::of(format!("{word} {name}"));
        if self.one_in(3) {
            code.typed(": any", "");
        }
        code.text(" = ").code(value).text(";");
        // A `var` is seen in all of its function, but has a value only behind this.
        self.declare(&name, kind, word != "const");
        code
    }

    fn condition(&mut self) -> Code {
        let mut code = Code::of("if (");
        let test = self.test(3);
        let yes = self.statements(2);
        code.code(test).text(") ").block(yes);
        match self.roll(4) {
            0 => {
                let no = self.statements(2);
                code.text(" else ").block(no);
            }
            1 => {
                let other = self.condition();
                code.text(" else ").code(other);
            }
            _ => {}
        }
        code
    }

    fn switch(&mut self) -> Code {
        let truth = self.one_in(4);
        let mut code = Code::of("switch (");
        let subject = if truth { Code::of("true") } else { self.plain(2) };
        code.code(subject).text(") ");
        let (cases, default) = (1 + self.roll(3), self.roll(5));
        let saved = self.around.clone();
        self.around.in_switch = true;
        self.scopes.push(Vec::new());
        let mut arms = Vec::new();
        for at in 0..=cases {
            let mut arm = Code::default();
            if at == default {
                arm.text("default: ");
            } else {
                let value = if truth { self.comparison(2) } else { self.plain(1) };
                arm.text("case ").code(value).text(": ");
            }
            let mut body = if self.one_in(4) { Vec::new() } else { self.statements(2) };
            if self.roll(3) > 0 {
                body.push(Code::of("break;"));
            }
            if self.one_in(2) {
                arm.block(body)
            } else {
                arm.text("{ ").body(body).text(" }")
            };
            arms.push(arm);
        }
        self.scopes.pop();
        self.around = saved;
        code.block(arms);
        code
    }

    fn attempt(&mut self) -> Code {
        let mut code = Code::of("try ");
        let body = self.statements(3);
        code.block(body);
        let form = self.roll(4);
        if form != 0 {
            let handler = if form == 1 { self.unnamed_handler() } else { self.handler() };
            code.code(handler);
        }
        if form == 0 || self.one_in(2) {
            let last = self.statements(2);
            code.text(" finally ").block(last);
        }
        code
    }

    fn unnamed_handler(&mut self) -> Code {
        let mut code = Code::of(" catch ");
        let body = self.statements(2);
        code.block(body);
        code
    }

    fn handler(&mut self) -> Code {
        let name = self.name("e");
        self.scopes.push(Vec::new());
        self.declare(&name, Kind::Plain, true);
        let mut code = Code::of(format!(" catch ({name}) "));
        let body = self.statements(2);
        self.scopes.pop();
        code.block(body);
        code
    }

    fn labelled(&mut self) -> Code {
        let name = self.name("l");
        self.around.labels.push((name.clone(), false));
        let mut code = Code::of(format!("{name}: "));
        let body = self.statements(3);
        self.around.labels.pop();
        code.block(body);
        code
    }

    fn block(&mut self) -> Code {
        let mut code = Code::default();
        let body = self.statements(3);
        code.block(body);
        code
    }

    /// `return`, `throw`, `break`, `continue`, most of the time behind a condition.
    fn leaving(&mut self) -> Code {
        let Around { is_function, in_loop, in_switch, .. } = self.around;
        let labels = self.around.labels.clone();
        let mut leave = Code::default();
        match self.roll(6) {
            0 | 1 if is_function => {
                leave.text("return");
                if self.one_in(2) {
                    let value = self.value(2);
                    leave.text(" ").code(value);
                }
            }
            2 => {
                let value = self.plain(1);
                leave.text("throw ").code(value);
            }
            3 if in_loop => {
                leave.text("continue");
            }
            4 if in_loop || in_switch => {
                leave.text("break");
            }
            _ => match self.pick(&labels) {
                Some((name, is_loop)) => {
                    let word = if is_loop { self.one_of(&["break", "continue"]) } else { "break".to_owned() };
                    leave.text(format!("{word} {name}"));
                }
                None => return self.simple(),
            },
        }
        leave.text(";");
        if self.one_in(6) {
            return leave;
        }
        let mut code = Code::of("if (");
        let test = self.test(2);
        code.code(test).text(") ").block(vec![leave]);
        code
    }
}
