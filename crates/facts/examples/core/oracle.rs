//! What guards say of a program against its runs. In a run the effect asks the guards' conditions where it stands; what
//! is not in sight runs what was kept, raises, or does nothing, as the tape says.

use super::draw::{Dice, Drawn, draw};
use factgate_facts::guard::{Assertions, GuardSpec, Through, decide};
use factgate_facts::pattern::{Pattern, PatternText};
use factgate_facts::program::Program;
use factgate_facts::{FileError, Files};
use factgate_ir::run::{Event, Halt, Invoked, Key, Limits as Steps, Machine, Run, Stop, Tape, Val};
use factgate_record::{Fact, FactValue, Reason, RepoPath};
use factgate_syntax::{Limits, Selector, Source, language_for_path};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What many programs come to.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    /// Guards decided whose effect some run reaches.
    pub(crate) decided: usize,
    /// Of these, read TRUE.
    pub(crate) read_true: usize,
    /// Held in every run that was tried.
    pub(crate) held: usize,
    /// Held in every run and read FALSE.
    pub(crate) false_alarms: usize,
    /// The reasons of the false alarms.
    pub(crate) causes: BTreeMap<String, usize>,
    /// The first false alarms of each of these reasons, with their sources.
    pub(crate) alarms: BTreeMap<String, Vec<String>>,
    /// Why runs ended early, and how many.
    pub(crate) stopped: BTreeMap<String, usize>,
    /// Read TRUE and violated by a run: number, guard, source and answers.
    pub(crate) wrong: Vec<String>,
}

/// A language whose programs are drawn.
pub(crate) struct Drawing {
    /// The programs' file.
    file: &'static str,
    draw: fn(&mut Dice) -> Drawn,
    /// The guards: the key, its pattern, and what is asked in a run. `$S` is the object.
    guards: &'static [(&'static str, &'static str, &'static str)],
    /// How a condition is handed over that is asked where it is called, or evaluated there.
    asked: fn(&str) -> String,
    raises: Raises,
    /// Runs of one program: first so many in order, then so many at random.
    runs: (usize, usize),
}

/// Whether code that is not in sight can raise errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raises {
    Yes,
    No,
}

/// The languages.
pub(crate) const DRAWINGS: [Drawing; 3] = [
    Drawing {
        file: "a.ts",
        draw,
        guards: &TYPESCRIPT,
        asked: |asked| format!("() => {asked}"),
        raises: Raises::Yes,
        runs: (60, 140),
    },
    Drawing {
        file: "a.zig",
        draw: super::zig::draw,
        guards: &ZIG,
        asked: str::to_owned,
        raises: Raises::No,
        runs: (60, 140),
    },
    Drawing {
        file: "a.ts",
        draw: super::shapes::draw,
        guards: &CLASSES,
        asked: |asked| format!("() => {asked}"),
        raises: Raises::Yes,
        runs: (60, 940),
    },
];

/// The guards over Zig.
pub(crate) const ZIG: [(&str, &str, &str); 13] = [
    ("only_if", "$S.ok", "$S.ok"),
    ("skip_if", "$S.ok", "!$S.ok"),
    ("only_if", "$S.isOk()", "$S.isOk()"),
    ("only_if", "$S.st == .b", "$S.st == .b"),
    ("skip_if", "$S.st == .a", "$S.st != .a"),
    ("only_if", "p.ok", "p.ok"),
    ("only_if", "$S.ok and p.ok", "$S.ok and p.ok"),
    ("only_if", "$S.in.ok", "$S.in.ok"),
    ("skip_if", "$S.opt == null", "$S.opt != null"),
    ("only_if", "$S.n < 2", "$S.n < 2"),
    ("only_if", "$S.next.ok", "$S.next.ok"),
    ("skip_if", "p.isIn()", "!p.isIn()"),
    ("after", "mark()", "marked()"),
];

const TYPESCRIPT: [(&str, &str, &str); 7] = [
    ("only_if", "$S.ok", "$S.ok"),
    ("skip_if", "$S.ok", "!$S.ok"),
    ("only_if", "isOk($S)", "isOk($S)"),
    ("only_if", "!$S.ok", "!$S.ok"),
    ("only_if", "$S.ok && p.ok", "$S.ok && p.ok"),
    ("only_if", "p.ok", "p.ok"),
    ("after", "mark()", "marked()"),
];

/// The guards over classes.
const CLASSES: [(&str, &str, &str); 3] =
    [("only_if", "$S.ok", "$S.ok"), ("skip_if", "!$S.ok", "$S.ok"), ("after", "mark()", "marked()")];

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

