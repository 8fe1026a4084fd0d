//! Ctrl-C while Rust works.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use boxwood_svg::CancelToken;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two checks of whether the user has pressed Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits for a result while other threads of Python go on.
///
/// # Errors
///
/// The user has pressed Ctrl-C, or the sender was dropped.
pub(crate) fn receive<T: Send>(py: Python<'_>, mut result: Receiver<T>) -> PyResult<T> {
    loop {
        let received;
        (received, result) = py.detach(move || (result.recv_timeout(SIGNAL_INTERVAL), result));
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of boxwood crashed, which is a bug"));
            }
        }
    }
}

/// Does work in another thread. Sets `cancel` when the user has pressed Ctrl-C, and does not wait for
/// the end of the work then: a file that blocks, such as a pipe, cannot be cancelled.
///
/// # Errors
///
/// The user has pressed Ctrl-C, or the work has crashed.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    cancel: &CancelToken,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, result) = mpsc::channel();
    // The receiver is gone after Ctrl-C.
    thread::Builder::new().spawn(move || drop(sender.send(work())))?;
    receive(py, result).inspect_err(|_| cancel.set(true))
}
