//! Threads that load and draw, and their reports to the event loop.

use std::panic::{self, AssertUnwindSafe};
use std::thread::{Builder, JoinHandle};

use boxwood_svg::{Drawing, Error};
use kurbo::Size;

use super::error::ViewError;
use crate::error::RenderError;

/// A report of another thread.
#[derive(Debug)]
pub(crate) enum Report {
    /// The current file has changed.
    FileChanged,
    /// The drawing with this ticket is loaded.
    Loaded(u64, Result<Box<Drawing>, Error>),
    /// The painter has compiled its shaders, or removed its drawing.
    Prepared,
    /// The painter has the drawing with this ticket, and has computed the boxes of its scene.
    DrawingSet(u64, Result<DrawingInfo, RenderError>),
    /// The painter has drawn a picture.
    Painted(Result<wgpu::Texture, RenderError>),
    /// The thread has ended with an error.
    Failed(ViewError),
}

/// The properties of a drawing that the window needs.
#[derive(Debug)]
pub(crate) struct DrawingInfo {
    pub(crate) size: Size,
    /// The warnings about the picture and the boxes, one per line.
    pub(crate) warnings: Option<String>,
}

/// Starts a thread that does `work`, and calls `report` there if that panics.
pub(crate) fn spawn(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
    report: impl FnOnce(Report) + Send + 'static,
) -> Result<JoinHandle<()>, ViewError> {
    let work = move || {
        // Nothing that `work` owns is used after a panic.
        if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
            report(Report::Failed(ViewError::Panicked(name)));
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
        let (sender, reports) = mpsc::channel();
        let report = move |report| sender.send(report).expect("the test waits");
        spawn("panics", || panic!("as it should"), report).expect("a thread can start");
        let Report::Failed(error) = reports.recv().expect("the thread reports") else {
            panic!("the report is not an error");
        };
        assert_eq!(error.to_string(), "the thread panics has panicked");
    }
}
