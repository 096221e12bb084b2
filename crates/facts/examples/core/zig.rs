//! Random programs in Zig about one struct that has other names, is copied, is pointed to, and is handed on.

use super::draw::{Dice, Drawn};
use std::fmt::Write as _;

/// What every program declares. `k`, `way`, `other`, `mark`, `marked` and `run` are not in sight.
const DECLARED: &str = "\
const S = enum { a, b, c };
const In = struct { ok: bool, n: i32 };
const Q = struct {
    ok: bool,
    n: i32,
    st: S,
    in: In,
    opt: ?*Q,
    next: *Q,
    fn isOk(self: *const Q) bool { return self.ok; }
    fn isOpen(self: Q) bool { return self.ok and k(); }
    fn isIn(self: *const Q) bool { return self.in.isSet(); }
    fn close(self: *Q) void { self.ok = false; }
    fn set(self: *Q, v: bool) void { self.ok = v; }
    fn check(self: *Q) !void { if (!self.ok) return error.Closed; }
    fn get(self: *Q) ?*Q { if (self.ok) return self.next; return null; }
    fn take(self: *Q) !*Q { if (!self.ok) return error.Closed; return self.next; }
    fn copied(self: *const Q) Q { return self.*; }
    fn reset(self: *Q) void { self.* = .{ .ok = k(), .n = 1, .st = .b, .in = .{ .ok = k(), .n = 0 }, .opt = null, .next = self }; }
};
var shared: *Q = undefined;
fn isGood(x: *const Q) bool { return x.ok; }
fn isSet(x: Q) bool { return x.ok; }
fn same(x: *Q) *Q { return x; }
fn pick(a: *Q, b: *Q) *Q { if (k()) return a; return b; }
fn touch(x: *Q) void { x.ok = k(); }
fn toggle(x: *bool) void { x.* = k(); }
fn drop() void { shared.ok = false; }
fn hold(x: *Q) void { shared = x; }
fn marks(x: *Q) !void { if (!x.ok) return error.Closed; mark(); }
fn fresh() Q { return .{ .ok = k(), .n = 0, .st = .a, .in = .{ .ok = k(), .n = 0 }, .opt = null, .next = shared }; }
";

/// The struct's own struct has a method.
const INNER: (&str, &str) = (
    "const In = struct { ok: bool, n: i32 };",
    "const In = struct { ok: bool, n: i32, fn isSet(self: *const In) bool { return self.ok; } fn clear(self: *In) void { self.ok = false; } };",
);

const TAIL: &str = "
fn start() void {
    var a = Q{ .ok = k(), .n = if (k()) 0 else 3, .st = .a, .in = .{ .ok = k(), .n = 0 }, .opt = null, .next = undefined };
    var b = Q{ .ok = k(), .n = 0, .st = .b, .in = .{ .ok = k(), .n = 0 }, .opt = null, .next = undefined };
    a.next = &a;
    b.next = &b;
    const m = &a;
    const p = if (k()) m else &b;
    if (k()) m.next = p;
    if (k()) m.opt = p;
    if (k()) m.st = .c;
    shared = if (k()) m else p;
    $CALL catch {};
}
const started = start();
";

/// What is written for a compiler as well: every variable is used, nothing stands behind what leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum For {
    Judging,
    Compiling,
}

/// Draws a program.
pub(crate) fn draw(dice: &mut Dice) -> Drawn {
    drawn(dice, For::Judging)
}

pub(crate) fn drawn(dice: &mut Dice, purpose: For) -> Drawn {
    let is_method = dice.roll(3) == 0;
    let own = if is_method { "self" } else { "m" };
    let subject = if dice.roll(4) == 0 { "c" } else { own };
    let budget = 4 + dice.roll(12) as i32;
    let mut text = Text { dice, out: String::new(), budget, subject, own, names: 0, loops: 0, purpose };
    let first = ["var q = p;".to_owned(), format!("var q = {own};"), "var o = fresh(); var q = &o;".to_owned()];
    let first = &first[text.dice.roll(3) as usize];
    text.line(2, first);
    text.used(2, "q");
    if subject == "c" {
        text.line(2, &format!("var c = {own}.*;"));
        text.used(2, "c");
    }
    if !text.block(2, 0) {
        text.ending();
    }
    let body = text.out;
    let declared = DECLARED.replace(INNER.0, INNER.1);
    let (source, scope, call) = if is_method {
        let head = "    fn isOk(self: *const Q)";
        let function = format!("    fn f(self: *Q, p: *Q) !void {{\n{body}    }}\n");
        (declared.replace(head, &format!("{function}{head}")), "a.zig#Q.f", "m.f(p)")
    } else {
        (format!("{declared}fn f(m: *Q, p: *Q) !void {{\n{body}}}\n"), "a.zig#f", "f(m, p)")
    };
    Drawn { source, tail: TAIL.replace("$CALL", call), scope, subject }
}

