//! Functions of every kind.

use super::{Around, Generator, Kind};
use crate::oracle::program::Code;

impl Generator {
    /// A function as a value.
    pub(super) fn function(&mut self, depth: usize) -> Code {
        match self.roll(3) {
            0 => {
                let is_async = self.one_in(4);
                let (parameters, body) = self.own(is_async, false, None, false);
                let mut code = Code::of(if is_async { "async function (" } else { "function (" });
                code.code(parameters).text(") ").block(body);
                let mut wrapped = Code::of("(");
                wrapped.code(code).text(")");
                wrapped
            }
            _ => self.arrow(depth),
        }
    }

    /// An arrow function: `this`, `super` and private names are those around it.
    pub(super) fn arrow(&mut self, depth: usize) -> Code {
        let is_async = self.one_in(6);
        let saved = self.around.clone();
        self.around = Around {
            is_async,
            is_function: true,
            is_generator: false,
            labels: Vec::new(),
            in_loop: false,
            in_switch: false,
            ..saved.clone()
        };
        self.scopes.push(Vec::new());
        let parameters = self.parameters();
        let mut code = Code::of(if is_async { "(async (" } else { "((" });
        code.code(parameters).text(") => ");
        if self.one_in(2) || self.depth > 3 {
            let value = self.plain(depth.min(1));
            code.text("(").code(value).text("))");
        } else {
            self.depth += 1;
            let body = self.statements(2);
            self.depth -= 1;
            code.block(body).text(")");
        }
        self.scopes.pop();
        self.around = saved;
        code
    }

    /// The parameters and the body of a function with a `this` of its own.
    pub(super) fn own(
        &mut self,
        is_async: bool,
        is_generator: bool,
        this: Option<usize>,
        has_super: bool,
    ) -> (Code, Vec<Code>) {
        let within = self.around.within.clone();
        let around = Around { is_async, is_generator, is_function: true, this, has_super, within, ..Around::default() };
        let saved = std::mem::replace(&mut self.around, around);
        self.scopes.push(Vec::new());
        self.depth += 1;
        let parameters = self.parameters();
        self.next += 1;
        let mut body = vec![Code::of(format!("t({});", self.next))];
        body.extend(self.statements(3));
        self.depth -= 1;
        self.scopes.pop();
        self.around = saved;
        (parameters, body)
    }

    fn parameters(&mut self) -> Code {
        let mut code = Code::default();
        let count = self.roll(3);
        for at in 0..count {
            code.text(if at > 0 { ", " } else { "" });
            match self.roll(6) {
                0 => {
                    let pattern = self.pattern(1);
                    code.code(pattern).typed(": any", "").text(" = {}");
                }
                1 => {
                    let name = self.name("p");
                    let waits = std::mem::take(&mut self.around.is_async);
                    let yields = std::mem::take(&mut self.around.is_generator);
                    let default = self.plain(1);
                    (self.around.is_async, self.around.is_generator) = (waits, yields);
                    code.text(format!("{name} = ")).code(default);
                    self.declare(&name, Kind::Plain, true);
                }
                2 if at + 1 == count => {
                    let name = self.name("p");
                    code.text(format!("...{name}")).typed(": any[]", "");
                    self.declare(&name, Kind::List, false);
                }
                _ => {
                    let name = self.name("p");
                    code.text(name.clone()).typed("?: any", "");
                    self.declare(&name, Kind::Plain, true);
                }
            }
        }
        code
    }

    pub(super) fn function_declaration(&mut self) -> Code {
        let (word, kind) = match self.roll(7) {
            0 => ("async function ", Kind::Async),
            1 | 2 => ("function* ", Kind::Generator),
            3 => ("async function* ", Kind::AsyncGenerator),
            _ => ("function ", Kind::Function),
        };
        let name = self.name("f");
        let is_async = matches!(kind, Kind::Async | Kind::AsyncGenerator);
        let is_generator = matches!(kind, Kind::Generator | Kind::AsyncGenerator);
        let (parameters, body) = self.own(is_async, is_generator, None, false);
        let mut code = Code::of(format!("{word}{name}("));
        code.code(parameters).text(") ").block(body);
        self.declare(&name, kind, false);
        code
    }

    pub(super) fn function_variable(&mut self) -> Code {
        let name = self.name("f");
        let function = self.function(2);
        let mut code = Code::of(format!("const {name} = "));
        code.code(function).text(";");
        self.declare(&name, Kind::Function, false);
        code
    }

    /// A function that is called where it is made.
    pub(super) fn on_the_spot(&mut self, depth: usize) -> Code {
        let mut code = Code::default();
        if self.one_in(2) {
            let arrow = self.arrow(depth);
            code.code(arrow);
        } else {
            let (parameters, body) = self.own(false, false, None, false);
            code.text("(function (").code(parameters).text(") ").block(body).text(")");
        }
        let arguments = self.arguments(depth.min(1));
        code.text("(").code(arguments).text(")");
        code
    }

    pub(super) fn method_of(&mut self, name: &str, _depth: usize) -> Code {
        let is_async = self.one_in(5);
        let (parameters, body) = self.own(is_async, false, None, false);
        let mut code = Code::of(if is_async { format!("async {name}(") } else { format!("{name}(") });
        code.code(parameters).text(") ").block(body);
        code
    }

    pub(super) fn getter_of(&mut self, name: &str, _depth: usize) -> Code {
        let saved = self.around.clone();
        let within = saved.within.clone();
        self.around = Around { is_function: true, within, ..Around::default() };
        self.depth += 1;
        let mut body = vec![Code::of(format!("t('get {name}');"))];
        body.extend(self.statements(1));
        let value = self.plain(1);
        self.depth -= 1;
        self.around = saved;
        let mut last = Code::of("return ");
        last.code(value).text(";");
        body.push(last);
        let mut code = Code::of(format!("get {name}() "));
        code.block(body);
        code
    }

    pub(super) fn setter_of(&mut self, name: &str) -> Code {
        let parameter = self.name("p");
        Code::of(format!("set {name}({parameter}) {{ t('set {name}', {parameter}); }}"))
    }
}
