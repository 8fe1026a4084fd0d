//! Drawing with resvg: whole pictures, and the parts of a drawing that Vello cannot draw.

pub(crate) mod content;
pub(crate) mod cost;
mod filter_cost;
pub(crate) mod images;
mod region;
