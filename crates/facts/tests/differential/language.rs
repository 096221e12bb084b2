//! The small functions: their statements and how they are drawn.

use super::engine::Dice;

/// The two objects that a function is about; `bad(m)` and `bad(p)` are different conditions.
pub(crate) const SUBJECTS: [&str; 2] = ["m", "p"];
/// The values of the variable `s`.
pub(crate) const VALUES: [&str; 3] = ["'a'", "'b'", "'c'"];

/// A condition.
#[derive(Clone)]
pub(crate) enum Cond {
    /// `bad(m)`: what the guard is about.
    Bad(u8),
    /// `k()`: anything else.
    Other,
    /// A boolean variable.
    Flag(u8),
    /// `s === 'a'`
    Is(u8),
    /// `!c`
    Not(Box<Cond>),
    /// `a && b`
    And(Box<Cond>, Box<Cond>),
    /// `a || b`
    Or(Box<Cond>, Box<Cond>),
    /// `a ? b : c`
    Pick(Box<Cond>, Box<Cond>, Box<Cond>),
    /// `a === true`
    IsTrue(Box<Cond>),
    /// `t === 'a'`, `t !== 'a'`: a variable that is only given constants.
    Text(u8, bool),
    /// `e`, `e === null`, `e == null`, `e !== undefined`: another one.
    Error(u8),
    /// `q.v === 'a'`: a member.
    Member(u8),
}

/// What `e` is given.
pub(crate) const ERRORS: [&str; 4] = ["null", "undefined", "'no'", "new Error()"];
/// What is asked of `e`.
pub(crate) const ASKED: [&str; 4] = ["e", "(e === null)", "(e == null)", "(e !== undefined)"];

/// A call that stands in an expression.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// `go(m)`: the effect.
    Go(u8),
    /// `mark()`
    Mark,
    /// `w()`
    Work,
    /// `await w()`
    Wait,
}

/// A statement.
pub(crate) enum Stmt {
    /// A call on its own.
    Call(Call),
    /// `m = n;`
    Assign(u8),
    /// `s = n;`
    AssignValue,
    /// `set0();`: a function made at the start that assigns `m`.
    Set(u8),
    /// `d = cond;`
    SetFlag(u8, Cond),
    /// `d = false;`
    Clear(u8, bool),
    /// `t = 'a';`
    SetText(u8),
    /// `t = c ? 'a' : 'b';`
    ChooseText(Cond, u8, u8),
    /// `e = null;`
    SetError(u8),
    /// `q.v = n;`
    AssignMember,
    /// `c && go(m);`, `c || go(m);`
    Short(Cond, bool, Call),
    /// `c ? go(m) : mark();`
    Ternary(Cond, Call, Call),
    /// `k?.(go(m));`, `k ?? go(m);`
    Optional(bool, Call),
    /// `invariant(c);`
    Assert(Cond),
    /// `fail();`
    Fail,
    /// `if`
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `while`
    While(Option<u8>, Cond, Vec<Stmt>),
    /// `for (; c; mark())`
    For(Option<u8>, Cond, Call, Vec<Stmt>),
    /// `do … while`
    DoWhile(Option<u8>, Cond, Vec<Stmt>),
    /// `for … of`, over a variable of its own or an outer one
    Each(Option<u8>, Option<u8>, Vec<Stmt>),
    /// `switch` over something else, with fall-through and perhaps a default
    Switch(Vec<(bool, Vec<Stmt>)>),
    /// `switch (s)`
    SwitchValue(Vec<(u8, Vec<Stmt>)>),
    /// `switch (t)`
    SwitchText(Vec<(u8, Vec<Stmt>)>),
    /// `{ const c = q.v; …; switch (c) … }`, or `const { v: c } = q`.
    SwitchCopy(bool, Vec<Stmt>, Vec<(u8, Vec<Stmt>)>),
    /// `switch (true)`
    SwitchTrue(Vec<(Cond, Vec<Stmt>)>),
    /// A labelled block.
    Labelled(u8, Vec<Stmt>),
    /// `try`
    Try(Vec<Stmt>, Option<Vec<Stmt>>, Option<Vec<Stmt>>),
    /// `((q = go(m)) => { … })(n);`
    Spot(Option<Call>, Vec<Stmt>),
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
    /// Inside a function called on the spot: no `await` there.
    spot: bool,
}

/// Draws a function's body.
pub(crate) fn generate(dice: &mut Dice) -> Vec<Stmt> {
    let mut budget = 4 + dice.roll(11) as i32;
    let mut body = block(dice, &mut budget, 0, &Around::default());
    body.push(Stmt::Call(Call::Go(0)));
    if dice.roll(3) == 0 {
        body.push(Stmt::Call(Call::Mark));
    }
    body
}

fn subject(dice: &mut Dice) -> u8 {
    u8::from(dice.roll(4) == 0)
}

