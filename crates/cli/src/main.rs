//! The `factgate` program: arguments in, exit code out.

use std::process::ExitCode;

/// Trees and states are many small allocations, made on several threads and dropped together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack of a working thread, in bytes. Parsers call themselves for what nests; with this much, hardly any file needs
/// a larger stack made for it. What is not used costs no memory.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    // A machine that refuses such stacks works with the usual ones.
    drop(rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global());
    factgate::app::run(std::env::args_os().collect()).into()
}
