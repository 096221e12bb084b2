//! Scenes written down as TypeScript.

use super::{Function, Kind, Scene, Step, Wait};

/// The scope `f` as TypeScript.
pub(crate) fn print(scene: &Scene) -> String {
    let mut out = "async function f(m, p, n, k, w, on) {\n".to_owned();
    let named = |declared: bool| (1..=scene.named).filter(move |&index| scene.functions[index].declared == declared);
    for index in named(false) {
        out.push_str(&format!("const a{index} = "));
        nameless(scene, index, &mut out);
        out.push_str(";\n");
    }
    body(scene, &scene.functions[0], &mut out);
    for index in named(true) {
        let function = &scene.functions[index];
        let head = match function.kind {
            Kind::Plain => "function",
            Kind::Async => "async function",
            Kind::Generator => "function*",
        };
        out.push_str(&format!("{head} a{index}() {{\n"));
        body(scene, function, &mut out);
        out.push_str("}\n");
    }
    out.push_str("}\n");
    out
}

fn nameless(scene: &Scene, index: usize, out: &mut String) {
    let function = &scene.functions[index];
    out.push_str(if function.kind == Kind::Async { "async () => {\n" } else { "() => {\n" });
    body(scene, function, out);
    out.push('}');
}

fn body(scene: &Scene, function: &Function, out: &mut String) {
    out.push_str("let s0, s1, q0, q1, i0, i1;\n");
    steps(scene, function, &function.body, out);
    if let Some(returned) = function.returns {
        out.push_str("return ");
        nameless(scene, returned, out);
        out.push_str(";\n");
    }
}

fn steps(scene: &Scene, function: &Function, steps: &[Step], out: &mut String) {
    steps.iter().for_each(|step| write(scene, function, step, out));
}

fn write(scene: &Scene, function: &Function, step: &Step, out: &mut String) {
    let variable = |subject: &u8| ["m", "p"][*subject as usize];
    let line = match step {
        Step::Check => "if (!m.ok) return".to_owned(),
        Step::Assign(subject) => format!("{} = n", variable(subject)),
        Step::Set(subject) => format!("{}.ok = k", variable(subject)),
        Step::Find(slot) => format!("s{slot} = find()"),
        Step::SetFound(slot) => format!("s{slot}.ok = k"),
        Step::CheckFound(slot) => format!("if (!s{slot}.ok) return"),
        Step::Give(slot) => format!("give(s{slot})"),
        Step::Go => "go()".to_owned(),
        Step::Mark => "mark()".to_owned(),
        Step::Work => "w()".to_owned(),
        Step::Pause if function.kind == Kind::Generator => "yield".to_owned(),
        Step::Pause => "await tick()".to_owned(),
        Step::Call(callee, Wait::No) => format!("a{callee}()"),
        Step::Call(callee, Wait::Await) => format!("await a{callee}()"),
        Step::Call(callee, Wait::Return) => format!("return a{callee}()"),
        Step::All(one, other) => format!("await Promise.all([a{one}(), a{other}()])"),
        Step::Hand(index) if *index <= scene.named => format!("on(a{index})"),
        Step::Hand(index) => {
            out.push_str("on(");
            nameless(scene, *index, out);
            ")".to_owned()
        }
        Step::Make(slot, maker) => format!("q{slot} = a{maker}()"),
        Step::CallMade(slot) => format!("q{slot}?.()"),
        Step::Iterate(slot, generator) => format!("i{slot} = a{generator}()"),
        Step::Next(slot) => format!("i{slot}?.next()"),
        Step::If(inner) | Step::While(inner) => {
            let word = if matches!(step, Step::If(_)) { "if" } else { "while" };
            out.push_str(&format!("{word} (k()) {{\n"));
            steps(scene, function, inner, out);
            out.push_str("}\n");
            return;
        }
    };
    out.push_str(&line);
    out.push_str(";\n");
}
