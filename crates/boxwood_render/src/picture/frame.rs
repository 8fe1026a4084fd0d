//! The description of one picture for a painter.

use kurbo::TranslateScale;

use super::background::Background;
use super::emphasis::Emphasis;
use super::limits::{check_positive, check_size};
use crate::error::RenderError;
use crate::overlay::{OverlayKinds, OverlaySource};

/// The description of a picture: the view of the drawing, and everything around and over it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The size of the picture in device pixels. Neither side may be 0.
    pub size: [u32; 2],
    /// The position of the drawing in the picture: the map from scene space to device space.
    ///
    /// Scene space is the drawing at 100 %, in CSS pixels. Device space is the picture, in device
    /// pixels. In both, x points right and y points down. The scale is positive and finite.
    pub view: TranslateScale,
    /// Device pixels per logical pixel of the desktop, which scales the legend and the checker.
    /// Positive and finite.
    pub scale_factor: f64,
    /// The background of the drawing.
    pub background: Background,
    /// The colour outside the document's viewport: red, green, and blue, in sRGB. With `None`, the
    /// background covers the whole picture.
    pub surround: Option<[u8; 3]>,
    /// The number of elements of the scene that are painted, in the order of painting. `None` for
    /// all. The groups and clips that they leave open end there.
    pub n_painted: Option<usize>,
    /// The kinds of box that are shown.
    pub overlay: OverlayKinds,
    /// The source of these boxes.
    pub boxes: OverlaySource,
    /// The dimming of the drawing, the opacity of the lines, and the elements whose boxes are
    /// shown.
    pub emphasis: Emphasis,
    /// The method of antialiasing. Another one than before takes the time to compile its shaders.
    pub antialiasing: vello::AaConfig,
    /// Whether a legend of the kinds is shown. A picture that is too small has no legend.
    pub legend: bool,
}

/// Compares all fields.
impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        let key = |frame: &Self| {
            let Self { size, view, scale_factor, background, surround, n_painted, .. } = *frame;
            let Self { overlay, boxes, legend, .. } = *frame;
            let view = (view.scale, view.translation);
            ((size, view, scale_factor), (background, surround, n_painted), (overlay, boxes, legend))
        };
        self.antialiasing == other.antialiasing && key(self) == key(other) && self.emphasis == other.emphasis
    }
}

impl Frame {
    /// Refuses a picture without pixels, with more than `max_side` pixels on a side, with too many
    /// pixels, or without a scale.
    pub(crate) fn check(&self, max_side: u32) -> Result<(), RenderError> {
        let [width, height] = self.size.map(f64::from);
        check_size(width, height, max_side)?;
        check_positive("scale of the view", self.view.scale)?;
        check_positive("scale factor", self.scale_factor)?;
        Ok(())
    }
}
