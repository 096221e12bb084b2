//! Writing to stdout and stderr: colours only where they are wanted, and no complaint when the reader is gone.

use crate::args::Color;
use std::io::{ErrorKind, Write};

/// What a command wants printed.
#[derive(Debug, Default)]
pub struct Printed {
    /// Verdicts and data.
    pub stdout: String,
    /// Errors and warnings.
    pub stderr: String,
}

/// Whether both streams took everything, or nobody listens any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing went wrong.
    Fine,
    /// A full disk, a closed descriptor.
    Failed,
}

/// Sets the colours of both streams.
pub fn choose(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Writes stderr first, so that a closed stdout hides no error.
pub fn write(printed: &Printed) -> Written {
    let stderr = put(&mut anstream::stderr().lock(), &printed.stderr);
    let stdout = put(&mut anstream::stdout().lock(), &printed.stdout);
    if stdout == Written::Failed || stderr == Written::Failed { Written::Failed } else { Written::Fine }
}

fn put(out: &mut impl Write, text: &str) -> Written {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Written::Failed,
        _ => Written::Fine,
    }
}
