//! The interpreter: it walks the statements of a small function over the outcomes of its conditions and of the errors
//! that its calls raise, and notes which guards a run violates. It knows nothing of graphs.

use super::engine::{Dice, GUARDS};
use super::language::{Call, Cond, Stmt};
use super::store::{ANY_VALUE, Store, Value};
use super::tape::{Size, Tape, each_run};

/// Decisions in one run; a run that takes more is cut off.
const LONGEST: usize = 14;
/// Runs of one function: its first ones in order, and, when they are not all, others at random.
const FIRST_RUNS: usize = 300;
const RANDOM_RUNS: usize = 700;

/// What all runs of a function came to.
pub(crate) struct Seen {
    pub(crate) reached: bool,
    pub(crate) violated: [bool; GUARDS.len()],
}

/// Every run, by all sequences of decisions; of too many, a part.
pub(crate) fn run_all(body: &[Stmt], dice: &mut Dice) -> Seen {
    let mut seen = Seen { reached: false, violated: [false; GUARDS.len()] };
    let size = Size { first: FIRST_RUNS, random: RANDOM_RUNS, longest: LONGEST };
    each_run(&size, dice, &mut |tape| {
        let mut run = Run::new(tape);
        seen.see(&mut run, body);
        run.tape
    });
    seen
}

impl Seen {
    fn see(&mut self, run: &mut Run, body: &[Stmt]) {
        let end = run.block(body);
        let ended = matches!(end, End::Normal | End::Return);
        run.violate("then", run.pending && ended);
        run.violate("thens", run.unanswered && ended);
        run.violate("then_on_throw", run.pending && (ended || end == End::Throw));
        self.reached |= run.reached;
        (0..GUARDS.len()).for_each(|index| self.violated[index] |= run.violated[index]);
    }
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Normal,
    Break(Option<u8>),
    Continue(Option<u8>),
    Return,
    Throw,
    /// The run was cut off, or the program ended.
    Cut,
}

/// What a run knows of one subject, for the guards of checks.
#[derive(Clone, Copy, Default)]
struct Checked {
    known: Option<bool>,
    since: Option<bool>,
    unbroken: Option<bool>,
}

pub(super) struct Run {
    tape: Tape,
    checked: [Checked; 2],
    pub(super) store: Store,
    marked: bool,
    pending: bool,
    /// Neither `mark()` nor `w()` came since.
    unanswered: bool,
    flags: [Value; 2],
    reached: bool,
    violated: [bool; GUARDS.len()],
}

impl Run {
    fn new(tape: Tape) -> Run {
        Run {
            tape,
            checked: [Checked::default(); 2],
            store: Store::default(),
            marked: false,
            pending: false,
            unanswered: false,
            flags: [Value::False; 2],
            reached: false,
            violated: [false; GUARDS.len()],
        }
    }

    fn violate(&mut self, guard: &str, violated: bool) {
        let index = GUARDS.iter().position(|(name, _)| *name == guard).expect("a guard");
        self.violated[index] |= violated;
    }

    /// One of `of` ways; the run is cut off when it is too long.
    pub(super) fn decide(&mut self, of: u8) -> Result<u8, End> {
        self.tape.decide(of).ok_or(End::Cut)
    }

    /// A call of something else: true, false, or an error.
    pub(super) fn other(&mut self) -> Result<Value, End> {
        match self.decide(3)? {
            0 => Ok(Value::True),
            1 => Ok(Value::False),
            _ => Err(End::Throw),
        }
    }

    fn call(&mut self, call: Call) -> Result<(), End> {
        match call {
            Call::Go(subject) => {
                self.effect(subject as usize);
                // An error of its own is no way from it.
                self.other()?;
                self.pending = true;
                self.unanswered = true;
            }
            Call::Mark => {
                (self.pending, self.unanswered) = (false, false);
                self.checked.iter_mut().for_each(|checked| checked.since = None);
                self.other()?;
                self.marked = true;
            }
            Call::Work => {
                self.unanswered = false;
                self.other()?;
            }
            Call::Wait => {
                self.unanswered = false;
                self.other()?;
                self.checked.iter_mut().for_each(|checked| checked.unbroken = None);
                self.other()?;
            }
        }
        Ok(())
    }