fn pattern(file: &str, code: &str) -> Pattern {
    let language = language_for_path(file).expect("a language");
    Pattern::parse(language, &PatternText::Code(code.to_owned())).expect("a pattern")
}

fn guard(file: &str, drawn: &Drawn, key: &str, code: &str) -> GuardSpec {
    let mut spec = GuardSpec {
        scopes: vec![Selector::parse(drawn.scope).expect("a selector")],
        effect: vec![pattern(file, "go()")],
        through: Through::Deep,
        ..GuardSpec::default()
    };
    let patterns = vec![pattern(file, &code.replace("$S", drawn.subject))];
    match key {
        "only_if" => spec.keys.only_if = patterns,
        "skip_if" => spec.keys.skip_if = patterns,
        _ => spec.keys.after = patterns,
    }
    spec
}

/// Compares `count` programs from a seed.
pub(crate) fn compare(drawing: &Drawing, seed: u64, count: usize) -> Tally {
    let mut tally = Tally::default();
    for index in 0..count {
        let number = seed.wrapping_add(index as u64);
        let mut dice = Dice(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let drawn = (drawing.draw)(&mut dice);
        let files = One { path: RepoPath::from_git(drawing.file), text: drawn.source.as_bytes().into() };
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        let seen = runs(drawing, &drawn, &mut dice, &mut tally);
        for (which, (key, code, _)) in drawing.guards.iter().enumerate() {
            let fact = decide(&program, &guard(drawing.file, &drawn, key, code), &Assertions::default());
            tally.add(&format!("{key} = {code}"), &fact, &seen, which, &format!("{number}\n{}", drawn.source));
        }
    }
    tally
}

/// What the runs of a program have shown.
#[derive(Default)]
struct Seen {
    reached: bool,
    /// The answers of a run that violates each guard.
    violated: BTreeMap<usize, Vec<u32>>,
}

fn runs(drawing: &Drawing, drawn: &Drawn, dice: &mut Dice, tally: &mut Tally) -> Seen {
    let asked: Vec<String> = drawing.guards.iter().map(|(.., asked)| (drawing.asked)(asked)).collect();
    let asked = format!("go({})", asked.join(", ")).replace("$S", drawn.subject);
    let text = format!("{}{}", drawn.source.replace("go()", &asked), drawn.tail);
    let language = language_for_path(drawing.file).expect("a language");
    let source = Source::parse(language, text.as_bytes(), &Limits::default()).expect("a program");
    let lowered = language.rules().lower(&source.normal(&source.file_item()));
    factgate_ir::check::assert_sound(&lowered.unit);
    let mut seen = Seen::default();
    let mut next = Some(Tape::default());
    let (in_order, at_random) = drawing.runs;
    for turn in 0..in_order + at_random {
        let tape = match next.take() {
            Some(tape) if turn < in_order => tape,
            Some(_) => Tape::random(dice.roll(u64::MAX)),
            None => break,
        };
        let mut machine = Machine::new(&lowered.unit, tape, Steps { steps: 3_000, depth: 24 });
        if let Err(Halt::Stop(stop)) = one_run(&mut machine, drawing.raises) {
            let why = match stop {
                Stop::Unsupported(what) => what,
                stop => format!("{stop:?}"),
            };
            *tally.stopped.entry(why).or_default() += 1;
        }
        for event in &machine.events {
            let Event::Note(note) = event else { continue };
            seen.reached = true;
            if let Ok(which) = note.parse::<usize>() {
                seen.violated.entry(which).or_insert_with(|| machine.tape.answers());
            }
        }
        next = if turn + 1 < in_order { machine.tape.following() } else { Some(Tape::default()) };
    }
    seen
}

fn one_run(machine: &mut Machine<'_>, raises: Raises) -> Run<()> {
    let kept = machine.list([]);
    machine.global("kept", kept);
    machine.global("was marked", Val::Bool(false));
    machine.global_function("k", |machine, _| Ok(Val::Bool(machine.tape.answer(2) == 1)));
    machine.global_function("w", |machine, _| Ok(machine.outside()));
    machine.global_function("other", |machine, _| unread(machine));
    machine.global_function("key", |machine, _| Ok(Val::text(["ok", "next", "x"][machine.tape.answer(3) as usize])));
    machine.global_function("keep", |machine, invoked| {
        let kept = machine.global_value("kept").unwrap_or(Val::Undefined);
        let push = machine.get(&kept, &Key::text("push"))?;
        machine.call(&push, kept, &[invoked.arg(0)])?;
        unread(machine)
    });
    machine.global_function("mark", |machine, _| {
        machine.global("was marked", Val::Bool(true));
        unread(machine)
    });
    machine.global_function("marked", |machine, _| Ok(machine.global_value("was marked").unwrap_or(Val::Undefined)));
    machine.global_function("run", |machine, invoked| {
        if machine.tape.answer(2) == 1 {
            machine.call(&invoked.arg(0), Val::Undefined, &[invoked.arg(1)])?;
        }
        Ok(Val::Undefined)
    });
    machine.global_function("go", go);
    if raises == Raises::No {
        machine.global_function("other", |_, _| Ok(Val::Undefined));
        machine.global_function("mark", |machine, _| {
            machine.global("was marked", Val::Bool(true));
            Ok(Val::Undefined)
        });
        machine.global_function("go", told);
        machine.global_function("way", |machine, _| {
            Ok(if machine.tape.answer(3) == 1 { Val::Error("Way".into()) } else { Val::Undefined })
        });
    }
    machine.global_function("start", |machine, invoked| {
        machine.call(&invoked.arg(0), Val::Undefined, &[])?;
        Ok(Val::Undefined)
    });
    match machine.run_top() {
        // The interpreter went on in a list behind its end: no such run is one of the program.
        Err(Halt::Raise(_)) if raises == Raises::No => {
            machine.events.clear();
            return Ok(());
        }
        Ok(_) | Err(Halt::Raise(_)) => {}
        Err(stop) => return Err(stop),
    }
    machine.run_jobs()?;
    for _ in 0..12 {
        if machine.tape.answer(3) == 1 {
            match unread(machine) {
                Ok(_) | Err(Halt::Raise(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        let outcome = if machine.tape.answer(4) == 3 { Err(Val::text("rejected")) } else { Ok(Val::Undefined) };
        if !machine.settle(outcome)? {
            break;
        }
        machine.run_jobs()?;
    }
    Ok(())
}

/// A call of something that is not in sight.
fn unread(machine: &mut Machine<'_>) -> Run<Val> {
    let kept = machine.global_value("kept").unwrap_or(Val::Undefined);
    let Val::Number(count) = machine.get(&kept, &Key::text("length"))? else { return Ok(Val::Undefined) };
    match machine.tape.answer(count as u32 + 2) {
        0 => Ok(Val::Undefined),
        1 => Err(Halt::Raise(Val::text("raised"))),
        which => {
            let function = machine.get(&kept, &Key::text(&(which - 2).to_string()))?;
            machine.call(&function, Val::Undefined, &[])
        }
    }
}

fn go(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    told(machine, invoked)?;
    unread(machine)
}

/// Tells which conditions do not hold.
fn told(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    machine.tell(Event::Note("reached".to_owned()));
    for (which, asked) in invoked.args.iter().enumerate() {
        let answer =
            if machine.is_function(asked) { machine.call(asked, Val::Undefined, &[]) } else { Ok(asked.clone()) };
        let holds = match answer {
            Ok(value) => value.truth(),
            Err(Halt::Raise(_)) => false,
            Err(stop) => return Err(stop),
        };
        if !holds {
            machine.tell(Event::Note(which.to_string()));
        }
    }
    Ok(Val::Undefined)
}

impl Tally {
    fn add(&mut self, guard: &str, fact: &Fact, seen: &Seen, which: usize, source: &str) {
        let reads_true = fact.value == Some(FactValue::Bool(true));
        assert!(fact.value.is_some(), "{source}\n{:?}", fact.detail);
        if !seen.reached || fact.reason == Some(Reason::NoEffect) {
            return;
        }
        self.decided += 1;
        self.read_true += usize::from(reads_true);
        match seen.violated.get(&which) {
            Some(answers) if reads_true => self.wrong.push(format!("{guard}\n{source}\nanswers {answers:?}")),
            Some(_) => {}
            None => {
                self.held += 1;
                if !reads_true {
                    self.false_alarms += 1;
                    let reason = fact.reason.map_or("", Reason::code);
                    let cause = format!("{guard}: {reason}");
                    *self.causes.entry(cause.clone()).or_default() += 1;
                    let alarms = self.alarms.entry(cause).or_default();
                    if alarms.len() < 3 {
                        alarms.push(format!("{}\n{source}", fact.detail.as_deref().unwrap_or_default()));
                    }
                }
            }
        }
    }
}
