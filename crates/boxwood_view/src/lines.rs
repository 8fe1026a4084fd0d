//! Which pixels the outline of a box covers. `overlay.wgsl` is the same rule on the GPU.

use boxwood_cpu::Aabb;
use bytemuck::{Pod, Zeroable};
use image::{Rgba, RgbaImage};
use kurbo::Vec2;

use crate::kinds::OverlayStyle;
use crate::view_transform::ViewTransform;

/// How far, in device pixels, a box may reach into a pixel that its outline leaves out.
///
/// Edges often lie on pixel boundaries but for rounding. Without this they would flicker by a pixel, and adapters that
/// fuse multiplication and addition would disagree with those that do not.
const SNAP: f32 = 1.0 / 256.0;

/// Coordinates beyond this, in device pixels, are brought back to it. Far outside of any picture, and so small that
/// `f32` still counts single pixels.
const REACH: f32 = 4_194_304.0;

/// Rectangles, in device pixels, where the overlay leaves the picture alone: `x0, y0, x1, y1`, half-open.
pub(crate) type Holes = [[i32; 4]; 2];

/// What the rule needs to know of the picture. Layout: `View` of `overlay.wgsl`.
///
/// The point of the scene at the picture's origin is kept as a sum of two `f32`. A difference to it is then nearly
/// exact for boxes near the picture, so that outlines stay in place at any zoom.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LineView {
    origin_high: [f32; 2],
    origin_low: [f32; 2],
    scale: f32,
    /// [`REACH`] in scene units.
    reach: f32,
    /// The size of the picture, in device pixels.
    pub(crate) size: [i32; 2],
    holes: Holes,
}

impl LineView {
    #[cfg(test)]
    pub(crate) const OFFSETS: [(&str, usize); 6] = [
        ("origin_high", std::mem::offset_of!(Self, origin_high)),
        ("origin_low", std::mem::offset_of!(Self, origin_low)),
        ("scale", std::mem::offset_of!(Self, scale)),
        ("reach", std::mem::offset_of!(Self, reach)),
        ("size", std::mem::offset_of!(Self, size)),
        ("holes", std::mem::offset_of!(Self, holes)),
    ];

    #[expect(clippy::cast_possible_truncation, reason = "f32 is the precision of the overlay")]
    pub(crate) fn new(view: ViewTransform, size: [i32; 2], holes: Holes) -> Self {
        let origin = view.scene_from_device(kurbo::Point::ZERO).to_vec2();
        // Infinite values must not reach a shader.
        let limit = f64::from(f32::MAX) / 16.0;
        let origin = Vec2::new(origin.x.clamp(-limit, limit), origin.y.clamp(-limit, limit));
        let (x, y) = (origin.x as f32, origin.y as f32);
        Self {
            origin_high: [x, y],
            origin_low: [(origin.x - f64::from(x)) as f32, (origin.y - f64::from(y)) as f32],
            scale: view.scale as f32,
            reach: (f64::from(REACH) / view.scale).min(limit) as f32,
            size,
            holes,
        }
    }

    /// The device coordinate, along one axis, of a scene coordinate.
    fn device(&self, axis: usize, value: f32) -> f32 {
        let offset = value - self.origin_high[axis] - self.origin_low[axis];
        offset.clamp(-self.reach, self.reach) * self.scale
    }

    fn is_hole(&self, x: i32, y: i32) -> bool {
        self.holes.iter().any(|&[x0, y0, x1, y1]| x >= x0 && x < x1 && y >= y0 && y < y1)
    }
}

/// The outermost pixels that a box touches: the outline runs through them. Inclusive, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelBox {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

/// The pixels that the outline of a box runs through. None for the empty box.
pub(crate) fn snap(scene_box: Aabb, view: &LineView) -> Option<PixelBox> {
    if scene_box.is_empty() {
        return None;
    }
    let (left, top) = (first_pixel(view.device(0, scene_box.x0)), first_pixel(view.device(1, scene_box.y0)));
    Some(PixelBox {
        left,
        top,
        right: last_pixel(view.device(0, scene_box.x1)).max(left),
        bottom: last_pixel(view.device(1, scene_box.y1)).max(top),
    })
}

#[expect(clippy::cast_possible_truncation, reason = "device coordinates are within REACH")]
fn first_pixel(low_edge: f32) -> i32 {
    (low_edge + SNAP).floor() as i32
}

#[expect(clippy::cast_possible_truncation, reason = "device coordinates are within REACH")]
fn last_pixel(high_edge: f32) -> i32 {
    (high_edge - SNAP).ceil() as i32 - 1
}

