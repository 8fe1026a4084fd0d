//! The resources that a painter keeps from one picture to the next.

use boxwood::Staging;

use crate::overlay::OverlaySource;
use crate::picture::Frame;

/// A picture that can get another overlay without being drawn again.
pub(super) struct KeptPicture {
    pub(super) frame: Frame,
    pub(super) texture: wgpu::Texture,
    /// Whether the renderer has the boxes of the whole picture.
    pub(super) has_frame_boxes: bool,
}

impl KeptPicture {
    /// Whether the picture of a frame differs from this one only in its overlay, whose boxes are
    /// known.
    pub(super) fn serves(&self, frame: &Frame) -> bool {
        let Frame { overlay, boxes, ref emphasis, .. } = *frame;
        let with_overlay = Frame { overlay, boxes, emphasis: emphasis.clone(), ..self.frame.clone() };
        let is_same = with_overlay == *frame && self.frame.emphasis.dimming == emphasis.dimming;
        // The renderer draws the legend, which names the kinds.
        is_same && !frame.legend && (boxes == OverlaySource::Scene || self.has_frame_boxes)
    }
}

/// A buffer for reading boxes, which is kept from picture to picture.
pub(super) struct BoxStaging {
    /// The number of boxes that it has room for.
    pub(super) n_boxes: usize,
    pub(super) staging: Staging,
}
