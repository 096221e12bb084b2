//! The small functions written down as TypeScript.

use super::language::{ASKED, Call, Cond, ERRORS, SUBJECTS, Stmt, VALUES};

/// The function as TypeScript.
pub(crate) fn print(body: &[Stmt]) -> String {
    let mut out =
        "async function f(m, p, s, q, n, k, w, xs) {\nlet d0 = false;\nlet d1 = false;\nlet t = 'a';\nlet e;\n\
                   const set0 = () => { m = n; };\nfunction set1() { p = n; }\n"
            .to_owned();
    statements(body, &mut out);
    out.push_str("}\n");
    out
}

fn statements(body: &[Stmt], out: &mut String) {
    body.iter().for_each(|stmt| write(stmt, out));
}

fn braced(body: &[Stmt], out: &mut String) {
    out.push_str("{\n");
    statements(body, out);
    out.push_str("}\n");
}

fn write(stmt: &Stmt, out: &mut String) {
    match stmt {
        Stmt::Call(call) => line(out, &call_text(*call)),
        Stmt::Assign(subject) => line(out, &format!("{} = n", SUBJECTS[*subject as usize])),
        Stmt::AssignValue => line(out, "s = n"),
        Stmt::AssignMember => line(out, "q.v = n"),
        Stmt::SetText(value) => line(out, &format!("t = {}", VALUES[*value as usize])),
        Stmt::ChooseText(test, yes, no) => {
            let [yes, no] = [yes, no].map(|value| VALUES[*value as usize]);
            line(out, &format!("t = {} ? {yes} : {no}", text(test)));
        }
        Stmt::SetError(value) => line(out, &format!("e = {}", ERRORS[*value as usize])),
        Stmt::Set(subject) => line(out, &format!("set{subject}()")),
        Stmt::SetFlag(flag, value) => line(out, &format!("d{flag} = {}", text(value))),
        Stmt::Clear(flag, value) => line(out, &format!("d{flag} = {value}")),
        Stmt::Short(test, and, call) => {
            line(out, &format!("{} {} {}", text(test), if *and { "&&" } else { "||" }, call_text(*call)));
        }
        Stmt::Ternary(test, yes, no) => {
            line(out, &format!("{} ? {} : {}", text(test), call_text(*yes), call_text(*no)));
        }
        Stmt::Optional(true, call) => line(out, &format!("k?.({})", call_text(*call))),
        Stmt::Optional(false, call) => line(out, &format!("k ?? {}", call_text(*call))),
        Stmt::Assert(test) => line(out, &format!("invariant({})", text(test))),
        Stmt::Fail => line(out, "fail()"),
        Stmt::Break(label) => line(out, &format!("break{}", to(*label))),
        Stmt::Continue(label) => line(out, &format!("continue{}", to(*label))),
        Stmt::Return => line(out, "return"),
        Stmt::Throw => line(out, "throw n"),
        _ => compound(stmt, out),
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push_str(";\n");
}

fn to(label: Option<u8>) -> String {
    label.map_or(String::new(), |label| format!(" l{label}"))
}

fn before(label: Option<u8>) -> String {
    label.map_or(String::new(), |label| format!("l{label}: "))
}

fn compound(stmt: &Stmt, out: &mut String) {
    match stmt {
        Stmt::If(test, yes, no) => {
            out.push_str(&format!("if ({}) ", text(test)));
            braced(yes, out);
            if !no.is_empty() {
                out.push_str("else ");
                braced(no, out);
            }
        }
        Stmt::While(label, test, body) => {
            out.push_str(&format!("{}while ({}) ", before(*label), text(test)));
            braced(body, out);
        }
        Stmt::For(label, test, step, body) => {
            out.push_str(&format!("{}for (; {}; {}) ", before(*label), text(test), call_text(*step)));
            braced(body, out);
        }
        Stmt::DoWhile(label, test, body) => {
            out.push_str(&format!("{}do ", before(*label)));
            braced(body, out);
            line(out, &format!("while ({})", text(test)));
        }
        Stmt::Each(label, over, body) => {
            let over = over.map_or("const x", |subject| SUBJECTS[subject as usize]);
            out.push_str(&format!("{}for ({over} of xs) ", before(*label)));
            braced(body, out);
        }
        Stmt::Labelled(label, body) => {
            out.push_str(&format!("l{label}: "));
            braced(body, out);
        }
        Stmt::Try(body, catch, finally) => {
            out.push_str("try ");
            braced(body, out);
            for (word, part) in [("catch ", catch), ("finally ", finally)] {
                if let Some(part) = part {
                    out.push_str(word);
                    braced(part, out);
                }
            }
        }
        Stmt::Spot(default, body) => {
            let parameter = default.map_or(String::new(), |call| format!("q = {}", call_text(call)));
            out.push_str(&format!("(function ({parameter}) "));
            braced(body, out);
            out.push_str(")(k());\n");
        }
        _ => arms(stmt, out),
    }
}

fn valued(arms: &[(u8, Vec<Stmt>)]) -> Vec<(String, &[Stmt])> {
    arms.iter().map(|(at, body)| (format!("case {}", VALUES[*at as usize]), &body[..])).collect()
}

fn arms(stmt: &Stmt, out: &mut String) {
    if let Stmt::SwitchCopy(plain, between, _) = stmt {
        out.push_str(if *plain { "{ const c = q.v;\n" } else { "{ const { v: c } = q;\n" });
        statements(between, out);
    }
    let (subject, arms): (&str, Vec<(String, &[Stmt])>) = match stmt {
        Stmt::Switch(arms) => {
            let case = |(index, (default, _)): (usize, &(bool, Vec<Stmt>))| {
                if *default { "default".to_owned() } else { format!("case {index}") }
            };
            let heads: Vec<String> = arms.iter().enumerate().map(case).collect();
            ("k()", heads.into_iter().zip(arms.iter().map(|(_, body)| &body[..])).collect())
        }
        Stmt::SwitchValue(arms) => ("s", valued(arms)),
        Stmt::SwitchText(arms) => ("t", valued(arms)),
        Stmt::SwitchCopy(_, _, arms) => ("c", valued(arms)),
        Stmt::SwitchTrue(arms) => {
            ("true", arms.iter().map(|(test, body)| (format!("case {}", text(test)), &body[..])).collect())
        }
        _ => return,
    };
    out.push_str(&format!("switch ({subject}) {{\n"));
    for (head, body) in arms {
        out.push_str(&format!("{head}:\n"));
        statements(body, out);
    }
    out.push_str(if matches!(stmt, Stmt::SwitchCopy(..)) { "} }\n" } else { "}\n" });
}

fn call_text(call: Call) -> String {
    match call {
        Call::Go(subject) => format!("go({})", SUBJECTS[subject as usize]),
        Call::Mark => "mark()".to_owned(),
        Call::Work => "w()".to_owned(),
        Call::Wait => "await w()".to_owned(),
    }
}

fn text(cond: &Cond) -> String {
    match cond {
        Cond::Bad(subject) => format!("bad({})", SUBJECTS[*subject as usize]),
        Cond::Other => "k()".to_owned(),
        Cond::Flag(flag) => format!("d{flag}"),
        Cond::Is(value) => format!("(s === {})", VALUES[*value as usize]),
        Cond::Not(inner) => format!("!({})", text(inner)),
        Cond::And(left, right) => format!("({} && {})", text(left), text(right)),
        Cond::Or(left, right) => format!("({} || {})", text(left), text(right)),
        Cond::Pick(test, yes, no) => format!("({} ? {} : {})", text(test), text(yes), text(no)),
        Cond::Text(value, is) => format!("(t {} {})", if *is { "===" } else { "!==" }, VALUES[*value as usize]),
        Cond::Error(asked) => ASKED[*asked as usize].to_owned(),
        Cond::Member(value) => format!("(q.v === {})", VALUES[*value as usize]),
        Cond::IsTrue(inner) => format!("(({}) === true)", text(inner)),
    }
}
