//! Random programs about one object that has other names, is kept, is handed on, and has accessors.

use std::fmt::Write as _;

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides.max(1)
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.roll(of.len() as u64) as usize]
    }
}

/// A program. `go()` is the effect; `make` calls what is judged.
pub(crate) struct Drawn {
    /// What is judged.
    pub(crate) source: String,
    /// What is added for a run.
    pub(crate) tail: String,
    /// The scope.
    pub(crate) scope: &'static str,
    /// The object that the guards are about.
    pub(crate) subject: &'static str,
}

const HELPERS: &str = "\
let shared;
function isOk(x) { return x.ok; }
function isOpen(x) { return x.ok && k(); }
function assertOk(x) { if (!x.ok) throw new Error('no'); }
function same(x) { return x; }
function touch(x) { x.ok = k(); }
function set(x, v) { x.ok = v; }
function drop() { if (shared) shared.ok = false; }
function hold(f) { f(); }
function* each(x) { yield 1; x.ok = false; yield 2; }
async function later(x) { await w(); x.ok = false; }
";

const CLASSES: [&str; 4] = [
    "\
class A {
  constructor(v) { this.ok = v; this.next = this; }
  isOk() { return this.ok; }
  close() { this.ok = false; }
  assert() { if (!this.ok) throw new Error('no'); }
}
class B extends A {
  isOk() { return this.ok && k(); }
  close() { super.close(); other(); }
}
",
    "\
class A {
  constructor(v) { this.v = v; this.next = this; }
  get ok() { return this.v; }
  set ok(v) { this.v = v; }
  isOk() { return this.ok; }
  close() { this.v = false; }
  assert() { if (!this.v) throw new Error('no'); }
}
class B extends A {
  close() { this.v = k(); }
}
",
    "\
class A {
  #v = false;
  next = this;
  constructor(v) { this.#v = v; }
  get ok() { return this.#v; }
  set ok(v) { this.#v = v; }
  isOk() { return this.#v; }
  close() { this.#v = false; }
  assert() { if (!this.isOk()) throw new Error('no'); }
}
class B extends A {
  set ok(v) { super.ok = v; }
  get ok() { return super.ok; }
}
",
    "\
class A {
  ok = k();
  next = this;
  isOk = () => this.ok;
  close = () => { this.ok = false; };
  assert() { if (!this.ok) throw new Error('no'); }
}
class B extends A {
  drop() { this.ok = false; }
  close = () => { this.drop(); };
}
",
];

const FUNCTION_TAIL: &str = "
start(() => {
  const m = k() ? new A(k()) : new B(k());
  const p = k() ? m : new A(k());
  if (k()) m.next = p;
  return f(m, p);
});
";

const METHOD_TAIL: &str = "
start(() => {
  const c = k() ? new C(k()) : new D(k());
  return c.run(k() ? c : new A(k()));
});
";

struct Text<'d> {
    dice: &'d mut Dice,
    out: String,
    budget: i32,
    subject: &'static str,
    is_async: bool,
    names: u32,
}

/// Draws a program.
pub(crate) fn draw(dice: &mut Dice) -> Drawn {
    let classes = CLASSES[dice.roll(CLASSES.len() as u64) as usize];
    let (is_async, is_method) = (dice.roll(4) == 0, dice.roll(3) == 0);
    let budget = 4 + dice.roll(12) as i32;
    let subject = if is_method { "this" } else { "m" };
    let mut text = Text { dice, out: String::new(), budget, subject, is_async, names: 0 };
    let start = text.dice.one(&["", "  let q = p;\n", "  let q = m;\n"]).replace("= m", &format!("= {subject}"));
    let start = if start.is_empty() { "  let q = { ok: k(), next: p };\n".to_owned() } else { start };
    text.block(2, true, false);
    match text.dice.roll(4) {
        0 => text.line(2, "if (!$S.ok) return;\n    go();"),
        1 => text.line(2, "assertOk($S);\n    go();"),
        2 => text.line(2, "if (isOk($S)) { other(); go(); }"),
        _ => {}
    }
    let word = if is_async { "async " } else { "" };
    let lists = format!("  const box = {{ m: {subject} }};\n  const list = [{subject}, p];\n");
    let body = format!("{start}  let b = k();\n{lists}{}", text.out);
    let source = if is_method {
        format!("{HELPERS}{classes}class C extends A {{\n  {word}run(p) {{\n{body}  }}\n}}\nclass D extends C {{}}\n")
    } else {
        format!("{HELPERS}{classes}{word}function f(m, p) {{\n{body}}}\n")
    };
    let (tail, scope) = if is_method { (METHOD_TAIL, "a.ts#C.run") } else { (FUNCTION_TAIL, "a.ts#f") };
    Drawn { source, tail: tail.to_owned(), scope, subject }
}

impl Text<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let text = text.replace("$S", self.subject);
        let _ = writeln!(self.out, "{:width$}{text}", "", width = depth * 2);
    }

    fn cond(&mut self) -> String {
        let parts = [
            "$S.ok",
            "$S.ok",
            "$S.ok",
            "!$S.ok",
            "!$S.ok",
            "isOk($S)",
            "!isOk($S)",
            "$S.isOk()",
            "!$S.isOk()",
            "k()",
            "b",
            "!b",
            "$S.ok === true",
            "$S?.ok",
            "q.ok",
            "p.ok",
            "isOpen($S)",
            "$S.next.ok",
            "box.m.ok",
        ];
        let first = self.dice.one(&parts).to_owned();
        match self.dice.roll(7) {
            0 => format!("{first} && {}", self.dice.one(&parts)),
            1 => format!("{first} || {}", self.dice.one(&parts)),
            2 => format!("!({first})"),
            _ => first,
        }
    }

    fn block(&mut self, depth: usize, may_leave: bool, in_loop: bool) {
        let length = 1 + self.dice.roll(5);
        for _ in 0..length {
            if self.budget <= 0 {
                break;
            }
            self.budget -= 1;
            self.statement(depth, may_leave, in_loop);
        }
        if self.dice.roll(2) == 0 && self.is_asked(depth) {
            self.line(depth, "go();");
        }
    }

    fn inner(&mut self, depth: usize, head: &str, may_leave: bool, in_loop: bool, end: &str) {
        self.line(depth, head);
        if depth < 6 {
            self.block(depth + 1, may_leave, in_loop);
        }
        self.line(depth, end);
    }

    /// Whether an effect may stand here: mostly not where nothing was asked, so that guards can hold.
    fn is_asked(&mut self, depth: usize) -> bool {
        depth > 2 || self.dice.roll(6) == 0
    }

    fn statement(&mut self, depth: usize, may_leave: bool, in_loop: bool) {
        match self.dice.roll(30) {
            0..=2 if self.is_asked(depth) => self.line(depth, "go();"),
            0..=6 => {
                let head = format!("if ({}) {{", self.cond());
                self.inner(depth, &head, may_leave, in_loop, "}");
                if self.dice.roll(3) == 0 {
                    self.inner(depth, "else {", may_leave, in_loop, "}");
                }
            }
            7..=9 if may_leave => {
                let leave = self.dice.one(&["return;", "throw new Error('x');", "return;"]).to_owned();
                let leave = if in_loop { self.dice.one(&["break;", "continue;", "return;"]).to_owned() } else { leave };
                let text = format!("if ({}) {leave}", self.cond());
                self.line(depth, &text);
            }
            10..=11 => {
                let head = self.dice.one(&[
                    "while (k()) {",
                    "for (const x of each(q)) {",
                    "do {",
                    "for (let i = 0; i < 2; i++) {",
                ]);
                let end = if head == "do {" { "} while (k());" } else { "}" };
                let head = head.to_owned();
                self.inner(depth, &head, may_leave, true, end);
            }
            12 => {
                self.inner(depth, "try {", may_leave, in_loop, "}");
                let next = self.dice.one(&["catch {", "finally {"]).to_owned();
                self.inner(depth, &next, may_leave && next != "finally {", in_loop && next != "finally {", "}");
            }
            13 => {
                let head = format!("switch ({}) {{ case true:", self.cond());
                self.line(depth, &head);
                self.block(depth + 1, may_leave, false);
                let middle = self.dice.one(&["break; default:", "default:", "case false:"]).to_owned();
                self.line(depth, &middle);
                self.block(depth + 1, may_leave, false);
                self.line(depth, "}");
            }
            14..=16 => self.closure(depth),
            17 if self.is_async && may_leave => {
                let text = self.dice.one(&["await w();", "await later($S);", "await later(p);"]).to_owned();
                self.line(depth, &text);
            }
            _ => {
                let text = self.simple();
                self.line(depth, &text);
            }
        }
    }

    /// A function that is made here.
    fn closure(&mut self, depth: usize) {
        self.names += 1;
        let name = format!("h{}", self.names);
        let (head, end) = match self.dice.roll(7) {
            0 => ("keep(() => {".to_owned(), "});".to_owned()),
            1 => ("hold(() => {".to_owned(), "});".to_owned()),
            2 => ("[1].forEach(() => {".to_owned(), "});".to_owned()),
            3 => ("(() => {".to_owned(), "})();".to_owned()),
            4 => ("list.forEach((x) => { x.ok = k();".to_owned(), "});".to_owned()),
            5 => (format!("const {name} = () => {{"), format!("}};\n{name}();")),
            _ => (format!("const {name} = () => {{"), format!("}};\nkeep({name});")),
        };
        let before = self.is_async;
        self.is_async = false;
        self.inner(depth, &head, false, false, &end);
        self.is_async = before;
    }

    fn simple(&mut self) -> String {
        let value = self.dice.one(&["false", "true", "k()", "p.ok", "$S.ok"]);
        let other = self.dice.one(&["p", "q", "box.m", "list[0]", "$S.next", "same($S)", "$S"]);
        match self.dice.roll(24) {
            0..=2 => format!("$S.ok = {value};"),
            3..=4 => format!("{other}.ok = {value};"),
            5 => format!("q = {other};"),
            6 => format!("{other}.close();"),
            7 => format!("set({other}, {value});"),
            8 => format!("touch({other});"),
            9 => "drop();".to_owned(),
            10 => format!("shared = {other};"),
            11 => "other();".to_owned(),
            12 => format!("b = {};", self.cond()),
            13 => format!("assertOk({other});"),
            14 => format!("{other}.assert();"),
            15 => format!("{other}[key()] = {value};"),
            16 => format!("Object.assign({other}, {{ ok: {value} }});"),
            17 => "mark();".to_owned(),
            18 => format!("later({other});"),
            19 => format!("{} && go();", self.cond()),
            20 => format!("{} ? go() : mark();", self.cond()),
            21 => "{ const { ok } = $S; if (ok) go(); }".to_owned(),
            22 if self.subject == "m" => format!("m = {other};"),
            _ => format!("list.push({other});"),
        }
    }
}
