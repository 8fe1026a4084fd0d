//! Paths as leaves.

use kurbo::Affine;
use usvg::{LineJoin, PaintOrder, Path};

use crate::boxes::strokes::StrokedPath;
use crate::geometry::{FilledPath, without_flat_subpaths};
use crate::lower::lowering::Lowering;
use crate::lower::paint::Paint;
use crate::no_box::NoBox;
use crate::quirks::miter_clip::has_clipped_miters;
use crate::table::Role;
use crate::warnings::WarningKind;

impl Lowering<'_> {
    /// Lowers a path: a leaf for its fill and one for its stroke.
    pub(crate) fn path(&mut self, path: &Path, scene_from_path: Affine) {
        let has_paint = path.fill().is_some() || path.stroke().is_some();
        self.sign(|signatures| signatures.of_path(path, scene_from_path));
        let part = self.streams.sources.part_of(path);
        if has_paint && !path.is_visible() {
            return self.streams.sources.note_of_path(part, NoBox::Hidden);
        }
        let n_elements = self.streams.table.len();
        let mut order = [Self::fill, Self::stroke];
        if path.paint_order() == PaintOrder::StrokeAndFill {
            order.reverse();
        }
        self.streams.text_part = part;
        order.into_iter().for_each(|lower| lower(self, path, scene_from_path));
        self.streams.text_part = None;
        if self.streams.table.len() == n_elements {
            self.streams.sources.note_of_path(part, NoBox::NoPaint);
        }
    }

    fn fill(&mut self, path: &Path, scene_from_path: Affine) {
        let Some(fill) = path.fill() else { return };
        let Some(paint) = Paint::new(fill.paint(), fill.opacity(), scene_from_path) else { return };
        self.fill_near(FilledPath::new(path, fill.rule(), scene_from_path), &paint, Role::Fill);
    }

    fn stroke(&mut self, path: &Path, scene_from_path: Affine) {
        let Some(stroke) = path.stroke() else { return };
        let Some(paint) = Paint::new(stroke.paint(), stroke.opacity(), scene_from_path) else { return };
        let stroked = StrokedPath::new(path, stroke, scene_from_path, Some(&mut self.dashes_left));
        let Some(stroked) = stroked else { return };
        if stroked.dropped_dashes {
            self.warn(WarningKind::ManyDashes);
        }
        let own_box = stroked.own_box;
        if paint.painted_box(own_box).is_empty() {
            return;
        }
        let clips_miters = stroke.linejoin() == LineJoin::MiterClip;
        if clips_miters && has_clipped_miters(&stroked.centre_line, stroked.style.miter_limit) {
            self.warn(WarningKind::ClippedMiters);
        }
        if !stroked.is_huge && self.near.contains(own_box) {
            self.streams.stroke(&stroked, &paint);
        } else if let Some(interior) = stroked.interior() {
            self.fill_near(interior, &paint, Role::Stroke);
        } else {
            self.warn(WarningKind::HugeStroke);
            self.streams.fill_nothing(own_box, Role::Stroke);
        }
    }

    /// Fills a shape unless the box of the paint in it is empty. If the shape extends beyond the
    /// box near the viewport, only its part near the viewport is filled. The leaf box is the box of
    /// the whole shape.
    pub(crate) fn fill_near(&mut self, mut shape: FilledPath, paint: &Paint, role: Role) {
        if paint.painted_box(shape.own_box).is_empty() {
            return;
        }
        if !self.near.contains(shape.own_box) {
            shape = self.part_near(&shape);
            if shape.path.is_empty() {
                return self.streams.fill_nothing(shape.own_box, role);
            }
        } else if !self.near.contains(shape.control_box()) {
            // Subpaths without interior may extend beyond the box.
            shape.path = without_flat_subpaths(&shape.path);
        }
        self.streams.fill(&shape, paint, role);
    }
}
