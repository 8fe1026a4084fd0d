//! Paths as leaves.

use std::borrow::Cow;

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Rect};
use peniko::Fill;
use usvg::{LineJoin, PaintOrder, Path};

use crate::drawing::{ElementInfo, Role};
use crate::encode::{Area, ClipShape, REACH, near};
use crate::flatten::{Place, Walk};
use crate::miter::has_cut_miters;
use crate::paint::Paint;
use crate::path::{bez_path, fill_box, rect_box, without_flat_subpaths};
use crate::polygon::{cut, cut_tolerance};
use crate::stroke::{Outline, is_pointless};
use crate::warnings::WarningKind;

impl Walk {
    /// Lowers a path that is at `place`: a leaf for its fill and one for its stroke.
    pub(crate) fn path(&mut self, path: &Path, place: Place) {
        if !path.is_visible() {
            return;
        }
        match path.paint_order() {
            PaintOrder::FillAndStroke => {
                self.fill(path, place);
                self.stroke(path, place);
            }
            PaintOrder::StrokeAndFill => {
                self.stroke(path, place);
                self.fill(path, place);
            }
        }
    }

    fn fill(&mut self, path: &Path, place: Place) {
        let Some(fill) = path.fill() else { return };
        let Some(paint) = Paint::new(fill.paint(), fill.opacity(), place.scene_from_node) else {
            return;
        };
        let shape = bez_path(path.data());
        let own_box = fill_box(&shape, place.scene_from_node);
        if own_box.is_empty() {
            return;
        }
        let info = ElementInfo::new(self.source(), Role::Fill);
        let rule = fill_rule(fill.rule());
        self.fill_near(&shape, rule, &paint, place, own_box, info);
    }

    fn stroke(&mut self, path: &Path, place: Place) {
        let Some(stroke) = path.stroke() else { return };
        let Some(paint) = Paint::new(stroke.paint(), stroke.opacity(), place.scene_from_node) else {
            return;
        };
        let centre_line = bez_path(path.data());
        if is_pointless(&centre_line) {
            return;
        }
        let outline = Outline::new(centre_line, stroke, place.scene_from_node, &mut self.dash_room);
        if outline.dropped_dashes {
            self.warn(WarningKind::ManyDashes);
        }
        if outline.stroke_box.is_empty() {
            return;
        }
        let cuts_miters = stroke.linejoin() == LineJoin::MiterClip;
        if cuts_miters && has_cut_miters(&outline.centre_line, outline.style.miter_limit) {
            self.warn(WarningKind::CutMiters);
        }
        let info = ElementInfo::new(self.source(), Role::Stroke);
        match &outline.interior {
            Some(_) if self.is_near(outline.stroke_box) => {
                let area = Area {
                    shape: &outline.centre_line,
                    rule: Fill::NonZero,
                    scene_from_shape: outline.scene_from_outline,
                    paint: &paint,
                };
                self.streams.stroke(&area, &outline.style, place.widened(outline.stroke_box), info);
            }
            Some(interior) => {
                let place = Place { scene_from_node: outline.scene_from_outline, ..place };
                self.fill_near(interior, Fill::NonZero, &paint, place, outline.stroke_box, info);
            }
            None => {
                self.warn(WarningKind::HugeStroke);
                self.bounded_nothing(place.widened(outline.stroke_box), info);
            }
        }
    }

    /// Fills a shape; of one that reaches far out, only the part near the viewport, so that a renderer's numbers stay
    /// moderate. The box is that of the whole shape.
    pub(crate) fn fill_near(
        &mut self,
        shape: &BezPath,
        rule: Fill,
        paint: &Paint,
        place: Place,
        own_box: Aabb,
        info: ElementInfo,
    ) {
        let leaf_box = place.widened(own_box);
        if self.is_near(own_box) {
            // What encloses nothing can reach far out all the same.
            let is_all_near = self.is_near(rect_box(shape.control_box(), place.scene_from_node));
            let shape =
                if is_all_near { Cow::Borrowed(shape) } else { Cow::Owned(without_flat_subpaths(shape)) };
            let area = Area { shape: &*shape, rule, scene_from_shape: place.scene_from_node, paint };
            return self.streams.fill(&area, leaf_box, info);
        }
        let part = self.part_near(shape, place.scene_from_node);
        if part.is_empty() {
            return self.bounded_nothing(leaf_box, info);
        }
        let area = Area { shape: &part, rule, scene_from_shape: Affine::IDENTITY, paint };
        self.streams.fill(&area, leaf_box, info);
    }

    /// A leaf that a renderer sees nothing of.
    pub(crate) fn bounded_nothing(&mut self, leaf_box: Aabb, info: ElementInfo) {
        let area = Area {
            shape: &Rect::new(0.0, 0.0, 1.0, 1.0),
            rule: Fill::NonZero,
            scene_from_shape: Affine::IDENTITY,
            paint: &Paint::nothing(),
        };
        self.streams.fill(&area, leaf_box, info);
    }

    /// The part of a shape near the viewport, in the scene.
    fn part_near(&self, shape: &BezPath, scene_from_shape: Affine) -> BezPath {
        let in_scene = scene_from_shape * shape.clone();
        let margin = 0.5 * REACH;
        cut(&in_scene, self.viewport.inflate(margin, margin), cut_tolerance(&in_scene))
    }

    /// The shape of a clip node; of one that reaches far out, only the part near the viewport. The box is that of the whole shape.
    pub(crate) fn clip_near(&self, clip: ClipShape) -> ClipShape {
        // That of a mask is more than its box.
        if clip.path.is_empty() || self.is_near(rect_box(clip.path.control_box(), clip.scene_from_path)) {
            return clip;
        }
        let path = self.part_near(&clip.path, clip.scene_from_path);
        ClipShape { path, scene_from_path: Affine::IDENTITY, ..clip }
    }

    fn is_near(&self, own_box: Aabb) -> bool {
        near(self.viewport).contains(own_box)
    }
}

/// usvg's fill rule as peniko's.
pub(crate) fn fill_rule(rule: usvg::FillRule) -> Fill {
    match rule {
        usvg::FillRule::NonZero => Fill::NonZero,
        usvg::FillRule::EvenOdd => Fill::EvenOdd,
    }
}
