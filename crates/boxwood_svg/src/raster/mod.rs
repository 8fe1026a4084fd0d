//! Drawing with resvg: whole pictures, and the parts of a drawing that Vello cannot draw.

pub(crate) mod content;
pub(crate) mod cost;
mod gradient;
pub(crate) mod images;
mod region;
