//! Random methods of classes whose helpers are written in every way: methods, accessors, fields, private, static,
//! inherited, overridden, thrown from. What is asked is what they read.

use super::draw::{Dice, Drawn};
use std::fmt::Write as _;

/// How a helper is written. `$B` is its body, `$N` its name.
const FORMS: [(&str, &str); 9] = [
    ("$N() { $B }", "this.$N()"),
    ("get $N() { $B }", "this.$N"),
    ("$N = () => { $B };", "this.$N()"),
    ("#$N() { $B }", "this.#$N()"),
    ("get #$N() { $B }", "this.#$N"),
    ("static $N(it) { $B }", "C.$N(this)"),
    ("static #$N(it) { $B }", "C.#$N(this)"),
    ("", "$N(this)"),
    ("$N = function () { $B };", "this.$N()"),
];

/// What the helpers do. `$A` is the condition as a helper asks it.
const ASKING: [&str; 5] = [
    "return this.ok;",
    "return this.ok === true;",
    "return !!this.ok && k();",
    "if (!this.ok) return false; return true;",
    "const { ok } = this; return ok;",
];
const THROWING: [&str; 4] = [
    "if (!this.ok) throw new Error('no');",
    "if (this.ok) return; throw new Error('no');",
    "if (!$A) throw new Error('no');",
    "other(); if (!this.ok) { throw new Error('no'); }",
];
const MARKING: [&str; 5] = [
    "mark();",
    "other(); mark();",
    "if (k()) { mark(); } else { mark(); }",
    "if (k()) return; mark();",
    "if (k()) throw 1; mark();",
];
const CLOSING: [&str; 3] = ["this.ok = false;", "if (k()) this.ok = k();", "this.n = 1;"];

const TAIL: &str = "
start(() => {
  const c = k() ? new C(k()) : new D(k());
  return c.run(k() ? c : new C(k()));
});
";

struct Helper {
    name: &'static str,
    form: usize,
    body: String,
    /// Whether it stands in the base class.
    inherited: bool,
}

impl Helper {
    fn draw(dice: &mut Dice, name: &'static str, bodies: &[&str], asks: &str) -> Helper {
        let form = dice.roll(FORMS.len() as u64) as usize;
        let body = bodies[dice.roll(bodies.len() as u64) as usize].replace("$A", asks);
        let is_shared = !FORMS[form].1.contains('#');
        Helper { name, form, body, inherited: is_shared && dice.roll(3) == 0 }
    }

    fn call(&self) -> String {
        FORMS[self.form].1.replace("$N", self.name)
    }

    /// As a member, or as a function beside the class.
    fn text(&self, beside: bool) -> String {
        let form = FORMS[self.form].0;
        let takes_it = form.is_empty() || form.starts_with("static");
        let body = if takes_it { self.body.replace("this", "it") } else { self.body.clone() };
        match (form.is_empty(), beside) {
            (true, true) => format!("function {}(it) {{ {body} }}\n", self.name),
            (false, false) => format!("  {}\n", form.replace("$N", self.name).replace("$B", &body)),
            _ => String::new(),
        }
    }
}

struct Text<'d> {
    dice: &'d mut Dice,
    out: String,
    budget: i32,
    asks: String,
    asserts: String,
    marks: String,
    closes: String,
}

