//! The paint of a leaf.

use std::sync::Arc;

use kurbo::Affine;
use peniko::{Brush, Color};
use usvg::Opacity;

use crate::quirks::gradients::brush;
use crate::raster::content::Content;

/// The paint of a leaf.
pub(crate) enum Paint {
    /// A brush and the transform from its space to the scene, if it has a space.
    Brush { brush: Brush, scene_from_brush: Option<Affine> },
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
        let (brush, scene_from_brush) = brush(paint, opacity, scene_from_path)?;
        Some(Self::Brush { brush, scene_from_brush })
    }

    /// A paint that hides everything below, for what shapes a mask.
    pub(crate) fn opaque() -> Self {
        Self::Brush { brush: Brush::Solid(Color::BLACK), scene_from_brush: None }
    }

    /// A paint that leaves everything below as it is.
    pub(crate) fn transparent() -> Self {
        Self::Brush { brush: Brush::Solid(Color::TRANSPARENT), scene_from_brush: None }
    }
}
