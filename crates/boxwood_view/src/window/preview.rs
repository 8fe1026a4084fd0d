//! The preview of the current drawing, drawn in another thread until the first picture is there.

use std::sync::Arc;

use boxwood_render::{Background, Preview, RenderError};
use boxwood_svg::{CancelToken, Deadline, Error};
use winit::event_loop::EventLoopProxy;

use super::error::ViewError;
use super::thread::{Painted, Report, reporter, spawn};
use crate::model::Model;

/// The maximum width and height of a preview in pixels. resvg draws a quarter of a megapixel within
/// 200 ms unless a drawing has costly filters.
const SIDE: u32 = 512;

/// Draws one preview at a time.
pub(crate) struct Previewer {
    proxy: EventLoopProxy<Report>,
    cancel: CancelToken,
}

impl Previewer {
    pub(crate) fn new(proxy: EventLoopProxy<Report>) -> Self {
        Self { proxy, cancel: CancelToken::default() }
    }

    /// Starts drawing a preview of the drawing with this ticket, and cancels the last one. A
    /// drawing that resvg refuses has no preview.
    ///
    /// `scale` is the scale of the view, which a preview need not exceed.
    pub(crate) fn start(
        &mut self,
        ticket: u64,
        model: Arc<Model>,
        background: Background,
        scale: f64,
    ) -> Result<(), ViewError> {
        self.cancel();
        self.cancel = CancelToken::default();
        let deadline = Deadline::default().or_cancelled_by(self.cancel.clone());
        spawn("boxwood_preview", reporter(&self.proxy), move |report| {
            let preview = match Preview::draw(&model.drawing, background, SIDE, scale, &deadline) {
                Ok(Preview { image, device_from_scene }) => Some(Painted::new(&image, device_from_scene)),
                Err(RenderError::Drawing(Error::Cancelled(_))) => return,
                Err(_) => None,
            };
            report(Report::Previewed(ticket, preview));
        })?;
        Ok(())
    }

    /// Cancels the preview.
    pub(crate) fn cancel(&self) {
        self.cancel.set(true);
    }
}
