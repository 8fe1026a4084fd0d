//! The state of lowering a tree.

use std::collections::HashMap;

use boxwood_cpu::Aabb;
use kurbo::{Affine, Rect};
use peniko::ImageBrush;
use usvg::MaskType;

use crate::boxes::ink::InkBoxes;
use crate::geometry::{FilledPath, cut};
use crate::guard::deadline::Deadline;
use crate::guard::limits::{MAX_MASK_ELEMENTS, MAX_OVERHANG};
use crate::lower::streams::Streams;
use crate::signature::{Signature, Signatures};
use crate::warnings::{WarningKind, Warnings};

/// A walk over a tree that adds its elements to the streams.
pub(crate) struct Lowering<'c> {
    pub(crate) viewport: Rect,
    /// The box in which outlines are encoded unchanged. Beyond it, their numbers are too large for
    /// a renderer.
    pub(crate) near: Aabb,
    /// Whether SVG images are clipped to their viewports, and the drawing to its own.
    pub(crate) clip_to_viewport: bool,
    pub(crate) warnings: &'c Warnings,
    pub(crate) deadline: &'c Deadline,
    pub(crate) streams: Streams,
    pub(crate) ink: InkBoxes,
    /// The number of dashes that may still be drawn.
    pub(crate) dashes_left: f64,
    /// The decoded images by the address of their bytes, which the tree keeps in place.
    pub(crate) images: HashMap<usize, Option<ImageBrush>>,
    /// The signatures of nodes, if the drawing is to be compared.
    pub(crate) signatures: Option<Signatures>,
}

impl Lowering<'_> {
    /// Sets the signature of the elements that are added next, if the drawing is to be compared.
    pub(crate) fn sign(&mut self, signature: impl FnOnce(&mut Signatures) -> Signature) {
        if let Some(signatures) = &mut self.signatures {
            self.streams.signature = signature(signatures);
        }
    }

    /// Adds a warning about the current SVG element.
    pub(crate) fn warn(&self, kind: WarningKind) {
        self.warnings.add(kind, || self.streams.sources.name());
    }

    /// The part of a shape near the viewport, with the box of the whole shape.
    pub(crate) fn part_near(&self, whole: &FilledPath) -> FilledPath {
        let margin = 0.5 * MAX_OVERHANG;
        let in_scene = whole.scene_from_path * whole.path.clone();
        let path = cut(&in_scene, self.viewport.inflate(margin, margin));
        FilledPath { path, scene_from_path: Affine::IDENTITY, ..*whole }
    }

    /// The clip shape, or only its part near the viewport if it extends beyond.
    pub(crate) fn clip_near(&self, clip: FilledPath) -> FilledPath {
        // The shape of a mask extends beyond its box.
        if clip.path.is_empty() || self.near.contains(clip.control_box()) {
            return clip;
        }
        self.part_near(&clip)
    }

    /// Adds a node whose contents mask everything before them in the parent node. The mask is empty
    /// beyond the shape.
    pub(crate) fn mask_with(&mut self, shape: &FilledPath, kind: MaskType, contents: impl FnOnce(&mut Self)) {
        if self.streams.n_in_masks > MAX_MASK_ELEMENTS {
            return self.warn(WarningKind::Mask);
        }
        let around = self.streams.begin_mask(shape, kind);
        contents(self);
        self.streams.end();
        self.streams.surroundings = around;
    }
}
