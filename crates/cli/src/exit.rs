//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended. 2 goes before 1, 1 before 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// In sync; every expectation met.
    #[default]
    Fine,
    /// Something is STALE.
    Drift,
    /// A run, or a proof, gave an unexpected result.
    Unexpected,
    /// Nothing could be decided.
    Undecided,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Unexpected => 1,
            Exit::Undecided => 2,
            Exit::Drift => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
