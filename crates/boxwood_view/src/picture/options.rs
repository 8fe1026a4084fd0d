//! The options for a picture of a whole drawing.

use kurbo::{Size, TranslateScale};

use super::background::Background;
use super::frame::Frame;
use super::limits::{check_positive, check_size};
use crate::error::RenderError;
use crate::overlay::{OverlayKinds, OverlaySource};

/// The requested size of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureSize {
    /// The width in pixels. The height is proportional.
    Width(u32),
    /// Pixels per scene unit.
    Zoom(f64),
}

impl Default for PictureSize {
    /// The size of the drawing at 100 %.
    fn default() -> Self {
        Self::Zoom(1.0)
    }
}

/// The place of the legend of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Legend {
    /// There is no legend.
    #[default]
    None,
    /// At the bottom left, over the drawing. A picture that is too small has no legend.
    Inside,
    /// Below the picture, which becomes higher, and as wide as the legend. The limits on the size
    /// of a picture do not count the legend.
    Below,
}

/// The options for a picture of a whole drawing. By default, it is the drawing alone, at 100 %, on
/// a checker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RenderOptions {
    /// The size of the picture.
    pub size: PictureSize,
    /// The background of the drawing.
    pub background: Background,
    /// The kinds of box drawn over it.
    pub overlay: OverlayKinds,
    /// The source of these boxes.
    pub boxes: OverlaySource,
    /// The place of a legend of these kinds.
    pub legend: Legend,
}

impl RenderOptions {
    /// The picture of a whole drawing of size `scene`. Each side may have `max_side` pixels.
    pub(crate) fn frame(&self, scene: Size, max_side: u32) -> Result<Frame, RenderError> {
        let (zoom, width) = match self.size {
            PictureSize::Width(width) => (f64::from(width) / scene.width, f64::from(width)),
            PictureSize::Zoom(zoom) => (check_positive("zoom", zoom)?, whole(scene.width * zoom)),
        };
        Ok(Frame {
            size: check_size(width, whole(scene.height * zoom), max_side)?,
            view: TranslateScale::scale(zoom),
            scale_factor: 1.0,
            background: self.background,
            surround: None,
            overlay: self.overlay,
            boxes: self.boxes,
            legend: self.legend == Legend::Inside,
            message: None,
        })
    }
}

/// The number of pixels for a length, rounded up and at least 1.
///
/// A millionth of the length, at most a thousandth of a pixel, does not add a pixel: so small an
/// excess over a whole number is the rounding error of the zoom.
fn whole(length: f64) -> f64 {
    (length - 1e-6 * length.min(1000.0)).ceil().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(size: PictureSize, width: f64, height: f64, max_side: u32) -> Result<[u32; 2], String> {
        let options = RenderOptions { size, ..RenderOptions::default() };
        let frame = options.frame(Size::new(width, height), max_side);
        frame.map(|frame| frame.size).map_err(|error| error.to_string())
    }

    #[test]
    fn sizes_are_rounded_up_and_at_least_one_pixel() {
        let size = |size, w, h| pixels(size, w, h, 8192).expect("the size is within limits");
        assert_eq!(size(PictureSize::Zoom(1.0), 100.0, 50.5), [100, 51]);
        assert_eq!(size(PictureSize::Zoom(1.1), 10.0, 10.0), [11, 11], "1.1 * 10 is above 11 in f64");
        assert_eq!(size(PictureSize::Zoom(0.001), 10.0, 10.0), [1, 1]);
        assert_eq!(size(PictureSize::Width(300), 100.0, 50.0), [300, 150]);
        assert_eq!(size(PictureSize::Width(7), 70.0, 1.0), [7, 1]);
    }

    #[test]
    fn a_size_beyond_the_limits_is_refused_with_the_size_and_the_limit() {
        let refused = |size, w, h| pixels(size, w, h, 8192).expect_err("it is refused");
        let wide = refused(PictureSize::Zoom(1.0), 8193.0, 10.0);
        assert!(wide.contains("8193 x 10 pixels is outside the limits of 1 to 8192"), "{wide}");
        assert!(refused(PictureSize::Width(100), 1.0, 1e9).contains("1 to 8192"));
        assert!(refused(PictureSize::Zoom(1.0), 8192.0, 8193.0).contains("1 to 8192"));
        assert!(refused(PictureSize::Width(0), 10.0, 10.0).contains("0 x 1 pixels is outside"));
        assert!(pixels(PictureSize::Zoom(1.0), 8192.0, 8192.0, 8192).is_ok(), "64 Mi pixels are the limit");
        let area = pixels(PictureSize::Zoom(1.0), 8193.0, 8192.0, 16_384).expect_err("it is refused");
        assert!(area.contains("8193 x 8192 pixels is outside"), "{area}");
        assert!(area.contains("and 67108864 pixels in total"), "{area}");
        for zoom in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = refused(PictureSize::Zoom(zoom), 10.0, 10.0);
            assert_eq!(error, format!("the zoom is {zoom}, but it must be a positive number"));
        }
    }
}
