//! How the program ends. The numbers are part of the interface; `docs/formats.md` lists them.

use std::process::ExitCode;

/// The end of one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; of a drain: nothing is left.
    Done,
    /// Disk, network or key failed.
    Surroundings,
    /// Wrong usage, or the input is not one JSON object within the limits.
    Usage,
    /// Done, but the station is degraded; of a drain: something is left.
    Degraded,
    /// Something that is stored does not hold.
    Integrity,
    /// Another process writes here.
    InUse,
    /// Understood and refused.
    Refused,
}

impl Exit {
    /// The number.
    pub(crate) fn number(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Surroundings => 1,
            Exit::Usage => 2,
            Exit::Degraded => 3,
            Exit::Integrity => 4,
            Exit::InUse => 5,
            Exit::Refused => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.number())
    }
}
