//! SVG drawings from end to end: their boxes, their ink, and their pictures.

mod cases;
mod corpus;
mod ground_truth;
mod pictures;

pub(crate) use corpus::{drawings, files, samples, spread_files};
