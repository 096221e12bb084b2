//! Methods of the scope's own class or container as helpers: `this.isOk()`, Zig's `self.isOk()`.

use super::check_file;

const ONLY: &str = "effect = go($$$)\nonly_if = this.ok\nin = K.f";
const ZIG: &str = "effect = go($$$)\nonly_if = self.ok\nin = K.f";
const AFTER: &str = "effect = go($$$)\nafter = pre($$$)\nthrough = true\nin = K.f";

/// A class whose `f` has this body, beside a function `f` that holds every guard here.
#[track_caller]
fn class(members: &str, body: &str, text: &str, expected: &str) {
    let held = "function f() { if (!this.ok) return; pre(); go(); }";
    check_file("a.ts", &format!("{held} class K {{ ok; async f(z, xs) {{ {body} }} {members} }}"), text, expected);
}

#[track_caller]
fn container(members: &str, body: &str, text: &str, expected: &str) {
    let held = "fn f(self: *K) void { if (!self.ok) return; pre(); go(); }";
    let source = format!("{held} const K = struct {{ ok: bool, fn f(self: *K, o: *K) !void {{ {body} }} {members} }};");
    check_file("a.zig", &source, text, expected);
}

#[test]
fn a_method_called_on_this_stands_for_what_it_returns() {
    let is_ok = "isOk() { return this.ok; }";
    for body in [
        "if (!this.isOk()) return; go();",
        "if (this.isOk()) go();",
        "if (this.isOk() && z) go();",
        "const r = this.isOk(); if (!r) return; go();",
        "if (!this.isOk()) throw 1; go();",
        "while (this.isOk()) go();",
        "xs.forEach(() => { if (this.isOk()) go(); });",
    ] {
        class(is_ok, body, ONLY, "TRUE");
    }
    for member in [
        "isOk() { return !!this.ok; }",
        "isOk() { return this.ok && this.open; }",
        "isOk() { const r = this.ok; return r; }",
        "isOk() { if (!this.ok) return false; return true; }",
        "isOk(a) { return a ? this.ok : false; }",
    ] {
        class(member, "if (!this.isOk(z)) return; go();", ONLY, "TRUE");
    }
    class("#ok() { return this.ok; }", "if (!this.#ok()) return; go();", ONLY, "TRUE");
    class("is(x) { return x; }", "if (!this.is(this.ok)) return; go();", ONLY, "TRUE");
    let two = "a() { return this.b(); } b() { return this.ok; }";
    class(two, "if (!this.a()) return; go();", ONLY, "unguarded");
    class(two, "if (!this.a()) return; go();", &format!("{ONLY}\nthrough = true"), "TRUE");
    class("a() { return this.a(); }", "if (!this.a()) return; go();", &format!("{ONLY}\nthrough = true"), "unguarded");
    class(is_ok, "if (this.isOk()) return; go();", ONLY, "wrong-outcome");
    class(is_ok, "if (!this.isOk()) return; this.ok = z; go();", ONLY, "reassigned");
    class(is_ok, "if (!this.isOk()) return; await z; go();", &format!("{ONLY}\nwithout = await"), "interrupted");
}

#[test]
fn an_arrow_function_that_stays_with_its_object_is_a_helper() {
    let check = "if (!this.isOk()) return; go();";
    for member in [
        "isOk = () => this.ok;",
        "isOk = () => { if (!this.ok) return false; return true; };",
        "#x; constructor() { this.isOk = () => this.ok; }",
        "isOk = () => this.ok; other = () => 1; stop() { this.other = this.stop; }",
    ] {
        class(member, check, &format!("{ONLY}\nthrough = true"), "TRUE");
    }
    class("isOk = () => this.ok;", check, ONLY, "TRUE");
    class(
        "ensure = () => { if (!this.ok) throw 1; };",
        "this.ensure(); go();",
        &format!("{ONLY}\nthrough = true"),
        "TRUE",
    );
    let own = "isOk = () => this.ok;";
    class(own, "if (!this.isOk()) return; this.ok = z; go();", ONLY, "reassigned");
    class(own, "if (!this.isOk()) return; z.ok = 0; go();", ONLY, "reassigned");
    for elsewhere in [
        "take(o) { this.isOk = o.isOk; }",
        "take(o) { o.isOk = this.isOk; }",
        "copy = (this.isOk = () => this.ok);",
        "keep(f) { this.isOk = f; }",
        "take(o) { Object.assign(this, o); }",
        "take() { return Object.create(this); }",
        "take() { return new Proxy(this, {}); }",
        "take(o) { Object.setPrototypeOf(o, this); }",
    ] {
        class(&format!("{own} {elsewhere}"), check, &format!("{ONLY}\nthrough = true"), "unguarded");
    }
}

