//! The small functions: their statements, how they are drawn, and how they are written down as TypeScript.

use super::engine::Dice;

/// A condition.
pub(crate) enum Cond {
    /// `bad(m)`: what the guard is about.
    Bad,
    /// `k()`: anything else.
    Other,
    /// A boolean variable.
    Flag(u8),
    /// `!c`
    Not(Box<Cond>),
    /// `a && b`
    And(Box<Cond>, Box<Cond>),
    /// `a || b`
    Or(Box<Cond>, Box<Cond>),
}

/// A statement.
pub(crate) enum Stmt {
    /// `go();`: the effect.
    Go,
    /// `mark();`
    Mark,
    /// `w();`
    Work,
    /// `m = n;`
    Assign,
    /// `d = cond;`
    SetFlag(u8, Cond),
    /// `d = false;`
    Clear(u8, bool),
    /// `if`
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `while`
    While(Option<u8>, Cond, Vec<Stmt>),
    /// `do … while`
    DoWhile(Option<u8>, Cond, Vec<Stmt>),
    /// `for … of`
    Each(Option<u8>, Vec<Stmt>),
    /// `switch`, with fall-through
    Switch(Vec<Vec<Stmt>>),
    /// A labelled block.
    Labelled(u8, Vec<Stmt>),
    /// `try`
    Try(Vec<Stmt>, Option<Vec<Stmt>>, Option<Vec<Stmt>>),
    /// `break`
    Break(Option<u8>),
    /// `continue`
    Continue(Option<u8>),
    /// `return`
    Return,
    /// `throw`
    Throw,
}

/// What `break` and `continue` can reach.
#[derive(Clone, Default)]
struct Around {
    labels: Vec<(u8, bool)>,
    in_loop: bool,
    in_switch: bool,
}

/// Draws a function's body.
pub(crate) fn generate(dice: &mut Dice) -> Vec<Stmt> {
    let mut budget = 5 + dice.roll(10) as i32;
    let mut body = block(dice, &mut budget, 0, &Around::default());
    body.push(Stmt::Go);
    if dice.roll(3) == 0 {
        body.push(Stmt::Mark);
    }
    body
}

fn cond(dice: &mut Dice, depth: u32) -> Cond {
    match dice.roll(if depth > 2 { 6 } else { 10 }) {
        0..=2 => Cond::Bad,
        3 => Cond::Other,
        4..=5 => Cond::Flag(dice.roll(2) as u8),
        6..=7 => Cond::Not(Box::new(cond(dice, depth + 1))),
        8 => Cond::And(Box::new(cond(dice, depth + 1)), Box::new(cond(dice, depth + 1))),
        _ => Cond::Or(Box::new(cond(dice, depth + 1)), Box::new(cond(dice, depth + 1))),
    }
}

