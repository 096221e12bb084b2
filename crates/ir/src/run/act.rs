//! One run of a body: what is left to do, as a stack, so that it can be suspended anywhere.

use super::machine::{Machine, Stop};
use super::value::Val;
use super::{Halt, Run};
use crate::{
    Arm, Atom, BodyId, Catch, ClassId, Code, Exit, Falls, Label, Leaf, Missed, NodeId, Op, Operand, Pause, SlotId,
    Test, ValueId, VarId, When,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The variables that a body sees. A closure keeps those of the moment when it was made.
#[derive(Debug)]
pub(super) struct Env {
    pub(super) body: BodyId,
    /// The variable and its cell.
    pub(super) vars: Vec<(VarId, usize)>,
    /// The private names of the classes that were made here.
    pub(super) brands: Vec<(ClassId, u32)>,
    pub(super) outer: Option<Rc<Env>>,
    pub(super) home: Rc<Home>,
}

/// What a call gives to the body and to the arrow functions in it.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) this: RefCell<Option<Val>>,
    pub(super) new_target: Val,
    /// The function that runs; `undefined` for the top.
    pub(super) function: Val,
    pub(super) args: Vec<Val>,
}

/// How a piece of code ended.
#[derive(Clone, Debug)]
pub(super) enum Completion {
    Normal,
    Return(Val),
    ErrorReturn(Val),
    Raise(Val),
    Break(Label),
    Continue(Label),
}

/// How far a run came.
#[derive(Debug)]
pub(super) enum Outcome {
    Done(Completion),
    Paused(Pause, Val),
}

/// What an operation gave.
#[derive(Debug)]
pub(super) enum Did {
    Gave(Val),
    Paused(Pause, Val),
}

