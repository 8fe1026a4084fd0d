//! What a picture shows.

use crate::background::Background;
use crate::kinds::OverlayKinds;
use crate::panel::Message;
use crate::source::OverlaySource;
use crate::view_transform::ViewTransform;

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The size of the picture, in device pixels. No side is 0.
    pub size: [u32; 2],
    /// Where the scene lies in it.
    pub view: ViewTransform,
    /// Device pixels a pixel of the desktop: the scale of the panels and of the checker.
    pub scale_factor: f64,
    /// What lies behind the drawing.
    pub background: Background,
    /// The colour beyond the document's viewport, red, green and blue. Without it the background goes on.
    pub surround: Option<[u8; 3]>,
    /// The kinds of box that are shown.
    pub overlay: OverlayKinds,
    /// Whose boxes these are.
    pub boxes: OverlaySource,
    /// Whether a legend of these kinds is shown, where there is room for it.
    pub legend: bool,
    /// A message that is shown.
    pub message: Option<Message>,
}

/// A number of pixels, which no device has more of than `i32` counts.
pub(crate) fn signed(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}
