//! Names that patterns spell out: the variable that the name means at the effect.

use super::{check, check_file, check_files};

const OK: &str = "effect = go($$$)\nonly_if = ok(m)";

#[test]
fn a_check_of_another_variable_of_the_name_is_none() {
    check("if (!ok(m)) return; go();", OK, "TRUE");
    check("{ const m = n; if (!ok(m)) return; } go();", OK, "unguarded");
    check("{ let m = n; if (!ok(m)) return; } go(m);", OK, "unguarded");
    check("{ const { m } = n; if (!ok(m)) return; } go(m);", OK, "unguarded");
    check("for (const m of n) { if (!ok(m)) return; } go(m);", OK, "unguarded");
    check("try { k(); } catch (m) { if (!ok(m)) return; } go(m);", OK, "unguarded");
    check("((m) => { if (!ok(m)) throw n; })(n); go(m);", OK, "unguarded");
    check("if (!ok(m)) return; { const m = n; go(m); }", OK, "unguarded");
    check("for (const m of n) { if (!ok(m)) continue; go(m); }", OK, "TRUE");
    check(
        "for (const m of n) { if (!ok(m)) continue; go(m); } for (const m of k) { if (!ok(m)) return; go(); }",
        OK,
        "TRUE",
    );
    check("for (const { m } of n) { if (!ok(m)) continue; go(m); }", OK, "TRUE");
    check("{ var m = n; if (!ok(m)) return; } go(m);", OK, "TRUE");
}

#[test]
fn a_name_that_means_nothing_at_the_effect_is_any() {
    let other = "effect = go($$$)\nonly_if = ok(state)";
    check("{ const state = n; if (!ok(state)) return; } go();", other, "TRUE");
    let file = |body: &str| format!("const state = 1; function f(m, n) {{ {body} }}");
    check_file("a.ts", &file("if (!ok(state)) return; go();"), other, "TRUE");
    check_file("a.ts", &file("{ const state = n; if (!ok(state)) return; } go();"), other, "unguarded");
    check_file("a.ts", &file("{ const ok = n; if (!ok(state)) return; } ok(1); go();"), other, "unguarded");
    check_file("a.ts", &file("{ const { state } = n; if (!ok(state)) return; } go(state);"), other, "unguarded");
}

#[test]
fn passed_nodes_and_helpers() {
    let after = "effect = go($$$)\nafter = pre(m)";
    check("pre(m); go();", after, "TRUE");
    check("{ const m = n; pre(m); } go();", after, "not-passed");
    check("pre(m); { const m = n; go(m); }", after, "not-passed");
    let through = "effect = go($$$)\nafter = pre(m)\nthrough = true";
    check_file("a.ts", "function h(m) { pre(m); } function f(m, n) { h(n); go(m); }", through, "not-passed");
    check_file(
        "a.ts",
        "function isOk(m) { return ok(m); } function f(m, n) { if (!isOk(n)) return; go(m); }",
        OK,
        "unguarded",
    );
    check_file(
        "a.ts",
        "function isOk(x) { return ok(x); } function f(m, n) { if (!isOk(m)) return; go(m); }",
        OK,
        "TRUE",
    );
    check_files(
        &[
            ("a.ts", "import { isOk } from './b'; let m = 1; export function f() { if (!isOk()) return; go(); }"),
            ("b.ts", "let m = 2; export const isOk = () => ok(m);"),
        ],
        OK,
        "unguarded",
    );
}

#[test]
fn this_and_the_nodes_behind() {
    let own = "effect = go(this.m)\nonly_if = this.m.ok";
    check("if (!this.m.ok) return; go(this.m);", own, "TRUE");
    check("if (!this.m.ok) return; (function () { go(this.m); })();", own, "unguarded");
    check("if (!this.m.ok) return; (() => { go(this.m); })();", own, "TRUE");
    let then = "effect = m.write($$$)\nthen = m.close()";
    check("m.write(1); m.close();", then, "TRUE");
    check("m.write(1); m = n; m.close();", then, "not-followed");
    let after = "effect = l.use()\nafter = l.init()";
    check("let l = n; l.init(); l.use();", after, "TRUE");
    check("let l = n; l.init(); l = k; l.use();", after, "reassigned");
    check("let l = n; l.init(); l.x = k; l.use();", after, "TRUE");
    check("m.write(1); { const m = n; m.close(); }", then, "not-followed");
}

#[test]
fn zig_has_names_in_blocks_side_by_side() {
    let zig = |body: &str| format!("fn f(n: u8) void {{ {body} }}");
    let ok = "effect = go(s)\nonly_if = ok(s)";
    check_file("a.zig", &zig("{ const s = a(); if (!ok(s)) return; } { const s = b(); go(s); }"), ok, "unguarded");
    check_file(
        "a.zig",
        &zig("{ const s = a(); if (!ok(s)) return; go(s); } { const s = b(); if (ok(s)) go(s); }"),
        ok,
        "TRUE",
    );
    check_file("a.zig", &zig("const s = a(); if (!ok(s)) return; while (true) { go(s); }"), ok, "TRUE");
    check_file("a.zig", &zig("if (a()) |s| { if (!ok(s)) return; } if (b()) |s| go(s);"), ok, "unguarded");
}
