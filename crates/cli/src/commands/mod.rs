//! The commands, one file each. A command takes its arguments and gives what is to be printed and how it ends.

pub mod actions;
pub mod check;
pub mod covers;
pub mod diff;
pub mod documents;
pub mod explain;
pub mod facts;
pub mod hook;
pub mod items;
pub mod matching;
pub mod mv;
pub mod prove;
pub mod steps;
pub mod sync;
pub mod trace;
pub mod verify;

use crate::exit::Exit;
use crate::finding::Finding;
use crate::output::diagnostics;
use crate::output::stream::Printed;
use crate::report::Report;

/// What a command printed, and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// Both streams.
    pub printed: Printed,
    /// The exit code.
    pub exit: Exit,
}

impl Ended {
    /// A report with its rendered stdout: errors and warnings go to stderr.
    pub fn of(report: &Report, stdout: String) -> Ended {
        let stderr = diagnostics::render(&report.all_errors(), &report.all_warnings());
        Ended { printed: Printed { stdout, stderr }, exit: report.exit() }
    }

    /// Nothing but text on stdout.
    pub fn text(stdout: String) -> Ended {
        Ended { printed: Printed { stdout, stderr: String::new() }, exit: Exit::Fine }
    }

    /// Nothing but errors.
    pub fn errors(errors: &[Finding]) -> Ended {
        let stderr = diagnostics::render(errors, &[]);
        Ended { printed: Printed { stdout: String::new(), stderr }, exit: Exit::Undecided }
    }
}
