//! Conversions from usvg's types to kurbo's, tight boxes of paths, and tangents.

mod bounds;
mod convert;
mod filled_path;
mod polygon;
mod segments;

pub(crate) use bounds::{
    aabb, area, bounds, bounds_with_points, control_points, fill_box, is_in_range, is_invertible, max_scale,
    rect_box, scene_from_group, without_flat_subpaths,
};
pub(crate) use convert::{affine, bez_path, rect, rgba8_image, sized, union};
pub(crate) use filled_path::FilledPath;
pub(crate) use polygon::cut;
pub(crate) use segments::{Corner, Segment, corners, segments, tangents};