struct Text<'d> {
    dice: &'d mut Dice,
    out: String,
    budget: i32,
    subject: &'static str,
    /// The parameter.
    own: &'static str,
    names: u32,
    loops: u32,
    purpose: For,
}

impl Text<'_> {
    fn one(&mut self, of: &[&str]) -> String {
        of[self.dice.roll(of.len() as u64) as usize].replace("$S", self.subject)
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{}", "    ".repeat(depth), text);
    }

    /// A compiler wants each variable used and changed.
    fn used(&mut self, depth: usize, name: &str) {
        if self.purpose == For::Compiling {
            self.line(depth, &format!("_ = &{name};"));
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// A pointer to some struct.
    fn pointer(&mut self) -> String {
        let own = self.own;
        match self.dice.roll(12) {
            0..=3 => {
                if self.subject == "c" {
                    "&c".to_owned()
                } else {
                    own.to_owned()
                }
            }
            4 | 5 => "p".to_owned(),
            6 | 7 => "q".to_owned(),
            8 => format!("same({own})"),
            9 => format!("pick({own}, p)"),
            10 => "shared".to_owned(),
            _ => format!("{own}.next"),
        }
    }

    /// A struct whose members can be named.
    fn object(&mut self) -> String {
        match self.dice.roll(8) {
            0..=3 => self.subject.to_owned(),
            4 => "p".to_owned(),
            5 => "q".to_owned(),
            6 => format!("{}.next", self.own),
            _ => format!("same({})", self.own),
        }
    }

    fn condition(&mut self) -> String {
        let (object, pointer) = (self.object(), self.pointer());
        match self.dice.roll(20) {
            0..=5 => format!("{object}.ok"),
            6 | 7 => format!("{}.ok", self.subject),
            8 => format!("{object}.isOk()"),
            9 => format!("isGood({pointer})"),
            10 => format!("{object}.st == .{}", self.one(&["a", "b"])),
            11 => format!("{object}.st != .{}", self.one(&["a", "b"])),
            12 => format!("{object}.in.ok"),
            13 => format!("{object}.n < 2"),
            14 => format!("{object}.opt == null"),
            15 => format!("{object}.isIn()"),
            16 => format!("isSet({}.*)", self.own),
            17 => format!("{object}.isOpen()"),
            _ => "k()".to_owned(),
        }
    }

    fn test(&mut self) -> String {
        let one = self.condition();
        match self.dice.roll(7) {
            0 => format!("{one} and {}", self.condition()),
            1 => format!("{one} or {}", self.condition()),
            2 => format!("!({one} and {})", self.condition()),
            3 => format!("!({one})"),
            _ => one,
        }
    }

    /// Statements; tells whether nothing goes on behind them.
    fn block(&mut self, depth: usize, nesting: u32) -> bool {
        let count = 1 + self.dice.roll(4);
        for _ in 0..count {
            if self.budget <= 0 {
                return false;
            }
            self.budget -= 1;
            if self.statement(depth, nesting) {
                return true;
            }
        }
        false
    }

    fn nested(&mut self, depth: usize, nesting: u32, head: &str) -> bool {
        self.line(depth, &format!("{head} {{"));
        if nesting > 3 { false } else { self.block(depth + 1, nesting + 1) }
    }

    fn statement(&mut self, depth: usize, nesting: u32) -> bool {
        match self.dice.roll(31) {
            3 if self.dice.roll(2) == 0 => self.assignment(depth),
            14 if self.purpose == For::Compiling => self.choice(depth, nesting),
            0..=2 => self.choice(depth, nesting),
            3 => self.go(depth),
            4..=8 => self.assignment(depth),
            9 | 10 => self.call(depth),
            11 | 12 => self.leaving(depth),
            13 => self.repeated(depth, nesting),
            14 => self.listed(depth, nesting),
            15 => self.labelled(depth),
            16 | 17 => self.switched(depth, nesting),
            18 | 19 => self.deferred(depth),
            20 | 21 => self.payload(depth, nesting),
            22 => self.copy(depth),
            23 | 24 => self.flag(depth),
            25 => self.renamed(depth),
            26 => {
                self.line(depth, "mark();");
                false
            }
            27 => {
                let tried = self.object();
                let function = self.one(&["check()", "check()"]);
                self.line(depth, &format!("try {tried}.{function};"));
                false
            }
            28 => {
                let pointer = self.pointer();
                self.line(depth, &format!("try marks({pointer});"));
                false
            }
            29 => {
                self.line(depth, "try way();");
                false
            }
            _ => self.choice(depth, nesting),
        }
    }

    fn go(&mut self, depth: usize) -> bool {
        self.line(depth, "go();");
        false
    }

    fn choice(&mut self, depth: usize, nesting: u32) -> bool {
        let test = self.test();
        let first = self.nested(depth, nesting, &format!("if ({test})"));
        if self.dice.roll(3) > 0 {
            self.line(depth, "}");
            return false;
        }
        self.line(depth, "} else {");
        let second = if nesting > 3 { false } else { self.block(depth + 1, nesting + 1) };
        self.line(depth, "}");
        first && second
    }

    fn value(&mut self) -> String {
        let test = self.condition();
        match self.dice.roll(5) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            2 => test,
            _ => "k()".to_owned(),
        }
    }

    fn assignment(&mut self, depth: usize) -> bool {
        let (object, value, pointer) = (self.object(), self.value(), self.pointer());
        let line = match self.dice.roll(15) {
            0..=4 => format!("{object}.ok = {value};"),
            5 => format!("{object}.n += 1;"),
            6 => format!("{object}.st = .{};", self.one(&["a", "b", "c"])),
            7 => format!("{object}.in.ok = {value};"),
            8 => format!("{object}.in = .{{ .ok = {value}, .n = 1 }};"),
            9 => format!("q = {};", if pointer == "&c" { "p".to_owned() } else { pointer }),
            10 => format!("{object}.next = {pointer};"),
            11 => format!("{object}.opt = {};", if self.dice.roll(2) == 0 { "null" } else { &pointer }),
            12 => format!("{}.* = {}.*;", self.one(&["p", "q", "shared"]), self.one(&["p", "q", "shared"])),
            13 => format!("{}.* = fresh();", self.one(&["p", "q"])),
            _ => format!("shared = {pointer};"),
        };
        self.line(depth, &line);
        false
    }

    fn call(&mut self, depth: usize) -> bool {
        let (object, pointer, value) = (self.object(), self.pointer(), self.value());
        let line = match self.dice.roll(14) {
            0 => format!("{object}.close();"),
            1 => format!("{object}.set({value});"),
            2 => format!("touch({pointer});"),
            3 => "drop();".to_owned(),
            4 => format!("hold({pointer});"),
            5 => format!("toggle(&{object}.ok);"),
            6 => format!("toggle(&{object}.in.ok);"),
            7 => format!("run(&touch, {pointer});"),
            8 => format!("{object}.in.clear();"),
            9 => format!("{object}.reset();"),
            10 => format!("{object}.copied().next.close();"),
            11 => format!("run(&Q.close, {pointer});"),
            _ => "other();".to_owned(),
        };
        self.line(depth, &line);
        false
    }

    fn leaving(&mut self, depth: usize) -> bool {
        let test = self.test();
        let mut ways = vec!["return", "return error.Failed", "return"];
        if self.loops > 0 {
            ways.extend(["break", "continue"]);
        }
        let way = self.one(&ways);
        self.line(depth, &format!("if ({test}) {way};"));
        false
    }

    fn repeated(&mut self, depth: usize, nesting: u32) -> bool {
        let test = if self.dice.roll(2) == 0 { "k()".to_owned() } else { self.test() };
        let test = if self.purpose == For::Compiling { format!("({test}) and tick()") } else { test };
        let head = match self.dice.roll(3) {
            0 => format!("while ({test}) : ({}.n += 1)", self.object()),
            // Only an interpreter that guesses can run it as it is lowered.
            1 if self.dice.roll(2) == 0 && self.purpose == For::Judging => "inline for (0..2) |_|".to_owned(),
            _ => format!("while ({test})"),
        };
        self.loops += u32::from(!head.starts_with("inline"));
        self.nested(depth, nesting, &head);
        self.loops -= u32::from(!head.starts_with("inline"));
        self.line(depth, "}");
        false
    }

    fn listed(&mut self, depth: usize, nesting: u32) -> bool {
        let (list, each) = (self.name(), self.name());
        let (made, head) = match self.dice.roll(3) {
            0 => (format!("var {list} = [_]Q{{ {}.*, fresh() }};", self.own), format!("for (&{list}) |*{each}|")),
            1 => (format!("var {list} = [_]*Q{{ {}, p }};", self.own), format!("for ({list}) |{each}|")),
            _ => (format!("var {list} = [_]Q{{ fresh(), {}.* }};", self.own), format!("for ({list}[0..2]) |*{each}|")),
        };
        self.line(depth, &made);
        self.used(depth, &list);
        self.line(depth, &format!("{head} {{"));
        let value = self.value();
        let line = match self.dice.roll(6) {
            0..=2 => format!("{each}.ok = {value};"),
            3 => format!("{each}.close();"),
            4 => format!("hold({each});"),
            _ => format!("if ({each}.ok) touch({each}.next);"),
        };
        self.line(depth + 1, &line);
        if nesting <= 3 {
            self.loops += 1;
            self.block(depth + 1, nesting + 1);
            self.loops -= 1;
        }
        self.line(depth, "}");
        false
    }

    fn labelled(&mut self, depth: usize) -> bool {
        let (name, test) = (self.name(), self.test());
        let inner = self.test();
        self.line(depth, &format!("const {name} = blk{name}: {{"));
        self.line(depth + 1, &format!("if (!({test})) break :blk{name} false;"));
        match self.dice.roll(3) {
            0 => self.line(depth + 1, "other();"),
            1 => {
                let pointer = self.pointer();
                self.line(depth + 1, &format!("touch({pointer});"));
            }
            _ => {}
        }
        let last = if self.dice.roll(2) == 0 { "true".to_owned() } else { inner };
        self.line(depth + 1, &format!("break :blk{name} {last};"));
        self.line(depth, "};");
        let line = self.one(&["if ($N) go();", "if (!$N) return;", "if ($N) mark();"]).replace("$N", &name);
        self.line(depth, &line);
        false
    }

    fn switched(&mut self, depth: usize, nesting: u32) -> bool {
        let object = self.object();
        let (head, prongs) = match self.dice.roll(3) {
            0 => (format!("switch ({object}.n)"), ["0...1 =>", "2, 3 =>", "else =>"]),
            1 => (format!("switch ({object}.st)"), [".a =>", ".b, .c =>", ""]),
            _ => (format!("switch ({object}.st)"), [".b =>", "else =>", ""]),
        };
        self.line(depth, &format!("{head} {{"));
        for prong in prongs.iter().filter(|prong| !prong.is_empty()) {
            if self.dice.roll(3) == 0 {
                self.line(depth + 1, &format!("{prong} go(),"));
            } else {
                self.nested(depth + 1, nesting + 1, prong);
                self.line(depth + 1, "},");
            }
        }
        self.line(depth, "}");
        false
    }

    fn deferred(&mut self, depth: usize) -> bool {
        let (object, pointer) = (self.object(), self.pointer());
        let word = self.one(&["defer", "errdefer"]);
        let line = match self.dice.roll(6) {
            0 => "mark();".to_owned(),
            1 => "go();".to_owned(),
            2 => format!("touch({pointer});"),
            3 => format!("if ({object}.ok) go();"),
            4 => format!("{object}.close();"),
            _ => format!("{object}.ok = true;"),
        };
        self.line(depth, &format!("{word} {line}"));
        false
    }

    fn payload(&mut self, depth: usize, nesting: u32) -> bool {
        let (object, name) = (self.object(), self.name());
        let source = self.one(&["get()", "opt"]);
        let line = self.one(&["$V.ok = k();", "$V.close();", "if (!$V.ok) return;", "touch($V);", "hold($V);"]);
        let line = line.replace("$V", &name);
        match self.dice.roll(7) {
            0 => self.line(depth, &format!("const {name} = {object}.{source} orelse return;")),
            1 => self.line(depth, &format!("const {name} = {object}.{source} orelse p;")),
            2 => self.line(depth, &format!("const {name} = try {object}.take();")),
            3 => self.line(depth, &format!("const {name} = {object}.take() catch return;")),
            4 => self.line(depth, &format!("const {name} = {object}.take() catch {};", self.own)),
            5 => {
                if !self.nested(depth, nesting, &format!("if ({object}.{source}) |{name}|")) {
                    self.line(depth + 1, &line);
                }
                self.line(depth, "}");
                return false;
            }
            _ => {
                self.line(depth, &format!("if ({object}.take()) |{name}| {{"));
                self.line(depth + 1, &line);
                self.line(depth, "} else |_| {");
                if nesting <= 3 {
                    self.block(depth + 1, nesting + 1);
                }
                self.line(depth, "}");
                return false;
            }
        }
        self.line(depth, &line);
        false
    }

    fn copy(&mut self, depth: usize) -> bool {
        let (name, value) = (self.name(), self.value());
        let from = self.one(&["p.*", "q.*", "fresh()", "p.copied()", "shared.*"]);
        self.line(depth, &format!("var {name} = {from};"));
        self.used(depth, &name);
        let line = match self.dice.roll(6) {
            0 | 1 => format!("{name}.ok = {value};"),
            2 => format!("{name}.close();"),
            3 => format!("q = &{name};"),
            4 => format!("{name}.next.ok = {value};"),
            _ => format!("p.* = {name};"),
        };
        self.line(depth, &line);
        false
    }

    fn flag(&mut self, depth: usize) -> bool {
        let (name, test) = (self.name(), self.test());
        match self.dice.roll(4) {
            0 => self.line(depth, &format!("const {name} = {test};")),
            1 => {
                self.line(depth, &format!("var {name} = false;"));
                self.line(depth, &format!("if ({test}) {name} = true;"));
            }
            2 => {
                self.line(depth, &format!("var {name}s: S = .a;"));
                self.line(depth, &format!("if ({test}) {name}s = .b;"));
                self.line(depth, &format!("const {name} = {name}s == .b;"));
            }
            _ => self.line(depth, &format!("const {name} = if ({test}) true else k();")),
        }
        if self.dice.roll(3) == 0 {
            let pointer = self.pointer();
            self.line(depth, &format!("touch({pointer});"));
        }
        let line = self.one(&["if ($N) go();", "if (!$N) return;", "if ($N) mark();", "while ($N and k()) go();"]);
        self.line(depth, &line.replace("$N", &name));
        false
    }

    fn renamed(&mut self, depth: usize) -> bool {
        let (name, object, value) = (self.name(), self.object(), self.value());
        let (made, line) = match self.dice.roll(5) {
            0 => (format!("&{object}.ok"), format!("{name}.* = {value};")),
            1 => (format!("&{object}.in"), format!("{name}.ok = {value};")),
            2 => (format!("&{object}.next"), format!("{name}.*.ok = {value};")),
            3 => (format!("&{object}.n"), format!("{name}.* += 1;")),
            _ => (self.pointer(), format!("{name}.ok = {value};")),
        };
        self.line(depth, &format!("const {name} = {made};"));
        self.line(depth, &line);
        false
    }

    fn ending(&mut self) -> bool {
        let line = self.one(&[
            "if (!$S.ok) return;",
            "if ($S.ok) return;",
            "if (!$S.isOk()) return;",
            "if ($S.st != .b) return;",
            "if ($S.st == .a) return;",
            "if (!$S.in.ok or !p.ok) return;",
            "if (!$S.ok or !p.ok) return error.Closed;",
            "if ($S.opt == null) return;",
            "try $S.check();",
            "mark();",
        ]);
        self.line(2, &line);
        if self.dice.roll(3) == 0 {
            self.statement(2, 3);
        }
        self.line(2, "go();");
        false
    }
}
