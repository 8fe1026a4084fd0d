//! Ink boxes of parts of a tree, and object bounding boxes.

pub(crate) mod clip_paths;
mod filters;
pub(crate) mod gradients;
pub(crate) mod ink;
pub(crate) mod object;
pub(crate) mod stroke_box;
pub(crate) mod strokes;
