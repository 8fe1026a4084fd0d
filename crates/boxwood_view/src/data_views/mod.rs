//! Views of the data: pictures of facts about a drawing's boxes, over the drawing.
//!
//! An [`Analysis`] finds the facts once per drawing. A [`DataPicture`] shows them for a position of
//! the drawing in the window. Both are computed off the thread of the window.

mod analysis;
mod cells;
mod check;
mod damage;
mod layers;
mod occluded;
mod picture;
#[cfg(test)]
mod tests;

pub(crate) use analysis::{Analysis, Subject};

pub(crate) use picture::{DataPicture, DrawingPosition, swatch};

/// A view of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DataView {
    Overdraw,
    Layers,
    Occluded,
    Damage,
    Tiles,
    Check,
}

impl DataView {
    pub(crate) const ALL: [Self; 6] =
        [Self::Overdraw, Self::Layers, Self::Occluded, Self::Damage, Self::Tiles, Self::Check];

    /// Whether the view counts boxes, which may be those of the scene or those of the frame.
    pub(crate) fn counts_boxes(self) -> bool {
        matches!(self, Self::Overdraw | Self::Tiles)
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Overdraw => "Overdraw",
            Self::Layers => "Layers and batches",
            Self::Occluded => "Waste",
            Self::Damage => "Damage",
            Self::Tiles => "Tiles",
            Self::Check => "Differs from the specification",
        }
    }
}
