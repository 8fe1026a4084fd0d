//! The paint of a leaf.

use std::sync::Arc;

use boxwood_cpu::Aabb;
use kurbo::Affine;
use peniko::{Brush, Color};
use usvg::Opacity;

use crate::boxes::gradients::painted_box;
use crate::quirks::close_stops::has_close_stops;
use crate::quirks::gradients::{PlacedBrush, brush};
use crate::raster::content::Content;

/// The paint of a leaf.
pub(crate) enum Paint {
    Brush(PlacedBrush),
    /// A part of the drawing that resvg draws.
    Raster(Content),
}

impl Paint {
    /// The paint of a path. `None` if it draws nothing.
    pub(crate) fn new(paint: &usvg::Paint, opacity: Opacity, scene_from_path: Affine) -> Option<Self> {
        if opacity.get() == 0.0 {
            return None;
        }
        if let usvg::Paint::Pattern(pattern) = paint {
            let pattern = Arc::clone(pattern);
            return Some(Self::Raster(Content::Pattern { pattern, opacity, scene_from_path }));
        }
        let placed = brush(paint, opacity, scene_from_path)?;
        if has_close_stops(&placed) {
            let paint = paint.clone();
            return Some(Self::Raster(Content::Gradient { paint, opacity, scene_from_path }));
        }
        Some(Self::Brush(placed))
    }

    /// The box of what the paint paints in a box. A pattern or an image may paint all of it.
    pub(crate) fn painted_box(&self, own_box: Aabb) -> Aabb {
        match self {
            Self::Brush(placed) => painted_box(own_box, placed),
            Self::Raster(Content::Gradient { paint, opacity, scene_from_path }) => {
                let placed = brush(paint, *opacity, *scene_from_path);
                placed.map_or(own_box, |placed| painted_box(own_box, &placed))
            }
            Self::Raster(_) => own_box,
        }
    }

    /// The paint with one colour.
    pub(crate) fn solid(color: Color) -> Self {
        Self::Brush((Brush::Solid(color), None))
    }
}
