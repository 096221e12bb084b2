//! The lowering of Zig against its compiler: random programs are compiled and run, and run in the core's interpreter, with
//! the same answers from outside. Both must say the same.

use super::draw::Dice;
use super::oracle::ZIG;
use super::zig::{For, drawn};
use factgate_ir::run::{Event, Halt, Invoked, Limits as Steps, Machine, Run, Tape, Val};
use factgate_syntax::{Limits, Source, language_for_path};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Runs of each program.
const RUNS: u64 = 6;
/// Programs that are compiled at once.
const BATCH: usize = 40;
/// Turns of loops in one run.
const TURNS: u32 = 40;

/// What is not in sight, for the compiler.
const OUTSIDE: &str = "\
const std = @import(\"std\");
pub var state: u64 = 1;
pub var turns: u32 = 0;
pub var marked: bool = false;
pub fn start(seed: u64) void {
    state = seed | 1;
    turns = 0;
    marked = false;
}
pub fn answer(choices: u64) u64 {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return ((state *% 0x2545F4914F6CDD1D) >> 33) % choices;
}
pub fn tick() bool {
    turns += 1;
    return turns < 40;
}
pub fn say(text: []const u8) void {
    std.debug.print(\"{s}\\n\", .{text});
}
pub fn bools(all: []const bool) void {
    for (all) |one| std.debug.print(\"{s}\", .{if (one) \"1\" else \"0\"});
    std.debug.print(\"\\n\", .{});
}
";

/// What each program gets of it.
const GIVEN: &str = "
const outside = @import(\"outside.zig\");
fn k() bool { return outside.answer(2) == 1; }
fn tick() bool { return outside.tick(); }
fn way() !void { if (outside.answer(3) == 1) return error.Way; }
fn other() void { outside.say(\"other\"); }
fn mark() void { outside.marked = true; outside.say(\"mark\"); }
fn marked() bool { return outside.marked; }
fn run(function: *const fn (*Q) void, x: *Q) void { if (outside.answer(2) == 1) function(x); }
fn failed(e: anyerror) void { outside.say(@errorName(e)); }
fn end(a: bool, b: bool, c: bool, d: bool, n: i32) void { outside.bools(&.{ a, b, c, d, n == 0, n < 3 }); }
// The interpreter asks for what is undefined.
fn nothing() *Q { _ = outside.answer(7); return undefined; }
pub fn begin() void {
    _ = outside.answer(7);
    start();
}
";

struct Program {
    number: u64,
    text: String,
}

/// Compares `count` programs; gives how many runs were compared, and those that differ.
pub(crate) fn compare(zig: &Path, seed: u64, count: usize) -> std::io::Result<(usize, Vec<String>)> {
    let folder = std::env::temp_dir().join(format!("factgate-zig-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let numbers: Vec<u64> = (0..count as u64).map(|at| seed.wrapping_add(at)).collect();
    let (mut runs, mut differing) = (0, Vec::new());
    for batch in numbers.chunks(BATCH) {
        let programs: Vec<Program> = batch.iter().map(|&number| program(number)).collect();
        let said = compiled(zig, &folder, &programs)?;
        for program in &programs {
            for run in 0..RUNS {
                let interpreted = interpreted(&program.text, run_seed(program.number, run));
                let key = format!("# {} {run}", program.number);
                let expected = said.split(&format!("{key}\n")).nth(1).and_then(|rest| rest.split("# ").next());
                runs += 1;
                if expected != Some(&interpreted) {
                    differing
                        .push(format!("{key}\n{}\ncompiled {expected:?}\ninterpreted {interpreted:?}", program.text));
                }
            }
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok((runs, differing))
}

fn run_seed(number: u64, run: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9).wrapping_add(run * 7919) & 0xFFFF_FFFF
}

fn program(number: u64) -> Program {
    let mut dice = Dice(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let drawn = drawn(&mut dice, For::Compiling);
    let asked: Vec<&str> = ZIG.iter().map(|(.., asked)| *asked).collect();
    let asked = format!("go({})", asked.join(", ")).replace("$S", drawn.subject);
    let tail = drawn.tail.replace("catch {};", "catch |e| failed(e);\n    end(m.ok, m.st == .a, m.in.ok, p.ok, m.n);");
    Program { number, text: format!("{}{tail}", drawn.source.replace("go()", &asked)) }
}

/// What the compiled programs say.
fn compiled(zig: &Path, folder: &Path, programs: &[Program]) -> std::io::Result<String> {
    std::fs::write(folder.join("outside.zig"), OUTSIDE)?;
    let parameters: Vec<String> = (0..ZIG.len()).map(|at| format!("a{at}: bool")).collect();
    let arguments: Vec<String> = (0..ZIG.len()).map(|at| format!("a{at}")).collect();
    let go = format!("fn go({}) void {{ outside.bools(&.{{ {} }}); }}\n", parameters.join(", "), arguments.join(", "));
    let mut main =
        "const std = @import(\"std\");\nconst outside = @import(\"outside.zig\");\npub fn main() void {\n".to_owned();
    for program in programs {
        let number = program.number;
        std::fs::write(
            folder.join(format!("p{number}.zig")),
            format!("{}{GIVEN}{go}", program.text.replace(".next = undefined", ".next = nothing()")),
        )?;
        for run in 0..RUNS {
            let _ = writeln!(main, "    outside.start({});", run_seed(number, run));
            let _ = writeln!(main, "    outside.say(\"# {number} {run}\");");
            let _ = writeln!(main, "    @import(\"p{number}.zig\").begin();");
        }
    }
    main.push_str("}\n");
    std::fs::write(folder.join("main.zig"), main)?;
    let cache = folder.join("cache");
    let out = Command::new(zig)
        .args(["build-exe", "main.zig", "-fno-llvm", "-femit-bin=main", "--cache-dir"])
        .arg(&cache)
        .current_dir(folder)
        .output()?;
    if !out.status.success() {
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        return Err(std::io::Error::other(text.chars().take(4_000).collect::<String>()));
    }
    let out = Command::new(folder.join("main")).output()?;
    Ok(String::from_utf8_lossy(&out.stderr).into_owned())
}

/// What the interpreter says.
fn interpreted(text: &str, seed: u64) -> String {
    let language = language_for_path("a.zig").expect("a language");
    let source = Source::parse(language, text.as_bytes(), &Limits::default()).expect("a program");
    let lowered = language.rules().lower(&source.normal(&source.file_item()));
    factgate_ir::check::assert_sound(&lowered.unit);
    let mut machine = Machine::new(&lowered.unit, Tape::random(seed), Steps { steps: 100_000, depth: 60 });
    machine.global("turns", Val::Number(0.0));
    machine.global("was marked", Val::Bool(false));
    natives(&mut machine);
    let mut said = String::new();
    let ended = machine.run_top();
    for event in &machine.events {
        if let Event::Note(note) = event {
            let _ = writeln!(said, "{note}");
        }
    }
    if let Err(Halt::Stop(stop)) = ended {
        let _ = writeln!(said, "{stop:?}");
    }
    said
}

fn natives(machine: &mut Machine<'_>) {
    machine.global_function("k", |machine, _| Ok(Val::Bool(machine.tape.answer(2) == 1)));
    machine.global_function("tick", |machine, _| {
        let turns = match machine.global_value("turns") {
            Some(Val::Number(turns)) => turns + 1.0,
            _ => 0.0,
        };
        machine.global("turns", Val::Number(turns));
        Ok(Val::Bool(turns < f64::from(TURNS)))
    });
    machine.global_function("way", |machine, _| {
        Ok(if machine.tape.answer(3) == 1 { Val::Error("Way".into()) } else { Val::Undefined })
    });
    machine.global_function("other", |machine, _| say(machine, "other"));
    machine.global_function("mark", |machine, _| {
        machine.global("was marked", Val::Bool(true));
        say(machine, "mark")
    });
    machine.global_function("marked", |machine, _| Ok(machine.global_value("was marked").unwrap_or(Val::Undefined)));
    machine.global_function("run", |machine, invoked| {
        if machine.tape.answer(2) == 1 {
            machine.call(&invoked.arg(0), Val::Undefined, &[invoked.arg(1)])?;
        }
        Ok(Val::Undefined)
    });
    machine.global_function("failed", |machine, invoked| match invoked.arg(0) {
        Val::Error(name) => say(machine, name.as_str()),
        other => say(machine, &format!("{other:?}")),
    });
    machine.global_function("go", |machine, invoked| bools(machine, invoked, &[]));
    machine.global_function("end", |machine, invoked| {
        let number = if let Val::Number(number) = invoked.arg(4) { number } else { f64::NAN };
        bools(machine, invoked, &[number == 0.0, number < 3.0])
    });
}

fn say(machine: &mut Machine<'_>, text: &str) -> Run<Val> {
    machine.tell(Event::Note(text.to_owned()));
    Ok(Val::Undefined)
}

fn bools(machine: &mut Machine<'_>, invoked: &Invoked<'_>, more: &[bool]) -> Run<Val> {
    let shown = |value: &Val| match value {
        Val::Bool(true) => "1".to_owned(),
        Val::Bool(false) => "0".to_owned(),
        Val::Number(_) => String::new(),
        other => format!("{other:?}"),
    };
    let mut text: String = invoked.args.iter().map(shown).collect();
    more.iter().for_each(|&one| text.push(if one { '1' } else { '0' }));
    say(machine, &text)
}
