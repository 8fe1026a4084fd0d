//! Conversions from usvg's types to kurbo's, and tight boxes of paths.

mod bounds;
mod convert;
mod polygon;

pub(crate) use bounds::{
    aabb, area, bounds, control_points, fill_box, is_in_range, max_scale, rect_box, subpaths,
    without_flat_subpaths,
};
pub(crate) use convert::{affine, bez_path, fill_rule, rect, rgba8_image, sized, union};
pub(crate) use polygon::cut;
