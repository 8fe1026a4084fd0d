//! The pixels that resvg paints.

use boxwood_cpu::Aabb;
use boxwood_svg::Drawing;
use kurbo::Affine;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::filter::Kind;
use resvg::usvg::{Group, Node};

/// The maximum of the longer side of a viewport on the canvas, in pixels. Larger viewports are
/// drawn smaller.
const MAX_SIDE: f64 = 1000.0;

/// Viewports whose longer side is at most this many pixels are drawn at twice their size.
const SMALL_SIDE: f64 = 100.0;

/// A canvas of three times the width and height of a viewport, which is in its middle. resvg's
/// layers do not extend farther.
pub(super) struct Canvas {
    /// Pixels per CSS pixel.
    scale: f64,
    /// The size of the viewport in pixels.
    width: f64,
    height: f64,
}

impl Canvas {
    pub(super) fn around(drawing: &Drawing) -> Self {
        let longest = drawing.size.width.max(drawing.size.height);
        let scale = if longest <= SMALL_SIDE { 2.0 } else { (MAX_SIDE / longest).min(1.0) };
        let pixels = |length: f64| (length * scale).ceil().max(1.0);
        Self { scale, width: pixels(drawing.size.width), height: pixels(drawing.size.height) }
    }

    /// The extents of the pixels that are not transparent, as x0, y0, x1, y1.
    ///
    /// Those of the least alpha do not count if something is blurred: resvg rounds blurs up, so it
    /// paints them where browsers paint nothing.
    pub(super) fn ink(&self, drawing: &Drawing) -> Option<[u32; 4]> {
        let mut pixmap = self.pixels(drawing);
        if has_blur(drawing.tree.root()) {
            for pixel in pixmap.pixels_mut().iter_mut().filter(|pixel| pixel.alpha() <= 1) {
                *pixel = PremultipliedColorU8::TRANSPARENT;
            }
        }
        extents(pixmap.data(), pixmap.width())
    }

    /// The transform from scene space to pixels of the canvas.
    pub(super) fn canvas_from_scene(&self) -> Affine {
        Affine::translate((self.width, self.height)) * Affine::scale(self.scale)
    }

    /// The pixels that resvg paints.
    pub(super) fn pixels(&self, drawing: &Drawing) -> Pixmap {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 3000")]
        let (width, height) = ((3.0 * self.width) as u32, (3.0 * self.height) as u32);
        let mut pixmap = Pixmap::new(width, height).expect("the canvas has area");
        #[expect(clippy::cast_possible_truncation, reason = "resvg has f32")]
        let canvas_from_scene = Transform::from_row(
            self.scale as f32,
            0.0,
            0.0,
            self.scale as f32,
            self.width as f32,
            self.height as f32,
        );
        resvg::render(&drawing.tree, canvas_from_scene, &mut pixmap.as_mut());
        pixmap
    }

    /// The maximum distance in pixels by which resvg's hairlines extend beyond their outline. resvg
    /// draws a stroke of up to one pixel as a fainter stroke of up to two.
    pub(super) fn hairline(&self, drawing: &Drawing) -> f64 {
        hairline(drawing.tree.root(), self.scale)
    }

    /// The part of a box of the scene that is on the canvas, in pixels.
    pub(super) fn bounds(&self, scene_box: Aabb) -> Option<[f64; 4]> {
        let x = |v: f32| (f64::from(v) * self.scale + self.width).clamp(0.0, 3.0 * self.width);
        let y = |v: f32| (f64::from(v) * self.scale + self.height).clamp(0.0, 3.0 * self.height);
        let [x0, y0, x1, y1] = [x(scene_box.x0), y(scene_box.y0), x(scene_box.x1), y(scene_box.y1)];
        (x0 < x1 && y0 < y1).then_some([x0, y0, x1, y1])
    }
}

/// Whether a group, or one inside of it, has a filter with a blur.
fn has_blur(group: &Group) -> bool {
    let mut primitives = group.filters().iter().flat_map(|filter| filter.primitives());
    let is_blur = |kind: &Kind| matches!(kind, Kind::GaussianBlur(_) | Kind::DropShadow(_));
    primitives.any(|primitive| is_blur(primitive.kind()))
        || group.children().iter().any(|node| matches!(node, Node::Group(group) if has_blur(group)))
}

fn hairline(group: &Group, pixels_per_unit: f64) -> f64 {
    let of_node = |node: &Node| match node {
        Node::Group(group) => {
            let Transform { sx, kx, ky, sy, .. } = group.transform();
            let stretch = f64::from(sx.hypot(ky)).max(f64::from(kx.hypot(sy)));
            hairline(group, pixels_per_unit * stretch)
        }
        Node::Path(path) => {
            let width = path.stroke().map(|stroke| f64::from(stroke.width().get()) * pixels_per_unit);
            width.filter(|width| *width <= 1.0).map_or(0.0, |width| 1.0 - 0.5 * width)
        }
        Node::Image(_) | Node::Text(_) => 0.0,
    };
    group.children().iter().map(of_node).fold(0.0, f64::max)
}

/// The extents of the pixels that are not zero, in rows of pixels of four bytes. Comparing whole
/// stretches with zeros is fast in any build.
fn extents(data: &[u8], width: u32) -> Option<[u32; 4]> {
    let zeros = vec![0; 4 * width as usize];
    let is_blank = |bytes: &[u8]| bytes == &zeros[..bytes.len()];
    let mut found: Option<[u32; 4]> = None;
    for (y, row) in (0..).zip(data.chunks_exact(4 * width as usize)) {
        if is_blank(row) {
            continue;
        }
        let pixel = |x: u32| &row[4 * x as usize..4 * (x as usize + 1)];
        let [mut x0, y0, mut x1, _] = found.unwrap_or([width, y, 0, y]);
        if !is_blank(&row[..4 * x0 as usize]) {
            x0 = (0..x0).find(|x| !is_blank(pixel(*x))).unwrap_or(x0);
        }
        if !is_blank(&row[4 * x1 as usize..]) {
            x1 = (x1..width).rev().find(|x| !is_blank(pixel(*x))).map_or(x1, |x| x + 1);
        }
        found = Some([x0, y0, x1, y + 1]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_cover_all_rows() {
        let mut data = vec![0; 4 * 5 * 4];
        assert_eq!(extents(&data, 5), None);
        for (x, y) in [(3, 1), (1, 2), (2, 2)] {
            data[4 * (5 * y + x) + 3] = 1;
        }
        assert_eq!(extents(&data, 5), Some([1, 1, 4, 3]));
    }
}