/// Something that is left to do.
#[derive(Clone, Debug)]
pub(super) enum Work<'u> {
    Code(&'u Code),
    Test(&'u Test),
    Ask(&'u Leaf),
    Not,
    /// The rest of a conjunction, of a disjunction.
    And(&'u [Test]),
    Or(&'u [Test]),
    Choose(&'u Test, &'u Test),
    Guess,
    Branch(&'u Code, &'u Code),
    /// A loop: a turn starts, its test is decided, its body is done.
    Turn(&'u Code),
    Decided(&'u Code),
    Stepped(&'u Code),
    /// The next test of some arms; it is decided; an arm is entered.
    Arms(&'u Code, usize, usize),
    Fits(&'u Code, usize, usize),
    Enter(&'u Code, usize),
    /// Marks on the stack: the end of a label, of what is guarded.
    Target(Label, Option<&'u Code>),
    Catch(&'u Catch),
    Leaving(When, &'u Code),
    /// Code on the way out has ended: go on as before.
    End(Completion),
}

/// One run of a body.
#[derive(Clone, Debug)]
pub(super) struct Act<'u> {
    pub(super) body: BodyId,
    pub(super) env: Rc<Env>,
    pub(super) values: Vec<Option<Val>>,
    pub(super) slots: Vec<Option<Val>>,
    pub(super) work: Vec<Work<'u>>,
    pub(super) flag: bool,
    /// Where the value goes with which it is resumed.
    pub(super) into: Option<ValueId>,
    /// The iteration that a `yield*` is in.
    pub(super) delegate: Option<usize>,
}

/// A run of a body, to look at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, 'u> {
    pub(super) act: &'a Act<'u>,
}

impl View<'_, '_> {
    /// The body.
    pub fn body(&self) -> BodyId {
        self.act.body
    }

    /// A value that it has computed.
    pub fn value(&self, id: ValueId) -> Option<&Val> {
        self.act.values.get(id.index())?.as_ref()
    }
}

impl<'u> Act<'u> {
    pub(super) fn value(&self, id: ValueId) -> Run<Val> {
        let value = self.values.get(id.index()).cloned().flatten();
        value.ok_or_else(|| Stop::Unsupported(format!("the value {} is not there", id.0)).into())
    }

    pub(super) fn slot(&self, id: SlotId) -> Run<Val> {
        let value = self.slots.get(id.index()).cloned().flatten();
        value.ok_or_else(|| Stop::Unsupported(format!("the slot {} is not there", id.0)).into())
    }

    pub(super) fn give(&mut self, id: Option<ValueId>, value: Val) {
        if let Some(place) = id.and_then(|id| self.values.get_mut(id.index())) {
            *place = Some(value);
        }
    }

    /// Whether code on the way out of a raised error is running.
    pub(super) fn is_raising(&self) -> bool {
        let end = self.work.iter().rev().find_map(|work| if let Work::End(how) = work { Some(how) } else { None });
        matches!(end, Some(Completion::Raise(_)))
    }

    fn push(&mut self, work: impl IntoIterator<Item = Work<'u>>) {
        self.work.extend(work);
    }

    /// Goes where the completion leads; tells when it leads out of the body.
    pub(super) fn unwind(&mut self, how: Completion) -> Option<Completion> {
        while let Some(work) = self.work.pop() {
            match (&work, &how) {
                (Work::Target(label, _), Completion::Break(to)) if label == to => return None,
                (Work::Target(label, Some(code)), Completion::Continue(to)) if label == to => {
                    let step = Work::Stepped(code);
                    self.push([work, step]);
                    return None;
                }
                (Work::Catch(catch), Completion::Raise(error)) => {
                    self.give(catch.value, error.clone());
                    self.push([Work::Code(&catch.code)]);
                    return None;
                }
                (Work::Leaving(when, code), _) => {
                    let is_error = matches!(how, Completion::Raise(_) | Completion::ErrorReturn(_));
                    if *when == When::Every || is_error {
                        self.push([Work::End(how), Work::Code(code)]);
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(how)
    }
}

impl<'u> Machine<'u> {
    /// Runs until the body ends or is suspended.
    pub(super) fn run_act(&mut self, act: &mut Act<'u>) -> Result<Outcome, Stop> {
        loop {
            let Some(work) = act.work.pop() else { return Ok(Outcome::Done(Completion::Return(Val::Undefined))) };
            match self.work(act, work) {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(outcome),
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Raise(error)) => {
                    if let Some(how) = act.unwind(Completion::Raise(error)) {
                        return Ok(Outcome::Done(how));
                    }
                }
            }
        }
    }

    fn work(&mut self, act: &mut Act<'u>, work: Work<'u>) -> Run<Option<Outcome>> {
        match work {
            Work::Code(code) => return self.code(act, code),
            Work::Test(test) => self.test(act, test),
            Work::Ask(leaf) => act.flag = self.ask(act, &leaf.atom)?,
            Work::Not => act.flag = !act.flag,
            Work::And([first, rest @ ..]) if act.flag => act.push([Work::And(rest), Work::Test(first)]),
            Work::Or([first, rest @ ..]) if !act.flag => act.push([Work::Or(rest), Work::Test(first)]),
            Work::And(_) | Work::Or(_) => {}
            Work::Choose(yes, no) => act.push([Work::Test(if act.flag { yes } else { no })]),
            Work::Guess => act.flag = self.tape.answer(2) == 1,
            Work::Branch(yes, no) => act.push([Work::Code(if act.flag { yes } else { no })]),
            Work::Turn(code) | Work::Decided(code) | Work::Stepped(code) => {
                if let Code::Loop { test, body, step, otherwise, .. } = code {
                    match work {
                        Work::Turn(_) => act.push([Work::Decided(code), Work::Test(test)]),
                        Work::Decided(_) if act.flag => act.push([Work::Stepped(code), Work::Code(body)]),
                        Work::Decided(_) => {
                            act.work.pop();
                            act.push([Work::Code(otherwise)]);
                        }
                        _ => act.push([Work::Turn(code), Work::Code(step)]),
                    }
                }
            }
            Work::Arms(code, arm, test) => return self.arms(act, code, arm, test),
            Work::Fits(code, arm, test) => {
                act.push([if act.flag { Work::Enter(code, arm) } else { Work::Arms(code, arm, test + 1) }]);
            }
            Work::Enter(code, index) => {
                if let Code::Arms { arms, falls, .. } = code {
                    if *falls == Falls::Through && index + 1 < arms.len() {
                        act.push([Work::Enter(code, index + 1)]);
                    }
                    act.push([Work::Code(&arms[index].body)]);
                }
            }
            Work::Target(..) | Work::Catch(_) => {}
            Work::Leaving(When::Every, code) => act.push([Work::End(Completion::Normal), Work::Code(code)]),
            Work::Leaving(When::Error, _) => {}
            Work::End(Completion::Normal) => {}
            Work::End(how) => return Ok(act.unwind(how).map(Outcome::Done)),
        }
        Ok(None)
    }

    fn arms(&mut self, act: &mut Act<'u>, code: &'u Code, arm: usize, test: usize) -> Run<Option<Outcome>> {
        let Code::Arms { arms, missed, .. } = code else { return Ok(None) };
        match arms.get(arm).map(|arm| arm.tests.get(test)) {
            Some(Some(asked)) => act.push([Work::Fits(code, arm, test), Work::Test(asked)]),
            Some(None) => act.push([Work::Arms(code, arm + 1, 0)]),
            None => match (arms.iter().position(|arm: &Arm| arm.default), missed) {
                (Some(index), _) => act.push([Work::Enter(code, index)]),
                (None, Missed::Behind) => {}
                (None, Missed::Never) => return Err(Stop::Never(NodeId::ROOT).into()),
            },
        }
        Ok(None)
    }

    fn code(&mut self, act: &mut Act<'u>, code: &'u Code) -> Run<Option<Outcome>> {
        match code {
            Code::Seq(parts) => act.push(parts.iter().rev().map(Work::Code)),
            Code::Do(op) => return self.do_op(act, op),
            Code::Branch { test, yes, no } => act.push([Work::Branch(yes, no), Work::Test(test)]),
            Code::Arms { label, .. } => act.push([Work::Target(*label, None), Work::Arms(code, 0, 0)]),
            Code::Loop { label, .. } => act.push([Work::Target(*label, Some(code)), Work::Turn(code)]),
            Code::Block { label, body } => act.push([Work::Target(*label, None), Work::Code(body)]),
            Code::Guarded { body, catch, leaving } => {
                act.push(leaving.iter().map(|(when, code)| Work::Leaving(*when, code)));
                act.push(catch.iter().map(Work::Catch));
                act.push([Work::Code(body)]);
            }
            Code::Leave { to, value, node } => {
                let value = value.map_or(Ok(Val::Undefined), |value| act.value(value))?;
                let how = match to {
                    Exit::Return => Completion::Return(value),
                    Exit::ErrorReturn => Completion::ErrorReturn(value),
                    Exit::Raise => Completion::Raise(value),
                    Exit::Break(label) => Completion::Break(*label),
                    Exit::Continue(label) => Completion::Continue(*label),
                    Exit::Never => return Err(Stop::Never(*node).into()),
                };
                return Ok(act.unwind(how).map(Outcome::Done));
            }
        }
        Ok(None)
    }

    fn do_op(&mut self, act: &mut Act<'u>, op: &'u Op) -> Run<Option<Outcome>> {
        self.step()?;
        if let Some(mut observer) = self.observer.take() {
            let seen = observer(self, &View { act }, op);
            self.observer = Some(observer);
            seen?;
        }
        match self.op(act, op)? {
            Did::Gave(value) => act.give(op.gives, value),
            Did::Paused(pause, value) => {
                act.into = op.gives;
                return Ok(Some(Outcome::Paused(pause, value)));
            }
        }
        Ok(None)
    }

    fn test(&mut self, act: &mut Act<'u>, test: &'u Test) {
        match test {
            Test::Leaf(leaf) => act.push([Work::Ask(leaf), Work::Code(&leaf.code)]),
            Test::Not(inner) => act.push([Work::Not, Work::Test(inner)]),
            Test::And(parts) => {
                act.flag = true;
                act.push([Work::And(parts)]);
            }
            Test::Or(parts) => {
                act.flag = false;
                act.push([Work::Or(parts)]);
            }
            Test::Choice(parts) => {
                let [test, yes, no] = &**parts;
                act.push([Work::Choose(yes, no), Work::Test(test)]);
            }
            Test::Unknown(code, _) => act.push([Work::Guess, Work::Code(code)]),
            Test::Always => act.flag = true,
        }
    }

    fn ask(&mut self, act: &Act<'u>, atom: &Atom) -> Run<bool> {
        match atom {
            Atom::Truth(value) => Ok(act.value(*value)?.truth()),
            Atom::Same(value, other, sameness) => {
                let value = act.value(*value)?;
                let other = match other {
                    Operand::Value(other) => act.value(*other)?,
                    Operand::Const(constant) => Val::from(constant),
                };
                self.equal(&value, &other, *sameness)
            }
            Atom::Less(left, right, order) => {
                let (left, right) = (act.value(*left)?, act.value(*right)?);
                self.less(&left, &right, *order)
            }
            Atom::Missing(value) => Ok(act.value(*value)?.is_missing()),
            Atom::Error(value) => Ok(matches!(act.value(*value)?, Val::Error(_))),
            Atom::Done(value) => Ok(matches!(act.value(*value)?, Val::Step(None))),
        }
    }

    /// The outcome of a test in a run of a body, as if it stood there. Nothing is told of what it reads, and the observer
    /// is not shown it.
    pub fn decide(&mut self, view: &View<'_, 'u>, test: &'u Test) -> Run<bool> {
        let mut act = view.act.clone();
        act.work = vec![Work::Test(test)];
        let values = self.unit.body(act.body).values.len();
        act.values.resize(values, None);
        let observer = self.observer.take();
        self.quiet += 1;
        let outcome = self.run_act(&mut act);
        self.quiet -= 1;
        self.observer = observer;
        match outcome? {
            Outcome::Done(Completion::Raise(error)) => Err(Halt::Raise(error)),
            Outcome::Done(_) => Ok(act.flag),
            Outcome::Paused(..) => self.unsupported("a test that suspends"),
        }
    }
}
