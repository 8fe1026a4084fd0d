//! Groups as nodes.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath};
use peniko::Fill;
use usvg::{Group, Mask, Node, Opacity};

use crate::clip::Clip;
use crate::drawing::{ElementInfo, Role, Within};
use crate::encode::{Area, ClipShape, Compositing, blend_mode};
use crate::flatten::{Place, Walk};
use crate::paint::Paint;
use crate::path::{affine, rect, rect_box};
use crate::rasterize::Content;
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
        let mut compositing = compositing(group, clips.is_empty());
        if let Some(compositing) = compositing.as_mut().filter(|_| !group.filters().is_empty()) {
            // resvg draws the filter's leaf, opacity and mask included.
            compositing.alpha = 1.0;
        }
        if clips.is_empty() && compositing.is_none() {
            return self.children(group, place);
        }

        let source = self.source();
        let (outermost, inner) = match clips.split_first() {
            Some((outermost, inner)) => (Some(outermost), inner),
            None => (None, &[][..]),
        };
        match (outermost, compositing) {
            (Some(clip), compositing) => self.streams.begin_clip(&clip.shape, compositing, source),
            (None, Some(compositing)) => self.streams.begin_blend(compositing, source),
            (None, None) => {}
        }
        for clip in inner {
            self.streams.begin_clip(&clip.shape, None, source);
        }
        let around = self.streams.within;
        let barrier = self.filter(group, place, source);
        if barrier.is_some() && around == Within::Scene {
            self.streams.within = Within::Filter;
        }
        let was_hidden = self.streams.is_hidden;
        self.streams.is_hidden |= barrier.is_some();
        self.children(group, place.behind(barrier));
        self.streams.within = around;
        for clip in inner.iter().rev() {
            self.end_clip(clip, source);
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, place.scene_from_node, source);
        }
        match outermost {
            Some(clip) => self.end_clip(clip, source),
            None => self.streams.end(),
        }
        self.streams.is_hidden = was_hidden;
    }

    /// Lowers a mask into a node that masks what is before it in the node around.
    fn mask(&mut self, mask: &Mask, scene_from_user: Affine, source: u32) {
        if self.streams.are_masks_full() {
            return self.warn(WarningKind::Mask);
        }
        let shape = ClipShape::rect(rect(mask.rect()), scene_from_user);
        let around = std::mem::replace(&mut self.streams.within, Within::Mask);
        self.streams.begin_mask(&self.clip_near(shape), mask.kind(), source);
        // Outside of a mask's rectangle there is nothing to mask with: so it cuts what it masks as well.
        let outer = mask.mask().map(|outer| (outer, self.mask_shape(outer, scene_from_user)));
        if let Some((_, shape)) = &outer {
            self.streams.begin_clip(&self.clip_near(shape.clone()), None, source);
        }
        // What shapes the mask has no source of its own: it is the masked element's.
        self.sealed(|walk| {
            walk.children(mask.root(), Place { scene_from_node: scene_from_user, barrier: None });
        });
        if let Some((outer, _)) = outer {
            self.mask(outer, scene_from_user, source);
            self.streams.end();
        }
        self.streams.end();
        self.streams.within = around;
    }

    /// The shapes that clip a group, the outermost first.
    fn clips<'g>(&mut self, group: &'g Group, place: Place) -> Vec<Clip<'g>> {
        let mut clips = Vec::new();
        if let Some(mask) = group.mask() {
            clips.push(Clip::from(self.mask_shape(mask, place.scene_from_node)));
        }
        if let Some(clip_path) = group.clip_path() {
            self.clip_shapes(clip_path, place.scene_from_node, &mut clips);
        }
        let placed = |mut clip: Clip<'g>| {
            clip.shape = self.clip_near(clip.shape);
            clip.shape.shape_box = place.widened(clip.shape.shape_box);
            clip
        };
        clips.into_iter().map(placed).collect()
    }

    /// Adds the leaf of a group's filters, and gives the box that they may ink.
    fn filter(&mut self, group: &Group, place: Place, source: u32) -> Option<Aabb> {
        if group.filters().is_empty() {
            return None;
        }
        let info = ElementInfo::new(source, Role::Filter);
        let extent = self.filtered_extent(group, place.scene_from_node);
        let own_box = extent.map_or(Aabb::EMPTY, |extent| rect_box(extent, place.scene_from_node));
        // What is inside of another filter has that one's box.
        let ink_box = place.widened(own_box);
        let Some(extent) = extent.filter(|_| !self.streams.is_hidden) else {
            self.bounded_nothing(ink_box, info);
            return Some(ink_box);
        };
        // The transform of the group is part of it.
        let scene_from_parent = place.scene_from_node * affine(group.transform()).inverse();
        let area = Area {
            shape: &extent,
            rule: Fill::NonZero,
            scene_from_shape: place.scene_from_node,
            paint: &Paint::Raster(Content::Group {
                group: Node::Group(Box::new(group.clone())),
                scene_from_parent,
            }),
        };
        self.streams.fill(&area, ink_box, info);
        Some(ink_box)
    }

    /// The rectangle outside of which a mask hides everything, with the box of what the mask can show.
    fn mask_shape(&mut self, mask: &Mask, scene_from_node: Affine) -> ClipShape {
        let shape = ClipShape::rect(rect(mask.rect()), scene_from_node);
        let shape_box = self.mask_box(mask, scene_from_node);
        let path = if shape_box.is_empty() { BezPath::new() } else { shape.path };
        ClipShape { path, shape_box, ..shape }
    }
}

/// How a group is composited, `None` where nothing needs it to be.
fn compositing(group: &Group, has_no_clip: bool) -> Option<Compositing> {
    let needs_node = group.opacity() != Opacity::ONE
        || group.mask().is_some()
        || group.blend_mode() != usvg::BlendMode::Normal
        || group.isolate()
        || (!group.filters().is_empty() && has_no_clip);
    needs_node.then_some(Compositing { blend: blend_mode(group.blend_mode()), alpha: group.opacity().get() })
}