    fn effect(&mut self, subject: usize) {
        self.reached = true;
        let checked = self.checked;
        let some = |get: &dyn Fn(&Checked) -> Option<bool>| checked.iter().any(|checked| get(checked) == Some(false));
        let (known, is_a) = (some(&|checked| checked.known), self.store.value == 1);
        self.violate("skip_if", !known);
        self.violate("after", !self.marked);
        self.violate("since", !some(&|checked| checked.since));
        self.violate("shared", checked[subject].known != Some(false));
        self.violate("only_if", !is_a);
        self.violate("member", self.store.member != 1);
        self.violate("without", !some(&|checked| checked.unbroken));
        self.violate("any", !known && !self.marked);
        self.violate("either", !known && !is_a);
    }

    fn assign(&mut self, subject: u8) {
        self.checked[subject as usize] = Checked::default();
    }

    /// Whether an open value is this one.
    fn is_value(&mut self, open: u8, value: u8) -> Result<u8, End> {
        let bit = 1 << value;
        let is = match (open & bit, open & !bit) {
            (0, _) => false,
            (_, 0) => true,
            _ => self.decide(2)? == 0,
        };
        Ok(open & if is { bit } else { !bit })
    }

    pub(super) fn is_s(&mut self, value: u8) -> Result<bool, End> {
        self.store.value = self.is_value(self.store.value, value)?;
        Ok(self.store.value == 1 << value)
    }

    pub(super) fn is_member(&mut self, value: u8) -> Result<bool, End> {
        self.store.member = self.is_value(self.store.member, value)?;
        Ok(self.store.member == 1 << value)
    }

    /// What `const c = q.v` holds.
    pub(super) fn copy(&mut self) -> Result<u8, End> {
        for value in 0..3 {
            if self.is_member(value)? {
                break;
            }
        }
        Ok(self.store.member)
    }

    pub(super) fn cond(&mut self, cond: &Cond) -> Result<Value, End> {
        Ok(match cond {
            Cond::Bad(subject) => {
                let value = match self.decide(4)? {
                    0 => Value::True,
                    1 => Value::False,
                    2 => Value::Other,
                    _ => return Err(End::Throw),
                };
                let known = Some(value.is_true());
                let since = known.filter(|_| self.marked);
                self.checked[*subject as usize] = Checked { known, since, unbroken: known };
                value
            }
            Cond::Other => self.other()?,
            Cond::Flag(flag) => self.flags[*flag as usize],
            Cond::Is(value) => Value::of(self.is_s(*value)?),
            Cond::Member(value) => Value::of(self.is_member(*value)?),
            Cond::Text(value, is) => Value::of((self.store.text == *value) == *is),
            Cond::Error(asked) => self.store.asks(*asked),
            Cond::Not(inner) => Value::of(!self.cond(inner)?.is_true()),
            Cond::And(left, right) => match self.cond(left)? {
                Value::False => Value::False,
                _ => self.cond(right)?,
            },
            Cond::Or(left, right) => match self.cond(left)? {
                Value::False => self.cond(right)?,
                value => value,
            },
            Cond::Pick(test, yes, no) => {
                let way = if self.cond(test)?.is_true() { yes } else { no };
                self.cond(way)?
            }
            Cond::IsTrue(inner) => Value::of(self.cond(inner)? == Value::True),
        })
    }

    fn test(&mut self, cond: &Cond) -> Result<bool, End> {
        self.cond(cond).map(Value::is_true)
    }

