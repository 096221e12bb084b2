//! From arguments to an exit code. Everything is found first, and printed here, once.

use crate::args::{Arguments, Command};
use crate::commands::{self, Ended};
use crate::complete;
use crate::exit::Exit;
use crate::finding::{Code, Finding};
use crate::output::json;
use crate::output::stream::{self, Printed, Written};
use crate::pipeline::session::Start;
use crate::report::Report;
use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;
use std::ffi::OsString;

/// Runs the program with these arguments.
pub fn run(arguments: Vec<OsString>) -> Exit {
    let asked = CompleteEnv::with_factory(Arguments::command).var(complete::VARIABLE);
    match asked.try_complete(&arguments, std::env::current_dir().ok().as_deref()) {
        Ok(false) => {}
        Ok(true) => return Exit::Fine,
        Err(_) => return Exit::Undecided,
    }
    let (printed, exit) = match Arguments::try_parse_from(&arguments) {
        Ok(parsed) => {
            stream::choose(parsed.color);
            let ended = command(&parsed);
            (ended.printed, ended.exit)
        }
        Err(error) => usage(&arguments, &error),
    };
    match stream::write(&printed) {
        Written::Fine => exit,
        Written::Failed => exit.max(Exit::Undecided),
    }
}

fn command(arguments: &Arguments) -> Ended {
    let start = Start::new(arguments.directory.as_deref());
    match &arguments.command {
        Command::Check(arguments) => commands::check::run(&start, arguments),
        Command::Facts(arguments) => commands::facts::run(&start, arguments),
        Command::Prove(arguments) => commands::prove::run(&start, arguments),
        Command::Diff(arguments) => commands::diff::run(&start, arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Covers(arguments) => commands::covers::run(&start, arguments),
        Command::Match(arguments) => commands::matching::run(&start, arguments),
        Command::Mv(arguments) => commands::mv::run(&start, arguments),
        Command::Sync(arguments) => commands::sync::run(&start, arguments),
        Command::Verify(arguments) => commands::verify::run(&start, arguments),
        Command::Trace(arguments) => commands::trace::run(&start, arguments),
        Command::Actions(arguments) => commands::actions::run(&start, arguments),
        Command::Items(arguments) => commands::items::run(&start, arguments),
        Command::Schema(arguments) => commands::documents::schema(arguments),
        Command::Completions(arguments) => commands::documents::completions(arguments),
        Command::Man(arguments) => commands::documents::man(arguments),
        Command::Hook(arguments) => commands::hook::run(&start, arguments),
    }
}

/// Help goes to stdout with exit 0; anything else is a usage error, as JSON where JSON was asked for.
fn usage(arguments: &[OsString], error: &clap::Error) -> (Printed, Exit) {
    let text = error.render().ansi().to_string();
    if !error.use_stderr() {
        return (Printed { stdout: text, stderr: String::new() }, Exit::Fine);
    }
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let asks_json = words.contains(&"--format=json") || words.windows(2).any(|pair| pair == ["--format", "json"]);
    let stdout = if asks_json {
        let message = error.render().to_string();
        let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let report = Report::of_errors("worktree", vec![Finding::new(Code::Usage, first)]);
        json::render(&report, json::Keys::Verdict)
    } else {
        String::new()
    };
    (Printed { stdout, stderr: text }, Exit::Undecided)
}
