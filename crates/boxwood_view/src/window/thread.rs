//! Threads that report their panics.

use std::panic::{self, AssertUnwindSafe};
use std::thread::{Builder, JoinHandle};

use super::error::ViewError;

/// Starts a thread that does `work`, and calls `report` there if that panics.
pub(crate) fn spawn(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
    report: impl FnOnce(ViewError) + Send + 'static,
) -> Result<JoinHandle<()>, ViewError> {
    let work = move || {
        // Nothing that `work` owns is used after a panic.
        if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
            report(ViewError::Panicked(name));
        }
    };
    Builder::new().name(name.to_owned()).spawn(work).map_err(ViewError::Thread)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_thread_that_panics_reports_an_error() {
        let (sender, errors) = mpsc::channel();
        let report = move |error| sender.send(error).expect("the test waits");
        spawn("panics", || panic!("as it should"), report).expect("a thread can start");
        let error = errors.recv().expect("the thread reports").to_string();
        assert_eq!(error, "the thread panics has panicked");
    }
}
