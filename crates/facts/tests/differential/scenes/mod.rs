//! Small functions with functions in them that are suspended, handed on, returned and called by name: what the body
//! around and the siblings do meanwhile.

pub(crate) mod print;
pub(crate) mod run;

use super::engine::Dice;

/// A function and what it may be at.
pub(crate) struct Scene {
    /// The scope first, then its named functions, then those without a name.
    pub(crate) functions: Vec<Function>,
    /// How many have a name.
    pub(crate) named: usize,
}

pub(crate) struct Function {
    pub(crate) kind: Kind,
    /// Whether it is declared (and hoisted) rather than given to a `const`.
    pub(crate) declared: bool,
    pub(crate) body: Vec<Step>,
    /// The function that it returns.
    pub(crate) returns: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Async,
    Generator,
}

/// How the code around a call waits for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    No,
    Await,
    Return,
}

/// A statement.
pub(crate) enum Step {
    /// `if (!m.ok) return;`
    Check,
    /// `m = n;`
    Assign(u8),
    /// `m.ok = k;`
    Set(u8),
    /// `s0 = find();`
    Find(u8),
    /// `s0.ok = k;`
    SetFound(u8),
    /// `if (!s0.ok) return;`
    CheckFound(u8),
    /// `give(s0);`
    Give(u8),
    /// `go();`
    Go,
    /// `mark();`
    Mark,
    /// `w();`
    Work,
    /// `await tick();`, `yield;`
    Pause,
    /// `a1();`, `await a1();`, `return a1();`
    Call(usize, Wait),
    /// `await Promise.all([a1(), a2()]);`
    All(usize, usize),
    /// `on(a1);`, `on(() => { … });`
    Hand(usize),
    /// `q0 = a1();` of a function that returns one.
    Make(u8, usize),
    /// `q0?.();`
    CallMade(u8),
    /// `i0 = a1();` of a generator.
    Iterate(u8, usize),
    /// `i0?.next();`
    Next(u8),
    /// `if (k()) { … }`
    If(Vec<Step>),
    /// `while (k()) { … }`
    While(Vec<Step>),
}

struct Draft<'d> {
    dice: &'d mut Dice,
    scene: Scene,
    kinds: Vec<(Kind, bool)>,
    budget: i32,
}

/// Draws a scene.
pub(crate) fn generate(dice: &mut Dice) -> Scene {
    let named = 1 + dice.roll(3) as usize;
    let mut kinds = vec![(Kind::Async, false)];
    for _ in 0..named {
        let kind = [Kind::Async, Kind::Async, Kind::Plain, Kind::Plain, Kind::Generator][dice.roll(5) as usize];
        let returns = kind == Kind::Plain && dice.roll(3) == 0;
        kinds.push((kind, returns));
    }
    let blank = |(index, &(kind, _)): (usize, &(Kind, bool))| Function {
        kind,
        declared: index == 0 || kind == Kind::Generator || index % 2 == 0,
        body: Vec::new(),
        returns: None,
    };
    let functions = kinds.iter().enumerate().map(blank).collect();
    let mut draft = Draft { dice, scene: Scene { functions, named }, kinds, budget: 22 };
    let worker = 1 + draft.dice.roll(named as u64) as usize;
    for index in (0..=named).rev() {
        let kind = draft.kinds[index].0;
        let mut body = draft.block(index, kind, 0);
        if index == worker {
            if draft.dice.roll(4) == 0 {
                body.splice(0..0, [Step::Find(0), Step::CheckFound(0)]);
                body.push(Step::Give(0));
            } else {
                body.insert(0, Step::Check);
                body.push(Step::Go);
            }
        }
        if index == 0 {
            let at = draft.dice.roll(body.len() as u64 + 1) as usize;
            body.insert(at, draft.start(worker));
        }
        draft.scene.functions[index].body = body;
        if draft.kinds[index].1 {
            draft.scene.functions[index].returns = Some(draft.nameless(index));
        }
    }
    draft.scene
}

