//! Random small functions, run by an interpreter over the outcomes of their conditions, against what guards say.
//!
//! A guard that reads TRUE must hold in every run. The interpreter knows nothing of graphs: it walks the statements.

use super::language::{Cond, Stmt, generate, print};
use factgate_facts::guard::{Assertions, GuardSpec, Keys, decide};
use factgate_facts::pattern::{Pattern, PatternText};
use factgate_facts::program::Program;
use factgate_facts::{FileError, Files};
use factgate_record::{Fact, FactValue, Reason, RepoPath};
use factgate_syntax::{Limits, Selector, language_for_path};
use std::sync::Arc;

/// Decisions in one run; a run that takes more is cut off.
const LONGEST: usize = 14;
/// Runs of one function: its first ones in order, and, when they are not all, others at random.
const FIRST_RUNS: usize = 300;
const RANDOM_RUNS: usize = 700;

/// What a million functions come to.
#[derive(Default, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Guards decided whose effect some run reaches.
    pub decided: usize,
    /// Of these, read TRUE.
    pub read_true: usize,
    /// Held in every run.
    pub held: usize,
    /// Held in every run and read FALSE.
    pub false_alarms: usize,
    /// The reasons of the false alarms.
    pub causes: std::collections::BTreeMap<String, usize>,
    /// Read TRUE and violated by a run: the source and the guard.
    pub wrong: Vec<String>,
    /// Some false alarms, to look at.
    pub samples: Vec<String>,
}

/// One file in memory.
struct One {
    path: RepoPath,
    text: Arc<[u8]>,
}

impl Files for One {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok((*path == self.path).then(|| self.text.clone()))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(std::slice::from_ref(&self.path))
    }
}

/// The guards that every function is asked about.
const GUARDS: [&str; 4] = ["skip_if", "after", "then", "since"];

fn guard(name: &str) -> GuardSpec {
    let language = language_for_path("a.ts").expect("a language");
    let pattern = |code: &str| {
        let parsed = Pattern::parse(language, &PatternText::Code(code.to_owned()));
        vec![parsed.expect("a pattern")]
    };
    let mut keys = Keys::default();
    match name {
        "skip_if" => keys.skip_if = pattern("bad($M)"),
        "after" => keys.after = pattern("mark()"),
        "then" => keys.then = pattern("mark()"),
        _ => {
            keys.skip_if = pattern("bad($M)");
            keys.since = pattern("mark()");
        }
    }
    let scopes = vec![Selector::parse("a.ts#f").expect("a selector")];
    GuardSpec { scopes, effect: pattern("go()"), keys, ..GuardSpec::default() }
}

