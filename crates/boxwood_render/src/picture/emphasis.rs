//! The parts of a picture of many boxes that stand out.

use std::sync::Arc;

/// The parts of a picture of many boxes that stand out.
#[derive(Clone, Debug, PartialEq)]
pub struct Emphasis {
    /// The share of the surrounding colour in the drawing below the overlay, from 0 to 1. Black if
    /// the frame has no surrounding colour.
    pub dimming: f32,
    /// The opacity of the lines of the overlay, from 0 to 1.
    pub line_opacity: f32,
    /// Whether the overlay has the boxes of each element of the scene. An element without an entry
    /// has them, and so do all with `None`.
    pub shown: Option<Arc<[bool]>>,
}

/// Nothing stands out.
impl Default for Emphasis {
    fn default() -> Self {
        Self { dimming: 0.0, line_opacity: 1.0, shown: None }
    }
}
