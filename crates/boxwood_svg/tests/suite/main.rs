//! What becomes of a drawing: boxes, names, warnings, errors, and the encoding.

mod bad_input;
mod boxes;
mod clips;
mod drawing;
mod encoding;
mod filters;
mod names;
mod object;
mod raster_leaves;
mod references;
mod strokes;
mod viewports;
mod warnings;
