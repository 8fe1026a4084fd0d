//! How a run went, and the exit code that says so.

use std::process::ExitCode;

/// How a run went. The worst of what happened counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All that was asked for was done.
    Success,
    /// The question was answered, and the answer is no.
    Negative,
    /// Something could not be done.
    Error,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Negative => Self::from(1),
            Outcome::Error => Self::from(2),
        }
    }
}
