//! From usvg's tree to the streams of a drawing: the encoding, the boxes, and the table that names
//! each element.

mod clips;
mod groups;
mod images;
mod leaves;
mod lowering;
mod paint;
mod sources;
mod streams;

pub(crate) use groups::lower;
