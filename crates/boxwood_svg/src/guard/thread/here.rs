//! WebAssembly has no threads, and its stack has one size.

use super::{caught, program};
use crate::error::{Error, Work};
use crate::guard::deadline::{CancelToken, Deadline};

/// Runs `work` in the calling thread. The deadline ends it only where `work` looks at it.
///
/// # Errors
///
/// [`Error::TimeLimit`] if the deadline has passed. A panic ends the instance of the module, unless
/// it unwinds.
pub(crate) fn run<T>(
    kind: Work,
    deadline: &Deadline,
    work: impl FnOnce(&CancelToken) -> T,
) -> Result<T, Error> {
    let panicked = |message| Error::Panicked { program: program(kind), part: "the drawing", message };
    let result = caught(|| work(&CancelToken::default())).map_err(panicked)?;
    deadline.check(kind)?;
    Ok(result)
}