fn block(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Vec<Stmt> {
    let length = 1 + dice.roll(4);
    let mut body = Vec::new();
    for _ in 0..length {
        if *budget <= 0 {
            break;
        }
        *budget -= 1;
        let next = stmt(dice, budget, depth, around);
        let leaves = matches!(next, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return | Stmt::Throw);
        body.push(next);
        if leaves {
            break;
        }
    }
    body
}

fn stmt(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Stmt {
    match dice.roll(if depth > 3 { 12 } else { 26 }) {
        0 => Stmt::Go,
        1..=2 => Stmt::Mark,
        3 => Stmt::Work,
        4 => Stmt::Assign,
        5..=6 => Stmt::SetFlag(dice.roll(2) as u8, cond(dice, 1)),
        7 => Stmt::Clear(dice.roll(2) as u8, dice.roll(2) == 0),
        8..=11 => leave(dice, around),
        12..=17 => {
            let yes = block(dice, budget, depth + 1, around);
            let no = if dice.roll(2) == 0 { block(dice, budget, depth + 1, around) } else { Vec::new() };
            Stmt::If(cond(dice, 0), yes, no)
        }
        18..=20 => looped(dice, budget, depth, around),
        21 => {
            let inner = Around { in_switch: true, ..around.clone() };
            let count = 1 + dice.roll(3);
            Stmt::Switch((0..count).map(|_| block(dice, budget, depth + 1, &inner)).collect())
        }
        22 => {
            let label = around.labels.len() as u8;
            let mut inner = around.clone();
            inner.labels.push((label, false));
            Stmt::Labelled(label, block(dice, budget, depth + 1, &inner))
        }
        _ => {
            let body = block(dice, budget, depth + 1, around);
            let shape = dice.roll(3);
            let catch = (shape != 1).then(|| block(dice, budget, depth + 1, around));
            let finally = (shape != 0).then(|| block(dice, budget, depth + 1, around));
            Stmt::Try(body, catch, finally)
        }
    }
}

fn leave(dice: &mut Dice, around: &Around) -> Stmt {
    match dice.roll(5) {
        0 if around.in_loop || around.in_switch => Stmt::Break(None),
        1 if around.in_loop => Stmt::Continue(None),
        2 if !around.labels.is_empty() => {
            let (label, is_loop) = around.labels[dice.roll(around.labels.len() as u64) as usize];
            if is_loop && dice.roll(2) == 0 { Stmt::Continue(Some(label)) } else { Stmt::Break(Some(label)) }
        }
        3 => Stmt::Throw,
        _ => Stmt::Return,
    }
}

fn looped(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Stmt {
    let mut inner = Around { in_loop: true, in_switch: false, ..around.clone() };
    let label = (dice.roll(3) == 0).then_some(around.labels.len() as u8);
    inner.labels.extend(label.map(|label| (label, true)));
    let body = block(dice, budget, depth + 1, &inner);
    match dice.roll(3) {
        0 => Stmt::While(label, cond(dice, 0), body),
        1 => Stmt::DoWhile(label, cond(dice, 0), body),
        _ => Stmt::Each(label, body),
    }
}

/// The function as TypeScript.
pub(crate) fn print(body: &[Stmt]) -> String {
    let mut out = "function f(m, n, k, w, xs) {\nlet d0 = false;\nlet d1 = false;\n".to_owned();
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
    let to = |label: &Option<u8>| label.map_or(String::new(), |label| format!(" l{label}"));
    let before = |label: &Option<u8>| label.map_or(String::new(), |label| format!("l{label}: "));
    match stmt {
        Stmt::Go => out.push_str("go();\n"),
        Stmt::Mark => out.push_str("mark();\n"),
        Stmt::Work => out.push_str("w();\n"),
        Stmt::Assign => out.push_str("m = n;\n"),
        Stmt::SetFlag(flag, value) => out.push_str(&format!("d{flag} = {};\n", text(value))),
        Stmt::Clear(flag, value) => out.push_str(&format!("d{flag} = {value};\n")),
        Stmt::If(test, yes, no) => {
            out.push_str(&format!("if ({}) ", text(test)));
            braced(yes, out);
            if !no.is_empty() {
                out.push_str("else ");
                braced(no, out);
            }
        }
        Stmt::While(label, test, body) => {
            out.push_str(&format!("{}while ({}) ", before(label), text(test)));
            braced(body, out);
        }
        Stmt::DoWhile(label, test, body) => {
            out.push_str(&format!("{}do ", before(label)));
            braced(body, out);
            out.push_str(&format!("while ({});\n", text(test)));
        }
        Stmt::Each(label, body) => {
            out.push_str(&format!("{}for (const x of xs) ", before(label)));
            braced(body, out);
        }
        Stmt::Switch(arms) => {
            out.push_str("switch (k()) {\n");
            for (index, arm) in arms.iter().enumerate() {
                out.push_str(&format!("case {index}:\n"));
                statements(arm, out);
            }
            out.push_str("}\n");
        }
        Stmt::Labelled(label, body) => {
            out.push_str(&format!("l{label}: "));
            braced(body, out);
        }
        Stmt::Try(body, catch, finally) => {
            out.push_str("try ");
            braced(body, out);
            if let Some(catch) = catch {
                out.push_str("catch ");
                braced(catch, out);
            }
            if let Some(finally) = finally {
                out.push_str("finally ");
                braced(finally, out);
            }
        }
        Stmt::Break(label) => out.push_str(&format!("break{};\n", to(label))),
        Stmt::Continue(label) => out.push_str(&format!("continue{};\n", to(label))),
        Stmt::Return => out.push_str("return;\n"),
        Stmt::Throw => out.push_str("throw n;\n"),
    }
}

fn text(cond: &Cond) -> String {
    match cond {
        Cond::Bad => "bad(m)".to_owned(),
        Cond::Other => "k()".to_owned(),
        Cond::Flag(flag) => format!("d{flag}"),
        Cond::Not(inner) => format!("!({})", text(inner)),
        Cond::And(left, right) => format!("({} && {})", text(left), text(right)),
        Cond::Or(left, right) => format!("({} || {})", text(left), text(right)),
    }
}
