//! The threads that write exports, and the ends of these exports.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::export::Target;
use crate::window::error::ViewError;
use crate::window::thread::{Report, spawn};

/// The end of an export.
pub(super) struct Exported {
    pub(super) target: Target,
    /// The path of the file, or the reason why it is not written.
    pub(super) written: Result<PathBuf, String>,
}

/// The exports of a window.
pub(super) struct Exports {
    threads: Vec<JoinHandle<()>>,
    sender: Sender<Exported>,
    receiver: Receiver<Exported>,
    /// The number of exports whose ends have not been taken.
    n_unfinished: usize,
}

impl Default for Exports {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { threads: Vec::new(), sender, receiver, n_unfinished: 0 }
    }
}

impl Exports {
    /// Counts an export, which a thread may write later.
    pub(super) fn begin(&mut self) {
        self.n_unfinished += 1;
    }

    /// Ends an export that no thread writes.
    pub(super) fn fail(&mut self) {
        self.n_unfinished -= 1;
    }

    /// The number of exports whose ends have not been taken.
    pub(super) fn n_unfinished(&self) -> usize {
        self.n_unfinished
    }

    /// Starts a thread that writes an export. It reports [`Report::Exported`] at its end.
    pub(super) fn write(
        &mut self,
        target: Target,
        report: impl Fn(Report) + Send + 'static,
        write: impl FnOnce() -> Result<PathBuf, String> + Send + 'static,
    ) -> Result<(), ViewError> {
        self.threads.retain(|thread| !thread.is_finished());
        let sender = self.sender.clone();
        self.threads.push(spawn("boxwood_export", report, move |report| {
            // The window is gone if it does not wait for its exports.
            let _ = sender.send(Exported { target, written: write() });
            report(Report::Exported);
        })?);
        Ok(())
    }

    /// Takes the end of an export that a thread has written.
    pub(super) fn take(&mut self) -> Option<Exported> {
        let exported = self.receiver.try_recv().ok()?;
        self.n_unfinished -= 1;
        Some(exported)
    }

    /// Waits until the exports that are being written have ended.
    pub(super) fn join(&mut self) {
        // A panic has been reported.
        self.threads.drain(..).for_each(|thread| _ = thread.join());
    }

    /// Stops waiting for the exports that are being written.
    pub(super) fn abandon(&mut self) {
        self.threads.clear();
    }

    /// The reasons why exports have failed whose ends have not been taken.
    pub(super) fn failures(&mut self) -> Vec<String> {
        let mut failures = Vec::new();
        while let Some(exported) = self.take() {
            failures.extend(exported.written.err());
        }
        match self.n_unfinished {
            0 => {}
            1 => failures.push("1 export was not written before the window ended".to_owned()),
            n => failures.push(format!("{n} exports were not written before the window ended")),
        }
        failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_that_nobody_has_taken_are_known_after_the_threads_have_ended() {
        let mut exports = Exports::default();
        for (name, reason) in [("a.png", None), ("b.png", Some("the disk is full"))] {
            exports.begin();
            let written = reason.map_or(Ok(name.into()), |reason| Err(reason.to_owned()));
            exports.write(Target::New, |_| {}, move || written).expect("a thread can start");
        }
        exports.begin();
        exports.join();
        let not_drawn = "1 export was not written before the window ended";
        assert_eq!(exports.failures(), ["the disk is full", not_drawn]);
        exports.fail();
        assert_eq!(exports.failures(), [""; 0], "each failure is taken once");
    }

    #[test]
    fn an_export_that_hangs_is_abandoned() {
        let mut exports = Exports::default();
        let (_hangs, forever) = channel::<()>();
        exports.begin();
        let hang = move || forever.recv().map(|()| PathBuf::new()).map_err(|error| error.to_string());
        exports.write(Target::New, |_| {}, hang).expect("a thread can start");
        exports.abandon();
        exports.join();
        assert_eq!(exports.failures(), ["1 export was not written before the window ended"]);
    }
}
