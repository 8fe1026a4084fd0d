//! CSS that usvg does not read: the declarations of each element, and values with units and
//! `calc()`.

pub(crate) mod cascade;
pub(crate) mod sizes;
pub(crate) mod transforms;
pub(crate) mod values;