fn cond(dice: &mut Dice, depth: u32) -> Cond {
    let inner = |dice: &mut Dice| Box::new(cond(dice, depth + 1));
    match dice.roll(if depth > 2 { 10 } else { 17 }) {
        7 => Cond::Text(dice.roll(3) as u8, dice.roll(2) == 0),
        8 => Cond::Error(dice.roll(4) as u8),
        9 => Cond::Member(dice.roll(3) as u8),
        0..=2 => Cond::Bad(subject(dice)),
        3 => Cond::Other,
        4..=5 => Cond::Flag(dice.roll(2) as u8),
        6 => Cond::Is(dice.roll(3) as u8),
        10..=12 => Cond::Not(inner(dice)),
        13 => Cond::And(inner(dice), inner(dice)),
        14 => Cond::Or(inner(dice), inner(dice)),
        15 => Cond::Pick(inner(dice), inner(dice), inner(dice)),
        _ => Cond::IsTrue(inner(dice)),
    }
}

fn call(dice: &mut Dice, around: &Around) -> Call {
    match dice.roll(6) {
        0..=2 => Call::Go(subject(dice)),
        3..=4 => Call::Mark,
        _ if !around.spot => Call::Wait,
        _ => Call::Work,
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
        let leaves = matches!(next, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return | Stmt::Throw | Stmt::Fail);
        body.push(next);
        if leaves {
            break;
        }
    }
    body
}

fn stmt(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Stmt {
    match dice.roll(if depth > 3 { 21 } else { 40 }) {
        0..=3 => Stmt::Call(call(dice, around)),
        4 => Stmt::Assign(subject(dice)),
        5 => match dice.roll(4) {
            0 => Stmt::AssignValue,
            1 => Stmt::AssignMember,
            _ => Stmt::Set(subject(dice)),
        },
        6..=7 => Stmt::SetFlag(dice.roll(2) as u8, cond(dice, 1)),
        8 => match dice.roll(4) {
            0 => Stmt::SetText(dice.roll(3) as u8),
            1 => Stmt::SetError(dice.roll(4) as u8),
            2 => Stmt::ChooseText(cond(dice, 1), dice.roll(3) as u8, dice.roll(3) as u8),
            _ => Stmt::Clear(dice.roll(2) as u8, dice.roll(2) == 0),
        },
        9 => Stmt::Short(cond(dice, 1), dice.roll(2) == 0, call(dice, around)),
        10 => Stmt::Ternary(cond(dice, 1), call(dice, around), call(dice, around)),
        11 => Stmt::Optional(dice.roll(2) == 0, call(dice, around)),
        12 => Stmt::Assert(cond(dice, 1)),
        13 => Stmt::Fail,
        14..=20 => leave(dice, around),
        _ => compound(dice, budget, depth, around),
    }
}

fn compound(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Stmt {
    match dice.roll(19) {
        0..=6 => {
            let yes = block(dice, budget, depth + 1, around);
            let no = if dice.roll(2) == 0 { block(dice, budget, depth + 1, around) } else { Vec::new() };
            Stmt::If(cond(dice, 0), yes, no)
        }
        7..=10 => looped(dice, budget, depth, around),
        11..=12 => switch(dice, budget, depth, around),
        13 => {
            let label = around.labels.len() as u8;
            let mut inner = around.clone();
            inner.labels.push((label, false));
            Stmt::Labelled(label, block(dice, budget, depth + 1, &inner))
        }
        14..=15 => {
            let inner = Around { spot: true, ..Around::default() };
            let default = (dice.roll(3) == 0).then(|| call(dice, &inner));
            Stmt::Spot(default, block(dice, budget, depth + 1, &inner))
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

fn switch(dice: &mut Dice, budget: &mut i32, depth: u32, around: &Around) -> Stmt {
    let inner = Around { in_switch: true, ..around.clone() };
    let count = 1 + dice.roll(3);
    let mut valued = |dice: &mut Dice| {
        (0..count).map(|_| (dice.roll(3) as u8, block(dice, budget, depth + 1, &inner))).collect::<Vec<_>>()
    };
    match dice.roll(6) {
        0 => return Stmt::SwitchValue(valued(dice)),
        1 => return Stmt::SwitchText(valued(dice)),
        2 => {
            let arms = valued(dice);
            let between = Around { spot: around.spot, ..Around::default() };
            return Stmt::SwitchCopy(dice.roll(2) == 0, block(dice, budget, depth + 1, &between), arms);
        }
        _ => {}
    }
    match dice.roll(2) {
        0 => {
            let default = dice.roll(6);
            Stmt::Switch((0..count).map(|at| (at == default, block(dice, budget, depth + 1, &inner))).collect())
        }
        _ => Stmt::SwitchTrue((0..count).map(|_| (cond(dice, 1), block(dice, budget, depth + 1, &inner))).collect()),
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
    match dice.roll(5) {
        0 => Stmt::While(label, cond(dice, 0), body),
        1 => Stmt::DoWhile(label, cond(dice, 0), body),
        2 => Stmt::For(label, cond(dice, 0), call(dice, around), body),
        _ => Stmt::Each(label, (dice.roll(3) == 0).then(|| subject(dice)), body),
    }
}
