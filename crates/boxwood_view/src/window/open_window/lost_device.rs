//! Another device instead of one that is lost.

use super::OpenWindow;
use crate::window::error::ViewError;

impl OpenWindow {
    /// Presents on another device. Everything on the last one is lost with it.
    pub(super) fn reopen_screen(&mut self, reason: String) -> Result<(), ViewError> {
        self.notify_lost_device(&reason);
        self.screen.reopen(reason)?;
        self.gui.lose_textures();
        self.data_views.lose_picture();
        self.comparer.lose_pictures();
        self.requested = None;
        if let Some(model) = self.model.clone() {
            self.preview(model);
        }
        self.window.request_redraw();
        Ok(())
    }

    /// Loses the device, if the window has presented often enough for a test of its loss.
    pub(super) fn lose_device(&mut self) {
        if let Some(left) = self.n_until_loss.as_mut().filter(|left| **left > 0) {
            *left -= 1;
            if *left == 0 {
                self.screen.gpu().device.destroy();
            }
        }
    }

    pub(super) fn notify_lost_device(&mut self, reason: &str) {
        self.state.notify(format!("The graphics device was lost, and another one is used: {reason}"));
    }
}