/// Draws a program.
pub(crate) fn draw(dice: &mut Dice) -> Drawn {
    let is_ok = Helper::draw(dice, "isOk", &ASKING, "");
    let assert = Helper::draw(dice, "assertOk", &THROWING, "this.ok");
    let note = Helper::draw(dice, "note", &MARKING, "");
    let close = Helper::draw(dice, "close", &CLOSING, "");
    let helpers = [&is_ok, &assert, &note, &close];
    let budget = 3 + dice.roll(8) as i32;
    let mut text = Text {
        dice,
        out: String::new(),
        budget,
        asks: is_ok.call(),
        asserts: assert.call(),
        marks: note.call(),
        closes: close.call(),
    };
    text.block(2, false, true);
    if text.dice.roll(3) > 0 {
        let last = match text.dice.roll(4) {
            0 => format!("if (!{}) return;\n    go();", text.asks),
            1 => format!("{};\n    go();", text.asserts),
            2 => format!("{};\n    go();", text.marks),
            _ => format!("if ({}) go();", text.asks),
        };
        text.line(2, &last);
    }
    let body = std::mem::take(&mut text.out);
    let members = |inherited: bool| -> String {
        helpers.iter().filter(|helper| helper.inherited == inherited).map(|helper| helper.text(false)).collect()
    };
    let beside: String = helpers.iter().map(|helper| helper.text(true)).collect();
    let other = match dice.roll(6) {
        0 => format!("  isOk() {{ return {}; }}\n", ["this.ok", "k()", "super.isOk() && k()"][dice.roll(3) as usize]),
        1 => "  close() { this.n = 2; this.ok = k(); }\n".to_owned(),
        2 => "  note() { other(); }\n".to_owned(),
        _ => String::new(),
    };
    let source = format!(
        "{beside}class Base {{\n  ok = k();\n  n = 0;\n{}}}\nclass C extends Base {{\n  constructor(v) {{ super(); this.ok = v; }}\n{}  run(p) {{\n{body}  }}\n}}\nclass D extends C {{\n{other}}}\n",
        members(true),
        members(false)
    );
    Drawn { source, tail: TAIL.to_owned(), scope: "a.ts#C.run", subject: "this" }
}

impl Text<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = depth * 2);
    }

    fn condition(&mut self) -> String {
        let asks = self.asks.clone();
        let first = match self.dice.roll(8) {
            0..=2 => asks,
            3..=4 => format!("!{asks}"),
            5 => "this.ok".to_owned(),
            6 => "!this.ok".to_owned(),
            _ => "k()".to_owned(),
        };
        match self.dice.roll(6) {
            0 => format!("{first} && k()"),
            1 => format!("{first} || k()"),
            _ => first,
        }
    }

    fn block(&mut self, depth: usize, in_loop: bool, may_leave: bool) {
        for _ in 0..=self.dice.roll(4) {
            if self.budget <= 0 {
                break;
            }
            self.budget -= 1;
            self.statement(depth, in_loop, may_leave);
        }
        if depth > 2 && self.dice.roll(3) == 0 {
            self.line(depth, "go();");
        }
    }

    fn inner(&mut self, depth: usize, head: &str, end: &str, in_loop: bool, may_leave: bool) {
        self.line(depth, head);
        if depth < 5 {
            self.block(depth + 1, in_loop, may_leave);
        }
        self.line(depth, end);
    }

    fn statement(&mut self, depth: usize, in_loop: bool, may_leave: bool) {
        let simple = match self.dice.roll(20) {
            0..=3 => {
                let head = format!("if ({}) {{", self.condition());
                self.inner(depth, &head, "}", in_loop, may_leave);
                if self.dice.roll(3) == 0 {
                    self.inner(depth, "else {", "}", in_loop, may_leave);
                }
                return;
            }
            4..=6 if may_leave => {
                let leave = if in_loop { ["continue", "break", "return"] } else { ["return", "throw 1", "return"] };
                let leave = leave[self.dice.roll(3) as usize];
                format!("if ({}) {leave};", self.condition())
            }
            7 => return self.inner(depth, "while (k()) {", "}", true, may_leave),
            8 => {
                self.inner(depth, "try {", "}", in_loop, may_leave);
                return match self.dice.roll(2) {
                    0 => self.inner(depth, "catch {", "}", in_loop, may_leave),
                    _ => self.inner(depth, "finally {", "}", false, false),
                };
            }
            9 => return self.inner(depth, "[1, 2].forEach(() => {", "});", false, false),
            10 => return self.inner(depth, "keep(() => {", "});", false, false),
            11 => "other();".to_owned(),
            12 => "this.n += 1;".to_owned(),
            13 => "this.ok = k();".to_owned(),
            14 => "p.ok = k();".to_owned(),
            15 => format!("{};", self.closes),
            16..=17 => format!("{};", self.asserts),
            18 => format!("{};", self.marks),
            _ => "const at = this.n;".to_owned(),
        };
        self.line(depth, &simple);
    }
}
