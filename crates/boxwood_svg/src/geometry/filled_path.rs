//! Paths with an interior.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Rect, Shape};
use peniko::Fill;
use usvg::{FillRule, Path};

use crate::geometry::{bez_path, fill_box, rect_box};

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
}