#[test]
fn what_may_be_another_method_or_object_is_no_helper() {
    let is_ok = "isOk() { return this.ok; }";
    for body in [
        "if (!z.isOk()) return; go();",
        "if (!this.z.isOk()) return; go();",
        "if (!super.isOk()) return; go();",
        "if (!isOk()) return; go();",
        "if (!this.isOk) return; go();",
        "if (!new this.isOk()) return; go();",
        "if (!(await this.isOk)) return; go();",
        "if (!this[z]()) return; go();",
        "xs.forEach(function () { if (!this.isOk()) return; go(); });",
        "const q = { r() { return this.isOk(); } }; if (!q.r()) return; go();",
        "function g() { return this.isOk(); } if (!g()) return; go();",
        "class Q { isOk() { return 1; } r() { if (!this.isOk()) return; go(); } } new Q().r();",
        "const self = z; if (!self.isOk()) return; go();",
        "if (!this.isOk()) return; (function () { go(); })();",
        "if (!K.isOk()) return; go();",
        "if (!this.isOk.call(z)) return; go();",
    ] {
        class(is_ok, body, ONLY, "unguarded");
    }
}

#[test]
fn a_method_that_says_more_or_less_or_may_be_replaced_is_no_helper() {
    let body = "if (!this.isOk()) return; go();";
    for members in [
        "static isOk() { return this.ok; }",
        "get isOk() { return this.ok; }",
        "async isOk() { return this.ok; }",
        "*isOk() { return this.ok; }",
        "@memo isOk() { return this.ok; }",
        "isOk() { return this.open; }",
        "isOk() { return z.ok; }",
        "isOk() { return ok; }",
        "isOk() { return super.ok; }",
        "isOk() { return arguments[0].ok; }",
        "isOk() { return [1].some(function () { return this.ok; }); }",
        "isOk() { return this.ok || this.open; }",
        "isOk() { return this.ok && (this.ok = false, true); }",
        "isOk() { return this.ok && delete this.ok; }",
        "isOk() { return this.ok && Object.assign(this, z); }",
        "isOk() { return (this.ok = z); }",
        "isOk() { this.ok = z; return this.ok; }",
        "isOk() { return this.ok; } isOk() { return true; }",
        "isOk() { return this.ok; } constructor(z) { this.isOk = z; }",
        "isOk() { return this.ok; } constructor(z) { this[z] = z; }",
        "isOk() { return this.ok; } constructor(z) { Object.assign(this, z); }",
        "isOk() { return this.ok; } set(q) { q.isOk = 1; }",
        "isOk() { return this.ok; } isOk = z;",
        "",
    ] {
        class(members, body, ONLY, "unguarded");
    }
    class("isOk() { return new.target && this.ok; }", body, ONLY, "TRUE");
    let held = "function f() { if (!this.ok) return; go(); }";
    for (source, expected) in [
        ("class K { f() { BODY } isOk() { return this.ok; } }", "TRUE"),
        ("class K extends B { f() { BODY } isOk() { return this.ok; } }", "unguarded"),
        ("class K { f() { BODY } } class L { isOk() { return this.ok; } }", "unguarded"),
        ("class K { static f() { BODY } isOk() { return this.ok; } }", "unguarded"),
        ("class K { f() { BODY } isOk() { return this.ok; } } K.prototype.isOk = z;", "unguarded"),
        ("class K { f() { BODY } isOk() { return this.ok; } } Object.assign(K.prototype, z);", "unguarded"),
        ("class K { f() { BODY } isOk() { return this.ok; } } const p = new K(); p.isOk = z;", "unguarded"),
        ("namespace K { export function f() { BODY } export function isOk() { return this.ok; } }", "unguarded"),
        ("function isOk() { return this.ok; } class K { f() { BODY } }", "unguarded"),
    ] {
        check_file("a.ts", &format!("{held} {}", source.replace("BODY", body)), ONLY, expected);
    }
}

