//! How a picture in a file is to look.

use std::time::Duration;

use kurbo::Size;

use crate::background::Background;
use crate::error::RenderError;
use crate::kinds::OverlayKinds;

/// How large a picture is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureSize {
    /// This many pixels wide, the height in proportion.
    Width(u32),
    /// This many pixels a scene unit.
    Zoom(f64),
}

/// How a picture is to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// How large the picture is.
    pub size: PictureSize,
    /// What lies behind the drawing.
    pub background: Background,
    /// The kinds of box drawn over it.
    pub overlay: OverlayKinds,
    /// Whether a legend of these kinds is drawn over the bottom left.
    pub legend: bool,
    /// How long the drawing itself may take on the CPU: patterns in patterns, say, can ask for more than any machine can draw.
    pub time_limit: Option<Duration>,
}

impl Default for RenderOptions {
    /// The drawing alone at 100 %, on a checker, within a minute.
    fn default() -> Self {
        Self {
            size: PictureSize::Zoom(1.0),
            background: Background::default(),
            overlay: OverlayKinds::NONE,
            legend: false,
            time_limit: Some(Duration::from_secs(60)),
        }
    }
}

/// The most pixels of a picture: 256 MiB.
const MAX_PIXELS: u64 = 64 << 20;

/// A picture's size in whole pixels, and pixels a scene unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) size: [u32; 2],
    pub(crate) zoom: f64,
}

impl PictureSize {
    /// The size of the picture of a scene, of at most `max_side` pixels a side.
    pub(crate) fn of(self, scene: Size, max_side: u32) -> Result<Extent, RenderError> {
        let (zoom, width) = match self {
            Self::Width(width) if width > 0 => (f64::from(width) / scene.width, f64::from(width)),
            Self::Zoom(zoom) if zoom.is_finite() && zoom > 0.0 => (zoom, whole(scene.width * zoom)),
            Self::Width(width) => return Err(RenderError::Size(format!("a width of {width}"))),
            Self::Zoom(zoom) => return Err(RenderError::Size(format!("a zoom of {zoom}"))),
        };
        let height = whole(scene.height * zoom);
        if width > f64::from(max_side) || height > f64::from(max_side) {
            return Err(RenderError::Side { width, height, limit: max_side });
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to max_side")]
        let size = [width as u32, height as u32];
        if u64::from(size[0]) * u64::from(size[1]) > MAX_PIXELS {
            return Err(RenderError::Area { width, height, limit: MAX_PIXELS });
        }
        Ok(Extent { size, zoom })
    }
}

/// The pixels that a length takes: the next whole number, unless only rounding lifts it above one.
fn whole(length: f64) -> f64 {
    (length - 1e-6 * length.min(1000.0)).ceil().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(size: PictureSize, width: f64, height: f64) -> Result<Extent, String> {
        size.of(Size::new(width, height), 8192).map_err(|e| e.to_string())
    }

    #[test]
    fn sizes_are_rounded_up_and_at_least_one_pixel() {
        let size = |size, w, h| extent(size, w, h).expect("the size is within limits").size;
        assert_eq!(size(PictureSize::Zoom(1.0), 100.0, 50.5), [100, 51]);
        assert_eq!(size(PictureSize::Zoom(1.1), 10.0, 10.0), [11, 11], "1.1 * 10 is above 11 in f64");
        assert_eq!(size(PictureSize::Zoom(0.001), 10.0, 10.0), [1, 1]);
        assert_eq!(size(PictureSize::Width(300), 100.0, 50.0), [300, 150]);
        assert_eq!(size(PictureSize::Width(7), 70.0, 1.0), [7, 1]);
    }

    #[test]
    fn what_is_too_large_or_no_size_is_refused_with_the_limit() {
        let refused = |size, w, h| extent(size, w, h).expect_err("it is refused");
        assert!(
            refused(PictureSize::Zoom(1.0), 8193.0, 10.0).contains("8193 x 10 pixels, the limit is 8192")
        );
        assert!(refused(PictureSize::Width(100), 1.0, 1e9).contains("the limit is 8192"));
        assert!(refused(PictureSize::Zoom(1.0), 8192.0, 8193.0).contains("8192 a side"));
        assert!(extent(PictureSize::Zoom(1.0), 8192.0, 8192.0).is_ok(), "64 Mi pixels are the limit");
        let refused_area = PictureSize::Zoom(1.0).of(Size::new(8193.0, 8192.0), 16_384);
        assert!(matches!(refused_area, Err(RenderError::Area { limit: 0x400_0000, .. })));
        for zoom in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refused(PictureSize::Zoom(zoom), 10.0, 10.0).contains("positive number"));
        }
        assert!(refused(PictureSize::Width(0), 10.0, 10.0).contains("a width of 0"));
    }
}
