//! Groups as nodes.

use boxwood_layout::Aabb;
use kurbo::{Affine, BezPath, Shape};
use peniko::Fill;
use usvg::{Group, Mask, Opacity};

use crate::encode::{Area, ClipShape, Compositing, blend_mode};
use crate::flatten::{Place, Walk};
use crate::paint::Paint;
use crate::path::{aabb, rect, rect_box};
use crate::scene::{ElementInfo, Role};
use crate::warnings::WarningKind;

impl Walk {
    /// Lowers a group that is at `place`: the nodes that it needs, and its contents.
    ///
    /// SVG applies a group's effects from the inside out: filter, clip path, mask, opacity and blend mode. So the clip
    /// nodes are outside of the filter, and the outermost node is the one that composites.
    pub(crate) fn group(&mut self, group: &Group, place: Place) {
        let draws_nothing =
            group.opacity().get() == 0.0 || (group.children().is_empty() && group.filters().is_empty());
        if draws_nothing {
            return self.undrawn(group);
        }
        let clips = self.clips(group, place);
        let compositing = compositing(group, clips.is_empty());
        let n_nodes = clips.len().max(usize::from(compositing.is_some()));
        if n_nodes == 0 {
            return self.children(group, place);
        }

        let source = self.source();
        let (outermost, inner) = match clips.split_first() {
            Some((outermost, inner)) => (Some(outermost), inner),
            None => (None, &[][..]),
        };
        match (outermost, compositing) {
            (Some(clip), compositing) => self.streams.begin_clip(clip, compositing, source),
            (None, Some(compositing)) => self.streams.begin_blend(compositing, source),
            (None, None) => {}
        }
        for clip in inner {
            self.streams.begin_clip(clip, None, source);
        }
        let barrier = self.filter(group, place, source);
        self.children(group, place.behind(barrier));
        for _ in 0..n_nodes {
            self.streams.end();
        }
    }

    /// The shapes that clip a group, the outermost first.
    fn clips(&mut self, group: &Group, place: Place) -> Vec<ClipShape> {
        let mut clips = Vec::new();
        if let Some(mask) = group.mask() {
            self.warn(WarningKind::Mask);
            clips.push(mask_shape(mask, place.scene_from_node));
        }
        if let Some(clip_path) = group.clip_path() {
            self.clip_shapes(clip_path, place.scene_from_node, &mut clips);
        }
        for clip in &mut clips {
            clip.shape_box = place.widened(clip.shape_box);
        }
        clips
    }

    /// Adds the leaf of a group's filters, and gives the region that they may ink.
    fn filter(&mut self, group: &Group, place: Place, source: u32) -> Option<Aabb> {
        let regions = group.filters().iter().map(|filter| rect(filter.rect()));
        let region = regions.reduce(|a, b| a.union(b))?;
        self.warn(WarningKind::Filter);
        let region_box = group
            .filters()
            .iter()
            .map(|filter| rect_box(rect(filter.rect()), place.scene_from_node))
            .fold(Aabb::EMPTY, Aabb::union);
        let region_box = place.widened(region_box);
        let area = Area {
            shape: &region,
            rule: Fill::NonZero,
            scene_from_shape: place.scene_from_node,
            paint: &Paint::nothing(),
        };
        self.streams.fill(&area, region_box, ElementInfo { source, role: Role::Filter });
        Some(region_box)
    }
}

/// How a group is composited, `None` where nothing needs it to be.
fn compositing(group: &Group, has_no_clip: bool) -> Option<Compositing> {
    let needs_node = group.opacity() != Opacity::ONE
        || group.blend_mode() != usvg::BlendMode::Normal
        || group.isolate()
        || (!group.filters().is_empty() && has_no_clip);
    needs_node.then_some(Compositing { blend: blend_mode(group.blend_mode()), alpha: group.opacity().get() })
}

/// The rectangle outside of which a mask hides everything.
fn mask_shape(mask: &Mask, scene_from_node: Affine) -> ClipShape {
    let mut area = Some(rect(mask.rect()));
    let mut link = Some(mask);
    while let Some(mask) = link {
        area = area.filter(|_| mask.root().has_children()).map(|area| area.intersect(rect(mask.rect())));
        link = mask.mask();
    }
    let area = area.filter(|area| area.area() > 0.0);
    ClipShape {
        path: area.map_or_else(BezPath::new, |area| area.to_path(0.1)),
        rule: Fill::NonZero,
        scene_from_path: scene_from_node,
        shape_box: area.map_or(Aabb::EMPTY, |area| aabb(scene_from_node.transform_rect_bbox(area))),
    }
}
