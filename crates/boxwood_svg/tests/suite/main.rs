//! Loaded drawings: boxes, sources, warnings, errors, and the encoding.

mod audit;
mod bad_input;
mod boxes;
mod browsers;
mod cases;
mod clip_shapes;
mod clips;
mod duplicate_ids;
mod encoding;
mod explain;
mod filters;
mod gradients;
mod hits;
mod loaded;
mod marked_groups;
mod markers;
mod object;
mod raster_images;
mod reasons;
mod references;
mod sources;
mod strokes;
mod style;
mod text_parts;
mod viewports;
mod warnings;