/// Draws the outline of a box. Strokes and gaps are counted from the box's top left pixel.
pub(crate) fn draw(image: &mut RgbaImage, scene_box: Aabb, view: &LineView, style: &OverlayStyle) {
    let Some(pixels) = snap(scene_box, view) else {
        return;
    };
    let [red, green, blue] = style.color;
    let dash = style.dash_bits();
    let mut put = |x: i32, y: i32, position: i32| {
        let is_stroke = dash.bits >> (position.unsigned_abs() % dash.period) & 1 == 1;
        if let (true, Ok(column), Ok(row)) = (is_stroke && !view.is_hole(x, y), x.try_into(), y.try_into()) {
            image.put_pixel(column, row, Rgba([red, green, blue, 255]));
        }
    };
    let [width, height] = view.size;
    for y in [pixels.top, pixels.bottom] {
        if (0..height).contains(&y) {
            (pixels.left.max(0)..=pixels.right.min(width - 1)).for_each(|x| put(x, y, x - pixels.left));
        }
    }
    for x in [pixels.left, pixels.right] {
        if (0..width).contains(&x) {
            (pixels.top.max(0)..=pixels.bottom.min(height - 1)).for_each(|y| put(x, y, y - pixels.top));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{OVERLAY_STYLES, OverlayKinds};

    fn view(scale: f64, x: f64, y: f64) -> LineView {
        LineView::new(ViewTransform { scale, translation: Vec2::new(x, y) }, [16, 16], Holes::default())
    }

    fn snapped(x0: f64, y0: f64, x1: f64, y1: f64, view: &LineView) -> [i32; 4] {
        let scene_box = Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN");
        let pixels = snap(scene_box, view).expect("the box has area");
        [pixels.left, pixels.top, pixels.right, pixels.bottom]
    }

    #[test]
    fn edges_run_inside_the_box() {
        let one = view(1.0, 0.0, 0.0);
        assert_eq!(snapped(2.0, 3.0, 5.0, 7.0, &one), [2, 3, 4, 6]);
        assert_eq!(snapped(2.5, 3.5, 5.5, 7.5, &one), [2, 3, 5, 7]);
        assert_eq!(snapped(-0.5, -1.0, 0.5, 1.0, &one), [-1, -1, 0, 0]);
        assert_eq!(snapped(4.25, 4.25, 4.5, 4.5, &one), [4, 4, 4, 4], "a box within a pixel");
        assert_eq!(snapped(4.0, 4.0, 4.001, 9.0, &one), [4, 4, 4, 8], "a box narrower than the tolerance");
        assert_eq!(snapped(2.0, 3.0, 5.0, 7.0, &view(2.0, 1.0, -1.0)), [5, 5, 10, 12]);
    }

    #[test]
    fn rounding_does_not_move_an_edge() {
        // 1.1 * 10 is a little above 11 in f32, and 0.1 * 30 a little above 3.
        assert_eq!(snapped(10.0, 10.0, 20.0, 20.0, &view(1.1, 0.0, 0.0)), [11, 11, 21, 21]);
        assert_eq!(snapped(30.0, 0.0, 70.0, 1e-3, &view(0.1, 0.0, 0.0)), [3, 0, 6, 0]);
    }

    #[test]
    fn edges_stay_in_place_at_the_deepest_zoom() {
        let scale = 16_384.0;
        // The box's corner at pixel (3, 5), 1,000 units from the origin: 16 million device pixels.
        let view = view(scale, 3.0 - 1000.25 * scale, 5.0 - 2000.5 * scale);
        assert_eq!(snapped(1000.25, 2000.5, 1001.25, 2001.5, &view)[..2], [3, 5]);
    }

    #[test]
    fn the_empty_box_has_no_outline_and_the_plane_has_it_outside() {
        for scale in [1e-3, 1.0, 1e4] {
            let view = view(scale, 5.0, 5.0);
            assert_eq!(snap(Aabb::EMPTY, &view), None);
            let plane = snap(Aabb::PLANE, &view).expect("the plane has area");
            assert!(plane.left < -1_000_000 && plane.bottom > 1_000_000, "{plane:?}");
        }
    }

    #[test]
    fn an_outline_has_the_pixels_of_its_dash() {
        let style = &OVERLAY_STYLES[0];
        assert_eq!((style.kind, style.dash), (OverlayKinds::LEAF, [1, 2].as_slice()));
        let mut image = RgbaImage::new(16, 16);
        let scene_box = Aabb::new(2.0, 3.0, 11.0, 8.0).expect("no coordinate is NaN");
        let holes = [[9, 0, 11, 16], [0; 4]];
        let view = LineView::new(ViewTransform::scaled(1.0), [16, 16], holes);
        draw(&mut image, scene_box, &view, style);
        let drawn: Vec<_> = image
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0[3] != 0)
            .map(|(x, y, _)| (x, y))
            .collect();
        assert_eq!(drawn, [(2, 3), (5, 3), (8, 3), (2, 6), (2, 7), (5, 7), (8, 7)]);
        draw(
            &mut image,
            scene_box,
            &LineView::new(ViewTransform::scaled(1.0), [16, 16], Holes::default()),
            style,
        );
        assert_eq!(image.get_pixel(10, 6).0, [0xcc, 0x79, 0xa7, 255], "outside the hole");
    }
}
