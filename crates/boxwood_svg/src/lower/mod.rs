//! From usvg's tree to the streams of a drawing: the encoding, the boxes, and the table that names
//! each element.

mod clips;
mod context;
mod groups;
mod images;
mod leaves;
mod paint;
mod sources;
mod streams;

pub(crate) use context::Context;
pub(crate) use groups::lower;
