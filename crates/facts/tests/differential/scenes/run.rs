//! Runs of a scene: its functions take turns wherever they are suspended, and what was handed on runs at calls.

use super::super::engine::{Dice, SCENE_GUARDS};
use super::super::tape::{Size, Tape, each_run};
use super::{Kind, Scene, Step, Wait};

const SIZE: Size = Size { first: 60, random: 240, longest: 26 };
/// Operations of one run, and functions that are running inside each other.
const MOST_OPERATIONS: usize = 400;
const DEEPEST: usize = 6;
/// The objects: what `m`, `p` and `n` are at first, and one that nobody names.
const OBJECTS: [usize; 4] = [0, 1, 2, 3];

/// What all runs came to.
pub(crate) struct Seen {
    pub(crate) reached: bool,
    /// Whether something was given away.
    pub(crate) given: bool,
    pub(crate) violated: [bool; SCENE_GUARDS.len()],
}

/// Every run, as far as there are not too many.
pub(crate) fn run_all(scene: &Scene, dice: &mut Dice) -> Seen {
    let mut seen = Seen { reached: false, given: false, violated: [false; SCENE_GUARDS.len()] };
    let codes: Vec<Vec<Operation<'_>>> = scene.functions.iter().map(|function| compile(&function.body)).collect();
    each_run(&SIZE, dice, &mut |tape| {
        let mut run = Run::new(scene, &codes, tape);
        // A run that is cut off has shown what it has shown.
        let _ = run.all();
        seen.reached |= run.reached;
        seen.given |= run.given;
        (0..SCENE_GUARDS.len()).for_each(|index| seen.violated[index] |= run.violated[index]);
        run.tape
    });
    seen
}

/// A statement, or a decision to leave out those up to another one.
enum Operation<'s> {
    Do(&'s Step),
    Skip(usize),
    Back(usize),
}

fn compile(body: &[Step]) -> Vec<Operation<'_>> {
    let mut code = Vec::new();
    compile_into(body, &mut code);
    code
}

fn compile_into<'s>(body: &'s [Step], code: &mut Vec<Operation<'s>>) {
    for step in body {
        match step {
            Step::If(inner) | Step::While(inner) => {
                let start = code.len();
                code.push(Operation::Skip(0));
                compile_into(inner, code);
                if matches!(step, Step::While(_)) {
                    code.push(Operation::Back(start));
                }
                code[start] = Operation::Skip(code.len());
            }
            step => code.push(Operation::Do(step)),
        }
    }
}

/// Cut off.
struct Cut;

/// What a function that does not run waits for.
#[derive(Clone, PartialEq, Eq)]
enum Waiting {
    Nothing,
    Tick,
    Next,
    For(Vec<usize>),
}

/// One run of a function.
struct Activation {
    function: usize,
    at: usize,
    /// The one that called it.
    caller: Option<usize>,
    waiting: Waiting,
    running: bool,
    done: bool,
    /// Its value is that of another one.
    tied: Option<usize>,
    found: [Option<usize>; 2],
    made: [Option<usize>; 2],
    iterators: [Option<usize>; 2],
    /// A check of its own with nothing of `mark` since, and one behind a `mark`; one with no suspension since.
    unbroken: bool,
    since: bool,
    unsuspended: bool,
}

struct Run<'r> {
    scene: &'r Scene,
    codes: &'r [Vec<Operation<'r>>],
    tape: Tape,
    activations: Vec<Activation>,
    handed: Vec<usize>,
    /// The object of `m` and that of `p`.
    variables: [usize; 2],
    /// Of each object, what a test of its `ok` said, as far as nothing was assigned since.
    known: [Option<bool>; OBJECTS.len()],
    marked: bool,
    operations: usize,
    depth: usize,
    reached: bool,
    given: bool,
    violated: [bool; SCENE_GUARDS.len()],
}

