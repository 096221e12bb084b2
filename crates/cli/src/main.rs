//! The `factgate` program: arguments in, exit code out.

use std::process::ExitCode;

/// Trees and states are many small allocations, made on several threads and dropped together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    factgate::app::run(std::env::args_os().collect()).into()
}
