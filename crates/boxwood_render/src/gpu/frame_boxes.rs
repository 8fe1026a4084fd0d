//! The boxes that the renderer has drawn a picture with.

use boxwood_cpu::Aabb;
use kurbo::TranslateScale;

/// The boxes of a picture, read back from the renderer.
#[derive(Clone, Debug)]
pub struct FrameBoxes {
    /// The clipped box of each element, in device pixels.
    pub clipped_boxes: Vec<Aabb>,
    /// The map from scene space to device space of the picture.
    pub view: TranslateScale,
}
