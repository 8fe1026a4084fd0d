//! Paths with an interior.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, PathSeg, Rect, Shape};
use peniko::Fill;
use usvg::{FillRule, Path};

use crate::geometry::{bez_path, bounds, fill_box, rect_box};

/// How much the area of an axis-aligned rectangle may differ from that of its bounds, relative to
/// it. Areas are computed in `f64`, with far smaller errors.
const AREA_TOLERANCE: f64 = 1e-9;

/// The interior of a path: the shape of a leaf or of a clip node.
#[derive(Clone, Debug)]
pub(crate) struct FilledPath {
    /// The outline. Without segments, there is no interior.
    pub(crate) path: BezPath,
    pub(crate) rule: Fill,
    pub(crate) scene_from_path: Affine,
    /// The box of the interior in scene space, or of the part of it that matters.
    pub(crate) own_box: Aabb,
}

impl FilledPath {
    /// The interior of a path of a tree.
    pub(crate) fn new(path: &Path, rule: FillRule, scene_from_path: Affine) -> Self {
        let path = bez_path(path.data());
        let rule = match rule {
            FillRule::NonZero => Fill::NonZero,
            FillRule::EvenOdd => Fill::EvenOdd,
        };
        let own_box = fill_box(&path, scene_from_path);
        Self { path, rule, scene_from_path, own_box }
    }

    /// A rectangle, which the transform may rotate.
    pub(crate) fn rect(rect: Rect, scene_from_rect: Affine) -> Self {
        let own_box = rect_box(rect, scene_from_rect);
        Self { path: rect.to_path(0.1), rule: Fill::NonZero, scene_from_path: scene_from_rect, own_box }
    }

    /// The box of all points of the path in scene space, including those of subpaths without
    /// interior.
    pub(crate) fn control_box(&self) -> Aabb {
        rect_box(self.path.control_box(), self.scene_from_path)
    }

    /// Whether this is an axis-aligned rectangle in the scene.
    pub(crate) fn is_axis_aligned_rect(&self) -> bool {
        let (path, transform) = (&self.path, self.scene_from_path);
        // More elements than those of a closed path with five lines.
        if path.elements().len() > 7 || path.subpaths().count() != 1 {
            return false;
        }
        let mut closed = path.clone();
        closed.close_path();
        let is_along_axis =
            |segment| matches!(transform * segment, PathSeg::Line(l) if l.p0.x == l.p1.x || l.p0.y == l.p1.y);
        // A path with five segments along the axes that covers its bounds.
        closed.segments().count() <= 5
            && closed.segments().all(is_along_axis)
            && bounds(&closed, transform).is_some_and(|b| {
                let area = (closed.area() * transform.determinant()).abs();
                (area - b.area()).abs() <= AREA_TOLERANCE * b.area()
            })
    }
}
