//! Regions of whole pixels.

use kurbo::{Affine, Rect};
use resvg::tiny_skia::{IntSize, Pixmap};

use crate::guard::limits::FILTER_PIECE;

/// A rectangle of whole pixels in a device space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) corner: [i32; 2],
    size: IntSize,
}

impl Region {
    /// The pixels that a rectangle touches, `None` if there are none or too many.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "float to int casts saturate, and a saturated size is refused"
    )]
    pub(crate) fn around(area: Rect) -> Option<Self> {
        let area = area.expand();
        let is_in_range = area.width() > 0.0
            && area.height() > 0.0
            && [area.x0, area.y0, area.x1, area.y1].iter().all(|side| side.abs() < f64::from(i32::MAX / 8));
        let size = IntSize::from_wh(area.width() as u32, area.height() as u32).filter(|_| is_in_range)?;
        Some(Self { corner: [area.x0 as i32, area.y0 as i32], size })
    }

    pub(crate) fn rect(self) -> Rect {
        let [left, top] = self.corner.map(f64::from);
        let [width, height] = [self.size.width(), self.size.height()].map(f64::from);
        Rect::new(left, top, left + width, top + height)
    }

    /// Transparent pixels of its size.
    pub(super) fn pixmap(self) -> Option<Pixmap> {
        Pixmap::new(self.size.width(), self.size.height())
    }

    /// The transform from the device to its pixels.
    pub(super) fn pixels_from_device(self) -> Affine {
        Affine::translate(-self.rect().origin().to_vec2())
    }

    /// Squares with the side of a piece that cover it.
    pub(super) fn pieces(self) -> impl Iterator<Item = Self> {
        let [left, top] = self.corner;
        let starts = |length: u32| (0..length).step_by(FILTER_PIECE as usize);
        let size = IntSize::from_wh(FILTER_PIECE, FILTER_PIECE);
        starts(self.size.height()).flat_map(move |y| {
            starts(self.size.width()).filter_map(move |x| {
                let corner = [left.checked_add_unsigned(x)?, top.checked_add_unsigned(y)?];
                Some(Self { corner, size: size? })
            })
        })
    }
}
