//! The pixels of a box's outline, on the CPU. `overlay.wgsl` has the same rule.

use boxwood_cpu::Aabb;
use image::{Rgba, RgbaImage};

use super::kinds::OverlayStyle;
use super::uniforms::{LineStyle, OverlayView};

/// A box that covers less than this of a pixel, in device pixels, does not touch the pixel.
///
/// Edges often lie on pixel boundaries up to rounding. Without this tolerance they would flicker by
/// a pixel, and adapters that fuse multiplication and addition would disagree with the others.
const SNAP_TOLERANCE: f32 = 1.0 / 256.0;

/// The outermost pixels that a box touches, inclusive: left, top, right, and bottom. `None` for the
/// empty box.
#[expect(clippy::cast_possible_truncation, reason = "device coordinates are within MAX_COORDINATE")]
fn edges(scene_box: Aabb, view: &OverlayView) -> Option<[i32; 4]> {
    let first = |axis, low| (device_coordinate(view, axis, low) + SNAP_TOLERANCE).floor() as i32;
    let last = |axis, high| (device_coordinate(view, axis, high) - SNAP_TOLERANCE).ceil() as i32 - 1;
    let (left, top) = (first(0, scene_box.x0), first(1, scene_box.y0));
    let (right, bottom) = (last(0, scene_box.x1).max(left), last(1, scene_box.y1).max(top));
    (!scene_box.is_empty()).then_some([left, top, right, bottom])
}

/// The device coordinate of a scene coordinate along an axis.
fn device_coordinate(view: &OverlayView, axis: usize, value: f32) -> f32 {
    let offset = value - view.origin_high[axis] - view.origin_low[axis];
    offset.clamp(-view.max_offset, view.max_offset) * view.scale
}

/// Draws the outline of a box. Dashes start at the box's top left pixel along each edge.
pub(crate) fn draw(image: &mut RgbaImage, scene_box: Aabb, view: &OverlayView, style: &OverlayStyle) {
    let Some([left, top, right, bottom]) = edges(scene_box, view) else {
        return;
    };
    let [red, green, blue] = style.color;
    let line = LineStyle::from(style);
    let [x0, y0, x1, y1] = view.hole;
    let is_hole = |x, y| x >= x0 && x < x1 && y >= y0 && y < y1;
    let mut put = |x: i32, y: i32, position: i32| {
        let is_painted = line.covers(position.unsigned_abs()) && !is_hole(x, y);
        if let (true, Ok(column), Ok(row)) = (is_painted, x.try_into(), y.try_into()) {
            image.put_pixel(column, row, Rgba([red, green, blue, 255]));
        }
    };
    let [width, height] = view.size;
    for y in [top, bottom].into_iter().filter(|y| (0..height).contains(y)) {
        (left.max(0)..=right.min(width - 1)).for_each(|x| put(x, y, x - left));
    }
    for x in [left, right].into_iter().filter(|x| (0..width).contains(x)) {
        (top.max(0)..=bottom.min(height - 1)).for_each(|y| put(x, y, y - top));
    }
}

#[cfg(test)]
mod tests {
    use kurbo::TranslateScale;

    use super::*;
    use crate::overlay::{Hole, OVERLAY_STYLES, OverlayKinds};

    fn view(scale: f64, x: f64, y: f64) -> OverlayView {
        let view = TranslateScale::new((x, y).into(), scale);
        OverlayView::new(view, [16, 16], Hole::default())
    }

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
    }

    fn edges(scene_box: Aabb, view: &OverlayView) -> [i32; 4] {
        super::edges(scene_box, view).expect("the box has area")
    }

    #[test]
    fn edges_are_the_outermost_pixels_inside_the_box() {
        let one = view(1.0, 0.0, 0.0);
        assert_eq!(edges(aabb(2.0, 3.0, 5.0, 7.0), &one), [2, 3, 4, 6]);
        assert_eq!(edges(aabb(2.5, 3.5, 5.5, 7.5), &one), [2, 3, 5, 7]);
        assert_eq!(edges(aabb(-0.5, -1.0, 0.5, 1.0), &one), [-1, -1, 0, 0]);
        assert_eq!(edges(aabb(4.25, 4.25, 4.5, 4.5), &one), [4, 4, 4, 4], "a box within a pixel");
        let narrow = aabb(4.0, 4.0, 4.001, 9.0);
        assert_eq!(edges(narrow, &one), [4, 4, 4, 8], "a box narrower than the tolerance");
        assert_eq!(edges(aabb(2.0, 3.0, 5.0, 7.0), &view(2.0, 1.0, -1.0)), [5, 5, 10, 12]);
    }

    #[test]
    fn rounding_does_not_move_an_edge() {
        // In f32, 1.1 * 10 is slightly above 11, and 0.1 * 30 slightly above 3.
        assert_eq!(edges(aabb(10.0, 10.0, 20.0, 20.0), &view(1.1, 0.0, 0.0)), [11, 11, 21, 21]);
        assert_eq!(edges(aabb(30.0, 0.0, 70.0, 1e-3), &view(0.1, 0.0, 0.0)), [3, 0, 6, 0]);
    }

    #[test]
    fn edges_stay_in_place_at_the_largest_scale() {
        let scale = 16_384.0;
        // The corner is at pixel (3, 5), 1,000 units from the origin: 16 million device pixels.
        let view = view(scale, 3.0 - 1000.25 * scale, 5.0 - 2000.5 * scale);
        assert_eq!(edges(aabb(1000.25, 2000.5, 1001.25, 2001.5), &view)[..2], [3, 5]);
    }

    #[test]
    fn the_empty_box_has_no_outline_and_the_plane_has_it_outside_the_picture() {
        for scale in [1e-3, 1.0, 1e4] {
            let view = view(scale, 5.0, 5.0);
            assert_eq!(super::edges(Aabb::EMPTY, &view), None);
            let [left, _, _, bottom] = edges(Aabb::PLANE, &view);
            assert!(left < -1_000_000 && bottom > 1_000_000, "{left} {bottom}");
        }
    }

    #[test]
    fn an_outline_has_the_pixels_of_its_dashes_outside_the_hole() {
        let style = &OVERLAY_STYLES[0];
        assert_eq!((style.kind, style.dash), (OverlayKinds::LEAF, [1, 2].as_slice()));
        let mut image = RgbaImage::new(16, 16);
        let scene_box = aabb(2.0, 3.0, 11.0, 8.0);
        let without_hole = view(1.0, 0.0, 0.0);
        let view = OverlayView { hole: [9, 0, 11, 16], ..without_hole };
        draw(&mut image, scene_box, &view, style);
        let drawn: Vec<_> = image
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0[3] != 0)
            .map(|(x, y, _)| (x, y))
            .collect();
        assert_eq!(drawn, [(2, 3), (5, 3), (8, 3), (2, 6), (2, 7), (5, 7), (8, 7)]);
        draw(&mut image, scene_box, &without_hole, style);
        assert_eq!(image.get_pixel(10, 6).0, [0xcc, 0x79, 0xa7, 255], "outside the hole");
    }
}
