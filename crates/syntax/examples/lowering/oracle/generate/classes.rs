//! Classes: fields, methods, accessors, statics, private names, inheritance, constructors.

use super::{Around, Generator, Kind, Private, Shape};
use crate::oracle::program::Code;

impl Generator {
    pub(super) fn class_declaration(&mut self) -> Code {
        let name = self.name("C");
        let classes = self.seen(|variable| matches!(variable.kind, Kind::Class(_)));
        let base = self.pick(&classes).filter(|_| self.one_in(2));
        let (heritage, inherited) = match base {
            Some(base) => {
                let Kind::Class(number) = base.kind else { return Code::default() };
                (base.name, self.classes[number].clone())
            }
            None if self.one_in(5) => (self.mixin(), Shape::default()),
            None => ("$B".to_owned(), Shape::default()),
        };
        let number = self.classes.len();
        let shape = Shape { privates: Vec::new(), statics: Vec::new(), ..inherited };
        self.classes.push(shape);
        let mut code = Code::of(format!("class {name} extends {heritage} "));
        let saved = self.around.clone();
        self.around.within.push(number);
        let members = self.members(number);
        self.around = saved;
        code.block(members);
        self.declare(&name, Kind::Class(number), false);
        code
    }

    /// A base class that a call gives.
    fn mixin(&mut self) -> String {
        self.next += 1;
        format!("(t({}), $B)", self.next)
    }

    fn members(&mut self, class: usize) -> Vec<Code> {
        let mut members = Vec::new();
        for _ in 0..1 + self.roll(5) {
            let member = self.class_member(class);
            members.push(member);
        }
        if self.one_in(2) {
            let made = self.constructor(class);
            members.push(made);
        }
        members
    }

    fn class_member(&mut self, class: usize) -> Code {
        match self.roll(13) {
            0..=2 => self.field(class),
            3 | 4 => self.method(class),
            5 => self.getter(class),
            6 => self.setter(class),
            7 => self.private_field(class),
            8 => self.private_method(class),
            9 => self.static_field(class),
            10 => self.static_block(class),
            11 => self.static_method(class),
            _ => self.private_accessor(class),
        }
    }

    /// What an initialiser may use: `this`, but no `await`.
    fn initialiser(&mut self, class: usize) -> Code {
        let within = self.around.within.clone();
        let around = Around { this: Some(class), has_super: true, within, ..Around::default() };
        let saved = std::mem::replace(&mut self.around, around);
        let value = self.value(1);
        self.around = saved;
        value
    }

    fn field(&mut self, class: usize) -> Code {
        let name = self.one_of(&["a", "b", "c", "d"]);
        let mut code = Code::default();
        if self.one_in(4) {
            code.typed("private ", "");
        }
        match self.roll(5) {
            0 => code.text(format!("[(t('{name}'), '{name}')]")),
            _ => code.text(name.clone()),
        };
        if self.one_in(3) {
            code.typed(": any", "");
        }
        if self.roll(5) > 0 {
            let value = self.initialiser(class);
            code.text(" = ").code(value);
        }
        code.text(";");
        self.classes[class].fields.push(name);
        code
    }

    fn method(&mut self, class: usize) -> Code {
        let name = self.one_of(&["m", "n"]);
        let is_async = self.one_in(6);
        let (parameters, body) = self.own(is_async, false, Some(class), true);
        let mut code = Code::of(if is_async { format!("async {name}(") } else { format!("{name}(") });
        code.code(parameters).text(") ").block(body);
        self.classes[class].methods.push(name);
        code
    }

    fn getter(&mut self, class: usize) -> Code {
        let name = self.one_of(&["g", "a"]);
        let (_, mut body) = self.own(false, false, Some(class), true);
        let saved = self.around.clone();
        let within = saved.within.clone();
        self.around = Around { this: Some(class), has_super: true, within, ..Around::default() };
        let value = self.plain(1);
        self.around = saved;
        let mut last = Code::of("return ");
        last.code(value).text(";");
        body.push(last);
        // The parameters of the getter are gone, so its body must not use them.
        let mut code = Code::of(format!("get {name}() "));
        body.truncate(1);
        let again = self.accessor_body(class);
        body.extend(again);
        code.block(body);
        self.classes[class].accessors.push(name);
        code
    }

