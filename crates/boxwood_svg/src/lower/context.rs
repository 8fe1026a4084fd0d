//! The input and the output of lowering.

use std::collections::HashMap;

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Rect};
use peniko::ImageBrush;

use crate::boxes::clip_paths::ClipShape;
use crate::boxes::ink::InkBoxes;
use crate::geometry::{aabb, cut, rect_box};
use crate::guard::deadline::Deadline;
use crate::guard::limits::MAX_OVERHANG;
use crate::lower::streams::Streams;
use crate::warnings::{WarningKind, Warnings};

/// The input of lowering, in addition to the tree.
pub(crate) struct Context<'c> {
    pub(crate) viewport: Rect,
    /// Whether SVG images are clipped to their viewports, and the drawing to its own.
    pub(crate) clip_to_viewport: bool,
    pub(crate) warnings: &'c Warnings,
    pub(crate) deadline: &'c Deadline,
}

impl Context<'_> {
    /// The box in which outlines are encoded unchanged. Beyond it, their numbers are too large for
    /// a renderer.
    pub(crate) fn near(&self) -> Aabb {
        aabb(self.viewport.inflate(MAX_OVERHANG, MAX_OVERHANG))
    }

    /// The part of a path near the viewport, in scene space.
    pub(crate) fn part_near(&self, path: &BezPath, scene_from_path: Affine) -> BezPath {
        let margin = 0.5 * MAX_OVERHANG;
        cut(&(scene_from_path * path.clone()), self.viewport.inflate(margin, margin))
    }

    /// The clip shape, or only its part near the viewport if it extends beyond. Its box remains
    /// the box of the whole shape.
    pub(crate) fn clip_near(&self, clip: ClipShape) -> ClipShape {
        // The shape of a mask extends beyond its box.
        let shape_box = rect_box(clip.path.control_box(), clip.scene_from_path);
        if clip.path.is_empty() || self.near().contains(shape_box) {
            return clip;
        }
        let path = self.part_near(&clip.path, clip.scene_from_path);
        ClipShape { path, scene_from_path: Affine::IDENTITY, ..clip }
    }
}

/// The output of lowering.
pub(crate) struct Output {
    pub(crate) streams: Streams,
    pub(crate) ink: InkBoxes,
    /// The number of dashes that may still be drawn.
    pub(crate) dashes_left: f64,
    /// The decoded images by the address of their bytes, which the tree keeps in place.
    pub(crate) images: HashMap<usize, Option<ImageBrush>>,
}

impl Output {
    /// Adds a warning about the current SVG element.
    pub(crate) fn warn(&self, cx: &Context<'_>, kind: WarningKind) {
        cx.warnings.add(kind, || self.streams.sources.name());
    }
}

/// The space that a node is drawn in.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) scene_from_node: Affine,
    /// The box of the outermost filter around the node. The filter may paint all of it, wherever
    /// the node is.
    pub(crate) filter_box: Option<Aabb>,
}

impl Placement {
    /// The box of an element in the node: its own box, or the box of the filter around it.
    pub(crate) fn widened(&self, own_box: Aabb) -> Aabb {
        self.filter_box.unwrap_or(own_box)
    }
}