impl Draft<'_> {
    fn start(&mut self, worker: usize) -> Step {
        match self.dice.roll(5) {
            0 => Step::Hand(worker),
            1 => Step::Call(worker, Wait::Await),
            2 if self.kinds[worker].0 == Kind::Generator => Step::Iterate(0, worker),
            _ => Step::Call(worker, Wait::No),
        }
    }

    fn block(&mut self, index: usize, kind: Kind, depth: u32) -> Vec<Step> {
        let length = 1 + self.dice.roll(4);
        let mut body = Vec::new();
        for _ in 0..length {
            if self.budget <= 0 {
                break;
            }
            self.budget -= 1;
            body.push(self.step(index, kind, depth));
        }
        body
    }

    fn step(&mut self, index: usize, kind: Kind, depth: u32) -> Step {
        let (subject, slot) = (u8::from(self.dice.roll(4) == 0), self.dice.roll(2) as u8);
        match self.dice.roll(if depth < 2 { 28 } else { 24 }) {
            0..=1 => Step::Check,
            2 => Step::Assign(subject),
            3 => Step::Set(subject),
            4 => Step::Find(slot),
            5 => Step::SetFound(slot),
            6 => Step::Go,
            7 => Step::Mark,
            8 => Step::Work,
            9..=12 if kind != Kind::Plain => Step::Pause,
            13..=16 => self.call(index, kind),
            17 => Step::Hand(self.any(index).unwrap_or(index.max(1))),
            18 => Step::Hand(self.nameless(index)),
            19 => self.of_kind(index, |(_, returns)| returns).map_or(Step::Work, |of| Step::Make(slot, of)),
            20 => Step::CallMade(slot),
            21 => match self.of_kind(index, |(kind, _)| kind == Kind::Generator) {
                Some(of) if self.dice.roll(2) == 0 => Step::Iterate(slot, of),
                _ => Step::Next(slot),
            },
            22 => Step::CheckFound(slot),
            23 => Step::Give(slot),
            24..=25 => Step::If(self.block(index, kind, depth + 1)),
            26 => Step::While(self.block(index, kind, depth + 1)),
            _ => Step::Next(slot),
        }
    }

    fn call(&mut self, index: usize, kind: Kind) -> Step {
        let Some(callee) = self.any(index) else { return Step::Work };
        match (kind, self.dice.roll(5)) {
            (Kind::Async, 0..=1) => Step::Call(callee, Wait::Await),
            (Kind::Async, 2) => match self.any(index) {
                Some(other) => Step::All(callee, other),
                None => Step::Call(callee, Wait::Await),
            },
            (Kind::Async | Kind::Plain, 3) if self.kinds[callee].0 != Kind::Generator => {
                Step::Call(callee, Wait::Return)
            }
            _ => Step::Call(callee, Wait::No),
        }
    }

    /// A named function behind this one, so that none calls itself.
    fn any(&mut self, index: usize) -> Option<usize> {
        self.of_kind(index, |_| true)
    }

    fn of_kind(&mut self, index: usize, fits: impl Fn((Kind, bool)) -> bool) -> Option<usize> {
        let first = if index > self.scene.named { 1 } else { index + 1 };
        let all: Vec<usize> = (first..=self.scene.named).filter(|&other| fits(self.kinds[other])).collect();
        (!all.is_empty()).then(|| all[self.dice.roll(all.len() as u64) as usize])
    }

    /// A function without a name. It calls what the function around it could call.
    fn nameless(&mut self, index: usize) -> usize {
        let kind = if self.dice.roll(3) == 0 { Kind::Async } else { Kind::Plain };
        self.budget -= 2;
        let body = self.block(index, kind, 2);
        self.scene.functions.push(Function { kind, declared: false, body, returns: None });
        self.scene.functions.len() - 1
    }
}