    fn accessor_body(&mut self, class: usize) -> Vec<Code> {
        let within = self.around.within.clone();
        let around = Around { this: Some(class), has_super: true, is_function: true, within, ..Around::default() };
        let saved = std::mem::replace(&mut self.around, around);
        self.depth += 1;
        let mut body = self.statements(1);
        let value = self.plain(1);
        self.depth -= 1;
        self.around = saved;
        let mut last = Code::of("return ");
        last.code(value).text(";");
        body.push(last);
        body
    }

    fn setter(&mut self, class: usize) -> Code {
        let name = self.one_of(&["g", "a"]);
        let parameter = self.name("p");
        self.scopes.push(Vec::new());
        self.declare(&parameter, Kind::Plain, true);
        let mut body = vec![Code::of(format!("t('set {name}', {parameter});"))];
        body.extend(self.accessor_body(class));
        self.scopes.pop();
        let mut code = Code::of(format!("set {name}({parameter}"));
        code.typed(": any", "").text(") ").block(body);
        self.classes[class].accessors.push(name);
        code
    }

    fn private(&mut self, class: usize, is: Private) -> String {
        let name = self.name("p");
        self.classes[class].privates.push((name.clone(), is));
        name
    }

    fn private_field(&mut self, class: usize) -> Code {
        let value = self.initialiser(class);
        let name = self.private(class, Private::Field);
        let mut code = Code::of(format!("#{name} = "));
        code.code(value).text(";");
        code
    }

    fn private_method(&mut self, class: usize) -> Code {
        let (parameters, body) = self.own(false, false, Some(class), true);
        let name = self.private(class, Private::Method);
        let mut code = Code::of(format!("#{name}("));
        code.code(parameters).text(") ").block(body);
        code
    }

    fn private_accessor(&mut self, class: usize) -> Code {
        let body = self.accessor_body(class);
        let name = self.private(class, Private::Accessor);
        let mut code = Code::of(format!("get #{name}() "));
        code.block(body).text(format!(" set #{name}(p) {{ t('set #', p); }}"));
        code
    }

    fn static_field(&mut self, class: usize) -> Code {
        let name = self.one_of(&["s", "u"]);
        let within = self.around.within.clone();
        let around = Around { within, ..Around::default() };
        let saved = std::mem::replace(&mut self.around, around);
        let value = self.plain(2);
        self.around = saved;
        let mut code = Code::of(format!("static {name} = "));
        code.code(value).text(";");
        self.classes[class].statics.push(name);
        code
    }

    fn static_block(&mut self, _class: usize) -> Code {
        let within = self.around.within.clone();
        let saved = std::mem::replace(&mut self.around, Around { within, ..Around::default() });
        self.depth += 1;
        let body = self.statements(2);
        self.depth -= 1;
        self.around = saved;
        let mut code = Code::of("static ");
        code.block(body);
        code
    }

    fn static_method(&mut self, class: usize) -> Code {
        let name = self.one_of(&["s", "u"]);
        let (parameters, body) = self.own(false, false, None, false);
        let mut code = Code::of(format!("static {name}("));
        code.code(parameters).text(") ").block(body);
        self.classes[class].statics.push(name);
        code
    }

    fn constructor(&mut self, class: usize) -> Code {
        let within = self.around.within.clone();
        let around = Around { is_function: false, within, ..Around::default() };
        let saved = std::mem::replace(&mut self.around, around);
        self.scopes.push(Vec::new());
        let parameter = self.name("p");
        self.declare(&parameter, Kind::Plain, true);
        let mut body = vec![Code::of(format!("t('new', {parameter});"))];
        self.depth += 1;
        if self.one_in(3) {
            let mut before = Code::default();
            let inner = self.statements(1);
            before.block(inner);
            body.push(before);
        }
        let arguments = self.arguments(1);
        let mut up = Code::of("super(");
        up.code(arguments).text(");");
        let is_member = self.one_in(5);
        if is_member {
            up.typed("", &format!(" this.{parameter} = {parameter};"));
        }
        body.push(up);
        self.around.this = Some(class);
        self.around.has_super = true;
        let mut behind = Code::default();
        let inner = self.statements(3);
        behind.block(inner);
        body.push(behind);
        if self.one_in(8) {
            let other = self.object(1);
            let mut last = Code::of("return ");
            last.code(other).text(";");
            body.push(last);
        }
        self.depth -= 1;
        self.scopes.pop();
        self.around = saved;
        let mut code = Code::of("constructor(");
        code.typed(if is_member { "readonly " } else { "" }, "").text(parameter).typed("?: any", "");
        code.text(") ").block(body);
        code
    }
}
