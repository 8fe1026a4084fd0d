//! Regions of whole pixels in a device space.

use kurbo::{Affine, Rect};
use resvg::tiny_skia::IntRect;

use crate::guard::limits::{FILTER_PIECE, MAX_PIXEL_COORDINATE};

/// The pixels that a rectangle touches, `None` if there are none or too many.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to int casts saturate, and a saturated number is refused"
)]
pub(super) fn region_around(area: Rect) -> Option<IntRect> {
    let area = area.expand();
    let sides = [area.x0, area.y0, area.x1, area.y1];
    let is_in_range = sides.iter().all(|side| side.abs() < MAX_PIXEL_COORDINATE);
    IntRect::from_xywh(area.x0 as i32, area.y0 as i32, area.width() as u32, area.height() as u32)
        .filter(|_| is_in_range)
}

pub(super) fn rect_of(region: IntRect) -> Rect {
    let [left, top] = [region.x(), region.y()].map(f64::from);
    Rect::new(left, top, left + f64::from(region.width()), top + f64::from(region.height()))
}

/// The transform from the device to the pixels of a region.
pub(super) fn pixels_from_device(region: IntRect) -> Affine {
    Affine::translate((-f64::from(region.x()), -f64::from(region.y())))
}

/// Squares with the side of a piece that cover a region.
pub(super) fn pieces(region: IntRect) -> impl Iterator<Item = IntRect> {
    let starts = |length: u32| (0..length).step_by(FILTER_PIECE as usize);
    starts(region.height()).flat_map(move |y| {
        starts(region.width()).filter_map(move |x| {
            let corner = (region.x().checked_add_unsigned(x)?, region.y().checked_add_unsigned(y)?);
            IntRect::from_xywh(corner.0, corner.1, FILTER_PIECE, FILTER_PIECE)
        })
    })
}
