//! Loops of every kind. Each ends: it counts, it takes what a list or generator has, or it asks `q()`, whose answers run
//! out.

use super::{Generator, Kind};
use crate::oracle::program::Code;

impl Generator {
    pub(super) fn loops(&mut self) -> Code {
        let saved = self.around.clone();
        let mut code = Code::default();
        if self.one_in(4) {
            let name = self.name("l");
            self.around.labels.push((name.clone(), true));
            code.text(format!("{name}: "));
        }
        self.scopes.push(Vec::new());
        let inner = match self.roll(8) {
            0..=2 => self.counting(),
            3 => self.asking(),
            4 => self.do_loop(),
            5 if self.around.is_async => self.over_async(),
            _ => self.over(),
        };
        self.scopes.pop();
        self.around = saved;
        code.code(inner);
        code
    }

    fn turn(&mut self) -> Vec<Code> {
        self.around.in_loop = true;
        self.around.in_switch = false;
        self.statements(3)
    }

    fn counting(&mut self) -> Code {
        let name = self.name("i");
        let word = self.one_of(&["let", "let", "let", "var"]);
        let most = 1 + self.roll(3);
        self.declare(&name, Kind::Plain, false);
        let step = if self.one_in(2) { format!("{name}++") } else { format!("{name} += 1") };
        let mut code = Code::of(format!("for ({word} {name} = 0; {name} < {most}; {step}) "));
        let body = self.turn();
        code.block(body);
        code
    }

    fn asking(&mut self) -> Code {
        let mut code = Code::of("while (q()");
        if self.one_in(2) {
            let test = self.test(2);
            code.text(" && ").code(test);
        }
        code.text(") ");
        let body = self.turn();
        code.block(body);
        code
    }

    fn do_loop(&mut self) -> Code {
        let mut code = Code::of("do ");
        let body = self.turn();
        code.block(body).text(" while (q());");
        code
    }

    fn over(&mut self) -> Code {
        let list = self.iterable(2);
        self.head("for (", list)
    }

    fn over_async(&mut self) -> Code {
        let list = match self.variable(Kind::AsyncGenerator) {
            Some(name) => Code::of(format!("{name}()")),
            None => self.iterable(2),
        };
        self.head("for await (", list)
    }

    fn head(&mut self, start: &str, list: Code) -> Code {
        let mut code = Code::of(start);
        match self.roll(5) {
            0 => {
                let target = self.target();
                code.code(target);
            }
            1 => {
                let word = self.one_of(&["const ", "let "]);
                let pattern = self.pattern(1);
                code.text(word).code(pattern);
            }
            _ => {
                let word = self.one_of(&["const", "let"]);
                let name = self.name("x");
                self.declare(&name, Kind::Plain, word == "let");
                code.text(format!("{word} {name}"));
            }
        }
        code.text(" of ").code(list).text(") ");
        let body = self.turn();
        code.block(body);
        code
    }
}