/// Runs `count` functions from a seed.
pub(crate) fn compare(seed: u64, count: usize) -> Tally {
    let specs: Vec<GuardSpec> = GUARDS.iter().map(|name| guard(name)).collect();
    let mut tally = Tally::default();
    for index in 0..count {
        let mut dice = Dice(seed.wrapping_add(index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let body = generate(&mut dice);
        let source = print(&body);
        let files = One { path: RepoPath::from_git("a.ts"), text: source.as_bytes().into() };
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        let seen = run_all(&body, &mut dice);
        for (number, spec) in specs.iter().enumerate() {
            let fact = decide(&program, spec, &Assertions::default());
            tally.add(GUARDS[number], &fact, seen.reached, seen.violated[number], &source);
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, guard: &str, fact: &Fact, reached: bool, violated: bool, source: &str) {
        let reads_true = fact.value == Some(FactValue::Bool(true));
        assert!(fact.value.is_some(), "{source}\n{:?}", fact.detail);
        if reads_true && violated {
            self.wrong.push(format!("{guard}\n{source}"));
        }
        if !reached || fact.reason == Some(Reason::NoEffect) {
            return;
        }
        self.decided += 1;
        self.read_true += usize::from(reads_true);
        self.held += usize::from(!violated);
        if !violated && !reads_true {
            self.false_alarms += 1;
            let reason = fact.reason.map_or("", Reason::code);
            *self.causes.entry(format!("{guard}: {reason}")).or_default() += 1;
            if self.samples.len() < 12 {
                self.samples.push(format!("{guard}: {reason}: {:?}\n{source}", fact.detail));
            }
        }
    }
}

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides.max(1)
    }
}

/// What all runs of a function came to.
struct Seen {
    reached: bool,
    violated: [bool; 4],
}

/// Every run, by all sequences of decisions; of too many, a part.
fn run_all(body: &[Stmt], dice: &mut Dice) -> Seen {
    let mut seen = Seen { reached: false, violated: [false; 4] };
    let mut tape: Vec<(u8, u8)> = Vec::new();
    for _ in 0..FIRST_RUNS {
        let mut run = Run { tape: std::mem::take(&mut tape), ..Run::default() };
        seen.see(&mut run, body);
        tape = run.tape;
        tape.truncate(run.at);
        while tape.last().is_some_and(|(taken, of)| taken + 1 >= *of) {
            tape.pop();
        }
        match tape.last_mut() {
            Some((taken, _)) => *taken += 1,
            None => return seen,
        }
    }
    for _ in 0..RANDOM_RUNS {
        let mut run = Run { random: Some(Dice(dice.roll(u64::MAX) | 1)), ..Run::default() };
        seen.see(&mut run, body);
    }
    seen
}

impl Seen {
    fn see(&mut self, run: &mut Run, body: &[Stmt]) {
        let end = run.block(body);
        if matches!(end, End::Normal | End::Return) && run.pending {
            run.violated[2] = true;
        }
        self.reached |= run.reached;
        (0..4).for_each(|index| self.violated[index] |= run.violated[index]);
    }
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Normal,
    Break(Option<u8>),
    Continue(Option<u8>),
    Return,
    Throw,
    Cut,
}

#[derive(Default)]
struct Run {
    random: Option<Dice>,
    tape: Vec<(u8, u8)>,
    at: usize,
    known: Option<bool>,
    known_since: Option<bool>,
    marked: bool,
    pending: bool,
    flags: [bool; 2],
    reached: bool,
    violated: [bool; 4],
}

impl Run {
    /// One of `of` ways; `None` when the run is too long.
    fn decide(&mut self, of: u8) -> Option<u8> {
        if self.at >= LONGEST {
            return None;
        }
        if self.at == self.tape.len() {
            let way = self.random.as_mut().map_or(0, |dice| dice.roll(u64::from(of)) as u8);
            self.tape.push((way, of));
        }
        self.at += 1;
        Some(self.tape[self.at - 1].0)
    }

    /// A call: true, false, or an error.
    fn call(&mut self) -> Result<bool, End> {
        match self.decide(3) {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) => Err(End::Throw),
            None => Err(End::Cut),
        }
    }

    fn cond(&mut self, cond: &Cond) -> Result<bool, End> {
        Ok(match cond {
            Cond::Bad => {
                let outcome = self.call()?;
                self.known = Some(outcome);
                self.known_since = if self.marked { Some(outcome) } else { None };
                outcome
            }
            Cond::Other => self.call()?,
            Cond::Flag(flag) => self.flags[*flag as usize],
            Cond::Not(inner) => !self.cond(inner)?,
            Cond::And(left, right) => self.cond(left)? && self.cond(right)?,
            Cond::Or(left, right) => self.cond(left)? || self.cond(right)?,
        })
    }

    fn block(&mut self, body: &[Stmt]) -> End {
        for stmt in body {
            let end = self.stmt(stmt);
            if end != End::Normal {
                return end;
            }
        }
        End::Normal
    }

    fn stmt(&mut self, stmt: &Stmt) -> End {
        self.try_stmt(stmt).unwrap_or_else(|end| end)
    }

    fn try_stmt(&mut self, stmt: &Stmt) -> Result<End, End> {
        Ok(match stmt {
            Stmt::Go => {
                self.reached = true;
                self.violated[0] |= self.known != Some(false);
                self.violated[1] |= !self.marked;
                self.violated[3] |= self.known_since != Some(false);
                self.call()?;
                self.pending = true;
                End::Normal
            }
            Stmt::Mark => {
                self.pending = false;
                self.known_since = None;
                self.call()?;
                self.marked = true;
                End::Normal
            }
            Stmt::Work => {
                self.call()?;
                End::Normal
            }
            Stmt::Assign => {
                (self.known, self.known_since) = (None, None);
                End::Normal
            }
            Stmt::SetFlag(flag, cond) => {
                self.flags[*flag as usize] = self.cond(cond)?;
                End::Normal
            }
            Stmt::Clear(flag, value) => {
                self.flags[*flag as usize] = *value;
                End::Normal
            }
            Stmt::If(cond, yes, no) => {
                if self.cond(cond)? {
                    self.block(yes)
                } else {
                    self.block(no)
                }
            }
            Stmt::While(label, cond, body) => self.repeat(*label, |run| run.cond(cond), body, None)?,
            Stmt::DoWhile(label, cond, body) => self.repeat(*label, |_| Ok(true), body, Some(cond))?,
            Stmt::Each(label, body) => {
                let more = |run: &mut Run| match run.decide(2) {
                    Some(way) => Ok(way == 0),
                    None => Err(End::Cut),
                };
                self.repeat(*label, more, body, None)?
            }
            Stmt::Switch(arms) => self.switch(arms)?,
            Stmt::Labelled(label, body) => match self.block(body) {
                End::Break(Some(to)) if to == *label => End::Normal,
                end => end,
            },
            Stmt::Try(body, catch, finally) => self.protected(body, catch.as_deref(), finally.as_deref()),
            Stmt::Break(label) => End::Break(*label),
            Stmt::Continue(label) => End::Continue(*label),
            Stmt::Return => End::Return,
            Stmt::Throw => End::Throw,
        })
    }

    fn repeat(
        &mut self,
        label: Option<u8>,
        mut more: impl FnMut(&mut Run) -> Result<bool, End>,
        body: &[Stmt],
        again: Option<&Cond>,
    ) -> Result<End, End> {
        for _ in 0..LONGEST + 2 {
            if !more(self)? {
                return Ok(End::Normal);
            }
            match self.block(body) {
                End::Break(to) if to.is_none() || to == label => return Ok(End::Normal),
                End::Normal => {}
                End::Continue(to) if to.is_none() || to == label => {}
                end => return Ok(end),
            }
            if let Some(cond) = again
                && !self.cond(cond)?
            {
                return Ok(End::Normal);
            }
        }
        Ok(End::Cut)
    }

    fn switch(&mut self, arms: &[Vec<Stmt>]) -> Result<End, End> {
        self.call()?;
        let way = self.decide(arms.len() as u8 + 1).ok_or(End::Cut)? as usize;
        for arm in arms.iter().skip(way) {
            match self.block(arm) {
                End::Normal => {}
                End::Break(None) => return Ok(End::Normal),
                end => return Ok(end),
            }
        }
        Ok(End::Normal)
    }

    fn protected(&mut self, body: &[Stmt], catch: Option<&[Stmt]>, finally: Option<&[Stmt]>) -> End {
        let mut end = self.block(body);
        if let (End::Throw, Some(catch)) = (end, catch) {
            end = self.block(catch);
        }
        match finally {
            Some(finally) if end != End::Cut => match self.block(finally) {
                End::Normal => end,
                overriding => overriding,
            },
            _ => end,
        }
    }
}
