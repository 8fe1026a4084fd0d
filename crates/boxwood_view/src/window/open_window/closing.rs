//! Closing a window, which waits for its exports.

use std::io::Write as _;

use super::{Closed, OpenWindow};
use crate::window::error::ViewError;
use crate::window::thread::Report;

impl OpenWindow {
    /// Hides the window and cancels the current picture. Exports continue.
    pub(crate) fn close(&mut self) {
        self.failed_exports.get_or_insert_default();
        // Wayland has no hidden windows, so the title says why this one is still there.
        self.window.set_title(&format!("{} — exporting, close again to stop", self.state.file_name()));
        self.window.set_visible(false);
        self.painting.cancel_picture();
        let n_exports = self.exports.n_unfinished();
        if n_exports > 0 {
            let exports = if n_exports == 1 { "export" } else { "exports" };
            // Without a terminal, nobody can read it.
            let _ = writeln!(std::io::stderr(), "waiting for {n_exports} {exports}");
        }
    }

    /// Whether the user has closed the window.
    pub(super) fn is_closing(&self) -> bool {
        self.failed_exports.is_some()
    }

    /// Whether the window is closed, and its exports have ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.is_closing() && self.exports.n_unfinished() == 0
    }

    /// Ends the window. Returns why exports have failed that the window has shown no message about.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.window.set_visible(false);
        self.exports.join();
        let mut failed = self.failed_exports.take().unwrap_or_default();
        failed.extend(self.exports.failures());
        failed
    }

    /// Stops waiting for exports, and for the painter, which may draw one.
    pub(crate) fn abandon_exports(&mut self) {
        self.exports.abandon();
        self.painting.abandon();
    }

    /// Handles a report of another thread while the exports go on.
    pub(super) fn receive_at_close(&mut self, report: Report) -> Result<(), Closed> {
        match report {
            Report::Exported => self.report_exports(),
            Report::Painter(done) => self.end_job(done)?,
            Report::Failed(error) => return Err(error.into()),
            _ => {}
        }
        Ok(())
    }
}

/// How a window ends, with the reasons why exports have failed.
pub(crate) fn with_failed_exports(
    ended: Result<(), ViewError>,
    failed_exports: &[String],
) -> Result<(), ViewError> {
    let exports = failed_exports.join("\n");
    match ended {
        ended if exports.is_empty() => ended,
        Ok(()) => Err(ViewError::Export(exports)),
        Err(error) => Err(ViewError::WithExports { error: Box::new(error), exports }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_exports_are_an_error_and_follow_another_one() {
        let text = |ended, failed: &[&str]| {
            let failed: Vec<String> = failed.iter().map(|reason| (*reason).to_owned()).collect();
            with_failed_exports(ended, &failed).err().map(|error| error.to_string())
        };
        let lost = || Err(ViewError::Thread(std::io::Error::other("too many")));
        assert_eq!(text(Ok(()), &[]), None);
        assert_eq!(text(Ok(()), &["no a.png", "no b.png"]).as_deref(), Some("no a.png\nno b.png"));
        assert_eq!(text(lost(), &[]).as_deref(), Some("cannot start a thread"));
        let both = text(lost(), &["no a.png"]);
        assert_eq!(both.as_deref(), Some("cannot start a thread: too many\nno a.png"));
    }
}