#[test]
fn a_call_on_self_passes_it_as_the_first_argument() {
    let is_ok = "fn isOk(self: *const K) bool { return self.ok; }";
    for body in [
        "if (!self.isOk()) return; go();",
        "if (self.isOk()) go();",
        "const r = self.isOk(); if (r) go();",
        "while (self.isOk()) go();",
    ] {
        container(is_ok, body, ZIG, "TRUE");
    }
    container("fn isOk(k: K) bool { return k.ok and k.open; }", "if (!self.isOk()) return; go();", ZIG, "TRUE");
    container("fn is(k: *K, x: bool) bool { return x; }", "if (!self.is(self.ok)) return; go();", ZIG, "TRUE");
    for typed in ["K", "*K", "*const K", "*@This()", "@This()", "*Self", "*const Self"] {
        let source = "fn f(self: *K) void { if (self.ok) go(); } const K = struct { ok: bool, const Self = @This(); \
             fn f(self: T) void { if (!self.isOk()) return; go(); } fn isOk(self: T) bool { return self.ok; } };";
        check_file("a.zig", &source.replace('T', typed).replace(&format!("@{typed}his"), "@This"), ZIG, "TRUE");
    }
    container(is_ok, "if (self.isOk()) return; go();", ZIG, "wrong-outcome");
    container(is_ok, "if (!self.isOk()) return; self.ok = false; go();", ZIG, "reassigned");
    for body in [
        "if (!o.isOk()) return; go();",
        "if (!self.o.isOk()) return; go();",
        "if (!self.isOk) return; go();",
        "if (!other.isOk()) return; go();",
        "for (o.all) |x| { if (!x.isOk()) continue; go(); }",
    ] {
        container(is_ok, body, ZIG, "unguarded");
    }
    for members in [
        "fn isOk(self: *const K) bool { return self.open; }",
        "fn isOk(self: *K) bool { self.ok = true; return self.ok; }",
        "fn isOk(self: *K, o: *K) bool { return o.ok; }",
        "fn isOk(self: *K) bool { return self.ok or self.open; }",
        "",
    ] {
        container(members, "if (!self.isOk()) return; go();", ZIG, "unguarded");
    }
    let file = "fn w(self: *Self) void { self.ok = true; } fn isOk(self: *Self) bool { return self.ok; } SELF \
         fn f(self: *Self, o: *Self) void { if (!WHO.isOk()) return; go(); }";
    let only = "effect = go()\nonly_if = self.ok";
    for (alias, who, expected) in [
        ("const Self = @This();", "self", "TRUE"),
        ("pub const Self = @This();", "self", "TRUE"),
        ("const Self = @This();", "o", "unguarded"),
        ("const Self = other.Self;", "self", "unguarded"),
        ("const K = struct { const Self = @This(); };", "self", "unguarded"),
        ("", "self", "unguarded"),
    ] {
        check_file("a.zig", &file.replace("SELF", alias).replace("WHO", who), only, expected);
    }
    for typed in ["anytype", "?*K", "*L", "*const L", "[]K", "*Self", "[*]K", "**K", "*x.K"] {
        let source = "fn f(self: *K) void { if (self.ok) go(); } const Self = L; const L = struct { ok: bool }; \
             const K = struct { fn f(self: T) void { if (!self.isOk()) return; go(); } \
             fn isOk(self: *K) bool { return self.ok; } };";
        check_file("a.zig", &source.replace("T)", &format!("{typed})")), ZIG, "unguarded");
    }
}