    pub(super) fn block(&mut self, body: &[Stmt]) -> End {
        for stmt in body {
            let end = self.stmt(stmt).unwrap_or_else(|end| end);
            if end != End::Normal {
                return end;
            }
        }
        End::Normal
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<End, End> {
        match stmt {
            Stmt::Call(call) => self.call(*call)?,
            Stmt::Assign(subject) => self.assign(*subject),
            Stmt::AssignValue => self.store.value = ANY_VALUE,
            Stmt::AssignMember => self.store.member = ANY_VALUE,
            Stmt::SetText(value) => self.store.text = *value,
            Stmt::ChooseText(test, yes, no) => self.store.text = if self.test(test)? { *yes } else { *no },
            Stmt::SetError(value) => self.store.error = *value,
            // It is called, and assigns a variable: neither raises.
            Stmt::Set(subject) => self.assign(*subject),
            Stmt::SetFlag(flag, cond) => self.flags[*flag as usize] = self.cond(cond)?,
            Stmt::Clear(flag, value) => self.flags[*flag as usize] = Value::of(*value),
            Stmt::Short(test, and, call) => {
                if self.test(test)? == *and {
                    self.call(*call)?;
                }
            }
            Stmt::Ternary(test, yes, no) => {
                let way = if self.test(test)? { yes } else { no };
                self.call(*way)?;
            }
            Stmt::Optional(is_call, call) => {
                let is_there = match self.store.is_there {
                    Some(is_there) => is_there,
                    None => self.decide(2)? == 0,
                };
                self.store.is_there = Some(is_there);
                if is_there == *is_call {
                    self.call(*call)?;
                    if *is_call {
                        self.other()?;
                    }
                }
            }
            Stmt::Assert(test) => {
                if !self.test(test)? {
                    return Ok(End::Throw);
                }
            }
            // It ends the program, or raises.
            Stmt::Fail => return Ok(if self.decide(2)? == 0 { End::Cut } else { End::Throw }),
            _ => return self.compound(stmt),
        }
        Ok(End::Normal)
    }

    fn compound(&mut self, stmt: &Stmt) -> Result<End, End> {
        Ok(match stmt {
            Stmt::If(cond, yes, no) => {
                let way = if self.test(cond)? { yes } else { no };
                self.block(way)
            }
            Stmt::While(label, cond, body) => {
                self.repeat(*label, &mut |run| run.test(cond), body, &mut |_| Ok(true))?
            }
            Stmt::For(label, cond, step, body) => {
                let step = &mut |run: &mut Run| run.call(*step).map(|()| true);
                self.repeat(*label, &mut |run| run.test(cond), body, step)?
            }
            Stmt::DoWhile(label, cond, body) => {
                self.repeat(*label, &mut |_| Ok(true), body, &mut |run| run.test(cond))?
            }
            Stmt::Each(label, over, body) => {
                let more = &mut |run: &mut Run| {
                    let more = run.decide(2)? == 0;
                    over.filter(|_| more).into_iter().for_each(|subject| run.assign(subject));
                    Ok(more)
                };
                self.repeat(*label, more, body, &mut |_| Ok(true))?
            }
            Stmt::Labelled(label, body) => match self.block(body) {
                End::Break(Some(to)) if to == *label => End::Normal,
                end => end,
            },
            Stmt::Try(body, catch, finally) => self.protected(body, catch.as_deref(), finally.as_deref()),
            Stmt::Spot(default, body) => {
                self.other()?;
                if let Some(call) = default
                    && self.decide(2)? == 0
                {
                    self.call(*call)?;
                }
                match self.block(body) {
                    End::Return => End::Normal,
                    end => end,
                }
            }
            Stmt::Break(label) => End::Break(*label),
            Stmt::Continue(label) => End::Continue(*label),
            Stmt::Return => End::Return,
            Stmt::Throw => End::Throw,
            _ => self.switch(stmt)?,
        })
    }

    fn repeat(
        &mut self,
        label: Option<u8>,
        more: &mut dyn FnMut(&mut Run) -> Result<bool, End>,
        body: &[Stmt],
        again: &mut dyn FnMut(&mut Run) -> Result<bool, End>,
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
            if !again(self)? {
                return Ok(End::Normal);
            }
        }
        Ok(End::Cut)
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
