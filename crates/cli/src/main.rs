//! The `factgate` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    factgate::app::run(std::env::args_os().collect()).into()
}