impl<'r> Run<'r> {
    fn new(scene: &'r Scene, codes: &'r [Vec<Operation<'r>>], tape: Tape) -> Run<'r> {
        Run {
            scene,
            codes,
            tape,
            activations: Vec::new(),
            handed: Vec::new(),
            variables: [OBJECTS[0], OBJECTS[1]],
            known: [None; OBJECTS.len()],
            marked: false,
            operations: 0,
            depth: 0,
            reached: false,
            given: false,
            violated: [false; SCENE_GUARDS.len()],
        }
    }

    fn decide(&mut self, of: usize) -> Result<usize, Cut> {
        self.tape.decide(of as u8).map(usize::from).ok_or(Cut)
    }

    /// The scope, then whatever is ready, in any order.
    fn all(&mut self) -> Result<(), Cut> {
        self.start(0, None)?;
        loop {
            let ready: Vec<usize> = (0..self.activations.len()).filter(|&one| self.is_ready(one)).collect();
            let ways = ready.len() + self.handed.len();
            if ready.is_empty() && (self.handed.is_empty() || self.decide(2)? == 0) {
                return Ok(());
            }
            let way = self.decide(ways)?;
            match ready.get(way) {
                Some(&one) => self.resume(one)?,
                None => drop(self.start(self.handed[way - ready.len()], None)?),
            }
        }
    }

    fn is_ready(&self, one: usize) -> bool {
        let activation = &self.activations[one];
        let waits = match &activation.waiting {
            Waiting::Nothing | Waiting::Next => return false,
            Waiting::Tick => false,
            Waiting::For(others) => others.iter().any(|&other| !self.is_settled(other)),
        };
        !activation.done && !activation.running && !waits
    }

    fn is_settled(&self, one: usize) -> bool {
        let activation = &self.activations[one];
        activation.done && activation.tied.is_none_or(|other| self.is_settled(other))
    }

    /// Calls a function: runs it up to its first suspension.
    fn start(&mut self, function: usize, caller: Option<usize>) -> Result<usize, Cut> {
        let waiting =
            if self.scene.functions[function].kind == Kind::Generator { Waiting::Next } else { Waiting::Nothing };
        let is_generator = waiting == Waiting::Next;
        self.activations.push(Activation {
            function,
            at: 0,
            caller,
            waiting,
            running: false,
            done: false,
            tied: None,
            found: [None; 2],
            made: [None; 2],
            iterators: [None; 2],
            unbroken: false,
            since: false,
            unsuspended: false,
        });
        let one = self.activations.len() - 1;
        if !is_generator {
            self.resume(one)?;
        }
        Ok(one)
    }

    fn resume(&mut self, one: usize) -> Result<(), Cut> {
        if self.depth >= DEEPEST {
            return Err(Cut);
        }
        self.depth += 1;
        self.activations[one].waiting = Waiting::Nothing;
        self.activations[one].running = true;
        let codes = self.codes;
        let code = &codes[self.activations[one].function];
        while self.activations[one].waiting == Waiting::Nothing && !self.activations[one].done {
            self.operations += 1;
            if self.operations > MOST_OPERATIONS {
                return Err(Cut);
            }
            let at = self.activations[one].at;
            self.activations[one].at += 1;
            match code.get(at) {
                None => self.activations[one].done = true,
                Some(Operation::Back(to)) => self.activations[one].at = *to,
                Some(Operation::Skip(to)) => {
                    self.outside()?;
                    if self.decide(2)? == 0 {
                        self.activations[one].at = *to;
                    }
                }
                Some(Operation::Do(step)) => self.step(one, step)?,
            }
        }
        self.activations[one].running = false;
        self.depth -= 1;
        Ok(())
    }

    /// A call of something else may run what was handed on.
    fn outside(&mut self) -> Result<(), Cut> {
        if !self.handed.is_empty() && self.depth < DEEPEST - 2 {
            let way = self.decide(self.handed.len() + 1)?;
            if let Some(&function) = self.handed.get(way) {
                self.start(function, None)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, one: usize, step: &Step) -> Result<(), Cut> {
        match step {
            Step::Check => self.check(one, self.variables[0])?,
            Step::CheckFound(slot) => match self.activations[one].found[*slot as usize] {
                Some(object) => self.test(one, object).map(drop)?,
                None => self.activations[one].done = true,
            },
            Step::Give(slot) => {
                let object = self.activations[one].found[*slot as usize];
                self.given = true;
                self.violated[SCENE_GUARDS.len() - 1] |= object.is_none_or(|object| self.known[object] != Some(true));
                self.outside()?;
            }
            Step::Assign(subject) => self.variables[*subject as usize] = OBJECTS[2],
            Step::Set(subject) => self.known[self.variables[*subject as usize]] = None,
            Step::Find(slot) => {
                self.outside()?;
                let object = [self.variables[0], OBJECTS[2], OBJECTS[3]][self.decide(3)?];
                self.activations[one].found[*slot as usize] = Some(object);
            }
            Step::SetFound(slot) => match self.activations[one].found[*slot as usize] {
                Some(object) => self.known[object] = None,
                None => self.activations[one].done = true,
            },
            Step::Go => {
                self.effect(one);
                self.outside()?;
            }
            Step::Mark => {
                self.mark(one);
                self.outside()?;
            }
            Step::Work => self.outside()?,
            Step::Hand(function) => {
                self.handed.push(*function);
                self.outside()?;
            }
            _ => self.call(one, step)?,
        }
        Ok(())
    }

    fn call(&mut self, one: usize, step: &Step) -> Result<(), Cut> {
        match step {
            Step::Pause => {
                let is_generator = self.scene.functions[self.activations[one].function].kind == Kind::Generator;
                if !is_generator {
                    self.outside()?;
                }
                self.suspend(one, if is_generator { Waiting::Next } else { Waiting::Tick });
            }
            Step::Call(callee, wait) => {
                let other = self.start(*callee, Some(one))?;
                match wait {
                    Wait::No => {}
                    Wait::Await => self.wait_for(one, vec![other]),
                    Wait::Return => {
                        self.activations[one].tied = Some(other);
                        self.activations[one].done = true;
                    }
                }
            }
            Step::All(first, second) => {
                let both = vec![self.start(*first, Some(one))?, self.start(*second, Some(one))?];
                self.wait_for(one, both);
            }
            Step::Make(slot, maker) => {
                let maker = self.start(*maker, Some(one))?;
                let is_whole = self.activations[maker].done && self.ran_whole(maker);
                let returns = self.scene.functions[self.activations[maker].function].returns;
                self.activations[one].made[*slot as usize] = returns.filter(|_| is_whole);
            }
            Step::CallMade(slot) => {
                if let Some(function) = self.activations[one].made[*slot as usize] {
                    self.start(function, Some(one))?;
                }
            }
            Step::Iterate(slot, generator) => {
                let iterator = self.start(*generator, Some(one))?;
                self.activations[one].iterators[*slot as usize] = Some(iterator);
            }
            Step::Next(slot) => {
                let iterator = self.activations[one].iterators[*slot as usize];
                if let Some(other) = iterator.filter(|&other| self.activations[other].waiting == Waiting::Next) {
                    self.resume(other)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ran_whole(&self, one: usize) -> bool {
        let activation = &self.activations[one];
        activation.at > self.codes[activation.function].len()
    }

    /// A generator is done by nobody who waits for it: its call has its value at once.
    fn wait_for(&mut self, one: usize, others: Vec<usize>) {
        let is_generator =
            |other: &usize| self.scene.functions[self.activations[*other].function].kind == Kind::Generator;
        let others = others.into_iter().filter(|other| !is_generator(other)).collect();
        self.suspend(one, Waiting::For(others));
    }

    fn suspend(&mut self, one: usize, waiting: Waiting) {
        self.activations[one].waiting = waiting;
        self.activations[one].unsuspended = false;
    }

    fn check(&mut self, one: usize, object: usize) -> Result<(), Cut> {
        let passes = self.test(one, object)?;
        let marked = self.marked;
        let activation = &mut self.activations[one];
        (activation.unbroken, activation.since, activation.unsuspended) = (passes, passes && marked, passes);
        Ok(())
    }

    /// A function is left where the test fails. What was tested before has the same outcome again.
    fn test(&mut self, one: usize, object: usize) -> Result<bool, Cut> {
        let passes = match self.known[object] {
            Some(known) => known,
            None => self.decide(2)? == 0,
        };
        self.known[object] = Some(passes);
        self.activations[one].done |= !passes;
        Ok(passes)
    }

    /// What another run of the same function passes, itself or in what it calls, does not count.
    fn mark(&mut self, one: usize) {
        self.marked = true;
        let chain: Vec<usize> = std::iter::successors(Some(one), |&inner| self.activations[inner].caller).collect();
        let functions: Vec<usize> = chain.iter().map(|&one| self.activations[one].function).collect();
        for (other, activation) in self.activations.iter_mut().enumerate() {
            if chain.contains(&other) || !functions.contains(&activation.function) {
                (activation.unbroken, activation.since) = (false, false);
            }
        }
    }

    fn effect(&mut self, one: usize) {
        self.reached = true;
        let activation = &self.activations[one];
        let known = self.known[self.variables[0]] == Some(true);
        let held = [
            known,
            known && activation.unbroken,
            known && activation.since,
            known && activation.unsuspended,
            self.marked,
        ];
        for (violated, held) in self.violated.iter_mut().zip(held) {
            *violated |= !held;
        }
    }
}