#[test]
fn methods_that_always_pass_the_node_count_with_through() {
    for (members, body, expected) in [
        ("s() { pre(); }", "this.s(); go();", "TRUE"),
        ("async s() { await pre(); }", "await this.s(); go();", "TRUE"),
        ("#s() { pre(); }", "this.#s(); go();", "TRUE"),
        ("async #s() { pre(); }", "await this.#s(); go();", "TRUE"),
        ("s() { this.t(); } t() { pre(); }", "this.s(); go();", "TRUE"),
        ("s() { if (z) pre(); else pre(1); }", "this.s(); go();", "TRUE"),
        ("s() { if (z) pre(); }", "this.s(); go();", "not-passed"),
        ("s() { try { pre(); } catch { } }", "this.s(); go();", "not-passed"),
        ("async s() { await pre(); }", "this.s(); go();", "not-passed"),
        ("*s() { pre(); }", "this.s(); go();", "not-passed"),
        ("get s() { pre(); }", "this.s(); go();", "TRUE"),
        ("static s() { pre(); }", "this.s(); go();", "not-passed"),
        ("s() { pre(); }", "z.s(); go();", "not-passed"),
        ("s() { pre(); }", "if (z) this.s(); go();", "not-passed"),
        ("s() { pre(); }", "this.t.s(); go();", "not-passed"),
        ("s() { pre(); }", "go(); this.s();", "not-passed"),
        ("s() { pre(); }", "xs.forEach(function () { this.s(); go(); });", "not-passed"),
        ("s() { pre(); } set(q) { q.s = 1; }", "this.s(); go();", "not-passed"),
        ("s() { this.s(); }", "this.s(); go();", "not-passed"),
        ("s() { xs.forEach(() => pre()); }", "this.s(); go();", "not-passed"),
    ] {
        class(members, body, AFTER, expected);
    }
    class("s() { pre(); }", "this.s(); go();", "effect = go()\nafter = pre()\nin = K.f", "not-passed");
    for (members, body, expected) in [
        ("fn s(self: *K) void { pre(); }", "self.s(); go();", "TRUE"),
        ("fn s(self: *K) !void { try w(); pre(); }", "try self.s(); go();", "TRUE"),
        ("fn s(self: *K) !void { try w(); pre(); }", "self.s() catch {}; go();", "not-passed"),
        ("fn s(self: *K) void { if (self.ok) pre(); }", "self.s(); go();", "not-passed"),
        ("fn s(self: *K) void { pre(); }", "self.o.s(); go();", "not-passed"),
        ("fn s(self: *K) void { pre(); }", "other.s(); go();", "not-passed"),
    ] {
        container(members, body, AFTER, expected);
    }
    let deep = format!("{ZIG}\nthrough = true");
    let chk = "fn chk(self: *K) !void { if (!self.ok) return error.A; }";
    container(chk, "try self.chk(); go();", &deep, "TRUE");
    container(chk, "try o.chk(); go();", &deep, "unguarded");
    container(chk, "self.chk() catch {}; go();", &deep, "unguarded");
}

#[test]
fn methods_that_may_pass_the_node_count_when_they_are_handed_on() {
    let without = format!("{AFTER}\nwithout = bad()");
    class("s() { pre(); bad(); }", "this.s(); go();", &without, "interrupted");
    for call in [
        "this.s()",
        "run(this.s)",
        "run(this.s.bind(this))",
        "xs.forEach(this.s, this)",
        "this.s.call(this)",
        "this.s.apply(this, xs)",
        "Reflect.apply(this.s, this, [])",
        "(z ? this.s : this.t)()",
        "(z || this.s)()",
        "run(z, { s: this.s })",
        "run(K.r)",
        "this.u()",
    ] {
        let members = "s() { bad(); } t() { } static r() { bad(); } u() { run(this.s); }";
        class(members, &format!("pre(); {call}; go();"), &without, "interrupted");
        class(&members.replace("bad", "w"), &format!("pre(); {call}; go();"), &without, "TRUE");
    }
    for call in ["run(z.s)", "run(this.q.s)"] {
        class("s() { bad(); }", &format!("pre(); {call}; go();"), &without, "interrupted");
    }
    for call in ["run(this.t)", "this.t.call(this)", "run(K.q)", "run(this)"] {
        let members = "s() { bad(); } t() { } static r() { bad(); } static q() { }";
        class(members, &format!("pre(); {call}; go();"), &without, "TRUE");
    }
}
