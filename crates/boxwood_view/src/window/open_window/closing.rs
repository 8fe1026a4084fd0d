//! Closing a window, which waits for its exports.

use super::{Closed, OpenWindow};
use crate::window::error::ViewError;
use crate::window::thread::Report;

impl OpenWindow {
    /// Hides the window, and stops everything except the exports.
    pub(crate) fn close(&mut self) {
        self.failed_exports.get_or_insert_default();
        self.window.set_visible(false);
        self.painting.cancel_picture();
    }

    /// Whether the user has closed the window.
    pub(super) fn is_closing(&self) -> bool {
        self.failed_exports.is_some()
    }

    /// How the window has ended. `None` while it is open, and while exports go on.
    pub(crate) fn ended(&self) -> Option<Result<(), ViewError>> {
        let failed = self.failed_exports.as_ref().filter(|_| self.n_exports == 0)?;
        Some(if failed.is_empty() { Ok(()) } else { Err(ViewError::Export(failed.join("\n"))) })
    }

    /// Handles a report of another thread while the exports go on.
    pub(super) fn receive_at_close(&mut self, report: Report) -> Result<(), Closed> {
        match report {
            Report::Exported(exported) => self.end_export(exported),
            Report::Painter(done) => self.end_job(done)?,
            Report::Failed(error) => return Err(error.into()),
            _ => {}
        }
        Ok(())
    }
}
