//! What one file's names mean, as lines: `form base.path`.

use crate::links::testing;

fn check(text: &str, expected: &[&str]) {
    let links = super::links("a.tsx", text, &|word| word == "send" || word == "flush");
    testing::check_uses(&links, text, expected);
}

#[test]
fn imports_and_aliases_are_followed_to_their_module() {
    check("import { send } from './w'; send(1);", &["call ('./w'.send)"]);
    check("import { send as s } from './w'; s(1); s?.(2); (s as any)(3); s!(4);", &["call ('./w'.send)"; 4]);
    check(
        "import w from './w'; new w(); <w.X/>; w`a`;",
        &["new ('./w'.default)", "JSX element ('./w'.default).X", "tagged template ('./w'.default)"],
    );
    check("import * as w from './w'; w.send(); w['send']();", &["call ('./w').send"; 2]);
    check("import * as w from './w'; const { send: t } = w; t();", &["call (('./w').send)"]);
    check("import { send } from './w'; const t = send; t.call(null);", &["call (('./w'.send)).call"]);
    check("import { Row } from './w'; const a = <Row/>;", &["JSX element ('./w'.Row)"]);
    check("const w = require('./w'); w.send();", &["call ('./w').send"]);
    check("async function f() { (await import('./w')).send(); }", &["call './w'.send"]);
    check("import('./w').then(({ send }) => send());", &["call ('./w'.send)"]);
    check("import('./w').then((w) => w.send());", &["call ('./w').send"]);
}

#[test]
fn values_and_aliases_are_told_apart() {
    check("import { send } from './w'; run(send);", &["value ('./w'.send)"]);
    check("import { send } from './w'; const t = send;", &[]);
    check("import { send } from './w'; let t = send; t = 1; t();", &["value ('./w'.send)"]);
    check("import { send } from './w'; export { send }; export default send;", &[]);
    check("import { send } from './w'; export const run = send; module.exports = { send };", &[]);
    check("import { send } from './w'; const o = { send, a: send };", &["value ('./w'.send)"; 2]);
    check("import { send } from './w'; send.bind(1); send.bind(1)();", &["call ('./w'.send).bind"; 2]);
    check("import { send } from './w'; type T = typeof send; typeof send;", &[]);
}

#[test]
fn shadows_are_other_names() {
    check("import { send } from './w'; function f(send) { send(); }", &["call send"]);
    check("import { send } from './w'; for (const send of x) send();", &["call send"]);
    check("import { send } from './w'; try {} catch (send) { send(); }", &["call send"]);
}

#[test]
fn receivers_are_known_by_class_type_or_construction() {
    check("class S { flush() {} f() { this.flush(); (() => this.flush())(); } }", &["call a S.flush"; 2]);
    check("class S { flush() {} f() { function g() { this.flush(); } } }", &["call ?.flush"]);
    check("class S { static flush() {} static f() { this.flush(); } }", &["call S.flush"]);
    check("import { S } from './s'; function f(s: S) { s.flush(); }", &["call a ('./s'.S).flush"]);
    check("import type { S } from './s'; function f(s: S | null) { s?.flush(); }", &["call a ('./s'.S).flush"]);
    check("import { S } from './s'; const s = new S(); s.flush();", &["new ('./s'.S)", "call a ('./s'.S).flush"]);
    check(
        "function f(x: any, y) { x.flush(); y.flush(); g().flush(); }",
        &["call x.flush", "call y.flush", "call ?().flush"],
    );
    check("class T extends S { f() { super.flush(); } }", &["call a ?.flush"]);
}

#[test]
fn deep_nesting_is_read_or_said_and_never_overflows() {
    for (before, middle, after) in [
        ("(", "drain()", ")"),
        ("f(", "drain()", ")"),
        ("[", "drain()", "]"),
        ("!", "drain()", ""),
        ("() => ", "drain()", ""),
        ("a ? b : ", "drain()", ""),
        ("{", "drain()", "}"),
        ("if (a) {} else ", "drain()", ""),
        ("if (a) ", "drain()", ""),
        ("`${", "drain()", "}`"),
        ("let a: ", "drain", ""),
        ("", "a", ".b"),
        ("", "a", ".b()"),
        ("<a>", "{drain()}", "</a>"),
        ("await ", "drain()", ""),
        ("new ", "drain", "()"),
    ] {
        for levels in [2_500, 7_000] {
            let text = format!("x = 1; {}{middle}{}", before.repeat(levels), after.repeat(levels));
            super::links("a.tsx", &text, &|word| word == "drain");
        }
    }
    let types = |levels: usize| format!("type X = {}typeof drain{};", "A<".repeat(levels), ">".repeat(levels));
    super::links("a.ts", &types(10_000), &|word| word == "drain");
    let deeper = super::links("a.ts", &format!("{}drain(){}", "(".repeat(400_000), ")".repeat(400_000)), &|_| true);
    assert!(deeper.broken.is_some());
}

#[test]
fn what_nobody_closes_is_said_to_nest_too_deep_before_it_is_parsed() {
    for open in ["(", "[", "{a:", "(a=", "({a}=", "x=>{", "async ()=>{", "`${", "@a(", "class A{m(){", "A<"] {
        let links = super::links("a.ts", &format!("x={}", open.repeat(300_000)), &|_| true);
        assert!(links.broken.is_some_and(|(message, _)| message.contains("nests too deep")), "{open}");
    }
    for whole in ["f('((((');", "const r = /[(]/;", "a < b;", "f(`${a}`);", "if (a) { b(); }\n"] {
        let links = super::links("a.ts", &whole.repeat(1_500), &|_| true);
        assert!(links.broken.is_none(), "{whole}: {:?}", links.broken);
    }
}

#[test]
fn long_chains_are_quick_and_their_ends_not_known() {
    let text = format!("import {{ q }} from './q'; q{}.drain();", ".b()".repeat(3_000));
    check_slow(&text);
    let text = format!("import {{ q }} from './q'; q{}.drain();", ".b".repeat(10_000));
    check_slow(&text);
}

#[track_caller]
fn check_slow(text: &str) {
    let started = std::time::Instant::now();
    let links = super::links("a.ts", text, &|word| word == "drain");
    assert!(links.uses.iter().any(|one| one.what.path == ["drain"]), "{:?}", links.uses);
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}
