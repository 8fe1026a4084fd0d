//! The options for a picture of a whole drawing.

use kurbo::{Rect, Size, TranslateScale, Vec2};

use super::background::Background;
use super::emphasis::Emphasis;
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

/// The options for a picture of a drawing. By default, it is the whole drawing alone, at 100 %, on
/// a checker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RenderOptions {
    /// The size of the picture.
    pub size: PictureSize,
    /// The part of the drawing to draw, in scene space. `None` for the whole drawing. With
    /// [`PictureSize::Zoom`], its edges are rounded outward to whole pixels.
    pub crop: Option<Rect>,
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
    /// The picture of a drawing of size `scene`. Each side may have `max_side` pixels.
    pub(crate) fn frame(&self, scene: Size, max_side: u32) -> Result<Frame, RenderError> {
        let part = self.crop.unwrap_or(scene.to_rect());
        let (zoom, origin, width) = match self.size {
            PictureSize::Width(width) => {
                let zoom = f64::from(width) / part.width();
                (zoom, part.origin().to_vec2() * zoom, f64::from(width))
            }
            PictureSize::Zoom(zoom) => {
                let zoom = check_positive("zoom", zoom)?;
                let origin = (part.origin().to_vec2() * zoom + Vec2::new(EXCESS, EXCESS)).floor();
                (zoom, origin, whole(part.x1 * zoom - origin.x))
            }
        };
        Ok(Frame {
            size: check_size(width, whole(part.y1 * zoom - origin.y), max_side)?,
            view: TranslateScale::new(-origin, zoom),
            scale_factor: 1.0,
            background: self.background,
            surround: None,
            n_painted: None,
            overlay: self.overlay,
            boxes: self.boxes,
            emphasis: Emphasis::default(),
            antialiasing: vello::AaConfig::Area,
            legend: self.legend == Legend::Inside,
        })
    }
}

/// A position or a length may exceed a whole number by this part of it, at most of 1000 pixels,
/// without another pixel: so small an excess is the rounding error of the zoom.
const EXCESS: f64 = 1e-6;

/// The number of pixels for a length, rounded up and at least 1.
fn whole(length: f64) -> f64 {
    (length - EXCESS * length.min(1000.0)).ceil().max(1.0)
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
    fn a_part_of_a_drawing_is_rounded_outward_to_whole_pixels() {
        let crop = Some(Rect::new(10.25, -3.0, 20.5, 7.0));
        let frame = |size| {
            let options = RenderOptions { size, crop, ..RenderOptions::default() };
            let frame = options.frame(Size::new(100.0, 50.0), 8192).expect("the size is within the limits");
            (frame.size, frame.view.translation, frame.view.scale)
        };
        assert_eq!(frame(PictureSize::Zoom(1.0)), ([11, 10], Vec2::new(-10.0, 3.0), 1.0));
        assert_eq!(frame(PictureSize::Zoom(2.0)), ([21, 20], Vec2::new(-20.0, 6.0), 2.0));
        assert_eq!(frame(PictureSize::Width(41)), ([41, 40], Vec2::new(-41.0, 12.0), 4.0));
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
