//! Groups as nodes.

use boxwood_layout::Aabb;
use kurbo::{Affine, BezPath, Shape};
use peniko::Fill;
use usvg::{Group, Mask, Opacity};

use crate::encode::{Area, ClipShape, Compositing, blend_mode};
use crate::flatten::{Place, Walk};
use crate::paint::Paint;
use crate::path::{rect, rect_box};
use crate::scene::{ElementInfo, Role, Within};
use crate::warnings::WarningKind;

/// The most elements that all masks together may have, so that masks in masks do not use up the memory.
const MAX_MASK_ELEMENTS: usize = 1_000_000;

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
        let around = self.streams.within;
        let barrier = self.filter(group, place, source);
        if barrier.is_some() && around == Within::Scene {
            self.streams.within = Within::Filter;
        }
        self.children(group, place.behind(barrier));
        self.streams.within = around;
        for _ in 1..n_nodes {
            self.streams.end();
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, place.scene_from_node, source);
        }
        self.streams.end();
    }

    /// Lowers a mask into a node that masks what is before it in the node around.
    fn mask(&mut self, mask: &Mask, scene_from_user: Affine, source: u32) {
        if self.streams.n_in_masks() > MAX_MASK_ELEMENTS {
            return self.warn(WarningKind::Mask);
        }
        let shape = ClipShape {
            path: rect(mask.rect()).to_path(0.1),
            rule: Fill::NonZero,
            scene_from_path: scene_from_user,
            shape_box: rect_box(rect(mask.rect()), scene_from_user),
        };
        let around = std::mem::replace(&mut self.streams.within, Within::Mask);
        self.streams.begin_mask(&self.clip_near(shape), mask.kind(), source);
        // What shapes the mask has no source of its own: it is the masked element's.
        self.sealed(|walk| {
            walk.children(mask.root(), Place { scene_from_node: scene_from_user, barrier: None });
        });
        if let Some(outer) = mask.mask() {
            self.mask(outer, scene_from_user, source);
        }
        self.streams.end();
        self.streams.within = around;
    }

    /// The shapes that clip a group, the outermost first.
    fn clips(&mut self, group: &Group, place: Place) -> Vec<ClipShape> {
        let mut clips = Vec::new();
        if let Some(mask) = group.mask() {
            clips.push(self.mask_shape(mask, place.scene_from_node));
        }
        if let Some(clip_path) = group.clip_path() {
            self.clip_shapes(clip_path, place.scene_from_node, &mut clips);
        }
        let placed = |clip: ClipShape| {
            let clip = self.clip_near(clip);
            ClipShape { shape_box: place.widened(clip.shape_box), ..clip }
        };
        clips.into_iter().map(placed).collect()
    }

    /// Adds the leaf of a group's filters, and gives the box that they may ink.
    fn filter(&mut self, group: &Group, place: Place, source: u32) -> Option<Aabb> {
        let last = group.filters().last()?;
        self.warn(WarningKind::Filter);
        // What is inside of another filter has that one's box.
        let ink_box = place.barrier.unwrap_or_else(|| self.filtered_box(group, place.scene_from_node));
        let area = Area {
            shape: &rect(last.rect()),
            rule: Fill::NonZero,
            scene_from_shape: place.scene_from_node,
            paint: &Paint::nothing(),
        };
        self.streams.fill(&area, ink_box, ElementInfo::new(source, Role::Filter));
        Some(ink_box)
    }

    /// The rectangle outside of which a mask hides everything, with the box of what the mask can show.
    fn mask_shape(&mut self, mask: &Mask, scene_from_node: Affine) -> ClipShape {
        let shape_box = self.mask_box(mask, scene_from_node);
        let path = if shape_box.is_empty() { BezPath::new() } else { rect(mask.rect()).to_path(0.1) };
        ClipShape { path, rule: Fill::NonZero, scene_from_path: scene_from_node, shape_box }
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
