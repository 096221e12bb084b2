//! A program in the core's interpreter, with the same functions from outside as in `driver.js`.

use factgate_ir::run::{Access, Event, Halt, Invoked, Limits, Machine, Run, Tape, Val};
use factgate_syntax::{Limits as SourceLimits, Source, language_for_path};

/// What classes over it make shows, as everything that `$o` is given.
const PRELUDE: &str = "class $B { constructor() { $o(this); } }\n";

/// How many events are compared.
const LIMIT: usize = 300;

/// How many promises from outside are settled.
const TURNS: usize = 60;

/// What the core did.
pub(crate) struct Trace {
    pub(crate) events: Vec<String>,
    /// Why it could not go on to the end.
    pub(crate) stopped: Option<String>,
}

/// Runs a text; `None` when it is not read.
pub(crate) fn trace(program: &str, tape: &[u8]) -> Option<Trace> {
    let language = language_for_path("a.ts")?;
    let text = format!("{PRELUDE}{program}");
    let source = Source::parse(language, text.as_bytes(), &SourceLimits::default()).ok()?;
    if !source.problems().is_empty() {
        return None;
    }
    let unit = language.rules().lower(&source.normal(&source.file_item())).unit;
    if let Some(problem) = factgate_ir::check::check(&unit).first() {
        return Some(Trace { events: vec![format!("the lowering is wrong: {problem}")], stopped: None });
    }
    let tape = Tape::new(tape.iter().map(|&answer| u32::from(answer)).collect());
    let mut machine = Machine::new(&unit, tape, Limits::default());
    machine.global_function("t", |machine, invoked| {
        note(machine, "t", invoked);
        Ok(Val::Undefined)
    });
    machine.global_function("q", |machine, invoked| {
        note(machine, "q", invoked);
        let answer = machine.tape.answer(7);
        Ok(answered(answer))
    });
    machine.global_function("r", |machine, invoked| {
        note(machine, "r", invoked);
        if machine.tape.answer(3) == 1 { Err(Halt::Raise(Val::text("r"))) } else { Ok(Val::Undefined) }
    });
    machine.global_function("w", |machine, invoked| {
        note(machine, "w", invoked);
        Ok(machine.outside())
    });
    machine.global_function("$o", |machine, invoked| {
        if let Some(id) = invoked.arg(0).object() {
            machine.trace(id);
        }
        Ok(invoked.arg(0))
    });
    machine.global_function("$end", |machine, invoked| {
        tell(machine, "end", &invoked.arg(0));
        Ok(Val::Undefined)
    });
    machine.global_function("$raise", |machine, invoked| {
        tell(machine, "raise", &invoked.arg(0));
        Ok(Val::Undefined)
    });
    let done = drive(&mut machine);
    let mut stopped = None;
    match done {
        Ok(()) => {}
        Err(Halt::Raise(error)) => tell(&mut machine, "raise", &error),
        Err(Halt::Stop(stop)) => stopped = Some(format!("{stop:?}")),
    }
    let mut events: Vec<String> = machine.events.iter().filter_map(event).collect();
    if events.len() > LIMIT {
        events.truncate(LIMIT);
        stopped = stopped.or(Some("events".to_owned()));
    }
    Some(Trace { events, stopped })
}

/// The program, and then one promise from outside after the other.
fn drive(machine: &mut Machine<'_>) -> Run<()> {
    match machine.run_top() {
        Err(Halt::Raise(error)) => tell(machine, "raise", &error),
        done => drop(done?),
    }
    machine.run_jobs()?;
    for _ in 0..TURNS {
        if !machine.is_waiting() {
            return Ok(());
        }
        let answer = machine.tape.answer(28);
        machine.tell(Event::Note("settle".to_owned()));
        let outcome = if answer % 4 == 3 { Err(Val::text("w")) } else { Ok(answered(answer % 7)) };
        machine.settle(outcome)?;
        machine.run_jobs()?;
    }
    Ok(())
}

/// The answers that `q` gives.
fn answered(answer: u32) -> Val {
    match answer {
        1 => Val::Bool(true),
        2 => Val::Bool(false),
        3 => Val::Null,
        4 => Val::Number(0.0),
        5 => Val::Number(1.0),
        6 => Val::text("x"),
        _ => Val::Undefined,
    }
}

fn note(machine: &mut Machine<'_>, name: &str, invoked: &Invoked<'_>) {
    let args: Vec<String> = invoked.args.iter().map(|arg| shown(machine, arg)).collect();
    machine.tell(Event::Note(format!("{name}({})", args.join(", "))));
}

fn tell(machine: &mut Machine<'_>, word: &str, value: &Val) {
    let text = format!("{word} {}", shown(machine, value));
    machine.tell(Event::Note(text));
}

fn shown(machine: &Machine<'_>, value: &Val) -> String {
    match value {
        // The strings of a tagged template.
        Val::Other(_) => "strings".to_owned(),
        _ => text(machine.shown(value)),
    }
}

/// The source of a function is not the core's.
fn text(shown: String) -> String {
    let is_source = shown.contains(['(', '{']) || shown.contains("[object Function]");
    if shown.starts_with('"') && is_source { "source".to_owned() } else { shown }
}

fn event(event: &Event) -> Option<String> {
    let shown = match event {
        Event::Note(text) => text.clone(),
        Event::Member { access, object, name, value } => {
            let word = match access {
                Access::Get => "get",
                Access::Has => "has",
                Access::Set => "set",
                Access::Define => "define",
                Access::Delete => "delete",
            };
            let value = value.clone().map(|value| format!(" = {}", text(value))).unwrap_or_default();
            // Private names are no names to a proxy.
            if name.starts_with("symbol") || name.starts_with('#') {
                return None;
            }
            format!("{word} #{object}.{name}{value}")
        }
        Event::Call { .. } | Event::New { .. } | Event::RaisedOut(_) => return None,
    };
    Some(shown)
}
